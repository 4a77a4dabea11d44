"""Where the PJRT plugin is, for those who register it: JAX and PyTorch/XLA."""

from __future__ import annotations

import os


def library_path() -> str:
    """Returns the plugin's path: $TESSERA_PJRT, the plugin of the package, or that of a build tree."""
    named = os.environ.get("TESSERA_PJRT")
    if named:
        return named
    here = os.path.dirname(os.path.abspath(__file__))
    places = [here, os.path.join(here, "..", "..", "build")]
    for place in places:
        path = os.path.join(place, "libtess_pjrt.so")
        if os.path.exists(path):
            return os.path.normpath(path)
    raise FileNotFoundError(
        f"libtess_pjrt.so is not in {' or '.join(map(os.path.normpath, places))}; "
        "set TESSERA_PJRT to its path"
    )
