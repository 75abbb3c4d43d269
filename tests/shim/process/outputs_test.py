#!/usr/bin/env python3
"""Stops, fills and closes each thing that a server writes to; it goes on answering and stops when asked.

    outputs_test.py LOGQUERY
"""
import fcntl
import json
import os
import pty
import signal
import socket
import subprocess
import termios

from served import LOGQUERY, Server, run

SUPERVISION = ([], ["--no-supervise"])


def check_answers(server, calls=40):
    for _ in range(calls):
        assert server.call()[0] == 200
    assert server.log_event("stored")[0] == 200
    assert server.request("GET", "/health")[0] == 200
    assert server.request("GET", "/ready", port=server.admin)[0] == 200


def check_end(server):
    server.signal()
    code = server.wait()
    assert code == 0, code


def full_pipe():
    """A pipe that holds 4 KiB and has them."""
    reading, writing = os.pipe()
    fcntl.fcntl(writing, fcntl.F_SETPIPE_SZ, 4096)
    os.set_blocking(writing, False)
    filled = 0
    try:
        while True:
            filled += os.write(writing, b"x" * 4096)
    except BlockingIOError:
        pass
    os.set_blocking(writing, True)
    return reading, writing, filled


def pipes_that_nobody_reads():
    """stdout and stderr are full pipes"""
    for options in SUPERVISION:
        reading, writing, _ = full_pipe()
        with Server(*options, stdout=writing, stderr=writing) as server:
            os.close(writing)
            check_answers(server)
            check_end(server)
        os.close(reading)


def reader_that_comes_back():
    """what was logged meanwhile is there when the pipe is read again, each line whole"""
    reading, writing, filled = full_pipe()
    with Server("--no-supervise", stderr=writing) as server:
        os.close(writing)
        check_answers(server)
        server.signal()
        with os.fdopen(reading, "rb") as pipe:
            assert len(pipe.read(filled)) == filled
            lines = [json.loads(line) for line in pipe]  # until the server has ended
        assert server.wait() == 0
        paths = [line.get("path") for line in lines]
        assert paths.count("/api/endpoints") == 40, paths
        assert lines[-1]["message"] == "stopped", lines[-1]


def stopped_terminal():
    """stdout and stderr are a terminal whose output is stopped (Ctrl-S)"""
    for options in SUPERVISION:
        master, terminal = pty.openpty()
        termios.tcflow(terminal, termios.TCOOFF)
        with Server(*options, stdout=terminal, stderr=terminal) as server:
            check_answers(server)
            check_end(server)
        os.close(master)
        os.close(terminal)


def slow_reader():
    """a reader that takes a few bytes at a time"""
    reading, writing, _ = full_pipe()
    with Server(stderr=writing) as server:
        os.close(writing)
        for _ in range(20):
            check_answers(server, 2)
            os.read(reading, 16)
        check_end(server)
    os.close(reading)


def full_device():
    """stderr is on a full disk; its lines are counted"""
    with open("/dev/full", "wb") as full, Server(stdout=full, stderr=full) as server:
        check_answers(server)
        assert server.metric("logquery_log_lines_dropped_total") >= 40
        check_end(server)


def reader_that_left():
    """nobody can read stderr any more"""
    reading, writing = os.pipe()
    os.close(reading)
    with Server(stdout=writing, stderr=writing) as server:
        os.close(writing)
        check_answers(server)
        check_end(server)


def closed_descriptors():
    """stdin, stdout and stderr are closed; no file of the folder takes their place"""
    def close_all():
        for fd in range(3):
            os.close(fd)
    for options in SUPERVISION:
        with Server(*options, before=close_all) as server:
            check_answers(server)
            check_end(server)
            assert b'"message":"request"' not in b"".join(
                path.read_bytes() for path in server.folder.rglob("*") if path.is_file()), "the log is in a file of the folder"


def collector_that_hangs():
    """the collector of traces accepts connections and never answers"""
    with socket.create_server(("127.0.0.1", 0)) as collector:
        url = f"http://127.0.0.1:{collector.getsockname()[1]}/v1/traces"
        with Server("--trace-to", url, "--trace-share", "1") as server:
            for _ in range(20):
                assert server.request("GET", "/api/endpoints/query/logs.all?project=abc", X_API_KEY=server.read)[0] == 200
            check_answers(server)
            check_end(server)


def clients_that_do_not_read():
    """clients that take no answer hold up no other one"""
    with Server("--max-connections", "8") as server:
        held = []
        for _ in range(6):
            client = socket.socket()
            client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            client.connect(("127.0.0.1", server.port))
            client.sendall((f"GET /api/openapi.json HTTP/1.1\r\nHost: t\r\nX-API-KEY: {server.read}\r\n\r\n" * 64).encode())
            held.append(client)
        check_answers(server, 4)
        for client in held:
            client.close()
        check_end(server)


def full_disk_of_a_command():
    """a command whose output can't be written fails; one whose reader has left is quiet"""
    with open("/dev/full", "wb") as full:
        ended = subprocess.run([LOGQUERY, "--version"], stdout=full, stderr=subprocess.PIPE, text=True)
    assert ended.returncode == 1, ended
    assert ended.stderr == "logquery: can't write standard output: No space left on device\n", ended
    reading, writing = os.pipe()
    os.close(reading)
    for restore in (True, False):  # the signal SIGPIPE ends the command, or is ignored
        ended = subprocess.run([LOGQUERY, "--version"], stdout=writing, stderr=subprocess.PIPE, text=True, restore_signals=restore)
        assert ended.returncode == (-signal.SIGPIPE if restore else 0), ended
        assert ended.stderr == "", ended
    os.close(writing)


run(pipes_that_nobody_reads, reader_that_comes_back, stopped_terminal, slow_reader, full_device, reader_that_left, closed_descriptors,
    collector_that_hangs, clients_that_do_not_read, full_disk_of_a_command)
