"""recorder.py: a pytest plugin that records every program that JAX compiles and runs.

record.py starts pytest with `-p recorder` and passes these environment variables:

    RECORD_TO         the folder of this test file's programs
    RECORD_SECONDS    tests end after so many seconds
    RECORD_SEED       the order of the tests
    RECORD_HTU        a copy of jax._src.hypothesis_test_util, which wheels lack

The recorded text is what the compiler gets.  The values are those of the first execution: whole
arrays as the executable takes and returns them, after its own conversions of arguments.  An
executable's first call always goes through ExecuteReplicated.__call__; later ones, which take a
shorter way, are not needed.
"""

import collections
import hashlib
import importlib.util
import inspect
import json
import os
import random
import re
import signal
import sys
import time

import numpy as np

FOLDER = os.environ["RECORD_TO"]
MOST_BYTES = 20 << 20  # of all arguments or results of a program
MOST_TEXT = 4 << 20
MOST_OF_A_TEST = 40  # programs, so that no test fills the sample
SECONDS_OF_A_TEST = 25

texts = {}  # id(executable) -> its text, until it is called
known = set()  # hashes of the texts that are recorded
counts = collections.Counter()
test = {"name": "", "programs": 0}
end = float("inf")


# ---- values


class Unrecordable(Exception):
    """A value that no array stands for."""


def sum_of_parts(x, spec):
    """The whole value that the parts of an unreduced array stand for."""
    from jax.sharding import NamedSharding, PartitionSpec

    dims = getattr(spec, "partitions", spec)
    split = {n for p in dims if p for n in (p if isinstance(p, tuple) else (p,))}
    mesh = x.sharding.mesh
    places = NamedSharding(mesh, PartitionSpec(*dims)).devices_indices_map(x.shape)
    parts = {s.device: np.asarray(s.data) for s in x.addressable_shards}
    kind = getattr(spec, "unreduced_kind", None)
    kind = getattr(kind, "name", str(kind or "sum")).lower()
    combine = np.maximum if "max" in kind else np.minimum if "min" in kind else np.add
    whole, written = np.zeros(x.shape, x.dtype), np.zeros(x.shape, bool)
    for coordinates, device in np.ndenumerate(mesh.devices):
        named = zip(coordinates, mesh.axis_names)
        if any(c and n not in split and n not in spec.unreduced for c, n in named):
            continue  # a copy of a part that is counted already
        at = places[device]
        whole[at] = combine(whole[at], parts[device]) if written[at].any() else parts[device]
        written[at] = True
    return whole


def copies_differ(x):
    """True if an array that calls itself replicated has other numbers on other devices."""
    first = {}
    for shard in getattr(x, "addressable_shards", ()):
        data = np.asarray(shard.data).tobytes()
        if first.setdefault(str(shard.index), data) != data:
            return True
    return False


def recorded(x):
    """(an array that npz can hold, the name of its type)."""
    spec = getattr(getattr(x, "sharding", None), "spec", None)
    if getattr(spec, "unreduced", None):
        array = sum_of_parts(x, spec)
    elif copies_differ(x):
        raise Unrecordable("copies of a replicated value differ")
    else:
        array = np.array(x)
    name = array.dtype.name
    if array.dtype.itemsize == 0:
        raise Unrecordable("type " + name)
    if array.dtype.num >= 256 or array.dtype.kind == "V":  # the types of ml_dtypes
        return array.view({1: np.uint8, 2: np.uint16}[array.dtype.itemsize]), name
    if array.dtype.kind not in "biufc":
        raise Unrecordable("type " + name)
    return array, name


# ---- programs


def note(what, **fields):
    """Adds a line to one of the recording's lists."""
    with open(os.path.join(FOLDER, what + ".jsonl"), "a", encoding="utf-8") as file:
        file.write(json.dumps({**fields, "test": test["name"]}) + "\n")


def name_of(text):
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def why_not(executable, text):
    """Why a program is left out; None if it is recorded."""
    if executable.ordered_effects:
        return "ordered effects"
    if executable.has_host_callbacks:
        return "host callbacks"
    if len(text) > MOST_TEXT:
        return "long text"
    if re.search(r"@main\([^)]*!stablehlo\.token", text):
        return "a token is an argument"
    return "enough of this test" if test["programs"] >= MOST_OF_A_TEST else None


def write_program(text, executable, inputs, outputs):
    from jax import config

    name = name_of(text)
    if sum(a.nbytes for a, _ in outputs) > MOST_BYTES:
        raise Unrecordable("large results")
    with open(os.path.join(FOLDER, name + ".mlir"), "w", encoding="utf-8") as file:
        file.write(text)
    arrays = {f"in{i}": a for i, (a, _) in enumerate(inputs)}
    arrays.update({f"out{i}": a for i, (a, _) in enumerate(outputs)})
    np.savez(os.path.join(FOLDER, name + ".npz"), **arrays)
    note(
        "index",
        hash=name,
        name=executable.name,
        devices=len(executable._local_devices),
        ins=[n for _, n in inputs],
        outs=[n for _, n in outputs],
        x64=bool(config.jax_enable_x64),
    )
    known.add(name)
    test["programs"] += 1
    counts["recorded"] += 1


