/* watch.h - following one kind: first everything there is, then every change.
 *
 * A watch lists and then watches, for ever, on the loop thread, and tells a sink. Where the server has
 * streaming lists they are used; otherwise the list comes in pages and is cut into items as it arrives. It
 * resumes by resourceVersion after a broken connection, lists again when that is too old (410), keeps
 * its place by bookmarks, and backs off with jitter. A sink that sees begin ... end may drop what was
 * not mentioned in between: that is how deletions during an outage are noticed.
 *
 * An object that cannot be read is told with its error and whatever of its metadata could be read;
 * it never stops the watch.
 */
#pragma once
#include <stdbool.h>

#include "base/clock.h"
#include "base/error.h"
#include "json/kind.h"

struct client;
struct watch;

enum watch_event { WATCH_PUT, WATCH_GONE };

struct watch_sink {
    /* A full list begins: every object there is will be put, then on_end. */
    void (*on_begin)(void *userdata);
    /* resource_version: the state that the list shows. Objects with a newer version may be kept. */
    void (*on_end)(void *userdata, const char *resource_version);
    /* The object is a struct of the kind's type and lives until this returns. bad: why it could not
     * be read, NULL when all is well. */
    void (*on_object)(void *userdata, enum watch_event event, const void *object, const char *bad);
    void *userdata;
};

struct watch_options {
    const struct kind *kind;
    const char *namespace; /* NULL: all */
    const char *label_selector, *field_selector;
    bool metadata_only; /* ask for the metadata alone; the rest of the struct stays absent */
    bool optional;      /* a kind that is not installed is an empty list, looked for every 5 min */
};

struct watch *watch_start(struct client *client, const struct watch_options *options,
                          const struct watch_sink *sink);
/* No sink call comes after this returns. Any thread but the loop's, or the loop thread itself. */
void watch_stop(struct watch *watch);
/* For metrics and readiness: when the stream last said anything (monotonic), 0 for never. */
usec watch_last_heard(const struct watch *watch);
