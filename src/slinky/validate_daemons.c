/* validate_daemons.c - which Accountings, RestApis and Tokens are let in. */
#include <string.h>

#include "base/str.h"
#include "slinky/accounting.h"
#include "slinky/restapi.h"
#include "slinky/token.h"
#include "slinky/validate_parts.h"

enum {
    /* StatefulSet NAME-accounting: its pods carry NAME-accounting-HASH as a label of 63 at most. */
    ACCOUNTING_NAME_MAX = 63 - sizeof("-accounting") + 1 - sizeof("-1234567890") + 1,
    RESTAPI_NAME_MAX = 63 - sizeof("-restapi") + 1, /* Service NAME-restapi */
    SECRET_NAME_MAX = 253,
};
#define LIFETIME_MAX (INT64_C(2147483646) * USEC_SEC)

/* ---- Accounting */

static void check_storage(struct problems *p,
                          const struct slinky_accounting_storage_config *storage)
{
    if (!storage) {
        warn_of(p, "spec.storageConfig", NULL,
                "slurmdbd needs a database; give its host and password here");
        return;
    }
    if (str_empty(storage->host))
        refuse(p, "spec.storageConfig.host", NULL,
               "slurmdbd needs its database; give the host name or IP address");
    check_port(p, "spec.storageConfig.port", storage->port,
               "a port lies between 1 and 65535; leave it out for 3306");
    check_secret_key(p, "spec.storageConfig.passwordKeyRef", &storage->password_key_ref,
                     "the password");
}

static void check_accounting_here(struct problems *p, const struct slinky_accounting_spec *spec)
{
    struct daemon_keys keys = { spec->slurm_key_ref, spec->jwt_key_ref, spec->jwt_hs256_key_ref };

    check_daemon_keys(p, "slurmdbd", &keys);
    check_storage(p, spec->storage_config);
}

void validate_accounting(struct problems *p, const void *old, const void *object,
                         const struct surroundings *around)
{
    const struct slinky_accounting *was = old;
    const struct slinky_accounting *acct = object;
    const struct slinky_accounting_spec *spec = &acct->spec;

    (void)around;
    if (spec->external == YES)
        check_external(p, spec->external_config, "slurmdbd", 6819);
    else
        check_accounting_here(p, spec);
    check_jwks(p, spec->jwks_key_ref);
    check_container(p, "spec.slurmdbd", spec->slurmdbd);
    check_template(p, spec->template);
    check_service(p, spec->service);
    if (was)
        check_jwt_unchanged(p, jwt_key_of(was->spec.jwt_key_ref, was->spec.jwt_hs256_key_ref),
                            jwt_key_of(spec->jwt_key_ref, spec->jwt_hs256_key_ref),
                            "put the new key into the same Secret and key");
    else if (spec->external != YES)
        check_name(p, &acct->meta, ACCOUNTING_NAME_MAX,
                   "pods of NAME-accounting could not be labelled");
    warn_of_older_jwt(p, spec->jwt_key_ref, spec->jwt_hs256_key_ref);
}

/* ---- RestApi */

void validate_restapi(struct problems *p, const void *old, const void *object,
                      const struct surroundings *around)
{
    const struct slinky_restapi *rest = object;
    const struct slinky_restapi_spec *spec = &rest->spec;

    (void)around;
    if (str_empty(spec->controller_ref.name))
        refuse(p, "spec.controllerRef.name", NULL,
               "slurmrestd serves one cluster; give the name of its Controller");
    check_count(p, "spec.replicas", spec->replicas,
                "the number of pods cannot be negative; use 0 to run none");
    check_container(p, "spec.slurmrestd", spec->slurmrestd);
    check_template(p, spec->template);
    check_service(p, spec->service);
    if (!old)
        check_name(p, &rest->meta, RESTAPI_NAME_MAX,
                   "a Service called NAME-restapi could not be made");
}

/* ---- Token */

static void check_lifetime(struct problems *p, const char *text)
{
    const char *path = "spec.lifetime";
    usec lifetime = 0;

    if (!text)
        return;
    if (!duration_parse(text, &lifetime))
        refuse(
            p, path, shown_str(p, text),
            "this is not a duration; write numbers with units h, m, s or ms, such as 12h or 1h30m");
    else if (lifetime <= 0)
        refuse(p, path, shown_str(p, text),
               "such a token would never be valid; write a positive duration such as 15m");
    else if (lifetime > LIFETIME_MAX)
        warn_of(p, path, shown_str(p, text), "Slurm knows no later end than 2147483646 seconds");
}

/* A Secret's name: what RFC 1123 allows a host to be called. */
static bool is_secret_name_part(const char *text)
{
    size_t len = strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789-.");

    return len > 0 && text[len] == '\0' && !strchr("-.", text[0]) && !strchr("-.", text[len - 1]);
}

static void check_secret(struct problems *p, const struct slinky_token *token)
{
    const struct slinky_secret_key *secret = token->spec.secret_ref;
    const char *user = token->spec.username ?: "";

    if (secret && (str_empty(secret->name) || str_empty(secret->key)))
        refuse(p, "spec.secretRef", NULL,
               "give both the name and the key of the Secret to write, or leave secretRef out");
    if (secret)
        return;
    if (!is_secret_name_part(user))
        refuse(
            p, "spec.username", shown_str(p, user),
            "the Secret is named after the user, and this name is not fit for a Secret; name the "
            "Secret in secretRef");
    else if (strlen(token->meta.name ?: "") + strlen("-jwt-") + strlen(user) > SECRET_NAME_MAX)
        refuse(
            p, "spec.username", shown_str(p, user),
            "the Secret's name, NAME-jwt-USERNAME, would be longer than 253 characters; name the "
            "Secret in secretRef");
}

void validate_token(struct problems *p, const void *old, const void *object,
                    const struct surroundings *around)
{
    const struct slinky_token *was = old;
    const struct slinky_token *token = object;
    const struct slinky_token_spec *spec = &token->spec;
    const struct slinky_secret_key *jwt = jwt_key_of(spec->jwt_key_ref, spec->jwt_hs256_key_ref);

    (void)around;
    if (!jwt)
        refuse(p, "spec.jwtKeyRef", NULL,
               "a token is signed with the cluster's auth/jwt key; name its Secret here");
    check_secret_key(p, spec->jwt_key_ref ? "spec.jwtKeyRef" : "spec.jwtHs256KeyRef", jwt,
                     "the auth/jwt key");
    check_lifetime(p, spec->lifetime);
    check_secret(p, token);
    if (was)
        check_jwt_unchanged(p, jwt_key_of(was->spec.jwt_key_ref, was->spec.jwt_hs256_key_ref), jwt,
                            "make a new Token instead");
    warn_of_older_jwt(p, spec->jwt_key_ref, spec->jwt_hs256_key_ref);
}
