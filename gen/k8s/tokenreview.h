/* tokenreview.h - TokenReview of authentication.k8s.io/v1.
 *
 * Generated from api/ by `make generate`; changes go there.
 */
#pragma once
#include "json/kind.h"
#include "k8s/meta.h"

struct k8s_user_info;

/* The question. */
struct k8s_tokenreview_spec {
    const char *token; /* The token. */
    struct strs audiences; /* Who it must be for. */
};

/* The answer. */
struct k8s_tokenreview_status {
    enum flag authenticated; /* It is good. */
    struct k8s_user_info *user; /* Whose it is. */
    struct strs audiences; /* Who it is for. */
    const char *error; /* Why it could not be checked. */
};

/* The question whose a token is. */
struct k8s_tokenreview {
    struct k8s_meta meta; /* Metadata of an object. */
    struct k8s_tokenreview_spec spec; /* The question. */
    struct k8s_tokenreview_status status; /* The answer. */
};

/* Whose it is. */
struct k8s_user_info {
    const char *username; /* Name. */
    const char *uid; /* Uid. */
    struct strs groups; /* Groups. */
    const struct json *extra; /* What else is known. */
};

extern const struct type k8s_tokenreview_spec_type;
extern const struct type k8s_tokenreview_status_type;
extern const struct type k8s_tokenreview_type;
extern const struct type k8s_user_info_type;
extern const struct kind k8s_tokenreview_kind;

/* Deep copies that live as long as the arena. */
struct k8s_tokenreview *k8s_tokenreview_keep(struct arena *a, const struct k8s_tokenreview *from);
