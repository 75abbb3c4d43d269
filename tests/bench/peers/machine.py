"""Where logquery and the peers are, and what they run on."""
import ctypes.util
import os
import pathlib
import re
import shutil
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[3]


def peers_found(deps):
    """({engine: where it is}, [what is missing and how to get it])"""
    found, missing = {}, []
    for engine, file, how in (("duckdb", "duckdb/lib/libduckdb.so", "scripts/bootstrap"),
                              ("clickhouse", "chdb/lib/libchdb.so", "scripts/bootstrap clickhouse")):
        if (deps / file).exists():
            found[engine] = str(deps / file)
        else:
            missing.append(f"{engine}: there is no {file} in {deps}; {how} fetches it")
    programs, library = _postgres_programs(), ctypes.util.find_library("pq")
    if programs and library:
        found["postgres"] = (programs, library)
    else:
        missing.append("postgres: no initdb or no libpq; scripts/bootstrap installs the packages postgresql and libpq-dev")
    return found, missing


def _postgres_programs():
    folders = [str(path) for path in sorted(pathlib.Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)]
    if shutil.which("pg_config"):
        folders.append(subprocess.run(["pg_config", "--bindir"], stdout=subprocess.PIPE, text=True, check=False).stdout.strip())
    return next((folder for folder in folders if os.access(f"{folder}/initdb", os.X_OK)), None)


def description():
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        model = re.search(r"^model name\s*: (.*)$", file.read(), re.M)
    with open("/proc/meminfo", encoding="utf-8") as file:
        kibibytes = int(re.search(r"MemTotal:\s*(\d+)", file.read())[1])
    return f"{os.cpu_count()} cores, {model[1] if model else os.uname().machine}, {kibibytes / 2**20:.0f} GiB"


def load_average():
    return os.getloadavg()[0]
