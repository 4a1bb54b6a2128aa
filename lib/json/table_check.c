/* table_check.c - the schema's own rules: defaults filled in, values judged. */
#include <regex.h>
#include <string.h>

#include "base/str.h"
#include "json/quantity.h"
#include "json/table_internal.h"

static int default_fields(struct arena *a, const struct type *type, void *object,
                          const struct path *up, struct error *err);

static int default_list(struct arena *a, const struct field *f, const struct any_list *list,
                        const struct path *up, struct error *err)
{
    int rc = 0;

    for (size_t i = 0; i < list->n && rc == 0; i++) {
        struct path path = { .up = up, .index = i };

        rc = default_fields(a, f->of, list_at(list, f, i), &path, err);
    }
    return rc;
}

static int default_inside(struct arena *a, const struct field *f, void *object,
                          const struct path *path, struct error *err)
{
    switch (f->type) {
    case FIELD_OBJECT:
        return default_fields(a, f->of, AT(object, f, char), path, err);
    case FIELD_POINTER:
        if (!*AT(object, f, void *))
            return 0;
        return default_fields(a, f->of, *AT(object, f, void *), path, err);
    case FIELD_LIST:
    case FIELD_OBJECTS:
        return default_list(a, f, AT(object, f, struct any_list), path, err);
    default:
        return 0;
    }
}

static int default_fields(struct arena *a, const struct type *type, void *object,
                          const struct path *up, struct error *err)
{
    for (const struct field *f = type->fields; f->type; f++) {
        struct path path = { .up = up, .name = f->name };
        int rc = 0;

        if (f->default_text && field_is_absent(f, object))
            rc = table_read_member(a, f, f->default_text, object, &path, err);
        if (rc == 0)
            rc = default_inside(a, f, object, &path, err);
        if (rc < 0)
            return rc;
    }
    return 0;
}

int table_default(struct arena *a, const struct type *type, void *object, struct error *err)
{
    return default_fields(a, type, object, NULL, err);
}

struct judging {
    struct arena *a;
    void (*on_problem)(void *userdata, const char *path, const char *problem);
    void *userdata;
    size_t count;
};

static void judge_object(struct judging *j, const struct type *type, const void *object,
                         const struct path *up);

