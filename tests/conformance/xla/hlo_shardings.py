#!/usr/bin/env python3
"""Checks random HloShardings against jaxlib's answers, with the program that checks recorded cases.

    PYTHON-WITH-JAX tests/conformance/xla/hlo_shardings.py [--cases build/tests/hlo_cases] [--count N]

V1, V2 and named shardings, with subgroups, sub-axes, device ids, metadata and shard groups, and
tuples of them.  Each is read in a child process, because jaxlib may crash on it.  tessera must give what
jaxlib gives: the printed text, the V2 form of a named sharding, the devices and the kinds.  Prints what
differs, and 'N passed, N failed'.  One kind is left out, because jaxlib prints it in a way that it reads
back as something else: subgroups of size 1 beside one that is unreduced.
"""

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile

from jaxlib import _hlo

TYPES = ("manual", "replicated", "unreduced")
KINDS = ("is_replicated", "is_manual", "is_unknown", "is_unreduced", "is_tiled")
SIMPLE = ("{replicated}", "{manual}", "{unknown}", "{unreduced}", "{maximal device=3}",
          "{replicated shard_as 3}", "{maximal_mesh[device_id=3]}")  # fmt: skip
METADATA = ('metadata={op_name="a\\"b"}', 'metadata={op_type="t" source_line=3}', "metadata={}")


class Shardings:
    def __init__(self, seed):
        self.random = random.Random(seed)

    def factors(self, n):
        found = []
        for p in (2, 3, 5):
            while n % p == 0:
                found.append(p)
                n //= p
        self.random.shuffle(found)
        return found or [1]

    def iota(self, n):
        """[2,4]T(1,0), of some factors of n."""
        dims = self.factors(n)
        order = self.random.sample(range(len(dims)), len(dims))
        turned = f"T({','.join(map(str, order))})" if len(dims) > 1 else ""
        return f"[{','.join(map(str, dims))}]{turned}"

    def metadata(self, before):
        return before + self.random.choice(METADATA) if self.random.random() < 0.2 else ""

    def tiled(self):
        pick = self.random
        n, subgroups = pick.choice((2, 3, 4, 6, 8, 12, 16, 24, 30, 32)), pick.choice((0, 0, 1, 2, 3))
        tiles = [1] * (pick.randrange(4) + subgroups or 1)
        for f in self.factors(n):
            tiles[pick.randrange(len(tiles))] *= f
        devices = "<=" + self.iota(n)
        if pick.random() < 0.5:
            devices = ",".join(map(str, pick.sample(range(n), n)))
        types = [pick.choice(TYPES) for _ in range(subgroups)]
        if "unreduced" in types and 1 in tiles[len(tiles) - subgroups :]:
            types = ["replicated"] * subgroups
        last = f" last_tile_dims={{{', '.join(types)}}}" if types else ""
        group = pick.choice(("", "", "", " shard_as 3", " shard_like 0"))
        return f"{{devices=[{','.join(map(str, tiles))}]{devices}{last}{group}{self.metadata(' ')}}}"

    def parts(self, axes):
        """The axes, some of them cut in two."""
        for name, size in axes:
            if size in (4, 6, 8) and self.random.random() < 0.5:
                yield f"'{name}':(1)2"
                yield f"'{name}':(2){size // 2}"
            else:
                yield f"'{name}'"

    def named(self):
        pick = self.random
        names = pick.sample(("x", "y", "z", "data", "a_b", "m.1"), pick.randrange(1, 5))
        axes = [(name, pick.choice((2, 2, 3, 4, 6, 8))) for name in names]
        n = 1
        for _, size in axes:
            n *= size
        mesh = f"mesh[{','.join(f'{chr(39)}{a}{chr(39)}={size}' for a, size in axes)}]"
        if pick.random() < 0.2 and len(self.factors(n)) > 1:
            mesh += f", device_ids=({self.iota(n)})"
        dims = [[] for _ in range(pick.randrange(4))]
        used = {"unreduced": [], "manual": []}
        places = [d for d in dims] * 2 + list(used.values())
        for part in self.parts(axes):
            if pick.random() < 0.8:
                pick.choice(places).append(part)
        if used["unreduced"] and used["manual"] and not dims:
            used["manual"] = []
        for key in used:
            used[key].sort(key=lambda part: names.index(part.split("'")[1]))
        texts = [", ".join(d + ["?"] * (pick.random() < 0.2)) for d in dims]
        more = "".join(f", {k}={{{', '.join(v)}}}" for k, v in used.items() if v)
        inner = ", ".join(f"{{{text}}}" for text in texts)
        return f"{{{mesh}, [{inner}]{more}{self.metadata(', ')}}}"

    def any(self):
        kind = self.random.choices((self.tiled, self.named), (1, 1))[0]
        return self.random.choice(SIMPLE) if self.random.random() < 0.05 else kind()

    def make(self):
        if self.random.random() < 0.1:
            return f"{{{', '.join(self.any() for _ in range(self.random.randrange(1, 7)))}}}"
        return self.any()


def answer(text):
    try:
        s = _hlo.HloSharding.from_string(text)
    except Exception as e:
        return {"error": str(e)}
    named = "mesh[" in str(s)
    ok = {"print": str(s), "v2": str(s.v3_to_v2_sharding() if named else s)}
    if not text.startswith("{{"):
        flat = s.v3_to_v2_sharding() if named else s
        ok.update((k, getattr(flat, k)()) for k in KINDS)
    if not named and ok.get("is_tiled"):
        ok["num_devices"] = s.num_devices()
        ok["tile_assignment_devices"] = [int(d) for d in s.tile_assignment_devices()]
        ok["tile_assignment_dimensions"] = [int(d) for d in s.tile_assignment_dimensions()]
    return {"ok": ok}


def answers(texts):
    """In a child; after one that it dies of, the others in another."""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(read)
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
        with os.fdopen(write, "w") as f:
            for text in texts:
                f.write(json.dumps(answer(text)) + "\n")
                f.flush()
        os._exit(0)
    os.close(write)
    with os.fdopen(read) as f:
        out = [json.loads(line) for line in f]
    _, status = os.waitpid(child, 0)
    if len(out) < len(texts):
        out.append({"crash": os.WTERMSIG(status)})
        out += answers(texts[len(out) :]) if len(out) < len(texts) else []
    return out


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--cases", default="build/tests/hlo_cases")
    p.add_argument("--count", type=int, default=3000)
    p.add_argument("--seed", type=int, default=1)
    args = p.parse_args()
    make = Shardings(args.seed).make
    texts = [make() for _ in range(args.count)]
    with tempfile.NamedTemporaryFile("w", suffix=".jsonl") as f:
        for at in range(0, len(texts), 100):
            some = texts[at : at + 100]
            for i, (text, said) in enumerate(zip(some, answers(some))):
                case = {"id": f"{at + i}", "kind": "sharding_parse", "input": text, **said}
                if "ok" in said:
                    f.write(json.dumps(case) + "\n")
        f.flush()
        sys.exit(subprocess.run([args.cases, f.name]).returncode)


if __name__ == "__main__":
    main()
