/* conf_fuzz.c - any text as any of Slurm's files: reading ends, and lint has no trouble with it.
 *
 * The first byte chooses the kind of file. The text includes itself where it includes anything.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "slurm/conf.h"
#include "slurm/lint.h"

struct text {
    const char *bytes;
    size_t len;
};

static int open_same(void *userdata, struct arena *a, const char *name, const char **ret_text,
                     size_t *ret_len, struct error *err)
{
    const struct text *text = userdata;

    (void)a;
    (void)name;
    (void)err;
    *ret_text = text->bytes;
    *ret_len = text->len < 200 ? text->len : 200; /* or including would take all day */
    return 0;
}

static const char *name_of(uint8_t kind)
{
    static const char *const others[] = { "plugstack.conf", "topology.yaml", "a.sh", "other" };
    size_t kinds = 0;

    while (conf_kinds()[kinds].file)
        kinds++;
    kind = (uint8_t)(kind % (kinds + ARRAY_SIZE(others)));
    return kind < kinds ? conf_kinds()[kind].file : others[kind - kinds];
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    scoped(arena) struct arena *a = arena_new();
    struct text text = { .bytes = (const char *)data + 1, .len = size ? size - 1 : 0 };
    struct conf_opener opener = { open_same, &text };
    struct slurm_conf in = { .cluster_name = "x" };
    struct conf_doc *doc;

    if (size == 0)
        return 0;
    doc = lint_text(a, name_of(data[0]), text.bytes, text.len, &opener);
    for (size_t i = 0; i < doc->problem_count; i++)
        if (!doc->problems[i].text || !doc->problems[i].file)
            abort();
    if (doc->problem_count > doc->errors + doc->warnings)
        abort();
    in.extra = arena_strn(a, text.bytes, text.len);
    if (!slurm_conf_text(a, &in))
        abort();
    return 0;
}
