#!/usr/bin/env python3
"""builders.py HEADER - calls each builder of tessera/ops.h with what an operation has: the types
of its results, its operands, its attributes.  Prints a function for each, and a table of them."""

import re
import sys

SCALARS = {
    "int64_t": "whole(i, {0})",
    "int32_t": "(int32_t)whole(i, {0})",
    "bool": "whole(i, {0}) != 0",
    "double": "tess_attr_get_float(attribute(i, {0}))",
    "const char *": "word(i, {0})",
    "const tess_attr *": "attribute(i, {0})",
    "const tess_sharding *": "placement(i, {0})",
    "const tess_mesh *": "tess_attr_get_mesh(attribute(i, {0}))",
}
LISTS = {"tess_value *": "operands", "const tess_type *": "types"}


def parameters(text):
    for part in text.split(","):
        kind, name = re.match(r"(.*?)(\w+)$", " ".join(part.split())).groups()
        yield kind.strip(), name


def groups(params, kind):
    """The operands or results among the parameters: whether each is a list."""
    many = kind + "const *"
    return [(name, k == many) for k, name in params if k in (kind, many)]


def argument(params, kind, name):
    for element, member in LISTS.items():
        of_kind = groups(params, element)
        if (name, True) in of_kind or (name, False) in of_kind:
            names = [n for n, _ in of_kind]
            before = of_kind[: names.index(name)]
            lists = sum(m for _, m in of_kind)
            place = f"place(i->n_{member}, {len(of_kind) - lists}, {lists}, " \
                    f"{sum(not m for _, m in before)}, {sum(m for _, m in before)})"
            return f"i->{member} + {place}" if kind.endswith("const *") else f"i->{member}[{place}]"
        if kind == "size_t" and (name[2:], True) in of_kind:
            lists = sum(m for _, m in of_kind)
            return f"(i->n_{member} - {len(of_kind) - lists}) / {lists}"
    if kind == "const int64_t *":
        return f'numbers(i, "{name}")'
    if kind == "size_t":
        listed = ("const int64_t *", name[2:]) in params
        return f'count(i, "{name[2:]}")' if listed else "tess_op_region_count(i->op)"
    return SCALARS[kind].format(f'"{name}"')


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        header = file.read()
    table = []
    pattern = r"/\*\* (\S+?);?(?:\s[^/]*?)?\*/\s*TESS_API (\w+) \*(\w+)\(([^;]*)\);"
    for match in re.finditer(pattern, header, re.S):
        op, result, name, text = match.groups()
        params = list(parameters(text))[1:]
        call = f"{name}({', '.join(['b'] + [argument(params, k, n) for k, n in params])})"
        made = call if result == "tess_op" else f"owner({call})"
        print(f"static tess_op *make_{name}(tess_builder *b, instance *i)\n{{")
        print(f"\t(void)i;\n\treturn {made};\n}}")
        table.append(f'\t{{"{op}", make_{name}, 0}},')
    print("static builder_row builder_rows[] = {\n" + "\n".join(table) + "\n};")


main()
