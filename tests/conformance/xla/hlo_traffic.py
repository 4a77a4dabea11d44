"""Counts the bytes that optimized HLO reads and writes, on its text, by the rules of XLA's cost analysis.

Each instruction of a computation that runs reads its operands and writes its results once.  A fusion
is one instruction: if it only slices or gathers from an operand, it reads those parts; if it updates a
value in place, it writes the update.  Renaming (bitcast, tuple) is free.  XLA's cost analysis counts one
iteration of a loop.  This counts a loop's body as often as it runs, if the compiler found that out
(known_trip_count), and only the most expensive branch of a conditional.
"""

import re

SIZE = {"pred": 1, "s8": 1, "u8": 1, "s16": 2, "u16": 2, "bf16": 2, "f16": 2, "s32": 4, "u32": 4}
SIZE |= {"f32": 4, "s64": 8, "u64": 8, "f64": 8, "c64": 8, "c128": 16}

COMPUTATION = re.compile(r"^(ENTRY )?%?([\w.\-]+) \(.*\{\s*$")
INSTRUCTION = re.compile(r"^\s+(ROOT )?%?([\w.\-]+) = ")
OPCODE = re.compile(r" ?([a-z][\w\-]*)\(")
CALLED = re.compile(r"(?:calls|to_apply|body|condition)=%?([\w.\-]+)")
BRANCHES = re.compile(r"(?:branch_computations=\{([^}]*)\}|true_computation=%?([\w.\-]+), false_computation=%?([\w.\-]+))")
TRIPS = re.compile(r'"known_trip_count":\{"n":"(\d+)"')
FREE = {"parameter", "constant", "tuple", "get-tuple-element", "bitcast", "after-all", "partition-id"}
FREE |= {"replica-id", "add-dependency", "opt-barrier", "copy-done", "domain"}
SLICES = {"slice", "dynamic-slice", "gather"}
COLLECTIVES = ("all-reduce", "all-gather", "reduce-scatter", "all-to-all", "collective-permute")


def shape_bytes(shape):
    total = 0
    for kind, dims in re.findall(r"([a-z]\w*)\[([\d,]*)\]", shape):
        size = SIZE.get(kind, 1)
        for d in dims.split(","):
            size *= int(d) if d else 1
        total += size
    return total


def closing(text, at):
    """Where the bracket at `at` is closed."""
    depth = 0
    for i in range(at, len(text)):
        depth += text[i] in "([{"
        depth -= text[i] in ")]}"
        if depth == 0:
            return i
    return len(text)


class Instruction:
    def __init__(self, line):
        begin = INSTRUCTION.match(line)
        rest = line[begin.end() :]
        end = closing(rest, 0) + 1 if rest[0] == "(" else rest.index(" ")
        opcode = OPCODE.match(rest, end)
        close = closing(rest, opcode.end() - 1)
        self.root, self.name = bool(begin.group(1)), begin.group(2)
        self.shape, self.opcode = rest[:end], opcode.group(1)
        self.inside, self.attributes = rest[opcode.end() : close], rest[close + 1 :]
        self.operands = re.findall(r"%([\w.\-]+)", self.inside)
        self.bytes = shape_bytes(self.shape)

    def called(self):
        return CALLED.findall(self.attributes)


class Computation:
    def __init__(self):
        self.instructions, self.by_name, self.root = [], {}, None

    def add(self, instruction):
        self.instructions.append(instruction)
        self.by_name[instruction.name] = instruction
        self.root = instruction if instruction.root else self.root

    def users(self, name):
        return [i for i in self.instructions if name in i.operands]

    def bytes_of(self, name):
        return self.by_name[name].bytes if name in self.by_name else 0


def parse(text):
    """(computations by name, the entry's name)"""
    computations, entry, current = {}, None, None
    for line in text.splitlines():
        head = COMPUTATION.match(line)
        if head:
            current = computations[head.group(2)] = Computation()
            entry = head.group(2) if head.group(1) else entry
        elif line.startswith("}"):
            current = None
        elif current is not None and INSTRUCTION.match(line):
            current.add(Instruction(line))
    return computations, entry


