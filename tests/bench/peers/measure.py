"""Compares answers, and then times calls in turns: each peer once, and again. What else the machine does meets all of them."""
import dataclasses
import statistics
import sys
import typing

import answers


@dataclasses.dataclass
class Case:
    name: str
    query: str  # its name in the SQL files, and among logquery's calls
    kinds: list[str]  # forms of the columns: answers.py
    parameters: typing.Callable[[int], dict] = lambda turn: {}
    before_turn: typing.Callable[[int], None] | None = None


class AnswersDiffer(Exception):
    """Two peers gave different rows for one case."""


def check(case, peers, turn):
    """The answers of all peers, which have to be equal; how many rows they have."""
    first_name, first = None, None
    for name, run in peers.items():
        rows = answers.rows_of(run(case.query, case.parameters(turn), True)[1], case.kinds)
        if first is None:
            first_name, first = name, rows
        elif where := answers.difference(first, rows):
            raise AnswersDiffer(f"{case.name}: {first_name} and {name} differ: {where}")
    return len(first)


def _order(names, turn):
    """Another one begins each turn, and every other round goes backwards, so that each comes after each other one as often: whoever
    comes after a peer that reads much finds the processor's caches without its own data."""
    begin, is_backwards = turn % len(names), turn // len(names) % 2 == 1
    order = names[begin:] + names[:begin]
    return order[::-1] if is_backwards else order


def measure(cases, peers, repeat, in_server):
    """`peers` is {name: run(query, parameters, wants_rows)}; the first one is what ratios are to, and `in_server()` tells the
    milliseconds of its last call without HTTP. A list of results."""
    results = []
    for case in cases:
        if case.before_turn:
            case.before_turn(-1)
        rows = check(case, peers, -1)
        times = {name: [] for name in peers}
        first, inner = next(iter(peers)), []
        for turn in range(repeat + 1):
            if case.before_turn:
                case.before_turn(turn)
            for name in _order(list(peers), turn):
                milliseconds, _ = peers[name](case.query, case.parameters(turn), False)
                if turn > 0:  # the first turn warms all of them
                    times[name].append(milliseconds)
                    inner += [in_server()] if name == first else []
        if case.before_turn:
            check(case, peers, repeat)
        results.append({"case": case.name, "rows": rows,
                        "ms": {name: round(statistics.median(of), 4) for name, of in times.items()},
                        "fastest_ms": {name: round(min(of), 4) for name, of in times.items()},
                        "in_server_ms": round(statistics.median(inner), 4)})
        print(f"peers: {case.name}: " + ", ".join(f"{name} {ms:.2f}" for name, ms in results[-1]["ms"].items()), file=sys.stderr,
              flush=True)
    return results
