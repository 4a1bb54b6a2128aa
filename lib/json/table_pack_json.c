/* table_pack_json.c - raw JSON values inside packed objects: the whole tree in the object's block.
 */
#include <assert.h>
#include <string.h>

#include "json/table_copy.h"

void json_needs(struct needs *needs, const struct json *v)
{
    if (!v)
        return;
    needs->room += PACK_ROUND(sizeof *v);
    switch (v->type) {
    case JSON_STR:
        needs->texts += v->str.len + 1;
        return;
    case JSON_REAL:
        needs->texts += v->real.digits ? strlen(v->real.digits) + 1 : 0;
        return;
    case JSON_ARRAY:
        needs->room += v->array.count * sizeof *v->array.items;
        for (size_t i = 0; i < v->array.count; i++)
            json_needs(needs, v->array.items[i]);
        return;
    case JSON_OBJECT:
        needs->room += v->object.count * sizeof *v->object.members;
        for_each_member (member, v) {
            needs->texts += strlen(member->name) + 1;
            json_needs(needs, member->value);
        }
        return;
    default:
        return;
    }
}

static struct json *pack_json(struct placer *p, const struct json *v);

static void pack_array(struct placer *p, const struct json *v, struct json *to)
{
    to->array.items = place_room(p, v->array.count * sizeof *v->array.items);
    to->array.room = v->array.count;
    for (size_t i = 0; i < v->array.count; i++)
        to->array.items[i] = pack_json(p, v->array.items[i]);
}

static void pack_object(struct placer *p, const struct json *v, struct json *to)
{
    struct json_member *member = place_room(p, v->object.count * sizeof *member);

    to->object.members = member;
    to->object.room = v->object.count;
    for (size_t i = 0; i < v->object.count; i++, member++) {
        member->name = place_text(p, v->object.members[i].name, false);
        member->value = pack_json(p, v->object.members[i].value);
    }
}

static struct json *pack_json(struct placer *p, const struct json *v)
{
    struct json *to = place_room(p, sizeof *to);

    *to = *v;
    if (v->type == JSON_STR) { /* may hold NULs, so not place_text() */
        to->str.text = memcpy(p->texts, v->str.text, v->str.len + 1);
        p->texts += v->str.len + 1;
    } else if (v->type == JSON_REAL) {
        to->real.digits = place_text(p, v->real.digits, false);
    } else if (v->type == JSON_ARRAY) {
        pack_array(p, v, to);
    } else if (v->type == JSON_OBJECT) {
        pack_object(p, v, to);
    }
    return to;
}

const struct json *place_json(struct placer *p, const struct json *v)
{
    assert(!p->all_shared); /* a shared list has no raw members: the generator refuses them */
    if (!v)
        return NULL;
    return p->arena ? json_copy(p->arena, v) : pack_json(p, v);
}
