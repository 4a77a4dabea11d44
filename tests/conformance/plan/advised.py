#!/usr/bin/env python3
"""Checks that `tess advise` names a planted mistake first, and that each change gains what it promises.

    PYTHON-WITH-JAX advised.py [--tess TESS] [--target h100x8] [--write FOLDER] [NAME...]

For each program of mistakes.py, with its mistake and without, `tess advise` is asked.  Every change that it
advises is written into the program, in the order of the advice: expressions of the source are constrained
where the frames say, shardings of arguments and results replaced, arguments donated, the mesh made anew.
JAX lowers the changed program, and `tess report` must then predict what was promised, to 0.1 %, or up to 2 %
better.

--write keeps the programs as JAX lowers them: tests/plan/mistakes/ has them, so that the same is tested
without JAX.  Prints a line for each program and change, and 'N passed, N failed'.
"""

import argparse
import ast
import inspect
import json
import os
import re
import subprocess
import sys
import tempfile

os.environ["JAX_PLATFORMS"] = "cpu"
os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=8"

import jax
import numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec

HERE = os.path.dirname(os.path.abspath(__file__))
SOURCE = "mistakes.py"  # as its frames say
CLOSE = 1e-3
MORE = 2e-2  # is gained at most, where JAX constrains the gradient of a value as the value


def loaded(lines):
    """PROGRAMS of a source."""
    space = {"__name__": "mistakes"}
    exec(compile("\n".join(lines), SOURCE, "exec"), space)
    return space


def argument_names(function, arguments):
    """As JAX names them: "params", "data[0]"."""
    names = []
    for p in inspect.signature(function).parameters.values():
        left = range(len(arguments) - len(names))
        names += [f"{p.name}[{i}]" for i in left] if p.kind is p.VAR_POSITIONAL else [p.name]
    return names


class Subject:
    """A program with changes."""

    def __init__(self, name, mistake):
        self.name, self.mistake = name, mistake
        with open(os.path.join(HERE, SOURCE), encoding="utf-8") as file:
            self.lines = file.read().split("\n")
        _, self.mesh, self.kinds, self.first = loaded(self.lines)["PROGRAMS"][name]
        self.arguments, self.results = {}, {}  # specs, by path and by number
        self.donated = ()
        self.edits = {}  # by range of the source

    # ---- lowered

    def text(self):
        space = loaded(self.edited())
        devices = np.array(jax.devices()[:8]).reshape(*self.mesh.values())
        mesh = Mesh(devices, tuple(self.mesh))
        make = space["PROGRAMS"][self.name][0]
        function, arguments, told = make(self.mistake, space["Placing"](mesh))
        names = argument_names(function, arguments)
        arguments = self.with_specs(arguments, names, mesh)
        if self.donated:
            told["donate_argnums"] = tuple(i for i, n in enumerate(names) if n in self.donated)
        if self.results and "out_shardings" in told:
            told["out_shardings"] = self.with_results(told["out_shardings"], mesh)
        with jax.set_mesh(mesh):
            text = jax.jit(function, **told).lower(*arguments).as_text(debug_info=True)
        return text.replace(HERE + "/", "")

    def with_specs(self, arguments, names, mesh):
        left = dict(self.arguments)

        def one(path, leaf):
            spec = left.pop(names[path[0].idx] + jax.tree_util.keystr(path[1:]), None)
            if spec is None:
                return leaf
            return jax.ShapeDtypeStruct(leaf.shape, leaf.dtype, sharding=NamedSharding(mesh, spec))

        done = jax.tree_util.tree_map_with_path(one, arguments)
        if left:
            raise ValueError(f"there are no arguments {list(left)}")
        return done

    def with_results(self, given, mesh):
        leaves, tree = jax.tree.flatten(given)
        for number, spec in self.results.items():
            leaves[number] = NamedSharding(mesh, spec)
        return jax.tree.unflatten(tree, leaves)

    # ---- changed

    def edited(self):
        """The source with the changes of its expressions, from its end to its beginning."""
        lines = list(self.lines)
        for (line, first, end, last), (kind, spec) in sorted(self.edits.items(), reverse=True):
            if line != end:
                raise ValueError(f"the expression at line {line} has several lines")
            expression = lines[line - 1][first:last]
            if kind != "constrain":  # of a call that constrains: what it is given
                expression = ast.unparse(ast.parse(expression, mode="eval").body.args[0])
            if kind != "drop":
                expression = f"jax.lax.with_sharding_constraint({expression}, {spec})"
            lines[line - 1] = lines[line - 1][:first] + expression + lines[line - 1][last:]
        return lines

    def change(self, advice):
        kind = advice["kind"]
        if kind in ("constrain", "reconstrain", "drop"):
            frames = [f for f in advice["frames"] if f["file"].endswith(SOURCE)]
            helper = kind != "constrain" and "P(*spec)" in self.lines[frames[0]["line"] - 1]
            f = frames[helper]
            at = f["line"], f["column"], f["end_line"], f["end_column"]
            self.edits[at] = kind, advice["places"][0].get("spec")
        for place in advice["places"] if kind == "shard" else ():
            spec = eval(place["spec"], {"P": PartitionSpec})
            self.arguments[place["value"]] = spec
            if "result" in place:
                self.results[place["result"]] = spec
        if kind == "donate":
            self.donated = tuple(re.findall(r'"(\w+)"', advice["python"]))
        if kind == "mesh":
            sizes, names = re.search(r"\(\((.*?)\), \((.*?)\)\)", advice["python"]).groups()
            self.mesh = dict(zip(re.findall(r'"(\w+)"', names), map(int, sizes.split(", "))))

    def about(self):
        """What advice about the mistake has, in an argument's path or in the place that it tells."""
        begin = self.lines.index(f"def {self.name}(mistake, at):")
        lines = []
        for n, line in enumerate(self.lines[begin + 1 :], begin + 2):
            if line.startswith("def "):
                break
            if "# HERE" in line:
                lines.append(str(n))
        return self.first.replace("HERE", f"mistakes.py:({'|'.join(lines)})$")

    def names_mistake(self, advice):
        about = [p["value"] for p in advice["places"] if "argument" in p] + [advice.get("source", "")]
        return advice["kind"] in self.kinds and any(re.search(self.about(), a) for a in about)


