"""example_programs.py: the steps of examples/ as JAX functions with their arguments, without shardings.

programs() returns [(name, function, arguments, options of jax.jit)]; arguments are types.  The scripts are
read as modules, without what they do when run: each ends with a call of its main().
"""
import os
import re
import sys
import types

import jax
import jax.numpy as jnp

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
f32, i32 = jnp.float32, jnp.int32


def module(path):
    path = os.path.join(ROOT, "examples", path)
    sys.path.insert(0, os.path.dirname(path))
    made = types.ModuleType(os.path.basename(path)[:-3])
    made.__file__ = path
    with open(path, encoding="utf-8") as file:
        text = re.sub(r"^main\(\)$", "", file.read(), flags=re.M)
    argv, sys.argv = sys.argv, sys.argv[:1]
    exec(compile(text, path, "exec"), made.__dict__)
    sys.argv = argv
    return made


def like(tree):
    return jax.tree.map(lambda x: jax.ShapeDtypeStruct(jnp.shape(x), jnp.result_type(x)), tree)


def of_type(dtype, *shape):
    return jax.ShapeDtypeStruct(shape, dtype)


def gpt():
    import numpy

    gpt = module("export_gpt.py")
    params = like(gpt.new_params(numpy.random.default_rng(0)))
    arguments = params, of_type(i32, gpt.BATCH, gpt.LENGTH + 1)
    yield "gpt_step", gpt.train_step, arguments, {}
    yield "gpt_loss", gpt.loss_of, arguments, {}
    yield "gpt_gradient", jax.grad(gpt.loss_of), arguments, {}


def transformer():
    t = module("train_transformer.py")
    t.ROWS = None  # the shardings that it asks for between products
    p = {name: of_type(f32, *shape) for name, (shape, _, _) in t.SHAPES.items()}
    data = of_type(f32, t.BATCH, t.LENGTH, t.VOCABULARY)
    arguments = (p, p, p), data, data, of_type(f32, t.LENGTH, t.LENGTH), of_type(f32)
    yield "transformer_step", t.step.__wrapped__, arguments, {}


def flax():
    c = module("train/flax_classifier.py")
    key = jax.eval_shape(lambda: jax.random.key(0))
    batch = {"x": of_type(f32, 32, 8, 8, 3), "y": of_type(i32, 32)}
    state = jax.eval_shape(c.create, key)
    yield "flax_step", c.train_step.__wrapped__, (state, batch, key), {}


def optax():
    m = module("train/optax_language_model.py")
    params = {name: of_type(f32, *shape) for name, shape in m.SHAPES.items()}
    arguments = params, jax.eval_shape(m.optimizer.init, params), of_type(i32, m.BATCH, m.LENGTH + 1)
    yield "optax_step", m.train_step.__wrapped__, arguments, {"donate_argnums": (0, 1)}


def programs():
    for of in (gpt, transformer, flax, optax):
        try:
            yield from of()
        except ImportError as error:
            print(f"left out: {of.__name__}: {error}")
