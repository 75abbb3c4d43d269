#!/usr/bin/env python3
"""Reads examples/supabase and docs/tutorial_supabase.md, and runs of both what runs without Docker.

usage: supabase_example_test.py LOGQUERY

The compose file is merged with a stack's service as Docker Compose does it. The page's commands run in a folder like the stack's, and
those for the container against a server with the compose file's variables. Exit code 77: there is no YAML reader.
"""
import json
import os
import pathlib
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest
import urllib.error
import urllib.parse
import urllib.request

try:
    import yaml
except ImportError:
    print("skipped: python3-yaml is not installed")
    sys.exit(77)

ROOT = pathlib.Path(__file__).resolve().parents[2]
EXAMPLE = ROOT / "examples/supabase"
PAGE = ROOT / "docs/tutorial_supabase.md"
PROGRAM = ""
CONTAINER = "supabase-analytics"
IMAGE = "logquery:latest"
# The service's entry in the stack's own file, reduced to the names that matter here.
STACK_SERVICE = {
    "container_name": CONTAINER,
    "image": "supabase/logflare:1",
    "restart": "unless-stopped",
    "healthcheck": {"test": ["CMD-SHELL", "curl http://localhost:4000/health"], "interval": "5s", "start_period": "30s"},
    "depends_on": {"db": {"condition": "service_healthy"}},
    "environment": {"DB_HOSTNAME": "db", "LOGFLARE_SINGLE_TENANT": "true", "LOGFLARE_PUBLIC_ACCESS_TOKEN": "…"},
    "volumes": ["./gcloud.json:/opt/app/rel/logflare/bin/gcloud.json:ro,z"],
}
REPLACED_LISTS = {"test", "entrypoint", "command"}


class Reset:
    pass


class Override:
    def __init__(self, value):
        self.value = value


class Loader(yaml.SafeLoader):
    pass


def read_node(loader, node):
    if isinstance(node, yaml.MappingNode):
        return loader.construct_mapping(node, deep=True)
    return loader.construct_sequence(node, deep=True) if isinstance(node, yaml.SequenceNode) else loader.construct_scalar(node)


Loader.add_constructor("!reset", lambda loader, node: Reset())
Loader.add_constructor("!override", lambda loader, node: Override(read_node(loader, node)))


def merged(old, new, key=""):
    """Merges a file into those before it, as Docker Compose does."""
    if isinstance(new, Override):
        return new.value
    if isinstance(old, dict) and isinstance(new, dict):
        result = dict(old)
        for name, value in new.items():
            if isinstance(value, Reset):
                result.pop(name, None)
            else:
                result[name] = merged(old.get(name), value, name)
        return result
    if isinstance(old, list) and isinstance(new, list) and key not in REPLACED_LISTS:
        return old + new
    return new


def compose():
    return yaml.load((EXAMPLE / "docker-compose.logquery.yml").read_text(encoding="utf-8"), Loader)


def service():
    return merged(STACK_SERVICE, compose()["services"]["analytics"])


def page_commands():
    """The commands of the page's console blocks, in order; one that a backslash continues is one."""
    blocks = re.findall(r"^```console\n(.*?)^```", PAGE.read_text(encoding="utf-8"), re.S | re.M)
    lines = "".join(blocks).replace("\\\n", " ").splitlines()
    return [re.sub(r"\s{2,}#.*", "", line).strip() for line in lines if line.strip()]


class Server:
    """A server with the environment that the service has, but for paths and the address."""

    def __init__(self, data, public, private, endpoints=EXAMPLE / "endpoints", **more):
        known = {"LOGQUERY_DATA": data, "LOGQUERY_LISTEN": "127.0.0.1:0", "LOGQUERY_ENDPOINTS": endpoints,
                 "LOGFLARE_PUBLIC_ACCESS_TOKEN": public, "LOGFLARE_PRIVATE_ACCESS_TOKEN": private}
        environment = {name: str(known.get(name, value)) for name, value in service()["environment"].items()}
        self.log = open(pathlib.Path(data).parent / "log", "w+", encoding="utf-8")
        self.process = subprocess.Popen([PROGRAM, "serve"], env={"PATH": os.environ["PATH"], **environment, **more}, cwd="/",
                                        stdout=subprocess.PIPE, stderr=self.log, text=True)
        self.printed = self.process.stdout.readline()
        assert self.printed.startswith("listening on http://"), self.text()
        self.url = self.printed.split()[-1].rstrip("/")
        self.public, self.private = public, private

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(timeout=120)
        self.process.stdout.close()
        self.log.close()

    def text(self):
        if not self.log.closed:
            self.log.flush()
        return pathlib.Path(self.log.name).read_text(encoding="utf-8")

    def request(self, path, token="", body=None):
        headers = {"Content-Type": "application/json", **({"x-api-key": token} if token else {})}
        try:
            with urllib.request.urlopen(urllib.request.Request(self.url + path, body, headers), timeout=120) as answer:
                return answer.status, json.load(answer)
        except urllib.error.HTTPError as error:
            return error.code, json.load(error)

    def send(self, source, event, token=None, more=""):
        return self.request(f"/api/logs?source_name={source}{more}", self.public if token is None else token,
                            json.dumps([event]).encode())

    def ask(self, endpoint, **parameters):
        return self.request(f"/api/endpoints/query/{endpoint}?{urllib.parse.urlencode(parameters)}", self.private)


