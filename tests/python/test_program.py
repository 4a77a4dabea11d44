"""The package on programs given as text: nothing but pytest is needed, NumPy where arrays are."""

import gc
import json
import os
import pickle

import pytest
import tessera

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
MLP = os.path.join(ROOT, "examples/mlp.mlir")
ADD = """
sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @main(%a: tensor<4x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>},
                %b: tensor<4x6xf32>) -> tensor<4x6xf32> {
  %c = stablehlo.add %a, %b : tensor<4x6xf32>
  return %c : tensor<4x6xf32>
}
"""


def test_text_path_and_bytes_are_the_same_program():
    from_path = tessera.load(MLP)
    with open(MLP) as f:
        text = f.read()
    assert from_path.text == tessera.load(text).text == tessera.load(text.encode()).text
    import pathlib

    assert tessera.load(pathlib.Path(MLP)).text == from_path.text


def test_a_limit_of_memory_may_have_a_unit():
    program = tessera.load(ADD)
    for limit in (5000, 5e3, "5000", "5e3B", "5kB", "5 kB", "0.005MB", "5e-9TB"):
        assert program.plan(devices=2, limit=limit)["limit_bytes"] == 5000
    assert program.plan(devices=2, limit="2KiB")["limit_bytes"] == 2048
    for limit in ("5KB", "much", "", "-1GB", "1.2.3GB"):
        with pytest.raises(ValueError, match="as in 500kB, 72GB or 64GiB, not"):
            program.plan(devices=2, limit=limit)


def test_without_jax_an_export_takes_and_returns_arrays():
    path = os.path.join(ROOT, "tests/bytecode/Inputs/tree.jax_export")
    with open(path, "rb") as file:
        program = tessera.load(file.read())
    assert tessera.load(path).title == program.title == "<lambda>"
    try:
        import jax  # noqa: F401
    except ImportError:
        assert any("there is no JAX" in note for note in program.notes)
    assert len(program.signature["arguments"]) == 4


def test_a_garbage_cycle_may_hold_a_program_and_its_context():
    for order in ((0, 1), (1, 0)):
        program = tessera.load(ADD)
        both = (program, program._context)
        first, second = both[order[0]], both[order[1]]
        first.cycle, second.cycle = second, first
        del program, both, first, second
        gc.collect()


def test_wrong_text_says_where():
    with pytest.raises(tessera.Error, match=r":3:10: error\[E"):
        tessera.load(
            "func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {\n"
            "  %c = stablehlo.add %a, %a : tensor<4xf32>\n"
            "  return %d : tensor<4xf32>\n}\n"
        )


def test_shardings_spread_to_every_value():
    shardings = tessera.load(ADD).shardings
    assert (
        shardings["%b"].spec == shardings["%c"].spec == shardings["result:0"].spec == (("x",), ())
    )


def test_what_if_leaves_the_program_alone():
    program = tessera.load(ADD)
    other = program.with_mesh("x=4,y=2").with_input(1, '[{?}, {"y"}]')
    assert other.shardings["%c"].spec == (("x",), ("y",))
    assert program.shardings["%c"].spec == (("x",), ())
    constrained = program.constrain("%c", tessera.Sharding.parse('[{}, {"x"}]'))
    assert constrained.shardings["result:0"].spec == ((), ("x",))
    with pytest.raises(tessera.Error, match="unknown axis"):
        program.constrain("%c", '[{"z"}, {}]')
    with pytest.raises(tessera.Error, match="no value 'q'"):
        program.constrain("q", "[{}, {}]")
    with pytest.raises(tessera.Error, match='unknown axis "x"'):
        program.with_mesh("z=4").report()


def test_partition_gives_local_shapes():
    local = tessera.load(ADD).partition()
    assert "stablehlo.add %a, %b : tensor<2x6xf32>" in local.text
    assert "tess.global_type = tensor<4x6xf32>" in local.text
    assert "sdy.sharding =" not in local.text
    assert "tess." not in tessera.load(ADD).partition(bare=True).text
    assert tessera.load(ADD).partition(merge=True).text == local.text


