"""What every scenario of slinky.slurm.net begins with: a Secret that holds all keys."""
import base64


def secret(name, **data):
    return {"kind": "Secret", "apiVersion": "v1", "metadata": {"name": name},
            "data": {key: base64.b64encode(text.encode()).decode() for key, text in data.items()}}


def namespace(session, name):
    keys = {"slurm.key": "s" * 64, "jwt.key": "j" * 64, "password": "tide",
            "sssd.conf": "[sssd]\ndomains = lan\n"}
    session.cluster.apply(secret("slurm-keys", **keys), name)
