#!/usr/bin/env python3
"""Requests that others reported of collectors and log services, sent to a server's process as they were.

    reported_test.py LOGQUERY
"""
import datetime
import gzip
import json
import os
import socket
import subprocess
import time
import urllib.parse

from served import LOGQUERY, PATIENCE, Server, run

JSON = "application/json"
LINES = "application/x-ndjson"
LOGS = "/api/logs?source_name=edge_logs"
NOW = datetime.datetime(2026, 1, 15, 9, tzinfo=datetime.timezone.utc)
NANOS = (int(NOW.timestamp()) - 60) * 1_000_000_000


class Ingest(Server):
    """Takes logs of all projects; `all` is a token that may teach fields, `plain` one that may not."""

    def __init__(self, *options, now=NOW.isoformat().replace("+00:00", "Z")):
        super().__init__("--now", now, *options, ready=False)
        self.all = self.token("--all-projects", "--may-ingest", "--may-learn")
        self.plain = self.token("--all-projects", "--may-ingest")
        self.until_ready()
        end = time.monotonic() + PATIENCE
        while self.request("GET", "/api/endpoints", X_API_KEY=self.plain)[0] != 200:  # the file is read again when it changes
            assert time.monotonic() < end, "the server does not learn of a token"
            time.sleep(0.05)

    def post(self, path, body, kind=JSON, token=None, **headers):
        if not isinstance(body, (bytes, str)):
            body = json.dumps(body)
        body = body.encode() if isinstance(body, str) else body
        return self.request("POST", path, body=body, X_API_KEY=token or self.all, Content_Type=kind, **headers)

    def rows(self, sql, project="abc"):
        query = urllib.parse.urlencode({"project": project, "project_tier": "ENTERPRISE", "sql": sql})
        status, text = self.request("GET", "/api/endpoints/query/logs.all?" + query, X_API_KEY=self.all)
        assert status == 200, text
        return json.loads(text)["result"]

    def messages(self, log="edge_logs", project="abc"):
        return [row["m"] for row in self.rows(f"select event_message m from {log} order by 1", project)]

    def refused_bytes(self):
        files = (self.folder / "data" / "rejected").glob("*.ndjson")
        return sum(path.stat().st_size for path in files if ".reasons." not in path.name)


def one_bad_text():
    """one bad text of a batch loses its own event, in each form of body"""
    texts = {
        b'"NAME b \\ud83d"': True, b'"NAME b \x1d"': False, b'"NAME b \xe9"': False, b'"NAME b \xff\xfe"': False,
        b'"NAME b","n":NaN': False, b'"NAME b","deep":' + b"[" * 1201 + b"]" * 1201: False,
    }
    forms = {
        "array": lambda events: b"[" + b",".join(events) + b"]", "batch": lambda events: b'{"batch":[' + b",".join(events) + b"]}",
        "lines": b"\n".join, "lines of batches": lambda events: b"\n".join(b'{"batch":[' + event + b"]}" for event in events),
    }
    ways = [*((path, form) for path in ("/api/logs", "/api/logs/vector") for form in forms),
            *((path, "array") for path in ("/logs", "/api/events", "/api/logs/json"))]
    number = 0
    with Ingest() as server:
        for text, is_stored in texts.items():
            for path, form in ways:
                number += 1
                name = f"n{number}."
                events = [b'{"message":' + each + b',"project":"abc"}' for each in (b'"NAME a"', text, b'"NAME c"')]
                body = forms[form]([event.replace(b"NAME", name.encode()) for event in events])
                before = server.refused_bytes()
                status, answer = server.post(path + "?source_name=edge_logs", body, LINES if "lines" in form else JSON)
                case = (text[:40], path, form, answer)
                assert status == 200, case
                assert is_stored or '"rejected":[{"index":1,' in answer, case
                assert is_stored == (server.refused_bytes() == before), case
                stored = server.rows(f"select event_message from edge_logs where strpos(event_message, '{name}') > 0")
                assert len(stored) == (3 if is_stored else 2), (case, stored)