def test_signature_is_what_main_takes_and_returns():
    text = ADD.replace("%b: tensor<4x6xf32>", "%b: tensor<4x6xf32> {jax.buffer_donor = true}")
    signature = tessera.load(text).propagate().signature
    a, b = signature["arguments"]
    assert a == {
        "value": "%a",
        "type": "tensor<4x6xf32>",
        "dtype": "f32",
        "dims": [4, 6],
        "sharding": '<@mesh, [{"x"}, {}]>',
        "donated": False,
    }
    assert b["donated"] and signature["results"][0]["dims"] == [4, 6]
    assert signature["meshes"][0]["axes"] == {"x": 2, "y": 2}
    assert "device_ids" not in signature["meshes"][0]
    ids = ADD.replace('"y"=2]>', '"y"=2], device_ids=[3, 2, 1, 0]>')
    assert tessera.load(ids).signature["meshes"][0]["device_ids"] == [3, 2, 1, 0]


def test_partition_for_cpus_multiplies_matrices():
    program = tessera.load(
        """func.func @main(%x: tensor<2x8x4xf32>, %g: tensor<2x8x3xf32>) -> tensor<4x3xf32> {
  %0 = stablehlo.dot_general %x, %g, contracting_dims = [0, 1] x [0, 1] : (tensor<2x8x4xf32>, tensor<2x8x3xf32>) -> tensor<4x3xf32>
  return %0 : tensor<4x3xf32>
}"""
    )
    assert "(tensor<16x4xf32>, tensor<16x3xf32>)" in program.partition(for_cpu=True).text
    assert "(tensor<2x8x4xf32>, tensor<2x8x3xf32>)" in program.partition().text


def test_partition_for_others():
    program = tessera.load(ADD)
    replicas = program.partition(devices="replicas")
    assert "mhlo.num_replicas = 4" in replicas.text and replicas.is_local
    wrapped = program.partition(wrap="shard_map")
    assert 'manual_axes={"x", "y"}' in wrapped.text and not wrapped.is_local
    assert wrapped.partition().text == program.partition().text
    with pytest.raises(ValueError, match="devices must be 'partitions' or 'replicas', not 'cores'"):
        program.partition(devices="cores")
    with pytest.raises(ValueError, match="exclude each other"):
        program.partition(devices="replicas", wrap="shard_map")


def test_a_program_of_one_device_is_what_it_is():
    program = tessera.load(MLP)
    local = program.partition()
    assert local.is_local and not program.is_local and tessera.load(local.text).is_local
    report, whole = local.report(), program.report()
    assert report["devices"] == 8 and report["memory"] == whole["memory"]
    for what in (local.propagate, local.partition, local.lint, lambda: local.with_mesh("x=2")):
        with pytest.raises(tessera.Error, match="the program of one device already"):
            what()
    np = pytest.importorskip("numpy")
    x, w1, w2 = (np.full(s, 0.5, np.float32) for s in ((32, 16), (16, 64), (64, 8)))
    x[5, 3] = -2
    assert np.array_equal(local.run(x, w1, w2)[0], program.run(x, w1, w2)[0])


def test_report_is_data_and_a_page(tmp_path):
    report = tessera.load(MLP).report(target="h100x8")
    assert (
        report["devices"] == 8
        and report["memory"]["arguments"] == 8 * 16 * 4 + 16 * 32 * 4 + 32 * 8 * 4
    )
    assert [c["op"] for c in report["collectives"]] == ["stablehlo.all_reduce"]
    report.save(tmp_path / "report.html")
    page = (tmp_path / "report.html").read_text()
    assert page.startswith("<!doctype html>") and "iframe" in report._repr_html_()
    assert "all_reduce" in str(report)
    with pytest.raises(tessera.Error, match="no target 'abacus'"):
        tessera.load(MLP).report(target="abacus")


def test_machine_of_a_table(tmp_path):
    (tmp_path / "machines").write_text("small like=cpu memory=1e3\n")
    report = tessera.load(MLP).report(target=f"{tmp_path}/machines:small")
    assert report["target"] == "small" and report["target_memory"] == 1000
    with pytest.raises(tessera.Error, match="has no target 'large'; it has small"):
        tessera.load(MLP).report(target=f"{tmp_path}/machines:large")


