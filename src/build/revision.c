/* revision.c - which pods are old: the stored revision of a set and its hash. */
#include <inttypes.h>
#include <string.h>

#include "base/buf.h"
#include "base/scope.h"
#include "base/str.h"
#include "build/parts.h"
#include "build/workers.h"

enum { NAME_MAX_LEN = 223 }; /* of the set, in the name of a revision */

/* The text that is hashed: keys sorted, and escaped as the Go library does it, so that a revision
 * has the same hash whoever computed it. */
static void write_data(struct buf *out, const struct json *data)
{
    scoped(buf) struct buf plain = { 0 };

    json_write(data, JSON_CANONICAL, &plain);
    for (const char *c = buf_text(&plain); *c; c++) {
        if (*c == '<' || *c == '>' || *c == '&')
            buf_fmt(out, "\\u%04x", *c);
        else
            buf_char(out, *c);
    }
}

/* FNV-1, 32 bits. */
static uint32_t fnv(const char *bytes, size_t n)
{
    uint32_t sum = UINT32_C(0x811c9dc5);

    for (size_t i = 0; i < n; i++)
        sum = (sum * UINT32_C(0x01000193)) ^ (unsigned char)bytes[i];
    return sum;
}

/* Letters that make no words, as Kubernetes writes its own hashes. */
static const char *safe(struct arena *a, uint32_t sum)
{
    static const char letters[] = "bcdfghjklmnpqrstvwxz2456789";
    char *text = fmt(a, "%" PRIu32, sum);

    for (char *c = text; *c; c++)
        *c = letters[(unsigned char)*c % (sizeof letters - 1)];
    return text;
}

const char *workers_revision_hash(struct arena *a, const struct model_workers *m,
                                  int64_t collisions)
{
    scoped(buf) struct buf text = { 0 };

    write_data(&text, m->revision);
    buf_fmt(&text, "%" PRId64, collisions);
    return safe(a, fnv(text.bytes, text.len));
}

struct k8s_controllerrevision *workers_revision(struct arena *a, const struct model_workers *m,
                                                int64_t number, int64_t collisions)
{
    const char *hash = workers_revision_hash(a, m, collisions);
    struct model_object object = {
        .name = fmt(a, "%.*s-%s", NAME_MAX_LEN, m->name, hash),
        .annotations = m->revision_annotations,
    };
    struct k8s_controllerrevision revision = { .data = m->revision, .revision = SOME(number) };

    object.labels = pairs_over(a, m->revision_labels, m->pods.selector);
    object.labels = pairs_with(a, object.labels, m->home.profile->revision, hash);
    revision.meta = meta_of(a, &m->home, &object);
    return k8s_controllerrevision_keep(a, &revision);
}

/* ------------------------------------------------------------------ comparing */

static const struct json *whole(struct arena *a, const struct json *v);

static bool is_empty(const struct json *v)
{
    return v->type == JSON_NULL || (v->type == JSON_STR && v->str.len == 0) ||
           ((v->type == JSON_OBJECT || v->type == JSON_ARRAY) && json_count(v) == 0);
}

static const struct json *whole_object(struct arena *a, const struct json *v)
{
    struct json *result = json_object(a);

    for_each_member (member, v) {
        const struct json *value = whole(a, member->value);

        if (!is_empty(value))
            json_append(a, result, member->name, (struct json *)value);
    }
    return result;
}

/* The value without what another writer might leave out: null, "", {} and []. */
static const struct json *whole(struct arena *a, const struct json *v)
{
    struct json *result;

    if (v->type == JSON_OBJECT)
        return whole_object(a, v);
    if (v->type != JSON_ARRAY)
        return v;
    result = json_array(a);
    for (size_t i = 0; i < json_count(v); i++)
        json_add(a, result, (struct json *)whole(a, json_item(v, i)));
    return result;
}

static bool is_zero(const struct json *v)
{
    return (v->type == JSON_INT && v->integer == 0) || (v->type == JSON_BOOL && !v->yes);
}

/* What a revision says. A number or flag of the spec itself that an older release did not know is
 * not in what that release stored, and zero means the same; deeper down zero may be a choice. */
static const struct json *said(struct arena *a, const struct json *data)
{
    const struct json *spec = json_get(whole(a, data), "spec");
    struct json *result = json_object(a);

    if (!spec || spec->type != JSON_OBJECT)
        return whole(a, data);
    for_each_member (member, spec)
        if (!is_zero(member->value))
            json_append(a, result, member->name, member->value);
    return result;
}

bool workers_revision_same(struct arena *a, const struct model_workers *m,
                           const struct k8s_controllerrevision *stored)
{
    return stored->data && json_equal(said(a, stored->data), said(a, m->revision));
}
