"""The report of a program with another annotation, or (-) as it is, says what that was told to cost."""
import json
import sys

prices, report = (json.load(open(path)) for path in (sys.argv[1], sys.argv[3]))
others = prices["annotations"][0]["others"]
other = prices if sys.argv[2] == "-" else next(o for o in others if o["spec"] == sys.argv[2])
seconds = report["step"]["overlapped_seconds"]
if abs(seconds / other["step_seconds"] - 1) > 1e-9 or report["memory"]["peak"] != other["peak_bytes"]:
    sys.exit(f"told: {other}; report: {seconds} s, {report['memory']['peak']} B")
