"""What runs in each pod of a Slurm bed: one row per daemon."""
from dataclasses import dataclass, field

from . import slurm_conf as conf
from .rootfs import DATABASE_OPTIONS

WORKER = "worker-"
FIRST_WORKER_HOST = 20
MAX_WORKERS = 200
CONFIGLESS = ["--systemd", "--conf-server", f"slurmctld:{conf.CTLD_PORT}"]

MARIADBD = [
    "/usr/sbin/mariadbd", "--no-defaults", "--datadir=/var/lib/mysql", "--socket=/tmp/mysqld.sock",
    f"--port={conf.SQL_PORT}", "--bind-address=0.0.0.0", "--init-file=/etc/mysql/init.sql",
    "--skip-name-resolve", "--skip-log-bin", "--performance-schema=OFF", *DATABASE_OPTIONS,
    "--innodb-flush-log-at-trx-commit=0", "--innodb-lock-wait-timeout=900",
    "--innodb-snapshot-isolation=OFF",  # slurmdbd refuses to run with it
]


@dataclass(frozen=True)
class Role:
    """A daemon and what it needs around it."""

    host: int               # last part of its address
    uid: int
    command: list
    files: tuple            # of slurm_conf.Files
    etc: str = "/etc/slurm"  # where the files are seen
    data: str = None        # a directory that survives the pod
    port: int = None        # accepts connections once it is ready
    probe: str = None       # path on that port which then answers 204
    appears: str = None     # a file in the pod which is there once it is ready
    env: dict = field(default_factory=dict)
    gpus: int = 0
    cgroups: bool = False


DAEMONS = {
    "mariadb": Role(
        10, conf.MYSQL_UID, MARIADBD, ("init.sql",), etc="/etc/mysql",
        data="/var/lib/mysql", port=conf.SQL_PORT),
    "slurmdbd": Role(
        11, conf.SLURM_UID, ["/usr/sbin/slurmdbd", "-D"],
        ("slurmdbd.conf", "slurm.key", "jwt.key"), port=conf.DBD_PORT),
    "slurmctld": Role(
        12, conf.SLURM_UID, ["/usr/sbin/slurmctld", "--systemd"],
        ("slurm.conf", "cgroup.conf", "gres.conf", "slurm.key", "jwt.key"),
        data="/var/spool/slurmctld", port=conf.CTLD_PORT, probe="/readyz"),
    "slurmrestd": Role(
        13, conf.NOBODY_UID, ["/usr/sbin/slurmrestd", f"0.0.0.0:{conf.REST_PORT}"],
        ("slurm.conf", "slurm.key"), port=conf.REST_PORT,
        env={"SLURM_JWT": "daemon",
             # unshare(2) needs rights that this user has not
             "SLURMRESTD_SECURITY": "disable_unshare_files,disable_unshare_sysv"}),
    "login": Role(
        14, conf.SLURM_UID, ["/usr/sbin/sackd", *CONFIGLESS], ("slurm.key",),
        appears="/run/slurm/conf/slurm.conf"),
}
ACCOUNTING = ("mariadb", "slurmdbd")


def worker(index, gpus, cgroups):
    """A slurmd that registers itself as a dynamic node."""
    about = "Features=worker" + (f" Gres=gpu:{gpus}" if gpus else "")
    return Role(
        FIRST_WORKER_HOST + index, 0, ["/usr/sbin/slurmd", *CONFIGLESS, "-Z", "--conf", about],
        ("slurm.key",), port=conf.SLURMD_PORT, probe="/readyz", gpus=gpus, cgroups=cgroups)
