/* event.c - Event of events.k8s.io/v1.
 *
 * Generated from api/ by `make generate`; changes go there.
 */
#include "k8s/event.h"

static const struct field k8s_event_fields[] = {
    FIELD(k8s_event, meta, OBJECT, "metadata", .of = &k8s_meta_type,
          .doc = "Metadata of an object."),
    FIELD(k8s_event, event_time, MICROTIME, "eventTime", .doc = "When it was first seen."),
    FIELD(k8s_event, series, POINTER, "series", .of = &k8s_event_series_type,
          .doc = "It happened again."),
    FIELD(k8s_event, reporting_controller, STR, "reportingController", .doc = "Who saw it."),
    FIELD(k8s_event, reporting_instance, STR, "reportingInstance", .doc = "Which instance of it."),
    FIELD(k8s_event, action, STR, "action", .doc = "What was being done, in one word."),
    FIELD(k8s_event, reason, STR, "reason", .doc = "Why, in one word."),
    FIELD(k8s_event, regarding, POINTER, "regarding", .of = &k8s_object_ref_type,
          .doc = "What it happened to."),
    FIELD(k8s_event, related, POINTER, "related", .of = &k8s_object_ref_type,
          .doc = "What else had a part in it."),
    FIELD(k8s_event, note, STR, "note", .doc = "What happened, for people."),
    FIELD(k8s_event, type, STR, "type", .doc = "Normal or Warning."),
    { 0 },
};
const struct type k8s_event_type = TYPE(k8s_event, k8s_event_fields);

static const struct field k8s_event_series_fields[] = {
    FIELD(k8s_event_series, count, INT, "count", .flags = REQUIRED, .doc = "How often so far."),
    FIELD(k8s_event_series, last_observed_time, MICROTIME, "lastObservedTime", .flags = REQUIRED,
          .doc = "When it was last seen."),
    { 0 },
};
const struct type k8s_event_series_type = TYPE(k8s_event_series, k8s_event_series_fields);

const struct kind k8s_event_kind = {
    .group = "events.k8s.io",
    .version = "v1",
    .kind = "Event",
    .plural = "events",
    .namespaced = true,
    .type = &k8s_event_type,
};

struct k8s_event *k8s_event_keep(struct arena *a, const struct k8s_event *from)
{
    return table_copy(a, &k8s_event_type, from);
}
