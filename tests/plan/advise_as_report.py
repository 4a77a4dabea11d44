"""advise_as_report.py TESS FILE...: what advice is compared with is what the report says, of a machine that is
named or of none, with either policy."""

import json
import subprocess
import sys

tess, *files = sys.argv[1:]
for path in files:
    for options in ([], ["--target", "v5p"], ["--reshard-policy", "sdy"]):
        said = [
            json.loads(subprocess.check_output([tess, command, path, "--json", *options, *budget]))
            for command, budget in (("report", []), ("advise", ["--budget", "1"]))
        ]
        step = said[0]["step"]["overlapped_seconds"], said[1]["as_it_is"]["step_seconds"]
        peak = said[0]["memory"]["peak"], said[1]["as_it_is"]["peak_bytes"]
        assert step[0] == step[1] and peak[0] == peak[1], (path, options, step, peak)
print(len(files), "programs")
