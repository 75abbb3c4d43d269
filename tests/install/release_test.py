#!/usr/bin/env python3
"""Makes the files of a release by scripts/package, and starts what is in each of them.

    release_test.py PART SOURCE_DIR BUILD_DIR WORK_DIR

PART: make         makes them twice, by different settings of a user, and compares the bytes; the second time signed by a throwaway key
      tarball      runs the program from another folder, with no other libraries than its own and the C library
      debs         runs the program out of the Debian packages
      image        checks the image's layout, and runs its entry point in a root of its layers, as its user
      signature    verifies the signature; 77 where gpg is missing
      whole        makes all files twice as a release has them, and compares the bytes

All but make and whole use what make has left in WORK_DIR. Exits with 77 where this machine or user can't do what a part needs.
"""
import gzip
import hashlib
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tarfile
import tempfile
import urllib.request

SECRET = "f2b1c9d07a5e4836a1f0c5a7e9d3b4628c0d"
OF_THE_SYSTEM = re.compile(r"(linux-vdso|ld-linux.*|libc|libm|libpthread|libdl|librt|libresolv)\.so")


def expect(condition, what):
    if not condition:
        sys.exit(f"FAILED: {what}")


def skip(why):
    print(why)
    sys.exit(77)


def run(*command, **options):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False, **options)
    expect(done.returncode == 0, f"{command} ended with {done.returncode}:\n{done.stdout}{done.stderr}")
    return done.stdout


def package(source, *arguments, **options):
    more = {} if (source / ".git").exists() else {"SOURCE_DATE_EPOCH": "1795392000"}
    environment = {**os.environ, **more, **options.pop("env", {})}
    return subprocess.run([source / "scripts/package", *arguments], capture_output=True, text=True, check=False, env=environment, **options)


def fresh(folder):
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return folder


class Key:
    """A key of gpg in a home of its own, whose name is short: gpg's agent listens there."""

    def __init__(self):
        self.home = tempfile.mkdtemp(prefix="lq-key-", dir="/tmp")
        self.environment = {"GNUPGHOME": self.home}
        self.gpg("--passphrase", "", "--quick-generate-key", "logquery test <test@example.org>", "ed25519", "sign", "never")

    def gpg(self, *words):
        return run("gpg", "--batch", *words, env={**os.environ, **self.environment})

    def end(self):
        run("gpgconf", "--kill", "gpg-agent", env={**os.environ, **self.environment})
        shutil.rmtree(self.home, ignore_errors=True)


def expect_equal(one, two):
    names = sorted(file.name for file in one.iterdir())
    expect(names == sorted(file.name for file in two.iterdir() if file.suffix != ".asc"), f"other files: {names}")
    different = [name for name in names if (one / name).read_bytes() != (two / name).read_bytes()]
    expect(not different, f"made twice, these differ: {different}")
    run("sha256sum", "--check", "--strict", "--quiet", "SHA256SUMS", cwd=one)
    listed = {line.split()[1] for line in (one / "SHA256SUMS").read_text(encoding="utf-8").splitlines()}
    expect(listed == set(names) - {"SHA256SUMS"}, f"SHA256SUMS lists {listed}")


def expect_described(source, made):
    """The page names each file, as it is called on amd64."""
    page = (source / "docs/packages.md").read_text(encoding="utf-8")
    for file in made.iterdir():
        name = file.name.replace("aarch64", "x86_64").replace("arm64", "amd64")
        expect(f"`{name}`" in page, f"docs/packages.md does not say what {name} is for")


def make(source, build, work, *options):
    work = fresh(work)
    key = Key() if shutil.which("gpg") and "--quick" in options else None
    try:
        for name, umask, zone, more in (("one", 0o022, "UTC", []), ("two", 0o077, "Asia/Tokyo", ["--sign", "test@example.org"])):
            signed = more if key else []
            done = package(source, "--built", build, "--out", work / name, *options, *signed, umask=umask,
                           env={"TZ": zone, **(key.environment if key else {})})
            expect(done.returncode == 0, f"{done.stdout}{done.stderr}")
        if key:
            key.gpg("--output", work / "key.gpg", "--export", "test@example.org")
    finally:
        if key:
            key.end()
    expect_equal(work / "one", work / "two")
    expect_described(source, work / "two")
    # The signature is all that is needed of them.
    for file in (work / "two").glob("*logquery*"):
        file.unlink()


