#!/usr/bin/env python3
"""What a kill -9 costs a training, and what its checkpoints cost, at defaults.

    tests/perf/kill_cost.py build/release/bin/orrery [--kills 20] [--longest 180] [--at-once 4]

Trains a small world in tables and with networks, kills each training at a random moment, and
compares the last checkpoint that is durable with the moment of the kill. One line each, then the
most that was lost and the greatest share of the time that checkpoints took.
"""
import argparse
import concurrent.futures
import datetime
import json
import pathlib
import random
import signal
import subprocess
import tempfile
import time


def seconds_of(utc):
    return datetime.datetime.fromisoformat(utc.replace("Z", "+00:00")).timestamp()


def one(orrery, folder, number, kind, moment):
    workspace = folder / f"{number}.orrery"
    command = [orrery, "train", "builtin:first_steps", "--workspace", workspace,
               "--num-training-steps", "1000000000", "--seed", str(number)]
    if kind == "tables":
        command.append("--tabular")
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    time.sleep(moment)
    process.send_signal(signal.SIGKILL)
    killed = time.time()
    process.wait()
    shown = json.loads(subprocess.run([orrery, "show", "1", "--json", "--events", "--workspace",
                                       workspace], check=True, capture_output=True).stdout)
    saved = [seconds_of(event["time"]) for event in shown["events"] if event["code"] == "train.saved"]
    began = seconds_of(shown["created"])
    lost = killed - (saved[-1] if saved else began)
    cost = shown["last_metrics"].get("Profile/checkpoints_seconds", {}).get("value", 0)
    share = cost / (killed - began)
    step = max([point["step"] for point in shown["last_metrics"].values()], default=0)
    kept = shown["checkpoints"][0]["step"] if shown["checkpoints"] else 0
    print(f"{kind:8} killed after {moment:5.1f} s at step {step:8}, checkpoint of step {kept:8}, "
          f"{lost:5.1f} s lost, {len(saved):2} checkpoints took {100 * share:.2f} %", flush=True)
    return lost, share


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("orrery", type=pathlib.Path)
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--longest", type=float, default=180)
    parser.add_argument("--at-once", type=int, default=4)
    options = parser.parse_args()
    random.seed(17)
    with tempfile.TemporaryDirectory() as folder, \
            concurrent.futures.ThreadPoolExecutor(options.at_once) as pool:
        jobs = [pool.submit(one, options.orrery.resolve(), pathlib.Path(folder), number,
                            "tables" if number % 2 else "networks",
                            random.uniform(1, options.longest))
                for number in range(options.kills)]
        ends = [job.result() for job in jobs]
    print(f"at most {max(lost for lost, _ in ends):.1f} s lost, "
          f"checkpoints took {100 * max(share for _, share in ends):.2f} % at most")


if __name__ == "__main__":
    main()
