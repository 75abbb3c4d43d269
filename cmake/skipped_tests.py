#!/usr/bin/env python3
"""Prints which tests a run of ctest has skipped, why, and what would have them run: a line for each reason, for the end of scripts/test.

usage: skipped_tests.py JUNIT_FILE
"""
import re
import sys
import xml.etree.ElementTree as ElementTree

# Commands that would have the tests run, where the reason does not name them.
REMEDIES = (
    (r"PostgreSQL", "apt install postgresql, and build again"),
    (r"debootstrap and root", "apt install debootstrap, and run it as root"),
    (r"systemd-analyze", "apt install systemd"),
    (r"gpg", "apt install gpg gpg-agent"),
    (r"(\w+) is not installed", r"apt install \1"),
    (r"clone", "git clone, and run it there"),
    (r"only root|root is needed", "run it as root"),
)


def reason_of(output):
    """The message of a skipped Catch2 case, which may be several lines, or the last line that a program printed."""
    case = re.search(r"SKIPPED:\nexplicitly with message:\n(.*?)(?:\n\s*\n|\Z)", output, re.S)
    if case:
        return " ".join(case[1].split())
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    return re.sub(r"^(\w+: )?skipped: ", "", lines[-1]) if lines else "it gives no reason"


def remedy_of(reason):
    if "scripts/" in reason:
        return ""
    for pattern, remedy in REMEDIES:
        found = re.search(pattern, reason)
        if found:
            return "; " + found.expand(remedy)
    return ""


def lines_of(suite):
    """The reasons by the number of tests that they skipped; one line each."""
    by_reason = {}
    for case in suite.iter("testcase"):
        skipped = case.find("skipped")
        if skipped is None or not skipped.get("message", "").startswith("SKIP_"):
            continue  # a program that is missing is a failure, which ctest tells
        by_reason.setdefault(reason_of(case.findtext("system-out") or ""), []).append(case.get("name"))
    for reason, names in sorted(by_reason.items(), key=lambda pair: (-len(pair[1]), pair[0])):
        rooms = sorted({name.split(".")[0] for name in names})
        count = f"1 test ({names[0]})" if len(names) == 1 else f"{len(names)} tests ({', '.join(rooms)})"
        yield f"skipped: {count}: {reason}{remedy_of(reason)}"


def main():
    for line in lines_of(ElementTree.parse(sys.argv[1]).getroot()):
        print(line)


if __name__ == "__main__":
    main()
