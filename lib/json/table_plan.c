/* table_plan.c - what of an object is shared with others, and how much room the rest needs. */
#include <stdlib.h>
#include <string.h>

#include "json/intern.h"
#include "json/table_copy.h"

static void plan_fields(struct plan *plan, const struct type *type, const void *object, bool all);

static size_t decide(struct plan *plan, const void *interned)
{
    if (plan->count == plan->size) {
        plan->size = plan->size ? plan->size * 2 : 128;
        plan->decisions = must_realloc(plan->decisions, plan->size * sizeof *plan->decisions);
    }
    plan->decisions[plan->count] = interned;
    return plan->count++;
}

static void plan_text(struct plan *plan, const char *text, bool shared)
{
    const char *interned = text && shared ? intern_str(text) : NULL;

    if (text && shared)
        decide(plan, interned);
    if (text && !interned)
        plan->needs.texts += strlen(text) + 1;
}

static void plan_element(struct plan *plan, const struct field *f, const void *element, bool all)
{
    if (f->type == FIELD_MAP) {
        const struct pair *pair = element;

        plan_text(plan, pair->key, all || f->flags & SHARED_KEYS);
        plan_text(plan, pair->value, all);
        return;
    }
    if (f->type == FIELD_STRS || f->type == FIELD_OBJECTS)
        plan_text(plan, *(const char *const *)element, all);
    if (f->type != FIELD_STRS)
        plan_fields(plan, f->of, element, all);
}

static void plan_elements(struct plan *plan, const struct field *f, const char *v, size_t n,
                          bool all)
{
    size_t size = field_element_size(f);

    plan->needs.room += PACK_ROUND(n * size);
    for (size_t i = 0; i < n; i++, v += size)
        plan_element(plan, f, v, all);
}

/* The array as one interned block, NULL when nobody has offered the same before. With all its parts
 * interned, blocks that say the same are the same bytes. */
static const void *share_array(const struct plan *plan, size_t first, const struct field *f,
                               const void *v, size_t n)
{
    size_t size = n * field_element_size(f);
    struct placer placer = { .plan = plan->decisions + first, .all_shared = true };
    scoped(free) char *scratch = NULL;
    const void *block;
    bool is_new = false;

    for (size_t i = first; i < plan->count; i++)
        if (!plan->decisions[i])
            return NULL;
    scratch = must_alloc(size);
    copy_elements(&placer, f, v, n, scratch);
    block = intern_block(scratch, size, &is_new);
    if (block && !is_new)
        release_elements(f, scratch, n, (struct span) { 0 }, true);
    return block;
}

static void plan_array(struct plan *plan, const struct field *f, const void *v, size_t n, bool all)
{
    struct needs before = plan->needs;
    const void *block;
    size_t own;

    if (!v || n * field_element_size(f) == 0)
        return;
    if (!all && !(f->flags & SHARED)) {
        plan_elements(plan, f, v, n, false);
        return;
    }
    own = decide(plan, NULL);
    plan_elements(plan, f, v, n, true);
    block = share_array(plan, own + 1, f, v, n);
    if (!block)
        return;
    plan->decisions[own] = block; /* and what was decided within it is the block's own business */
    plan->count = own + 1;
    plan->needs = before;
}

static void plan_fields(struct plan *plan, const struct type *type, const void *object, bool all)
{
    for (const struct field *f = type->fields; f->type; f++) {
        const struct any_list *list = AT(object, f, struct any_list);
        bool shared = all || f->flags & SHARED;

        switch (f->type) {
        case FIELD_STR:
        case FIELD_QUANTITY:
            plan_text(plan, *AT(object, f, const char *), shared);
            break;
        case FIELD_INT_STR:
            if (AT(object, f, struct int_or_str)->type == A_STR)
                plan_text(plan, AT(object, f, struct int_or_str)->text, shared);
            break;
        case FIELD_RAW:
            json_needs(&plan->needs, *AT(object, f, const struct json *));
            break;
        case FIELD_OBJECT:
            plan_fields(plan, f->of, AT(object, f, char), all);
            break;
        case FIELD_POINTER:
            plan_array(plan, f, *AT(object, f, void *), 1, all);
            break;
        case FIELD_STRS:
        case FIELD_MAP:
        case FIELD_LIST:
        case FIELD_OBJECTS:
            plan_array(plan, f, list->v, list->n, all);
            break;
        default:
            break;
        }
    }
}

void plan_object(struct plan *plan, const struct type *type, const void *object)
{
    plan_fields(plan, type, object, false);
}

void plan_done(struct plan *plan)
{
    free(plan->decisions);
}
