"""The SQL files of sql/: a note at the top, and sections that begin with `-- load`, `-- ingest` or `-- query: NAME`."""
import re

_HEAD = re.compile(r"^-- (load|ingest|query: (\w+))$")
_COPY = re.compile(r"^-- copy: (\w+) (\S+)$")


class SqlFile:
    """`load` and `ingest` are lists of steps, `queries` is {name: SQL}. A step is an SQL text, or (table, file): lines to copy."""

    def __init__(self, path, **places):
        self.load, self.ingest, self.queries = [], [], {}
        self._places = places
        name, lines = None, []
        for line in path.read_text(encoding="utf-8").splitlines() + ["-- query: end"]:
            if not (head := _HEAD.match(line)):
                lines.append(line)
                continue
            if name in ("load", "ingest"):
                setattr(self, name, self._steps(lines))
            elif name:
                (self.queries[name],) = self._steps(lines)
            name, lines = head[2] or head[1], []

    def _steps(self, lines):
        steps, text = [], []
        for line in lines:
            if copy := _COPY.match(line):
                steps.append((copy[1], copy[2]))
            elif line.strip() and not line.startswith("--"):
                text.append(line)
                if line.rstrip().endswith(";"):
                    sql = "\n".join(text).rstrip().removesuffix(";")
                    for key, value in self._places.items():
                        sql = sql.replace("{" + key + "}", value)
                    steps.append(sql)
                    text = []
        if text:
            raise ValueError(f"a statement without ';': {text[0]}")
        return steps


def run_steps(peer, steps, folder):
    for step in steps:
        if isinstance(step, tuple):
            peer.copy_lines(step[0], f"{folder}/{step[1]}")
        else:
            peer.execute(step)
