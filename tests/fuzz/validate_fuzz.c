/* validate_fuzz.c - any pair of objects judged: no crash, every problem told with a path and words,
 * nothing refused that did not change.
 *
 * The first byte chooses the kind; the old object and the new one stand behind it, with a newline
 * between them, or the new one alone.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "slinky/accounting.h"
#include "slinky/controller.h"
#include "slinky/loginset.h"
#include "slinky/nodeset.h"
#include "slinky/restapi.h"
#include "slinky/token.h"
#include "slinky/validate.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const struct kind *const kinds[] = {
    &slinky_controller_kind, &slinky_accounting_kind, &slinky_restapi_kind,
    &slinky_nodeset_kind,    &slinky_loginset_kind,   &slinky_token_kind,
};

static void must(bool holds)
{
    if (!holds)
        abort();
}

/* Anything may be in a ConfigMap: the name itself serves as a file. */
static enum known files_of(void *userdata, const char *namespace, const char *name,
                           struct strs *ret_files)
{
    static const char *file;

    (void)userdata;
    (void)namespace;
    file = name;
    *ret_files = (struct strs) { .v = &file, .n = 1 };
    return strlen(name) % 3;
}

static void *read_object(struct arena *a, const struct kind *kind, const char *text, size_t len)
{
    void *object = arena_alloc(a, kind->type->size);

    return table_read(a, kind->type, text, len, object, NULL) < 0 ? NULL : object;
}

static void check_told(struct arena *a, struct problem_list list)
{
    for_each (problem, list)
        must(!str_empty(problem->path) && !str_empty(problem->text));
    must((list.n == 0) == str_empty(problems_text(a, list)));
}

static void judge(struct arena *a, const struct kind *kind, const void *old, const void *object)
{
    struct surroundings around = { .now = USEC_SEC,
                                   .files_of = files_of,
                                   .access_modes_of = files_of };
    struct problems p = { .arena = a };
    struct problems same = { .arena = a };

    must(validate_object(&p, kind, old, object, &around));
    check_told(a, p.errors);
    check_told(a, p.warnings);
    must(validate_object(&same, kind, object, object, &around));
    must(same.errors.n == 0);
    validate_schema(&same, kind, object);
    check_told(a, same.errors);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    scoped(arena) struct arena *a = arena_new();
    const struct kind *kind = kinds[size ? data[0] % ARRAY_SIZE(kinds) : 0];
    const char *text = (const char *)data + 1;
    const char *line = size > 1 ? memchr(text, '\n', size - 1) : NULL;
    void *old = NULL;
    void *object;

    if (size < 2)
        return 0;
    if (line) {
        old = read_object(a, kind, text, (size_t)(line - text));
        size -= (size_t)(line + 1 - text);
        text = line + 1;
    }
    object = read_object(a, kind, text, size - 1);
    if (object)
        judge(a, kind, old, object);
    return 0;
}
