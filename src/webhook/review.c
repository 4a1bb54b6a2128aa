/* review.c - reads admission reviews and writes the answers. */
#include "webhook/review.h"

#include <assert.h>
#include <errno.h>
#include <string.h>

#include "base/str.h"
#include "json/kind.h"

/* The part of a review that we look at; the row of an object gets its type from the shape. */
struct question {
    const char *uid;
    const char *operation;
    const char *namespace;
    const char *name;
    enum flag dry_run;
    void *object;
    void *old_object;
};

struct envelope {
    const char *api_version;
    const char *kind;
    struct question *request;
};

static const struct field question_fields[] = {
    FIELD(question, uid, STR, "uid"),
    FIELD(question, name, STR, "name"),
    FIELD(question, namespace, STR, "namespace"),
    FIELD(question, operation, STR, "operation"),
    FIELD(question, object, POINTER, "object"),
    FIELD(question, old_object, POINTER, "oldObject"),
    FIELD(question, dry_run, BOOL, "dryRun"),
    { 0 },
};

static const struct field envelope_fields[] = {
    FIELD(envelope, kind, STR, "kind"),
    FIELD(envelope, api_version, STR, "apiVersion"),
    FIELD(envelope, request, POINTER, "request"),
    { 0 },
};

void review_shape_init(struct review_shape *shape, const struct type *object)
{
    static_assert(sizeof question_fields == sizeof shape->request_fields, "one row each");
    static_assert(sizeof envelope_fields == sizeof shape->fields, "one row each");
    memcpy(shape->request_fields, question_fields, sizeof question_fields);
    for (struct field *f = shape->request_fields; f->type; f++)
        if (f->type == FIELD_POINTER)
            f->of = object;
    shape->object = object;
    shape->request = (struct type)TYPE(question, shape->request_fields);
    memcpy(shape->fields, envelope_fields, sizeof envelope_fields);
    for (struct field *f = shape->fields; f->type; f++)
        if (f->type == FIELD_POINTER)
            f->of = &shape->request;
    shape->type = (struct type)TYPE(envelope, shape->fields);
}

/* ------------------------------------------------------------------ objects that do not fit */

/* How much of an object is read, when not all of it can be. */
enum depth { DEPTH_ALL, DEPTH_META, DEPTH_NOTHING };

/* The object's type with its first row alone, the metadata, or without any. */
static const struct type *type_at(struct arena *a, const struct type *object, enum depth depth)
{
    struct type *type = arena_make(a, struct type);
    struct field *fields = arena_make_n(a, struct field, 2);

    if (depth == DEPTH_ALL)
        return object;
    if (depth == DEPTH_META && str_eq(object->fields[0].name, "metadata"))
        fields[0] = object->fields[0];
    *type = (struct type) { .name = object->name, .size = object->size, .fields = fields };
    return type;
}

static int read_at(struct arena *a, const struct review_shape *shape, const enum depth depths[2],
                   const char *text, size_t len, struct envelope *ret, struct error *err)
{
    struct review_shape *less = arena_make(a, struct review_shape);

    if (depths[0] == DEPTH_ALL && depths[1] == DEPTH_ALL)
        return table_read(a, &shape->type, text, len, ret, err);
    review_shape_init(less, shape->object);
    for (struct field *f = less->request_fields; f->type; f++)
        if (f->type == FIELD_POINTER)
            f->of = type_at(a, shape->object, depths[!strcmp(f->name, "oldObject")]);
    return table_read(a, &less->type, text, len, ret, err);
}

static const char object_path[] = "request.object";
static const char old_path[] = "request.oldObject";

/* What stands behind the path of the object in an error: "spec.replicas: want an integer ...". */
static const char *tail_of(const char *text, const char *path)
{
    size_t len = strlen(path);

    if (!str_starts(text, path) || (text[len] != '.' && text[len] != ':' && text[len] != '['))
        return NULL;
    return text[len] == '[' ? text + len : text + len + 1 + (text[len] == ':' && text[len + 1]);
}

