"""ClickHouse's engine in this process: chDB through its C functions. A result is the text of all of its rows."""
import ctypes
import json
import os
import time


class ClickHouse:
    """One connection to one folder."""

    FORMAT = "JSONCompactEachRow"

    def __init__(self, library, folder, threads, memory_mb):
        self._lib = _declared(ctypes.CDLL(library))
        os.makedirs(folder, exist_ok=True)
        words = [b"clickhouse", f"--path={folder}".encode()]
        self._connection = self._lib.chdb_connect(len(words), (ctypes.c_char_p * len(words))(*words))
        if not self._connection:
            raise RuntimeError("chDB can't be opened")
        for sql in ("CREATE DATABASE IF NOT EXISTS peer ENGINE = Atomic", "USE peer", f"SET max_threads = {threads}",
                    f"SET max_memory_usage = {memory_mb * 1_000_000}", "SET output_format_json_quote_64bit_integers = 0",
                    # Blocks of an INSERT, not of queries, so that loading takes little memory.
                    "SET max_insert_threads = 1", "SET min_insert_block_size_bytes = 67108864", "SET max_insert_block_size = 65536",
                    "SET input_format_max_block_size_bytes = 16777216", "SET session_timezone = 'UTC'",
                    "SET use_query_cache = 0", "SET use_query_condition_cache = 0"):
            self.execute(sql)
        self._prepared = {}

    def version(self):
        return "ClickHouse " + json.loads(self._take(self._call("SELECT version()", {})))[0]

    def execute(self, sql):
        self._take(self._call(sql, {}))

    def prepare(self, name, sql):
        self._prepared[name] = sql

    def run(self, name, parameters, wants_rows):
        """(milliseconds until the rows are in memory as text, the rows or None)"""
        start = time.perf_counter()
        result = self._call(self._prepared[name], parameters)
        milliseconds = (time.perf_counter() - start) * 1e3
        text = self._take(result)
        return milliseconds, [json.loads(line) for line in text.splitlines()] if wants_rows else None

    def explain(self, sql):
        return self._take(self._call(f"EXPLAIN PIPELINE {sql}", {}))

    def bytes_on_disk(self):
        """Returns the bytes of the parts in use, once all are merged."""
        tables = self._take(self._call("SELECT name FROM system.tables WHERE database = 'peer'", {}))
        for line in tables.splitlines():
            self.execute(f"OPTIMIZE TABLE {json.loads(line)[0]} FINAL")
        sizes = "SELECT sum(bytes_on_disk) FROM system.parts WHERE active AND database = 'peer'"
        return json.loads(self._take(self._call(sizes, {})))[0]

    def close(self):
        self._lib.chdb_close_conn(self._connection)

    def _call(self, sql, parameters):
        names = [name.encode() for name in parameters]
        values = [value.encode() for value in parameters.values()]
        count = len(names)
        texts, lengths = ctypes.c_char_p * count, ctypes.c_size_t * count
        text, form = sql.encode(), self.FORMAT.encode()
        return self._lib.chdb_query_with_params_n(
            self._connection[0], text, len(text), form, len(form), texts(*names), lengths(*map(len, names)), texts(*values),
            lengths(*map(len, values)), count)

    def _take(self, result):
        if not result:
            raise RuntimeError("chDB gave no result")
        error = self._lib.chdb_result_error(result)
        text = error or ctypes.string_at(self._lib.chdb_result_buffer(result), self._lib.chdb_result_length(result))
        self._lib.chdb_destroy_query_result(result)
        if error:
            raise RuntimeError(text.decode(errors="replace"))
        return text.decode()


def _declared(lib):
    pointer, text, size = ctypes.c_void_p, ctypes.c_char_p, ctypes.c_size_t
    lib.chdb_connect.argtypes, lib.chdb_connect.restype = [ctypes.c_int, pointer], ctypes.POINTER(pointer)
    lib.chdb_close_conn.argtypes = [pointer]
    lib.chdb_query_with_params_n.argtypes = [pointer, text, size, text, size, pointer, pointer, pointer, pointer, size]
    lib.chdb_query_with_params_n.restype = pointer
    lib.chdb_destroy_query_result.argtypes = [pointer]
    lib.chdb_result_buffer.argtypes, lib.chdb_result_buffer.restype = [pointer], pointer
    lib.chdb_result_length.argtypes, lib.chdb_result_length.restype = [pointer], size
    lib.chdb_result_error.argtypes, lib.chdb_result_error.restype = [pointer], text
    return lib
