/* watch_fuzz.c - any bytes as what a server sends: into a cache, in pieces, as events or as a page.
 *
 * The first byte says how: bit 0 a page or events, bits 1 to 7 the size of the pieces. A reader that
 * gets the same bytes at once must tell the same story.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "k8s/pod.h"
#include "kube/cache_internal.h"
#include "kube/watch_read.h"

/* A cache, and a digest of all that it was told. */
struct ear {
    struct cache *cache;
    struct watch_sink sink;
    uint64_t heard;
};

static void mix(struct ear *ear, const char *text)
{
    ear->heard = hash_bytes(ear->heard, text ?: "-", text ? strlen(text) + 1 : 1);
}

static void on_begin(void *userdata)
{
    struct ear *ear = userdata;

    mix(ear, "begin");
    ear->sink.on_begin(ear->sink.userdata);
}

static void on_end(void *userdata, const char *version)
{
    struct ear *ear = userdata;

    mix(ear, version);
    ear->sink.on_end(ear->sink.userdata, version);
}

static void on_object(void *userdata, enum watch_event event, const void *object, const char *bad)
{
    struct ear *ear = userdata;
    const struct k8s_meta *meta = object;

    if (str_empty(meta->name))
        abort(); /* nobody can keep what has no name */
    mix(ear, event == WATCH_PUT ? "put" : "gone");
    mix(ear, meta->name);
    mix(ear, bad);
    ear->sink.on_object(ear->sink.userdata, event, object, bad);
}

static uint64_t listen_to(const char *bytes, size_t size, bool page, size_t piece)
{
    static const char *const indexes[] = { "@owner", "spec.nodeName", NULL };
    struct ear ear = {
        .cache = cache_new(&(struct cache_options){ .kind = &k8s_pod_kind, .indexes = indexes }),
    };
    struct watch_sink sink = { on_begin, on_end, on_object, &ear };
    struct watch_reader reader;

    ear.sink = cache_sink(ear.cache->feeds);
    watch_reader_init(&reader, &k8s_pod_kind, &sink);
    watch_reader_begin(&reader);
    watch_reader_expect(&reader, page);
    for (size_t at = 0; at < size && !reader.ended; at += piece)
        watch_reader_feed(&reader, bytes + at, size - at < piece ? size - at : piece);
    if (page && !reader.ended)
        watch_reader_end_page(&reader);
    watch_reader_done(&reader);
    cache_free(ear.cache);
    return ear.heard;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    bool page;
    size_t piece;

    if (size < 1)
        return 0;
    page = data[0] & 1;
    piece = (size_t)(data[0] >> 1) + 1;
    if (listen_to((const char *)data + 1, size - 1, page, piece) !=
        listen_to((const char *)data + 1, size - 1, page, size))
        abort();
    return 0;
}
