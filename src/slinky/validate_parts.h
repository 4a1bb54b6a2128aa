/* validate_parts.h - checks that several kinds share; only for the files of validate.h. */
#pragma once
#include "k8s/meta.h"
#include "slinky/problems.h"
#include "slinky/types.h"
#include "slinky/validate.h"

/* The key that auth/jwt uses: jwtKeyRef, or the older field; NULL for none. */
const struct slinky_secret_key *jwt_key_of(const struct slinky_secret_key *key,
                                           const struct slinky_secret_key *older);

/* auth/slurm and auth/jwt keys of a daemon that runs here. */
struct daemon_keys {
    const struct slinky_secret_key *slurm, *jwt, *jwt_older;
};
void check_daemon_keys(struct problems *p, const char *daemon, const struct daemon_keys *keys);
void check_jwks(struct problems *p, const struct slinky_config_map_key *jwks);
/* Name and key of a Secret; what says what it holds. */
void check_secret_key(struct problems *p, const char *path, const struct slinky_secret_key *key,
                      const char *what);
void check_jwt_unchanged(struct problems *p, const struct slinky_secret_key *old,
                         const struct slinky_secret_key *now, const char *way_out);
void warn_of_older_jwt(struct problems *p, const struct slinky_secret_key *key,
                       const struct slinky_secret_key *older);

void check_external(struct problems *p, const struct slinky_external_config *config,
                    const char *daemon, int usual_port);
void check_count(struct problems *p, const char *path, struct maybe_int count, const char *message);
void check_port(struct problems *p, const char *path, struct maybe_int port, const char *message);
void check_service(struct problems *p, const struct slinky_service *service);
/* Fields of a core type given freely: what could not be read as that type is refused. */
void check_reads_as(struct problems *p, const char *path, const struct json *given,
                    const struct type *type);
void check_container(struct problems *p, const char *path, const struct json *container);
void check_template(struct problems *p, const struct slinky_pod_template *pods);
/* Children are named after the object: Services, StatefulSets. Asked when it is created. */
void check_name(struct problems *p, const struct k8s_meta *meta, size_t longest, const char *why);

/* The rules of each kind; old is NULL on create. */
void validate_controller(struct problems *p, const void *old, const void *object,
                         const struct surroundings *around);
void validate_accounting(struct problems *p, const void *old, const void *object,
                         const struct surroundings *around);
void validate_restapi(struct problems *p, const void *old, const void *object,
                      const struct surroundings *around);
void validate_nodeset(struct problems *p, const void *old, const void *object,
                      const struct surroundings *around);
void validate_loginset(struct problems *p, const void *old, const void *object,
                       const struct surroundings *around);
void validate_token(struct problems *p, const void *old, const void *object,
                    const struct surroundings *around);
