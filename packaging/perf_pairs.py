#!/usr/bin/env python3
"""Compares the speed of two builds, row by row.

    packaging/perf_pairs.py OLD NEW [NAME...] [--pairs N] [--json FILE]

OLD and NEW are measuring programs of two builds, as build/release/perf/orrery_perf or
orrery_learn_perf, each beside its own libraries and its own program. They take turns, N pairs (10),
so that both meet the same machine; who begins changes from pair to pair. Of each row the speed of NEW
as a multiple of OLD's is told, the median over the pairs with its 95 % interval. A row is good if the
median is at least 0.95, or the interval holds 1, and if the row meets its own target. Ends with 1 if
one is not good. Windows are measured on a screen of their own (Xvfb)."""

import argparse
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile

LEAST_RATIO = 0.95
RESAMPLES = 10_000


def measure(program, names):
    """Rows of one run by name."""
    with tempfile.TemporaryDirectory() as folder:
        file = os.path.join(folder, "rows.json")
        command = ["xvfb-run", "-a", "-s", "-screen 0 1920x1200x24", program, *names, "--json", file]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if not os.path.exists(file):
            sys.exit(f"{program} measured nothing (status {done.returncode}):\n{done.stderr}")
        with open(file, encoding="utf-8") as text:
            return {row["name"]: row for row in json.load(text)}


def speed_ratio(old, new):
    """How fast the new is as a multiple of the old; nothing where one measured 0."""
    if old["value"] <= 0 or new["value"] <= 0:
        return None
    ratio = new["value"] / old["value"]
    return 1 / ratio if new["less_is_better"] else ratio


def interval(ratios):
    """The 95 % bootstrap interval of the median."""
    draw = random.Random(1)
    medians = sorted(
        statistics.median(draw.choices(ratios, k=len(ratios))) for _ in range(RESAMPLES)
    )
    return medians[int(0.025 * RESAMPLES)], medians[int(0.975 * RESAMPLES)]


def judged(name, pairs):
    """One row of the table, as a dictionary."""
    ratios = [ratio for ratio in (speed_ratio(old, new) for old, new in pairs) if ratio]
    new_values = [new["value"] for _, new in pairs]
    row = {
        "name": name,
        "unit": pairs[0][1]["unit"],
        "old": statistics.median(old["value"] for old, _ in pairs),
        "new": statistics.median(new_values),
        "target_met": sum(new["met"] for _, new in pairs) * 2 > len(pairs),
    }
    if ratios:
        row["ratio"] = statistics.median(ratios)
        row["low"], row["high"] = interval(ratios)
        is_fast = row["ratio"] >= LEAST_RATIO or row["low"] <= 1 <= row["high"]
    else:
        row["ratio"] = row["low"] = row["high"] = None
        is_fast = row["old"] == row["new"]
    row["good"] = is_fast and row["target_met"]
    return row


def number(value):
    """A ratio as text."""
    return "-" if value is None else f"{value:.3f}"


def main():
    """Measures the pairs and prints the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("old")
    parser.add_argument("new")
    parser.add_argument("names", nargs="*", help="parts to measure; all if none is given")
    parser.add_argument("--pairs", type=int, default=10)
    parser.add_argument("--json", help="writes the rows to a file")
    given = parser.parse_args()
    pairs = {}
    for turn in range(given.pairs):
        order = [given.old, given.new] if turn % 2 == 0 else [given.new, given.old]
        told = {program: measure(program, given.names) for program in order}
        for name, new in told[given.new].items():
            if name in told[given.old]:
                pairs.setdefault(name, []).append((told[given.old][name], new))
        print(f"pair {turn + 1} of {given.pairs} is measured", file=sys.stderr)
    rows = [judged(name, measured) for name, measured in pairs.items()]
    print(f"{'name':<26}{'old':>12}{'new':>12}  {'ratio (95 %)':<24}{'target':<8}good")
    for row in rows:
        spread = f"{number(row['ratio'])} ({number(row['low'])}-{number(row['high'])})"
        print(
            f"{row['name']:<26}{row['old']:>12.4g}{row['new']:>12.4g}  {spread:<24}"
            f"{'met' if row['target_met'] else 'missed':<8}{'yes' if row['good'] else 'NO'}"
        )
    if given.json:
        with open(given.json, "w", encoding="utf-8") as out:
            json.dump(rows, out, indent=1)
    return 0 if all(row["good"] for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
