"""The guides as tests read them: every fenced block says what becomes of it.

    ```sh                       run, in the order of the page
    ```sh not-here: REASON      cannot run on a bed; its syntax is checked
    ```yaml FILE                written to FILE; a manifest is also sent to the API server as a dry
                                run, values go through the chart
    ```yaml FILE not-here: REASON   written and parsed only
    ```text                     something to look at
"""
import pathlib
import re
from dataclasses import dataclass

FENCE = re.compile(r"^```(.*)$")
INFO = re.compile(r"(?P<kind>sh|yaml|text)(?: (?P<file>[\w.-]+\.yaml))?(?: not-here: (?P<why>.+))?")
LINK = re.compile(r"^\d+\. \[[^]]+\]\(([\w-]+\.md)\)", re.MULTILINE)


@dataclass(frozen=True)
class Block:
    where: str
    kind: str
    file: str
    why: str
    text: str


def pages(directory):
    """Pages in the order of the index, which names each once."""
    return LINK.findall((pathlib.Path(directory) / "README.md").read_text())


def blocks(page):
    """The fenced blocks of a page; a fence that says nothing known is an error."""
    found, begin, lines = [], None, []
    for number, line in enumerate(pathlib.Path(page).read_text().splitlines(), 1):
        fence = FENCE.match(line)
        if fence and begin is None:
            begin, lines = (number, INFO.fullmatch(fence[1])), []
            assert begin[1], f"{page}:{number}: '{line}' does not say what becomes of it"
            assert (begin[1]["kind"] == "yaml") == bool(begin[1]["file"]), f"{page}:{number}: {line}"
        elif fence:
            info = begin[1]
            found.append(Block(f"{pathlib.Path(page).name}:{begin[0]}", info["kind"], info["file"],
                               info["why"], "\n".join(lines) + "\n"))
            begin = None
        else:
            lines.append(line)
    assert begin is None, f"{page}: a fence is not closed"
    return found
