/* lane.c - connects libcurl's wishes (watch this socket, call me then) with libevent. */
#include "net/lane.h"

#include <event2/event.h>

#include "base/arena.h"
#include "net/loop.h"

enum { STREAMS_MAX = 1000 }; /* the server's own limit holds; libcurl's default would be lower */

struct lane {
    CURLM *multi;
    struct loop *loop;
    struct timer *timer;
    unsigned limit;
    void (*on_done)(void *userdata, CURL *easy, CURLcode code);
    void *userdata;
};

static void collect_done(struct lane *lane)
{
    CURLMsg *message;
    int left;

    while ((message = curl_multi_info_read(lane->multi, &left))) {
        CURL *easy = message->easy_handle;
        CURLcode code = message->data.result;

        if (message->msg != CURLMSG_DONE)
            continue;
        curl_multi_remove_handle(lane->multi, easy);
        lane->on_done(lane->userdata, easy, code);
    }
}

static void act(struct lane *lane, curl_socket_t socket, int what)
{
    int running;

    curl_multi_socket_action(lane->multi, socket, what, &running);
    collect_done(lane);
}

static void socket_ready(evutil_socket_t fd, short what, void *arg)
{
    int flags = (what & EV_READ ? CURL_CSELECT_IN : 0) | (what & EV_WRITE ? CURL_CSELECT_OUT : 0);

    act(arg, fd, flags);
}

static void time_passed(void *arg)
{
    act(arg, CURL_SOCKET_TIMEOUT, 0);
}

static struct event *event_of(struct lane *lane, curl_socket_t fd, int what)
{
    short flags = EV_PERSIST;
    struct event *event;

    if (what & CURL_POLL_IN)
        flags |= EV_READ;
    if (what & CURL_POLL_OUT)
        flags |= EV_WRITE;
    event = event_new(loop_base(lane->loop), fd, flags, socket_ready, lane);
    if (!event || event_add(event, NULL) < 0)
        abort();
    return event;
}

/* old is the event that we keep with the socket; libevent cannot change the flags of one. */
static int watch_socket(CURL *easy, curl_socket_t fd, int what, void *arg, void *old)
{
    struct lane *lane = arg;
    struct event *event = NULL;

    (void)easy;
    if (old)
        event_free(old);
    if (what != CURL_POLL_REMOVE)
        event = event_of(lane, fd, what);
    curl_multi_assign(lane->multi, fd, event);
    return 0;
}

/* Called from inside libcurl, so even "now" must go through the loop. */
static int set_timer(CURLM *multi, long msec, void *arg)
{
    struct lane *lane = arg;

    (void)multi;
    if (msec < 0)
        timer_stop(lane->timer);
    else
        timer_set(lane->timer, msec * USEC_MSEC);
    return 0;
}

struct lane *lane_new(struct loop *loop, void (*on_done)(void *userdata, CURL *easy, CURLcode code),
                      void *userdata)
{
    struct lane *lane = must_alloc(sizeof *lane);

    *lane = (struct lane) { .loop = loop, .on_done = on_done, .userdata = userdata };
    lane->timer = timer_new(loop, USEC_NEVER, 0, time_passed, lane);
    lane->multi = curl_multi_init();
    if (!lane->multi)
        abort();
    curl_multi_setopt(lane->multi, CURLMOPT_SOCKETFUNCTION, watch_socket);
    curl_multi_setopt(lane->multi, CURLMOPT_SOCKETDATA, lane);
    curl_multi_setopt(lane->multi, CURLMOPT_TIMERFUNCTION, set_timer);
    curl_multi_setopt(lane->multi, CURLMOPT_TIMERDATA, lane);
    curl_multi_setopt(lane->multi, CURLMOPT_PIPELINING, CURLPIPE_MULTIPLEX);
    curl_multi_setopt(lane->multi, CURLMOPT_MAX_CONCURRENT_STREAMS, (long)STREAMS_MAX);
    return lane;
}

void lane_free(struct lane *lane)
{
    if (!lane)
        return;
    curl_multi_cleanup(lane->multi);
    timer_free(lane->timer);
    free(lane);
}

void lane_add(struct lane *lane, CURL *easy)
{
    if (curl_multi_add_handle(lane->multi, easy) != CURLM_OK)
        abort();
}

void lane_remove(struct lane *lane, CURL *easy)
{
    curl_multi_remove_handle(lane->multi, easy);
}

void lane_limit(struct lane *lane, unsigned connections)
{
    if (connections == lane->limit)
        return;
    lane->limit = connections;
    curl_multi_setopt(lane->multi, CURLMOPT_MAX_HOST_CONNECTIONS, (long)connections);
}
