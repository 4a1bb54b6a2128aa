/* validate_test.c - which custom resources are let in, and what is said of them. */
#include "slinky/validate.h"

#include <string.h>

#include "base/str.h"
#include "k8s/meta.h"
#include "slinky/accounting.h"
#include "slinky/controller.h"
#include "slinky/loginset.h"
#include "slinky/nodeset.h"
#include "slinky/restapi.h"
#include "slinky/token.h"
#include "support/test.h"

#define J(...) #__VA_ARGS__ /* JSON without escapes */
#define KEYS                                                                                       \
    J("slurmKeyRef": {"name": "keys", "key": "slurm.key"},                                         \
      "jwtKeyRef": {"name": "keys", "key": "jwt.key"})
#define NOON (INT64_C(1800000000) * USEC_SEC)

/* ---- the world around an object */

static enum known files_of(void *userdata, const char *namespace, const char *name,
                           struct strs *ret_files)
{
    static const char *good[] = { "gres.conf", "topology.yaml" };
    static const char *scripts[] = { "00-a.sh" };
    static const char *reserved[] = { "slurm.conf", "slurmdbd.conf" };
    static const char *odd[] = { "mine.conf" };

    (void)userdata;
    if (!str_eq(namespace, "hpc") || str_eq(name, "unknown"))
        return KNOWN_NOTHING;
    if (str_eq(name, "good"))
        *ret_files = (struct strs)LIST(good);
    else if (str_starts(name, "scripts"))
        *ret_files = (struct strs)LIST(scripts);
    else if (str_eq(name, "reserved"))
        *ret_files = (struct strs)LIST(reserved);
    else if (str_eq(name, "odd"))
        *ret_files = (struct strs)LIST(odd);
    else
        return KNOWN_ABSENT;
    return KNOWN_THERE;
}

static enum known access_modes_of(void *userdata, const char *namespace, const char *claim,
                                  struct strs *ret_modes)
{
    static const char *many[] = { "ReadWriteOnce", "ReadWriteMany" };
    static const char *once[] = { "ReadWriteOnce" };

    (void)userdata;
    (void)namespace;
    if (str_eq(claim, "many"))
        *ret_modes = (struct strs)LIST(many);
    else if (str_eq(claim, "once"))
        *ret_modes = (struct strs)LIST(once);
    else
        return str_eq(claim, "unknown") ? KNOWN_NOTHING : KNOWN_ABSENT;
    return KNOWN_THERE;
}

static const struct surroundings world = {
    .now = NOON, .files_of = files_of, .access_modes_of = access_modes_of
};

/* ---- judging */

static void *object_of(struct arena *a, const struct kind *kind, const char *name, const char *spec)
{
    struct error err = { 0 };
    void *object = arena_alloc(a, kind->type->size);
    const char *text = fmt(a, "{\"metadata\":{\"name\":\"%s\",\"namespace\":\"hpc\"},\"spec\":%s}",
                           name, spec);

    CHECK_OK(table_read(a, kind->type, text, strlen(text), object, &err), err);
    return object;
}

static struct problems judge(struct arena *a, const struct kind *kind, const char *name,
                             const char *old, const char *spec)
{
    struct problems p = { .arena = a };
    void *was = old ? object_of(a, kind, name, old) : NULL;

    CHECK(validate_object(&p, kind, was, object_of(a, kind, name, spec), &world));
    return p;
}

/* One row says what one object must be told; says NULL means that nothing is said at all. */
struct row {
    const struct kind *kind;
    const char *old; /* NULL: created */
    const char *spec;
    const char *at, *says;
    const char *name; /* "a" when NULL */
};

static void check_list(const struct row *row, struct problem_list list)
{
    if (!row->says && list.n)
        test_fail(__FILE__, __LINE__, "%s: %s: %s", row->spec, list.v->path, list.v->text);
    for_each(problem, list)
        if (row->says && str_eq(problem->path, row->at) && strstr(problem->text, row->says))
            return;
    if (row->says)
        test_fail(__FILE__, __LINE__, "%s: nothing says '%s' of %s (%zu other)", row->spec,
                  row->says, row->at, list.n);
}

static struct problems judge_row(struct arena *a, const struct row *row)
{
    return judge(a, row->kind, row->name ?: "a", row->old, row->spec);
}

