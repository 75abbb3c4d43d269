"""A server as it runs, for tests with real processes, sockets, pipes and terminals."""
import http.client
import json
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

LOGQUERY = sys.argv[1]
# A bound on what must not hang; a slow machine is far from it.
PATIENCE = 120


class Server:
    """Listens on sockets that this process opens and hands over, so the ports are known before it prints them."""

    def __init__(self, *options, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, wrapper=(), ready=True, before=None, owner=None):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="logquery-process-"))
        (self.folder / "data").mkdir()
        self.read = self.token("--all-projects", "--may-ingest", "edge_logs")
        self.reader = self.token("--project", "abc")
        if owner is not None:
            for path in [self.folder, *self.folder.rglob("*")]:
                os.chown(path, owner, owner)
        self.sockets = [socket.create_server(("127.0.0.1", 0), backlog=4096) for _ in range(2)]
        self.port, self.admin = (s.getsockname()[1] for s in self.sockets)
        self.process = subprocess.Popen(
            ["sh", "-c", 'export LISTEN_PID=$$; exec "$@"', "sh", *wrapper, LOGQUERY, "serve", "--data", self.folder / "data",
             "--tokens", self.folder / "tokens.json", "--admin", "127.0.0.1:0", "--ingest", *options],
            stdin=subprocess.DEVNULL, stdout=stdout, stderr=stderr, preexec_fn=lambda: self.hand_over(before), close_fds=False,
            env={**os.environ, "LISTEN_FDS": "2", "LISTEN_FDNAMES": "listen:admin"})
        for s in self.sockets:
            s.close()  # the server's now
        if ready:
            self.until_ready()

    def hand_over(self, before):
        kept = [os.dup(s.fileno()) for s in self.sockets]
        kept = [os.dup2(fd, 100 + i) for i, fd in enumerate(kept)]
        for i, fd in enumerate(kept):
            os.dup2(fd, 3 + i)  # dup2's copies are inherited
        os.closerange(5, 4096)
        if before is not None:
            before()

    def token(self, *rights):
        made = subprocess.run([LOGQUERY, "token", "create", "--tokens", self.folder / "tokens.json", *rights],
                              check=True, capture_output=True, text=True)
        return made.stdout.strip()

    def until_ready(self):
        end = time.monotonic() + PATIENCE
        while True:
            try:
                if self.request("GET", "/ready")[0] == 200:
                    return
            except (OSError, http.client.HTTPException):
                pass
            assert self.process.poll() is None, f"the server ended with {self.process.returncode}"
            assert time.monotonic() < end, "the server does not answer"
            time.sleep(0.02)

    def request(self, method, path, body=None, port=None, **headers):
        connection = http.client.HTTPConnection("127.0.0.1", port or self.port, timeout=PATIENCE)
        try:
            connection.request(method, path, body=body, headers={k.replace("_", "-"): v for k, v in headers.items()})
            answer = connection.getresponse()
            return answer.status, answer.read().decode()
        finally:
            connection.close()

    def call(self, token=None):
        return self.request("GET", "/api/endpoints", X_API_KEY=token or self.read)

    def log_event(self, text):
        event = json.dumps([{"event_message": text, "metadata": [{"project": "abc"}]}])
        return self.request("POST", "/api/logs?source_name=edge_logs", body=event, X_API_KEY=self.read, Content_Type="application/json")

    def metric(self, name):
        status, text = self.request("GET", "/metrics", port=self.admin)
        assert status == 200, status
        return float(next(line.split()[1] for line in text.splitlines() if line.startswith(name + " ")))

    def signal(self, number=signal.SIGTERM):
        self.process.send_signal(number)

    def wait(self):
        return self.process.wait(PATIENCE)

    def close(self):
        if self.process.poll() is None:
            self.process.kill()  # the supervised process ends with it
            self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


def run(*cases):
    """Runs functions one after another; each raises on failure."""
    for case in cases:
        began = time.monotonic()
        print(f"{case.__doc__ or case.__name__}", end=" … ", flush=True)
        case()
        print(f"{time.monotonic() - began:.1f} s", flush=True)
