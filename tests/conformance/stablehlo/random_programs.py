"""random_programs.py: random StableHLO programs over small shapes, as text.

Program(seed).text is a module whose @main takes no arguments and returns some values.  .tolerance gives, for
each result, how much it may differ from that of another implementation: None for not at all, or units in the
last place.  Only exact values are used in further computations, so rounding errors stay where they arise;
and sums are of small integers, so their order does not matter.
"""

import random

import ml_dtypes
import numpy
from numpy_types import NUMPY

INTS = ["i2", "i4", "i8", "i16", "i32", "i64", "ui2", "ui4", "ui8", "ui16", "ui32", "ui64"]
SMALL_FLOATS = [
    "f8E3M4",
    "f8E4M3",
    "f8E4M3FN",
    "f8E4M3FNUZ",
    "f8E4M3B11FNUZ",
    "f8E5M2",
    "f8E5M2FNUZ",
    "f4E2M1FN",
    "f6E2M3FN",
    "f6E3M2FN",
]
# Whose range the sum of a few ones leaves, on one way or another.
NARROW_FLOATS = ["f8E3M4", "f4E2M1FN", "f6E2M3FN", "f6E3M2FN"]
HALVES = ["bf16", "f16"]
FLOATS = ["f32", "f64"] + HALVES + SMALL_FLOATS
# The reference rounds by adding a number that these types do not have.
ROUNDED = [t for t in FLOATS if t not in ("f8E3M4", "f6E2M3FN")]
COMPLEX = ["complex<f32>", "complex<f64>"]
ALL = ["i1"] + INTS + FLOATS + COMPLEX

STORE = {
    **NUMPY,
    "complex<f32>": "c8",
    "complex<f64>": "c16",
    "i2": ml_dtypes.int2,
    "ui2": ml_dtypes.uint2,
    "i4": ml_dtypes.int4,
    "ui4": ml_dtypes.uint4,
    "bf16": ml_dtypes.bfloat16,
    "f8E3M4": ml_dtypes.float8_e3m4,
    "f8E4M3": ml_dtypes.float8_e4m3,
    "f8E4M3FN": ml_dtypes.float8_e4m3fn,
    "f8E4M3FNUZ": ml_dtypes.float8_e4m3fnuz,
    "f8E4M3B11FNUZ": ml_dtypes.float8_e4m3b11fnuz,
    "f8E5M2": ml_dtypes.float8_e5m2,
    "f8E5M2FNUZ": ml_dtypes.float8_e5m2fnuz,
    "f4E2M1FN": ml_dtypes.float4_e2m1fn,
    "f6E2M3FN": ml_dtypes.float6_e2m3fn,
    "f6E3M2FN": ml_dtypes.float6_e3m2fn,
}
MANTISSA = {
    "f64": 52,
    "f32": 23,
    "f16": 10,
    "bf16": 7,
    "complex<f32>": 23,
    "complex<f64>": 52,
    "f8E3M4": 4,
    "f8E4M3": 3,
    "f8E4M3FN": 3,
    "f8E4M3FNUZ": 3,
    "f8E4M3B11FNUZ": 3,
    "f8E5M2": 2,
    "f8E5M2FNUZ": 2,
    "f4E2M1FN": 1,
    "f6E2M3FN": 3,
    "f6E3M2FN": 2,
}


def is_float(t):
    return t in FLOATS


def is_int(t):
    return t in INTS


def is_complex(t):
    return t in COMPLEX


def is_signed(t):
    return is_int(t) and t[0] == "i"


def bits(t):
    if is_complex(t):
        return 2 * bits(t[8:-1])
    if t == "bf16":
        return 16
    return int("".join(c if c.isdigit() else " " for c in t).split()[0])


def tensor(dims, t):
    return "tensor<" + "".join(f"{d}x" for d in dims) + t + ">"


def units(t, n):
    """n units in the last place of a type, in those of the type that its results go out as."""
    wide = 52 if t in ("f64", "complex<f64>") else 10 if t == "f16" else 23
    return n << (wide - MANTISSA[t])


class Value:
    def __init__(self, name, dims, t, exact=None):
        self.name, self.dims, self.t, self.tolerance = name, tuple(dims), t, exact

    @property
    def type(self):
        return tensor(self.dims, self.t)


class Program:
    def __init__(self, seed, families=None):
        self.random = random.Random(seed)
        self.lines, self.values, self.results, self.names = [], [], [], []
        self.functions = []
        self.count = 0
        table = [f for f in FAMILIES if not families or f.__name__ in families]
        for _ in range(self.random.randint(1, 4)):
            family = self.random.choice(table)
            self.names.append(family.__name__)
            made = family(self)
            for v in made if isinstance(made, list) else [made]:
                self.results.append(v)
                if v.tolerance is None and all(d > 0 for d in v.dims):
                    self.values.append(v)
        names = ", ".join(v.name for v in self.results)
        types = ", ".join(v.type for v in self.results)
        body = "\n".join("    " + line for line in self.lines)
        functions = "".join(f + "\n" for f in self.functions)
        self.text = (
            f"module {{\n  func.func public @main() -> ({types}) {{\n{body}\n"
            f"    return {names} : {types}\n  }}\n{functions}}}\n"
        )
        self.tolerance = []
        for v in self.results:
            self.tolerance += [v.tolerance] * (2 if is_complex(v.t) else 1)

    # -- choosing

    def pick(self, items):
        return self.random.choice(items)

    def chance(self, p):
        return self.random.random() < p

    def dims(self, least=0, most=3, size=4, zero=0.03):
        return [
            0 if self.chance(zero) else self.random.randint(1, size)
            for _ in range(self.random.randint(least, most))
        ]

    # -- writing

    def fresh(self):
        self.count += 1
        return f"%v{self.count}"

    def emit(self, text, dims, t, tolerance=None):
        v = Value(self.fresh(), dims, t, tolerance)
        self.lines.append(f"{v.name} = {text}")
        return v

    def generic(self, name, operands, attributes, dims, t, tolerance=None, region=""):
        """An op in generic form with one result; (dims, t) may be lists for several."""
        many = isinstance(t, list)
        outs = [tensor(d, e) for d, e in zip(dims, t)] if many else [tensor(dims, t)]
        props = f" <{{{attributes}}}>" if attributes else ""
        text = (
            f'"{name}"({", ".join(o.name for o in operands)}){props}{region} : '
            f"({', '.join(o.type for o in operands)}) -> "
            + (f"({', '.join(outs)})" if many else outs[0])
        )
        if not many:
            return self.emit(text, dims, t, tolerance)
        name = self.fresh()
        self.lines.append(f"{name}:{len(t)} = {text}")
        return [Value(f"{name}#{i}", d, e, tolerance) for i, (d, e) in enumerate(zip(dims, t))]

    def constant_of(self, array, t):
        array = numpy.asarray(array)
        kind = tensor(array.shape, t)
        if not array.size:
            return self.emit(f"stablehlo.constant dense<> : {kind}", array.shape, t)
        return self.emit(f"stablehlo.constant dense<{listed(array, t)}> : {kind}", array.shape, t)

    def constant(self, dims, t, style="any"):
        """style: any (with the odd ones), small (integers near zero), finite, positive, nonzero.
        Now and then it is a view: elements repeated, turned, backwards, or every other one."""
        if dims and self.chance(0.3):
            return self.pick([self.repeated, self.turned, self.backwards, self.every_other])(
                list(dims), t, style
            )
        return self.plain_constant(dims, t, style)

    def repeated(self, dims, t, style):
        kept = [i for i in range(len(dims)) if self.chance(0.5)]
        v = self.constant([dims[i] for i in kept], t, style)
        return self.emit(
            f"stablehlo.broadcast_in_dim {v.name}, dims = {kept} : "
            f"({v.type}) -> {tensor(dims, t)}",
            dims,
            t,
        )

    def turned(self, dims, t, style):
        order = self.random.sample(range(len(dims)), len(dims))
        v = self.constant([dims[order.index(i)] for i in range(len(dims))], t, style)
        return self.emit(
            f"stablehlo.transpose {v.name}, dims = {order} : ({v.type}) -> {tensor(dims, t)}",
            dims,
            t,
        )

    def backwards(self, dims, t, style):
        v = self.constant(dims, t, style)
        turned = [i for i in range(len(dims)) if self.chance(0.5)]
        return self.emit(f"stablehlo.reverse {v.name}, dims = {turned} : {v.type}", dims, t)

    def every_other(self, dims, t, style):
        first = [self.random.randint(0, 1) for _ in dims]
        v = self.constant([2 * d + 1 for d in dims], t, style)
        cut = ", ".join(f"{f}:{f + 2 * d}:2" for f, d in zip(first, dims))
        return self.emit(
            f"stablehlo.slice {v.name} [{cut}] : ({v.type}) -> {tensor(dims, t)}", dims, t
        )

    def plain_constant(self, dims, t, style):
        n = int(numpy.prod(dims, dtype=int))
        if t == "i1":
            data = [self.chance(0.5) for _ in range(n)]
        elif is_int(t):
            data = [self.int_of(t, style) for _ in range(n)]
        elif is_complex(t):
            data = [
                complex(self.float_of(t[8:-1], style), self.float_of(t[8:-1], style))
                for _ in range(n)
            ]
        else:
            data = [self.float_of(t, style) for _ in range(n)]
        if is_int(t):
            array = numpy.array(data, dtype=object)
            return self.constant_of(array.reshape(dims), t)
        with numpy.errstate(all="ignore"):
            return self.constant_of(numpy.array(data).astype(STORE[t]).reshape(dims), t)

    def int_of(self, t, style):
        low, high = (
            (-(1 << bits(t) - 1), (1 << bits(t) - 1) - 1)
            if is_signed(t)
            else (0, (1 << bits(t)) - 1)
        )
        if style == "small":
            return self.random.randint(max(low, -3), min(high, 3))
        v = self.pick(
            [
                low,
                high,
                0,
                1,
                high - 1,
                self.random.randint(low, high),
                self.random.randint(low, high),
                self.random.randint(max(low, -9), min(high, 9)),
            ]
        )
        if style == "positive":
            v = max(v, 1)
        return v if v or style != "nonzero" else 1

    def float_of(self, t, style):
        r = self.random
        if style == "small":
            return float(r.randint(-1, 1) if t in SMALL_FLOATS else r.randint(-3, 3))
        if style == "any" and self.chance(0.25):
            return self.pick(
                [
                    0.0,
                    -0.0,
                    float("inf"),
                    -float("inf"),
                    float("nan"),
                    1e-40,
                    -1e-44,
                    3e38,
                    -65504.0,
                    0.5,
                    -0.5,
                    1.5,
                    2.5,
                    1e-310,
                    6e-8,
                ]
            )
        v = r.gauss(0, 1) * self.pick([1, 1, 1, 0.1, 10, 100] if style != "finite" else [1, 1, 3])
        if style in ("positive", "nonzero"):
            v = abs(v) + 0.01
        return v

    def old(self, test=lambda v: True):
        """An exact value that fits, or None."""
        fitting = [v for v in self.values if test(v)]
        return self.pick(fitting) if fitting else None

    def some(self, types, least=0, most=3, style="any"):
        v = (
            self.old(lambda v: v.t in types and least <= len(v.dims) <= most)
            if style == "any"
            else None
        )
        if v and self.chance(0.5):
            return v
        return self.constant(self.dims(least, most), self.pick(types), style)