class Judge:
    def __init__(self, options, folder):
        self.options, self.folder = options, folder
        self.passed = self.failed = 0

    def tess(self, command, text):
        path = os.path.join(self.folder, "program.mlir")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        words = [self.options.tess, command, path, "--target", self.options.target, "--json"]
        return json.loads(subprocess.run(words, capture_output=True, text=True, check=True).stdout)

    def verdict(self, good, text):
        self.passed += good
        self.failed += not good
        print(f"  {'right' if good else 'WRONG'}: {text}", flush=True)

    def check_promise(self, advice, subject):
        report = self.tess("report", subject.text())
        want, before = advice["after"], advice["before"]
        off = [
            report["step"]["overlapped_seconds"] / want["step_seconds"] - 1,
            report["memory"]["peak"] / want["peak_bytes"] - 1,
        ]
        about = advice["places"][0]["value"] if advice["places"] else advice["python"]
        self.verdict(
            all(-MORE < o < CLOSE for o in off),
            f"{advice['kind']} {about} {advice.get('source', '')}: "
            f"step {before['step_seconds'] * 1e3:.3g} -> {want['step_seconds'] * 1e3:.3g} ms, "
            f"peak {before['peak_bytes'] / 1e6:.4g} -> {want['peak_bytes'] / 1e6:.4g} MB; "
            f"it is {off[0]:+.2%}, {off[1]:+.2%}",
        )

    def judge(self, name, mistake):
        print(name if mistake else f"{name}, without the mistake")
        subject = Subject(name, mistake)
        text = subject.text()
        if self.options.write:
            self.write(subject, text)
        advised = self.tess("advise", text)["advice"]
        if mistake:
            first = bool(advised) and subject.names_mistake(advised[0])
            self.verdict(first, "the mistake is named first")
        for advice in advised:
            subject.change(advice)
            self.check_promise(advice, subject)

    def write(self, subject, text):
        name = subject.name + ("" if subject.mistake else "_right")
        run = "// RUN: %python %S/../advised.py tess %s"
        if subject.mistake:
            run += f" --first '{'|'.join(subject.kinds)}' '{subject.about()}'"
        with open(os.path.join(self.options.write, name + ".mlir"), "w", encoding="utf-8") as file:
            file.write(f"{run}\n{text}")


def main():
    here = argparse.ArgumentParser()
    here.add_argument("names", nargs="*")
    here.add_argument("--tess", default="build/tess")
    here.add_argument("--target", default="h100x8")
    here.add_argument("--write", help="a folder for the programs")
    options = here.parse_args()
    with open(os.path.join(HERE, SOURCE), encoding="utf-8") as file:
        programs = loaded(file.read().split("\n"))["PROGRAMS"]
    with tempfile.TemporaryDirectory() as folder:
        judge = Judge(options, folder)
        for name in options.names or programs:
            for mistake in (True, False):
                judge.judge(name, mistake)
    print(f"{judge.passed} passed, {judge.failed} failed")
    sys.exit(judge.failed > 0 or not judge.passed)


if __name__ == "__main__":
    main()
