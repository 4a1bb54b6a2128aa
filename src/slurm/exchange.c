/* exchange.c - one HTTP request to slurmrestd, from the question to the verdict. */
#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/metrics.h"
#include "slurm/call.h"

enum { AROUND_MAX = 1 << 20 };

static struct metric_family calls_total = {
    .name = "windlass_slurm_calls_total",
    .help = "Requests to slurmrestd by answer: yes, no, unknown.",
    .type = METRIC_COUNTER,
    .labels = { "cluster", "call", "answer" },
};
static struct metric_family call_seconds = {
    .name = "windlass_slurm_call_seconds",
    .help = "Time from sending a request to slurmrestd to the end of its answer.",
    .type = METRIC_HISTOGRAM,
    .labels = { "cluster", "call" },
    .buckets = metric_latency_buckets,
};
static struct metric_family received_bytes = {
    .name = "windlass_slurm_received_bytes_total",
    .help = "Bytes of answers received from slurmrestd.",
    .type = METRIC_COUNTER,
    .labels = { "cluster", "call" },
};

static int take_item(void *userdata, const char *item, size_t len, struct error *err)
{
    struct exchange *x = userdata;

    x->items++;
    return x->question.on_item(x->question.userdata, item, len, err);
}

static int take_data(void *userdata, const char *bytes, size_t len)
{
    struct exchange *x = userdata;

    x->bytes += len;
    return list_cutter_feed(x->cutter, bytes, len, &x->err);
}

static int version_to_try(struct slurm *slurm)
{
    scoped_lock(&slurm->lock);

    return slurm->version ?: slurm->next_version;
}

static bool admit(struct slurm *slurm, const struct question *question, struct slurm_fault *fault)
{
    scoped_lock(&slurm->lock);
    struct breaker *breaker = &slurm->breakers[question->database];

    if (breaker_begin(breaker))
        return true;
    *fault = (struct slurm_fault) { .code = -EAGAIN };
    snprintf(fault->text, sizeof fault->text,
             "slurm %s: not asked, %u calls in a row got no answer; next try in %.1f s; last: %s",
             slurm->cluster, breaker->failures, (double)breaker_wait(breaker) / USEC_SEC,
             breaker->last);
    return false;
}

bool exchange_begin(struct exchange *x, struct slurm *slurm, const struct question *question,
                    struct arena *arena, struct http_request *ret, struct slurm_fault *fault)
{
    struct list_options list = {
        .array = question->array,
        .item_limit = slurm->item_limit,
        .around_limit = AROUND_MAX,
        .on_item = take_item,
        .userdata = x,
    };
    const char *path;

    if (!admit(slurm, question, fault))
        return false;
    *x = (struct exchange) { .slurm = slurm,
                             .question = *question,
                             .arena = arena,
                             .version = version_to_try(slurm),
                             .began = clock_now() };
    path = x->version == 41 && question->path_41 ? question->path_41 : question->path;
    if (question->array)
        x->cutter = list_cutter_new(&list);
    *ret = (struct http_request) {
        .method = question->method,
        .path =
            fmt(arena, "/%s/v0.0.%d%s", question->database ? "slurmdb" : "slurm", x->version, path),
        .body = question->body,
        .body_len = question->body ? strlen(question->body) : 0,
        .content_type = question->body ? "application/json" : NULL,
        .body_limit = slurm->body_limit,
        .on_data = question->array ? take_data : NULL,
        .userdata = x,
    };
    return true;
}

/* A list is whole only if the document around it is, and if the array was there at all. */
static int end_list(struct exchange *x, struct reply *reply)
{
    const char *text = "";
    size_t len = 0;
    int rc = list_cutter_end(x->cutter, &text, &len, &x->err);

    reply->text = arena_strn(x->arena, text, len);
    reply->len = len;
    return rc;
}

static struct reply reply_of(struct exchange *x, struct http_response *response, int rc,
                             const struct error *err)
{
    struct reply reply = { .rc = rc, .status = response->status, .text = "" };

    reply.bytes = x->bytes + response->body.len;
    if (rc < 0) {
        reply.story = arena_str(x->arena, error_text(x->err.code ? &x->err : err));
        reply.status = 0;
    } else if (x->cutter && response->status / 100 == 2) {
        reply.rc = end_list(x, &reply);
        reply.story = reply.rc < 0 ? arena_str(x->arena, error_text(&x->err)) : NULL;
    } else {
        char *text = arena_strn(x->arena, buf_text(&response->body), response->body.len);

        reply_mend(text);
        reply.text = text;
        reply.len = response->body.len;
    }
    return reply;
}

