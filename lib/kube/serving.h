/* serving.h - the manager's own servers: health and metrics. */
#pragma once
#include "base/error.h"

struct manager;

int serving_start(struct manager *m, struct error *err);
void serving_stop(struct manager *m);
