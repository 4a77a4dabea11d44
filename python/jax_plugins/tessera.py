"""For PYTHONPATH=python in a source tree: installed packages have an entry point instead."""

from tessera.jax_plugin import initialize  # noqa: F401
