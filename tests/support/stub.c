/* stub.c - a small blocking HTTP/1.1 server under the control of a test. */
#include "support/stub.h"

#include <arpa/inet.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <time.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/file.h"
#include "base/str.h"
#include "slurm/reply.h"
#include "support/test.h"
#include "json/json.h"

struct planned {
    struct planned *next;
    char *key; /* "GET /path" */
    struct stub_answer answer;
    char *body;
    bool once;
};

struct connection {
    struct connection *next;
    struct stub *stub;
    pthread_t thread;
    int fd;
};

struct stub {
    int fd;
    char url[64];
    pthread_t thread;
    pthread_mutex_t lock;
    /* under lock */
    struct planned *plan;
    struct connection *connections;
    struct buf log; /* one line for each request: its key */
    char *last;
    bool ending;
};

static void planned_free(struct planned *p)
{
    free(p->key);
    free(p->body);
    free((char *)p->answer.type);
    free(p);
}

static char *key_of(const char *method, const char *path)
{
    char *key = NULL;

    if (asprintf(&key, "%s %s", method, path) < 0)
        abort();
    return key;
}

static const char *plan(struct stub *stub, char *key, const struct stub_answer *answer, bool once)
{
    scoped_lock(&stub->lock);
    struct planned *p = must_alloc(sizeof *p);
    struct planned **slot = &stub->plan;

    *p = (struct planned) { .key = key, .answer = *answer, .once = once };
    p->answer.body_len = answer->body_len ?: strlen(answer->body ?: "");
    p->body = must_alloc(p->answer.body_len + 1);
    memcpy(p->body, answer->body ?: "", p->answer.body_len);
    p->answer.type = must_str(answer->type ?: "application/json");
    while (*slot && (!str_eq((*slot)->key, key) || (*slot)->once))
        slot = &(*slot)->next; /* behind those that wait in line */
    if (!once && *slot) {
        struct planned *old = *slot;

        *slot = old->next;
        planned_free(old);
    }
    p->next = *slot;
    *slot = p;
    return key;
}

void stub_set(struct stub *stub, const char *method, const char *path,
              const struct stub_answer *answer)
{
    plan(stub, key_of(method, path), answer, false);
}

void stub_once(struct stub *stub, const char *method, const char *path,
               const struct stub_answer *answer)
{
    plan(stub, key_of(method, path), answer, true);
}

void stub_remove(struct stub *stub, const char *method, const char *path)
{
    scoped_lock(&stub->lock);
    scoped(free) char *key = key_of(method, path);

    for (struct planned **slot = &stub->plan; *slot;) {
        struct planned *p = *slot;

        if (str_eq(p->key, key)) {
            *slot = p->next;
            planned_free(p);
        } else {
            slot = &p->next;
        }
    }
}

const char *stub_replay(struct stub *stub, const char *version, const char *name)
{
    scoped(arena) struct arena *a = arena_new();
    scoped(free) char *text = NULL;
    char *path = fmt(a, "%s/unit/data/slurmrest/%s/%s.json", test_dir(), version, name);
    const struct json *reply;
    struct error err = { 0 };
    struct json *doc;
    struct stub_answer answer;
    size_t len;
    char *where, *key;

    CHECK_OK(file_read(path, 1 << 24, &text, &len, &err), err);
    reply_mend(text); /* as a client must */
    CHECK_OK(json_parse(a, text, len, &doc, &err), err);
    reply = json_get(doc, "reply");
    where = arena_str(a, json_str_or(json_at(doc, "request.path"), ""));
    where[strcspn(where, "?")] = '\0';
    answer = (struct stub_answer) {
        .status = (int)json_int_or(json_get(doc, "status"), 0),
        .type = json_str_or(json_at(doc, "headers.content-type"), NULL),
        .body = reply && reply->type == JSON_STR ? reply->str.text : json_text(a, reply),
    };
    key = key_of(json_str_or(json_at(doc, "request.method"), ""), where);
    return strrchr(plan(stub, key, &answer, false), '/') + 1;
}

static struct planned **find(struct stub *stub, const char *key, size_t len)
{
    struct planned **slot = &stub->plan;

    while (*slot && (strlen((*slot)->key) != len || strncmp((*slot)->key, key, len) != 0))
        slot = &(*slot)->next;
    return slot;
}

/* A copy of the answer planned for this request; one that was planned once is gone then. */
static struct stub_answer answer_for(struct stub *stub, const char *key, char **ret_body)
{
    scoped_lock(&stub->lock);
    struct planned **slot = find(stub, key, strlen(key));
    struct planned *p = *slot;

    if (!p)
        p = *(slot = find(stub, key, strcspn(key, "?")));
    if (p) {
        struct stub_answer answer = p->answer;

        *ret_body = must_alloc(answer.body_len + 1);
        memcpy(*ret_body, p->body, answer.body_len);
        answer.type = str_starts(answer.type, "text") ? "text/plain" : "application/json";
        if (p->once) {
            *slot = p->next;
            planned_free(p);
        }
        return answer;
    }
    *ret_body = must_str("Unable to find requested URL endpoint.");
    return (
        struct stub_answer) { .status = 404, .type = "text/plain", .body_len = strlen(*ret_body) };
}

static void nap(usec time)
{
    struct timespec t = { .tv_sec = time / USEC_SEC, .tv_nsec = time % USEC_SEC * 1000 };

    nanosleep(&t, NULL);
}

