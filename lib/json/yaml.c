/* yaml.c - libyaml's events to values. */
#include "json/yaml.h"

#include <errno.h>
#include <string.h>
#include <yaml.h>

#include "base/map.h"
#include "base/str.h"
#include "json/yaml_scalar.h"

/* What aliases may add to a file, in values and bytes of text: a page of them can ask for
 * gigabytes. */
enum { ALIASES_MAX = 16 << 20 };

static const char TAGS[] = "tag:yaml.org,2002:";

struct reader {
    yaml_parser_t parser;
    yaml_event_t event;
    struct arena *arena;
    struct error *err;
    struct map anchors; /* of this document */
    size_t expanded;
};

static int refuse(struct reader *r, const yaml_mark_t *mark, const char *problem, const char *what)
{
    return fail(r->err, -EBADMSG, "not YAML: line %zu, column %zu: %s%s", mark->line + 1,
                mark->column + 1, problem, what);
}

static int refuse_here(struct reader *r, const char *problem, const char *what)
{
    return refuse(r, &r->event.start_mark, problem, what);
}

static int next(struct reader *r)
{
    yaml_event_delete(&r->event);
    if (yaml_parser_parse(&r->parser, &r->event))
        return 0;
    if (r->parser.error == YAML_MEMORY_ERROR)
        abort();
    if (r->parser.error == YAML_READER_ERROR)
        return fail(r->err, -EBADMSG, "not YAML: byte %zu: %s", r->parser.problem_offset,
                    r->parser.problem ?: "cannot be read");
    return refuse(r, &r->parser.problem_mark, r->parser.problem ?: "cannot be read", "");
}

static size_t larger(size_t x, size_t y)
{
    return x > y ? x : y;
}

struct extent {
    size_t weight, depth;
};

/* How much a value is: its parts and bytes of text, and how deep it goes. */
static struct extent extent_of(const struct json *v)
{
    struct extent whole = { .weight = 1 + sizeof *v };
    struct extent part;

    if (v->type == JSON_STR)
        whole.weight += v->str.len;
    if (v->type == JSON_ARRAY || v->type == JSON_OBJECT)
        whole.depth = 1;
    for (size_t i = 0; i < json_count(v); i++) {
        if (v->type == JSON_OBJECT)
            whole.weight += strlen(v->object.members[i].name);
        part = extent_of(v->type == JSON_OBJECT ? v->object.members[i].value : json_item(v, i));
        whole.weight += part.weight;
        whole.depth = larger(whole.depth, part.depth + 1);
    }
    return whole;
}

static int read_alias(struct reader *r, size_t depth, struct json **ret)
{
    const char *name = (const char *)r->event.data.alias.anchor;
    const struct json *value = map_get(&r->anchors, name);
    struct extent extent;

    if (!value)
        return refuse_here(r, "no value is anchored as ", name);
    extent = extent_of(value);
    r->expanded += extent.weight;
    if (r->expanded > ALIASES_MAX)
        return refuse_here(r, "aliases expand to too much", "");
    if (depth + extent.depth > JSON_DEPTH_MAX)
        return refuse_here(r, "nested too deeply", "");
    *ret = json_copy(r->arena, value);
    return 0;
}

static bool fits_tag(const struct json *v, const char *type)
{
    return (str_eq(type, "int") && v->type == JSON_INT) ||
           (str_eq(type, "float") && (v->type == JSON_REAL || v->type == JSON_INT)) ||
           (str_eq(type, "bool") && v->type == JSON_BOOL) ||
           (str_eq(type, "null") && v->type == JSON_NULL);
}

static int read_scalar(struct reader *r, struct json **ret)
{
    const char *text = (const char *)r->event.data.scalar.value;
    const char *tag = (const char *)r->event.data.scalar.tag;
    size_t len = r->event.data.scalar.length;
    bool plain = r->event.data.scalar.style == YAML_PLAIN_SCALAR_STYLE;
    const char *type = str_starts(tag, TAGS) ? tag + strlen(TAGS) : NULL;
    struct json *v;

    if ((!tag && !plain) || str_eq(tag, "!") || str_eq(type, "str")) {
        *ret = json_strn(r->arena, text, len);
        return 0;
    }
    if (tag && !type)
        return refuse_here(r, "no type is known for the tag ", tag);
    v = yaml_plain_value(r->arena, text, len);
    if (!v)
        return refuse_here(r, "JSON has no number ", text);
    if (tag && !fits_tag(v, type))
        return refuse_here(r, "the value does not fit its tag ", tag);
    *ret = v;
    return 0;
}

static int read_node(struct reader *r, size_t depth, struct json **ret);

static int check_tag(struct reader *r, const yaml_char_t *tag, const char *type)
{
    const char *text = (const char *)tag;

    if (!text || str_eq(text, "!") || (str_starts(text, TAGS) && str_eq(text + strlen(TAGS), type)))
        return 0;
    return refuse_here(r, "no type is known for the tag ", text);
}

static int read_sequence(struct reader *r, size_t depth, struct json **ret)
{
    struct json *array = json_array(r->arena);
    int rc = check_tag(r, r->event.data.sequence_start.tag, "seq") ?: next(r);

    while (rc == 0 && r->event.type != YAML_SEQUENCE_END_EVENT) {
        struct json *item;

        rc = read_node(r, depth, &item);
        if (rc == 0) {
            json_add(r->arena, array, item);
            rc = next(r);
        }
    }
    *ret = array;
    return rc;
}

/* A mapping while it is read. */
struct mapping {
    struct json *object;
    struct map names;
    struct json *merges; /* what "<<" brought: objects, the first wins */
};

/* The text of a key; numbers and booleans become the strings they look like, as Kubernetes has it.
 */
