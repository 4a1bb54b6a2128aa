"""Schema patterns are RE2; ours run through POSIX regcomp(). Translates what both can say."""

CLASSES = {"d": "0-9", "w": "A-Za-z0-9_", "s": " \t\n\r\f\v"}
CHARACTERS = {"n": "\n", "t": "\t", "r": "\r"}


class Untranslatable(ValueError):
    """A pattern that POSIX cannot express."""


def to_posix(pattern):
    """The pattern as a POSIX extended regular expression with the same meaning."""
    out, at = [], 0
    while at < len(pattern):
        c = pattern[at]
        if c == "[":
            text, at = _bracket(pattern, at)
            out.append(text)
        elif c == "\\":
            out.append(_escape(pattern, at))
            at += 2
        elif c == ".":
            out.append("[^\n]")
            at += 1
        elif pattern.startswith("(?:", at):
            out.append("(")
            at += 3
        elif pattern.startswith("(?", at) or (c == "?" and at and pattern[at - 1] in "*+?}"):
            raise Untranslatable(f"no POSIX form: {pattern}")
        else:
            out.append(c)
            at += 1
    return "".join(out)


def _escape(pattern, at):
    c = pattern[at + 1:at + 2]
    if c in CLASSES:
        return f"[{CLASSES[c]}]"
    if c in CHARACTERS:
        return CHARACTERS[c]
    if not c or c.isalnum():
        raise Untranslatable(f"no POSIX form: {pattern}")
    return "\\" + c


def _bracket(pattern, at):
    """One bracket expression. POSIX has no escapes in it: ] goes first and - goes last."""
    end, negated = at + 1, pattern[at + 1:at + 2] == "^"
    end += negated
    body, first, last = "", "", ""
    while end < len(pattern) and (pattern[end] != "]" or end == at + 1 + negated):
        if pattern.startswith("[:", end):
            close = pattern.index(":]", end) + 2
            body += pattern[end:close]
            end = close
            continue
        c = pattern[end]
        if c == "\\":
            end += 1
            c = pattern[end]
            if c in CLASSES:
                body += CLASSES[c]
            elif c == "]":
                first = "]"
            elif c == "-":
                last = "-"
            elif c.isalnum() and c not in CHARACTERS:
                raise Untranslatable(f"no POSIX form: {pattern}")
            else:
                body += CHARACTERS.get(c, c)
        else:
            body += c
        end += 1
    if end >= len(pattern):
        raise Untranslatable(f"unclosed [: {pattern}")
    if body.startswith("-") and not first:
        body, last = body[1:], "-"
    return "[" + "^" * negated + first + body + last + "]", end + 1
