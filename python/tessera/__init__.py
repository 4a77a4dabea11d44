"""How a tensor program is sharded over devices, why, and what it computes.

    import tessera

    program = tessera.load(jitted, x, w)      # a jitted function and its arguments
    print(program.report())                   # memory, collectives, cost of one device
    print(program.explain("x"))               # why this value is sharded as it is

    step = program.compile()                  # a JAX function: XLA runs what tessera partitioned

`load` also takes what `jitted.lower(...)` or `jax.export.export(...)` return, StableHLO text,
or a path.  The package comes with the library, libtessera, which does all the work.
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
    """Provides __version__, which is that of the library."""
    if name == "__version__":
        return version()
    raise AttributeError(f"module 'tessera' has no attribute {name!r}")