static void problem(struct judging *j, const struct path *path, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static void problem(struct judging *j, const struct path *path, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    j->on_problem(j->userdata, path_text(j->a, path), vfmt(j->a, format, args));
    va_end(args);
    j->count++;
}

static const char *shown(const struct field *f, const char *text)
{
    return f->flags & SENSITIVE ? "***" : text;
}

static const char *choices(struct arena *a, const char *const *one_of)
{
    const char *text = fmt(a, "\"%s\"", *one_of);

    while (*++one_of)
        text = fmt(a, "%s, \"%s\"", text, *one_of);
    return text;
}

/* The generator has compiled every pattern once, so one that does not compile matches nothing. */
static bool matches(const char *pattern, const char *text)
{
    regex_t regex;
    bool matched;

    if (regcomp(&regex, pattern, REG_EXTENDED | REG_NOSUB) != 0)
        return false;
    matched = regexec(&regex, text, 0, NULL, 0) == 0;
    regfree(&regex);
    return matched;
}

/* Lengths count characters, as the API server does: every byte but the continuations of UTF-8. */
static int64_t length_of(const char *text)
{
    int64_t length = 0;

    for (; *text; text++)
        length += (*text & 0xc0) != 0x80;
    return length;
}

static void judge_text(struct judging *j, const struct field *f, const char *text,
                       const struct path *path)
{
    const struct rule *rule = f->rule;

    if (!rule)
        return;
    if (rule->one_of && !str_in(text, rule->one_of))
        problem(j, path, "must be one of %s, not \"%s\"", choices(j->a, rule->one_of),
                shown(f, text));
    if (rule->pattern && !matches(rule->pattern, text))
        problem(j, path, "must match %s, but is \"%s\"", rule->pattern, shown(f, text));
    if (rule->min_length.set && length_of(text) < rule->min_length.value)
        problem(j, path, "must have at least %lld characters", (long long)rule->min_length.value);
    if (rule->max_length.set && length_of(text) > rule->max_length.value)
        problem(j, path, "must have at most %lld characters", (long long)rule->max_length.value);
}

static void judge_quantity(struct judging *j, const struct field *f, const char *text,
                           const struct path *path)
{
    if (!quantity_is_valid(text))
        problem(j, path, "must be a quantity like 500m or 1Gi, not \"%s\"", shown(f, text));
}

static void judge_number(struct judging *j, const struct field *f, double value,
                         const struct path *path)
{
    const struct rule *rule = f->rule;

    if (rule && rule->min.set && value < (double)rule->min.value)
        problem(j, path, "must be at least %lld, not %.17g", (long long)rule->min.value, value);
    if (rule && rule->max.set && value > (double)rule->max.value)
        problem(j, path, "must be at most %lld, not %.17g", (long long)rule->max.value, value);
}

static void judge_count(struct judging *j, const struct field *f, size_t n, const struct path *path)
{
    const struct rule *rule = f->rule;

    if (rule && rule->min_items.set && (int64_t)n < rule->min_items.value)
        problem(j, path, "must have at least %lld items, not %zu", (long long)rule->min_items.value,
                n);
    if (rule && rule->max_items.set && (int64_t)n > rule->max_items.value)
        problem(j, path, "must have at most %lld items, not %zu", (long long)rule->max_items.value,
                n);
}

static void judge_strs(struct judging *j, const struct field *f, const struct strs *strs,
                       const struct path *up)
{
    judge_count(j, f, strs->n, up);
    for (size_t i = 0; i < strs->n; i++) {
        struct path path = { .up = up, .index = i };

        judge_text(j, f, strs->v[i], &path);
    }
}

static void judge_map(struct judging *j, const struct field *f, const struct pairs *pairs,
                      const struct path *up)
{
    judge_count(j, f, pairs->n, up);
    for_each (pair, *pairs) {
        struct path path = { .up = up, .name = pair->key };

        (f->flags & QUANTITIES ? judge_quantity : judge_text)(j, f, pair->value ?: "", &path);
    }
}

static void judge_list(struct judging *j, const struct field *f, const struct any_list *list,
                       const struct path *up)
{
    judge_count(j, f, list->n, up);
    for (size_t i = 0; i < list->n; i++) {
        struct path path = { .up = up, .index = i };

        if (f->type == FIELD_OBJECTS)
            path.name = *(const char **)list_at(list, f, i);
        judge_object(j, f->of, list_at(list, f, i), &path);
    }
}

static void judge_int_or_str(struct judging *j, const struct field *f,
                             const struct int_or_str *either, const struct path *path)
{
    if (either->type == A_STR)
        judge_text(j, f, either->text, path);
    else
        judge_number(j, f, (double)either->value, path);
}

static void judge_field(struct judging *j, const struct field *f, const void *object,
                        const struct path *path)
{
    switch (f->type) {
    case FIELD_STR:
        judge_text(j, f, *AT(object, f, const char *), path);
        return;
    case FIELD_QUANTITY:
        judge_quantity(j, f, *AT(object, f, const char *), path);
        return;
    case FIELD_INT:
        judge_number(j, f, (double)AT(object, f, struct maybe_int)->value, path);
        return;
    case FIELD_REAL:
        judge_number(j, f, AT(object, f, struct maybe_real)->value, path);
        return;
    case FIELD_INT_STR:
        judge_int_or_str(j, f, AT(object, f, struct int_or_str), path);
        return;
    case FIELD_STRS:
        judge_strs(j, f, AT(object, f, struct strs), path);
        return;
    case FIELD_MAP:
        judge_map(j, f, AT(object, f, struct pairs), path);
        return;
    case FIELD_OBJECT:
        judge_object(j, f->of, AT(object, f, char), path);
        return;
    case FIELD_POINTER:
        judge_object(j, f->of, *AT(object, f, void *), path);
        return;
    case FIELD_LIST:
    case FIELD_OBJECTS:
        judge_list(j, f, AT(object, f, struct any_list), path);
        return;
    default:
        return;
    }
}

/* An embedded object cannot say whether it is empty or absent. When it must be there, what is
 * required inside it speaks for it; otherwise an empty one is absent. */
static void judge_object(struct judging *j, const struct type *type, const void *object,
                         const struct path *up)
{
    for (const struct field *f = type->fields; f->type; f++) {
        struct path path = { .up = up, .name = f->name };
        bool required = f->flags & REQUIRED;

        if (!field_is_absent(f, object) || (required && f->type == FIELD_OBJECT))
            judge_field(j, f, object, &path);
        else if (required)
            problem(j, &path, "is required");
    }
}

size_t table_validate(struct arena *a, const struct type *type, const void *object,
                      void (*on_problem)(void *userdata, const char *path, const char *problem),
                      void *userdata)
{
    struct judging judging = { .a = a, .on_problem = on_problem, .userdata = userdata };

    judge_object(&judging, type, object, NULL);
    return judging.count;
}
