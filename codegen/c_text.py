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
        piece = argument + (")" + tail if i == len(arguments) - 1 else ",")
        if line.endswith("("):
            line += piece
        elif len(line) + 1 + len(piece) <= WIDTH:
            line += " " + piece
        else:
            lines.append(line)
            *whole, line = broken(piece, hang)
            lines += whole
    return lines + [line]


def broken(piece, hang):
    """One argument in as many lines as it needs: between words of a string, or after commas."""
    if len(hang) + len(piece) <= WIDTH:
        return [hang + piece]
    name, opening, rest = piece.partition("= ")
    if rest.startswith('"'):
        return string_lines(hang + name + opening, rest)
    inner = hang + "    "
    lines, line = [], hang
    for part in piece.split(", "):
        part = part if piece.endswith(part) else part + ","
        if len(line) + 1 + len(part) > WIDTH and line.strip():
            lines.append(line)
            line = inner + part
        else:
            line = line + " " + part if line.strip() else hang + part
    return lines + [line]


def string_lines(lead, literal):
    """A string literal in pieces, one below the other."""
    text, _, after = literal[1:].rpartition('"')
    hang, pieces, piece = " " * len(lead), [], ""
    for word in text.split(" "):
        if piece and len(lead) + len(piece) + len(word) + 3 + len(after) > WIDTH:
            pieces.append(piece)
            piece = ""
        piece += word + " "
    pieces.append(piece[:-1])
    return [(hang if i else lead) + f'"{part}"' + (after if i == len(pieces) - 1 else "")
            for i, part in enumerate(pieces)]
