"""Our own image: small, and content with the least that a pod can have."""
MOST = 25_000_000  # bytes


def test_the_image_is_small(archives):
    sizes = {path: path.stat().st_size for name, path in archives.items() if "/windlass:" in name}
    assert sizes and max(sizes.values()) <= MOST, sizes


def test_operator_and_webhook_run_where_pods_are_restricted(bed, operator):
    """The server warns of pods that violate what a namespace is to enforce."""
    bed.kubectl("--warnings-as-errors", "label", "--dry-run=server", "--overwrite", "namespace",
                "slinky", "pod-security.kubernetes.io/enforce=restricted")
    for pod in bed.api().get("/api/v1/namespaces/slinky/pods")["items"]:
        for container in pod["spec"]["containers"]:
            assert container["securityContext"]["readOnlyRootFilesystem"]
            assert container["securityContext"]["capabilities"]["drop"] == ["ALL"]
        assert pod["spec"]["securityContext"]["runAsNonRoot"]
