#!/usr/bin/env python3
"""Asks JAX for the types of cases in the form of jax_explicit_cases.jsonl.

  jax_explicit_generate.py --replay CASES.jsonl           does this JAX answer what was recorded?
  jax_explicit_generate.py --values CASES.jsonl >NEW.jsonl  the cases with the values of their results
  jax_explicit_generate.py --random N [--seed S] [--ops RE] CASES.jsonl >NEW.jsonl
                                                          N changed cases with JAX's answers

A changed case is a recorded one with other shardings, axes, shapes, operations of the same
kind, or another mesh.  Run this with a Python that has jax; then give NEW.jsonl to
jax_explicit_cases.
"""

import argparse, copy, json, os, random, re, sys

os.environ["XLA_FLAGS"] = (
    os.environ.get("XLA_FLAGS", "") + " --xla_force_host_platform_device_count=8"
)
os.environ["JAX_PLATFORMS"] = "cpu"
import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.sharding import AxisType, NamedSharding, PartitionSpec as P

# ---- what the parameters mean ------------------------------------------------


def mesh_of(m):
    names = [a[0] for a in m["axes"]]
    types = tuple(getattr(AxisType, t) for t in m["types"])
    if m.get("abstract") or "Manual" in m["types"]:
        return jax.sharding.AbstractMesh(
            tuple(a[1] for a in m["axes"]), tuple(names), axis_types=types
        )
    return jax.make_mesh([a[1] for a in m["axes"]], names, axis_types=types)


def spec_of(s):
    parts = [
        P.UNCONSTRAINED if d == "?" else tuple(d) if isinstance(d, list) else d
        for d in s.get("spec", [])
    ]
    kw = {
        k: set(s[k]) if s.get("set", True) else s[k] for k in ("unreduced", "reduced") if s.get(k)
    }
    return P(*parts, **kw)


def sharding_of(s):
    if isinstance(s, list):
        return tuple(sharding_of(x) for x in s)
    if s is None:
        return None
    return NamedSharding(mesh_of(s["mesh"]), spec_of(s)) if s.get("mesh") else spec_of(s)


TYPE = re.compile(r"(~?)(key<fry>|[a-z0-9]+)\[([^\]]*)\](?:\{(.*)\})?$")


def names_of(text):
    return tuple(text.strip("()").split(",")) if text.startswith("(") else (text,)


def operand(text, mesh):
    weak, dtype, dims, sets = TYPE.match(text).groups()
    shape, spec = [], []
    for d in re.findall(r"\d+(?:@(?:\([^)]*\)|\w+))?", dims):
        n, _, axes = d.partition("@")
        shape.append(int(n))
        spec.append(None if not axes else axes if axes[0] != "(" else names_of(axes))
    kw = {}
    for s in re.findall(r"[UR]:(?:\([^)]*\)|\w+)", sets or ""):
        kw["unreduced" if s[0] == "U" else "reduced"] = set(names_of(s[2:]))
    dt = jax.random.key(0).dtype if dtype == "key<fry>" else jnp.dtype(dtype)
    sharding = NamedSharding(mesh, P(*spec, **kw)) if mesh is not None else None
    return jax.ShapeDtypeStruct(tuple(shape), dt, sharding=sharding, weak_type=bool(weak))


# ---- operations ----------------------------------------------------------------


def index_of(items, args):
    out = []
    for i in items:
        if isinstance(i, dict):
            out.append(args[i["arg"]])
        elif isinstance(i, list):
            out.append(
                slice(*(i[1:] if len(i) > 2 else [None] + i[1:]))
                if i[1:] != [None]
                else slice(None)
            )
        else:
            out.append(Ellipsis if i == "..." else i)
    return tuple(out)


def layouts(p):
    return tuple(p) if isinstance(p[0], str) else tuple(tuple(tuple(y) for y in x) for x in p)


def windowed(x, p):
    init, fn = {
        "max": (-jnp.inf, lax.max),
        "min": (jnp.inf, lax.min),
        "add": (0.0, lax.add),
        "sum": (0.0, lax.add),
    }[p["computation"]]
    return lax.reduce_window(
        x,
        np.array(init, x.dtype),
        fn,
        p["window"],
        p["strides"],
        p["padding"],
        p.get("base_dilation"),
        p.get("window_dilation"),
    )


def scatter(how):
    def run(args, p):
        kw = {"out_sharding": sharding_of(p["out_sharding"])} if "out_sharding" in p else {}
        return getattr(args[0].at[index_of(p["index"], args)], how)(args[-1], **kw)

    return run


