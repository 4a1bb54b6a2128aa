/* front_world.c - models out of a few lines of YAML. */
#include "support/front_world.h"

#include <string.h>

#include "base/scope.h"
#include "slinky/manifests.h"
#include "support/test.h"
#include "json/yaml.h"

#define KEYS                                                                                       \
    "apiVersion: v1\nkind: Secret\nmetadata: {name: slurm-keys}\n"                                 \
    "stringData: {slurm.key: s, jwt.key: j, sssd.conf: c, password: p}\n---\n"
#define CONTROLLER                                                                                 \
    "apiVersion: slinky.slurm.net/v1beta1\nkind: Controller\nmetadata: {name: ctl}\n"              \
    "spec: {slurmKeyRef: {name: slurm-keys, key: slurm.key}, "                                     \
    "jwtKeyRef: {name: slurm-keys, key: jwt.key}}\n"

const struct json *parsed(struct arena *a, const char *yaml)
{
    struct json *documents = NULL;
    struct error err = { 0 };

    CHECK_OK(yaml_parse(a, yaml, strlen(yaml), &documents, &err), err);
    CHECK_INT(json_count(documents), 1);
    return json_item(documents, 0);
}

struct slinky_world world_with(struct arena *a, const char *text)
{
    struct manifests *m = arena_make(a, struct manifests);
    struct error err = { 0 };

    m->arena = a;
    m->namespace = "hpc";
    CHECK_OK(manifests_read_text(m, "test", text, strlen(text), &err), err);
    return manifests_world(m);
}

/* Read without the schema's defaults, so that tests see those of the translation. */
static void read_spec(struct arena *a, const struct type *type, const char *spec, void *ret)
{
    struct error err = { 0 };

    CHECK_OK(table_read_json(a, type, parsed(a, spec), ret, &err), err);
}

struct model_workers workers_of(struct arena *a, const char *spec)
{
    struct slinky_world world = world_with(a, KEYS CONTROLLER);
    struct slinky_nodeset *cr = arena_make(a, struct slinky_nodeset);
    struct model_workers m;
    struct error err = { 0 };

    read_spec(a, &slinky_nodeset_spec_type, spec, &cr->spec);
    cr->meta.name = "set";
    cr->meta.namespace = "hpc";
    cr->spec.controller_ref.name = "ctl";
    CHECK_OK(front_nodeset(a, &world, cr, &m, &err), err);
    return m;
}

struct model_controller controller_of(struct arena *a, const char *spec)
{
    struct slinky_world world = world_with(a, KEYS);
    struct slinky_controller *cr = arena_make(a, struct slinky_controller);
    struct model_controller m;
    struct error err = { 0 };

    read_spec(a, &slinky_controller_spec_type, spec, &cr->spec);
    cr->meta.name = "ctl";
    cr->meta.namespace = "hpc";
    cr->spec.slurm_key_ref = arena_make(a, struct slinky_secret_key);
    *cr->spec.slurm_key_ref =
        (struct slinky_secret_key) { .name = "slurm-keys", .key = "slurm.key" };
    cr->spec.jwt_key_ref = arena_make(a, struct slinky_secret_key);
    *cr->spec.jwt_key_ref = (struct slinky_secret_key) { .name = "slurm-keys", .key = "jwt.key" };
    CHECK_OK(front_controller(a, &world, cr, &m, &err), err);
    return m;
}
