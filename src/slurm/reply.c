/* reply.c - from status, errors and warnings to one of three answers. */
#include "slurm/reply.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/str.h"

static const struct field wire_number_fields[] = {
    FIELD(wire_number, set, BOOL, "set"),
    FIELD(wire_number, infinite, BOOL, "infinite"),
    FIELD(wire_number, number, INT, "number"),
    { 0 },
};
const struct type wire_number_type = TYPE(wire_number, wire_number_fields);

int64_t wire_int(const struct wire_number *n, int64_t otherwise, int64_t infinite)
{
    if (n->infinite == YES)
        return infinite;
    return n->set == YES ? int_or(n->number, otherwise) : otherwise;
}

static const struct field reply_error_fields[] = {
    FIELD(reply_error, description, STR, "description"),
    FIELD(reply_error, number, INT, "error_number"),
    FIELD(reply_error, error, STR, "error"),
    FIELD(reply_error, source, STR, "source"),
    { 0 },
};
static const struct type reply_error_type = TYPE(reply_error, reply_error_fields);

static const struct field reply_head_fields[] = {
    FIELD(reply_head, last_update, OBJECT, "last_update", .of = &wire_number_type),
    FIELD(reply_head, errors, LIST, "errors", .of = &reply_error_type),
    FIELD(reply_head, warnings, LIST, "warnings", .of = &reply_error_type),
    { 0 },
};
static const struct type reply_head_type = TYPE(reply_head, reply_head_fields);

/* Slurm's numbers (slurm_errno.h), the first row that holds one decides. What Slurm itself says
 * after looking is a No; whatever kept it from looking, now or for good, is Unknown. */
static const struct verdict {
    int first, last;
    enum answer answer;
    int code;
} verdicts[] = {
    { 1005, 1005, ANSWER_UNKNOWN, -EPROTO },    /* versions of slurmrestd and slurmctld */
    { 1007, 1007, ANSWER_UNKNOWN, -EACCES },    /* token refused */
    { 1804, 1805, ANSWER_UNKNOWN, -EHOSTDOWN }, /* rate limit */
    { 1000, 1899, ANSWER_UNKNOWN, -EHOSTDOWN }, /* no talk with slurmctld */
    { 2002, 2002, ANSWER_NO, -EACCES },         /* permission denied */
    { 2010, 2010, ANSWER_NO, -EACCES },         /* invalid user id: may not */
    { 2016, 2016, ANSWER_NO, -EBUSY },          /* nodes are busy */
    { 2017, 2018, ANSWER_NO, -ENOENT },         /* job id, node name */
    { 2020, 2020, ANSWER_UNKNOWN, -EHOSTDOWN }, /* cannot be altered now, try again later */
    { 2021, 2021, ANSWER_NO, -EALREADY },       /* completing or completed */
    { 2027, 2027, ANSWER_UNKNOWN, -EHOSTDOWN }, /* a backup controller in standby */
    { 2037, 2037, ANSWER_NO, -EOPNOTSUPP },     /* disabled */
    { 2053, 2053, ANSWER_NO, -ENOENT },         /* reservation */
    { 2055, 2055, ANSWER_NO, -EBUSY },          /* reservation in use */
    { 2082, 2082, ANSWER_NO, -EEXIST },         /* duplicate reservation */
    { 2084, 2084, ANSWER_NO, -EALREADY },       /* job has finished */
    { 2090, 2090, ANSWER_UNKNOWN, -EIO },       /* internal error */
    { 2131, 2131, ANSWER_UNKNOWN, -EHOSTDOWN }, /* standby */
    { 2168, 2168, ANSWER_NO, -EEXIST },         /* node exists */
    { 2000, 2999, ANSWER_NO, -EINVAL },
    { 5000, 5999, ANSWER_UNKNOWN, -EHOSTDOWN }, /* sockets */
    { 7000, 7000, ANSWER_UNKNOWN, -EHOSTDOWN }, /* no talk with slurmdbd */
    { 7002, 7002, ANSWER_UNKNOWN, -EHOSTDOWN },
    { 7008, 7008, ANSWER_UNKNOWN, -EHOSTDOWN },
    { 7010, 7010, ANSWER_UNKNOWN, -EIO },
    { 7015, 7015, ANSWER_UNKNOWN, -EHOSTDOWN }, /* rollup in progress */
    { 7000, 7999, ANSWER_NO, -EINVAL },
    { 9003, 9003, ANSWER_NO, -ENOENT },      /* nothing found */
    { 9008, 9008, ANSWER_UNKNOWN, -EACCES }, /* authentication */
    { 9000, 9999, ANSWER_NO, -EINVAL },      /* it does not understand the request */
};

