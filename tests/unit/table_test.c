/* table_test.c - the walker on a small type that has one field of every kind. */
#include <errno.h>
#include <math.h>
#include <string.h>

#include "base/str.h"
#include "support/test.h"
#include "json/table.h"

struct wheel {
    const char *name;
    const char *side;
    struct maybe_int size;
};

struct wheel_list {
    struct wheel *v;
    size_t n;
};

struct door {
    const char *key;
    enum flag open;
};

struct door_list {
    struct door *v;
    size_t n;
};

struct car {
    struct wheel spare; /* embedded, so that offsets are not all zero */
    const char *name;
    const char *secret;
    struct maybe_int seats;
    struct maybe_real weight;
    enum flag sold;
    usec built;
    usec seen;
    const char *tank;
    struct int_or_str gear;
    struct strs owners;
    struct strs extras;
    struct pairs labels;
    struct pairs limits;
    const struct json *raw;
    struct wheel *helm;
    struct wheel_list wheels;
    struct wheel_list line;
    struct door_list doors;
};

static const struct field wheel_fields[] = {
    FIELD(wheel, name, STR, "name", .flags = REQUIRED),
    FIELD(wheel, side, STR, "side", .rule = RULE(.one_of = ONE_OF("left", "right"))),
    FIELD(wheel, size, INT, "size", .default_text = "15",
          .rule = RULE(.min = SOME(10), .max = SOME(20))),
    { 0 },
};
static const struct type wheel_type = TYPE(wheel, wheel_fields);

static const struct field door_fields[] = {
    FIELD(door, open, BOOL, "open", .default_text = "false"),
    { 0 },
};
static const struct type door_type = TYPE(door, door_fields);

static const struct field car_fields[] = {
    FIELD(car, name, STR, "name", .flags = REQUIRED,
          .rule = RULE(.pattern = "^[a-z]+$", .max_length = SOME(5))),
    FIELD(car, secret, STR, "secret", .flags = SENSITIVE, .rule = RULE(.pattern = "^x")),
    FIELD(car, seats, INT, "seats"),
    FIELD(car, weight, REAL, "weight", .rule = RULE(.min = SOME(0))),
    FIELD(car, sold, BOOL, "sold"),
    FIELD(car, built, TIME, "built"),
    FIELD(car, seen, MICROTIME, "seen"),
    FIELD(car, tank, QUANTITY, "tank"),
    FIELD(car, gear, INT_STR, "gear"),
    FIELD(car, owners, STRS, "owners", .rule = RULE(.min_items = SOME(1))),
    FIELD(car, extras, STRS, "extras", .flags = SET_LIST),
    FIELD(car, labels, MAP, "labels", .flags = SHARED),
    FIELD(car, limits, MAP, "limits", .flags = QUANTITIES),
    FIELD(car, raw, RAW, "raw"),
    FIELD(car, spare, OBJECT, "spare", .of = &wheel_type),
    FIELD(car, helm, POINTER, "helm", .of = &wheel_type),
    FIELD(car, wheels, LIST, "wheels", .of = &wheel_type, .list_key = "name,side"),
    FIELD(car, line, LIST, "line", .of = &wheel_type),
    FIELD(car, doors, OBJECTS, "doors", .of = &door_type),
    { 0 },
};
static const struct type car_type = TYPE(car, car_fields);

static const char full[] =
    "{\"name\":\"beetle\",\"secret\":\"xyz\",\"seats\":4,\"weight\":820.5,\"sold\":false,"
    "\"built\":\"1963-07-01T12:00:00Z\",\"seen\":\"2026-01-02T03:04:05.000006Z\",\"tank\":\"40\","
    "\"gear\":\"first\",\"owners\":[\"a\",\"b\"],\"extras\":[],\"labels\":{\"a\":\"1\",\"b\":\"\"},"
    "\"limits\":{\"cpu\":\"500m\"},\"raw\":{\"x\":[1,1.50,null]},\"spare\":{\"name\":\"s\"},"
    "\"helm\":{},\"wheels\":[{\"name\":\"f\",\"side\":\"left\",\"size\":13}],\"line\":[],"
    "\"doors\":{\"front\":{\"open\":true},\"rear\":{}}}";

