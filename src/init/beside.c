/* beside.c - what stands beside slurmd and sackd where it is asked for: sshd and sssd. */
#include "init/beside.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/log.h"
#include "init/shell.h"

#define SSHD "/usr/sbin/sshd"
#define SSHD_CONFIG "/etc/ssh/sshd_config"
#define SSHD_PAM "/etc/pam.d/sshd"
#define ADOPT "pam_slurm_adopt.so"
#define SSSD "/usr/sbin/sssd"
#define SSSD_CONFIG "/etc/sssd/sssd.conf"

enum { PAM_MAX = 64 * 1024 };

static bool installed(const char *program, const char *config)
{
    return access(config, R_OK) == 0 && access(program, X_OK) == 0;
}

static const char **command(struct arena *a, const char *program, const char *first,
                            const char *second)
{
    const char **argv = arena_make_n(a, const char *, 4);

    argv[0] = program;
    argv[1] = first;
    argv[2] = second;
    return argv;
}

static void make_host_keys(struct arena *a)
{
    struct error err = { 0 };
    size_t len;
    char *text;

    mkdir("/run/sshd", 0755);
    if (shell_output(a, command(a, "ssh-keygen", "-A", NULL), &text, &len, &err) < 0)
        log_error(NULL, "host keys are missing", KV("error", error_text(&err)));
}

/* Puts the module at the end of sshd's account rules, unless it is there. */
static int adopt_sessions(struct arena *a, struct error *err)
{
    scoped(free) char *rules = NULL;
    const char *text;
    size_t len;

    if (file_read(SSHD_PAM, PAM_MAX, &rules, &len, err) < 0)
        return err->code;
    if (strstr(rules, ADOPT))
        return 0;
    text = fmt(a, "%s\naccount required " ADOPT " %s\n", rules,
               getenv("PAM_SLURM_ADOPT_OPTIONS") ?: "");
    return file_write(SSHD_PAM, text, strlen(text), 0644, err);
}

size_t beside_prepare(struct arena *a, bool adopts, struct service *ret_services)
{
    struct service root = { .uid = getuid(), .gid = getgid(), .kept = true };
    struct error err = { 0 };
    size_t n = 0;

    if (getuid() != 0)
        return 0;
    if (installed(SSSD, SSSD_CONFIG)) {
        ret_services[n] = root;
        ret_services[n].name = "sssd";
        ret_services[n++].argv = command(a, SSSD, "-i", "--logger=stderr");
    }
    if (!installed(SSHD, SSHD_CONFIG))
        return n;
    make_host_keys(a);
    if (adopts && adopt_sessions(a, &err) < 0) {
        log_error(NULL, "no sshd: its sessions would escape their jobs",
                  KV("error", error_text(&err)));
        return n;
    }
    ret_services[n] = root;
    ret_services[n].name = "sshd";
    ret_services[n++].argv = command(a, SSHD, "-D", "-e");
    return n;
}
