"""Plans in Python: what JAX takes of them."""

import gc
import json
import os

os.environ.setdefault("XLA_FLAGS", "--xla_force_host_platform_device_count=8")
import pytest
import tessera

jax = pytest.importorskip("jax")
np = pytest.importorskip("numpy")


def step(state, x):
    def loss(w):
        return ((jax.numpy.tanh(x @ w["w1"]) @ w["w2"]) ** 2).mean()

    value, g = jax.value_and_grad(loss)(state)
    return value, jax.tree.map(lambda w, d: w - 0.1 * d, state, g)


@pytest.fixture
def training():
    if len(jax.devices()) < 8:
        pytest.skip("needs 8 devices")
    rng = np.random.default_rng(0)
    arrays = [rng.random(s, dtype=np.float32) for s in ((512, 2048), (2048, 512), (1024, 512))]
    return {"w1": arrays[0], "w2": arrays[1]}, arrays[2]


def test_a_plan_is_what_its_program_costs(training):
    program = tessera.load(jax.jit(step), *training)
    plan = program.plan("h100x8", devices=8)
    report = plan.program.report("h100x8")
    assert plan["peak_bytes"] == report["memory"]["peak"]
    assert plan["step_seconds"] == pytest.approx(report["step"]["overlapped_seconds"], rel=1e-3)
    assert np.prod(list(plan.mesh.values())) == 8
    assert "next best" in str(plan)
    assert "jax.make_mesh" in plan.emit("jax")
    with pytest.raises(tessera.Error):
        plan.emit("fortran")


def test_a_plan_shows_its_page(training, tmp_path):
    plan = tessera.load(jax.jit(step), *training).plan("h100x8", devices=8)
    plan.save(tmp_path / "plan.html")
    page = (tmp_path / "plan.html").read_text()
    assert page.startswith("<!doctype html>") and page == plan.html
    assert f'"plan":{{"target":"h100x8","mesh":{json.dumps(plan.mesh, separators=(",", ":"))}' in page
    assert "srcdoc" in plan._repr_html_() and "&quot;plan&quot;:" in plan._repr_html_()
    assert [p["chosen"] for p in plan["frontier"]].count(True) == 1


def test_a_plan_and_its_program_may_end_together():
    program = tessera.load("func.func @main(%a: tensor<8x8xf32>) -> tensor<8x8xf32> {\n return %a : tensor<8x8xf32>\n}")
    plan, context = program.plan("h100x8", devices=8), program._context
    handles = context._handles
    plan.itself = plan
    del plan
    gc.collect()
    assert context._handles == handles - 2  # the plan, and the program that it gives


@pytest.mark.parametrize("tactic", ["fsdp over data; megatron over model", None])
def test_jax_lowers_what_was_planned(training, tactic):
    state, x = training
    program = tessera.load(jax.jit(step), state, x)
    plan = program.plan("h100x8", devices=8, mesh="data=4,model=2", tactic=tactic)
    jitted = jax.jit(step, **plan.jit_args())
    again = tessera.load(jitted, *plan.apply(state, x))
    want, got = plan.program.signature, again.signature
    assert [a["sharding"] for a in want["arguments"]] == [a["sharding"] for a in got["arguments"]]
    value, new = jitted(*plan.apply(state, x))
    expected, _ = step(state, x)
    np.testing.assert_allclose(value, expected, rtol=1e-4)
    assert new["w1"].sharding.spec == plan.jit_args()["in_shardings"][0]["w1"].spec


def test_emitted_code_runs(training):
    state, x = training
    plan = tessera.load(jax.jit(step), state, x).plan(
        "h100x8", devices=8, mesh="data=4,model=2", tactic="fsdp over data; megatron over model"
    )
    code = {}
    exec(plan.emit("jax"), code)
    result = jax.eval_shape(step, state, x)
    jitted = jax.jit(step, **code["jit_args"]((state, x), result))
    again = tessera.load(jitted, state, x)
    assert [a["sharding"] for a in again.signature["arguments"]] == [
        a["sharding"] for a in plan.program.signature["arguments"]
    ]
    assert set(plan.specs) == {"state['w1']", "state['w2']", "x"}


