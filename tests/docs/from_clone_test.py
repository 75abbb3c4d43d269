#!/usr/bin/env python3
"""Follows examples/collectors/README.md from a clone of this repository to rows of a collector in a dashboard's query.

usage: from_clone_test.py SOURCE_DIR LOGQUERY

Clones SOURCE_DIR and runs the page's blocks of commands (sh) there. In the place of scripts/build, which a test of its own does, the
clone gets the program LOGQUERY. Exits with 77 where SOURCE_DIR is no clone itself.
"""
import pathlib
import re
import socket
import subprocess
import sys
import tempfile

PAGE = "examples/collectors/README.md"
BLOCK = re.compile(r"^```sh\n(.*?)^```$", re.M | re.S)
# A program that ends takes its server along; an error's status is a failure, too; the server may still be starting.
BEFORE = """set -eu
trap 'kill $(jobs -p) 2>/dev/null || true; wait' EXIT
curl() { command curl --fail-with-body --retry 9 --retry-connrefused "$@"; }
"""


def free_port():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return taken.getsockname()[1]


def main():
    source, program = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]).resolve()
    if not (source / ".git").exists():
        print("this is no clone")
        sys.exit(77)
    with tempfile.TemporaryDirectory() as folder:
        clone = pathlib.Path(folder) / "logquery"
        # The folder may be another user's.
        subprocess.run(["git", "-c", "safe.directory=*", "clone", "-q", "--depth", "1", f"file://{source.resolve()}", clone], check=True)
        blocks = BLOCK.findall((clone / PAGE).read_text(encoding="utf-8"))
        if not blocks:
            sys.exit(f"{PAGE} has no commands")
        (clone / "build/bin").mkdir(parents=True)
        (clone / "build/bin/logquery").symlink_to(program)
        script = BEFORE + "export PATH=$PWD/build/bin:$PATH\n" + "\n".join(blocks).replace("127.0.0.1:4000", f"127.0.0.1:{free_port()}")
        done = subprocess.run(["bash", "-c", script], cwd=clone, capture_output=True, text=True, timeout=250, check=False)
        if done.returncode != 0:
            sys.exit(f"{script}\n--- ended with {done.returncode}:\n{done.stdout[-4000:]}\n{done.stderr[-4000:]}")


if __name__ == "__main__":
    main()
