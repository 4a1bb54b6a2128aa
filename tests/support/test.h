/* test.h - tests named as sentences, reported as TAP, which `meson test` counts.
 *
 *     TEST(queue_holds_a_key_once)
 *     {
 *         ...
 *         CHECK(queue_len(q) == 1);
 *         CHECK_STR(key, "hpc/a");
 *     }
 *
 * A failed CHECK ends its test and the next one runs. A test file needs nothing else: main() is in
 * test.c. Run one test with `binary name-part`.
 */
#pragma once
#include <stdbool.h>
#include <stdint.h>

struct test {
    const char *name;
    void (*run)(void);
    struct test *next;
};

void test_register(struct test *test);
void test_fail(const char *file, int line, const char *format, ...)
    __attribute__((format(printf, 3, 4), noreturn));
/* Why a test cannot run here; it counts as skipped and ends. */
void test_skip(const char *format, ...) __attribute__((format(printf, 1, 2), noreturn));
/* The directory of tests/, for data files. */
const char *test_dir(void);

#define TEST(title)                                                                                \
    static void test_##title(void);                                                                \
    __attribute__((constructor)) static void register_##title(void)                                \
    {                                                                                              \
        static struct test test = { .name = #title, .run = test_##title };                         \
        test_register(&test);                                                                      \
    }                                                                                              \
    static void test_##title(void)

#define CHECK(condition)                                                                           \
    do {                                                                                           \
        if (!(condition))                                                                          \
            test_fail(__FILE__, __LINE__, "%s", #condition);                                       \
    } while (0)

void test_check_str(const char *file, int line, const char *what, const char *have,
                    const char *want);
void test_check_int(const char *file, int line, const char *what, int64_t have, int64_t want);
#define CHECK_STR(have, want) test_check_str(__FILE__, __LINE__, #have, have, want)
#define CHECK_INT(have, want) test_check_int(__FILE__, __LINE__, #have, (int64_t)(have), want)
/* A call that must succeed, telling its story if it does not: CHECK_OK(parse(..., &err), err). */
#define CHECK_OK(call, err)                                                                        \
    do {                                                                                           \
        if ((call) < 0)                                                                            \
            test_fail(__FILE__, __LINE__, "%s: %s", #call, error_text(&(err)));                    \
    } while (0)
