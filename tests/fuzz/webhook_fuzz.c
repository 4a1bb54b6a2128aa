/* webhook_fuzz.c - anything sent to the webhook, over a real connection: always a review, or a
 * status that says what is wrong.
 *
 * The first byte chooses a path, and the rest is the body of a request to it; or the rest is all
 * that is said on the connection.
 */
#include <arpa/inet.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/log.h"
#include "base/str.h"
#include "net/loop.h"
#include "slinky/admission.h"
#include "slinky/convert.h"

enum { ANSWER_MAX = 16 * 1024 * 1024 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct webhook *webhook;
static struct admission nothing_known;

static void must(bool holds)
{
    if (!holds)
        abort();
}

static void begin(void)
{
    struct error err = { 0 };
    struct loop *loop = loop_new();

    log_configure(LOG_ERROR, LOG_TEXT);
    must(loop_start(loop, &err) == 0);
    webhook = webhook_start(loop,
                            &(struct webhook_options) { .address = "127.0.0.1:0",
                                                        .hooks = slinky_hooks,
                                                        .convert = convert_object,
                                                        .context = &nothing_known },
                            &err);
    must(webhook);
}

/* What comes back until the server hangs up, which it does once it has read our last byte. */
static void talk(struct buf *say, struct buf *hear)
{
    struct sockaddr_in to = { .sin_family = AF_INET,
                              .sin_port = htons((uint16_t)webhook_port(webhook)),
                              .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
    struct linger reset = { .l_onoff = 1 }; /* no port is left waiting behind us */
    scoped(fd) int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    char piece[4096];
    ssize_t n;

    must(fd >= 0 && connect(fd, (struct sockaddr *)&to, sizeof to) == 0);
    for (size_t at = 0; at < say->len; at += (size_t)n) {
        n = send(fd, say->bytes + at, say->len - at, MSG_NOSIGNAL);
        if (n <= 0)
            break;
    }
    shutdown(fd, SHUT_WR);
    while ((n = recv(fd, piece, sizeof piece, 0)) > 0)
        must(buf_add(hear, piece, (size_t)n) == 0);
    setsockopt(fd, SOL_SOCKET, SO_LINGER, &reset, sizeof reset);
}

static void check_review(const char *body, size_t len)
{
    scoped(arena) struct arena *a = arena_new();
    struct json *root = NULL;

    must(json_parse(a, body, len, &root, NULL) == 0);
    must(json_str_or(json_at(root, "response.uid"), NULL));
    must(json_get(json_get(root, "response"), "allowed") || json_at(root, "response.result"));
}

static void check_answer(const struct buf *hear, bool is_whole)
{
    const char *body = hear->len ? strstr(hear->bytes, "\r\n\r\n") : NULL;

    if (!hear->len && !is_whole)
        return;
    must(str_starts(buf_text(hear), "HTTP/1.1 ") && body);
    must(strchr("245", hear->bytes[9]));
    if (!is_whole)
        return;
    must(hear->bytes[9] != '5');
    if (hear->bytes[9] == '2')
        check_review(body + 4, hear->len - (size_t)(body + 4 - hear->bytes));
}

/* Whatever an object looks like, nothing of it is lost on the way to the other version and back. */
static void check_there_and_back(struct arena *a, const struct json *object)
{
    bool is_beta = str_ends(json_str_or(json_get(object, "apiVersion"), ""), "v1beta1");
    struct json *there = NULL;
    struct json *back = NULL;
    struct json *same = NULL;

    if (!convert_knows(object))
        return;
    /* what it kept for the other version is used up first */
    must(convert_object(a, object, is_beta ? CONVERT_GROUP "/v1alpha1" : CONVERT_GROUP "/v1beta1",
                        &there, NULL) == 0);
    must(convert_object(a, there, is_beta ? CONVERT_GROUP "/v1beta1" : CONVERT_GROUP "/v1alpha1",
                        &back, NULL) == 0);
    must(json_equal(json_get(object, "spec"), json_get(back, "spec")));
    must(json_equal(json_get(object, "status"), json_get(back, "status")));
    must(convert_object(a, back, is_beta ? CONVERT_GROUP "/v1alpha1" : CONVERT_GROUP "/v1beta1",
                        &same, NULL) == 0);
    must(json_equal(there, same));
}

static void check_conversion(const char *body, size_t len)
{
    scoped(arena) struct arena *a = arena_new();
    const struct json *objects;
    struct json *root = NULL;

    if (json_parse(a, body, len, &root, NULL) < 0)
        return;
    objects = json_at(root, "request.objects");
    for (size_t i = 0; objects && objects->type == JSON_ARRAY && i < json_count(objects); i++)
        check_there_and_back(a, json_item(objects, i));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    scoped(buf) struct buf say = { 0 };
    scoped(buf) struct buf hear = { .limit = ANSWER_MAX };
    size_t hooks = 0;
    size_t chosen;

    if (!webhook)
        begin();
    if (!size)
        return 0;
    while (slinky_hooks[hooks].path)
        hooks++;
    chosen = data[0] % (hooks + 2);
    if (chosen <= hooks)
        buf_fmt(&say,
                "POST %s HTTP/1.1\r\nHost: h\r\nContent-Type: application/json\r\n"
                "Content-Length: %zu\r\nConnection: close\r\n\r\n",
                chosen < hooks ? slinky_hooks[chosen].path : "/convert", size - 1);
    buf_add(&say, data + 1, size - 1);
    talk(&say, &hear);
    check_answer(&hear, chosen <= hooks);
    if (chosen == hooks)
        check_conversion((const char *)data + 1, size - 1);
    return 0;
}
