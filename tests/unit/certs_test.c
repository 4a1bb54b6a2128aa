/* certs_test.c - when certificates are made, renewed and left alone. */
#include "webhook/certs.h"

#include <string.h>

#include "base/str.h"
#include "net/tls.h"
#include "support/test.h"

#define HOUR (3600 * USEC_SEC)
#define DAY (24 * HOUR)

static struct error err;
static const char *const hosts[] = { "hook.ns.svc", "10.0.0.1", NULL };
static const struct certs_rules rules = { .name = "test",
                                          .hosts = hosts,
                                          .ca_valid = 900 * DAY,
                                          .cert_valid = 90 * DAY,
                                          .settle = 30 * USEC_SEC };

static struct certs_plan decide(struct arena *a, const struct certs *have, bool everywhere)
{
    struct certs_plan plan = { 0 };

    CHECK_OK(certs_decide(a, &rules, have, everywhere, clock_wall(), &plan, &err), err);
    return plan;
}

static bool trusts(const char *bundle, const struct certs *c)
{
    struct tls_pair pair = { .cert = (char *)c->cert, .key = (char *)c->key };

    return tls_check(&pair, bundle, "hook.ns.svc", NULL) == 0 &&
           tls_check(&pair, bundle, "10.0.0.1", NULL) == 0;
}

static int count(const char *bundle)
{
    return tls_count_certs(bundle, &err);
}

TEST(from_nothing_comes_a_pair_that_its_bundle_trusts)
{
    scoped(arena) struct arena *a = arena_new();
    struct certs_plan plan = decide(a, &(struct certs) { 0 }, false);

    CHECK(plan.changed);
    CHECK_INT(count(plan.certs.bundle), 1);
    CHECK(trusts(plan.certs.bundle, &plan.certs));
}

TEST(what_is_good_is_left_alone_until_a_third_of_its_life_is_left)
{
    scoped(arena) struct arena *a = arena_new();
    struct certs first = decide(a, &(struct certs) { 0 }, false).certs;
    struct certs_plan plan = decide(a, &first, true);
    usec due = clock_wall() + 60 * DAY;

    CHECK(!plan.changed);
    CHECK(plan.again > due - HOUR && plan.again < due + HOUR);
    clock_shift_wall(61 * DAY);
    CHECK_OK(certs_decide(a, &rules, &first, false, clock_wall(), &plan, &err), err);
    clock_shift_wall(-61 * DAY);
    CHECK(plan.changed);
    CHECK_STR(plan.certs.bundle, first.bundle);
    CHECK(!str_eq(plan.certs.cert, first.cert));
}

TEST(a_secret_goes_through_base64_and_back)
{
    scoped(arena) struct arena *a = arena_new();
    struct certs first = decide(a, &(struct certs) { 0 }, false).certs;
    struct certs back = certs_of(a, certs_data(a, &first));

    CHECK_STR(back.bundle, first.bundle);
    CHECK_STR(back.ca_key, first.ca_key);
    CHECK_STR(back.cert, first.cert);
    CHECK_STR(back.key, first.key);
    CHECK(!certs_of(a, (struct pairs) { 0 }).bundle);
}

/* A Secret as the charts of others make it: a CA whose key was thrown away. */
TEST(a_new_ca_is_trusted_before_it_signs)
{
    scoped(arena) struct arena *a = arena_new();
    struct certs first = decide(a, &(struct certs) { 0 }, false).certs;
    struct certs_plan second, third;
    struct certs have = first;

    have.ca_key = NULL;
    second = decide(a, &have, true);
    CHECK(second.changed);
    CHECK_INT(count(second.certs.bundle), 2);
    CHECK_STR(second.certs.cert, first.cert);
    CHECK(trusts(second.certs.bundle, &first));

    CHECK(!decide(a, &second.certs, true).changed); /* not settled yet */
    clock_shift_wall(31 * USEC_SEC);
    CHECK(!decide(a, &second.certs, false).changed); /* not everywhere yet */
    third = decide(a, &second.certs, true);
    clock_shift_wall(-31 * USEC_SEC);
    CHECK(third.changed);
    CHECK(!str_eq(third.certs.cert, first.cert));
    CHECK(trusts(second.certs.bundle, &third.certs)); /* those who have the bundle trust it */
    CHECK_STR(third.certs.bundle, second.certs.bundle);
}

TEST(a_certificate_that_nobody_trusts_is_replaced_at_once)
{
    scoped(arena) struct arena *a = arena_new();
    struct certs first = decide(a, &(struct certs) { 0 }, false).certs;
    struct certs other = decide(a, &(struct certs) { 0 }, false).certs;
    struct certs mixed[] = {
        { first.bundle, first.ca_key, other.cert, other.key }, /* of another CA */
        { first.bundle, first.ca_key, first.cert, other.key }, /* not its key */
        { first.bundle, first.ca_key, NULL, NULL },
        { first.bundle, other.ca_key, NULL, NULL },
        { "nonsense", first.ca_key, first.cert, first.key },
        { first.bundle, "nonsense", "nonsense", "nonsense" },
    };

    for (size_t i = 0; i < ARRAY_SIZE(mixed); i++) {
        struct certs_plan plan = decide(a, &mixed[i], false);

        CHECK(plan.changed);
        CHECK(trusts(plan.certs.bundle, &plan.certs));
    }
}

TEST(a_certificate_for_other_names_is_replaced)
{
    static const char *const other_hosts[] = { "hook.other.svc", NULL };
    scoped(arena) struct arena *a = arena_new();
    struct certs_rules other = rules;
    struct certs_plan plan;

    other.hosts = other_hosts;
    CHECK_OK(certs_decide(a, &other, &(struct certs) { 0 }, false, clock_wall(), &plan, &err), err);
    CHECK(!trusts(plan.certs.bundle, &plan.certs));
    plan = decide(a, &plan.certs, false);
    CHECK(plan.changed);
    CHECK(trusts(plan.certs.bundle, &plan.certs));
}

TEST(bundles_do_not_grow_for_ever)
{
    scoped(arena) struct arena *a = arena_new();
    struct certs have = { 0 };

    for (int i = 0; i < 6; i++) {
        have = decide(a, &have, true).certs;
        have.ca_key = NULL;
        CHECK(count(have.bundle) <= 3);
    }
}