def test_explain_goes_back_to_the_annotation():
    explanation = tessera.load(MLP).explain("w2")
    assert explanation["axes"][0]["steps"][-1]["cause"] == "annotated"
    assert "through tanh" in str(explanation)
    json.dumps(explanation)


def test_lint_finds_the_unused_axis():
    findings = tessera.load(ADD).lint()
    assert any(f.code == "L3" and '"y"' in f["message"] for f in findings)
    assert str(findings).endswith("\n") and len(list(findings)) == len(findings)


def test_run_and_verify():
    numpy = pytest.importorskip("numpy")
    program = tessera.load(ADD)
    a = numpy.arange(24, dtype="float32").reshape(4, 6)
    (c,) = program.run(a, numpy.asfortranarray(a))
    numpy.testing.assert_array_equal(c, a + a)
    assert c.dtype == numpy.float32 and c.flags.writeable
    assert all(r.agree and r.elements == 24 for r in program.verify(a, a))
    numpy.testing.assert_array_equal(program.run(a.tolist(), a, whole=True)[0], a + a)
    with pytest.raises(TypeError, match="takes 2 arrays, not 1$"):
        program.run(a)
    with pytest.raises(TypeError, match="takes 2 arrays, not 0; program.verify.. runs it on random"):
        program.run()
    with pytest.raises(tessera.Error):
        program.run(a.astype("int32"), a)


def test_open_dimensions_on_a_mesh():
    numpy = pytest.importorskip("numpy")
    program = tessera.load(ADD.replace("4x6", "?x6"))
    for rows in (4, 8, 4):
        a = numpy.arange(rows * 6, dtype="float32").reshape(rows, 6)
        numpy.testing.assert_array_equal(program.run(a, a[::-1].copy())[0], a + a[::-1])


def test_verify_knows_noise():
    """Products of bfloat16 whose parts each device rounds: no fault, as `tess verify` says, too."""
    numpy = pytest.importorskip("numpy")
    program = tessera.load(
        'sdy.mesh @mesh = <["x"=4]>\n'
        'func.func @main(%x: tensor<16x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>})'
        " -> tensor<16x16xf32> {\n"
        "  %0 = stablehlo.convert %x : (tensor<16x64xf32>) -> tensor<16x64xbf16>\n"
        "  %1 = stablehlo.dot_general %0, %0, contracting_dims = [1] x [1]"
        " : (tensor<16x64xbf16>, tensor<16x64xbf16>) -> tensor<16x16xbf16>\n"
        "  %2 = stablehlo.convert %1 : (tensor<16x16xbf16>) -> tensor<16x16xf32>\n"
        "  return %2 : tensor<16x16xf32>\n}\n"
    )
    x = numpy.random.default_rng(0).standard_normal((16, 64), dtype="float32")
    parts, whole = program.run(x)[0], program.run(x, whole=True)[0]
    assert numpy.abs(parts - whole).max() > 1e-3
    assert [c.agree for c in program.verify(x)] == [True]


def test_verify_draws_inputs():
    """Without arguments they are random: what `tess verify` uses for the same seed and examples."""
    numpy = pytest.importorskip("numpy")
    # The bounds of the check are those of the inputs, so it fails unless they are drawn as asked.
    program = tessera.load(
        'sdy.mesh @mesh = <["x"=2]>\n'
        'func.func @main(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>},'
        " %i: tensor<8xi32>) -> (tensor<8xf32>, tensor<8xi32>) {\n"
        "  %k = stablehlo.constant dense<7> : tensor<8xi32>\n"
        "  check.expect_eq %i, %k : tensor<8xi32>\n"
        "  %b = stablehlo.multiply %a, %a : tensor<8xf32>\n"
        "  return %b, %i : tensor<8xf32>, tensor<8xi32>\n}\n"
    )
    sevens = {"in1": numpy.array([7, 7], "int32"), "out0": numpy.zeros(8, "float32")}
    assert [c.agree for c in program.verify(inputs_like=sevens)] == [True, True]
    assert [c.agree for c in program.verify(inputs_like=sevens, seed=2)] == [True, True]
    assert [c.agree for c in program.verify(inputs_like={"in1": [7]})] == [True, True]
    for seed in (None, 1, 2):  # 0 to 3
        with pytest.raises(tessera.Error):
            program.verify(seed=seed)
    for wrong in ("in2", "in", "a"):
        with pytest.raises(ValueError, match="expected in0, in1, …, one for each argument"):
            program.verify(inputs_like={wrong: [7]})
    with pytest.raises(TypeError, match="no keyword arguments"):
        program.verify([1.0] * 8, [7] * 8, seed=1)
    with pytest.raises(TypeError, match="seed must be a whole number"):
        program.verify(seed="1")


