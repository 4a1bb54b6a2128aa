/* keys_test.c - secrets: their sizes and letters, and SSH keys against the real ssh-keygen. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/str.h"
#include "slurm/keys.h"
#include "slurm/sshkey.h"
#include "support/test.h"

TEST(key_is_printable_and_never_the_same)
{
    scoped(arena) struct arena *a = arena_new();
    char *one = key_text(a, KEY_CHARACTERS), *two = key_text(a, KEY_CHARACTERS);
    bool seen[256] = { 0 };
    int kinds = 0;

    CHECK_INT(strlen(one), KEY_CHARACTERS);
    CHECK(strcmp(one, two) != 0);
    for (const char *c = one; *c; c++) {
        CHECK(*c > ' ' && *c <= '~');
        kinds += !seen[(unsigned char)*c];
        seen[(unsigned char)*c] = true;
    }
    CHECK(kinds > 60);
}

TEST(password_has_digits_and_signs)
{
    scoped(arena) struct arena *a = arena_new();

    for (int round = 0; round < 50; round++) {
        int digits = 0, signs = 0;
        const char *password = key_password(a);

        CHECK_INT(strlen(password), PASSWORD_CHARACTERS);
        for (const char *c = password; *c; c++) {
            digits += *c >= '0' && *c <= '9';
            signs += strchr("@$^&*()_+-={}|[]<>/", *c) != NULL;
        }
        CHECK_INT(digits, 4);
        CHECK_INT(signs, 2);
    }
}

TEST(base64_comes_back)
{
    scoped(arena) struct arena *a = arena_new();
    size_t len = 99;

    for (size_t n = 0; n < 40; n++) {
        const char *bytes = key_bytes(a, n + 1);
        const char *back = base64_bytes(a, base64_text(a, bytes, n), &len);

        CHECK(back != NULL);
        CHECK_INT(len, (int64_t)n);
        CHECK(memcmp(bytes, back, n) == 0);
    }
    CHECK_STR(base64_text(a, "hallo", 5), "aGFsbG8=");
    CHECK(base64_bytes(a, "aGFsbG8", &len) == NULL);
    CHECK(base64_bytes(a, "aG==bG8=", &len) == NULL);
    CHECK(base64_bytes(a, "aGFs\n===", &len) == NULL);
    CHECK(base64_bytes(a, "????", &len) == NULL);
}

static char *line_of_command(struct arena *a, const char *command)
{
    FILE *pipe = popen(command, "r");
    char line[4096] = "";

    CHECK(pipe != NULL);
    if (!fgets(line, sizeof line, pipe))
        line[0] = '\0';
    pclose(pipe);
    return arena_str(a, line);
}

/* ssh-keygen reads our private key and finds our public one in it. */
static void ssh_accepts(struct ssh_key_options options, const char *begin, int private_len)
{
    scoped(arena) struct arena *a = arena_new();
    char path[] = "/tmp/windlass-key-XXXXXX";
    struct error err = { 0 };
    struct ssh_key key = { 0 };
    const char *have;
    int fd;

    if (system("command -v ssh-keygen >/dev/null 2>&1") != 0)
        test_skip("ssh-keygen is not installed");
    CHECK_OK(ssh_key_new(a, &options, &key, &err), err);
    CHECK(str_starts(key.private_text, begin));
    if (private_len) {
        CHECK((int)strlen(key.private_text) > private_len - 16);
        CHECK((int)strlen(key.private_text) < private_len + 16);
    }
    fd = mkstemp(path);
    CHECK(fd >= 0);
    CHECK_INT(write_all(fd, key.private_text, strlen(key.private_text)), 0);
    close(fd);
    have = line_of_command(a, fmt(a, "ssh-keygen -y -P '' -f %s 2>&1", path));
    unlink(path);
    /* ssh-keygen may put a blank for the empty comment */
    CHECK_INT(strncmp(have, key.public_text, strlen(key.public_text) - 1), 0);
    CHECK_INT(strspn(have + strlen(key.public_text) - 1, " \n"),
              strlen(have) - strlen(key.public_text) + 1);
}

TEST(ssh_keygen_reads_our_ed25519_key)
{
    for (int i = 0; i < 20; i++)
        ssh_accepts((struct ssh_key_options) { SSH_KEY_ED25519, SSH_FORMAT_OPENSSH, 0 },
                    "-----BEGIN OPENSSH PRIVATE KEY-----\n", 387);
}

TEST(ssh_keygen_reads_our_ecdsa_keys)
{
    for (int i = 0; i < 20; i++)
        ssh_accepts((struct ssh_key_options) { SSH_KEY_ECDSA, SSH_FORMAT_OPENSSH, 0 },
                    "-----BEGIN OPENSSH PRIVATE KEY-----\n", 481);
    ssh_accepts((struct ssh_key_options) { SSH_KEY_ECDSA, SSH_FORMAT_OPENSSH, 521 },
                "-----BEGIN OPENSSH PRIVATE KEY-----\n", 0);
    ssh_accepts((struct ssh_key_options) { SSH_KEY_ECDSA, SSH_FORMAT_PEM, 521 },
                "-----BEGIN EC PRIVATE KEY-----\n", 0);
}

TEST(ssh_keygen_reads_our_rsa_keys)
{
    ssh_accepts((struct ssh_key_options) { SSH_KEY_RSA, SSH_FORMAT_OPENSSH, 0 },
                "-----BEGIN OPENSSH PRIVATE KEY-----\n", 3361);
    ssh_accepts((struct ssh_key_options) { SSH_KEY_RSA, SSH_FORMAT_PEM, 2048 },
                "-----BEGIN RSA PRIVATE KEY-----\n", 0);
}

TEST(ssh_key_refuses_sizes_that_do_not_exist)
{
    scoped(arena) struct arena *a = arena_new();
    struct ssh_key_options ecdsa = { SSH_KEY_ECDSA, SSH_FORMAT_OPENSSH, 255 };
    struct ssh_key_options rsa = { SSH_KEY_RSA, SSH_FORMAT_OPENSSH, 512 };
    struct error err = { 0 };
    struct ssh_key key;

    CHECK_INT(ssh_key_new(a, &ecdsa, &key, &err), -EINVAL);
    CHECK_INT(ssh_key_new(a, &rsa, &key, &err), -EINVAL);
    CHECK_STR(ssh_key_name(SSH_KEY_ECDSA), "ecdsa");
}
