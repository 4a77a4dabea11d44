"""borders.py TESS: programs just inside and just outside of what a finding is about.

Each case is a program of a few lines and the codes that `tess lint` finds in it; what the name
does not speak of (L2, L3 …) is there because the program is that small.
"""

import json
import os
import subprocess
import sys
import tempfile

MESH = 'sdy.mesh @mesh = <["x"=4, "y"=2]>\n'
USED = '[{"x"}, {"y"}]'  # uses both axes


def on(sharding):
    return f"{{sdy.sharding = #sdy.sharding<@mesh, {sharding}>}}"


def program(args, body, results, mesh=MESH):
    """args: (type, sharding or None) for %0, %1, …; results: (value, type, sharding or None)."""
    taken = [f"%{'abc'[i]}: tensor<{t}>{' ' + on(s) if s else ''}" for i, (t, s) in enumerate(args)]
    given = ", ".join(f"tensor<{t}>{' ' + on(s) if s else ''}" for _, t, s in results)
    names, types = ", ".join(r[0] for r in results), ", ".join(f"tensor<{r[1]}>" for r in results)
    return (
        f"{mesh}func.func @main({', '.join(taken)}) -> ({given}) "
        f"{{\n{body}\nreturn {names} : {types}\n}}\n"
    )


def unused(type, sharding=None):
    zero = "%z = stablehlo.constant dense<0.> : tensor<f32>"
    return program([(type, sharding)], zero, [("%z", "f32", None)])


def negated(type, sharding, result=None, mesh=MESH):
    body = f"%0 = stablehlo.negate %a : tensor<{type}>"
    return program([(type, sharding)], body, [("%0", type, result)], mesh)


def constrained(before, after):
    body = f"%0 = sdy.sharding_constraint %a <@mesh, {after}> : tensor<8x8xf32>"
    results = [("%0", "8x8xf32", None), ("%b", "8x8xf32", None)]
    return program([("8x8xf32", before), ("8x8xf32", USED)], body, results)


def annotated(before, after):
    value = f"{{sdy.sharding = #sdy.sharding_per_value<[<@mesh, {after}>]>}}"
    body = f"%0 = stablehlo.negate %a {value} : tensor<8x8xf32>"
    results = [("%0", "8x8xf32", None), ("%b", "8x8xf32", None)]
    return program([("8x8xf32", before), ("8x8xf32", USED)], body, results)


def in_manual(before):
    body = f"""
  %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, {before}>]
      out_shardings=[<@mesh, [{{}}, {{}}], replicated={{"x"}}>] manual_axes={{"x"}}
      (%p: tensor<8x8xf32>) {{
    %r = "stablehlo.all_reduce"(%p) <{{
        replica_groups = dense<[[0, 2, 4, 6], [1, 3, 5, 7]]> : tensor<2x4xi64>,
        channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>,
        use_global_device_ids}}> ({{
      ^bb0(%l: tensor<f32>, %m: tensor<f32>):
        %s = stablehlo.add %l, %m : tensor<f32>
        stablehlo.return %s : tensor<f32>
      }}) : (tensor<8x8xf32>) -> tensor<8x8xf32>
    sdy.return %r : tensor<8x8xf32>
  }} : (tensor<8x8xf32>) -> tensor<8x8xf32>"""
    results = [("%0", "8x8xf32", None), ("%b", "8x8xf32", None)]
    return program([("8x8xf32", before), ("8x8xf32", USED)], body, results)


def sliced(n, *cuts):
    lines = [f"%g = sdy.sharding_constraint %a <@mesh, [{{}}, {{}}]> : tensor<{n}x{n}xf32>"]
    results = []
    for i, (a, b) in enumerate(cuts):
        part = f"{b - a}x{n}xf32"
        cut = f"stablehlo.slice %g [{a}:{b}, 0:{n}]"
        lines.append(f"%{i} = {cut} : (tensor<{n}x{n}xf32>) -> tensor<{part}>")
        results.append((f"%{i}", part, "[{}, {}]"))
    return program([(f"{n}x{n}xf32", USED)], "\n".join(lines), results)


def looped(inside):
    """The weight %b is made whole in a loop that captures it, or before."""
    t = "tensor<1024x1024xf32>"
    whole = f"%k = sdy.sharding_constraint %b <@mesh, [{{}}, {{}}]> : {t}"
    body = f"""
  %z = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %n = stablehlo.constant dense<10> : tensor<i32>
  {"" if inside else whole}
  %r:2 = stablehlo.while(%i = %z, %h = %a) : tensor<i32>, {t}
    cond {{
      %lt = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %lt : tensor<i1>
    }} do {{
      {whole if inside else ""}
      %t = stablehlo.dot_general %h, %k, contracting_dims = [1] x [0] : ({t}, {t}) -> {t}
      %j = stablehlo.add %i, %one : tensor<i32>
      stablehlo.return %j, %t : tensor<i32>, {t}
    }}"""
    args = [("1024x1024xf32", '[{"y"}, {}]'), ("1024x1024xf32", '[{"x"}, {}]')]
    return program(args, body, [("%r#1", "1024x1024xf32", None)])


def rows(n):
    results = [("%a", f"65536x{n}xf32", None), ("%b", "8x8xf32", None)]
    return program([(f"65536x{n}xf32", '[{}, {"y"}]'), ("8x8xf32", USED)], "", results)


