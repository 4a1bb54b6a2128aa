"""Writes a file as a C string: embed.py FILE OUTPUT NAME makes NAME and NAME_len."""
import sys

ESCAPES = {'"': '\\"', "\\": "\\\\", "\t": "\\t"}


def main(source, output, name):
    text = open(source, encoding="utf-8").read()
    lines = ["".join(ESCAPES.get(c, c) for c in line) for line in text.splitlines()]
    with open(output, "w", encoding="utf-8") as out:
        out.write("#include <stddef.h>\n\n")
        out.write(f"extern const char {name}[];\nextern const size_t {name}_len;\n\n")
        out.write(f"const char {name}[] =\n")
        out.writelines(f'    "{line}\\n"\n' for line in lines)
        out.write(f"    ;\nconst size_t {name}_len = sizeof {name} - 1;\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
