"""The module that JAX finds: it registers the platform "tessera", or the reason why there is none.

JAX imports this module at the first use of any device, by its entry point or in a source tree on
PYTHONPATH.  An error at import would end programs that want another platform, or would only be a line
in a log.  So the package is imported inside initialize(), and a program that asks for the platform is
told what is wrong with it.
"""

from __future__ import annotations


def initialize() -> None:
    """JAX calls this."""
    try:
        from tessera import jax_plugin
    except Exception as error:
        _fail(error)
    else:
        jax_plugin.initialize()


def _fail(error: Exception) -> None:
    from jax._src import xla_bridge

    def factory() -> None:
        raise RuntimeError(
            f"the package tessera cannot be loaded: {type(error).__name__}: {error}"
        ) from error

    xla_bridge.register_backend_factory("tessera", factory, priority=-50)
