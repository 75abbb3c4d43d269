#!/usr/bin/env python3
"""Tests which files scripts/check_tidy --changed looks at, in a repository made for it. clang-tidy does not run."""
import pathlib
import shutil
import subprocess
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "scripts" / "check_tidy"
FILES = {
    ".clang-tidy": "Checks: a\n",
    "include/logquery/value.h": "int a;\n",
    "lib/base/text.h": "int b;\n",
    "lib/base/text.cc": '#include "lib/base/text.h"\n',
    "lib/sql/parser.cc": '#include "logquery/value.h"\n',
    "shim/http/server.cc": "int c;\n",
    "tests/base/text_test.cc": '#include "lib/base/text.h"\n',
}


class Changed(unittest.TestCase):
    def setUp(self):
        self.root = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.root)
        for name, text in FILES.items():
            self.write(name, text)
        (self.root / "scripts").mkdir()
        shutil.copy(SCRIPT, self.root / "scripts")
        self.git("init", "-q")
        self.write_page("not run", "0" * 12)
        self.clean = self.commit()
        self.write_page("clean", self.clean)
        self.commit()

    def write(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def write_page(self, figure, commit):
        self.write("docs/nightly.md", "# Nights\n\n| Date | Commit | Seed | clang-tidy | Minutes |\n|---|---|---|---|---|\n"
                   f"| 2026-01-02 | {'f' * 12} | 8 | 3 findings | 2 |\n| 2026-01-01 | {commit} | 7 | {figure} | 2 |\n")

    def git(self, *arguments):
        command = ["git", "-c", "user.name=a", "-c", "user.email=a@b", *arguments]
        return subprocess.run(command, cwd=self.root, capture_output=True, text=True, check=True).stdout.strip()

    def commit(self):
        self.git("add", "-A")
        self.git("commit", "-q", "-m", "A change")
        return self.git("rev-parse", "--short=12", "HEAD")

    def listed(self):
        command = [self.root / "scripts" / "check_tidy", "--list"]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()

    def test_nothing_changed(self):
        self.assertEqual(self.listed(), [])

    def test_a_changed_file_and_the_files_that_include_a_changed_header(self):
        self.write("shim/http/server.cc", "int d;\n")
        self.write("include/logquery/value.h", "int e;\n")
        self.commit()
        self.assertEqual(self.listed(), ["lib/sql/parser.cc", "shim/http/server.cc"])

    def test_a_new_file_is_looked_at_and_a_removed_one_is_not(self):
        self.write("lib/base/new.cc", "int f;\n")
        (self.root / "shim/http/server.cc").unlink()
        self.commit()
        self.assertEqual(self.listed(), ["lib/base/new.cc"])

    def test_everything_when_the_settings_changed(self):
        self.write(".clang-tidy", "Checks: b\n")
        self.commit()
        self.assertEqual(self.listed(), ["lib/base/text.cc", "lib/sql/parser.cc", "shim/http/server.cc"])

    def test_everything_when_the_clean_commit_is_not_there(self):
        self.write_page("clean", "0" * 12)
        self.commit()
        self.assertEqual(len(self.listed()), 3)

    def test_everything_when_no_night_was_clean(self):
        self.write_page("1 findings", self.clean)
        self.commit()
        self.assertEqual(len(self.listed()), 3)


if __name__ == "__main__":
    unittest.main()
