"""The test bed: a real Kubernetes, and a real Slurm, on one machine. See docs/bed.md."""
from .bed import Bed
from .common import Fail

__all__ = ["Bed", "Fail"]