PUBLIC = "f2b1c9d07a5e4836a1f0c5a7e9d3b4628c0d"
PRIVATE = "07d9e3b4628c0df2b1c9a5e4836a1f0c5a7e"


class SupabaseExampleTest(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="logquery-supabase-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def data(self):
        path = self.folder / "data"
        path.mkdir(exist_ok=True)
        return path

    def test_the_file_replaces_what_is_logflares_and_leaves_the_rest(self):
        self.assertEqual(set(compose()), {"services"})
        self.assertEqual(set(compose()["services"]), {"analytics"})
        result = service()
        self.assertEqual(result["image"], "${LOGQUERY_IMAGE:-logquery:latest}")
        self.assertEqual((result["container_name"], result["restart"]), (CONTAINER, "unless-stopped"))
        self.assertNotIn("depends_on", result)
        for name in result["environment"]:
            self.assertRegex(name, r"^LOGQUERY_|^LOGFLARE_(PUBLIC|PRIVATE)_ACCESS_TOKEN$")
        self.assertFalse([volume for volume in result["volumes"] if "logflare" in volume])
        self.assertEqual(result["healthcheck"]["test"][0], "CMD")
        self.assertEqual(result["healthcheck"]["start_period"], "30s")
        self.assertNotIn("ports", result)

    def test_each_setting_is_known_also_those_in_comments(self):
        keys = subprocess.run([PROGRAM, "config", "keys"], capture_output=True, text=True, check=True).stdout
        text = (EXAMPLE / "docker-compose.logquery.yml").read_text(encoding="utf-8") + PAGE.read_text(encoding="utf-8")
        names = set(re.findall(r"\bLOGQUERY_([A-Z_]+)\b", text.replace("LOGQUERY_IMAGE", "")))
        self.assertIn("API_KEY_IN_QUERY", names)
        for name in names:
            self.assertIn(f"| `{name.lower()}` |", keys)

    def test_each_definition_is_in_the_readme_and_answers(self):
        readme = (EXAMPLE / "README.md").read_text(encoding="utf-8")
        names = [path.stem for path in (EXAMPLE / "endpoints").glob("*.sql")]
        self.assertGreater(len(names), 6)
        given = {"function_id": "f", "interval": "1hr", "granularity": "hour", "iso_timestamp_start": "2026-01-15T00:00:00Z",
                 "iso_timestamp_end": "2026-01-16T00:00:00Z", "project": "default"}
        with Server(self.data(), PUBLIC, PRIVATE) as server:
            for name in names:
                self.assertIn(f"`{name}`", readme)
                status, answer = server.ask(name, **given)
                self.assertEqual(status, 200, (name, answer))

    def test_access_logs_of_both_gateways_become_rows_of_edge_logs(self):
        with Server(self.data(), PUBLIC, PRIVATE) as server:
            for container in ("supabase-kong", "supabase-envoy"):
                event = {"appname": container, "event_message": f"GET / by {container}", "project": "default",
                         "metadata": {"request": {"headers": {"cf_connecting_ip": "192.0.2.1"}, "method": "GET", "path": "/rest/v1/"},
                                      "response": {"status_code": 200}}}
                self.assertEqual(server.send("cloudflare.logs.prod", event), (200, {"message": "Logged!"}))
            status, answer = server.ask("logs.all", project="default", sql="select event_message from edge_logs order by 1")
            self.assertEqual((status, answer), (200, {"result": [{"event_message": "GET / by supabase-envoy"},
                                                                 {"event_message": "GET / by supabase-kong"}]}))

    def test_an_older_collector_sends_its_token_in_the_url(self):
        event = {"event_message": "ready", "project": "default"}
        in_url = f"&api_key={PUBLIC}"
        with Server(self.data(), PUBLIC, PRIVATE) as server:
            status, answer = server.send("postgres.logs", event, "", in_url)
            self.assertEqual(status, 401)
            self.assertIn("--api-key-in-query", answer["error"]["message"])
        # A server that has ended has written all lines of its log.
        self.assertNotIn(PUBLIC, server.text())
        with Server(self.data(), PUBLIC, PRIVATE, LOGQUERY_API_KEY_IN_QUERY="true", LOGQUERY_LOG_PARAMETERS="1") as server:
            self.assertEqual(server.send("postgres.logs", event, "", in_url)[0], 200)
            self.assertEqual(server.send("postgres.logs", event, "", "&api_key=" + PUBLIC[::-1])[0], 401)
            status, answer = server.request("/api/endpoints/query/logs.all?project=default&sql=select+event_message+from+postgres_logs"
                                            f"&api_key={PRIVATE}")
            self.assertEqual((status, answer), (200, {"result": [{"event_message": "ready"}]}))
        log = server.text()
        self.assertIn("--api-key-in-query: tokens are taken from URLs", log)
        self.assertIn('"parameters":{"project":"default"', log)
        for secret in (PUBLIC, PRIVATE, PUBLIC[::-1]):
            self.assertNotIn(secret, log)

    def test_the_pages_commands_work_in_a_folder_like_the_stacks(self):
        stack = self.folder / "stack"
        (stack / "volumes").mkdir(parents=True)
        (stack / ".env").write_text("POSTGRES_PASSWORD=p\nLOGFLARE_PUBLIC_ACCESS_TOKEN=your-super-secret-and-long-logflare-key-public\n"
                                    "LOGFLARE_PRIVATE_ACCESS_TOKEN=your-super-secret-and-long-logflare-key-private\n", encoding="utf-8")
        commands = page_commands()
        on_host = [text for text in commands if not text.startswith(("docker ", "sh run.sh"))]
        self.assertGreaterEqual(len(on_host), 6)
        for text in on_host:
            if os.geteuid() != 0:
                text = text.replace("-o 10001 -g 10001 ", "")
            done = subprocess.run(["bash", "-euc", text], cwd=stack, env={**os.environ, "LOGQUERY": str(ROOT)}, capture_output=True,
                                  text=True, check=False)
            self.assertEqual(done.returncode, 0, text + done.stderr)
            if text.startswith("grep -c"):
                self.assertEqual(done.stdout, "2\n")
        self.assertIn("sh run.sh config add logquery", commands)
        self.assertTrue((stack / "docker-compose.logquery.yml").is_file())
        for volume in service()["volumes"]:
            self.assertTrue((stack / volume.split(":")[0]).is_dir(), volume)
        tokens = dict(line.split("=", 1) for line in (stack / ".env").read_text(encoding="utf-8").splitlines())
        self.run_in_the_container(commands, stack, tokens)

    def run_in_the_container(self, commands, stack, tokens):
        endpoints = stack / "logquery/endpoints"
        with Server(stack / "volumes/logquery", tokens["LOGFLARE_PUBLIC_ACCESS_TOKEN"], tokens["LOGFLARE_PRIVATE_ACCESS_TOKEN"],
                    endpoints) as server:
            here = {"/data": str(stack / "volumes/logquery"), "/etc/logquery/endpoints": str(endpoints), "/endpoints": str(endpoints),
                    "http://localhost:4000": server.url}
            ran = []
            for text in commands:
                words = shlex.split(re.sub(r"\$\(.*?\)", "p", text))
                marker = CONTAINER if words[:2] == ["docker", "exec"] else IMAGE if words[:2] == ["docker", "run"] else None
                if marker is None:
                    continue
                words = words[words.index(marker) + 1:]
                if marker == IMAGE:
                    words.insert(0, "logquery")
                ran.append(words[1])
                for old, new in here.items():
                    words = [word if not word.startswith(old) else new + word[len(old):] for word in words]
                self.run_one(words)
            self.assertLessEqual({"stats", "check", "import", "--version"}, set(ran))

    def run_one(self, words):
        if words[:3] == ["logquery", "import", "rows"]:  # tests/postgres has the server for it
            known = subprocess.run([PROGRAM, "import", "rows", "--help"], capture_output=True, text=True, check=True).stdout
            for option in (word for word in words if word.startswith("--")):
                self.assertIn(option, known)
            return
        command = [PROGRAM, *words[1:]] if words[0] == "logquery" else words
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
        self.assertEqual(done.returncode, 0, (words, done.stderr))

    def test_the_page_and_the_file_name_the_same_container_and_token_variables(self):
        page = PAGE.read_text(encoding="utf-8")
        for text in page_commands():
            if text.startswith("docker exec "):
                self.assertIn(f" {CONTAINER} ", text)
        for name in service()["environment"]:
            if name.startswith("LOGFLARE_"):
                self.assertIn(name.replace("PUBLIC", "${name}").replace("PRIVATE", "${name}"), page)


if __name__ == "__main__":
    PROGRAM = str(pathlib.Path(sys.argv.pop(1)).resolve())
    unittest.main()
