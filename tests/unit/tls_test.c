/* tls_test.c - certificates we make are those that OpenSSL's own tool accepts, and bad ones are
 * told apart. */
#include "net/tls.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/arena.h"
#include "base/file.h"
#include "net/url.h"
#include "support/test.h"

#define DAY (24 * 3600 * USEC_SEC)
static const char *const names[] = { "hook.slurm.svc", "localhost", "127.0.0.1", "::1", NULL };

static void make(struct tls_pair *ca, struct tls_pair *pair)
{
    struct error err = { 0 };

    CHECK_OK(tls_make_ca("windlass test CA", 10 * DAY, ca, &err), err);
    CHECK_OK(tls_make_cert(ca, names, DAY, pair, &err), err);
}

TEST(a_certificate_we_sign_passes_every_check)
{
    scoped(tls_pair) struct tls_pair ca = { 0 }, pair = { 0 };
    struct error err = { 0 };

    make(&ca, &pair);
    for (size_t i = 0; names[i]; i++)
        CHECK_OK(tls_check(&pair, ca.cert, names[i], &err), err);
}

TEST(the_openssl_tool_verifies_what_we_sign)
{
    char dir[] = "/tmp/tls_test.XXXXXX", command[256], path[128];
    scoped(tls_pair) struct tls_pair ca = { 0 }, pair = { 0 };
    struct error err = { 0 };

    make(&ca, &pair);
    CHECK(mkdtemp(dir) != NULL);
    snprintf(path, sizeof path, "%s/ca", dir);
    CHECK_OK(file_write(path, ca.cert, strlen(ca.cert), 0600, &err), err);
    snprintf(path, sizeof path, "%s/cert", dir);
    CHECK_OK(file_write(path, pair.cert, strlen(pair.cert), 0600, &err), err);
    snprintf(command, sizeof command,
             "openssl verify -x509_strict -purpose sslserver -verify_hostname hook.slurm.svc "
             "-CAfile %s/ca %s/cert >/dev/null",
             dir, dir);
    CHECK_INT(system(command), 0);
    snprintf(command, sizeof command, "rm -r %s", dir);
    CHECK_INT(system(command), 0);
}

TEST(the_facts_of_a_certificate_are_read_back)
{
    scoped(tls_pair) struct tls_pair ca = { 0 }, pair = { 0 };
    struct tls_info info, ca_info;
    struct error err = { 0 };
    usec now = clock_wall();

    make(&ca, &pair);
    CHECK_OK(tls_read_info(pair.cert, &info, &err), err);
    CHECK_OK(tls_read_info(ca.cert, &ca_info, &err), err);
    CHECK_STR(info.subject, "hook.slurm.svc");
    CHECK_STR(info.issuer, "windlass test CA");
    CHECK(!info.is_ca && ca_info.is_ca);
    CHECK(info.not_before < now && info.not_after > now + DAY - 60 * USEC_SEC);
    CHECK(info.not_after < now + DAY + 60 * USEC_SEC);
}

TEST(a_certificate_never_outlives_its_ca)
{
    scoped(tls_pair) struct tls_pair ca = { 0 }, pair = { 0 };
    struct tls_info info, ca_info;
    struct error err = { 0 };

    CHECK_OK(tls_make_ca("short", DAY, &ca, &err), err);
    CHECK_OK(tls_make_cert(&ca, names, 100 * DAY, &pair, &err), err);
    CHECK_OK(tls_read_info(pair.cert, &info, &err), err);
    CHECK_OK(tls_read_info(ca.cert, &ca_info, &err), err);
    CHECK_INT(info.not_after, ca_info.not_after);
}

