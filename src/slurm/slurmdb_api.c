/* slurmdb_api.c - what slurmdbd remembers. */
#include "slurm/slurmdb_api.h"

#include "slurm/call.h"
#include "slurm/lists.h"
#include "slurm/record.h"

static const struct field account_fields[] = {
    FIELD(slurmdb_account, description, STR, "description"),
    FIELD(slurmdb_account, name, STR, "name"),
    FIELD(slurmdb_account, organization, STR, "organization"),
    FIELD(slurmdb_account, flags, STRS, "flags"),
    { 0 },
};
static const struct type account_type = TYPE(slurmdb_account, account_fields);

static const struct field user_fields[] = {
    FIELD(slurmdb_user, admin_level, STRS, "administrator_level"),
    FIELD(slurmdb_user, default_account, STR, "default.account"),
    FIELD(slurmdb_user, name, STR, "name"),
    { 0 },
};
static const struct type user_type = TYPE(slurmdb_user, user_fields);

static int read_account(void *userdata, struct arena *scratch, struct arena *keep, const char *item,
                        size_t len, void *record, struct error *err)
{
    struct slurmdb_account *account = record;
    int rc = table_read(keep, &account_type, item, len, account, err);

    (void)userdata, (void)scratch;
    account->name = account->name ?: "";
    account->description = account->description ?: "";
    account->organization = account->organization ?: "";
    return rc;
}

enum answer slurmdb_accounts(struct slurm *slurm, struct slurm_call *call,
                             struct slurmdb_accounts *ret)
{
    struct question q = {
        .name = "db_accounts", .path = "/accounts/", .database = true, .array = "accounts"
    };
    struct slurm_list list;
    enum answer answer =
        slurm_ask_list(slurm, call, &q, sizeof(struct slurmdb_account), read_account, NULL, &list);

    if (answer == ANSWER_YES)
        *ret = (struct slurmdb_accounts) { list.v, list.n };
    return answer;
}

static int read_user(void *userdata, struct arena *scratch, struct arena *keep, const char *item,
                     size_t len, void *record, struct error *err)
{
    struct slurmdb_user *user = record;
    int rc = table_read(keep, &user_type, item, len, user, err);

    (void)userdata, (void)scratch;
    user->name = user->name ?: "";
    user->default_account = user->default_account ?: "";
    return rc;
}

enum answer slurmdb_users(struct slurm *slurm, struct slurm_call *call, struct slurmdb_users *ret)
{
    struct question q = {
        .name = "db_users", .path = "/users/", .database = true, .array = "users"
    };
    struct slurm_list list;
    enum answer answer =
        slurm_ask_list(slurm, call, &q, sizeof(struct slurmdb_user), read_user, NULL, &list);

    if (answer == ANSWER_YES)
        *ret = (struct slurmdb_users) { list.v, list.n };
    return answer;
}

struct wire_association {
    struct slurmdb_association association;
    struct maybe_int id, shares;
    enum flag is_default;
};
static const struct field wire_association_fields[] = {
    FIELD(wire_association, association.account, STR, "account"),
    FIELD(wire_association, association.cluster, STR, "cluster"),
    FIELD(wire_association, id, INT, "id"),
    FIELD(wire_association, is_default, BOOL, "is_default"),
    FIELD(wire_association, association.parent, STR, "parent_account"),
    FIELD(wire_association, association.partition, STR, "partition"),
    FIELD(wire_association, shares, INT, "shares_raw"),
    FIELD(wire_association, association.user, STR, "user"),
    { 0 },
};
static const struct type wire_association_type = TYPE(wire_association, wire_association_fields);

static int read_association(void *userdata, struct arena *scratch, struct arena *keep,
                            const char *item, size_t len, void *record, struct error *err)
{
    struct wire_association w = { 0 };
    int rc = table_read(scratch, &wire_association_type, item, len, &w, err);

    (void)userdata;
    if (rc == 0)
        *(struct slurmdb_association *)record = (struct slurmdb_association) {
            .cluster = arena_str(keep, w.association.cluster ?: ""),
            .account = arena_str(keep, w.association.account ?: ""),
            .user = arena_str(keep, w.association.user ?: ""),
            .partition = arena_str(keep, w.association.partition ?: ""),
            .parent = arena_str(keep, w.association.parent ?: ""),
            .id = int_or(w.id, 0),
            .shares = int_or(w.shares, 0),
            .is_default = w.is_default == YES,
        };
    return rc;
}

