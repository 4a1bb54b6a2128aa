/* cert.c - the server's certificate: from memory, or from files that are taken up when they change.
 */
#include <string.h>
#include <sys/stat.h>

#include "base/arena.h"
#include "base/str.h"
#include "net/loop.h"
#include "net/server_internal.h"

/* Enough to see that a file is another one, also behind the symbolic links of a mounted Secret. */
struct stamp {
    dev_t dev;
    ino_t ino;
    off_t size;
    struct timespec changed;
};

struct cert_watch {
    struct server *server;
    struct timer *timer;
    char *cert_path;
    char *key_path;
    struct stamp cert, key; /* as last tried */
};

static struct stamp stamp_of(const char *path)
{
    struct stamp stamp;
    struct stat info;

    memset(&stamp, 0, sizeof stamp); /* compared as bytes, padding included */
    if (stat(path, &info) == 0) {
        stamp.dev = info.st_dev;
        stamp.ino = info.st_ino;
        stamp.size = info.st_size;
        stamp.changed = info.st_mtim;
    }
    return stamp;
}

/* Whether the files are others than at the last try. */
static bool has_changed(struct cert_watch *watch)
{
    struct stamp cert = stamp_of(watch->cert_path);
    struct stamp key = stamp_of(watch->key_path);
    bool changed =
        memcmp(&cert, &watch->cert, sizeof cert) || memcmp(&key, &watch->key, sizeof key);

    watch->cert = cert;
    watch->key = key;
    return changed;
}

static int load(struct cert_watch *watch, struct error *err)
{
    const struct server_options *options = &watch->server->options;
    scoped(tls_pair) struct tls_pair pair = { 0 };
    SSL_CTX *tls = NULL;
    int rc = tls_pair_read(watch->cert_path, watch->key_path, &pair, err);

    if (rc == 0)
        rc = tls_server_context(&pair, options->client_ca, options->require_client, &tls, err);
    if (rc < 0)
        return wrap(err, "certificate %s", watch->cert_path);
    server_use(watch->server, tls);
    return 0;
}

static void look(void *arg)
{
    struct cert_watch *watch = arg;
    const struct server_options *options = &watch->server->options;
    struct error err = { 0 };
    int rc;

    if (!has_changed(watch))
        return;
    rc = load(watch, &err);
    if (options->on_reload)
        options->on_reload(options->userdata, rc, &err);
}

static char *path_in(const char *dir, const char *name)
{
    scoped(buf) struct buf path = { 0 };

    buf_fmt(&path, "%s/%s", dir, name);
    return buf_take(&path);
}

struct cert_watch *cert_watch_new(struct server *server, struct error *err)
{
    const struct server_options *options = &server->options;
    struct cert_watch *watch = must_alloc(sizeof *watch);
    bool in_dir = !str_empty(options->cert_dir);

    watch->server = server;
    watch->cert_path =
        in_dir ? path_in(options->cert_dir, "tls.crt") : must_str(options->cert_file);
    watch->key_path = in_dir ? path_in(options->cert_dir, "tls.key") : must_str(options->key_file);
    has_changed(watch);
    if (load(watch, err) < 0) {
        cert_watch_free(watch);
        return NULL;
    }
    watch->timer =
        timer_new(server->loop, options->reload_every, options->reload_every, look, watch);
    return watch;
}

void cert_watch_free(struct cert_watch *watch)
{
    if (!watch)
        return;
    timer_free(watch->timer);
    free(watch->cert_path);
    free(watch->key_path);
    free(watch);
}
