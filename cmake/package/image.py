"""Writes an image for containers as an archive, without a container engine: an OCI layout that `docker load` and `podman load` take.

The image holds the program, the libraries that it loads, certificates, time zones and curl for the health check: no shell and no
package manager. Its settings are those of the last stage of examples/container/Containerfile.
"""
import hashlib
import json
import os
import pathlib
import re
import shlex
import tarfile
import time

from archive import Entry, Tree, add_entry
from libraries import NotPossible, libraries_of, licence_of, packages_of, status_of

ARCHITECTURES = {"x86_64": "amd64", "aarch64": "arm64"}
CERTIFICATES = pathlib.Path("/usr/share/ca-certificates/mozilla")
ZONES = pathlib.Path("/usr/share/zoneinfo")
PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
CONFIG = "application/vnd.oci.image.config.v1+json"
MANIFEST = "application/vnd.oci.image.manifest.v1+json"
LAYER = "application/vnd.oci.image.layer.v1.tar+gzip"
SECONDS = re.compile(r"--(interval|timeout)=(\d+)s")


def settings_of(containerfile):
    """The image's settings, in the form of an image's configuration, and the number of its user."""
    lines = [line for line in containerfile.read_text(encoding="utf-8").splitlines() if not line.lstrip().startswith("#")]
    instructions = [line.split(None, 1) for line in "\n".join(lines).replace("\\\n", "").splitlines() if line.strip()]
    last = max(index for index, words in enumerate(instructions) if words[0] == "FROM")
    config = {"Env": ["PATH=" + PATH], "ExposedPorts": {}, "Volumes": {}, "WorkingDir": "/", "StopSignal": "SIGTERM"}
    for name, text in instructions[last + 1:]:
        if name == "ENV":
            config["Env"] += [word for word in shlex.split(text) if not word.startswith("DEBIAN_FRONTEND=")]
        elif name == "EXPOSE":
            config["ExposedPorts"][text + "/tcp"] = {}
        elif name == "VOLUME":
            config["Volumes"].update({folder: {} for folder in json.loads(text)})
        elif name == "USER":
            config["User"] = text
        elif name in ("ENTRYPOINT", "CMD"):
            config[name.capitalize()] = json.loads(text)
        elif name == "HEALTHCHECK":
            config["Healthcheck"] = health_check(text)
        elif name not in ("RUN", "COPY"):
            raise NotPossible(f"{containerfile} has the instruction {name}, which this script does not know")
    return config, int(config["User"].split(":")[0])


def health_check(text):
    check = {"Test": ["CMD"] + json.loads(text[text.index("CMD ") + 4:])}
    for key, seconds in SECONDS.findall(text):
        check[key.capitalize()] = int(seconds) * 1_000_000_000
    check["Retries"] = int(re.search(r"--retries=(\d+)", text)[1])
    return check


def system_layer(program, user):
    """All but the program: what Debian 12 would have of its libraries, below the same paths."""
    tree = Tree()
    for name in ("bin", "lib", "lib64", "sbin"):
        tree.folder("usr/" + name)
        tree.link(name, "usr/" + name)
    for name in ("dev", "etc", "proc", "run", "sys", "var/tmp", "var/lib/dpkg/status.d"):
        tree.folder(name)
    tree.folder("tmp", 0o1777)
    tree.file("etc/passwd", b"root:x:0:0:root:/root:/usr/sbin/nologin\n"
              b"logquery:x:%d:%d:logquery server:/data:/usr/sbin/nologin\n" % (user, user))
    tree.file("etc/group", b"root:x:0:\nlogquery:x:%d:\n" % user)
    tree.file("etc/nsswitch.conf", b"passwd: files\ngroup: files\nhosts: files dns\n")
    tree.file("etc/os-release", pathlib.Path("/etc/os-release").resolve())
    for path, package in ((CERTIFICATES, "ca-certificates"), (ZONES, "tzdata"), (pathlib.Path("/usr/bin/curl"), "curl")):
        if not path.exists():
            raise NotPossible(f"the image needs {path}; install Debian's package {package}")
    # The certificates are the package's: this machine may trust others.
    tree.file("etc/ssl/certs/ca-certificates.crt", b"".join(file.read_bytes() for file in sorted(CERTIFICATES.glob("*.crt"))))
    tree.link("usr/lib/ssl/cert.pem", "/etc/ssl/certs/ca-certificates.crt")
    add_zones(tree)
    tree.file("usr/bin/curl", pathlib.Path("/usr/bin/curl"), 0o755)
    # The files beside the program come with it.
    loaded = {*libraries_of(program).values(), *libraries_of("/usr/bin/curl").values()}
    libraries = sorted(path for path in loaded if not path.is_relative_to(program.parents[1]))
    for path in libraries:
        # /lib is /usr/lib in the image, as in Debian.
        below = path if path.is_relative_to("/usr") else pathlib.Path("/usr" + str(path))
        tree.file(str(below.relative_to("/")), path.resolve(), 0o755)
    packages = {"ca-certificates", "tzdata", "curl", *packages_of(libraries).values()}
    for package, status in status_of(sorted(packages)).items():
        tree.file(f"usr/share/doc/{package}/copyright", licence_of(package))
        # Scanners read which packages an image without dpkg has from here.
        tree.file(f"var/lib/dpkg/status.d/{package}", status.encode())
    return tree


