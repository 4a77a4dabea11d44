"""Trains a PyTorch model on 8 virtual devices with PyTorch/XLA's unmodified wheel (docs/torch.md).

    PJRT_DEVICE=TESSERA TESSERA_DEVICES=8 TESSERA_REPORT=pages python examples/torch_train.py

mark_sharding splits the batch over the mesh axis "data" and the weights over "model"; propagation decides
the rest.  The losses are compared with those of the same training in PyTorch on the CPU.  With
TESSERA_REPORT, a report page of each compiled program is written to that folder; the largest is that of
the training step.
"""

import glob
import os

import numpy as np
import torch
import torch.nn.functional as F
import torch_xla
import torch_xla.distributed.spmd as xs
import torch_xla.runtime as xr

STEPS, BATCH, TOKENS, WIDTH, HIDDEN, WORDS = 20, 16, 32, 64, 256, 128


class Block(torch.nn.Module):
    """Attention over all tokens, then two linear layers, both with residual connections."""

    def __init__(self, heads=4):
        super().__init__()
        self.heads = heads
        self.norms = torch.nn.ModuleList(torch.nn.LayerNorm(WIDTH) for _ in range(2))
        self.qkv = torch.nn.Linear(WIDTH, 3 * WIDTH, bias=False)
        self.out = torch.nn.Linear(WIDTH, WIDTH, bias=False)
        self.up = torch.nn.Linear(WIDTH, HIDDEN)
        self.down = torch.nn.Linear(HIDDEN, WIDTH)

    def forward(self, x):
        batch, tokens, width = x.shape
        qkv = self.qkv(self.norms[0](x)).view(batch, tokens, 3, self.heads, width // self.heads)
        q, k, v = qkv.permute(2, 0, 3, 1, 4)
        weights = torch.softmax(q @ k.transpose(-1, -2) / (width // self.heads) ** 0.5, dim=-1)
        x = x + self.out((weights @ v).transpose(1, 2).reshape(x.shape))
        return x + self.down(F.gelu(self.up(self.norms[1](x))))


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.words = torch.nn.Embedding(WORDS, WIDTH)
        self.blocks = torch.nn.ModuleList(Block() for _ in range(2))
        self.head = torch.nn.Linear(WIDTH, WORDS, bias=False)

    def forward(self, tokens):
        x = self.words(tokens)
        for block in self.blocks:
            x = block(x)
        return self.head(x)


def shard(model, mesh):
    """As in Megatron: splits layers that widen by their outputs, layers that narrow by their inputs."""
    for block in model.blocks:
        xs.mark_sharding(block.qkv.weight, mesh, ("model", None))
        xs.mark_sharding(block.out.weight, mesh, (None, "model"))
        xs.mark_sharding(block.up.weight, mesh, ("model", None))
        xs.mark_sharding(block.down.weight, mesh, (None, "model"))
    xs.mark_sharding(model.head.weight, mesh, ("model", None))


def train(device, mesh=None):
    """Returns the loss of each step."""
    torch.manual_seed(0)
    model = Model()
    batches = torch.randint(WORDS, (STEPS, BATCH, TOKENS + 1))
    model = model.to(device)
    if mesh:
        shard(model, mesh)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-2)
    losses = []
    for tokens in batches:
        tokens = (tokens % 7).to(device)
        if mesh:
            xs.mark_sharding(tokens, mesh, ("data", None))
        optimizer.zero_grad()
        logits = model(tokens[:, :-1])
        loss = F.cross_entropy(logits.reshape(-1, WORDS), tokens[:, 1:].reshape(-1))
        loss.backward()
        optimizer.step()
        if mesh:
            torch_xla.sync()
        losses.append(loss.detach())
    if mesh:
        print(f"{xr.global_runtime_device_count()} devices of {xr.device_type()}")
        for name, weight in model.blocks[0].named_parameters():
            spec = torch_xla._XLAC._get_xla_sharding_spec(weight)
            if spec and "devices" in spec:
                print(f"  {name} {tuple(weight.shape)}: {spec}")
    return [loss.item() for loss in losses]


def main():
    xr.use_spmd()
    n = xr.global_runtime_device_count()
    mesh = xs.Mesh(np.arange(n), (2, n // 2), ("data", "model"))
    on_devices, alone = train(torch_xla.device(), mesh), train("cpu")
    for i in range(0, STEPS, 5):
        print(f"step {i:2}: loss {on_devices[i]:.4f}, on the CPU {alone[i]:.4f}")
    assert np.allclose(on_devices, alone, rtol=1e-3), "the losses differ"
    pages = glob.glob(os.path.join(os.environ.get("TESSERA_REPORT", "none"), "*.html"))
    if pages:
        print("report page of the step:", max(pages, key=os.path.getsize))


if __name__ == "__main__":
    main()
