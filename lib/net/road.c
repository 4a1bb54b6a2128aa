/* road.c - a lane to one server, by the name it is trusted under. */
#include <string.h>

#include "base/str.h"
#include "net/http_internal.h"

static const char *bracketed(struct arena *a, const char *host)
{
    return strchr(host, ':') ? fmt(a, "[%s]", host) : host;
}

/* The name that the certificate must carry goes into the URL, since libcurl verifies that one; the
 * address we really connect to, and the Host header, are then told separately. */
static void name_server(struct road *road, struct arena *a, const struct url *url)
{
    const char *name = road->trust->server_name;
    const char *host = bracketed(a, url->host);
    bool is_default = url->port == (str_eq(url->scheme, "https") ? 443 : 80);

    if (!name || str_eq(name, url->host)) {
        road->base = must_str(fmt(a, "%s://%s:%d%s", url->scheme, host, url->port, url->path));
        return;
    }
    name = bracketed(a, name);
    road->base = must_str(fmt(a, "%s://%s:%d%s", url->scheme, name, url->port, url->path));
    road->host = must_str(is_default ? host : fmt(a, "%s:%d", host, url->port));
    road->connect_to =
        curl_slist_append(NULL, fmt(a, "%s:%d:%s:%d", name, url->port, host, url->port));
}

static void transfer_done(void *userdata, CURL *easy, CURLcode code)
{
    struct call *call = NULL;

    (void)userdata;
    curl_easy_getinfo(easy, CURLINFO_PRIVATE, (char **)&call);
    turns_result(call, call_result(call, code));
}

struct road *road_new(struct http *http, struct trust *trust)
{
    scoped(arena) struct arena *a = arena_new();
    struct road *road = must_alloc(sizeof *road);

    *road = (struct road) { .http = http, .trust = trust_ref(trust), .last_byte = clock_now() };
    road->lane = lane_new(http->loop, transfer_done, road);
    name_server(road, a, &http->url);
    return road;
}

void road_free(struct road *road)
{
    lane_free(road->lane);
    trust_unref(road->trust);
    curl_slist_free_all(road->connect_to);
    free(road->base);
    free(road->host);
    free(road);
}