def test_constraints_are_put_in(training):
    state, x = training
    program = tessera.load(jax.jit(step), state, x)
    tactic = "fsdp over data; megatron over model"
    plan = program.plan("h100x8", devices=8, mesh="data=4,model=2", tactic=tactic)
    jitted = jax.jit(plan.constrained(step), **plan.jit_args())
    report = tessera.load(jitted, state, x).report("h100x8")
    assert report["step"]["overlapped_seconds"] == pytest.approx(plan["step_seconds"], rel=1e-3)


def test_emitted_code_leaves_out_arguments_that_jax_drops(training):
    state, x = training

    def f(unused, state, key, other, x):
        used = {"w1": state["w1"], "w2": state["w2"]}
        return step(used, x + jax.random.normal(key, x.shape))

    arguments = x[0], {**state, "w3": x[0]}, jax.random.key(1), x, x
    result = jax.eval_shape(f, *arguments)
    plan = tessera.load(jax.jit(f), *arguments).plan(
        "h100x8", devices=8, mesh="data=4,model=2", tactic="fsdp over data; megatron over model"
    )
    code = {}
    exec(plan.emit("jax"), code)
    with pytest.raises(ValueError, match="types do not say which"):
        code["jit_args"](arguments, result)
    arguments = *arguments[:3], x[0], x
    made = code["jit_args"](arguments, result)
    given = made["in_shardings"]
    assert given[0] is given[3] is given[1]["w3"] is None
    again = tessera.load(jax.jit(f, **made), *arguments)
    assert [a["sharding"] for a in again.signature["arguments"]] == [
        a["sharding"] for a in plan.program.signature["arguments"]
    ]


def checkpointed(w, x):
    def loss(w):
        h = x
        for _ in range(3):
            h = jax.checkpoint(lambda h: h + jax.numpy.tanh(h @ w["w1"]) @ w["w2"])(h)
        return (h**2).mean()

    value, g = jax.value_and_grad(loss)(w)
    return value, jax.tree.map(lambda w, d: w - 0.1 * d, w, g)


def test_constraints_are_put_into_what_is_computed_again(training):
    w, x = training[0], training[1][:512]
    plan = tessera.load(jax.jit(checkpointed), w, x).plan(
        "h100x8", devices=8, mesh="data=4,model=2", tactic="fsdp over data; megatron over model"
    )
    assert "checkpoint/rematted_computation" in plan.emit("jax")
    jitted = jax.jit(plan.constrained(checkpointed), **plan.jit_args())
    again = tessera.load(jitted, w, x)
    assert again.text.count("_barrier") == plan.program.text.count("_barrier") == 3
    report = again.report("h100x8")
    assert report["step"]["overlapped_seconds"] == pytest.approx(plan["step_seconds"], rel=1e-3)
    assert report["memory"]["peak"] == plan["peak_bytes"]
    value, _ = jitted(*plan.apply(w, x))
    np.testing.assert_allclose(value, checkpointed(w, x)[0], rtol=1e-4)


def test_constraints_are_put_into_calls_that_jax_lowers_in_place(training):
    """Their names as JAX has them: a function with a rule for its derivative is under vmap() otherwise."""
    w, x = training[0], training[1][:512]
    plan = tessera.load(jax.jit(checkpointed), w, x).plan(
        "h100x8", devices=8, mesh="data=4,model=2", tactic="fsdp over data; megatron over model"
    )
    code = {}
    exec(plan.emit("jax"), code)

    def product(a, b):
        with jax.named_scope("inner"):
            return jax.numpy.tanh(a @ b) @ b

    for_vjp, for_jvp = jax.custom_vjp(product), jax.custom_jvp(product)
    for_vjp.defvjp(lambda a, b: (product(a, b), (a, b)), lambda kept, g: kept)
    for_jvp.defjvp(lambda given, t: (product(*given), t[0]))

    def f(a, b):
        with jax.named_scope("outer"):
            a = jax.vmap(for_vjp, (0, None))(a, b)
            a = jax.vmap(for_jvp, (0, None))(a, b)
            return jax.checkpoint(product)(a, b)

    given = jax.ShapeDtypeStruct((8, 16, 16), "float32"), jax.ShapeDtypeStruct((16, 16), "float32")
    lowered = jax.jit(f).lower(*given).as_text(debug_info=True)
    names = "outer/vmap(inner)", "outer/vmap()/inner", "outer/checkpoint/inner"
    assert all(f'"jit(f)/{name}/dot_general"' in lowered for name in names)
    code["constraints"] = {
        (f"{name}/dot_general", "f32[8,16,16]", i): jax.sharding.PartitionSpec("data")
        for name in names
        for i in range(2)
    }
    constrained = jax.jit(code["constrained"](f)).lower(*given).as_text()
    assert constrained.count("sdy.sharding_constraint") == 6
    products = [line for line in constrained.splitlines() if "dot_general" in line]
    after = [constrained[constrained.index(line) :].splitlines()[1] for line in products]
    assert len(after) == 6 and all("sdy.sharding_constraint" in line for line in after)


