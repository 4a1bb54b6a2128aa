"""Lines of C that fit a hundred columns."""
import textwrap

WIDTH = 100


def comment(text, indent=""):
    """A block comment of as few lines as it needs."""
    text = " ".join((text or "").split()).replace("*/", "* /")
    if not text:
        return []
    lines = textwrap.wrap(f"/* {text} */", WIDTH - len(indent), subsequent_indent=" * ",
                          break_long_words=False, break_on_hyphens=False)
    return [indent + line for line in lines]


def call(head, arguments, tail, indent="    "):
    """head(a, b, c)tail, broken after commas and aligned behind the parenthesis."""
    lines, line = [], f"{indent}{head}("
    hang = " " * len(line)
    for i, argument in enumerate(arguments):
        last = i == len(arguments) - 1
        piece = argument + (")" + tail if last else ",")
        if line.strip() and not line.endswith("(") and len(line) + 1 + len(piece) > WIDTH:
            lines.append(line)
            line = hang + piece
        else:
            line += piece if line.endswith("(") else " " + piece
    return lines + [line]
