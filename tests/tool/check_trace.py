"""check_trace.py TRACE.json DEVICES: what Perfetto needs of a trace."""

import json
import sys

events = json.load(open(sys.argv[1]))["traceEvents"]
lanes = {e["tid"]: e["args"]["name"] for e in events if e["ph"] == "M"}
assert lanes == {d: f"device {d}" for d in range(int(sys.argv[2]))}, lanes
tasks = sorted((e["tid"], e["ts"], e["dur"], e["name"]) for e in events if e["ph"] == "X")
assert tasks and 1 < len({t[0] for t in tasks}) <= len(lanes)
assert any(t[3] == "stablehlo.dot_general" for t in tasks)
for a, b in zip(tasks, tasks[1:]):
    assert a[2] >= 0 and (a[0] != b[0] or a[1] + a[2] <= b[1] + 0.001), (a, b)
