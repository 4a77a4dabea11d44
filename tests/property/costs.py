#!/usr/bin/env python3
"""costs.py TESS FILE...: what must hold of every prediction.

Of each program, on a machine of four devices a node: the step's predicted times never grow when a
link gets faster or its latency shorter, memory bandwidth higher, arithmetic faster, or the floor of
collectives lower; and overlapped never exceeds one after the other by more than contention explains.
So it is of the program of one device that the partitioner makes by bytes, and of what it chooses for each of
these machines.

Of layers that repeat (written here, with FSDP and tensor parallelism): predicted times, memory and work of
32 layers are those of 1, 2 and 3 continued, to 0.5 %.
"""
import json
import os
import subprocess
import sys
import tempfile

BASE = {"flops_f32": 67e12, "flops_bf16": 989e12, "memory": 80e9, "memory_bandwidth": 3.35e12,
        "link": 450e9, "latency": 1e-6, "node": 4, "far": 50e9, "far_latency": 4e-6, "floor": 8e-6,
        "far_floor": 15e-6, "launch": 2.5e-6, "contention": 0.5}
BETTER = [("flops_f32", 3), ("flops_bf16", 1.5), ("memory_bandwidth", 1.1), ("memory_bandwidth", 4), ("link", 1.3),
          ("link", 8), ("far", 1.2), ("far", 10), ("latency", 0.5), ("far_latency", 0.3), ("floor", 0.1),
          ("far_floor", 0.2), ("launch", 0.1)]

LAYERS = """sdy.mesh @mesh = <["data"=8, "model"=4]>
func.func @main(%x: tensor<64x1024x2048xbf16> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}, {}]>}, ARGS)
    -> (tensor<64x1024x2048xbf16> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}, {}]>}) {
BODY
  return %xN : tensor<64x1024x2048xbf16>
}
"""
ARGS = """%aI: tensor<2048x8192xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {"model"}]>},
    %bI: tensor<8192x2048xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"model"}, {"data"}]>}"""
BODY = """  %vI = stablehlo.convert %aI : (tensor<2048x8192xf32>) -> tensor<2048x8192xbf16>
  %wI = stablehlo.convert %bI : (tensor<8192x2048xf32>) -> tensor<8192x2048xbf16>
  %hI = stablehlo.dot_general %xP, %vI, contracting_dims = [2] x [0] : (tensor<64x1024x2048xbf16>, tensor<2048x8192xbf16>) -> tensor<64x1024x8192xbf16>
  %tI = stablehlo.tanh %hI : tensor<64x1024x8192xbf16>
  %yI = stablehlo.dot_general %tI, %wI, contracting_dims = [2] x [0] : (tensor<64x1024x8192xbf16>, tensor<8192x2048xbf16>) -> tensor<64x1024x2048xbf16>
  %xI = stablehlo.add %xP, %yI : tensor<64x1024x2048xbf16>"""


def report(tess, path, target):
    out = subprocess.run([tess, "report", path, "--json", "--target", target], capture_output=True, text=True)
    return json.loads(out.stdout) if out.returncode == 0 else None


def machine_file(folder, keys):
    path = os.path.join(folder, "machine.txt")
    with open(path, "w") as f:
        f.write("box " + " ".join("%s=%.17g" % k for k in keys.items()) + "\n")
    return path + ":box"


def check_monotone(tess, folder, path):
    base = report(tess, path, machine_file(folder, BASE))
    if not base:
        return False
    before = base["step"]
    most = before["serial_seconds"] * (1 + BASE["contention"])
    assert before["overlapped_seconds"] <= most * (1 + 1e-9), (path, "overlapped")
    for key, factor in BETTER:
        now = report(tess, path, machine_file(folder, {**BASE, key: BASE[key] * factor}))["step"]
        for figure in ("serial_seconds", "overlapped_seconds"):
            assert now[figure] <= before[figure] * (1 + 1e-9), (path, key, factor, figure, before[figure], now[figure])
    return True


def layers(n):
    args = ",\n    ".join(ARGS.replace("I:", "%d:" % i) for i in range(1, n + 1))
    body = "\n".join(BODY.replace("xP", "x%d" % (i - 1) if i > 1 else "x")
                     .replace("I ", "%d " % i).replace("I,", "%d," % i) for i in range(1, n + 1))
    return LAYERS.replace("ARGS", args).replace("BODY", body).replace("xN", "x%d" % n)


def check_linear(tess, folder):
    figures = {}
    for n in (1, 2, 3, 32):
        path = os.path.join(folder, "layers.mlir")
        with open(path, "w") as f:
            f.write(layers(n))
        r = report(tess, path, "h100x8")
        figures[n] = {"serial": r["step"]["serial_seconds"], "overlapped": r["step"]["overlapped_seconds"],
                      "bytes": r["work"]["bytes"], "flops": r["work"]["flops"], "memory": r["memory"]["peak"]}
    for key in figures[1]:
        one, two, three, many = (figures[n][key] for n in (1, 2, 3, 32))
        said = two + 30 * (three - two)
        assert abs(said / many - 1) <= 0.005, (key, one, two, three, said, many)


def main():
    tess, *files = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        checked = sum(check_monotone(tess, folder, path) for path in files)
        for path in files:
            local = os.path.join(folder, "local.mlir")
            subprocess.run([tess, "partition", path, "-o", local], check=True)
            assert check_monotone(tess, folder, local), path
        check_linear(tess, folder)
    assert checked, "no program could be reported"
    print(checked, "programs: better machines are never slower; 32 layers are as 1, 2 and 3 say")


if __name__ == "__main__":
    main()
