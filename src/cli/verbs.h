/* verbs.h - what the program can do: one table row each, defined in the file of the verb. */
#pragma once
#include "cli/cli.h"

extern const struct verb install_verb;
extern const struct verb uninstall_verb;
extern const struct verb check_verb;
extern const struct verb status_verb;
extern const struct verb logs_verb;
extern const struct verb drain_verb;
extern const struct verb undrain_verb;
extern const struct verb scale_verb;
extern const struct verb restart_verb;
extern const struct verb manager_verb;
extern const struct verb webhook_verb;
extern const struct verb render_verb;
extern const struct verb convert_verb;
extern const struct verb slurm_verb;
extern const struct verb version_verb;
extern const struct verb man_verb;
extern const struct verb completion_verb;
extern const struct verb rbac_verb;
