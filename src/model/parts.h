/* parts.h - what the parts of a cluster are described with, whatever API described them.
 *
 * A model is a tree of plain values that a front end fills in: names are whole, labels and
 * annotations are already put together, references are already looked up. Nothing in it says which
 * API it came from, and whoever reads it needs no other object. Texts and lists are borrowed from
 * the arena or the objects that the model was made of.
 *
 * The zero value means absent: no override, no hash, the usual port.
 */
#pragma once
#include <stdbool.h>
#include <stdint.h>

#include "k8s/meta.h"
#include "k8s/service.h"
#include "json/table.h"

/* The words of one API family, one constant table per front end. Every entry is the key of a label,
 * annotation or taint unless said otherwise; a NULL key leaves out what it would carry. */
struct profile {
    const char *slurm_key_hash, *jwt_key_hash; /* annotations that restart pods when they change */
    const char *config_hash, *config_files_hash;
    const char *dbd_config_hash;
    const char *sshd_hash, *sssd_hash, *host_keys_hash, *authorized_keys_hash;
    const char *mounts_hash; /* of what the user mounts into the pods */

    const char *cluster;  /* label of workers: the cluster they belong to */
    const char *active;   /* label of the one slurmctld pod that serves */
    const char *protect;  /* label of workers that must not be evicted */
    const char *revision; /* label of workers: the revision they were made from */
    const char *pod_name; /* labels of workers */
    const char *pod_index;
    const char *pod_hostname;
    const char *scaling_mode;
    const char *topology;     /* annotation of nodes and workers */
    const char *worker_taint; /* taint that keeps others off a worker's node */

    const char *helper_image; /* of helper containers that need nothing but a shell */

    const char *topology_variable; /* environment variable of slurmd */
    const char *reason_prefix;     /* what the reasons that we give Slurm nodes begin with */
};

/* One object: what it is called and what it carries. */
struct model_object {
    const char *name;
    struct pairs labels, annotations;
};

/* Where the objects of one resource live, and who owns them. */
struct model_home {
    const struct profile *profile;
    const char *namespace;
    struct k8s_owner_reference owner; /* .kind NULL: none */
};

/* One key of a Secret or ConfigMap. */
struct model_key {
    const char *name; /* of the object; NULL: no such key */
    const char *key;
};

/* Pods to be made. */
struct model_pods {
    struct pairs labels, annotations;
    struct pairs selector;   /* the labels that find them; part of .labels */
    struct pairs hashes;     /* annotations whose change restarts the pods */
    bool roll_on_change;     /* the other things that they mount restart them too */
    const struct json *spec; /* fields of a PodSpec, merged over ours; NULL: none */
};

/* A Service in front of pods. */
struct model_service {
    struct model_object object;
    struct k8s_service_spec spec; /* the user's wishes; ports and selector come on top */
    int port;                     /* 0: the daemon's usual one */
    int node_port;                /* 0: the server chooses */
};

/* Both, the second wins. */
struct pairs pairs_over(struct arena *a, struct pairs base, struct pairs over);
