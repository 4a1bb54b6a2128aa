/* token.c - mints, holds or re-reads the token of one client. */
#include "slurm/token.h"

#include <ctype.h>
#include <errno.h>
#include <openssl/crypto.h>
#include <pthread.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/str.h"
#include "slurm/jwt.h"

#define LIFETIME_DEFAULT (15 * 60 * USEC_SEC)
#define LIFETIME_MIN (60 * USEC_SEC)
#define LIFETIME_MAX                                                                               \
    (INT64_C(2147483646) * USEC_SEC) /* what fits a 32-bit clock, as Slurm's tools */
#define YOUNG (5 * USEC_SEC) /* a token minted less than this ago would not get better by minting  \
                              */

enum { KEY_MAX = 65536 };

struct slurm_token {
    struct slurm_token_options options; /* its strings are ours */
    pthread_mutex_t lock;
    /* under lock */
    char *text;   /* NULL: none yet */
    usec minted;  /* monotonic */
    usec issued;  /* wall clock */
    usec expires; /* wall clock */
    struct timespec file_time;
    ino_t file_inode;
    off_t file_size;
};

static void forget(struct slurm_token *token)
{
    if (token->text)
        OPENSSL_cleanse(token->text, strlen(token->text));
    free(take(token->text));
}

static int check(const struct slurm_token_options *o, struct error *err)
{
    int sources = (o->key != NULL) + (o->text != NULL) + (o->file != NULL);

    if (sources != 1)
        return fail(err, -EINVAL, "token: want exactly one of a key, a text and a file, got %d",
                    sources);
    if (o->key && (o->key_len == 0 || o->key_len > KEY_MAX))
        return fail(err, -EINVAL, "token: a key of %zu bytes; want 1 to %d", o->key_len, KEY_MAX);
    if (o->lifetime && (o->lifetime < LIFETIME_MIN || o->lifetime > LIFETIME_MAX))
        return fail(err, -EINVAL, "token: a lifetime of %lld s; want %lld or more",
                    (long long)(o->lifetime / USEC_SEC), (long long)(LIFETIME_MIN / USEC_SEC));
    return 0;
}

/* A token goes into a header line: nothing in it may end that line. */
static bool fits_a_header(const char *text)
{
    size_t n = 0;

    for (; isgraph((unsigned char)text[n]); n++)
        ;
    return n > 0 && n <= JWT_MAX && !text[n];
}

static void *copy_key(const void *key, size_t len)
{
    void *copy = must_alloc(len);

    memcpy(copy, key, len);
    return copy;
}

int slurm_token_new(const struct slurm_token_options *options, struct slurm_token **ret,
                    struct error *err)
{
    struct slurm_token *token;
    int rc = check(options, err);

    if (rc < 0)
        return rc;
    if (options->text && !fits_a_header(options->text))
        return fail(err, -EINVAL, "token: the text is empty, too long or has blanks in it");
    token = must_alloc(sizeof *token);
    pthread_mutex_init(&token->lock, NULL);
    token->options = (struct slurm_token_options) {
        .key = options->key ? copy_key(options->key, options->key_len) : NULL,
        .key_len = options->key_len,
        .text = options->text ? must_str(options->text) : NULL,
        .file = options->file ? must_str(options->file) : NULL,
        .user = must_str(options->user ?: "slurm"),
        .issuer = must_str(options->issuer ?: "windlass"),
        .lifetime = options->lifetime ?: LIFETIME_DEFAULT,
    };
    *ret = token;
    return 0;
}

void slurm_token_free(struct slurm_token *token)
{
    if (!token)
        return;
    forget(token);
    if (token->options.key)
        OPENSSL_cleanse((void *)token->options.key, token->options.key_len);
    if (token->options.text)
        OPENSSL_cleanse((void *)token->options.text, strlen(token->options.text));
    free((void *)token->options.key);
    free((void *)token->options.text);
    free((void *)token->options.file);
    free((void *)token->options.user);
    free((void *)token->options.issuer);
    pthread_mutex_destroy(&token->lock);
    free(token);
}

static bool is_due(const struct slurm_token *token)
{
    usec spare = token->options.lifetime / 5;
    usec wall = clock_wall();

    return !token->text || clock_now() - token->minted >= token->options.lifetime - spare ||
           wall >= token->expires - spare || wall + USEC_SEC < token->issued;
}

static void mint(struct slurm_token *token)
{
    scoped(arena) struct arena *a = arena_new();
    struct jwt_claims claims = {
        .user = token->options.user,
        .issuer = token->options.issuer,
        .issued = clock_wall(),
        .expires = clock_wall() + token->options.lifetime,
    };

    forget(token);
    token->text = must_str(jwt_sign(a, token->options.key, token->options.key_len, &claims));
    token->minted = clock_now();
    token->issued = claims.issued;
    token->expires = claims.expires;
}

static bool file_changed(const struct slurm_token *token, const struct stat *info)
{
    return info->st_ino != token->file_inode || info->st_size != token->file_size ||
           info->st_mtim.tv_sec != token->file_time.tv_sec ||
           info->st_mtim.tv_nsec != token->file_time.tv_nsec;
}

static char *trim(char *text)
{
    size_t n;

    while (isspace((unsigned char)*text))
        text++;
    n = strlen(text);
    while (n > 0 && isspace((unsigned char)text[n - 1]))
        text[--n] = '\0';
    return text;
}

static int read_file(struct slurm_token *token, struct error *err)
{
    const char *path = token->options.file;
    scoped(free) char *bytes = NULL;
    struct stat info;
    size_t len;
    const char *text;

    if (stat(path, &info) < 0)
        return fail(err, -EACCES, "token file %s: %s", path, strerror(errno));
    if (token->text && !file_changed(token, &info))
        return 0;
    if (file_read(path, JWT_MAX + 64, &bytes, &len, err) < 0) {
        wrap(err, "token file");
        return -EACCES;
    }
    text = memchr(bytes, '\0', len) ? "" : trim(bytes);
    if (!fits_a_header(text))
        return fail(err, -EACCES, "token file %s: empty, too long, or not one word", path);
    forget(token);
    token->text = must_str(text);
    token->file_time = info.st_mtim;
    token->file_inode = info.st_ino;
    token->file_size = info.st_size;
    OPENSSL_cleanse(bytes, len);
    return 0;
}

int slurm_token_write(struct slurm_token *token, struct buf *out, struct error *err)
{
    scoped_lock(&token->lock);
    int rc = 0;

    if (token->options.key && is_due(token))
        mint(token);
    if (token->options.file && (rc = read_file(token, err)) < 0)
        return rc;
    return buf_str(out, token->options.text ?: token->text);
}

bool slurm_token_refused(struct slurm_token *token)
{
    scoped_lock(&token->lock);
    struct stat info;

    if (token->options.key && token->text && clock_now() - token->minted > YOUNG) {
        forget(token);
        return true;
    }
    return token->options.file && stat(token->options.file, &info) == 0 &&
           file_changed(token, &info);
}

bool slurm_token_same(const struct slurm_token_options *a, const struct slurm_token_options *b)
{
    bool same_key = !a->key == !b->key && a->key_len == b->key_len &&
                    (!a->key || !memcmp(a->key, b->key, a->key_len));

    return same_key && str_eq(a->text, b->text) && str_eq(a->file, b->file) &&
           str_eq(a->user ?: "slurm", b->user ?: "slurm") &&
           str_eq(a->issuer ?: "windlass", b->issuer ?: "windlass") &&
           (a->lifetime ?: LIFETIME_DEFAULT) == (b->lifetime ?: LIFETIME_DEFAULT);
}
