#!/usr/bin/env python3
"""Tests scripts/nightly: what it reads of the checks' output, and the page that it writes."""
import importlib.machinery
import importlib.util
import pathlib
import subprocess
import sys
import unittest

SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "scripts" / "nightly"
sys.dont_write_bytecode = True


def load():
    loader = importlib.machinery.SourceFileLoader("nightly", str(SCRIPT))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("nightly", loader))
    loader.exec_module(module)
    return module


NIGHTLY = load()
CLEAN = "20000 queries checked, 2100 fail on the own rows alone; 0 differences, of 0 expressions\n"
DIFFERS = "differs in 2 places: [safe] x\n20000 queries checked, 7 fail on the own rows alone; 12 differences, of 3 expressions\n"


class Figures(unittest.TestCase):
    def test_reads_the_summaries(self):
        self.assertEqual(NIGHTLY.figures("isolation", 0, CLEAN), ("20,000: 0 differ", True))
        fuzz = "500 queries of seed 3: 480 accepted, 9 of them failed on a row, 1 were too large; 0 differences\n"
        self.assertEqual(NIGHTLY.figures("differential", 0, fuzz), ("500: 0 differ", True))
        neighbours = "20000 hostile batches of seed 7; 0 differences\n"
        self.assertEqual(NIGHTLY.figures("neighbours", 0, neighbours), ("20,000: 0 differ", True))
        kept = "20001 steps of seed 7; 0 differences\n"
        self.assertEqual(NIGHTLY.figures("kept", 0, kept), ("20,001: 0 differ", True))
        self.assertEqual(NIGHTLY.figures("neighbours", 1, neighbours.replace("; 0", "; 2")), ("20,000: 2 differ", False))
        clickhouse = "20000 queries of seed 7; 0 differences, 12 refused, 3 failed on both sides\n"
        self.assertEqual(NIGHTLY.figures("clickhouse_oracle", 0, clickhouse), ("20,000: 0 differ", True))
        self.assertEqual(NIGHTLY.figures("clickhouse_oracle", 1, clickhouse.replace("; 0", "; 2")), ("20,000: 2 differ", False))
        self.assertEqual(NIGHTLY.figures("clickhouse_oracle", 77, "skipped: there is no chDB here\n"), ("skipped: no chDB", True))
        giants = "| 1 | 2 | x |\n| -135 | 287 | the worst of each |\n"
        self.assertEqual(NIGHTLY.figures("giants", 0, giants), ("-135 MiB over, 287 ms past", True))
        hostile = "77 queries, 0 beyond what is allowed, 0 deaths; peak 787 MiB, slowest answer 5.18 s, slowest /health 59 ms\n"
        self.assertEqual(NIGHTLY.figures("hostile", 0, hostile), ("77: 0 beyond; 787 MiB, 5.18 s", True))

        beside = "p99 98.57 ms idle, 192.37 ms beside 5000 rows/s: 1.95 times (at most 3)\n"
        self.assertEqual(NIGHTLY.figures("beside", 0, beside), ("p99 98.57 ms idle, 192.37 ms beside: 1.95 times", True))
        memory = "410 MiB in the second fifth of 600 s, 431 MiB in the last; 3000000 rows came, peak 512 MiB\n"
        self.assertEqual(NIGHTLY.figures("memory", 1, memory), ("410 MiB, then 431 MiB after 3,000,000 rows in 600 s", False))
        self.assertEqual(NIGHTLY.figures("memory", 1, ""), ("no summary, exit 1", False))
        self.assertEqual(NIGHTLY.figures("tidy", 0, ""), ("clean", True))
        found = "lib/a.cc:1:2: error: x [performance-a,-warnings-as-errors]\ncheck_tidy: clang-tidy found what stands above\n"
        self.assertEqual(NIGHTLY.figures("tidy", 1, found), ("1 findings", False))
        nested = "All tests passed (1205 assertions in 1 test case)\n"
        self.assertEqual(NIGHTLY.figures("nested", 0, nested), ("in proportion", True))
        self.assertEqual(NIGHTLY.figures("nested", 1, "test cases: 1 | 1 failed\n"), ("grows, exit 1", False))
        without = "..\n------\nRan 2 tests in 1.103s\n\nOK\n"
        self.assertEqual(NIGHTLY.figures("no_engine", 0, without), ("2 tests: passed", True))
        self.assertEqual(NIGHTLY.figures("no_engine", 1, without), ("2 tests: failed", False))
        self.assertEqual(NIGHTLY.figures("no_engine", 1, "ninja: error\n"), ("no summary, exit 1", False))

    def test_what_differs_fails(self):
        self.assertEqual(NIGHTLY.figures("isolation", 1, DIFFERS), ("20,000: 12 differ", False))

    def test_a_check_that_ends_early_fails(self):
        self.assertEqual(NIGHTLY.figures("isolation", -11, "no such folder\n"), ("no summary, exit -11", False))
        self.assertEqual(NIGHTLY.figures("isolation", 2, CLEAN), ("20,000: 0 differ", False))
        self.assertEqual(NIGHTLY.figures("giants", 0, ""), ("no summary, exit 0", False))
        self.assertEqual(NIGHTLY.figures("hostile", -6, "the server did not begin to listen\n"), ("no summary, exit -6", False))

    def test_a_hostile_query_beyond_its_bounds_fails(self):
        beyond = "77 queries, 2 beyond what is allowed, 1 deaths; peak 9227 MiB, slowest answer 60.00 s, slowest /health 9 ms\n"
        self.assertEqual(NIGHTLY.figures("hostile", 1, beyond), ("77: 2 beyond; 9227 MiB, 60.00 s", False))


class Page(unittest.TestCase):
    HEADER = ["Date", "Commit"]

    def test_the_newest_row_is_first(self):
        page = NIGHTLY.with_row("", self.HEADER, ["2026-01-01", "a"])
        page = NIGHTLY.with_row(page, self.HEADER, ["2026-01-02", "b"])
        self.assertTrue(page.startswith("# Nights\n"))
        self.assertTrue(page.endswith("| Date | Commit |\n|---|---|\n| 2026-01-02 | b |\n| 2026-01-01 | a |\n"))

    def test_other_columns_begin_a_table_above_the_old_one(self):
        page = NIGHTLY.with_row("", self.HEADER, ["2026-01-01", "a"])
        page = NIGHTLY.with_row(page, ["Date", "Commit", "Seed"], ["2026-01-02", "b", "7"])
        self.assertTrue(page.endswith("| 2026-01-02 | b | 7 |\n\n| Date | Commit |\n|---|---|\n| 2026-01-01 | a |\n"))


class Options(unittest.TestCase):
    def test_a_check_that_there_is_not_is_refused(self):
        done = subprocess.run([sys.executable, SCRIPT, "--only", "isolaton"], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 2)
        self.assertIn("--only isolaton is no check; there are isolation, isolation_large", done.stderr)


if __name__ == "__main__":
    unittest.main()