/* Reads less and less of the object that does not fit, until what is left does. */
static int read_what_fits(struct arena *a, const struct review_shape *shape, const char *text,
                          size_t len, struct envelope *ret, struct review *review,
                          struct error *err)
{
    enum depth depths[2] = { DEPTH_ALL, DEPTH_ALL };

    for (;;) {
        struct error why = { 0 };
        int rc = read_at(a, shape, depths, text, len, ret, &why);
        const char *bad = rc == -EINVAL ? tail_of(why.text, object_path) : NULL;
        const char *bad_old = rc == -EINVAL ? tail_of(why.text, old_path) : NULL;

        if (rc == 0)
            return 0;
        if (bad && depths[0] < DEPTH_NOTHING) {
            depths[0]++;
            review->bad_object = review->bad_object ?: arena_str(a, bad);
        } else if (bad_old && depths[1] < DEPTH_NOTHING) {
            depths[1]++;
            review->bad_old_object = review->bad_old_object ?: arena_str(a, bad_old);
        } else {
            return fail(err, -EBADMSG, "%s", why.text);
        }
        *ret = (struct envelope) { 0 };
    }
}

/* ------------------------------------------------------------------ reading */

static int check_envelope(const struct envelope *e, struct error *err)
{
    if (!str_eq(e->kind, "AdmissionReview"))
        return fail(err, -EBADMSG, "kind: want AdmissionReview, got %s", e->kind ?: "nothing");
    if (!str_eq(e->api_version, "admission.k8s.io/v1") &&
        !str_eq(e->api_version, "admission.k8s.io/v1beta1"))
        return fail(err, -EBADMSG, "apiVersion: want admission.k8s.io/v1 or v1beta1, got %s",
                    e->api_version ?: "nothing");
    if (!e->request)
        return fail(err, -EBADMSG, "request: is missing");
    if (str_empty(e->request->uid))
        return fail(err, -EBADMSG, "request.uid: is missing");
    return 0;
}

int review_read(struct arena *a, const struct review_shape *shape, const char *text, size_t len,
                struct review *ret, struct error *err)
{
    struct review review = { 0 };
    struct envelope e = { 0 };
    int rc = read_what_fits(a, shape, text, len, &e, &review, err) ?: check_envelope(&e, err);

    if (rc < 0)
        return rc;
    review.api_version = e.api_version;
    review.uid = e.request->uid;
    review.operation = e.request->operation ?: "";
    review.namespace = e.request->namespace;
    review.name = e.request->name;
    review.dry_run = e.request->dry_run == YES;
    review.object = e.request->object;
    review.old_object = e.request->old_object;
    *ret = review;
    return 0;
}

/* ------------------------------------------------------------------ writing */

static void write_text(struct buf *out, const char *before, const char *text)
{
    buf_str(out, before);
    json_write_str(out, text, strlen(text));
}

static void write_status(struct buf *out, const struct verdict *verdict)
{
    int code = verdict->code ?: verdict->allowed ? 200 : 403;

    buf_fmt(out, ",\"status\":{\"code\":%d", code);
    if (verdict->reason)
        write_text(out, ",\"reason\":", verdict->reason);
    if (verdict->message)
        write_text(out, ",\"message\":", verdict->message);
    buf_char(out, '}');
}

void review_write(struct buf *out, const struct review *review, const struct verdict *verdict)
{
    write_text(out, "{\"kind\":\"AdmissionReview\",\"apiVersion\":", review->api_version);
    write_text(out, ",\"response\":{\"uid\":", review->uid);
    buf_str(out, verdict->allowed ? ",\"allowed\":true" : ",\"allowed\":false");
    write_status(out, verdict);
    for_each (warning, verdict->warnings)
        write_text(out, warning == verdict->warnings.v ? ",\"warnings\":[" : ",", *warning);
    buf_str(out, verdict->warnings.n ? "]}}" : "}}");
}
