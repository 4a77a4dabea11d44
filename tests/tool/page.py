#!/usr/bin/env python3
"""Opens the pages of `tess report --html`, or with --plan of `tess plan --html`, in headless Chromium.

    tests/tool/page.py --tess build/tess [--browser chromium] [--plan MACHINE] FILE-OR-FOLDER...

A page passes if it is under --megabytes, nothing is written to the console, no request is
made but for the page itself (--log-net-log says), every section has something in it, and
programs of repeated layers (--folds NAME=N) show one of them with "×N".
"""

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../support"))
from programs import program_files, program_name  # noqa: E402


def requests_of(log):
    """URLs that were asked for, the page left out."""
    try:
        text = open(log).read()
    except OSError:
        return ["no net log"]
    urls = set(re.findall(r'"url":"([^"]+)"', text))
    return sorted(u for u in urls if re.match(r"(https?|wss?|ftp):", u) and not ours_not(u))


def ours_not(url):
    """Chromium's own errands: updates of components, variations, the new-tab page."""
    return re.search(r"(google|gvt1|chromium|googleapis|gstatic)\.(com|org)", url) is not None


SECTIONS = (
    "cards",
    "time",
    "operations",
    "memory",
    "peak",
    "communication",
    "values",
    "shard",
    "program",
    "waste",
)
QUIET = [
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-component-update",
    "--disable-background-networking",
    "--no-first-run",
    "--enable-logging=stderr",
    "--virtual-time-budget=10000",
]


def look(browser, page, folder, limit):
    log = os.path.join(folder, "net.json")
    command = [
        browser,
        *QUIET,
        f"--user-data-dir={folder}/profile",
        f"--log-net-log={log}",
        "--dump-dom",
        "file://" + page,
    ]
    done = subprocess.run(command, text=True, capture_output=True, timeout=limit)
    console = [l for l in done.stderr.splitlines() if "CONSOLE" in l]
    return done.stdout, console, requests_of(log)


def wrong_with(page, dom, console, urls, megabytes, fold, plan):
    size = os.path.getsize(page) / 1e6
    if size > megabytes:
        yield f"{size:.1f} MB"
    yield from console[:2]
    yield from (f"asks for {u}" for u in urls[:3])
    if plan and "plans by time and memory" not in dom:
        yield "no picture of plans"
    for section in SECTIONS + ("plan",) * bool(plan):
        if re.search(f'id="{section}"></div>', dom):
            yield f"section {section} is empty"
    if fold and f"<b>\u00d7{fold}</b>" not in dom:
        yield f"no layer is shown with \u00d7{fold}"


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--tess", default="build/tess")
    parser.add_argument("--browser", default="chromium")
    parser.add_argument("--megabytes", type=float, default=5)
    parser.add_argument("--limit", type=int, default=120)
    parser.add_argument("--plan", metavar="MACHINE", help="plan for 8 devices of it")
    parser.add_argument("--folds", action="append", default=[])
    parser.add_argument("paths", nargs="+")
    o = parser.parse_args()
    folds = dict(f.split("=") for f in o.folds)
    passed = failed = refused = 0
    for path in program_files(o.paths):
        name = program_name(path)
        with tempfile.TemporaryDirectory() as folder:
            page = os.path.join(folder, "page.html")
            words = ["plan", "--target", o.plan, "--devices", "8"] if o.plan else ["report"]
            command = [o.tess, *words, path, "--html", page]
            done = subprocess.run(command, capture_output=True, text=True)
            if done.returncode:
                refused += 1
                print(f"refused  {name}: {done.stderr.splitlines()[0]}")
                continue
            dom, console, urls = look(o.browser, page, folder, o.limit)
            wrong = list(wrong_with(page, dom, console, urls, o.megabytes, folds.get(name), o.plan))
        passed, failed = passed + (not wrong), failed + bool(wrong)
        if wrong:
            print(f"FAILED   {name}: " + "; ".join(wrong), flush=True)
    print(f"{passed} passed, {failed} failed, {refused} refused by tess")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