def gathered(args, p):
    kw = {"out_sharding": sharding_of(p["out_sharding"])} if "out_sharding" in p else {}
    return args[0].at[index_of(p["index"], args)].get(**kw)


def rows(args, p):
    n = lax.GatherDimensionNumbers(
        offset_dims=(1,), collapsed_slice_dims=(0,), start_index_map=(0,)
    )
    return lax.gather(args[0], args[1], n, (1, args[0].shape[1]))


def axis_name(p):
    a = p["axes"]
    return a[0] if len(a) == 1 else tuple(a)


def pcast(x, p):
    return lax.pcast(x, axis_name(p), to=p["to"])


def collective(f):
    def run(args, p):
        kw = {k: v for k, v in p.items() if k != "axes"}
        for k in ("perm",):
            if k in kw:
                kw[k] = [tuple(x) for x in kw[k]]
        return f(*args, axis_name(p), **kw)

    return run


SPECIAL = {
    "jax.typeof": lambda a, p: a[0],
    "jax.reshard": lambda a, p: jax.reshard(a[0], sharding_of(p["sharding"])),
    "jax.device_put": lambda a, p: jax.device_put(a[0], sharding_of(p["sharding"])),
    "lax.with_sharding_constraint": lambda a, p: lax.with_sharding_constraint(
        a[0], sharding_of(p["sharding"])
    ),
    "jnp.view": lambda a, p: a[0].view(jnp.dtype(p["dtype"])),
    "lax.pad1": lambda a, p: lax.pad(
        a[0], np.array(0, a[0].dtype), [tuple(c) for c in p["padding_config"]]
    ),
    "lax.gather_rows": rows,
    "lax.exp_scalar_mul": lambda a, p: lax.exp(a[0]) * 2.0,
    "lax.reduce": lambda a, p: lax.reduce(
        a[0], np.array(0, a[0].dtype), lax.add, tuple(p["dimensions"])
    ),
    "lax.reduce_window": lambda a, p: windowed(a[0], p),
    "lax.concatenate": lambda a, p: lax.concatenate(list(a), **p),
    "lax.sort": lambda a, p: lax.sort(a[0] if len(a) == 1 else tuple(a), **p),
    "jnp.stack": lambda a, p: jnp.stack(list(a), **p),
    "jnp.concatenate": lambda a, p: jnp.concatenate(list(a), **p),
    "jnp.column_stack": lambda a, p: jnp.column_stack(list(a)),
    "jnp.vstack": lambda a, p: jnp.vstack(list(a)),
    "jnp.hstack": lambda a, p: jnp.hstack(list(a)),
    "lax.dynamic_slice": lambda a, p: lax.dynamic_slice(a[0], list(a[1:]), p["slice_sizes"]),
    "lax.dynamic_update_slice": lambda a, p: lax.dynamic_update_slice(a[0], a[1], list(a[2:])),
    "lax.associative_scan": lambda a, p: lax.associative_scan(jnp.add, a[0], **p),
    "lax.fft": lambda a, p: lax.fft(a[0], lax.FftType[p["fft_type"]], tuple(p["fft_lengths"])),
    "index": lambda a, p: a[0][index_of(p["index"], a)],
    "at.get": gathered,
    "jnp.full": lambda a, p: jnp.full(p["shape"], a[0] if a else p["fill_value"], **shardings(p)),
    "jnp.eye": lambda a, p: jnp.eye(p["n"], **shardings(p)),
    "jnp.tri": lambda a, p: jnp.tri(p["n"]),
    "jnp.arange": lambda a, p: jnp.arange(p["stop"], **shardings(p)),
    "jnp.linspace": lambda a, p: jnp.linspace(0.0, 1.0, p["num"]),
    "jnp.einsum": lambda a, p: jnp.einsum(p["subscripts"], *a, **shardings(p)),
    "jnp.meshgrid": lambda a, p: jnp.meshgrid(*a),
    "random.key": lambda a, p: jax.random.key(p["seed"]),
    "random.randint": lambda a, p: jax.random.randint(
        a[0], p["shape"], p.get("minval", 0), p.get("maxval", 10), **shardings(p)
    ),
    "random.bernoulli": lambda a, p: jax.random.bernoulli(a[0], 0.5, p["shape"], **shardings(p)),
    "random.gamma": lambda a, p: jax.random.gamma(a[0], 1.0, p["shape"]),
    "random.truncated_normal": lambda a, p: jax.random.truncated_normal(
        a[0], -1.0, 1.0, p["shape"], **shardings(p)
    ),
    "random.permutation": lambda a, p: jax.random.permutation(
        *a, *([p["x"]] if "x" in p else []), **shardings(p)
    ),
    "random.choice": lambda a, p: jax.random.choice(a[0], a[1], tuple(p["shape"])),
    "ops.segment_sum": lambda a, p: jax.ops.segment_sum(
        a[0], a[1], p["num_segments"], **shardings(p)
    ),
    "lax.convert_element_type": lambda a, p: lax.convert_element_type(a[0], jnp.dtype(p["dtype"])),
    "lax.bitcast_convert_type": lambda a, p: lax.bitcast_convert_type(a[0], jnp.dtype(p["dtype"])),
    "lax.argmax": lambda a, p: lax.argmax(a[0], p["axis"], jnp.int32),
    "lax.argmin": lambda a, p: lax.argmin(a[0], p["axis"], jnp.int32),
    "lax.iota": lambda a, p: lax.broadcasted_iota(
        jnp.dtype(p["dtype"]), tuple(p["shape"]), p["dimension"], **shardings(p)
    ),
    "jnp.identity": lambda a, p: jnp.identity(p["n"]),
    "lax.linalg.lu": lambda a, p: lax.linalg.lu(a[0]),
    "lax.pcast": lambda a, p: pcast(a[0], p),
    "lax.axis_index": lambda a, p: lax.axis_index(axis_name(p)),
    "lax.axis_size": lambda a, p: jnp.int32(lax.axis_size(axis_name(p))),
    "nn.one_hot": lambda a, p: jax.nn.one_hot(
        a[0], p["num_classes"], **{k: v for k, v in p.items() if k == "axis"}
    ),
}
for how in ("set", "add", "mul", "max", "min"):
    SPECIAL["at." + how] = scatter(how)
