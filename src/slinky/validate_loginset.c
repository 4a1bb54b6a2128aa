/* validate_loginset.c - which LoginSets are let in. */
#include <string.h>

#include "base/str.h"
#include "slinky/loginset.h"
#include "slinky/validate_parts.h"

enum { NAME_MAX_LEN = 63 }; /* the Service has the LoginSet's name */

/* A Deployment takes a number, or a percentage of digits and one sign. */
static bool is_amount(struct int_or_str amount)
{
    size_t digits = amount.type == A_STR ? strspn(amount.text, "0123456789") : 0;

    if (amount.type != A_STR)
        return amount.value >= 0;
    return digits > 0 && str_eq(amount.text + digits, "%");
}

static bool is_zero(struct int_or_str amount)
{
    if (amount.type == A_STR)
        return strspn(amount.text, "0") == strcspn(amount.text, "%");
    return amount.type == AN_INT && amount.value == 0;
}

static void check_amount(struct problems *p, const char *path, struct int_or_str amount)
{
    if (amount.type != NEITHER && !is_amount(amount))
        refuse(p, path,
               amount.type == A_STR ? shown_str(p, amount.text) : shown_int(p, amount.value),
               "a Deployment takes a number that is not negative or a percentage here; write 1 or "
               "25%%");
}

static void check_rolling(struct problems *p,
                          const struct slinky_loginset_strategy_rolling_update *bounds)
{
    check_amount(p, "spec.strategy.rollingUpdate.maxSurge", bounds->max_surge);
    check_amount(p, "spec.strategy.rollingUpdate.maxUnavailable", bounds->max_unavailable);
    if (is_zero(bounds->max_surge) && is_zero(bounds->max_unavailable))
        refuse(p, "spec.strategy.rollingUpdate", NULL,
               "no pod could ever be replaced; let maxSurge or maxUnavailable be at least 1");
}

static void check_strategy(struct problems *p, const struct slinky_loginset_strategy *strategy)
{
    const char *type = strategy ? strategy->type ?: "" : "";

    if (!strategy)
        return;
    if (!str_empty(type) && !str_eq(type, "Recreate") && !str_eq(type, "RollingUpdate"))
        refuse(p, "spec.strategy.type", shown_str(p, type), "use RollingUpdate or Recreate");
    if (str_eq(type, "Recreate") && strategy->rolling_update)
        refuse(p, "spec.strategy.rollingUpdate", NULL,
               "Recreate has no rolling update; remove rollingUpdate or use type RollingUpdate");
    else if (strategy->rolling_update)
        check_rolling(p, strategy->rolling_update);
}

void validate_loginset(struct problems *p, const void *old, const void *object,
                       const struct surroundings *around)
{
    const struct slinky_loginset *was = old;
    const struct slinky_loginset *l = object;
    const struct slinky_loginset_spec *spec = &l->spec;

    (void)around;
    if (str_empty(spec->controller_ref.name))
        refuse(p, "spec.controllerRef.name", NULL,
               "a login node belongs to one cluster; give the name of its Controller");
    if (str_empty(spec->sssd_conf_ref.name))
        refuse(p, "spec.sssdConfRef.name", NULL,
               "nobody could log in without sssd.conf; give the name of the Secret that holds it");
    check_count(p, "spec.replicas", spec->replicas,
                "the number of pods cannot be negative; use 0 to run none");
    check_container(p, "spec.login", spec->login);
    check_container(p, "spec.initconf", spec->initconf);
    check_template(p, spec->template);
    check_strategy(p, spec->strategy);
    check_service(p, spec->service);
    if (!was)
        check_name(p, &l->meta, NAME_MAX_LEN, "a Service of this name could not be made");
    else if (!str_eq(was->spec.controller_ref.name ?: "", spec->controller_ref.name ?: ""))
        refuse(p, "spec.controllerRef.name", shown_str(p, spec->controller_ref.name),
               "login nodes cannot move to another cluster than %s; make a new LoginSet instead",
               was->spec.controller_ref.name ?: "");
}
