/* stub.h - a slurmrestd of paper: answers what it was told to, or badly on purpose.
 *
 *     scoped(stub) struct stub *stub = stub_new();
 *     stub_replay(stub, "v0.0.45", "nodes-two");              what a real one answered, see data/
 *     stub_set(stub, "GET", "/slurm/v0.0.45/jobs/", &(struct stub_answer){ .body = "...", .cut = 9
 * });
 *     ... stub_url(stub) ...
 *     CHECK_INT(stub_count(stub, "GET", "/slurm/v0.0.45/nodes/"), 1);
 *
 * A path is matched with its query first, then without. What it was not told about is answered as
 * slurmrestd answers an unknown URL. It runs on threads of its own; one connection, one thread.
 */
#pragma once
#include <stdbool.h>
#include <stddef.h>

#include "base/clock.h"
#include "base/scope.h"

struct stub;

struct stub_answer {
    int status;       /* 0: 200 */
    const char *type; /* NULL: application/json */
    const char *body; /* NULL: none */
    size_t body_len;  /* 0: strlen */
    usec delay;       /* before answering */
    size_t cut;       /* closes the connection after so many bytes of the body; 0: does not */
};

struct stub *stub_new(void);
void stub_free(struct stub *stub);
DEFINE_SCOPE(stub, stub_free)
const char *stub_url(const struct stub *stub);

/* Answers that request so from now on; the body is copied. */
void stub_set(struct stub *stub, const char *method, const char *path,
              const struct stub_answer *answer);
/* The same, the next time only; several wait in line. */
void stub_once(struct stub *stub, const char *method, const char *path,
               const struct stub_answer *answer);
void stub_remove(struct stub *stub, const char *method, const char *path);
/* Answers the request of a recording as it was recorded, whatever query it has. Returns the last
 * part of its path, the name of what was asked for, borrowed until that is replaced. */
const char *stub_replay(struct stub *stub, const char *version, const char *name);

/* How many requests of that method and path (its query left out) came in; NULLs count any. */
int stub_count(struct stub *stub, const char *method, const char *path);
/* The last request, as "METHOD path-and-query\nheaders\n\nbody"; yours to free. */
char *stub_last(struct stub *stub);
