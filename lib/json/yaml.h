/* yaml.h - YAML in (by libyaml) and out: manifests and kubeconfigs as JSON values.
 *
 * The YAML 1.2 core schema as Kubernetes reads it: plain true/false, null, integers and floats are
 * typed, "yes", "on" and quoted scalars are strings, merge keys ("<<") and anchors are resolved with a
 * bound on how much aliases may expand, duplicate keys are refused. Several documents in one file are several values.
 */
#pragma once
#include "json/json.h"

/* An array of the documents in text; empty documents are left out. Errors name line and column. */
int yaml_parse(struct arena *a, const char *text, size_t len, struct json **ret, struct error *err);
/* One document, block style, strings quoted when a reader would take them for something else. */
void yaml_write(const struct json *v, struct buf *out);
