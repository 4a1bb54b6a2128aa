/* role.c - what each image runs. */
#include "init/role.h"

#include <errno.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/log.h"
#include "base/str.h"
#include "init/beside.h"
#include "init/node.h"
#include "init/shell.h"

#define SHELL "/bin/bash" /* the one that knows /dev/tcp */

enum { WORDS_EXTRA = 9, SERVICES_MAX = 3 };

struct role {
    const char *name;
    const char *program;   /* by its whole path: sackd executes itself again by argv[0] */
    const char *mode;      /* first argument, or NULL */
    const char *variable;  /* more arguments */
    const char *directory; /* made before it starts */
    bool as_slurm;         /* where we are root ourselves */
    bool notifies;
    bool kept;
    bool takes_limits;
    bool has_company; /* sshd, sssd */
    bool adopts;      /* ssh sessions go into a job of their user */
};

static const struct role roles[] = {
    { .name = "slurmctld",
      .program = "/usr/sbin/slurmctld",
      .mode = "--systemd",
      .variable = "SLURMCTLD_OPTIONS",
      .directory = "/run/slurmctld",
      .as_slurm = true,
      .notifies = true },
    { .name = "slurmd",
      .program = "/usr/sbin/slurmd",
      .mode = "--systemd",
      .variable = "SLURMD_OPTIONS",
      .directory = "/var/spool/slurmd",
      .notifies = true,
      .kept = true,
      .takes_limits = true,
      .has_company = true,
      .adopts = true },
    { .name = "slurmdbd",
      .program = "/usr/sbin/slurmdbd",
      .mode = "-D",
      .variable = "SLURMDBD_OPTIONS",
      .directory = "/run/slurmdbd",
      .as_slurm = true },
    { .name = "slurmrestd", .program = "/usr/sbin/slurmrestd", .variable = "SLURMRESTD_OPTIONS" },
    { .name = "login",
      .program = "/usr/sbin/sackd",
      .mode = "--systemd",
      .variable = "SACKD_OPTIONS",
      .directory = "/run/slurm",
      .as_slurm = true,
      .notifies = true,
      .kept = true,
      .has_company = true },
};

static const struct role *find_role(const char *name)
{
    for (size_t i = 0; i < ARRAY_SIZE(roles); i++)
        if (str_eq(roles[i].name, name))
            return &roles[i];
    return NULL;
}

const char *role_names(struct arena *a)
{
    scoped(buf) struct buf out = { 0 };

    for (size_t i = 0; i < ARRAY_SIZE(roles); i++)
        buf_fmt(&out, "%s%s", i ? " " : "", roles[i].name);
    return arena_str(a, buf_text(&out));
}

/* ------------------------------------------------------------------ arguments */

static const char *command_text(struct arena *a, const struct role *role, char *const *args)
{
    scoped(buf) struct buf out = { 0 };

    buf_str(&out, getenv(role->variable) ?: "");
    for (; *args; args++)
        buf_fmt(&out, " %s", *args);
    return arena_str(a, buf_text(&out));
}

static int64_t limit(const char *variable)
{
    int64_t n;

    return str_int(getenv(variable), &n) && n > 0 ? n : 0;
}

/* What slurmd knows of the machine; without it no item is added, and slurmd reports all of it. */
static const char *hardware(struct arena *a, const struct role *role)
{
    const char *argv[] = { role->program, "-C", NULL };
    struct error err = { 0 };
    size_t len;
    char *text;

    if (shell_output(a, argv, &text, &len, &err) == 0)
        return text;
    log_error(NULL, "the limits of the pod are not known to Slurm", KV("error", error_text(&err)));
    return "";
}

static void apply_limits(struct arena *a, const struct role *role, const char **words)
{
    struct node_limits limits = { limit("POD_CPUS"), limit("POD_MEMORY"), getenv("POD_TOPOLOGY") };
    bool bounded = limits.cpus || limits.memory;

    for (; *words; words++)
        if (str_eq(*words, "--conf") && words[1])
            words[1] = node_conf(a, words[1], bounded ? hardware(a, role) : "", &limits);
}

static const char *value_of(const char **words, const char *option)
{
    for (; *words; words++)
        if (str_eq(*words, option))
            return words[1];
    return NULL;
}

