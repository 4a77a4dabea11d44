"""PyTorch/XLA on tessera: `PJRT_DEVICE=TESSERA TESSERA_DEVICES=8 python train.py`.

torch_xla finds this module by the entry point `torch_xla.plugins`, and makes a TesseraPlugin.  The
plugin itself reads the other TESSERA_… variables of the environment.
"""

from __future__ import annotations

import os

from torch_xla.experimental import plugins

from tessera._pjrt import library_path


class TesseraPlugin(plugins.DevicePlugin):
    """All devices are in one process, and SPMD sees them as one virtual device."""

    def library_path(self) -> str:
        return library_path()

    def client_create_options(self) -> dict[str, str]:
        return {"platform_name": os.environ.get("TESSERA_PLATFORM_NAME") or "tessera"}
