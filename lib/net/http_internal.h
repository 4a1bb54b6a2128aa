/* http_internal.h - the client's parts.
 *
 * http.c is what users see, turns.c keeps the calls and gives each its turn; call.c is one call,
 * transfer.c its libcurl side; a road carries calls to the server; trust.c is what TLS needs. */
#pragma once
#include <curl/curl.h>
#include <stdatomic.h>
#include <sys/queue.h>

#include "net/http.h"
#include "net/lane.h"
#include "net/url.h"

/* PEM in memory, read once, so that a half-replaced pair of files never meets a connection. */
struct trust {
    atomic_uint refs;
    char *ca;
    char *cert;
    char *key;
    char *server_name;
    bool insecure;
};

struct trust *trust_new(const struct http_tls *tls, struct error *err);
struct trust *trust_ref(struct trust *trust);
void trust_unref(struct trust *trust);
DEFINE_SCOPE(trust, trust_unref)

/* A lane and what it trusts. Loop thread only. */
struct road {
    TAILQ_ENTRY(road) entry;
    struct http *http;
    struct lane *lane;
    struct trust *trust;
    struct curl_slist *connect_to; /* where the name in the URL really is */
    char *base;                    /* "https://name:port/base" */
    char *host;                    /* Host header, when not that of base */
    unsigned calls;
    unsigned streams;
    usec last_byte; /* when anything arrived on it */
};

struct road *road_new(struct http *http, struct trust *trust);
void road_free(struct road *road); /* no call on it */

struct waiter; /* a thread in http_do() */

struct call {
    TAILQ_ENTRY(call) entry;
    struct http *http;
    uint64_t id;
    struct arena *arena; /* of the request's copy */
    struct http_request request;
    void (*conclude)(struct call *call, int rc); /* tells who waits for it, one way or the other */
    http_done_fn *on_done;
    struct waiter *waiter;
    usec queued;
    usec deadline;

    /* from here on, loop thread only */
    struct road *road; /* NULL while it waits for its turn */
    CURL *easy;
    struct curl_slist *headers;
    char curl_error[CURL_ERROR_SIZE];
    size_t sent; /* bytes of the body handed to libcurl */
    bool head_done;
    unsigned repeats;
    usec started;
    usec last_byte;
    struct http_response response;
    int rc; /* why a callback of ours ended it */
    struct error err;
};

TAILQ_HEAD(calls, call);

struct http {
    atomic_uint refs; /* the owner, and whatever is posted to the loop */
    struct loop *loop;
    struct arena *arena;
    struct http_options options; /* copied; .tls unused */
    struct url url;
    struct timer *watchdog;
    atomic_uint running, waiting_count;

    /* loop thread only */
    TAILQ_HEAD(, road) roads; /* the first takes new calls, the others run empty */
    struct calls started, waiting;
    unsigned streams; /* among the started */
    usec watchdog_at;
    bool pumping;
    bool closed;

    pthread_mutex_t lock; /* of what follows */
    struct calls incoming;
    uint64_t last_id;
};

/* Tells libcurl all about the call, whose .road is set. */
int transfer_make(struct call *call, struct error *err);
bool transfer_may_repeat(const struct call *call); /* even when the server may have acted on it */

struct call *call_new(struct http *http, const struct http_request *request);
void call_free(struct call *call);
/* Makes the transfer and puts it on the road; negative errno when it cannot begin. */
int call_begin(struct call *call, struct road *road);
/* What came of a transfer that libcurl ended; fills call->err. */
int call_result(struct call *call, CURLcode code);
/* Whether a call that failed so should simply begin again; it is ready for that then. */
bool call_repeat(struct call *call, int rc);
/* Takes it off its road and says that its time is over. */
int call_expire(struct call *call);
int call_cancel(struct call *call);
/* When it must have ended, or made progress. */
usec call_expiry(const struct call *call);
bool call_is_stream(const struct call *call);

void http_unref(struct http *http);

/* Loop thread only. arg is the http, with a reference that is given up. */
void turns_take_incoming(void *arg);
/* Makes a road with that trust the one for new calls. */
void turns_open_road(struct http *http, struct trust *trust);
/* A call has ended by itself; it may begin again. */
void turns_result(struct call *call, int rc);
void turns_cancel(struct http *http, uint64_t id);
void turns_watchdog(void *arg); /* the http */
void turns_close(void *arg);    /* the http; ends every call */
