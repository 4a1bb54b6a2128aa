/* transfer.c - a call as libcurl sees it: its options, and the callbacks that send and gather. */
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <openssl/ssl.h>
#include <string.h>

#include "base/str.h"
#include "net/http_internal.h"

enum {
    LINES_LIMIT = 64 * 1024,
    UPLOAD_BUFFER = 16 * 1024,
    /* A peer gone silent is given up after 10 + 3 * 4 s without traffic, or 20 s with
     * unacknowledged data: below the 25 s promised. */
    KEEPALIVE_IDLE = 10,
    KEEPALIVE_EVERY = 4,
    KEEPALIVE_PROBES = 3,
    UNACKNOWLEDGED_MS = 20 * 1000,
};

static void note_progress(struct call *call)
{
    call->last_byte = clock_now();
    call->road->last_byte = call->last_byte;
}

/* "HTTP/1.1 200 OK" or "HTTP/2 200": begins a head, after those of interim answers too. */
static void begin_head(struct call *call, const char *line, size_t len)
{
    const char *space = memchr(line, ' ', len);
    int status = 0;

    for (const char *c = space; c && ++c < line + len && *c >= '0' && *c <= '9' && status < 1000;)
        status = status * 10 + (*c - '0');
    call->response.version = line[5] == '2' ? 20 : 11;
    call->response.status = status;
    buf_clear(&call->response.headers);
}

static int end_head(struct call *call)
{
    if (call->response.status < 200)
        return 0;
    call->head_done = true;
    return call->request.on_headers
               ? call->request.on_headers(call->request.userdata, &call->response)
               : 0;
}

static int add_header(struct call *call, const char *line, size_t len)
{
    const char *colon = memchr(line, ':', len);
    struct buf *headers = &call->response.headers;
    size_t name_len = colon ? (size_t)(colon - line) : 0;
    size_t at = name_len + 1;
    size_t start = headers->len;

    if (!colon || memchr(line, '\0', len))
        return 0;
    while (at < len && (line[at] == ' ' || line[at] == '\t'))
        at++;
    if (buf_add(headers, line, name_len) < 0 || buf_char(headers, '\0') < 0 ||
        buf_add(headers, line + at, len - at) < 0 || buf_char(headers, '\0') < 0)
        return -EMSGSIZE;
    for (size_t i = start; i < start + name_len; i++)
        if (headers->bytes[i] >= 'A' && headers->bytes[i] <= 'Z')
            headers->bytes[i] |= 0x20;
    return 0;
}

static size_t got_header(char *line, size_t size, size_t n, void *arg)
{
    struct call *call = arg;
    size_t len = size * n;

    note_progress(call);
    while (len && (line[len - 1] == '\n' || line[len - 1] == '\r'))
        len--;
    if (call->head_done) /* trailers */
        return size * n;
    if (!len)
        call->rc = end_head(call);
    else if (len > 5 && !memcmp(line, "HTTP/", 5))
        begin_head(call, line, len);
    else
        call->rc = add_header(call, line, len);
    return call->rc < 0 ? 0 : size * n;
}

static size_t got_data(char *bytes, size_t size, size_t n, void *arg)
{
    struct call *call = arg;
    bool good = call->response.status >= 200 && call->response.status < 300;

    note_progress(call);
    if (call->request.on_data && good)
        call->rc = call->request.on_data(call->request.userdata, bytes, size * n);
    else
        call->rc = buf_add(&call->response.body, bytes, size * n);
    return call->rc < 0 ? 0 : size * n;
}

static size_t give_data(char *into, size_t size, size_t n, void *arg)
{
    struct call *call = arg;
    size_t left = call->request.body_len - call->sent;
    size_t len = size * n < left ? size * n : left;

    if (len)
        memcpy(into, (const char *)call->request.body + call->sent, len);
    call->sent += len;
    return len;
}

bool transfer_may_repeat(const struct call *call)
{
    const char *method = call->request.method;

    return call->request.may_repeat || (!str_eq(method, "POST") && !str_eq(method, "PATCH"));
}

