#!/usr/bin/env python3
"""mutate.py DRIVER CASES.jsonl... [--count N] [--seed S] - wrong programs are refused, not run into.

Recorded cases are changed in a few places (numbers, lengths of lists, words, dimensions, operands
left out or doubled, operations swapped) and given to DRIVER (jax_explicit_cases), which types, lowers
and runs them.  What comes out does not matter here; a crash, a sanitizer's report or a hang does.
"""

import argparse, copy, json, os, random, re, subprocess, sys, tempfile

NUMBERS = [-(2**63), -(2**31), -3, -2, -1, 0, 1, 2, 3, 5, 8, 17, 2**40, 2**63 - 1]
WORDS = [
    "",
    "X",
    "Y",
    "Z",
    "SAME",
    "VALID",
    "ab,bc->ac",
    "ab->",
    "...",
    "NHWC",
    "FFT",
    "varying",
    "float32",
    "(",
    "ab,",
]


STEPS = {
    "body",
    "ret",
    "true",
    "false",
    "branches",
    "primal",
    "bwd",
    "true_ret",
    "false_ret",
    "bwd_ret",
    "index",
    "mesh",
    "dimension_numbers",
    "axes",
    "types",
}


def walk(value, path=()):
    """All places in a JSON value, but for how a program's steps hang together: the driver trusts that."""
    steps = any(p in STEPS for p in path) and not any(
        isinstance(p, str) and p not in STEPS for p in path[2:]
    )
    if not steps or isinstance(value, str):
        yield path
    items = (
        enumerate(value)
        if isinstance(value, list)
        else value.items()
        if isinstance(value, dict)
        else ()
    )
    for key, v in items:
        yield from walk(v, path + (key,))


def changed(r, v):
    if isinstance(v, bool):
        return not v
    if isinstance(v, (int, float)):
        return r.choice(NUMBERS)
    if isinstance(v, list):
        at = r.randrange(len(v) + 1)
        return r.choice([v[:at], v + v[:1], v[at:], list(reversed(v)), []])
    if isinstance(v, str) and "[" in v:
        return re.sub(r"\d+(?=[@,\]])", lambda m: str(r.choice([0, 1, 2, 3, 8, int(m[0])])), v)
    return r.choice(WORDS + NUMBERS)


def set_at(case, path, value):
    for key in path[:-1]:
        case = case[key]
    case[path[-1]] = value


def get_at(case, path):
    for key in path:
        case = case[key]
    return case


def mutated(r, case, others):
    case = copy.deepcopy(case)
    for _ in range(r.choice((1, 1, 1, 2, 3))):
        parts = [p for p in walk({k: case[k] for k in ("operands", "params")}) if len(p) > 1]
        how = r.random()
        if how < 0.1 and case["operands"]:
            case["operands"] = changed(r, case["operands"])
        elif how < 0.2 and not STEPS & case["params"].keys():
            case["op"] = r.choice([c for c in others if not STEPS & c["params"].keys()])["op"]
        elif how < 0.3 and case["params"].keys() - STEPS:
            del case["params"][r.choice(sorted(case["params"].keys() - STEPS))]
        elif parts:
            path = r.choice(parts)
            set_at(case, path, changed(r, get_at(case, path)))
    case.update(error=None, error_type=None, values=[])
    return case


def ends_well(driver, cases):
    """Whether the driver comes to its end, and what it said if not."""
    with tempfile.NamedTemporaryFile("w", suffix=".jsonl") as f:
        f.writelines(json.dumps(c) + "\n" for c in cases)
        f.flush()
        env = dict(
            os.environ,
            ASAN_OPTIONS="exitcode=99:detect_leaks=1",
            UBSAN_OPTIONS="print_stacktrace=1",
        )
        try:
            p = subprocess.run(
                [driver, f.name],
                capture_output=True,
                text=True,
                errors="replace",
                env=env,
                timeout=120,
            )
        except subprocess.TimeoutExpired:
            return "it does not end"
    fine = p.returncode in (0, 1) and "runtime error" not in p.stderr
    return None if fine else f"exit {p.returncode}\n{p.stderr[-3000:]}"


def main():
    a = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    a.add_argument("driver")
    a.add_argument("cases", nargs="+")
    a.add_argument("--count", type=int, default=1000)
    a.add_argument("--seed", type=int, default=1)
    a = a.parse_args()
    recorded = [json.loads(line) for path in a.cases for line in open(path)]
    recorded = [
        c for c in recorded if isinstance(c.get("params"), dict) and not c["op"].startswith("api.")
    ]
    r = random.Random(a.seed)
    new = [mutated(r, r.choice(recorded), recorded) for _ in range(a.count)]
    bad = []
    for i in range(0, len(new), 100):
        batch = new[i : i + 100]
        if ends_well(a.driver, batch):
            bad += [(c, why) for c in batch if (why := ends_well(a.driver, [c]))]
    for case, why in bad:
        print(json.dumps(case) + "\n" + why)
    print(f"{len(new) - len(bad)} passed, {len(bad)} failed")
    return bool(bad)


sys.exit(main())