/* False when the connection is over. */
static bool answer_request(struct connection *c, const char *key)
{
    scoped(free) char *body = NULL;
    struct stub_answer answer = answer_for(c->stub, key, &body);
    scoped(buf) struct buf out = { 0 };
    size_t send_len = answer.cut ? answer.cut : answer.body_len;
    bool none = answer.status == 304;

    if (answer.delay)
        nap(answer.delay);
    buf_fmt(&out, "HTTP/1.1 %d Whatever\r\n", answer.status ?: 200);
    if (!none)
        buf_fmt(&out, "Content-Type: %s\r\nContent-Length: %zu\r\n", answer.type, answer.body_len);
    buf_str(&out, "\r\n");
    if (!none)
        buf_add(&out, body, send_len);
    return write_all(c->fd, out.bytes, out.len) == 0 && !answer.cut;
}

static void note(struct stub *stub, const char *key, const char *text)
{
    scoped_lock(&stub->lock);

    buf_fmt(&stub->log, "%s\n", key);
    free(stub->last);
    stub->last = must_str(text);
}

static size_t length_of(const char *head)
{
    for (const char *line = head; line; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL)
        if (!strncasecmp(line, "content-length:", 15))
            return strtoul(line + 15, NULL, 10);
    return 0;
}

/* One request out of what arrived; false at the end of the connection. */
static bool serve_one(struct connection *c, struct buf *in)
{
    char piece[16384];
    char method[16], path[4096];
    scoped(free) char *key = NULL;
    char *end;
    size_t need;

    while (!in->bytes || !(end = strstr(in->bytes, "\r\n\r\n")) ||
           in->len < (need = (size_t)(end - in->bytes) + 4 + length_of(in->bytes))) {
        ssize_t n = recv(c->fd, piece, sizeof piece, 0);

        if (n <= 0)
            return false;
        buf_add(in, piece, (size_t)n);
    }
    if (sscanf(in->bytes, "%15s %4095s", method, path) != 2)
        return false;
    key = key_of(method, path);
    note(c->stub, key, in->bytes);
    buf_consume(in, need);
    return answer_request(c, key);
}

static void *serve(void *userdata)
{
    struct connection *c = userdata;
    scoped(buf) struct buf in = { 0 };

    while (serve_one(c, &in))
        ;
    shutdown(c->fd, SHUT_RDWR);
    return NULL;
}

static void *listen_for(void *userdata)
{
    struct stub *stub = userdata;

    for (;;) {
        int fd = accept(stub->fd, NULL, NULL);
        struct connection *c;

        if (fd < 0)
            return NULL;
        scoped_lock(&stub->lock);
        if (stub->ending) {
            close(fd);
            return NULL;
        }
        c = must_alloc(sizeof *c);
        *c = (struct connection) { .next = stub->connections, .stub = stub, .fd = fd };
        stub->connections = c;
        if (pthread_create(&c->thread, NULL, serve, c))
            abort();
    }
}

struct stub *stub_new(void)
{
    struct stub *stub = must_alloc(sizeof *stub);
    struct sockaddr_in address = { .sin_family = AF_INET,
                                   .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
    socklen_t len = sizeof address;

    pthread_mutex_init(&stub->lock, NULL);
    stub->fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (bind(stub->fd, (struct sockaddr *)&address, sizeof address) < 0 ||
        listen(stub->fd, 64) < 0 || getsockname(stub->fd, (struct sockaddr *)&address, &len) < 0)
        abort();
    snprintf(stub->url, sizeof stub->url, "http://127.0.0.1:%d", ntohs(address.sin_port));
    if (pthread_create(&stub->thread, NULL, listen_for, stub))
        abort();
    return stub;
}

void stub_free(struct stub *stub)
{
    struct connection *connections;

    if (!stub)
        return;
    pthread_mutex_lock(&stub->lock);
    stub->ending = true;
    connections = take(stub->connections);
    for (struct connection *c = connections; c; c = c->next)
        shutdown(c->fd, SHUT_RDWR);
    pthread_mutex_unlock(&stub->lock);
    shutdown(stub->fd, SHUT_RDWR);
    pthread_join(stub->thread, NULL);
    close(stub->fd);
    for (struct connection *next; connections; connections = next) {
        next = connections->next;
        pthread_join(connections->thread, NULL);
        close(connections->fd);
        free(connections);
    }
    for (struct planned *next; stub->plan; stub->plan = next) {
        next = stub->plan->next;
        planned_free(stub->plan);
    }
    buf_done(&stub->log);
    free(stub->last);
    free(stub);
}

const char *stub_url(const struct stub *stub)
{
    return stub->url;
}

int stub_count(struct stub *stub, const char *method, const char *path)
{
    scoped_lock(&stub->lock);
    int count = 0;

    for (const char *line = buf_text(&stub->log); *line; line = strchr(line, '\n') + 1) {
        size_t m = strcspn(line, " ");
        size_t p = strcspn(line + m + 1, "?\n");

        count += (!method || (strlen(method) == m && !strncmp(line, method, m))) &&
                 (!path || (strlen(path) == p && !strncmp(line + m + 1, path, p)));
    }
    return count;
}

char *stub_last(struct stub *stub)
{
    scoped_lock(&stub->lock);

    return must_str(stub->last ?: "");
}
