/* yaml_tool.c - our YAML reader and writer on standard input, for a test against another library.
 *
 * "read": YAML in, a JSON array of its documents out. "write": a JSON array in, YAML documents out.
 */
#include <stdio.h>
#include <unistd.h>

#include "base/file.h"
#include "base/str.h"
#include "json/yaml.h"

enum { INPUT_MAX = 64 << 20 };

static int convert(struct arena *a, bool write, const char *text, size_t len, struct buf *out,
                   struct error *err)
{
    struct json *v = NULL;
    int rc = write ? json_parse(a, text, len, &v, err) : yaml_parse(a, text, len, &v, err);

    if (rc < 0)
        return rc;
    if (!write)
        json_write(v, JSON_COMPACT, out);
    for (size_t i = 0; write && i < json_count(v); i++) {
        buf_str(out, "---\n");
        yaml_write(json_item(v, i), out);
    }
    return 0;
}

int main(int argc, char **argv)
{
    scoped(arena) struct arena *a = arena_new();
    scoped(free) char *text = NULL;
    scoped(buf) struct buf out = { 0 };
    struct error err = { 0 };
    size_t len = 0;

    if (argc != 2 || (!str_eq(argv[1], "read") && !str_eq(argv[1], "write"))) {
        fprintf(stderr, "usage: %s read|write\n", argv[0]);
        return 2;
    }
    if (read_all(STDIN_FILENO, INPUT_MAX, &text, &len, &err) < 0 ||
        convert(a, str_eq(argv[1], "write"), text, len, &out, &err) < 0) {
        fprintf(stderr, "%s\n", error_text(&err));
        return 1;
    }
    return write_all(STDOUT_FILENO, buf_text(&out), out.len) < 0;
}