for name in (
    "psum",
    "pmax",
    "pmin",
    "pmean",
    "all_gather",
    "psum_scatter",
    "all_to_all",
    "ppermute",
):
    SPECIAL["lax." + name] = collective(getattr(lax, name))


def shardings(p):
    return {"out_sharding": sharding_of(p["out_sharding"])} if "out_sharding" in p else {}


def plain(op, args, p):
    root, _, name = op.partition(".")
    f = {"lax": lax, "jnp": jnp, "nn": jax.nn, "random": jax.random, "ops": jax.ops}[root]
    for part in name.split("."):
        f = getattr(f, part)
    kw = {}
    for k, v in p.items():
        if k == "out_sharding":
            v = sharding_of(v)
        elif k in ("dtype", "preferred_element_type"):
            v = jnp.dtype(v)
        elif k == "dimension_numbers":
            v = layouts(v)
        elif isinstance(v, list):
            v = tuple(tuple(x) if isinstance(x, list) else x for x in v)
        kw[k] = v
    return f(*args, **kw)


# ---- operations with bodies ------------------------------------------------------


def program(steps, ret=None):
    def run(*args):
        values = list(args)
        last = list(args)
        for step in steps:
            given = [a["lit"] if isinstance(a, dict) else values[a] for a in step[1]]
            last = as_list(apply(step[0], given, step[2] if len(step) > 2 else {}))
            values += last
        out = [values[i] for i in ret] if ret is not None else last
        return out[0] if len(out) == 1 else tuple(out)

    return run


def as_list(x):
    return list(x) if isinstance(x, (tuple, list)) else [x]


def in_axes_of(v):
    return tuple(v) if isinstance(v, list) else v


def loop(kind):
    def run(args, p):
        f = program(p["body"], p.get("ret"))
        wrap = (lambda c: f(*c)) if len(args) > 1 else f
        init = tuple(args) if len(args) > 1 else args[0]
        if kind == "fori":
            return lax.fori_loop(0, p["trips"], lambda i, c: wrap(c), init)
        return lax.while_loop(
            lambda s: s[0] < p["trips"], lambda s: (s[0] + 1, wrap(s[1])), (0, init)
        )[1]

    return run


