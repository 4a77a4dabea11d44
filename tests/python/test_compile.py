"""program.compile(): XLA runs what tessera partitions, and it is what jax.jit computes."""

import functools
import os

os.environ.setdefault("XLA_FLAGS", "--xla_force_host_platform_device_count=8")
import pytest
import tessera

jax = pytest.importorskip("jax")
np = pytest.importorskip("numpy")
jnp = jax.numpy
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


@pytest.fixture
def mesh():
    if len(jax.devices()) < 8:
        pytest.skip("needs 8 devices")
    return jax.sharding.Mesh(np.array(jax.devices()[:8]).reshape(4, 2), ("data", "model"))


def put(mesh, array, *spec):
    sharding = jax.sharding.NamedSharding(mesh, jax.sharding.PartitionSpec(*spec))
    return jax.device_put(np.asarray(array), sharding)


def normal(*shape):
    return np.random.default_rng(sum(shape)).normal(size=shape).astype(np.float32)


def parameters(mesh):
    return {
        "w1": put(mesh, normal(16, 64), None, "model"),
        "w2": put(mesh, normal(64, 8), "model"),
    }


def same(got, want):
    assert jax.tree_util.tree_structure(got) == jax.tree_util.tree_structure(want)
    for a, b in zip(jax.tree_util.tree_leaves(got), jax.tree_util.tree_leaves(want)):
        assert a.dtype == b.dtype
        if jax.dtypes.issubdtype(a.dtype, jax.dtypes.prng_key):
            a, b = jax.random.key_data(a), jax.random.key_data(b)
        np.testing.assert_allclose(np.asarray(a), np.asarray(b), rtol=2e-5, atol=2e-5)


def test_gradients_on_cpus_are_products_of_matrices(mesh):
    """They are computed from the activations as they lie, summed and then not transposed."""

    def gradient(w, x):
        return jax.grad(lambda w: (jnp.tanh(x @ w) ** 2).sum())(w)

    arguments = put(mesh, normal(16, 64), None, "model"), put(mesh, normal(8, 32, 16), "data")
    step = tessera.load(jax.jit(gradient), *arguments).compile()
    text = step.lower(*arguments).as_text()
    assert "(tensor<64x16xf32>, tensor<64x32xf32>) -> tensor<16x32xf32>" in text
    assert "stablehlo.transpose" not in text
    same(step(*arguments), jax.jit(gradient)(*arguments))


def layer(params, x, scale, unused, *, key):
    h = jnp.tanh(x @ params["w1"]) @ params["w2"]
    first, rest = jax.random.split(key)
    keep = jax.random.bernoulli(first, 0.5, h.shape)
    return {"y": jnp.where(keep, h * scale, 0), "key": rest}, params["w1"].sum()


def test_trees_keys_static_and_unused_arguments(mesh):
    jitted = jax.jit(layer, static_argnums=2)
    arguments = parameters(mesh), put(mesh, normal(32, 16), "data"), 3, 7.0
    key = jax.random.key(1)
    program = tessera.load(jitted, *arguments, key=key)
    want = jitted(*arguments, key=key)
    step = program.compile()
    same(step(*arguments, key=key), want)
    same(program.run(*arguments, key=key), want)
    assert all(c.agree for c in program.verify(*arguments, key=key))
    same(program.with_input(0, "[{}, {}]").compile()(*arguments, key=key), want)

    assert step.mesh is mesh
    w1 = step.in_shardings[0]["w1"]
    assert w1.is_equivalent_to(arguments[0]["w1"].sharding, 2) and step.in_shardings[2] is None
    assert step.keyword_shardings["key"].is_fully_replicated
    assert step.out_shardings[0]["y"].spec[0] == "data"
    with pytest.raises(TypeError, match="argument 2 is static, and the program was made for 3"):
        step(*arguments[:2], 4, 7.0, key=key)
    with pytest.raises(TypeError, match=r"float32\[8, 16\], but the program was made for"):
        step(arguments[0], arguments[1][:8], 3, 7.0, key=key)
    with pytest.raises(TypeError, match="made for arguments"):
        step(*arguments)


def test_static_arguments_by_name(mesh):
    def scaled(x, *, power=2, negate):
        return -(x**power) if negate else x**power

    jitted, x = jax.jit(scaled, static_argnames=("power", "negate")), put(mesh, normal(8, 4), "data")
    program = tessera.load(jitted, x, power=2, negate=True)
    same(program.run(x, power=2, negate=True), -(x**2))
    same(program.compile()(x, negate=True), -(x**2))  # 2 is what the function itself takes
    for keywords, given in (
        ({"negate": False}, "argument negate is static, and the program was made for True, not for False"),
        ({"negate": True, "power": 3}, "argument power is static, .* made for 2, not for 3"),
        ({}, "argument negate is static, .* made for True, not for a call without it"),
    ):
        with pytest.raises(TypeError, match=given):
            program.run(x, **keywords)
        with pytest.raises(TypeError, match=given):
            program.compile()(x, **keywords)


