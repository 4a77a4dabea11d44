/* shard.c - what one device holds of a value. */
#include "report/words.h"

/* The mesh that a sharding cuts a tensor of type `t` by; NULL: it does not. */
static const mesh *cutting_mesh(const module *m, const type *t, const sharding *s)
{
	return s && type_is_tensor(t) && s->rank == t->rank ? sharding_mesh(m, s) : NULL;
}

int64_t shard_bytes(const module *m, const type *t, const sharding *s)
{
	const mesh *me = cutting_mesh(m, t, s);
	int64_t bytes = max_i64(type_bytes(t), 0);
	if (!me || !bytes)
		return bytes;
	int64_t n = bytes / t->n_elems;
	for (int d = 0; d < t->rank; d++)
		n *= ceil_div(t->dims[d], sharding_dim_shards(s, d, me));
	return n;
}

void put_shard_type(writer *w, const module *m, const type *t, const sharding *s)
{
	const mesh *me = cutting_mesh(m, t, s);
	if (!me || !t->is_static || t->kind != TY_TENSOR) {
		put_type_short(w, t);
		return;
	}
	put_f(w, "%s[", t->dtype ? dtype_mlir(t->dtype) : "tensor");
	for (int d = 0; d < t->rank; d++)
		put_f(w, d ? ",%" PRId64 : "%" PRId64,
		      ceil_div(t->dims[d], sharding_dim_shards(s, d, me)));
	put_c(w, ']');
}
