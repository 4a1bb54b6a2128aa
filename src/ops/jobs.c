/* jobs.c - the queue of a cluster, by way of the API server. */
#include "ops/jobs.h"

#include <errno.h>
#include <string.h>

#include "base/base64.h"
#include "base/str.h"
#include "slinky/controller.h"
#include "slinky/names.h"
#include "slurm/call.h"
#include "slurm/jwt.h"
#include "slurm/record.h"
#include "json/list.h"

enum { JOB_MAX = 1 << 20, AROUND_MAX = 1 << 20 };
#define TOKEN_LIFE (60 * USEC_SEC)

/* ------------------------------------------------------------------ the token */

static int read_key(struct session *s, const struct slinky_controller *c, char **ret,
                    size_t *ret_len, struct error *err)
{
    const struct slinky_secret_key *ref = c->spec.jwt_key_ref ?: c->spec.jwt_hs256_key_ref;
    struct json *secret = NULL;
    const char *text;
    int rc;

    if (!ref)
        return fail(err, -ENOKEY, "the Controller names no key for tokens: set spec.jwtKeyRef");
    rc = session_get(
        s, fmt(s->arena, "/api/v1/namespaces/%s/secrets/%s", c->meta.namespace, ref->name), &secret,
        err);
    if (rc < 0)
        return rc;
    text = json_str_or(json_get(json_get(secret, "data"), ref->key), NULL);
    *ret = text ? base64_decode(s->arena, text, ret_len) : NULL;
    return *ret ? 0 : fail(err, -ENOKEY, "Secret %s has no key %s", ref->name, ref->key);
}

static int mint(struct session *s, const struct slinky_controller *c, const char **ret,
                struct error *err)
{
    usec now = clock_wall();
    struct jwt_claims claims = {
        .user = "slurm", .issuer = "windlass", .issued = now, .expires = now + TOKEN_LIFE
    };
    size_t len = 0;
    char *key = NULL;
    int rc = read_key(s, c, &key, &len, err);

    if (rc < 0)
        return rc;
    *ret = jwt_sign(s->arena, key, len, &claims);
    explicit_bzero(key, len);
    return 0;
}

/* ------------------------------------------------------------------ the list */

struct queue_reader {
    struct arena *arena, *scratch;
    struct list_cutter *cutter;
    struct slurm_jobs jobs;
    size_t room;
    struct error err;
};

static void keep(struct queue_reader *q, struct slurm_job *job)
{
    if (q->jobs.n == q->room) {
        struct slurm_job *more =
            arena_make_n(q->arena, struct slurm_job, q->room = q->room * 2 + 32);

        if (q->jobs.n)
            memcpy(more, q->jobs.v, q->jobs.n * sizeof *more);
        q->jobs.v = more;
    }
    job_keep(q->arena, job);
    q->jobs.v[q->jobs.n++] = *job;
}

static int take_job(void *userdata, const char *item, size_t len, struct error *err)
{
    struct queue_reader *q = userdata;
    struct slurm_job job = { 0 };
    int rc;

    arena_reset(q->scratch);
    rc = job_decode(q->scratch, item, len, &job, err);
    if (rc == 0 && !is_yes(job_is_ended(job.state)))
        keep(q, &job);
    return rc;
}

static int take_data(void *userdata, const char *bytes, size_t len)
{
    struct queue_reader *q = userdata;

    return list_cutter_feed(q->cutter, bytes, len, &q->err);
}

/* What slurmrestd says beside the list: an error there means that the list says nothing. */
static int judge(struct queue_reader *q, struct error *err)
{
    const char *around;
    const struct json *errors;
    struct json *v = NULL;
    size_t len;
    int rc = list_cutter_end(q->cutter, &around, &len, err)
                 ?: json_parse(q->scratch, around, len, &v, err);

    if (rc < 0)
        return rc;
    errors = json_get(v, "errors");
    if (json_count(errors))
        return fail(err, -EIO, "slurmrestd: %s",
                    json_str_or(json_get(json_item(errors, 0), "error"), "an error"));
    return list_cutter_found(q->cutter) ? 0 : fail(err, -EBADMSG, "an answer without jobs");
}

static int ask(struct session *s, const char *path, const char *token, struct slurm_jobs *ret,
               struct error *err)
{
    scoped(arena) struct arena *scratch = arena_new();
    scoped(http_response) struct http_response response = { 0 };
    struct queue_reader q = { .arena = s->arena, .scratch = scratch };
    struct list_options list = { .array = "jobs",
                                 .item_limit = JOB_MAX,
                                 .around_limit = AROUND_MAX,
                                 .on_item = take_job,
                                 .userdata = &q };
    scoped(list_cutter) struct list_cutter *cutter = list_cutter_new(&list);
    const char *headers[] = { fmt(s->arena, "X-SLURM-USER-TOKEN: %s", token), NULL };
    struct http_request request = {
        .path = path, .headers = headers, .on_data = take_data, .userdata = &q
    };
    int rc;

    q.cutter = cutter;
    rc = http_do(client_http(s->client), &request, &response, err);
    if (rc < 0)
        return q.err.code ? fail(err, q.err.code, "%s", error_text(&q.err)) : rc;
    rc = client_status_error(response.status, response.body.bytes, response.body.len, err)
             ?: judge(&q, err);
    if (rc == 0)
        *ret = q.jobs;
    return rc;
}

int jobs_look(struct session *s, const struct slinky_controller *controller, const char *restapi,
              struct slurm_jobs *ret, struct error *err)
{
    const char *service = slinky_restapi_name(s->arena, restapi);
    const char *token = NULL;
    int rc = mint(s, controller, &token, err);

    /* an older slurmrestd does not know the newest words */
    for (int version = API_NEWEST; rc == 0 && version >= API_OLDEST; version--) {
        const char *path = fmt(s->arena,
                               "/api/v1/namespaces/%s/services/http:%s:slurmrestd/proxy/slurm/"
                               "v0.0.%d/jobs",
                               controller->meta.namespace, service, version);
        int asked = ask(s, path, token, ret, err);

        if (asked != -ENOENT || version == API_OLDEST)
            return asked;
        error_clear(err);
    }
    return rc;
}
