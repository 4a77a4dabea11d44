/* comm.c - lowers collectives in a shard_map: along axes of the mesh, between devices whose other
 * coordinates are equal. */
#include "array/lower/lower.h"
#include "array/typed/typed.h"

/* Returns the axes in the attribute, major to minor, in mesh order. */
static axis_seq comm_axes(const anode *n)
{
	return axis_seq_of_set(n->mesh, amesh_axes_named(n->mesh, param_text(n->attrs, "axes"),
	                                                 ~(axis_set)0, NULL));
}

/* True if a collective works along devices; those that name a vmap were expanded with it. */
static bool along_devices(lowering *l, const anode *n)
{
	tess_str wrong;
	amesh_axes_named(n->mesh, param_text(n->attrs, "axes"), ~(axis_set)0, &wrong);
	return !wrong.ptr || diag_error(l->ctx, NOWHERE, E_ARRAY_AXIS,
	                                "%s along %.*s, a name of a vmap that is not written out",
	                                n->op->name, STR_ARG(wrong));
}

/* Returns the distance of neighbors along an axis in the row-major order of devices. */
static int64_t axis_stride(const amesh *m, int axis)
{
	int64_t s = 1;
	for (int a = axis + 1; a < m->n; a++)
		s *= m->size[a];
	return s;
}

/* Returns the distance of the k-th member of a group from the first. */
static int64_t member_offset(const amesh *m, axis_seq axes, int64_t k)
{
	int64_t at = 0;
	for (int i = axis_seq_len(axes) - 1; i >= 0; i--) {
		int a = axis_seq_at(axes, i);
		at += k % m->size[a] * axis_stride(m, a);
		k /= m->size[a];
	}
	return at;
}

/* Returns the device at a position in the mesh. */
static int64_t device_at(const amesh *m, int64_t place) { return m->ids ? m->ids[place] : place; }

static bool is_group_first(const amesh *m, axis_seq axes, int64_t device)
{
	for (int i = 0; i < axis_seq_len(axes); i++) {
		int a = axis_seq_at(axes, i);
		if (device / axis_stride(m, a) % m->size[a])
			return false;
	}
	return true;
}

/* Writes dense<[[0, 2], [1, 3]]> : tensor<2x2xi64>. */
static void put_groups(lowering *l, const amesh *m, axis_seq axes)
{
	int64_t size = axis_seq_size(m, axes), devices = amesh_devices(m);
	bool first = true;
	put_lit(l->w, "replica_groups = dense<[");
	for (int64_t d = 0; d < devices; d++) {
		if (!is_group_first(m, axes, d))
			continue;
		put_z(l->w, first ? "[" : ", [");
		for (int64_t k = 0; k < size; k++)
			put_f(l->w, "%s%" PRId64, k ? ", " : "",
			      device_at(m, d + member_offset(m, axes, k)));
		put_c(l->w, ']');
		first = false;
	}
	put_f(l->w, "]> : tensor<%" PRId64 "x%" PRId64 "xi64>", devices / size, size);
}

static void put_channel(lowering *l)
{
	put_f(l->w, "channel_handle = #stablehlo.channel_handle<handle = %d, type = 1>",
	      lower_name(l));
}

/* Starts "%7 = "stablehlo.word"(%3) <{". */
static int begin_collective(lowering *l, const anode *n, const char *word, int from)
{
	int id = lower_name(l);
	put_f(l->w, "  %%%d = \"stablehlo.%s\"(%%%d) <{", id, word, from);
	put_channel(l);
	put_lit(l->w, ", ");
	put_groups(l, n->mesh, comm_axes(n));
	return id;
}

/* psum, pmax, pmin, pmean; without axes, the value itself. */
static bool lower_all_reduce(lowering *l, const anode *n)
{
	const atype *t = n->out[0]->type;
	int64_t size = axis_seq_size(n->mesh, comm_axes(n));
	int id = lower_of(l, n->in[0]);
	if (!along_devices(l, n))
		return false;
	if (comm_axes(n)) {
		id = begin_collective(l, n, "all_reduce", id);
		put_lit(l->w, ", use_global_device_ids}>");
		lower_combiner(l, l->row->text, t->dtype);
		lower_signature(l, t, t);
	}
	if (strcmp(n->op->name, "lax.pmean") == 0)
		id = lower_pair(l, "divide", id, lower_constant(l, (double)size, t), t);
	return lower_result(l, n, id);
}

