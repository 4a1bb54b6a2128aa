/* pack.h - all nodes, or all jobs, of one moment, packed into two blocks of memory.
 *
 * A pack is filled record by record, finished, and then immutable and shared by reference counts. A
 * node takes 96 bytes and a job 68, and each string once however many records share it; what goes
 * together (the shape of a kind of machine; the user, account and partition of a job) is shared as
 * one piece. Records are sorted, nodes by name and jobs by id, so that finding one needs no index
 * and comparing two packs is one walk.
 */
#pragma once
#include <stddef.h>
#include <stdint.h>

#include "slurm/snapshot.h"

struct pack;

struct pack *pack_new(enum slurm_part part, size_t expect); /* of how many records, about */
struct pack *pack_ref(struct pack *pack);
void pack_unref(struct pack *pack);
DEFINE_SCOPE(pack, pack_unref)

/* -E2BIG: more text than a pack can hold. */
int pack_add_node(struct pack *pack, const struct slurm_node *node, struct error *err);
int pack_add_job(struct pack *pack, const struct slurm_job *job, struct error *err);
/* Sorts and shrinks it. -EBADMSG: a node stands there twice. */
int pack_finish(struct pack *pack, struct error *err);

size_t pack_count(const struct pack *pack);
size_t pack_bytes(const struct pack *pack); /* all of its memory */
void pack_node(const struct pack *pack, size_t i, struct slurm_node *ret);
void pack_job(const struct pack *pack, size_t i, struct slurm_job *ret);
bool pack_find_node(const struct pack *pack, const char *name, size_t *ret);
bool pack_find_job(const struct pack *pack, uint32_t id, size_t *ret);

/* Walks two packs of one part and tells every difference between them, in order; old may be NULL.
 * The change borrows from the packs. Returns how many. */
size_t pack_diff(enum slurm_part part, const struct pack *old, const struct pack *fresh,
                 void (*on_change)(void *userdata, const struct slurm_change *change),
                 void *userdata);
