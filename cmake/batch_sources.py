#!/usr/bin/env python3
"""Writes source files that each include several others, so that a compiler reads their headers and makes their templates once.

usage: batch_sources.py --size N --root FOLDER --out FOLDER FILE...

Files of one folder are compiled N at a time. Several may have a helper of one name in their unnamed namespaces: where a
file's name also stands in another file of the batch, a macro gives it a number. All headers come first, where no macro stands.
A file stands alone if that can't be: it has macros or conditions of its own, uses a helper's name for a member of something, too,
or has with `using` a name that another file has from elsewhere. Prints what is to be compiled: batches, and files that stand alone.
A batch includes its files by their paths below the root, so that it is the same in every clone, for ccache. One that would not
change is not written.
"""
import argparse
import collections
import functools
import pathlib
import re
import sys

COMMENTS_AND_TEXTS = re.compile(
    r'//[^\n]*|/\*.*?\*/|R"(?P<tag>[^()\\\s]*)\(.*?\)(?P=tag)"|"(?:\\.|[^"\\\n])*"|(?<![0-9a-fA-F])\'(?:\\.|[^\'\\\n])+\'', re.S)
BRACES = re.compile(r"namespace(?:\s+(?P<name>[\w:]+))?\s*\{|\{|\}")
TYPE = re.compile(r"\b(?:class|struct|union)\s+(\w+)\s*(?=;|:|\{|final\b)|\benum(?:\s+class)?\s+(\w+)|\busing\s+(\w+)\s*=")
# A class without its bases, which are others' names.
BASES = re.compile(r"\b(class|struct)\s+(\w+)[^;{}()]*\{\}")
# The last name before parentheses, brackets, a value, or the end of a declaration.
DECLARED = re.compile(r"(?<![\w.:>])([A-Za-z_]\w*)\s*(?=\(|\[|=[^=]|\{\}|;)")
ENUMERATORS = re.compile(r"\benum\b(?!\s+class\b)[^{;()]*\{([^}]*)\}")
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*([<"][^>"]+[>"])', re.M)
DIRECTIVE = re.compile(r"^[ \t]*#[ \t]*(?!include|pragma)\w+", re.M)
USING = re.compile(r"\busing\s+([\w:]*::)(\w+)\s*;")
WORD = re.compile(r"[A-Za-z_]\w*")
MEMBER = re.compile(r"(?:\.|->|::)\s*([A-Za-z_]\w*)")
# Keywords, types of the standard library, and macros such as TEST_CASE.
NOT_NAMES = re.compile(r"\w+_t|[A-Z][A-Z0-9_]+|alignas|alignof|auto|bool|char|const|constexpr|decltype|default|delete|double|false|float|"
                       r"int|long|noexcept|nullptr|operator|short|signed|sizeof|static_assert|true|unsigned|void")


class Source:
    def __init__(self, path):
        self.path = path
        text = path.read_text(encoding="utf-8")
        self.includes = INCLUDE.findall(text)
        code = bare(text)
        self.has_directives = DIRECTIVE.search(code) is not None
        code = INCLUDE.sub("", code)
        # Declarations of the project's headers that it includes stand before the other files, too.
        declared = (declared_in(header) for header in map(self.project_header, self.includes) if header)
        shared = names_in(code, "named").union(*declared)
        self.words = frozenset(WORD.findall(code)) | shared
        self.own = names_in(code, "unnamed")
        # These names cannot be changed: members, and overloads of names that other files know.
        self.fixed = frozenset(MEMBER.findall(code)) | shared
        self.using = {name: scope for scope, name in USING.findall(code)}

    def project_header(self, include):
        if include[0] == "<":
            return None
        candidates = (folder / include[1:-1] for folder in self.path.parents)
        return next((header for header in candidates if header.exists()), None)


def bare(text):
    """The code without comments, and with empty texts."""
    return COMMENTS_AND_TEXTS.sub(lambda m: '""' if m[0][0] in "\"'R" else " ", text)


@functools.lru_cache(maxsize=None)
def declared_in(header):
    return names_in(INCLUDE.sub("", bare(header.read_text(encoding="utf-8"))), "named")


def names_in(code, kind):
    """The names that stand in namespaces, unnamed or named ones, in no braces."""
    stack, shown, last = [], [], 0
    for brace in BRACES.finditer(code):
        if stack and "block" not in stack and ("unnamed" in stack) == (kind == "unnamed"):
            shown.append(code[last:brace.start()] + ("{}" if brace[0] == "{" else ""))
        if brace[0].startswith("namespace"):
            stack.append("named" if brace["name"] else "unnamed")
        elif brace[0] == "{":
            stack.append("block")
        elif stack:
            stack.pop()
        last = brace.end()
    outside = BASES.sub(r"\1 \2;", "".join(shown))
    names = {name for found in TYPE.findall(outside) for name in found if name}
    names.update(DECLARED.findall(without_nesting(outside)))
    # An enum's scope does not matter: more names than needed do no harm.
    for enumerators in ENUMERATORS.findall(code):
        names.update(each.split("=")[0].strip() for each in enumerators.split(","))
    names.discard("")
    return frozenset(name for name in names if not NOT_NAMES.fullmatch(name))


def without_nesting(code):
    """The code without what stands in parentheses and angle brackets, which is kept as `()` and left out."""
    kept, depth = [], 0
    for character in code:
        if character == "(":
            depth += 1
            kept.append("(" if depth == 1 else "")
        elif character == ")":
            depth = max(depth - 1, 0)
            kept.append(")" if depth == 0 else "")
        elif depth == 0:
            kept.append(character)
    return "".join(kept)


def can_join(source, others):
    if source.has_directives:
        return False
    if any(other.using.get(name, scope) != scope for other in others for name, scope in source.using.items()):
        return False
    for one, another in [(source, other) for other in others] + [(other, source) for other in others]:
        for name in one.own & another.words:
            if name in one.fixed:
                return False
    return True


def batches_of(sources, size):
    """Neighbours by name are often alike, down to the names that they use inside, so they go to different batches."""
    folders = collections.defaultdict(list)
    for source in sources:
        folders[source.path.parent].append(source)
    for folder in sorted(folders):
        files = sorted(folders[folder], key=lambda source: source.path.name)
        count = -(-len(files) // size)
        batches = [[] for _ in range(count)]
        for number, source in enumerate(files):
            order = sorted(range(count), key=lambda i: ((i - number) % count))
            place = next((i for i in order if len(batches[i]) < size and can_join(source, batches[i])), None)
            if place is None:
                batches.append([source])
            else:
                batches[place].append(source)
        yield from (batch for batch in batches if batch)


def text_of(batch, root):
    lines = ["// Written by cmake/batch_sources.py."]
    seen = set()
    for source in batch:
        for include in source.includes:
            if include not in seen:
                seen.add(include)
                lines.append(f"#include {include}")
    words = frozenset().union(*(source.words for source in batch))
    for number, source in enumerate(batch, 1):
        others = frozenset().union(*(other.words for other in batch if other is not source))
        renamed = sorted(source.own & others)
        while any(f"{name}{number}" in words for name in renamed):
            number += len(batch)
        lines += [f"#define {name} {name}{number}" for name in renamed]
        lines.append(f'#include "{source.path.relative_to(root)}"  // NOLINT')
        lines += [f"#undef {name}" for name in renamed]
    return "\n".join(lines) + "\n"


def has_text(path, text):
    return path.exists() and path.read_text(encoding="utf-8") == text


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--size", type=int, required=True)
    parser.add_argument("--root", type=pathlib.Path, required=True)
    parser.add_argument("--out", type=pathlib.Path, required=True)
    parser.add_argument("files", nargs="+", type=pathlib.Path)
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    compiled, written = [], set()
    for batch in batches_of([Source(path) for path in options.files], options.size):
        if len(batch) == 1:
            compiled.append(str(batch[0].path))
            continue
        # Folders of several engines have one name.
        parts = (*batch[0].path.parent.parts, f"{batch[0].path.stem}.cc")
        path = next(path for count in range(2, len(parts) + 1) if (path := options.out / "_".join(parts[-count:])) not in written)
        text = text_of(batch, options.root)
        if not has_text(path, text):
            path.write_text(text, encoding="utf-8")
        compiled.append(str(path))
        written.add(path)
    for old in set(options.out.glob("*.cc")) - written:
        old.unlink()
    print(";".join(compiled), end="")


if __name__ == "__main__":
    main()
