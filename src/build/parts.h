/* parts.h - pieces that several daemons' objects are put together from. */
#pragma once
#include "k8s/container.h"
#include "k8s/meta.h"
#include "k8s/pod_spec.h"
#include "k8s/service.h"
#include "k8s/volume.h"
#include "model/parts.h"

enum { MODE_PRIVATE = 0600, MODE_SCRIPTS = 0610, MODE_PUBLIC = 0644 };

#define ETC_DIR "/etc/slurm"
#define LOG_DIR "/var/log/slurm"

struct projections {
    struct k8s_projection *v;
    size_t n;
};

/* Metadata of an object, its owner included. */
struct k8s_meta meta_of(struct arena *a, const struct model_home *home,
                        const struct model_object *object);

/* Volumes. */
struct k8s_volume memory_volume(struct arena *a, const char *name);
struct k8s_volume empty_volume(struct arena *a, const char *name);
struct k8s_volume claim_volume(struct arena *a, const char *name, const char *claim);
struct k8s_volume projected_volume(struct arena *a, const char *name, int mode,
                                   struct projections sources);
/* One key as one file, all keys of a ConfigMap as files. */
void project_secret(struct arena *a, struct projections *p, struct model_key key, const char *path);
void project_config(struct arena *a, struct projections *p, struct model_key key, const char *path);
void project_all(struct arena *a, struct projections *p, const char *config_map);
/* The items of the source added last get this mode of their own. */
void project_mode(struct projections *p, int mode);

/* One file of a volume, read-only. */
struct k8s_volume_mount file_mount(const char *volume, const char *path, const char *file);

/* Probes. */
struct k8s_probe *http_probe(struct arena *a, const char *path, const char *port);
struct k8s_probe *tcp_probe(struct arena *a, int port);
/* The same with the patience that starting and living take. */
struct k8s_probe *patient(struct k8s_probe *probe);

/* Security. */
struct k8s_security_context *runs_as(struct arena *a, int uid);
struct k8s_pod_security_context *pod_runs_as(struct arena *a, int uid);

/* A container with the user's wishes. */
const struct json *container_of(struct arena *a, const struct k8s_container *ours,
                                const struct json *user);
/* A pod spec: the typed part, whose own containers are empty, with these instead and the user's
 * wishes. The lists end with NULL. */
const struct json *pod_spec_of(struct arena *a, const struct k8s_pod_spec *ours,
                               const struct json *const *init_containers,
                               const struct json *const *containers, const struct json *user);
/* The template of a workload's pods: hashes and the default container are added to what the pods
 * carry. */
struct k8s_pod_template template_of(struct arena *a, const struct model_home *home,
                                    const char *name, const struct model_pods *pods,
                                    struct pairs hashes, const char *default_container,
                                    const struct json *spec);
/* The spec with one more required anti-affinity term, whatever terms the user has. */
const struct json *with_anti_affinity(struct arena *a, const struct json *spec,
                                      const struct k8s_label_selector *selector);

/* The sidecar that prints the log of a daemon: the file is a pipe that it empties. */
const struct json *logfile_container(struct arena *a, const struct profile *profile,
                                     const char *file, const struct json *user);

/* A Service with the user's wishes and one port of ours. */
struct k8s_service service_of(struct arena *a, const struct model_home *home,
                              const struct model_service *service, const char *port_name,
                              int usual_port, struct pairs selector);
