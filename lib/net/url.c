/* url.c - splits http and https URLs, and escapes text for them. */
#include "net/url.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>

#include "base/str.h"

static bool is_plain(unsigned char c)
{
    return isalnum(c) || strchr("-._~", c);
}

static bool is_clean(const char *text)
{
    for (const unsigned char *c = (const unsigned char *)text; *c; c++)
        if (*c <= ' ' || *c >= 127 || *c == '?' || *c == '#' || *c == '@' || *c == '\\')
            return false;
    return true;
}

static int parse_port(const char *text, const char *whole, int *ret, struct error *err)
{
    int64_t port;

    if (!str_int(text, &port) || port < 1 || port > 65535)
        return fail(err, -EINVAL, "URL '%s': port '%s' is not a number from 1 to 65535", whole,
                    text);
    *ret = (int)port;
    return 0;
}

/* "host", "host:port", "[v6]", "[v6]:port"; cuts the host off in place. */
static int parse_authority(char *text, const char *whole, struct url *ret, struct error *err)
{
    bool bracketed = *text == '[';
    char *end = bracketed ? strchr(text, ']') : text + strcspn(text, ":");

    ret->host = text + bracketed;
    if (!end || end == ret->host)
        return fail(err, -EINVAL, "URL '%s' has no host", whole);
    if (bracketed)
        *end++ = '\0';
    if (!*end)
        return 0;
    if (*end != ':')
        return fail(err, -EINVAL, "URL '%s': '%s' after the host is not a port", whole, end);
    *end = '\0';
    return parse_port(end + 1, whole, &ret->port, err);
}

int url_parse(struct arena *a, const char *text, struct url *ret, struct error *err)
{
    struct url url = { 0 };
    char *rest;
    char *path;
    int rc;

    if (str_starts(text, "https://"))
        url = (struct url) { .scheme = "https", .port = 443 };
    else if (str_starts(text, "http://"))
        url = (struct url) { .scheme = "http", .port = 80 };
    else
        return fail(err, -EINVAL, "URL '%s' begins with neither http:// nor https://", text ?: "");
    rest = arena_str(a, text + strlen(url.scheme) + 3);
    if (!is_clean(rest))
        return fail(err, -EINVAL, "URL '%s' may hold a host, a port and a path only", text);

    path = strchrnul(rest, '/');
    url.path = arena_str(a, path);
    for (size_t n = strlen(url.path); n && url.path[n - 1] == '/'; n--)
        ((char *)url.path)[n - 1] = '\0';
    *path = '\0';
    rc = parse_authority(rest, text, &url, err);
    if (rc == 0)
        *ret = url;
    return rc;
}

char *url_escape(struct arena *a, const char *text)
{
    static const char hex[] = "0123456789ABCDEF";
    char *escaped = arena_alloc(a, strlen(text) * 3 + 1);
    char *to = escaped;

    for (const unsigned char *c = (const unsigned char *)text; *c; c++) {
        if (is_plain(*c)) {
            *to++ = (char)*c;
        } else {
            *to++ = '%';
            *to++ = hex[*c >> 4];
            *to++ = hex[*c & 15];
        }
    }
    return escaped;
}

static int hex_digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    c |= 0x20;
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

char *url_unescape(struct arena *a, const char *text, size_t len, bool query)
{
    char *plain = arena_alloc(a, len + 1);
    char *to = plain;

    for (size_t i = 0; i < len; i++) {
        if (text[i] == '%') {
            int high = i + 2 < len ? hex_digit(text[i + 1]) : -1;
            int low = i + 2 < len ? hex_digit(text[i + 2]) : -1;

            if (high < 0 || low < 0 || (high | low) == 0)
                return NULL;
            *to++ = (char)(high << 4 | low);
            i += 2;
        } else {
            *to++ = query && text[i] == '+' ? ' ' : text[i];
        }
    }
    return plain;
}