def test_run_takes_buffers():
    import array

    data = memoryview(array.array("f", range(24))).cast("B").cast("f", (4, 6))
    (c,) = tessera.load(ADD).run(data, data)
    assert memoryview(c).tolist()[3][5] == 46


def test_types_come_back():
    numpy = pytest.importorskip("numpy")
    program = tessera.load(
        "func.func @main(%a: tensor<3xi64>, %b: tensor<complex<f64>>, %c: tensor<2x0xi1>)"
        " -> (tensor<3xi64>, tensor<complex<f64>>, tensor<2x0xi1>) {\n"
        "  return %a, %b, %c : tensor<3xi64>, tensor<complex<f64>>, tensor<2x0xi1>\n}"
    )
    a, b, c = program.run([1, 2, -3], 1 + 2j, numpy.zeros((2, 0), bool))
    assert a.tolist() == [1, 2, -3] and b[()] == 1 + 2j and c.shape == (2, 0) and c.dtype == bool


def test_diff_tells_causes_first():
    program = tessera.load(MLP)
    difference = program.diff(program.with_input(1, "[{}, {}]"))
    assert [(c["value"], c["cause"]) for c in difference["shardings"]] == [
        ("%w1", True),
        ("%w2", False),
        ("%h", False),
        ("%a", False),
    ]
    assert difference["figures"]["collectives"] == {"before": 1, "after": 0}
    page = difference.html
    assert '{"both":[{"title":' in page and '],"difference":' in page
    assert "srcdoc" in difference._repr_html_()
    assert "what to change" in str(program.report(advise=True))
    assert program.diff(tessera.load(MLP))["same"] and "no difference" in str(program.diff(program))


def test_diff_is_of_the_partition_that_is_asked_for():
    program = tessera.load(os.path.join(ROOT, "tests/tool/report_policy.mlir"))
    sent = {}
    for policy in ("cost", "sdy"):
        figures = program.diff(program, reshard_policy=policy)["figures"]
        sent[policy] = program.report(reshard_policy=policy)["communication"]["wire_bytes"]
        assert figures["wire_bytes"] == {"before": sent[policy], "after": sent[policy]}
    assert sent["cost"] < sent["sdy"]
    with pytest.raises(ValueError, match="reshard_policy must be 'cost' or 'sdy', not 'xla'"):
        program.diff(program, reshard_policy="xla")


def test_explain_collective():
    explanation = tessera.load(MLP).explain_collective(0)
    assert explanation["moves"] == "%y" and len(explanation["summed"]) == 2
    with pytest.raises(tessera.Error, match="no collective 7"):
        tessera.load(MLP).explain_collective(7)


def test_copies_are_their_own():
    import copy

    program = tessera.load(MLP)
    others = [copy.copy(program), copy.deepcopy(program), pickle.loads(pickle.dumps(program))]
    text, shardings = program.text, program.shardings
    del program
    for other in others:
        assert other.text == text and other.shardings == shardings and other.title == MLP


