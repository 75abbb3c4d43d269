"""The built-in endpoints over sample rows of two logs, beside SQL by hand on other engines."""
import datetime
import itertools
import json
import pathlib
import shutil
import uuid

import machine
from measure import Case, measure
from sql_file import SqlFile, run_steps

SQL = pathlib.Path(__file__).resolve().parent / "sql" / "endpoints"
BUILTIN = machine.ROOT / "lib/endpoint/definitions/builtin"
# Rows end at the last full hour: as in use, those of today and yesterday are in days that are not closed.
NOW = datetime.datetime.now(datetime.timezone.utc).replace(minute=0, second=0, microsecond=0)
LOGS = ["cloudflare.logs.prod", "deno-relay-logs"]
ROW = ["text", "time", "text", "json"]
STATS = ["time", "int", "int", "float", "int", "int", "int", "int"]
COUNTS = ["time", "int", "int", "int", "int"]
NEW_ROWS = 10
# logquery's endpoints and their parameters. The bounds of logs.all are in each call a microsecond later.
CALLS = {
    "newest": ("logs.all", {"project": "{project}", "project_tier": "PAYG", "iso_timestamp_start": "{start}"}),
    "older": ("logs.all", {"project": "{project}", "project_tier": "PAYG", "iso_timestamp_start": "{start}",
                           "iso_timestamp_end": "{end}"}),
    "stats_minute": ("functions.invocation-stats", {"project": "{project}", "interval": "1hr"}),
    "stats_day": ("functions.invocation-stats", {"project": "{project}", "interval": "7day"}),
    "counts_minute": ("usage.api-counts", {"project": "{project}", "interval": "minutely"}),
    "counts_day": ("usage.api-counts", {"project": "{project}", "interval": "daily"}),
}


def text_of(moment):
    return moment.strftime("%Y-%m-%dT%H:%M:%S.%f")


def minute_of(moment):
    return moment.strftime("%Y-%m-%dT%H:%M:00")


def before(turn=0, **ago):
    return text_of(NOW - datetime.timedelta(**ago) + datetime.timedelta(microseconds=turn + 1))


