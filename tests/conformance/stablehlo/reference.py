"""reference.py: runs a StableHLO program in jaxlib's copy of the reference interpreter, and in tess.

Both get the same text, changed so that every result has a type that NumPy knows: complex results are
returned as two halves, narrow floats as float32, narrow integers as int8.
Needs jaxlib and numpy.  The interpreter aborts the process on some programs: use a child process.
"""

import os
import subprocess
import sys
import tempfile

import numpy
from jaxlib.mlir import ir
from jaxlib.mlir.dialects import stablehlo

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../support"))
import jaxlib_mlir  # noqa: E402
from numpy_types import NUMPY  # noqa: E402


def make_context():
    return jaxlib_mlir.make_context(interpreter=True)


def main_of(module):
    functions = [op for op in module.body.operations if op.operation.name == "func.func"]
    for op in functions:
        if ir.StringAttr(op.attributes["sym_name"]).value == "main":
            return op
    return functions[0]


def result_as(value, element):
    kind = ir.RankedTensorType(value.type)
    dims = [kind.get_dim_size(i) for i in range(kind.rank)]
    return stablehlo.convert(ir.RankedTensorType.get(dims, ir.Type.parse(element)), value)


def plain(value):
    """The value as values of types that NumPy knows."""
    element = str(ir.ShapedType(value.type).element_type)
    if element.startswith("complex"):
        return [stablehlo.real(value), stablehlo.imag(value)]
    if element.startswith("f") and element not in NUMPY or element == "bf16":
        return [result_as(value, "f32")]
    if element not in NUMPY:
        return [result_as(value, "i8" if element.startswith("i") else "ui8")]
    return [value]


def plain_module(text, context):
    """The module with plain results, and their element types."""
    with context, ir.Location.unknown():
        module = ir.Module.parse(text)
        main = main_of(module)
        end = list(main.regions[0].blocks[0].operations)[-1]
        with ir.InsertionPoint(end):
            results = [p for v in end.operands for p in plain(v)]
            type(end)(results)
        kind = ir.FunctionType(ir.TypeAttr(main.attributes["function_type"]).value)
        main.attributes["function_type"] = ir.TypeAttr.get(
            ir.FunctionType.get(kind.inputs, [v.type for v in results])
        )
        if "res_attrs" in main.attributes:
            del main.attributes["res_attrs"]
        end.operation.erase()
        return module


def array_of(attribute):
    kind = ir.RankedTensorType(attribute.type)
    dims = [kind.get_dim_size(i) for i in range(kind.rank)]
    dtype = numpy.dtype(NUMPY[str(kind.element_type)])
    if 0 in dims:
        return numpy.zeros(dims, dtype)
    return numpy.array(attribute).astype(dtype).reshape(dims)


def run_reference(module, arguments=()):
    """The results of a plain module, as arrays."""
    with module.context, ir.Location.unknown():
        return [
            array_of(ir.DenseElementsAttr(r))
            for r in stablehlo.eval_module(module, list(arguments))
        ]


def run_tess(tess, text, arrays=(), timeout=60):
    """(error or None, results) of `tess eval`."""
    with tempfile.TemporaryDirectory() as folder:
        program, out = os.path.join(folder, "p.mlir"), os.path.join(folder, "out.npz")
        with open(program, "w", encoding="utf-8") as file:
            file.write(text)
        command = tess.split() + ["eval", program, "--outputs", out]
        if arrays:
            numpy.savez(
                os.path.join(folder, "in.npz"), **{f"in{i}": a for i, a in enumerate(arrays)}
            )
            command += ["--inputs", os.path.join(folder, "in.npz")]
        try:
            done = subprocess.run(
                command,
                capture_output=True,
                text=True,
                errors="replace",
                timeout=timeout,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return f"error: no end after {timeout} s", []
        if done.returncode:
            lines = [x for x in done.stderr.splitlines() if "error" in x]
            return (lines or [f"error: status {done.returncode}"])[0], []
        results = numpy.load(out)
        return None, [results[f"out{i}"] for i in range(len(results.files))]


def difference(got, want, units=3, least=0.0):
    """None, or what differs: floats by more than `units` in the last place and `least` in all."""
    if got.shape != want.shape or got.dtype != want.dtype:
        return f"{got.dtype}{list(got.shape)}, the reference has {want.dtype}{list(want.shape)}"
    if got.dtype.kind != "f":
        bad = got != want
    else:
        width = {2: "i2", 4: "i4", 8: "i8"}[got.dtype.itemsize]
        limit = numpy.iinfo(width).max
        with numpy.errstate(all="ignore"):
            bits = [
                numpy.ascontiguousarray(x).view(width).astype(object if width == "i8" else "i8")
                for x in (got, want)
            ]
            order = [numpy.where(b < 0, -(b & limit), b) for b in bits]
            near = numpy.abs(order[0] - order[1]) <= units
            near |= numpy.abs(got.astype("f8") - want.astype("f8")) <= least
        near = near.astype(bool) & numpy.isfinite(got) & numpy.isfinite(want)
        bad = ~(near | (got == want) | (numpy.isnan(got) & numpy.isnan(want)))
    if not bad.any():
        return None
    at = tuple(int(i[0]) for i in numpy.nonzero(bad)) if bad.ndim else ()
    return f"element {list(at)} is {got[at]}, the reference has {want[at]} ({int(bad.sum())} of {bad.size} differ)"
