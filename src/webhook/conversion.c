/* conversion.c - reads conversion reviews and writes the answers. */
#include "webhook/conversion.h"

#include <errno.h>
#include <string.h>

#include "base/str.h"

struct conversion {
    const char *api_version;
    const char *uid;
    const char *to;
    const struct json *objects;
};

/* v1beta1 of the review is the same on the wire. */
static int read_review(const struct json *root, struct conversion *ret, struct error *err)
{
    const char *kind = json_str_or(json_get(root, "kind"), "nothing");
    const char *version = json_str_or(json_get(root, "apiVersion"), "nothing");

    if (!str_eq(kind, "ConversionReview"))
        return fail(err, -EBADMSG, "kind: want ConversionReview, got %s", kind);
    if (!str_eq(version, "apiextensions.k8s.io/v1") &&
        !str_eq(version, "apiextensions.k8s.io/v1beta1"))
        return fail(err, -EBADMSG, "apiVersion: want apiextensions.k8s.io/v1, got %s", version);
    ret->api_version = version;
    ret->uid = json_str_or(json_at(root, "request.uid"), NULL);
    ret->to = json_str_or(json_at(root, "request.desiredAPIVersion"), NULL);
    ret->objects = json_at(root, "request.objects");
    if (str_empty(ret->uid))
        return fail(err, -EBADMSG, "request.uid: is missing");
    if (str_empty(ret->to))
        return fail(err, -EBADMSG, "request.desiredAPIVersion: is missing");
    if (ret->objects && ret->objects->type != JSON_ARRAY)
        return fail(err, -EBADMSG, "request.objects: want a list, got %s",
                    json_type_name(ret->objects->type));
    return 0;
}

static int convert_all(struct arena *a, converter *convert, const struct conversion *c,
                       struct buf *out, struct error *err)
{
    for (size_t i = 0; i < json_count(c->objects); i++) {
        const struct json *object = json_item(c->objects, i);
        struct json *converted = NULL;

        if (convert(a, object, c->to, &converted, err) < 0)
            return wrap(err, "%s %s/%s", json_str_or(json_get(object, "kind"), "object"),
                        json_str_or(json_at(object, "metadata.namespace"), ""),
                        json_str_or(json_at(object, "metadata.name"), ""));
        buf_str(out, i ? "," : "");
        json_write(converted, JSON_COMPACT, out);
    }
    return 0;
}

static void write_answer(struct buf *out, const struct conversion *c, const char *objects,
                         const char *failure)
{
    buf_fmt(out, "{\"kind\":\"ConversionReview\",\"apiVersion\":\"%s\",\"response\":{\"uid\":",
            c->api_version);
    json_write_str(out, c->uid, strlen(c->uid));
    buf_fmt(out, ",\"convertedObjects\":[%s],\"result\":{\"status\":\"%s\"", objects,
            failure ? "Failure" : "Success");
    if (failure) {
        buf_str(out, ",\"message\":");
        json_write_str(out, failure, strlen(failure));
    }
    buf_str(out, "}}}");
}

int conversion_answer(struct arena *a, converter *convert, const char *text, size_t len,
                      struct buf *out, struct error *err)
{
    scoped(buf) struct buf objects = { 0 };
    struct conversion c = { 0 };
    struct json *root = NULL;
    struct error why = { 0 };
    int rc = json_parse(a, text, len, &root, err) ?: read_review(root, &c, err);

    if (rc < 0)
        return rc;
    if (convert_all(a, convert, &c, &objects, &why) < 0)
        write_answer(out, &c, "", error_text(&why));
    else
        write_answer(out, &c, buf_text(&objects), NULL);
    return 0;
}
