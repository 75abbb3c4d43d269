"""The same questions in ClickHouse SQL and in BigQuery SQL, over the same rows of logquery, beside ClickHouse's engine over one table."""
import json
import pathlib

from endpoints import NOW, before, text_of
from measure import Case, measure
from sql_file import SqlFile, run_steps

SQL = pathlib.Path(__file__).resolve().parent / "sql" / "languages"
LOGS = ["cloudflare.logs.prod", "postgres.logs"]
RECORDS = "CROSS JOIN UNNEST(metadata) AS m CROSS JOIN UNNEST(m.request) AS r"
BIGQUERY = {
    "newest": "SELECT id, timestamp, event_message FROM edge_logs ORDER BY timestamp DESC, id LIMIT 100",
    "levels": "SELECT IFNULL(p.error_severity, '') AS level, TIMESTAMP_TRUNC(t.timestamp, MINUTE) AS minute, COUNT(*) AS n "
              "FROM postgres_logs AS t LEFT JOIN UNNEST(metadata) AS m LEFT JOIN UNNEST(m.parsed) AS p "
              "GROUP BY level, minute ORDER BY n DESC, minute, level LIMIT 100",
    "attribute": f"SELECT t.id, t.timestamp, IFNULL(r.path, '') AS path FROM edge_logs AS t {RECORDS} WHERE r.method = 'DELETE' "
                 "ORDER BY t.timestamp DESC, t.id LIMIT 100",
    "statuses": "SELECT IFNULL(r.method, '') AS method, COUNTIF(s.status_code >= 400) AS failed, COUNT(*) AS n FROM edge_logs AS t "
                "LEFT JOIN UNNEST(metadata) AS m LEFT JOIN UNNEST(m.request) AS r LEFT JOIN UNNEST(m.response) AS s "
                "GROUP BY method ORDER BY method",
    "text": "SELECT COUNT(*) AS n FROM edge_logs WHERE event_message LIKE '%/auth/v1/%'",
}
BOUNDS = "project = {project:String} AND timestamp > {start:DateTime64(6, 'UTC')} AND "


class Languages:
    """One data folder, and its export in the other engine."""

    def __init__(self, logquery, peers, folder, rows, days=30):
        self.logquery, self.peers = logquery, peers
        sample = pathlib.Path(folder, "sample")
        logquery.command("sample", "--rows", str(rows), "--days", str(days), "--projects", "50", "--end", text_of(NOW) + "Z",
                         str(sample))
        counts = json.loads((sample / "manifest.json").read_text(encoding="utf-8"))
        self.rows = sum(counts["rows"][log] for log in LOGS)
        self.project = max(counts["projects"], key=lambda project: project[LOGS[0]])["ref"]
        logquery.load([str(sample / f"{log}.ndjson") for log in LOGS])
        for file in sample.glob("*.ndjson"):
            file.unlink()
        exported = f"{folder}/exported"
        logquery.command("export", "--data", logquery.data, "--out", exported, "--layout", "otel")
        self.files = {name: SqlFile(SQL / "clickhouse.sql", folder=f"{exported}/otel_logs") for name in peers}
        for name, peer in peers.items():
            run_steps(peer, self.files[name].load, exported)
            for query, sql in self.files[name].queries.items():
                peer.prepare(query, sql)
        common = {"project": "{project}", "project_tier": "ENTERPRISE", "iso_timestamp_start": "{start}Z"}
        for query, sql in SqlFile(SQL / "clickhouse.sql", folder=exported).queries.items():
            logquery.prepare(query, ("logs.all.otel", {**common, "sql": _for_caller(sql)}))
            logquery.prepare(f"bigquery_{query}", ("logs.all", {**common, "sql": BIGQUERY[query]}))

    def cases(self):
        def at(turn):
            return {"project": self.project, "start": before(turn, days=29)}

        return [
            Case("newest 100", "newest", ["text", "time", "text"], at),
            Case("count by level and minute", "levels", ["text", "time", "int"], at),
            Case("newest 100 by an attribute", "attribute", ["text", "time", "text"], at),
            Case("count by two attributes", "statuses", ["text", "int", "int"], at),
            Case("text search", "text", ["int"], at),
        ]

    def cold(self, repeat):
        self.logquery.serve(keeps_answers=False)

        def bigquery(query, parameters, wants_rows):
            return self.logquery.run(f"bigquery_{query}", parameters, wants_rows)

        runs = {"logquery, ClickHouse SQL": self.logquery.run, "logquery, BigQuery SQL": bigquery}
        return measure(self.cases(), {**runs, **{name: peer.run for name, peer in self.peers.items()}}, repeat,
                       lambda: self.logquery.last_in_server)

    def sizes(self):
        return {"logquery": self.logquery.bytes_on_disk(), **{name: peer.bytes_on_disk() for name, peer in self.peers.items()}}


def _for_caller(sql):
    """The endpoint sets the project and the bounds."""
    if BOUNDS not in sql:
        raise ValueError(f"a query without {BOUNDS}")
    return sql.replace(BOUNDS, "")
