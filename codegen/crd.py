"""CRD manifests for the charts: api/ with references replaced and our own extensions left out."""
import yaml

from c_header import NOTICE

CHARTS = {"slinky": "slurm-operator-crds"}  # which chart carries the kinds of a directory


class Plain(yaml.SafeDumper):
    """Block style, no anchors, long texts folded."""

    def ignore_aliases(self, _data):
        return True


def manifest(reader, kind):
    """The document a user applies."""
    document = {k: v for k, v in kind.document.items() if not k.startswith("x-windlass-")}
    spec = dict(document["spec"])
    spec["versions"] = [
        {**version, "schema": {"openAPIV3Schema": reader.expanded(
            kind.source, version["schema"]["openAPIV3Schema"])}}
        for version in spec["versions"]]
    return {**document, "spec": spec}


def files(reader):
    """charts/<chart>/crds/<name>.yaml for every kind that is ours."""
    out = {}
    for kind in reader.kinds:
        chart = CHARTS.get(kind.source.parent.name)
        if kind.external or not chart:
            continue
        text = yaml.dump(manifest(reader, kind), Dumper=Plain, sort_keys=False, width=110,
                         allow_unicode=True)
        name = f"{kind.group}_{kind.plural}.yaml"
        out[f"charts/{chart}/crds/{name}"] = f"# {NOTICE}\n{text}"
    return out
