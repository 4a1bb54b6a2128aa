/* watch_read.c - documents and pages, taken apart and told to a sink. */
#include "kube/watch_read.h"

#include <errno.h>
#include <string.h>

#include "base/log.h"
#include "base/str.h"
#include "json/docs.h"
#include "json/list.h"
#include "k8s/meta.h"
#include "kube/client.h"

enum { AROUND_MAX = 1024 * 1024 };

/* ------------------------------------------------------------------ objects */

static int read_rows(struct watch_reader *r, const struct field *rows, const char *text, size_t len,
                     void *object)
{
    const struct type type = { .name = r->kind->type->name, .size = r->kind->type->size,
                               .fields = rows };

    memset(object, 0, type.size);
    return table_read(r->scratch, &type, text, len, object, NULL);
}

/* What can be read of a broken object: its metadata and what we said of it ourselves, its metadata
 * alone, or nothing. */
static const char *read_bad(struct watch_reader *r, const char *text, size_t len, void *object,
                            const struct error *err)
{
    const struct field meta = r->kind->type->fields[0];
    const struct field with_status[] = { meta, r->kind->status ? *r->kind->status : (struct field){ 0 },
                                         { 0 } };
    const struct field alone[] = { meta, { 0 } };

    if (read_rows(r, with_status, text, len, object) < 0 &&
        read_rows(r, alone, text, len, object) < 0)
        return NULL;
    return arena_str(r->scratch, error_text(err));
}

static void remember_version(struct watch_reader *r, const char *version)
{
    if (str_empty(version) || str_eq(version, r->version))
        return;
    free(r->version);
    r->version = must_str(version);
}

static void skip(const struct watch_reader *r, const char *why)
{
    log_error(NULL, "an object without a name was skipped", KV("kind", r->kind->kind),
              KV("error", why));
}

static void tell(struct watch_reader *r, enum watch_event event, const char *text, size_t len)
{
    const char *bad = NULL;
    struct error err = { 0 };
    struct k8s_meta *meta;

    arena_reset(r->scratch);
    meta = arena_alloc(r->scratch, r->kind->type->size);
    if (table_read(r->scratch, r->kind->type, text, len, meta, &err) < 0) {
        bad = read_bad(r, text, len, meta, &err);
        if (!bad)
            return skip(r, error_text(&err));
    }
    if (str_empty(meta->name))
        return skip(r, "metadata.name: missing");
    if (!r->listing) /* a list counts only when it is complete */
        remember_version(r, meta->resource_version);
    r->progress = true;
    r->sink.on_object(r->sink.userdata, event, meta, bad);
}

/* ------------------------------------------------------------------ events of a watch */

static int on_bookmark(struct watch_reader *r, const char *text, size_t len, struct error *err)
{
    struct json *v;

    arena_reset(r->scratch);
    if (json_parse(r->scratch, text, len, &v, NULL) < 0)
        return 0;
    remember_version(r, json_str_or(json_at(v, "metadata.resourceVersion"), NULL));
    r->progress = true;
    if (!json_get(json_at(v, "metadata.annotations"), "k8s.io/initial-events-end"))
        return 0;
    if (!r->version)
        return fail(err, -EBADMSG, "a list without metadata.resourceVersion");
    watch_reader_end(r);
    return 0;
}

static int on_error_event(struct watch_reader *r, const char *text, size_t len)
{
    struct json *v;
    int64_t code;

    arena_reset(r->scratch);
    if (json_parse(r->scratch, text, len, &v, NULL) < 0)
        v = NULL;
    code = json_int_or(json_get(v, "code"), 500);
    if (code < 300 || code > 599)
        code = 500;
    return client_status_error((int)code, text, len, &r->err);
}

static int on_event(struct watch_reader *r, const char *type, size_t type_len, const char *object,
                    size_t len, struct error *err)
{
    static const struct {
        const char *name;
        enum watch_event event;
    } events[] = { { "ADDED", WATCH_PUT }, { "MODIFIED", WATCH_PUT }, { "DELETED", WATCH_GONE } };

    for (size_t i = 0; i < ARRAY_SIZE(events); i++)
        if (strlen(events[i].name) == type_len && !memcmp(type, events[i].name, type_len)) {
            tell(r, events[i].event, object, len);
            return 0;
        }
    if (type_len == 8 && !memcmp(type, "BOOKMARK", 8))
        return on_bookmark(r, object, len, err);
    if (type_len == 5 && !memcmp(type, "ERROR", 5))
        return on_error_event(r, object, len);
    return fail(err, -EBADMSG, "watch event of an unknown type '%.*s'", (int)type_len, type);
}

