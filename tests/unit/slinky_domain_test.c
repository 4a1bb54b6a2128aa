/* slinky_domain_test.c - the cluster's domain, read off a resolv.conf. */
#include "slinky/slinky.h"
#include "support/test.h"

TEST(the_domain_follows_svc_in_the_search_line)
{
    scoped(arena) struct arena *a = arena_new();

    CHECK_STR(slinky_domain(a, "nameserver 10.0.0.10\n"
                               "search hpc.svc.example.org svc.example.org example.org\n"
                               "options ndots:5\n"), "example.org");
    CHECK_STR(slinky_domain(a, "search\tsvc.cluster.local"), "cluster.local");
    CHECK_STR(slinky_domain(a, "search lan\nsearch svc.a.b c\n"), "a.b");
}

TEST(a_resolv_conf_outside_of_a_cluster_tells_no_domain)
{
    scoped(arena) struct arena *a = arena_new();

    CHECK_STR(slinky_domain(a, NULL), NULL);
    CHECK_STR(slinky_domain(a, ""), NULL);
    CHECK_STR(slinky_domain(a, "search lan home\n"), NULL);
    CHECK_STR(slinky_domain(a, "search svc.\n"), NULL);
    CHECK_STR(slinky_domain(a, "# search svc.x\nsearches svc.x\n"), NULL);
}
