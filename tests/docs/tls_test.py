#!/usr/bin/env python3
"""Runs the proxies of docs/tls.md, configured by the page's own blocks, in front of a server.

    tls_test.py LOGQUERY PAGE nginx|caddy

Only addresses, paths and the certificate change: a test has no domain. Exits with 77 where the proxy is not installed.
"""
import http.client
import os
import pathlib
import re
import shutil
import signal
import socket
import ssl
import subprocess
import sys
import tempfile
import time

LOGQUERY, PAGE, PROXY = sys.argv[1:4]
ENVIRONMENT = {**os.environ, "PATH": os.environ["PATH"] + ":/usr/sbin:/sbin"}


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def block(language):
    found = re.search(rf"^```{language}\n(.*?)^```", pathlib.Path(PAGE).read_text(encoding="utf-8"), re.S | re.M)
    assert found is not None, f"{PAGE} has no block of {language}"
    return found[1]


def replaced(text, pairs):
    for old, new in pairs:
        assert old in text, f"the page's configuration has no {old}"
        text = text.replace(old, new)
    return text


def nginx_configuration(work, server, port):
    conf = replaced(block("nginx"), [
        ("127.0.0.1:4000", f"127.0.0.1:{server}"), ("listen 443 ssl", f"listen 127.0.0.1:{port} ssl"),
        ("/etc/letsencrypt/live/logs.example.org/fullchain.pem", f"{work}/certificate.pem"),
        ("/etc/letsencrypt/live/logs.example.org/privkey.pem", f"{work}/key.pem"), ("/var/log/nginx", str(work))])
    temporary = "".join(f"{kind}_temp_path {work}/{kind};\n" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
    file = work / "nginx.conf"
    file.write_text(f"daemon off;\npid {work}/pid;\nerror_log stderr;\nevents {{}}\nhttp {{\n{temporary}{conf}}}\n", encoding="utf-8")
    return ["nginx", "-p", str(work), "-e", "stderr", "-c", str(file)]


def caddy_configuration(work, server, port):
    conf = replaced(block("caddy"), [("127.0.0.1:4000", f"127.0.0.1:{server}"), ("logs.example.org {", f"""{{
    admin off
    auto_https disable_redirects
    storage file_system {work}/caddy
}}
https://logs.example.org:{port} {{
    bind 127.0.0.1
    tls {work}/certificate.pem {work}/key.pem""")])
    file = work / "Caddyfile"
    file.write_text(conf, encoding="utf-8")
    return ["caddy", "run", "--config", str(file), "--adapter", "caddyfile"]


def request(port, certificate, path, headers):
    context = ssl.create_default_context(cafile=certificate)
    with socket.create_connection(("127.0.0.1", port), 10) as plain, context.wrap_socket(plain, server_hostname="logs.example.org") as secure:
        connection = http.client.HTTPSConnection("logs.example.org", context=context)
        connection.sock = secure
        connection.request("GET", path, headers=headers)
        answer = connection.getresponse()
        return answer.status, dict(answer.getheaders()), answer.read().decode()


def until(what, look):
    end = time.monotonic() + 30
    problem = None
    while time.monotonic() < end:
        try:
            return look()
        except (OSError, AssertionError) as error:
            problem = error
        time.sleep(0.02)
    raise AssertionError(f"waited for {what} in vain: {problem}")


def check(port, certificate, token, log):
    ready = lambda: request(port, certificate, "/ready", {})
    status, headers, _ = until("the proxy", ready)
    assert status == 200, status
    assert headers["Strict-Transport-Security"] == "max-age=31536000", headers
    long_sql = "select%201%20as%20n%20--" + "x" * 20000
    status, _, body = request(port, certificate, f"/api/endpoints/query/logs.all?project=abc&sql={long_sql}", {"X-API-KEY": token})
    assert (status, body) == (200, '{"result":[{"n":1}]}'), (status, body[:300])
    # Wrong tokens count for the address that the proxy sees, regardless of the client's own headers.
    statuses = {request(port, certificate, "/api/endpoints", {"X-API-KEY": f"lq_wrong{n}", "X-Forwarded-For": f"192.0.2.{n}"})[0]
                for n in range(12)}
    assert statuses == {401, 429}, statuses
    if log is not None:
        assert "select" not in log.read_text(encoding="utf-8"), "the proxy's log has a caller's SQL"


def main():
    if shutil.which(PROXY, path=ENVIRONMENT["PATH"]) is None:
        print(f"skipped: {PROXY} is not installed")
        return 77
    work = pathlib.Path(tempfile.mkdtemp(prefix="logquery-tls-"))
    running = []
    try:
        subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2", "-subj",
                        "/CN=logs.example.org", "-addext", "subjectAltName=DNS:logs.example.org", "-keyout", work / "key.pem", "-out",
                        work / "certificate.pem"], check=True, capture_output=True)
        tokens = ["--tokens", str(work / "tokens.json")]
        token = subprocess.run([LOGQUERY, "token", "create", "--all-projects", *tokens], check=True, capture_output=True, text=True).stdout.strip()
        (work / "data").mkdir()
        server = subprocess.Popen([LOGQUERY, "serve", "--data", work / "data", "--listen", "127.0.0.1:0", "--trust-forwarded-for", *tokens],
                                  stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        running.append(server)
        server_port = int(re.search(r":(\d+)/", server.stdout.readline())[1])
        port = free_port()
        command = (nginx_configuration if PROXY == "nginx" else caddy_configuration)(work, server_port, port)
        running.append(subprocess.Popen(command, env={**ENVIRONMENT, "HOME": str(work)}, stderr=open(work / "proxy.log", "w", encoding="utf-8")))
        check(port, work / "certificate.pem", token, work / "logquery.log" if PROXY == "nginx" else None)
        print(f"{PROXY} passes requests on, as docs/tls.md configures it")
        return 0
    finally:
        for process in reversed(running):
            process.send_signal(signal.SIGTERM)
            process.wait(30)
        if sys.exc_info()[0] is not None and (work / "proxy.log").exists():
            print((work / "proxy.log").read_text(encoding="utf-8")[-3000:])
        shutil.rmtree(work, ignore_errors=True)


sys.exit(main())
