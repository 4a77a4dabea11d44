#!/usr/bin/env python3
"""record.py: records the programs that JAX's own tests compile and run, with their values.

    PYTHON tests/conformance/jax/tests/record.py --jax SOURCE --to FOLDER [--seed N] [--minutes M]
                                                 [FILE[:WEIGHT][:x64]...]

PYTHON has jax, jaxlib, pytest, absl-py, hypothesis and scipy.  SOURCE contains JAX's tests: a
source tree, a git repository, or the URL of one; the tests are kept in ~/.cache/tessera/jax-tests (or
--cache).  They should be of the version that PYTHON has, or a little later.

The tests run on 8 CPU devices, in an order that the seed determines, until their share of the minutes is
over.  Shares follow the weights: shard_map_test:3 has three times the share of array_test.  Without names,
all files of PLAN are run.

FOLDER gets, for each test file, NAME.mlir, NAME.npz (in0, in1, ..., out0, ...), and index.jsonl, with a
line for each program: the test, how many devices, the types of arguments and results.  Programs
that were recorded before are not recorded again, and tests that ran before do not run again: to
continue, call this once more with another seed.  judge.py judges what tess makes of the programs.
"""

import argparse
import hashlib
import os
import subprocess
import sys
import tarfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
PLAN = """shard_map_test:9 pjit_test:9 linalg_sharding_test:1 array_test:2 shard_alike_test:1
multi_device_test:1 ragged_collective_test:1 pmap_test:2 memories_test:1 mutable_array_test:1
overlap_test:1 hijax_test:1 lax_control_flow_test:3 lax_test:4 lax_numpy_test:4
lax_numpy_indexing_test:2 lax_numpy_reducers_test:1 lax_numpy_operators_test:1
lax_numpy_ufuncs_test:1 lax_numpy_einsum_test:1 lax_scipy_test:1 linalg_test:2 nn_test:1
random_lax_test:1 random_test:1 fft_test:1 lax_autodiff_test:1 lax_vmap_test:1 export_test:1
image_test:1 scipy_signal_test:1 scipy_stats_test:1 lax_scipy_special_functions_test:1
sparse_bcoo_bcsr_test:1 api_test:1 batching_test:1 state_test:1 ode_test:1 polynomial_test:1
scaled_dot_test:1 dtypes_test:1 lax_test:2:x64 lax_numpy_test:1:x64 linalg_test:1:x64""".split()
TESTS = ["tests", "jax/_src/hypothesis_test_util.py"]


def git(*arguments, **options):
    return subprocess.run(["git", *arguments], check=True, **options)


def is_git(source):
    if not os.path.exists(source):
        return True  # a URL
    done = subprocess.run(
        ["git", "--git-dir", source, "rev-parse"], capture_output=True, check=False
    )
    return done.returncode == 0


def fetched(source, cache):
    """A folder with JAX's tests."""
    if os.path.isdir(os.path.join(source, "tests")):
        return source
    if not is_git(source):
        sys.exit(f"record.py: {source} has no folder tests, and is no git repository")
    folder = os.path.join(cache, hashlib.sha256(source.encode()).hexdigest()[:12])
    if os.path.isdir(os.path.join(folder, "tests")):
        return folder
    os.makedirs(folder, exist_ok=True)
    repository = source
    if not os.path.exists(source):
        repository = os.path.join(folder, "repository")
        git("clone", "--quiet", "--bare", "--depth", "1", source, repository)
    archive = os.path.join(folder, "tests.tar")
    git("--git-dir", repository, "archive", "--output", archive, "HEAD", *TESTS)
    with tarfile.open(archive) as tar:
        tar.extractall(folder, filter="data")
    os.remove(archive)
    return folder


def programs_in(folder):
    try:
        with open(os.path.join(folder, "index.jsonl"), encoding="utf-8") as file:
            return sum(1 for _ in file)
    except FileNotFoundError:
        return 0


def record(tests, name, x64, seconds, options):
    """Runs one test file; the number of programs that came of it."""
    folder = os.path.join(os.path.abspath(options.to), name + ("_x64" if x64 else ""))
    os.makedirs(folder, exist_ok=True)
    before = programs_in(folder)
    environment = dict(
        os.environ,
        RECORD_TO=folder,
        RECORD_SECONDS=str(seconds),
        RECORD_SEED=str(options.seed),
        RECORD_HTU=os.path.join(tests, TESTS[1]),
        PYTHONPATH=HERE,
        JAX_NUM_GENERATED_CASES="6",
        JAX_PLATFORMS="cpu",
        JAX_DISABLE_MOST_OPTIMIZATIONS="1",  # compiles faster; judge.py asks the optimised one
        XLA_FLAGS="--xla_force_host_platform_device_count=8",
    )
    if x64:
        environment["JAX_ENABLE_X64"] = "1"
    command = [sys.executable, "-m", "pytest", "-p", "recorder", "-p", "no:cacheprovider"]
    with open(os.path.join(folder, "log.txt"), "w", encoding="utf-8") as log:
        try:
            subprocess.run(
                command + ["-q", "--tb=line", f"tests/{name}.py"],
                cwd=tests,
                env=environment,
                stdout=log,
                stderr=subprocess.STDOUT,
                timeout=seconds + 120,
                check=False,
            )
        except subprocess.TimeoutExpired:
            print(f"{name}: did not end in time", flush=True)
    return programs_in(folder) - before


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--jax", required=True, help="a source tree, a git repository, or its URL")
    parser.add_argument("--to", required=True, help="the folder of the recording")
    parser.add_argument("--cache", default=os.path.expanduser("~/.cache/tessera/jax-tests"))
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--minutes", type=float, default=30)
    parser.add_argument("files", nargs="*", metavar="FILE[:WEIGHT][:x64]")
    options = parser.parse_args()
    tests = fetched(options.jax, options.cache)
    jobs = [(f.split(":") + ["1"])[:2] + ["x64" in f.split(":")] for f in options.files or PLAN]
    weights = [1.0 if w == "x64" else float(w) for _, w, _ in jobs]
    total = 0
    for (name, _, x64), weight in zip(jobs, weights):
        start = time.time()
        seconds = options.minutes * 60 * weight / sum(weights)
        new = record(tests, name, x64, seconds, options)
        total += new
        spent = time.time() - start
        print(f"{name}{' x64' * x64}: {new} programs, {spent:.0f} s", flush=True)
    print(f"{total} programs")


if __name__ == "__main__":
    main()
