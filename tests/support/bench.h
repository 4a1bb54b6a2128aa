/* bench.h - what tests of the Slurm client need: a stub, a client of it, and a call. */
#pragma once
#include "net/loop.h"
#include "slurm/client.h"
#include "support/stub.h"
#include "support/test.h"

struct bench {
    struct loop *loop;
    struct stub *stub;
    struct slurm *slurm;
    struct slurm_call call;
};

static inline void bench_end(struct bench *b)
{
    slurm_unref(b->slurm);
    loop_free(b->loop);
    stub_free(b->stub);
    arena_free(b->call.arena);
}
/* BENCH b = bench_of(NULL): ends with its block. */
#define BENCH __attribute__((cleanup(bench_end))) struct bench

/* Options may be NULL; cluster and URL are filled in, and a token where there is none. */
static inline struct bench bench_of(const struct slurm_options *more)
{
    struct bench b = { .loop = loop_new(), .stub = stub_new(), .call = { .arena = arena_new() } };
    struct slurm_options options = more ? *more : (struct slurm_options) { 0 };
    struct error err = { 0 };

    options.cluster = "test";
    options.url = stub_url(b.stub);
    if (!options.token.key && !options.token.file)
        options.token.text = "good";
    CHECK_OK(loop_start(b.loop, &err), err);
    CHECK_OK(slurm_new(b.loop, &options, &b.slurm, &err), err);
    return b;
}
