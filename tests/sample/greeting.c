/* greeting.c - the tables of Greeting, written by hand; API types proper are generated from api/. */
#include "greeting.h"

static const struct rule copies_rule = { .min = SOME(0), .max = SOME(100) };

static const struct field spec_fields[] = {
    FIELD(greeting_spec, text, STR, "text", .flags = REQUIRED),
    FIELD(greeting_spec, copies, INT, "copies", .rule = &copies_rule),
    FIELD(greeting_spec, secret, STR, "secret"),
    FIELD(greeting_spec, friend, STR, "friend"),
    { 0 },
};
static const struct type spec_type = TYPE(greeting_spec, spec_fields);

static const struct field status_fields[] = {
    FIELD(greeting_status, copies, INT, "copies"),
    FIELD(greeting_status, conditions, LIST, "conditions", .of = &k8s_condition_type,
          .list_key = "type"),
    { 0 },
};
static const struct type status_type = TYPE(greeting_status, status_fields);

static const struct field greeting_fields[] = {
    FIELD(greeting, meta, OBJECT, "metadata", .of = &k8s_meta_type),
    FIELD(greeting, spec, OBJECT, "spec", .of = &spec_type),
    FIELD(greeting, status, OBJECT, "status", .of = &status_type),
    { 0 },
};
static const struct type greeting_type = TYPE(greeting, greeting_fields);

const struct kind greeting_kind = {
    .group = "sample.windlass.dev", .version = "v1", .kind = "Greeting", .plural = "greetings",
    .namespaced = true, .has_status = true, .type = &greeting_type, .status = &greeting_fields[2],
};
