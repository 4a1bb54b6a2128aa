/* error.c - fail() begins a story, wrap() adds to its front. */
#include "base/error.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

int fail(struct error *err, int code, const char *format, ...)
{
    va_list args;

    if (!err)
        return code;
    err->code = code;
    va_start(args, format);
    vsnprintf(err->text, sizeof err->text, format, args);
    va_end(args);
    return code;
}

int wrap(struct error *err, const char *format, ...)
{
    char rest[ERROR_TEXT_MAX];
    va_list args;
    int used;

    if (!err)
        return -EIO;
    snprintf(rest, sizeof rest, "%s", error_text(err));
    va_start(args, format);
    used = vsnprintf(err->text, sizeof err->text, format, args);
    va_end(args);
    if (used >= 0 && (size_t)used < sizeof err->text)
        snprintf(err->text + used, sizeof err->text - (size_t)used, ": %s", rest);
    return err->code ?: -EIO;
}

const char *error_text(const struct error *err)
{
    if (!err || (!err->code && !err->text[0]))
        return "no error";
    return err->text[0] ? err->text : strerror(-err->code);
}

void error_clear(struct error *err)
{
    if (err)
        *err = (struct error){ 0 };
}