class Watched:
    """One call of an executable: what goes in and out, seen by handlers of ours around its own.

    A test must not fail because a value cannot be recorded, so `problem` says why instead.
    """

    def __init__(self, executable):
        self.executable, self.problem = executable, None
        self.convert, self.handlers = executable.in_handler, executable.out_handler.handlers
        self.inputs, self.outputs = [], [None] * len(self.handlers)

    def __enter__(self):
        self.executable.in_handler = self.take_inputs
        self.executable.out_handler.handlers = [
            self.taking(i, handler) for i, handler in enumerate(self.handlers)
        ]

    def __exit__(self, *_):
        self.executable.in_handler = self.convert
        self.executable.out_handler.handlers = self.handlers

    def take_inputs(self, arguments):
        buffers = self.convert(arguments)
        if sum(getattr(b, "nbytes", 0) for b in buffers) > MOST_BYTES:
            self.problem = "large arguments"
        else:
            self.inputs = self.attempt(lambda: [recorded(b) for b in buffers])
        return buffers

    def taking(self, i, handler):
        def take(result):
            self.outputs[i] = result
            return result

        return handler.wrap(take) if hasattr(handler, "wrap") else lambda x: take(handler(x))

    def attempt(self, action):
        try:
            return None if self.problem else action()
        except Unrecordable as reason:
            self.problem = str(reason)
        except Exception as error:
            self.problem = repr(error)[:200]
        return None


def under(value):
    """The plain array below a random key or a mutable array."""
    value = getattr(value, "_base_array", value)
    return value._refs._buf if hasattr(value, "_refs") else value


def call_recorded(call, executable, arguments, text):
    watched = Watched(executable)
    with watched:
        results = call(executable, *arguments)
    outputs = watched.attempt(lambda: [recorded(under(o)) for o in watched.outputs])
    watched.attempt(lambda: write_program(text, executable, watched.inputs, outputs))
    if watched.problem:
        counts["skipped"] += 1
        note("skipped", hash=name_of(text), why=watched.problem)
    return results


def compile_once(compile_program):
    """The compiler, with a memory: tests compile the same texts again and again."""
    signature, memory = inspect.signature(compile_program), {}

    def compiled(*given, **named):
        arguments = signature.bind(*given, **named).arguments
        text = arguments["computation"].operation.get_asm(enable_debug_info=False)
        devices = tuple(d.id for d in np.asarray(arguments["devices"]).flat)
        key = (text, devices, arguments["compile_options"].SerializeAsString())
        executable = memory.get(key)
        if executable is None or arguments.get("host_callbacks"):
            executable = memory[key] = compile_program(*given, **named)
            texts[id(executable)] = text
        return executable

    return compiled


def install():
    """Puts the recorder between JAX and its compiler, and around each executable's call."""
    from jax._src import compiler
    from jax._src.interpreters import pxla

    call = pxla.ExecuteReplicated.__call__

    def called(self, *arguments):
        text = texts.pop(id(self.xla_executable), None)
        if text is None or name_of(text) in known:
            return call(self, *arguments)
        why = why_not(self, text)
        if why:
            counts["skipped"] += 1
            note("skipped", hash=name_of(text), why=why)
            return call(self, *arguments)
        return call_recorded(call, self, arguments, text)

    compiler.compile_or_get_cached = compile_once(compiler.compile_or_get_cached)
    pxla.ExecuteReplicated.__call__ = called


def add_hypothesis_test_util():
    """Makes a module importable that JAX's tests use and its wheels lack."""
    import jax._src

    name, path = "jax._src.hypothesis_test_util", os.environ.get("RECORD_HTU")
    if not path or importlib.util.find_spec(name):
        return
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = jax._src.hypothesis_test_util = module
    spec.loader.exec_module(module)


# ---- pytest


def too_slow(*_):
    signal.alarm(5)
    raise RuntimeError("the test took too long")


def pytest_configure(config):
    os.makedirs(FOLDER, exist_ok=True)
    recording = os.path.dirname(FOLDER)
    for name in os.listdir(recording):
        folder = os.path.join(recording, name)
        if os.path.isdir(folder):
            known.update(f[:-5] for f in os.listdir(folder) if f.endswith(".mlir"))
    signal.signal(signal.SIGALRM, too_slow)
    add_hypothesis_test_util()
    install()


def finished_tests():
    try:
        with open(os.path.join(FOLDER, "tests.txt"), encoding="utf-8") as file:
            return set(file.read().split("\n"))
    except FileNotFoundError:
        return set()


def pytest_collection_modifyitems(items):
    done = finished_tests()
    items[:] = [i for i in items if i.nodeid not in done]
    random.Random(os.environ["RECORD_SEED"]).shuffle(items)
    global end
    end = time.time() + float(os.environ["RECORD_SECONDS"])


def pytest_runtest_logstart(nodeid, location):
    test.update(name=nodeid.split("::", 1)[-1], programs=0)
    signal.alarm(SECONDS_OF_A_TEST)


def pytest_runtest_logfinish(nodeid, location):
    signal.alarm(0)
    with open(os.path.join(FOLDER, "tests.txt"), "a", encoding="utf-8") as file:
        file.write(nodeid + "\n")


def pytest_runtest_teardown(item, nextitem):
    if time.time() > end:
        item.session.shouldstop = "its time is over"


def pytest_sessionfinish(session):
    note("counts", **counts, collected=session.testscollected, failed=session.testsfailed)
