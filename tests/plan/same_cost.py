"""The report of a planned program says what the plan says: the same step time and peak.  A third argument
names the member of the plan that is about the reported program."""
import json
import sys

plan, report = (json.load(open(path)) for path in sys.argv[1:3])
seconds = report["step"]["overlapped_seconds"]
told = plan[sys.argv[3] if len(sys.argv) > 3 else "step_seconds"]
same_peak = len(sys.argv) > 3 or report["memory"]["peak"] == plan["peak_bytes"]
if abs(seconds / told - 1) > 1e-9 or not same_peak:
    sys.exit(f"plan: {told} s, {plan['peak_bytes']} B; "
             f"report: {seconds} s, {report['memory']['peak']} B")
if not 0 < plan["bound_seconds"] <= plan["step_seconds"]:
    sys.exit(f"a bound of {plan['bound_seconds']} s")
members = ["target", "mesh", "step_seconds", "annotated_step_seconds", "peak_bytes",
           "annotated_peak_bytes", "limit_bytes", "fits",
           "bound_seconds", "tactic", "mesh_shapes", "plans_evaluated", "search_seconds",
           "decisions", "frontier"]
if list(plan) != members:
    sys.exit(f"members of the plan: {list(plan)}")