def experts(w, x, sizes):
    def block(w, x):
        y = jax.lax.ragged_dot(x, w["a"], sizes)
        z = jax.lax.ragged_dot(x, w["b"], sizes)
        return x + jax.lax.ragged_dot(jax.numpy.tanh(y) * z, w["c"], sizes)

    return jax.grad(lambda w: (jax.checkpoint(block)(w, block(w, x)) ** 2).mean())(w)


def test_constraints_are_put_on_what_jax_decomposes():
    """JAX makes products of ragged_dot, once for operations that are alike, and these have its name for
    products.  jax.lax has the whole only."""
    shapes = {"a": (4, 256, 512), "b": (4, 256, 512), "c": (4, 512, 256)}
    w = {name: jax.ShapeDtypeStruct(shape, "float32") for name, shape in shapes.items()}
    arguments = w, jax.ShapeDtypeStruct((1024, 256), "float32"), jax.ShapeDtypeStruct((4,), "int32")
    plan = tessera.load(jax.jit(experts), *arguments).plan(
        "h100x8", devices=8, mesh="data=4,model=2", tactic="fsdp over data; megatron over model"
    )
    code = {}
    exec(plan.emit("jax"), code)
    assert [key[0] for key in code["constraints"]] == [
        "jvp()/ragged_dot_general",
        "transpose(jvp(jvp()))/checkpoint/ragged_dot_general",
        "transpose(jvp())/ragged_dot_general",
    ]
    again = tessera.load(jax.jit(plan.constrained(experts), **plan.jit_args()), *arguments)
    step = again.report("h100x8")["step"]["overlapped_seconds"]
    assert step == pytest.approx(plan["step_seconds"], rel=1e-3)


def test_what_is_compiled_is_planned(training):
    state, x = training
    wanted, new = jax.jit(step)(state, x)
    plan = {"target": "h100x8", "mesh": "a=2,b=4", "tactic": "data over a; megatron over b"}
    for compiled in (
        tessera.load(jax.jit(step), state, x).compile(plan=plan),
        tessera.jit(step, plan=plan).compiled(state, x),
    ):
        assert dict(compiled.mesh.shape) == {"a": 2, "b": 4}
        value, got = compiled(state, x)
        np.testing.assert_allclose(value, wanted, rtol=1e-4)
        np.testing.assert_allclose(got["w2"], new["w2"], rtol=1e-4, atol=1e-5)
        assert "b" in got["w1"].sharding.spec
    program = tessera.load(jax.jit(step), state, x)
    assert program.compile(jax.devices()[:4], plan="h100x8").mesh.size == 4
    assert program.compile(plan=program.plan("h100x8", devices=8)).mesh.size == 8


def test_what_is_compiled_is_partitioned_for_the_machine(training, monkeypatch):
    """By bytes it could be another program than the one whose time was predicted."""
    program, targets = tessera.load(jax.jit(step), *training), []
    partition = tessera.Program.partition

    def noted(self, *args, target=None, **kwargs):
        targets.append(target)
        return partition(self, *args, target=target, **kwargs)

    monkeypatch.setattr(tessera.Program, "partition", noted)
    program.compile(plan="b200x8")
    program.compile(plan=program.plan(devices=8))
    assert set(targets[:2]) == {"b200x8"} and set(targets[2:]) == {"h100x8"}