def refused(source, build, work):
    """A release that can't be made leaves no file, and a plain message in one line."""
    out = work / "refused"
    cases = [({"SOURCE_DATE_EPOCH": "yesterday"}, [build], "SOURCE_DATE_EPOCH is 'yesterday'"),
             ({}, [work / "none"], f"{work / 'none'} is no build folder")]
    for environment, arguments, words in cases:
        done = package(source, "--quick", "--out", out, "--built", *arguments, env=environment)
        expect(done.returncode == 1 and done.stderr.startswith("package: cannot go on: ") and words in done.stderr, done.stderr)
        expect(not out.exists() or not any(out.iterdir()), f"{words}: something was made")


class Server:
    """A server that `command` starts, with a token of its own and a port that the system chooses."""

    def __init__(self, command, data, environment, **options):
        settings = {"LOGQUERY_DATA": data, "LOGQUERY_LISTEN": "127.0.0.1:0", "LOGQUERY_INGEST": "true", "LOGQUERY_TOKEN_FROM": "TOKEN=all",
                    "TOKEN": SECRET, "LC_ALL": "C.UTF-8"}
        self.process = subprocess.Popen([str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                        env={**environment, **settings}, **options)

    def __enter__(self):
        line = self.process.stdout.readline()
        if not line.startswith("listening on http://"):
            self.process.kill()
            sys.exit(f"FAILED: the server says {line!r}: {self.process.communicate()[1][-4000:]}")
        self.url = line.split()[-1]
        return self

    def __exit__(self, *error):
        self.process.send_signal(signal.SIGTERM)
        self.process.communicate(timeout=60)
        expect(error[0] is not None or self.process.returncode == 0, f"the server ended with {self.process.returncode}")

    def ask(self, path, body=None):
        request = urllib.request.Request(self.url + path, data=body, headers={"X-API-KEY": SECRET, "Content-Type": "application/json"})
        with urllib.request.urlopen(request, timeout=60) as answer:
            return answer.read().decode()

    def send_and_read(self):
        """A row goes in and comes back, and a time zone of the system is known."""
        sent = self.ask("api/logs?source_name=edge_logs", b'[{"message":"from the package","project":"abc"}]')
        expect(sent == '{"message":"Logged!"}', f"an event is not taken: {sent}")
        rows = self.ask("api/endpoints/query/logs.all?project=abc&sql=" + urllib.request.quote(
            "select event_message, extract(hour from timestamp '2026-07-01 00:00:00' at time zone 'Asia/Tokyo') as h from edge_logs"))
        expect(rows == '{"result":[{"event_message":"from the package","h":9}]}', f"the row is not answered: {rows}")


def query_sample(program, folder):
    """Runs a newcomer's first commands, without a server."""
    run(program, "sample", "--rows", "2000", "sample", cwd=folder, env={})
    run(program, "load", "--data", "data", "sample", cwd=folder, env={})
    project = json.loads((folder / "sample/manifest.json").read_text(encoding="utf-8"))["projects"][0]["ref"]
    table = run(program, "run", "--data", "data", "--format", "table", "logs.all", f"project={project}", "project_tier=PRO", cwd=folder, env={})
    expect("event_message" in table and "rows)" in table, f"no rows: {table[:500]}")


def version_of(source):
    return re.search(r'STRING "([\d.]+)"', (source / "include/logquery/version.h").read_text(encoding="utf-8"))[1]


def only(folder, pattern):
    found = sorted(folder.glob(pattern))
    expect(len(found) == 1, f"{pattern}: {found}")
    return found[0]


def tarball(source, build, work):
    archive = only(work / "one", "*.tar.gz")
    folder = fresh(work / "unpacked" / "some where")
    with tarfile.open(archive) as tar:
        members = tar.getmembers()
        top = archive.name[:-len(".tar.gz")]
        expect(all(member.name.split("/")[0] == top for member in members), "not all files are in one folder")
        expect(all(member.uid == member.gid == 0 and not member.uname for member in members), "not all files are root's")
        expect(len({member.mtime for member in members}) == 1, "the files have several times")
        tar.extractall(folder)
    prefix = folder / top
    program = prefix / "bin/logquery"
    expect(run(program, "--version", cwd="/", env={}).startswith(f"logquery {version_of(source)}"), "another version")
    for line in run("ldd", program, env={}).splitlines():
        expect(OF_THE_SYSTEM.match(pathlib.PurePath(line.split()[0]).name) or f"=> {prefix}/" in line,
               f"the program needs a library of the system: {line.strip()}")
    for name in ("README", "share/man/man1/logquery.1", "share/man/man1/logquery-serve.1", "share/bash-completion/completions/logquery",
                 "share/doc/logquery/LICENSE", "share/doc/logquery/THIRD_PARTY_NOTICES", "share/doc/logquery/LICENSE.duckdb"):
        expect((prefix / name).stat().st_size > 0, name)
    documents = prefix / "share/doc/logquery/libraries"
    for line in (documents / "LIBRARIES").read_text(encoding="utf-8").splitlines():
        library, owner, _ = line.split()
        expect((prefix / "lib/logquery" / library).is_file() and (documents / f"{owner}.copyright").stat().st_size > 0, line)
    for file in prefix.rglob("*"):
        expect(not file.is_file() or str(source).encode() + b"/" not in file.read_bytes(), f"{file} has a path of this machine")
    query_sample(program, folder)
    with Server([program, "serve"], fresh(folder / "served"), {}) as server:
        server.send_and_read()
    shutil.rmtree(work / "unpacked")


def debs(source, build, work):
    root = fresh(work / "debs")
    names = {}
    for deb in sorted((work / "one").glob("*.deb")):
        run("dpkg-deb", "-x", deb, root)
        names[run("dpkg-deb", "-f", deb, "Package").strip()] = deb
        for line in run("dpkg-deb", "-c", deb).splitlines():
            expect(line.split()[1] == "root/root", line)
    version = version_of(source)
    expect(sorted(names) == ["liblogquery" + version.rsplit(".", 1)[0], "logquery"], f"the packages are {names}")
    needed = run("dpkg-deb", "-f", names["logquery"], "Depends")
    expect(f"liblogquery{version.rsplit('.', 1)[0]} (= {version})" in needed and "libc6 (" in needed, needed)
    library = run("dpkg-deb", "-f", names["liblogquery" + version.rsplit(".", 1)[0]], "Depends")
    expect("tzdata" in library, f"time zones are missing: {library}")
    program = root / "usr/bin/logquery"
    expect(f"=> {root}/usr/bin/../lib/logquery/libduckdb.so" in run("ldd", program), "the engine is not the packages' own")
    expect((root / "etc/logquery/logquery.json").is_file() and (root / "usr/lib/systemd/system/logquery.service").is_file(), "settings and unit")
    run(program, "config", "check", root / "etc/logquery/logquery.json", env={})
    with Server([program, "serve"], fresh(work / "debs_data"), {}) as server:
        server.send_and_read()
    shutil.rmtree(root)


def read_layout(archive):
    """The files of the archive by name; the name of each blob is checked against its bytes."""
    with tarfile.open(archive) as tar:
        files = {member.name: tar.extractfile(member).read() for member in tar.getmembers() if member.isfile()}
    for name, data in files.items():
        expect(not name.startswith("blobs/") or name == "blobs/sha256/" + hashlib.sha256(data).hexdigest(), name)
    return files


def check_manifest(files, version):
    """The configuration, and the layers as they are packed."""
    def blob(descriptor):
        data = files["blobs/" + descriptor["digest"].replace(":", "/")]
        expect(len(data) == descriptor["size"], f"the size of {descriptor}")
        return data

    expect(json.loads(files["oci-layout"]) == {"imageLayoutVersion": "1.0.0"}, "oci-layout")
    described = json.loads(files["index.json"])["manifests"][0]
    expect(described["annotations"]["org.opencontainers.image.ref.name"] == "logquery:" + version, "the image's name")
    manifest = json.loads(blob(described))
    config = json.loads(blob(manifest["config"]))
    layers = [blob(layer) for layer in manifest["layers"]]
    expect(config["rootfs"]["diff_ids"] == ["sha256:" + hashlib.sha256(gzip.decompress(layer)).hexdigest() for layer in layers], "diff_ids")
    # The manifest for older versions of Docker names the same blobs.
    docker = json.loads(files["manifest.json"])[0]
    expect(docker["RepoTags"] == ["logquery:" + version] and docker["Config"] == "blobs/" + manifest["config"]["digest"].replace(":", "/") and
           docker["Layers"] == ["blobs/" + layer["digest"].replace(":", "/") for layer in manifest["layers"]], f"manifest.json: {docker}")
    expect(config["os"] == "linux" and config["architecture"] in ("amd64", "arm64"), "the platform")
    return config, layers


def image(source, build, work):
    files = read_layout(only(work / "one", "*image*.tar"))
    config, layers = check_manifest(files, version_of(source))
    settings = config["config"]
    expect(settings["Entrypoint"] == ["logquery"] and settings["Cmd"] == ["serve"] and settings["User"] == "10001:10001", settings)
    expect(settings["ExposedPorts"] == {"4000/tcp": {}} and settings["Volumes"] == {"/data": {}}, settings)
    environment = dict(word.split("=", 1) for word in settings["Env"])
    expect(environment["LOGQUERY_LISTEN"].endswith(":4000") and not [key for key in environment if "TOKEN" in key], environment)
    expect(settings["Healthcheck"]["Test"] == ["CMD", "curl", "-fsS", "http://127.0.0.1:4000/health"], settings)
    # The loader finds the engine beside the program by /proc, which every container has; it goes with the process.
    if os.geteuid() != 0 or subprocess.run(["unshare", "--mount", "true"], capture_output=True, check=False).returncode != 0:
        skip("root is needed to run the image, and a system that lets it mount")
    root = fresh(work / "root")
    for number, layer in enumerate(layers):
        (work / "layer.tar").write_bytes(gzip.decompress(layer))
        run("tar", "-x", "--numeric-owner", "--same-owner", "-p", "-f", work / "layer.tar", "-C", root)
    (work / "layer.tar").unlink()
    expect((root / "data").stat().st_uid == 10001 and (root / "data").stat().st_mode & 0o777 == 0o700, "the folder of the volume")
    expect(not (root / "usr/share/zoneinfo/localtime").exists(), "the image has the zone of this machine")
    certificates = run("openssl", "storeutl", "-noout", "-certs", root / "etc/ssl/certs/ca-certificates.crt")
    of_debian = len(list(pathlib.Path("/usr/share/ca-certificates/mozilla").glob("*.crt")))
    expect(f"Total found: {of_debian}\n" in certificates, f"the image trusts others than Debian's {of_debian} certificates: {certificates[-99:]}")
    scanned = {file.name for file in (root / "var/lib/dpkg/status.d").iterdir()}
    expect({"libc6", "libssl3", "ca-certificates", "tzdata"} <= scanned, f"scanners see {scanned}")
    mount = f"/usr/bin/mount -t proc proc '{root}/proc' && exec /usr/sbin/chroot --userspec {settings['User']} '{root}' \"$@\""
    chroot = ["/usr/bin/unshare", "--mount", "/bin/sh", "-c", mount, "sh"]
    with Server([*chroot, "/usr/bin/" + settings["Entrypoint"][0], *settings["Cmd"]], "/data", environment) as server:
        server.send_and_read()
        expect(os.stat(f"/proc/{server.process.pid}").st_uid == 10001, "the server does not run as the image's user")
        check = ["/usr/bin/curl", *settings["Healthcheck"]["Test"][2:-1], server.url + "health"]
        expect("ok" in run(*chroot, *check, env={}), "the health check")
    expect("edge_logs" in run(*chroot, "/usr/bin/logquery", "stats", "--data", "/data", env={}), "the volume has no rows")
    shutil.rmtree(root)


def signature(source, build, work):
    if shutil.which("gpg") is None or shutil.which("gpgv") is None:
        skip("gpg is missing")
    two = work / "two"
    verify = ["gpgv", "--keyring", work / "key.gpg", two / "SHA256SUMS.asc"]
    run(*verify, two / "SHA256SUMS")
    other = work / "SHA256SUMS.changed"
    other.write_text((two / "SHA256SUMS").read_text(encoding="utf-8").replace("0", "1"), encoding="utf-8")
    changed = subprocess.run([str(word) for word in (*verify, other)], capture_output=True, check=False)
    expect(changed.returncode != 0, "other checksums have the signature")
    # A key that is not there is told before anything is made.
    with tempfile.TemporaryDirectory(prefix="lq-key-", dir="/tmp") as home:
        done = package(source, "--built", build, "--quick", "--out", work / "unsigned", "--sign", "nobody@example.org", env={"GNUPGHOME": home})
    expect(done.returncode == 1 and "nobody@example.org" in done.stderr, done.stderr)
    expect(not (work / "unsigned").exists(), "something was made without the key")
    expect(not (work / "one/SHA256SUMS.asc").exists(), "a signature without --sign")


def main():
    part = sys.argv[1]
    source, build, work = (pathlib.Path(word).resolve() for word in sys.argv[2:5])
    os.environ.pop("LD_LIBRARY_PATH", None)
    if part == "make":
        make(source, build, work, "--quick")
        refused(source, build, work)
    elif part == "whole":
        make(source, build, work.with_name("release_whole"))
        shutil.rmtree(work.with_name("release_whole"))
    else:
        {"tarball": tarball, "debs": debs, "image": image, "signature": signature}[part](source, build, work)


if __name__ == "__main__":
    main()
