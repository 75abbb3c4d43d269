"""Tar archives that are the same bytes whenever they are made of the same files: sorted names, one time, fixed owners and modes."""
import dataclasses
import gzip
import hashlib
import io
import pathlib
import tarfile


@dataclasses.dataclass(frozen=True)
class Entry:
    """A file with the bytes of `source`, a link to `link`, or a folder."""
    mode: int
    source: object = None  # a path, or bytes
    link: str = ""
    owner: int = 0


@dataclasses.dataclass(frozen=True)
class Written:
    """An archive's size and digest as it is stored, and the digest of the tar in it."""
    size: int
    sha256: str
    tar_sha256: str


class Counted:
    """Passes bytes on, and knows their number and digest."""

    def __init__(self, target):
        self.target, self.size, self.digest = target, 0, hashlib.sha256()

    def write(self, data):
        self.size += len(data)
        self.digest.update(data)
        return self.target.write(data)

    def flush(self):
        self.target.flush()

    def tell(self):
        return self.size


class Tree:
    """The entries of an archive by name. A folder that an entry stands in is there without being added."""

    def __init__(self):
        self.entries = {}

    def add(self, name, entry):
        for parent in list(pathlib.PurePosixPath(name).parents)[:-1]:
            self.entries.setdefault(str(parent), Entry(0o755))
        self.entries[name] = entry

    def folder(self, name, mode=0o755, owner=0):
        self.add(name, Entry(mode, owner=owner))

    def file(self, name, source, mode=0o644):
        self.add(name, Entry(mode, source=source))

    def link(self, name, target):
        self.add(name, Entry(0o777, link=target))

    def copy(self, name, folder):
        """All that is in `folder`, below `name`. Files are executable or not; more of their modes is not kept."""
        for path in sorted(folder.rglob("*")):
            below = str(pathlib.PurePosixPath(name) / path.relative_to(folder))
            if path.is_symlink():
                self.link(below, str(path.readlink()))
            elif path.is_dir():
                self.folder(below)
            else:
                self.file(below, path, 0o755 if path.stat().st_mode & 0o100 else 0o644)

    def write(self, path, epoch, level):
        """Writes the archive, compressed by gzip at this level, and returns what it is."""
        with open(path, "wb") as file:
            stored = Counted(file)
            with gzip.GzipFile(filename="", mode="wb", compresslevel=level, fileobj=stored, mtime=0) as packed:
                plain = Counted(packed)
                with tarfile.open(fileobj=plain, mode="w", format=tarfile.GNU_FORMAT) as tar:
                    for name in sorted(self.entries):
                        add_entry(tar, name, self.entries[name], epoch)
        return Written(stored.size, stored.digest.hexdigest(), plain.digest.hexdigest())


def add_entry(tar, name, entry, epoch):
    info = tarfile.TarInfo(name)
    info.mode, info.mtime, info.uid, info.gid = entry.mode, epoch, entry.owner, entry.owner
    if entry.link:
        info.type, info.linkname = tarfile.SYMTYPE, entry.link
        tar.addfile(info)
    elif entry.source is None:
        info.type = tarfile.DIRTYPE
        tar.addfile(info)
    elif isinstance(entry.source, bytes):
        info.size = len(entry.source)
        tar.addfile(info, io.BytesIO(entry.source))
    else:
        info.size = entry.source.stat().st_size
        with open(entry.source, "rb") as file:
            tar.addfile(info, file)
