"""Every change that `tess advise` promises something of gains that, written into the program.

    advised.py TESS FILE [--first KINDS ABOUT]

The changes are made in the text of the program, or by the options of `tess report`, in the order in which
they are advised; each report must say what was promised.  --first: the first is of one of these kinds, and
about an argument or a place in the source that ABOUT, a regular expression, is found in."""

import json
import re
import subprocess
import sys
import tempfile

TARGET = "h100x8"


def tess(command, path, *words):
    whole = [sys.argv[1], command, path, "--target", TARGET, "--json", *words]
    return json.loads(subprocess.run(whole, stdout=subprocess.PIPE, check=True).stdout)


def dims_of(sharding):
    return re.fullmatch(r"<@\w+, (.*)>", sharding)[1]


class Program:
    def __init__(self, path):
        with open(path, encoding="utf-8") as file:
            self.text = file.read()
        self.options = {}

    def function(self, name):
        """Where the text of a function begins and ends."""
        begin = re.search(rf"func\.func .*@{name or 'main'}\(", self.text).start()
        end = self.text.find("func.func ", begin + 1)
        return begin, end if end > 0 else len(self.text)

    def rewrite_constraint(self, value, make):
        """Puts what `make` makes of a constraint, and of the rest of its function, in their place."""
        name, _, function = value.partition(" of @")
        begin, end = self.function(function)
        body = self.text[begin:end]
        line = re.search(rf"^ *{name} = sdy\.sharding_constraint (%\S+) <.*$", body, re.M)
        new = body[: line.start()] + make(line, body[line.end() :])
        self.text = self.text[:begin] + new + self.text[end:]

    def drop(self, place):
        def without(line, rest):
            name = place["value"].partition(" ")[0]
            return re.sub(rf"{re.escape(name)}(?![\w#])", line[1], rest)

        self.rewrite_constraint(place["value"], without)

    def reconstrain(self, place):
        def other(line, rest):
            return re.sub(r"<@.*\]>", place["sharding"], line[0]) + rest

        self.rewrite_constraint(place["value"], other)

    def constrain(self, place):
        self.options["--constrain", place["value"]] = dims_of(place["sharding"])

    def shard(self, place):
        self.options["--arg", place["argument"]] = dims_of(place["sharding"])
        if "result" in place:
            self.options["--result", place["result"]] = dims_of(place["sharding"])

    def donate(self, place):
        begin, _ = self.function("main")
        begin = re.compile(rf"%arg{place['argument']}: tensor<.*?> ").search(self.text, begin).end()
        assert self.text[begin] == "{"
        self.text = self.text[: begin + 1] + "jax.buffer_donor = true, " + self.text[begin + 1 :]

    def lookup(self, place):
        command = [sys.argv[1], "opt", "-", "--sdy-explicit-gather-scatter-batching"]
        done = subprocess.run(command, input=self.text, stdout=subprocess.PIPE, check=True, text=True)
        self.text = done.stdout

    def change(self, advice):
        for place in advice["places"]:
            getattr(self, advice["kind"])(place)
        if advice["kind"] == "mesh":
            sizes, names = re.search(r"\(\((.*?)\), \((.*?)\)\)", advice["python"]).groups()
            axes = zip(re.findall(r'"(\w+)"', names), sizes.split(", "))
            self.options["--mesh", None] = ",".join(map("=".join, axes))

    def figures(self):
        words = []
        for (option, value), said in self.options.items():
            words += [option, said if value is None else f"{value}={said}"]
        with tempfile.NamedTemporaryFile("w", suffix=".mlir") as file:
            file.write(self.text)
            file.flush()
            report = tess("report", file.name, *words)
        return report["step"]["overlapped_seconds"], report["memory"]["peak"]


def main():
    path = sys.argv[2]
    advised = tess("advise", path)["advice"]
    if sys.argv[3:4] == ["--first"]:
        kinds, pattern = sys.argv[4:]
        first = advised[0] if advised else {"kind": "nothing", "places": ()}
        about = [p["value"] for p in first["places"] if "argument" in p] + [first.get("source", "")]
        if not re.fullmatch(kinds, first["kind"]) or not any(re.search(pattern, a) for a in about):
            sys.exit(f"first of all is advised: {first['kind']} {about}")
    program = Program(path)
    for number, advice in enumerate(advised, 1):
        program.change(advice)
        seconds, peak = program.figures()
        want = advice["after"]
        if abs(seconds / want["step_seconds"] - 1) > 1e-6 or peak != want["peak_bytes"]:
            sys.exit(f"{number}. {advice['python']}: promised {want}, got {seconds} s, {peak} B")


main()
