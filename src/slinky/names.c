/* names.c - what the objects of slinky.slurm.net resources are called. */
#include "slinky/names.h"

#include "base/scope.h"

const char *slinky_controller_name(struct arena *a, const char *controller)
{
    return fmt(a, "%s-controller", controller);
}

const char *slinky_controller_internal_name(struct arena *a, const char *controller)
{
    return fmt(a, "%s-controller-internal", controller);
}

const char *slinky_controller_config_name(struct arena *a, const char *controller)
{
    return fmt(a, "%s-config", controller);
}

const char *slinky_controller_pod_name(struct arena *a, const char *controller, int ordinal)
{
    return fmt(a, "%s-controller-%d", controller, ordinal);
}

const char *slinky_accounting_name(struct arena *a, const char *accounting)
{
    return fmt(a, "%s-accounting", accounting);
}

const char *slinky_restapi_name(struct arena *a, const char *restapi)
{
    return fmt(a, "%s-restapi", restapi);
}

const char *slinky_ssh_config_name(struct arena *a, const char *set)
{
    return fmt(a, "%s-ssh-config", set);
}

const char *slinky_ssh_host_keys_name(struct arena *a, const char *loginset)
{
    return fmt(a, "%s-ssh-host-keys", loginset);
}

const char *slinky_workers_service_name(struct arena *a, const char *controller)
{
    return fmt(a, "slurm-workers-%s", controller);
}

const char *slinky_workers_pdb_name(struct arena *a, const char *controller)
{
    return fmt(a, "slurm-workers-pdb-%s", controller);
}

struct pairs slinky_selector_of(struct arena *a, const char *daemon, const char *resource)
{
    struct pairs none = { 0 };

    return pairs_with(a, pairs_with(a, none, SLINKY_APP_INSTANCE, resource), SLINKY_APP_NAME,
                      daemon);
}

const char *slinky_selector_text(struct arena *a, const char *daemon, const char *resource)
{
    return fmt(a, SLINKY_APP_INSTANCE "=%s," SLINKY_APP_NAME "=%s", resource, daemon);
}
