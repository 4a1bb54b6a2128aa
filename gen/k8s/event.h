/* event.h - Event of events.k8s.io/v1.
 *
 * Generated from api/ by `make generate`; changes go there.
 */
#pragma once
#include "json/kind.h"
#include "k8s/meta.h"

struct k8s_event_series;

/* Something that happened to an object. */
struct k8s_event {
    struct k8s_meta meta; /* Metadata of an object. */
    usec event_time; /* When it was first seen. */
    struct k8s_event_series *series; /* It happened again. */
    const char *reporting_controller; /* Who saw it. */
    const char *reporting_instance; /* Which instance of it. */
    const char *action; /* What was being done, in one word. */
    const char *reason; /* Why, in one word. */
    struct k8s_object_ref *regarding; /* What it happened to. */
    struct k8s_object_ref *related; /* What else had a part in it. */
    const char *note; /* What happened, for people. */
    const char *type; /* Normal or Warning. */
};

/* It happened again. */
struct k8s_event_series {
    struct maybe_int count; /* How often so far. */
    usec last_observed_time; /* When it was last seen. */
};

extern const struct type k8s_event_type;
extern const struct type k8s_event_series_type;
extern const struct kind k8s_event_kind;

/* Deep copies that live as long as the arena. */
struct k8s_event *k8s_event_keep(struct arena *a, const struct k8s_event *from);
