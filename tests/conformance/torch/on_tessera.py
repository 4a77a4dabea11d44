#!/usr/bin/env python3
"""Runs PyTorch/XLA's own tests on tessera's PJRT plugin, and compares with the list of known failures.

    on_tessera.py ENVIRONMENT SOURCE [--how hlo|stablehlo|cpu|cpu-stablehlo] [FILE...]

ENVIRONMENT is what environment.py made.  SOURCE is a source tree of pytorch/xla 2.9.0, or a git repository
of it (the tests are then taken from the tag v2.9.0).  Only the folder test/ is used, apart from the rest, so
that the tests import the wheel.

The files are those of test/spmd, some beside it, and test_core_aten_ops.py, which compares each operation
with torch's.  Programs are passed as HLO protos, or as StableHLO (XLA_STABLEHLO_COMPILE=1).  With cpu,
XLA's own CPU client runs the tests, for comparison, and nothing is expected.

failures.txt lists which tests fail, how, and why.  A failure that is not in it is an error; so is a test in
it that passes.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

HERE = os.path.dirname(os.path.abspath(__file__))
TAG = "v2.9.0"
DEVICES = 8
# Names of files in test/, and what they want in the environment.
DUMP = {"XLA_SAVE_TENSORS_FILE": "TENSORS", "XLA_SAVE_TENSORS_FMT": "hlo"}  # of its own folder
FILES = {
    "spmd/test_xla_sharding": {},
    "spmd/test_xla_virtual_device": {},
    "spmd/test_xla_sharded_tensor": {},
    "spmd/test_mp_input_sharding": {},
    "spmd/test_xla_sharding_hlo": {},
    "spmd/test_xla_spmd_python_api_interaction": {},
    "spmd/test_xla_distributed_checkpoint": {},
    "spmd/test_fsdp_v2": {},
    "spmd/test_dynamo_spmd": {},
    "spmd/test_dtensor_convert_mesh": {},
    "spmd/test_dtensor_integration": {},
    "spmd/test_dtensor_integration2": {},
    "spmd/test_dtensor_integration3": {"XLA_DISABLE_FUNCTIONALIZATION": "1"},
    "spmd/test_dtensor_redistribute": {},
    "spmd/test_spmd_debugging": {},
    "spmd/test_spmd_graph_dump": DUMP,
    "spmd/test_spmd_lowering_context": DUMP,
    "spmd/test_spmd_parameter_wrapping": {},
    "spmd/test_xla_auto_sharding": {},
    "spmd/test_xla_dtensor_placements": {},
    "spmd/test_xla_dtensor_spec_conversion": {},
    "test_input_output_aliases": {"devices": "1"},
    "test_while_loop": {"devices": "1"},
    "scan/test_scan": {"devices": "1"},
    "eager/test_eager_spmd": {},
    "test_core_aten_ops": {"devices": "1"},
}
MINUTES = 240  # for one file, on a busy machine


def take_tests(source, folder):
    """The folder test/ of the source, without what would be imported instead of the wheel."""
    if os.path.isdir(os.path.join(source, "test")):
        subprocess.run(["cp", "-r", os.path.join(source, "test"), folder], check=True)
        return
    git = ["git", "-C", source, "archive", TAG, "test"]
    with subprocess.Popen(git, stdout=subprocess.PIPE) as archive:
        subprocess.run(["tar", "x", "-C", folder], stdin=archive.stdout, check=True)


def variables(how, wanted):
    devices = wanted.get("devices", str(DEVICES))
    out = {name: value for name, value in wanted.items() if name != "devices"}
    if how.endswith("stablehlo"):
        out["XLA_STABLEHLO_COMPILE"] = "1"
    if how.startswith("cpu"):
        out.update(XLA_REGISTER_INSTALLED_PLUGINS="0")
        return {**out, "PJRT_DEVICE": "CPU", "CPU_NUM_DEVICES": devices}
    return {**out, "PJRT_DEVICE": "TESSERA", "TESSERA_DEVICES": devices}


def outcomes(report):
    """"passed", "failed" or "skipped", by name of the test."""
    out = {}
    for case in xml.etree.ElementTree.parse(report).iter("testcase"):
        name = case.get("classname", "").split(".")[-1] + "::" + case.get("name", "")
        bad = case.find("failure") is not None or case.find("error") is not None
        skipped = case.find("skipped") is not None
        out[name] = "failed" if bad else "skipped" if skipped else out.get(name, "passed")
    return out


def run_file(environment, tests, name, how, log):
    report = os.path.join(tests, "report.xml")
    if os.path.exists(report):
        os.remove(report)
    words = ["python", "-W", "ignore", "-m", "pytest", "-q", "-p", "no:cacheprovider"]
    words += ["--junitxml=" + report, os.path.basename(name) + ".py"]
    folder = os.path.join(tests, "test")
    where = os.path.join(folder, os.path.dirname(name))
    paths = f"{folder}:{os.path.join(folder, 'spmd')}:$PYTHONPATH"
    # The command's own port: tests that start a coordinator at the same time would meet.
    port = str(20000 + os.getpid() % 20000)
    wanted = variables(how, FILES[name])
    if "XLA_SAVE_TENSORS_FILE" in wanted:
        wanted["XLA_SAVE_TENSORS_FILE"] = os.path.join(tests, name.replace("/", "_") + ".tensors")
    shell = f". {environment}/env && PYTHONPATH={paths} exec {' '.join(words)}"
    try:
        subprocess.run(
            ["sh", "-c", shell],
            cwd=where,
            env={**os.environ, "XLA_COORDINATOR_PORT": port, **wanted},
            stdout=log,
            stderr=subprocess.STDOUT,
            timeout=60 * MINUTES,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return {}
    return outcomes(report) if os.path.exists(report) else {}


def known_failures(how):
    """The cause of each, by file::class::test."""
    known = {}
    with open(os.path.join(HERE, "failures.txt"), encoding="utf-8") as lines:
        for line in lines:
            words, _, cause = line.strip().partition("  ")
            if words and not words.startswith("#"):
                name, _, hows = words.partition(" ")
                if how in (hows or "hlo,stablehlo").split(","):
                    known[name] = cause.strip()
    return known


def judge(name, found, known):
    """What is not as the list has it."""
    wrong = [] if found else ["did not run"]
    for test, outcome in sorted(found.items()):
        full = f"{name}::{test}"
        if outcome == "failed" and full not in known:
            wrong.append(f"fails: {full}")
        if outcome == "passed" and full in known:
            wrong.append(f"passes, though it is listed: {full}")
    return wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("environment")
    parser.add_argument("source")
    parser.add_argument("--how", choices=("hlo", "stablehlo", "cpu", "cpu-stablehlo"), default="hlo")
    parser.add_argument("--log", help="a file for what the tests print")
    parser.add_argument("files", nargs="*", help="of " + ", ".join(FILES))
    options = parser.parse_intermixed_args()
    environment = os.path.abspath(options.environment)
    known = known_failures(options.how)
    total = dict.fromkeys(("passed", "failed", "skipped"), 0)
    all_good = True
    with tempfile.TemporaryDirectory() as tests, open(options.log or os.devnull, "a") as log:
        take_tests(os.path.abspath(options.source), tests)
        for name in options.files or FILES:
            found = run_file(environment, tests, name, options.how, log)
            counts = {what: list(found.values()).count(what) for what in total}
            print(name + ":", ", ".join(f"{n} {what}" for what, n in counts.items()), flush=True)
            for what, n in counts.items():
                total[what] += n
            wrong = judge(name, found, known)
            all_good &= not wrong
            for line in wrong:
                print("  " + line, flush=True)
    print(", ".join(f"{n} {what}" for what, n in total.items()))
    return not all_good


if __name__ == "__main__":
    sys.exit(main())
