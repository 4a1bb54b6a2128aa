/* file.h - whole files, with a ceiling. */
#pragma once
#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/error.h"

/* Reads all of path into *ret (NUL-terminated, yours to free); -EMSGSIZE beyond limit bytes. */
int file_read(const char *path, size_t limit, char **ret, size_t *ret_len, struct error *err);
/* Writes through a temporary file and rename(), so that readers see the old or the new text. */
int file_write(const char *path, const void *bytes, size_t n, int mode, struct error *err);
/* Reads to the end of fd. */
int read_all(int fd, size_t limit, char **ret, size_t *ret_len, struct error *err);
int write_all(int fd, const void *bytes, size_t n);
