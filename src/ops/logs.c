/* logs.c - what a container printed, passed on as it arrives. */
#include "ops/logs.h"

#include "base/file.h"
#include "net/http.h"
#include "net/url.h"

#define SILENCE (60 * USEC_SEC)                 /* of a log that is not followed */
#define LONG_SILENCE (7 * 24 * 3600 * USEC_SEC) /* of one that is; a dead peer is found by pings   \
                                                 */

static const char *path_of(struct arena *a, const struct logs_options *o)
{
    const char *path = fmt(a, "/api/v1/namespaces/%s/pods/%s/log?container=%s%s%s", o->namespace,
                           o->pod, url_escape(a, o->container), o->follow ? "&follow=true" : "",
                           o->previous ? "&previous=true" : "");

    if (o->tail >= 0)
        path = fmt(a, "%s&tailLines=%lld", path, (long long)o->tail);
    if (o->since > 0)
        path = fmt(a, "%s&sinceSeconds=%lld", path, (long long)(o->since / USEC_SEC) ?: 1LL);
    return path;
}

/* On the loop thread, which has nothing else to do: to wait here is to let the server wait. */
static int pass_on(void *userdata, const char *bytes, size_t len)
{
    const struct logs_options *options = userdata;

    return write_all(options->fd, bytes, len);
}

int logs_copy(struct session *s, const struct logs_options *options, struct error *err)
{
    scoped(http_response) struct http_response response = { 0 };
    struct http_request request = {
        .path = path_of(s->arena, options),
        .deadline = USEC_NEVER,
        .idle_limit = options->follow ? LONG_SILENCE : SILENCE,
        .on_data = pass_on,
        .userdata = (void *)options,
    };
    int rc = http_do(client_http(s->client), &request, &response, err);

    if (rc < 0)
        return rc;
    return client_status_error(response.status, response.body.bytes, response.body.len, err);
}
