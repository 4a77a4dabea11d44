"""What JAX finds of the package, without JAX: a module of its name notes what is registered."""

import os
import subprocess
import sys

import pytest

PROGRAM = """
import sys, types

class Bridge(types.ModuleType):
    backends, plugins = {}, {}
    _backend_factories = ()

    def register_backend_factory(self, name, factory, priority):
        self.backends[name] = factory, priority
        self.plugins.pop(name, None)

    def register_plugin(self, name, priority, library_path, options):
        self.plugins[name] = library_path, priority

bridge = Bridge("jax._src.xla_bridge")
for name in ("jax", "jax._src"):
    sys.modules[name] = types.ModuleType(name)
sys.modules["jax._src"].xla_bridge = bridge
sys.modules["jax._src.xla_bridge"] = bridge

import jax_plugins.tessera

jax_plugins.tessera.initialize()
(factory, priority), = bridge.backends.values()
assert list(bridge.backends) == ["tessera"] and priority < 0 and not bridge.plugins
try:
    factory()
except RuntimeError as error:
    print(error)
"""


TORCH = """
import sys, types

class DevicePlugin:
    pass

for name in ("torch_xla", "torch_xla.experimental", "torch_xla.experimental.plugins"):
    sys.modules[name] = types.ModuleType(name)
sys.modules["torch_xla.experimental"].plugins = sys.modules["torch_xla.experimental.plugins"]
sys.modules["torch_xla.experimental.plugins"].DevicePlugin = DevicePlugin

from tessera.torch_plugin import TesseraPlugin

print(TesseraPlugin().client_create_options())
import tessera

try:
    tessera.load("module {}")
except OSError as error:
    print(error)
"""


LAPACK = """
import importlib.util, os, sys

if not importlib.util.find_spec("scipy").origin.startswith(sys.path[1]):
    sys.exit("another SciPy comes first")
from tessera.jax_plugin import _lapack_of_scipy

found = _lapack_of_scipy()
print(found and os.path.basename(found))
"""


def said(program=PROGRAM, first="", **environment):
    here = os.path.dirname(os.path.abspath(__file__))
    source = os.path.join(here, "..", "..", "python")
    path = os.pathsep.join(filter(None, (str(first), source)))
    return subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, "PYTHONPATH": path, **environment},
        check=True,
        stdout=subprocess.PIPE,
        universal_newlines=True,
    ).stdout


def test_a_package_that_cannot_be_loaded_says_why(tmp_path):
    (tmp_path / "tessera").mkdir()
    (tmp_path / "tessera" / "__init__.py").write_text("raise OSError('half of it is missing')")
    reason = "the package tessera cannot be loaded: OSError: half of it is missing"
    assert said(first=tmp_path).startswith(reason)


def test_a_plugin_whose_callbacks_cannot_be_installed_says_why():
    said_so = said(TESSERA_PJRT="/nowhere/libtess_pjrt.so")
    assert said_so.startswith("tessera's PJRT plugin cannot be loaded: /nowhere/libtess_pjrt.so")


DEVICES = PROGRAM[: PROGRAM.index("import jax_plugins")] + """
from tessera.jax_plugin import options

try:
    print(options()["num_devices"])
except ValueError as error:
    print(error)
"""


def test_a_number_of_devices_is_at_least_one():
    assert said(DEVICES, TESSERA_DEVICES="3", TESS_LAPACK_LIBRARY="none") == "3\n"
    for wrong in "0", "-1", "many", "1.5":
        reason = f"TESSERA_DEVICES must be a number, at least 1, not '{wrong}'\n"
        assert said(DEVICES, TESSERA_DEVICES=wrong, TESS_LAPACK_LIBRARY="none") == reason


def test_pytorch_is_imported_where_there_is_no_library():
    """torch_xla imports all plugins that are installed, and lets their errors through."""
    options, error = said(TORCH, TESSERA_LIBRARY="/nowhere/libtessera.so").splitlines()
    assert options == "{'platform_name': 'tessera'}"
    assert error.startswith("/nowhere/libtessera.so")


def test_lapack_is_that_of_scipy_with_integers_of_32_bits(tmp_path):
    (tmp_path / "scipy").mkdir()
    (tmp_path / "scipy" / "__init__.py").write_text("")
    assert said(LAPACK, first=tmp_path) == "None\n"
    (tmp_path / "scipy.libs").mkdir()
    for name in ("libgfortran.so", "libscipy_openblas64_-0a.so", "libscipy_openblas-5f.so"):
        (tmp_path / "scipy.libs" / name).write_text("")
    assert said(LAPACK, first=tmp_path) == "libscipy_openblas-5f.so\n"


CALLBACK = """
import ctypes

from tessera import _callbacks

values = (ctypes.c_float * 6)(0, 1, 2)
dims = (ctypes.c_int64 * 2)(1, 3)
halves = (_callbacks._Array * 2)()
for i, half in enumerate(halves):
    half.type, half.dims, half.rank = b"float32", dims, 2
    half.data = ctypes.addressof(values) + 12 * i
why = ctypes.create_string_buffer(4096)
_callbacks._callables[0] = lambda x: x + 1
_callbacks._host_call()(0, 0, 1, 1, halves, why, len(why))
print(list(values), why.value.decode())
"""


def test_callbacks_need_the_plugin_alone():
    pytest.importorskip("numpy")
    assert said(CALLBACK, TESSERA_LIBRARY="/nowhere") == "[0.0, 1.0, 2.0, 1.0, 2.0, 3.0] \n"
