/* sshkey.c - SSH keys by OpenSSL, written in OpenSSH's own format (PROTOCOL.key of OpenSSH). */
#include "slurm/sshkey.h"

#include <errno.h>
#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <string.h>

#include "base/buf.h"
#include "base/rand.h"
#include "slurm/keys.h"

enum { PEM_COLUMNS = 64, BLOCK = 8, ED25519_BYTES = 32, EC_POINT_MAX = 256 };

DEFINE_SCOPE(pkey, EVP_PKEY_free)
DEFINE_SCOPE(bio, BIO_free_all)

static void scope_end_secret(struct buf *b)
{
    if (b->bytes)
        OPENSSL_cleanse(b->bytes, b->size);
    buf_done(b);
}

static const struct curve {
    unsigned bits;
    const char *openssl, *ssh;
} curves[] = {
    { 256, "P-256", "nistp256" },
    { 384, "P-384", "nistp384" },
    { 521, "P-521", "nistp521" },
};

const char *ssh_key_name(enum ssh_key_type type)
{
    return type == SSH_KEY_RSA ? "rsa" : type == SSH_KEY_ECDSA ? "ecdsa" : "ed25519";
}

static const struct curve *curve_of(unsigned bits)
{
    for (const struct curve *curve = curves; curve < curves + ARRAY_SIZE(curves); curve++)
        if (curve->bits == (bits ?: 256))
            return curve;
    return NULL;
}

static void put_u32(struct buf *out, uint32_t value)
{
    unsigned char bytes[] = { (unsigned char)(value >> 24), (unsigned char)(value >> 16),
                              (unsigned char)(value >> 8), (unsigned char)value };

    buf_add(out, bytes, sizeof bytes);
}

static void put_bytes(struct buf *out, const void *bytes, size_t n)
{
    put_u32(out, (uint32_t)n);
    buf_add(out, bytes, n);
}

static void put_str(struct buf *out, const char *text)
{
    put_bytes(out, text, strlen(text));
}

/* A number of the key, with a zero in front when its first bit would make it negative. */
static void put_number(struct buf *out, const EVP_PKEY *pkey, const char *name)
{
    unsigned char bytes[1 + 16384 / 8] = { 0 };
    BIGNUM *number = NULL;
    int len;

    if (!EVP_PKEY_get_bn_param(pkey, name, &number))
        return;
    len = BN_bn2bin(number, bytes + 1);
    BN_clear_free(number);
    if (bytes[1] & 0x80)
        put_bytes(out, bytes, (size_t)len + 1);
    else
        put_bytes(out, bytes + 1, (size_t)len);
    OPENSSL_cleanse(bytes, sizeof bytes);
}

static void put_point(struct buf *out, const EVP_PKEY *pkey)
{
    unsigned char point[EC_POINT_MAX];
    size_t len = 0;

    EVP_PKEY_get_octet_string_param(pkey, OSSL_PKEY_PARAM_PUB_KEY, point, sizeof point, &len);
    put_bytes(out, point, len);
}

/* The words before the numbers: "ssh-rsa", or the curve twice. */
static void put_type(struct buf *out, enum ssh_key_type type, const struct curve *curve)
{
    scoped(buf) struct buf name = { 0 };

    buf_str(&name, type == SSH_KEY_RSA ? "ssh-rsa" : "ssh-ed25519");
    if (type == SSH_KEY_ECDSA) {
        buf_clear(&name);
        buf_fmt(&name, "ecdsa-sha2-%s", curve->ssh);
    }
    put_str(out, buf_text(&name));
    if (type == SSH_KEY_ECDSA)
        put_str(out, curve->ssh);
}

static void put_public(struct buf *out, const EVP_PKEY *pkey, enum ssh_key_type type,
                       const struct curve *curve)
{
    unsigned char raw[ED25519_BYTES];
    size_t len = sizeof raw;

    put_type(out, type, curve);
    if (type == SSH_KEY_RSA) {
        put_number(out, pkey, OSSL_PKEY_PARAM_RSA_E);
        put_number(out, pkey, OSSL_PKEY_PARAM_RSA_N);
    } else if (type == SSH_KEY_ECDSA) {
        put_point(out, pkey);
    } else {
        EVP_PKEY_get_raw_public_key(pkey, raw, &len);
        put_bytes(out, raw, len);
    }
}

static void put_private(struct buf *out, const EVP_PKEY *pkey, enum ssh_key_type type,
                        const struct curve *curve)
{
    static const char *const rsa[] = {
        OSSL_PKEY_PARAM_RSA_N,       OSSL_PKEY_PARAM_RSA_E,
        OSSL_PKEY_PARAM_RSA_D,       OSSL_PKEY_PARAM_RSA_COEFFICIENT1,
        OSSL_PKEY_PARAM_RSA_FACTOR1, OSSL_PKEY_PARAM_RSA_FACTOR2
    };
    unsigned char pair[2 * ED25519_BYTES]; /* OpenSSH keeps the public half behind the seed */
    size_t len = ED25519_BYTES;

    put_type(out, type, curve);
    if (type == SSH_KEY_RSA) {
        for (size_t i = 0; i < ARRAY_SIZE(rsa); i++)
            put_number(out, pkey, rsa[i]);
    } else if (type == SSH_KEY_ECDSA) {
        put_point(out, pkey);
        put_number(out, pkey, OSSL_PKEY_PARAM_PRIV_KEY);
    } else {
        EVP_PKEY_get_raw_private_key(pkey, pair, &len);
        EVP_PKEY_get_raw_public_key(pkey, pair + ED25519_BYTES, &len);
        put_bytes(out, pair + ED25519_BYTES, ED25519_BYTES);
        put_bytes(out, pair, sizeof pair);
        OPENSSL_cleanse(pair, sizeof pair);
    }
    put_str(out, ""); /* no comment */
}