class Counter:
    def __init__(self, text):
        self.computations, self.entry = parse(text)
        self.kernels = 0

    def total(self):
        return self.computation(self.entry)

    def computation(self, name, loops=True):
        c = self.computations[name]
        return sum(self.instruction(c, i, loops) for i in c.instructions)

    # ---- inside of fusions

    def through(self, c, name, seen=()):
        """Those who use a value, seen through what only renames it."""
        for user in c.users(name):
            if user.opcode in ("bitcast", "reshape", "copy") and user.name not in seen:
                yield from self.through(c, user.name, (*seen, user.name))
            else:
                yield user, name

    def parameter_reads(self, c, parameter):
        reads = 0
        users = list(self.through(c, parameter.name))
        for user, name in users or [(parameter, None)]:
            if user.opcode in SLICES and user.operands[0] == name:
                reads += user.bytes
            elif user.opcode == "dynamic-update-slice" and user.operands[0] == name:
                reads += 0
            elif user.opcode == "scatter" and user.operands[0] == name:
                reads += c.bytes_of(user.operands[2])
            elif user.opcode == "fusion":
                inner = self.computations[user.called()[0]]
                index = user.operands.index(name)
                reads += self.parameter_reads(inner, parameter_at(inner, index))
            else:
                return parameter.bytes
        return min(reads, parameter.bytes)

    def written(self, c, instruction):
        while instruction.opcode in ("bitcast", "reshape", "convert", "copy") and instruction.operands:
            before = c.by_name.get(instruction.operands[0])
            if not before or before.opcode not in ("bitcast", "reshape", "dynamic-update-slice"):
                break
            instruction = before
        if instruction.opcode == "tuple":
            return sum(self.written(c, c.by_name[o]) for o in instruction.operands)
        if instruction.opcode == "dynamic-update-slice":
            return c.bytes_of(instruction.operands[1])
        return 0 if instruction.opcode == "parameter" else instruction.bytes

    def fusion(self, i):
        c = self.computations[i.called()[0]]
        reads = sum(self.parameter_reads(c, p) for p in c.instructions if p.opcode == "parameter")
        return reads + self.written(c, c.root)

    # ---- what runs

    def instruction(self, c, i, loops):
        if i.opcode in FREE or i.opcode.startswith(COLLECTIVES) or i.opcode.endswith("-done"):
            return 0
        if i.opcode == "while":
            trips = TRIPS.search(i.attributes)
            times = int(trips.group(1)) if trips and loops else 1
            return times * sum(self.computation(x, loops) for x in i.called())
        if i.opcode == "conditional":
            both = BRANCHES.search(i.attributes)
            names = re.findall(r"[\w.\-]+", " ".join(x for x in both.groups() if x))
            return max(self.computation(x, loops) for x in names)
        if i.opcode in ("call", "async-start"):
            return sum(self.computation(x, loops) for x in i.called())
        self.kernels += 1
        if i.opcode in ("fusion", "fusion-start"):
            return self.fusion(i)
        if i.opcode in SLICES:
            return 2 * i.bytes + sum(c.bytes_of(o) for o in i.operands[1:])
        if i.opcode == "dynamic-update-slice":
            return 2 * c.bytes_of(i.operands[1])
        if i.opcode == "scatter":
            return sum((3 if k > 1 else 1) * c.bytes_of(o) for k, o in enumerate(i.operands) if k)
        if i.opcode == "copy-start":
            return 2 * c.bytes_of(i.operands[0])
        return i.bytes - workspace(i) + sum(c.bytes_of(o) for o in i.operands)


def parameter_at(c, index):
    return next(
        i for i in c.instructions if i.opcode == "parameter" and i.inside.strip() == str(index)
    )


def workspace(i):
    """Bytes for a library's own use, the last result of its call."""
    last = re.search(r", [su]8\[\d+\]\{0\}\)$", i.shape)
    return shape_bytes(last.group(0)) if i.opcode == "custom-call" and last else 0


def traffic(text):
    """(bytes, bytes with one turn of each loop, kernels that are launched)"""
    counter = Counter(text)
    once = counter.computation(counter.entry, loops=False)
    counter.kernels = 0
    return counter.total(), once, counter.kernels
