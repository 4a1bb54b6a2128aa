/* conf_files.c - the smaller files: cgroup.conf, gres.conf, plugstack.conf, sshd_config and the
 * like. */
#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "base/scope.h"
#include "base/str.h"
#include "slurm/conf.h"
#include "slurm/conf_internal.h"
#include "slurm/hostlist.h"

/* Whether the user's text sets the key itself. */
static bool sets_key(const char *text, const char *key)
{
    size_t len = strlen(key);

    while (text && *text) {
        const char *at = text + strspn(text, " \t");

        if (strncasecmp(at, key, len) == 0) {
            at += len;
            at += strspn(at, " \t");
            if (*at == '=')
                return true;
        }
        text = strchr(text, '\n');
        text = text ? text + 1 : NULL;
    }
    return false;
}

static void set_unless(struct conf_text *t, const char *user, const char *key, const char *value)
{
    if (!sets_key(user, key))
        conf_set(t, key, value);
}

/* Adds the user's lines, the blank ones left out. */
static void write_lines(struct conf_text *t, const char *text)
{
    while (text && *text) {
        size_t len = strcspn(text, "\n");

        if (strspn(text, " \t\r") < len)
            buf_fmt(&t->out, "%.*s\n", (int)len, text);
        text += len + (text[len] == '\n');
    }
}

static void write_cgroup_soperator(struct conf_text *t, const struct cgroup_conf *in)
{
    bool v1 = in->version == CGROUP_V1;

    conf_banner(t);
    set_unless(t, in->extra, "CgroupMountpoint", "/sys/fs/cgroup");
    set_unless(t, in->extra, "ConstrainCores", "yes");
    set_unless(t, in->extra, "ConstrainDevices", "yes");
    set_unless(t, in->extra, "ConstrainRAMSpace", "yes");
    set_unless(t, in->extra, "CgroupPlugin", v1 ? "cgroup/v1" : "cgroup/v2");
    set_unless(t, in->extra, "ConstrainSwapSpace", v1 ? "yes" : "no");
    if (!v1) {
        set_unless(t, in->extra, "EnableControllers", "yes");
        set_unless(t, in->extra, "IgnoreSystemd", "yes");
    }
    if (!str_empty(in->extra)) {
        conf_comment(t, " the cluster's own settings");
        write_lines(t, in->extra);
    }
}

char *cgroup_conf_text(struct arena *a, const struct cgroup_conf *in)
{
    struct conf_text t = { 0 };

    if (in->version == CGROUP_NONE) {
        conf_set(&t, "CgroupPlugin", "disabled");
    } else if (in->profile == CONF_SOPERATOR) {
        write_cgroup_soperator(&t, in);
    } else {
        conf_set(&t, "CgroupPlugin", in->version == CGROUP_V1 ? "cgroup/v1" : "cgroup/v2");
        if (in->version == CGROUP_V2)
            conf_set(&t, "IgnoreSystemd", "yes");
    }
    return conf_done(a, &t);
}

char *gres_conf_text(struct arena *a, bool gpus, struct conf_nodesets nodesets)
{
    struct conf_text t = { 0 };

    conf_banner(&t);
    if (gpus)
        conf_set(&t, "AutoDetect", "nvidia");
    for_each (set, nodesets) {
        for (size_t i = 0; set->replicas > 0 && i < set->gres_lines.n; i++)
            conf_setf(&t, "NodeName", "%s %s",
                      hostlist_of_count(a, fmt(a, "%s-", set->name), set->replicas),
                      set->gres_lines.v[i]);
    }
    return conf_done(a, &t);
}

char *plugstack_conf_text(struct arena *a, const struct plugstack_plugin *plugins, size_t n)
{
    struct conf_text t = { 0 };

    conf_banner(&t);
    for (const struct plugstack_plugin *p = plugins; p < plugins + n; p++) {
        buf_fmt(&t.out, "%s %s", p->required ? "required" : "optional", p->path);
        for_each (argument, p->arguments) {
            if (argument->value)
                buf_fmt(&t.out, " %s=%s", argument->key, argument->value);
            else
                buf_fmt(&t.out, " %s", argument->key);
        }
        buf_char(&t.out, '\n');
    }
    return conf_done(a, &t);
}

int conf_plain_text(struct arena *a, struct conf_settings settings, const char *extra, char **ret,
                    struct error *err)
{
    struct conf_text t = { 0 };

    for_each (setting, settings) {
        char *value;

        if (str_empty(setting->value))
            continue;
        if (conf_quote(a, setting->value, &value, err) < 0) {
            conf_done(a, &t);
            return wrap(err, "%s", setting->key);
        }
        conf_set(&t, setting->key, value);
    }
    if (!str_empty(extra))
        conf_line(&t, extra);
    *ret = conf_done(a, &t);
    return 0;
}