#define CHECK_ROWS(rows, errors_or_warnings)                                                       \
    for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {                                                \
        scoped(arena) struct arena *a = arena_new();                                               \
        struct problems p = judge_row(a, &(rows)[i]);                                              \
                                                                                                   \
        check_list(&(rows)[i], p.errors_or_warnings);                                              \
    }

/* ---- Controller */

TEST(controller_files_are_looked_at)
{
    const struct kind *k = &slinky_controller_kind;
    struct row refused[] = {
        { k, NULL, "{" KEYS J(, "configFileRefs": [{"name": "absent"}]) "}",
          "spec.configFileRefs[0].name", "create it first" },
        { k, NULL, "{" KEYS J(, "configFileRefs": [{"name": "good"}, {"name": "reserved"}]) "}",
          "spec.configFileRefs[1].name", "use extraConf" },
        { k, NULL, "{" KEYS J(, "configFileRefs": [{"name": ""}]) "}",
          "spec.configFileRefs[0].name", "names no ConfigMap" },
        { k, NULL,
          "{" KEYS J(, "prologScriptRefs": [{"name": "scripts-a"}],
                     "epilogScriptRefs": [{"name": "scripts-b"}]) "}",
          "spec.epilogScriptRefs[0].name", "rename one of them" },
        { k, NULL, "{" KEYS J(, "configFileRefs": [{"name": "good"}, {"name": "odd"}]) "}" },
        { k, NULL, "{" KEYS J(, "configFileRefs": [{"name": "unknown"}]) "}" },
        { k, NULL, "{" KEYS J(, "prologScriptRefs": [{"name": "scripts"}],
                              "epilogScriptRefs": [{"name": "scripts"}]) "}" },
    };
    struct row told[] = {
        { k, NULL, "{" KEYS J(, "configFileRefs": [{"name": "odd"}]) "}",
          "spec.configFileRefs[0].name", "include it from another file" },
        { k, NULL, "{" KEYS J(, "configFileRefs": [{"name": "unknown"}]) "}",
          "spec.configFileRefs[0].name", "could not be looked at" },
        { k, NULL, "{" KEYS J(, "epilogSlurmctldScriptRefs": [{"name": "absent"}]) "}",
          "spec.epilogSlurmctldScriptRefs[0].name", "no such ConfigMap yet" },
        { k, NULL, "{" KEYS J(, "configFileRefs": [{"name": "good"}]) "}" },
    };

    CHECK_ROWS(refused, errors);
    CHECK_ROWS(told, warnings);
}

#define HA(claim) "{" KEYS J(, "ha": {"enabled": true}, "persistence": {"existingClaim": claim}) "}"

TEST(controller_backups_need_a_claim_that_many_can_write)
{
    const struct kind *k = &slinky_controller_kind;
    const char *path = "spec.persistence.existingClaim";
    struct row refused[] = {
        { k, NULL, HA("once"), path, "lacks access mode ReadWriteMany" },
        { k, NULL, "{" KEYS J(, "ha": {"enabled": true}) "}", "spec.persistence",
          "all controllers share one state" },
        { k, NULL, HA("many") },
        { k, NULL, HA("absent") },
        { k, NULL, HA("unknown") },
    };
    struct row told[] = {
        { k, NULL, HA("absent"), path, "no such claim yet" },
        { k, NULL, HA("unknown"), path, "could not be looked at" },
        { k, NULL, HA("many") },
    };

    CHECK_ROWS(refused, errors);
    CHECK_ROWS(told, warnings);
}

TEST(controller_names_fit_slurm_and_kubernetes)
{
    const struct kind *k = &slinky_controller_kind;
    const char *plain = "{" KEYS "}";
    const char *external = J({"external": true, "externalConfig": {"host": "h", "port": 6817}});
    struct row refused[] = {
        /* hpc_ and 37 characters */
        { k, NULL, plain, "spec.clusterName", "give a shorter one here",
          "a123456789012345678901234567890123456" },
        { k, NULL, plain, NULL, NULL, "a12345678901234567890123456789012345" },
        { k, NULL, "{" KEYS J(, "clusterName": "c") "}", "metadata.name", "at most 41",
          "a12345678901234567890123456789012345678901" },
        { k, NULL, "{" KEYS J(, "clusterName": "c") "}", NULL, NULL,
          "a1234567890123456789012345678901234567890" },
        { k, NULL, plain, "metadata.name", "beginning with a letter", "1a" },
        { k, NULL, plain, "metadata.name", "beginning with a letter", "a.b" },
        { k, NULL, external, NULL, NULL, "1.a" },
        { k, NULL, "{" KEYS J(, "clusterName": "a b") "}", "spec.clusterName", "one word" },
        /* a name that was let in once is not held against later changes */
        { k, plain, "{" KEYS J(, "extraConf": "X=1") "}", NULL, NULL,
          "a123456789012345678901234567890123456" },
    };

    CHECK_ROWS(refused, errors);
}