enum answer slurmdb_associations(struct slurm *slurm, struct slurm_call *call,
                                 struct slurmdb_associations *ret)
{
    struct question q = { .name = "db_associations",
                          .path = "/associations/",
                          .database = true,
                          .array = "associations" };
    struct slurm_list list;
    enum answer answer = slurm_ask_list(slurm, call, &q, sizeof(struct slurmdb_association),
                                        read_association, NULL, &list);

    if (answer == ANSWER_YES)
        *ret = (struct slurmdb_associations) { list.v, list.n };
    return answer;
}

struct wire_qos {
    const char *name, *description;
    struct strs flags;
    struct maybe_int id;
    struct wire_number priority;
    struct maybe_real factor;
};
static const struct field wire_qos_fields[] = {
    FIELD(wire_qos, description, STR, "description"),
    FIELD(wire_qos, flags, STRS, "flags"),
    FIELD(wire_qos, id, INT, "id"),
    FIELD(wire_qos, name, STR, "name"),
    FIELD(wire_qos, priority, OBJECT, "priority", .of = &wire_number_type),
    FIELD(wire_qos, factor, REAL, "usage_factor.number"),
    { 0 },
};
static const struct type wire_qos_type = TYPE(wire_qos, wire_qos_fields);

static int read_qos(void *userdata, struct arena *scratch, struct arena *keep, const char *item,
                    size_t len, void *record, struct error *err)
{
    struct wire_qos w = { 0 };
    int rc = table_read(keep, &wire_qos_type, item, len, &w, err);

    (void)userdata, (void)scratch;
    if (rc == 0)
        *(struct slurmdb_qos *)record = (struct slurmdb_qos) {
            .name = w.name ?: "",
            .description = w.description ?: "",
            .id = int_or(w.id, 0),
            .priority = wire_int(&w.priority, 0, 0),
            .usage_factor = real_or(w.factor, 1),
            .flags = w.flags,
        };
    return rc;
}

enum answer slurmdb_qos(struct slurm *slurm, struct slurm_call *call, struct slurmdb_qos_list *ret)
{
    struct question q = { .name = "db_qos", .path = "/qos/", .database = true, .array = "qos" };
    struct slurm_list list;
    enum answer answer =
        slurm_ask_list(slurm, call, &q, sizeof(struct slurmdb_qos), read_qos, NULL, &list);

    if (answer == ANSWER_YES)
        *ret = (struct slurmdb_qos_list) { list.v, list.n };
    return answer;
}

struct wire_cluster {
    const char *name, *host, *nodes;
    struct maybe_int port, rpc_version;
};
static const struct field wire_cluster_fields[] = {
    FIELD(wire_cluster, host, STR, "controller.host"),
    FIELD(wire_cluster, port, INT, "controller.port"),
    FIELD(wire_cluster, name, STR, "name"),
    FIELD(wire_cluster, nodes, STR, "nodes"),
    FIELD(wire_cluster, rpc_version, INT, "rpc_version"),
    { 0 },
};
static const struct type wire_cluster_type = TYPE(wire_cluster, wire_cluster_fields);

static int read_cluster(void *userdata, struct arena *scratch, struct arena *keep, const char *item,
                        size_t len, void *record, struct error *err)
{
    struct wire_cluster w = { 0 };
    int rc = table_read(keep, &wire_cluster_type, item, len, &w, err);

    (void)userdata, (void)scratch;
    if (rc == 0)
        *(struct slurmdb_cluster *)record = (struct slurmdb_cluster) {
            .name = w.name ?: "",
            .controller_host = w.host ?: "",
            .nodes = w.nodes ?: "",
            .controller_port = int_or(w.port, 0),
            .rpc_version = int_or(w.rpc_version, 0),
        };
    return rc;
}

enum answer slurmdb_clusters(struct slurm *slurm, struct slurm_call *call,
                             struct slurmdb_clusters *ret)
{
    struct question q = {
        .name = "db_clusters", .path = "/clusters/", .database = true, .array = "clusters"
    };
    struct slurm_list list;
    enum answer answer =
        slurm_ask_list(slurm, call, &q, sizeof(struct slurmdb_cluster), read_cluster, NULL, &list);

    if (answer == ANSWER_YES)
        *ret = (struct slurmdb_clusters) { list.v, list.n };
    return answer;
}
