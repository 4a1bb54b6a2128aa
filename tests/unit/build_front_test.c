/* build_front_test.c - what the translation looks up, defaults to and refuses. */
#include <errno.h>
#include <string.h>

#include "base/scope.h"
#include "base/str.h"
#include "build/rest.h"
#include "k8s/secret.h"
#include "slinky/front_parts.h"
#include "support/front_world.h"
#include "support/test.h"

#define SECRET(password)                                                                           \
    "apiVersion: v1\nkind: Secret\nmetadata: {name: k}\n"                                          \
    "stringData: {s: one, j: two, p: '" password "'}\n---\n"
#define KEYS "slurmKeyRef: {name: k, key: s}, jwtKeyRef: {name: k, key: j}"

static const void *read_cr(struct arena *a, const struct kind *kind, const char *yaml)
{
    void *cr = arena_alloc(a, kind->type->size);
    struct k8s_meta *meta = cr;
    struct error err = { 0 };

    CHECK_OK(table_read_json(a, kind->type, parsed(a, yaml), cr, &err), err);
    meta->name = meta->name ?: "x";
    meta->namespace = "hpc";
    return cr;
}

static void check_says(const struct error *err, const char *words)
{
    if (!strstr(error_text(err), words))
        test_fail(__FILE__, __LINE__, "\"%s\" does not say \"%s\"", error_text(err), words);
}

/* ------------------------------------------------------------------ references */

TEST(what_is_missing_is_waited_for_and_named)
{
    scoped(arena) struct arena *a = arena_new();
    struct slinky_world world = world_with(a, SECRET("x"));
    struct model_controller controller;
    struct model_accounting accounting;
    struct error err = { 0 };

    CHECK_INT(front_controller(a, &world,
                               read_cr(a, &slinky_controller_kind,
                                       "spec: {slurmKeyRef: {name: gone, key: s}, "
                                       "jwtKeyRef: {name: k, key: j}}"),
                               &controller, &err),
              -ENOENT);
    check_says(&err, "spec.slurmKeyRef: there is no Secret gone in namespace hpc");
    CHECK_INT(front_accounting(a, &world,
                               read_cr(a, &slinky_accounting_kind,
                                       "spec: {" KEYS ", storageConfig: {host: h, "
                                       "passwordKeyRef: {name: k, key: gone}}}"),
                               &accounting, &err),
              -ENOENT);
    check_says(&err, "spec.storageConfig.passwordKeyRef: Secret k has no key gone");
}

static int get_nothing(void *userdata, const struct kind *kind, const char *namespace,
                       const char *name, const void **ret, struct error *err)
{
    (void)userdata, (void)namespace, (void)ret;
    return fail(err, -EAGAIN, "%s %s is not known yet", kind->kind, name);
}

TEST(unknown_is_not_absent)
{
    scoped(arena) struct arena *a = arena_new();
    struct slinky_world world = world_with(a, SECRET("x"));
    struct model_controller controller;
    struct model_workers workers;
    struct error err = { 0 };

    world.get = get_nothing;
    CHECK_INT(front_controller(a, &world,
                               read_cr(a, &slinky_controller_kind,
                                       "spec: {" KEYS ", accountingRef: {name: books}}"),
                               &controller, &err),
              -EAGAIN);
    CHECK_INT(front_nodeset(a, &world,
                            read_cr(a, &slinky_nodeset_kind, "spec: {controllerRef: {name: c}}"),
                            &workers, &err),
              -EAGAIN);
}

TEST(accounting_that_is_not_there_is_none)
{
    scoped(arena) struct arena *a = arena_new();
    struct slinky_world world = world_with(a, SECRET("x"));
    struct model_controller m;
    struct error err = { 0 };

    CHECK_OK(front_controller(a, &world,
                              read_cr(a, &slinky_controller_kind,
                                      "spec: {" KEYS ", accountingRef: {name: books}}"),
                              &m, &err),
             err);
    CHECK(!m.conf.accounting_host);
}

/* ------------------------------------------------------------------ mistakes */

static void check_refused(const char *spec, const char *words)
{
    scoped(arena) struct arena *a = arena_new();
    struct slinky_world world = world_with(a, SECRET("x"));
    struct model_controller m;
    struct error err = { 0 };

    CHECK_INT(
        front_controller(a, &world,
                         read_cr(a, &slinky_controller_kind, fmt(a, "spec: {" KEYS ", %s}", spec)),
                         &m, &err),
        -EINVAL);
    check_says(&err, words);
}

TEST(what_can_never_work_is_refused_with_its_field)
{
    check_refused("ha: {enabled: true}", "spec.persistence.existingClaim: backups share one state");
    check_refused("ha: {enabled: true}, persistence: {enabled: false, existingClaim: c}",
                  "spec.persistence.existingClaim");
    check_refused("external: true", "spec.externalConfig");
    check_refused("service: {spec: {ports: [{name: slurmctld, port: 1}]}}",
                  "spec.service.spec.ports[0].name: slurmctld is the operator's own port");
    check_refused("service: {spec: {ports: [{name: x, port: 6817}]}}",
                  "spec.service.spec.ports[0].port: 6817 is the operator's own port");
    check_refused("service: {spec: {ports: many}}", "spec.service.spec: ports");
}