TEST(controller_identity_does_not_change)
{
    const struct kind *k = &slinky_controller_kind;
    const char *plain = "{" KEYS "}";
    struct row refused[] = {
        { k, plain, "{" KEYS J(, "clusterName": "b") "}", "spec.clusterName", "from hpc_a" },
        { k, plain, "{" KEYS J(, "clusterName": "hpc_a") "}" }, /* says what it was anyway */
        { k, plain, J({"slurmKeyRef": {"name": "x", "key": "k"}, "jwtKeyRef": {"name": "keys", "key": "jwt.key"}}),
          "spec.slurmKeyRef.name", "from \"keys\"" },
        { k, plain, J({"slurmKeyRef": {"name": "keys", "key": "k"}, "jwtKeyRef": {"name": "keys", "key": "jwt.key"}}) },
        { k, plain, J({"slurmKeyRef": {"name": "keys", "key": "slurm.key"}, "jwtKeyRef": {"name": "keys", "key": "x"}}),
          "spec.jwtKeyRef", "from keys/jwt.key" },
        { k, plain, J({"slurmKeyRef": {"name": "keys", "key": "slurm.key"}, "jwtHs256KeyRef": {"name": "keys", "key": "jwt.key"}}) },
        { k, plain, "{" KEYS J(, "persistence": {"enabled": false}) "}",
          "spec.persistence.enabled", "would be lost" },
        { k, plain, "{" KEYS J(, "persistence": {"enabled": true}) "}" },
        { k, plain, "{" KEYS J(, "persistence": {"existingClaim": "c"}) "}",
          "spec.persistence.existingClaim", "the cluster's state is on it" },
        { k, "{" KEYS J(, "persistence": {"enabled": false, "existingClaim": "c"}) "}",
          "{" KEYS J(, "persistence": {"enabled": false}) "}" },
    };

    CHECK_ROWS(refused, errors);
}

TEST(controller_unwise_choices_are_told)
{
    const struct kind *k = &slinky_controller_kind;
    struct row told[] = {
        { k, NULL, "{" KEYS J(, "persistence": {"enabled": false}) "}", "spec.persistence.enabled",
          "are lost" },
        { k, NULL, "{" KEYS J(, "reconfigure": {"image": "i"}) "}", "spec.reconfigure", "not used" },
        { k, NULL, "{" KEYS J(, "accountingRef": {"name": ""}) "}", "spec.accountingRef",
          "names no Accounting" },
        { k, NULL, "{" KEYS J(, "metrics": {"serviceMonitor": {"enabled": true}}) "}",
          "spec.metrics.serviceMonitor.enabled", "set metrics.enabled" },
        { k, NULL, "{" KEYS J(, "jwtHs256KeyRef": {"name": "b", "key": "c"}) "}",
          "spec.jwtHs256KeyRef", "remove it" },
        { k, NULL, J({"slurmKeyRef": {"name": "a", "key": "b"}, "jwtHs256KeyRef": {"name": "b", "key": "c"}}),
          "spec.jwtHs256KeyRef", "use jwtKeyRef" },
        { k, "{" KEYS J(, "persistence": {"resources": {"requests": {"storage": "1Gi"}}}) "}",
          "{" KEYS J(, "persistence": {"resources": {"requests": {"storage": "2Gi"}}}) "}",
          "spec.persistence", "change the claim itself" },
        { k, NULL, J({"external": true, "externalConfig": {"host": "h", "port": 1}, "ha": {"enabled": true},
                      "persistence": {"existingClaim": "many"}}),
          "spec.ha", "external" },
        { k, NULL, "{" KEYS "}" },
    };

    CHECK_ROWS(told, warnings);
}