def scan(args, p):
    n = p["num_carry"]
    f = program(p["body"], p.get("ret"))

    def step(carry, xs):
        out = as_list(f(*carry, *(xs or ())))
        return tuple(out[:n]), tuple(out[n:])

    kw = {k: p[k] for k in ("length", "unroll", "reverse") if k in p}
    carry, ys = lax.scan(step, tuple(args[:n]), tuple(args[n:]) or None, **kw)
    return tuple(carry) + tuple(ys)


def derived(how):
    def run(args, p):
        f = program(p["body"], p.get("ret"))
        kw = {}
        if how in ("grad", "value_and_grad"):
            n = p.get("argnums", 0)
            kw["argnums"] = tuple(n) if isinstance(n, list) else n
        out = getattr(jax, how)(f, **kw)(*args)
        return tuple(x for o in as_list(out) for x in as_list(o))

    return run


def vjp(args, p):
    n = len(args) // 2
    out, back = jax.vjp(program(p["body"], p.get("ret")), *args[:n])
    return tuple(as_list(out)) + tuple(back(args[n] if len(args) - n == 1 else tuple(args[n:])))


def jvp(args, p):
    n = len(args) // 2
    out, tangent = jax.jvp(program(p["body"], p.get("ret")), tuple(args[:n]), tuple(args[n:]))
    return tuple(as_list(out)) + tuple(as_list(tangent))


def custom_vjp(args, p):
    primal = program(p["primal"])
    f = jax.custom_vjp(primal)
    f.defvjp(
        lambda *a: (primal(*a), a),
        lambda res, ct: tuple(as_list(program(p["bwd"], p.get("bwd_ret"))(*res, ct))),
    )
    n = p.get("argnums", 0)
    out = jax.grad(lambda *a: jnp.sum(f(*a)), argnums=tuple(n) if isinstance(n, list) else n)(*args)
    return tuple(as_list(out))


def shard_mapped(args, p):
    kw = {}
    if "in_specs" in p:
        s = sharding_of(p["in_specs"])
        kw["in_specs"] = s
    if "axis_names" in p:
        kw["axis_names"] = set(p["axis_names"])
    if "check_vma" in p:
        kw["check_vma"] = p["check_vma"]
    return jax.shard_map(
        program(p["body"], p.get("ret")), out_specs=sharding_of(p["out_specs"]), **kw
    )(*args)


def axes_switched(f, key):
    def run(args, p):
        kw = {}
        if "axes" in p:
            kw["axes"] = tuple(p["axes"])
        if key in p:
            kw[key] = sharding_of(p[key])
        return f(
            program(p["body"], p.get("ret")),
            **({"axes": kw.pop("axes")} if "axes" in kw else {}),
            **kw,
        )(*args)

    return run


def use_mesh(args, p):
    m = jax.sharding.get_abstract_mesh()
    if "axes" in p:
        types = p.get("types") or ["Explicit"] * len(p["axes"])
        new = jax.sharding.AbstractMesh(
            tuple(a[1] for a in p["axes"]),
            tuple(a[0] for a in p["axes"]),
            axis_types=tuple(getattr(AxisType, t) for t in types),
        )
    else:
        new = m.update_axis_types({k: getattr(AxisType, v) for k, v in p["types"].items()})
    with jax.sharding.use_abstract_mesh(new):
        return program(p["body"], p.get("ret"))(*args)


def jitted(args, p):
    kw = {k: sharding_of(p[k]) for k in ("in_shardings", "out_shardings") if k in p}
    return jax.jit(program(p["body"], p.get("ret")), **kw)(*args)


BODIES = {
    "program": lambda a, p: program(p["body"], p.get("ret"))(*a),
    "while_loop": loop("while"),
    "fori_loop": loop("fori"),
    "scan": scan,
    "map": lambda a, p: lax.map(
        program(p["body"]), a[0], **{k: p[k] for k in ("batch_size",) if k in p}
    ),
    "cond": lambda a, p: lax.cond(
        a[0], program(p["true"], p.get("true_ret")), program(p["false"], p.get("false_ret")), *a[1:]
    ),
    "switch": lambda a, p: lax.switch(a[0], [program(b) for b in p["branches"]], *a[1:]),
    "vmap": lambda a, p: jax.vmap(
        program(p["body"], p.get("ret")),
        in_axes=in_axes_of(p.get("in_axes", 0)),
        out_axes=in_axes_of(p.get("out_axes", 0)),
        **{k: p[k] for k in ("spmd_axis_name", "axis_name", "axis_size") if k in p},
    )(*a),
    "grad": derived("grad"),
    "value_and_grad": derived("value_and_grad"),
    "jacfwd": derived("jacfwd"),
    "jacrev": derived("jacrev"),
    "vjp": vjp,
    "jvp": jvp,
    "custom_vjp": custom_vjp,
    "linear_transpose": lambda a, p: jax.linear_transpose(program(p["body"]), a[0])(a[1]),
    "remat": lambda a, p: jax.checkpoint(program(p["body"], p.get("ret")))(*a),
    "jit": jitted,
    "shard_map": shard_mapped,
    "shard_map_closure": lambda a, p: jax.shard_map(
        lambda x: program(p["body"])(x, a[1]),
        in_specs=sharding_of(p["in_specs"])[0],
        out_specs=sharding_of(p["out_specs"]),
    )(a[0]),
    "auto_axes": axes_switched(jax.sharding.auto_axes, "out_sharding"),
    "explicit_axes": axes_switched(jax.sharding.explicit_axes, "in_sharding"),
    "use_abstract_mesh": use_mesh,
}