def slow_and_large():
    """10 MB at once, and 1 MB at 100 KB a second: nothing is lost but the bad event"""
    good = b'{"message":"' + b"x" * 950 + b'","project":"abc"}'
    bad = b'{"message":"\x01","project":"abc"}'

    def batch(half):
        return b"[" + b",".join([good] * half + [bad] + [good] * half) + b"]"
    with Ingest() as server:
        status, answer = server.post(LOGS, batch(5_200))
        assert status == 200 and '"rejected":[{"index":5200,' in answer, answer
        assert server.rows("select count(*) n from edge_logs") == [{"n": 10_400}]
        body = batch(500)
        with socket.create_connection(("127.0.0.1", server.port), PATIENCE) as client:
            client.sendall(f"POST {LOGS} HTTP/1.1\r\nHost: t\r\nX-API-KEY: {server.all}\r\nContent-Type: {JSON}\r\n"
                           f"Content-Length: {len(body)}\r\n\r\n".encode())
            for at in range(0, len(body), 10_000):
                client.sendall(body[at:at + 10_000])
                time.sleep(0.1)
            line = client.makefile("rb").readline()
        assert line.split()[1] == b"200", line
        assert server.rows("select count(*) n from edge_logs") == [{"n": 11_400}]


def otlp_of_other_shapes():
    """OTLP of shapes that are clear is stored, and others are told of"""
    clear = [
        '{"resource_logs":[{"scope_logs":[{"log_records":[{"time_unix_nano":"%d","body":{"string_value":"shape"}}]}]}]}',
        '{"resourceLogs":{"scopeLogs":{"logRecords":{"timeUnixNano":"%d","body":{"stringValue":"shape"}}}}}',
        '{"resourceLogs":[{"scopeLogs":[{"logRecords":[{"timeUnixNano":%d,"body":"shape","attributes":{"k":1}}]}]}]}',
    ]
    with Ingest() as server:
        token = server.token("--project", "abc", "--may-ingest")
        end = time.monotonic() + PATIENCE
        while server.post("/v1/logs", "{}", token=token, X_Source="auth_logs")[0] != 200:
            assert time.monotonic() < end
        for body in clear:
            answer = server.post("/v1/logs", body % NANOS, token=token, X_Source="auth_logs")
            assert answer == (200, '{"partialSuccess":{}}'), (body, answer)
        for body in ('{"resourceSpans":[]}', '{"a":1}'):
            status, answer = server.post("/v1/logs", body, token=token, X_Source="auth_logs")
            assert status == 200 and '"rejectedLogRecords":"1"' in answer and "resourceLogs" in answer, answer
        assert server.messages("auth_logs") == ["shape"] * 3


