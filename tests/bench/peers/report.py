"""The table, and the same as JSON for plots."""


def ms_text(value):
    return f"{value:.2f}" if value < 10 else f"{value:.1f}" if value < 1000 else f"{value:,.0f}"


def table(title, results):
    """Milliseconds; behind each peer's in brackets how many times logquery's they are: below 1, the peer is faster."""
    peers = list(results[0]["ms"])
    heads = [f"{peers[0]}, ms", "in its server, ms"] + [f"{name}, ms" for name in peers[1:]]
    lines = [f"{title}", "", "| | " + " | ".join(heads) + " |", "|---" * (len(heads) + 1) + "|"]
    for result in results:
        base = result["ms"][peers[0]]
        cells = [ms_text(base), ms_text(result["in_server_ms"])]
        cells += [f"{ms_text(result['ms'][name])} ({result['ms'][name] / base:.2f})" for name in peers[1:]]
        lines.append(f"| {result['case']} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def sizes(title, rows, of):
    lines = [f"| {title} | " + " | ".join(of) + " |", "|---" * (len(of) + 1) + "|",
             "| bytes a row | " + " | ".join(f"{size / rows:.0f}" for size in of.values()) + " |"]
    return "\n".join(lines)


def summary(document):
    """All tables of a run."""
    parts = [f"{document['date']}, {document['machine']}; medians of {document['repeat']} calls in turns. "
             + "; ".join(document["versions"].values()) + "."]
    for suite in document["suites"]:
        parts.append(table(f"{suite['title']}, {suite['rows']:,} rows:", suite["results"]))
        if suite.get("bytes"):
            parts.append(sizes(f"{suite['rows']:,} rows", suite["rows"], suite["bytes"]))
    return "\n\n".join(parts)
