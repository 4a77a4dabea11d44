"""From a JAX script: a jitted function, its lowering, its trace, its export."""

import os

os.environ.setdefault("XLA_FLAGS", "--xla_force_host_platform_device_count=8")
import pytest
import tessera

jax = pytest.importorskip("jax")
np = pytest.importorskip("numpy")


@pytest.fixture
def mlp():
    if len(jax.devices()) < 8:
        pytest.skip("needs 8 devices")
    from jax.sharding import NamedSharding, PartitionSpec as P

    mesh = jax.sharding.Mesh(np.array(jax.devices()[:8]).reshape(4, 2), ("data", "model"))

    def network(x, w1, w2):
        return jax.numpy.tanh(x @ w1) @ w2

    specs = P("data"), P(None, "model"), P("model")
    f = jax.jit(network, in_shardings=[NamedSharding(mesh, s) for s in specs])
    rng = np.random.default_rng(0)
    return f, [rng.random(s, dtype=np.float32) for s in ((32, 16), (16, 64), (64, 8))]


def test_three_lines(mlp, tmp_path):
    f, arguments = mlp
    program = tessera.load(f, *arguments)
    program.report().save(tmp_path / "report.html")
    assert (tmp_path / "report.html").stat().st_size > 10_000
    assert program.title == "network"
    y = program.run(*arguments)
    np.testing.assert_allclose(y, f(*arguments), rtol=2e-5)
    assert all(c.agree for c in program.verify(*arguments))


def test_every_stage_is_the_same_program(mlp):
    f, arguments = mlp
    shardings = tessera.load(f, *arguments).shardings
    stages = [f.lower(*arguments), f.lower(*arguments).as_text(), jax.export.export(f)(*arguments)]
    if hasattr(f, "trace"):
        stages.append(f.trace(*arguments))
    for stage in stages:
        assert [s.spec for s in tessera.load(stage).shardings.values()] == [
            s.spec for s in shardings.values()
        ]
    with pytest.raises(TypeError):
        tessera.load(stages[0].as_text(), arguments[0])


def test_arguments_may_be_shapes_and_jax_arrays(mlp):
    f, arguments = mlp
    shapes = [jax.ShapeDtypeStruct(a.shape, a.dtype) for a in arguments]
    program = tessera.load(f, *shapes)
    y = program.run(*map(jax.numpy.asarray, arguments))
    np.testing.assert_allclose(y, f(*arguments), rtol=2e-5)


def test_source_lines_are_those_of_the_script(mlp):
    f, arguments = mlp
    explanation = tessera.load(f, *arguments).explain("result:0")
    assert "test_jax.py:" in str(explanation)


def test_bfloat16(mlp):
    f = jax.jit(lambda a: a + a)
    y = tessera.load(f, jax.ShapeDtypeStruct((4,), "bfloat16")).run(
        jax.numpy.arange(4, dtype="bfloat16")
    )
    assert y.astype("float32").tolist() == [0, 2, 4, 6]


def test_names_meshes_and_specifications_of_jax():
    if len(jax.devices()) < 8:
        pytest.skip("needs 8 devices")
    from jax.sharding import NamedSharding, PartitionSpec as P

    mesh = jax.sharding.Mesh(np.array(jax.devices()[:8]).reshape(4, 2), ("data", "model"))

    def step(params, x, unused):
        for p in params["layers"]:
            x = jax.numpy.tanh(x @ p["w"] + p["b"])
        return {"y": x}, x.sum()

    shape = jax.ShapeDtypeStruct
    layer = {"w": shape((16, 16), "float32"), "b": shape((16,), "float32")}
    x = shape((32, 16), "float32", sharding=NamedSharding(mesh, P("data")))
    program = tessera.load(jax.jit(step), {"layers": [layer, layer]}, x, 1.0)

    wide = program.constrain("params.layers.*.w", P(None, "model"))
    (arguments, keywords), results = wide.specs
    assert [p["w"] for p in arguments[0]["layers"]] == [P(None, "model")] * 2
    assert arguments[0]["layers"][0]["b"] == P("model") and arguments[1][0] == "data"
    assert arguments[2] is None and keywords == {}
    assert results[0]["y"] == P("data", "model") and results[1] == P()

    one = program.with_input("layers[1]['w']", NamedSharding(mesh, P("model")))
    assert one.shardings["%arg3"].spec == (("model",), ())
    with pytest.raises(tessera.Error, match="did you mean params"):
        program.explain("params/layers/0/ww")
    with pytest.raises(tessera.Error, match="may be any of 2 values"):
        program.constrain("w", P("model"))

    other = jax.sharding.Mesh(np.array(jax.devices()[:8]).reshape(2, 4), ("data", "model"))
    assert program.with_mesh(other).report()["devices"] == 8
    assert program.with_mesh(other).signature["meshes"][0]["axes"] != program.signature["meshes"][0]["axes"]


def test_compared_with_what_xla_made(mlp):
    f, arguments = mlp
    program, compiled = tessera.load(f, *arguments), f.lower(*arguments).compile()
    beside = program.compare(compiled)
    analysis = compiled.memory_analysis()
    report = program.report()
    assert beside["memory"]["arguments"] == (
        report["memory"]["arguments"],
        analysis.argument_size_in_bytes,
    )
    # One sum of partial products: 8 x 8 floats on each device, over 2 devices.
    assert beside["collectives"] == {"all_reduce": {"number": (1, 1), "sent_bytes": (256, 256)}}
    assert "all_reduce" in str(beside)
    assert program.compare(compiled.as_text())["collectives"] == beside["collectives"]
    with pytest.raises(TypeError, match="compare takes what .* returned"):
        program.compare(f)
    report = tessera.load(compiled).report()
    assert report["mesh"] == {"data": 4, "model": 2} and report["partitioned"]
    assert {row["axes"] for row in report["collectives"]} <= {"data", "model", "data, model"}
    with pytest.raises(tessera.Error, match="XLA has partitioned it"):
        tessera.load(compiled).lint()
