/* client.c - a client's life: made from options, shared, ended. */
#include "slurm/client.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>

#include "base/str.h"
#include "net/url.h"
#include "slurm/call.h"
#include "slurm/refresh.h"

#define TIMEOUT_DEFAULT (25 * USEC_SEC)
#define BODY_DEFAULT ((size_t)16 << 20)
#define ITEM_DEFAULT ((size_t)4 << 20)

/* slurmrestd keeps a connection open for as long as it is used, and answers on one after the other:
 * a few are enough, and more would only wait for slurmctld's locks. */
enum { CONNECTIONS = 4 };

static int authorize(void *userdata, const char *method, const char *path, struct buf *lines,
                     struct error *err)
{
    struct slurm *slurm = userdata;
    scoped_lock(&slurm->lock);
    int rc;

    (void)method, (void)path;
    buf_str(lines, "X-SLURM-USER-TOKEN: ");
    rc = slurm_token_write(slurm->token, lines, err);
    buf_char(lines, '\n');
    if (slurm->user_name)
        buf_fmt(lines, "X-SLURM-USER-NAME: %s\n", slurm->user_name);
    return rc;
}

static bool is_one_word(const char *text)
{
    for (; isgraph((unsigned char)*text); text++)
        ;
    return !*text;
}

static int check(const struct slurm_options *o, struct error *err)
{
    scoped(arena) struct arena *a = arena_new();
    struct url url;

    if (str_empty(o->cluster))
        return fail(err, -EINVAL, "a Slurm client needs the name of its cluster");
    if (o->user_name && (!*o->user_name || !is_one_word(o->user_name)))
        return fail(err, -EINVAL, "user name \"%s\": want one word", o->user_name);
    if (o->newest_api && (o->newest_api < API_OLDEST || o->newest_api > API_NEWEST))
        return fail(err, -EINVAL, "data API v0.0.%d: want v0.0.%d to v0.0.%d", o->newest_api,
                    API_OLDEST, API_NEWEST);
    if (str_empty(o->url))
        return fail(err, -EINVAL, "no URL of slurmrestd");
    return url_parse(a, o->url, &url, err);
}

static struct http *http_of(struct loop *loop, const struct slurm_options *o, struct slurm *slurm,
                            struct error *err)
{
    /* Where no TLS is spoken there is nobody to verify, and reading the system's authorities would
     * cost each client a megabyte. */
    static const struct http_tls no_tls = { .insecure = true };
    struct http_options options = {
        .url = o->url,
        .user_agent = "windlass/" WINDLASS_VERSION,
        .tls = str_starts(o->url, "http://") ? no_tls : o->tls,
        .http1_only = true,
        .timeout = slurm->timeout,
        .max_connections = CONNECTIONS,
        .max_in_flight = 2 * CONNECTIONS,
        .authorize = authorize,
        .userdata = slurm,
    };

    return http_new(loop, &options, err);
}

static void end(struct slurm *slurm)
{
    snapshot_close(slurm->snapshot);
    http_free(slurm->http); /* ends a refresh that is under way */
    snapshot_free(slurm->snapshot);
    slurm_token_free(slurm->token);
    free(slurm->cluster);
    free(slurm->user_name);
    pthread_mutex_destroy(&slurm->lock);
    free(slurm);
}

int slurm_new(struct loop *loop, const struct slurm_options *options, struct slurm **ret,
              struct error *err)
{
    struct slurm *slurm;
    int rc = check(options, err);

    if (rc < 0)
        goto failed;
    slurm = must_alloc(sizeof *slurm);
    atomic_init(&slurm->refs, 1);
    pthread_mutex_init(&slurm->lock, NULL);
    slurm->loop = loop;
    slurm->cluster = must_str(options->cluster);
    slurm->user_name = options->user_name ? must_str(options->user_name) : NULL;
    slurm->timeout = options->timeout ?: TIMEOUT_DEFAULT;
    slurm->body_limit = options->body_limit ?: BODY_DEFAULT;
    slurm->item_limit = options->item_limit ?: ITEM_DEFAULT;
    slurm->newest_api = options->newest_api ?: API_NEWEST;
    slurm->next_version = slurm->newest_api;
    rc = slurm_token_new(&options->token, &slurm->token, err);
    if (!rc && !(slurm->http = http_of(loop, options, slurm, err)))
        rc = err && err->code ? err->code : -EINVAL;
    if (rc < 0) {
        end(slurm);
        goto failed;
    }
    slurm->snapshot = snapshot_new(slurm, options->refresh, options->stale);
    if (options->keep)
        slurm_keep(slurm, options->keep);
    *ret = slurm;
    return 0;
failed:
    wrap(err, "slurm %s", options->cluster ?: "");
    return rc;
}

struct slurm *slurm_ref(struct slurm *slurm)
{
    if (slurm)
        atomic_fetch_add(&slurm->refs, 1);
    return slurm;
}

void slurm_unref(struct slurm *slurm)
{
    if (slurm && atomic_fetch_sub(&slurm->refs, 1) == 1)
        end(slurm);
}

const char *slurm_cluster(const struct slurm *slurm)
{
    return slurm->cluster;
}

int slurm_set_token(struct slurm *slurm, const struct slurm_token_options *options,
                    struct error *err)
{
    struct slurm_token *fresh;
    struct slurm_token *old;
    int rc = slurm_token_new(options, &fresh, err);

    if (rc < 0)
        return rc;
    pthread_mutex_lock(&slurm->lock);
    old = slurm->token;
    slurm->token = fresh;
    pthread_mutex_unlock(&slurm->lock);
    slurm_token_free(old);
    return 0;
}
