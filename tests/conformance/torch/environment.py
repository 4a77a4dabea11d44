#!/usr/bin/env python3
"""Makes an environment with PyTorch/XLA 2.9.0's own wheels that needs no GPU.

    environment.py FOLDER [--python PROGRAM] [--build FOLDER]

FOLDER/venv gets the wheels, 2.5 GB; --python is a Python 3.10 to 3.13 for it.  torch's wheel needs the
CUDA libraries, 4 GB more, even to be imported.  FOLDER/cuda gets stand-ins for them: they have every
function that torch's libraries need, and each returns an error, so torch sees no GPU.  This needs
readelf, nm and cc.

FOLDER/env is for the shell (`. FOLDER/env`): it makes the stand-ins and this source tree's package, with
the libraries of --build, available.
"""

import argparse
import collections
import glob
import os
import re
import subprocess
import sys

ROOT = os.path.dirname(
    os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
)
WHEELS = "torch==2.9.0 torch_xla==2.9.0"
# --no-deps: the dependencies without CUDA's libraries and triton.
NEEDS = (
    "numpy<2.4 absl-py pyyaml requests sympy networkx jinja2 filelock typing_extensions mpmath fsspec "
    "markupsafe urllib3 idna charset-normalizer certifi rich pygments markdown-it-py mdurl pytest "
    "iniconfig packaging pluggy expecttest setuptools"
)
CUDA = r"lib(cu|nv|nccl)"
CUDA_FUNCTION = r"(cu|nv|nccl|__cuda)"
NO_DEVICE = 999  # cudaErrorUnknown: to torch, there is no CUDA


def make_venv(folder, python):
    venv = os.path.join(folder, "venv")
    if not os.path.exists(os.path.join(venv, "bin", "python")):
        subprocess.run([python, "-m", "venv", venv], check=True)
    pip = [os.path.join(venv, "bin", "python"), "-m", "pip", "install", "--quiet", "--no-deps"]
    subprocess.run([*pip, *WHEELS.split(), *NEEDS.split()], check=True)
    return glob.glob(os.path.join(venv, "lib", "python3*", "site-packages"))[0]


# ---- stand-ins for CUDA


def lines_of(*command):
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout.splitlines()


class Symbols:
    """What libraries need and define."""

    def __init__(self):
        self.libraries = set()  # names behind NEEDED
        self.library_of = {}  # of a version: "libcublas.so.12" of "libcublas.so.12" or "NCCL_2"
        self.undefined = set()  # "name" or "name@version"
        self.defined = set()

    def add(self, path):
        for line in lines_of("readelf", "-d", path):
            self.libraries.update(re.findall(r"\(NEEDED\).*\[(.*)\]", line))
        library = None
        for line in lines_of("readelf", "-V", path):
            file = re.search(r"File: (\S+)", line)
            version = re.search(r"Name: (\S+)\s+Flags", line)
            library = file.group(1) if file else library
            if version:
                self.library_of[version.group(1)] = library
        for line in lines_of("nm", "-D", path):
            *_, kind, name = line.split()
            if kind == "U":
                self.undefined.add(name.replace("@@", "@"))
            elif kind != "w":
                self.defined.add(name.split("@")[0])


def functions_by_library(symbols):
    """{library: {version or "": names}}; a function without a version is found in whichever has it."""
    cuda = sorted(name for name in symbols.libraries if re.match(CUDA, name))
    wanted = {library: collections.defaultdict(set) for library in cuda}
    for symbol in symbols.undefined:
        name, _, version = symbol.partition("@")
        if name in symbols.defined:
            continue
        if version and symbols.library_of.get(version) in wanted:
            wanted[symbols.library_of[version]][version].add(name)
        elif not version and re.match(CUDA_FUNCTION, name, re.I):
            wanted[cuda[0]][""].add(name)
    return wanted


def make_library(folder, library, versions):
    source, script = (os.path.join(folder, library + end) for end in (".c", ".map"))
    output = os.path.join(folder, library)
    command = ["cc", "-w", "-fno-builtin", "-shared", "-fPIC", "-Wl,-soname," + library]
    with open(source, "w", encoding="utf-8") as file:
        for name in sorted(set().union(*versions.values())):
            file.write(f"long {name}(void) {{ return {NO_DEVICE}; }}\n")
    named = {version: names for version, names in versions.items() if version}
    if named:
        with open(script, "w", encoding="utf-8") as file:
            for version, names in sorted(named.items()):
                file.write(f"{version} {{ global: {'; '.join(sorted(names))}; }};\n")
        command.append("-Wl,--version-script=" + script)
    subprocess.run([*command, "-o", output, source], check=True)
    for path in (source, script):
        if os.path.exists(path):
            os.remove(path)


def make_cuda(folder, packages):
    symbols = Symbols()
    for pattern in ("torch/lib/*.so*", "torch/_C*.so", "_XLAC*.so"):
        for path in glob.glob(os.path.join(packages, pattern)):
            symbols.add(path)
    cuda = os.path.join(folder, "cuda")
    os.makedirs(cuda, exist_ok=True)
    for library, versions in functions_by_library(symbols).items():
        make_library(cuda, library, versions)
    return cuda


# ---- tessera in it


def link_tessera(packages):
    """Tells torch_xla of the plugin as an installed package would; its code comes by PYTHONPATH."""
    folder = os.path.join(packages, "tessera_of_a_source_tree-0.dist-info")
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, "METADATA"), "w", encoding="utf-8") as file:
        file.write("Metadata-Version: 2.1\nName: tessera-of-a-source-tree\nVersion: 0\n")
    with open(os.path.join(folder, "entry_points.txt"), "w", encoding="utf-8") as file:
        file.write("[torch_xla.plugins]\ntessera = tessera.torch_plugin:TesseraPlugin\n")


def write_shell(folder, cuda, build):
    with open(os.path.join(folder, "env"), "w", encoding="utf-8") as file:
        file.write(
            f"export LD_LIBRARY_PATH={cuda}${{LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}}\n"
            f"export PYTHONPATH={ROOT}/python${{PYTHONPATH:+:$PYTHONPATH}}\n"
            f"export TESSERA_LIBRARY={build}/libtessera.so TESSERA_PJRT={build}/libtess_pjrt.so\n"
            f"export PATH={folder}/venv/bin:$PATH\n"
        )


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder")
    parser.add_argument("--python", default=sys.executable)
    parser.add_argument("--build", default=os.path.join(ROOT, "build"))
    options = parser.parse_args()
    folder = os.path.abspath(options.folder)
    os.makedirs(folder, exist_ok=True)
    packages = make_venv(folder, options.python)
    cuda = make_cuda(folder, packages)
    link_tessera(packages)
    write_shell(folder, cuda, os.path.abspath(options.build))
    # torch_xla loads installed plugins when it is imported: the wheels first, by themselves.
    check = "import torch, torch_xla; print(torch.__version__, torch_xla.__version__)"
    shell = f". {folder}/env && XLA_REGISTER_INSTALLED_PLUGINS=0 python -W ignore -c '{check}'"
    code = subprocess.run(["sh", "-c", shell], check=False).returncode
    build = os.path.abspath(options.build)
    if not code and not os.path.exists(os.path.join(build, "libtess_pjrt.so")):
        print(f"tessera is not built yet: cmake -S {ROOT} -B {build} && cmake --build {build}")
    return code


if __name__ == "__main__":
    sys.exit(main())
