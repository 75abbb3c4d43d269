"""The SQL files of sql/: a note at the top, and sections that begin with `-- load`, `-- ingest` or `-- query: NAME`; a line
`-- queries: FILE` at the end takes the queries of another file."""
import re

_HEAD = re.compile(r"^-- (load|ingest|query: (\w+))$")
_LIKE = re.compile(r"^-- queries: (\S+)$")
_COPY = re.compile(r"^-- copy: (\w+) (\S+)$")


class SqlFile:
    """`load` and `ingest` are lists of steps, `queries` is {name: SQL}.

    A step is an SQL text, or (table, file) for `-- copy: TABLE FILE`: the file's lines come into the table piece by piece, and the next
    step runs for each piece, which is then taken out. So a large file needs no second copy on the disk.
    """

    def __init__(self, path, **places):
        self.load, self.ingest, self.queries = [], [], {}
        self._places = places
        name, lines = None, []
        for line in path.read_text(encoding="utf-8").splitlines() + ["-- query: end"]:
            if like := _LIKE.match(line):
                self.queries = SqlFile(path.parent / like[1], **places).queries
                continue
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
    steps = iter(steps)
    for step in steps:
        if isinstance(step, tuple):
            peer.copy_lines(step[0], f"{folder}/{step[1]}", next(steps))
        else:
            peer.execute(step)