/* libcurl rewinds to send again on a new connection. The server may have acted on the first. */
static int rewind_data(void *arg, curl_off_t offset, int origin)
{
    struct call *call = arg;

    if (origin != SEEK_SET || offset != 0 || !transfer_may_repeat(call))
        return CURL_SEEKFUNC_FAIL;
    call->sent = 0;
    return CURL_SEEKFUNC_OK;
}

static int tune_socket(void *arg, curl_socket_t fd, curlsocktype purpose)
{
    static const struct {
        int level, name, value;
    } options[] = {
        { SOL_SOCKET, SO_KEEPALIVE, 1 },
        { IPPROTO_TCP, TCP_KEEPIDLE, KEEPALIVE_IDLE },
        { IPPROTO_TCP, TCP_KEEPINTVL, KEEPALIVE_EVERY },
        { IPPROTO_TCP, TCP_KEEPCNT, KEEPALIVE_PROBES },
        { IPPROTO_TCP, TCP_USER_TIMEOUT, UNACKNOWLEDGED_MS },
    };

    (void)arg, (void)purpose;
    for (size_t i = 0; i < ARRAY_SIZE(options); i++) /* Unix sockets refuse some; no matter */
        setsockopt(fd, options[i].level, options[i].name, &options[i].value, sizeof(int));
    return CURL_SOCKOPT_OK;
}

static CURLcode tune_tls(CURL *easy, void *context, void *arg)
{
    (void)easy, (void)arg;
    SSL_CTX_set_mode(context, SSL_MODE_RELEASE_BUFFERS);
    return CURLE_OK;
}

static void add_line(struct call *call, const char *line)
{
    struct curl_slist *list = curl_slist_append(call->headers, line);

    if (!list)
        abort();
    call->headers = list;
}

static int add_authorization(struct call *call, struct error *err)
{
    const struct http_options *options = &call->http->options;
    scoped(buf) struct buf lines = { .limit = LINES_LIMIT };
    char *rest = NULL;
    int rc;

    if (!options->authorize)
        return 0;
    rc = options->authorize(options->userdata, call->request.method, call->request.path, &lines,
                            err);
    if (rc < 0)
        return rc;
    for (char *line = strtok_r(lines.bytes ?: (char[]) { "" }, "\n", &rest); line;
         line = strtok_r(NULL, "\n", &rest))
        add_line(call, line);
    if (lines.bytes)
        explicit_bzero(lines.bytes, lines.size);
    return 0;
}

static int add_headers(struct call *call, struct error *err)
{
    const struct http_request *request = &call->request;

    for (const char *const *line = request->headers; *line; line++) {
        if (strpbrk(*line, "\r\n") || !strchr(*line, ':'))
            return fail(err, -EINVAL, "'%s' is not a header", *line);
        add_line(call, *line);
    }
    if (request->content_type)
        add_line(call, fmt(call->arena, "Content-Type: %s", request->content_type));
    if (call->road->host)
        add_line(call, fmt(call->arena, "Host: %s", call->road->host));
    if (request->body_len)
        add_line(call, "Expect:"); /* no 100-continue: it costs a round trip */
    return add_authorization(call, err);
}

static void set_blob(CURL *easy, CURLoption option, const char *pem)
{
    struct curl_blob blob = { .data = (void *)pem,
                              .len = pem ? strlen(pem) : 0,
                              .flags = CURL_BLOB_NOCOPY };

    if (pem)
        curl_easy_setopt(easy, option, &blob);
}

static void set_tls(CURL *easy, const struct trust *trust)
{
    curl_easy_setopt(easy, CURLOPT_SSLVERSION, (long)CURL_SSLVERSION_TLSv1_2);
    curl_easy_setopt(easy, CURLOPT_SSL_SESSIONID_CACHE, 0L);
    curl_easy_setopt(easy, CURLOPT_SSL_CTX_FUNCTION, tune_tls);
    curl_easy_setopt(easy, CURLOPT_SSL_VERIFYPEER, trust->insecure ? 0L : 1L);
    curl_easy_setopt(easy, CURLOPT_SSL_VERIFYHOST, trust->insecure ? 0L : 2L);
    if (trust->ca || trust->insecure) { /* then the system's CAs have no say */
        curl_easy_setopt(easy, CURLOPT_CAPATH, NULL);
        curl_easy_setopt(easy, CURLOPT_CAINFO, NULL);
    }
    set_blob(easy, CURLOPT_CAINFO_BLOB, trust->ca);
    set_blob(easy, CURLOPT_SSLCERT_BLOB, trust->cert);
    set_blob(easy, CURLOPT_SSLKEY_BLOB, trust->key);
}

