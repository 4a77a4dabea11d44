/* words.h - how reports write values, places and quantities. */
#ifndef TESS_REPORT_WORDS_H
#define TESS_REPORT_WORDS_H

#include "cost/cost.h"
#include "op/op.h"

/* Saturating arithmetic: bytes over all devices may exceed 64 bits. */
static inline int64_t mul_capped(int64_t a, int64_t b)
{
	int64_t product;
	return mul_ok(a, b, &product) ? product : INT64_MAX;
}

static inline int64_t add_capped(int64_t a, int64_t b)
{
	int64_t sum;
	return add_ok(a, b, &sum) ? sum : INT64_MAX;
}

/* Writes "%12", "%12#1" or "%arg3", as in the program text if that is known. */
void put_value(writer *w, const value *v);
/* Writes " of @relu" for a value in the body of a called function, whether it was inlined or not:
 * names are per function. */
void put_function_around(writer *w, const value *v);
/* Writes "helpers.py:4 < model.py:9": the line in the user's own files, and its caller, since a
 * constraint is often made by a helper. @return false if nothing was written */
bool put_calling_line(writer *w, const attr *loc);
/* Writes "f32[8,16]": dtype and dimensions. */
void put_type_short(writer *w, const type *t);
/* The same of a tensor as JAX writes it: "u8[8,16]", "bool[8,16]", "f8_e4m3fn[8,16]". */
void put_type_jax(writer *w, const type *t);
/* The type of a shard, and its bytes with padding; of the whole value if `s` is NULL. */
void put_shard_type(writer *w, const module *m, const type *t, const sharding *s);
int64_t shard_bytes(const module *m, const type *t, const sharding *s);
/* Returns the mesh of a sharding; the program's if there is no sharding, or if its mesh is
 * empty. */
const mesh *mesh_under_sharding(const module *m, const sharding *s, const mesh *program);
/* Writes JAX's PartitionSpec, P("data", None, ("data", "model")), without trailing Nones. A part of an
 * axis, which JAX cannot name, is written as "data":(1)2. */
void put_partition_spec(writer *w, const sharding *s);
/* The same for a constraint, which may leave dimensions open: P(P.UNCONSTRAINED, "data"). */
void put_constraint_spec(writer *w, const sharding *s);
/* Writes "data=4 x model=2"; "device 3" for a mesh of one device without axes. */
void put_mesh_axes(writer *w, const mesh *m);
/* Writes "meshes": every mesh of the list with its name, axes and devices. */
void json_mesh_list(json *j, const program_meshes *all);
/* Writes "1 loop", "2 loops". */
void put_number_of(writer *w, int64_t n, const char *what);
/* Returns the role of a tensor that is alive at the peak, such as "argument". */
const char *live_role_word(int role);
/* Returns "within a node" or "between nodes"; for machines whose fast links are a torus, "slice"
 * instead of "node". */
const char *link_words(const target *t, bool far);
/* Returns what a step is bound by: "arithmetic", "memory traffic", "links within a node". */
const char *bound_word(const target *t, int bound);
/* Returns the op's name, without the dialect if that is StableHLO. */
const char *op_short_name(const op *o);
/* Returns the op's name with its dialect; for a collective that is a custom call, the target. */
const char *op_told_name(const op *o);

#endif