TEST(services_are_told_of_what_is_dropped)
{
    const struct kind *k = &slinky_restapi_kind;
    struct row told[] = {
        { k, NULL, J({"controllerRef": {"name": "c"}, "service": {"spec": {"externalIPs": []}}}),
          "spec.service.spec.externalIPs", "LoadBalancer or NodePort" },
        { &slinky_loginset_kind, NULL,
          J({"controllerRef": {"name": "c"}, "sssdConfRef": {"name": "a", "key": "b"},
             "service": {"spec": {"externalIPs": ["192.0.2.1"]}}}),
          "spec.service.spec.externalIPs", "LoadBalancer or NodePort" },
        { &slinky_controller_kind, NULL, "{" KEYS J(, "service": {"spec": {"externalIPs": ["192.0.2.1"]}}) "}",
          "spec.service.spec.externalIPs", "LoadBalancer or NodePort" },
        { &slinky_accounting_kind, NULL, "{" KEYS J(, "service": {"spec": {"externalIPs": ["192.0.2.1"]}}) "}",
          "spec.service.spec.externalIPs", "LoadBalancer or NodePort" },
        { k, NULL, J({"controllerRef": {"name": "c"}, "service": {"nodePort": 30000}}),
          "spec.service.nodePort", "set service.spec.type" },
        { k, NULL, J({"controllerRef": {"name": "c"}, "service": {"spec": {"type": "NodePort", "externalIPs": null}, "nodePort": 30000}}) },
    };

    CHECK_ROWS(told, warnings);
}

TEST(parts_that_are_no_kubernetes_are_refused)
{
    struct row refused[] = {
        { &slinky_controller_kind, NULL, "{" KEYS J(, "slurmctld": {"image": 5}) "}",
          "spec.slurmctld", "image: want a string" },
        { &slinky_controller_kind, NULL, "{" KEYS J(, "logfile": {"env": {"A": "b"}}) "}",
          "spec.logfile", "env" },
        { &slinky_nodeset_kind, NULL, J({"controllerRef": {"name": "c"}, "slurmd": {"args": "-v"}}),
          "spec.slurmd", "args" },
        { &slinky_nodeset_kind, NULL,
          J({"controllerRef": {"name": "c"}, "template": {"spec": {"hostNetwork": "yes"}}}),
          "spec.template.spec", "hostNetwork" },
        { &slinky_nodeset_kind, NULL,
          J({"controllerRef": {"name": "c"}, "volumeClaimTemplates": {"a": 1}}),
          "spec.volumeClaimTemplates", "want a list" },
        { &slinky_nodeset_kind, NULL,
          J({"controllerRef": {"name": "c"}, "slurmd": {"image": "i", "fieldOfTomorrow": 1},
             "template": {"spec": {"hostname": null, "fieldOfTomorrow": {}}}}) },
    };

    CHECK_ROWS(refused, errors);
}

/* ---- NodeSet */

#define NODES(...) "{" J("controllerRef": {"name": "slurm"}) __VA_ARGS__ "}"
#define PREFIX(text) NODES(J(, "template": {"spec": {"hostname": text}}))
#define SIXTY_TWO "a1234567890123456789012345678901234567890123456789012345678901"

TEST(workers_get_names_that_kubernetes_takes)
{
    const struct kind *k = &slinky_nodeset_kind;
    const char *path = "spec.template.spec.hostname";
    struct row refused[] = {
        { k, NULL, PREFIX("GPU-"), path, "lower case" },
        { k, NULL, PREFIX("gpU-"), path, "lower case" },
        { k, NULL, PREFIX("-gpu"), path, "lower case" },
        { k, NULL, PREFIX("gpu_"), path, "lower case" },
        { k, NULL, PREFIX("gpu.-"), path, "lower case" },
        { k, NULL, PREFIX("gpu-."), path, "lower case" },
        { k, NULL, PREFIX("g..pu"), path, "lower case" },
        { k, NULL, PREFIX("gpu.a-"), path, "no dots" },
        { k, NULL, PREFIX("a1234567890123456789012345678901234567890123456789012345678901-"), path,
          "shorter prefix" },
        { k, NULL, NODES(J(, "ordinalPadding": 4, "template": {"spec": {"hostname": "a12345678901234567890123456789012345678901234567890123456789"}})),
          path, "4 digits" },
        { k, NULL, PREFIX("gpu-") },
        { k, NULL, PREFIX("gpu--") },
        { k, NULL, PREFIX("0") },
        { k, NULL, PREFIX("") },
        { k, NULL, PREFIX(null) },
        { k, NULL, NODES(J(, "scalingMode": "DaemonSet", "template": {"spec": {"hostname": "gpu.a"}})) },
        { k, NULL, NODES(), "metadata.name", "at most 61", SIXTY_TWO },
        { k, NULL, NODES(J(, "replicas": 101)), "metadata.name", "at most 59", SIXTY_TWO },
        { k, NULL, NODES(), "metadata.name", "no dots", "a.b" },
        { k, NULL, PREFIX("gpu-"), NULL, NULL, "a.b" },
        { k, NODES(), NODES(J(, "replicas": 2)), NULL, NULL, SIXTY_TWO },
    };

    CHECK_ROWS(refused, errors);
}

