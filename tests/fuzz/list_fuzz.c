/* list_fuzz.c - cut in pieces or fed whole, a list or a stream gives the same; and a list that is
 * JSON gives the items that parsing it gives. The first byte says how large the pieces are. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "json/docs.h"
#include "json/json.h"
#include "json/list.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { ITEM_LIMIT = 300 };

static int keep(void *userdata, const char *text, size_t len, struct error *err)
{
    struct buf *seen = userdata;

    (void)err;
    buf_add(seen, text, len);
    return buf_char(seen, '\0'); /* no JSON holds one */
}

static int cut_list(const char *text, size_t len, size_t piece, size_t limit, struct buf *seen)
{
    struct list_options options = {
        .array = "items", .item_limit = limit, .on_item = keep, .userdata = seen
    };
    scoped(list_cutter) struct list_cutter *cutter = list_cutter_new(&options);
    const char *around;
    int rc = 0;

    for (size_t at = 0; at < len && rc == 0; at += piece)
        rc = list_cutter_feed(cutter, text + at, len - at < piece ? len - at : piece, NULL);
    rc = rc ?: list_cutter_end(cutter, &around, &len, NULL);
    return rc ?: keep(seen, around, len, NULL);
}

static int cut_docs(const char *text, size_t len, size_t piece, struct buf *seen)
{
    struct doc_options options = { .limit = ITEM_LIMIT, .on_document = keep, .userdata = seen };
    scoped(doc_cutter) struct doc_cutter *cutter = doc_cutter_new(&options);
    int rc = 0;

    for (size_t at = 0; at < len && rc == 0; at += piece)
        rc = doc_cutter_feed(cutter, text + at, len - at < piece ? len - at : piece, NULL);
    return rc ?: doc_cutter_end(cutter, NULL);
}

static void check_same(int rc_whole, int rc_cut, const struct buf *whole, const struct buf *cut)
{
    if (rc_whole != rc_cut || whole->len != cut->len ||
        (whole->len && memcmp(whole->bytes, cut->bytes, whole->len)))
        abort();
}

/* Items and surroundings must be those that the parser sees. */
static void check_parsed(const char *text, size_t len)
{
    scoped(arena) struct arena *a = arena_new();
    scoped(buf) struct buf seen = { 0 };
    struct json *whole = NULL;
    const struct json *items;
    const char *at;

    if (json_parse(a, text, len, &whole, NULL) < 0 || whole->type != JSON_OBJECT)
        return;
    items = json_get(whole, "items");
    if (items && items->type != JSON_ARRAY && items->type != JSON_NULL)
        return;
    if (cut_list(text, len, len, 0, &seen) != 0)
        abort();
    at = seen.bytes;
    for (size_t i = 0; i < json_count(items); i++, at += strlen(at) + 1) {
        struct json *item = NULL;

        if (json_parse(a, at, strlen(at), &item, NULL) < 0 ||
            !json_equal(item, json_item(items, i)))
            abort();
    }
    if (at + strlen(at) + 1 != seen.bytes + seen.len)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    scoped(buf) struct buf whole = { 0 };
    scoped(buf) struct buf cut = { 0 };
    const char *text = (const char *)data + 1;
    size_t piece, len;
    int rc;

    if (size < 2)
        return 0;
    piece = 1 + data[0] % 80;
    len = size - 1;
    rc = cut_list(text, len, len, ITEM_LIMIT, &whole);
    check_same(rc, cut_list(text, len, piece, ITEM_LIMIT, &cut), &whole, &cut);
    buf_clear(&whole);
    buf_clear(&cut);
    rc = cut_docs(text, len, len, &whole);
    check_same(rc, cut_docs(text, len, piece, &cut), &whole, &cut);
    check_parsed(text, len);
    return 0;
}
