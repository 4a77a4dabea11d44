"""jaxlib_mlir.py: jaxlib's MLIR, with the dialects and passes that the comparisons here need."""

import json
import os

from jaxlib.mlir import ir, passmanager
from jaxlib.mlir._mlir_libs import _jax_mlir_ext
from jaxlib.mlir.dialects import chlo, mhlo, sdy, stablehlo


def make_context(interpreter=False, unregistered=False):
    registry = ir.DialectRegistry()
    _jax_mlir_ext.register_dialects(registry)
    context = ir.Context()
    context.append_dialect_registry(registry)
    context.load_all_available_dialects()
    for register in (
        sdy.register_dialect,
        stablehlo.register_dialect,
        chlo.register_dialect,
        mhlo.register_mhlo_dialect,
    ):
        register(context)
    stablehlo.register_stablehlo_passes()
    context.allow_unregistered_dialects = unregistered
    if interpreter:
        stablehlo.register_interpreter_dialect(context)
        with (
            context
        ):  # no binding registers the quant dialect, but this pass needs it and so loads it
            passes = passmanager.PassManager.parse("builtin.module(vhlo-legalize-to-stablehlo)")
            passes.run(ir.Module.parse("module {}").operation)
    return context


def reprint(text):
    """The text as MLIR prints it, which numbers values in its own way."""
    with make_context():
        try:
            return ir.Module.parse(text).operation.get_asm()
        except Exception as error:
            return "UNREADABLE " + str(error)[:300]


def forked(jobs):
    """[f()] for each job, in one child; what an abort loses is asked again one by one."""
    reading, writing = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(reading)
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, 2)
        with os.fdopen(writing, "w") as out:
            for job in jobs:
                out.write(json.dumps(job()) + "\n")
                out.flush()
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as lines:
        answers = [json.loads(line) for line in lines if line.endswith("\n")]
    os.waitpid(pid, 0)
    if len(answers) < len(jobs):
        answers.append("ABORTED")
        if len(answers) < len(jobs):
            answers += forked(jobs[len(answers) :])
    return answers