/* A daemon that finds no controller sleeps for ten seconds before it looks again, and controllers
 * often come up a second after their workers. So we look more often, and for no longer than a
 * minute: then the daemon says itself what is missing. */
static const char wait_script[] =
    "end=$((SECONDS + 60))\n"
    "until (exec 3<> \"/dev/tcp/$1/$2\") 2> /dev/null || [ $SECONDS -ge $end ]; do\n"
    "    sleep 0.2\n"
    "done\n"
    "shift 2\n"
    "exec \"$@\"\n";

/* Fills in the words that wait for the first of HOST:PORT,...; how many. */
static size_t wait_words(struct arena *a, const char *servers, const char **argv)
{
    char *host = arena_strn(a, servers, strcspn(servers, ","));
    char *colon = strrchr(host, ':');
    const char *words[] = { SHELL, "-c", wait_script, SHELL, host, colon ? colon + 1 : "6817" };

    if (access(SHELL, X_OK) < 0 || host[0] == '[')
        return 0;
    if (colon)
        *colon = '\0';
    memcpy(argv, words, sizeof words);
    return ARRAY_SIZE(words);
}

static int arguments(struct arena *a, const struct role *role, char *const *args, const char ***ret,
                     struct error *err)
{
    const char **words, **argv;
    const char *servers;
    size_t n = 0;

    if (shell_words(a, command_text(a, role, args), &words, err) < 0)
        return err->code;
    if (role->takes_limits)
        apply_limits(a, role, words);
    while (words[n])
        n++;
    *ret = argv = arena_make_n(a, const char *, n + WORDS_EXTRA);
    servers = value_of(words, "--conf-server");
    if (servers)
        argv += wait_words(a, servers, argv);
    *argv++ = role->program;
    if (role->mode)
        *argv++ = role->mode;
    memcpy(argv, words, n * sizeof *words);
    return 0;
}

/* ------------------------------------------------------------------ the daemon */

/* Read from the file itself: looking users up by library would need that library in every image. */
static bool find_user(const char *name, uid_t *ret_uid, gid_t *ret_gid)
{
    scoped(file) FILE *file = fopen("/etc/passwd", "re");
    const struct passwd *user;

    while (file && (user = fgetpwent(file)))
        if (str_eq(user->pw_name, name)) {
            *ret_uid = user->pw_uid;
            *ret_gid = user->pw_gid;
            return true;
        }
    return false;
}

static int owner_of(const struct role *role, struct service *service, struct error *err)
{
    service->uid = getuid();
    service->gid = getgid();
    if (!role->as_slurm || getuid() != 0)
        return 0;
    if (!find_user("slurm", &service->uid, &service->gid))
        return fail(err, -ENOENT, "%s runs as user slurm, which this image does not have",
                    role->name);
    return 0;
}

/* A directory that cannot be made may be there as a volume, or not be needed: the daemon tells. */
static void own_directory(const char *path, const struct service *service)
{
    if (!path)
        return;
    if (mkdir(path, 0755) < 0 && errno != EEXIST) {
        log_error(NULL, "cannot make directory", KV("path", path), KV("error", strerror(errno)));
        return;
    }
    if (service->uid != getuid() && chown(path, service->uid, service->gid) < 0)
        log_error(NULL, "cannot give directory away", KV("path", path),
                  KV("error", strerror(errno)));
}

int role_prepare(struct arena *a, const char *name, char *const *args, struct init *ret_init,
                 struct error *err)
{
    const struct role *role = find_role(name);
    struct service *services = arena_make_n(a, struct service, SERVICES_MAX);

    if (!role)
        return fail(err, -ENOENT, "no role '%s'; there are %s", name, role_names(a));
    services[0] =
        (struct service) { .name = role->name, .notifies = role->notifies, .kept = role->kept };
    if (owner_of(role, &services[0], err) < 0 ||
        arguments(a, role, args, &services[0].argv, err) < 0)
        return wrap(err, "%s", role->name);
    own_directory(role->directory, &services[0]);
    *ret_init = (struct init) { .services = services, .n = 1 };
    if (role->has_company)
        ret_init->n += beside_prepare(a, role->adopts, services + 1);
    return 0;
}