def add_zones(tree):
    """The zones by the names that SQL has; Debian's folders posix and right have them a second time."""
    for path in sorted(ZONES.rglob("*")):
        below = path.relative_to(ZONES)
        if below.parts[0] in ("posix", "right") or path.is_dir():
            continue
        name = f"usr/share/zoneinfo/{below}"
        if not path.is_symlink():
            tree.file(name, path)
        elif not os.path.isabs(path.readlink()):  # localtime is this machine's zone
            tree.link(name, str(path.readlink()))


def program_layer(program, user):
    tree = Tree()
    root = program.parents[1]
    tree.file("usr/bin/logquery", program, 0o755)
    tree.copy("usr/lib/logquery", root / "lib/logquery")
    tree.copy("usr/share/doc/logquery", root / "share/doc/logquery")
    tree.folder("data", 0o700, user)
    return tree


class Layout:
    """The files of an OCI layout, written into a folder and then packed."""

    def __init__(self, folder):
        self.folder = folder
        self.blobs = folder / "blobs/sha256"
        self.blobs.mkdir(parents=True)

    def layer(self, tree, epoch, level):
        path = self.folder / "layer"
        written = tree.write(path, epoch, level)
        path.rename(self.blobs / written.sha256)
        return {"mediaType": LAYER, "digest": "sha256:" + written.sha256, "size": written.size}, "sha256:" + written.tar_sha256

    def json(self, kind, value):
        data = json.dumps(value, sort_keys=True, separators=(",", ":")).encode()
        digest = hashlib.sha256(data).hexdigest()
        (self.blobs / digest).write_bytes(data)
        return {"mediaType": kind, "digest": "sha256:" + digest, "size": len(data)}

    def file(self, name, value):
        (self.folder / name).write_bytes(json.dumps(value, sort_keys=True, separators=(",", ":")).encode())

    def pack(self, path, epoch):
        """The layers are compressed, so the archive is not."""
        with tarfile.open(path, "w", format=tarfile.GNU_FORMAT) as tar:
            for file in sorted(self.folder.rglob("*")):
                entry = Entry(0o755) if file.is_dir() else Entry(0o644, source=file)
                add_entry(tar, str(file.relative_to(self.folder)), entry, epoch)


def write_image(path, folder, program, containerfile, version, epoch, level):
    """Writes the image of a program that is laid out as PREFIX/bin/logquery into the file `path`; `folder` is a new one to work in."""
    config, user = settings_of(containerfile)
    architecture = ARCHITECTURES.get(os.uname().machine, os.uname().machine)
    created = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(epoch))
    labels = {"org.opencontainers.image.title": "logquery", "org.opencontainers.image.version": version,
              "org.opencontainers.image.licenses": "Apache-2.0", "org.opencontainers.image.created": created}
    config["Labels"] = labels
    layout = Layout(folder)
    layers, diffs, history = [], [], []
    for tree, what in ((system_layer(program, user), "libraries, certificates and time zones of Debian"),
                       (program_layer(program, user), "logquery " + version)):
        layer, diff = layout.layer(tree, epoch, level)
        layers.append(layer)
        diffs.append(diff)
        history.append({"created": created, "created_by": "scripts/package", "comment": what})
    configured = layout.json(CONFIG, {"created": created, "architecture": architecture, "os": "linux", "config": config,
                                      "rootfs": {"type": "layers", "diff_ids": diffs}, "history": history})
    manifest = layout.json(MANIFEST, {"schemaVersion": 2, "mediaType": MANIFEST, "config": configured, "layers": layers,
                                      "annotations": labels})
    name = "logquery:" + version
    manifest["platform"] = {"architecture": architecture, "os": "linux"}
    manifest["annotations"] = {"org.opencontainers.image.ref.name": name, "io.containerd.image.name": "docker.io/library/" + name}
    layout.file("index.json", {"schemaVersion": 2, "mediaType": "application/vnd.oci.image.index.v1+json", "manifests": [manifest]})
    layout.file("oci-layout", {"imageLayoutVersion": "1.0.0"})
    # Docker before version 25 reads this file in place of the index.
    layout.file("manifest.json", [{"Config": "blobs/sha256/" + configured["digest"][7:], "RepoTags": [name],
                                   "Layers": ["blobs/sha256/" + layer["digest"][7:] for layer in layers]}])
    layout.pack(path, epoch)
