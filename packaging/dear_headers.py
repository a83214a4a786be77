#!/usr/bin/env python3
"""dear_headers.py BUILD [JOBS]: the ten headers that cost a build the most time to read.

Lets clang read every source that was built as the build puts them together, adds up how long each header
took with all that it includes, and prints the ten dearest, with how often they were read. What a
precompiled header holds is left out: it is read once for all.
"""

import concurrent.futures
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile

PRECOMPILED = "cmake_pch.hxx"


def clang_command(entry, trace):
    """The command of a source without what only GCC knows, which leaves TRACE.json behind."""
    words = shlex.split(entry["command"])
    start = next(i for i, word in enumerate(words) if re.search(r"/(c\+\+|g\+\+)[^/]*$", word))
    kept = []
    skip = False
    for word in words[start + 1 :]:
        if skip:
            skip = False
        elif word in ("-o", "-c"):
            skip = word == "-o"
        elif not re.match(r"-W|-fpch-preprocess|-fno-ipa|-O[0-9s]|-g", word):
            kept.append(word)
    return ["clang++", "-fsyntax-only", "-w", "-ftime-trace", "-ftime-trace-granularity=0",
            "-Xclang", "-o", "-Xclang", trace + ".o", *kept]


def was_built(entry):
    """Whether a build of some targets needed this source."""
    words = shlex.split(entry["command"])
    return os.path.exists(os.path.join(entry["directory"], words[words.index("-o") + 1]))


def read_times(entry, folder, number):
    """Milliseconds by header of one source, or the name of the source that clang cannot read."""
    trace = os.path.join(folder, str(number))
    done = subprocess.run(clang_command(entry, trace), cwd=entry["directory"], capture_output=True)
    if done.returncode != 0 or not os.path.exists(trace + ".json"):
        return entry["file"]
    with open(trace + ".json", encoding="utf-8") as file:
        events = [e for e in json.load(file)["traceEvents"] if e.get("name") == "Source"]
    os.remove(trace + ".json")
    events = [(e["args"]["detail"], e["ts"], e["ts"] + e["dur"]) for e in events]
    precompiled = [e for e in events if e[0].endswith(PRECOMPILED)]
    times = {}
    for name, begin, end in events:
        inside = any(b <= begin and end <= e for _, b, e in precompiled)
        is_header = name.endswith((".h", ".hpp", ".hxx")) or "." not in os.path.basename(name)
        if is_header and not inside:
            times.setdefault(os.path.realpath(name), []).append((end - begin) / 1000)
    return times


def main():
    build = sys.argv[1]
    jobs = int(sys.argv[2]) if len(sys.argv) > 2 else os.cpu_count()
    with open(os.path.join(build, "compile_commands.json"), encoding="utf-8") as file:
        entries = [e for e in json.load(file) if PRECOMPILED not in e["file"] and was_built(e)]
    total, count, unread = {}, {}, 0
    with tempfile.TemporaryDirectory() as folder:
        with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
            read = [pool.submit(read_times, e, folder, i) for i, e in enumerate(entries)]
            for result in concurrent.futures.as_completed(read):
                times = result.result()
                if isinstance(times, str):
                    unread += 1
                    continue
                for name, durations in times.items():
                    total[name] = total.get(name, 0) + sum(durations)
                    count[name] = count.get(name, 0) + len(durations)
    print(f"dearest headers, with all that they include, by clang's -ftime-trace "
          f"({len(entries) - unread} of {len(entries)} sources and batches read):")
    for name in sorted(total, key=total.get, reverse=True)[:10]:
        print(f"  {total[name] / 1000:7.1f} s {count[name]:5} times  {name}")


if __name__ == "__main__":
    main()
