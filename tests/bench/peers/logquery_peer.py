"""logquery as it ships: `logquery serve` in a process of its own, asked over HTTP on one connection that stays open."""
import json
import os
import pathlib
import re
import signal
import socket
import subprocess
import time
import urllib.parse


class Logquery:
    """A server over one data folder. Cold calls carry `Cache-Control: no-store`: neither caches nor kept answers are used."""

    def __init__(self, program, folder, threads, memory_mb, now=None):
        self._program, self.data, self._tokens = program, os.path.join(folder, "data"), os.path.join(folder, "tokens.json")
        self._folder = folder
        self._options = ["--engine-threads", str(threads), "--memory-limit", str(memory_mb), "--cluster", "0"]
        self._now = ["--now", now] if now else []
        self._server, self._socket, self._calls = None, None, {}
        self.last_in_server = 0.0  # milliseconds of the last call in the server, by its own account; the rest is HTTP
        os.makedirs(folder, exist_ok=True)
        self._token = self._new_token("--all-projects", "--may-ingest")

    def token_of(self, project):
        """A token for this project's rows alone, as a customer has; a server that runs must be started again for it."""
        return self._new_token("--project", project)

    def _new_token(self, *rights):
        return self.command("token", "create", "--tokens", self._tokens, "--may-bypass-cache", *rights).split("\n")[0]

    def version(self):
        return self.command("--version").strip()

    def command(self, *words):
        done = subprocess.run([self._program, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
        if done.returncode != 0:
            raise RuntimeError(f"logquery {' '.join(words)} ended with {done.returncode}: {done.stderr[-2000:]}")
        return done.stdout

    def load(self, files, schema=None):
        self.command("load", "--data", self.data, *(["--schema", schema] if schema else []), *files)

    def serve(self, keeps_answers, endpoints=None):
        """Starts the server, or another one in its place; `endpoints` is a folder of further definitions."""
        self.stop()
        log = pathlib.Path(self._folder, "server.log")
        with open(log, "wb") as output:
            self._server = subprocess.Popen(
                [self._program, "serve", "--data", self.data, "--tokens", self._tokens, "--listen", "127.0.0.1:0", "--ingest",
                 "--kept-answers", "64" if keeps_answers else "0", "--no-console", *self._options, *self._now,
                 *(["--endpoints", endpoints] if endpoints else [])], stdout=output, stderr=subprocess.STDOUT)
        end = time.monotonic() + 600
        while not (found := re.search(rb"listening on http://127\.0\.0\.1:(\d+)", log.read_bytes())):
            if time.monotonic() > end or self._server.poll() is not None:
                raise RuntimeError(f"logquery did not start: {log.read_text(encoding='utf-8')[-2000:]}")
            time.sleep(0.02)
        self._port = int(found[1])

    def prepare(self, name, call):
        """`call` is (endpoint, parameters); a text of a parameter may have {name} for a parameter of run()."""
        self._calls[name] = call

    def run(self, name, parameters, wants_rows, is_cold=True, token=None):
        """(milliseconds until the whole answer is read, its rows or None); without a token of a project, of all projects"""
        endpoint, fixed = self._calls[name]
        wanted = {key: re.sub(r"\{([a-z_]+)\}", lambda match: parameters[match[1]], text) for key, text in fixed.items()}
        path = f"/api/endpoints/query/{endpoint}?{urllib.parse.urlencode(wanted)}"
        request = f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nX-API-KEY: {token or self._token}\r\n" + (
            "Cache-Control: no-store\r\n" if is_cold else "") + "\r\n"
        self._connect()  # outside of what is timed, as for the other peers
        start = time.perf_counter()
        status, head, body = self._exchange(request.encode())
        milliseconds = (time.perf_counter() - start) * 1e3
        if status != 200:
            raise RuntimeError(f"{status} for {path}: {body[:2000].decode(errors='replace')}")
        self.last_in_server = sum(map(float, re.findall(r"\bdur=([\d.]+)", head)))
        rows = [list(row.values()) for row in json.loads(body)["result"]] if wants_rows else None
        return milliseconds, rows

    def send(self, source, events):
        """Rows are there for every later call when this returns."""
        body = json.dumps(events).encode()
        self._connect()
        status, _, answer = self._exchange(
            f"POST /api/logs?source_name={source} HTTP/1.1\r\nHost: 127.0.0.1\r\nX-API-KEY: {self._token}\r\n"
            f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n".encode() + body)
        if status != 200 or b"rejected" in answer:
            raise RuntimeError(f"{status} for rows of {source}: {answer[:2000].decode(errors='replace')}")

    def bytes_on_disk(self):
        """Returns the bytes of all tables, after the server has written the rows that it holds back."""
        self.stop()
        tables = json.loads(self.command("stats", "--data", self.data, "--format", "json"))["tables"]
        return sum(table["bytes_on_disk"] for table in tables)

    def stop(self):
        if self._socket:
            self._socket.close()
            self._socket = None
        if self._server:
            self._server.send_signal(signal.SIGTERM)
            self._server.wait(300)
            self._server = None

    close = stop

    def _connect(self):
        """A server closes a connection after some seconds without a request, and after some number of them."""
        if self._socket and not _is_closed(self._socket):
            return
        self._socket = socket.create_connection(("127.0.0.1", self._port))
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def _exchange(self, request):
        self._socket.sendall(request)
        data = bytearray()
        while (end := data.find(b"\r\n\r\n")) < 0:
            data += self._receive()
        head = data[:end].decode()
        length = int(re.search(r"(?i)^content-length: (\d+)", head, re.M)[1])
        missing = end + 4 + length - len(data)
        body = bytearray(length)
        body[:length - missing] = data[end + 4:]
        view = memoryview(body)[length - missing:]
        while missing > 0:
            count = self._socket.recv_into(view, missing)
            if count == 0:
                raise RuntimeError("logquery closed the connection within an answer")
            view, missing = view[count:], missing - count
        if re.search(r"(?i)^connection: close", head, re.M):
            self._socket.close()
            self._socket = None
        return int(head.split(" ", 2)[1]), head, bytes(body)

    def _receive(self):
        piece = self._socket.recv(1 << 18)
        if not piece:
            raise RuntimeError("logquery closed the connection")
        return piece


def _is_closed(connection):
    connection.setblocking(False)
    try:
        return connection.recv(1, socket.MSG_PEEK) == b""
    except BlockingIOError:
        return False
    except OSError:
        return True
    finally:
        connection.setblocking(True)
