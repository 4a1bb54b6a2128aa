/* call.c - asks from a worker thread: waits, repeats, gives up in time. */
#include "slurm/call.h"

#include <assert.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "net/loop.h"

enum { TRIES_MAX = 4, RETRIES_NOW_MAX = 8 };
#define PAUSE_MIN (250 * USEC_MSEC)
#define PAUSE_MAX (2 * USEC_SEC)

enum answer slurm_say(struct slurm_call *call, enum answer answer, int code, const char *format,
                      ...)
{
    va_list args;

    call->fault.code = code;
    va_start(args, format);
    vsnprintf(call->fault.text, sizeof call->fault.text, format, args);
    va_end(args);
    return answer;
}

int slurm_fail(const struct slurm_call *call, struct error *err)
{
    return fail(err, call->fault.code ?: -EIO, "%s", call->fault.text);
}

static bool never_arrived(int code)
{
    return code == -ECONNREFUSED || code == -EHOSTUNREACH || code == -ENETUNREACH;
}

/* Whether there is a point and no harm in asking once more after a pause. */
static bool worth_repeating(const struct exchange *x, enum answer answer,
                            const struct slurm_fault *fault)
{
    if (answer != ANSWER_UNKNOWN || (x->items > 0 && !x->question.on_restart))
        return false;
    if (x->question.changes)
        return never_arrived(fault->code);
    return never_arrived(fault->code) || fault->code == -ECONNRESET || fault->code == -EHOSTDOWN;
}

static bool pause_before(unsigned n, usec deadline)
{
    usec wait = backoff(n, PAUSE_MIN, PAUSE_MAX);
    struct timespec time = { .tv_sec = wait / USEC_SEC, .tv_nsec = wait % USEC_SEC * 1000 };

    if (clock_now() + wait >= deadline)
        return false;
    nanosleep(&time, NULL);
    return true;
}

/* Asks once, and again for as long as something new was learnt about versions and tokens. */
static enum answer ask_once(struct exchange *x, struct slurm *slurm, struct slurm_call *call,
                            const struct question *question, usec deadline, struct reply *ret)
{
    enum answer answer = ANSWER_UNKNOWN;

    for (int i = 0; i < RETRIES_NOW_MAX; i++) {
        scoped(http_response) struct http_response response = { 0 };
        struct http_request request;
        struct error err = { 0 };
        int rc;

        if (!exchange_begin(x, slurm, question, call->arena, &request, &call->fault))
            return ANSWER_UNKNOWN;
        request.deadline = deadline;
        rc = http_do(slurm->http, &request, &response, &err);
        answer = exchange_end(x, &response, rc, &err, ret, &call->fault);
        if (!x->retry_now)
            break;
    }
    return answer;
}

static enum answer ask(struct slurm *slurm, struct slurm_call *call,
                       const struct question *question, usec deadline, struct reply *ret)
{
    struct exchange x = { 0 };

    for (unsigned n = 0;; n++) {
        struct slurm_fault before = call->fault;
        enum answer answer = ask_once(&x, slurm, call, question, deadline, ret);

        /* That the circuit opened or the time was up is not the story; what came before is. */
        if (n > 0 && (call->fault.code == -EAGAIN ||
                      (call->fault.code == -ETIMEDOUT && !question->changes))) {
            call->fault = before;
            return ANSWER_UNKNOWN;
        }
        if (n + 1 == TRIES_MAX || !worth_repeating(&x, answer, &call->fault) ||
            !pause_before(n, deadline))
            return answer;
        if (question->on_restart)
            question->on_restart(question->userdata);
    }
}

static bool version_is_known(struct slurm *slurm, int *ret)
{
    scoped_lock(&slurm->lock);

    *ret = slurm->version;
    return slurm->version != 0;
}

static enum answer find_version(struct slurm *slurm, struct slurm_call *call, usec deadline,
                                int *ret)
{
    struct question ping = { .name = "ping", .path = "/ping/" };
    struct reply reply;

    if (version_is_known(slurm, ret))
        return ANSWER_YES;
    if (ask(slurm, call, &ping, deadline, &reply) != ANSWER_YES || !version_is_known(slurm, ret))
        return ANSWER_UNKNOWN;
    return ANSWER_YES;
}

enum answer slurm_ask(struct slurm *slurm, struct slurm_call *call, const struct question *question,
                      struct reply *ret)
{
    usec deadline = call->deadline ?: clock_now() + slurm->timeout;
    int version;

    assert(!loop_on_thread(slurm->loop));
    call->fault = (struct slurm_fault) { 0 };
    /* A call that older versions lack, or that a server may not offer at all, tells nothing about
     * versions by failing. */
    if (question->since || question->database) {
        if (find_version(slurm, call, deadline, &version) != ANSWER_YES)
            return ANSWER_UNKNOWN;
        if (version < question->since)
            return slurm_say(call, ANSWER_NO, -EOPNOTSUPP,
                             "slurm %s: %s: needs data API v0.0.%d, and slurmrestd has v0.0.%d",
                             slurm->cluster, question->name, question->since, version);
    }
    return ask(slurm, call, question, deadline, ret);
}

enum answer slurm_ask_for(struct slurm *slurm, struct slurm_call *call,
                          const struct question *question, const struct type *type, void *object)
{
    struct error err = { 0 };
    struct reply reply;
    enum answer answer = slurm_ask(slurm, call, question, &reply);

    if (answer != ANSWER_YES)
        return answer;
    if (table_read(call->arena, type, reply.text, reply.len, object, &err) < 0)
        return slurm_say(call, ANSWER_UNKNOWN, -EBADMSG, "slurm %s: %s: %.300s", slurm->cluster,
                         question->name, error_text(&err));
    return ANSWER_YES;
}

enum answer slurm_version(struct slurm *slurm, struct slurm_call *call, int *ret)
{
    call->fault = (struct slurm_fault) { 0 };
    return find_version(slurm, call, call->deadline ?: clock_now() + slurm->timeout, ret);
}
