"""DuckDB through its C functions, as a program in C uses it: prepared statements that stay, results in the engine's memory."""
import ctypes
import os
import time


class _Result(ctypes.Structure):
    """duckdb_result of duckdb.h; only the library reads its fields."""
    _fields_ = [("counts", ctypes.c_uint64 * 3), ("pointers", ctypes.c_void_p * 3)]


class DuckDb:
    """One connection to one file."""

    def __init__(self, library, folder, threads, memory_mb):
        self._lib = _declared(ctypes.CDLL(library))
        os.makedirs(folder, exist_ok=True)
        self._file = os.path.join(folder, "peer.duckdb")
        self._database, self._connection = ctypes.c_void_p(), ctypes.c_void_p()
        if self._lib.duckdb_open_ext(None, ctypes.byref(self._database), None, None) != 0:
            raise RuntimeError("DuckDB can't be opened")
        self._lib.duckdb_connect(self._database, ctypes.byref(self._connection))
        for sql in (f"SET threads = {threads}", f"SET memory_limit = '{memory_mb}MB'", f"SET temp_directory = '{folder}/spill'",
                    f"ATTACH '{self._file}' AS peer (STORAGE_VERSION 'latest')", "USE peer"):
            self.execute(sql)
        self._prepared = {}

    def version(self):
        return "DuckDB " + self._lib.duckdb_library_version().decode().lstrip("v")

    def execute(self, sql):
        result = _Result()
        if self._lib.duckdb_query(self._connection, sql.encode(), ctypes.byref(result)) != 0:
            raise RuntimeError(f"{self._error(result)}\nin: {sql}")
        self._lib.duckdb_destroy_result(ctypes.byref(result))

    def prepare(self, name, sql):
        statement = ctypes.c_void_p()
        if self._lib.duckdb_prepare(self._connection, sql.encode(), ctypes.byref(statement)) != 0:
            raise RuntimeError(f"{self._lib.duckdb_prepare_error(statement).decode()}\nin: {sql}")
        self._prepared[name] = statement

    def run(self, name, parameters, wants_rows):
        """(milliseconds until the whole result is in memory, its rows as texts or None)"""
        statement, result = self._prepared[name], _Result()
        start = time.perf_counter()
        for key, value in parameters.items():
            place = ctypes.c_uint64()
            if self._lib.duckdb_bind_parameter_index(statement, ctypes.byref(place), key.encode()) == 0:
                self._lib.duckdb_bind_varchar(statement, place, value.encode())
        state = self._lib.duckdb_execute_prepared(statement, ctypes.byref(result))
        milliseconds = (time.perf_counter() - start) * 1e3
        if state != 0:
            raise RuntimeError(f"{self._error(result)}\nin: {name}")
        rows = self._rows(result) if wants_rows else None
        self._lib.duckdb_destroy_result(ctypes.byref(result))
        return milliseconds, rows

    def explain(self, sql):
        result = _Result()
        self._lib.duckdb_query(self._connection, f"EXPLAIN ANALYZE {sql}".encode(), ctypes.byref(result))
        return "\n".join(row[-1] for row in self._rows(result))

    def bytes_on_disk(self):
        self.execute("CHECKPOINT")
        return os.path.getsize(self._file)

    def close(self):
        self._lib.duckdb_disconnect(ctypes.byref(self._connection))
        self._lib.duckdb_close(ctypes.byref(self._database))

    def _error(self, result):
        text = self._lib.duckdb_result_error(ctypes.byref(result))
        self._lib.duckdb_destroy_result(ctypes.byref(result))
        return text.decode() if text else "DuckDB gave no reason"

    def _rows(self, result):
        columns = self._lib.duckdb_column_count(ctypes.byref(result))
        return [[self._cell(result, column, row) for column in range(columns)]
                for row in range(self._lib.duckdb_row_count(ctypes.byref(result)))]

    def _cell(self, result, column, row):
        text = self._lib.duckdb_value_varchar(ctypes.byref(result), column, row)
        if not text:
            return None
        value = ctypes.string_at(text).decode()
        self._lib.duckdb_free(text)
        return value


def _declared(lib):
    pointer, text, number = ctypes.c_void_p, ctypes.c_char_p, ctypes.c_uint64
    lib.duckdb_library_version.restype = text
    lib.duckdb_open_ext.argtypes = [text, pointer, pointer, pointer]
    lib.duckdb_connect.argtypes = [pointer, pointer]
    lib.duckdb_query.argtypes = [pointer, text, pointer]
    lib.duckdb_prepare.argtypes = [pointer, text, pointer]
    lib.duckdb_prepare_error.argtypes, lib.duckdb_prepare_error.restype = [pointer], text
    lib.duckdb_bind_parameter_index.argtypes = [pointer, pointer, text]
    lib.duckdb_bind_varchar.argtypes = [pointer, number, text]
    lib.duckdb_execute_prepared.argtypes = [pointer, pointer]
    lib.duckdb_result_error.argtypes, lib.duckdb_result_error.restype = [pointer], text
    lib.duckdb_destroy_result.argtypes = [pointer]
    for name in ("duckdb_column_count", "duckdb_row_count"):
        getattr(lib, name).argtypes, getattr(lib, name).restype = [pointer], number
    lib.duckdb_value_varchar.argtypes, lib.duckdb_value_varchar.restype = [pointer, number, number], pointer
    lib.duckdb_free.argtypes = [pointer]
    lib.duckdb_disconnect.argtypes = [pointer]
    lib.duckdb_close.argtypes = [pointer]
    return lib