static int read_key(struct reader *r, struct mapping *m, const char **ret_name, bool *ret_merge)
{
    bool plain = r->event.data.scalar.style == YAML_PLAIN_SCALAR_STYLE;
    size_t len = r->event.data.scalar.length;
    const char *name;

    if (r->event.type != YAML_SCALAR_EVENT)
        return refuse_here(r, "a key must be a scalar", "");
    name = arena_strn(r->arena, (const char *)r->event.data.scalar.value, len);
    if (strlen(name) != len)
        return refuse_here(r, "a key holds a NUL character", "");
    if (plain && !len)
        return refuse_here(r, "a key is missing", "");
    if (map_put(&m->names, name, m))
        return refuse_here(r, "the key is there twice: ", name);
    *ret_name = name;
    *ret_merge = plain && str_eq(name, "<<");
    return 0;
}

static int keep_merge(struct reader *r, struct mapping *m, struct json *value,
                      const yaml_mark_t *mark)
{
    struct json *list = value;

    if (value->type == JSON_OBJECT) {
        list = json_array(r->arena);
        json_add(r->arena, list, value);
    }
    m->merges = list;
    if (value->type != JSON_OBJECT && value->type != JSON_ARRAY)
        return refuse(r, mark, "<< takes a mapping or a list of them", "");
    for (size_t i = 0; i < json_count(list); i++)
        if (json_item(list, i)->type != JSON_OBJECT)
            return refuse(r, mark, "<< takes a mapping or a list of them", "");
    return 0;
}

static int read_member(struct reader *r, size_t depth, struct mapping *m)
{
    yaml_mark_t mark = r->event.start_mark;
    struct json *value = NULL;
    const char *name = NULL;
    bool merge = false;
    int rc;

    rc = read_key(r, m, &name, &merge) ?: next(r) ?: read_node(r, depth, &value);
    if (rc < 0)
        return rc;
    if (merge)
        return keep_merge(r, m, value, &mark);
    json_append(r->arena, m->object, name, value);
    return 0;
}

/* Adds what the mapping does not say itself. */
static void merge_members(struct reader *r, struct mapping *m)
{
    for (size_t i = 0; i < json_count(m->merges); i++)
        for_each_member (member, json_item(m->merges, i))
            if (!map_put(&m->names, member->name, m))
                json_append(r->arena, m->object, member->name, member->value);
}

static int read_mapping(struct reader *r, size_t depth, struct json **ret)
{
    struct mapping m = { .object = json_object(r->arena) };
    int rc = check_tag(r, r->event.data.mapping_start.tag, "map") ?: next(r);

    while (rc == 0 && r->event.type != YAML_MAPPING_END_EVENT)
        rc = read_member(r, depth, &m) ?: next(r);
    if (rc == 0)
        merge_members(r, &m);
    map_done(&m.names, NULL);
    *ret = m.object;
    return rc;
}

/* The anchor of the current event, copied because the event goes away; NULL for none. */
static const char *anchor_of(const struct reader *r)
{
    if (r->event.type == YAML_SCALAR_EVENT)
        return arena_str(r->arena, (const char *)r->event.data.scalar.anchor);
    if (r->event.type == YAML_SEQUENCE_START_EVENT)
        return arena_str(r->arena, (const char *)r->event.data.sequence_start.anchor);
    if (r->event.type == YAML_MAPPING_START_EVENT)
        return arena_str(r->arena, (const char *)r->event.data.mapping_start.anchor);
    return NULL;
}

/* The value that begins with the current event; the event that ends it is current afterwards. */
static int read_node(struct reader *r, size_t depth, struct json **ret)
{
    const char *anchor = anchor_of(r);
    int rc;

    if (r->event.type == YAML_ALIAS_EVENT)
        return read_alias(r, depth, ret);
    if (r->event.type == YAML_SCALAR_EVENT)
        rc = read_scalar(r, ret);
    else if (depth == JSON_DEPTH_MAX)
        return refuse_here(r, "nested too deeply", "");
    else
        rc = r->event.type == YAML_SEQUENCE_START_EVENT ? read_sequence(r, depth + 1, ret)
                                                        : read_mapping(r, depth + 1, ret);
    if (rc == 0 && anchor)
        map_put(&r->anchors, anchor, *ret);
    return rc;
}

static int read_document(struct reader *r, struct json *documents)
{
    struct json *value = NULL;
    bool empty;
    int rc = next(r);

    if (rc < 0)
        return rc;
    empty = r->event.type == YAML_SCALAR_EVENT && !r->event.data.scalar.length &&
            r->event.data.scalar.style == YAML_PLAIN_SCALAR_STYLE;
    rc = read_node(r, 0, &value) ?: next(r); /* the end of the document */
    map_done(&r->anchors, NULL);
    if (rc == 0 && !empty)
        json_add(r->arena, documents, value);
    return rc;
}

static int read_stream(struct reader *r, struct json **ret)
{
    struct json *documents = json_array(r->arena);
    int rc = next(r) ?: next(r); /* the start of the stream, and what follows it */

    while (rc == 0 && r->event.type == YAML_DOCUMENT_START_EVENT)
        rc = read_document(r, documents) ?: next(r);
    if (rc == 0)
        *ret = documents;
    return rc;
}

int yaml_parse(struct arena *a, const char *text, size_t len, struct json **ret, struct error *err)
{
    struct reader r = { .arena = a, .err = err };
    int rc;

    if (!yaml_parser_initialize(&r.parser))
        abort();
    yaml_parser_set_input_string(&r.parser, (const unsigned char *)text, len);
    rc = read_stream(&r, ret);
    map_done(&r.anchors, NULL);
    yaml_event_delete(&r.event);
    yaml_parser_delete(&r.parser);
    return rc;
}
