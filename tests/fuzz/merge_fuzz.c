/* merge_fuzz.c - two values, one per line, merged and compared every way; inputs stay as they were.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "json/merge.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_merge_patch(struct arena *a, const struct json *base, const struct json *patch)
{
    const struct json *once = json_merge_patch(a, base, patch);

    if (!json_equal(json_merge_patch(a, once, patch), once))
        abort();
}

static void check_covers(struct arena *a, const struct json *have, const struct json *want)
{
    const char *path = NULL;

    if (json_covers(a, have, want, &path) != !path)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    scoped(arena) struct arena *a = arena_new();
    const char *text = (const char *)data;
    const char *line = memchr(text, '\n', size);
    struct json *base = NULL;
    struct json *patch = NULL;
    uint64_t before;

    if (!line || json_parse(a, text, (size_t)(line - text), &base, NULL) < 0 ||
        json_parse(a, line + 1, size - (size_t)(line + 1 - text), &patch, NULL) < 0)
        return 0;
    before = json_hash(base) ^ json_hash(patch);
    check_merge_patch(a, base, patch);
    check_covers(a, json_merge_strategic(a, base, patch), patch);
    check_covers(a, base, patch);
    check_covers(a, patch, base);
    if ((json_hash(base) ^ json_hash(patch)) != before)
        abort();
    return 0;
}