def apply(op, args, p):
    p = {k: v for k, v in p.items() if k != "operand_mesh"}
    if op in BODIES:
        return BODIES[op](args, p)
    return SPECIAL[op](args, p) if op in SPECIAL else plain(op, args, p)


# ---- asking --------------------------------------------------------------------


def answer(case):
    """The types of the results, or the error."""
    try:
        p, m = case["params"], case["mesh"]
        mesh = mesh_of(m) if m else None
        home = mesh_of(p["operand_mesh"]) if p.get("operand_mesh") else mesh
        if home is None:
            home = jax.make_mesh((4, 2), ("X", "Y"), axis_types=(AxisType.Explicit,) * 2)
        args = [operand(o, home) for o in case["operands"]]
    except Exception as e:
        return None
    got = []

    def f(*values):
        got.clear()
        out = apply(case["op"], values, p)
        got.extend(str(jax.typeof(o)) for o in as_list(out))
        return out

    try:
        if mesh is not None:
            with jax.set_mesh(mesh):
                jax.eval_shape(f, *args)
        else:
            jax.eval_shape(f, *args)
    except Exception as e:
        return {"result": None, "error": str(e), "error_type": type(e).__name__}
    return {"result": got[0] if len(got) == 1 else got, "error": None, "error_type": None}


def input_values(aval, k):
    """What jax_explicit_cases gives to operand k: the same numbers."""
    n = int(np.prod(aval.shape))
    i = np.arange(n)
    if aval.dtype == jnp.bool_:
        flat = (i + k) % 2 == 0
    elif jnp.issubdtype(aval.dtype, jnp.integer):
        flat = (i * 5 + k) % 3
    else:
        flat = ((i * 7 + k * 3) % 11) / 8 + 0.25
    return np.asarray(flat).astype(aval.dtype).reshape(aval.shape)


def values_of(case, change=lambda x: x):
    """The elements of the results, by running the program; None if that is not possible."""
    p, mesh = case["params"], mesh_of(case["mesh"])
    try:
        with jax.set_mesh(mesh):
            args = [operand(o, mesh) for o in case["operands"]]
            args = [jax.device_put(change(input_values(a, k)), a.sharding) for k, a in enumerate(args)]
            outs = as_list(jax.jit(lambda *v: apply(case["op"], v, p))(*args))
            outs = [np.asarray(jax.device_get(o)) for o in outs]
    except Exception as e:
        return None
    if any(o.dtype == jnp.complex64 or not np.all(np.isfinite(o.astype(np.float64))) for o in outs):
        return None
    return [
        [float(f"{v:.7g}") if np.isfinite(v) else None for v in o.astype(np.float64).ravel()]
        for o in outs
    ]


def unsharded(case):
    """The case with nothing sharded.  JAX 0.11 types a psum under vmap where axes are Explicit,
    and fails when it lowers it: the values are those that it has without them."""
    axes = case["mesh"]["axes"]
    return dict(
        case,
        operands=[re.sub(r"@(\w+|\([^)]*\))", "", o) for o in case["operands"]],
        mesh={"axes": axes, "types": ["Auto"] * len(axes)},
    )


FACTORS = ("lax.linalg.svd", "lax.linalg.lu", "lax.linalg.eigh", "lax.linalg.qr")


def is_factors(case):
    """Whether the results are factors, which jax_explicit_cases checks by what defines them."""
    body = case["params"].get("body", []) if case["op"] == "program" else []
    return (body[0][0] if len(body) == 1 else case["op"]) in FACTORS


