/* secret.c - Secret of the core group/v1.
 *
 * Generated from api/ by `make generate`; changes go there.
 */
#include "k8s/secret.h"

static const struct field k8s_secret_fields[] = {
    FIELD(k8s_secret, meta, OBJECT, "metadata", .of = &k8s_meta_type,
          .doc = "Metadata of an object."),
    FIELD(k8s_secret, immutable, BOOL, "immutable", .doc = "The data cannot change any more."),
    FIELD(k8s_secret, data, MAP, "data", .flags = SENSITIVE, .doc = "Base64 by file name."),
    FIELD(k8s_secret, string_data, MAP, "stringData", .flags = SENSITIVE,
          .doc = "Text by file name; only written, the server turns it into data."),
    FIELD(k8s_secret, type, STR, "type", .doc = "What the data is for."),
    { 0 },
};
const struct type k8s_secret_type = TYPE(k8s_secret, k8s_secret_fields);

const struct kind k8s_secret_kind = {
    .group = "",
    .version = "v1",
    .kind = "Secret",
    .plural = "secrets",
    .namespaced = true,
    .type = &k8s_secret_type,
};

struct k8s_secret *k8s_secret_keep(struct arena *a, const struct k8s_secret *from)
{
    return table_copy(a, &k8s_secret_type, from);
}
