/* yaml_fuzz.c - every document that can be read is read back the same after it was written. */
#include <stdint.h>
#include <stdlib.h>

#include "json/yaml.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_round_trip(struct arena *a, const struct json *v)
{
    scoped(buf) struct buf text = { 0 };
    struct error err = { 0 };
    struct json *back = NULL;

    yaml_write(v, &text);
    if (yaml_parse(a, text.bytes, text.len, &back, &err) < 0 || json_count(back) != 1 ||
        !json_equal(json_item(back, 0), v))
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    scoped(arena) struct arena *a = arena_new();
    struct error err = { 0 };
    struct json *documents = NULL;

    if (yaml_parse(a, (const char *)data, size, &documents, &err) < 0)
        return 0;
    for (size_t i = 0; i < json_count(documents); i++)
        check_round_trip(a, json_item(documents, i));
    return 0;
}
