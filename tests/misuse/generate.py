#!/usr/bin/env python3
"""generate.py HEADER... - calls each function of these headers wrongly, as the cases of misuse.c.

Each argument in turn is what it must not be (NULL, freed, of another context, a list of NULL, a
negative number, no value of its enum) while the others are right.  What is declared later is
covered without another line here: a type that VALID does not know is an error.
"""

import re, sys

# ---- what is right, by type or by function and parameter -------------------------------

VALID = {
    "tess_ctx *": "s->ctx",
    "const tess_mesh *": "s->mesh",
    "const tess_array_type *": "s->type",
    "const tess_array_type *const *": "s->types",
    "tess_params *": "s->attrs",
    "tess_array *": "s->array",
    "tess_array *const *": "s->arrays",
    "tess_array **": "s->array_out",
    "tess_fn *": "s->fn",
    "const tess_array_type **": "s->type_out",
    "tess_fn_body *": "misuse_body",
    "tess_array_fill *": "misuse_fill",
    "void *const *": "s->env",
    "void *": "NULL",
    "tess_spmd_tensor *": "s->tensor",
    "tess_spmd_tensor *const *": "s->tensors",
    "tess_spmd_tensor **": "s->tensor_out",
    "tess_spmd_shard *": "&s->shard",
    "tess_tensor *": "&s->plain",
    "struct DLManagedTensorVersioned *": "s->dlpack",
    "const void *const *": "s->shards",
    "const void *": "s->data",
    "const int64_t *": "s->dims",
    "const char *const *": "s->names",
    "tess_str": 'STR("f32[8@X,4]")',
    "const size_t *": "s->sizes",
    "tess_dtype": "TESS_F32",
    "tess_comm": "TESS_COMM_ALLOW",
    "tess_array_type_form": "TESS_ARRAY_TYPE_FORM_SHORT",
    "tess_spmd_form": "TESS_SPMD_FORM_V1",
    "bool": "false",
    "double": "1.0",
    "int": "1",
    "int64_t": "1",
    "size_t": "2",
}
VALID_HERE = {
    ("tess_params_new", "ctx"): "s->ctx",
    ("tess_array_infer", "op"): '"lax.sin"',
    ("tess_apply", "op"): '"lax.sin"',
    ("tess_apply1", "op"): '"lax.sin"',
    ("tess_apply_body", "what"): '"vmap"',
    ("*", "key"): '"axis"',
    ("*", "spec"): '"X, _"',
    ("tess_spmd_tensor_mark", "spec"): '"x, None"',
    ("tess_spmd_tensor_mark", "m"): "s->spmd",
    ("tess_params_text", "v"): '"a"',
    ("tess_params_spec", "v"): '"X, _"',
    ("tess_params_specs", "v"): "s->specs",
    ("tess_params_mesh", "v"): "s->mesh",
    ("*", "rank"): "2",
    ("*", "n_names"): "2",
    ("*", "ids"): "s->ids",
    ("*", "n_ids"): "8",
    ("*", "n_in"): "1",
    ("*", "n_bodies"): "1",
    ("*", "cap"): "1",
    ("tess_spmd_mesh_hybrid", "inner"): "s->axes",
    ("tess_spmd_mesh_hybrid", "outer"): "s->ones",
    ("tess_array_from_shards", "n"): "8",
    ("tess_spmd_tensor_load_shards", "n"): "8",
    ("tess_spmd_tensor_read_shard", "bytes"): "32",
    ("tess_spmd_tensor_read_shard", "data"): "s->data",
    (
        "tess_spmd_mesh_parse",
        "text",
    ): "STR(\"{'device_ids': [0, 1], 'mesh_shape': (2,), 'axis_names': None}\")",
    ("tess_array_type_dim", "dim"): "0",
    ("tess_fn_result_type", "i"): "0",
    ("tess_apply1", "n"): "1",
    ("tess_spmd_tensor_new", "t"): "TESS_F32",
    ("tess_array_from_tensor", "t"): "&s->plain",
    ("tess_apply1", "params"): "tess_params_new(s->ctx)",
    ("tess_apply1", "operand"): "s->array",
}
# What the headers allow.
MAY_BE_NULL = {
    ("tess_array_set_mesh", "mesh"),
    ("tess_array_type_make", "spec"),
    ("tess_array_type_parse", "mesh"),
    ("*", "env"),
    ("*", "params"),
    ("tess_array_from_tensor", "spec"),
    ("tess_array_from_dlpack", "spec"),
    ("*", "names"),
    ("*", "ids"),
    ("tess_spmd_tensor_new", "data"),
    ("tess_params_mesh", "v"),
    ("tess_spmd_tensor_mark", "m"),
}
HANDLES = {
    "tess_params *": "attrs",
    "tess_array *": "array",
    "tess_fn *": "fn",
    "tess_spmd_tensor *": "tensor",
}
FOREIGN = dict(HANDLES, **{"const tess_mesh *": "mesh", "const tess_array_type *": "type"})
LISTS = {
    "const tess_array_type *const *": "types",
    "tess_array *const *": "arrays",
    "tess_spmd_tensor *const *": "tensors",
    "const void *const *": "shards",
    "const char *const *": "names",
}
ENUMS = ("tess_dtype", "tess_comm")


