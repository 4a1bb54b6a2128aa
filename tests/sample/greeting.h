/* greeting.h - a kind of our own, for the tutorial and the tests of the runtime. */
#pragma once
#include "json/kind.h"
#include "k8s/meta.h"

struct greeting_spec {
    const char *text;
    struct maybe_int copies;  /* how many ConfigMaps say it; 1 when absent */
    const char *secret;       /* a Secret whose "signature" is put below the text */
    const char *friend;       /* another Greeting, which must be there first */
};

struct greeting_status {
    struct maybe_int copies;
    struct k8s_condition_list conditions;
};

struct greeting {
    struct k8s_meta meta;
    struct greeting_spec spec;
    struct greeting_status status;
};

extern const struct kind greeting_kind;
