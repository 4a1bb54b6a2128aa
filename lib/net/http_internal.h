/* http_internal.h - the client's parts.
 *
 *     http.c     what users see              turns.c    every call its turn, and its time
 *     call.c     one call and its answer     fields.c   the header fields it is sent with
 *     road.c     the connections to a server that trust alike, and which call goes where
 *     carrier.c  one connection; h1.c and h2.c are how it speaks
 *     trust.c    what TLS needs
 *
 * All but the first runs on the loop thread. Functions that end calls run their users' callbacks;
 * those only post to the loop, so nothing comes back in here from them.
 */
#pragma once
#include <nghttp2/nghttp2.h>
#include <stdatomic.h>
#include <sys/queue.h>

#include "net/answer.h"
#include "net/http.h"
#include "net/link.h"
#include "net/proxy.h"
#include "net/url.h"

/* Read once, so that a half-replaced pair of files never meets a connection. */
struct trust {
    atomic_uint refs;
    struct ssl_ctx_st *tls;
    char *server_name; /* NULL: the host's */
    bool insecure;
};

struct trust *trust_new(const struct http_tls *tls, struct error *err);
struct trust *trust_ref(struct trust *trust);
void trust_unref(struct trust *trust);
DEFINE_SCOPE(trust, trust_unref)

struct field {
    const char *name;
    const char *value;
};

struct call {
    TAILQ_ENTRY(call) entry; /* among the waiting or the started */
    TAILQ_ENTRY(call) hop;   /* among the pending of its road, or on its carrier */
    struct http *http;
    uint64_t id;
    struct arena *arena; /* of the request's copy */
    struct http_request request;
    const char *target;                          /* its path behind that of the URL */
    void (*conclude)(struct call *call, int rc); /* tells who waits for it, one way or the other */
    http_done_fn *on_done;
    struct waiter *waiter;
    usec queued;
    usec deadline;

    /* from here on, loop thread only */
    struct road *road;       /* NULL while it waits for its turn */
    struct carrier *carrier; /* NULL while it waits for a connection */
    int32_t stream;          /* HTTP/2 */
    struct field *fields;
    size_t field_count;
    size_t sent;       /* bytes of the body handed over */
    bool on_used_link; /* others had gone over that connection before */
    bool head_done;
    unsigned repeats;
    usec started;
    usec last_byte;
    struct http_response response;
    int rc; /* why a callback of ours ended it */
    struct error err;
};

TAILQ_HEAD(calls, call);

struct call *call_new(struct http *http, const struct http_request *request);
void call_free(struct call *call);
bool call_is_stream(const struct call *call);
usec call_expiry(const struct call *call); /* when it must have ended, or made progress */
/* The answer as it arrives; negative: the call is to end with call->rc. */
void call_got_status(struct call *call, int status, int version);
int call_got_field(struct call *call, const char *name, size_t name_len, const char *value,
                   size_t value_len);
int call_got_head(struct call *call);
int call_got_data(struct call *call, const char *bytes, size_t len);
/* Stories for its end; they return the code. */
int call_tell(struct call *call, int rc, const char *what);
int call_tell_stopped(struct call *call); /* by a callback or a limit */
int call_tell_expired(struct call *call);
/* Whether a call that failed so should simply begin again; it is ready for that then. unseen: the
 * server cannot have acted on it. */
bool call_repeat(struct call *call, int rc, bool unseen);
bool call_may_repeat(const struct call *call); /* even when the server has acted on it */

/* Fills call->fields: what the request says, the body needs, and authorize() adds. */
int fields_make(struct call *call, struct error *err);

enum carrier_kind { CARRIER_OPENING, CARRIER_H1, CARRIER_H2 };