#define MAX_AWAY(value) NODES(J(, "updateStrategy": {"rollingUpdate": {"maxUnavailable": value}}))
#define SCHEDULE(...) NODES(J(, "updateStrategy": {"type": "ScheduledUpdate", "scheduledUpdate": {__VA_ARGS__}}))

TEST(updates_of_workers_can_begin_and_end)
{
    const struct kind *k = &slinky_nodeset_kind;
    const char *away = "spec.updateStrategy.rollingUpdate.maxUnavailable";
    const char *at = "spec.updateStrategy.scheduledUpdate";
    const char *length = "spec.updateStrategy.scheduledUpdate.duration";
    struct row refused[] = {
        { k, NULL, MAX_AWAY(0), away, "at least 1" },
        { k, NULL, MAX_AWAY(-1), away, "at least 1" },
        { k, NULL, MAX_AWAY("0%"), away, "at least 1" },
        { k, NULL, MAX_AWAY("00%"), away, "at least 1" },
        { k, NULL, MAX_AWAY("-5%"), away, "at least 1" },
        { k, NULL, MAX_AWAY("some") },
        { k, NULL, MAX_AWAY(1) },
        { k, NULL, MAX_AWAY("1%") },
        { k, NULL, NODES(J(, "updateStrategy": {"type": "ScheduledUpdate"})), at, "needs a time" },
        { k, NULL, SCHEDULE("duration": "1h"), at, "needs a time" },
        { k, NULL, SCHEDULE("startTime": "2100-01-01T00:00:00Z"), at, "needs a time" },
        { k, NULL, SCHEDULE("startTime": "2100-01-01T00:00:00Z", "duration": "30s"), length, "1m" },
        { k, NULL, SCHEDULE("startTime": "2100-01-01T00:00:00Z", "duration": "-1h"), length, "1m" },
        { k, NULL, SCHEDULE("startTime": "2100-01-01T00:00:00Z", "duration": "1d"), length,
          "not a duration" },
        { k, NULL, SCHEDULE("startTime": "2100-01-01T00:00:00Z", "duration": "1m") },
        { k, NULL, SCHEDULE("startTime": "2000-01-01T00:00:00Z", "duration": "0") },
    };
    struct row told[] = {
        { k, NULL, MAX_AWAY("some"), away, "one worker is replaced at a time" },
        { k, NULL, MAX_AWAY("5"), away, "one worker is replaced at a time" },
        { k, NULL, MAX_AWAY("100%"), away, "all workers" },
        { k, NULL, SCHEDULE("startTime": "2000-01-01T00:00:00Z", "duration": "1h"),
          "spec.updateStrategy.scheduledUpdate.startTime", "has passed" },
        { k, NULL, SCHEDULE("startTime": "2100-01-01T00:00:00Z", "duration": "90s"), length,
          "whole minutes" },
        { k, NULL, NODES(J(, "updateStrategy": {"scheduledUpdate": {"startTime": "2100-01-01T00:00:00Z"}})),
          at, "not used" },
        { k, NULL, SCHEDULE("startTime": "2100-01-01T00:00:00Z", "duration": "1h") },
    };

    CHECK_ROWS(refused, errors);
    CHECK_ROWS(told, warnings);
}

