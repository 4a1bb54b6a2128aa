/* lint.c - checking configuration files against the tables of keys. */
#include "slurm/lint.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/file.h"
#include "base/map.h"
#include "base/str.h"
#include "slurm/hostlist.h"
#include "slurm/lint_values.h"
#include "json/yaml.h"

struct linter {
    struct arena *arena;
    struct conf_doc *doc;
    const struct conf_kind *kind;
    const struct conf_entry *entry; /* the one looked at */
};

#define SAY(l, level, ...)                                                                         \
    conf_add_problem((l)->arena, (l)->doc, level, (l)->entry->file, (l)->entry->line, __VA_ARGS__)

static void unknown_key(struct linter *l, const struct conf_key *keys, const char *name,
                        const char *of)
{
    bool heard = l->doc->problem_count < CONF_PROBLEMS_MAX; /* or the search is for nobody */
    const struct conf_key *near = heard ? conf_key_near(keys, name) : NULL;

    if (near)
        SAY(l, CONF_ERROR, "%s is not a key of %s; did you mean %s?", name, of, near->name);
    else
        SAY(l, CONF_ERROR, "%s is not a key of %s", name, of);
}

static void check_pair(struct linter *l, const struct conf_key *key, const struct conf_pair *pair)
{
    const char *want;

    if (key->flags & CONF_GONE) {
        SAY(l, CONF_WARNING, "%s is no more: %s", key->name, key->note);
        return;
    }
    want = lint_value(l->arena, key, pair->value);
    if (want)
        SAY(l, key->flags & CONF_SOFT ? CONF_WARNING : CONF_ERROR, "%s=%s: want %s", key->name,
            lint_is_secret(key->name) ? "***" : pair->value, want);
}

static void check_options(struct linter *l, const struct conf_key *key)
{
    const struct conf_entry *entry = l->entry;

    if (entry->count > 1 && !key->options) {
        SAY(l, CONF_ERROR,
            "%s takes one value, and more follows it: '%s='; begin a new line, or put "
            "the value into double quotes",
            key->name, entry->pairs[1].key);
        return;
    }
    for (size_t i = 1; i < entry->count; i++) {
        const struct conf_key *option = conf_key_find(key->options, entry->pairs[i].key);

        if (option)
            check_pair(l, option, &entry->pairs[i]);
        else
            unknown_key(l, key->options, entry->pairs[i].key,
                        fmt(l->arena, "a %s line", key->name));
    }
}

/* A key that may stand once: Slurm takes the last, which may surprise. */
static void check_again(struct linter *l, struct map *seen, const struct conf_key *key)
{
    const struct conf_entry *before = map_put(seen, key->name, (void *)(uintptr_t)l->entry);

    if (before && !(key->flags & CONF_MANY))
        SAY(l, CONF_WARNING, "%s stands again, after %s line %u: this one counts", key->name,
            before->file, before->line);
}

static void check_required(struct linter *l, const char *name)
{
    const char *at = l->kind->required;

    while (at && *at) {
        size_t len = strcspn(at, " ");
        const char *key = arena_strn(l->arena, at, len);

        if (!conf_get(l->doc, key))
            conf_add_problem(l->arena, l->doc, CONF_ERROR, name, 1, "%s is missing", key);
        at += len + (at[len] == ' ');
    }
}

static void check_entries(struct linter *l)
{
    struct map seen = { 0 };

    for (size_t i = 0; i < l->doc->count; i++) {
        const struct conf_key *key;

        l->entry = &l->doc->entries[i];
        key = conf_key_find(l->kind->keys, l->entry->pairs[0].key);
        if (!key) {
            unknown_key(l, l->kind->keys, l->entry->pairs[0].key, l->kind->file);
            continue;
        }
        check_again(l, &seen, key);
        check_pair(l, key, &l->entry->pairs[0]);
        check_options(l, key);
    }
    map_done(&seen, NULL);
}

void lint_doc(struct arena *a, struct conf_doc *doc, const struct conf_kind *kind, const char *name)
{
    struct linter l = { .arena = a, .doc = doc, .kind = kind };

    check_entries(&l);
    check_required(&l, name);
    if (kind->keys == conf_keys_slurm)
        lint_cluster(a, doc, kind->required != NULL);
}

/* "required|optional|include PATH ..." */
static void lint_plugstack(struct arena *a, struct conf_doc *doc, const char *name,
                           const char *text)
{
    for (unsigned line = 1; *text; line++) {
        size_t len = strcspn(text, "\n"), words = strspn(text, " \t\r");
        const char *word = text + words;
        size_t word_len = strcspn(word, " \t\r\n");
        bool known = strncasecmp(word, "required", word_len) == 0 ||
                     strncasecmp(word, "optional", word_len) == 0 ||
                     strncasecmp(word, "include", word_len) == 0;

        if (words < len && *word != '#') {
            if (!known || word_len < strlen("include"))
                conf_add_problem(a, doc, CONF_ERROR, name, line,
                                 "'%.*s': want required, optional or include", (int)word_len, word);
            else if (strspn(word + word_len, " \t\r") >= (size_t)(text + len - word - word_len))
                conf_add_problem(a, doc, CONF_ERROR, name, line, "'%.*s' names no file",
                                 (int)word_len, word);
        }
        text += len + (text[len] == '\n');
    }
}

static void lint_yaml(struct arena *a, struct conf_doc *doc, const char *name, const char *text,
                      size_t len)
{
    struct error err = { 0 };
    struct json *value = NULL;

    if (yaml_parse(a, text, len, &value, &err) < 0)
        conf_add_problem(a, doc, CONF_ERROR, name, 1, "%s", error_text(&err));
    else
        lint_topology(a, doc, name, value);
}

static void lint_script(struct arena *a, struct conf_doc *doc, const char *name, const char *text)
{
    if (!str_starts(text, "#!"))
        conf_add_problem(a, doc, CONF_ERROR, name, 1,
                         "a script begins with its interpreter: write #!/bin/sh or the like first");
    else if (memchr(text, '\r', strcspn(text, "\n")))
        conf_add_problem(
            a, doc, CONF_ERROR, name, 1,
            "the first line ends in a carriage return: save the file with Unix line ends");
}

static bool is_script(const char *name)
{
    return str_ends(name, ".sh") || str_ends(name, ".py");
}

struct conf_doc *lint_text(struct arena *a, const char *name, const char *text, size_t len,
                           const struct conf_opener *opener)
{
    const struct conf_kind *kind = conf_kind_of(name);
    struct conf_doc *doc;

    if (kind) {
        doc = conf_read(a, name, text, len, opener);
        lint_doc(a, doc, kind, name);
        return doc;
    }
    doc = arena_make(a, struct conf_doc);
    text = arena_strn(a, text, len); /* with an end */
    if (str_ends(name, "plugstack.conf"))
        lint_plugstack(a, doc, name, text);
    else if (str_ends(name, "topology.yaml"))
        lint_yaml(a, doc, name, text, len);
    else if (is_script(name))
        lint_script(a, doc, name, text);
    else
        conf_add_problem(
            a, doc, CONF_ERROR, name, 1,
            "not the name of a file that Slurm reads: call it slurm.conf, gres.conf, ...");
    return doc;
}

int lint_file(struct arena *a, const char *path, struct conf_doc **ret, struct error *err)
{
    struct conf_opener opener = conf_opener_beside(a, path);
    scoped(free) char *text = NULL;
    size_t len;
    int code = file_read(path, CONF_FILE_MAX, &text, &len, err);

    if (code < 0)
        return code;
    *ret = lint_text(a, arena_str(a, path), text, len, &opener);
    return 0;
}