def project_of_the_resource():
    """a resource's project, and Vector's, reach logs that have it in their metadata"""
    record = {"timeUnixNano": str(NANOS), "body": {"stringValue": "by otlp"}}
    resource = {"attributes": [{"key": "project", "value": {"stringValue": "m"}}]}
    with Ingest() as server:
        for log in ("function_logs", "function_edge_logs", "realtime_logs", "storage_logs", "edge_logs", "auth_logs"):
            body = {"resourceLogs": [{"resource": resource, "scopeLogs": [{"logRecords": [record]}]}]}
            assert server.post("/v1/logs", body, X_Source=log)[0] == 200
            event = {"message": "by vector", "project": "m", "timestamp": NANOS // 1000}
            assert server.post(f"/api/logs/vector?source_name={log}", [event])[0] == 200
            assert server.messages(log, "m") == ["by otlp", "by vector"], log


def forms_of_times():
    """times as BigQuery, Logpush and programs write them, over HTTP and in files"""
    exact = 1722265034415002
    forms = {
        '"2024-07-29 14:57:14.415002 UTC"': exact, '"2024-07-29 14:57:14 UTC"': exact - 415002, '"2024-07-29 14:57:14.415002"': exact,
        '"2024-07-29T22:57:14.415002+08:00"': exact, '"2024-07-29T22:57:14.415002+0800"': exact, '"2024-07-29T22:57:14.415002+08"': exact,
        '"2024-07-29t14:57:14.415002z"': exact, '"2024-07-29T14:57:14,415002Z"': exact, '"2024-07-29T14:57:14.415002123Z"': exact,
        '"2024-07-29T14:56:60Z"': exact - 14415002, "1722265034415002": exact, '"1722265034415002"': exact,
    }
    any_unit = {'"1722265034.415"': exact - 2, '"1722265034415"': exact - 2, '"1722265034415002123"': exact, "1722265034.415": exact - 2}
    with Ingest(now="2024-07-29T16:00:00Z") as server:
        events = [f'{{"timestamp":{form},"message":"{index:02}","project":"abc"}}' for index, form in enumerate([*forms, *any_unit])]
        status, answer = server.post(LOGS, "[" + ",".join(events) + "]")
        assert (status, answer) == (200, '{"message":"Logged!"}'), answer
        line = '{"EdgeStartTimestamp":1722265034415002123,"ClientRequestPath":"/","project":"abc"}'
        assert server.post("/logs/cloudflare?source_name=edge_logs", line, LINES)[0] == 200
        read = "select timestamp t, event_message m from %s order by m"
        got = server.rows(read % "edge_logs")
        assert [row["t"] for row in got] == [*forms.values(), *any_unit.values(), exact], got
        assert got[-1]["m"] == line
        file = server.folder / "auth_logs.ndjson"
        file.write_text("\n".join(events[:len(forms)]).replace('"message"', '"event_message"'), encoding="utf-8")
        subprocess.run([LOGQUERY, "load", "--data", server.folder / "data", file], check=True, capture_output=True)
        assert [row["t"] for row in server.rows(read % "auth_logs")] == list(forms.values())


def names_and_values_of_any_kind():
    """keys that differ in case, odd names and values that change their type reject no event"""
    values = ["1", '"one"', '{"a":1}', "[1]", "true", "null", "1.5", "9223372036854775808", "1e400", "-0", "1" * 30, "5e-324"]
    names = ["a-b", "a.b", "a b", "", "_PARTITIONTIME", "😀", "x" * 300, "x" * 301, "a\x01b", "é", "e\u0301", "select", "1a", "a\\b",
             "a?b", "a`b", 'a"b', "a'b", "a\nb", "$t", "@x"]
    cases = [{"metadata": {"h": {"Host": "a", "host": "b"}}}, {"x": [{"A": 1, "a": 2}]}, {"Foo": 1, "foo": 2}]
    with Ingest() as server:
        assert server.post(LOGS, '[{"message":"a\\u0000b","project":"abc","metadata":{"nul":"c\\u0000d"}}]')[0] == 200
        nul = "select event_message m, x.nul n from edge_logs cross join unnest(metadata) x where x.nul is not null"
        assert server.rows(nul) == [{"m": "a\0b", "n": "c\0d"}]
        sent = 1
        for token in (server.all, server.plain):
            events = [json.dumps({"message": "m", "project": "abc", **case}) for case in [*cases, *({"metadata": {name: "v"}} for name in names)]]
            events += [f'{{"message":"m","project":"abc","metadata":{{"flap":{value}}}}}' for value in values]
            for path in ("/api/logs", "/api/logs/json", "/api/logs/vector"):
                status, answer = server.post(path + "?source_name=edge_logs", "\n".join(events), LINES, token=token)
                assert status == 200 and "rejected" not in answer, (path, answer)
                sent += len(events)
        assert server.rows("select count(*) n from edge_logs") == [{"n": sent}]


def refused_batch_again():
    """a batch of bad events that a client repeats is kept once"""
    with Ingest() as server:
        sizes = set()
        for _ in range(5):
            status, answer = server.post(LOGS, '[{"message":"bad","timestamp":"yesterday"},{"message":"\x01"}]')
            assert status == 400, answer
            sizes.add(server.refused_bytes())
        assert len(sizes) == 1 and 0 not in sizes, sizes


def sources_of_like_names():
    """sources whose names a query cannot tell apart never share a log"""
    with Ingest("--new-sources", "9") as server:
        assert server.post("/api/logs?source_name=my-app", [{"message": "x", "project": "abc"}])[0] == 200
        for name in ("my_app", "my.app", "My-App"):
            status, answer = server.post(f"/api/logs?source_name={name}", [{"message": "x", "project": "abc"}])
            assert status == 404 and "my-app" in answer, answer


def packed_bodies():
    """gzip in members, with an empty one and with zeros behind them, is read to its end"""
    lines = [b'{"message":"%d","project":"abc"}\n' % i for i in range(4)]
    body = gzip.compress(lines[0] + lines[1][:9]) + gzip.compress(lines[1][9:]) + gzip.compress(b"") + gzip.compress(lines[2] + lines[3])
    with Ingest() as server:
        for padding in (b"", b"\0" * 512):
            status, answer = server.post(LOGS, body + padding, LINES, Content_Encoding="gzip")
            assert status == 200, answer
        assert server.messages() == sorted(list("0123") * 2)
        for spoilt in (body[:-3], body + b"\0\0x"):
            status, answer = server.post(LOGS, spoilt, LINES, Content_Encoding="gzip")
            assert status == 400 and "gzip" in answer, answer
        assert len(server.messages()) == 8


def odd_forms_of_http():
    """chunks of a byte with extensions and trailers are a body; no length, or two, is a 400"""
    body = b'[{"message":"http","project":"abc"}]'
    chunks = b"".join(b"1;a=b\r\n%c\r\n" % byte for byte in body)
    with Ingest() as server:
        head = f"POST {LOGS} HTTP/1.1\r\nHost: t\r\nX-API-KEY: {server.all}\r\nContent-Type: {JSON}\r\n".encode()
        chunked = b"Transfer-Encoding: chunked\r\n"
        cases = [(200, chunked + b"\r\n" + chunks + b"0\r\n\r\n"), (200, chunked + b"\r\n" + chunks + b"0\r\nX: y\r\n\r\n"), (400, b"\r\n" + body),
                 (400, b"Content-Length: 36\r\n" + chunked + b"\r\n" + chunks + b"0\r\n\r\n"),
                 (400, b"Content-Length: 36\r\nContent-Length: 37\r\n\r\n" + body)]
        for status, rest in cases:
            with socket.create_connection(("127.0.0.1", server.port), PATIENCE) as client:
                client.sendall(head + rest)
                got = client.makefile("rb").readline()
            assert int(got.split()[1]) == status, (got, rest[:60])
        assert server.messages() == ["http"] * 2


def strange_environments():
    """commands answer without HOME, with a locale, a zone and a folder for temporary files that are not there"""
    with Ingest() as server:
        event = {"message": "x", "project": "abc", "timestamp": NANOS // 1000}
        assert server.post(LOGS, [event])[0] == 200
        for variables in ({}, {"LC_ALL": "xx_YY.bad"}, {"TZ": "Nowhere/Land"},
                          {"TMPDIR": "/nowhere"}, {"LANG": "tr_TR.UTF-8"}, {"TZ": "America/St_Johns"}):
            command = [LOGQUERY, "run", "--data", server.folder / "data", "logs.all", "project=abc"]
            kept = {name: os.environ[name] for name in os.environ if name.endswith("SAN_OPTIONS")}
            done = subprocess.run(command, env={**kept, **variables}, capture_output=True, text=True, check=False)
            assert done.returncode == 0 and '"event_message":"x"' in done.stdout, (variables, done)


run(one_bad_text, slow_and_large, otlp_of_other_shapes, project_of_the_resource, forms_of_times, names_and_values_of_any_kind, refused_batch_again,
    sources_of_like_names, packed_bodies, odd_forms_of_http, strange_environments)
