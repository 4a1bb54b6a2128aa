/* json_fuzz.c - whatever parses comes out and parses again as the same value, in every style. */
#include <stdint.h>
#include <stdlib.h>

#include "json/json.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_style(struct arena *a, const struct json *v, enum json_style style)
{
    scoped(buf) struct buf text = { 0 };
    struct json *back = NULL;

    json_write(v, style, &text);
    if (json_parse(a, text.bytes, text.len, &back, NULL) < 0 || !json_equal(v, back) ||
        json_hash(v) != json_hash(back))
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    scoped(arena) struct arena *a = arena_new();
    struct error err = { 0 };
    struct json *v = NULL;

    if (json_parse(a, (const char *)data, size, &v, &err) < 0)
        return 0;
    check_style(a, v, JSON_COMPACT);
    check_style(a, v, JSON_PRETTY);
    check_style(a, v, JSON_CANONICAL);
    if (!json_equal(v, json_copy(a, v)))
        abort();
    return 0;
}