struct carrier {
    TAILQ_ENTRY(carrier) entry;
    struct road *road;
    struct link *link;
    enum carrier_kind kind;
    struct calls calls;
    unsigned count;       /* of them */
    unsigned served;      /* so far */
    bool retired;         /* takes no new calls, and goes when it has none */
    struct error failure; /* .code set: to be ended as soon as we are out of its callbacks */
    usec last_byte;
    struct buf out;
    size_t out_at;            /* of out, already sent */
    struct answer answer;     /* HTTP/1.1 */
    nghttp2_session *session; /* HTTP/2 */
    bool receiving;           /* inside nghttp2, which must not be asked to send then */
    usec ping_at;             /* when one was sent that is not answered; 0: none */
};

struct carrier *carrier_new(struct road *road);
void carrier_free(struct carrier *carrier); /* no call on it */
bool carrier_has_room(const struct carrier *carrier);
void carrier_take(struct carrier *carrier, struct call *call);
/* Takes a call off that somebody else ends. May free the carrier. */
void carrier_drop(struct call *call);
void carrier_pulse(struct carrier *carrier, usec now); /* looks whether the peer lives */
/* For h1.c and h2.c. */
void carrier_forget(struct call *call); /* takes it off the list */
void carrier_break(struct carrier *carrier, int rc, const char *why);
void carrier_send(struct carrier *carrier); /* what is in .out */
void carrier_put(struct carrier *carrier, const char *bytes, size_t len);

void h1_start(struct carrier *carrier);
void h1_take(struct carrier *carrier, struct call *call);
void h1_input(struct carrier *carrier, const char *bytes, size_t len);
void h1_closed(struct carrier *carrier); /* by the server */
void h1_done(struct carrier *carrier);

void h2_start(struct carrier *carrier);
void h2_take(struct carrier *carrier, struct call *call);
void h2_input(struct carrier *carrier, const char *bytes, size_t len);
void h2_flush(struct carrier *carrier);
void h2_drop(struct carrier *carrier, struct call *call);
void h2_pulse(struct carrier *carrier, usec now);
bool h2_has_room(const struct carrier *carrier);
void h2_done(struct carrier *carrier);

struct road {
    TAILQ_ENTRY(road) entry;
    struct http *http;
    struct trust *trust;
    struct link_target target;
    char *authority; /* "host:port", the port left out when it is the scheme's own */
    TAILQ_HEAD(carriers, carrier) carriers;
    struct calls pending;     /* waiting for a connection */
    enum carrier_kind speaks; /* OPENING: not known yet */
    unsigned calls;
    unsigned streams; /* among them */
    struct timer *pulse;
    bool pulsing;
};

struct road *road_new(struct http *http, struct trust *trust);
void road_free(struct road *road); /* no call on it */
/* Negative errno, told in call->err: it cannot be sent. */
int road_carry(struct road *road, struct call *call);
/* Ends its travel, for one that somebody else ends. */
void road_leave(struct call *call);
void road_serve_pending(struct road *road);
/* A connection could not be made; those that wait for one fail. */
void road_closed(struct road *road, const struct error *err);

struct http {
    atomic_uint refs; /* the owner, and whatever is posted to the loop */
    struct loop *loop;
    struct arena *arena;
    struct http_options options; /* copied; .tls unused */
    struct url url;
    struct proxy *proxy;
    struct timer *watchdog;
    atomic_uint running, waiting_count;

    /* loop thread only */
    TAILQ_HEAD(roads, road) roads; /* the first takes new calls, the others run empty */
    struct calls started, waiting;
    unsigned streams; /* among the started */
    usec watchdog_at;
    bool pumping;
    bool closed;

    pthread_mutex_t lock; /* of what follows */
    struct calls incoming;
    uint64_t last_id;
};

void http_unref(struct http *http);

/* arg is the http, with a reference that is given up. */
void turns_take_incoming(void *arg);
/* Makes a road with that trust the one for new calls. */
void turns_open_road(struct http *http, struct trust *trust);
/* A call has ended, its story in call->err; it is on no carrier any more. */
void turns_result(struct call *call, int rc);
/* Likewise, but it may begin again. */
void turns_broken(struct call *call, int rc, bool unseen);
void turns_cancel(struct http *http, uint64_t id);
void turns_watchdog(void *arg); /* the http */
void turns_close(void *arg);    /* the http; ends every call */
