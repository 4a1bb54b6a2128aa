/* resolve.c - getaddrinfo() on a thread that owns nothing but its question and its answer. */
#include "net/resolve.h"

#include <errno.h>
#include <event2/event.h>
#include <netdb.h>
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "base/arena.h"
#include "net/loop.h"

enum { RESOLVER_STACK = 256 * 1024 };

/* Shared with the thread, which may outlive whoever asked, the loop included. */
struct question {
    atomic_uint refs;
    char *host;
    char port[8];
    int done_fd;
    int failure; /* of getaddrinfo() */
    struct addresses found;
};

struct resolve {
    struct question *question;
    struct event *done;
    void (*on_done)(void *userdata, const struct addresses *found, const struct error *err);
    void *userdata;
};

static void question_unref(struct question *question)
{
    if (--question->refs)
        return;
    close(question->done_fd);
    free(question->host);
    free(question);
}

static void look_up(struct question *question, int flags)
{
    struct addrinfo hints = { .ai_socktype = SOCK_STREAM, .ai_flags = flags };
    struct addrinfo *list = NULL;
    struct addresses *found = &question->found;

    question->failure = getaddrinfo(question->host, question->port, &hints, &list);
    for (struct addrinfo *at = list; at && found->count < ADDRESSES_MAX; at = at->ai_next) {
        memcpy(&found->list[found->count].at, at->ai_addr, at->ai_addrlen);
        found->list[found->count++].len = at->ai_addrlen;
    }
    if (list)
        freeaddrinfo(list);
}

static void tell(struct question *question)
{
    if (write(question->done_fd, &(uint64_t) { 1 }, sizeof(uint64_t)) < 0)
        abort(); /* an eventfd takes one write whatever happens */
}

static void *thread_main(void *arg)
{
    struct question *question = arg;

    pthread_setname_np(pthread_self(), "resolve");
    look_up(question, AI_ADDRCONFIG);
    tell(question);
    question_unref(question);
    return NULL;
}

static void start_thread(struct question *question)
{
    pthread_attr_t attr;
    pthread_t thread;

    pthread_attr_init(&attr);
    pthread_attr_setstacksize(&attr, RESOLVER_STACK);
    pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
    question->refs++;
    if (pthread_create(&thread, &attr, thread_main, question)) {
        question->failure = EAI_MEMORY;
        question_unref(question);
        tell(question);
    }
    pthread_attr_destroy(&attr);
}

static void answered(evutil_socket_t fd, short what, void *arg)
{
    struct resolve *resolve = arg;
    const struct question *question = resolve->question;
    struct error err = { 0 };
    uint64_t count = 0;

    (void)what;
    if (fd >= 0 && read((int)fd, &count, sizeof count) < 0 && errno == EAGAIN)
        return; /* not told yet; reading it is also what makes the answer visible to us */
    if (question->failure || !question->found.count)
        fail(&err, -EHOSTUNREACH, "resolve %s: %s", question->host,
             question->failure ? gai_strerror(question->failure) : "no address");
    resolve->on_done(resolve->userdata, err.code ? NULL : &question->found, &err);
}

static struct question *question_new(const char *host, int port)
{
    struct question *question = must_alloc(sizeof *question);

    question->refs = 1;
    question->host = must_str(host);
    snprintf(question->port, sizeof question->port, "%d", port);
    question->done_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    return question;
}

struct resolve *resolve_new(struct loop *loop, const char *host, int port,
                            void (*on_done)(void *userdata, const struct addresses *found,
                                            const struct error *err),
                            void *userdata)
{
    struct resolve *resolve = must_alloc(sizeof *resolve);
    struct question *question = question_new(host, port);

    *resolve = (struct resolve) { .question = question, .on_done = on_done, .userdata = userdata };
    if (question->done_fd < 0) { /* out of descriptors */
        question->failure = EAI_SYSTEM;
        resolve->done = event_new(loop_base(loop), -1, 0, answered, resolve);
        event_active(resolve->done, EV_TIMEOUT, 0);
        return resolve;
    }
    resolve->done =
        event_new(loop_base(loop), question->done_fd, EV_READ | EV_PERSIST, answered, resolve);
    if (!resolve->done || event_add(resolve->done, NULL) < 0)
        abort();
    look_up(question, AI_NUMERICHOST);
    if (question->failure)
        start_thread(question);
    else
        tell(question);
    return resolve;
}

void resolve_free(struct resolve *resolve)
{
    if (!resolve)
        return;
    event_free(resolve->done);
    question_unref(resolve->question);
    free(resolve);
}
