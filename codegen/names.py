"""Names in C for what the schemas call otherwise."""
import re

C_KEYWORDS = frozenset("""
    auto break case char const continue default do double else enum extern float for goto if inline
    int long register restrict return short signed sizeof static struct switch typedef union
    unsigned void volatile while asm typeof unix linux
""".split())


def snake(name):
    """podIPs -> pod_ips, dnsPolicy -> dns_policy, clusterIP -> cluster_ip, NodeSet -> node_set."""
    name = re.sub(r"([A-Z]+)s\b", lambda m: m.group(1).capitalize() + "s", name)
    name = re.sub(r"([a-z0-9])([A-Z])", r"\1_\2", name)
    name = re.sub(r"([A-Z]+)([A-Z][a-z])", r"\1_\2", name)
    return re.sub(r"[^A-Za-z0-9]+", "_", name).strip("_").lower()


def member(name):
    """The struct member for a JSON field."""
    if name == "metadata":
        return "meta"
    text = snake(name)
    return text + "_" if text in C_KEYWORDS else text


def quoted(text):
    """A C string literal."""
    escapes = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\t": "\\t"}
    return '"' + "".join(escapes.get(c, c) for c in text) + '"'
