#!/usr/bin/env python3
"""Writes the worlds of the oracle files ../empo/p*.json as world files oracle/p01.yaml to p12.yaml.

Run in this folder: python3 make_oracle_worlds.py. Keys whose value is the reader's default are left
out, so that the files test the defaults, too. Goals are written in turn in every form that a file
may have."""
import json
import pathlib

HERE = pathlib.Path(__file__).resolve().parent
INTERACTIVE = ("K", "B", "X", "L", "C", "O")  # first letters that select ObjectActions


def selects_object_actions(rows):
    cells = [cell for row in rows for cell in row.split()]
    coloured = [c for c in cells if c[0] in INTERACTIVE and c[1] in "rgbpye"]
    fixed = {"Ps", "Pa", "Dk", "dK", "Dp", "dP", "DC", "dC", "CB"}
    return any(c not in ("Kb",) for c in coloured) or any(c in fixed for c in cells)


def goal_text(goal, weight, turn):
    """One list element; `turn` picks among the forms that can express the goal."""
    flow = "[" + ", ".join(map(str, goal)) + "]"
    if weight is not None:
        return "{%s: %s, weight: %r}" % ("cell" if len(goal) == 2 else "rect", flow, weight)
    forms = [flow, '"' + ",".join(map(str, goal)) + '"', ", ".join(map(str, goal))]
    if len(goal) == 4:
        forms.append("[[%d, %d], [%d, %d]]" % tuple(goal))
    return forms[turn % len(forms)]


def write_world(path, number):
    oracle = json.loads(path.read_text())
    world, goals = oracle["world"], oracle["goals"]
    lines = ["metadata:", "  name: " + oracle["name"], "map: |"]
    lines += ["  " + row for row in world["map"]]
    lines.append("max_steps: %d" % world["max_steps"])
    lines.append("orientations: [%s]" % ", ".join(
        "eswn"[d] if number % 2 else str(d) for d in world["orientations"]))
    usual = "ObjectActions" if selects_object_actions(world["map"]) else "SmallActions"
    if world["actions"] != usual:
        lines.append("action_class: " + world["actions"])
    defaults = {"stumble_probability": ("stumble_probability", 0.5),
                "magic_entry_probability": ("magic_entry_probability", 0.5),
                "magic_solidify_probability": ("solidify_probability", 0.1),
                "enter_bush_success_prob": ("enter_bush_success_prob", 1.0),
                "duration_per_nonzero_action": ("duration_per_nonzero_action", None)}
    for name, (key, default) in defaults.items():
        if world[name] != default:
            lines.append("%s: %r" % (key, world[name]))
    if world["can_push_rocks_colors"] != "e":
        lines.append('can_push_rocks: "%s"' % world["can_push_rocks_colors"])
    if any(world["can_enter_magic_walls"]):
        lines.append("can_enter_magic_walls: [%s]" % ", ".join(
            "true" if each else "false" for each in world["can_enter_magic_walls"]))
    uniform = all(w == 1.0 / len(goals["specs"]) for w in goals["weights"])
    lines.append("possible_goals:")
    for g, goal in enumerate(goals["specs"]):
        lines.append("  - " + goal_text(goal, None if uniform else goals["weights"][g], g + number))
    (HERE / "oracle" / ("p%02d.yaml" % number)).write_text("\n".join(lines) + "\n")


for file in sorted((HERE.parent / "empo").glob("p*.json")):
    write_world(file, int(file.name[1:3]))
