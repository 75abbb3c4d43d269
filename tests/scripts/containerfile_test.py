#!/usr/bin/env python3
"""Reads examples/container/Containerfile and runs of it what runs without a container engine.

usage: containerfile_test.py LOGQUERY

LOGQUERY is the program as it was built. The image's settings, entry point and health check are run with it, as the image's user
where the test runs as root; that the image can be built is not tested here.
"""
import json
import os
import pathlib
import re
import shlex
import signal
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
FILE = ROOT / "examples/container/Containerfile"
COMPOSE = ROOT / "examples/supabase/docker-compose.logquery.yml"
KNOWN = {"FROM", "ENV", "WORKDIR", "RUN", "COPY", "VOLUME", "EXPOSE", "USER", "HEALTHCHECK", "ENTRYPOINT", "CMD"}
SECRET = "f2b1c9d07a5e4836a1f0c5a7e9d3b4628c0d"
PROGRAM = ""


def instructions():
    """Each instruction of the file and its text, with continued lines joined."""
    lines = [line for line in FILE.read_text(encoding="utf-8").splitlines() if not line.lstrip().startswith("#")]
    text = "\n".join(lines).replace("\\\n", "")
    return [tuple(line.split(None, 1)) for line in text.splitlines() if line.strip()]


def stages():
    """The instructions of each stage; the first of each is its FROM."""
    found = []
    for name, text in instructions():
        if name == "FROM":
            found.append([])
        found[-1].append((name, text))
    return found


def of(stage, name):
    return [text for instruction, text in stage if instruction == name]


def environment(stage):
    return dict(word.split("=", 1) for text in of(stage, "ENV") for word in shlex.split(text))


class ContainerfileTest(unittest.TestCase):
    def setUp(self):
        self.build, self.image = stages()

    def health_check(self):
        text = of(self.image, "HEALTHCHECK")[0]
        return json.loads(text[text.index("CMD ") + 4:])

    def test_it_has_two_stages_of_one_debian_and_known_instructions(self):
        self.assertLessEqual({name for name, _ in instructions()}, KNOWN)
        bases = [stage[0][1].split()[0] for stage in (self.build, self.image)]
        self.assertEqual(bases, ["debian:12-slim", "debian:12-slim"])

    def test_commands_are_right_for_the_shell(self):
        for stage in (self.build, self.image):
            for command in of(stage, "RUN"):
                checked = subprocess.run(["sh", "-n", "-c", command], capture_output=True, text=True, check=False)
                self.assertEqual(checked.returncode, 0, checked.stderr)

    def test_what_is_copied_is_there(self):
        name = re.search(r" AS (\w+)$", self.build[0][1]).group(1)
        copied = [shlex.split(text) for text in of(self.image, "COPY")]
        self.assertEqual([words[0] for words in copied], [f"--from={name}"])
        self.assertEqual(copied[0][1], of(self.build, "WORKDIR")[0] + "/build/packages/")
        self.assertIn('CPACK_PACKAGE_DIRECTORY "${PROJECT_BINARY_DIR}/packages"',
                      (ROOT / "cmake/LogqueryPackages.cmake").read_text(encoding="utf-8"))
        for script in re.findall(r"scripts/\w+", " ".join(of(self.build, "RUN"))):
            self.assertTrue(os.access(ROOT / script, os.X_OK), script)
        ignored = (ROOT / ".dockerignore").read_text(encoding="utf-8").split("\n")
        for folder in (".git", ".deps", "build"):
            self.assertIn(folder, ignored)

    def test_the_user_has_no_rights_and_no_secret_is_in_the_image(self):
        names = [name for name, _ in self.image]
        last = max(index for index, name in enumerate(names) if name in ("RUN", "COPY"))
        self.assertGreater(names.index("USER"), last)
        user, group = of(self.image, "USER")[0].split(":")
        self.assertGreaterEqual(int(user), 1000)
        self.assertEqual(user, group)
        self.assertIn(f"--uid {user} --gid {group}", " ".join(of(self.image, "RUN")))
        self.assertFalse([key for key in environment(self.image) if "TOKEN" in key or "SECRET" in key])

    def test_ports_and_folders_agree(self):
        settings = environment(self.image)
        port = settings["LOGQUERY_LISTEN"].rsplit(":", 1)[1]
        self.assertEqual(of(self.image, "EXPOSE"), [port])
        self.assertTrue(self.health_check()[-1].endswith(f":{port}/health"))
        self.assertEqual(json.loads(of(self.image, "VOLUME")[0]), [settings["LOGQUERY_DATA"]])
        compose = COMPOSE.read_text(encoding="utf-8")
        self.assertIn(f"LOGQUERY_DATA: {settings['LOGQUERY_DATA']}\n", compose)
        self.assertIn(f":{settings['LOGQUERY_DATA']}:z\n", compose)
        self.assertIn("image: ${LOGQUERY_IMAGE:-logquery:latest}", compose)

    def test_settings_are_known(self):
        keys = subprocess.run([PROGRAM, "config", "keys"], capture_output=True, text=True, check=True).stdout
        for name in environment(self.image):
            if name.startswith("LOGQUERY_"):
                self.assertIn(f"| `{name[len('LOGQUERY_'):].lower()}` |", keys)

    def test_the_entry_point_serves_as_the_user_and_the_health_check_sees_it(self):
        command = json.loads(of(self.image, "ENTRYPOINT")[0]) + json.loads(of(self.image, "CMD")[0])
        self.assertEqual(command[0], "logquery")
        user = int(of(self.image, "USER")[0].split(":")[0])
        as_user = {"user": user, "group": user, "extra_groups": []} if os.geteuid() == 0 else {}
        with tempfile.TemporaryDirectory() as folder:
            os.chmod(folder, 0o700)
            if as_user:
                os.chown(folder, user, user)
            settings = dict(environment(self.image), LOGQUERY_DATA=folder, LOGQUERY_LISTEN="127.0.0.1:0",
                            LOGQUERY_INGEST="true", LOGQUERY_TOKEN_FROM="TOKEN=all", TOKEN=SECRET,
                            PATH=os.environ["PATH"])
            with subprocess.Popen([PROGRAM, *command[1:]], env=settings, cwd="/", stdout=subprocess.PIPE, text=True,
                                  **as_user) as server:
                try:
                    line = server.stdout.readline()
                    self.assertTrue(line.startswith("listening on http://"), line)
                    check = self.health_check()
                    check[-1] = line.split()[-1] + "health"
                    healthy = subprocess.run(check, capture_output=True, text=True, check=False)
                    self.assertEqual(healthy.returncode, 0, healthy.stderr)
                    self.assertIn("ok", healthy.stdout)
                finally:
                    server.send_signal(signal.SIGTERM)
                    self.assertEqual(server.wait(timeout=60), 0)
            gone = subprocess.run(check, capture_output=True, text=True, check=False)
            self.assertNotEqual(gone.returncode, 0)


if __name__ == "__main__":
    PROGRAM = str(pathlib.Path(sys.argv.pop(1)).resolve())
    unittest.main()
