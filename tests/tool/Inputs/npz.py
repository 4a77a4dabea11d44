"""npz.py FILE.npz NAME=TYPE:VALUE,VALUE...: one-dimensional arrays, without NumPy."""

import struct
import sys
import zipfile

with zipfile.ZipFile(sys.argv[1], "w") as file:
    for argument in sys.argv[2:]:
        name, _, rest = argument.partition("=")
        kind, _, text = rest.partition(":")
        letter = {"f4": "f", "i4": "i"}.get(kind, "d")
        values = [float(v) if letter != "i" else int(v) for v in text.split(",")]
        header = f"{{'descr': '<{kind}', 'fortran_order': False, 'shape': ({len(values)},)}}\n"
        data = struct.pack(f"<{len(values)}{letter}", *values)
        magic = b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header))
        file.writestr(name + ".npy", magic + header.encode() + data)
