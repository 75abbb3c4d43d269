#!/usr/bin/env python3
"""The comparison with peers over a few thousand rows: the answers are equal, and a difference is found.

usage: peers_test.py LOGQUERY

Exit code 77: a peer is not installed; those that are have passed. No time is looked at.
"""
import contextlib
import io
import json
import pathlib
import sys
import tempfile
import unittest
import unittest.mock

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

import answers
import machine
import made_documents
import measure
import plot
import report
import run
import sql_file

PROGRAM = ""
ENGINES = {"duckdb": "DuckDB", "clickhouse": "ClickHouse", "postgres": "PostgreSQL"}


class ComparisonTest(unittest.TestCase):
    def setUp(self):
        self.found, missing = machine.peers_found(machine.ROOT / ".deps")
        for line in missing:
            print(f"left out: {line}")
        self.folder = tempfile.TemporaryDirectory(prefix="logquery-peers-test-")
        self.addCleanup(self.folder.cleanup)
        pathlib.Path(self.folder.name).chmod(0o755)  # PostgreSQL's server is another user

    def compare(self, suites):
        file = pathlib.Path(self.folder.name, "results.json")
        run.main(["--suites", suites, "--rows", "9000", "--documents", "2000", "--repeat", "1", "--threads", "1", "--memory", "300",
                  "--program", PROGRAM, "--work", self.folder.name, "--json", str(file)])
        document = json.loads(file.read_text(encoding="utf-8"))
        self.assertEqual(["results.json"], [path.name for path in pathlib.Path(self.folder.name).iterdir()], "data stayed behind")
        for suite in document["suites"]:
            for result in suite["results"]:
                for engine in self.found:
                    if suite["name"] == "languages" and engine != "clickhouse":
                        continue
                    if suite["name"] in ("endpoints", "repeated") or engine != "postgres":
                        self.assertTrue(any(ENGINES[engine] in name for name in result["ms"]), f"{engine} in {result}")
        return document

    def test_endpoints_answer_like_sql_by_hand_on_every_peer(self):
        cold, repeated = self.compare("endpoints,repeated")["suites"]
        rows = {result["case"]: result["rows"] for result in cold["results"]}
        self.assertEqual(9, len(rows))
        self.assertEqual(60, rows["`functions.invocation-stats`, 1hr"], "a row for each bucket")
        self.assertEqual(7, rows["`functions.invocation-stats`, 7day"])
        self.assertEqual(100, rows["`logs.all`, busy project, older page"], "a page is full")
        self.assertTrue(all(rows.values()), f"a case without rows shows nothing: {rows}")
        self.assertEqual(4, len(repeated["results"]))

    def test_documents_and_hits_answer_like_columns_and_json_on_every_peer(self):
        documents, hits = self.compare("documents,hits")["suites"]
        self.assertEqual(5, len(documents["results"]))
        self.assertEqual(10, len(hits["results"]))
        for result in documents["results"] + hits["results"]:
            self.assertGreater(result["rows"], 0, result)

    def test_both_languages_answer_alike_and_like_clickhouse(self):
        (languages,) = self.compare("languages")["suites"]
        self.assertEqual(5, len(languages["results"]))
        for result in languages["results"]:
            self.assertGreater(result["rows"], 0, result)
            self.assertIn("logquery, BigQuery SQL", result["ms"])


class MachineTest(unittest.TestCase):
    def test_a_missing_engine_is_told_with_what_installs_it(self):
        with tempfile.TemporaryDirectory() as folder:
            found, missing = machine.peers_found(pathlib.Path(folder))
        self.assertNotIn("duckdb", found)
        self.assertNotIn("clickhouse", found)
        self.assertIn(f"duckdb: there is no duckdb/lib/libduckdb.so in {folder}; scripts/bootstrap fetches it", missing)
        self.assertIn(f"clickhouse: there is no chdb/lib/libchdb.so in {folder}; scripts/bootstrap clickhouse fetches it", missing)

    def test_a_suite_or_peer_that_is_unknown_is_an_error(self):
        for option, word in (("--suites", "logs"), ("--peers", "oracle")):
            said = io.StringIO()
            with contextlib.redirect_stderr(said), self.assertRaises(SystemExit):
                run.parse([option, word, "--program", PROGRAM])
            self.assertIn(f"{option}: there is no {word}; there are ", said.getvalue())


