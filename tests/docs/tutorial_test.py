#!/usr/bin/env python3
"""Builds and runs the C++ programs of the pages from the pages' own text, against an installed logquery.

    tutorial_test.py SOURCE_DIR PREFIX WORK_DIR [CMAKE ARGUMENT...]

A block of cpp or cmake belongs to the file that its first line names in a comment; blocks of one file follow each other. README's
program is one block without a name. They are built as a user would, who asks for no build type and for many warnings: the pages' own
build type has to optimise, and no warning may come from the program or from a header of ours.
"""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

SOURCE, PREFIX, WORK = (pathlib.Path(path) for path in sys.argv[1:4])
# The rest of this build is not the user's.
ARGUMENTS = [word for word in sys.argv[4:] if word.startswith(("-DCMAKE_CXX_COMPILER=", "-DCMAKE_CXX_COMPILER_LAUNCHER="))]
ARGUMENTS += ["-DCMAKE_CXX_FLAGS=-Wall -Wextra -Werror", "-DCMAKE_NO_SYSTEM_FROM_IMPORTED=ON", "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON"]
LOGQUERY = PREFIX / "bin" / "logquery"
README_BUILD = """cmake_minimum_required(VERSION 3.25)
project(readme LANGUAGES CXX)
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_BUILD_TYPE Release)
find_package(logquery 0.1 REQUIRED COMPONENTS store)
add_executable(readme main.cc)
target_link_libraries(readme PRIVATE logquery::logquery logquery::store)
"""


def run(*command, **options):
    return subprocess.run([str(part) for part in command], check=True, stdout=subprocess.PIPE, text=True, **options).stdout


def files_of(page):
    """{"main.cc": text} of the page's blocks."""
    files = {}
    for text in re.findall(r"^```(?:cpp|cmake)\n(.*?)^```", (SOURCE / page).read_text(encoding="utf-8"), re.S | re.M):
        name = re.match(r"(?://|#) ([\w.]+)\n", text)
        key = name[1] if name else "main.cc"
        files[key] = files.get(key, "") + text
    return files


def build(name, files):
    folder = WORK / name
    folder.mkdir(parents=True)
    for file, text in files.items():
        (folder / file).write_text(text, encoding="utf-8")
    run("cmake", "-G", "Ninja", "-S", folder, "-B", folder / "build", f"-DCMAKE_PREFIX_PATH={PREFIX}", *ARGUMENTS)
    for command in json.loads((folder / "build/compile_commands.json").read_text(encoding="utf-8")):
        assert " -O3 " in command["command"] and " -Werror " in command["command"], command
    run("cmake", "--build", folder / "build", "-j2")
    return folder / "build"


def main():
    shutil.rmtree(WORK, ignore_errors=True)
    embed = build("embed", files_of("docs/tutorial_embed.md"))
    run("ctest", "--test-dir", embed, "--no-tests=error", "--output-on-failure")
    run(LOGQUERY, "sample", "--rows", "2000", WORK / "sample")
    run(LOGQUERY, "load", "--data", WORK / "data", WORK / "sample")
    project = json.loads((WORK / "sample" / "manifest.json").read_text(encoding="utf-8"))["projects"][0]["ref"]
    rows = json.loads(run(embed / "slowest", WORK / "data", project))["result"]
    assert rows and set(rows[0]) == {"path", "slowest_ms"}, rows

    jobs = build("own_rows", files_of("docs/tutorial_own_rows.md"))
    slowest, caller = (json.loads(line)["result"] for line in run(jobs / "jobs").splitlines())
    assert [row["queue"] for row in slowest] == ["mail", "images"] or [row["queue"] for row in slowest] == ["images", "mail"], slowest
    assert sum(row["done"] for row in slowest) == 200 and len(caller) == 2, (slowest, caller)

    readme = build("readme", {"CMakeLists.txt": README_BUILD, **files_of("README.md")})
    assert run(readme / "readme", cwd=WORK).startswith('{"result":['), "README's program"
    print("the programs of the tutorials and of the README compile, pass and run")


os.environ.pop("LD_LIBRARY_PATH", None)
main()
