/* event.h - telling people what happened to their objects (events.k8s.io/v1).
 *
 * The same event about the same object becomes a series: the first is posted at once, repetitions
 * are counted and the count is sent at most once a minute. Nothing waits for an event, and one that
 * cannot be sent is forgotten. Any thread.
 */
#pragma once
#include <stdbool.h>

#include "json/kind.h"

struct client;
struct recorder;
struct k8s_meta;

/* instance: who we are among several replicas, the host name. */
struct recorder *recorder_new(struct client *client, const char *instance);
void recorder_free(struct recorder *recorder);

struct event_text {
    const struct kind *kind; /* of the object it is about */
    const struct k8s_meta *about;
    const char *controller; /* who reports: "nodeset-controller" */
    bool warning;
    const char *reason; /* one CamelCase word */
    const char *action; /* what was done, or tried */
    const char *note;   /* for people; cut to the 1,024 bytes that the API takes */
};
void recorder_event(struct recorder *recorder, const struct event_text *text);
