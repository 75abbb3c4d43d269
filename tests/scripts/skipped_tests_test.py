#!/usr/bin/env python3
"""Tests cmake/skipped_tests.py on a report of ctest's own, and the end of scripts/test."""
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
# The forms of Catch2, of a Catch2 message over two lines, and of programs of our own.
CASES = {
    "clickhouse.one": ("printf '%s\\n' 'a.cc:1: SKIPPED:' 'explicitly with message:' '  there is no chDB here: scripts/bootstrap' "
                       "'  clickhouse fetches it' '' 'test cases: 1 | 1 skipped'; exit 4"),
    "engines.two": ("printf '%s\\n' 'b.cc:7: SKIPPED:' 'explicitly with message:' '  there is no chDB here: scripts/bootstrap clickhouse"
                    " fetches it' '' 'test cases: 1 | 1 skipped'; exit 4"),
    "docs.tls_caddy": "echo 'skipped: caddy is not installed'; exit 4",
    "install.unit": "echo 'there is no systemd-analyze'; exit 4",
    "ingest.clients_npm": "echo 'npm: skipped: winston is missing; scripts/bootstrap clients installs it'; exit 4",
    "base.passes": "true",
    "base.fails": "echo 'it is wrong'; exit 1",
}
EXPECTED = [
    "skipped: 2 tests (clickhouse, engines): there is no chDB here: scripts/bootstrap clickhouse fetches it",
    "skipped: 1 test (docs.tls_caddy): caddy is not installed; apt install caddy",
    "skipped: 1 test (install.unit): there is no systemd-analyze; apt install systemd",
    "skipped: 1 test (ingest.clients_npm): winston is missing; scripts/bootstrap clients installs it",
]


def report(folder, cases):
    """The report that ctest writes of these commands."""
    text = "".join(f'add_test([=[{name}]=] sh -c [=[{command}]=])\n'
                   f'set_tests_properties([=[{name}]=] PROPERTIES SKIP_RETURN_CODE 4)\n' for name, command in cases.items())
    (folder / "CTestTestfile.cmake").write_text(text, encoding="utf-8")
    subprocess.run(["ctest", "--output-junit", folder / "report.xml"], cwd=folder, capture_output=True, check=False)
    return folder / "report.xml"


class SkippedTestsTest(unittest.TestCase):
    def lines(self, cases):
        with tempfile.TemporaryDirectory() as folder:
            file = report(pathlib.Path(folder), cases)
            return subprocess.run([sys.executable, ROOT / "cmake/skipped_tests.py", file], capture_output=True, text=True,
                                  check=True).stdout.splitlines()

    def test_each_reason_is_a_line_with_what_would_have_the_tests_run(self):
        self.assertEqual(self.lines(CASES), EXPECTED)

    def test_tests_that_could_not_be_registered_are_skipped_with_the_reason(self):
        with tempfile.TemporaryDirectory() as folder:
            source, build = pathlib.Path(folder, "source"), pathlib.Path(folder, "build")
            source.mkdir()
            (source / "CMakeLists.txt").write_text(
                "cmake_minimum_required(VERSION 3.20)\nproject(skipped NONE)\nenable_testing()\n"
                f'set(Python3_EXECUTABLE "{sys.executable}")\ninclude("{ROOT}/cmake/LogquerySkippedTests.cmake")\n'
                'logquery_skipped_tests("there is no mkdocs, \\"or\\" so: scripts/bootstrap docs" docs.site)\n'
                'logquery_skipped_tests("this build is without libpq" postgres.whole_room engines.whole_room)\n'
                "add_test(NAME base.passes COMMAND true)\n", encoding="utf-8")
            subprocess.run(["cmake", "-S", source, "-B", build], capture_output=True, check=True)
            subprocess.run(["ctest", "--output-junit", build / "report.xml"], cwd=build, capture_output=True, check=True)
            done = subprocess.run([sys.executable, ROOT / "cmake/skipped_tests.py", build / "report.xml"], capture_output=True, text=True,
                                  check=True)
            self.assertEqual(done.stdout.splitlines(), [
                "skipped: 2 tests (engines, postgres): this build is without libpq",
                'skipped: 1 test (docs.site): there is no mkdocs, "or" so: scripts/bootstrap docs'])

    def test_nothing_is_printed_if_nothing_was_skipped(self):
        self.assertEqual(self.lines({"base.passes": "true"}), [])

    def test_a_program_that_is_missing_is_no_skipped_test(self):
        self.assertEqual(self.lines({"base.passes": "true", "base.fails": "exit 1"}), [])

    def test_scripts_test_prints_it_after_the_summary_and_keeps_the_exit_code(self):
        # The script runs in a tree of its own, with a build that does nothing.
        with tempfile.TemporaryDirectory() as folder:
            tree = pathlib.Path(folder)
            (tree / "scripts").mkdir()
            (tree / "cmake").mkdir()
            (tree / "bin").mkdir()
            for name in ("scripts/test", "cmake/skipped_tests.py"):
                (tree / name).write_bytes((ROOT / name).read_bytes())
                (tree / name).chmod(0o755)
            for name in ("scripts/build", "scripts/bootstrap"):
                (tree / name).write_text("#!/bin/sh\nmkdir -p build\n", encoding="utf-8")
                (tree / name).chmod(0o755)
            made = report(tree, CASES)
            # Stands for ctest, whose presets need a whole build: writes the report that it would write, and fails as it would.
            (tree / "bin/ctest").write_text(
                '#!/bin/sh\nfor word; do\n  case $word in -N) echo "Total Tests: 17"; exit 0 ;; /*.xml) cp "%s" "$word" ;; esac\n'
                'done\necho "86%% tests passed, 1 tests failed out of 7"\nexit 8\n' % made, encoding="utf-8")
            (tree / "bin/ctest").chmod(0o755)
            done = subprocess.run([tree / "scripts/test"], env={"PATH": f"{tree}/bin:/usr/bin:/bin"}, capture_output=True, text=True,
                                  check=False)
            self.assertEqual(done.returncode, 8, done.stderr)
            self.assertEqual(done.stdout.splitlines(), ["86% tests passed, 1 tests failed out of 7", "", *EXPECTED,
                                                        "not run: 17 tests of the night; scripts/test --all runs them, too"])


if __name__ == "__main__":
    unittest.main()