def well_conditioned(case, values):
    """Whether operands changed in their last bits change the values by less than half of what
    jax_explicit_cases allows: else they would say which library computed them."""
    for seed in range(4):
        random = np.random.default_rng(seed)

        def change(x):
            if x.dtype != np.float32:
                return x
            return (x * (1 + random.uniform(-3e-7, 3e-7, x.shape))).astype(x.dtype)

        for was, now in zip(values, values_of(case, change)):
            was, now = np.array(was), np.array(now)
            if np.any(np.abs(now - was) > 0.5e-4 * (1 + np.abs(was))):
                return False
    return True


def with_values(path):
    for line in open(path):
        case = json.loads(line)
        for k in ("newer", "inner", "eager", "jax"):
            case.pop(k, None)
        text = line.split('"mesh"')[0]
        if (
            case["error_type"]
            or not case["mesh"]
            or case["op"].startswith("api.")
            or re.search(r"key<|[UR]:", text)
        ):
            continue
        if len(case["mesh"]["axes"]) == 0 or "operand_mesh" in case["params"] or "{U" in text:
            continue
        if case["result"] is None:  # a new case: its types, too
            case["result"] = (answer(case) or case)["result"]
        v = values_of(case) if case["result"] else None
        if v is None and case["result"] and "axis_name" in text:
            v = values_of(unsharded(case))
        if v is None:
            continue
        if "linalg" in case["category"] and not is_factors(case) and not well_conditioned(case, v):
            print(case["id"], "is left out: it is ill-conditioned", file=sys.stderr)
            continue
        case["values"] = v
        print(json.dumps(case))


def replay(path):
    same = other = 0
    for line in open(path):
        case = json.loads(line)
        if (
            case["op"].startswith("api.") or case["op"] == "jit"
        ):  # jit's own shardings do not show inside a trace
            continue
        a = answer(case)
        known = [
            (json.dumps(c["result"]), c["error_type"] is not None)
            for c in (case, case.get("newer") or case)
        ]
        if a and (json.dumps(a["result"]), a["error_type"] is not None) in known:
            same += 1
            continue
        other += 1
        print(
            case["id"],
            case["op"],
            case["operands"],
            json.dumps(case["params"])[:200],
            "\n   recorded",
            case["result"],
            (case["error"] or "")[:100],
            "\n   now",
            a and (a["result"], a["error"] and a["error"][:300]),
        )
    print(f"{same} passed, {other} failed")


# ---- changing -------------------------------------------------------------------

FAMILIES = [
    [
        "lax.sin",
        "lax.cos",
        "lax.tanh",
        "lax.exp",
        "lax.log",
        "lax.neg",
        "lax.abs",
        "lax.sqrt",
        "lax.rsqrt",
        "lax.logistic",
        "lax.sign",
        "lax.floor",
        "lax.square",
        "nn.relu",
        "nn.silu",
        "nn.gelu",
        "lax.log1p",
        "lax.expm1",
    ],
    [
        "lax.add",
        "lax.mul",
        "lax.sub",
        "lax.div",
        "lax.max",
        "lax.min",
        "lax.pow",
        "lax.atan2",
        "lax.rem",
    ],
    [
        "jnp.add",
        "jnp.multiply",
        "jnp.subtract",
        "jnp.divide",
        "jnp.maximum",
        "jnp.minimum",
        "jnp.power",
    ],
    ["lax.eq", "lax.ne", "lax.lt", "lax.le", "lax.gt", "lax.ge"],
    ["jnp.sum", "jnp.mean", "jnp.max", "jnp.min", "jnp.prod", "jnp.var", "jnp.std"],
    ["lax.cumsum", "lax.cumprod", "lax.cummax", "lax.cumlogsumexp"],
    ["at.set", "at.add", "at.max", "at.mul", "at.min"],
    ["lax.reduce_max", "lax.reduce_min", "lax.reduce_sum", "lax.reduce_prod"],
    ["nn.softmax", "nn.log_softmax"],
]
MESHES = [{"axes": [["X", 4], ["Y", 2]], "types": ["Explicit", "Explicit"]}] * 8 + [
    {"axes": [["X", 2], ["Y", 4]], "types": ["Explicit", "Explicit"]},
    {"axes": [["X", 2], ["Y", 2], ["Z", 2]], "types": ["Explicit"] * 3},
    {"axes": [["X", 4], ["Y", 2]], "types": ["Explicit", "Auto"]},
    {"axes": [["X", 4], ["Y", 2]], "types": ["Auto", "Explicit"]},
    {"axes": [["X", 8], ["Y", 1]], "types": ["Explicit", "Explicit"]},
]


