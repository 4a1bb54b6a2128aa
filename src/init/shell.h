/* shell.h - arguments that were written for a shell.
 *
 * Images of this family hand their arguments to a shell, so operators quote them for one, as in
 * --conf 'Features=gpu Weight=10'. The same shell takes them apart here, variables included.
 */
#pragma once
#include "base/arena.h"
#include "base/error.h"

/* The words of a command line, NULL-terminated. Bounded in time and size: a text that runs a
 * command which does not come back is an error. */
int shell_words(struct arena *a, const char *text, const char ***ret, struct error *err);
/* What a program prints, bounded likewise. */
int shell_output(struct arena *a, const char *const *argv, char **ret, size_t *ret_len,
                 struct error *err);
