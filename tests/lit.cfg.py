# Text tests: a file with `// RUN:` lines is a test; `tess` and FileCheck are on hand, and
# the shell's `!`.  %s is the file, %S its folder, %t a scratch name.  A command that must fail and
# whose text is checked is written `(! tess … 2>&1) | FileCheck %s`: `! a | b` would pass whatever
# FileCheck says.
import os
import subprocess
import lit.formats

config.name = "tessera"
config.test_format = lit.formats.ShTest(execute_external=True)
config.suffixes = [".mlir", ".hlo"]
config.excludes = ["unit", "fuzz", "conformance", "Inputs"]
config.test_source_root = os.path.dirname(__file__)
config.substitutions += [
    (r"(?<![\w/.-])tess(?![\w/.-])", config.tess),
    (r"(?<![\w/.-])FileCheck(?![\w/.-])", config.filecheck),
    (r"%python", config.python),
    (r"%mpirun", "env ASAN_OPTIONS=detect_leaks=0 " + config.mpirun),  # what MPI keeps is not ours
]
for part, on in config.parts.items():  # `// REQUIRES: hlo`: not with -DTESS_HLO=OFF
    config.available_features.add(part if on.upper() in ("ON", "1", "TRUE", "YES") else "no-" + part)
built_in = subprocess.run([config.tess, "--version"], capture_output=True, text=True).stdout
for line in built_in.splitlines():  # `// REQUIRES: lapack`: routines that we have not written
    if line.startswith("lapack") and line.endswith("(when needed)"):
        config.available_features.add("lapack")
if config.mpirun:
    config.available_features.add("mpi")
    # More processes than cores, as root in a container too.
    config.environment.update(
        OMPI_ALLOW_RUN_AS_ROOT="1",
        OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1",
        OMPI_MCA_rmaps_base_oversubscribe="1",
    )
config.environment["FILECHECK_OPTS"] = "-enable-var-scope"
for name in ("ASAN_OPTIONS", "UBSAN_OPTIONS", "TSAN_OPTIONS", "TESS_LAPACK_LIBRARY"):
    if name in os.environ:
        config.environment[name] = os.environ[name]