def dims_of(rng, shape, mesh, keep_sets):
    """Random axes for these dimensions, each at most once, that divide."""
    spec = [[] for _ in shape]
    for name, size in rng.sample(mesh["axes"], len(mesh["axes"])):
        if shape and rng.random() < 0.6:
            d = rng.randrange(len(shape))
            parts = size
            for n in spec[d]:
                parts *= dict(map(tuple, mesh["axes"]))[n]
            if shape[d] % parts == 0:
                spec[d].append(name)
    return spec


def change_operand(rng, text, mesh):
    weak, dtype, dims, sets = TYPE.match(text).groups()
    shape = [
        int(re.match(r"\d+", d).group()) for d in re.findall(r"\d+(?:@(?:\([^)]*\)|\w+))?", dims)
    ]
    spec = dims_of(rng, shape, mesh, sets)
    put = lambda s: "" if not s else "@" + s[0] if len(s) == 1 else "@(" + ",".join(s) + ")"
    used = {n for s in spec for n in s}
    free = [a[0] for a in mesh["axes"] if a[0] not in used]
    tail = ""
    if sets and free and rng.random() < 0.7:
        tail = "{%s:%s}" % (rng.choice("UR"), rng.choice(free))
    return weak + dtype + "[" + ",".join(str(n) + put(s) for n, s in zip(shape, spec)) + "]" + tail


def change_spec(rng, s, mesh):
    names = [a[0] for a in mesh["axes"]] + [None, None]
    out = dict(s)
    out["spec"] = [rng.choice(names) if rng.random() < 0.5 else d for d in s.get("spec", [])]
    if rng.random() < 0.1 and out["spec"]:
        out["spec"][rng.randrange(len(out["spec"]))] = [a[0] for a in mesh["axes"]][:2]
    return out


def change_params(rng, p, mesh):
    if isinstance(p, dict):
        if "spec" in p:
            return change_spec(rng, p, mesh) if rng.random() < 0.6 else p
        out = {}
        for k, v in p.items():
            if (
                k in ("axis", "dimension", "in_axes", "out_axes")
                and isinstance(v, int)
                and rng.random() < 0.5
            ):
                v = rng.choice([0, 1, -1, v])
            out[k] = change_params(rng, v, mesh)
        return out
    if isinstance(p, list):
        if p and isinstance(p[0], str) and len(p) in (2, 3) and isinstance(p[1], list):
            p = [change_op(rng, p[0])] + p[1:]
        return [change_params(rng, x, mesh) for x in p]
    return p


def change_op(rng, op):
    for f in FAMILIES:
        if op in f and rng.random() < 0.6:
            return rng.choice(f)
    return op


RESIZED = (
    "new_sizes",
    "shape",
    "padding_config",
    "start_indices",
    "limit_indices",
    "slice_sizes",
    "sizes",
    "reps",
)


def change_sizes(rng, case):
    """One size becomes another, everywhere."""
    a, b = rng.choice([(8, 16), (4, 8), (8, 4), (2, 4), (4, 2), (4, 1), (8, 24), (4, 6)])
    grow = lambda v: b if v == a else v
    case["operands"] = [
        re.sub(r"(?<=[\[,])\d+", lambda m: str(grow(int(m.group()))), o) for o in case["operands"]
    ]

    def walk(v, inside):
        if isinstance(v, dict):
            return {k: walk(x, k in RESIZED) for k, x in v.items()}
        if isinstance(v, list):
            return [walk(x, inside) for x in v]
        return grow(v) if inside and isinstance(v, int) and not isinstance(v, bool) else v

    case["params"] = walk(case["params"], False)


def random_reshape(rng, case, mesh):
    shape = [rng.choice([1, 2, 4, 8, 8, 16, 6]) for _ in range(rng.randint(1, 3))]
    total = int(np.prod(shape))
    new = []
    left = total
    while left > 1 and len(new) < 4:
        d = rng.choice([x for x in range(1, left + 1) if left % x == 0])
        new.append(d)
        left //= d
    new.append(left)
    if rng.random() < 0.3 and len(new) > 1:
        new = [x for x in new if x != 1] or [1]
    case.update(
        category="reshape",
        op="lax.reshape",
        params={"new_sizes": new},
        operands=["float32[" + ",".join(map(str, shape)) + "]"],
    )
    case["operands"] = [change_operand(rng, o, mesh) for o in case["operands"]]


