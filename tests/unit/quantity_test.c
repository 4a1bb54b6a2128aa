/* quantity_test.c - resource quantities by value. */
#include "json/quantity.h"

#include "base/scope.h"
#include "support/test.h"

TEST(quantities_of_the_same_value_are_equal)
{
    static const struct {
        const char *x, *y;
        bool equal;
    } cases[] = {
        { "1", "1000m", true },
        { "0.5", "500m", true },
        { "1Gi", "1024Mi", true },
        { "1.5Gi", "1536Mi", true },
        { "1G", "1Gi", false },
        { "1e3", "1k", true },
        { "1E3", "1000", true },
        { "1E", "1e18", true },
        { "1Ei", "1152921504606846976", true },
        { "+1", "1.", true },
        { ".5", "0.50", true },
        { "-1", "1", false },
        { "-0", "0", true },
        { "0.1n", "1n", true },
        { "1.1n", "2n", true },
        { "1u", "1000n", true },
        { "12e-1", "1.2", true },
        { "1m", "1M", false },
        { "0Ki", "0", true },
        { "0.0000000000000001", "1n", true },
        { "1.123456789123456789Ei", "1.123456789123456788Ei", false },
        { "1e20", "100E", true },
        { "x", "x", true },
        { "x", "y", false },
        { "1", "x", false },
    };

    for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
        if (quantity_equal(cases[i].x, cases[i].y) != cases[i].equal)
            test_fail(__FILE__, __LINE__, "%s and %s", cases[i].x, cases[i].y);
}

TEST(quantities_are_told_from_other_texts)
{
    static const char *const no[] = { "",   ".",   "-",   "1 ",   " 1",    "1K",  "1ki",
                                      "1i", "1e",  "1e+", "1e1k", "1.2.3", "0x1", "1Mib",
                                      "Gi", "--1", "+-1", "1,5",  "inf",   "1Ee" };

    for (size_t i = 0; i < ARRAY_SIZE(no); i++)
        if (quantity_is_valid(no[i]))
            test_fail(__FILE__, __LINE__, "'%s'", no[i]);
    CHECK(!quantity_is_valid(NULL));
    CHECK(quantity_is_valid("00012.3400"));
}

TEST(quantities_come_in_units_rounded_away_from_zero)
{
    int64_t value;

    CHECK(quantity_units("1Gi", 1 << 20, &value));
    CHECK_INT(value, 1024);
    CHECK(quantity_units("1048577", 1 << 20, &value));
    CHECK_INT(value, 2);
    CHECK(quantity_units("1m", 1, &value));
    CHECK_INT(value, 1);
    CHECK(quantity_units("-1500m", 1, &value));
    CHECK_INT(value, -2);
    CHECK(quantity_milli("0.1", &value));
    CHECK_INT(value, 100);
    CHECK(quantity_milli("2", &value));
    CHECK_INT(value, 2000);
    CHECK(!quantity_milli("two", &value));
}

TEST(quantities_out_of_range_meet_at_the_limit)
{
    int64_t value;
    int order;

    CHECK(quantity_units("1e99999999999", 1, &value));
    CHECK_INT(value, INT64_MAX);
    CHECK(quantity_units(
        "-9999999999999999999999999999999999999999999999999999999999999999999999999", 1, &value));
    CHECK_INT(value, -INT64_MAX);
    CHECK(quantity_units("1e-99999999999", 1, &value));
    CHECK_INT(value, 1);
    CHECK(quantity_units("0e99999999999", 1, &value));
    CHECK_INT(value, 0);
    CHECK(quantity_compare("9223372036854775807", "9223372036854775808", &order));
    CHECK(order < 0);
}
