/* session.c - one conversation of a command with an API server. */
#include "ops/session.h"

#include <errno.h>
#include <time.h>

#include "net/loop.h"

int session_open(struct session *s, struct arena *a, const char *kubeconfig, const char *context,
                 struct error *err)
{
    struct client_options options = { .field_manager = "windlass" };
    int rc;

    s->arena = a;
    rc = kube_config_load(a, kubeconfig, context, &s->config, err);
    if (rc < 0)
        return wrap(err, "no way to a cluster (--kubeconfig or $KUBECONFIG names one)");
    s->loop = loop_new();
    return loop_start(s->loop, err) ?: client_new(s->loop, &s->config, &options, &s->client, err);
}

void session_close(struct session *s)
{
    if (!s->loop)
        return;
    client_free(s->client);
    loop_stop(s->loop);
    loop_free(s->loop);
    *s = (struct session) { 0 };
}

struct session session_round(const struct session *s, struct arena *a)
{
    struct session round = *s;

    round.arena = a;
    return round;
}

int session_get(struct session *s, const char *path, struct json **ret, struct error *err)
{
    scoped(buf) struct buf body = { 0 };
    int rc = client_raw(s->client, "GET", path, NULL, &body, err);

    return rc ?: json_parse(s->arena, buf_text(&body), body.len, ret, err);
}

int session_post(struct session *s, const char *path, const struct json *body, struct json **ret,
                 struct error *err)
{
    scoped(buf) struct buf answer = { 0 };
    int rc = client_raw(s->client, "POST", path, json_text(s->arena, body), &answer, err);

    return rc ?: json_parse(s->arena, buf_text(&answer), answer.len, ret, err);
}

/* ------------------------------------------------------------------ lists */

struct collection {
    struct arena *arena;
    const struct kind *kind;
    struct objects objects;
    size_t room;
};

static int keep(void *userdata, const void *object, struct error *err)
{
    struct collection *c = userdata;

    (void)err;
    if (c->objects.n == c->room) {
        const void **more = arena_make_n(c->arena, const void *, c->room = c->room * 2 + 16);

        for (size_t i = 0; i < c->objects.n; i++)
            more[i] = c->objects.v[i];
        c->objects.v = more;
    }
    c->objects.v[c->objects.n++] = table_copy(c->arena, c->kind->type, object);
    return 0;
}

int session_list(struct session *s, const struct kind *kind, const char *namespace,
                 const char *selector, struct objects *ret, struct error *err)
{
    struct collection c = { .arena = s->arena, .kind = kind };
    int rc = client_list(s->client, kind, namespace, selector, keep, &c, err);

    if (rc == 0)
        *ret = c.objects;
    return rc;
}

int session_patch(struct session *s, const struct kind *kind, const char *namespace,
                  const char *name, const char *subresource, const struct json *patch,
                  struct error *err)
{
    struct call call = { .verb = VERB_MERGE_PATCH,
                         .kind = kind,
                         .namespace = namespace,
                         .name = name,
                         .subresource = subresource,
                         .body = json_text(s->arena, patch) };
    struct outcome outcome;

    return client_call(s->client, s->arena, &call, &outcome, err);
}

void session_pause(usec span)
{
    struct timespec left = { .tv_sec = span / USEC_SEC, .tv_nsec = span % USEC_SEC * 1000 };

    while (nanosleep(&left, &left) < 0 && errno == EINTR)
        ;
}
