/* scan.h - finding where a JSON value ends, sixty-four bytes at a time; internal to lib/json.
 *
 * A value may arrive in pieces of any size. Nothing is validated beyond what its end depends on:
 * strings, escapes and the balance of brackets.
 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SCAN_BLOCK = 64 };

/* One bit per byte of a block, the first byte lowest. */
struct scan_masks {
    uint64_t quote, backslash, open, close;
};

struct scan_masks scan_masks(const char block[static SCAN_BLOCK]);
/* The same without vector instructions; what other processors use, and the tests compare. */
struct scan_masks scan_masks_portable(const char block[static SCAN_BLOCK]);

struct scan {
    enum { SCAN_CONTAINER, SCAN_STRING, SCAN_SCALAR } kind;
    size_t depth;
    uint64_t in_string; /* all ones or none */
    bool escaped;       /* the next byte stands behind a backslash */
};

static inline bool scan_is_space(char c)
{
    return c == ' ' || c == '\n' || c == '\r' || c == '\t';
}

/* Begins a value by its first byte, which scan_feed() must be given again; false: no value begins
 * so. */
bool scan_begin(struct scan *scan, char first);
/* How many of the n bytes belong to the value. *ret_done: it ends with them. A number or a word
 * ends before the byte that follows it, so it needs one more byte to be done. */
size_t scan_feed(struct scan *scan, const char *bytes, size_t n, bool *ret_done);
