/* worker_conf.c - the node record that slurmd brings along: its --conf argument. */
#include <inttypes.h>
#include <string.h>

#include "base/buf.h"
#include "base/scope.h"
#include "base/str.h"
#include "build/worker_parts.h"
#include "build/workers.h"
#include "slurm/nodeconf.h"
#include "json/quantity.h"

/* ------------------------------------------------------------------ limits */

static const char *quantity_of(struct arena *a, const struct json *limits, const char *resource)
{
    const struct json *value = json_get(limits, resource);
    const char *text = value && value->type == JSON_STR ? value->str.text
                       : value                          ? json_text(a, value)
                                                        : NULL;
    int64_t amount;

    return quantity_milli(text, &amount) && amount > 0 ? text : NULL;
}

int64_t worker_limit(struct arena *a, const struct model_workers *m, const char *resource)
{
    const char *limit = quantity_of(a, json_at(m->slurmd, "resources.limits"), resource)
                            ?: quantity_of(a, json_at(m->pods.spec, "resources.limits"), resource);
    int64_t units = 0;

    return quantity_units(limit, 1, &units) ? units : 0;
}

/* ------------------------------------------------------------------ items */

/* The next word of a text of Key=Value with one blank between them; false at its end. */
static bool next_word(struct arena *a, const char **text, const char **ret)
{
    size_t len = strcspn(*text, " ");

    if (len == 0)
        return false;
    *ret = arena_strn(a, *text, len);
    *text += len + ((*text)[len] == ' ');
    return true;
}

bool worker_conf_sets(struct arena *a, const struct model_workers *m, const char *key)
{
    const char *text = nodeconf_text(a, m->nodeset, m->extra_conf, NULL);
    const char *word;

    while (next_word(a, &text, &word))
        if (str_starts(word, key) && word[strlen(key)] == '=' && !str_ends(word, "="))
            return true;
    return false;
}

/* The user's items, and how many GPUs there are where the cluster counts them. */
static const char *items_of(struct arena *a, const struct model_workers *m)
{
    const char *extra = nodeconf_is_valid(m->extra_conf) ? m->extra_conf ?: "" : "";
    int64_t gpus = worker_limit(a, m, "nvidia.com/gpu") + worker_limit(a, m, "amd.com/gpu");

    if (m->cluster.gpus && gpus > 0 && !worker_conf_sets(a, m, "Gres"))
        extra = fmt(a, "%s Gres=gpu:%" PRId64, extra, gpus);
    return nodeconf_text(a, m->nodeset, extra, NULL);
}

static void write_quoted(struct buf *out, const char *text)
{
    for (const char *c = text; *c; c++) {
        if (*c == '\'')
            buf_str(out, "'\\''");
        else
            buf_char(out, *c);
    }
}

/* In single quotes, because the image hands its arguments to a shell; and without variables in it,
 * because the image takes the quotes off when it adds items of its own. A key without a value is
 * left out: it would clear what the controller knows. */
const char *workers_conf(struct arena *a, const struct model_workers *m)
{
    scoped(buf) struct buf out = { 0 };
    const char *text = items_of(a, m);
    const char *word;

    buf_char(&out, '\'');
    while (next_word(a, &text, &word)) {
        if (str_ends(word, "="))
            continue;
        if (out.len > 1)
            buf_char(&out, ' ');
        write_quoted(&out, word);
    }
    buf_char(&out, '\'');
    return arena_str(a, buf_text(&out));
}