static struct car *read_car(struct arena *a, const char *text)
{
    struct car *car = arena_make(a, struct car);
    struct error err = { 0 };

    CHECK_OK(table_read(a, &car_type, text, strlen(text), car, &err), err);
    return car;
}

static const char *text_of(struct arena *a, const struct car *car)
{
    return json_text(a, table_json(a, &car_type, car));
}

static void check_refused(const char *text, int code, const char *story)
{
    scoped(arena) struct arena *a = arena_new();
    struct car car = { 0 };
    struct error err = { 0 };

    CHECK_INT(table_read(a, &car_type, text, strlen(text), &car, &err), code);
    CHECK_STR(error_text(&err), story);
}

TEST(every_kind_of_field_is_read)
{
    scoped(arena) struct arena *a = arena_new();
    const struct car *car = read_car(a, full);

    CHECK_STR(car->name, "beetle");
    CHECK_INT(int_or(car->seats, 0), 4);
    CHECK(fabs(real_or(car->weight, 0) - 820.5) < 1e-9);
    CHECK(car->sold == NO);
    CHECK_INT(car->seen % USEC_SEC, 6);
    CHECK(car->gear.type == A_STR && str_eq(car->gear.text, "first"));
    CHECK_INT(car->owners.n, 2);
    CHECK(car->extras.v && car->extras.n == 0);
    CHECK_STR(pairs_get(car->labels, "b"), "");
    CHECK_STR(json_text(a, car->raw), "{\"x\":[1,1.50,null]}");
    CHECK_STR(car->spare.name, "s");
    CHECK(car->helm && !car->helm->name);
    CHECK_INT(int_or(car->wheels.v[0].size, 0), 13);
    CHECK_STR(car->doors.v[1].key, "rear");
    CHECK(car->doors.v[0].open == YES && car->doors.v[1].open == UNSET);
}

TEST(what_was_read_is_written_the_same)
{
    scoped(arena) struct arena *a = arena_new();
    scoped(buf) struct buf out = { 0 };
    struct car *car = read_car(a, full);

    CHECK_STR(text_of(a, car), full);
    table_write(&car_type, car, &out);
    CHECK_STR(buf_text(&out), full);
    CHECK_STR(text_of(a, table_copy(a, &car_type, car)), full);
}

TEST(absent_null_zero_and_false_stay_distinct)
{
    scoped(arena) struct arena *a = arena_new();
    const struct car *car = read_car(
        a, "{\"name\":null,\"seats\":0,\"sold\":false,\"raw\":null,\"gear\":0,\"owners\":[],"
           "\"labels\":{},\"helm\":null,\"weight\":0}");

    CHECK(!car->name && !car->helm);
    CHECK(car->seats.set && car->weight.set && car->gear.type == AN_INT);
    CHECK(car->raw && car->raw->type == JSON_NULL);
    CHECK_STR(text_of(a, car),
              "{\"seats\":0,\"weight\":0.0,\"sold\":false,\"gear\":0,\"owners\":[],"
              "\"labels\":{},\"raw\":null}");
    CHECK(table_is_empty(&car_type, read_car(a, "{\"name\":null,\"spare\":{}}")));
    CHECK(!table_is_empty(&car_type, car));
}

TEST(unknown_members_are_stepped_over_in_any_order)
{
    scoped(arena) struct arena *a = arena_new();
    const struct car *car =
        read_car(a, "{\"zzz\":{\"name\":[1]},\"sold\":true,\"na\":1,\"name\":\"x\","
                    "\"names\":2,\"\":3,\"seats\":1}");

    CHECK_STR(text_of(a, car), "{\"name\":\"x\",\"seats\":1,\"sold\":true}");
}