static struct call_metrics *metrics_of(struct slurm *slurm, const char *name)
{
    scoped_lock(&slurm->lock);
    struct call_metrics *m = slurm->metrics;

    while (m->name && m->name != name)
        m++;
    assert(m < slurm->metrics + CALLS_MAX - 1); /* the last one stays free */
    if (m->name)
        return m;
    m->name = name;
    m->bytes = metric(&received_bytes, slurm->cluster, name);
    m->seconds = metric(&call_seconds, slurm->cluster, name);
    for (int i = ANSWER_UNKNOWN; i <= ANSWER_YES; i++)
        m->answers[i] = metric(&calls_total, slurm->cluster, name, answer_text((enum answer)i));
    return m;
}

static void count(const struct exchange *x, enum answer answer, size_t bytes)
{
    const struct call_metrics *m = metrics_of(x->slurm, x->question.name);

    metric_add(m->answers[answer], 1);
    metric_add(m->bytes, (double)bytes);
    metric_observe(m->seconds, (double)(clock_now() - x->began) / USEC_SEC);
}

/* Versions are tried by use, newest first; the first one that the server has is kept. When it is
 * gone one day (an upgrade), all of them are tried again. False when none is left to try. Under
 * lock. */
static bool next_version(struct slurm *slurm, int gone)
{
    if (slurm->version == gone) {
        slurm->version = 0;
        slurm->next_version = gone == slurm->newest_api ? gone - 1 : slurm->newest_api;
        return slurm->next_version >= API_OLDEST;
    }
    if (slurm->version == 0 && slurm->next_version == gone)
        slurm->next_version = gone > API_OLDEST ? gone - 1 : slurm->newest_api;
    return gone > API_OLDEST;
}

static bool got_an_answer(const struct slurm_fault *fault)
{
    return !fault->code || fault->code == -EACCES || fault->code == -EOPNOTSUPP;
}

/* What the end of a request tells about the server: that it is there, which version it speaks, and
 * whether it takes our token. */
static void learn(struct exchange *x, enum answer answer, struct slurm_fault *fault)
{
    struct slurm *slurm = x->slurm;
    scoped_lock(&slurm->lock);
    struct breaker *breaker = &slurm->breakers[x->question.database];

    if (fault->code == -ECANCELED)
        breaker_cancel(breaker);
    else
        breaker_end(breaker, answer != ANSWER_UNKNOWN || got_an_answer(fault), fault->text);

    if (answer == ANSWER_UNKNOWN && fault->code == -EOPNOTSUPP) {
        x->retry_now = !x->question.database && next_version(slurm, x->version);
    } else if (fault->status || answer == ANSWER_YES) {
        slurm->version = x->version;
    }
    if (answer == ANSWER_UNKNOWN && fault->code == -EACCES && fault->status)
        x->retry_now = slurm_token_refused(slurm->token);
}

static void tell_where(const struct exchange *x, struct slurm_fault *fault)
{
    char text[sizeof fault->text];

    snprintf(text, sizeof text, "%s", fault->text);
    snprintf(fault->text, sizeof fault->text, "slurm %s: %s: %.300s", x->slurm->cluster,
             x->question.name, text);
}

enum answer exchange_end(struct exchange *x, struct http_response *response, int rc,
                         const struct error *err, struct reply *ret, struct slurm_fault *fault)
{
    enum answer answer;

    *ret = reply_of(x, response, rc, err);
    answer = reply_judge(x->arena, ret, x->question.zero_is_no, fault);
    if (answer == ANSWER_YES && x->cutter && ret->status != 304 && !list_cutter_found(x->cutter)) {
        answer = ANSWER_UNKNOWN;
        fault->code = -EBADMSG;
        snprintf(fault->text, sizeof fault->text, "an answer without \"%s\"", x->question.array);
    }
    if (fault->code)
        tell_where(x, fault);
    learn(x, answer, fault);
    count(x, answer, ret->bytes);
    list_cutter_free(take(x->cutter));
    return answer;
}
