"""Writes a training step of N layers of two products each, with momentum:
layers.py N WIDTH HIDDEN BATCH"""

import sys

N, WIDTH, HIDDEN, BATCH = map(int, sys.argv[1:])


def tensor(rows, columns, kind="bf16"):
    return f"tensor<{rows}x{columns}x{kind}>"


X, Y = tensor(BATCH, WIDTH), tensor(BATCH, HIDDEN)
STATE = {"w": (WIDTH, HIDDEN), "v": (HIDDEN, WIDTH)}
lines = []


def op(result, kind, operands, types, to):
    types = f"({', '.join(types)}) -> {to}" if set(types) != {to} else to
    lines.append(f"  %{result} = stablehlo.{kind} {', '.join('%' + o for o in operands)} : {types}")


def dot(result, a, b, dims, types, to):
    lines.append(
        f"  %{result} = stablehlo.dot_general %{a}, %{b}, contracting_dims = [{dims[0]}] x [{dims[1]}]"
        f" : ({', '.join(types)}) -> {to}"
    )


arguments, results, returned = [f"%x0: {X}"], [], []
for i in range(N):
    for name, shape in STATE.items():
        for part, place in (name, 0), ("m" + name, 1):
            arguments.append(f"%{part}{i}: {tensor(*shape, 'f32')}")
            info = f"result[{place}][{i}]['{name}']"
            results.append(f'{tensor(*shape, "f32")} {{jax.result_info = "{info}"}}')
            returned.append((f"%new_{part}{i}", tensor(*shape, "f32")))
for i in range(N):
    for name, shape in STATE.items():
        op(f"{name}b{i}", "convert", [f"{name}{i}"], [tensor(*shape, "f32")], tensor(*shape))
    dot(f"y{i}", f"x{i}", f"wb{i}", (1, 0), (X, tensor(*STATE["w"])), Y)
    op(f"t{i}", "tanh", [f"y{i}"], [Y], Y)
    dot(f"z{i}", f"t{i}", f"vb{i}", (1, 0), (Y, tensor(*STATE["v"])), X)
    op(f"x{i + 1}", "add", [f"z{i}", f"x{i}"], [X, X], X)
d = f"x{N}"
for i in reversed(range(N)):
    dot(f"gv{i}", f"t{i}", d, (0, 0), (Y, X), tensor(*STATE["v"]))
    dot(f"dt{i}", d, f"vb{i}", (1, 1), (X, tensor(*STATE["v"])), Y)
    op(f"dy{i}", "multiply", [f"dt{i}", f"t{i}"], [Y, Y], Y)
    dot(f"gw{i}", f"x{i}", f"dy{i}", (0, 0), (X, Y), tensor(*STATE["w"]))
    dot(f"dz{i}", f"dy{i}", f"wb{i}", (1, 1), (Y, tensor(*STATE["w"])), X)
    op(f"d{i}", "add", [f"dz{i}", d], [X, X], X)
    d = f"d{i}"
for i in range(N):
    for name, shape in STATE.items():
        wide = tensor(*shape, "f32")
        op(f"f{name}{i}", "convert", [f"g{name}{i}"], [tensor(*shape)], wide)
        op(f"new_m{name}{i}", "add", [f"m{name}{i}", f"f{name}{i}"], [wide, wide], wide)
        op(f"new_{name}{i}", "subtract", [f"{name}{i}", f"new_m{name}{i}"], [wide, wide], wide)
print(f"func.func @main({', '.join(arguments)}) -> ({', '.join(results)}) {{")
print("\n".join(lines))
print(f"  return {', '.join(v for v, _ in returned)} : {', '.join(t for _, t in returned)}\n}}")