def test_what_does_not_fit_is_not_compiled(training):
    program = tessera.load(jax.jit(step), *training)
    plan = program.plan("h100x8", devices=8, limit="1MB")
    assert not plan.fits
    with pytest.raises(tessera.Error, match="fits into the memory"):
        program.compile(plan=plan)


def test_a_planned_program_calls_functions_of_python(training):
    def f(x):
        twice = jax.pure_callback(lambda v: np.asarray(v) * 2, jax.ShapeDtypeStruct(x.shape, x.dtype), x)
        return twice + 1

    x = training[1]
    planned = tessera.load(jax.jit(f), x).plan("h100x8", devices=8).program
    np.testing.assert_array_equal(planned.run(x), x * 2 + 1)


def like(shape, dtype=jax.numpy.float32):
    return jax.ShapeDtypeStruct(shape, dtype)


def best_of(program, devices, tactics, target="h100x8"):
    """The least time of a step with one of the tactics, if it fits."""
    plans = [program.plan(target, devices=devices, tactic=t) for t in tactics]
    return min(p["step_seconds"] for p in plans if p["fits"])


def recurrent(layers, batch, length, width, words):
    """A step of an LSTM, whose values have the time before the batch."""

    def loss(params, tokens):
        x = params["words"][tokens[:, :-1]].swapaxes(0, 1)
        for wx, wh in params["layers"]:

            def cell(hc, z):
                z = z + hc[0] @ wh
                i, f, g, o = jax.numpy.split(z, 4, -1)
                c = jax.nn.sigmoid(f) * hc[1] + jax.nn.sigmoid(i) * jax.numpy.tanh(g)
                h = jax.nn.sigmoid(o) * jax.numpy.tanh(c)
                return (h, c), h

            zeros = jax.numpy.zeros((batch, width))
            x = jax.lax.scan(cell, (zeros, zeros), x @ wx)[1]
        logits, next = x @ params["words"].T, tokens[:, 1:].T
        picked = jax.numpy.take_along_axis(logits, next[..., None], -1)[..., 0]
        return jax.numpy.mean(jax.nn.logsumexp(logits, -1) - picked)

    def step(params, m, v, tokens):
        grads = jax.grad(loss)(params, tokens)
        m = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, m, grads)
        v = jax.tree.map(lambda v, g: 0.99 * v + 0.01 * g * g, v, grads)
        return jax.tree.map(lambda p, m, v: p - m / (jax.numpy.sqrt(v) + 1e-8), params, m, v), m, v

    layer = (like((width, 4 * width)),) * 2
    params = {"words": like((words, width)), "layers": [layer] * layers}
    tokens = like((batch, length + 1), jax.numpy.int32)
    return tessera.load(jax.jit(step, donate_argnums=(0, 1, 2)), params, params, params, tokens)


def test_no_tactic_is_faster_for_recurrent_layers():
    program = recurrent(4, 1024, 128, 2048, 32768)
    tactics = ["data over data; features over model", "fsdp over data"]
    plan = program.plan("gb200x72", devices=144)
    assert plan["step_seconds"] <= best_of(program, 144, tactics, "gb200x72") * (1 + 1e-6)


def test_micro_batches_are_sharded():
    width, batch, parts = 1024, 8192, 4

    def step(w, x):
        def one(sum, x):
            loss = lambda w: jax.numpy.mean(jax.numpy.tanh(jax.numpy.tanh(x @ w[0]) @ w[1]) ** 2)
            return jax.tree.map(jax.numpy.add, sum, jax.grad(loss)(w)), None

        zeros = jax.tree.map(jax.numpy.zeros_like, w)
        grads = jax.lax.scan(one, zeros, x.reshape(parts, batch // parts, width))[0]
        return jax.tree.map(lambda w, g: w - 0.1 * g, w, grads)

    w = [like((width, 4 * width)), like((4 * width, width))]
    plan = tessera.load(jax.jit(step, donate_argnums=0), w, like((batch, width))).plan(
        "h100x8", devices=8, tactic="data over data"
    )
    assert '<@mesh, [{}, {"data"}, {}]>' in plan.program.text  # where each part is taken
    assert 'P(None, "data")' in plan.emit("jax")
