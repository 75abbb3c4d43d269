#!/usr/bin/env python3
"""Tests the program as it is when it is built without any engine: what needs none works, everything else says why it does not.

usage: no_engine_test.py PROGRAM        scripts/no_engine builds it
"""
import pathlib
import subprocess
import sys
import tempfile
import unittest

PROGRAM = ""
NONE = "this logquery is built without the engine duckdb"


class NoEngine(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = pathlib.Path(folder.name)
        (self.path / "data").mkdir()

    def run_program(self, *arguments):
        """The exit code, and both streams."""
        done = subprocess.run([PROGRAM, *map(str, arguments)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        return done.returncode, done.stdout

    def test_queries_are_translated_and_checked_samples_written_and_tokens_made(self):
        for arguments in (
            ["translate", "--endpoint", "usage.api-counts"],
            ["translate", "--dialect", "googlesql", "--endpoint", "usage.api-counts"],
            ["check", "--functions"],
            ["sample", "--rows", "100", self.path / "sample"],
            ["token", "create", "--all-projects", "--tokens", self.path / "tokens.json"],
        ):
            with self.subTest(arguments=arguments):
                self.assertEqual(self.run_program(*arguments)[0], 0)
        self.assertIn("3 endpoints, all in order", self.run_program("check", "--builtin")[1])

    def test_commands_that_need_an_engine_say_that_the_program_has_none(self):
        data, file, rows = self.path / "data", self.path / "backend.json", self.path / "postgres.logs.ndjson"
        file.write_text('{"engine": "duckdb", "folder": "data"}', encoding="utf-8")
        rows.write_text("{}\n", encoding="utf-8")
        for arguments in (
            ["run", "--data", data, "logs.all"],
            ["run", "--backend", file, "logs.all"],
            ["serve", "--data", data, "--tokens", "t"],
            ["serve", "--no-supervise", "--backend", file, "--tokens", "t"],
            ["translate", "--backend", file, "--endpoint", "logs.all"],
            ["check", "--builtin", "--backend", file],
            ["load", "--data", data, rows],
            ["stats", "--data", data],
            ["doctor", "--data", data],
            ["backup", "--data", data, self.path / "backup"],
            ["cluster", "--data", data],
            ["export", "--data", data, "--out", self.path / "export"],
            ["erase", "--project", "a", "--data", data],
            ["restore", data, "--data", self.path / "again"],
        ):
            with self.subTest(arguments=arguments):
                code, text = self.run_program(*arguments)
                self.assertEqual(code, 1)
                self.assertIn(NONE, text)
        self.assertIn(" at line 1, column 2: ", self.run_program("run", "--backend", file, "logs.all")[1])
        self.assertFalse((self.path / "backup").exists())
        self.assertFalse((self.path / "again").exists())


if __name__ == "__main__":
    PROGRAM = str(pathlib.Path(sys.argv.pop(1)).resolve())
    unittest.main()
