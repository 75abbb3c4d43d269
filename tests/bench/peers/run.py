#!/usr/bin/env python3
"""Times logquery and its peers side by side, in turns, over the same rows: README.md says what is compared and how.

    tests/bench/peers/run.py [--suites endpoints,repeated,documents,hits,languages] [--rows 300000] [--documents 100000] [--repeat 21]
                             [--peers duckdb,clickhouse,postgres,postgres_logflare] [--json FILE] [--work DIR]
"""
import argparse
import json
import pathlib
import shutil
import signal
import sys
import tempfile
import time
import traceback

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

import machine
import report
from documents import Documents
from endpoints import Endpoints, NOW, text_of
from languages import Languages
from logquery_peer import Logquery
from worker import Peer

SUITES = ["endpoints", "repeated", "documents", "hits", "languages"]
# A column's name, its engine, and the name of its SQL file.
ENDPOINT_PEERS = {"duckdb": ("DuckDB", "duckdb"), "clickhouse": ("ClickHouse", "clickhouse"),
                  "postgres": ("PostgreSQL", "postgres"), "postgres_logflare": ("PostgreSQL, Logflare's layout", "postgres")}
DOCUMENT_PEERS = {"duckdb_columns": ("DuckDB, columns", "duckdb"), "duckdb_sorted": ("DuckDB, sorted columns", "duckdb"),
                  "duckdb_json": ("DuckDB, JSON", "duckdb"),
                  "clickhouse_columns": ("ClickHouse, columns", "clickhouse"),
                  "clickhouse_json": ("ClickHouse, JSON", "clickhouse")}
LANGUAGE_PEERS = {"clickhouse_map": ("ClickHouse, Map", "clickhouse")}


class Run:
    """Starts peers, runs suites, and ends what it started."""

    def __init__(self, arguments, found):
        self.arguments, self.found, self.work = arguments, found, None
        self.versions = {}
        self.made, self.errors = [], []  # the results of the suites that ended, and the errors of the others

    def suites(self):
        """Fills `made` and `errors`: a suite that fails takes nothing from the others."""
        wanted = self.arguments.suites
        if names := [name for name in ("endpoints", "repeated") if name in wanted]:
            self._try(names, ENDPOINT_PEERS, text_of(NOW) + "Z", self._endpoints)
        for name in ("documents", "hits"):
            if name in wanted:
                self._try([name], DOCUMENT_PEERS, None, lambda logquery, peers, folder, name=name:
                          self._documents(name, logquery, peers, folder))
        if "languages" in wanted:
            self._try(["languages"], LANGUAGE_PEERS, text_of(NOW) + "Z", self._languages)

    def _try(self, names, known, now, action):
        try:
            self._with_peers(known, now, action)
        except Exception as error:  # pylint: disable=broad-except
            done = [suite["name"] for suite in self.made]
            failed = next((name for name in names if name not in done), names[-1])
            self.errors.append({"suite": failed, "error": f"{type(error).__name__}: {error}"})
            self._say(f"the suite {failed} failed: {traceback.format_exc()}")

    def _with_peers(self, known, now, action):
        with tempfile.TemporaryDirectory(prefix="logquery-peers-", dir=self.arguments.work) as folder:
            pathlib.Path(folder).chmod(0o755)  # PostgreSQL's server is another user
            arguments = self.arguments
            logquery = Logquery(arguments.program, f"{folder}/logquery", arguments.threads, arguments.memory, now)
            peers = {}
            try:
                self.versions["logquery"] = logquery.version()
                for name, (title, engine) in known.items():
                    if engine in self.found and any(name.startswith(peer) if peer in ("duckdb", "clickhouse") else name == peer
                                                    for peer in arguments.peers):
                        peers[title] = Peer(title, engine, self.found[engine], f"{folder}/{name}", arguments.threads,
                                            arguments.memory)
                        peers[title].sql = name
                        self.versions[engine] = peers[title].version()
                action(logquery, peers, folder)
            finally:
                for peer in peers.values():
                    peer.close()
                logquery.stop()

    def _endpoints(self, logquery, peers, folder):
        arguments = self.arguments
        self._say(f"loading {arguments.rows:,} rows")
        suite = Endpoints(logquery, peers, folder, arguments.rows)
        sizes = suite.sizes()
        shutil.rmtree(f"{folder}/sample", ignore_errors=True)
        pathlib.Path(folder, "sample").mkdir()
        if "endpoints" in arguments.suites:
            self.made.append({"name": "endpoints", "title": "Endpoints, cold", "rows": suite.rows, "bytes": sizes,
                              "results": suite.cold(arguments.repeat)})
        if "repeated" in arguments.suites:
            self.made.append({"name": "repeated", "title": "Repeated calls", "rows": suite.rows,
                              "results": suite.repeated(arguments.repeat)})

    def _documents(self, name, logquery, peers, folder):
        arguments = self.arguments
        self._say(f"loading {arguments.documents:,} rows of {name}")
        suite = Documents(name, logquery, peers, folder, arguments.documents)
        sizes = suite.sizes()
        self.made.append({"name": name, "title": suite.title, "rows": arguments.documents, "bytes": sizes,
                          "results": suite.measure(arguments.repeat)})

    def _languages(self, logquery, peers, folder):
        arguments = self.arguments
        self._say(f"loading {arguments.rows:,} rows")
        suite = Languages(logquery, peers, folder, arguments.rows)
        sizes = suite.sizes()
        self.made.append({"name": "languages", "title": "Two languages, cold", "rows": suite.rows, "bytes": sizes,
                          "results": suite.cold(arguments.repeat)})

    @staticmethod
    def _say(text):
        print(f"peers: {text}", file=sys.stderr, flush=True)