def listed(array, t):
    if array.ndim:
        return (
            "["
            + ", ".join(
                listed(array[i : i + 1].reshape(array.shape[1:]), t) for i in range(len(array))
            )
            + "]"
        )
    v = array[()]
    if t == "i1":
        return "true" if v else "false"
    if is_int(t):
        return str(int(v))
    if is_complex(t):
        part = t[8:-1]
        return f"({listed(numpy.asarray(v.real), part)}, {listed(numpy.asarray(v.imag), part)})"
    raw = numpy.ascontiguousarray(array.astype(STORE[t])).tobytes()
    width = (bits(t) + 3) // 4
    return f"0x{int.from_bytes(raw, 'little'):0{width}X}"


# ---- element by element ------------------------------------------------------------------


def exact_unary(p):
    op, types = p.pick(
        [
            ("abs", [t for t in INTS if t[0] == "i"] + FLOATS),
            ("negate", INTS + FLOATS + COMPLEX),
            ("sign", [t for t in INTS if t[0] == "i"] + FLOATS),
            ("ceil", ROUNDED),
            ("floor", ROUNDED),
            ("round_nearest_afz", ROUNDED),
            ("round_nearest_even", ROUNDED),
            ("not", ["i1"] + INTS),
            ("popcnt", INTS),
            ("count_leading_zeros", INTS),
        ]
    )
    x = p.some(types)
    return p.emit(f"stablehlo.{op} {x.name} : {x.type}", x.dims, x.t)


def float_unary(p):
    op = p.pick(
        [
            "exponential",
            "exponential_minus_one",
            "log",
            "log_plus_one",
            "logistic",
            "sqrt",
            "rsqrt",
            "cbrt",
            "sine",
            "cosine",
            "tan",
            "tanh",
        ]
    )
    # The reference rounds each step of a logistic function.
    x = p.some(["f32", "f64"] if op == "logistic" else ["f32", "f64"] + HALVES + SMALL_FLOATS)
    return p.emit(f"stablehlo.{op} {x.name} : {x.type}", x.dims, x.t, units(x.t, 2))


def is_finite(p):
    x = p.some(FLOATS)
    return p.emit(
        f"stablehlo.is_finite {x.name} : ({x.type}) -> {tensor(x.dims, 'i1')}", x.dims, "i1"
    )


def binary(p):
    op, types = p.pick(
        [
            ("add", ALL),
            ("subtract", INTS + FLOATS + COMPLEX),
            ("multiply", ["i1"] + INTS + FLOATS),
            ("maximum", ["i1"] + INTS + FLOATS),
            ("minimum", ["i1"] + INTS + FLOATS),
            ("and", ["i1"] + INTS),
            ("or", ["i1"] + INTS),
            ("xor", ["i1"] + INTS),
            ("divide", FLOATS),
            ("remainder", FLOATS),
            ("shift_left", INTS),
            ("shift_right_logical", INTS),
            ("shift_right_arithmetic", INTS),
        ]
    )
    x = p.some(types)
    y = p.constant(x.dims, x.t, "small" if "shift" in op and p.chance(0.7) else "any")
    return p.emit(f"stablehlo.{op} {x.name}, {y.name} : {x.type}", x.dims, x.t)


def int_divide(p):
    op = p.pick(["divide", "remainder"])
    x = p.some(INTS)
    y = p.constant(x.dims, x.t, "positive" if is_signed(x.t) else "nonzero")
    return p.emit(f"stablehlo.{op} {x.name}, {y.name} : {x.type}", x.dims, x.t)


def power(p):
    t = p.pick(["f32", "f64", "i32", "i8", "ui16", "i64"])
    x = p.constant(p.dims(), t)
    y = p.constant(x.dims, t, "small" if is_int(t) else "any")
    return p.emit(
        f"stablehlo.power {x.name}, {y.name} : {x.type}",
        x.dims,
        t,
        None if is_int(t) else units(t, 3),
    )


def atan2(p):
    t = p.pick(["f32", "f64"] + HALVES)
    x, dims = p.constant(dims := p.dims(), t), dims
    y = p.constant(dims, t)
    return p.emit(f"stablehlo.atan2 {x.name}, {y.name} : {x.type}", dims, t, units(t, 3))


def compare(p):
    x = p.some(ALL)
    y = p.constant(x.dims, x.t)
    way = p.pick(["EQ", "NE"] if is_complex(x.t) else ["EQ", "NE", "LT", "LE", "GT", "GE"])
    return p.emit(
        f"stablehlo.compare {way}, {x.name}, {y.name} : ({x.type}, {x.type}) -> {tensor(x.dims, 'i1')}",
        x.dims,
        "i1",
    )


def select(p):
    x = p.some(ALL)
    y = p.constant(x.dims, x.t)
    c = p.constant(x.dims if p.chance(0.7) else [], "i1")
    return p.emit(
        f"stablehlo.select {c.name}, {x.name}, {y.name} : {c.type}, {x.type}", x.dims, x.t
    )


def clamp(p):
    x = p.some(INTS + FLOATS)
    low = p.constant(x.dims if p.chance(0.5) else [], x.t)
    high = p.constant(x.dims if p.chance(0.5) else [], x.t)
    return p.emit(
        f"stablehlo.clamp {low.name}, {x.name}, {high.name} : ({low.type}, {x.type}, {high.type}) -> {x.type}",
        x.dims,
        x.t,
    )


def convert(p):
    x = p.some(ALL)
    to = p.pick(ALL)
    return p.emit(f"stablehlo.convert {x.name} : ({x.type}) -> {tensor(x.dims, to)}", x.dims, to)