class RunTest(unittest.TestCase):
    def test_a_suite_that_fails_leaves_the_results_of_the_others(self):
        def fail(self, logquery, peers, folder):
            raise RuntimeError("no memory is left")

        def measured(self, name, logquery, peers, folder):
            self.made.append({"name": name, "title": name, "rows": 1,
                              "results": [{"case": "a case", "rows": 1, "ms": {"logquery": 2.0}, "in_server_ms": 1.5}]})

        with tempfile.TemporaryDirectory() as folder, \
                unittest.mock.patch.object(run.Run, "_languages", fail), \
                unittest.mock.patch.object(run.Run, "_documents", measured):
            file = pathlib.Path(folder, "results.json")
            printed = io.StringIO()
            with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(io.StringIO()), \
                    self.assertRaisesRegex(SystemExit, "the suite languages failed: RuntimeError: no memory is left"):
                run.main(["--suites", "hits,languages", "--peers", "", "--program", PROGRAM, "--work", folder, "--json", str(file)])
            document = json.loads(file.read_text(encoding="utf-8"))
        self.assertIn("| a case | 2.00 | 1.50 |", printed.getvalue())
        self.assertEqual(["hits"], [suite["name"] for suite in document["suites"]])
        self.assertEqual([{"suite": "languages", "error": "RuntimeError: no memory is left"}], document["errors"])


class AnswersTest(unittest.TestCase):
    def test_forms_of_different_engines_are_equal(self):
        cases = [("time", 1_768_478_400_000_000, "2026-01-15 12:00:00"),
                 ("time", "2026-01-15T12:00:00.5", "2026-01-15 12:00:00.500000"),
                 ("int", 7, "7"), ("float", 0.1 + 0.2, "0.30000000000000004"),
                 ("json", [], None), ("json", "", '{"a": null}'),
                 ("json", [{"a": [{"b": 1, "c": None}], "d": []}], '{"a": {"b": 1}}')]
        for kind, one, other in cases:
            found = answers.difference(answers.rows_of([[one]], [kind]), answers.rows_of([[other]], [kind]))
            self.assertIsNone(found, (one, other))

    def test_different_values_are_told_with_their_place(self):
        for kind, one, other in [("time", "2026-01-15 12:00:00", "2026-01-15 12:00:00.000001"), ("int", 7, "8"), ("text", "a", "A"),
                                 ("float", 1.0, "1.000001"), ("json", {"a": 1}, '{"a": 1, "b": 2}'), ("json", [1, 2], "[2, 1]"),
                                 ("int", 0, None), ("text", "", None)]:
            found = answers.difference(answers.rows_of([[one]], [kind]), answers.rows_of([[other]], [kind]))
            self.assertIn("row 0, column 0", found or "", (kind, one, other))
        self.assertEqual("1 rows and 2", answers.difference([[1]], [[1], [1]]))

    def test_a_row_of_another_width_is_an_error(self):
        with self.assertRaisesRegex(ValueError, "2 values, 1 are wanted"):
            answers.rows_of([[1, 2]], ["int"])


class MeasureTest(unittest.TestCase):
    def test_each_peer_comes_after_each_other_one_about_as_often(self):
        for names in (["a", "b"], ["a", "b", "c"], ["a", "b", "c", "d"]):
            asked = [name for turn in range(4 * len(names)) for name in measure._order(names, turn)]
            for name in names:
                after = [asked[i] for i in range(1, len(asked)) if asked[i - 1] == name]
                for other in names:
                    back = [asked[i] for i in range(1, len(asked)) if asked[i - 1] == other]
                    self.assertLessEqual(abs(after.count(other) - back.count(name)), 2, f"{name} and {other}")

    def test_peers_take_turns_and_a_different_answer_ends_the_run(self):
        asked = []

        def peer(name, value):
            def call(query, parameters, wants_rows):
                asked.append(name)
                return 2.0, [[value]] if wants_rows else None
            return call

        case = measure.Case("a case", "q", ["int"])
        (result,) = measure.measure([case], {"one": peer("one", 1), "two": peer("two", "1")}, 2, lambda: 1.5)
        self.assertEqual(["one", "two"] * 2 + ["two", "one"] * 2, asked,
                         "the check, a turn to get warm, and two that count, which others begin")
        self.assertEqual({"one": 2.0, "two": 2.0}, result["ms"])
        self.assertIn("| a case | 2.00 | 1.50 | 2.00 (1.00) |", report.table("t", [result]))
        with self.assertRaisesRegex(measure.AnswersDiffer, "a case: one and two differ: row 0, column 0: 1 and 2"):
            measure.measure([case], {"one": peer("one", 1), "two": peer("two", 2)}, 2, lambda: 1.5)


