/* slinky_token_test.c - when a token is good, and when it is minted anew. */
#include "slinky/token_parts.h"

#include "base/str.h"
#include "support/test.h"

#define NOON (INT64_C(1800000000) * USEC_SEC)
#define MINUTE (60 * USEC_SEC)

static const struct jwt_trust trust = { .key = "secret", .key_len = 6 };
static const struct model_token model = { .user = "amelia", .lifetime = 15 * MINUTE,
                                          .refresh = true };

static const char *token_of(struct arena *a, const char *user, usec lifetime)
{
    struct jwt_claims claims = { .user = user, .issued = NOON, .not_before = NOON,
                                 .expires = NOON + lifetime };

    return jwt_sign(a, trust.key, trust.key_len, &claims);
}

static const char *flaw(struct arena *a, const struct model_token *m, const char *text, usec now)
{
    struct jwt_claims claims = { 0 };

    return token_flaw(a, m, text, &trust, now, &claims);
}

TEST(a_token_is_good_until_a_fifth_of_its_life_is_left)
{
    scoped(arena) struct arena *a = arena_new();
    const char *token = token_of(a, "amelia", 15 * MINUTE);

    CHECK_STR(flaw(a, &model, token, NOON), NULL);
    CHECK_STR(flaw(a, &model, token, NOON + 12 * MINUTE - 1), NULL);
    CHECK_STR(flaw(a, &model, token, NOON + 12 * MINUTE), "it is due");
    CHECK_STR(flaw(a, &model, token, NOON + 15 * MINUTE), "it expired");
}

TEST(a_token_from_a_clock_that_was_ahead_is_minted_anew)
{
    scoped(arena) struct arena *a = arena_new();

    CHECK_STR(flaw(a, &model, token_of(a, "amelia", 15 * MINUTE), NOON - MINUTE),
              "it is not valid yet");
}

TEST(a_token_of_another_key_is_minted_anew)
{
    scoped(arena) struct arena *a = arena_new();
    struct jwt_trust rotated = { .key = "rotate", .key_len = 6 };
    struct jwt_claims claims = { 0 };

    CHECK_STR(token_flaw(a, &model, token_of(a, "amelia", 15 * MINUTE), &rotated, NOON, &claims),
              "it is signed with another key");
}

TEST(an_edited_token_is_minted_anew)
{
    scoped(arena) struct arena *a = arena_new();

    CHECK_STR(flaw(a, &model, NULL, NOON), "there is none");
    CHECK_STR(flaw(a, &model, "", NOON), "what stands in the Secret is no token");
    CHECK_STR(flaw(a, &model, "hello", NOON), "what stands in the Secret is no token");
    CHECK_STR(flaw(a, &model, token_of(a, "root", 15 * MINUTE), NOON),
              "it speaks for another user");
}

TEST(a_token_follows_its_lifetime)
{
    scoped(arena) struct arena *a = arena_new();

    CHECK_STR(flaw(a, &model, token_of(a, "amelia", 60 * MINUTE), NOON),
              "its lifetime is another");
    CHECK_STR(flaw(a, &model, token_of(a, "amelia", 5 * MINUTE), NOON),
              "its lifetime is another");
}

TEST(a_token_that_is_made_once_is_left_alone_when_it_expires)
{
    scoped(arena) struct arena *a = arena_new();
    struct model_token once = model;
    const char *token = token_of(a, "amelia", 15 * MINUTE);
    struct jwt_claims claims = { 0 };

    once.refresh = false;
    CHECK_STR(flaw(a, &once, token, NOON + 12 * MINUTE), NULL);
    CHECK_STR(token_flaw(a, &once, token, &trust, NOON + 90 * MINUTE, &claims), NULL);
    CHECK(claims.expires == NOON + 15 * MINUTE);
    CHECK_STR(flaw(a, &once, token_of(a, "root", 15 * MINUTE), NOON), "it speaks for another user");
}
