"""Finds the shared libraries that a program loads, and the Debian packages that they are of."""
import os
import pathlib
import re
import subprocess

# The C library, which every system brings: it fits the system's kernel and its loader.
OF_THE_SYSTEM = re.compile(r"(ld-linux.*|ld64|libc|libm|libmvec|libpthread|libdl|librt|libresolv|libutil|libanl)\.so\.\d+")


class NotPossible(Exception):
    """A package can't be made, for a reason that a person reads."""


def run(*command, **options):
    """Returns the command's output."""
    words = [str(word) for word in command]
    done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False, **options)
    if done.returncode != 0:
        raise NotPossible(f"{' '.join(words)} ended with {done.returncode}:\n{(done.stderr or done.stdout).strip()[-4000:]}")
    return done.stdout


def libraries_of(program):
    """{"libz.so.1": path} of all that the program loads, with libraries of libraries, and the loader itself."""
    environment = {key: value for key, value in os.environ.items() if key != "LD_LIBRARY_PATH"}
    found = {}
    for line in run("ldd", program, env=dict(environment, LC_ALL="C")).splitlines():
        words = line.split()
        if "not found" in line:
            raise NotPossible(f"{program} needs {words[0]}, which this machine does not have")
        path = next((word for word in words if word.startswith("/")), None)
        if path is not None:
            found[pathlib.PurePosixPath(words[0]).name] = pathlib.Path(path)
    return found


def split_libraries(libraries):
    """Those that can be taken along, and those of the system's C library."""
    system = {name: path for name, path in libraries.items() if OF_THE_SYSTEM.fullmatch(name)}
    return {name: path for name, path in libraries.items() if name not in system}, system


def packages_of(paths):
    """{path: "libz1"}, the Debian package of each file. The folders /lib and /usr/lib are one, and dpkg knows a file by either."""
    names = {}
    for path in paths:
        real = os.path.realpath(path)
        names[path] = (real, real[len("/usr"):] if real.startswith("/usr/") else "/usr" + real)
    # It knows only one of the two names, so that it always complains; one call for all, as each reads the lists of all packages.
    asked = subprocess.run(["dpkg-query", "-S", *(name for pair in names.values() for name in pair)], capture_output=True, text=True,
                           check=False)
    owners = dict(reversed(line.split(": ", 1)) for line in asked.stdout.splitlines())
    found = {}
    for path, pair in names.items():
        owner = owners.get(pair[0]) or owners.get(pair[1])
        if owner is None:
            raise NotPossible(f"no Debian package has {path}, so that its licence is not known")
        found[path] = owner.split(",")[0].split(":")[0]
    return found


def status_of(packages):
    """{"libz1": "Package: libz1…"}: what dpkg says of each."""
    texts = run("dpkg-query", "-s", *packages, env=dict(os.environ, LC_ALL="C")).strip().split("\n\n")
    return {re.match(r"Package: (\S+)", text)[1]: text + "\n" for text in texts}


def version_in(status):
    return re.search(r"^Version: (\S+)$", status, re.M)[1]


def licence_of(package):
    path = pathlib.Path("/usr/share/doc") / package / "copyright"
    if not path.exists():
        raise NotPossible(f"the licence of Debian's package {package} is missing: {path}")
    return path
