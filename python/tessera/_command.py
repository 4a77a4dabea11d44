"""`tess` as pip installs it: runs the command that is installed beside the library."""

import os
import sys


def main() -> None:
    command = os.path.join(os.path.dirname(os.path.abspath(__file__)), "tess")
    if not os.path.exists(command):
        sys.exit(f"tess: {command} is missing: install the package with pip")
    os.execv(command, ["tess"] + sys.argv[1:])