static void set_route(CURL *easy, const struct http_options *options, const struct road *road)
{
    long version = options->http1_only ? CURL_HTTP_VERSION_1_1 : CURL_HTTP_VERSION_2TLS;

    curl_easy_setopt(easy, CURLOPT_HTTP_VERSION, version);
    curl_easy_setopt(easy, CURLOPT_PIPEWAIT, options->http1_only ? 0L : 1L);
    curl_easy_setopt(easy, CURLOPT_PROXY, options->proxy ?: "");
    curl_easy_setopt(easy, CURLOPT_NOPROXY, "");
    curl_easy_setopt(easy, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L);
    curl_easy_setopt(easy, CURLOPT_UNIX_SOCKET_PATH, options->unix_socket);
    curl_easy_setopt(easy, CURLOPT_CONNECT_TO, road->connect_to);
    curl_easy_setopt(easy, CURLOPT_CONNECTTIMEOUT_MS, (long)(options->connect_timeout / USEC_MSEC));
    curl_easy_setopt(easy, CURLOPT_SOCKOPTFUNCTION, tune_socket);
    curl_easy_setopt(easy, CURLOPT_USERAGENT, options->user_agent);
}

static void set_body(struct call *call)
{
    const struct http_request *request = &call->request;
    bool posts = str_eq(request->method, "POST") || str_eq(request->method, "PUT") ||
                 str_eq(request->method, "PATCH");

    if (str_eq(request->method, "HEAD"))
        curl_easy_setopt(call->easy, CURLOPT_NOBODY, 1L);
    else if (request->body_len || posts)
        curl_easy_setopt(call->easy, CURLOPT_UPLOAD, 1L);
    curl_easy_setopt(call->easy, CURLOPT_CUSTOMREQUEST, request->method);
    curl_easy_setopt(call->easy, CURLOPT_INFILESIZE_LARGE, (curl_off_t)request->body_len);
    curl_easy_setopt(call->easy, CURLOPT_UPLOAD_BUFFERSIZE, (long)UPLOAD_BUFFER);
    curl_easy_setopt(call->easy, CURLOPT_READFUNCTION, give_data);
    curl_easy_setopt(call->easy, CURLOPT_READDATA, call);
    curl_easy_setopt(call->easy, CURLOPT_SEEKFUNCTION, rewind_data);
    curl_easy_setopt(call->easy, CURLOPT_SEEKDATA, call);
}

static void set_answer(struct call *call)
{
    curl_easy_setopt(call->easy, CURLOPT_PRIVATE, call);
    curl_easy_setopt(call->easy, CURLOPT_ERRORBUFFER, call->curl_error);
    curl_easy_setopt(call->easy, CURLOPT_HEADERFUNCTION, got_header);
    curl_easy_setopt(call->easy, CURLOPT_HEADERDATA, call);
    curl_easy_setopt(call->easy, CURLOPT_WRITEFUNCTION, got_data);
    curl_easy_setopt(call->easy, CURLOPT_WRITEDATA, call);
    curl_easy_setopt(call->easy, CURLOPT_NOSIGNAL, 1L);
}

int transfer_make(struct call *call, struct error *err)
{
    const char *path = call->request.path;
    char *url = fmt(call->arena, "%s%s%s", call->road->base, *path == '/' ? "" : "/", path);
    int rc;

    call->easy = curl_easy_init();
    if (!call->easy)
        abort();
    rc = add_headers(call, err);
    if (rc < 0)
        return rc;
    curl_easy_setopt(call->easy, CURLOPT_URL, url);
    curl_easy_setopt(call->easy, CURLOPT_PATH_AS_IS, 1L);
    curl_easy_setopt(call->easy, CURLOPT_HTTPHEADER, call->headers);
    set_route(call->easy, &call->http->options, call->road);
    set_tls(call->easy, call->road->trust);
    set_body(call);
    set_answer(call);
    return 0;
}
