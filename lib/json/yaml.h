/* yaml.h - YAML in (by libyaml) and out: manifests and kubeconfigs as JSON values.
 *
 * The YAML 1.2 core schema as Kubernetes reads it: plain true/false, null, integers and floats are
 * typed (0644 is octal, for file modes), "yes", "on" and quoted scalars are strings, keys are
 * strings whatever they look like, merge keys ("<<") and anchors are resolved with a bound on how
 * much aliases may expand. Duplicate keys, other tags than those of JSON's types, infinities and
 * more than JSON_DEPTH_MAX levels are refused. Several documents in one file are several values.
 */
#pragma once
#include "json/json.h"

/* An array of the documents in text; empty documents are left out. Errors are -EBADMSG and name
 * line and column. */
int yaml_parse(struct arena *a, const char *text, size_t len, struct json **ret, struct error *err);
/* One document, block style, strings quoted when a reader of YAML 1.1 or 1.2 would take them for
 * something else, texts of several lines as literal blocks. Put "---\n" between documents. */
void yaml_write(const struct json *v, struct buf *out);