def bitcast_convert(p):
    x = p.some([t for t in INTS + FLOATS if bits(t) not in (2, 6)])
    to = p.pick([t for t in INTS + FLOATS if bits(t) not in (2, 6)])
    a, b = bits(x.t), bits(to)
    dims = list(x.dims)
    if a > b:
        dims.append(a // b)
    elif a < b:
        x = (
            p.constant(dims := p.dims(0, 2), x.t)
            if False
            else p.constant(p.dims(0, 2) + [b // a], x.t)
        )
        dims = list(x.dims[:-1])
    return p.emit(
        f"stablehlo.bitcast_convert {x.name} : ({x.type}) -> {tensor(dims, to)}", dims, to
    )


def reduce_precision(p):
    x = p.some(["f32", "f64"] + HALVES)
    e, m = p.random.randint(1, 8), p.random.randint(0, 12)
    return p.emit(f"stablehlo.reduce_precision {x.name}, format = e{e}m{m} : {x.type}", x.dims, x.t)


def complex_parts(p):
    if p.chance(0.5):
        x = p.some(COMPLEX)
        op = p.pick(["real", "imag"])
        t = x.t[8:-1]
        return p.emit(f"stablehlo.{op} {x.name} : ({x.type}) -> {tensor(x.dims, t)}", x.dims, t)
    x = p.some(["f32", "f64"])
    y = p.constant(x.dims, x.t)
    t = f"complex<{x.t}>"
    return p.emit(f"stablehlo.complex {x.name}, {y.name} : {tensor(x.dims, t)}", x.dims, t)


def complex_math(p):
    op = p.pick(
        ["exponential", "log", "sqrt", "sine", "cosine", "tanh", "abs", "multiply", "divide"]
    )
    t = p.pick(COMPLEX)
    x = p.constant(p.dims(), t, "positive")
    if op == "abs":
        part = t[8:-1]
        return p.emit(
            f"stablehlo.abs {x.name} : ({x.type}) -> {tensor(x.dims, part)}",
            x.dims,
            part,
            units(part, 4),
        )
    if op in ("multiply", "divide"):
        y = p.constant(x.dims, t, "small" if op == "multiply" else "positive")
        return p.emit(f"stablehlo.{op} {x.name}, {y.name} : {x.type}", x.dims, t, ("near", 1e-5))
    return p.emit(f"stablehlo.{op} {x.name} : {x.type}", x.dims, t, ("near", 1e-5))


# ---- shapes --------------------------------------------------------------------------------


def reshape(p):
    x = p.some(ALL)
    n = int(numpy.prod(x.dims, dtype=int))
    dims, left = [], n
    while left > 1 and p.chance(0.8):
        d = p.pick([k for k in range(1, left + 1) if left % k == 0])
        dims.append(d)
        left //= d
    dims = [0] + dims if n == 0 else dims + [left]
    return p.emit(f"stablehlo.reshape {x.name} : ({x.type}) -> {tensor(dims, x.t)}", dims, x.t)


def transpose(p):
    x = p.some(ALL)
    order = list(range(len(x.dims)))
    p.random.shuffle(order)
    dims = [x.dims[i] for i in order]
    return p.emit(
        f"stablehlo.transpose {x.name}, dims = {order} : ({x.type}) -> {tensor(dims, x.t)}",
        dims,
        x.t,
    )


def slice_(p):
    x = p.some(ALL)
    parts, dims = [], []
    for d in x.dims:
        start = p.random.randint(0, d)
        limit = p.random.randint(start, d)
        stride = p.random.randint(1, 3)
        parts.append(f"{start}:{limit}:{stride}")
        dims.append(-(-(limit - start) // stride))
    return p.emit(
        f"stablehlo.slice {x.name} [{', '.join(parts)}] : ({x.type}) -> {tensor(dims, x.t)}",
        dims,
        x.t,
    )


def pad(p):
    x = p.some(ALL)
    v = p.constant([], x.t)
    low, high, inner, dims = [], [], [], []
    for d in x.dims:
        i = p.random.randint(0, 2)
        size = d + max(d - 1, 0) * i
        a = p.random.randint(-min(2, size), 2)
        b = p.random.randint(-min(2, size + a), 2)
        low.append(a), high.append(b), inner.append(i)
        dims.append(size + a + b)
    return p.emit(
        f"stablehlo.pad {x.name}, {v.name}, low = {low}, high = {high}, interior = {inner} : "
        f"({x.type}, {v.type}) -> {tensor(dims, x.t)}",
        dims,
        x.t,
    )


def concatenate(p):
    x = p.some(ALL, 1)
    axis = p.random.randrange(len(x.dims))
    parts = [x]
    for _ in range(p.random.randint(0, 2)):
        dims = list(x.dims)
        dims[axis] = p.random.randint(0, 3)
        parts.append(p.constant(dims, x.t))
    dims = list(x.dims)
    dims[axis] = sum(v.dims[axis] for v in parts)
    return p.emit(
        f"stablehlo.concatenate {', '.join(v.name for v in parts)}, dim = {axis} : "
        f"({', '.join(v.type for v in parts)}) -> {tensor(dims, x.t)}",
        dims,
        x.t,
    )


def reverse(p):
    x = p.some(ALL)
    axes = [i for i in range(len(x.dims)) if p.chance(0.5)]
    return p.emit(f"stablehlo.reverse {x.name}, dims = {axes} : {x.type}", x.dims, x.t)


def broadcast_in_dim(p):
    dims = p.dims(0, 4)
    x_dims, places = [], []
    for i, d in enumerate(dims):
        if p.chance(0.6):
            places.append(i)
    p.random.shuffle(places) if p.chance(0.2) else None
    x_dims = [1 if p.chance(0.3) else dims[i] for i in places]
    x = p.constant(x_dims, p.pick(ALL))
    return p.emit(
        f"stablehlo.broadcast_in_dim {x.name}, dims = {places} : ({x.type}) -> {tensor(dims, x.t)}",
        dims,
        x.t,
    )


def iota(p):
    dims = p.dims(1, 3)
    t = p.pick(INTS + ["f32", "f64"] + HALVES + COMPLEX)
    return p.emit(
        f"stablehlo.iota dim = {p.random.randrange(len(dims))} : {tensor(dims, t)}", dims, t
    )


def dynamic_slice(p):
    x = p.some(ALL, 1)
    t = p.pick(["i32", "i64", "i8"])
    sizes = [p.random.randint(0, d) for d in x.dims]
    starts = [p.constant_of(numpy.array(p.random.randint(-3, 6), dtype=object), t) for _ in x.dims]
    names = ", ".join([x.name] + [s.name for s in starts])
    types = ", ".join([x.type] + [s.type for s in starts])
    return p.emit(
        f"stablehlo.dynamic_slice {names}, sizes = {sizes} : ({types}) -> {tensor(sizes, x.t)}",
        sizes,
        x.t,
    )


def dynamic_update_slice(p):
    x = p.some(ALL, 1)
    t = p.pick(["i32", "i64", "i8"])
    u = p.constant([p.random.randint(0, d) for d in x.dims], x.t)
    starts = [p.constant_of(numpy.array(p.random.randint(-3, 6), dtype=object), t) for _ in x.dims]
    names = ", ".join([x.name, u.name] + [s.name for s in starts])
    types = ", ".join([x.type, u.type] + [s.type for s in starts])
    return p.emit(f"stablehlo.dynamic_update_slice {names} : ({types}) -> {x.type}", x.dims, x.t)


# ---- bodies ----------------------------------------------------------------------------------


def body(p, op, t):
    a = tensor([], t)
    return (
        f" ({{\n    ^bb0(%a: {a}, %b: {a}):\n      %r = stablehlo.{op} %a, %b : {a}\n"
        f"      stablehlo.return %r : {a}\n    }})"
    )


def reducer_of(p, t):
    if t == "i1":
        return p.pick(["and", "or", "xor", "maximum", "minimum"])
    if is_int(t):
        return p.pick(["add", "multiply", "maximum", "minimum", "and", "or", "xor"])
    return p.pick(["add", "maximum", "minimum"])


def reduce(p):
    t = p.pick([t for t in ALL if not is_complex(t)])
    x = p.constant(p.dims(0, 4), t, "small")
    axes = [i for i in range(len(x.dims)) if p.chance(0.5)]
    dims = [d for i, d in enumerate(x.dims) if i not in axes]
    init = p.constant([], t, "small")
    op = reducer_of(p, t)
    if op == "add" and t in NARROW_FLOATS and numpy.prod([x.dims[i] for i in axes]) > 5:
        op = "maximum"
    return p.generic(
        "stablehlo.reduce",
        [x, init],
        f"dimensions = array<i64: {', '.join(map(str, axes))}>"
        if axes
        else "dimensions = array<i64>",
        dims,
        t,
        region=body(p, op, t),
    )


def arg_max(p):
    """Two operands whose body decides by both."""
    t = p.pick(["f32", "i32", "f16", "ui8"])
    x = p.constant(p.dims(1, 3), t, "finite" if is_float(t) else "any")
    i = p.emit(f"stablehlo.iota dim = 0 : {tensor(x.dims, 'i32')}", x.dims, "i32")
    axes = [k for k in range(len(x.dims)) if k == 0 or p.chance(0.5)]
    dims = [d for k, d in enumerate(x.dims) if k not in axes]
    init = [p.constant([], t, "finite"), p.constant([], "i32", "small")]
    a, n = tensor([], t), tensor([], "i32")
    way = p.pick(["GT", "LT"])
    region = (
        f" ({{\n    ^bb0(%a: {a}, %i: {n}, %b: {a}, %j: {n}):\n"
        f"      %c = stablehlo.compare {way}, %a, %b : ({a}, {a}) -> tensor<i1>\n"
        f"      %e = stablehlo.compare EQ, %a, %b : ({a}, {a}) -> tensor<i1>\n"
        f"      %f = stablehlo.compare LT, %i, %j : ({n}, {n}) -> tensor<i1>\n"
        f"      %g = stablehlo.and %e, %f : tensor<i1>\n      %h = stablehlo.or %c, %g : tensor<i1>\n"
        f"      %x = stablehlo.select %h, %a, %b : tensor<i1>, {a}\n"
        f"      %y = stablehlo.select %h, %i, %j : tensor<i1>, {n}\n"
        f"      stablehlo.return %x, %y : {a}, {n}\n    }})"
    )
    listed_axes = ", ".join(map(str, axes))
    return p.generic(
        "stablehlo.reduce",
        [x, i] + init,
        f"dimensions = array<i64: {listed_axes}>",
        [dims, dims],
        [t, "i32"],
        region=region,
    )


def window_size(d, low, high, base, size, dilation, stride):
    padded = low + (0 if d == 0 else (d - 1) * base + 1) + high
    extent = (size - 1) * dilation + 1
    return 0 if padded < extent or padded == 0 else (padded - extent) // stride + 1


def ints(v):
    return f"array<i64: {', '.join(map(str, v))}>" if v else "array<i64>"


def reduce_window(p):
    t = p.pick([t for t in ALL if not is_complex(t)])
    x = p.constant(p.dims(1, 3, 5), t, "small")
    n = len(x.dims)
    size = [p.random.randint(1, 3) for _ in range(n)]
    stride = [p.random.randint(1, 3) for _ in range(n)]
    base = [p.random.randint(1, 2) for _ in range(n)]
    dilation = [p.random.randint(1, 2) for _ in range(n)]
    padding = [(p.random.randint(-1, 2), p.random.randint(-1, 2)) for _ in range(n)]
    dims = []
    for i in range(n):
        padded = (
            padding[i][0] + (0 if x.dims[i] == 0 else (x.dims[i] - 1) * base[i] + 1) + padding[i][1]
        )
        if padded < 0:
            padding[i] = (0, 0)
        dims.append(window_size(x.dims[i], *padding[i], base[i], size[i], dilation[i], stride[i]))
    init = p.constant([], t, "small")
    pairs = ", ".join(f"[{a}, {b}]" for a, b in padding)
    return p.generic(
        "stablehlo.reduce_window",
        [x, init],
        f"window_dimensions = {ints(size)}, window_strides = {ints(stride)}, base_dilations = {ints(base)}, "
        f"window_dilations = {ints(dilation)}, padding = dense<[{pairs}]> : tensor<{n}x2xi64>",
        dims,
        t,
        region=body(p, reducer_of(p, t), t),
    )


def select_and_scatter(p):
    t = p.pick(["f32", "i32", "f64", "bf16"])
    x = p.constant(p.dims(1, 3, 5, zero=0), t, "finite" if is_float(t) else "small")
    n = len(x.dims)
    size = [p.random.randint(1, min(3, d)) for d in x.dims]
    stride = [p.random.randint(1, 3) for _ in range(n)]
    padding = [(p.random.randint(0, 1), p.random.randint(0, 1)) if s > 1 else (0, 0) for s in size]
    dims = [window_size(x.dims[i], *padding[i], 1, size[i], 1, stride[i]) for i in range(n)]
    source = p.constant(dims, t, "small")
    # The reference adds an initial value once for each update of an element.
    init = p.constant_of(numpy.zeros([], object if is_int(t) else STORE[t]), t)
    a = tensor([], t)
    way = p.pick(["GE", "GT", "LE"])
    region = (
        f" ({{\n    ^bb0(%a: {a}, %b: {a}):\n      %r = stablehlo.compare {way}, %a, %b : ({a}, {a}) -> tensor<i1>\n"
        f"      stablehlo.return %r : tensor<i1>\n    }}, {{\n    ^bb0(%a: {a}, %b: {a}):\n"
        f"      %r = stablehlo.add %a, %b : {a}\n      stablehlo.return %r : {a}\n    }})"
    )
    pairs = ", ".join(f"[{a}, {b}]" for a, b in padding)
    return p.generic(
        "stablehlo.select_and_scatter",
        [x, source, init],
        f"window_dimensions = {ints(size)}, window_strides = {ints(stride)}, "
        f"padding = dense<[{pairs}]> : tensor<{n}x2xi64>",
        x.dims,
        t,
        region=region,
    )


def sort(p):
    types = [p.pick([t for t in ALL if not is_complex(t)]) for _ in range(p.random.randint(1, 3))]
    dims = p.dims(1, 3, 5)
    xs = [
        p.constant(dims, t, "small" if p.chance(0.6) else "finite" if is_float(t) else "any")
        for t in types
    ]
    axis = p.random.randrange(len(dims))
    args = ", ".join(f"%a{i}: {tensor([], t)}, %b{i}: {tensor([], t)}" for i, t in enumerate(types))
    key = p.random.randrange(len(types))
    k = tensor([], types[key])
    region = (
        f" ({{\n    ^bb0({args}):\n      %r = stablehlo.compare {p.pick(['LT', 'GT'])}, %a{key}, %b{key} : "
        f"({k}, {k}) -> tensor<i1>\n      stablehlo.return %r : tensor<i1>\n    }})"
    )
    return p.generic(
        "stablehlo.sort",
        xs,
        f"dimension = {axis} : i64, is_stable = true",
        [dims] * len(types),
        types,
        region=region,
    )


def map_(p):
    t = p.pick(INTS + ["f32"])
    dims = p.dims(0, 3)
    x, y = p.constant(dims, t), p.constant(dims, t)
    return p.generic(
        "stablehlo.map",
        [x, y],
        f"dimensions = {ints(list(range(len(dims))))}",
        dims,
        t,
        region=body(p, p.pick(["add", "maximum", "subtract"]), t),
    )


# ---- indices --------------------------------------------------------------------------------


def gather(p):
    x = p.constant(p.dims(1, 4, zero=0), p.pick(ALL))
    n = len(x.dims)
    roles = [p.pick(["window", "window", "collapsed", "batch"]) for _ in range(n)]
    batch = [i for i in range(n) if roles[i] == "batch"]
    collapsed = [i for i in range(n) if roles[i] == "collapsed"]
    mapped = [i for i in range(n) if roles[i] != "batch" and p.chance(0.7)] or [
        i for i in range(n) if roles[i] != "batch"
    ][:1]
    p.random.shuffle(mapped)
    sizes = [1 if roles[i] != "window" else p.random.randint(1, x.dims[i]) for i in range(n)]
    outer = p.dims(0, 2, 3, 0)
    index_dims = [x.dims[i] for i in batch] + outer
    order = list(range(len(index_dims)))
    vector = p.random.randint(0, len(index_dims))
    if len(mapped) != 1 or p.chance(0.7):
        index_dims.insert(vector, len(mapped))
        order = [i + (i >= vector) for i in order]
    else:
        vector = len(index_dims)
    t = p.pick(["i32", "i64", "i8"])
    data = [p.random.randint(-2, 5) for _ in range(int(numpy.prod(index_dims, dtype=int)))]
    index = p.constant_of(numpy.array(data, dtype=object).reshape(index_dims), t)
    batch_out = [index_dims[i] for i in order]
    window = [sizes[i] for i in range(n) if roles[i] == "window"]
    rank = len(batch_out) + len(window)
    offset = sorted(p.random.sample(range(rank), len(window)))
    dims, a, b = [], iter(batch_out), iter(window)
    for i in range(rank):
        dims.append(next(b) if i in offset else next(a))
    return p.generic(
        "stablehlo.gather",
        [x, index],
        f"dimension_numbers = #stablehlo.gather<offset_dims = {offset}, collapsed_slice_dims = {collapsed}, "
        f"operand_batching_dims = {batch}, start_indices_batching_dims = {[order[i] for i in range(len(batch))]}, "
        f"start_index_map = {mapped}, index_vector_dim = {vector}>, slice_sizes = {ints(sizes)}, "
        "indices_are_sorted = false",
        dims,
        x.t,
    )


def scatter(p):
    t = p.pick([t for t in ALL if not is_complex(t)])
    x = p.constant(p.dims(1, 4, zero=0), t, "small")
    n = len(x.dims)
    roles = [p.pick(["window", "window", "inserted", "batch"]) for _ in range(n)]
    batch = [i for i in range(n) if roles[i] == "batch"]
    inserted = [i for i in range(n) if roles[i] == "inserted"]
    mapped = [i for i in range(n) if roles[i] != "batch" and p.chance(0.7)] or [
        i for i in range(n) if roles[i] != "batch"
    ][:1]
    p.random.shuffle(mapped)
    index_dims = [x.dims[i] for i in batch] + p.dims(0, 2, 3, 0)
    order = list(range(len(index_dims)))
    vector = p.random.randint(0, len(index_dims))
    if len(mapped) != 1 or p.chance(0.7):
        index_dims.insert(vector, len(mapped))
        order = [i + (i >= vector) for i in order]
    else:
        vector = len(index_dims)
    data = [p.random.randint(-2, 5) for _ in range(int(numpy.prod(index_dims, dtype=int)))]
    index = p.constant_of(
        numpy.array(data, dtype=object).reshape(index_dims), p.pick(["i32", "i64", "i8"])
    )
    outer = [index_dims[i] for i in order]
    window = [p.random.randint(1, x.dims[i]) for i in range(n) if roles[i] == "window"]
    rank = len(outer) + len(window)
    places = sorted(p.random.sample(range(rank), len(window)))
    dims, a, b = [], iter(outer), iter(window)
    for i in range(rank):
        dims.append(next(b) if i in places else next(a))
    u = p.constant(dims, t, "small")
    op = p.pick(["add", "maximum", "minimum"]) if t != "i1" else "or"
    return p.generic(
        "stablehlo.scatter",
        [x, index, u],
        f"scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = {places}, "
        f"inserted_window_dims = {inserted}, input_batching_dims = {batch}, "
        f"scatter_indices_batching_dims = {[order[i] for i in range(len(batch))]}, "
        f"scatter_dims_to_operand_dims = {mapped}, index_vector_dim = {vector}>, "
        "indices_are_sorted = false, unique_indices = false",
        x.dims,
        t,
        region=body(p, op, t),
    )


# ---- products --------------------------------------------------------------------------------

SUMMED = ["i8", "i16", "i32", "i64", "ui8", "ui32", "f32", "f64", "f16", "bf16", "f8E5M2", "i4"]


def dot_general(p):
    t = p.pick(SUMMED + COMPLEX)
    batch, contract = p.dims(0, 2, 3), p.dims(0, 2, 3)
    free = [p.dims(0, 2, 3), p.dims(0, 2, 3)]
    sides, numbers = [], []
    for side in range(2):
        labels = (
            [("b", i, d) for i, d in enumerate(batch)]
            + [("k", i, d) for i, d in enumerate(contract)]
            + [("f", i, d) for i, d in enumerate(free[side])]
        )
        p.random.shuffle(labels)
        sides.append(p.constant([d for _, _, d in labels], t, "small"))
        numbers.append(
            (
                [labels.index(("b", i, d)) for i, d in enumerate(batch)],
                [labels.index(("k", i, d)) for i, d in enumerate(contract)],
                [d for k, _, d in labels if k == "f"],
            )
        )
    dims = batch + numbers[0][2] + numbers[1][2]
    to = p.pick([t, "f32"] if t in HALVES else [t, "i32"] if t in ("i8", "i4") else [t])
    return p.generic(
        "stablehlo.dot_general",
        sides,
        f"dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = {numbers[0][0]}, "
        f"rhs_batching_dimensions = {numbers[1][0]}, lhs_contracting_dimensions = {numbers[0][1]}, "
        f"rhs_contracting_dimensions = {numbers[1][1]}>",
        dims,
        to,
    )


def convolution(p):
    t = p.pick(SUMMED)
    n = p.random.randint(0, 2)
    groups = p.pick([(1, 1), (1, 1), (2, 1), (1, 2)])
    feature, out = (
        p.random.randint(1, 2) * groups[0],
        p.random.randint(1, 2) * groups[0] * groups[1],
    )
    batch = p.random.randint(1, 2) * groups[1]
    window, spatial, kernel, result = [], [], [], []
    for _ in range(n):
        d, k = p.random.randint(1, 6), p.random.randint(1, 3)
        s, ld, rd = p.random.randint(1, 2), p.random.randint(1, 2), p.random.randint(1, 2)
        low, high = p.random.randint(-1, 2), p.random.randint(-1, 2)
        if low + (d - 1) * ld + 1 + high < 0:
            low = high = 0
        window.append((s, (low, high), ld, rd, p.chance(0.3)))
        spatial.append(d), kernel.append(k)
        result.append(window_size(d, low, high, ld, k, rd, s))
    layouts = []
    for names in (["b", "f"], ["i", "o"], ["b", "f"]):
        names = names + [str(i) for i in range(n)]
        p.random.shuffle(names)
        layouts.append(names)
    value = {"b": batch, "f": feature, "i": feature // groups[0], "o": out}
    x = p.constant([value[c] if c.isalpha() else spatial[int(c)] for c in layouts[0]], t, "small")
    k = p.constant([value[c] if c.isalpha() else kernel[int(c)] for c in layouts[1]], t, "small")
    value = {"b": batch // groups[1], "f": out}
    dims = [value[c] if c.isalpha() else result[int(c)] for c in layouts[2]]
    numbers = (
        "x".join(f"[{', '.join(names)}]" for names in layouts[:2]) + f"->[{', '.join(layouts[2])}]"
    )
    attributes = (
        f"stride = {[w[0] for w in window]}, pad = {[list(w[1]) for w in window]}, lhs_dilate = {[w[2] for w in window]}, "
        f"rhs_dilate = {[w[3] for w in window]}, reverse = [{', '.join('true' if w[4] else 'false' for w in window)}]"
    )
    return p.emit(
        f"stablehlo.convolution({x.name}, {k.name}) dim_numbers = {numbers}, window = {{{attributes}}} "
        f"{{batch_group_count = {groups[1]} : i64, feature_group_count = {groups[0]} : i64}} : "
        f"({x.type}, {k.type}) -> {tensor(dims, t)}",
        dims,
        t,
    )


def fft(p):
    kind = p.pick(["FFT", "IFFT", "RFFT", "IRFFT"])
    part = "f64"  # the reference aborts on others
    dims = p.dims(1, 3, 7, 0)
    n = p.random.randint(1, min(3, len(dims)))
    length = dims[-n:]
    ins, outs = list(dims), list(dims)
    if kind == "RFFT":
        outs[-1] = dims[-1] // 2 + 1
    if kind == "IRFFT":
        dims[-1] += dims[-1] % 2  # of an odd number the reference makes another transform
        length, ins, outs = dims[-n:], list(dims), list(dims)
        ins[-1] = dims[-1] // 2 + 1
    c = f"complex<{part}>"
    x = p.constant(ins, part if kind == "RFFT" else c, "finite")
    t = part if kind == "IRFFT" else c
    return p.emit(
        f"stablehlo.fft {x.name}, type = {kind}, length = {length} : ({x.type}) -> {tensor(outs, t)}",
        outs,
        t,
        ("near", 1e-13),
    )


def triangular_solve(p):
    t = p.pick(["f32", "f64"])
    n, m = p.random.randint(1, 4), p.random.randint(1, 3)
    left = p.chance(0.5)
    a = numpy.array([[p.random.randint(-2, 2) for _ in range(n)] for _ in range(n)], float)
    a[range(n), range(n)] = [p.pick([1, 2, -1, 4]) for _ in range(n)]
    x = p.constant_of(a.astype(STORE[t]), t)
    b = p.constant([n, m] if left else [m, n], t, "small")
    flags = {k: "true" if p.chance(0.5) else "false" for k in ("lower", "unit_diagonal")}
    return p.generic(
        "stablehlo.triangular_solve",
        [x, b],
        f"left_side = {str(left).lower()}, lower = {flags['lower']}, unit_diagonal = {flags['unit_diagonal']}, "
        f"transpose_a = #stablehlo<transpose {p.pick(['NO_TRANSPOSE', 'TRANSPOSE', 'ADJOINT'])}>",
        b.dims,
        t,
        ("near", 1e-5),
    )


# ---- control ------------------------------------------------------------------------------------


def if_(p):
    x = p.some(INTS + FLOATS)
    y = p.constant(x.dims, x.t)
    c = p.constant([], "i1")
    return p.generic(
        "stablehlo.if",
        [c],
        "",
        x.dims,
        x.t,
        region=f" ({{\n      stablehlo.return {x.name} : {x.type}\n    }}, {{\n"
        f"      %r = stablehlo.add {x.name}, {y.name} : {x.type}\n"
        f"      stablehlo.return %r : {x.type}\n    }})",
    )


def case(p):
    x = p.some(INTS + FLOATS)
    branches = [p.constant(x.dims, x.t) for _ in range(p.random.randint(1, 3))]
    c = p.constant_of(numpy.array(p.random.randint(-2, 4), dtype=object), "i32")
    regions = ", ".join(f"{{\n      stablehlo.return {b.name} : {b.type}\n    }}" for b in branches)
    return p.generic("stablehlo.case", [c], "", x.dims, x.t, region=f" ({regions})")


def while_(p):
    x = p.some(INTS + ["f32", "f64"])
    y = p.constant(x.dims, x.t)
    i, n, one = (
        p.constant_of(numpy.array(k, dtype=object), "i32") for k in (0, p.random.randint(0, 4), 1)
    )
    op = p.pick(["add", "maximum", "subtract"])
    name = p.fresh()
    s = tensor([], "i32")
    p.lines.append(
        f"{name}:2 = stablehlo.while(%i = {i.name}, %x = {x.name}) : {s}, {x.type} cond {{\n"
        f"      %c = stablehlo.compare LT, %i, {n.name} : ({s}, {s}) -> tensor<i1>\n"
        f"      stablehlo.return %c : tensor<i1>\n    }} do {{\n"
        f"      %j = stablehlo.add %i, {one.name} : {s}\n"
        f"      %y = stablehlo.{op} %x, {y.name} : {x.type}\n      stablehlo.return %j, %y : {s}, {x.type}\n    }}"
    )
    return [Value(f"{name}#0", [], "i32"), Value(f"{name}#1", x.dims, x.t)]


def call(p):
    x = p.some(INTS + FLOATS)
    y = p.constant(x.dims, x.t)
    name = f"f{len(p.functions)}"
    p.functions.append(
        f"  func.func private @{name}(%a: {x.type}, %b: {x.type}) -> {x.type} {{\n"
        f"    %r = stablehlo.subtract %a, %b : {x.type}\n    return %r : {x.type}\n  }}"
    )
    if p.chance(0.5):
        return p.emit(
            f'stablehlo.composite "a.b" {x.name}, {y.name} {{decomposition = @{name}}} : '
            f"({x.type}, {x.type}) -> {x.type}",
            x.dims,
            x.t,
        )
    return p.emit(
        f"func.call @{name}({x.name}, {y.name}) : ({x.type}, {x.type}) -> {x.type}", x.dims, x.t
    )


def barrier(p):
    x, y = p.some(ALL), p.some(ALL)
    name = p.fresh()
    p.lines.append(
        f"{name}:2 = stablehlo.optimization_barrier {x.name}, {y.name} : {x.type}, {y.type}"
    )
    return [Value(f"{name}#0", x.dims, x.t), Value(f"{name}#1", y.dims, y.t)]


# ---- shapes as values --------------------------------------------------------------------------------


def shape(p, dims, t=None):
    return p.constant_of(numpy.array(list(dims), dtype=object), t or p.pick(["i32", "i64"]))


def dynamic_shape(p):
    x = p.some(ALL, 1)
    way = p.pick(["reshape", "broadcast", "iota", "pad", "slice", "size"])
    if way == "reshape":
        dims = [int(numpy.prod(x.dims, dtype=int)), 1]
        return p.generic("stablehlo.dynamic_reshape", [x, shape(p, dims)], "", dims, x.t)
    if way == "broadcast":
        dims = [2] + list(x.dims)
        return p.generic(
            "stablehlo.dynamic_broadcast_in_dim",
            [x, shape(p, dims)],
            f"broadcast_dimensions = {ints(list(range(1, len(dims))))}",
            dims,
            x.t,
        )
    if way == "iota":
        return p.generic(
            "stablehlo.dynamic_iota", [shape(p, x.dims)], "iota_dimension = 0 : i64", x.dims, "i32"
        )
    if way == "pad":
        low, high, inner = ([p.random.randint(0, 2) for _ in x.dims] for _ in range(3))
        dims = [low[i] + high[i] + d + max(d - 1, 0) * inner[i] for i, d in enumerate(x.dims)]
        return p.generic(
            "stablehlo.dynamic_pad",
            [x, p.constant([], x.t)] + [shape(p, v, "i64") for v in (low, high, inner)],
            "",
            dims,
            x.t,
        )
    if way == "slice":
        start = [p.random.randint(0, d) for d in x.dims]
        limit = [p.random.randint(s, d) for s, d in zip(start, x.dims)]
        stride = [p.random.randint(1, 2) for _ in x.dims]
        dims = [-(-(b - a) // s) for a, b, s in zip(start, limit, stride)]
        return p.generic(
            "stablehlo.real_dynamic_slice",
            [x] + [shape(p, v, "i64") for v in (start, limit, stride)],
            "",
            dims,
            x.t,
        )
    d = p.random.randrange(len(x.dims))
    return p.emit(
        f"stablehlo.get_dimension_size {x.name}, dim = {d} : ({x.type}) -> tensor<i32>", [], "i32"
    )


# ---- quantized -----------------------------------------------------------------------------------------


def quantized(p):
    dims = p.dims(1, 2, zero=0)
    storage = p.pick(["i8", "u8", "i16", "i4"])
    low = 0 if storage[0] == "u" else -3
    scale, zero = p.pick([0.5, 0.25, 2.0, 1.0]), p.random.randint(low, 3)
    q = f"!quant.uniform<{storage}:f32, {scale}:{zero}>"
    if p.chance(0.3):
        scales = ", ".join(
            f"{p.pick([0.5, 1.0, 2.0])}:{p.random.randint(low, 3)}" for _ in range(dims[0])
        )
        q = f"!quant.uniform<{storage}:f32:0, {{{scales}}}>"
    x = p.constant(dims, "f32", "finite")
    v = p.emit(f"stablehlo.uniform_quantize {x.name} : ({x.type}) -> {tensor(dims, q)}", dims, q)
    return p.emit(
        f"stablehlo.uniform_dequantize {v.name} : ({v.type}) -> {tensor(dims, 'f32')}", dims, "f32"
    )


# ---- chlo -------------------------------------------------------------------------------------------------


def chlo_unary(p):
    op = p.pick(
        [
            "acos",
            "asin",
            "atan",
            "acosh",
            "asinh",
            "atanh",
            "sinh",
            "cosh",
            "erf",
            "erfc",
            "erf_inv",
            "tan",
            "lgamma",
            "digamma",
            "bessel_i1e",
            "square",
        ]
    )
    t = p.pick(["f32", "f64"] + HALVES)
    x = p.constant(p.dims(), t, "finite")
    text = f"chlo.{op} {x.name} : {x.type} -> {x.type}"
    return p.emit(
        text, x.dims, t, ("near", {"f32": 2e-5, "f64": 1e-12, "f16": 4e-3, "bf16": 2e-2}[t])
    )


def chlo_exact(p):
    way = p.pick(
        ["is_inf", "is_pos_inf", "is_neg_inf", "next_after", "conj", "top_k", "broadcast", "mulhi"]
    )
    if way.startswith("is_"):
        x = p.some(["f32", "f64"] + HALVES)
        return p.emit(f"chlo.{way} {x.name} : {x.type} -> {tensor(x.dims, 'i1')}", x.dims, "i1")
    if way == "next_after":
        x = p.constant(p.dims(), p.pick(["f32", "f64"]))
        y = p.constant(x.dims, x.t)
        return p.emit(
            f"chlo.next_after {x.name}, {y.name} : {x.type}, {x.type} -> {x.type}", x.dims, x.t
        )
    if way == "conj":
        x = p.some(COMPLEX)
        return p.emit(f"chlo.conj {x.name} : {x.type} -> {x.type}", x.dims, x.t)
    if way == "mulhi":
        x = p.constant(p.dims(), p.pick(["i8", "i16", "i32", "ui8", "ui16", "ui32"]))
        y = p.constant(x.dims, x.t)
        return p.emit(
            f"chlo.mulhi {x.name}, {y.name} : {x.type}, {x.type} -> {x.type}", x.dims, x.t
        )
    if way == "top_k":
        x = p.constant(p.dims(1, 3, 5, 0), p.pick(["f32", "i32", "f16", "ui8"]), "small")
        k = p.random.randint(1, x.dims[-1])
        dims = list(x.dims[:-1]) + [k]
        name = p.fresh()
        p.lines.append(
            f"{name}:2 = chlo.top_k({x.name}, k = {k}) : {x.type} -> ({tensor(dims, x.t)}, {tensor(dims, 'i32')})"
        )
        return [Value(f"{name}#0", dims, x.t), Value(f"{name}#1", dims, "i32")]
    x = p.constant(p.dims(1, 3, zero=0), p.pick(["f32", "i32", "i8"]))
    dims = [d if p.chance(0.6) else 1 for d in x.dims][p.random.randint(0, len(x.dims)) :]
    y = p.constant(dims, x.t)
    op = p.pick(["add", "subtract", "maximum", "multiply"])
    return p.emit(
        f"chlo.broadcast_{op} {x.name}, {y.name} : ({x.type}, {y.type}) -> {x.type}", x.dims, x.t
    )


# ---- devices ------------------------------------------------------------------------------------------------


def collective(p):
    """A program of a few processes, each with the same argument and its own number."""
    n = p.pick([2, 4])
    t = p.pick(["i32", "f32", "i64", "ui8"])
    dims = [p.random.randint(1, 3) * n for _ in range(p.random.randint(1, 2))]
    kind, s = tensor(dims, t), tensor([], t)
    order = list(range(n))
    p.random.shuffle(order)
    groups = [order] if p.chance(0.6) else [order[: n // 2], order[n // 2 :]]
    size = len(groups[0])
    replica = f"replica_groups = dense<{groups}> : tensor<{len(groups)}x{size}xi64>"
    channel = "channel_handle = #stablehlo.channel_handle<handle = 0, type = 0>"
    axis = p.random.randrange(len(dims))
    add = f" ({{\n    ^bb0(%a: {s}, %b: {s}):\n      %c = stablehlo.add %a, %b : {s}\n      stablehlo.return %c : {s}\n    }})"
    out = list(dims)
    way = p.pick(
        [
            "all_reduce",
            "all_gather",
            "reduce_scatter",
            "all_to_all",
            "collective_permute",
            "collective_broadcast",
        ]
    )
    if way == "all_reduce":
        attributes, region = replica, add
    elif way == "all_gather":
        out[axis] *= size
        attributes, region = f"all_gather_dim = {axis} : i64, {replica}", ""
    elif way == "reduce_scatter":
        out[axis] //= size
        attributes, region = f"scatter_dimension = {axis} : i64, {replica}", add
    elif way == "all_to_all":
        other = p.random.randrange(len(dims))
        out[axis] //= size
        out[other] *= size
        attributes = f"split_dimension = {axis} : i64, concat_dimension = {other} : i64, split_count = {size} : i64, {replica}"
        region = ""
    elif way == "collective_permute":
        pairs = [[a, b] for a, b in zip(order, p.random.sample(order, n))][: p.random.randint(1, n)]
        attributes, region = (
            f"source_target_pairs = dense<{pairs}> : tensor<{len(pairs)}x2xi64>",
            "",
        )
    else:
        attributes, region = replica, ""
    to = tensor(out, t)
    name = f"f{len(p.functions)}"
    p.functions.append(
        f"  func.func public @{name}(%x: {kind}) -> {to} {{\n    %i = stablehlo.replica_id : tensor<ui32>\n"
        f"    %j = stablehlo.convert %i : (tensor<ui32>) -> {s}\n"
        f"    %k = stablehlo.broadcast_in_dim %j, dims = [] : ({s}) -> {kind}\n    %y = stablehlo.add %x, %k : {kind}\n"
        f'    %r = "stablehlo.{way}"(%y) <{{{attributes}, {channel}}}>{region} : ({kind}) -> {to}\n    return %r : {to}\n  }}'
    )
    x = p.constant(dims, t, "small")
    result = p.fresh()
    programs = ", ".join(f"[@{name}]" for _ in range(n))
    p.lines.append(
        f'{result}:{n} = "interpreter.run_parallel"({", ".join([x.name] * n)}) <{{programs = [{programs}]}}> : '
        f"({', '.join([kind] * n)}) -> ({', '.join([to] * n)})"
    )
    return [Value(f"{result}#{i}", out, t) for i in range(n)]


# ---- long vectors, fused chains ---------------------------------------------------------------------------


def large(p):
    """Small integers in a tensor that is longer than a tile, made by arithmetic."""
    t = p.pick(["i8", "i16", "i32", "i64", "ui8", "ui32", "f32", "f64", "bf16", "f16"])
    dims = p.pick([[1100], [3, 700], [40, 41], [33, 2, 17], [1, 2049], [130, 9, 1], [7, 5, 6, 8]])
    kind = tensor(dims, "i32")
    x = p.emit(f"stablehlo.iota dim = {p.random.randrange(len(dims))} : {kind}", dims, "i32")
    y = p.emit(f"stablehlo.iota dim = {p.random.randrange(len(dims))} : {kind}", dims, "i32")
    z = p.emit(f"stablehlo.multiply {x.name}, {y.name} : {kind}", dims, "i32")
    z = p.emit(f"stablehlo.add {z.name}, {x.name} : {kind}", dims, "i32")
    m = p.constant_of(numpy.array(p.pick([2, 3, 5, 7]), dtype=object), "i32")
    m = p.emit(
        f"stablehlo.broadcast_in_dim {m.name}, dims = [] : (tensor<i32>) -> {kind}", dims, "i32"
    )
    z = p.emit(f"stablehlo.remainder {z.name}, {m.name} : {kind}", dims, "i32")
    return p.emit(f"stablehlo.convert {z.name} : ({kind}) -> {tensor(dims, t)}", dims, t)


def chain_link(p, x):
    """One more op on a value of small integers, which stay small."""
    n = len(x.dims)
    way = p.pick(
        [
            "and another",
            "and another",
            "compare",
            "scalar",
            "transpose",
            "slice",
            "reverse",
            "reshape",
            "pad",
            "concatenate",
            "reduce",
            "broadcast",
            "convert",
            "clamp",
            "sign",
            "dot",
            "window",
            "sort",
        ]
    )
    if way == "and another":
        op = p.pick(
            ["add", "subtract", "maximum", "minimum"] if x.t[0] != "u" else ["maximum", "minimum"]
        )
        y = (
            p.emit(f"stablehlo.reverse {x.name}, dims = [0] : {x.type}", x.dims, x.t)
            if n and p.chance(0.5)
            else x
        )
        return p.emit(f"stablehlo.{op} {x.name}, {y.name} : {x.type}", x.dims, x.t)
    if way in ("compare", "scalar", "clamp", "pad"):
        c = p.constant([], x.t, "small")
    if way == "compare":
        b = p.emit(
            f"stablehlo.broadcast_in_dim {c.name}, dims = [] : ({c.type}) -> {x.type}", x.dims, x.t
        )
        k = p.emit(
            f"stablehlo.compare {p.pick(['LT', 'GE', 'EQ'])}, {x.name}, {b.name} : ({x.type}, {x.type}) -> "
            f"{tensor(x.dims, 'i1')}",
            x.dims,
            "i1",
        )
        return p.emit(
            f"stablehlo.select {k.name}, {x.name}, {b.name} : {k.type}, {x.type}", x.dims, x.t
        )
    if way == "scalar":
        b = p.emit(
            f"stablehlo.broadcast_in_dim {c.name}, dims = [] : ({c.type}) -> {x.type}", x.dims, x.t
        )
        return p.emit(
            f"stablehlo.{p.pick(['maximum', 'minimum'])} {b.name}, {x.name} : {x.type}", x.dims, x.t
        )
    if way == "clamp":
        return p.emit(
            f"stablehlo.clamp {c.name}, {x.name}, {c.name} : ({c.type}, {x.type}, {c.type}) -> {x.type}",
            x.dims,
            x.t,
        )
    if way == "sign" and x.t[0] != "u":
        return p.emit(
            f"stablehlo.{p.pick(['sign', 'abs', 'negate'])} {x.name} : {x.type}", x.dims, x.t
        )
    if way == "convert":
        t = p.pick(["i16", "i32", "f32", "f64", "bf16", "f16"])
        return p.emit(f"stablehlo.convert {x.name} : ({x.type}) -> {tensor(x.dims, t)}", x.dims, t)
    if way == "reshape":
        total = int(numpy.prod(x.dims, dtype=int))
        d = p.pick([k for k in range(1, min(total, 60) + 1) if total % k == 0])
        dims = p.pick([[d, total // d], [total // d, 1, d], [total]])
        return p.emit(f"stablehlo.reshape {x.name} : ({x.type}) -> {tensor(dims, x.t)}", dims, x.t)
    if not n:
        return x
    axis = p.random.randrange(n)
    if way == "transpose":
        order = list(range(n))
        p.random.shuffle(order)
        dims = [x.dims[i] for i in order]
        return p.emit(
            f"stablehlo.transpose {x.name}, dims = {order} : ({x.type}) -> {tensor(dims, x.t)}",
            dims,
            x.t,
        )
    if way == "reverse":
        return p.emit(f"stablehlo.reverse {x.name}, dims = [{axis}] : {x.type}", x.dims, x.t)
    if way == "slice":
        parts = [
            (p.random.randint(0, d // 4), p.random.randint(d - d // 4, d), p.pick([1, 1, 1, 2]))
            for d in x.dims
        ]
        dims = [-(-(b - a) // s) for a, b, s in parts]
        return p.emit(
            f"stablehlo.slice {x.name} [{', '.join('%d:%d:%d' % q for q in parts)}] : ({x.type}) -> "
            f"{tensor(dims, x.t)}",
            dims,
            x.t,
        )
    if way == "pad":
        low = [p.random.randint(-1, 3) if d > 2 else 0 for d in x.dims]
        dims = [d + a for d, a in zip(x.dims, low)]
        return p.emit(
            f"stablehlo.pad {x.name}, {c.name}, low = {low}, high = {[0] * n}, interior = {[0] * n} : "
            f"({x.type}, {c.type}) -> {tensor(dims, x.t)}",
            dims,
            x.t,
        )
    if way == "concatenate" and int(numpy.prod(x.dims, dtype=int)) < 4000:
        dims = list(x.dims)
        dims[axis] *= 2
        return p.emit(
            f"stablehlo.concatenate {x.name}, {x.name}, dim = {axis} : ({x.type}, {x.type}) -> "
            f"{tensor(dims, x.t)}",
            dims,
            x.t,
        )
    if way == "reduce":
        dims = [d for i, d in enumerate(x.dims) if i != axis]
        init = p.constant([], x.t, "small")
        return p.generic(
            "stablehlo.reduce",
            [x, init],
            f"dimensions = array<i64: {axis}>",
            dims,
            x.t,
            region=body(p, p.pick(["maximum", "minimum"]), x.t),
        )
    if way == "broadcast" and int(numpy.prod(x.dims, dtype=int)) < 2000:
        dims = list(x.dims)
        dims.insert(axis, 2)
        places = [i for i in range(n + 1) if i != axis]
        return p.emit(
            f"stablehlo.broadcast_in_dim {x.name}, dims = {places} : ({x.type}) -> {tensor(dims, x.t)}",
            dims,
            x.t,
        )
    if way == "window":
        size = [3 if i == axis and d >= 3 else 1 for i, d in enumerate(x.dims)]
        dims = [d - k + 1 for d, k in zip(x.dims, size)]
        init = p.constant([], x.t, "small")
        return p.generic(
            "stablehlo.reduce_window",
            [x, init],
            f"window_dimensions = {ints(size)}",
            dims,
            x.t,
            region=body(p, p.pick(["maximum", "minimum"]), x.t),
        )
    if way == "sort":
        a = tensor([], x.t)
        region = (
            f" ({{\n    ^bb0(%a: {a}, %b: {a}):\n      %r = stablehlo.compare {p.pick(['LT', 'GT'])}, %a, %b : "
            f"({a}, {a}) -> tensor<i1>\n      stablehlo.return %r : tensor<i1>\n    }})"
        )
        return p.generic(
            "stablehlo.sort",
            [x],
            f"dimension = {axis} : i64, is_stable = true",
            x.dims,
            x.t,
            region=region,
        )
    return x


def chain(p):
    x = large(p)
    for _ in range(p.random.randint(2, 9)):
        x = chain_link(p, x)
    if p.chance(0.4) and x.dims:
        total = p.emit(
            f"stablehlo.convert {x.name} : ({x.type}) -> {tensor(x.dims, 'f64')}", x.dims, "f64"
        )
        init = p.constant([], "f64", "small")
        axes = [i for i in range(len(x.dims)) if p.chance(0.6)] or [0]
        dims = [d for i, d in enumerate(x.dims) if i not in axes]
        return [
            x,
            p.generic(
                "stablehlo.reduce",
                [total, init],
                f"dimensions = {ints(axes)}",
                dims,
                "f64",
                region=body(p, "add", "f64"),
            ),
        ]
    return x


def large_dot(p):
    """Products of matrices that are larger than a register block, with free dimensions on any side."""
    t = p.pick(["f32", "f64", "i32", "bf16", "f16", "complex<f32>", "i8"])
    sizes = {
        "m": p.pick([1, 5, 17, 33]),
        "n": p.pick([1, 9, 31, 64]),
        "k": p.pick([1, 7, 40]),
        "b": p.pick([1, 2]),
    }
    sides, places = [], []
    for labels in ("bmk", "bkn"):
        labels = list(labels)
        p.random.shuffle(labels)
        dims = [sizes[c] for c in labels]
        data = numpy.array([p.random.randint(-2, 2) for _ in range(int(numpy.prod(dims)))])
        if t == "i8" or is_int(t):
            data = data.astype(object)
        else:
            data = data.astype(STORE[t])
        sides.append(p.constant_of(data.reshape(dims), t))
        places.append(labels)
    numbers = (
        f"lhs_batching_dimensions = [{places[0].index('b')}], rhs_batching_dimensions = [{places[1].index('b')}], "
        f"lhs_contracting_dimensions = [{places[0].index('k')}], rhs_contracting_dimensions = [{places[1].index('k')}]"
    )
    dims = [sizes["b"], sizes["m"], sizes["n"]]
    return p.generic(
        "stablehlo.dot_general",
        sides,
        f"dot_dimension_numbers = #stablehlo.dot<{numbers}>",
        dims,
        "i32" if t == "i8" else t,
    )


# ---- more of complex numbers, bodies, shapes -----------------------------------------------------------------


def complex_more(p):
    op = p.pick(
        [
            "exponential_minus_one",
            "log_plus_one",
            "rsqrt",
            "sign",
            "negate",
            "power",
            "logistic",
            "tan",
        ]
    )
    t = p.pick(COMPLEX)
    x = p.constant(p.dims(), t, "finite" if op == "sign" else "positive")
    if op == "power":
        y = p.constant(x.dims, t, "small")
        return p.emit(
            f"stablehlo.power {x.name}, {y.name} : {x.type}",
            x.dims,
            t,
            ("near", 1e-4 if "32" in t else 1e-10),
        )
    return p.emit(f"stablehlo.{op} {x.name} : {x.type}", x.dims, t, ("near", 1e-5))


def complex_sums(p):
    t = p.pick(COMPLEX)
    x = p.constant(p.dims(1, 3), t, "small")
    axes = [i for i in range(len(x.dims)) if p.chance(0.5)] or [0]
    init = p.constant([], t, "small")
    dims = [d for i, d in enumerate(x.dims) if i not in axes]
    return p.generic(
        "stablehlo.reduce",
        [x, init],
        f"dimensions = {ints(axes)}",
        dims,
        t,
        region=body(p, "add", t),
    )


def two_bodies(p, types, op):
    """A body over several operands, each with its own op."""
    names = [f"%a{i}" for i in range(len(types))] + [f"%b{i}" for i in range(len(types))]
    args = ", ".join(f"{n}: {tensor([], t)}" for n, t in zip(names, types + types))
    lines = "".join(
        f"      %r{i} = stablehlo.{o} %a{i}, %b{i} : {tensor([], t)}\n"
        for i, (t, o) in enumerate(zip(types, op))
    )
    outs = ", ".join(f"%r{i}" for i in range(len(types)))
    kinds = ", ".join(tensor([], t) for t in types)
    return f" ({{\n    ^bb0({args}):\n{lines}      stablehlo.return {outs} : {kinds}\n    }})"


def reduce_many(p):
    types = [p.pick(INTS + ["f32", "f64", "bf16"]) for _ in range(p.random.randint(2, 3))]
    dims = p.dims(1, 3)
    xs = [p.constant(dims, t, "small") for t in types]
    inits = [p.constant([], t, "small") for t in types]
    region = two_bodies(p, types, [p.pick(["add", "maximum", "minimum"]) for _ in types])
    if p.chance(0.5):
        axes = [i for i in range(len(dims)) if p.chance(0.5)] or [0]
        left = [d for i, d in enumerate(dims) if i not in axes]
        return p.generic(
            "stablehlo.reduce",
            xs + inits,
            f"dimensions = {ints(axes)}",
            [left] * len(types),
            types,
            region=region,
        )
    size = [p.random.randint(1, max(d, 1)) for d in dims]
    out = [max(d - k + 1, 0) for d, k in zip(dims, size)]
    return p.generic(
        "stablehlo.reduce_window",
        xs + inits,
        f"window_dimensions = {ints(size)}",
        [out] * len(types),
        types,
        region=region,
    )


def scatter_many(p):
    """Several operands, a body that keeps, takes or mixes."""
    types = [p.pick(INTS + ["f32", "f64"]) for _ in range(p.random.randint(1, 3))]
    rows, row, n = p.random.randint(1, 5), p.random.randint(1, 4), p.random.randint(0, 4)
    xs = [p.constant([rows, row], t, "small") for t in types]
    us = [p.constant([n, row], t, "small") for t in types]
    data = numpy.array([p.random.randint(-1, rows) for _ in range(n)], dtype=object).reshape([n, 1])
    index = p.constant_of(data, p.pick(["i32", "i64"]))
    names = [f"%a{i}" for i in range(len(types))] + [f"%b{i}" for i in range(len(types))]
    args = ", ".join(f"{k}: {tensor([], t)}" for k, t in zip(names, types + types))
    lines, outs = "", []
    for i, t in enumerate(types):
        way = p.pick(["take", "subtract", "mixed"])
        s = tensor([], t)
        if way == "take":
            outs.append(f"%b{i}")
        elif way == "subtract":
            lines += f"      %r{i} = stablehlo.subtract %a{i}, %b{i} : {s}\n"
            outs.append(f"%r{i}")
        else:
            lines += f"      %s{i} = stablehlo.maximum %a{i}, %b{i} : {s}\n      %r{i} = stablehlo.add %s{i}, %b{i} : {s}\n"
            outs.append(f"%r{i}")
    kinds = ", ".join(tensor([], t) for t in types)
    region = f" ({{\n    ^bb0({args}):\n{lines}      stablehlo.return {', '.join(outs)} : {kinds}\n    }})"
    numbers = (
        "scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], "
        "scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, indices_are_sorted = false, unique_indices = false"
    )
    if len(types) == 1:
        return p.generic(
            "stablehlo.scatter", xs + [index] + us, numbers, [rows, row], types[0], region=region
        )
    return p.generic(
        "stablehlo.scatter",
        xs + [index] + us,
        numbers,
        [[rows, row]] * len(types),
        types,
        region=region,
    )


def nested_loops(p):
    """A loop in a loop, with a branch that depends on both counters."""
    x = p.some(["i32", "i64", "f32", "ui8"])
    s, k = tensor([], "i32"), x.type
    zero, one, n, m = (
        p.constant_of(numpy.array(v, dtype=object), "i32")
        for v in (0, 1, p.random.randint(0, 3), p.random.randint(0, 3))
    )
    y = p.constant(x.dims, x.t, "small")
    ops = [p.pick(["add", "subtract", "maximum"]) for _ in range(2)]
    name = p.fresh()
    p.lines.append(
        f"{name}:2 = stablehlo.while(%i = {zero.name}, %x = {x.name}) : {s}, {k} cond {{\n"
        f"      %c = stablehlo.compare LT, %i, {n.name} : ({s}, {s}) -> tensor<i1>\n      stablehlo.return %c : tensor<i1>\n"
        f"    }} do {{\n"
        f"      %q:2 = stablehlo.while(%j = {zero.name}, %y = %x) : {s}, {k} cond {{\n"
        f"        %c = stablehlo.compare LT, %j, {m.name} : ({s}, {s}) -> tensor<i1>\n        stablehlo.return %c : tensor<i1>\n"
        f"      }} do {{\n"
        f"        %e = stablehlo.compare EQ, %i, %j : ({s}, {s}) -> tensor<i1>\n"
        f'        %z = "stablehlo.if"(%e) ({{\n          %a = stablehlo.{ops[0]} %y, {y.name} : {k}\n'
        f"          stablehlo.return %a : {k}\n        }}, {{\n          %a = stablehlo.{ops[1]} %y, %x : {k}\n"
        f"          stablehlo.return %a : {k}\n        }}) : (tensor<i1>) -> {k}\n"
        f"        %h = stablehlo.add %j, {one.name} : {s}\n        stablehlo.return %h, %z : {s}, {k}\n      }}\n"
        f"      %h = stablehlo.add %i, {one.name} : {s}\n      stablehlo.return %h, %q#1 : {s}, {k}\n    }}"
    )
    return [Value(f"{name}#0", [], "i32"), Value(f"{name}#1", x.dims, x.t)]


def tuples(p):
    x, y = p.some(ALL), p.some(ALL)
    kind = f"tuple<{x.type}, {y.type}>"
    name = p.fresh()
    p.lines.append(f"{name} = stablehlo.tuple {x.name}, {y.name} : {kind}")
    v = p.pick([(0, x), (1, y)])
    return p.emit(
        f"stablehlo.get_tuple_element {name}[{v[0]}] : ({kind}) -> {v[1].type}", v[1].dims, v[1].t
    )


def dynamic_gather(p):
    x = p.constant([p.random.randint(1, 5), p.random.randint(1, 4)], p.pick(ALL))
    index = p.constant_of(
        numpy.array([p.random.randint(-1, 5) for _ in range(3)], dtype=object).reshape([3, 1]),
        "i32",
    )
    sizes = shape(p, [1, p.random.randint(1, x.dims[1])], "i64")
    width = int(p.lines[-1].split("[")[1].split("]")[0].split(",")[1])
    return p.generic(
        "stablehlo.dynamic_gather",
        [x, index, sizes],
        "dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], "
        "start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false",
        [3, width],
        x.t,
    )


def chlo_broadcasts(p):
    t = p.pick(["f32", "i32", "i16", "f64"])
    x = p.constant(p.dims(1, 3, zero=0), t, "positive")
    dims = [d if p.chance(0.6) else 1 for d in x.dims][p.random.randint(0, len(x.dims)) :]
    y = p.constant(dims, t, "positive")
    way = p.pick(["compare", "select", "minimum", "divide", "remainder", "and", "xor"])
    if way == "compare":
        to = tensor(x.dims, "i1")
        return p.emit(
            f"chlo.broadcast_compare {x.name}, {y.name} {{comparison_direction = #chlo<comparison_direction "
            f"{p.pick(['LT', 'EQ', 'GE'])}>}} : ({x.type}, {y.type}) -> {to}",
            x.dims,
            "i1",
        )
    if way == "select":
        c = p.constant(x.dims, "i1")
        z = p.constant(x.dims, t)
        return p.emit(
            f"chlo.broadcast_select {c.name}, {z.name}, {y.name} : ({c.type}, {z.type}, {y.type}) -> {x.type}",
            x.dims,
            t,
        )
    if way in ("and", "xor") and not is_int(t):
        way = "minimum"
    return p.emit(
        f"chlo.broadcast_{way} {x.name}, {y.name} : ({x.type}, {y.type}) -> {x.type}", x.dims, t
    )


def many_operands(p):
    """Collectives over several operands at once, in parallel processes."""
    n = 2
    t = [p.pick(["i32", "f32", "ui8"]) for _ in range(2)]
    dims = [[2, 2], [4]]
    kinds = [tensor(d, e) for d, e in zip(dims, t)]
    scalars = [tensor([], e) for e in t]
    replica = "replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>"
    way = p.pick(["all_gather", "all_to_all"])
    name = f"f{len(p.functions)}"
    out = [[4, 2], [8]] if way == "all_gather" else dims
    attributes = (
        "all_gather_dim = 0 : i64"
        if way == "all_gather"
        else "split_dimension = 0 : i64, concat_dimension = 0 : i64, split_count = 2 : i64"
    )
    to = [tensor(d, e) for d, e in zip(out, t)]
    ids = "".join(
        f"    %j{i} = stablehlo.convert %i : (tensor<ui32>) -> {scalars[i]}\n"
        f"    %k{i} = stablehlo.broadcast_in_dim %j{i}, dims = [] : ({scalars[i]}) -> {kinds[i]}\n"
        f"    %y{i} = stablehlo.add %x{i}, %k{i} : {kinds[i]}\n"
        for i in range(2)
    )
    p.functions.append(
        f"  func.func public @{name}(%x0: {kinds[0]}, %x1: {kinds[1]}) -> ({', '.join(to)}) {{\n"
        f"    %i = stablehlo.replica_id : tensor<ui32>\n{ids}"
        f'    %r:2 = "stablehlo.{way}"(%y0, %y1) <{{{attributes}, {replica}, '
        f"channel_handle = #stablehlo.channel_handle<handle = 0, type = 0>}}> : ({', '.join(kinds)}) -> ({', '.join(to)})\n"
        f"    return %r#0, %r#1 : {', '.join(to)}\n  }}"
    )
    xs = [p.constant(d, e, "small") for d, e in zip(dims, t)]
    result = p.fresh()
    p.lines.append(
        f'{result}:4 = "interpreter.run_parallel"({", ".join([xs[0].name, xs[1].name] * 2)}) '
        f"<{{programs = [[@{name}], [@{name}]]}}> : ({', '.join(kinds * 2)}) -> ({', '.join(to * 2)})"
    )
    return [Value(f"{result}#{i}", out[i % 2], t[i % 2]) for i in range(4)]


FAMILIES = [
    exact_unary,
    exact_unary,
    float_unary,
    is_finite,
    binary,
    binary,
    binary,
    int_divide,
    power,
    atan2,
    compare,
    select,
    clamp,
    convert,
    convert,
    bitcast_convert,
    reduce_precision,
    complex_parts,
    complex_math,
    reshape,
    transpose,
    slice_,
    pad,
    concatenate,
    reverse,
    broadcast_in_dim,
    iota,
    dynamic_slice,
    dynamic_update_slice,
    reduce,
    arg_max,
    reduce_window,
    select_and_scatter,
    sort,
    map_,
    gather,
    scatter,
    dot_general,
    convolution,
    fft,
    triangular_solve,
    if_,
    case,
    while_,
    call,
    barrier,
    dynamic_shape,
    quantized,
    chlo_unary,
    chlo_exact,
    collective,
    chain,
    chain,
    chain,
    large_dot,
    complex_more,
    complex_sums,
    reduce_many,
    scatter_many,
    nested_loops,
    tuples,
    dynamic_gather,
    chlo_broadcasts,
    many_operands,
]