TEST(nodeset_rules)
{
    const struct kind *k = &slinky_nodeset_kind;
    struct row refused[] = {
        { k, NULL, J({"controllerRef": {}}), "spec.controllerRef.name", "name of its Controller" },
        { k, NULL, NODES(J(, "replicas": -1)), "spec.replicas", "use 0" },
        { k, NULL, NODES(J(, "minReadySeconds": -1)), "spec.minReadySeconds", "use 0" },
        { k, NULL, NODES(J(, "revisionHistoryLimit": -1)), "spec.revisionHistoryLimit", "use 0" },
        { k, NULL, NODES(J(, "ordinalPadding": -1)), "spec.ordinalPadding", "between 0 and 63" },
        { k, NULL, NODES(J(, "extraConf": "A=1 oops B=2")), "spec.extraConf", "no equals sign" },
        { k, NULL, NODES(J(, "extraConf": " \tA=1\n B= =C ")) },
        { k, NULL, NODES(J(, "ssh": {"enabled": true, "sssdConfRef": {"key": "k"}})),
          "spec.ssh.sssdConfRef.name", "Secret that holds it" },
        { k, NULL, NODES(J(, "ssh": {"enabled": false, "sssdConfRef": {"key": "k"}})) },
        { k, NULL, NODES(J(, "partition": {"enabled": true, "config": "A=1\nB=2"})),
          "spec.partition.config", "one line" },
        { k, NODES(), J({"controllerRef": {"name": "other"}}), "spec.controllerRef.name",
          "another cluster than slurm" },
        { k, NODES(), NODES(J(, "volumeClaimTemplates": [{"a": 1}])), "spec.volumeClaimTemplates",
          "make a new NodeSet" },
        { k, NODES(J(, "volumeClaimTemplates": [{"a": 1, "b": 2}])),
          NODES(J(, "replicas": 2, "volumeClaimTemplates": [{"b": 2, "a": 1}])) },
        { k, NODES(), NODES(J(, "volumeClaimTemplates": [])) },
        { k, NODES(J(, "volumeClaimTemplates": null)), NODES(J(, "replicas": 2)) },
    };
    struct row told[] = {
        { k, NULL, NODES(J(, "scalingMode": "DaemonSet", "replicas": 3)), "spec.replicas", "not used" },
        { k, NULL, NODES(J(, "scalingMode": "DaemonSet", "pinToNode": true)), "spec.pinToNode", "not used" },
        { k, NULL, NODES(J(, "scalingMode": "DaemonSet", "ordinalPadding": 3)), "spec.ordinalPadding", "not used" },
        { k, NULL, NODES(J(, "pruneSlurmNodeRecords": "NodeNotFound")), "spec.pruneSlurmNodeRecords", "not used" },
        { k, NULL, NODES(J(, "partition": {"enabled": false, "config": "A=1"})), "spec.partition.config", "not used" },
        { k, NULL, NODES() },
    };

    CHECK_ROWS(refused, errors);
    CHECK_ROWS(told, warnings);
}

/* ---- the other kinds */

#define LOGIN(...) "{" J("controllerRef": {"name": "c"}, "sssdConfRef": {"name": "a", "key": "b"}) __VA_ARGS__ "}"

TEST(loginset_rules)
{
    const struct kind *k = &slinky_loginset_kind;
    struct row refused[] = {
        { k, NULL, J({"sssdConfRef": {"name": "a"}}), "spec.controllerRef.name", "its Controller" },
        { k, NULL, J({"controllerRef": {"name": "a"}}), "spec.sssdConfRef.name", "holds it" },
        { k, NULL, LOGIN(J(, "replicas": -1)), "spec.replicas", "use 0" },
        { k, NULL, LOGIN(J(, "strategy": {"type": "OnDelete"})), "spec.strategy.type", "Recreate" },
        { k, NULL, LOGIN(J(, "strategy": {"type": "Recreate", "rollingUpdate": {}})),
          "spec.strategy.rollingUpdate", "remove rollingUpdate" },
        { k, NULL, LOGIN(J(, "strategy": {"rollingUpdate": {"maxSurge": "some"}})),
          "spec.strategy.rollingUpdate.maxSurge", "25%" },
        { k, NULL, LOGIN(J(, "strategy": {"rollingUpdate": {"maxUnavailable": -1}})),
          "spec.strategy.rollingUpdate.maxUnavailable", "25%" },
        { k, NULL, LOGIN(J(, "strategy": {"rollingUpdate": {"maxSurge": 0, "maxUnavailable": "0%"}})),
          "spec.strategy.rollingUpdate", "ever be replaced" },
        { k, NULL, LOGIN(J(, "strategy": {"rollingUpdate": {"maxSurge": 0, "maxUnavailable": "10%"}})) },
        { k, NULL, LOGIN(), "metadata.name", "beginning with a letter", "1a" },
        { k, LOGIN(), J({"controllerRef": {"name": "d"}, "sssdConfRef": {"name": "a", "key": "b"}}),
          "spec.controllerRef.name", "another cluster than c" },
    };

    CHECK_ROWS(refused, errors);
}