def test_what_xla_runs_is_tesseras(mesh):
    jitted = jax.jit(lambda p, x: jnp.tanh(x @ p["w1"]) @ p["w2"])
    arguments = parameters(mesh), put(mesh, normal(32, 16), "data")
    program = tessera.load(jitted, *arguments)
    step = program.compile()
    hlo = step.lower(*arguments).compile().as_text()
    assert hlo.count(" all-reduce(") == len(program.report()["collectives"]) == 1
    assert " all-gather(" not in hlo
    # Inside of a jit, on NumPy's arrays, and on arrays that are elsewhere.
    outer = jax.jit(lambda p, x: step(p, x) + 1)
    same(outer(*arguments), jitted(*arguments) + 1)
    same(step(jax.tree_util.tree_map(np.asarray, arguments[0]), normal(32, 16)), jitted(*arguments))
    same(step(arguments[0], put(mesh, normal(32, 16), "model")), jitted(*arguments))


def test_donated_arguments_are_gone(mesh):
    def update(params, gradients):
        return jax.tree_util.tree_map(lambda p, g: p - 0.1 * g, params, gradients)

    jitted = jax.jit(update, donate_argnums=0)
    params, gradients = parameters(mesh), parameters(mesh)
    step = tessera.load(jitted, params, gradients).compile(verify=True)
    want = jax.tree_util.tree_map(lambda p: p - 0.1 * p, gradients)
    same(step(params, gradients), want)
    assert params["w1"].is_deleted() and not gradients["w1"].is_deleted()


def test_verify_finds_another_result(mesh):
    jitted = jax.jit(lambda x: x @ x.T)
    x = put(mesh, normal(8, 16), None, "model")
    step = tessera.load(jitted, x).compile(verify=True)
    step._call.function = jax.jit(lambda x: x @ x.T + 1)
    with pytest.raises(tessera.Error, match="result differs from jax.jit's on .*64 of 64 elements"):
        step(x)
    with pytest.raises(ValueError, match="loaded from a jitted function"):
        tessera.load(os.path.join(ROOT, "examples/mlp.mlir")).compile(verify=True)


PARTS = """
sdy.mesh @mesh = <["x"=4, "y"=2]>
sdy.mesh @flat = <["all"=8]>
func.func @main(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x":(1)2}, {"y"}]>},
                %b: tensor<7xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>},
                %c: tensor<16xf32> {sdy.sharding = #sdy.sharding<@flat, [{"all"}]>})
    -> (tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {"x":(2)2}]>}, tensor<7xf32>,
        tensor<16xf32>) {
  %0 = stablehlo.negate %a : tensor<8x8xf32>
  %1 = stablehlo.negate %b : tensor<7xf32>
  %2 = stablehlo.negate %c : tensor<16xf32>
  return %0, %1, %2 : tensor<8x8xf32>, tensor<7xf32>, tensor<16xf32>
}
"""


def test_parts_of_axes_padding_and_several_meshes(mesh):
    step = tessera.load(PARTS).compile()
    assert dict(step.mesh.shape) == {"x_1": 2, "x_2": 2, "y": 2}
    given = normal(8, 8), normal(7), normal(16)
    for got, value in zip(step(*given), given):
        np.testing.assert_array_equal(np.asarray(got), -value)
    assert tuple(step.in_shardings[2].spec) == (("x_1", "x_2", "y"),)
    with pytest.raises(TypeError, match="takes 3 arrays, not 2"):
        step(*given[:2])


def refused(text, match):
    with pytest.raises(tessera.Error, match=match):
        tessera.load(text).compile()


@pytest.mark.parametrize(
    "ids, sharding, size, match",
    [
        ("", '[{}], unreduced={"x"}', 2, "argument 0 is unreduced over x"),
        (", device_ids=[1, 0]", '[{"x"}]', 2, r"has devices in the order \[1, 0\]"),
        ("", '[{"x"}]', 64, "is for 64 devices, but JAX has 8"),
    ],
)
def test_what_cannot_be_compiled_is_said(mesh, ids, sharding, size, match):
    text = f"""sdy.mesh @mesh = <["x"={size}]{ids}>
func.func @main(%a: tensor<64xf32> {{sdy.sharding = #sdy.sharding<@mesh, {sharding}>}})
    -> tensor<64xf32> {{
  return %a : tensor<64xf32>
}}"""
    with pytest.raises(tessera.Error, match=match):
        tessera.load(text).compile()


def test_64_bits_are_to_be_asked_for(mesh):
    text = "func.func @main(%a: tensor<4xf64>) -> tensor<4xf64> { return %a : tensor<4xf64> }"
    with pytest.raises(tessera.Error, match="is f64, but 64-bit types are disabled in JAX"):
        tessera.load(text).compile()


