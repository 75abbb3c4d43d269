#!/usr/bin/env python3
"""Follows docs/extending.md's steps for a new function: does what they say in the files that they name, compiles those, links them
in the place of what they replace, and runs the cases that were added.

usage: function_steps_test.py SOURCE_DIR BINARY_DIR
"""
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

STEP = re.compile(r"In `(?P<file>[^`]+)`, (?P<where>at the head of|above) `(?P<name>\w+)`:\n\n(?P<code>(?:    .*\n|\n)+)")


def steps(page):
    section = page.split("### Step by step\n", 1)[1].split("\n## ", 1)[0]
    found = [step.groupdict() for step in STEP.finditer(section)]
    for step in found:
        step["code"] = "".join(line[4:] for line in step["code"].rstrip("\n").splitlines(keepends=True)) + "\n"
    return found


def apply(text, step):
    """The file's text with the step's code in its place."""
    lines = text.splitlines(keepends=True)
    pattern = re.compile(rf"\b{step['name']}(\[\] = {{|\({{)$")
    at = next((i for i, line in enumerate(lines) if pattern.search(line.rstrip("\n"))), None)
    if at is None:
        raise SystemExit(f"{step['file']} has no list {step['name']}")
    at += 1 if step["where"] == "at the head of" else 0
    return "".join(lines[:at] + [step["code"]] + lines[at:])


def unit_of(file, source, commands):
    """The compiler's command for the file, by itself or in a batch of cmake/batch_sources.py that includes it."""
    for command in commands:
        unit = pathlib.Path(command["file"])
        if unit == source / file or ("/batches/" in command["file"] and f'#include "{file}"' in unit.read_text(encoding="utf-8")):
            return command
    raise SystemExit(f"{file} is not compiled")


def compile_unit(command, source, made, work):
    """Compiles what the command does, with the files in `made` in the place of theirs."""
    unit = pathlib.Path(command["file"])
    changed = next((instead for file, instead in made.items() if source / file == unit), None)
    if changed is None:
        text = unit.read_text(encoding="utf-8")
        for file, instead in made.items():
            text = text.replace(f'#include "{file}"  // NOLINT', f'#include "{instead}"')
        changed = work / unit.name
        changed.write_text(text, encoding="utf-8")
    words = shlex.split(command["command"])
    while words[0].endswith(("cmake", "ccache")) or words[0] in ("-E", "env") or "=" in words[0].split("/")[0]:
        words.pop(0)
    target = work / f"{changed.name}.o"
    out = words.index("-o")
    original = words[out + 1]
    words[out + 1] = str(target)
    words = [str(changed) if word == str(unit) else word for word in words]
    for flag in ("-MF", "-MT"):
        if flag in words:
            words[words.index(flag) + 1] = str(work / "deps")
    subprocess.run(words, cwd=command["directory"], check=True)
    return original, target


def main(source, binary):
    source, binary = pathlib.Path(source), pathlib.Path(binary)
    found = steps((source / "docs" / "extending.md").read_text(encoding="utf-8"))
    files = sorted({step["file"] for step in found})
    if len(files) != 3:
        raise SystemExit(f"the page says three files, its steps name {len(files)}: {', '.join(files)}")
    with tempfile.TemporaryDirectory() as folder:
        work = pathlib.Path(folder)
        texts = {file: (source / file).read_text(encoding="utf-8") for file in files}
        for step in found:
            texts[step["file"]] = apply(texts[step["file"]], step)
        commands = json.loads((binary / "compile_commands.json").read_text(encoding="utf-8"))
        made = {file: work / file.replace("/", "_") for file in files}
        for file in files:
            made[file].write_text(texts[file], encoding="utf-8")
        objects = {}
        for command in {unit["file"]: unit for unit in (unit_of(file, source, commands) for file in made)}.values():
            original, target = compile_unit(command, source, made, work)
            objects[original] = target
        link = subprocess.run(["ninja", "-t", "commands", "test_emit"], cwd=binary, check=True, capture_output=True, text=True)
        line = next(c for c in reversed(link.stdout.splitlines()) if " -o bin/test_emit " in c)
        words = shlex.split(re.sub(r"^: && | && [^&]*$", "", line.split(" && ", 1)[1].split(" && ")[0]))
        program = work / "test_emit"
        words[words.index("-o") + 1] = str(program)
        replaced = [objects.pop(word) if word in objects else word for word in words]
        # The other objects are in archives, whose members are not taken where these objects have the names already.
        first = next(i for i, word in enumerate(replaced) if str(word).endswith(".o"))
        replaced[first:first] = list(objects.values())
        subprocess.run([str(word) for word in replaced], cwd=binary, check=True)
        # The case that the lines were added to, and for what it is worth without them: it must not pass if one is wrong.
        test = re.compile(r'TEST_CASE\("([^"]+)"')
        last = next(step for step in found if step["name"] == "CheckAll")
        name = test.findall(texts[last["file"]].split(last["code"])[0])[-1]
        spec = re.sub(r'([\\,\[\]"*])', r"\\\1", name)
        # The page puts the cases into the contract's file first; the test uses a copy.
        cases = work / "function_cases.txt"
        cases.write_bytes((source / "lib" / "testing" / "function_cases.txt").read_bytes())
        before = cases.read_bytes().count(b"\n")
        environment = dict(os.environ, LOGQUERY_FUNCTION_CASES=str(cases))
        subprocess.run([program, spec], check=True, env=dict(environment, LOGQUERY_UPDATE_GOLDEN="1"))
        if cases.read_bytes().count(b"\n") <= before:
            raise SystemExit("the cases that the page adds did not get into the contract's file")
        listed = subprocess.run([binary / "bin" / "test_emit", spec], check=True, capture_output=True, text=True).stdout
        with_them = subprocess.run([program, spec], check=True, capture_output=True, text=True, env=environment).stdout
        count = re.compile(r"(\d+) assertions")
        if int(count.search(with_them).group(1)) <= int(count.search(listed).group(1)):
            raise SystemExit("the cases that the page adds were not run")
    print(f"{len(found)} steps in {len(files)} files: the function works")


if __name__ == "__main__":
    main(*sys.argv[1:])
