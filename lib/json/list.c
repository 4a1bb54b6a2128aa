/* list.c - the outermost object and the one array in it, byte by byte; the items by scan.c. */
#include "json/list.h"

#include <errno.h>
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "json/internal.h"
#include "json/scan.h"

enum state {
    BEFORE_OBJECT, /* nothing yet */
    FIRST_KEY,     /* after { */
    NEXT_KEY,      /* after a comma */
    IN_KEY,
    BEFORE_COLON,
    BEFORE_VALUE,
    IN_VALUE,
    AFTER_VALUE,
    FIRST_ITEM, /* after [ */
    NEXT_ITEM,  /* after a comma */
    IN_ITEM,
    AFTER_ITEM,
    DONE,
};

struct list_cutter {
    struct list_options options;
    enum state state;
    struct scan scan;
    struct buf around;
    struct buf partial; /* the part of an item that came with earlier pieces */
    size_t key_at;      /* where the current key begins in around */
    size_t items;
    bool in_array_member; /* the current key is the array's */
    bool found;
    int failed;
};

struct list_cutter *list_cutter_new(const struct list_options *options)
{
    struct list_cutter *cutter = must_alloc(sizeof *cutter);

    cutter->options = *options;
    cutter->around.limit = options->around_limit;
    cutter->partial.limit = options->item_limit;
    return cutter;
}

void list_cutter_free(struct list_cutter *cutter)
{
    if (!cutter)
        return;
    buf_done(&cutter->around);
    buf_done(&cutter->partial);
    free(cutter);
}

bool list_cutter_found(const struct list_cutter *cutter)
{
    return cutter->found;
}

static int keep_around(struct list_cutter *cutter, const char *bytes, size_t n, struct error *err)
{
    if (buf_add(&cutter->around, bytes, n) < 0)
        return fail(err, -EMSGSIZE, "what surrounds \"%s\" is longer than %zu bytes",
                    cutter->options.array, cutter->around.limit);
    return 0;
}

static int unexpected(const struct list_cutter *cutter, char c, const char *want, struct error *err)
{
    return fail(err, -EBADMSG, "not a list: %s expected, got '%c' (0x%02x) after %zu items", want,
                c >= 0x20 && c < 0x7f ? c : '?', (unsigned char)c, cutter->items);
}

/* Whether the key that ends around names the array; a key with escapes is read as JSON first. */
static bool key_is_array(const struct list_cutter *cutter)
{
    const char *key = cutter->around.bytes + cutter->key_at;
    size_t len = cutter->around.len - cutter->key_at;
    scoped(yy) yyjson_doc *doc = NULL;

    if (!memchr(key, '\\', len))
        return len == strlen(cutter->options.array) + 2 &&
               !memcmp(key + 1, cutter->options.array, len - 2);
    return json_yy_read(key, len, &doc, NULL) == 0 &&
           yyjson_equals_str(yyjson_doc_get_root(doc), cutter->options.array);
}

static int begin_key(struct list_cutter *cutter, char c, struct error *err)
{
    if (cutter->state == FIRST_KEY && c == '}') {
        cutter->state = DONE;
        return keep_around(cutter, &c, 1, err);
    }
    if (c != '"')
        return unexpected(cutter, c, "a member's name", err);
    cutter->key_at = cutter->around.len;
    cutter->state = IN_KEY;
    scan_begin(&cutter->scan, c);
    return 0;
}

static int end_key(struct list_cutter *cutter, struct error *err)
{
    cutter->state = BEFORE_COLON;
    cutter->in_array_member = key_is_array(cutter);
    if (cutter->in_array_member && cutter->found)
        return fail(err, -EBADMSG, "not a list: \"%s\" is there twice", cutter->options.array);
    cutter->found |= cutter->in_array_member;
    return 0;
}

static int begin_value(struct list_cutter *cutter, char c, struct error *err)
{
    if (cutter->in_array_member && c == '[') {
        cutter->state = FIRST_ITEM;
        return keep_around(cutter, &c, 1, err);
    }
    if (cutter->in_array_member && c != 'n')
        return fail(err, -EBADMSG, "not a list: \"%s\" is no array", cutter->options.array);
    if (!scan_begin(&cutter->scan, c))
        return unexpected(cutter, c, "a value", err);
    cutter->state = IN_VALUE;
    return 0;
}

static int begin_item(struct list_cutter *cutter, char c, struct error *err)
{
    if (cutter->state == FIRST_ITEM && c == ']') {
        cutter->state = AFTER_VALUE;
        return keep_around(cutter, &c, 1, err);
    }
    if (!scan_begin(&cutter->scan, c))
        return unexpected(cutter, c, "an item", err);
    cutter->state = IN_ITEM;
    buf_clear(&cutter->partial);
    return 0;
}

