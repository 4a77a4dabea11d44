"""Writes the inputs of mpi.mlir, FOLDER/mpi.npz, without NumPy."""

import os
import struct
import sys
import zipfile


def npy(kind, shape, data):
    header = f"{{'descr': '{kind}', 'fortran_order': False, 'shape': {shape}, }}"
    header += " " * (63 - (10 + len(header)) % 64) + "\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + data


folder = sys.argv[1]
os.makedirs(folder, exist_ok=True)
with zipfile.ZipFile(os.path.join(folder, "mpi.npz"), "w") as z:
    values = [1 / (i + 3) for i in range(64)]
    z.writestr("in0.npy", npy("<f4", (8, 8), struct.pack("<64f", *values)))
    z.writestr("in1.npy", npy("<i4", (4,), struct.pack("<4i", 3, 0, 5, 1)))
