/* test.c - runs the registered tests one after another and prints TAP. */
#include "support/test.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum outcome { PASSED, FAILED, SKIPPED };

static struct test *tests;
static jmp_buf escape;
static char message[2048];

void test_register(struct test *test)
{
    struct test **slot = &tests;

    while (*slot)
        slot = &(*slot)->next;
    *slot = test;
}

void test_fail(const char *file, int line, const char *format, ...)
{
    va_list args;
    int used = snprintf(message, sizeof message, "%s:%d: ", file, line);

    va_start(args, format);
    vsnprintf(message + used, sizeof message - (size_t)used, format, args);
    va_end(args);
    longjmp(escape, FAILED);
}

void test_skip(const char *format, ...)
{
    va_list args;

    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    longjmp(escape, SKIPPED);
}

void test_check_str(const char *file, int line, const char *what, const char *have,
                    const char *want)
{
    if (have == want || (have && want && !strcmp(have, want)))
        return;
    test_fail(file, line, "%s is \"%s\", not \"%s\"", what, have ?: "(null)", want ?: "(null)");
}

void test_check_int(const char *file, int line, const char *what, int64_t have, int64_t want)
{
    if (have != want)
        test_fail(file, line, "%s is %lld, not %lld", what, (long long)have, (long long)want);
}

const char *test_dir(void)
{
    return getenv("TEST_DIR") ?: TESTS_SOURCE_DIR;
}

static void print_message(void)
{
    for (char *line = strtok(message, "\n"); line; line = strtok(NULL, "\n"))
        printf("# %s\n", line);
}

static bool run_one(const struct test *test, int number)
{
    volatile enum outcome outcome = PASSED;
    int jumped = setjmp(escape);

    if (!jumped)
        test->run();
    else
        outcome = (enum outcome)jumped;
    if (outcome == SKIPPED)
        printf("ok %d - %s # SKIP %s\n", number, test->name, message);
    else
        printf("%s %d - %s\n", outcome == PASSED ? "ok" : "not ok", number, test->name);
    if (outcome == FAILED)
        print_message();
    fflush(stdout);
    return outcome != FAILED;
}

int main(int argc, char **argv)
{
    const char *wanted = argc > 1 ? argv[1] : "";
    int number = 0;
    int failed = 0;

    for (struct test *test = tests; test; test = test->next)
        if (strstr(test->name, wanted))
            failed += !run_one(test, ++number);
    printf("1..%d\n", number);
    return failed > 0;
}
