"""PostgreSQL: a cluster of its own, whose server is a child of this process, asked through libpq over a Unix socket."""
import ctypes
import os
import pwd
import re
import shutil
import subprocess
import time

PIECE_BYTES = 128 << 20


class Postgres:
    """One connection. The server writes without fsync, which the load gains from and queries do not."""

    def __init__(self, libraries, folder, threads, memory_mb):
        programs, library = libraries
        self._lib = _declared(ctypes.CDLL(library))
        self._server, self._connection = None, None
        os.makedirs(folder, exist_ok=True)
        self._folder = folder
        owner = pwd.getpwnam("postgres" if _has_account("postgres") else "nobody")
        self._as_server = ["setpriv", "--pdeathsig", "QUIT"]
        if os.geteuid() == 0:
            os.chown(folder, owner.pw_uid, owner.pw_gid)
            self._as_server += ["--reuid", str(owner.pw_uid), "--regid", str(owner.pw_gid), "--clear-groups"]
        data, self._log = os.path.join(folder, "data"), open(os.path.join(folder, "log"), "ab")
        if not os.path.isdir(data):
            self._run([f"{programs}/initdb", "-D", data, "-U", "peer", "-A", "trust", "-E", "UTF8", "--locale", "C.UTF-8",
                       "--no-sync"])
        settings = {"listen_addresses": "", "unix_socket_directories": folder, "port": "5432", "fsync": "off",
                    "synchronous_commit": "off", "max_wal_size": "1GB", "shared_buffers": f"{memory_mb // 2}MB",
                    "effective_cache_size": f"{memory_mb}MB", "work_mem": "128MB", "maintenance_work_mem": "256MB",
                    "max_parallel_workers_per_gather": str(threads), "random_page_cost": "1.1", "jit": "off",
                    "timezone": "UTC", "plan_cache_mode": "force_custom_plan", "temp_file_limit": "8GB"}
        words = [word for name, value in settings.items() for word in ("-c", f"{name}={value}")]
        self._server = subprocess.Popen(self._as_server + [f"{programs}/postgres", "-D", data] + words, stdout=self._log,
                                        stderr=self._log)
        self._connect(folder)
        self._prepared = {}

    def version(self):
        return "PostgreSQL " + self._rows(self._query("SHOW server_version"))[0][0].split()[0]

    def execute(self, sql):
        self._lib.PQclear(self._query(sql))

    def copy_lines(self, table, path, then):
        """Each line of the file becomes a row of a table with one column; `then` runs for each piece of them."""
        with open(path, "rb") as file:
            while piece := file.readlines(PIECE_BYTES):
                self._copy(table, piece)
                self.execute(then)
                self.execute(f"TRUNCATE {table}")

    def _copy(self, table, lines):
        # Nothing in a line is special.
        self._lib.PQclear(self._query(
            f"COPY {table} FROM STDIN WITH (FORMAT csv, DELIMITER E'\\x02', QUOTE E'\\x01')", status=4))
        for start in range(0, len(lines), 1000):
            text = b"".join(lines[start:start + 1000])
            if self._lib.PQputCopyData(self._connection, text, len(text)) != 1:
                raise RuntimeError(self._lib.PQerrorMessage(self._connection).decode())
        self._lib.PQputCopyEnd(self._connection, None)
        while result := self._lib.PQgetResult(self._connection):
            self._checked(result, "COPY", 1)
            self._lib.PQclear(result)

    def prepare(self, name, sql):
        """Parameters are written $name."""
        names = []
        def place(match):
            if match[1] not in names:
                names.append(match[1])
            return f"${names.index(match[1]) + 1}"
        text = re.sub(r"\$([a-z_]+)", place, sql)
        result = self._lib.PQprepare(self._connection, name.encode(), text.encode(), 0, None)
        self._lib.PQclear(self._checked(result, sql, 1))
        self._prepared[name] = names

    def run(self, name, parameters, wants_rows):
        """(milliseconds until the rows are in memory as text, the rows or None)"""
        values = [parameters[key].encode() for key in self._prepared[name]]
        start = time.perf_counter()
        result = self._lib.PQexecPrepared(self._connection, name.encode(), len(values),
                                          (ctypes.c_char_p * len(values))(*values), None, None, 0)
        milliseconds = (time.perf_counter() - start) * 1e3
        rows = self._rows(self._checked(result, name, 2), keep=True) if wants_rows else None
        self._lib.PQclear(self._checked(result, name, 2))
        return milliseconds, rows

    def explain(self, sql):
        return "\n".join(row[0] for row in self._rows(self._query(f"EXPLAIN (ANALYZE, BUFFERS) {sql}")))

    def bytes_on_disk(self):
        sizes = ("SELECT sum(pg_total_relation_size(oid)) FROM pg_class WHERE relkind = 'r' "
                 "AND relnamespace = 'public'::regnamespace")
        return int(self._rows(self._query(sizes))[0][0] or 0)

    def close(self):
        if self._connection:
            self._lib.PQfinish(self._connection)
        if self._server:
            self._server.terminate()
            try:
                self._server.wait(30)
            except subprocess.TimeoutExpired:
                self._server.kill()
                self._server.wait()
        self._log.close()
        shutil.rmtree(self._folder, ignore_errors=True)

    def _run(self, command):
        if subprocess.run(self._as_server + command, stdout=self._log, stderr=self._log, check=False).returncode != 0:
            raise RuntimeError(f"{command[0]} failed; see {self._log.name}")

    def _connect(self, folder):
        end = time.monotonic() + 300
        while True:
            self._connection = self._lib.PQconnectdb(f"host={folder} port=5432 user=peer dbname=postgres".encode())
            if self._lib.PQstatus(self._connection) == 0:
                return
            error = self._lib.PQerrorMessage(self._connection).decode()
            self._lib.PQfinish(self._connection)
            self._connection = None
            if time.monotonic() > end or self._server.poll() is not None:
                raise RuntimeError(f"PostgreSQL did not start: {error}")
            time.sleep(0.05)

    def _query(self, sql, status=None):
        return self._checked(self._lib.PQexec(self._connection, sql.encode()), sql, status)

    def _checked(self, result, sql, status):
        is_right = self._lib.PQresultStatus(result) in ((status,) if status else (1, 2))
        if not is_right:
            error = self._lib.PQerrorMessage(self._connection).decode()
            self._lib.PQclear(result)
            raise RuntimeError(f"{error}\nin: {sql}")
        return result

    def _rows(self, result, keep=False):
        columns = range(self._lib.PQnfields(result))
        rows = [[None if self._lib.PQgetisnull(result, row, column) else self._lib.PQgetvalue(result, row, column).decode()
                 for column in columns] for row in range(self._lib.PQntuples(result))]
        if not keep:
            self._lib.PQclear(result)
        return rows


