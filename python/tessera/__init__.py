"""How a tensor program is spread over devices, why, and what it computes.

    import tessera

    program = tessera.load(jitted, x, w)      # a jitted function and its arguments
    print(program.report())                   # memory, collectives, cost of one device
    print(program.explain("x"))               # why this value is sharded so

    step = program.compile()                  # a function of JAX: XLA runs what tessera partitioned

`load` also takes what `jitted.lower(...)` or `jax.export.export(...)` return, text of
StableHLO, or a path.  Everything is computed by libtessera, which comes with the package.
"""

from ._library import Error, features, version
from .compiled import Compiled
from .jitted import Jitted, jit
from .load import load
from .program import Comparison, Program
from .results import Advice, Difference, Explanation, Finding, Findings, Report, Shardings
from .sharding import Axis, Mesh, Sharding

__all__ = [
    "Axis",
    "Comparison",
    "Compiled",
    "Difference",
    "Error",
    "Advice",
    "Explanation",
    "Finding",
    "Findings",
    "Jitted",
    "Mesh",
    "Program",
    "Report",
    "Sharding",
    "Shardings",
    "features",
    "jit",
    "load",
    "version",
]


def __getattr__(name: str) -> str:
    """__version__, which the library is asked for."""
    if name == "__version__":
        return version()
    raise AttributeError(f"module 'tessera' has no attribute {name!r}")
