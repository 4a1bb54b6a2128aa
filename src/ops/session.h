/* session.h - one conversation of a command with an API server.
 *
 *     scoped(session) struct session s = { 0 };
 *     if (session_open(&s, cli->arena, kubeconfig, context, &err) < 0) ...
 *
 * For programs that a person started: calls are made one after another from the calling thread, and
 * each has a deadline. Results live in the session's arena.
 */
#pragma once
#include "kube/cache.h"
#include "kube/client.h"
#include "json/json.h"

struct loop;

struct session {
    struct arena *arena;
    struct kube_config config; /* .namespace is that of the context */
    struct loop *loop;
    struct client *client;
};

/* kubeconfig and context may be NULL: what kubectl would use. */
int session_open(struct session *s, struct arena *a, const char *kubeconfig, const char *context,
                 struct error *err);
void session_close(struct session *s);
static inline __attribute__((unused)) void scope_end_session(struct session *s)
{
    session_close(s);
}

/* The same session with another arena, for one look of many: what it finds goes with that arena. Not to
 * be closed. */
struct session session_round(const struct session *s, struct arena *a);

/* What stands at a path below the server, as JSON. */
int session_get(struct session *s, const char *path, struct json **ret, struct error *err);
/* Asks the server by POST and returns its answer. */
int session_post(struct session *s, const char *path, const struct json *body, struct json **ret,
                 struct error *err);
/* All objects of a kind that a selector (NULL: none) lets through, in a namespace (NULL: in all);
 * -ENOENT when the server does not know the kind. */
int session_list(struct session *s, const struct kind *kind, const char *namespace,
                 const char *selector, struct objects *ret, struct error *err);
/* A merge patch; the text of the body. */
int session_patch(struct session *s, const struct kind *kind, const char *namespace,
                  const char *name, const char *subresource, const struct json *patch,
                  struct error *err);

/* Waits a moment between two looks at something. */
void session_pause(usec span);
