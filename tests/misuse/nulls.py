#!/usr/bin/env python3
"""nulls.py FOLDER - a C program that calls every function of the headers in it with NULL in the place
of each pointer, and zeros.  None may crash, and each must answer as core.h says: a status that is not
TESS_OK, NULL, 0, false or -1.  A function that is declared later is called without a line here.

Then each is called with a context, and NULL for all else: what wants more must refuse that, too.
"""

import importlib.machinery
import importlib.util
import os
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))

# What does something, or has an answer, without what a pointer would say.
ANSWERS = {
    "tess_version": "text",
    "tess_features": "text",
    "tess_dtype_hlo": "text",  # "?"
    "tess_dtype_mlir": "text",
    "tess_dtype_numpy": "text",
    "tess_memory_space_name": "text",
    "tess_tolerance_of": "struct",
    "tess_ctx_new": "tess_ctx_free",
    "tess_pool_new": "tess_pool_free",
    "tess_plans_new": "tess_plans_free",
    "tess_buffer_new": "tess_buffer_free",
    "tess_buffer_wrap": "tess_buffer_free",
    "tess_ranks_close": "any",  # nothing to release
    "tess_sharding_shards": "any",  # no sharding: the whole tensor on every device
    "tess_sharding_local_shape": "any",
    "tess_sharding_same_placement": "any",
    "tess_shape_kind_of": "any",  # TESS_SHAPE_OPAQUE
    "tess_hlo_sharding_kind_of": "any",  # TESS_HLO_SHARDING_UNKNOWN
    "tess_layout_tail": "any",  # 1: none
    "tess_shape_same": "any",  # nothing is the same as nothing
    "tess_hlo_opcode_attr": "text",  # of every opcode
}
# With a context alone.
ENOUGH = {
    "tess_ctx_on_reading": "any",
    "tess_array_set_mesh": "any",
    "tess_array_set_device_count": "any",
    "tess_array_set_comm": "any",
    "tess_params_new": "tess_params_free",
    "tess_module_new": "tess_module_free",
    "tess_module_parse": "tess_module_free",  # of no text: a module of no operations
    "tess_diag_render": "tess_text_free",
    "tess_mesh_make": "any",  # no axes: the empty mesh
    "tess_type_tuple": "any",
    "tess_type_function": "any",
    "tess_attr_bool": "any",
    "tess_attr_string": "any",
    "tess_attr_array": "any",
    "tess_attr_dict": "any",
    "tess_attr_numbers": "any",
    "tess_attr_location": "any",
    "tess_shape_tuple": "any",
    "tess_layout_dense": "any",  # of rank 0
    "tess_npz_write": "any",
}


def headers(folder):
    path = os.path.join(HERE, "..", "..", "tools", "prototypes")
    loader = importlib.machinery.SourceFileLoader("prototypes", path)
    spec = importlib.util.spec_from_loader("prototypes", loader)
    module = importlib.util.module_from_spec(spec)
    sys.dont_write_bytecode = True
    loader.exec_module(module)
    return module.in_order(folder)


def functions(text):
    text = re.sub(r"/\*.*?\*/", " ", text, flags=re.S)
    for found in re.finditer(r"TESS_API ([^;(]*?)(tess_\w+)\(([^;]*)\);", text):
        result = " ".join(found[1].replace("TESS_GIVE", "").split())
        parameters = re.sub(r"\([^()]*\)\s*\([^()]*\)", "(*f)", found[3])
        types = [" ".join(p.replace("TESS_TAKE", "").split()) for p in parameters.split(",")]
        yield result, found[2], [t for t in types if t not in ("void", "...")]


def zero(parameter):
    if "*" in parameter:
        return "NULL"
    kind = re.sub(r"\w+$", "", parameter).strip()
    return f"({kind}){{0}}"


def check(result, call, answer):
    if answer == "any" or result == "void":
        return f"{call}; fine = true;"
    if answer == "text":
        return f"fine = {call} != NULL;"
    if answer == "struct":
        return f"{call}; fine = true;"
    if answer:
        return f"{{ void *made = {call}; fine = made != NULL; {answer}(made); }}"
    if result == "tess_status":
        return f"fine = {call} != TESS_OK;"
    if result == "tess_str":
        return f"fine = {call}.len == 0;"
    if result.endswith("*"):
        return f"fine = {call} == NULL;"
    if result == "tess_tensor":
        return f"fine = {call}.data == NULL;"
    if result == "double":
        return f"{{ double d = {call}; fine = d == 0 || d != d; }}"
    return f"fine = (long long){call} <= 0;"


def main():
    texts = headers(sys.argv[1])
    print("/* Made by tests/misuse/nulls.py. */\n#include <stdio.h>")
    for path in texts:
        print(f"#include <tessera/{os.path.basename(path)}>")
    print("\nint main(void)\n{\n\tbool fine;\n\tint n = 0, failed = 0;")
    print("\ttess_ctx *ctx = tess_ctx_new(NULL);")
    for text in texts.values():
        for result, name, parameters in functions(text):
            ways = [("NULL", [zero(p) for p in parameters], ANSWERS.get(name))]
            if parameters and parameters[0].startswith("tess_ctx *") and not name.startswith("tess_ctx_free"):
                alone = ENOUGH.get(name)
                ways.append(("a context alone", ["ctx"] + ways[0][1][1:], alone))
            for what, arguments, answer in ways:
                call = f"{name}({', '.join(arguments)})"
                print(f"\t{check(result, call, answer)}")
                print(f'\tn++;\n\tif (!fine && ++failed)\n\t\tputs("{name}: {what}");')
    print("\ttess_ctx_free(ctx);")
    print('\tprintf("%d calls, %d failed\\n", n, failed);\n\treturn failed != 0;\n}')


main()