TEST(a_value_that_does_not_fit_names_its_path)
{
    check_refused("{\"seats\":\"x\"}", -EINVAL, "seats: want an integer, got \"x\"");
    check_refused("{\"seats\":1.5}", -EINVAL, "seats: want an integer, got a number");
    check_refused("{\"wheels\":[{},{\"size\":true}]}", -EINVAL,
                  "wheels.1.size: want an integer, got true");
    check_refused("{\"labels\":{\"a\":1}}", -EINVAL, "labels.a: want a string, got a number");
    check_refused("{\"owners\":[\"a\",null]}", -EINVAL, "owners.1: want a string, got null");
    check_refused("{\"doors\":{\"rear\":[]}}", -EINVAL, "doors.rear: want an object, got array");
    check_refused("{\"built\":\"monday\"}", -EINVAL,
                  "built: want a time like 2026-01-02T03:04:05Z, got \"monday\"");
    check_refused("{\"sold\":\"yes\"}", -EINVAL, "sold: want true or false, got \"yes\"");
    check_refused("{\"secret\":17}", -EINVAL, "secret: want a string, got a number");
    check_refused("[]", -EINVAL, "the document: want an object, got array");
    check_refused("{\"name\":\"a\\u0000b\"}", -EINVAL, "name: the text holds a NUL character");
}

TEST(what_stands_twice_is_refused)
{
    check_refused("{\"seats\":1,\"name\":\"x\",\"seats\":2}", -EINVAL, "seats: stands there twice");
    check_refused("{\"labels\":{\"b\":\"1\",\"a\":\"2\",\"b\":\"3\"}}", -EINVAL,
                  "labels: the key \"b\" stands there twice");
    check_refused("{\"doors\":{\"b\":{},\"a\":{},\"b\":{}}}", -EINVAL,
                  "doors: the key \"b\" stands there twice");
}

TEST(text_that_is_not_json_says_where)
{
    scoped(arena) struct arena *a = arena_new();
    struct car car = { 0 };
    struct error err = { 0 };

    CHECK_INT(table_read(a, &car_type, "{\"name\":\n }", 11, &car, &err), -EBADMSG);
    CHECK(strstr(error_text(&err), "line 2, column 2"));
    CHECK_INT(table_read(a, &car_type, "", 0, &car, &err), -EBADMSG);
}

struct drive {
    const char *id;
    const char *health;
    enum flag enabled;
};

TEST(a_dotted_name_reaches_into_objects)
{
    static const struct field fields[] = {
        FIELD(drive, id, STR, "Id"),
        FIELD(drive, health, STR, "Status.Health"),
        FIELD(drive, enabled, BOOL, "Status.State.Enabled"),
        { 0 },
    };
    static const struct type type = TYPE(drive, fields);
    static const char text[] =
        "{\"Status\":{\"Health\":\"OK\",\"State\":{\"Enabled\":true}},\"Stat\":1,\"Id\":\"d\"}";
    scoped(arena) struct arena *a = arena_new();
    struct error err = { 0 };
    struct drive drive = { 0 };

    CHECK_OK(table_read(a, &type, text, strlen(text), &drive, &err), err);
    CHECK_STR(drive.id, "d");
    CHECK_STR(drive.health, "OK");
    CHECK(drive.enabled == YES);
    CHECK_OK(table_read(a, &type, "{\"Status\":null}", 15, &drive, &err), err);
    CHECK_INT(table_read(a, &type, "{\"Status\":{\"Health\":1}}", 23, &drive, &err), -EINVAL);
    CHECK_STR(error_text(&err), "Status.Health: want a string, got a number");
}

TEST(hand_made_maps_are_sorted_when_kept)
{
    scoped(arena) struct arena *a = arena_new();
    struct pair pairs[] = { { "b", "2" }, { "a", "1" } };
    struct car car = { .labels = LIST(pairs), .owners = STRS("me") };
    struct car *kept = table_copy(a, &car_type, &car);

    pairs[0].value = "changed";
    CHECK_STR(text_of(a, kept), "{\"owners\":[\"me\"],\"labels\":{\"a\":\"1\",\"b\":\"2\"}}");
    CHECK_STR(pairs_get(pairs_with(a, kept->labels, "a", "3"), "a"), "3");
    CHECK_STR(pairs_get(pairs_with(a, kept->labels, "0", "0"), "b"), "2");
    CHECK_STR(pairs_with(a, kept->labels, "0", "0").v[0].key, "0");
    CHECK(!pairs_get(kept->labels, "c"));
    CHECK(strs_has(kept->owners, "me") && !strs_has(kept->owners, "you"));
}