TEST(a_password_that_no_file_can_hold_is_refused_without_showing_it)
{
    scoped(arena) struct arena *a = arena_new();
    struct slinky_world world = world_with(a, SECRET("sec\n\nret"));
    struct model_accounting m;
    struct error err = { 0 };

    CHECK_INT(front_accounting(a, &world,
                               read_cr(a, &slinky_accounting_kind,
                                       "spec: {" KEYS ", storageConfig: {host: h, "
                                       "passwordKeyRef: {name: k, key: p}}}"),
                               &m, &err),
              -EINVAL);
    check_says(&err, "StoragePass");
    CHECK(!strstr(error_text(&err), "ret"));
}

/* ------------------------------------------------------------------ names and numbers */

TEST(the_slurm_node_set_is_named_by_the_host_name)
{
    static const struct {
        const char *spec, *name;
    } cases[] = {
        { "spec: {}", "x" },
        { "spec: {template: {spec: {hostname: gpu-}}}", "gpu" },
        { "spec: {template: {spec: {hostname: ' -a-b- c'}}}", "a-b" },
        { "spec: {template: {spec: {hostname: '--'}}}", "x" },
    };

    for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
        scoped(arena) struct arena *a = arena_new();

        CHECK_STR(slinky_nodeset_name(a, read_cr(a, &slinky_nodeset_kind, cases[i].spec)),
                  cases[i].name);
    }
}

TEST(there_is_room_for_every_node_of_the_cluster)
{
    scoped(arena) struct arena *a = arena_new();
    struct slinky_world world =
        world_with(a, SECRET("x") "apiVersion: slinky.slurm.net/v1beta1\nkind: NodeSet\n"
                                  "metadata: {name: a}\n"
                                  "spec: {controllerRef: {name: x}, replicas: 3000}\n---\n"
                                  "apiVersion: slinky.slurm.net/v1beta1\nkind: NodeSet\n"
                                  "metadata: {name: b}\n"
                                  "spec: {controllerRef: {name: x}, scalingMode: DaemonSet}\n"
                                  "status: {desired: 200, nodeSetHash: h, selector: s}\n");
    struct model_controller m;
    struct error err = { 0 };

    CHECK_OK(front_controller(a, &world, read_cr(a, &slinky_controller_kind, "spec: {" KEYS "}"),
                              &m, &err),
             err);
    CHECK(strstr(slurm_conf_text(a, &m.conf), "MaxNodeCount=8192\n"));
}

TEST(a_token_has_a_user_and_a_bounded_life)
{
    scoped(arena) struct arena *a = arena_new();
    struct slinky_world world = world_with(a, SECRET("x"));
    struct model_token m;
    struct error err = { 0 };

    CHECK_OK(front_token(a, &world,
                         read_cr(a, &slinky_token_kind, "spec: {jwtKeyRef: {name: k, key: j}}"), &m,
                         &err),
             err);
    CHECK_STR(m.user, "nobody");
    CHECK_STR(m.secret.name, "x-jwt-");
    CHECK_INT(m.lifetime, 15 * 60 * USEC_SEC);
    CHECK(m.refresh);
    CHECK_OK(front_token(a, &world,
                         read_cr(a, &slinky_token_kind,
                                 "spec: {jwtKeyRef: {name: k, key: j}, lifetime: 1000000h}"),
                         &m, &err),
             err);
    CHECK_INT(m.lifetime, TOKEN_LIFETIME_MAX);
    CHECK_INT(
        front_token(a, &world, read_cr(a, &slinky_token_kind, "spec: {username: a}"), &m, &err),
        -EINVAL);
}

/* ------------------------------------------------------------------ what restarts pods */

static struct pairs rest_hashes(struct arena *a, const char *more, const char *meta)
{
    const char *world_text =
        fmt(a,
            SECRET("x") "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: site}\ndata: {a: b}\n"
                        "---\napiVersion: slinky.slurm.net/v1beta1\nkind: Controller\n"
                        "metadata: {name: x}\nspec: {" KEYS "}\n%s",
            more);
    struct slinky_world world = world_with(a, world_text);
    struct model_rest m;
    struct error err = { 0 };
    const void *cr = read_cr(
        a, &slinky_restapi_kind,
        fmt(a,
            "metadata: %s\nspec: {controllerRef: {name: x}, slurmrestd: {envFrom: [{configMapRef: "
            "{name: site}}]}}",
            meta));

    CHECK_OK(front_restapi(a, &world, cr, &m, &err), err);
    return m.pods.hashes;
}

TEST(a_new_nodeset_does_not_restart_slurmrestd)
{
    scoped(arena) struct arena *a = arena_new();
    struct pairs before = rest_hashes(a, "", "{}");
    struct pairs after =
        rest_hashes(a,
                    "---\napiVersion: slinky.slurm.net/v1beta1\nkind: NodeSet\n"
                    "metadata: {name: n}\nspec: {controllerRef: {name: x}, replicas: 5000}\n",
                    "{}");

    CHECK_INT(before.n, 3);
    CHECK_STR(pairs_get(after, slinky_profile.config_hash),
              pairs_get(before, slinky_profile.config_hash));
}

TEST(who_does_not_want_restarts_gets_none)
{
    scoped(arena) struct arena *a = arena_new();

    CHECK_INT(rest_hashes(a, "", "{annotations: {windlass.dev/roll-on-change: 'false'}}").n, 0);
}
