/* accounting.h - Accounting of slinky.slurm.net/v1beta1.
 *
 * Generated from api/ by `make generate`; changes go there.
 */
#pragma once
#include "json/kind.h"
#include "k8s/meta.h"
#include "slinky/types.h"

struct slinky_accounting_storage_config;

/* The accounting as it should be. */
struct slinky_accounting_spec {
    struct slinky_secret_key *slurm_key_ref; /* Key of auth/slurm, the same as the clusters have. */
    /* HS256 key of auth/jwt, the same as the clusters have. */
    struct slinky_secret_key *jwt_key_ref;
    /* Older name of jwtKeyRef, used when that is absent. */
    struct slinky_secret_key *jwt_hs256_key_ref;
    /* JWKS file with further keys that auth/jwt trusts. */
    struct slinky_config_map_key *jwks_key_ref;
    enum flag external; /* The slurmdbd runs outside Kubernetes; nothing is deployed. */
    struct slinky_external_config *external_config; /* Where the external slurmdbd answers. */
    const struct json *slurmdbd; /* The slurmdbd container; fields of a core/v1 Container. */
    struct slinky_pod_template *template; /* What to add to the slurmdbd pod. */
    /* The MySQL or MariaDB database behind slurmdbd. */
    struct slinky_accounting_storage_config *storage_config;
    const char *extra_conf; /* Lines appended to slurmdbd.conf. */
    /* The Service clusters reach slurmdbd by; port 6819 unless changed. */
    struct slinky_service *service;
};

/* The accounting as last seen. */
struct slinky_accounting_status {
    struct maybe_int observed_generation; /* Generation of the spec that the status speaks of. */
    /* What is known about the object now; Ready sums it up. */
    struct k8s_condition_list conditions;
};

/* Slurm accounting, kept by slurmdbd here or elsewhere. */
struct slinky_accounting {
    struct k8s_meta meta; /* Metadata of an object. */
    struct slinky_accounting_spec spec; /* The accounting as it should be. */
    struct slinky_accounting_status status; /* The accounting as last seen. */
};

/* The MySQL or MariaDB database behind slurmdbd. */
struct slinky_accounting_storage_config {
    const char *host; /* Host name or IP address of the database. */
    struct maybe_int port; /* Its TCP port. */
    const char *database; /* Name of the database. */
    const char *username; /* User to log in as. */
    struct slinky_secret_key password_key_ref; /* That user's password. */
};

extern const struct type slinky_accounting_spec_type;
extern const struct type slinky_accounting_status_type;
extern const struct type slinky_accounting_type;
extern const struct type slinky_accounting_storage_config_type;
extern const struct kind slinky_accounting_kind;

/* Deep copies that live as long as the arena. */
struct slinky_accounting *slinky_accounting_keep(struct arena *a,
                                                 const struct slinky_accounting *from);
