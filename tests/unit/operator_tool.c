/* operator_tool.c - the operator as unit tests run it: beside an API server of paper, and with every
 * name leading to one address.
 *
 * usage: operator_tool KUBECONFIG ADDRESS HEALTH
 */
#include <dlfcn.h>
#include <netdb.h>
#include <stddef.h>

#include "kube/manager.h"
#include "slinky/slinky.h"

typedef int lookup(const char *, const char *, const struct addrinfo *, struct addrinfo **);

static const char *address;

/* In place of libc's: there is no name server. */
int getaddrinfo(const char *node, const char *service, const struct addrinfo *hints,
                struct addrinfo **ret)
{
    static lookup *real;
    struct addrinfo numeric = { .ai_flags = AI_NUMERICHOST };
    struct addrinfo *found = NULL;

    if (!real)
        real = (lookup *)dlsym(RTLD_NEXT, "getaddrinfo");
    if (real(node, service, &numeric, &found) == 0)
        freeaddrinfo(found);
    else
        node = address;
    return real(node, service, hints, ret);
}

int main(int argc, char **argv)
{
    const unsigned workers[] = { 2, 2, 2, 4, 2, 1, 2 };
    struct slinky_options slinky = { .slurm_refresh = USEC_SEC / 2,
                                     .node_conditions = STRS("Burning", "Drowning") };

    if (argc != 4)
        return 2;
    address = argv[2];
    return manager_run(&(struct manager_options) {
        .name = "slurm-operator",
        .kubeconfig = argv[1],
        .health_address = argv[3],
        .controllers = slinky_controllers,
        .workers = workers,
        .cache_rules = slinky_cache_rules,
        .call_timeout = 5 * USEC_SEC,
        .on_start = slinky_start,
        .on_stop = slinky_stop,
        .userdata = &slinky,
    });
}