def _has_account(name):
    return any(entry.pw_name == name for entry in pwd.getpwall())


def _declared(lib):
    pointer, text, number = ctypes.c_void_p, ctypes.c_char_p, ctypes.c_int
    lib.PQconnectdb.argtypes, lib.PQconnectdb.restype = [text], pointer
    lib.PQstatus.argtypes = [pointer]
    lib.PQfinish.argtypes = [pointer]
    lib.PQerrorMessage.argtypes, lib.PQerrorMessage.restype = [pointer], text
    lib.PQexec.argtypes, lib.PQexec.restype = [pointer, text], pointer
    lib.PQprepare.argtypes, lib.PQprepare.restype = [pointer, text, text, number, pointer], pointer
    lib.PQexecPrepared.argtypes = [pointer, text, number, pointer, pointer, pointer, number]
    lib.PQexecPrepared.restype = pointer
    lib.PQgetResult.argtypes, lib.PQgetResult.restype = [pointer], pointer
    lib.PQputCopyData.argtypes = [pointer, text, number]
    lib.PQputCopyEnd.argtypes = [pointer, text]
    lib.PQclear.argtypes = [pointer]
    for name in ("PQresultStatus", "PQntuples", "PQnfields"):
        getattr(lib, name).argtypes = [pointer]
    lib.PQgetisnull.argtypes = [pointer, number, number]
    lib.PQgetvalue.argtypes, lib.PQgetvalue.restype = [pointer, number, number], text
    return lib
