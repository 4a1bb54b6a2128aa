/* conf_internal.h - what the writers of configuration files share among themselves. */
#pragma once
#include "slurm/conf.h"

/* A part of slurm.conf: under a heading, unless title is NULL; always, unless wanted says no. */
struct conf_fragment {
    const char *title;
    bool (*wanted)(const struct slurm_conf *in);
    void (*write)(struct conf_text *t, const struct slurm_conf *in);
};

/* The list ends with an entry that writes nothing. */
void conf_write_fragments(struct conf_text *t, const struct conf_fragment *list,
                          const struct slurm_conf *in);
char *conf_soperator_text(struct arena *a, const struct slurm_conf *in);
uint64_t conf_nodes_of(const struct slurm_conf *in);

void conf_banner(struct conf_text *t); /* three lines: who writes the file */
void conf_set_jwt(struct conf_text *t, const char *jwt_key, const char *jwks);
struct conf_managed conf_managed_jwt(struct arena *a, const char *jwt_key, const char *jwks);
