/* conf_write_test.c - configuration files against golden ones.
 *
 * The slinky-* files hold what slurm-operator 1.3 writes for the same clusters. After a wanted
 * change of the others: GOLDEN=update conf_write_test, and review the difference.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/str.h"
#include "slurm/conf.h"
#include "slurm/topology.h"
#include "support/test.h"

#define JWT "/etc/slurm/jwt.key"

static void is_golden(struct arena *a, const char *name, const char *text)
{
    const char *path = fmt(a, "%s/golden/slurm/%s", test_dir(), name);
    scoped(free) char *want = NULL;
    struct error err = { 0 };
    size_t len;

    if (getenv("GOLDEN") && !str_starts(name, "slinky-"))
        CHECK_OK(file_write(path, text, strlen(text), 0644, &err), err);
    CHECK_OK(file_read(path, 1 << 20, &want, &len, &err), err);
    CHECK_STR(text, want);
}

TEST(slinky_minimal_cluster)
{
    scoped(arena) struct arena *a = arena_new();
    struct conf_nodeset sets[] = { { .name = "slinky", .replicas = 2 } };
    struct slurm_conf in = {
        .cluster_name = "case-01_slurm",
        .controllers =
            STRS("slurm-controller-0(slurm-controller-0.slurm-controller-internal.case-01)"),
        .controller_addr = "slurm-controller.case-01",
        .jwt_key = JWT,
        .nodesets = LIST(sets),
    };
    struct cgroup_conf cgroup = { 0 };

    is_golden(a, "slinky-minimal.slurm.conf", slurm_conf_text(a, &in));
    is_golden(a, "slinky-cgroup.conf", cgroup_conf_text(a, &cgroup));
}

TEST(slinky_cluster_with_accounting_scripts_and_extra_text)
{
    scoped(arena) struct arena *a = arena_new();
    struct slurm_conf in = {
        .cluster_name = "prod",
        .controllers =
            STRS("slurm-controller-0(slurm-controller-0.slurm-controller-internal.case-02)"),
        .controller_addr = "slurm-controller.case-02",
        .jwt_key = JWT,
        .metrics = true,
        .accounting_host = "acct-accounting",
        .prolog = STRS("00-b.sh", "01-a.sh"),
        .epilog = STRS("90-z.sh"),
        .prolog_slurmctld = STRS("50-c.sh"),
        .extra =
            "MaxNodeCount=2048\nSlurmctldDebug=debug2\nPartitionName=gpu Nodes=gpu Default=YES\n",
    };

    is_golden(a, "slinky-accounting.slurm.conf", slurm_conf_text(a, &in));
}

TEST(slinky_cluster_with_node_sets)
{
    scoped(arena) struct arena *a = arena_new();
    struct conf_nodeset sets[] = {
        { .name = "cpu" },
        { .name = "gpu", .partition = true, .partition_options = "Default=YES MaxTime=UNLIMITED" },
    };
    struct slurm_conf in = {
        .cluster_name = "case-03_slurm",
        .controllers =
            STRS("slurm-controller-0(slurm-controller-0.slurm-controller-internal.case-03)"),
        .controller_addr = "slurm-controller.case-03",
        .jwt_key = JWT,
        .nodesets = LIST(sets),
    };

    is_golden(a, "slinky-nodesets.slurm.conf", slurm_conf_text(a, &in));
}

TEST(slinky_cluster_with_three_controllers)
{
    scoped(arena) struct arena *a = arena_new();
    struct conf_nodeset sets[] = { { .name = "every" } };
    struct slurm_conf in = {
        .cluster_name = "case-04_ha",
        .controllers = STRS("ha-controller-0(ha-controller-0.ha-controller-internal.case-04)",
                            "ha-controller-1(ha-controller-1.ha-controller-internal.case-04)",
                            "ha-controller-2(ha-controller-2.ha-controller-internal.case-04)"),
        .controller_addr = "ha-controller.case-04",
        .jwt_key = JWT,
        .nodesets = LIST(sets),
    };

    is_golden(a, "slinky-ha.slurm.conf", slurm_conf_text(a, &in));
}

TEST(slinky_external_controller_gets_what_a_client_needs)
{
    scoped(arena) struct arena *a = arena_new();
    struct conf_nodeset sets[] = { { .name = "hybrid", .partition = true } };
    struct slurm_conf in = {
        .cluster_name = "case-04_outside",
        .external = true,
        .controllers = STRS("slurmctld.example.org"),
        .jwt_key = JWT,
        .metrics = true,
        .prolog = STRS("a.sh"),
        .nodesets = LIST(sets),
        .extra = "MaxJobCount=5",
    };

    is_golden(a, "slinky-outside.slurm.conf", slurm_conf_text(a, &in));
}

TEST(slinky_extra_text_is_merged_with_what_we_need)
{
    scoped(arena) struct arena *a = arena_new();
    struct conf_nodeset sets[] = {
        { .name = "gpu", .partition = true, .partition_options = "MaxTime=UNLIMITED" },
    };
    struct slurm_conf in = {
        .cluster_name = "slurm_slurm",
        .controllers =
            STRS("slurm-controller-0(slurm-controller-0.slurm-controller-internal.slurm)"),
        .controller_addr = "slurm-controller.slurm",
        .jwt_key = JWT,
        .metrics = true,
        .accounting_host = "slurm-accounting",
        .prolog = STRS("prolog-0.sh"),
        .nodesets = LIST(sets),
        .extra = "SlurmctldParameters=idle_on_node_suspend",
    };

    is_golden(a, "slinky-merged.slurm.conf", slurm_conf_text(a, &in));
}

/* The last line of a cluster's slurm.conf when the user adds this text. */
static const char *last_line_with(struct arena *a, const char *extra)
{
    struct slurm_conf in = { .cluster_name = "x", .jwt_key = JWT, .extra = extra };
    char *text = slurm_conf_text(a, &in);
    size_t len = strlen(text);

    text[len - 1] = '\0';
    return strrchr(text, '\n') + 1;
}

