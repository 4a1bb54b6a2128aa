"""What the generator knows: kinds, types and fields, as read from api/."""
from dataclasses import dataclass, field as dataclass_field
from pathlib import Path


@dataclass
class Field:
    """One row of a table."""
    name: str
    member: str
    kind: str  # STR, INT, ... as in enum field_type
    doc: str
    schema: dict
    of: "Type | None" = None
    flags: list = dataclass_field(default_factory=list)
    list_key: str = ""
    rules: dict = dataclass_field(default_factory=dict)
    default: str | None = None


@dataclass
class Type:
    """One struct and its table."""
    c_name: str
    home: Path  # gen/<home>.h defines it
    doc: str
    fields: list = dataclass_field(default_factory=list)
    keyed: bool = False  # an element of an OBJECTS: begins with its key
    named: bool = False  # written out under types:, so others may want to copy it
    listed: bool = False  # some LIST or OBJECTS holds it


@dataclass
class Kind:
    """A kind of the API: its descriptor and its CRD."""
    c_name: str
    home: Path
    group: str
    version: str
    name: str
    plural: str
    namespaced: bool
    has_status: bool
    has_scale: bool
    external: bool
    type: Type
    document: dict
    source: Path
