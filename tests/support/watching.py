"""Follows the objects of a kind, as controllers do: a list, then watches, and a list again when the server forgot."""
import http.client
import json
import time

AGAIN = 0.2  # seconds, after the server was away


def follow(cluster, path, tell, stopping):
    """Calls tell(event type, object) until stopping is set; path may carry a selector."""
    version = None
    while not stopping.is_set():
        try:
            if version is None:
                found = cluster.must("GET", path)
                for thing in found["items"]:
                    tell("ADDED", thing)
                version = found["metadata"]["resourceVersion"]
            version = watch(cluster, path, version, tell, stopping)
        except (OSError, ValueError, KeyError, http.client.HTTPException):
            version = None
            time.sleep(AGAIN)


def watch(cluster, path, version, tell, stopping):
    """One watch, until it ends; the version to go on from, None when the server does not know it."""
    link = cluster.open()
    mark = "&" if "?" in path else "?"
    link.request("GET", f"{path}{mark}watch=1&resourceVersion={version}")
    for line in link.getresponse():
        event = json.loads(line)
        if event["type"] == "ERROR" or stopping.is_set():
            return None
        version = event["object"]["metadata"]["resourceVersion"]
        tell(event["type"], event["object"])
    return version