def looked_up(table, function, parameter, otherwise=None):
    return table.get((function, parameter), table.get(("*", parameter), otherwise))


def allowed(function, parameter):
    return (
        (function, parameter) in MAY_BE_NULL
        or ("*", parameter) in MAY_BE_NULL
        and (function, parameter) != ("tess_apply_body", "env")
    )


def declarations(path):
    """Name, type of the result, whether that is given away, and of each parameter the type, the
    name, and whether the function takes it."""
    text = re.sub(r"/\*.*?\*/", "", open(path).read(), flags=re.S)
    for found in re.finditer(r"TESS_API\s+([^;]*?)(\w+)\(([^;]*)\);", text):
        result = " ".join(found[1].replace("TESS_GIVE", "").split())
        parameters = []
        for p in found[3].split(","):
            taken = "TESS_TAKE" in p
            p = " ".join(p.replace("TESS_TAKE", "").split())
            if p == "...":
                p = "tess_array *operand"
            if p != "void":
                type, name = re.match(r"(.*?)(\w+)$", p).groups()
                parameters.append((plain(type), name, taken))
        given = "TESS_GIVE" in found[1] or found[2] in ("tess_apply1", "tess_array_to_dlpack")
        yield found[2], result, given, parameters


def plain(type):
    """Without const where a handle is only looked at."""
    type = type.strip()
    bare = type.removeprefix("const ")
    return (
        bare
        if bare in HANDLES or bare in ("tess_ctx *", "tess_tensor *", "struct DLManagedTensorVersioned *")
        else type
    )


def wrong_values(function, type, name, others):
    """What to pass instead, and what it is called; all of it must be refused."""
    if type.endswith("*") and not allowed(function, name):
        yield "NULL", "NULL"
    if type in HANDLES:
        yield f"s->freed_{HANDLES[type]}", "freed"
    if type in FOREIGN and any(o in FOREIGN or o == "tess_ctx *" for o in others):
        yield f"s->other->{FOREIGN[type]}", "of another context"
    if type in LISTS and not allowed(function, name):
        yield f"s->no_{LISTS[type]}", "a list of NULL"
    if LISTS.get(type) in ("types", "arrays", "tensors"):
        yield f"s->other->{LISTS[type]}", "of another context"
    if LISTS.get(type) in ("arrays", "tensors"):
        yield f"s->freed_{LISTS[type]}", "freed"
    if type in ("int", "int64_t") and name != "v":
        yield "-1", "negative"
    if type == "size_t" and name != "cap":
        yield "SIZE_MAX", "more than there can be"
    if type in ENUMS:
        yield f"({type})99", "no value of its enum"


KINDS = {
    "int": "NUMBER",
    "int64_t": "NUMBER",
    "size_t": "NUMBER",
    "tess_status": "STATUS",
    "tess_str": "TEXT",
    "bool": "BOOL",
    "const char *": "STRING",
}


def kind_of(result):
    return KINDS.get(result) or ("POINTER" if result.endswith("*") else "NOTHING")


def cases(function, result, given, parameters):
    """What is called right must succeed: else the others would prove nothing."""
    right = []
    for type, name, _ in parameters:
        value = looked_up(VALID_HERE, function, name) or VALID.get(type)
        if value is None:
            sys.exit(f"{function}: nothing is known of {name}, a {type}")
        right.append(value)
    freeing = function.endswith("_free")
    if not freeing:
        given = given or function == "tess_apply1"  # outside of traces its result is the caller's
        check = f"RIGHT_{result.split()[-2].upper()}" if given else f"RIGHT_{kind_of(result)}"
        yield "is right", check, right, ""
    for k, (type, name, taken) in enumerate(parameters):
        others = [p[0] for i, p in enumerate(parameters) if i != k]
        for value, what in wrong_values(function, type, name, others):
            yield (
                f"{name} is {what}",
                f"WRONG_{'NOTHING' if freeing else kind_of(result)}",
                right[:k] + [value] + right[k + 1 :],
                f" {value} = NULL;" if taken and value.startswith("s->other->") else "",
            )


def main():
    print("/* Made by tests/misuse/generate.py. */")
    names, bodies = [], []
    for path in sys.argv[1:]:
        for function, *rest in declarations(path):
            # What a call takes, even if it is refused, is not the scene's any more: see `after`.
            for what, check, values, after in cases(function, *rest):
                bodies.append(
                    f"\tcase {len(names)}: {check}({function}({', '.join(values)}));{after} break;"
                )
                names.append(f"{function}: {what}")
    print("static const char *const misuse_names[] = {")
    print("\n".join(f'\t"{n}",' for n in names))
    print(
        "};\n\nstatic bool misuse_call(scene *s, int which)\n{\n\tbool fine = false;\n\tswitch (which) {"
    )
    print("\n".join(bodies))
    print("\t}\n\treturn fine;\n}")


main()
