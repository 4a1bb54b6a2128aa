/* hostlist_fuzz.c - any text as a host list: what expands folds to a list of the same hosts. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "slurm/hostlist.h"

enum { HOSTS_MAX = 2000 };

static void must(bool holds)
{
    if (!holds)
        abort();
}

static bool same(struct strs x, struct strs y)
{
    if (x.n != y.n)
        return false;
    for (size_t i = 0; i < x.n; i++)
        if (strcmp(x.v[i], y.v[i]) != 0)
            return false;
    return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    scoped(arena) struct arena *a = arena_new();
    const char *list = arena_strn(a, (const char *)data, size);
    struct strs names = { 0 }, back = { 0 };
    struct error err = { 0 };
    uint64_t count = 0;
    int code = hostlist_expand(a, list, HOSTS_MAX, &names, &err);

    if (code < 0) {
        must(err.text[0] != '\0');
        return 0;
    }
    must(hostlist_count(list, &count, NULL) == 0 && count == names.n);
    must(hostlist_expand(a, hostlist_fold(a, names), HOSTS_MAX, &back, NULL) == 0);
    must(same(names, back));
    must(hostlist_expand(a, hostlist_of_set(a, names), HOSTS_MAX, &back, NULL) == 0);
    must(back.n <= names.n);
    return 0;
}
