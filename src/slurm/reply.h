/* reply.h - what stands around the data in every answer of slurmrestd, and what it amounts to.
 *
 * Every answer carries "errors" and "warnings", each with Slurm's number and words; the HTTP status
 * alone says little: a missing node is 200, a refused job in a list is 200, a broken configuration
 * is 500. One table in reply.c says which of Slurm's error numbers is a No and which an Unknown.
 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "slurm/client.h"
#include "json/table.h"

/* A number as slurmrestd writes it: { "set": true, "infinite": false, "number": 7 }. */
struct wire_number {
    enum flag set;
    enum flag infinite;
    struct maybe_int number;
};
extern const struct type wire_number_type;
/* Its value; otherwise when it is absent or not set; infinite for what has no limit. */
int64_t wire_int(const struct wire_number *n, int64_t otherwise, int64_t infinite);

struct reply_error {
    const char *description;
    const char *error;
    const char *source;
    struct maybe_int number;
};

struct reply_head {
    struct {
        struct reply_error *v;
        size_t n;
    } errors, warnings;
    struct wire_number last_update;
};

/* Everything that is known about the end of one request. */
struct reply {
    int rc;            /* 0, or why there is no whole answer */
    const char *story; /* of rc */
    int status;        /* HTTP */
    const char *text;  /* the document, its list left out; "" for none */
    size_t len;
    size_t bytes;           /* received */
    struct reply_head head; /* filled by reply_judge() */
};

/* What the answer amounts to, whatever was asked. Fills reply->head and, for No and Unknown, fault.
 * 304 is Yes. zero_is_no: for questions after one thing by its name, where Slurm reports an error
 * that it numbers 0 when there is none. */
enum answer reply_judge(struct arena *a, struct reply *reply, bool zero_is_no,
                        struct slurm_fault *fault);

/* Makes JSON of what older servers write for numbers beyond bounds: Infinity and NaN become null.
 */
void reply_mend(char *text);

/* The verdict on one of Slurm's error numbers: the answer, and the errno that goes with it. */
enum answer slurm_error_verdict(int64_t number, int status, int *ret_code);
