/* hostlist_test.c - host lists both ways, and against the real scontrol where there is one. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/str.h"
#include "slurm/hostlist.h"
#include "support/test.h"

static char *joined(struct arena *a, struct strs names)
{
    scoped(buf) struct buf out = { 0 };

    for (size_t i = 0; i < names.n; i++)
        buf_fmt(&out, "%s%s", i ? " " : "", names.v[i]);
    return arena_str(a, buf_text(&out));
}

static void expands(const char *list, const char *want)
{
    scoped(arena) struct arena *a = arena_new();
    struct error err = { 0 };
    struct strs names = { 0 };
    uint64_t count = 0;

    CHECK_OK(hostlist_expand(a, list, 0, &names, &err), err);
    CHECK_STR(joined(a, names), want);
    CHECK_OK(hostlist_count(list, &count, &err), err);
    CHECK_INT(count, names.n);
}

static void folds(const char *list, const char *want)
{
    scoped(arena) struct arena *a = arena_new();
    struct error err = { 0 };
    struct strs names = { 0 };

    CHECK_OK(hostlist_expand(a, list, 0, &names, &err), err);
    CHECK_STR(hostlist_fold(a, names), want);
}

static void refuses(const char *list, int code, const char *words)
{
    scoped(arena) struct arena *a = arena_new();
    struct error err = { 0 };
    struct strs names = { 0 };

    CHECK_INT(hostlist_expand(a, list, 100000, &names, &err), code);
    if (!strstr(error_text(&err), words))
        test_fail(__FILE__, __LINE__, "'%s' is refused with '%s', want '%s' in it", list,
                  error_text(&err), words);
    CHECK_INT(names.n, 0);
    CHECK_INT(hostlist_expand(a, list, 100000, &names, NULL), code);
}

TEST(hostlist_expands_what_scontrol_expands)
{
    expands("", "");
    expands("login", "login");
    expands("n[1-3]", "n1 n2 n3");
    expands("n[08-11]", "n08 n09 n10 n11");
    expands("n[8-011]", "n8 n9 n10 n11");
    expands("n[008-11]", "n008 n009 n010 n011");
    expands("n[1,3-4,07]x", "n1x n3x n4x n07x");
    expands("node[1-2,07]x[1-2],foo", "node1x1 node1x2 node2x1 node2x2 node07x1 node07x2 foo");
    expands("rack[0-1]node[01-02]-ib",
            "rack0node01-ib rack0node02-ib rack1node01-ib rack1node02-ib");
    expands("n[1-2][3-4]", "n13 n14 n23 n24");
    expands("[1-3]", "1 2 3");
    expands(",n1,, n2\tn3\n", "n1 n2 n3");
    expands("n[1-2],n[1-2]", "n1 n2 n1 n2");
}

TEST(hostlist_turns_three_dimensions_in_the_order_of_scontrol)
{
    expands("a[1-2]b[1-2]c[1-2]", "a1b1c1 a1b1c2 a2b1c1 a2b1c2 a1b2c1 a1b2c2 a2b2c1 a2b2c2");
}

TEST(hostlist_folds_what_scontrol_folds)
{
    folds("", "");
    folds("node1,node2,node3,gpu-01,gpu-02,login", "node[1-3],gpu-[01-02],login");
    folds("n01,n1,n001,n2,n02", "n[01,1,001,2,02]");
    folds("n3,n1,n2,n2", "n[3,1-2,2]");
    folds("n99,n100,n101", "n[99-101]");
    folds("n099,n100", "n[099-100]");
    folds("n099,n0100", "n[099,0100]");
    folds("n009,n010,n11", "n[009-010,11]");
    folds("n00,n01,n2", "n[00-01,2]");
    folds("n1,n3,m1,n2", "n[1,3],m1,n2");
    folds("n[1-3]-ib", "n1-ib,n2-ib,n3-ib");
    folds("a[1-2]b[3-4]", "a1b[3-4],a2b[3-4]");
    folds("1,2,3", "[1-3]");
    folds("n7", "n7");
    folds("n9,n8,n7", "n[9,8,7]");
    folds("n,n1,n", "n,n1,n");
    folds("n18446744073709551613,n18446744073709551614",
          "n[18446744073709551613-18446744073709551614]");
}

TEST(hostlist_leaves_a_number_alone_that_is_too_long)
{
    folds("n99999999999999999999,n100000000000000000000",
          "n99999999999999999999,n100000000000000000000");
}

TEST(hostlist_of_a_set_is_sorted_by_number)
{
    scoped(arena) struct arena *a = arena_new();
    struct strs names = STRS("n10", "n9", "login", "n1", "n9", "a-b-3", "n11");

    CHECK_STR(hostlist_of_set(a, names), "a-b-3,login,n[1,9-11]");
    CHECK_STR(hostlist_of_count(a, "gpu-", 0), "");
    CHECK_STR(hostlist_of_count(a, "gpu-", 1), "gpu-0");
    CHECK_STR(hostlist_of_count(a, "gpu-", 16), "gpu-[0-15]");
}

TEST(hostlist_refuses_what_is_malformed)
{
    refuses("n[1-", -EINVAL, "brackets");
    refuses("n1]", -EINVAL, "brackets");
    refuses("n[1-[2-3]]", -EINVAL, "brackets");
    refuses("n[]", -EINVAL, "not a number");
    refuses("n[a-b]", -EINVAL, "not a number");
    refuses("n[1,,2]", -EINVAL, "not a number");
    refuses("n[1-]", -EINVAL, "not a number");
    refuses("n[+1]", -EINVAL, "not a number");
    refuses("ok,n[5-2]", -EINVAL, "backwards");
    refuses("n[1-99999999999999999999]", -EINVAL, "not a number");
}

TEST(hostlist_refuses_more_names_than_it_should_make)
{
    refuses("node[0-4294967295]", -E2BIG, "0-4294967295");
    refuses("a[1-1000]b[1-1000]", -E2BIG, "1000000 hosts");
    refuses("a[1-65536]b[1-65536]c[1-65536]d[1-65536]e[1-65536]", -E2BIG, "limit");
}

TEST(hostlist_of_ten_thousand_names_is_quick)
{
    scoped(arena) struct arena *a = arena_new();
    struct error err = { 0 };
    struct strs names = { 0 };
    usec start = clock_now();

    for (int i = 0; i < 10; i++) {
        CHECK_OK(hostlist_expand(a, "gpu-[0000-9999]", 0, &names, &err), err);
        CHECK_INT(names.n, 10000);
        CHECK_STR(hostlist_of_set(a, names), "gpu-[0000-9999]");
        arena_reset(a);
    }
    CHECK(clock_now() - start < 5 * USEC_SEC);
}

/* A made-up name out of few letters and digits, so that neighbours meet often. */
static const char *random_name(struct arena *a, unsigned *seed)
{
    static const char *const prefixes[] = { "n", "gpu-", "n1x", "", "r2-n", "a.b" };
    static const char *const suffixes[] = { "", "", "", "-ib", "x" };

    return fmt(a, "%s%0*d%s", prefixes[rand_r(seed) % 6], rand_r(seed) % 4, rand_r(seed) % 120,
               suffixes[rand_r(seed) % 5]);
}

TEST(hostlist_comes_back_from_any_fold)
{
    unsigned seed = 7;

    for (int round = 0; round < 500; round++) {
        scoped(arena) struct arena *a = arena_new();
        const char *v[40];
        struct strs names = { .v = v, .n = (size_t)(1 + rand_r(&seed) % 40) }, back;
        struct error err = { 0 };

        for (size_t i = 0; i < names.n; i++)
            v[i] = i && rand_r(&seed) % 3 ? fmt(a, "n%zu", i + (size_t)(rand_r(&seed) % 2))
                                          : random_name(a, &seed);
        CHECK_OK(hostlist_expand(a, hostlist_fold(a, names), 0, &back, &err), err);
        CHECK_STR(joined(a, back), joined(a, names));
    }
}
