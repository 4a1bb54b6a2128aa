/* conf_dbd.c - slurmdbd.conf: the one file with a password in it. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/scope.h"
#include "base/str.h"
#include "slurm/conf.h"
#include "slurm/conf_internal.h"

enum { MYSQL_PORT = 3306 };

static void write_slinky(struct conf_text *t, const struct slurmdbd_conf *in, const char *password)
{
    conf_section(t, "GENERAL");
    conf_set(t, "DbdHost", in->host);
    conf_set_some(t, "DbdAddr", in->address);
    conf_set_int(t, "DbdPort", in->port ?: SLURMDBD_PORT);
    conf_set(t, "SlurmUser", "slurm");
    conf_section(t, "PLUGINS & PARAMETERS");
    conf_set(t, "AuthType", "auth/slurm");
    if (in->jwt_key || in->jwks)
        conf_set(t, "AuthAltTypes", "auth/jwt");
    conf_set_jwt(t, in->jwt_key, in->jwks);
    conf_set(t, "AuthInfo", "use_client_ids");
    conf_section(t, "STORAGE");
    conf_set(t, "StorageType", "accounting_storage/mysql");
    conf_set(t, "StorageHost", in->storage_host);
    conf_set_int(t, "StoragePort", in->storage_port ?: MYSQL_PORT);
    conf_set(t, "StorageUser", in->storage_user);
    conf_set(t, "StorageLoc", in->storage_database ?: "slurm_acct_db");
    conf_set_some(t, "StoragePass", password);
    conf_section(t, "LOGGING");
    conf_set(t, "LogFile", "/dev/null");
}

static int by_key(const void *a, const void *b)
{
    return str_cmp(((const struct conf_setting *)a)->key, ((const struct conf_setting *)b)->key);
}

static void write_storage_parameters(struct arena *a, struct conf_text *t,
                                     struct conf_settings parameters)
{
    struct conf_setting *sorted;

    if (parameters.n == 0)
        return;
    sorted = arena_copy(a, parameters.v, parameters.n * sizeof *parameters.v);
    qsort(sorted, parameters.n, sizeof *sorted, by_key);
    buf_str(&t->out, "StorageParameters=");
    for (size_t i = 0; i < parameters.n; i++)
        buf_fmt(&t->out, "%s%s=%s", i ? "," : "", sorted[i].key, sorted[i].value ?: "");
    buf_char(&t->out, '\n');
}

static void write_soperator(struct arena *a, struct conf_text *t, const struct slurmdbd_conf *in,
                            const char *password)
{
    conf_banner(t);
    conf_set(t, "AuthType", "auth/munge");
    conf_set(t, "SlurmUser", "root");
    conf_set(t, "LogFile", "/dev/null");
    conf_set(t, "PidFile", "/var/run/slurmdbd.pid");
    conf_set(t, "DbdHost", in->host);
    conf_set_some(t, "DbdAddr", in->address);
    conf_set_int(t, "DbdPort", in->port ?: SLURMDBD_PORT);
    conf_set(t, "StorageLoc", in->storage_database ?: "slurm_acct_db");
    conf_set(t, "StorageType", "accounting_storage/mysql");
    conf_set_some(t, "StoragePass", password);
    conf_set(t, "StorageUser", in->storage_user);
    conf_set(t, "StorageHost", in->storage_host);
    write_storage_parameters(a, t, in->storage_parameters);
    conf_set_int(t, "StoragePort", in->storage_port ?: MYSQL_PORT);
    if (in->jwt_key || in->jwks)
        conf_set(t, "AuthAltTypes", "auth/jwt");
    conf_set_jwt(t, in->jwt_key, in->jwks);
    conf_set_all(t, in->settings);
}

int slurmdbd_conf_text(struct arena *a, const struct slurmdbd_conf *in, char **ret,
                       struct error *err)
{
    const struct conf_managed managed[] = {
        conf_managed_jwt(a, in->jwt_key, in->jwks),
        { "AuthInfo", STRS("use_client_ids") },
    };
    struct conf_text t = { 0 };
    char *password = NULL;

    if (!str_empty(in->storage_password) && conf_quote(a, in->storage_password, &password, err) < 0)
        return wrap(err, "slurmdbd.conf: StoragePass: choose another database password");
    if (in->profile == CONF_SOPERATOR)
        write_soperator(a, &t, in, password);
    else
        write_slinky(&t, in, password);
    conf_extra(&t, in->extra, managed, in->profile == CONF_SLINKY ? ARRAY_SIZE(managed) : 0);
    *ret = conf_done(a, &t);
    return 0;
}