TEST(accounting_rules)
{
    const struct kind *k = &slinky_accounting_kind;
    struct row refused[] = {
        { k, NULL, J({}), "spec.slurmKeyRef", "external: true" },
        { k, NULL, J({}), "spec.jwtKeyRef", "external: true" },
        { k, NULL, J({"external": true}), "spec.externalConfig", "must be found" },
        { k, NULL, J({"external": true, "externalConfig": {"host": "", "port": 1}}),
          "spec.externalConfig.host", "host name" },
        { k, NULL, J({"external": true, "externalConfig": {"host": "h", "port": 70000}}),
          "spec.externalConfig.port", "usually has 6819" },
        { k, NULL, "{" KEYS J(, "storageConfig": {"host": ""}) "}", "spec.storageConfig.host", "give the host" },
        { k, NULL, "{" KEYS J(, "storageConfig": {"host": "h", "port": -1}) "}", "spec.storageConfig.port", "3306" },
        { k, NULL, "{" KEYS J(, "storageConfig": {"host": "h"}) "}", "spec.storageConfig.passwordKeyRef", "password" },
        { k, NULL, "{" KEYS J(, "jwksKeyRef": {"key": "k"}) "}", "spec.jwksKeyRef", "leave jwksKeyRef out" },
        { k, "{" KEYS "}", J({"slurmKeyRef": {"name": "x", "key": "y"}, "jwtKeyRef": {"name": "x", "key": "y"}}),
          "spec.jwtKeyRef", "same Secret and key" },
        { k, "{" KEYS "}", J({"slurmKeyRef": {"name": "x", "key": "y"}, "jwtKeyRef": {"name": "keys", "key": "jwt.key"}}) },
        { k, NULL, J({"external": true, "externalConfig": {"host": "h", "port": 6819}, "storageConfig": {"host": ""}}) },
    };
    struct row told[] = {
        { k, NULL, "{" KEYS "}", "spec.storageConfig", "needs a database" },
    };

    CHECK_ROWS(refused, errors);
    CHECK_ROWS(told, warnings);
}

#define TOKEN(...) "{" J("jwtKeyRef": {"name": "keys", "key": "jwt.key"}) __VA_ARGS__ "}"

TEST(token_rules)
{
    const struct kind *k = &slinky_token_kind;
    struct row refused[] = {
        { k, NULL, J({"username": "alice"}), "spec.jwtKeyRef", "name its Secret" },
        { k, NULL, J({"username": "alice", "jwtHs256KeyRef": {"key": "k"}}), "spec.jwtHs256KeyRef", "both the name" },
        { k, NULL, TOKEN(J(, "username": "Svc_User")), "spec.username", "secretRef" },
        { k, NULL, TOKEN(J(, "username": "")), "spec.username", "secretRef" },
        { k, NULL, TOKEN(J(, "username": "Svc_User", "secretRef": {"name": "a", "key": "b"})) },
        { k, NULL, TOKEN(J(, "username": "a", "secretRef": {"key": "b"})), "spec.secretRef", "leave secretRef out" },
        { k, NULL, TOKEN(J(, "username": "a", "lifetime": "1d")), "spec.lifetime", "not a duration" },
        { k, NULL, TOKEN(J(, "username": "a", "lifetime": "0s")), "spec.lifetime", "positive" },
        { k, NULL, TOKEN(J(, "username": "a", "lifetime": "-1h")), "spec.lifetime", "positive" },
        { k, NULL, TOKEN(J(, "username": "a", "lifetime": "1h30m")) },
        { k, TOKEN(J(, "username": "a")), J({"username": "a", "jwtKeyRef": {"name": "x", "key": "jwt.key"}}),
          "spec.jwtKeyRef", "make a new Token" },
        { k, TOKEN(J(, "username": "a")), TOKEN(J(, "username": "b")) },
    };
    struct row told[] = {
        { k, NULL, TOKEN(J(, "username": "a", "lifetime": "600000h")), "spec.lifetime", "no later end" },
        { k, NULL, TOKEN(J(, "username": "a", "lifetime": "12h")) },
    };

    CHECK_ROWS(refused, errors);
    CHECK_ROWS(told, warnings);
}

