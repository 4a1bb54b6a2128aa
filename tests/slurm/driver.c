/* driver.c - the Slurm client as a program of lines, for tests against a real cluster.
 *
 *     driver URL (key FILE USER | token TEXT | file FILE) [option=value ...]
 *
 * reads commands from standard input, one per line, words separated by tabs, and answers each with
 * one line of JSON: {"answer":"yes",...}. Texts are written as they are; a test reads them back.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/file.h"
#include "base/str.h"
#include "driver.h"
#include "net/loop.h"
#include "json/json.h"

enum { WORDS_MAX = 32 };

struct json *yes_no(struct driver *d, struct slurm_call *call, enum answer answer)
{
    struct json *reply = json_object(call->arena);

    json_set_str(d->arena, reply, "answer", answer_text(answer));
    if (call->fault.code) {
        json_set_str(d->arena, reply, "errno", strerrorname_np(-call->fault.code) ?: "?");
        json_set(d->arena, reply, "status", json_int(d->arena, call->fault.status));
        json_set(d->arena, reply, "number", json_int(d->arena, call->fault.number));
        json_set_str(d->arena, reply, "text", call->fault.text);
    }
    return reply;
}

struct json *names_of(struct driver *d, struct strs names)
{
    struct json *list = json_array(d->arena);

    for_each (name, names)
        json_add(d->arena, list, json_str(d->arena, *name));
    return list;
}

static struct json *run(struct driver *d, int n, char **words)
{
    static const struct command *const tables[] = { cluster_commands, node_commands, job_commands,
                                                    view_commands };

    for (size_t i = 0; i < ARRAY_SIZE(tables); i++)
        for (const struct command *c = tables[i]; c->name; c++)
            if (str_eq(c->name, words[0]) && n - 1 >= c->least)
                return c->run(d, n - 1, words + 1);
    return json_str(d->arena, "no such command, or too few words");
}

static void serve(struct driver *d)
{
    scoped(free) char *line = NULL;
    size_t size = 0;
    ssize_t len;

    while ((len = getline(&line, &size, stdin)) > 0) {
        scoped(arena) struct arena *a = arena_new();
        scoped(buf) struct buf out = { 0 };
        char *words[WORDS_MAX];
        char *rest = line;
        int n = 0;

        line[len - 1] = '\0';
        for (char *word; n < WORDS_MAX && (word = strsep(&rest, "\t"));)
            words[n++] = word;
        d->arena = a;
        d->call = (struct slurm_call) { .arena = a };
        if (d->deadline)
            d->call.deadline = clock_now() + d->deadline;
        json_write(run(d, n, words), JSON_COMPACT, &out);
        puts(out.bytes);
        fflush(stdout);
    }
}

static bool set_option(struct slurm_options *o, struct driver *d, const char *word)
{
    const char *value = strchr(word, '=');
    usec time;

    if (!value)
        return false;
    if (str_starts(word, "user="))
        o->user_name = value + 1;
    else if (str_starts(word, "newest="))
        o->newest_api = atoi(value + 1);
    else if (str_starts(word, "keep="))
        o->keep = (unsigned)atoi(value + 1);
    else if (str_starts(word, "ca="))
        o->tls.ca_file = value + 1;
    else if (!duration_parse(value + 1, &time))
        return false;
    else if (str_starts(word, "timeout="))
        o->timeout = time;
    else if (str_starts(word, "refresh="))
        o->refresh = time;
    else if (str_starts(word, "stale="))
        o->stale = time;
    else if (str_starts(word, "lifetime="))
        o->token.lifetime = time;
    else if (str_starts(word, "deadline="))
        d->deadline = time;
    else
        return false;
    return true;
}

/* Returns how many words it took, 0 for none that make sense. */
static int set_token(struct slurm_options *o, int n, char **words, char **ret_key)
{
    if (n >= 2 && str_eq(words[0], "token"))
        o->token.text = words[1];
    else if (n >= 2 && str_eq(words[0], "file"))
        o->token.file = words[1];
    else if (n >= 3 && str_eq(words[0], "key")) {
        if (file_read(words[1], 65536, ret_key, &o->token.key_len, NULL) < 0)
            return 0;
        o->token.key = *ret_key;
        o->token.user = words[2];
        return 3;
    } else {
        return 0;
    }
    return 2;
}

int main(int argc, char **argv)
{
    scoped(loop) struct loop *loop = loop_new();
    scoped(slurm) struct slurm *slurm = NULL;
    scoped(free) char *key = NULL;
    struct slurm_options options = { .cluster = "driver", .url = argc > 1 ? argv[1] : NULL };
    struct driver d = { 0 };
    struct error err = { 0 };
    int used = argc > 2 ? set_token(&options, argc - 2, argv + 2, &key) : 0;

    for (int i = 2 + used; used && i < argc; i++)
        used = set_option(&options, &d, argv[i]) ? used : 0;
    if (!used) {
        fprintf(stderr,
                "usage: driver URL (key FILE USER | token TEXT | file FILE) [OPTION=VALUE]\n");
        return 2;
    }
    if (loop_start(loop, &err) < 0 || slurm_new(loop, &options, &slurm, &err) < 0) {
        fprintf(stderr, "driver: %s\n", error_text(&err));
        return 1;
    }
    d.slurm = slurm;
    serve(&d);
    driver_done(&d);
    return 0;
}