/* A comma goes to one state, the closing bracket to another. */
static int separate(struct list_cutter *cutter, char c, enum state more, char closing,
                    enum state end, struct error *err)
{
    if (c != ',' && c != closing)
        return unexpected(cutter, c, closing == '}' ? "',' or '}'" : "',' or ']'", err);
    cutter->state = c == ',' ? more : end;
    if (c == ',' && more == NEXT_ITEM)
        return 0;
    return keep_around(cutter, &c, 1, err);
}

/* One byte between values. *ret_taken is false when the byte is the first of a value. */
static int step(struct list_cutter *cutter, char c, bool *ret_taken, struct error *err)
{
    int rc;

    *ret_taken = true;
    switch (cutter->state) {
    case BEFORE_OBJECT:
        if (c != '{')
            return unexpected(cutter, c, "an object", err);
        cutter->state = FIRST_KEY;
        return keep_around(cutter, &c, 1, err);
    case FIRST_KEY:
    case NEXT_KEY:
        rc = begin_key(cutter, c, err);
        break;
    case BEFORE_COLON:
        if (c != ':')
            return unexpected(cutter, c, "':'", err);
        cutter->state = BEFORE_VALUE;
        return keep_around(cutter, &c, 1, err);
    case BEFORE_VALUE:
        rc = begin_value(cutter, c, err);
        break;
    case FIRST_ITEM:
    case NEXT_ITEM:
        rc = begin_item(cutter, c, err);
        break;
    case AFTER_VALUE:
        return separate(cutter, c, NEXT_KEY, '}', DONE, err);
    case AFTER_ITEM:
        return separate(cutter, c, NEXT_ITEM, ']', AFTER_VALUE, err);
    default:
        return unexpected(cutter, c, "the end", err);
    }
    *ret_taken = cutter->state != IN_KEY && cutter->state != IN_VALUE && cutter->state != IN_ITEM;
    return rc;
}

/* A piece of a key or of a value that surrounds the array. */
static int take_around(struct list_cutter *cutter, const char *bytes, size_t n, size_t *ret_used,
                       struct error *err)
{
    bool done;
    int rc;

    *ret_used = scan_feed(&cutter->scan, bytes, n, &done);
    rc = keep_around(cutter, bytes, *ret_used, err);
    if (rc < 0 || !done)
        return rc;
    if (cutter->state == IN_KEY)
        return end_key(cutter, err);
    cutter->state = AFTER_VALUE;
    return 0;
}

static int keep_partial(struct list_cutter *cutter, const char *bytes, size_t n, struct error *err)
{
    if (buf_add(&cutter->partial, bytes, n) < 0)
        return fail(err, -EMSGSIZE, "item %zu of \"%s\" is longer than %zu bytes", cutter->items,
                    cutter->options.array, cutter->options.item_limit);
    return 0;
}

static int hand_out(struct list_cutter *cutter, const char *item, size_t len, struct error *err)
{
    cutter->state = AFTER_ITEM;
    cutter->items++;
    return cutter->options.on_item(cutter->options.userdata, item, len, err);
}

static int take_item(struct list_cutter *cutter, const char *bytes, size_t n, size_t *ret_used,
                     struct error *err)
{
    bool whole = cutter->partial.len == 0;
    bool done;
    int rc;

    *ret_used = scan_feed(&cutter->scan, bytes, n, &done);
    if (done && whole && (!cutter->partial.limit || *ret_used <= cutter->partial.limit))
        return hand_out(cutter, bytes, *ret_used, err);
    rc = keep_partial(cutter, bytes, *ret_used, err);
    if (rc < 0 || !done)
        return rc;
    return hand_out(cutter, cutter->partial.bytes, cutter->partial.len, err);
}

static int feed(struct list_cutter *cutter, const char *bytes, size_t n, struct error *err)
{
    size_t at = 0;
    int rc = 0;

    while (at < n && !rc) {
        bool taken = true;
        size_t used = 1;

        if (cutter->state == IN_ITEM)
            rc = take_item(cutter, bytes + at, n - at, &used, err);
        else if (cutter->state == IN_KEY || cutter->state == IN_VALUE)
            rc = take_around(cutter, bytes + at, n - at, &used, err);
        else if (!scan_is_space(bytes[at]))
            rc = step(cutter, bytes[at], &taken, err);
        at += taken ? used : 0;
    }
    return rc;
}

int list_cutter_feed(struct list_cutter *cutter, const char *bytes, size_t n, struct error *err)
{
    if (cutter->failed)
        return fail(err, cutter->failed, "the list was given up before");
    cutter->failed = feed(cutter, bytes, n, err);
    return cutter->failed;
}

int list_cutter_end(struct list_cutter *cutter, const char **ret_around, size_t *ret_len,
                    struct error *err)
{
    if (cutter->failed)
        return fail(err, cutter->failed, "the list was given up before");
    if (cutter->state != DONE)
        return fail(err, -EBADMSG, "the list ends early, after %zu items", cutter->items);
    *ret_around = cutter->around.bytes;
    *ret_len = cutter->around.len;
    return 0;
}
