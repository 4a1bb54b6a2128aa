"""Two clusters side by side; one goes and leaves nothing, the other stays."""
from cluster import Cluster, wait_for


def test_two_clusters_live_in_two_namespaces(cluster, bed, helm, tmp_path):
    second = Cluster(bed, helm, "second", cluster.prefix, cluster.version, tmp_path)
    second.install(workers=1)
    number = second.submit("hostname")
    second.wait_job(number)
    assert set(second.nodes()) == {"w-0"}
    helm("uninstall", "slurm", "--namespace", "second", "--wait")
    kinds = "statefulsets,deployments,pods,services,configmaps,secrets,poddisruptionbudgets"

    def left():
        names = second.kubectl("get", kinds, "-o", "name").split()
        return [name for name in names if name != "configmap/kube-root-ca.crt"]

    wait_for("nothing to be left", lambda: not left(), 120)
    bed.kubectl("delete", "namespace", "second", "--wait=false")
    assert cluster.controller("scontrol", "ping").count("UP") == 1