TEST(merge_keeps_ours_and_the_case_of_paths)
{
    scoped(arena) struct arena *a = arena_new();

    CHECK_STR(
        last_line_with(a, "authaltparameters = JWKS=/Path/x.json,jwt_key=/other,,Disable_Token"),
        "AuthAltParameters=disable_token,jwks=/Path/x.json,jwt_key=/etc/slurm/jwt.key");
    CHECK_STR(last_line_with(a, "AuthInfo=ttl=60\nAuthInfo=ttl=30 # last\r"),
              "AuthInfo=ttl=30,use_client_ids");
    CHECK_STR(last_line_with(a, "SlurmctldParameters=\\\ncloud_dns"),
              "SlurmctldParameters=cloud_dns,enable_configless,reconfig_on_restart");
    CHECK_STR(last_line_with(a, "AuthInfo=a b"), "AuthInfo=a b");
    CHECK_STR(last_line_with(a, "#AuthInfo=a"), "#AuthInfo=a");
    CHECK_STR(last_line_with(a, "AuthInfo="), "AuthInfo=");
}

TEST(outside_keys_stand_beside_our_own)
{
    scoped(arena) struct arena *a = arena_new();
    struct slurm_conf both = { .cluster_name = "x",
                               .jwt_key = JWT,
                               .jwks = "/etc/slurm/jwks.json" };
    struct slurm_conf none = { .cluster_name = "x" };

    CHECK(strstr(slurm_conf_text(a, &both),
                 "\nAuthAltTypes=auth/jwt\n"
                 "AuthAltParameters=jwt_key=/etc/slurm/jwt.key,jwks=/etc/slurm/jwks.json\n") !=
          NULL);
    CHECK(strstr(slurm_conf_text(a, &none), "AuthAlt") == NULL);
    both.extra = "AuthAltParameters=userclaimfield=sub";
    CHECK(strstr(slurm_conf_text(a, &both),
                 "\nAuthAltParameters=jwks=/etc/slurm/jwks.json,jwt_key=/etc/slurm/jwt.key,"
                 "userclaimfield=sub\n") != NULL);
}

