"""What Slurm's daemons in a bed are told: configuration files, keys, users and tokens."""
import base64
import hashlib
import hmac
import json
import os
import secrets
import time

from .common import Fail, read, write

CLUSTER = "bed"
CTLD_PORT, SLURMD_PORT, DBD_PORT, REST_PORT, SQL_PORT = 6817, 6818, 6819, 6820, 3306
SLURM_UID, MYSQL_UID, NOBODY_UID = 401, 995, 65534
PEOPLE = {"alice": 2001, "bob": 2002}  # ordinary users, known in every pod
USERS = {"root": 0, "slurm": SLURM_UID, "nobody": NOBODY_UID, **PEOPLE}

# Times are short so that a test sees a dead worker soon; everything else is as a cluster in
# Kubernetes would have it: no munge, configless, dynamic nodes, tokens signed with jwt.key.
AUTH = """\
AuthType=auth/slurm
CredType=cred/slurm
AuthAltTypes=auth/jwt
AuthAltParameters=jwt_key=/etc/slurm/jwt.key
AuthInfo=use_client_ids
"""
SLURM_CONF = f"""\
ClusterName={CLUSTER}
SlurmUser=slurm
SlurmdUser=root
SlurmctldHost=slurmctld
SlurmctldPort={CTLD_PORT}
SlurmdPort={SLURMD_PORT}
StateSaveLocation=/var/spool/slurmctld
SlurmdSpoolDir=/var/spool/slurmd
{AUTH}\
SlurmctldParameters=enable_configless,reconfig_on_restart
SchedulerParameters=sched_interval=2,bf_interval=2
MaxNodeCount=1024
SlurmdTimeout=10
KillWait=2
MinJobAge=600
Licenses=matlab:4
NodeSet=worker Feature=worker
PartitionName=worker Nodes=worker State=UP MaxTime=UNLIMITED
PartitionName=all Nodes=ALL Default=YES State=UP MaxTime=UNLIMITED
"""
ACCOUNTING = f"""\
AccountingStorageType=accounting_storage/slurmdbd
AccountingStorageHost=slurmdbd
AccountingStoragePort={DBD_PORT}
"""
METRICS = "MetricsType=metrics/openmetrics\n"
PROCESS_TRACKING = {
    "v1": "ProctrackType=proctrack/cgroup\nTaskPlugin=task/affinity,task/cgroup\n",
    "none": "ProctrackType=proctrack/linuxproc\nTaskPlugin=task/affinity\n",
}
CGROUP_CONF = {
    "v1": "CgroupPlugin=cgroup/v1\nConstrainCores=yes\nConstrainRAMSpace=yes\n",
    "none": "CgroupPlugin=disabled\n",
}


def slurm_conf(options):
    return "".join((
        SLURM_CONF,
        ACCOUNTING if options["accounting"] else "",
        METRICS if speaks_http(options["version"]) else "",
        PROCESS_TRACKING[options["cgroup"]],
        "GresTypes=gpu\n" if options["gpus"] else "",
    ))


def speaks_http(version):
    """Whether slurmctld and slurmd of this version answer probes and metrics on their own port."""
    return tuple(map(int, version.split(".")[:2])) >= (25, 11)


def gres_conf(gpus):
    last = f"[0-{gpus - 1}]" if gpus > 1 else "0"
    return f"AutoDetect=off\nName=gpu File=/dev/nvidia{last}\n"


def slurmdbd_conf(password):
    auth = AUTH.replace("CredType=cred/slurm\n", "")
    return (f"DbdHost=slurmdbd\nDbdPort={DBD_PORT}\nSlurmUser=slurm\n{auth}"
            f"StorageType=accounting_storage/mysql\nStorageHost=mariadb\nStoragePort={SQL_PORT}\n"
            f"StorageUser=slurm\nStorageLoc=slurm_acct_db\nStoragePass={password}\n"
            "LogFile=/dev/null\n")  # slurmdbd -D writes to stderr too, which is the pod's log


def database_sql(password):
    return ("CREATE DATABASE IF NOT EXISTS slurm_acct_db;\n"
            f"CREATE USER IF NOT EXISTS slurm@'%' IDENTIFIED BY '{password}';\n"
            "GRANT ALL ON slurm_acct_db.* TO slurm@'%';\n")


class Files:
    """The files of one bed: `all/` has one of each, a directory per pod what that pod may see."""

    def __init__(self, directory):
        self.directory = directory

    def path(self, *parts):
        return os.path.join(self.directory, *parts)

    @property
    def jwt_key(self):
        return self.path("all", "jwt.key")

    def make(self, options):
        """Writes everything; keys that exist are kept."""
        os.makedirs(self.path("all"), exist_ok=True)
        password = self.secret("db.password", lambda: secrets.token_hex(12))
        self.secret("jwt.key", lambda: base64.b64encode(secrets.token_bytes(768)).decode())
        self.secret("slurm.key", lambda: base64.b64encode(secrets.token_bytes(768)).decode())
        texts = {"slurm.conf": slurm_conf(options), "cgroup.conf": CGROUP_CONF[options["cgroup"]],
                 "slurmdbd.conf": slurmdbd_conf(password), "init.sql": database_sql(password)}
        if options["gpus"]:
            texts["gres.conf"] = gres_conf(options["gpus"])
        for name, text in texts.items():
            write(self.path("all", name), text)

    def secret(self, name, invent):
        path = self.path("all", name)
        if not read(path):
            write(path, invent(), 0o600)
        return read(path)

    def give(self, pod, names, uid):
        """The directory with the named files for a pod, readable by its user alone."""
        target = self.path(pod)
        os.makedirs(target, exist_ok=True)
        for name in names:
            text = read(self.path("all", name))
            if text is not None:
                put(os.path.join(target, name), text, uid)
        return target


def put(path, text, uid):
    """Replaces a file that belongs to a pod's user."""
    write(path, text, 0o600 if path.endswith((".key", "slurmdbd.conf", ".sql")) else 0o644)
    os.chown(path, uid, uid)


def user_layer(directory, tree):
    """A layer above the root filesystem in which PEOPLE exist; returns its path."""
    passwd, group = read(f"{tree}/etc/passwd"), read(f"{tree}/etc/group")
    for name, uid in PEOPLE.items():
        passwd += f"{name}:x:{uid}:{uid}::/home/{name}:/bin/bash\n"
        group += f"{name}:x:{uid}:\n"
        os.makedirs(f"{directory}/home/{name}", exist_ok=True)
        os.chown(f"{directory}/home/{name}", uid, uid)
    os.makedirs(f"{directory}/etc", exist_ok=True)
    write(f"{directory}/etc/passwd", passwd)
    write(f"{directory}/etc/group", group)
    return directory


def token(key_path, user="slurm", ttl=3600):
    """A JSON web token (HS256) that Slurm accepts for `user`; a negative ttl has expired."""
    with open(key_path, "rb") as file:
        key = file.read()
    if not key:
        raise Fail(f"{key_path} is empty: tools/bed slurm down, then up")
    now = int(time.time())
    claims = {"iat": min(now, now + ttl), "exp": now + ttl, "sun": user}
    text = ".".join(encode(json.dumps(part, separators=(",", ":")).encode())
                    for part in ({"alg": "HS256", "typ": "JWT"}, claims))
    return f"{text}.{encode(hmac.new(key, text.encode(), hashlib.sha256).digest())}"


def encode(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()