static void write_sshd_slinky(struct conf_text *t, const struct sshd_conf *in)
{
    conf_section(t, "GENERAL");
    conf_set(t, "Include", "/etc/ssh/sshd_config.d/*.conf");
    conf_set(t, "UsePAM", "yes");
    if (in->role == SSHD_LOGIN)
        conf_set(t, "X11Forwarding", "yes");
    conf_set(t, "Subsystem", "sftp internal-sftp");
    if (in->role == SSHD_WORKER)
        conf_set(t, "AuthenticationMethods", "publickey password");
    conf_section(t, "EXTRA CONFIG");
    conf_line(t, in->extra ?: "");
}

static const struct conf_setting sshd_soperator[] = {
    { "PermitRootLogin", "yes" },
    { "PasswordAuthentication", "no" },
    { "ChallengeResponseAuthentication", "no" },
    { "UsePAM", "yes" },
    { "AcceptEnv", "LANG LC_*" },
    { "X11Forwarding", "no" },
    { "AllowTcpForwarding", "yes" },
    { "Subsystem", "sftp internal-sftp" },
    { "HostKey", "/etc/ssh/sshd_keys/ssh_host_rsa_key" },
    { "HostKey", "/etc/ssh/sshd_keys/ssh_host_ecdsa_key" },
    { "HostKey", "/etc/ssh/sshd_keys/ssh_host_ed25519_key" },
};

static const struct conf_setting sshd_limits[] = {
    { "ClientAliveInterval", "3600" }, { "ClientAliveCountMax", "5" },
    { "MaxStartups", "100:50:300" },   { "LoginGraceTime", "120" },
    { "MaxAuthTries", "4" },           { "LogLevel", "DEBUG3" },
};

static void write_table(struct conf_text *t, const struct conf_setting *table, size_t n)
{
    for (size_t i = 0; i < n; i++)
        conf_set(t, table[i].key, table[i].value);
}

static void write_sshd_soperator(struct conf_text *t, const struct sshd_conf *in)
{
    conf_banner(t);
    conf_set_int(t, "Port", in->port ?: 22);
    write_table(t, sshd_soperator, ARRAY_SIZE(sshd_soperator));
    conf_set_some(t, "ChrootDirectory", in->chroot_dir);
    write_table(t, sshd_limits, ARRAY_SIZE(sshd_limits));
    if (in->sssd) {
        conf_set(t, "AuthorizedKeysCommand", "/usr/bin/sss_ssh_authorizedkeys");
        conf_set(t, "AuthorizedKeysCommandUser", "root");
    }
    if (!str_empty(in->extra))
        conf_line(t, in->extra);
    conf_set(t, "Match", "User root");
    conf_setf(t, "  AuthorizedKeysFile", "/root/.ssh/authorized_keys %s/root/.ssh/authorized_keys",
              in->chroot_dir ?: "");
    conf_set(t, "Match", "User *");
    conf_set(t, "  LogLevel", "INFO");
}

char *sshd_config_text(struct arena *a, const struct sshd_conf *in)
{
    struct conf_text t = { .separator = " " };

    if (in->profile == CONF_SOPERATOR)
        write_sshd_soperator(&t, in);
    else
        write_sshd_slinky(&t, in);
    return conf_done(a, &t);
}

char *authorized_keys_text(struct arena *a, const char *keys)
{
    struct conf_text t = { 0 };

    conf_section(&t, "SLINKY");
    conf_line(&t, keys ?: "");
    return conf_done(a, &t);
}

char *sssd_conf_text(struct arena *a, const char *user_text)
{
    return arena_str(a, str_empty(user_text) ? "[sssd]\nservices = nss, pam\n"
                                               "enable_files_domain = true\n[nss]\n[pam]\n"
                                             : user_text);
}

char *limits_conf_text(struct arena *a, const char *user_text)
{
    static const char *const unlimited[] = { "core",  "data",     "fsize",  "sigpending", "memlock",
                                             "rss",   "msgqueue", "rtprio", "stack",      "cpu",
                                             "nproc", "as",       "locks" };
    struct conf_text t = { 0 };

    if (!str_empty(user_text))
        return arena_str(a, user_text);
    for (size_t i = 0; i < ARRAY_SIZE(unlimited); i++)
        conf_line(&t, fmt(a, "* - %s unlimited", unlimited[i]));
    conf_line(&t, "* - nofile 1048576");
    conf_line(&t, "* - nice -20");
    return conf_done(a, &t);
}
