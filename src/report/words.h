/* words.h - how report speaks of values, places and quantities. */
#ifndef TESS_REPORT_WORDS_H
#define TESS_REPORT_WORDS_H

#include "cost/cost.h"
#include "op/op.h"

/* Bytes over all devices may be more than 64 bits count. */
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

/* "1.5 GB", "312 B"; powers of 1000. */
void put_bytes(writer *w, double bytes);
void put_seconds(writer *w, double s); /* "1.25 ms" */
void put_count(writer *w, double n);   /* "4.3 G" */
/* "%12", "%12#1", "%arg3", as in the text where the text is known. */
void put_value(writer *w, const value *v);
/* " of @relu" of a value in the body of a function that is called, as it stands by itself or where it is
 * called: names of one function mean nothing in another. */
void put_function_around(writer *w, const value *v);
/* "helpers.py:4 < model.py:9", of the user's own files the line and who called what it is in: a constraint is
 * often made by a helper.  @return false if nothing was written. */
bool put_calling_line(writer *w, const attr *loc);
/* "f32[8,16]": dtype and dimensions. */
void put_type_short(writer *w, const type *t);
/* The type of a shard, and its bytes with padding; of the whole value if `s` is NULL. */
void put_shard_type(writer *w, const module *m, const type *t, const sharding *s);
int64_t shard_bytes(const module *m, const type *t, const sharding *s);
/* The mesh of a sharding; that of the program where there is no sharding, or one on an empty mesh.
 */
const mesh *mesh_under_sharding(const module *m, const sharding *s, const mesh *program);
/* P("data", None, ("data", "model")), JAX's PartitionSpec, without Nones at the end. */
void put_partition_spec(writer *w, const sharding *s);
/* "data=4 x model=2"; "device 3" for a mesh of one device without axes. */
void put_mesh_axes(writer *w, const mesh *m);
/* "meshes": every mesh of the list with its name, axes and devices. */
void json_mesh_list(json *j, const program_meshes *all);
/* "1 loop", "2 loops" */
void put_number_of(writer *w, int64_t n, const char *what);
/* What a tensor that is alive at the peak is there for: "argument". */
const char *live_role_word(int role);
/* "within a node", "between nodes"; of a machine whose fast links are a torus: a slice, slices. */
const char *link_words(const target *t, bool far);
/* What a step is bound by, a `bound`: "arithmetic", "memory traffic", "links within a node". */
const char *bound_word(const target *t, int bound);
/* The op's name without its dialect if that is StableHLO's. */
const char *op_short_name(const op *o);
/* With the dialect; of a collective that is a custom call, the target. */
const char *op_told_name(const op *o);

#endif
