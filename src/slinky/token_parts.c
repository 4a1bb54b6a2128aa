/* token_parts.c - whether a token is still good. */
#include "slinky/token_parts.h"

#include <errno.h>

#include "base/str.h"

usec token_renew_at(const struct jwt_claims *claims)
{
    return claims->expires - (claims->expires - claims->issued) / 5;
}

static const char *flaw_of_claims(const struct model_token *m, const struct jwt_claims *claims,
                                  usec now)
{
    usec life = claims->expires - claims->issued;

    if (!str_eq(claims->user, m->user))
        return "it speaks for another user";
    if (!m->refresh) /* made once, for good */
        return NULL;
    if (now >= claims->expires)
        return "it expired";
    if (life > m->lifetime + USEC_SEC || life < m->lifetime - USEC_SEC)
        return "its lifetime is another";
    return now >= token_renew_at(claims) ? "it is due" : NULL;
}

const char *token_flaw(struct arena *a, const struct model_token *m, const char *text,
                       const struct jwt_trust *trust, usec now, struct jwt_claims *ret)
{
    if (!text)
        return "there is none";
    switch (jwt_verify(a, text, trust, now, ret, NULL)) {
    case 0:
        return flaw_of_claims(m, ret, now);
    case -EKEYEXPIRED:
        return ret->expires ? flaw_of_claims(m, ret, now) : "it never expires";
    case -EAGAIN: /* made by a clock that was ahead of ours */
        return "it is not valid yet";
    case -EKEYREJECTED:
    case -ENOKEY:
        return "it is signed with another key";
    default:
        return "what stands in the Secret is no token";
    }
}
