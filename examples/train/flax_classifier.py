"""Trains a flax classifier on 8 devices: the batch over `data`, wide layers over `model`.

    python3 flax_classifier.py

Prints the loss of each step.  Two lines hand the steps to tessera: `import tessera`, and
`@tessera.jit` instead of `@jax.jit`.
"""

import flax.linen as nn
import jax
import jax.numpy as jnp
import numpy as np
import optax
from devices import mesh, process
from flax.training.train_state import TrainState
from jax.sharding import NamedSharding, PartitionSpec as P


class Classifier(nn.Module):
    @nn.compact
    def __call__(self, x, train):
        x = nn.Conv(16, (3, 3))(x)
        x = nn.relu(nn.GroupNorm(4)(x)).mean((1, 2))
        x = nn.Dropout(0.1, deterministic=not train)(nn.gelu(nn.Dense(64)(x)))
        return nn.Dense(10)(x)


def sharding_of(leaf):
    """Shards matrices and wide vectors over `model`, and with them their moments."""
    wide = leaf.ndim and leaf.shape[-1] % 2 == 0 and leaf.size >= 64
    return NamedSharding(mesh, P(*[None] * (leaf.ndim - 1), "model") if wide else P())


def create(key):
    model = Classifier()
    params = model.init(key, jnp.zeros((1, 8, 8, 3)), train=False)["params"]
    return TrainState.create(apply_fn=model.apply, params=params, tx=optax.adamw(1e-2))


@jax.jit
def train_step(state, batch, key):
    def loss_of(params):
        rngs = {"dropout": jax.random.fold_in(key, state.step)}
        logits = state.apply_fn({"params": params}, batch["x"], train=True, rngs=rngs)
        return optax.softmax_cross_entropy_with_integer_labels(logits, batch["y"]).mean()

    loss, gradients = jax.value_and_grad(loss_of)(state.params)
    return state.apply_gradients(grads=gradients), loss


def batches(count):
    rng = np.random.default_rng(0)
    for _ in range(count):
        y = rng.integers(0, 10, 32).astype(np.int32)
        x = rng.normal(size=(32, 8, 8, 3)) + y[:, None, None, None] / 5
        yield {"x": x.astype(np.float32), "y": y}


def main():
    key = jax.random.key(0)
    shardings = jax.tree.map(sharding_of, jax.eval_shape(create, key))
    state = jax.jit(create, out_shardings=shardings)(key)
    for batch in batches(20):
        batch = jax.device_put(batch, NamedSharding(mesh, P("data")))
        state, loss = train_step(state, batch, key)
        if process == 0:
            print(f"{float(loss):.7f}", flush=True)


main()
