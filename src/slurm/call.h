/* call.h - how the client asks: shared by its own files, of no interest to anybody else.
 *
 * A struct question says what is asked. slurm_ask() asks it from a worker thread, with everything
 * that client.h promises; the snapshot asks on the loop thread, by exchange_start(). Both go
 * through a struct exchange, which is one HTTP request with its list cut into items as it arrives.
 */
#pragma once
#include <pthread.h>
#include <stdatomic.h>

#include "base/buf.h"
#include "slurm/breaker.h"
#include "slurm/client.h"
#include "slurm/reply.h"
#include "json/list.h"

enum { API_NEWEST = 45, API_OLDEST = 41 };

struct metric;
struct snapshot;

/* The series of one call, looked up once. */
struct call_metrics {
    const char *name; /* of the question: its own string, so the pointer tells */
    struct metric *answers[3], *bytes, *seconds;
};
enum { CALLS_MAX = 48 }; /* different calls; more than there are */

struct slurm {
    atomic_uint refs;
    struct loop *loop;
    struct http *http;
    char *cluster;
    char *user_name; /* NULL: none */
    usec timeout;
    int newest_api;
    size_t body_limit;
    size_t item_limit;
    struct snapshot *snapshot;

    pthread_mutex_t lock;
    /* under lock */
    struct slurm_token *token;
    int version;      /* of the data API; 0: not known */
    int next_version; /* then this one is tried next */
    /* One for slurmctld and one for slurmdbd: that one of them is away says nothing of the other.
     */
    struct breaker breakers[2];
    struct call_metrics metrics[CALLS_MAX];
};

struct question {
    const char *name;    /* in metrics and messages */
    const char *method;  /* NULL: GET */
    const char *path;    /* behind the version, with its query */
    const char *path_41; /* in v0.0.41, where it differs */
    const char *body;    /* JSON */
    bool database;       /* of slurmdbd rather than slurmctld */
    bool changes;        /* must not be sent again once it may have arrived */
    bool zero_is_no;     /* see reply_judge() */
    int since;           /* the data API version that has it first; 0: all of ours */
    const char *array; /* the member whose elements go to on_item; NULL: keep the document whole */
    int (*on_item)(void *userdata, const char *item, size_t len, struct error *err);
    /* Forgets the items of a list that broke off, so that it can be asked for again; NULL: it is
     * not asked for again once items were handed out. */
    void (*on_restart)(void *userdata);
    void *userdata;
};

/* Asks and waits. For Yes, *ret holds the document (its list left out), in the call's arena. */
enum answer slurm_ask(struct slurm *slurm, struct slurm_call *call, const struct question *question,
                      struct reply *ret);
/* As slurm_ask(), and reads the document into an object of that type. */
enum answer slurm_ask_for(struct slurm *slurm, struct slurm_call *call,
                          const struct question *question, const struct type *type, void *object);

/* A No or Unknown of our own, told in the call's fault. */
enum answer slurm_say(struct slurm_call *call, enum answer answer, int code, const char *format,
                      ...) __attribute__((format(printf, 4, 5)));

/* One request under way. */
struct exchange {
    struct slurm *slurm;
    struct question question;
    struct arena *arena; /* of the result */
    int version;
    struct list_cutter *cutter;
    size_t items;
    size_t bytes;
    struct error err; /* of the cutter or on_item */
    usec began;
    /* Asking again at once, with what was learnt, can bring another answer: the server does not
     * have the API version, or refused a token that we have a new one for. */
    bool retry_now;
};

/* Readies the request; false, with fault told, when it may not or cannot be made. */
bool exchange_begin(struct exchange *x, struct slurm *slurm, const struct question *question,
                    struct arena *arena, struct http_request *ret, struct slurm_fault *fault);
/* Takes what came of it and judges it; counts it, and remembers what it tells about the server. */
enum answer exchange_end(struct exchange *x, struct http_response *response, int rc,
                         const struct error *err, struct reply *ret, struct slurm_fault *fault);
/* After a change was made, or may have been: the snapshot is behind. */
void slurm_wrote(struct slurm *slurm, unsigned parts);