class PlotTest(unittest.TestCase):
    def test_a_line_for_each_peer_goes_through_its_measurements(self):
        runs = [{"suites": [{"name": "endpoints", "rows": rows, "results": [{"case": "a", "ms": {"one": ms, "two": 2 * ms}}]}]}
                for rows, ms in ((3_000_000, 40.0), (300_000, 4.0))]
        self.assertEqual({"a": {"one": [(300_000, 4.0), (3_000_000, 40.0)], "two": [(300_000, 8.0), (3_000_000, 80.0)]}},
                         plot.series(runs, "endpoints"))
        svg = plot.draw(runs, "endpoints", 2)
        self.assertEqual(2, svg.count("<polyline"))
        self.assertEqual(4, svg.count("<circle"))
        with self.assertRaisesRegex(SystemExit, "there is no suite hits"):
            plot.draw(runs, "hits", 2)


class FilesTest(unittest.TestCase):
    def test_every_query_has_a_note_in_the_files_of_all_peers(self):
        folder = pathlib.Path(__file__).resolve().parent / "sql"
        for suite in folder.iterdir():
            names = {file.name: list(sql_file.SqlFile(file).queries) for file in suite.glob("*.sql")}
            self.assertEqual(1, len(set(map(tuple, names.values()))), names)
            for file in suite.glob("*.sql"):
                text = file.read_text(encoding="utf-8")
                self.assertTrue(text.startswith("-- "), file)
                self.assertEqual(text.count("-- query: "), len([line for line in text.split("-- query: ")[1:]
                                                                if line.split("\n")[1].startswith("-- ")]), file)

    def test_equal_arguments_make_equal_documents(self):
        with tempfile.TemporaryDirectory() as folder:
            first, second, other = (pathlib.Path(folder, name) for name in ("1", "2", "3"))
            for write in (made_documents.write_documents, made_documents.write_hits):
                write(first, 300, seed=1), write(second, 300, seed=1), write(other, 300, seed=2)
                self.assertEqual(first.read_bytes(), second.read_bytes())
                self.assertNotEqual(first.read_bytes(), other.read_bytes())
                self.assertEqual(300, len(list(map(json.loads, first.read_text(encoding="utf-8").splitlines()))))

    def test_a_statement_for_each_file_runs_in_the_order_of_names(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder, "a.sql")
            file.write_text("-- load\n-- files: {folder}/*.parquet\nINSERT '{file}';\nSELECT 2;\n", encoding="utf-8")
            each, then = sql_file.SqlFile(file, folder=folder).load
            self.assertEqual("SELECT 2", then)
            with self.assertRaisesRegex(FileNotFoundError, r"no file is .*/\*\.parquet"):
                each.statements()
            for name in ("b.parquet", "a.parquet", "c.txt"):
                pathlib.Path(folder, name).touch()
            self.assertEqual([f"INSERT '{folder}/{name}.parquet'" for name in "ab"], each.statements())

    def test_a_statement_without_its_end_is_an_error(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder, "a.sql")
            file.write_text("-- query: q\nSELECT 1\n", encoding="utf-8")
            with self.assertRaisesRegex(ValueError, "a statement without ';': SELECT 1"):
                sql_file.SqlFile(file)


if __name__ == "__main__":
    PROGRAM = sys.argv.pop(1)
    found, missing = machine.peers_found(machine.ROOT / ".deps")
    if not found:
        print("skipped: no peer is installed; scripts/bootstrap and scripts/bootstrap clickhouse fetch them")
        sys.exit(77)
    done = unittest.main(exit=False)
    if not done.result.wasSuccessful():
        sys.exit(1)
    if missing:
        sys.stderr.flush()
        print(f"skipped: answers were compared without {'; '.join(missing)}")
        sys.exit(77)