TEST(restapi_rules)
{
    const struct kind *k = &slinky_restapi_kind;
    struct row refused[] = {
        { k, NULL, J({"controllerRef": {"name": ""}}), "spec.controllerRef.name", "its Controller" },
        { k, NULL, J({"controllerRef": {"name": "c"}, "replicas": -2}), "spec.replicas", "use 0" },
        { k, NULL, J({"controllerRef": {"name": "c"}, "service": {"port": 65536}}), "spec.service.port", "65535" },
        { k, NULL, J({"controllerRef": {"name": "c"}, "service": {"nodePort": -1}}), "spec.service.nodePort", "65535" },
        { k, J({"controllerRef": {"name": "c"}}), J({"controllerRef": {"name": "d"}}) },
    };

    CHECK_ROWS(refused, errors);
}

/* ---- all of them */

TEST(what_did_not_change_is_not_held_against_an_object)
{
    scoped(arena) struct arena *a = arena_new();
    const char *bad = J({"controllerRef": {"name": ""}, "replicas": -1});
    struct problems p = judge(a, &slinky_nodeset_kind, "a", bad, bad);

    CHECK_INT(p.errors.n, 0);
    CHECK_INT(p.warnings.n, 0);
}

TEST(an_object_on_its_way_out_is_left_alone)
{
    scoped(arena) struct arena *a = arena_new();
    struct problems p = { .arena = a };
    struct slinky_nodeset *old = object_of(a, &slinky_nodeset_kind, "a", NODES());
    struct slinky_nodeset *now = object_of(a, &slinky_nodeset_kind, "a", J({"replicas": -1}));

    now->meta.deletion_timestamp = NOON;
    CHECK(validate_object(&p, &slinky_nodeset_kind, old, now, &world));
    CHECK_INT(p.errors.n, 0);
}

TEST(kinds_of_others_are_not_judged)
{
    scoped(arena) struct arena *a = arena_new();
    struct problems p = { .arena = a };
    struct k8s_meta meta = { 0 };
    struct kind other = { .kind = "Other" };

    CHECK(!validate_object(&p, &other, NULL, &meta, NULL));
}

TEST(without_surroundings_nothing_is_refused_for_them)
{
    scoped(arena) struct arena *a = arena_new();
    struct problems p = { .arena = a };
    void *c = object_of(a, &slinky_controller_kind, "a",
                        "{" KEYS J(, "configFileRefs": [{"name": "x"}], "ha": {"enabled": true},
                                   "persistence": {"existingClaim": "y"}) "}");

    CHECK(validate_object(&p, &slinky_controller_kind, NULL, c, NULL));
    CHECK_INT(p.errors.n, 0);
    CHECK_INT(p.warnings.n, 2);
}

TEST(schema_problems_name_their_field)
{
    scoped(arena) struct arena *a = arena_new();
    struct problems p = { .arena = a };
    void *n = object_of(a, &slinky_nodeset_kind, "a", NODES(J(, "scalingMode": "Deployment")));

    validate_schema(&p, &slinky_nodeset_kind, n);
    CHECK_INT(p.errors.n, 1);
    CHECK_STR(p.errors.v->path, "spec.scalingMode");
}

TEST(problems_are_told_in_one_line)
{
    scoped(arena) struct arena *a = arena_new();
    struct problems p = { .arena = a };

    CHECK_STR(problems_text(a, p.errors), "");
    refuse(&p, "spec.a", "-1", "too %s; use more", "small");
    refuse(&p, "spec.a", "-1", "too small; use more");
    CHECK_STR(problems_text(a, p.errors), "spec.a: -1: too small; use more");
    refuse(&p, "spec.b", NULL, "missing; add it");
    refuse(&p, "spec.c", shown_str(&p, "x\"y"), "odd");
    CHECK_STR(problems_text(a, p.errors),
              "[spec.a: -1: too small; use more, spec.b: missing; add it, spec.c: \"x\\\"y\": odd]");
    CHECK_INT(p.warnings.n, 0);
}

TEST(long_values_are_cut_between_characters)
{
    scoped(arena) struct arena *a = arena_new();
    struct problems p = { .arena = a };
    char text[400] = { 0 };

    for (size_t i = 1; i + 2 < sizeof(text); i += 2)
        memcpy(text + i, "\xc3\xa4", 2);
    text[0] = 'x';
    CHECK(strlen(shown_str(&p, text)) < 140);
    CHECK(str_ends(shown_str(&p, text), "\xc3\xa4...\""));
    CHECK(shown_str(&p, NULL) == NULL);
}
