/* error.h - the story of a failure, outermost first.
 *
 * Functions return 0 or a negative errno; the words travel beside it in a struct error that the
 * caller owns, usually on its stack:
 *
 *     struct error err = { 0 };
 *     if (config_read(path, &config, &err) < 0)
 *         log_error(log, "cannot start", KV("error", error_text(&err)));
 *
 * fail() begins the story, wrap() puts where we were in front of it. Both return the code, so that
 * they stand in a return statement. Every function here accepts err == NULL.
 */
#pragma once

enum { ERROR_TEXT_MAX = 1024 };

struct error {
    int code; /* negative errno, 0 for none */
    char text[ERROR_TEXT_MAX];
};

int fail(struct error *err, int code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
int wrap(struct error *err, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The story, or the words for its code when nobody told one; never NULL. */
const char *error_text(const struct error *err);
void error_clear(struct error *err);