def test_threads_may_share_a_program():
    import threading

    program, found = tessera.load(MLP), []

    def use():
        for _ in range(40):
            found.append((program.report()["devices"], program.with_mesh("data=2,model=2").text))
            str(program.explain("w2"))

    threads = [threading.Thread(target=use) for _ in range(6)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert len(found) == 240 and len(set(found)) == 1


def test_numbers_count_from_0():
    with pytest.raises(IndexError, match="none -1"):
        tessera.load(ADD).with_input(-1, "[{}, {}]")


def test_other_byte_orders_are_turned():
    np = pytest.importorskip("numpy")
    a = np.arange(24, dtype=">f4").reshape(4, 6)
    (c,) = tessera.load(ADD).run(a, a.astype("<f4"))
    assert (c == 2 * a).all()


def test_wrong_arguments_are_exceptions():
    program = tessera.load(MLP)
    for wrong in (None, 3, b"h"):
        with pytest.raises(TypeError, match="expected a text"):
            program.constrain(wrong, "[{}, {}]")
        with pytest.raises(TypeError):
            program.explain(wrong)
        with pytest.raises(TypeError):
            tessera.load(MLP).with_input(0, wrong or 0)
    with pytest.raises(ValueError, match="null character"):
        program.constrain("h\0x", "[{}, {}]")
    with pytest.raises(OverflowError, match="64 bits"):
        program.with_input(2**70, "[{}, {}]")  # not argument 0
    with pytest.raises(OverflowError):
        program.explain("h", dim=2**64)
    for options in ({"devices": -1}, {"devices": 8, "budget": -1}, {"devices": 8, "limit": -1}):
        with pytest.raises(ValueError, match="at least 0, not -1"):
            program.plan("h100x8", **options)
    with pytest.raises(ValueError, match="at least 0, not -1"):
        program.suggest(budget=-1)
    with pytest.raises(tessera.Error, match="no value '0'"):
        program.with_input("0", "[{}, {}]")
    assert tessera.load(bytearray(b"module {}")).text == tessera.load(b"module {}").text


def test_what_is_no_array_is_named():
    numpy = pytest.importorskip("numpy")
    program = tessera.load(ADD)
    a = numpy.zeros((4, 6), "float32")
    for wrong in (None, object(), (x for x in a), {1: 2}, "abc", a.astype(object), a.astype("S3")):
        with pytest.raises(TypeError, match="expected an array of numbers, not"):
            program.run(wrong, a)
    with pytest.raises(ValueError, match="threads"):
        program.run(a, a, threads=-1)


def test_types_have_names_of_numpy():
    """Each type of tessera that NumPy or ml_dtypes has is found by its name there."""
    numpy = pytest.importorskip("numpy")
    ml_dtypes = pytest.importorskip("ml_dtypes")
    from tessera import arrays

    theirs = {"float32", "complex128", "uint8", "bool", "int4", "bfloat16", "float8_e4m3b11fnuz"}
    ours = {arrays._name(t) for t in range(64)} - {""}
    assert theirs < ours
    for name in ours:
        numpy.dtype(getattr(ml_dtypes, name, name))
        assert arrays._name(arrays._dtype(name)) == name
    assert not arrays._dtype("?") and arrays.dtype_of_mlir("tf32") is None


def test_narrow_floats_come_back():
    numpy = pytest.importorskip("numpy")
    ml_dtypes = pytest.importorskip("ml_dtypes")
    for name, spelled in [("float4_e2m1fn", "f4E2M1FN"), ("float6_e2m3fn", "f6E2M3FN")]:
        a = numpy.array([0, -1, 0.5, 2], "float32").astype(getattr(ml_dtypes, name))
        t = f"tensor<4x{spelled}>"
        (b,) = tessera.load(f"func.func @main(%a: {t}) -> {t} {{\n return %a : {t}\n}}").run(a)
        assert b.dtype == a.dtype and b.tobytes() == a.tobytes()


def test_results_are_pickled():
    import copy

    program = tessera.load(MLP)
    other = program.with_mesh("data=2,model=2")
    results = [program.report(), program.explain("h"), program.diff(other), other.lint()]
    for result in results:
        for same in (pickle.loads(pickle.dumps(result)), copy.deepcopy(result)):
            assert type(same) is type(result) and list(same) == list(result)
            assert str(same) == str(result)
    assert pickle.loads(pickle.dumps(results[0])).html == results[0].html


# A scalar argument comes first, for which JAX declares an empty mesh.
SCALAR_FIRST = """
sdy.mesh @empty_mesh = <[]>
sdy.mesh @mesh = <["data"=4, "model"=2]>
func.func @main(%c: tensor<i32> {sdy.sharding = #sdy.sharding<@empty_mesh, []>},
                %x: tensor<16x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>})
    -> (tensor<i32>, tensor<16x8xf32>) {
  %y = sdy.manual_computation(%x) in_shardings=[<@mesh, [{"data"}, {}]>]
      out_shardings=[<@mesh, [{"data"}, {}]>] manual_axes={"data"} (%a: tensor<4x8xf32>) {
    %b = stablehlo.negate %a : tensor<4x8xf32>
    sdy.return %b : tensor<4x8xf32>
  } : (tensor<16x8xf32>) -> tensor<16x8xf32>
  return %c, %y : tensor<i32>, tensor<16x8xf32>
}
"""


def test_the_mesh_is_what_shardings_use():
    program = tessera.load(SCALAR_FIRST)
    report = program.report()
    assert report["devices"] == 8 and report["mesh"] == {"data": 4, "model": 2}
    assert [m["name"] for m in report["meshes"]] == ["mesh"]
    assert program.with_input(1, '[{"model"}, {}]').report()["devices"] == 8
    assert program.shardings["%y"].spec == (("data",), ())


def test_another_mesh_says_what_it_replaces():
    import warnings

    program = tessera.load(SCALAR_FIRST)
    assert program.notes == ()
    other = program.with_mesh({"data": 2, "model": 1})
    assert 'replaces the mesh @mesh <["data"=4, "model"=2]>' in other.notes[0]
    plain = program.constrain("x", "[{}, {}]")
    assert plain.notes == ()
    odd = tessera.load(MLP).with_mesh({"data": 3, "model": 2})
    with pytest.warns(UserWarning, match="does not divide into 3 shards") as said:
        odd.report()
    assert said[0].filename == __file__
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        odd.lint()  # said once


def test_a_terminal_gets_the_beginning(monkeypatch):
    import sys

    lines = "".join(f"%v{i + 1} = stablehlo.negate %v{i} : tensor<4xf32>\n" for i in range(300))
    program = tessera.load(
        f"func.func @main(%v0: tensor<4xf32>) -> tensor<4xf32> {{\n{lines}"
        "return %v300 : tensor<4xf32>\n}"
    )
    assert str(program) == program.text
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
    assert str(program).splitlines()[-1] == "… and 105 more lines; `.text` has all"
    assert len(str(program).splitlines()) == 201 and "%v300" in program.text
    assert str(tessera.load(ADD)) == tessera.load(ADD).text


def test_a_wrapped_lowering_keeps_its_lines():
    class Lowered:
        def as_text(self, debug_info=False):
            where = ' loc("step.py":7:3)' if debug_info else ""
            return (
                "func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {\n"
                f"  %0 = stablehlo.negate %a : tensor<4xf32>{where}\n"
                "  return %0 : tensor<4xf32>\n}"
            )

    class Wrapper:  # as that of equinox.filter_jit
        lowered = Lowered()

        def as_text(self):
            return self.lowered.as_text()

    assert tessera.load(Wrapper()).table()[1]["source"] == "step.py:7"


def test_the_beginning_of_a_target_is_enough():
    program = tessera.load(MLP)
    assert program.report("h100")["target"] == "h100x8"
    with pytest.raises(tessera.Error, match="several targets begin with 'v5': v5e, v5p"):
        program.report("v5")


def test_serialized_programs_are_read_back():
    program = tessera.load(ADD)
    for version in ("", "1.16.0", "12w", None):
        data = program.serialize(version)
        assert isinstance(data, bytes) and data[:4] == b"ML\xefR"
        assert "stablehlo.add" in tessera.load(data).text
    assert b"StableHLO_v1.16.0" in program.serialize("1.16.0")
    with pytest.raises(tessera.Error, match="not a version of StableHLO"):
        program.serialize("soon")
    with pytest.raises(tessera.Error, match="at byte"):
        tessera.load(program.serialize()[:100])


def test_exports_of_jax_are_programs():
    with open(os.path.join(ROOT, "tests/bytecode/Inputs/two.jax_export"), "rb") as f:
        program = tessera.load(f.read())
    assert len(program.signature["arguments"]) == 1


def test_advice():
    program = tessera.load(os.path.join(os.path.dirname(__file__), "..", "tool", "advise.mlir"))
    advice = program.suggest(target="h100x8")
    first = advice[0]
    place = first["places"][0]
    assert first["kind"] == "constrain" and place["value"] == "%rows"
    assert first["after"]["peak_bytes"] < first["before"]["peak_bytes"] / 2
    # What is advised gives what was promised.
    better = program.constrain("rows", place["sharding"].split(", ", 1)[1].rstrip(">"))
    assert better.report(target="h100x8")["memory"]["peak"] == first["after"]["peak_bytes"]
    assert "with_sharding_constraint" in str(advice)


def test_advice_is_searched_for_once(monkeypatch):
    from tessera._library import lib

    calls, advise = [], lib.tess_module_advise
    monkeypatch.setattr(lib, "tess_module_advise", lambda *a: calls.append(a) or advise(*a))
    program = tessera.load(os.path.join(ROOT, "tests/tool/advise.mlir"))
    advice = program.suggest(target="h100x8")
    assert advice[0]["title"] in str(advice) and len(calls) == 1
    again = pickle.loads(pickle.dumps(advice))
    assert str(again) == str(advice) and again[0] == advice[0]


def test_shardings_print_as_a_short_table():
    few = tessera.load(ADD).shardings
    assert repr(few).splitlines()[0] == '%a: <@mesh, [{"x"}, {}]>'
    many = tessera.load(os.path.join(ROOT, "examples/gpt_step.mlir")).shardings
    lines = repr(many).splitlines()
    assert len(lines) == 21 and lines[-1] == f"… and {len(many) - 20} more of {len(many)} values"


def test_whose_partition_the_figures_are_of():
    program = tessera.load(
        """sdy.mesh @mesh = <["x"=4]>
func.func @main(%x: tensor<16x1024xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>},
    %w: tensor<1024x512xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> (tensor<16x512xf32>
    {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0]
      : (tensor<16x1024xf32>, tensor<1024x512xf32>) -> tensor<16x512xf32>
  return %0 : tensor<16x512xf32>
}"""
    )
    kinds = {
        policy: {c["op"] for c in program.report(reshard_policy=policy)["collectives"]}
        for policy in ("cost", "sdy")
    }
    assert "stablehlo.reduce_scatter" in kinds["cost"]
    assert "stablehlo.all_reduce" in kinds["sdy"]
    with pytest.raises(ValueError, match="reshard_policy must be 'cost' or 'sdy'"):
        program.lint(reshard_policy="best")


SYMBOLIC = """
func.func public @main(%x: tensor<?x3xf32>) -> tensor<?x3xf32> {
  %b = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x3xf32>) -> tensor<i32>
  %ok = stablehlo.compare EQ, %b, %b : (tensor<i32>, tensor<i32>) -> tensor<i1>
  stablehlo.custom_call @shape_assertion(%ok, %b) {has_side_effect = true,
    error_message = "from specification '2*b' for dimension args[0].shape[0] (= {0})"}
    : (tensor<i1>, tensor<i32>) -> ()
  return %x : tensor<?x3xf32>
}
"""


def test_open_dimensions_get_sizes():
    program = tessera.load(SYMBOLIC)
    with pytest.raises(tessera.Error, match="with_dims"):
        program.report()
    for sized in (program.with_dims(b=4), program.with_dims({"b": 4}), program.with_dims("b=4"),
                  program.with_dims({"0.0": 8})):
        assert sized.signature["arguments"][0]["dims"] == [8, 3]
        assert sized.report()["memory"]["arguments"] == 96
    with pytest.raises(tessera.Error, match="no size is given for 'b'"):
        program.with_dims(t=4)
    with pytest.raises(TypeError):
        program.with_dims(b=1.5)
    assert program.signature["arguments"][0]["type"] == "tensor<?x3xf32>"


def test_explained_by_a_name_that_several_values_have():
    program = tessera.load(
        "func.func @main(%x: tensor<4xf32> loc(\"p['a']\"), %y: tensor<4xf32> loc(\"p['b']\"))"
        " -> tensor<4xf32> {\n%0 = stablehlo.add %x, %y : tensor<4xf32>\nreturn %0 : tensor<4xf32>\n}"
    )
    both = program.explain("p/*")
    assert [row["value"] for row in both["values"]] == ["%x", "%y"] and "%y" in both.text
    assert program.explain("p/a")["value"] == "%x"
