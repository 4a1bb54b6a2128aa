/* build/login.h - the objects of login nodes. */
#pragma once
#include "k8s/configmap.h"
#include "k8s/deployment.h"
#include "k8s/secret.h"
#include "k8s/service.h"
#include "model/login.h"

struct k8s_service *login_service(struct arena *a, const struct model_login *m);
/* sshd_config and root's authorized_keys. */
struct k8s_configmap *login_ssh_config(struct arena *a, const struct model_login *m);
/* The host keys, immutable. keys: text by file name, those of host_key_files[]; made once by the
 * caller and never again while the Secret is there. */
struct k8s_secret *login_host_keys(struct arena *a, const struct model_login *m, struct pairs keys);
/* The Deployment. host_keys: the Secret above, as it is in the cluster or as it was just made; its
 * content restarts the pods. */
struct k8s_deployment *login_deployment(struct arena *a, const struct model_login *m,
                                        const struct k8s_secret *host_keys);

/* The files of a host's keys in the order of their mounts: private, public, private, ...; ended by
 * NULL. */
extern const char *const host_key_files[];
