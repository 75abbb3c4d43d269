#!/usr/bin/env python3
"""Draws what run.py has measured over growing numbers of rows: one chart a case, a line for each peer, both axes logarithmic.

    tests/bench/peers/plot.py RESULTS.json... --svg FILE [--suite endpoints] [--columns 2]
"""
import argparse
import json
import math
import pathlib

COLORS = ("#d62728", "#1f77b4", "#ff7f0e", "#2ca02c", "#9467bd", "#8c564b")
WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 430, 230, 52, 36, 34, 30


def series(documents, suite):
    """{case: {peer: [(rows, ms)]}}"""
    cases = {}
    for document in documents:
        for of in document["suites"]:
            if of["name"] != suite:
                continue
            for result in of["results"]:
                for peer, ms in result["ms"].items():
                    cases.setdefault(result["case"], {}).setdefault(peer, []).append((of["rows"], ms))
    return {case: {peer: sorted(points) for peer, points in peers.items()} for case, peers in cases.items()}


def _ticks(low, high):
    return [10 ** power for power in range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)]


def chart(case, peers, colors, left, top):
    points = [point for of in peers.values() for point in of]
    rows = sorted({count for count, _ in points})
    ticks = _ticks(min(ms for _, ms in points), max(ms for _, ms in points))
    low, high = math.log10(ticks[0]), math.log10(ticks[-1])
    first, last = math.log10(rows[0]), math.log10(rows[-1])

    def x(count):
        return left + LEFT + (math.log10(count) - first) / max(last - first, 1e-9) * (WIDTH - LEFT - RIGHT)

    def y(ms):
        return top + HEIGHT - BOTTOM - (math.log10(ms) - low) / max(high - low, 1e-9) * (HEIGHT - TOP - BOTTOM)

    svg = [f'<text x="{left + LEFT}" y="{top + 18}" font-weight="bold">{case.replace("`", "")}, ms</text>']
    for tick in ticks:
        svg.append(f'<line x1="{left + LEFT}" x2="{left + WIDTH - RIGHT}" y1="{y(tick):.1f}" y2="{y(tick):.1f}" stroke="#ddd"/>'
                   f'<text x="{left + LEFT - 6}" y="{y(tick) + 4:.1f}" text-anchor="end">{tick:g}</text>')
    for count in rows:
        svg.append(f'<text x="{x(count):.1f}" y="{top + HEIGHT - 10}" text-anchor="middle">{count:,}</text>')
    for peer, of in peers.items():
        svg.append(f'<polyline points="{" ".join(f"{x(count):.1f},{y(ms):.1f}" for count, ms in of)}" fill="none" '
                   f'stroke="{colors[peer]}" stroke-width="2"/>')
        svg += [f'<circle cx="{x(count):.1f}" cy="{y(ms):.1f}" r="3" fill="{colors[peer]}"/>' for count, ms in of]
    return svg


def draw(documents, suite, columns):
    cases = series(documents, suite)
    if not cases:
        raise SystemExit(f"plot: there is no suite {suite} in these results")
    names = list(dict.fromkeys(peer for peers in cases.values() for peer in peers))
    colors = {name: COLORS[number % len(COLORS)] for number, name in enumerate(names)}
    width, height = columns * WIDTH, math.ceil(len(cases) / columns) * HEIGHT + 30
    svg = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="12">',
           f'<rect width="{width}" height="{height}" fill="white"/>']
    for number, (case, peers) in enumerate(cases.items()):
        svg += chart(case, peers, colors, number % columns * WIDTH, number // columns * HEIGHT)
    at = LEFT
    for name in names:
        svg.append(f'<rect x="{at}" y="{height - 22}" width="12" height="12" fill="{colors[name]}"/>'
                   f'<text x="{at + 17}" y="{height - 11}">{name}</text>')
        at += 40 + 7 * len(name)
    return "\n".join(svg + ["</svg>"]) + "\n"


def main(words=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("results", nargs="+", type=pathlib.Path)
    parser.add_argument("--svg", required=True, type=pathlib.Path)
    parser.add_argument("--suite", default="endpoints")
    parser.add_argument("--columns", type=int, default=2)
    arguments = parser.parse_args(words)
    documents = [json.loads(file.read_text(encoding="utf-8")) for file in arguments.results]
    arguments.svg.write_text(draw(documents, arguments.suite, arguments.columns), encoding="utf-8")


if __name__ == "__main__":
    main()