class Endpoints:
    """The data of all peers, loaded from one sample."""

    def __init__(self, logquery, peers, folder, rows, days=30):
        self.logquery, self.peers, self.folder = logquery, peers, folder
        sample = f"{folder}/sample"
        logquery.command("sample", "--rows", str(rows), "--days", str(days), "--projects", "50", "--end", text_of(NOW) + "Z",
                         sample)
        self.sample = sample
        for file in pathlib.Path(sample).glob("*.ndjson"):
            if file.stem not in LOGS:
                file.unlink()
        counts = json.loads(pathlib.Path(sample, "manifest.json").read_text(encoding="utf-8"))
        self.rows = sum(counts["rows"][log] for log in LOGS)
        projects = sorted((project for project in counts["projects"] if project[LOGS[0]] > 0), key=lambda project: project[LOGS[0]])
        self.busy, self.rare = projects[-1]["ref"], projects[0]["ref"]
        self.patterns = list(itertools.islice(self._rows_of(self.busy), NEW_ROWS))
        logquery.load([f"{sample}/{log}.ndjson" for log in LOGS])
        for name, call in CALLS.items():
            logquery.prepare(name, call)
        self.files = {}
        for name, peer in peers.items():
            self.files[name] = SqlFile(SQL / f"{peer.sql}.sql", folder=sample)
            run_steps(peer, self.files[name].load, sample)
            for query, sql in self.files[name].queries.items():
                peer.prepare(query, sql)

    def _rows_of(self, project):
        with open(f"{self.sample}/{LOGS[0]}.ndjson", encoding="utf-8") as file:
            for line in file:
                if (row := json.loads(line))["project"] == project:
                    yield row

    def cases(self):
        busy, rare = self.busy, self.rare
        week = NOW.replace(hour=0) - datetime.timedelta(days=6)
        return [
            Case("`logs.all`, busy project, 1 day", "newest", ROW,
                 lambda turn: {"project": busy, "start": before(turn, days=1)}),
            Case("`logs.all`, busy project, older page", "older", ROW,
                 lambda turn: {"project": busy, "start": before(turn, days=7), "end": before(turn, days=3)}),
            Case("`logs.all`, rare project, 90 days", "newest", ROW,
                 lambda turn: {"project": rare, "start": before(turn, days=89)}),
            Case("`functions.invocation-stats`, 1hr", "stats_minute", STATS,
                 lambda turn: {"project": busy, "first": minute_of(NOW - datetime.timedelta(minutes=59)), "last": minute_of(NOW)}),
            Case("`functions.invocation-stats`, 7day", "stats_day", STATS,
                 lambda turn: {"project": busy, "first": text_of(week), "last": minute_of(NOW.replace(hour=0))}),
            *self._counts(""),
        ]

    def _counts(self, who):
        hour, week = ({"project": self.busy, "start": text_of(NOW - ago)}
                      for ago in (datetime.timedelta(hours=1), datetime.timedelta(days=7)))
        return [Case(f"`usage.api-counts`, minutely{who}", "counts_minute", COUNTS, lambda turn: hour),
                Case(f"`usage.api-counts`, daily{who}", "counts_day", COUNTS, lambda turn: week)]

    def cold(self, repeat):
        """The endpoint of counts searches the URLs of all projects, unless the token is of one; the peers' SQL always names one."""
        token = self.logquery.token_of(self.busy)
        self.logquery.serve(keeps_answers=False)

        def as_project(query, parameters, wants_rows):
            return self.logquery.run(query, parameters, wants_rows, token=token)

        def in_server():
            return self.logquery.last_in_server

        return (measure(self.cases(), {"logquery": self.logquery.run, **self._runs()}, repeat, in_server) +
                measure(self._counts(", token of the project"), {"logquery": as_project, **self._runs()}, repeat, in_server))

    def repeated(self, repeat):
        """The same calls again and again, without and with new rows of the project before each; logquery keeps answers."""
        self.logquery.serve(keeps_answers=True, endpoints=self._without_caching())
        start, day = before(days=1), text_of(NOW - datetime.timedelta(days=7))
        wanted = [("`logs.all`, 1 day", "newest", ROW, {"project": self.busy, "start": start}),
                  ("`usage.api-counts`, daily", "counts_day", COUNTS, {"project": self.busy, "start": day})]
        cases = []
        for name, query, kinds, parameters in wanted:
            cases.append(Case(f"{name}, no new rows", query, kinds, lambda turn, of=parameters: of))
            cases.append(Case(f"{name}, {NEW_ROWS} new rows before each call", query, kinds, lambda turn, of=parameters: of,
                              before_turn=self._ingest))

        def kept(query, parameters, wants_rows):
            return self.logquery.run(query, parameters, wants_rows, is_cold=False)

        return measure(cases, {"logquery, kept": kept, "logquery, cold": self.logquery.run, **self._runs()}, repeat,
                       lambda: self.logquery.last_in_server)

    def sizes(self):
        return {"logquery": self.logquery.bytes_on_disk(), **{name: peer.bytes_on_disk() for name, peer in self.peers.items()}}

    def _without_caching(self):
        """The definition says that answers may be some minutes old, so it would be an old answer that is timed."""
        folder = pathlib.Path(self.folder, "definitions")
        folder.mkdir()
        for file in BUILTIN.glob("usage.api-counts.*"):
            shutil.copy(file, folder)
        file = folder / "usage.api-counts.json"
        definition = json.loads(file.read_text(encoding="utf-8"))
        definition.update(caching="disabled")
        definition.pop("cache_warming")
        file.write_text(json.dumps(definition), encoding="utf-8")
        return str(folder)

    def _runs(self):
        return {name: peer.run for name, peer in self.peers.items()}

    def _ingest(self, turn):
        """New rows of the busy project for each peer, with times just before now."""
        moment = NOW - datetime.timedelta(seconds=1) + datetime.timedelta(milliseconds=turn + 1)
        rows = [row | {"id": str(uuid.uuid4()), "timestamp": text_of(moment + datetime.timedelta(microseconds=number)) + "Z"}
                for number, row in enumerate(self.patterns)]
        pathlib.Path(self.sample, "more.ndjson").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
        self.logquery.send(LOGS[0], rows)
        for name, peer in self.peers.items():
            run_steps(peer, self.files[name].ingest, self.sample)
