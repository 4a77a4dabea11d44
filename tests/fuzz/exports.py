"""Writes what jax.export writes around a program: a FlatBuffer of the schema serialization.fbs of JAX.

A function with a tuple of one float array as argument and result, whatever the program does: the
fuzzer's reader looks at one after the other."""

import struct

# A table is {field: what}; what is a bytes (numbers as they stand), a str, a list of str, of tables or
# bytes (a vector of numbers, by the size of one), or a table.


def vector(numbers, form):
    return ("vector", len(numbers), b"".join(struct.pack("<" + form, n) for n in numbers))


class Builder:
    """Everything stands behind what refers to it."""

    def __init__(self):
        self.data = bytearray(4)

    def align(self, size):
        self.data += bytes(-len(self.data) % size)

    def refer(self, at, what):
        """Writes `what` at the end, and how far it is at `at`."""
        self.align(4)
        start = len(self.data)
        if isinstance(what, dict):
            start = self.table(what, at)
        else:
            struct.pack_into("<I", self.data, at, start - at)
        if isinstance(what, str):
            text = what.encode()
            self.data += struct.pack("<I", len(text)) + text + b"\0"
        elif isinstance(what, tuple):
            self.data += struct.pack("<I", what[1]) + what[2]
        elif isinstance(what, list):
            self.data += struct.pack("<I", len(what)) + bytes(4 * len(what))
            for i, item in enumerate(what):
                self.refer(start + 4 + 4 * i, item)

    def table(self, fields, at):
        last = max(fields, default=-1)
        sizes = 4 + 2 * (last + 1)
        offsets, inside = {}, 4
        for field, what in fields.items():
            size = len(what) if isinstance(what, bytes) else 4
            inside += -inside % size
            offsets[field] = inside
            inside += size
        self.data += struct.pack("<HH", sizes, inside)
        self.data += b"".join(struct.pack("<H", offsets.get(i, 0)) for i in range(last + 1))
        self.align(4)
        start = len(self.data)
        struct.pack_into("<I", self.data, at, start - at)
        self.data += struct.pack("<i", start - (start - len_of_list(sizes))) + bytes(inside - 4)
        for field, what in fields.items():
            if isinstance(what, bytes):
                self.data[start + offsets[field] : start + offsets[field] + len(what)] = what
        for field, what in fields.items():
            if not isinstance(what, bytes):
                self.refer(start + offsets[field], what)
        return start


def len_of_list(sizes):
    """How far a table begins behind its list of fields."""
    return sizes + -sizes % 4


LEAF, TUPLE, DICT = b"\0", b"\2", b"\4"
VALUE = {1: ["8", "b"], 2: b"\x0a"}
MESH = {0: vector([2, 4], "I"), 1: ["x", "y"]}
SHARDING = {0: MESH, 1: {0: [{0: ["x"]}, {0: []}]}}


def table_of(module, newer):
    tree = {0: TUPLE, 1: [{0: LEAF}]}
    fields = {
        0: struct.pack("<H", 7),
        1: "f",
        2: {0: TUPLE, 1: [tree, {0: DICT}]},
        4: tree,
        9: ["cpu", "tpu"],
        13: ("vector", len(module), module),
        14: struct.pack("<H", 10),
        15: vector([0], "H"),
        18: struct.pack("<I", 8),
    }
    if newer:
        fields |= {19: [VALUE], 20: [MESH], 21: [{1: SHARDING[1], 3: bytes(4)}]}
        fields |= {22: vector([0], "I"), 23: vector([0], "I")}
        fields |= {24: vector([1], "I"), 25: vector([0], "I"), 26: "0.11.1"}
    else:
        fields |= {3: [VALUE], 5: [VALUE], 7: [{0: b"\2", 2: SHARDING}], 8: [{}]}
    return fields


def export(module, newer=True, derivative=False):
    """The bytes of an artifact with this module."""
    fields = table_of(module, newer)
    if derivative:
        fields[17] = table_of(module, not newer)
    builder = Builder()
    builder.refer(0, fields)
    builder.align(4)
    return bytes(builder.data)