TEST(values_are_found_by_path)
{
    scoped(arena) struct arena *a = arena_new();
    const struct car *car = read_car(a, full);

    CHECK_STR(table_get(a, &car_type, car, "name"), "beetle");
    CHECK_STR(table_get(a, &car_type, car, "seats"), "4");
    CHECK_STR(table_get(a, &car_type, car, "sold"), "false");
    CHECK_STR(table_get(a, &car_type, car, "built"), "1963-07-01T12:00:00Z");
    CHECK_STR(table_get(a, &car_type, car, "owners.1"), "b");
    CHECK_STR(table_get(a, &car_type, car, "labels.a"), "1");
    CHECK_STR(table_get(a, &car_type, car, "raw.x.1"), "1.50");
    CHECK_STR(table_get(a, &car_type, car, "wheels.0.size"), "13");
    CHECK_STR(table_get(a, &car_type, car, "doors.front.open"), "true");
    CHECK(!table_get(a, &car_type, car, "doors.roof.open"));
    CHECK(!table_get(a, &car_type, car, "wheels.1.size"));
    CHECK(!table_get(a, &car_type, car, "wheels"));
    CHECK(!table_get(a, &car_type, car, "name.x"));
    CHECK(!table_get(a, &car_type, car, "helm.size"));
    CHECK(!table_get(a, &car_type, car, "nothing"));
}

TEST(rows_are_found_by_path)
{
    CHECK(table_find(&car_type, "wheels.size") == &wheel_fields[2]);
    CHECK(table_find(&car_type, "wheels.7.size") == &wheel_fields[2]);
    CHECK(table_find(&car_type, "spare.name") == &wheel_fields[0]);
    CHECK(table_find(&car_type, "doors.any.open") == &door_fields[0]);
    CHECK_STR(table_find(&car_type, "raw.a.b")->name, "raw");
    CHECK_STR(table_find(&car_type, "labels.some.key")->name, "labels");
    CHECK(!table_find(&car_type, "name.first"));
    CHECK(!table_find(&car_type, "wheels.price"));
}

TEST(defaults_fill_objects_that_are_there)
{
    scoped(arena) struct arena *a = arena_new();
    struct error err = { 0 };
    struct car *car = read_car(a, "{\"wheels\":[{\"size\":0},{}],\"doors\":{\"a\":{}}}");

    CHECK_OK(table_default(a, &car_type, car, &err), err);
    CHECK_STR(text_of(a, car), "{\"spare\":{\"size\":15},\"wheels\":[{\"size\":0},{\"size\":15}],"
                               "\"doors\":{\"a\":{\"open\":false}}}");
}

static void collect(void *userdata, const char *path, const char *problem)
{
    buf_fmt(userdata, "%s %s\n", path, problem);
}

TEST(validation_names_each_problem)
{
    scoped(arena) struct arena *a = arena_new();
    scoped(buf) struct buf found = { 0 };
    const struct car *car = read_car(
        a, "{\"name\":\"Beetles\",\"secret\":\"abc\",\"weight\":-1,\"owners\":[],\"tank\":\"much\","
           "\"limits\":{\"cpu\":\"1x\"},\"wheels\":[{\"name\":\"f\",\"side\":\"top\",\"size\":9}],"
           "\"helm\":{}}");

    CHECK_INT(table_validate(a, &car_type, car, collect, &found), 10);
    CHECK_STR(buf_text(&found), "name must match ^[a-z]+$, but is \"Beetles\"\n"
                                "name must have at most 5 characters\n"
                                "secret must match ^x, but is \"***\"\n"
                                "weight must be at least 0, not -1\n"
                                "tank must be a quantity like 500m or 1Gi, not \"much\"\n"
                                "owners must have at least 1 items, not 0\n"
                                "limits.cpu must be a quantity like 500m or 1Gi, not \"1x\"\n"
                                "helm.name is required\n"
                                "wheels.0.side must be one of \"left\", \"right\", not \"top\"\n"
                                "wheels.0.size must be at least 10, not 9\n");
    CHECK_INT(table_validate(a, &car_type, read_car(a, "{\"name\":\"ab\"}"), collect, &found), 0);
}
