/* topology.h - the network between nodes, as Slurm's topology plugins want it described.
 *
 * The input is what is known of each node: the switches above it, the nearest first, or the block
 * it is in. The output is topology.conf or topology.yaml with nodes and switches as host ranges,
 * sorted, so that the same knowledge gives the same text. A node about which nothing is known still
 * appears, under a switch (or in a block) called "unknown": Slurm refuses nodes that its topology
 * leaves out.
 */
#pragma once
#include <stddef.h>

#include "base/arena.h"
#include "json/table.h"

#define TOPOLOGY_ROOT "root" /* the fabric of nodes that name none */

struct topology_node {
    const char *name;
    const char *fabric;   /* networks that do not meet; NULL: TOPOLOGY_ROOT */
    struct strs switches; /* nearest first; empty: not known */
    const char *block;    /* NULL: not known */
};

/* topology/tree: SwitchName= lines. Switches without one above them hang under their fabric's. */
char *topology_tree_text(struct arena *a, const struct topology_node *nodes, size_t n);
/* topology/block: BlockName= lines and BlockSizes. */
char *topology_block_text(struct arena *a, const struct topology_node *nodes, size_t n,
                          unsigned block_size);
/* topology.yaml with one topology of that name, the cluster's default: a tree, or blocks when
 * block_size is not 0. */
char *topology_yaml_text(struct arena *a, const char *name, const struct topology_node *nodes,
                         size_t n, unsigned block_size);
