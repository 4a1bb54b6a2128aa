/* record.h - nodes and jobs as slurmrestd writes them, decoded one record at a time.
 *
 * The decoded record borrows its strings from the arena that the text was parsed into; the *_keep()
 * functions copy what they hold into another. Only the fields of struct slurm_node and struct
 * slurm_job are looked at. A field of the wrong type is an error (-EBADMSG) that names it: a record
 * that we do not understand is not half understood.
 */
#pragma once
#include <stddef.h>
#include <stdint.h>

#include "slurm/job_api.h"
#include "slurm/node_api.h"
#include "slurm/snapshot.h"

int node_decode(struct arena *a, const char *text, size_t len, struct slurm_node *ret,
                struct error *err);
int job_decode(struct arena *a, const char *text, size_t len, struct slurm_job *ret,
               struct error *err);
/* A job in the words of slurmdbd, which are others. */
int db_job_decode(struct arena *a, const char *text, size_t len, struct slurm_job *ret,
                  struct error *err);

void node_keep(struct arena *a, struct slurm_node *node);
void job_keep(struct arena *a, struct slurm_job *job);

/* Where the strings of a record are, what kind of difference a new text is, and whether many
 * records have the same few texts there, always together. */
struct record_text {
    uint16_t offset;
    uint16_t difference; /* enum slurm_difference; 0: the record's name */
    bool shared;
};
enum { NODE_TEXTS = 19, NODE_SHARED_TEXTS = 7, JOB_TEXTS = 12, JOB_SHARED_TEXTS = 8 };
extern const struct record_text node_texts[NODE_TEXTS];
extern const struct record_text job_texts[JOB_TEXTS];
static inline const char **record_text(const void *record, const struct record_text *text)
{
    return (const char **)((char *)record + text->offset);
}

/* "a,b" of a list of strings. */
const char *join(struct arena *a, struct strs words);
