"""Objects of others: taken over with their fields, left alone, or not for us to see."""
from support.cluster import until


def test_fields_of_an_operator_that_we_replace_become_ours(cluster, greetings, start):
    """What the old one wrote and we do not want goes; what others wrote stays."""
    space = greetings.namespace
    owner = greetings.say("a", copies=0)["metadata"]
    cluster.must("POST", f"/api/v1/namespaces/{space}/configmaps?fieldManager=sample-of-old", {
        "apiVersion": "v1", "kind": "ConfigMap",
        "metadata": {"name": "a-0", "labels": {"sample.windlass.dev/greeting": "a", "old": "yes"},
                     "ownerReferences": [{"apiVersion": "sample.windlass.dev/v1", "kind": "Greeting",
                                          "name": "a", "uid": owner["uid"], "controller": True}]},
        "data": {"text": "as it was", "old": "gone soon"}})
    cluster.must("PATCH", f"/api/v1/namespaces/{space}/configmaps/a-0?fieldManager=sample-of-old",
                 {"data": {"older": "gone soon too"}}, "application/merge-patch+json")
    cluster.must("PATCH", f"/api/v1/namespaces/{space}/configmaps/a-0?fieldManager=somebody",
                 {"data": {"theirs": "stays"}}, "application/merge-patch+json")
    cluster.patch({"kind": "Greeting", "metadata": {"name": "a"}, "spec": {"copies": 1}}, space)
    start()
    greetings.heard("a-0", text="hello")
    now = greetings.copy("a-0")
    assert now["data"] == {"text": "hello", "theirs": "stays"}
    assert "old" not in now["metadata"]["labels"]
    managers = {(m["manager"], m["operation"]) for m in now["metadata"]["managedFields"]}
    assert managers == {("sample", "Apply"), ("somebody", "Update")}


def test_a_field_that_is_no_longer_wanted_goes(cluster, greetings, start):
    cluster.apply({"kind": "Secret", "metadata": {"name": "pen"}, "data": {"signature": "bWU="}},
                  greetings.namespace)
    start()
    greetings.say("a", secret="pen")
    greetings.heard("a-0", signature="me")
    cluster.patch({"kind": "Greeting", "metadata": {"name": "a"}, "spec": {"secret": None}},
                  greetings.namespace)
    greetings.heard("a-0", text="hello", signature=None)


def test_what_belongs_to_somebody_else_is_reported_and_left_alone(cluster, greetings, start):
    other = cluster.apply({"kind": "Secret", "metadata": {"name": "other"}}, greetings.namespace)
    cluster.apply({"kind": "ConfigMap", "metadata": {
        "name": "a-0", "labels": {"sample.windlass.dev/greeting": "other"},
        "ownerReferences": [{"apiVersion": "v1", "kind": "Secret", "name": "other", "controller": True,
                             "uid": other["metadata"]["uid"]}]}, "data": {"text": "theirs"}},
        greetings.namespace)
    start()
    greetings.say("a")

    def untold():
        status = cluster.get({"kind": "Greeting", "metadata": {"name": "a"}},
                             greetings.namespace).get("status", {})
        told = [c["message"] for c in status.get("conditions", [])]
        return None if any("belongs to Secret other" in t for t in told) else f"conditions: {told}"

    until("the complaint", untold)
    assert greetings.copy("a-0")["data"] == {"text": "theirs"}


def test_a_kind_that_may_not_be_read_is_waited_for_until_it_may(cluster, greetings, account, start):
    who = account("limited", role=None)
    operator = start(kubeconfig=who.kubeconfig, ready=0)
    until("word of it", lambda: None if "is forbidden" in operator.text() else operator.text())
    assert operator.ask(operator.health, "/readyz")[0] == 503
    assert operator.ask(operator.health, "/healthz")[0] == 200
    who.may("cluster-admin")
    greetings.say("a")
    greetings.heard("a-0", seconds=30, text="hello")
    assert operator.is_ready()
