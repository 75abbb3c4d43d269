"""The SQL files of sql/: a note at the top, and sections that begin with `-- load`, `-- ingest` or `-- query: NAME`; a line
`-- queries: FILE` at the end takes the queries of another file."""
import dataclasses
import pathlib
import re

_HEAD = re.compile(r"^-- (load|ingest|query: (\w+))$")
_LIKE = re.compile(r"^-- queries: (\S+)$")
_COPY = re.compile(r"^-- copy: (\w+) (\S+)$")
_FILES = re.compile(r"^-- files: (\S+)$")


@dataclasses.dataclass
class EachFile:
    """A statement that runs once for each file of a pattern, whose name it has as {file}."""

    pattern: str
    sql: str = ""

    def statements(self):
        pattern = pathlib.Path(self.pattern)
        files = sorted(pattern.parent.glob(pattern.name))
        if not files:
            raise FileNotFoundError(f"no file is {self.pattern}")
        return [self.sql.replace("{file}", str(file)) for file in files]


class SqlFile:
    """`load` and `ingest` are lists of steps, `queries` is {name: SQL}.

    A step is an SQL text, an EachFile for a statement below `-- files: PATTERN`, or (table, file) for `-- copy: TABLE FILE`: the file's lines come into the table piece by piece, and the next
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
        steps, text, files = [], [], None
        for line in lines:
            if copy := _COPY.match(line):
                steps.append((copy[1], copy[2]))
            elif named := _FILES.match(line):
                files = EachFile(self._placed(named[1]))
            elif line.strip() and not line.startswith("--"):
                text.append(line)
                if line.rstrip().endswith(";"):
                    sql = self._placed("\n".join(text).rstrip().removesuffix(";"))
                    steps.append(dataclasses.replace(files, sql=sql) if files else sql)
                    text, files = [], None
        if text:
            raise ValueError(f"a statement without ';': {text[0]}")
        return steps

    def _placed(self, text):
        for key, value in self._places.items():
            text = text.replace("{" + key + "}", value)
        return text


def run_steps(peer, steps, folder):
    steps = iter(steps)
    for step in steps:
        if isinstance(step, tuple):
            peer.copy_lines(step[0], f"{folder}/{step[1]}", next(steps))
        elif isinstance(step, EachFile):
            for sql in step.statements():
                peer.execute(sql)
        else:
            peer.execute(step)
