"""Meshes and shardings as values, and to and from JAX's and PyTorch's."""

import pytest
from tessera import Axis, Mesh, Sharding


@pytest.mark.parametrize(
    "text",
    [
        '<@mesh, [{"x"}, {}]>',
        '<@m, [{"x", "y"}p1, {?}], replicated={"z"}>',
        '<@mesh, [{"x":(2)4, ?}], unreduced={"y"}>',
        "<@mesh, []>",
    ],
)
def test_text_is_a_fixpoint(text):
    assert str(Sharding.parse(text)) == text


def test_parts_of_axes_have_no_name():
    with pytest.raises(ValueError, match="part of an axis"):
        Sharding(((Axis("x", 1, 2),),)).spec
    with pytest.raises(ValueError):
        Sharding.parse("nothing")
    with pytest.raises(TypeError, match="Sharding.parse"):
        Sharding('[{"x"}]')


def test_placements():
    sharding = Sharding.parse('[{"dp", "tp"}, {}], unreduced={"pp"}')
    names = ["dp", "pp", "tp"]
    placements = sharding.to_placements(names)
    assert placements == [("shard", 0), ("partial", None), ("shard", 0)]
    back = Sharding.from_dtensor(placements, names, 2)
    assert back.spec == sharding.spec and back.unreduced == sharding.unreduced
    assert Sharding.from_dtensor([("shard", -1)], ["x"], 3).spec == ((), (), ("x",))
    with pytest.raises(ValueError, match="order of the mesh"):
        Sharding.parse('[{"tp", "dp"}]').to_placements(names)


def test_repr_is_short():
    sharding = Sharding.parse('<@mesh, [{"x"}, {}]>')
    assert repr(sharding) == "Sharding('<@mesh, [{\"x\"}, {}]>')"


def test_mesh_text():
    assert str(Mesh({"x": 2, "y": 4})) == '<["x"=2, "y"=4]>'
    assert str(Mesh({"x": 2}, (1, 0))) == '<["x"=2], device_ids=[1, 0]>'


def test_jax():
    jax = pytest.importorskip("jax")
    from jax.sharding import NamedSharding, PartitionSpec as P

    mesh = Mesh({"x": 2, "y": 2}).to_jax()
    sharding = Sharding.from_jax(NamedSharding(mesh, P(None, ("x", "y"))), rank=3)
    assert sharding.spec == ((), ("x", "y"), ())
    assert sharding.to_partition_spec() == P(None, ("x", "y"), None)
    assert sharding.to_jax(mesh).is_equivalent_to(NamedSharding(mesh, P(None, ("x", "y"))), 3)
    assert Mesh.from_jax(mesh) == Mesh({"x": 2, "y": 2})
    if hasattr(P, "UNCONSTRAINED"):
        assert Sharding.from_jax(P(P.UNCONSTRAINED, "x")).open == (True, False)
    assert jax.devices()[0].id == 0


def test_text_is_read_whole_or_refused():
    for text in [
        '<@mesh, [{"x":(1)2, "y", ?}p3, {}p0], replicated={"z"}, unreduced=max{"w"}>',
        '<@"a b", [{"a]b", "c}d"}]>',
        "<@mesh, []>",
    ]:
        assert str(Sharding.parse(text)) == text
    for text in [
        "[{x}]",
        '[{"x"}}]',
        '[{"x" "y"}]',
        '[{"x"},]',
        '[{"x"}, {?, "y"}]',
        'of [{"x"}]',
        '<@mesh, [{"x"}]',
        '[{"x"}], unreduced=mean{"y"}',
    ]:
        with pytest.raises(ValueError, match="not a sharding"):
            Sharding.parse(text)


def test_the_order_of_axes_tells_meshes_apart():
    assert Mesh({"a": 2, "b": 4}) != Mesh({"b": 4, "a": 2})
    assert len({Mesh({"a": 2}), Mesh({"a": 2}, (1, 0)), Mesh({"a": 2})}) == 2


class Spec:
    """A PartitionSpec of JAX 0.11 with unreduced axes: it cannot be iterated over."""

    partitions, unreduced = ("x", None), frozenset({"a", "b"})

    def __iter__(self):
        raise ValueError("Using *pspec is dangerous")


def test_unreduced_axes_are_those_of_the_mesh_in_its_order():
    class Named:
        spec = Spec()

        class mesh:
            axis_names = ("x", "b", "a")

    text = '<@mesh, [{"x"}, {}, {}], unreduced={"b", "a"}>'
    assert str(Sharding.from_jax(Named, rank=3)) == text
    with pytest.raises(ValueError, match="2 entries for a tensor of rank 1"):
        Sharding.from_jax(Named, rank=1)
    for wrong in (None, 3, "x"):
        with pytest.raises(TypeError, match="expected a NamedSharding or PartitionSpec"):
            Sharding.from_jax(wrong, rank=2)


def test_abstract_mesh_has_no_devices():
    class Abstract:
        axis_names, axis_sizes = ("x", "y"), (2, 4)

        @property
        def devices(self):
            raise ValueError("AbstractMesh does not implement devices")

    assert Mesh.from_jax(Abstract()) == Mesh({"x": 2, "y": 4})
