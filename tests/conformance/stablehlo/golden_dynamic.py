#!/usr/bin/env python3
"""Runs programs of unknown dimensions on arguments of one size: tess and StableHLO's reference interpreter.

    PYTHON-WITH-JAXLIB tests/conformance/stablehlo/golden_dynamic.py --tess build/tess --size N FILE

Every `?` of @main's arguments is N, and so is every integer scalar among them, because JAX's shape
polymorphism passes the sizes in that way.  tess gets the program as it is; the reference gets it with
the arguments as constants, after XLA's refinement of its shapes.  Prints `passed: `, `failed: WHY`,
or `reference: WHY` if the reference itself cannot run the program.
"""

import argparse

import numpy
from jaxlib import _jax
from jaxlib.mlir import ir
from jaxlib.mlir.dialects import stablehlo

import reference
from numpy_types import NUMPY


def argument(kind, size, random):
    """An array for tess, its text for the reference, and its type."""
    kind = ir.RankedTensorType(kind)
    element = str(kind.element_type)
    dims = [size if kind.is_dynamic_dim(i) else kind.get_dim_size(i) for i in range(kind.rank)]
    text = "tensor<" + "".join(f"{d}x" for d in dims) + element + ">"
    if element == "bf16":
        array = (random.standard_normal(dims).astype("f4").view("u4") >> 16).astype("u2")
    elif element.startswith("complex"):
        array = random.standard_normal(dims) + 1j * random.standard_normal(dims)
        array = numpy.asarray(array).astype("c8" if "32" in element else "c16")
    else:
        dtype = numpy.dtype(NUMPY[element])
        if dtype.kind in "iu":
            array = numpy.full(dims, size) if not dims else random.integers(0, max(size, 2), dims)
        elif dtype.kind == "b":
            array = random.integers(0, 2, dims)
        else:
            array = random.standard_normal(dims)
        array = numpy.asarray(array).astype(dtype)
    data = numpy.ascontiguousarray(array).tobytes()
    return array, f'dense<"0x{data.hex()}"> : {text}' if array.size else f"dense<> : {text}", text


def constant_arguments(module, texts, types):
    """@main without arguments: they are constants."""
    main = reference.main_of(module)
    block = main.regions[0].blocks[0]
    first = block.operations[0]
    for argument_value, text in zip(list(block.arguments), texts):
        with ir.InsertionPoint(first):
            value = ir.Operation.create(
                "stablehlo.constant",
                results=[ir.Attribute.parse(text).type],
                attributes={"value": ir.Attribute.parse(text)},
            ).result
            if value.type != argument_value.type:  # calls want the type that the program names
                value = stablehlo.convert(argument_value.type, value)
        argument_value.replace_all_uses_with(value)
        argument_value.set_type(ir.Attribute.parse(text).type)
    kind = ir.FunctionType(ir.TypeAttr(main.attributes["function_type"]).value)
    main.attributes["function_type"] = ir.TypeAttr.get(
        ir.FunctionType.get([ir.Type.parse(t) for t in types], kind.results)
    )
    return module


def run_reference(text, texts, types):
    context = reference.make_context()
    with context, ir.Location.unknown():
        module = constant_arguments(ir.Module.parse(text), texts, types)
        raw = module.operation.get_asm(print_generic_op_form=True).encode()
        refined = _jax.mlir.refine_polymorphic_shapes(
            raw, enable_shape_assertions=True, validate_static_shapes=False
        )
        module = ir.Module.parse(refined)
        module = reference.plain_module(str(module), context)
        constants = [ir.DenseElementsAttr(ir.Attribute.parse(t)) for t in texts]
        return reference.run_reference(module, constants)


def judge(options):
    with open(options.file, encoding="utf-8") as file:
        text = file.read()
    random = numpy.random.default_rng(options.size)
    context = reference.make_context()
    with context, ir.Location.unknown():
        module = ir.Module.parse(text)
        main = reference.main_of(module)
        kinds = ir.FunctionType(ir.TypeAttr(main.attributes["function_type"]).value).inputs
        made = [argument(k, options.size, random) for k in kinds]
        end = list(main.regions[0].blocks[0].operations)[-1]
        results = [str(ir.ShapedType(v.type).element_type) for v in end.operands]
    arrays, texts, types = ([m[i] for m in made] for i in range(3))
    try:
        want = run_reference(text, texts, types)
    except Exception as e:  # the reference's errors are of many kinds
        return "reference: " + str(e).splitlines()[0][:150]
    error, got = reference.run_tess(options.tess, text, arrays)
    if error:
        return "failed: " + error[:200]
    flat = []
    for array, element in zip(got, results):
        if element.startswith("complex"):
            flat += [array.real, array.imag]
        elif element == "bf16":
            flat.append((array.view("u2").astype("u4") << 16).view("f4"))
        else:
            flat.append(array)
    for i, (a, b) in enumerate(zip(flat, want)):
        units = 8 << 16 if "bf16" in results else 8
        most = numpy.abs(b[numpy.isfinite(b)]).max(initial=0) if b.dtype.kind == "f" else 0
        wrong = reference.difference(
            a, b, units, most * (1e-2 if b.dtype == numpy.float16 else 1e-6)
        )
        if wrong:
            return f"failed: result {i}: {wrong}"
    return "passed: "


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tess", default="build/tess")
    parser.add_argument("--size", type=int, default=3)
    parser.add_argument("file")
    print(judge(parser.parse_args()))


if __name__ == "__main__":
    main()