TEST(max_node_count_grows_with_the_cluster)
{
    CHECK_INT(slurm_max_node_count(0), 1024);
    CHECK_INT(slurm_max_node_count(512), 1024);
    CHECK_INT(slurm_max_node_count(513), 2048);
    CHECK_INT(slurm_max_node_count(10000), 32768);
    CHECK(slurm_max_node_count(UINT64_MAX) <= UINT32_MAX);
}

static struct slurmdbd_conf dbd_of(const char *password)
{
    return (struct slurmdbd_conf) {
        .host = "acct-accounting-0",
        .jwt_key = JWT,
        .storage_host = "mariadb",
        .storage_port = 3307,
        .storage_user = "slurm",
        .storage_database = "acct_db",
        .storage_password = password,
        .extra = "CommitDelay=1\nDebugLevel=debug\n",
    };
}

TEST(slinky_slurmdbd_conf)
{
    scoped(arena) struct arena *a = arena_new();
    struct slurmdbd_conf in = dbd_of("secret");
    struct error err = { 0 };
    char *text = NULL;

    CHECK_OK(slurmdbd_conf_text(a, &in, &text, &err), err);
    is_golden(a, "slinky.slurmdbd.conf", text);
}

TEST(database_password_is_quoted_or_refused)
{
    scoped(arena) struct arena *a = arena_new();
    struct slurmdbd_conf in = dbd_of("a#b\\c");
    struct error err = { 0 };
    char *text = NULL;

    CHECK_OK(slurmdbd_conf_text(a, &in, &text, &err), err);
    CHECK(strstr(text, "\nStoragePass=a\\#b\\\\c\n") != NULL);
    in = dbd_of("two words");
    CHECK_OK(slurmdbd_conf_text(a, &in, &text, &err), err);
    CHECK(strstr(text, "\nStoragePass=\"two words\"\n") != NULL);
    in = dbd_of("two\nlines");
    CHECK_INT(slurmdbd_conf_text(a, &in, &text, &err), -EINVAL);
    CHECK(strstr(error_text(&err), "choose another") != NULL);
    CHECK(strstr(error_text(&err), "two") == NULL);
    in = dbd_of("a \"b\"");
    CHECK_INT(slurmdbd_conf_text(a, &in, &text, &err), -EINVAL);
    in = dbd_of("\"b\"");
    CHECK_INT(slurmdbd_conf_text(a, &in, &text, &err), -EINVAL);
}

TEST(sshd_and_keys_of_slinky)
{
    scoped(arena) struct arena *a = arena_new();
    struct sshd_conf login = { .role = SSHD_LOGIN, .extra = "LoginGraceTime 600" };
    struct sshd_conf worker = { .role = SSHD_WORKER, .extra = "UsePAM yes" };

    is_golden(a, "slinky-login.sshd_config", sshd_config_text(a, &login));
    is_golden(a, "slinky-worker.sshd_config", sshd_config_text(a, &worker));
    is_golden(a, "slinky.authorized_keys",
              authorized_keys_text(a, "ssh-ed25519 AAAA root@example"));
    CHECK_STR(sssd_conf_text(a, "[sssd]\ndomains = x\n"), "[sssd]\ndomains = x\n");
}

