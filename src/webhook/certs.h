/* certs.h - a serving certificate and the CA that signed it, kept in a Secret of our own.
 *
 * Pure decisions: what the Secret holds now and the time in, what it should hold out. Whoever
 * writes it first is right; the others read it. A new CA comes in two steps, so that no API server
 * ever meets a certificate that it does not trust yet: first the bundle gets the new CA beside the
 * old one, and once every configuration carries that bundle for a while, the serving certificate is
 * signed anew. A certificate that nobody trusts any more is replaced at once.
 */
#pragma once
#include <stdbool.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/error.h"
#include "json/table.h"

/* PEM texts; NULL when absent. */
struct certs {
    const char *bundle; /* CAs to trust, the one that signs first */
    const char *ca_key; /* of that one */
    const char *cert;
    const char *key;
};

struct certs_rules {
    const char *name;         /* of the CA */
    const char *const *hosts; /* NULL-terminated; what the serving certificate is for */
    usec ca_valid;
    usec cert_valid;
    usec settle; /* how long a new CA is in all bundles before it signs what is served */
};

struct certs_plan {
    struct certs certs; /* what the Secret should hold; in the arena */
    bool changed;       /* it does not yet */
    usec again;         /* wall clock: when to decide anew at the latest */
};

/* everywhere: all configurations carry the bundle of have. */
int certs_decide(struct arena *a, const struct certs_rules *rules, const struct certs *have,
                 bool everywhere, usec now, struct certs_plan *ret, struct error *err);

/* To and from the data of a Secret: ca.crt, ca.key, tls.crt, tls.key. */
struct certs certs_of(struct arena *a, struct pairs data);
struct pairs certs_data(struct arena *a, const struct certs *certs);
