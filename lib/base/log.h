/* log.h - structured lines on stderr: a constant message, and the facts as fields.
 *
 *     log_info(log, "node drained", KV("node", name), KV_INT("jobs_left", jobs));
 *
 * info says something changed, debug why nothing did, error that a person should look. A logger
 * carries fields of its own (the object's key, the controller) to every line. A NULL logger is the
 * root. Lines are JSON or text (log_configure). Lines are written whole, from any thread. Values
 * wrapped as SECRET() print as ***.
 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"

enum log_level { LOG_ERROR, LOG_INFO, LOG_DEBUG, LOG_TRACE };
enum log_format { LOG_TEXT, LOG_JSON };

struct log_field {
    const char *key;
    const char *text; /* NULL: number */
    int64_t number;
};

struct log {
    const struct log *parent;
    const struct log_field *fields; /* ended by a NULL key */
};

void log_configure(enum log_level level, enum log_format format);
bool log_level_parse(const char *text, enum log_level *ret); /* error info debug trace, or 0..3 */
bool log_wants(enum log_level level);
/* A child logger with one more field; lives in the arena. */
const struct log *log_with(struct arena *a, const struct log *parent, const char *key,
                           const char *value);
void log_write(enum log_level level, const struct log *log, const char *message,
               const struct log_field *fields);

#define KV(k, v) { .key = (k), .text = (v) ?: "" }
#define KV_INT(k, v) { .key = (k), .number = (v) }
#define SECRET(value) ((void)(value), "***")

#define LOG_AT(level, log, message, ...)                                                           \
    do {                                                                                           \
        if (log_wants(level))                                                                      \
            log_write(level, log, message, (const struct log_field[]){ __VA_ARGS__ __VA_OPT__(, ) { 0 } }); \
    } while (0)
#define log_error(log, message, ...) LOG_AT(LOG_ERROR, log, message, __VA_ARGS__)
#define log_info(log, message, ...) LOG_AT(LOG_INFO, log, message, __VA_ARGS__)
#define log_debug(log, message, ...) LOG_AT(LOG_DEBUG, log, message, __VA_ARGS__)
#define log_trace(log, message, ...) LOG_AT(LOG_TRACE, log, message, __VA_ARGS__)