static struct conf_nodeset soperator_sets[] = {
    { .name = "worker-gpu",
      .replicas = 16,
      .domain = "hpc-nodeset-svc.slurm.svc.cluster.local",
      .memory_mib = 1500000,
      .port = 6818,
      .features = STRS("gpu", "h200"),
      .options = "Gres=gpu:nvidia_h200:8 State=DOWN Feature=x Weight=10",
      .gres_lines = STRS("Name=gpu Type=nvidia_h200 File=/dev/nvidia[0-7]") },
    { .name = "burst",
      .replicas = 600,
      .domain = "hpc-nodeset-svc.slurm.svc.cluster.local",
      .memory_mib = 64000,
      .power_managed = true,
      .no_auto_resume = true },
    { .name = "login-check", .replicas = 1, .memory_mib = 1000 },
    { .name = "empty" },
};
static struct conf_partition soperator_partitions[] = {
    { .name = "main", .all_nodes = true, .options = "Default=YES State=UP" },
    { .name = "gpu", .nodesets = STRS("worker-gpu", "empty"), .options = "State=UP" },
    { .name = "none", .nodesets = STRS("empty") },
    { .name = "nothing" },
};
static struct conf_setting soperator_settings[] = {
    { "DefMemPerNode", "0" },
    { "CompleteWait", "5" },
    { "Epilog", "" },
    { "MaxJobCount", "20000" },
    { "TopologyPlugin", "topology/tree" },
};
static struct conf_setting soperator_accounting[] = {
    { "AccountingStorageTRES", "CPU,Mem,Node,VMem,Gres/gpu" },
};
static const struct slurm_conf soperator = {
    .profile = CONF_SOPERATOR,
    .cluster_name = "hpc",
    .controllers = STRS("hpc-controller-0(hpc-controller-svc)"),
    .jwt_key = "/var/spool/slurmctld/jwt_hs256.key",
    .metrics = true,
    .accounting_host = "hpc-accounting-svc.slurm.svc.cluster.local",
    .nodesets = LIST(soperator_sets),
    .raw_partitions = STRS("PartitionName=x Nodes=ALL"),
    .partitions = LIST(soperator_partitions),
    .gpus = true,
    .settings = LIST(soperator_settings),
    .accounting_settings = LIST(soperator_accounting),
    .health_check = { .interval = 300,
                      .program = "/opt/slurm_scripts/hc_program.sh",
                      .states = STRS("ANY", "CYCLE") },
};

TEST(soperator_cluster_with_known_nodes)
{
    scoped(arena) struct arena *a = arena_new();
    struct slurm_conf in = soperator;

    in.partition_source = PARTITIONS_STRUCTURED;
    is_golden(a, "soperator-structured.slurm.conf", slurm_conf_text(a, &in));
    is_golden(a, "soperator.gres.conf", gres_conf_text(a, true, in.nodesets));
    in.partition_source = PARTITIONS_DEFAULT;
    in.accounting_host = NULL;
    in.health_check.interval = 0;
    is_golden(a, "soperator-default.slurm.conf", slurm_conf_text(a, &in));
    in.partition_source = PARTITIONS_RAW;
    CHECK(strstr(slurm_conf_text(a, &in), "\nPartitionName=x Nodes=ALL\n") != NULL);
    is_golden(a, "soperator-entry.slurm.conf", conf_entry_text(a, "/etc/slurm"));
    is_golden(a, "soperator-rest.slurm.conf", conf_rest_text(a, "/etc/slurm"));
    is_golden(a, "soperator-user.slurm.conf", conf_user_text(a, "MaxJobCount=5"));
}

TEST(soperator_smaller_files)
{
    scoped(arena) struct arena *a = arena_new();
    struct cgroup_conf v1 = { .profile = CONF_SOPERATOR, .version = CGROUP_V1 };
    struct cgroup_conf v2 = { .profile = CONF_SOPERATOR,
                              .extra = "\nconstrainCores = no\n\n  AllowedRAMSpace=95\n" };
    struct conf_setting jail[] = { { "/mnt/jail", NULL } };
    struct conf_setting pyxis[] = { { "runtime_path", "/run/pyxis" },
                                    { "execute_entrypoint", "0" } };
    struct plugstack_plugin plugins[] = {
        { .required = true, .path = "chroot.so", .arguments = LIST(jail) },
        { .path = "spank_pyxis.so", .arguments = LIST(pyxis) },
    };
    struct sshd_conf sshd = { .profile = CONF_SOPERATOR, .sssd = true, .chroot_dir = "/mnt/jail" };

    is_golden(a, "soperator-v1.cgroup.conf", cgroup_conf_text(a, &v1));
    is_golden(a, "soperator-v2.cgroup.conf", cgroup_conf_text(a, &v2));
    is_golden(a, "soperator.plugstack.conf", plugstack_conf_text(a, plugins, ARRAY_SIZE(plugins)));
    is_golden(a, "soperator.sshd_config", sshd_config_text(a, &sshd));
    is_golden(a, "soperator.limits.conf", limits_conf_text(a, NULL));
}

