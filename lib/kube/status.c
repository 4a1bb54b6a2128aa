/* status.c - the server's answers as errnos with the server's own words. */
#include <errno.h>
#include <string.h>

#include "base/str.h"
#include "kube/client.h"

static const struct {
    int status;
    const char *reason; /* NULL: any */
    int code;
} meanings[] = {
    { 400, NULL, -EINVAL },
    { 401, NULL, -EACCES },
    { 403, NULL, -EACCES },
    { 404, NULL, -ENOENT },
    { 405, NULL, -EOPNOTSUPP },
    { 406, NULL, -EOPNOTSUPP },
    { 409, "AlreadyExists", -EEXIST },
    { 409, NULL, -ESTALE },
    { 410, NULL, -EKEYEXPIRED },
    { 413, NULL, -EMSGSIZE },
    { 415, NULL, -EOPNOTSUPP },
    { 422, NULL, -EINVAL },
    { 429, NULL, -EAGAIN },
    { 504, NULL, -ETIMEDOUT },
};

static int code_of(int status, const char *reason)
{
    for (size_t i = 0; i < ARRAY_SIZE(meanings); i++)
        if (meanings[i].status == status &&
            (!meanings[i].reason || str_eq(meanings[i].reason, reason)))
            return meanings[i].code;
    return status >= 500 ? -EAGAIN : -EIO;
}

int client_status_error(int status, const char *body, size_t len, struct error *err)
{
    scoped(arena) struct arena *a = arena_new();
    struct json *v = NULL;
    const char *reason;
    const char *message;

    if (status >= 200 && status < 300)
        return 0;
    if (json_parse(a, body ?: "", len, &v, NULL) < 0)
        v = NULL;
    reason = json_str_or(json_get(v, "reason"), NULL);
    message = json_str_or(json_get(v, "message"), NULL);
    if (!message) {
        char *line = arena_strn(a, body ?: "", len < 200 ? len : 200);

        line[strcspn(line, "\r\n")] = '\0';
        message = *line ? line : "no message";
    }
    return fail(err, code_of(status, reason), "%s (%d%s%s)", message, status, reason ? " " : "",
                reason ?: "");
}