/* PEM around the bytes. */
static char *armour(struct arena *a, const struct buf *bytes)
{
    scoped(secret) struct buf out = { 0 };
    const char *text = base64_text(a, bytes->bytes, bytes->len);
    size_t len = strlen(text);

    buf_str(&out, "-----BEGIN OPENSSH PRIVATE KEY-----\n");
    for (size_t at = 0; at < len; at += PEM_COLUMNS)
        buf_fmt(&out, "%.*s\n", PEM_COLUMNS, text + at);
    buf_str(&out, "-----END OPENSSH PRIVATE KEY-----\n");
    return arena_strn(a, buf_text(&out), out.len);
}

static char *openssh_text(struct arena *a, const EVP_PKEY *pkey, enum ssh_key_type type,
                          const struct curve *curve)
{
    scoped(secret) struct buf out = { 0 }, secret = { 0 };
    scoped(buf) struct buf public = { 0 };
    uint32_t check;

    rand_bytes(&check, sizeof check);
    put_u32(&secret, check); /* twice, so that a wrong passphrase would show */
    put_u32(&secret, check);
    put_private(&secret, pkey, type, curve);
    for (char pad = 1; secret.len % BLOCK != 0; pad++)
        buf_char(&secret, pad);
    put_public(&public, pkey, type, curve);
    buf_add(&out, "openssh-key-v1", sizeof "openssh-key-v1");
    put_str(&out, "none"); /* cipher */
    put_str(&out, "none"); /* key derivation, and its options */
    put_str(&out, "");
    put_u32(&out, 1); /* keys */
    put_bytes(&out, public.bytes, public.len);
    put_bytes(&out, secret.bytes, secret.len);
    return armour(a, &out);
}

static char *pem_text(struct arena *a, const EVP_PKEY *pkey)
{
    scoped(bio) BIO *bio = BIO_new(BIO_s_secmem());
    char *text;
    long len;

    if (!bio || !PEM_write_bio_PrivateKey_traditional(bio, pkey, NULL, NULL, 0, NULL, NULL))
        return NULL;
    len = BIO_get_mem_data(bio, &text);
    return arena_strn(a, text, (size_t)len);
}

static char *public_line(struct arena *a, const EVP_PKEY *pkey, enum ssh_key_type type,
                         const struct curve *curve)
{
    scoped(buf) struct buf blob = { 0 };
    uint32_t name_len;

    put_public(&blob, pkey, type, curve);
    name_len = (uint32_t)(unsigned char)blob.bytes[3]; /* names are short: one byte of length */
    return fmt(a, "%.*s %s\n", (int)name_len, blob.bytes + 4, base64_text(a, blob.bytes, blob.len));
}

static EVP_PKEY *generate(const struct ssh_key_options *options, const struct curve *curve)
{
    if (options->type == SSH_KEY_RSA)
        return EVP_PKEY_Q_keygen(NULL, NULL, "RSA", (size_t)(options->bits ?: 4096));
    if (options->type == SSH_KEY_ECDSA)
        return EVP_PKEY_Q_keygen(NULL, NULL, "EC", curve->openssl);
    return EVP_PKEY_Q_keygen(NULL, NULL, "ED25519");
}

int ssh_key_new(struct arena *a, const struct ssh_key_options *options, struct ssh_key *ret,
                struct error *err)
{
    const struct curve *curve = curve_of(options->type == SSH_KEY_ECDSA ? options->bits : 256);
    bool pem = options->format == SSH_FORMAT_PEM && options->type != SSH_KEY_ED25519;
    scoped(pkey) EVP_PKEY *pkey = NULL;
    struct ssh_key key;

    if (!curve)
        return fail(err, -EINVAL, "an ECDSA key has 256, 384 or 521 bits, not %u", options->bits);
    if (options->type == SSH_KEY_RSA && options->bits &&
        (options->bits < 2048 || options->bits > 16384))
        return fail(err, -EINVAL, "an RSA key has 2048 to 16384 bits, not %u", options->bits);
    pkey = generate(options, curve);
    if (!pkey)
        return fail(err, -EIO, "make an SSH %s key: OpenSSL failed", ssh_key_name(options->type));
    key.private_text = pem ? pem_text(a, pkey) : openssh_text(a, pkey, options->type, curve);
    if (!key.private_text)
        return fail(err, -EIO, "write an SSH %s key: OpenSSL failed", ssh_key_name(options->type));
    key.public_text = public_line(a, pkey, options->type, curve);
    *ret = key;
    return 0;
}
