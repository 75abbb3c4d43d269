"""Somebody else's questions over rows without a declared schema: JSONBench's over documents, ClickBench's over hits."""
import json
import pathlib

import made_documents
from measure import Case, measure
from sql_file import SqlFile, run_steps

SQL = pathlib.Path(__file__).resolve().parent / "sql"
# The log's name, the column of its time, who makes the rows, and the forms of each query's columns.
KINDS = {
    "documents": ("bluesky", "time_us", made_documents.write_documents, {
        "q1": ["text", "int"], "q2": ["text", "int", "int"], "q3": ["text", "int", "int"], "q4": ["text", "time"],
        "q5": ["text", "int"]}),
    "hits": ("hits", "EventTime", made_documents.write_hits, {
        "q1": ["int"], "q2": ["int", "int", "float"], "q3": ["int"], "q4": ["int", "int"], "q5": ["int", "int"],
        "q6": ["text", "int"], "q7": ["int", "int"], "q8": ["int"], "q9": ["text", "int"], "q10": ["time", "int"]}),
}
TITLES = {"documents": "JSONBench's queries", "hits": "Queries of ClickBench"}


class Documents:
    """The data of all peers, loaded from one file."""

    def __init__(self, name, logquery, peers, folder, rows):
        self.logquery, self.peers, self.title = logquery, peers, TITLES[name]
        log, time, write, self.kinds = KINDS[name]
        file = pathlib.Path(folder, "documents.ndjson")
        write(file, rows)
        schema = pathlib.Path(folder, "schema.json")
        schema.write_text(json.dumps({log: {"time": time, "columns": {time: "TIMESTAMP"}}}), encoding="utf-8")
        named = file.rename(pathlib.Path(folder, f"{log}.ndjson"))
        logquery.load([str(named)], str(schema))
        named.rename(file)
        sql = SqlFile(SQL / name / "logquery.sql").queries
        for query, text in sql.items():
            logquery.prepare(query, ("my.logs", {"sql": text}))
        for peer in peers.values():
            of_peer = SqlFile(SQL / name / f"{peer.sql}.sql", folder=folder)
            run_steps(peer, of_peer.load, folder)
            for query, text in of_peer.queries.items():
                peer.prepare(query, text)
        file.unlink()

    def measure(self, repeat):
        self.logquery.serve(keeps_answers=False)
        cases = [Case(query, query, kinds) for query, kinds in self.kinds.items()]
        return measure(cases, {"logquery": self.logquery.run, **{name: peer.run for name, peer in self.peers.items()}}, repeat,
                       lambda: self.logquery.last_in_server)

    def sizes(self):
        return {"logquery": self.logquery.bytes_on_disk(), **{name: peer.bytes_on_disk() for name, peer in self.peers.items()}}
