/* tres_test.c - counted resources, both ways. */
#include <errno.h>
#include <string.h>

#include "slurm/tres.h"
#include "support/test.h"

#define GIB (UINT64_C(1) << 30)

TEST(tres_reads_counts_and_memory)
{
    scoped(arena) struct arena *a = arena_new();
    struct tres_list list = { 0 };
    struct error err = { 0 };

    CHECK_OK(
        tres_parse(a, "cpu=4,mem=16G,node=1,billing=4,gres/gpu=2,gres/gpu:h100=2", &list, &err),
        err);
    CHECK_INT(list.n, 6);
    CHECK_INT(tres_get(list, "cpu"), 4);
    CHECK_INT(tres_get(list, "MEM"), (int64_t)(16 * GIB));
    CHECK_INT(tres_get(list, "gres/gpu:h100"), 2);
    CHECK_INT(tres_get(list, "gres/gpu:a100"), 0);
    CHECK(!tres_has(list, "gres/gpu:a100"));
    CHECK_STR(tres_text(a, list), "cpu=4,mem=16G,node=1,billing=4,gres/gpu=2,gres/gpu:h100=2");
}

TEST(tres_reads_memory_as_slurm_prints_it)
{
    scoped(arena) struct arena *a = arena_new();
    struct tres_list list = { 0 };
    struct error err = { 0 };

    CHECK_OK(tres_parse(a, "mem=62.50G", &list, &err), err);
    CHECK_STR(tres_text(a, list), "mem=64000M");
    CHECK_OK(tres_parse(a, "mem=1500", &list, &err), err);
    CHECK_STR(tres_text(a, list), "mem=1500M");
    CHECK_OK(tres_parse(a, "mem=512K,gres/gpumem=2G", &list, &err), err);
    CHECK_STR(tres_text(a, list), "mem=512K,gres/gpumem=2G");
    CHECK_OK(tres_parse(a, "(null)", &list, &err), err);
    CHECK_INT(list.n, 0);
}

static void tres_refuses(const char *text, const char *words)
{
    scoped(arena) struct arena *a = arena_new();
    struct tres_list list = { 0 };
    struct error err = { 0 };

    CHECK_INT(tres_parse(a, text, &list, &err), -EINVAL);
    CHECK(strstr(error_text(&err), words) != NULL);
}

TEST(tres_refuses_what_is_no_count)
{
    tres_refuses("cpu", "NAME=COUNT");
    tres_refuses("cpu=4,=3", "NAME=COUNT");
    tres_refuses("cpu=", "want a count");
    tres_refuses("cpu=-1", "want a count");
    tres_refuses("mem=1.G", "want a count");
    tres_refuses("mem=16X", "want a count");
    tres_refuses("mem=99999999999999999999", "want a count");
    tres_refuses("mem=99999999999999P", "want a count");
}

TEST(gres_reads_types_counts_and_places)
{
    scoped(arena) struct arena *a = arena_new();
    struct gres_list list = { 0 };
    struct error err = { 0 };

    CHECK_OK(
        gres_parse(a, "gpu:h100:8(S:0-1),gpu:a100:2,nic:1,mps:no_consume:400,fpga", &list, &err),
        err);
    CHECK_INT(list.n, 5);
    CHECK_STR(list.v[0].type, "h100");
    CHECK_STR(list.v[0].detail, "S:0-1");
    CHECK_INT(gres_count(list, "gpu", NULL), 10);
    CHECK_INT(gres_count(list, "gpu", "a100"), 2);
    CHECK_INT(gres_count(list, "fpga", NULL), 1);
    CHECK(list.v[3].no_consume);
    CHECK_STR(gres_text(a, list), "gpu:h100:8(S:0-1),gpu:a100:2,nic:1,mps:no_consume:400,fpga:1");
    CHECK_OK(gres_parse(a, "gpu:h200:4(IDX:0-1,3),gpu:2K", &list, &err), err);
    CHECK_STR(list.v[0].detail, "IDX:0-1,3");
    CHECK_INT(gres_count(list, "gpu", NULL), 2052);
}

TEST(gres_refuses_what_it_cannot_read)
{
    scoped(arena) struct arena *a = arena_new();
    struct gres_list list = { 0 };
    struct error err = { 0 };

    CHECK_INT(gres_parse(a, "gpu:h100:x:4", &list, &err), -EINVAL);
    CHECK_INT(gres_parse(a, "gpu::4", &list, &err), -EINVAL);
    CHECK_INT(gres_parse(a, "gpu:4(S:0", &list, &err), -EINVAL);
}