static bool lower_all_gather(lowering *l, const anode *n)
{
	const atype *x = n->in[0]->type, *t = n->out[0]->type;
	bool tiled = param_int(n->attrs, "tiled", 0);
	int axis = 0, id = lower_of(l, n->in[0]);
	atype from = *x;
	if (!along_devices(l, n))
		return false;
	if (tiled &&
	    !axis_normal(l->ctx, "all_gather", param_int(n->attrs, "axis", 0), x->rank, &axis))
		return false;
	if (!tiled) {
		axis = typed_gather_axis(n->attrs, x->rank);
		from.rank = t->rank;
		memcpy(from.dim, t->dim, sizeof from.dim);
		from.dim[axis] = 1;
		id = lower_reshape_to(l, id, x, &from);
	}
	id = begin_collective(l, n, "all_gather", id);
	put_f(l->w, ", all_gather_dim = %d : i64, use_global_device_ids}>", axis);
	lower_signature(l, &from, t);
	return lower_result(l, n, id);
}

static bool lower_psum_scatter(lowering *l, const anode *n)
{
	const atype *x = n->in[0]->type, *t = n->out[0]->type;
	int axis;
	if (!along_devices(l, n))
		return false;
	if (!axis_normal(l->ctx, "psum_scatter", param_int(n->attrs, "scatter_dimension", 0),
	                 x->rank, &axis))
		return false;
	atype part = *x;
	part.dim[axis] /= axis_seq_size(n->mesh, comm_axes(n));
	int id = begin_collective(l, n, "reduce_scatter", lower_of(l, n->in[0]));
	put_f(l->w, ", scatter_dimension = %d : i64, use_global_device_ids}>", axis);
	lower_combiner(l, "add", x->dtype);
	lower_signature(l, x, &part);
	return lower_result(l, n, part.rank == t->rank ? id : lower_reshape_to(l, id, &part, t));
}

/* Tiled: parts of split_axis, concatenated along concat_axis. Otherwise split_axis has one element
 * per device and is removed, and concat_axis is added. */
static bool lower_all_to_all(lowering *l, const anode *n)
{
	const atype *x = n->in[0]->type, *t = n->out[0]->type;
	int split, join;
	int64_t parts = axis_seq_size(n->mesh, comm_axes(n));
	bool tiled = param_int(n->attrs, "tiled", 0);
	if (!along_devices(l, n))
		return false;
	if (!axis_normal(l->ctx, "all_to_all", param_int(n->attrs, "split_axis", 0), x->rank,
	                 &split) ||
	    !axis_normal(l->ctx, "all_to_all", param_int(n->attrs, "concat_axis", 0), x->rank,
	                 &join))
		return false;
	atype from = *x, to = *x;
	int id = lower_of(l, n->in[0]);
	if (!tiled &&
	    split != join) { /* adds a dimension of 1 to concatenate along */
		int at = join + (split < join);
		from.rank++;
		for (int d = from.rank - 1; d > at; d--)
			from.dim[d] = from.dim[d - 1];
		from.dim[at] = 1;
		id = lower_reshape_to(l, id, x, &from);
		split += at <= split;
		join = at;
		to = from;
	}
	to.dim[split] /= parts;
	to.dim[join] *= parts;
	id = begin_collective(l, n, "all_to_all", id);
	put_f(l->w,
	      ", split_dimension = %d : i64, concat_dimension = %d : i64, split_count = %" PRId64
	      " : i64}>",
	      split, join, parts);
	lower_signature(l, &from, &to);
	bool same = to.rank == t->rank;
	return lower_result(l, n, same ? id : lower_reshape_to(l, id, &to, t));
}

