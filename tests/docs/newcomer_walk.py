#!/usr/bin/env python3
"""A newcomer's walk: clones the repository, builds it as the README says, and runs the README's commands and each page's, one by one.

    newcomer_walk.py SOURCE_DIR WORK_DIR [--program LOGQUERY]

WORK_DIR/transcript.txt has every command with what it printed. With --program nothing is cloned and built. The first command that fails
ends the walk.
"""
import argparse
import os
import pathlib
import re
import shutil
import socket
import subprocess
import sys
import time

# These need an engine that this machine may not have; tests/postgres and tests/bigquery have their own.
ELSEWHERE = {"postgres.md", "bigquery.md"}


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def commands_of(text):
    return "\n".join(re.findall(r"^```sh\n(.*?)^```", text, re.S | re.M))


def scripts_of(page):
    """The page's commands by a name: all of them, or those of each section where each begins anew."""
    text = page.read_text(encoding="utf-8")
    if page.name != "walks.md":
        return {page.name: commands_of(text)}
    return {f"{page.name} {section.splitlines()[0]}": commands_of(section) for section in text.split("\n## ")[1:]}


class Walk:
    def __init__(self, work):
        self.work = work
        self.transcript = open(work / "transcript.txt", "w", encoding="utf-8")

    def run(self, title, command, folder, environment=None):
        self.transcript.write(f"\n##### {title}\n")
        self.transcript.flush()
        begin = time.monotonic()
        done = subprocess.run(command, cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=self.transcript,
                              stderr=subprocess.STDOUT, check=False)
        seconds = time.monotonic() - begin
        print(f"{'ok    ' if done.returncode == 0 else 'FAILED'} {title} ({seconds:.1f} s)", flush=True)
        if done.returncode != 0:
            self.transcript.flush()
            print((self.work / "transcript.txt").read_text(encoding="utf-8")[-3000:])
            sys.exit(1)

    def page(self, page, programs):
        for title, commands in scripts_of(page).items():
            if commands.strip():
                self.script(title, commands, programs)

    def script(self, title, commands, programs):
        folder = self.work / "pages" / re.sub(r"[^\w.]+", "-", title)
        folder.mkdir(parents=True)
        script = folder / ".script"
        # -v prints each command as it is read, before what it prints.
        script.write_text("set -eu\ntrap 'kill $(jobs -p) 2>/dev/null || true; wait' EXIT\nset -v\n" +
                          commands.replace("127.0.0.1:4000", f"127.0.0.1:{free_port()}"), encoding="utf-8")
        self.run(title, ["timeout", "300", "bash", str(script)], folder,
                 {**os.environ, "PATH": f"{programs}:{os.environ['PATH']}"})


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("source", type=pathlib.Path)
    parser.add_argument("work", type=pathlib.Path)
    parser.add_argument("--program", type=pathlib.Path)
    options = parser.parse_args()
    shutil.rmtree(options.work, ignore_errors=True)
    options.work.mkdir(parents=True)
    walk = Walk(options.work.resolve())
    tree, programs = options.source.resolve(), None
    if options.program is not None:
        programs = options.program.resolve().parent
    else:
        clone = walk.work / "logquery"
        walk.run("git clone", ["git", "clone", "--quiet", str(tree), str(clone)], walk.work)
        tree, programs = clone, clone / "build" / "bin"
        walk.run("scripts/build", ["scripts/build", "--target", "logquery_cli"], tree)
        walk.run("scripts/demo --check", ["scripts/demo", "--check", "--rows", "20000", "--port", str(free_port())], tree)
    walk.page(tree / "README.md", programs)
    for page in sorted((tree / "docs").glob("*.md")):
        if page.name not in ELSEWHERE:
            walk.page(page, programs)
    print(f"the walk is in {walk.work / 'transcript.txt'}")


main()
