"""Answers in one form, so that those of different engines can be compared value by value.

The form of a column is said by the case:
  time   microseconds since 1970, from a number of them or from a text of a UTC time
  int    a whole number
  float  equal to nine significant digits
  text   as it is
  json   a document without what says nothing: fields that are null, empty lists and records; a list of one record is the record;
         a document without anything is none
"""
import datetime
import json
import math

EPOCH = datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)


def rows_of(rows, kinds):
    for row in rows:
        if len(row) != len(kinds):
            raise ValueError(f"a row has {len(row)} values, {len(kinds)} are wanted: {row}")
    return [[_FORMS[kind](value) if value is not None else None for kind, value in zip(kinds, row)] for row in rows]


def difference(first, second):
    """None, or a line about the first place in which they differ."""
    if len(first) != len(second):
        return f"{len(first)} rows and {len(second)}"
    for number, (left, right) in enumerate(zip(first, second)):
        for column, (one, other) in enumerate(zip(left, right)):
            if not _same(one, other):
                return f"row {number}, column {column}: {_short(one)} and {_short(other)}"
    return None


def _same(one, other):
    if isinstance(one, float) and isinstance(other, float):
        return math.isclose(one, other, rel_tol=1e-9, abs_tol=1e-12)
    return one == other


def _short(value):
    text = repr(value)
    return text if len(text) <= 300 else text[:300] + "…"


def _time(value):
    if isinstance(value, int):
        return value
    text = str(value).strip().replace(" ", "T").removesuffix("Z").removesuffix("+00")
    if text.isdigit():
        return int(text)
    moment = datetime.datetime.fromisoformat(text)
    moment = moment.replace(tzinfo=datetime.timezone.utc) if moment.tzinfo is None else moment
    return (moment - EPOCH) // datetime.timedelta(microseconds=1)


def _document(value):
    return _pruned(json.loads(value or "null") if isinstance(value, str) else value) or None


def _pruned(value):
    if isinstance(value, dict):
        record = {key: _pruned(field) for key, field in value.items()}
        return {key: field for key, field in record.items() if field not in (None, {}, [])}
    if isinstance(value, list):
        if len(value) == 1 and isinstance(value[0], (dict, list)):
            return _pruned(value[0])
        return [_pruned(element) for element in value]
    return value


_FORMS = {
    "time": _time,
    "int": int,
    "float": float,
    "text": lambda value: value if isinstance(value, str) else json.dumps(value),
    "json": _document,
}
