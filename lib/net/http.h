/* http.h - requests to one server, over as few connections as it takes.
 *
 *     struct http *api = http_new(loop, &(struct http_options){ .url = "https://10.0.0.1" }, &err);
 *     scoped(http_response) struct http_response response = { 0 };
 *     rc = http_do(api, &(struct http_request){ .path = "/version" }, &response, &err);
 *
 * All requests of a struct http share one HTTP/2 connection where the server speaks it, and a few
 * HTTP/1.1 connections where it does not. A worker thread uses http_do(), which waits; whoever must
 * not wait, or wants to follow a stream, uses http_start(). Functions are safe from any thread,
 * callbacks run on the loop thread.
 *
 * A request fails with the story in words and one of
 *     -ETIMEDOUT     the deadline passed, or a stream fell silent for longer than idle_limit
 *     -ECONNREFUSED, -EHOSTUNREACH, -ENETUNREACH ...  no connection could be made
 *     -ECONNRESET    the connection broke after the request was, or may have been, sent
 *     -EPROTO        TLS failed (the story says whether trust, name or date) or not HTTP
 *     -EMSGSIZE      the answer is larger than body_limit
 *     -ECANCELED     http_cancel(), http_free(), or on_headers/on_data said so
 * Any answer the server gave, whatever its status, is not a failure here: look at .status.
 * A request that broke off on a connection used before, with not one byte of an answer, is sent
 * again by itself: it met a GOAWAY or a connection the server had closed. The body of a POST or
 * PATCH is never sent twice, unless may_repeat.
 *
 * A connection that died without a word (packets dropped) is found within 26 s, by pings over
 * HTTP/2 and by the kernel otherwise, and what waits on it fails with -ETIMEDOUT; a request that
 * times out while nothing at all arrives makes later ones use a new connection at once.
 *
 * HTTP/2 is spoken over TLS only. Redirects are not followed, and bodies not decompressed. The loop
 * must run for anything to happen.
 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/scope.h"

struct http;
struct loop;

/* What to trust and who to be, in files or in memory (PEM); memory wins. Nothing: the system's. */
struct http_tls {
    const char *ca_file;
    const char *ca_pem;
    const char *cert_file; /* client certificate */
    const char *cert_pem;
    const char *key_file;
    const char *key_pem;
    const char *server_name; /* expected in place of the host of the URL */
    bool insecure;           /* do not verify the server */
};

struct http_options {
    const char *url;         /* "https://host:port/base"; the base is put before every path */
    const char *unix_socket; /* connect here; .url still gives Host and base */
    const char *proxy; /* "http://host:port", "socks5://..."; the environment does not count */
    const char *user_agent;
    struct http_tls tls;
    bool http1_only;
    usec connect_timeout;     /* 0: 10 s */
    usec timeout;             /* of requests without a deadline; 0: 30 s */
    unsigned max_in_flight;   /* 0: 64; further ones wait inside, first come first served */
    unsigned max_connections; /* HTTP/1.1 only; 0: 8. Streams (idle_limit) are not counted. */
    /* Adds headers that change over time, such as an authorization, to each request as it is sent:
     * called on the loop thread, writes whole lines "Name: value\n" into lines. Negative errno with
     * err told: the request is not sent and fails with it (a write after the lease was lost). */
    int (*authorize)(void *userdata, const char *method, const char *path, struct buf *lines,
                     struct error *err);
    void *userdata;
};

/* Strings and PEM are copied and files are read now: -EINVAL or the file's error says which. */
struct http *http_new(struct loop *loop, const struct http_options *options, struct error *err);
/* Ends every call with -ECANCELED, callbacks included, before it returns. */
void http_free(struct http *http);
DEFINE_SCOPE(http, http_free)

/* New trust or client certificate: files are read again, and later requests use new connections;
 * requests under way finish on the old ones. On failure everything stays as it was. */
int http_reload(struct http *http, const struct http_tls *tls, struct error *err);

struct http_response {
    int status;         /* 0: the server gave no answer */
    int version;        /* 11 HTTP/1.1, 20 HTTP/2 */
    struct buf body;    /* what on_data did not take */
    struct buf headers; /* "name\0value\0"..., names in lower case; read with http_header() */
    usec waited;        /* inside, for its turn */
    usec took;          /* from being sent to the last byte */
};

void http_response_done(struct http_response *response);
static inline __attribute__((unused)) void scope_end_http_response(struct http_response *response)
{
    http_response_done(response);
}
/* Value of the first header of that name (any case), or NULL; borrowed from the response. */
const char *http_header(const struct http_response *response, const char *name);
/* One after the other, for headers that come many times: begin with *at = 0; NULL at the end. */
const char *http_header_next(const struct http_response *response, const char *name, size_t *at);

struct http_request {
    const char *method;         /* NULL: GET */
    const char *path;           /* "/api/v1/pods?limit=500", already escaped */
    const char *const *headers; /* "Name: value", NULL-terminated; or NULL */
    const void *body;
    size_t body_len;
    const char *content_type; /* of the body */
    usec deadline;            /* on clock_now(); 0: options.timeout from now; USEC_NEVER: none */
    usec idle_limit;   /* not 0: a stream; ends with -ETIMEDOUT after this long without a byte */
    size_t body_limit; /* 0: 32 MiB; of what is kept in memory, not of what on_data takes */
    /* Once, when the status and headers are there; negative errno ends the request with it. */
    int (*on_headers)(void *userdata, const struct http_response *response);
    /* Takes the body of a 2xx answer piece by piece as it arrives; other answers are kept in
     * response->body. Negative errno ends the request with it. */
    int (*on_data)(void *userdata, const char *bytes, size_t len);
    void *userdata;  /* for on_headers, on_data and on_done */
    bool may_repeat; /* POST and PATCH: sending it twice does no harm */
};

/* The end of a call: rc is 0 or why it failed, with the story in err. The response is complete when
 * rc is 0, and may hold a part otherwise; what the callback wants to keep it takes out of it. */
typedef void http_done_fn(void *userdata, struct http_response *response, int rc,
                          const struct error *err);

/* Begins a request and returns its number, never 0. The request is copied. on_done is called
 * exactly once, on the loop thread, never before http_start() has returned. */
uint64_t http_start(struct http *http, const struct http_request *request, http_done_fn *on_done);
/* Ends the call with -ECANCELED unless it has ended by then; numbers of calls long gone are fine.
 */
void http_cancel(struct http *http, uint64_t call);
/* Sends the request and waits for the end of it. Never on the loop thread. *ret must be zeroed and
 * is to be ended with http_response_done() whatever the result. */
int http_do(struct http *http, const struct http_request *request, struct http_response *ret,
            struct error *err);

/* How many requests are under way and how many wait for their turn. */
void http_load(struct http *http, unsigned *ret_running, unsigned *ret_waiting);
