"""JAX on tessera: `JAX_PLATFORMS=tessera TESSERA_DEVICES=8 python train.py`.

JAX finds jax_plugins.tessera, which calls initialize().  This registers the PJRT plugin
libtess_pjrt.so as the platform "tessera".  Its priority is below that of JAX's own CPU backend,
so nothing changes for programs that do not ask for it.
"""

from __future__ import annotations

import atexit
import ctypes
import glob
import importlib.util
import os
import sys
from typing import Any

from tessera._pjrt import library_path

NAME = "tessera"
PRIORITY = -50  # JAX's CPU backend has 0, and the highest is the default


def options() -> dict[str, Any]:
    """Returns the options of the client.  JAX calls this when it needs the first device."""
    from jax._src import xla_bridge

    lapack = None if "TESS_LAPACK_LIBRARY" in os.environ else _lapack_of_scipy()
    if lapack:
        os.environ["TESS_LAPACK_LIBRARY"] = lapack
    out: dict[str, Any] = {}
    devices = os.environ.get("TESSERA_DEVICES")
    if not devices:
        cpus = getattr(getattr(xla_bridge, "num_cpu_devices", None), "value", -1)
        devices = str(cpus) if cpus and cpus > 0 else None
    if devices:
        if not devices.isdecimal() or int(devices) < 1:
            raise ValueError(f"TESSERA_DEVICES must be a number, at least 1, not {devices!r}")
        out["num_devices"] = int(devices)
    for option in (
        "threads",
        "faithful",
        "async",
        "max_bytes",
        "platform_name",
        "ranks",
        "host",
        "patience",
    ):
        value = os.environ.get("TESSERA_" + option.upper())
        if value:
            out[option] = value
    return out


def _lapack_of_scipy() -> str | None:
    """Returns the path of the OpenBLAS in SciPy's wheel, which JAX's own CPU backend calls, too."""
    scipy = importlib.util.find_spec("scipy")
    if not scipy or not scipy.origin:
        return None
    package = os.path.dirname(scipy.origin)
    places = [package + ".libs", os.path.join(package, ".dylibs")]
    found = [p for place in places for p in glob.glob(os.path.join(place, "libscipy_openblas*"))]
    integers32 = [p for p in found if "openblas64" not in p]
    return min(integers32, default=None)


def _fail(xla_bridge: Any, error: Exception) -> None:
    """Reports the error to programs that ask for the platform; JAX would only write it into a log."""

    def factory() -> Any:
        raise RuntimeError(f"tessera's PJRT plugin cannot be loaded: {error}") from error

    xla_bridge.register_backend_factory(NAME, factory, priority=PRIORITY)


def _leave_with_reason(library: str) -> None:
    """Tells the other processes about an exception that ends this one.  Otherwise they would keep
    waiting, because JAX waits for them before it ends."""

    def leave() -> None:
        error = getattr(sys, "last_value", None)
        if error is not None:
            text = f"{type(error).__name__}: {error}"
            ctypes.CDLL(library).tess_pjrt_leave(text[:150].encode("ascii", "replace"))

    atexit.register(leave)


def initialize() -> None:
    from jax._src import xla_bridge

    if NAME in xla_bridge._backend_factories:
        return  # found twice on the path
    quiet = getattr(xla_bridge, "_nonexperimental_plugins", None)
    if isinstance(quiet, set):
        quiet.add(NAME)
    try:
        _register(xla_bridge, library_path())
    except Exception as error:
        _fail(xla_bridge, error)


def _register(xla_bridge: Any, library: str) -> None:
    """Registers the plugin first, so that an error in what follows leaves a platform without callbacks."""
    xla_bridge.register_plugin(NAME, priority=PRIORITY, library_path=library, options=options)
    from tessera import _callbacks

    _callbacks.install(library)
    _leave_with_reason(library)
    if os.environ.get("TESSERA_PLATFORM_NAME") == NAME:
        _lower_as_cpu()


def _lower_as_cpu() -> None:
    """Lets JAX's lowerings for the CPU serve the platform under its own name, too."""
    from jax._src.interpreters import mlir

    try:
        mlir._platform_specific_lowerings[NAME] = mlir._platform_specific_lowerings["cpu"]
        mlir._platforms_with_donation.append(NAME)
    except (AttributeError, KeyError) as error:
        print(f"tessera: this JAX has no table of lowerings to share: {error}", file=sys.stderr)