TEST(each_defect_of_a_certificate_has_its_own_error)
{
    scoped(tls_pair) struct tls_pair ca = { 0 }, pair = { 0 }, ca2 = { 0 }, pair2 = { 0 };
    struct error err = { 0 };

    make(&ca, &pair);
    make(&ca2, &pair2);
    CHECK_INT(tls_check(&pair, ca2.cert, NULL, &err), -EPROTO);
    CHECK_INT(tls_check(&pair, ca.cert, "other.svc", &err), -ENOENT);
    CHECK(strstr(error_text(&err), "other.svc"));
    CHECK_INT(tls_check(&(struct tls_pair) { pair.cert, pair2.key }, NULL, NULL, &err),
              -EKEYREJECTED);
    CHECK_INT(tls_check(&(struct tls_pair) { (char *)"junk", pair.key }, NULL, NULL, &err),
              -EINVAL);
    CHECK_INT(tls_check(&(struct tls_pair) { pair.cert, (char *)"" }, NULL, NULL, &err), -EINVAL);
    clock_shift_wall(2 * DAY);
    CHECK_INT(tls_check(&pair, ca.cert, NULL, &err), -EKEYEXPIRED);
    clock_shift_wall(-5 * DAY);
    CHECK_INT(tls_check(&pair, ca.cert, NULL, &err), -EKEYEXPIRED);
    clock_shift_wall(3 * DAY);
    CHECK_INT(tls_check(&pair, ca.cert, NULL, &err), 0);
}

TEST(a_bundle_with_a_broken_certificate_is_refused)
{
    scoped(tls_pair) struct tls_pair ca = { 0 }, pair = { 0 };
    scoped(arena) struct arena *a = arena_new();
    struct error err = { 0 };

    make(&ca, &pair);
    CHECK_INT(tls_count_certs(fmt(a, "# two\n%s\n%s", ca.cert, pair.cert), &err), 2);
    CHECK_INT(tls_count_certs(fmt(a, "%s%.*s", ca.cert, 200, pair.cert), &err), -EINVAL);
    CHECK_INT(tls_count_certs("", &err), -EINVAL);
    CHECK_INT(tls_count_certs(pair.key, &err), -EINVAL);
}

TEST(a_name_that_would_smuggle_in_another_is_refused)
{
    scoped(tls_pair) struct tls_pair ca = { 0 }, pair = { 0 };
    struct error err = { 0 };

    CHECK_OK(tls_make_ca("x", DAY, &ca, &err), err);
    CHECK_INT(tls_make_cert(&ca, (const char *const[]) { "a,DNS:evil", NULL }, DAY, &pair, &err),
              -EINVAL);
    CHECK_INT(tls_make_cert(&ca, (const char *const[]) { NULL }, DAY, &pair, &err), -EINVAL);
}

TEST(urls_are_taken_apart_or_refused_with_the_reason)
{
    static const char *const bad[] = {
        "",           "ftp://x",     "https://",   "https://:1",  "http://h:0",   "http://h:70000",
        "http://u@h", "http://h/?q", "http://h h", "http://[::1", "http://[::1]x"
    };
    scoped(arena) struct arena *a = arena_new();
    struct error err = { 0 };
    struct url url;

    CHECK_OK(url_parse(a, "https://[fd00::1]:6443/k8s/", &url, &err), err);
    CHECK_STR(url.host, "fd00::1");
    CHECK_INT(url.port, 6443);
    CHECK_STR(url.path, "/k8s");
    CHECK_OK(url_parse(a, "http://slurmrestd", &url, &err), err);
    CHECK_INT(url.port, 80);
    CHECK_STR(url.path, "");
    for (size_t i = 0; i < ARRAY_SIZE(bad); i++)
        CHECK_INT(url_parse(a, bad[i], &url, &err), -EINVAL);
}

TEST(escaping_goes_both_ways)
{
    scoped(arena) struct arena *a = arena_new();
    const char *text = "a b/c=\xc3\xa9&%+~";
    char *escaped = url_escape(a, text);

    CHECK_STR(escaped, "a%20b%2Fc%3D%C3%A9%26%25%2B~");
    CHECK_STR(url_unescape(a, escaped, strlen(escaped), true), text);
    CHECK_STR(url_unescape(a, "a+b", 3, true), "a b");
    CHECK_STR(url_unescape(a, "a+b", 3, false), "a+b");
    CHECK(!url_unescape(a, "%0", 2, false) && !url_unescape(a, "%zz", 3, false));
    CHECK(!url_unescape(a, "%00", 3, false));
}
