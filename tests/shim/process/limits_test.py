#!/usr/bin/env python3
"""Runs servers with few descriptors and few threads: they say what is missing, answer, and stop when asked.

    limits_test.py LOGQUERY
"""
import os
import resource
import socket
import subprocess

from served import LOGQUERY, PATIENCE, Server, run


# Somebody who runs nothing else: a limit of threads counts all of a user's, and root has none.
USER = 200_000 + os.getpid() % 100_000


class Logged(Server):
    """Its log is in a file of its own folder."""

    def __init__(self, *options, **rest):
        reading, self.writing = os.pipe()
        self.pipe = os.fdopen(reading, "r", encoding="utf-8")
        super().__init__(*options, stderr=self.writing, **rest)
        os.close(self.writing)

    def await_line(self, text):
        for line in self.pipe:
            if text in line:
                return line
        raise AssertionError(f"the log does not say: {text}")


def few_descriptors():
    """1,500 half-open connections under 1,024 descriptors end neither /health nor the admin listener"""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 4096), hard))
    with Logged(before=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (256, 1024))) as server:
        line = server.await_line("the process may open 1024 files")
        assert "--max-connections 206" in line, line
        half = []
        for begin in (b"GET / HTTP/1.1\r\nHos", b""):
            for _ in range(1500 if begin else 300):
                client = socket.create_connection(("127.0.0.1", server.port), PATIENCE)
                try:
                    client.sendall(begin)
                except OSError:
                    pass  # it was closed for a later one
                half.append(client)
            for port in (server.port, server.admin):
                assert server.request("GET", "/health", port=port)[0] == 200
            assert server.call()[0] == 200
            assert server.log_event("stored")[0] == 200
        for client in half:
            client.close()
        server.signal()
        assert server.wait() == 0
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def too_few_descriptors():
    """under 64 descriptors a server says that it needs more"""
    with Logged(ready=False, before=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (64, 64))) as server:
        server.await_line("raise the limit (ulimit -n")
        assert server.wait() != 0


def limited(count):
    return ("setpriv", f"--reuid={USER}", f"--regid={USER}", "--clear-groups", "prlimit", f"--nproc={count}:{count}", "--")


def can_limit():
    if os.geteuid() != 0:
        return False
    tried = subprocess.run([*limited(8), LOGQUERY, "--version"], cwd="/", stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    return tried.returncode == 0


def few_threads():
    """with few threads queries run, more than there are threads for wait, and SIGTERM ends the server"""
    for count in (48, 56):
        with Logged("--query-threads", "16", wrapper=limited(count), owner=USER) as server:
            line = server.await_line("more threads")
            assert "ulimit -u is" in line, line
            held = [socket.create_connection(("127.0.0.1", server.port), PATIENCE) for _ in range(60)]
            call = f"GET /api/endpoints/query/logs.all?project=abc HTTP/1.1\r\nHost: t\r\nX-API-KEY: {server.read}\r\n\r\n"
            for client in held:
                client.sendall(call.encode())
            for client in held:
                answer = client.makefile("rb")
                line = answer.readline()
                assert line.split()[1] == b"200", (count, line, answer.read(2000))
            assert server.log_event("stored")[0] == 200
            for port in (server.port, server.admin):
                assert server.request("GET", "/ready", port=port)[0] == 200
            server.signal()
            code = server.wait()
            assert code == 0, (count, code, server.pipe.read())


def too_few_threads():
    """with 12 threads a server says that it needs more"""
    with Logged(wrapper=limited(12), owner=USER, ready=False) as server:
        server.await_line("raise the limit (ulimit -u is 12")
        assert server.wait() != 0


run(few_descriptors, too_few_descriptors, *([few_threads, too_few_threads] if can_limit() else []))