def test_jit_in_the_place_of_jax_jit(mesh):
    replicated = jax.sharding.NamedSharding(mesh, jax.sharding.PartitionSpec())
    calls = []

    @tessera.jit(static_argnames="power", out_shardings=replicated)
    def step(params, x, power=1):
        """What it does."""
        calls.append(power)
        return jnp.tanh(x @ params["w1"]) ** power

    x = put(mesh, normal(32, 16), "data")
    wanted = [jnp.tanh(x @ parameters(mesh)["w1"]) ** n for n in (1, 2)]
    for _ in range(2):
        same(step(parameters(mesh), x), wanted[0])
        same(step(parameters(mesh), x, 2), wanted[1])
        same(step(parameters(mesh), x, power=2), wanted[1])
    assert calls == [1, 2, 2] and step.__doc__ == "What it does."
    assert step(parameters(mesh), x).sharding.is_fully_replicated
    assert "all-gather" in step.lower(parameters(mesh), x).compile().as_text()
    assert step.program(parameters(mesh), x).report()["devices"] == 8

    add = tessera.jit(lambda a, b: a + b, donate_argnums=0)
    a, b = put(mesh, normal(8, 8), "data"), put(mesh, normal(8, 8), "data")
    same(add(a, b), 2 * b)
    assert a.is_deleted() and not b.is_deleted()


def test_results_have_the_weak_types_that_jax_gives_them(mesh):
    def step(x, count, rate):
        return x * rate, count + 1, rate * 0.5, jax.nn.relu(rate)

    x = jnp.ones((8, 4), jnp.bfloat16)
    want, got = (f(x, 3, 2.0) for f in (jax.jit(step), tessera.jit(step)))
    same(got, want)
    assert [r.weak_type for r in got] == [r.weak_type for r in want] == [False, True, True, True]
    assert (x * got[2]).dtype == jnp.bfloat16
    sums = tessera.jit(lambda *a: step(*a)[1:], compiler_options={"xla_embed_ir_in_executable": True})
    same(sums(x, *got[1:3]), step(x, *got[1:3])[1:])


def test_a_call_is_lowered_for_types(mesh):
    def step(key, params, power, x, unused, *, scale, kind="add"):
        noise = jax.random.normal(key, x.shape)
        y = (x @ params["w1"]) ** power * scale
        return {"y": y, "noise": noise + x if kind == "add" else noise}, params

    def lowered(jit):
        jitted = jit(step, static_argnums=2, static_argnames="kind", donate_argnums=1)
        return jitted.lower(key, types, 2, x, 0.0, scale=2.0, kind="multiply").compile()

    sharding = jax.sharding.NamedSharding(mesh, jax.sharding.PartitionSpec("data"))
    x = jax.ShapeDtypeStruct((32, 16), jnp.float32, sharding=sharding)
    key = jax.eval_shape(lambda: jax.random.key(0))
    types = jax.tree_util.tree_map(
        lambda p: jax.ShapeDtypeStruct(p.shape, p.dtype, sharding=p.sharding), parameters(mesh)
    )
    compiled = lowered(tessera.jit)
    assert compiled.input_shardings[0][2].is_equivalent_to(sharding, 2)
    values = jax.random.key(3), parameters(mesh), put(mesh, normal(32, 16), "data"), 0.0
    same(compiled(*values, scale=2.0), lowered(jax.jit)(values[0], parameters(mesh), *values[2:], scale=2.0))
    assert values[1]["w1"].is_deleted()
    with pytest.raises(TypeError, match="made for arguments"):
        tessera.load(jax.jit(lambda x: x), x).compile().lower(x, x)


def test_jit_inside_of_other_transformations(mesh):
    def function(x):
        return jnp.sin(x) @ x.T

    x = put(mesh, normal(8, 8) / 8, "data", "model")
    step = tessera.jit(function, in_shardings=x.sharding)
    same(jax.jit(lambda x: step(x) + 1)(x), function(x) + 1)
    twice, _ = jax.lax.scan(lambda c, _: (step(c), None), x, None, length=2)
    same(twice, function(function(x)))
    assert step.eval_shape(x).shape == (8, 8)
    # JAX would differentiate the function of the same types that was exported in its place.
    with pytest.raises(tessera.Error, match="cannot be differentiated, since it is compiled"):
        jax.grad(lambda x: step(x).sum())(x)
    gradient = tessera.jit(jax.grad(lambda x: function(x).sum()))
    same(gradient(x), jax.grad(lambda x: function(x).sum())(x))


def test_jit_of_a_function_that_returns_no_array():
    assert tessera.jit(lambda x: {"a": None})(np.ones(4, np.float32)) == {"a": None}
    assert tessera.jit(lambda: ())() == ()


def test_jit_of_a_method():
    class Scale:
        factor = 3

        @functools.partial(tessera.jit, static_argnums=0)
        def __call__(self, x):
            return x * self.factor

        once = staticmethod(tessera.jit(lambda x: x + 1))

    same(Scale()(np.ones(4, np.float32)), jnp.full(4, 3.0, "float32"))
    same(Scale.once(np.ones(4, np.float32)), jnp.full(4, 2.0, "float32"))


def test_callbacks_are_refused():
    def function(x):
        jax.debug.print("{}", x)
        return x + 1

    with pytest.raises(tessera.Error, match="calls Python functions .jax.debug"):
        tessera.jit(function)(np.ones(4, np.float32))
