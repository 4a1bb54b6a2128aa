/* conf_read_test.c - the grammar of Slurm's files. What is expected here is what scontrol 26.05
 * does. */
#include <errno.h>
#include <string.h>

#include "base/buf.h"
#include "slurm/conf.h"
#include "slurm/conf_read.h"
#include "support/test.h"

/* "line:key=value key=value" per entry, then "line!problem" per problem. */
static char *told(struct arena *a, const struct conf_doc *doc)
{
    scoped(buf) struct buf out = { 0 };

    for (size_t i = 0; i < doc->count; i++) {
        const struct conf_entry *entry = &doc->entries[i];

        buf_fmt(&out, "%s%u:", out.len ? "; " : "", entry->line);
        for (size_t j = 0; j < entry->count; j++)
            buf_fmt(&out, "%s%s=%s", j ? " " : "", entry->pairs[j].key, entry->pairs[j].value);
    }
    for (size_t i = 0; i < doc->problem_count; i++)
        buf_fmt(&out, "%s%u!%s", out.len ? "; " : "", doc->problems[i].line, doc->problems[i].text);
    return arena_str(a, buf_text(&out));
}

static void reads(const char *text, const char *want)
{
    scoped(arena) struct arena *a = arena_new();

    CHECK_STR(told(a, conf_read(a, "slurm.conf", text, strlen(text), NULL)), want);
}

TEST(reader_takes_pairs_and_options)
{
    reads("ClusterName=x\n", "1:ClusterName=x");
    reads("ClusterName=x", "1:ClusterName=x");
    reads("\n\n  a = 1  \n", "3:a=1");
    reads("NodeName=n[1-2] CPUs=2 RealMemory=10\n", "1:NodeName=n[1-2] CPUs=2 RealMemory=10");
    reads("a=1\r\nb=2\r\n", "1:a=1; 2:b=2");
    reads("a+=1\nb-=2\n", "1:a=1; 2:b=2");
    reads("", "");
}

TEST(reader_cuts_comments_even_in_quotes)
{
    reads("# nothing\na=1 # one\n#\n", "2:a=1");
    reads("a=\"x#y\"\n", "1:a=\"x");
    reads("a=\"x\\#y\"\n", "1:a=x#y");
    reads("a=x\\#y#z\n", "1:a=x#y");
}

TEST(reader_takes_quotes_and_backslashes)
{
    reads("a=\"two words\" b=3\n", "1:a=two words b=3");
    reads("a=\"\"\n", "1:a=");
    reads("a=x\"y\n", "1:a=x\"y");
    reads("a=\"x\"y\n", "1:a=\"x\"y");
    reads("a=x\\\\y\\n\n", "1:a=x\\yn");
}

TEST(reader_joins_lines)
{
    reads("a=1 \\\n  b=2\nc=3\n", "1:a=1 b=2; 3:c=3");
    reads("a=1 \\  \n  b=2\n", "1:a=1 b=2");
    reads("a=\\\nx\n", "1:a=x");
    reads("a=1 # x \\\nb=2\n", "1:a=1; 2:b=2");
    reads("a=1\\\\\nb=2\n", "1:a=1\\; 2:b=2");
    reads("a=1\\", "1:a=1");
}

TEST(reader_tells_where_a_mistake_is)
{
    reads("a=1\njust words\nb=2\n", "1:a=1; 3:b=2; 2!'just words' is not Key=Value");
    reads("a=\n", "1!a has no value: give it one, or remove it");
    reads("a=1 rest\n", "1:a=1; 1!'rest' is not Key=Value");
    reads("a=1 \\\nb\n", "1:a=1; 1!'b' is not Key=Value");
    reads("=5\n", "1!'=5' is not Key=Value");
    reads("a-b=5\n", "1!'a-b=5' is not Key=Value");
}

TEST(reader_refuses_what_is_not_text)
{
    scoped(arena) struct arena *a = arena_new();
    struct conf_doc *doc = conf_read(a, "x", "a=1\n\0b", 6, NULL);

    CHECK_INT(doc->errors, 1);
    CHECK_INT(doc->count, 0);
}

