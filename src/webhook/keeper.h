/* keeper.h - serves by a certificate of our own making, renewed in time, without anyone's help.
 *
 * The certificates are in a Secret that all replicas share; any of them may write it, guarded by
 * its resourceVersion, and all take up what another wrote. See certs.h for what is decided,
 * bundles.h for those who must trust it.
 */
#pragma once
#include "base/clock.h"
#include "base/error.h"
#include "net/tls.h"
#include "webhook/bundles.h"
#include "json/table.h"

struct client;
struct keeper;

struct keeper_options {
    const char *secret;
    struct strs names; /* further names and addresses in the certificate */
    usec ca_valid, cert_valid;
    struct bundles_options bundles;
    /* A certificate to serve from now on; on the keeper's thread. */
    int (*on_pair)(void *userdata, const struct tls_pair *pair, struct error *err);
    void *userdata;
};

/* Waits for the first certificate, half a minute at most; *ret_pair is yours. */
struct keeper *keeper_new(struct client *client, const struct keeper_options *options,
                          struct tls_pair *ret_pair, struct error *err);
/* From now on on_pair may be called. */
int keeper_start(struct keeper *keeper, struct error *err);
void keeper_free(struct keeper *keeper);
