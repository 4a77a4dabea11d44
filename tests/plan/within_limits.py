"""Whether a limit gives a plan that is as good as those within it that are found without it:
within_limits.py TESS PROGRAM [OPTION...]."""

import json
import subprocess
import sys


def plan(*options):
    command = [sys.argv[1], "plan", *sys.argv[2:], "--json", *options]
    return json.loads(subprocess.run(command, stdout=subprocess.PIPE, check=False).stdout)


listed = plan()["frontier"]
for other in listed:
    found = plan("--limit", str(other["peak_bytes"]))
    if not found["fits"] or found["step_seconds"] > other["step_seconds"]:
        sys.exit(f"within {other['peak_bytes']} bytes, the plan takes {found['step_seconds']} s and "
                 f"{found['peak_bytes']} bytes; without a limit, {other['step_seconds']} s were found")
print(f"{len(listed)} plans")
