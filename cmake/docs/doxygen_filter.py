"""Prints a header for doxygen: its plain comments become documentation comments.

A comment before a declaration documents it, one behind a member documents that member, and the first of a file documents the file.
Indented lines of a comment are code, as in Markdown. What doxygen would take for a command or a tag is escaped.
"""
import re
import sys

COMMENT = re.compile(r"^(\s*)//( ?)(.*)$")
BEHIND = re.compile(r"^(\s*[^\s/].*?[;,{})])(\s+)// (.*)$")


def escaped(text):
    if text.startswith("    "):
        return text  # code
    return re.sub(r"([@\\<>#%&])", r"\\\1", text)


def main():
    lines = open(sys.argv[1], encoding="utf-8").read().splitlines()
    out, at_start, behind = [], True, None
    for line in lines:
        comment, member = COMMENT.match(line), BEHIND.match(line)
        if comment:
            indent, _, text = comment.groups()
            if behind is not None and len(indent) >= behind:
                out.append(f"{indent}///< {escaped(text)}")  # the comment behind a member goes on
                continue
            behind = None
            if at_start and not out:
                out.append("/// @file")
            out.append(f"{indent}/// {escaped(text)}" if text else f"{indent}///")
        elif member:
            code, space, text = member.groups()
            behind = len(code) + len(space)
            out.append(f"{code}{space}///< {escaped(text)}")
            at_start = False
        else:
            behind = None
            if at_start and line.strip():
                at_start = False
                out.append("")
            out.append(line)
    print("\n".join(out))


main()
