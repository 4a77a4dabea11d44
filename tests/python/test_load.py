"""What tessera.load takes besides functions of jax.jit: what wraps one, methods, plain functions."""

import functools

import pytest
import tessera

jax = pytest.importorskip("jax")
np = pytest.importorskip("numpy")


@jax.tree_util.register_pytree_with_keys_class
class Layer:
    """A module as equinox has them: arrays, and a function that is a leaf too."""

    def __init__(self, weight, activation):
        self.weight, self.activation = weight, activation

    def __call__(self, x):
        return self.activation(x @ self.weight)

    def tree_flatten_with_keys(self):
        key = jax.tree_util.GetAttrKey
        children = (key("weight"), self.weight), (key("activation"), self.activation)
        return children, None

    @classmethod
    def tree_unflatten(cls, _, children):
        return cls(*children)


class Counting:
    """Wraps a jitted function: modules go in, and their weights are written after each call."""

    def __init__(self, function):
        self._inside = jax.jit(lambda arrays: function(*arrays))
        self.__name__ = "counted"

    def __call__(self, module, x):
        out, module.weight = self._inside([module.weight, x])
        return out

    def lower(self, module, x):
        return self._inside.lower([module.weight, x])


@pytest.fixture
def layer():
    return Layer(np.arange(12, dtype=np.float32).reshape(4, 3) / 10, jax.numpy.tanh)


X = np.ones((2, 4), np.float32)


def names(program):
    return [row["source"] for row in program.table() if row["value"].startswith("%arg")]


def test_a_wrapper_does_what_it_does_after_a_call(layer):
    wrapped = Counting(lambda w, x: (x @ w, w * 2))
    before = layer.weight
    program = tessera.load(wrapped, layer, X)
    assert program.title == "counted"
    assert layer.weight is before
    np.testing.assert_allclose(program.run(layer, X), X @ before, rtol=1e-6)
    np.testing.assert_allclose(layer.weight, before * 2)
    assert all(c.agree for c in program.verify(layer, X))


def test_arguments_have_the_names_that_the_user_gave(layer):
    program = tessera.load(Counting(lambda w, x: (x @ w, w)), layer, X)
    assert names(program) == ["module.weight", "x"]


def test_a_wrapper_compiles(layer):
    before = layer.weight
    compiled = tessera.load(Counting(lambda w, x: (x @ w, w + 1)), layer, X).compile(verify=True)
    np.testing.assert_allclose(compiled(layer, X), X @ before, rtol=1e-6)
    np.testing.assert_allclose(layer.weight, before + 1)


def test_a_plain_function(layer):
    program = tessera.load(lambda x, y: {"sum": x + y}, X, y=X)
    np.testing.assert_array_equal(program.run(X, y=X)["sum"], X + X)


def test_leaves_that_are_no_arrays_stay_as_they_are(layer):
    def apply(layer, x, how):
        return layer(x) if how == "call" else x, layer

    program = tessera.load(apply, layer, X, "call")
    assert names(program) == ["layer.weight", "x"]
    out, again = program.run(layer, X, "call")
    np.testing.assert_allclose(out, np.tanh(X @ layer.weight), rtol=1e-6)
    assert again.activation is layer.activation
    with pytest.raises(TypeError, match="made for 'call', but is called with 'leave'"):
        program.run(layer, X, "leave")


def test_methods_and_partial_applications(layer):
    class Model:
        def __init__(self, scale):
            self.scale = scale

        def __hash__(self):
            return 1

        def __eq__(self, other):
            return self is other

        @functools.partial(jax.jit, static_argnums=0)
        def twice(self, x):
            return x * self.scale

    np.testing.assert_array_equal(tessera.load(Model(3).twice, X).run(X), X * 3)
    add = functools.partial(jax.jit(lambda a, b: a + b), X)
    np.testing.assert_array_equal(tessera.load(add, X).run(X), X + X)


def test_a_jaxpr():
    program = tessera.load(jax.make_jaxpr(lambda x: (x + 1, x * 2))(X))
    for got, want in zip(program.run(X), (X + 1, X * 2)):
        np.testing.assert_array_equal(got, want)


def test_what_is_no_program_is_refused():
    with pytest.raises(TypeError, match="load takes a function"):
        tessera.load(3)
    with pytest.raises(TypeError, match="arguments can only be given for a function"):
        tessera.load("module {}", X)


def test_functions_of_python_are_called():
    seen = []

    def noted(x):
        seen.append(x.copy())
        return np.asarray(x) * 2

    def f(x):
        jax.debug.callback(lambda v: seen.append(float(v)), x.sum())
        return jax.pure_callback(noted, jax.ShapeDtypeStruct(x.shape, x.dtype), x) + 1

    program = tessera.load(jax.jit(f), X)
    np.testing.assert_array_equal(program.run(X), X * 2 + 1)
    assert 8.0 in [s for s in seen if isinstance(s, float)]
    assert all(c.agree for c in program.verify(X))


def test_what_a_function_of_python_raises_is_the_cause():
    def check(x):
        raise ValueError("never negative")

    def f(x):
        bad = lambda v: jax.pure_callback(check, jax.ShapeDtypeStruct(v.shape, v.dtype), v)
        return jax.lax.cond(x.sum() < 0, bad, lambda v: v, x)

    program = tessera.load(jax.jit(f), X)
    np.testing.assert_array_equal(program.run(X), X)
    with pytest.raises(tessera.Error, match="never negative"):
        program.run(-X)
