/* driver.h - what the driver's commands share. */
#pragma once
#include "slurm/client.h"
#include "slurm/job_api.h"
#include "slurm/node_api.h"
#include "slurm/reservation_api.h"
#include "slurm/slurmdb_api.h"
#include "slurm/snapshot.h"
#include "json/json.h"

struct driver {
    struct slurm *slurm;
    struct arena *arena; /* of the command */
    struct slurm_call call;
    usec deadline;
    struct news_log *news;
};

struct command {
    const char *name;
    int least; /* words that must follow */
    struct json *(*run)(struct driver *d, int n, char **words);
};
extern const struct command cluster_commands[], node_commands[], job_commands[], view_commands[];

/* The answer and, when it is not yes, why. */
struct json *yes_no(struct driver *d, struct slurm_call *call, enum answer answer);
static inline void set_int(struct driver *d, struct json *o, const char *name, int64_t value)
{
    json_set(d->arena, o, name, json_int(d->arena, value));
}
static inline void set_str(struct driver *d, struct json *o, const char *name, const char *text)
{
    json_set_str(d->arena, o, name, text);
}
struct json *node_json(struct driver *d, const struct slurm_node *node);
struct json *job_json(struct driver *d, const struct slurm_job *job);
struct json *names_of(struct driver *d, struct strs names);
void driver_done(struct driver *d);