static bool lower_ppermute(lowering *l, const anode *n)
{
	const atype *t = n->out[0]->type;
	const int64_t *perm;
	axis_seq axes = comm_axes(n);
	int k = param_ints(n->attrs, "perm", &perm), count = 0;
	int64_t size = axis_seq_size(n->mesh, axes);
	int id = lower_name(l);
	if (!along_devices(l, n))
		return false;
	put_f(l->w, "  %%%d = \"stablehlo.collective_permute\"(%%%d) <{", id,
	      lower_of(l, n->in[0]));
	put_channel(l);
	put_lit(l->w, ", source_target_pairs = dense<[");
	for (int64_t d = 0; d < amesh_devices(n->mesh); d++)
		for (int i = 0; i + 1 < k && is_group_first(n->mesh, axes, d); i += 2) {
			if (perm[i] < 0 || perm[i] >= size || perm[i + 1] < 0 ||
			    perm[i + 1] >= size)
				return diag_error(l->ctx, NOWHERE, E_ARRAY_ATTRIBUTE,
				                  "ppermute: %" PRId64 " to %" PRId64 " of %" PRId64
				                  " devices",
				                  perm[i], perm[i + 1], size);
			put_f(l->w, "%s[%" PRId64 ", %" PRId64 "]", count++ ? ", " : "",
			      device_at(n->mesh, d + member_offset(n->mesh, axes, perm[i])),
			      device_at(n->mesh, d + member_offset(n->mesh, axes, perm[i + 1])));
		}
	put_f(l->w, "]> : tensor<%dx2xi64>}>", count);
	lower_signature(l, t, t);
	return lower_result(l, n, id);
}

/* Returns the position of this device in the mesh: its number, or looked up in a table. */
static int place_of_device(lowering *l, const amesh *m)
{
	int device = lower_begin(l, "partition_id");
	int64_t n = amesh_devices(m);
	put_lit(l->w, ": tensor<ui32>\n");
	if (!m->ids)
		return device;
	int64_t *place = NEW_N(&l->ctx->scratch, int64_t, n + 1);
	for (int64_t i = 0; i < n; i++)
		place[m->ids[i]] = i;
	int table = lower_begin(l, "constant");
	put_lit(l->w, "dense<");
	lower_ints(l, place, (int)n);
	put_f(l->w, "> : tensor<%" PRId64 "xui32>\n", n);
	int at = lower_begin(l, "dynamic_slice");
	put_f(l->w,
	      "%%%d, %%%d, sizes = [1] : (tensor<%" PRId64
	      "xui32>, tensor<ui32>) -> tensor<1xui32>\n",
	      table, device, n);
	atype one = {.dtype = DT_UI32, .rank = 1, .dim = {1}}, scalar = {.dtype = DT_UI32};
	return lower_reshape_to(l, at, &one, &scalar);
}

/* Returns the position along the axes, computed from the device's position. */
static bool lower_axis_index(lowering *l, const anode *n)
{
	axis_seq axes = comm_axes(n);
	atype number = {.dtype = DT_UI32};
	int device = place_of_device(l, n->mesh), sum = -1;
	if (!along_devices(l, n))
		return false;
	for (int i = 0; i < axis_seq_len(axes); i++) {
		int a = axis_seq_at(axes, i);
		int at = lower_pair(l, "divide", device,
		                    lower_constant(l, (double)axis_stride(n->mesh, a), &number),
		                    &number);
		int size = lower_constant(l, (double)n->mesh->size[a], &number);
		at = lower_pair(l, "remainder", at, size, &number);
		if (sum >= 0)
			at = lower_pair(l, "add", lower_pair(l, "multiply", sum, size, &number), at,
			                &number);
		sum = at;
	}
	if (sum < 0)
		sum = lower_constant(l, 0, &number);
	return lower_result(l, n, lower_convert_to(l, sum, &number, n->out[0]->type->dtype));
}

static bool lower_pcast(lowering *l, const anode *n)
{
	return lower_result(l, n, lower_of(l, n->in[0]));
}

const lower_row lower_comm_rows[] = {
	{"lax.psum", lower_all_reduce, "add"},
	{"lax.pmean", lower_all_reduce, "add"},
	{"lax.pmax", lower_all_reduce, "maximum"},
	{"lax.pmin", lower_all_reduce, "minimum"},
	{"lax.all_gather", lower_all_gather, ""},
	{"lax.psum_scatter", lower_psum_scatter, ""},
	{"lax.all_to_all", lower_all_to_all, ""},
	{"lax.ppermute", lower_ppermute, ""},
	{"lax.axis_index", lower_axis_index, ""},
	{"lax.pcast", lower_pcast, ""},
	{NULL, NULL, NULL},
};
