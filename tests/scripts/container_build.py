#!/usr/bin/env python3
"""Builds the image of examples/container/Containerfile without a container engine: each stage is a chroot made by debootstrap, in which
its instructions run. Then it starts the image's entry point as the image's user, asks the health check, and sends and reads a row.

usage: container_build.py BUILD_DIR WORK [--whole]

WORK keeps the Debian that stages begin with. The packages are those of BUILD_DIR, made by cpack (LOGQUERY_PACKAGES=made: they are there
already); with --whole the first stage builds them of the tracked files of this repository, which takes as long as a build. Exits with 77
where debootstrap or root is missing. What an engine does beyond that is not tested: layers, capabilities, networks.
"""
import json
import os
import pathlib
import shlex
import shutil
import signal
import subprocess
import sys
import time

import containerfile_test as containerfile

ROOT = containerfile.ROOT
SECRET = containerfile.SECRET
PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"


def say(text):
    print(f"container_build: {text}", flush=True)


def run(command, **options):
    subprocess.run(command, check=True, **options)


def make_base(base):
    """The Debian that both stages begin with, from the mirror that this machine uses."""
    if (base / "usr/bin/dpkg").exists():
        return
    shutil.rmtree(base, ignore_errors=True)
    mirror = subprocess.run(["apt-get", "indextargets", "--format", "$(REPO_URI)", "Created-By: Packages", "Codename: bookworm"],
                            check=True, capture_output=True, text=True).stdout.split()[0]
    say("making a Debian")
    run(["debootstrap", "--variant=minbase", "bookworm", base, mirror], stdout=subprocess.DEVNULL)
    for file in pathlib.Path("/etc/apt/apt.conf.d").glob("*proxy*"):
        shutil.copy(file, base / "etc/apt/apt.conf.d")


class Stage:
    """A chroot with the environment and the folder that its instructions have set."""

    def __init__(self, root, base):
        self.root, self.environment, self.folder = root, {"PATH": PATH, "HOME": "/root"}, "/"
        self.unmount()
        shutil.rmtree(root, ignore_errors=True)
        run(["cp", "-a", "--reflink=auto", base, root])
        shutil.copy("/etc/resolv.conf", root / "etc/resolv.conf")
        run(["mount", "-t", "proc", "proc", root / "proc"])
        run(["mount", "--bind", "/dev", root / "dev"])

    def unmount(self):
        for name in ("proc", "dev"):
            subprocess.run(["umount", "-l", self.root / name], stderr=subprocess.DEVNULL, check=False)

    def command(self, words, user=None, more=None):
        """`words` as a command line that runs them in here."""
        environment = dict(self.environment, **(more or {}))
        chroot = ["chroot"] + ([f"--userspec={user}"] if user else []) + [str(self.root)]
        return chroot + ["/usr/bin/env", "-i", *(f"{key}={value}" for key, value in environment.items()), *words]

    def do(self, name, text, copy):
        if name == "ENV":
            self.environment.update(word.split("=", 1) for word in shlex.split(text))
        elif name == "WORKDIR":
            self.folder = text
            (self.root / text.lstrip("/")).mkdir(parents=True, exist_ok=True)
        elif name == "COPY":
            copy(self, shlex.split(text))
        elif name == "RUN":
            say(text[:100])
            run(self.command(["sh", "-c", f"cd {shlex.quote(self.folder)} && {text}"], more=npm_settings(self.root)))

    def path(self, name):
        return self.root / os.path.join(self.folder, name).lstrip("/")


def npm_settings(root):
    """Returns this machine's npm settings of its registry, for npm in the chroot, as an image built behind a proxy needs them."""
    settings = {}
    for key in ("registry", "cafile"):
        asked = subprocess.run(["npm", "config", "get", key], capture_output=True, text=True, check=False) if shutil.which("npm") else None
        value = asked.stdout.strip() if asked is not None and asked.returncode == 0 else ""
        if key == "cafile" and value and os.path.exists(value):
            shutil.copy(value, root / "etc/npm-cafile.pem")
            value = "/etc/npm-cafile.pem"
        if value not in ("", "null", "undefined"):
            settings[f"npm_config_{key}"] = value
    return settings


