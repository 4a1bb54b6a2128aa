"""The default StorageClass: a directory of the machine per claim, as a `local` volume.

Every node of a bed sees the same directory, so the volume fits any of them. Local rather than
hostPath, because kubelet applies fsGroup only to the former.
"""
import http.client
import os
import shutil
import sys
import threading
import time
import traceback

from .common import Fail
from .control import PROVISIONER, admin_api

MADE_BY = "pv.kubernetes.io/provisioned-by"
ASKED_OF = "volume.kubernetes.io/storage-provisioner"
WATCH_S = 300


def volume_for(claim, directory):
    meta, spec = claim["metadata"], claim["spec"]
    anywhere = {"key": "kubernetes.io/os", "operator": "In", "values": ["linux"]}
    return {
        "apiVersion": "v1", "kind": "PersistentVolume",
        "metadata": {"name": f"pvc-{meta['uid']}", "annotations": {MADE_BY: PROVISIONER}},
        "spec": {
            "capacity": spec["resources"]["requests"], "accessModes": spec["accessModes"],
            "volumeMode": "Filesystem", "persistentVolumeReclaimPolicy": "Delete",
            "storageClassName": spec["storageClassName"], "local": {"path": directory},
            "claimRef": {"apiVersion": "v1", "kind": "PersistentVolumeClaim", "uid": meta["uid"],
                         "namespace": meta["namespace"], "name": meta["name"]},
            "nodeAffinity": {"required": {"nodeSelectorTerms": [{"matchExpressions": [anywhere]}]}},
        },
    }


def provide(place, api, claim):
    meta = claim["metadata"]
    if (claim.get("status", {}).get("phase") != "Pending" or "deletionTimestamp" in meta
            or meta.get("annotations", {}).get(ASKED_OF) != PROVISIONER):
        return
    directory = place.path("pv", f"pvc-{meta['uid']}")
    os.makedirs(directory, exist_ok=True)
    api.create("/api/v1/persistentvolumes", volume_for(claim, directory))
    print(f"made {directory} for {meta['namespace']}/{meta['name']}", flush=True)


def reclaim(place, api, volume):
    meta = volume["metadata"]
    if (volume.get("status", {}).get("phase") != "Released" or "deletionTimestamp" in meta
            or meta.get("annotations", {}).get(MADE_BY) != PROVISIONER
            or volume["spec"]["persistentVolumeReclaimPolicy"] != "Delete"):
        return
    shutil.rmtree(place.path("pv", meta["name"]), ignore_errors=True)
    api.request("DELETE", f"/api/v1/persistentvolumes/{meta['name']}")
    print(f"removed {meta['name']}", flush=True)


def follow(place, path, act):
    """Watches for ever; what is missed while the server is away comes with the next watch."""
    while True:
        try:
            api = admin_api(place)
            for event in api.watch(path, WATCH_S):
                if event["type"] in ("ADDED", "MODIFIED"):
                    act(place, api, event["object"])
        except (OSError, ValueError, Fail, http.client.HTTPException):
            traceback.print_exc(limit=1, file=sys.stdout)
        time.sleep(0.2)


def serve(place):
    threading.Thread(target=follow, args=(place, "/api/v1/persistentvolumes", reclaim),
                     daemon=True).start()
    follow(place, "/api/v1/persistentvolumeclaims", provide)
