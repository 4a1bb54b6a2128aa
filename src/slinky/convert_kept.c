/* convert_kept.c - what a version cannot say, written down as places: what is there, what was
 * meant.
 *
 *     [{"at": "/spec/updateStrategy/type", "was": "OnDelete", "is": "ScheduledUpdate"}]
 *
 * A place without "was" is not there, one without "is" should not be. Lists are places as a whole.
 */
#include <string.h>

#include "base/str.h"
#include "slinky/convert_parts.h"

struct json *member_of(struct json *object, const char *name)
{
    if (!object || object->type != JSON_OBJECT)
        return NULL;
    for_each_member (m, object)
        if (str_eq(m->name, name))
            return m->value;
    return NULL;
}

/* ------------------------------------------------------------------ finding */

/* A name as part of a JSON pointer (RFC 6901). */
static char *step(struct arena *a, const char *path, const char *name)
{
    scoped(buf) struct buf out = { 0 };

    buf_fmt(&out, "%s/", path);
    for (; *name; name++)
        if (*name == '~' || *name == '/')
            buf_str(&out, *name == '~' ? "~0" : "~1");
        else
            buf_char(&out, *name);
    return arena_str(a, buf_text(&out));
}

static void note(struct arena *a, struct json *notes, const char *path, const struct json *was,
                 const struct json *is)
{
    struct json *entry = json_object(a);

    json_set_str(a, entry, "at", path);
    if (was)
        json_append(a, entry, "was", (struct json *)was);
    if (is)
        json_append(a, entry, "is", (struct json *)is);
    json_add(a, notes, entry);
}

static void compare(struct arena *a, struct json *notes, const char *path, const struct json *have,
                    const struct json *want)
{
    if (!have || !want || have->type != JSON_OBJECT || want->type != JSON_OBJECT) {
        if (!json_equal(have, want))
            note(a, notes, path, have, want);
        return;
    }
    for_each_member (m, want)
        compare(a, notes, step(a, path, m->name), json_get(have, m->name), m->value);
    for_each_member (m, have)
        if (!json_get(want, m->name))
            note(a, notes, step(a, path, m->name), m->value, NULL);
}

static int by_place(const void *x, const void *y)
{
    const struct json *const *a = x;
    const struct json *const *b = y;

    return str_cmp(json_str_or(json_get(*a, "at"), NULL), json_str_or(json_get(*b, "at"), NULL));
}

/* The same text for the same notes, in whatever order the members came. */
static char *notes_text(struct arena *a, struct json *notes)
{
    scoped(buf) struct buf out = { 0 };

    qsort(notes->array.items, notes->array.count, sizeof *notes->array.items, by_place);
    json_write(notes, JSON_CANONICAL, &out);
    return arena_str(a, buf_text(&out));
}

char *kept_of(struct arena *a, const struct json *have, const struct json *want)
{
    struct json *notes = json_array(a);

    compare(a, notes, "/spec", json_get(have, "spec"), json_get(want, "spec"));
    compare(a, notes, "/status", json_get(have, "status"), json_get(want, "status"));
    return json_count(notes) ? notes_text(a, notes) : NULL;
}

/* ------------------------------------------------------------------ putting back */

/* Takes the first name off a JSON pointer. */
static char *next_name(struct arena *a, const char **path)
{
    const char *begin = *path + 1;
    const char *end = strchrnul(begin, '/');
    char *name = arena_strn(a, begin, (size_t)(end - begin));
    char *to = name;

    for (const char *from = name; *from; from++)
        if (from[0] == '~' && (from[1] == '0' || from[1] == '1'))
            *to++ = *++from == '0' ? '~' : '/';
        else
            *to++ = *from;
    *to = '\0';
    *path = end;
    return name;
}

/* The object in which the last name of the path stands, NULL when someone has removed it. */
static struct json *parent_of(struct arena *a, struct json *object, const char *path,
                              const char **ret_name)
{
    struct json *at = object;

    for (;;) {
        const char *name = next_name(a, &path);

        if (!*path) {
            *ret_name = name;
            return at && at->type == JSON_OBJECT ? at : NULL;
        }
        at = member_of(at, name);
        if (!at)
            return NULL;
    }
}

static bool is_ours(const char *path)
{
    return str_eq(path, "/spec") || str_eq(path, "/status") || str_starts(path, "/spec/") ||
           str_starts(path, "/status/");
}

static void put_back(struct arena *a, struct json *object, const struct json *entry)
{
    const char *path = json_str_or(json_get(entry, "at"), "");
    const struct json *is = json_get(entry, "is");
    const char *name = NULL;
    struct json *parent = is_ours(path) ? parent_of(a, object, path, &name) : NULL;

    if (!parent || !json_equal(json_get(parent, name), json_get(entry, "was")))
        return;
    if (is)
        json_set(a, parent, name, json_copy(a, is));
    else
        json_remove(parent, name);
}

void kept_apply(struct arena *a, struct json *object, const char *kept)
{
    struct json *notes = NULL;

    if (!kept || json_parse(a, kept, strlen(kept), &notes, NULL) < 0)
        return;
    for (size_t i = 0; notes->type == JSON_ARRAY && i < json_count(notes); i++)
        put_back(a, object, json_item(notes, i));
}