def parse(words):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--suites", default=",".join(SUITES), help="of " + ", ".join(SUITES))
    parser.add_argument("--peers", default=",".join(ENDPOINT_PEERS), help="of " + ", ".join(ENDPOINT_PEERS))
    parser.add_argument("--rows", type=int, default=300_000, help="sample rows, of which 85 %% are those of the two logs")
    parser.add_argument("--documents", type=int, default=100_000, help="documents, and rows of hits")
    parser.add_argument("--repeat", type=int, default=21)
    parser.add_argument("--threads", type=int, default=2, help="of each engine")
    parser.add_argument("--memory", type=int, default=1_000, help="MB, of each engine")
    parser.add_argument("--program", default=str(machine.ROOT / "build/bin/logquery"))
    parser.add_argument("--deps", type=pathlib.Path, default=machine.ROOT / ".deps")
    parser.add_argument("--work", help="the folder in which the data is made, and removed afterwards; the system's temporary folder")
    parser.add_argument("--json", type=pathlib.Path, help="the results as JSON, for plots")
    arguments = parser.parse_args(words)
    for name, known in (("suites", SUITES), ("peers", list(ENDPOINT_PEERS))):
        wanted = [word for word in getattr(arguments, name).split(",") if word]
        if unknown := [word for word in wanted if word not in known]:
            parser.error(f"--{name}: there is no {unknown[0]}; there are {', '.join(known)}")
        setattr(arguments, name, wanted)
    if min(arguments.rows, arguments.documents, arguments.repeat) < 1:
        parser.error("--rows, --documents and --repeat are at least 1")
    if not pathlib.Path(arguments.program).exists():
        parser.error(f"there is no {arguments.program}; scripts/build builds it, and --program names another one")
    if arguments.work is not None:
        pathlib.Path(arguments.work).mkdir(parents=True, exist_ok=True)
    return arguments


def main(words):
    arguments = parse(words)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # so that what was started is ended
    found, missing = machine.peers_found(arguments.deps)
    for line in missing:
        print(f"peers: left out: {line}", file=sys.stderr)
    run = Run(arguments, found)
    document = {"date": time.strftime("%Y-%m-%d"), "machine": machine.description(), "load_before": machine.load_average(),
                "repeat": arguments.repeat, "threads": arguments.threads, "suites": run.made, "versions": run.versions}
    run.suites()
    document["load_after"] = machine.load_average()
    if run.errors:
        document["errors"] = run.errors
    print(report.summary(document))
    if arguments.json:
        arguments.json.write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")
    if run.errors:
        sys.exit("\n".join(f"peers: the suite {each['suite']} failed: {each['error']}" for each in run.errors))
    return document


if __name__ == "__main__":
    main(sys.argv[1:])
