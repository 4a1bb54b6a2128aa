/* kubeconfig_fuzz.c - any text as a kubeconfig: read or refused with a story, never worse. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "kube/config.h"

static void check(int rc, const struct kube_config *config, const struct error *err)
{
    if (rc == 0 && str_empty(config->server))
        abort(); /* accepted without a server to talk to */
    if (rc < 0 && str_empty(err->text))
        abort(); /* refused without a reason */
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const contexts[] = { NULL, "other" };

    for (size_t i = 0; i < 2; i++) {
        scoped(arena) struct arena *a = arena_new();
        struct kube_config config = { 0 };
        struct error err = { 0 };

        check(kube_config_parse(a, (const char *)data, size, "/etc", contexts[i], &config, &err),
              &config, &err);
    }
    return 0;
}