SMALL, NOT_ONE = 'sdy.mesh @mesh = <["x"=4, "y"=1]>\n', 'sdy.mesh @mesh = <["x"=2, "y"=2]>\n'
UNREDUCED = '[{}, {}], unreduced={"x"}'
PARTIAL = program(
    [("8x8xf32", USED)],
    "%z = stablehlo.constant dense<0.> : tensor<f32>\n"
    "%0 = stablehlo.reduce(%a init: %z) applies stablehlo.add across dimensions = [1] "
    ": (tensor<8x8xf32>, tensor<f32>) -> tensor<8xf32>",
    [("%0", "8xf32", '[{"x"}], unreduced={"y"}')],
)

CASES = [  # what, codes, program, options
    ("L2: 1 MiB", "L2 L3 L3", unused("262144xf32", "[{}]")),
    ("L2: 4 bytes less", "L3 L3", unused("262143xf32", "[{}]")),
    ("L1: 1 MiB", "L1 L3 L3", unused("262144xf32")),
    ("L1: 4 bytes less", "L3 L3", unused("262143xf32")),
    ("L1: as large as --large", "L1 L3 L3", unused("100xi8"), "--large", "100"),
    ("L1: smaller", "L3 L3", unused("100xi8"), "--large", "101"),
    ("L1: --large 0", "L1 L3 L3", unused("1xi8"), "--large", "0"),
    ("L3: a part of an axis is a use", "L3", negated("8xf32", '[{"x":(1)2}]')),
    ("L3: an axis of size 1", "", negated("8xf32", '[{"x"}]', mesh=SMALL)),
    ("L4: divides", "", negated("8x8xf32", USED)),
    ("L4: one more, argument and result", "L4 L4", negated("9x8xf32", USED)),
    ("L24: an element for each", "", negated("4x8xf32", USED)),
    ("L24: one less", "L24 L24", negated("3x8xf32", USED)),
    ("L24: nothing at all", "", negated("0x8xf32", USED)),
    ("L5: closed against closed", "L5", constrained('[{"x"}, {}]', '[{}, {"x"}]')),
    ("L5: open is filled", "", constrained('[{"x"}, {?}]', USED)),
    ("L5: open goes on", "", constrained('[{"x", ?}, {}]', '[{"x", "y"}, {}]')),
    ("L5: open goes on otherwise", "L5", constrained('[{"x", ?}, {}]', '[{"y", "x"}, {}]')),
    ("L5: closed goes on", "L5", constrained('[{"x"}, {}]', '[{"x", "y"}, {}]')),
    ("L5: the constraint is open", "", constrained('[{"x"}, {}]', '[{"x", ?}, {?}]')),
    ("L28: the same again", "L28", constrained('[{"x"}, {}]', '[{"x"}, {}]')),
    ("L28: all open", "L28", constrained(USED, "[{?}, {?}]")),
    ("L28: open, but for some axis", "", constrained('[{"x"}, {}]', '[{?}, {?}], replicated={"y"}')),
    ("L8: lost", "L8", annotated(UNREDUCED, "[{}, {}]")),
    ("L8: kept", "", annotated(UNREDUCED, UNREDUCED)),
    ("L8: one of two lost", "L8", annotated('[{}, {}], unreduced={"x", "y"}', UNREDUCED)),
    ("L8: added up inside", "", in_manual(UNREDUCED)),
    ("L6: half", "L2 L2 L21 L5 L6", sliced(1024, (0, 512))),
    ("L6: more", "L2 L2 L21 L5", sliced(1024, (0, 516))),
    ("L6: both halves", "L2 L2 L21 L5", sliced(1024, (0, 512), (512, 1024))),
    ("L6: little", "L5", sliced(16, (0, 8))),
    ("L13: captured", "L13 L14 L5", looped(True)),
    ("L13: before the loop", "L14 L2 L21 L5", looped(False)),
    ("L25: 32 bytes", "", rows(16)),
    ("L25: 16 bytes", "L25", rows(8)),
    ("L29: a result", "L29", negated("8x8xf32", '[{"x"}p0, {"y"}]', '[{"x"}p1, {"y"}]')),
    ("L29: the same", "", negated("8x8xf32", '[{"x"}p1, {"y"}]', '[{"x"}p1, {"y"}]')),
    ("L29: none is 0", "", negated("8x8xf32", '[{"x"}p0, {"y"}]', USED)),
    ("L30: turned", "L3 L3 L30", NOT_ONE + 'sdy.mesh @o = <["x"=4], device_ids=[3, 1, 2, 0]>\n' + unused("8xf32").replace(MESH, "")),
    ("L30: alike", "L3 L3", NOT_ONE + 'sdy.mesh @o = <["x"=4]>\n' + unused("8xf32").replace(MESH, "")),
    ("L27: declared", "L27", PARTIAL),
    ("L27: reduced", "", PARTIAL.replace(', unreduced={"y"}', "")),
]  # fmt: skip


def main():
    tess, wrong = sys.argv[1], 0
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "case.mlir")
        for what, want, text, *options in CASES:
            with open(path, "w") as f:
                f.write(text)
            command = [tess, "lint", path, "--json", *options]
            done = subprocess.run(command, capture_output=True, text=True)
            if done.stderr:
                sys.exit(f"{what}: {done.stderr}{text}")
            got = sorted(f["code"] for f in json.loads(done.stdout)["findings"])
            if got != sorted(want.split()):
                print(f"{what}: {' '.join(got)}, not {want}")
                wrong += 1
    print(f"{len(CASES) - wrong} passed, {wrong} failed")
    sys.exit(wrong > 0)


if __name__ == "__main__":
    main()