static int open_test(void *userdata, struct arena *a, const char *name, const char **ret_text,
                     size_t *ret_len, struct error *err)
{
    (void)a;
    if (strcmp(name, "nodes.conf") == 0)
        *ret_text = "NodeName=n1\n";
    else if (strcmp(name, userdata) == 0)
        *ret_text = "include self.conf\n";
    else
        return fail(err, -ENOENT, "open %s: not there", name);
    *ret_len = strlen(*ret_text);
    return 0;
}

static void reads_including(const char *text, const char *want)
{
    scoped(arena) struct arena *a = arena_new();
    char self[] = "self.conf";
    struct conf_opener opener = { open_test, self };
    char *have = told(a, conf_read(a, "slurm.conf", text, strlen(text), &opener));

    if (strncmp(have, want, strlen(want)) != 0)
        test_fail(__FILE__, __LINE__, "'%s' reads as '%s', want '%s'", text, have, want);
}

TEST(reader_follows_includes)
{
    reads_including("a=1\nInclude nodes.conf\nb=2\n", "1:a=1; 1:NodeName=n1; 3:b=2");
    reads_including("include missing.conf\n",
                    "1!include missing.conf: open missing.conf: not there");
    reads_including("include self.conf\n", "1!include self.conf: files include one another");
    reads_including("include self.conf\ninclude self.conf\ninclude self.conf\n",
                    "1!include self.conf: files include one another");
    reads_including("include nodes.conf more\n", "1:NodeName=n1; 1!'more' stands behind");
    reads_including("include conf.d/*.conf\n", "1!include conf.d/*.conf: Slurm takes no patterns");
    reads("include nodes.conf\n", "");
}

TEST(reader_ends_when_files_include_one_another_again_and_again)
{
    scoped(arena) struct arena *a = arena_new();
    char self[] = "self.conf";
    struct conf_opener opener = { open_test, self };
    scoped(buf) struct buf text = { 0 };
    struct conf_doc *doc;

    for (int i = 0; i < 3 * CONF_INCLUDES_MAX; i++)
        buf_str(&text, "include nodes.conf\n");
    doc = conf_read(a, "x", text.bytes, text.len, &opener);
    CHECK_INT(doc->count, CONF_INCLUDES_MAX);
    CHECK_INT(doc->errors, 2 * CONF_INCLUDES_MAX);
}

TEST(reader_finds_values_again)
{
    scoped(arena) struct arena *a = arena_new();
    const char *text = "Debug=1\ndebug=2\nNodeName=n1 cpus=4\n";
    struct conf_doc *doc = conf_read(a, "slurm.conf", text, strlen(text), NULL);

    CHECK_STR(conf_get(doc, "DEBUG"), "2");
    CHECK(conf_get(doc, "other") == NULL);
    CHECK_STR(conf_option(&doc->entries[2], "CPUs"), "4");
    CHECK(conf_option(&doc->entries[2], "NodeName") == NULL);
}

/* Whatever can be quoted is read back as it was. */
TEST(reader_reads_back_what_the_writer_quotes)
{
    static const char *const values[] = { "plain",     "two words", "a#b", "a\\b", "\\#",
                                          " x ",       "a\"b",      "\"a", "#",    "a=b,c=d",
                                          "tab\there", "ends\\",    "ü" };

    for (size_t i = 0; i < ARRAY_SIZE(values); i++) {
        scoped(arena) struct arena *a = arena_new();
        struct error err = { 0 };
        struct conf_doc *doc;
        char *quoted, *text;

        CHECK_OK(conf_quote(a, values[i], &quoted, &err), err);
        text = fmt(a, "Key=%s\nNext=1\n", quoted);
        doc = conf_read(a, "x", text, strlen(text), NULL);
        CHECK_INT(doc->errors, 0);
        CHECK_INT(doc->count, 2);
        CHECK_STR(doc->entries[0].pairs[0].value, values[i]);
    }
}
