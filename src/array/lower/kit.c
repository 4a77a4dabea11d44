/* kit.c - names, types and shardings in lowered text. */
#include "array/lower/lower.h"

static void put_tensor_dims(lowering *l, dtype t, const int64_t *dims, int rank)
{
	put_lit(l->w, "tensor<");
	for (int d = 0; d < rank; d++)
		put_f(l->w, "%" PRId64 "x", dims[d]);
	put_f(l->w, "%s>", dtype_mlir(t));
}

void put_tensor(lowering *l, const atype *t) { put_tensor_dims(l, t->dtype, t->dim, t->rank); }

int lower_name(lowering *l) { return l->next++; }

int lower_of(lowering *l, const avalue *v)
{
	return (int)(intptr_t)ptr_map_get(&l->names, v) - 1;
}

void lower_set(lowering *l, const avalue *v, int id)
{
	*ptr_map_at(&l->names, &l->ctx->scratch, v) = (void *)(intptr_t)(id + 1);
}

static bool meshes_alike(const amesh *a, const amesh *b)
{
	bool same = a->n == b->n && amesh_placed_alike(a, b);
	for (int i = 0; same && i < a->n; i++)
		same = a->axis[i] == b->axis[i] && a->size[i] == b->size[i];
	return same;
}

/* Returns the number of the mesh in the module. */
int lower_mesh(lowering *l, const amesh *m)
{
	for (int i = 0; i < l->meshes.len; i++)
		if (meshes_alike(l->meshes.ptr[i], m))
			return i;
	vec_push(&l->ctx->scratch, &l->meshes, m);
	return l->meshes.len - 1;
}

const char *lower_mesh_name(lowering *l, const amesh *m)
{
	int n = lower_mesh(l, m);
	return l->first && n == 0 ? "mesh" : arena_printf(&l->ctx->scratch, "mesh%d", n);
}

void put_axis_braces(lowering *l, const amesh *m, axis_seq list, bool open)
{
	int n = axis_seq_len(list);
	put_c(l->w, '{');
	for (int i = 0; i < n; i++)
		put_f(l->w, "%s\"%s\"", i ? ", " : "", m->axis[axis_seq_at(list, i)]->s);
	put_z(l->w, open ? n ? ", ?}" : "?}" : "}");
}

axis_seq axis_seq_of_set(const amesh *m, axis_set s)
{
	axis_seq list = 0;
	for (int i = 0; i < m->n; i++)
		if (s >> i & 1)
			list = axis_seq_add(list, i);
	return list;
}

void put_spec_sharding(lowering *l, const amesh *m, const axis_seq *dim, int rank, bool open,
                       axis_set replicated, axis_set unreduced)
{
	put_f(l->w, "<@%s, [", lower_mesh_name(l, m));
	for (int d = 0; d < rank; d++) {
		put_z(l->w, d ? ", " : "");
		put_axis_braces(l, m, dim[d], open);
	}
	put_c(l->w, ']');
	if (replicated) {
		put_lit(l->w, ", replicated=");
		put_axis_braces(l, m, axis_seq_of_set(m, replicated), false);
	}
	if (unreduced) {
		put_lit(l->w, ", unreduced=");
		put_axis_braces(l, m, axis_seq_of_set(m, unreduced), false);
	}
	put_c(l->w, '>');
}

/* Writes " : (operand types) -> " and the result types, in parentheses if there are several. */
void lower_types_of(lowering *l, const atype *const *in, int n_in, const atype *const *out,
                    int n_out)
{
	put_lit(l->w, " : (");
	for (int i = 0; i < n_in; i++) {
		put_z(l->w, i ? ", " : "");
		put_tensor(l, in[i]);
	}
	put_z(l->w, n_out == 1 ? ") -> " : ") -> (");
	for (int i = 0; i < n_out; i++) {
		put_z(l->w, i ? ", " : "");
		put_tensor(l, out[i]);
	}
	put_z(l->w, n_out == 1 ? "\n" : ")\n");
}

void lower_node_types(lowering *l, const anode *n)
{
	const atype **in = NEW_N(&l->ctx->scratch, const atype *, n->n_in + 1);
	const atype **out = NEW_N(&l->ctx->scratch, const atype *, n->n_out + 1);
	for (int i = 0; i < n->n_in; i++)
		in[i] = n->in[i]->type;
	for (int i = 0; i < n->n_out; i++)
		out[i] = n->out[i]->type;
	lower_types_of(l, in, n->n_in, out, n->n_out);
}

void lower_i64_array(lowering *l, const char *key, const int64_t *v, int n)
{
	put_f(l->w, "%s = array<i64", key);
	for (int i = 0; i < n; i++)
		put_f(l->w, "%s%" PRId64, i ? ", " : ": ", v[i]);
	put_c(l->w, '>');
}

void lower_operands(lowering *l, const anode *n)
{
	for (int i = 0; i < n->n_in; i++)
		put_f(l->w, "%s%%%d", i ? ", " : "", lower_of(l, n->in[i]));
}
