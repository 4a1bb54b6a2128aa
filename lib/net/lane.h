/* lane.h - libcurl's multi handle, driven by our loop: transfers that share connections.
 *
 * A lane is a set of connections with one idea of trust. When that changes, or the connection is
 * suspected dead, the client opens another lane and lets this one run empty. Loop thread only.
 */
#pragma once
#include <curl/curl.h>

#include "base/clock.h"

struct loop;
struct lane;

/* on_done is called for each transfer that ended by itself, which is out of the lane by then; it
 * may add and remove transfers, but not free the lane. */
struct lane *lane_new(struct loop *loop, void (*on_done)(void *userdata, CURL *easy, CURLcode code),
                      void *userdata);
void lane_free(struct lane *lane); /* must be empty */

void lane_add(struct lane *lane, CURL *easy);
void lane_remove(struct lane *lane, CURL *easy);
/* The most connections it may open; transfers beyond what they carry wait. */
void lane_limit(struct lane *lane, unsigned connections);
