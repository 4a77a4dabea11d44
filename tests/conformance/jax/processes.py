#!/usr/bin/env python3
"""Runs JAX in several processes on tessera's PJRT plugin.

    processes.py --plugin build/libtess_pjrt.so [--jax SOURCES [--files FILE,...]] [NAME...]

Programs are run by one process with 8 devices, and by several processes that have 8 together and are
joined by jax.distributed or started by mpirun.  Both must give the same bytes.  Then one of several
processes is killed, stopped, fails, or cannot be reached; the others must end with an error that names it.

With --jax (a source tree or repository of JAX), JAX's own tests/multiprocess are run with 2 processes of
4 devices, on the plugin and on JAX's CPU backend.  Of those that pass on the latter, all must pass on the
plugin except those in processes_failures.txt; one of these that passes is an error, too.

The Python that runs this needs jax and absl-py.
"""

import argparse
import importlib.util
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(HERE)))
LIMIT = 300  # seconds for any set of processes

# Its arguments: the number of processes, this one, the port of jax.distributed.
BEGIN = """
import hashlib, os, sys
import jax, jax.numpy as jnp, numpy as np
from jax.experimental import multihost_utils
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P
n, k = int(sys.argv[1]), int(sys.argv[2])
if n > 1 and not os.environ.get("TESSERA_RANKS"):
    jax.distributed.initialize("127.0.0.1:" + sys.argv[3], n, k)
mesh = Mesh(np.array(jax.devices()).reshape(4, 2), ("data", "model"))
def put(x, *spec, mesh=mesh):
    s = NamedSharding(mesh, P(*spec))
    return jax.make_array_from_callback(x.shape, s, lambda i: x[i])
"""

# Each program has names of its own.
END = """
for name, text in PROGRAMS.items():
    names = dict(globals(), rng=np.random.default_rng(0))
    exec(text, names)
    whole = multihost_utils.process_allgather(names["results"], tiled=True)
    data = b"".join(np.asarray(a).tobytes() for a in jax.tree.leaves(whole))
    print("RESULT", name, hashlib.sha256(data).hexdigest() + "\\n", end="", flush=True)
"""

DRAW = """
def draw(*shape):
    return rng.standard_normal(shape, np.float32)
"""
PROGRAMS = {
    "training": DRAW
    + """
p = {"w1": put(0.1 * draw(64, 256), None, "model"), "w2": put(0.1 * draw(256, 64), "model", None)}
m = jax.tree.map(jnp.zeros_like, p)

@jax.jit
def step(p, m, x, y):
    def loss(p):
        def layer(h, _):
            return h + jax.nn.gelu(h @ p["w1"]) @ p["w2"], None
        h, _ = jax.lax.scan(layer, x, length=3)
        return jnp.mean((h - y) ** 2)
    l, g = jax.value_and_grad(loss)(p)
    m = jax.tree.map(lambda a, b: 0.9 * a + b, m, g)
    return jax.tree.map(lambda a, b: a - 0.02 * b, p, m), m, l

losses = []
for i in range(20):
    p, m, l = step(p, m, put(draw(32, 64), "data"), put(draw(32, 64), "data"))
    losses.append(l)
assert float(losses[-1]) < float(losses[0])
results = p, m, losses
""",
    "permuted": DRAW
    + """
devices = np.array(jax.devices())[[5, 2, 7, 0, 3, 6, 1, 4]]
mesh = Mesh(devices.reshape(2, 4), ("a", "b"))
x = put(draw(16, 24), "a", "b", mesh=mesh)

@jax.jit
def f(x):
    y = jnp.sort(x.T @ x, axis=0)
    return y, jnp.fft.fft(y[0]), jnp.cumsum(x, axis=1), jnp.argmax(x)

def g(x):
    s = jax.lax.psum(x, "a")
    t = jax.lax.ppermute(x, "b", [(0, 2), (2, 3), (3, 1)])
    return jax.lax.psum_scatter(s @ s.T, "b", tiled=True), jax.lax.all_gather(t, "a")[0]

results = f(x), jax.jit(jax.shard_map(g, mesh=mesh, in_specs=P("a", "b"),
                                      out_specs=(P(("a", "b")), P(None, "b")),
                                      check_vma=False))(x)
""",
    "loops": DRAW
    + """
x = put(draw(8, 4), ("data", "model"))

def mine(x):
    def body(c):
        return c[0] + 1, jnp.tanh(c[1] * 1.5)
    turns = jax.lax.axis_index("data") * 3 + jax.lax.axis_index("model")
    return jax.lax.while_loop(lambda c: c[0] < turns, body, (0, x))[1]

each = jax.jit(jax.shard_map(mine, mesh=mesh, in_specs=P(("data", "model")),
                             out_specs=P(("data", "model")), check_vma=False))(x)
def until(x):
    return jax.lax.while_loop(lambda v: jnp.sum(v * v) > 1e-3, lambda v: 0.7 * jnp.sin(v), x)
results = each, jax.jit(until)(x)
""",
    "callbacks": DRAW
    + """
seen = []
def host(a):
    seen.append(a.shape)
    return np.sqrt(np.abs(a)) + len(seen)
x = put(draw(8, 4), "data")
f = jax.jit(lambda x: jax.pure_callback(host, jax.ShapeDtypeStruct((8, 4), jnp.float32), x) * 2 + x)
results = f(x), f(x + 1)
jax.block_until_ready(results)
# One process calls for all: it alone counts.
assert seen == ([(8, 4)] * 2 if jax.process_index() == 0 else []), seen
""",
    "some": DRAW
    + """
half = [d for d in jax.devices() if d.id < 4]
small = Mesh(np.array(half), ("x",))
x = jax.make_array_from_callback((8, 8), NamedSharding(small, P("x")),
                                 lambda i: np.eye(8, dtype=np.float32)[i], dtype=np.float32)
y = jax.jit(lambda x: x @ x.T)(x) if any(d in half for d in jax.local_devices()) else None
z = jax.jit(lambda a: a.sum(0))(put(draw(8, 8), "data", "model"))
if y is not None:
    for s in y.addressable_shards:
        assert np.isfinite(np.asarray(s.data)).all()
results = z
""",
}

