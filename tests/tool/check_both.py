"""check_both.py TESS A B PAGE: a page of two programs has each as its own page has it, and their difference."""

import json
import subprocess
import sys


def tess(*words):
    return subprocess.run(words, capture_output=True, text=True, check=True).stdout


def data_of(page):
    begin = page.index("const GIVEN = ") + len("const GIVEN = ")
    return json.JSONDecoder().raw_decode(page[begin:])[0]


def main():
    command, *files, path = sys.argv[1:]
    target = ["--target", "h100x8"]
    with open(path, encoding="utf-8") as file:
        data = data_of(file.read())
    assert data["difference"] == json.loads(tess(command, "diff", *files, *target, "--json"))
    for side, program in zip(data["both"], files):
        alone = data_of(tess(command, "report", program, *target, "--html", "-"))
        alone.pop("advice")
        assert side == alone, [key for key in alone if side.get(key) != alone[key]]


main()
