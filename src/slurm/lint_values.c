/* lint_values.c - whether a value fits its key, by the rules of Slurm's parser. */
#include "slurm/lint_values.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/scope.h"
#include "base/str.h"
#include "slurm/hostlist.h"
#include "slurm/timespan.h"

static bool among(const char *const *words, size_t n, const char *text)
{
    for (size_t i = 0; i < n; i++)
        if (strcasecmp(words[i], text) == 0)
            return true;
    return false;
}

static bool is_unlimited(const char *text)
{
    return strcasecmp(text, "UNLIMITED") == 0 || strcasecmp(text, "INFINITE") == 0;
}

/* Numbers as strtoull() takes them in any base, and no limit; 32-bit ones may end in K. */
static bool is_number(const char *text, uint64_t max, bool suffix)
{
    uint64_t value, factor = 1;
    char *end;

    if (is_unlimited(text))
        return true;
    if (*text == '+')
        text++;
    if (!isdigit((unsigned char)*text))
        return false;
    errno = 0;
    value = strtoull(text, &end, 0);
    if (errno)
        return false;
    if (suffix && toupper((unsigned char)*end) == 'K' && !end[1])
        factor = 1024;
    else if (*end)
        return false;
    return value <= max / factor;
}

static bool is_bool(const char *text)
{
    static const char *const words[] = { "yes", "no", "true", "false", "up", "down", "1", "0" };

    return among(words, ARRAY_SIZE(words), text);
}

static bool is_level(const char *text)
{
    static const char *const words[] = { "quiet",  "fatal",  "error",  "info",   "verbose", "debug",
                                         "debug2", "debug3", "debug4", "debug5", "sched" };

    return among(words, ARRAY_SIZE(words), text) || is_number(text, 9, false);
}

/* The digits at text as a port, 0 for none. */
static unsigned port_of(const char *text, size_t len)
{
    unsigned port = 0;

    for (size_t i = 0; i < len; i++) {
        if (!isdigit((unsigned char)text[i]) || port > UINT16_MAX)
            return 0;
        port = port * 10 + (unsigned)(text[i] - '0');
    }
    return port <= UINT16_MAX ? port : 0;
}

static bool is_ports(const char *text)
{
    size_t len = strcspn(text, "-");
    unsigned first = port_of(text, len);

    return first && (!text[len] || port_of(text + len + 1, strlen(text + len + 1)) >= first);
}

static bool is_span(const char *text)
{
    int64_t seconds;

    return timespan_parse(text, &seconds);
}

static bool is_seconds(const char *text)
{
    return strcmp(text, "-1") == 0 || is_number(text, UINT32_MAX, false);
}

static bool is_age(const char *text)
{
    int64_t seconds;

    return purge_age_parse(text, &seconds);
}

/* "host" or "host(address)" */
static bool is_controller(const char *text)
{
    const char *open = strchr(text, '(');

    return !open ? !strchr(text, ')') : open > text && str_ends(text, ")") && open[1] != ')';
}

static bool is_hosts(const char *text, const char **ret_why, struct arena *a)
{
    struct error err = { 0 };
    uint64_t count;

    if (hostlist_count(text, &count, &err) == 0)
        return true;
    *ret_why = fmt(a, "a list of hosts such as n[1-8],m1 (%s)", error_text(&err));
    return false;
}

/* Whether the word is one of the words; a word of the table that ends in ':' takes a number. */
static bool is_word(const char *words, const char *text, size_t len)
{
    while (*words) {
        size_t word = strcspn(words, " ");

        if (word == len && strncasecmp(words, text, len) == 0)
            return true;
        if (words[word - 1] == ':' && len > word && strncasecmp(words, text, word) == 0 &&
            strspn(text + word, "0123456789") >= len - word)
            return true;
        words += word + (words[word] == ' ');
    }
    return false;
}

/* The first of the comma-separated items that is not among the words; NULL when all are. A plugin
 * may be named with its kind in front: "auth/munge". */
static char *stranger(struct arena *a, const char *words, const char *text, bool plugin)
{
    while (*text) {
        size_t len = strcspn(text, ","), kind = 0;

        if (plugin && memchr(text, '/', len))
            kind = (size_t)((const char *)memchr(text, '/', len) - text) + 1;
        if (len > 0 && !is_word(words, text + kind, len - kind))
            return arena_strn(a, text, len);
        text += len + (text[len] == ',');
    }
    return NULL;
}

static const char *commas(struct arena *a, const char *words)
{
    char *list = arena_str(a, words);
    size_t len = strlen(list);

    /* long lists would drown the message */
    if (len > 120)
        strcpy(strchr(list + 100, ' ') ?: list + len, " ...");
    return list;
}

static const char *check_words(struct arena *a, const struct conf_key *key, const char *value)
{
    char *other;

    if (key->type == CONF_ONE_OF)
        return is_word(key->words, value, strlen(value))
                   ? NULL
                   : fmt(a, "one of: %s", commas(a, key->words));
    other = stranger(a, key->words, value, key->type == CONF_PLUGIN);
    if (!other)
        return NULL;
    if (key->type == CONF_PLUGIN)
        return fmt(a, "a plugin that comes with Slurm, not '%s': %s", other, commas(a, key->words));
    return fmt(a, "some of: %s; '%s' is none of them", commas(a, key->words), other);
}

static const char *want(bool fits, const char *what)
{
    return fits ? NULL : what;
}

const char *lint_value(struct arena *a, const struct conf_key *key, const char *value)
{
    const char *why = NULL;

    switch (key->type) {
    case CONF_TEXT:
        return NULL;
    case CONF_U16:
        return want(is_number(value, UINT16_MAX, false), "a whole number up to 65535");
    case CONF_U32:
        return want(is_number(value, UINT32_MAX, true), "a whole number up to 4294967295");
    case CONF_U64:
        return want(is_number(value, UINT64_MAX, false), "a whole number without a unit");
    case CONF_BOOL:
        return want(is_bool(value), "yes or no");
    case CONF_SPAN:
        return want(is_span(value),
                    "a time such as 30 (minutes), 1:30:00, 2-12:00:00 or UNLIMITED");
    case CONF_SECONDS:
        return want(is_seconds(value), "a whole number of seconds, or INFINITE");
    case CONF_AGE:
        return want(is_age(value), "an age such as 12months, 30days or 36hours");
    case CONF_LEVEL:
        return want(is_level(value),
                    "quiet, fatal, error, info, verbose, debug, debug2 to debug5, or 0 to 9");
    case CONF_PORT:
        return want(port_of(value, strlen(value)), "a port from 1 to 65535");
    case CONF_PORTS:
        return want(is_ports(value), "a port from 1 to 65535, or a range such as 6817-6818");
    case CONF_ONE_OF:
    case CONF_SET_OF:
    case CONF_PLUGIN:
        return check_words(a, key, value);
    case CONF_HOSTS:
        return is_hosts(value, &why, a) ? NULL : why;
    case CONF_CONTROLLER:
        return want(is_controller(value), "a host name, or name(address)");
    }
    return NULL;
}

bool lint_is_secret(const char *key)
{
    return str_ends(key, "Pass") || str_ends(key, "Password");
}
