"""The report of a planned program says what the plan says: the same step time and peak."""
import json
import sys

plan, report = (json.load(open(path)) for path in sys.argv[1:3])
seconds = report["step"]["overlapped_seconds"]
if abs(seconds / plan["step_seconds"] - 1) > 1e-9 or report["memory"]["peak"] != plan["peak_bytes"]:
    sys.exit(f"plan: {plan['step_seconds']} s, {plan['peak_bytes']} B; "
             f"report: {seconds} s, {report['memory']['peak']} B")
members = ["mesh", "step_seconds", "annotated_step_seconds", "peak_bytes", "bound_seconds",
           "plans_evaluated", "search_seconds", "decisions"]
if list(plan) != members:
    sys.exit(f"members of the plan: {list(plan)}")