def random_dot(rng, case, mesh):
    nb, nc = rng.choice([(0, 1)] * 3 + [(1, 1), (1, 1), (2, 1), (0, 2), (1, 0)])
    l, r = rng.randint(0, 2), rng.randint(0, 2)
    size = lambda n: [rng.choice([4, 8, 8, 16]) for _ in range(n)]
    b, c = size(nb), size(nc)
    ls, rs = size(l), size(r)
    lhs = (
        [("b", i, n) for i, n in enumerate(b)]
        + [("c", i, n) for i, n in enumerate(c)]
        + [("f", i, n) for i, n in enumerate(ls)]
    )
    rhs = (
        [("b", i, n) for i, n in enumerate(b)]
        + [("c", i, n) for i, n in enumerate(c)]
        + [("f", i, n) for i, n in enumerate(rs)]
    )
    rng.shuffle(lhs), rng.shuffle(rhs)
    at = lambda side, kind, n: [
        next(i for i, d in enumerate(side) if d[:2] == (kind, k)) for k in range(n)
    ]
    numbers = [[at(lhs, "c", nc), at(rhs, "c", nc)], [at(lhs, "b", nb), at(rhs, "b", nb)]]
    params = {"dimension_numbers": numbers}
    rank = nb + l + r
    if rng.random() < 0.4:
        params["out_sharding"] = change_spec(rng, {"spec": [None] * rank}, mesh)
        if rng.random() < 0.3:
            params["out_sharding"]["unreduced"] = [rng.choice(mesh["axes"])[0]]
    case.update(
        category="dot_general",
        op="lax.dot_general",
        params=params,
        operands=[
            change_operand(rng, "float32[" + ",".join(str(d[2]) for d in s) + "]", mesh)
            for s in (lhs, rhs)
        ],
    )


def changed(rng, case, pattern):
    case = copy.deepcopy(case)
    for k in ("newer", "inner", "eager", "jax"):
        case.pop(k, None)
    mesh = (
        rng.choice(MESHES)
        if case["mesh"] and len(case["mesh"]["axes"]) == 2
        else case["mesh"] or MESHES[0]
    )
    if case["mesh"]:
        case["mesh"] = mesh
    kind = rng.random()
    if case["op"] == "lax.reshape" and kind < 0.8:
        random_reshape(rng, case, mesh)
        return case
    if case["op"] == "lax.dot_general" and kind < 0.8:
        random_dot(rng, case, mesh)
        return case
    if kind < 0.25:
        change_sizes(rng, case)
    case["op"] = change_op(rng, case["op"])
    if rng.random() < 0.85:
        case["operands"] = [
            change_operand(rng, o, mesh) if rng.random() < 0.7 else o for o in case["operands"]
        ]
    if rng.random() < 0.5:
        case["params"] = change_params(rng, case["params"], mesh)
    return case


def random_cases(path, n, seed, pattern):
    rng = random.Random(seed)
    cases = [json.loads(line) for line in open(path)]
    cases = [
        c
        for c in cases
        if not c["op"].startswith("api.")
        and c["op"] != "jit"
        and re.search(pattern, c["category"] + " " + c["op"])
    ]
    by_category = {}
    for c in cases:
        by_category.setdefault(c["category"], []).append(c)
    seen, k = set(), 0
    while k < n:
        case = changed(rng, rng.choice(cases), pattern)
        key = json.dumps([case["op"], case["operands"], case["params"], case["mesh"]])
        a = None if key in seen else answer(case)
        seen.add(key)
        if a is None:
            continue
        case.update(a)
        case["id"] = f"r{seed}_{k}"
        if case["error"]:
            case["error"] = case["error"][:600]
        print(json.dumps(case))
        sys.stdout.flush()
        k += 1


def main():
    p = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    p.add_argument("cases")
    p.add_argument("--replay", action="store_true")
    p.add_argument("--values", action="store_true")
    p.add_argument("--random", type=int, default=0)
    p.add_argument("--seed", type=int, default=0)
    p.add_argument("--ops", default="")
    a = p.parse_args()
    if a.replay:
        replay(a.cases)
    elif a.values:
        with_values(a.cases)
    else:
        random_cases(a.cases, a.random, a.seed, a.ops)


main()