def copy_repository(stage, words):
    if words != [".", "."]:
        raise SystemExit(f"container_build: COPY {' '.join(words)} is not understood")
    files = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True).stdout
    archive = subprocess.Popen(["tar", "--null", "-T", "-", "-c"], cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    unpack = subprocess.Popen(["tar", "-x", "-C", stage.path(".")], stdin=archive.stdout)
    archive.stdin.write(files)
    archive.stdin.close()
    if archive.wait() != 0 or unpack.wait() != 0:
        raise SystemExit("container_build: the repository can't be copied")


def copy_packages(packages):
    def copy(stage, words):
        target = stage.path(words[-1])
        target.mkdir(parents=True, exist_ok=True)
        for file in packages.glob("*.deb"):
            shutil.copy(file, target)
    return copy


def made_packages(build):
    if os.environ.get("LOGQUERY_PACKAGES") != "made":
        run(["cpack", "-G", "DEB"], cwd=build, stdout=subprocess.DEVNULL)
    return build / "packages"


def built_packages(stages, work, base):
    stage = Stage(work / "build", base)
    try:
        for name, text in stages[0][1:]:
            stage.do(name, text, copy_repository)
    finally:
        stage.unmount()
    return work / "build/src/build/packages"


def ask(stage, user, words):
    return subprocess.run(stage.command(words, user), capture_output=True, text=True, check=False)


def expect(condition, what):
    if not condition:
        raise SystemExit(f"container_build: FAILED: {what}")


def check_image(stage, instructions):
    user = containerfile.of(instructions, "USER")[0]
    words = json.loads(containerfile.of(instructions, "ENTRYPOINT")[0]) + json.loads(containerfile.of(instructions, "CMD")[0])
    health = containerfile.of(instructions, "HEALTHCHECK")[0]
    health = json.loads(health[health.index("CMD ") + 4:])
    # The image's port may be taken on this machine.
    more = {"LOGQUERY_LISTEN": "127.0.0.1:0", "LOGQUERY_INGEST": "true", "LOGQUERY_TOKEN_FROM": "TOKEN=all", "TOKEN": SECRET}
    with subprocess.Popen(stage.command(words, user, more), stdout=subprocess.PIPE, text=True) as server:
        try:
            line = server.stdout.readline()
            expect(line.startswith("listening on http://"), f"the server says {line!r}")
            url = line.split()[-1]
            expect(os.stat(f"/proc/{server.pid}").st_uid == int(user.split(":")[0]), "the server does not run as the image's user")
            health[-1] = url + "health"
            answer = ask(stage, user, health)
            expect(answer.returncode == 0 and "ok" in answer.stdout, f"the health check fails: {answer.stderr}")
            token = ["-H", f"X-API-KEY: {SECRET}"]
            event = '[{"message":"from the image","project":"abc"}]'
            answer = ask(stage, user, ["curl", "-sS", *token, "-H", "Content-Type: application/json", "-d", event,
                                       url + "api/logs?source_name=edge_logs"])
            expect(answer.stdout == '{"message":"Logged!"}', f"an event is not taken: {answer.stdout}{answer.stderr}")
            answer = ask(stage, user, ["curl", "-sS", *token, url + "api/endpoints/query/logs.all?project=abc"])
            expect("from the image" in answer.stdout, f"the row is not answered: {answer.stdout}{answer.stderr}")
            expect(ask(stage, user, ["touch", "/etc/x"]).returncode != 0, "the user may write to the image")
        finally:
            server.send_signal(signal.SIGTERM)
            expect(server.wait(timeout=60) == 0, "the server does not end well")
    expect(ask(stage, user, health).returncode != 0, "the health check passes without a server")
    answer = ask(stage, user, ["logquery", "stats", "--data", "/data"])
    expect("edge_logs" in answer.stdout, f"the volume has no rows: {answer.stdout}{answer.stderr}")


def main():
    build, work = (pathlib.Path(word).resolve() for word in sys.argv[1:3])
    if shutil.which("debootstrap") is None or os.geteuid() != 0:
        print("debootstrap and root are needed")
        sys.exit(77)
    begin = time.monotonic()
    work.mkdir(parents=True, exist_ok=True)
    base = work / "base"
    make_base(base)
    stages = containerfile.stages()
    packages = built_packages(stages, work, base) if "--whole" in sys.argv[3:] else made_packages(build)
    image = Stage(work / "image", base)
    try:
        for name, text in stages[1][1:]:
            image.do(name, text, copy_packages(packages))
        check_image(image, stages[1])
    finally:
        image.unmount()
    say(f"the image works, after {time.monotonic() - begin:.0f} s")


if __name__ == "__main__":
    main()
