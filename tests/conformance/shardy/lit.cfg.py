# Shardy's own text tests with `tess opt` in the place of sdy_opt, and `tess eval` in that
# of the StableHLO interpreter:
#
#     TESS_SHARDY=SOURCE-TREE lit tests/conformance/shardy
#
# Diagnostics are our own, so files that expect Shardy's wording fail.
import os
import lit.formats

root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
build = os.environ.get("TESS_BUILD", os.path.join(root, "build"))
tess = os.path.join(build, "tess")
llvm = os.environ.get("TESS_LLVM_BIN", "/usr/lib/llvm-19/bin")

config.name = "shardy"
config.test_format = lit.formats.ShTest(execute_external=True)
config.suffixes = [".mlir"]
config.excludes = ["mpmd"]
config.test_source_root = os.path.join(os.environ["TESS_SHARDY"], "shardy/dialect/sdy")
config.test_exec_root = os.path.join(build, "shardy-tests")
config.substitutions += [
    (r"\bsdy_opt\b", tess + " opt"),
    (r"\bstablehlo-translate --interpret\b", tess + " eval"),
    (r"\b(FileCheck|split-file|not)\b", os.path.join(llvm, r"\1")),
]
config.environment["FILECHECK_OPTS"] = "-enable-var-scope"
config.environment["LIT_ANY_TEXT"] = "1"