# Each prints the error that ends it; JAX's own end of several processes would take minutes.
TROUBLE = """
rng = np.random.default_rng(0)
def draw(*shape):
    return rng.standard_normal(shape, np.float32)
x = put(draw(8, 8), "data", "model")
f = jax.jit(lambda x: jnp.sin(x @ x.T @ x))
try:
    for i in range(1 << 30):
        x = f(x)
        x.block_until_ready()
        if i == 20:
            print("RUNNING", os.getpid(), flush=True)
        if i == 40 and os.environ.get("FAILS") == str(k):
            raise LookupError("out of luck")
except jax.errors.JaxRuntimeError as error:
    print("ERROR", error, flush=True)
    os._exit(7)
"""


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


class Runs:
    def __init__(self, options, folder):
        self.folder, self.passed, self.failed = folder, 0, 0
        build = os.path.dirname(os.path.abspath(options.plugin))
        path = [os.path.join(ROOT, "python"), os.environ.get("PYTHONPATH", "")]
        self.environment = dict(
            os.environ,
            TESSERA_PJRT=os.path.abspath(options.plugin),
            TESSERA_LIBRARY=os.path.join(build, "libtessera.so"),
            JAX_PLATFORMS="tessera,cpu",
            PYTHONPATH=os.pathsep.join(p for p in path if p),
            OMPI_ALLOW_RUN_AS_ROOT="1",
            OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1",
            OMPI_MCA_rmaps_base_oversubscribe="1",
        )

    def judge(self, name, wrong):
        self.passed += not wrong
        self.failed += bool(wrong)
        if wrong:
            print(f"FAILED   {name}: {wrong}", flush=True)

    def write(self, text):
        path = os.path.join(self.folder, "program.py")
        with open(path, "w") as f:
            f.write(text)
        return path

    def start(self, path, devices, **more):
        """Processes of so many devices each; what they say goes into files."""
        port, jobs = free_port(), []
        for k, n in enumerate(devices):
            out = open(os.path.join(self.folder, f"said.{k}"), "w+")
            jobs.append(
                (
                    subprocess.Popen(
                        [sys.executable, path, str(len(devices)), str(k), str(port)],
                        stdout=out,
                        stderr=subprocess.STDOUT,
                        env=dict(
                            self.environment, TESSERA_DEVICES=str(n), **more.get(f"env{k}", {})
                        ),
                    ),
                    out,
                )
            )
        return jobs

    def wait(self, jobs, limit=LIMIT):
        """What each said, and how it ended; None: it had to be killed."""
        end, ends = time.monotonic() + limit, []
        for job, out in jobs:
            try:
                status = job.wait(max(0.1, end - time.monotonic()))
            except subprocess.TimeoutExpired:
                status = None
                job.kill()
                job.wait()
            out.seek(0)
            ends.append((status, out.read()))
            out.close()
        return ends

    # ---- the same bytes ----

    def results(self, ends, names):
        """By program: what the processes say."""
        found = {name: set() for name in names}
        for status, said in ends:
            results = re.findall(r"RESULT (\w+) ([0-9a-f]{64})", said)
            if status != 0 or {name for name, _ in results} != set(names):
                raise RuntimeError(f"status {status}: {said.strip()[-600:]}")
            for name, result in results:
                found[name].add(result)
        return found

    def mpi(self, path, n, names):
        script = 'exec "$0" "$1" "$2" "${OMPI_COMM_WORLD_RANK:-$PMI_RANK}"'
        done = subprocess.run(
            ["mpirun", "-n", str(n), "sh", "-c", script, sys.executable, path, str(n)],
            capture_output=True,
            text=True,
            timeout=LIMIT,
            env=dict(self.environment, TESSERA_RANKS="mpi", TESSERA_DEVICES=str(8 // n)),
        )
        return self.results([(done.returncode, done.stdout + done.stderr)], names)

    def compare(self, names):
        programs = {name: PROGRAMS[name] for name in names}
        path = self.write(f"{BEGIN}\nPROGRAMS = {programs!r}\n{END}")

        def started(devices):
            return self.results(self.wait(self.start(path, devices)), names)

        ways = {
            "1 x 8": lambda: started([8]),
            "2 x 4": lambda: started([4, 4]),
            "4 x 2": lambda: started([2] * 4),
            "3 and 5": lambda: started([3, 5]),
        }
        if shutil.which("mpirun"):
            ways["mpirun 2 x 4"] = lambda: self.mpi(path, 2, names)
        alone = None
        for way, run in ways.items():
            try:
                got = run()
            except (RuntimeError, subprocess.TimeoutExpired) as error:
                self.judge(way, str(error))
                continue
            alone = alone or got
            for name in names:
                self.judge(f"{name}, {way}", "" if got[name] == alone[name] else "other bytes")

    # ---- trouble ----

    def under_way(self, jobs):
        end = time.monotonic() + LIMIT / 2
        for k in range(len(jobs)):
            while "RUNNING" not in open(os.path.join(self.folder, f"said.{k}")).read():
                if time.monotonic() > end:
                    return False
                time.sleep(0.2)
        return True

    def must_name(self, name, ends, who, expected, seconds=None):
        wrong = []
        for k, (status, said) in enumerate(ends):
            if k != who and (status is None or not re.search(expected, said)):
                wrong.append(f"process {k}, status {status}: {said.strip()[-400:]}")
        self.judge(name, "; ".join(wrong))

    def disturb(self, name, who, sent, expected, limit):
        jobs = self.start(self.write(BEGIN + TROUBLE), [2] * 4)
        good = self.under_way(jobs)
        if good:
            jobs[who][0].send_signal(sent)
            others = [j for k, j in enumerate(jobs) if k != who]
            end = time.monotonic() + limit
            while time.monotonic() < end and any(j.poll() is None for j, _ in others):
                time.sleep(0.2)
        for k, (job, _) in enumerate(jobs):
            if job.poll() is None and (k == who or not good):
                job.kill()
        ends = self.wait(jobs, 1)
        self.must_name(name, ends, who, expected if good else "it never ran")

    def trouble(self):
        # the first has the key-value store: without it JAX ends the others
        self.disturb("killed", 2, signal.SIGKILL, "ERROR.*rank 2: it has died, or was killed", 20)
        self.disturb("stopped", 1, signal.SIGSTOP, "ERROR.*rank 1: silent for 30 seconds", 60)
        path = self.write(BEGIN + TROUBLE)
        ends = self.wait(self.start(path, [4, 4], env1={"FAILS": "1"}), 120)
        self.must_name("throws", ends, 1, "ERROR.*rank 1: it has ended: LookupError: out of luck")
        ends = self.wait(self.start(path, [4, 4], env1={"TESSERA_HOST": "203.0.113.9"}), 120)
        self.must_name("cannot listen", ends, 1, "rank 1: cannot listen at 203.0.113.9")
        self.must_name("cannot listen, itself", ends, 0, "cannot listen at 203.0.113.9")

    # ---- JAX's own tests ----

    def unpack(self, sources):
        """The helper of the tests beside nothing else, since jax itself is the installed one."""
        for path in ("jax/_src/test_multiprocess.py", "tests/multiprocess"):
            if os.path.isdir(os.path.join(sources, "tests")):
                to = os.path.join(self.folder, path)
                os.makedirs(os.path.dirname(to), exist_ok=True)
                copy = (
                    shutil.copytree if os.path.isdir(os.path.join(sources, path)) else shutil.copy
                )
                copy(os.path.join(sources, path), to)
            else:
                archive = subprocess.run(
                    ["git", "--git-dir", sources, "archive", "HEAD", path],
                    capture_output=True,
                    check=True,
                ).stdout
                subprocess.run(["tar", "x", "-C", self.folder], input=archive, check=True)
        with open(os.path.join(self.folder, "one.py"), "w") as f:
            f.write(
                "import os, runpy, jax._src\n"
                "jax._src.__path__.append(os.environ['JAX_EXTRA'])\n"
                "runpy.run_path(os.environ['JAX_TEST'], run_name='__main__')\n"
            )

    def run_file(self, name, backend):
        """By test: whether it passed in both processes; those that were skipped are left out."""
        logs = os.path.join(self.folder, "logs")
        shutil.rmtree(logs, ignore_errors=True)
        os.makedirs(logs)
        more = {"JAX_PLATFORMS": "cpu", "JAX_NUM_CPU_DEVICES": "4"} if backend == "cpu" else {}
        env = dict(
            self.environment,
            TESSERA_DEVICES="4",
            JAX_EXTRA=os.path.join(self.folder, "jax/_src"),
            JAX_TEST=os.path.join(self.folder, "tests/multiprocess", name + ".py"),
            TEST_UNDECLARED_OUTPUTS_DIR=logs,
            **more,
        )
        job = subprocess.Popen(
            [sys.executable, os.path.join(self.folder, "one.py"), "--num_processes=2"],
            env=env,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        try:
            job.wait(LIMIT)
        except subprocess.TimeoutExpired:
            os.killpg(job.pid, signal.SIGKILL)
            job.wait()
        passed, seen = {}, {}
        for k in range(2):
            said = open(os.path.join(logs, f"jax_{k}_stderr.log"), errors="replace").read()
            for test in re.findall(r"\[ RUN +\] (.*)", said):
                seen[test] = seen.get(test, 0) + 1
                passed.setdefault(test, 0)
            for result, test in re.findall(r"\[ +(OK|SKIPPED) +\] (.*)", said):
                passed[test] = passed.get(test, 0) + 1 if result == "OK" else -9
        return {test: n == 2 for test, n in passed.items() if n >= 0}

    def upstream(self, sources, files):
        self.unpack(sources)
        folder = os.path.join(self.folder, "tests/multiprocess")
        known = {}
        for line in open(os.path.join(HERE, "processes_failures.txt")):
            if line.strip() and not line.startswith("#"):
                test, cause = line.rstrip().split("  ", 1)
                known[test] = cause
        good = total = 0
        for name in files or sorted(f[:-3] for f in os.listdir(folder) if f.endswith("_test.py")):
            wanted, got = self.run_file(name, "cpu"), self.run_file(name, "tessera")
            wanted = [t for t, passes in wanted.items() if passes]
            now = [t for t in wanted if got.get(t)]
            print(f"{name}: {len(now)} of {len(wanted)}, {sum(got.values())} in all", flush=True)
            good, total = good + len(now), total + len(wanted)
            for test in wanted:
                listed = f"{name}::{test}" in known
                if listed == bool(got.get(test)):
                    self.judge(f"{name}::{test}", "it is listed, and passes" if listed else "fails")
        print(f"tests/multiprocess: {good} of {total} pass that pass on JAX's CPU backend")


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--plugin", default=os.path.join(ROOT, "build", "libtess_pjrt.so"))
    parser.add_argument("--jax", metavar="SOURCES")
    parser.add_argument("--files", type=lambda s: s.split(","))
    parser.add_argument("names", nargs="*", help=f"of {', '.join(PROGRAMS)}, trouble")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        runs = Runs(options, folder)
        all_of_them = not (options.names or options.jax)
        names = [name for name in PROGRAMS if name in options.names or all_of_them]
        if names:
            runs.compare(names)
        if "trouble" in options.names or all_of_them:
            runs.trouble()
        if options.jax:
            if not importlib.util.find_spec("absl"):
                parser.error("JAX's tests need absl-py, which this Python has not")
            runs.upstream(options.jax, options.files)
    print(f"{runs.passed} passed, {runs.failed} failed")
    return 1 if runs.failed else 0


if __name__ == "__main__":
    sys.exit(main())
