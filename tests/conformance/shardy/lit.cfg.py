# Shardy's own text tests with `tess opt` in the place of sdy_opt, and `tess eval` in that
# of the StableHLO interpreter:
#
#     TESS_SHARDY=SOURCE-TREE lit tests/conformance/shardy
#
# Diagnostics count by severity and line (see sdy_opt).  The programs stand in a folder that is
# first in PATH, since scripts of Shardy's call them, too.
import os
import lit.formats

here = os.path.dirname(os.path.abspath(__file__))
root = os.path.dirname(os.path.dirname(os.path.dirname(here)))
build = os.environ.get("TESS_BUILD", os.path.join(root, "build"))
tess = os.path.join(os.path.abspath(build), "tess")
llvm = os.environ.get("TESS_LLVM_BIN", "/usr/lib/llvm-19/bin")
programs = os.path.join(os.path.abspath(build), "shardy-tests", "bin")


def put(name, *lines):
    path = os.path.join(programs, name)
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join(["#!/bin/sh", *lines, ""]))
    os.chmod(path, 0o755)


os.makedirs(programs, exist_ok=True)
put("sdy_opt", f'exec "{here}/sdy_opt" "$@"')
put("stablehlo-translate", '[ "$1" = --interpret ] && shift', f'exec "{tess}" eval "$@"')
for name in ("FileCheck", "split-file", "not"):
    put(name, f'exec "{llvm}/{name}" "$@"')

config.name = "shardy"
config.test_format = lit.formats.ShTest(execute_external=True)
config.suffixes = [".mlir"]
config.excludes = ["mpmd"]
config.test_source_root = os.path.join(os.environ["TESS_SHARDY"], "shardy/dialect/sdy")
config.test_exec_root = os.path.join(os.path.abspath(build), "shardy-tests")
config.environment["PATH"] = programs + os.pathsep + config.environment["PATH"]
config.environment["TESS"] = tess
config.environment["FILECHECK_OPTS"] = "-enable-var-scope"
config.environment["LIT_ANY_TEXT"] = "1"  # notes that nobody expects are let pass
