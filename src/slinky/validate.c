/* validate.c - picks the rules of a kind and decides whether they may refuse. */
#include "slinky/validate.h"

#include "slinky/accounting.h"
#include "slinky/controller.h"
#include "slinky/loginset.h"
#include "slinky/nodeset.h"
#include "slinky/restapi.h"
#include "slinky/token.h"
#include "slinky/validate_parts.h"

static const struct validator {
    const struct kind *kind;
    const struct type *spec_type;
    size_t spec_offset;
    void (*check)(struct problems *p, const void *old, const void *object,
                  const struct surroundings *around);
} validators[] = {
    { &slinky_controller_kind, &slinky_controller_spec_type,
      offsetof(struct slinky_controller, spec), validate_controller },
    { &slinky_accounting_kind, &slinky_accounting_spec_type,
      offsetof(struct slinky_accounting, spec), validate_accounting },
    { &slinky_restapi_kind, &slinky_restapi_spec_type, offsetof(struct slinky_restapi, spec),
      validate_restapi },
    { &slinky_nodeset_kind, &slinky_nodeset_spec_type, offsetof(struct slinky_nodeset, spec),
      validate_nodeset },
    { &slinky_loginset_kind, &slinky_loginset_spec_type, offsetof(struct slinky_loginset, spec),
      validate_loginset },
    { &slinky_token_kind, &slinky_token_spec_type, offsetof(struct slinky_token, spec),
      validate_token },
};

static const struct validator *validator_of(const struct kind *kind)
{
    for (size_t i = 0; i < ARRAY_SIZE(validators); i++)
        if (validators[i].kind == kind)
            return &validators[i];
    return NULL;
}

static bool spec_is_same(const struct validator *v, const void *old, const void *object)
{
    return table_equal(v->spec_type, (const char *)old + v->spec_offset,
                       (const char *)object + v->spec_offset);
}

bool validate_object(struct problems *p, const struct kind *kind, const void *old,
                     const void *object, const struct surroundings *around)
{
    static const struct surroundings none;
    const struct validator *v = validator_of(kind);
    const struct k8s_meta *meta = object; /* every object begins with it */

    if (!v)
        return false;
    if (meta->deletion_timestamp || (old && spec_is_same(v, old, object)))
        return true;
    v->check(p, old, object, around ?: &none);
    return true;
}

static void on_schema_problem(void *userdata, const char *path, const char *problem)
{
    refuse(userdata, path, NULL, "%s", problem);
}

void validate_schema(struct problems *p, const struct kind *kind, const void *object)
{
    table_validate(p->arena, kind->type, object, on_schema_problem, p);
}