/* Any order of members and any white space, by way of a parsed copy. */
static int on_event_slowly(struct watch_reader *r, const char *text, size_t len, struct error *err)
{
    scoped(arena) struct arena *a = arena_new();
    const char *type;
    const char *object;
    struct json *v;

    if (json_parse(a, text, len, &v, err) < 0)
        return wrap(err, "watch event");
    type = json_str_or(json_get(v, "type"), NULL);
    if (!type || !json_get(v, "object"))
        return fail(err, -EBADMSG, "watch event without type or object");
    object = json_text(a, json_get(v, "object"));
    return on_event(r, type, strlen(type), object, strlen(object), err);
}

/* {"type":"ADDED","object":{...}}: how servers write it, taken apart without a copy. */
static int on_document(void *userdata, const char *text, size_t len, struct error *err)
{
    static const char head[] = "{\"type\":\"";
    static const char middle[] = "\",\"object\":";
    enum { TYPE_MAX = 16, HEAD = sizeof head - 1, MIDDLE = sizeof middle - 1 };
    const char *type = text + HEAD;
    const char *end = text + len - 1; /* where the closing brace stands */
    const char *quote;

    if (len < HEAD + TYPE_MAX + MIDDLE || memcmp(text, head, HEAD) || *end != '}')
        return on_event_slowly(userdata, text, len, err);
    quote = memchr(type, '"', TYPE_MAX);
    if (!quote || end - quote < MIDDLE || memcmp(quote, middle, MIDDLE))
        return on_event_slowly(userdata, text, len, err);
    return on_event(userdata, type, (size_t)(quote - type), quote + MIDDLE,
                    (size_t)(end - quote) - MIDDLE, err);
}

static int on_item(void *userdata, const char *item, size_t len, struct error *err)
{
    (void)err;
    tell(userdata, WATCH_PUT, item, len);
    return 0;
}

/* ------------------------------------------------------------------ answers */

void watch_reader_expect(struct watch_reader *r, bool page)
{
    watch_reader_drop(r);
    r->ended = 0;
    r->progress = false;
    error_clear(&r->err);
    if (page)
        r->list = list_cutter_new(&(struct list_options){ .array = "items",
                                                          .item_limit = OBJECT_MAX,
                                                          .around_limit = AROUND_MAX,
                                                          .on_item = on_item,
                                                          .userdata = r });
    else
        r->docs = doc_cutter_new(&(struct doc_options){ .limit = OBJECT_MAX,
                                                        .on_document = on_document,
                                                        .userdata = r });
}

int watch_reader_feed(struct watch_reader *r, const char *bytes, size_t len)
{
    int rc = r->list ? list_cutter_feed(r->list, bytes, len, &r->err)
                     : doc_cutter_feed(r->docs, bytes, len, &r->err);

    if (rc < 0)
        r->ended = rc;
    return rc;
}

int watch_reader_end_page(struct watch_reader *r)
{
    const char *around;
    const char *more;
    struct json *v;
    size_t len;
    int rc = list_cutter_end(r->list, &around, &len, &r->err);

    arena_reset(r->scratch);
    rc = rc ?: json_parse(r->scratch, around, len, &v, &r->err);
    if (rc < 0)
        return rc;
    remember_version(r, json_str_or(json_at(v, "metadata.resourceVersion"), NULL));
    if (!r->version)
        return fail(&r->err, -EBADMSG, "a list without metadata.resourceVersion");
    more = json_str_or(json_at(v, "metadata.continue"), NULL);
    free(r->more);
    r->more = str_empty(more) ? NULL : must_str(more);
    r->progress = true;
    if (!r->more)
        watch_reader_end(r);
    return 0;
}

void watch_reader_drop(struct watch_reader *r)
{
    doc_cutter_free(take(r->docs));
    list_cutter_free(take(r->list));
}

/* ------------------------------------------------------------------ lists */

void watch_reader_begin(struct watch_reader *r)
{
    r->listing = true;
    r->sink.on_begin(r->sink.userdata);
}

void watch_reader_end(struct watch_reader *r)
{
    if (!r->listing)
        return;
    r->listing = false;
    r->sink.on_end(r->sink.userdata, r->version);
}

void watch_reader_forget(struct watch_reader *r)
{
    free(take(r->version));
    free(take(r->more));
}

void watch_reader_init(struct watch_reader *r, const struct kind *kind,
                       const struct watch_sink *sink)
{
    *r = (struct watch_reader){ .kind = kind, .sink = *sink, .scratch = arena_new() };
}

void watch_reader_done(struct watch_reader *r)
{
    watch_reader_drop(r);
    watch_reader_forget(r);
    arena_free(r->scratch);
}
