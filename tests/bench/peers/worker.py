"""A peer in a process of its own: its memory, its threads and its faults are not those of the others."""
import multiprocessing
import traceback

from clickhouse_peer import ClickHouse
from duckdb_peer import DuckDb
from postgres_peer import Postgres

ENGINES = {"duckdb": DuckDb, "clickhouse": ClickHouse, "postgres": Postgres}

CLOSE_SECONDS = 30


class PeerError(Exception):
    """An error in a peer's process, in words."""


class Peer:
    """An engine behind a pipe; its methods are those of the engine's class. The engine itself takes the times."""

    def __init__(self, name, engine, where, folder, threads, memory_mb):
        self.name = name
        context = multiprocessing.get_context("spawn")
        self._pipe, theirs = context.Pipe()
        self._process = context.Process(target=_serve, args=(theirs, engine, where, folder, threads, memory_mb), daemon=False)
        self._process.start()
        theirs.close()
        self._answer()

    def __getattr__(self, method):
        def call(*arguments):
            self._pipe.send((method, arguments))
            return self._answer()
        return call

    def close(self):
        if self._process.is_alive():
            try:
                self._pipe.send(("close", ()))
                if self._pipe.poll(CLOSE_SECONDS):  # not while it still works on what a run that was stopped has asked
                    self._answer()
            except (PeerError, OSError):
                pass
            self._process.join(1)
        if self._process.is_alive():
            self._process.kill()
            self._process.join()

    def _answer(self):
        try:
            is_right, value = self._pipe.recv()
        except EOFError:
            raise PeerError(f"{self.name}: its process ended") from None
        if not is_right:
            raise PeerError(f"{self.name}: {value}")
        return value


def _serve(pipe, engine, where, folder, threads, memory_mb):
    made = None
    method = "start"
    try:
        made = ENGINES[engine](where, folder, threads, memory_mb)
        pipe.send((True, None))
        while method != "close":
            method, arguments = pipe.recv()
            try:
                pipe.send((True, getattr(made, method)(*arguments)))
            except Exception as error:  # it goes to the process that asked
                pipe.send((False, f"{error}" if isinstance(error, RuntimeError) else traceback.format_exc()))
    except EOFError:
        pass  # the other end is gone
    except Exception:
        pipe.send((False, traceback.format_exc()))
    finally:
        if made is not None and method != "close":
            made.close()