TEST(soperator_slurmdbd_conf)
{
    scoped(arena) struct arena *a = arena_new();
    struct conf_setting parameters[] = { { "SSL_KEY", "/k" }, { "SSL_CA", "/ca.crt" } };
    struct conf_setting settings[] = { { "ArchiveEvents", "yes" },
                                       { "PurgeJobAfter", "12month" },
                                       { "PrivateData", "" } };
    struct slurmdbd_conf in = {
        .profile = CONF_SOPERATOR,
        .host = "accounting",
        .jwt_key = "/var/spool/slurmdbd/jwt_hs256.key",
        .storage_host = "hpc-acct-db",
        .storage_user = "slurm",
        .storage_password = "secret",
        .storage_parameters = LIST(parameters),
        .settings = LIST(settings),
    };
    struct error err = { 0 };
    char *text = NULL;

    CHECK_OK(slurmdbd_conf_text(a, &in, &text, &err), err);
    is_golden(a, "soperator.slurmdbd.conf", text);
}

TEST(plain_files_quote_their_values)
{
    scoped(arena) struct arena *a = arena_new();
    struct conf_setting mpi[] = { { "PMIxEnv", "OMPI_MCA_btl_tcp_if_include=eth0" },
                                  { "PMIxDebug", NULL },
                                  { "PMIxTlsUCX", "a b" } };
    struct conf_setting bad[] = { { "PMIxEnv", "a\nb" } };
    struct error err = { 0 };
    char *text = NULL;

    CHECK_OK(conf_plain_text(a, (struct conf_settings)LIST(mpi), "PMIxTimeout=300", &text, &err),
             err);
    CHECK_STR(text,
              "PMIxEnv=OMPI_MCA_btl_tcp_if_include=eth0\nPMIxTlsUCX=\"a b\"\nPMIxTimeout=300\n");
    CHECK_INT(conf_plain_text(a, (struct conf_settings)LIST(bad), NULL, &text, &err), -EINVAL);
    CHECK(strstr(error_text(&err), "PMIxEnv") != NULL);
}

static const struct topology_node some_nodes[] = {
    { .name = "gpu-1", .switches = STRS("leaf-1", "spine-1", "core-1"), .block = "b1" },
    { .name = "gpu-0", .switches = STRS("leaf-1", "spine-1", "core-1"), .block = "b1" },
    { .name = "gpu-2", .switches = STRS("leaf-2", "spine-1", "core-1"), .block = "b2" },
    { .name = "gpu-3", .switches = STRS("leaf-3", "spine-2", "core-1"), .block = "b2" },
    { .name = "gpu-9", .switches = STRS("spine-2", "core-1") },
    { .name = "cpu-0" },
    { .name = "ib-0", .fabric = "ib", .switches = STRS("1234567890123456789") },
    { .name = "ib-1", .fabric = "ib" },
};

TEST(topology_files)
{
    scoped(arena) struct arena *a = arena_new();
    size_t n = ARRAY_SIZE(some_nodes);

    is_golden(a, "tree.topology.conf", topology_tree_text(a, some_nodes, n));
    is_golden(a, "block.topology.conf", topology_block_text(a, some_nodes, n, 16));
    is_golden(a, "tree.topology.yaml", topology_yaml_text(a, "default", some_nodes, n, 0));
    is_golden(a, "block.topology.yaml", topology_yaml_text(a, "default", some_nodes, n, 16));
    is_golden(a, "flat.topology.yaml", topology_yaml_text(a, "default", NULL, 0, 0));
}

TEST(topology_does_not_close_a_circle)
{
    scoped(arena) struct arena *a = arena_new();
    const struct topology_node nodes[] = {
        { .name = "a", .switches = STRS("s1", "s2") },
        { .name = "b", .switches = STRS("s2", "s1") },
    };

    CHECK_STR(topology_tree_text(a, nodes, 2),
              "SwitchName=root Switches=s2\nSwitchName=s1 Nodes=a\n"
              "SwitchName=s2 Switches=s1,s2.nodes\nSwitchName=s2.nodes Nodes=b\n");
}
