/* secret.h - Secret of the core group/v1.
 *
 * Generated from api/ by `make generate`; changes go there.
 */
#pragma once
#include "json/kind.h"
#include "k8s/meta.h"

/* Keys and passwords. */
struct k8s_secret {
    struct k8s_meta meta; /* Metadata of an object. */
    enum flag immutable; /* The data cannot change any more. */
    struct pairs data; /* Base64 by file name. */
    struct pairs string_data; /* Text by file name; only written, the server turns it into data. */
    const char *type; /* What the data is for. */
};

extern const struct type k8s_secret_type;
extern const struct kind k8s_secret_kind;

/* Deep copies that live as long as the arena. */
struct k8s_secret *k8s_secret_keep(struct arena *a, const struct k8s_secret *from);
