/* sshkey.h - SSH host keys, as ssh-keygen would make them without a passphrase and a comment. */
#pragma once
#include "base/arena.h"
#include "base/error.h"

enum ssh_key_type { SSH_KEY_RSA, SSH_KEY_ECDSA, SSH_KEY_ED25519 };

enum ssh_key_format {
    SSH_FORMAT_OPENSSH, /* "OPENSSH PRIVATE KEY" for every type */
    SSH_FORMAT_PEM,     /* "RSA PRIVATE KEY", "EC PRIVATE KEY"; Ed25519 has no such form */
};

struct ssh_key_options {
    enum ssh_key_type type;
    enum ssh_key_format format;
    unsigned bits; /* RSA: 0 for 4096; ECDSA: 256 (0), 384 or 521 */
};

struct ssh_key {
    char *private_text; /* a secret */
    char *public_text;  /* one line, as in authorized_keys */
};

/* -EINVAL for a size that the type does not have. An RSA key of 4096 bits takes about a second. */
int ssh_key_new(struct arena *a, const struct ssh_key_options *options, struct ssh_key *ret,
                struct error *err);
/* "rsa", "ecdsa", "ed25519": for the file name ssh_host_<name>_key. */
const char *ssh_key_name(enum ssh_key_type type);
