#!/usr/bin/env python3
"""Tests scripts/check_promises: what it lets pass, and what it must find."""
import pathlib
import subprocess
import sys
import tempfile
import unittest

CHECK = pathlib.Path(__file__).resolve().parents[2] / "scripts" / "check_promises"
TEST = 'TEST_CASE("rows are redacted") {}\nTEST_CASE(\n    "a long name "\n    "in two \\"parts\\"", "[nightly]") {}\n'

FLOWS = """export const flows = {
  'a row\\'s detail opens': async (suite) => {
  },
  "it's dark": (suite) => check(suite),
};
test('a part works', () => {
});
"""


def run(rows, test=TEST, security=None):
    files = {"docs/promises.md": rows, "tests/shim/a_test.cc": test, "tests/browser/flows.mjs": FLOWS}
    if security is not None:
        files["docs/security.md"] = security
    with tempfile.TemporaryDirectory() as root:
        for name, text in files.items():
            path = pathlib.Path(root, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        done = subprocess.run([sys.executable, CHECK, root], capture_output=True, text=True, check=False)
        return done.returncode, done.stdout.strip()


class CheckPromises(unittest.TestCase):
    def test_counts_what_is_shown_and_what_is_not_yet(self):
        self.assertEqual(
            run(
                "# Page\n\n| Id | Promise | Shown by |\n|---|---|---|\n"
                "| rows.1 | Rows are redacted | `shim: rows are redacted` |\n"
                '| rows.2 | More | `shim: a long name in two "parts"`, `shim: rows are redacted` |\n'
                "| rows.3 | Later | not yet: no time |\n"
            ),
            (0, "3 promises, 2 shown by tests, 1 not yet"),
        )

    def test_knows_the_flows_of_the_console(self):
        row = "| console.1 | Rows | `browser: a row's detail opens`, `browser: it's dark`, `browser: a part works` |\n"
        self.assertEqual(run(row), (0, "1 promises, 1 shown by tests, 0 not yet"))
        self.assertEqual(run(row.replace("opens", "closes")), (1, "docs/promises.md:1: console.1: there is no test \"a row's detail closes\" in tests/browser"))

    def test_finds(self):
        for row, offence in [
            ("| rows.1 | Rows | |", "rows.1: no test is named; `ROOM: NAME` of one, or not yet: REASON"),
            ("| rows.1 | Rows | by hand |", "rows.1: no test is named; `ROOM: NAME` of one, or not yet: REASON"),
            ("| rows.1 | Rows | not yet |", "rows.1: no test is named; `ROOM: NAME` of one, or not yet: REASON"),
            ("| rows.1 | Rows | `shim: rows are not` |", 'rows.1: there is no test "rows are not" in tests/shim'),
            ("| rows.1 | Rows | `sql: rows are redacted` |", 'rows.1: there is no test "rows are redacted" in tests/sql'),
            ("| rows.1 | Rows | not yet: see `shim: rows are redacted` |", "rows.1: is shown by a test, and not yet"),
            ("| rows.1 | Rows |", "a promise has an id, a text and what shows it"),
            ("| Id | Promise | Shown by |", "there is no promise"),
        ]:
            with self.subTest(row=row):
                self.assertEqual(run(row + "\n"), (1, "docs/promises.md:1: " + offence))

    def test_finds_an_id_that_is_there_twice(self):
        row = "| rows.1 | Rows | `shim: rows are redacted` |\n"
        self.assertEqual(run(row + row), (1, "docs/promises.md:2: rows.1: is there twice"))

    def test_finds_references_to_promises_that_do_not_exist(self):
        rows = "".join(f"| rows.{i} | Rows are redacted | `shim: rows are redacted` |\n" for i in (1, 2))
        self.assertEqual(run(rows, security="Rows [rows.1–2, rows.1], [a link](rows.9) and x[3].\n")[0], 0)
        self.assertEqual(
            run(rows, security="Rows.\n\nMore [rows.1–3, load.4].\n"),
            (1, "docs/security.md:3: there is no promise rows.3\ndocs/security.md:3: there is no promise load.4"),
        )


if __name__ == "__main__":
    unittest.main()
