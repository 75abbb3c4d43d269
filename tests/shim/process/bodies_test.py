#!/usr/bin/env python3
"""Sends long bodies that the server refuses, from clients that write all before they read; each gets its answer.

    bodies_test.py LOGQUERY
"""
import http.client
import os
import pathlib
import shutil
import socket
import subprocess
import tempfile
import time

from served import PATIENCE, Server, run

MB = 1_000_000
SIZES = (2 * MB, 4 * MB, 8 * MB, 12 * MB)
LONGEST = 8 << 20  # that is taken whatever the server's limit of logs; beyond it a Content-Length alone may get a 413
LOGS = "/api/logs?source_name=edge_logs"
JSON = {"Content-Type": "application/json"}


def refusals(server):
    """Status, path, headers and the sizes of bodies that get it."""
    good = {"X-API-KEY": server.read, **JSON}
    return [
        (401, LOGS, {"X-API-KEY": "wrong", **JSON}, SIZES),
        (401, LOGS, JSON, SIZES),
        (403, LOGS, {"X-API-KEY": server.reader, **JSON}, SIZES),
        (404, "/api/nothing", good, SIZES),
        (404, "/api/logs?source_name=unknown", good, SIZES[:3]),
        (413, LOGS, good, (16 * MB, 24 * MB)),
        (413, "/api/endpoints/query/logs.all", good, SIZES),
        (415, LOGS, {"X-API-KEY": server.read, "Content-Type": "text/html"}, SIZES),
        (415, "/api/endpoints/query/logs.all", {"X-API-KEY": server.read, "Content-Type": "text/plain"}, SIZES),
        (431, LOGS, {**good, "Long": "x" * 9000}, SIZES),
    ]


def is_right(got, status, size):
    # Too many attempts with a wrong token are a 429.
    return got == status or (status == 401 and got == 429) or (size > LONGEST and got == 413)


def post(port, path, headers, body):
    """http.client sends the whole body before it reads."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
    try:
        connection.request("POST", path, body=body, headers=headers)
        return connection.getresponse().status
    finally:
        connection.close()


def post_in_chunks(port, path, headers, body):
    with socket.create_connection(("127.0.0.1", port), PATIENCE) as client:
        lines = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
        client.sendall(f"POST {path} HTTP/1.1\r\nHost: t\r\n{lines}Transfer-Encoding: chunked\r\n\r\n".encode())
        for at in range(0, len(body), 1 << 20):
            piece = body[at:at + (1 << 20)]
            client.sendall(b"%x\r\n%s\r\n" % (len(piece), piece))
        client.sendall(b"0\r\n\r\n")
        return int(client.makefile("rb").readline().split()[1])


def clients_that_write_first():
    """each refusal reaches clients that write first"""
    with Server() as server:
        for status, path, headers, sizes in refusals(server):
            for size in sizes:
                for send in (post, post_in_chunks):
                    got = send(server.port, path, headers, b" " * size)
                    assert is_right(got, status, size), (status, got, path, size, send.__name__)
        assert server.call()[0] == 200


def sends_beside_another(server, size):
    """Posts logs while the only place for requests with logs is taken."""
    with socket.create_connection(("127.0.0.1", server.port), PATIENCE) as other:
        other.sendall(f"POST {LOGS} HTTP/1.1\r\nHost: t\r\nX-API-KEY: {server.read}\r\nContent-Type: application/json\r\n"
                      "Content-Length: 1000\r\nExpect: 100-continue\r\n\r\n".encode())
        assert other.recv(12) == b"HTTP/1.1 100"
        return post(server.port, LOGS, {"X-API-KEY": server.read, **JSON}, b" " * size)


def without_room():
    """429 reaches them as well, while another client sends logs"""
    with Server("--max-connections", "4") as server:
        for size in SIZES[:3]:
            # The other one takes its place a moment after it was told to go on.
            while (status := sends_beside_another(server, size)) != 429:
                assert status == 400, status


def many_that_go_on():
    """clients that go on sending keep no thread"""
    with Server("--max-connections", "4") as server:
        clients = []
        for _ in range(24):
            client = socket.create_connection(("127.0.0.1", server.port), PATIENCE)
            client.sendall(b"POST /api/nothing HTTP/1.1\r\nHost: t\r\nContent-Length: 12000000\r\n\r\n")
            clients.append(client)
        for client in clients:
            status = int(client.makefile("rb").readline().split()[1])
            assert status == 503 or is_right(status, 404, 12 * MB), status  # 503: no place among 4 connections
        for client in clients[-4:]:
            try:
                client.sendall(b" " * MB)
            except OSError:
                pass  # it had no place, and was closed
        while (status := server.call()[0]) != 200:
            assert status == 503, status
        for client in clients:
            client.close()


def behind_nginx():
    """behind nginx with its defaults a refusal is no 502"""
    nginx = shutil.which("nginx", path=os.environ["PATH"] + ":/usr/sbin:/sbin")
    if nginx is None:
        print("(nginx is not installed)", end=" ")
        return
    work = pathlib.Path(tempfile.mkdtemp(prefix="logquery-nginx-"))
    with Server() as server, socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
        probe.close()
        temporary = "".join(f"{kind}_temp_path {work}/{kind};\n" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
        # nginx's workers give root's rights up, and could not write the bodies into our folder.
        user = "user root;\n" if os.geteuid() == 0 else ""
        (work / "nginx.conf").write_text(
            f"{user}daemon off;\npid {work}/pid;\nerror_log stderr;\nevents {{}}\nhttp {{\n{temporary}access_log off;\nserver {{\n"
            f"listen 127.0.0.1:{port};\nclient_max_body_size 64m;\nlocation / {{ proxy_pass http://127.0.0.1:{server.port}; }}\n}}\n}}\n",
            encoding="utf-8")
        proxy = subprocess.Popen([nginx, "-p", str(work), "-e", "stderr", "-c", str(work / "nginx.conf")], stderr=subprocess.DEVNULL)
        try:
            end = time.monotonic() + PATIENCE
            while True:
                try:
                    socket.create_connection(("127.0.0.1", port)).close()
                    break
                except OSError:
                    assert proxy.poll() is None and time.monotonic() < end, "nginx does not listen"
                    time.sleep(0.02)
            for status, path, headers, sizes in refusals(server):
                if status == 431:  # nginx refuses the head itself, with 400
                    continue
                for size in sizes[-2:]:
                    got = post(port, path, headers, b" " * size)
                    assert is_right(got, status, size), (status, got, path, size)
        finally:
            proxy.terminate()
            proxy.wait(PATIENCE)
            shutil.rmtree(work, ignore_errors=True)


run(clients_that_write_first, without_room, many_that_go_on, behind_nginx)
