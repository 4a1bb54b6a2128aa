/* reservation.h - the Slurm reservation in which workers are updated by schedule.
 *
 * What was made is compared with what is wanted, and what was wanted when it was made is kept as a
 * short mark by the caller. So a reservation that is over is not made again, one that is edited is
 * changed once, and one that repeats may move on by itself.
 */
#pragma once
#include "slurm/reservation_api.h"
#include "workers/facts.h"

struct reservation_wish {
    const char *name;
    const char *hosts; /* host list; "": there are none yet */
    usec start, duration;
    struct strs flags; /* as the user wrote them */
    const char *mark;  /* of the last that was made, "" for none */
    usec now;          /* wall clock */
};

enum reservation_step {
    RESERVATION_AS_IT_IS,
    RESERVATION_PUT,  /* make or change it as *ret_spec says */
    RESERVATION_GONE, /* it was made, and is over */
};

/* MAINT, IGNORE_JOBS and the user's in capitals, sorted, each once. */
struct strs reservation_flags(struct arena *a, struct strs user);
/* What was wanted when it was made: start, duration and flags in one word. */
const char *reservation_mark(struct arena *a, const struct reservation_wish *wish);
/* live is what Slurm has; NULL: it has none. Ask only when that is known. */
enum reservation_step reservation_plan(struct arena *a, const struct reservation_wish *wish,
                                       const struct slurm_reservation *live,
                                       struct slurm_reservation_spec *ret_spec);