enum answer slurm_error_verdict(int64_t number, int status, int *ret_code)
{
    for (size_t i = 0; i < ARRAY_SIZE(verdicts); i++) {
        if (number < verdicts[i].first || number > verdicts[i].last)
            continue;
        *ret_code = verdicts[i].code;
        return verdicts[i].answer;
    }
    *ret_code = status >= 400 && status < 500 ? -EINVAL : -EIO;
    return status >= 400 && status < 500 ? ANSWER_NO : ANSWER_UNKNOWN;
}

static enum answer unknown(struct slurm_fault *fault, int code, const char *text)
{
    fault->code = code;
    snprintf(fault->text, sizeof fault->text, "%s", text);
    return ANSWER_UNKNOWN;
}

/* What is not JSON comes from slurmrestd's HTTP layer, or from something in front of it. */
static enum answer judge_text(const struct reply *reply, struct slurm_fault *fault)
{
    const char *line = reply->text;
    char text[sizeof fault->text];
    int code = reply->status == 401 || reply->status == 403 || reply->status == 511 ? -EACCES
               : reply->status == 404                                               ? -EOPNOTSUPP
               : reply->status >= 500                                               ? -EHOSTDOWN
                                                                                    : -EBADMSG;

    snprintf(text, sizeof text, "HTTP %d: %.*s", reply->status, (int)strcspn(line, "\r\n"),
             *line ? line : "no body");
    return unknown(fault, code, text);
}

/* The error that decides: the first with a number; several can stand there. */
static const struct reply_error *decisive(const struct reply_head *head)
{
    for_each (error, head->errors)
        if (int_or(error->number, 0) != 0)
            return error;
    return head->errors.n ? &head->errors.v[0] : NULL;
}

static enum answer judge_error(const struct reply *reply, const struct reply_error *error,
                               bool zero_is_no, struct slurm_fault *fault)
{
    int64_t number = int_or(error->number, 0);
    enum answer answer;

    snprintf(fault->text, sizeof fault->text, "%s%s%s", error->description ?: "",
             error->description && error->error ? ": " : "", error->error ?: "");
    fault->number = (int)number;
    if (number) {
        answer = slurm_error_verdict(number, reply->status, &fault->code);
    } else {
        answer = zero_is_no && reply->status == 200 ? ANSWER_NO : ANSWER_UNKNOWN;
        fault->code = answer == ANSWER_NO ? -ENOENT : -EBADMSG;
    }
    return answer;
}

enum answer reply_judge(struct arena *a, struct reply *reply, bool zero_is_no,
                        struct slurm_fault *fault)
{
    const struct reply_error *error;
    struct error err = { 0 };

    *fault = (struct slurm_fault) { .status = reply->status };
    if (reply->rc < 0)
        return unknown(fault, reply->rc, reply->story);
    if (reply->status == 304)
        return ANSWER_YES;
    if (table_read(a, &reply_head_type, reply->text, reply->len, &reply->head, &err) < 0)
        return reply->status / 100 == 2 ? unknown(fault, -EBADMSG, error_text(&err))
                                        : judge_text(reply, fault);
    error = decisive(&reply->head);
    if (error)
        return judge_error(reply, error, zero_is_no, fault);
    if (reply->status / 100 != 2)
        return judge_text(reply, fault);
    return ANSWER_YES;
}

static size_t word_at(const char *p)
{
    static const char *const words[] = { "-Infinity", "Infinity", "-NaN", "NaN" };

    for (size_t i = 0; i < ARRAY_SIZE(words); i++)
        if (str_starts(p, words[i]))
            return strlen(words[i]);
    return 0;
}

void reply_mend(char *text)
{
    bool quoted = false;

    if (!strstr(text, "Infinity") && !strstr(text, "NaN"))
        return;
    for (char *p = text; *p; p++) {
        size_t len = quoted ? 0 : word_at(p);

        if (*p == '"')
            quoted = !quoted;
        else if (quoted && *p == '\\' && p[1])
            p++;
        /* "NaN" has no room for null: 0 says as little, and both are read as no number. */
        if (len) {
            memset(p, ' ', len);
            memcpy(p, len < 4 ? "0" : "null", len < 4 ? 1 : 4);
            p += len - 1;
        }
    }
}
