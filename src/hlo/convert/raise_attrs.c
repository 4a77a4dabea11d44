/* raise_attrs.c - the attributes of StableHLO's operations, made of HLO's. */
#include "hlo/convert/raise.h"

#include <ctype.h>
#include <stdlib.h>

/* ---- helpers ------------------------------------------------------------------ */

typedef struct int_list {
	int64_t v[4 * SHAPE_MAX_RANK];
	int n;
} int_list;

static int_list ints_of(hlo_raiser *r, const op *o, const char *attr_name)
{
	int_list l;
	l.n = hlo_attr_numbers(o, r->ctx, attr_name, l.v, COUNT(l.v));
	l.n = l.n < 0 ? 0 : l.n > COUNT(l.v) ? COUNT(l.v) : l.n;
	return l;
}

static void give_ints(hlo_raiser *r, op *to, const char *attr_name, const int64_t *v, int n)
{
	raise_attr(r, to, attr_name, attr_i64_array(r->ctx, v, n));
}

static void hand_ints(hlo_raiser *r, const op *from, op *to, const char *hlo_name,
                      const char *attr_name)
{
	int_list l = ints_of(r, from, hlo_name);
	give_ints(r, to, attr_name, l.v, l.n);
}

static void copy_int(hlo_raiser *r, const op *from, op *to, const char *hlo_name,
                     const char *attr_name)
{
	raise_attr(r, to, attr_name, attr_i64(r->ctx, hlo_attr_number(from, r->ctx, hlo_name, 0)));
}

static bool is_true(hlo_raiser *r, const op *o, const char *attr_name)
{
	return str_is(hlo_attr_text(o, r->ctx, attr_name), "true");
}

static void copy_bool(hlo_raiser *r, const op *from, op *to, const char *attr_name)
{
	raise_attr(r, to, attr_name, attr_bool(r->ctx, is_true(r, from, attr_name)));
}

/* A word in capitals: highest as HIGHEST. */
static const attr *enum_of(hlo_raiser *r, const char *kind, tess_str word)
{
	char *upper = arena_str(r->mem, word).ptr ? (char *)arena_str(r->mem, word).ptr : "";
	for (char *p = upper; *p; p++)
		*p = (char)toupper((unsigned char)*p);
	return attr_enum(r->ctx, "stablehlo", kind, upper);
}

/* dense<[[…], …]> of 64-bit integers */
static const attr *matrix_of(hlo_raiser *r, const int64_t *v, int64_t rows, int64_t cols)
{
	int64_t dims[2] = {rows, cols}, n = rows * cols;
	bool splat = n > 0;
	for (int64_t i = 1; i < n; i++)
		splat = splat && v[i] == v[0];
	return attr_dense(r->ctx, type_tensor(r->ctx, DT_I64, dims, 2), v,
	                  sizeof *v * (size_t)(splat ? 1 : n), splat);
}

static const attr *struct_of(hlo_raiser *r, const char *struct_name, const char *const *fields,
                             const attr *const *values, int n)
{
	const name *names[16];
	for (int i = 0; i < n; i++)
		names[i] = name_of_z(r->ctx, fields[i]);
	return attr_of(r->ctx, &(attr){.kind = AT_STRUCT, .text = name_of_z(r->ctx, struct_name),
	                               .list = values, .names = names, .n = n});
}

/* The text between the quotes, its escapes undone. */
static tess_str unquoted(hlo_raiser *r, tess_str s)
{
	hlo_reader text = {.ctx = r->ctx, .begin = s.ptr, .at = s.ptr, .last = s.ptr,
	                   .end = s.ptr + s.len, .mem = r->mem};
	return s.len && s.ptr[0] == '"' ? hlo_string(&text) : s;
}

bool raise_plain(hlo_raiser *r, const op *from, op *to)
{
	UNUSED(r);
	UNUSED(from);
	UNUSED(to);
	return true;
}

/* ---- shapes ----------------------------------------------------------------------- */

bool raise_broadcast(hlo_raiser *r, const op *from, op *to)
{
	hand_ints(r, from, to, "dimensions", "broadcast_dimensions");
	return true;
}

bool raise_transpose(hlo_raiser *r, const op *from, op *to)
{
	hand_ints(r, from, to, "dimensions", "permutation");
	return true;
}

bool raise_reverse(hlo_raiser *r, const op *from, op *to)
{
	hand_ints(r, from, to, "dimensions", "dimensions");
	return true;
}

bool raise_concatenate(hlo_raiser *r, const op *from, op *to)
{
	copy_int(r, from, to, "dimensions", "dimension");
	return true;
}

bool raise_dimension(hlo_raiser *r, const op *from, op *to)
{
	return raise_concatenate(r, from, to);
}

bool raise_iota(hlo_raiser *r, const op *from, op *to)
{
	copy_int(r, from, to, "iota_dimension", "iota_dimension");
	return true;
}

bool raise_dynamic_slice(hlo_raiser *r, const op *from, op *to)
{
	hand_ints(r, from, to, "dynamic_slice_sizes", "slice_sizes");
	return true;
}

/* Numbers for each dimension of the array, two or three: where the third is not written it is
 * the same for all. */
static bool hand_triples(hlo_raiser *r, const op *from, op *to, const char *hlo_name,
                         const char *const *names, int64_t third)
{
	int64_t v[3][SHAPE_MAX_RANK];
	int_list l = ints_of(r, from, hlo_name);
	int rank = hlo_shape_of(r->ctx, from)->rank, each = rank ? l.n / rank : 2;
	if (rank && (l.n % rank || each < 2 || each > 3))
		return raise_fail(r, from, "a list for other dimensions than the array's");
	for (int i = 0; i < rank; i++)
		for (int k = 0; k < 3; k++)
			v[k][i] = k < each ? l.v[i * each + k] : third;
	for (int k = 0; k < 3; k++)
		give_ints(r, to, names[k], v[k], rank);
	return true;
}

/* {[0:4], [1:8:2]}: a step is written for all or none */
bool raise_slice(hlo_raiser *r, const op *from, op *to)
{
	static const char *const names[] = {"start_indices", "limit_indices", "strides"};
	return hand_triples(r, from, to, "slice", names, 1);
}

/* 1_1x0_2 or 1_1_0x0_2_1 */
bool raise_pad(hlo_raiser *r, const op *from, op *to)
{
	static const char *const names[] = {"edge_padding_low", "edge_padding_high",
	                                    "interior_padding"};
	return hand_triples(r, from, to, "padding", names, 0);
}

/* ---- arithmetic --------------------------------------------------------------------- */

bool raise_compare(hlo_raiser *r, const op *from, op *to)
{
	tess_str type = hlo_attr_text(from, r->ctx, "type");
	raise_attr(r, to, "comparison_direction",
	           enum_of(r, "comparison_direction", hlo_attr_text(from, r->ctx, "direction")));
	if (str_is(hlo_attr_text(from, r->ctx, "order"), "TOTAL"))
		type = str_of("TOTALORDER");
	if (type.len)
		raise_attr(r, to, "compare_type", enum_of(r, "comparison_type", type));
	return true;
}

bool raise_reduce_precision(hlo_raiser *r, const op *from, op *to)
{
	raise_attr(r, to, "exponent_bits",
	           attr_i32(r->ctx, hlo_attr_number(from, r->ctx, "exponent_bits", 0)));
	raise_attr(r, to, "mantissa_bits",
	           attr_i32(r->ctx, hlo_attr_number(from, r->ctx, "mantissa_bits", 0)));
	return true;
}

bool raise_fft(hlo_raiser *r, const op *from, op *to)
{
	raise_attr(r, to, "fft_type",
	           enum_of(r, "fft_type", hlo_attr_text(from, r->ctx, "fft_type")));
	hand_ints(r, from, to, "fft_length", "fft_length");
	return true;
}

bool raise_cholesky(hlo_raiser *r, const op *from, op *to)
{
	copy_bool(r, from, to, "lower");
	return true;
}

bool raise_triangular_solve(hlo_raiser *r, const op *from, op *to)
{
	tess_str t = hlo_attr_text(from, r->ctx, "transpose_a");
	copy_bool(r, from, to, "left_side");
	copy_bool(r, from, to, "lower");
	copy_bool(r, from, to, "unit_diagonal");
	raise_attr(r, to, "transpose_a", enum_of(r, "transpose", t.len ? t : STR("NO_TRANSPOSE")));
	return true;
}

bool raise_batch_norm(hlo_raiser *r, const op *from, op *to)
{
	double e = strtod(hlo_attr_text(from, r->ctx, "epsilon").ptr, NULL);
	raise_attr(r, to, "epsilon",
	           attr_float(r->ctx, e, float_bits(e, DT_F32), type_scalar(r->ctx, DT_F32)));
	copy_int(r, from, to, "feature_index", "feature_index");
	return true;
}

/* rng_three_fry as THREE_FRY */
bool raise_rng_bit_generator(hlo_raiser *r, const op *from, op *to)
{
	tess_str s = hlo_attr_text(from, r->ctx, "algorithm");
	if (str_starts(s, "rng_"))
		s = (tess_str){s.ptr + 4, s.len - 4};
	raise_attr(r, to, "rng_algorithm", enum_of(r, "rng_algorithm", s));
	return true;
}

bool raise_top_k(hlo_raiser *r, const op *from, op *to)
{
	if (!is_true(r, from, "largest"))
		return false;
	copy_int(r, from, to, "k", "k");
	if (str_is(hlo_attr_text(from, r->ctx, "is_stable"), "false"))
		raise_attr(r, to, "is_stable", attr_bool(r->ctx, false));
	return true;
}

/* ---- products ------------------------------------------------------------------------- */

/* {high,default} as [HIGH, DEFAULT]; as many DEFAULT if nothing is said */
static void set_precision(hlo_raiser *r, const op *from, op *to)
{
	const attr *list[2];
	tess_str s = hlo_attr_text(from, r->ctx, "operand_precision");
	const char *p = s.len ? s.ptr + 1 : "", *end = s.ptr + s.len;
	for (int i = 0; i < 2; i++) {
		const char *to_at = p;
		while (s.len && to_at < end && *to_at != ',' && *to_at != '}')
			to_at++;
		list[i] = s.len ? enum_of(r, "precision", (tess_str){p, (size_t)(to_at - p)})
		                : attr_enum(r->ctx, "stablehlo", "precision", "DEFAULT");
		p = to_at < end ? to_at + 1 : end;
	}
	raise_attr(r, to, "precision_config", attr_array(r->ctx, list, 2));
}

bool raise_dot(hlo_raiser *r, const op *from, op *to)
{
	static const char *const fields[] = {"lhs_batching_dimensions", "rhs_batching_dimensions",
	                                     "lhs_contracting_dimensions",
	                                     "rhs_contracting_dimensions"};
	static const char *const from_fields[] = {"lhs_batch_dims", "rhs_batch_dims",
	                                          "lhs_contracting_dims", "rhs_contracting_dims"};
	const attr *values[4], *algorithm = NULL;
	tess_str word = hlo_attr_text(from, r->ctx, "algorithm");
	if (word.len && !(algorithm = dot_algorithm_named(r->ctx, word)))
		return false;
	for (int i = 0; i < 4; i++) {
		int_list l = ints_of(r, from, from_fields[i]);
		values[i] = attr_i64_array(r->ctx, l.v, l.n);
	}
	raise_attr(r, to, "dot_dimension_numbers",
	           struct_of(r, "stablehlo.dot", fields, values, 4));
	set_precision(r, from, to);
	if (algorithm)
		raise_attr(r, to, "algorithm", algorithm);
	return true;
}

static const attr *spatial_of(hlo_raiser *r, const int *v, int n)
{
	int64_t wide[SHAPE_MAX_RANK];
	for (int i = 0; i < n; i++)
		wide[i] = v[i];
	return attr_i64_array(r->ctx, wide, n);
}

static const attr *conv_numbers(hlo_raiser *r, const hlo_labels *l)
{
	static const char *const fields[] = {
		"input_batch_dimension", "input_feature_dimension", "input_spatial_dimensions",
		"kernel_input_feature_dimension", "kernel_output_feature_dimension",
		"kernel_spatial_dimensions", "output_batch_dimension", "output_feature_dimension",
		"output_spatial_dimensions"};
	const attr *values[] = {
		attr_i64(r->ctx, l->in_batch), attr_i64(r->ctx, l->in_feature),
		spatial_of(r, l->in_spatial, l->n), attr_i64(r->ctx, l->k_in),
		attr_i64(r->ctx, l->k_out), spatial_of(r, l->k_spatial, l->n),
		attr_i64(r->ctx, l->out_batch), attr_i64(r->ctx, l->out_feature),
		spatial_of(r, l->out_spatial, l->n)};
	return struct_of(r, "stablehlo.conv", fields, values, COUNT(fields));
}

/* dense<[[low, high], …]> */
static const attr *window_padding(hlo_raiser *r, const hlo_window *w)
{
	int64_t v[2 * SHAPE_MAX_RANK];
	for (int i = 0; i < w->n; i++) {
		v[2 * i] = w->low[i];
		v[2 * i + 1] = w->high[i];
	}
	return matrix_of(r, v, w->n, 2);
}

bool raise_convolution(hlo_raiser *r, const op *from, op *to)
{
	hlo_window w;
	hlo_labels l;
	if (!hlo_window_of(from, r->ctx, &w) || !hlo_labels_of(from, r->ctx, &l) || w.n != l.n)
		return raise_fail(r, from, "a window that does not fit the labels");
	raise_attr(r, to, "dimension_numbers", conv_numbers(r, &l));
	give_ints(r, to, "window_strides", w.stride, w.n);
	raise_attr(r, to, "padding", window_padding(r, &w));
	give_ints(r, to, "lhs_dilation", w.lhs_dilation, w.n);
	give_ints(r, to, "rhs_dilation", w.rhs_dilation, w.n);
	raise_attr(r, to, "window_reversal", attr_bool_array(r->ctx, w.reversed, w.n));
	raise_attr(r, to, "feature_group_count",
	           attr_i64(r->ctx, hlo_attr_number(from, r->ctx, "feature_group_count", 1)));
	raise_attr(r, to, "batch_group_count",
	           attr_i64(r->ctx, hlo_attr_number(from, r->ctx, "batch_group_count", 1)));
	set_precision(r, from, to);
	return true;
}

/* ---- gather and scatter ------------------------------------------------------------------- */

/* Lists by the names of HLO, under the names of StableHLO, then index_vector_dim. */
static const attr *index_numbers(hlo_raiser *r, const op *from, const char *struct_name,
                                 const char *const *hlo_names, const char *const *fields, int n)
{
	const attr *values[8];
	for (int i = 0; i + 1 < n; i++) {
		int_list l = ints_of(r, from, hlo_names[i]);
		values[i] = attr_i64_array(r->ctx, l.v, l.n);
	}
	values[n - 1] = attr_i64(r->ctx, hlo_attr_number(from, r->ctx, "index_vector_dim", 0));
	return struct_of(r, struct_name, fields, values, n);
}

bool raise_gather(hlo_raiser *r, const op *from, op *to)
{
	static const char *const fields[] = {"offset_dims", "collapsed_slice_dims",
	                                     "operand_batching_dims", "start_indices_batching_dims",
	                                     "start_index_map", "index_vector_dim"};
	raise_attr(r, to, "dimension_numbers",
	           index_numbers(r, from, "stablehlo.gather", fields, fields, COUNT(fields)));
	hand_ints(r, from, to, "slice_sizes", "slice_sizes");
	copy_bool(r, from, to, "indices_are_sorted");
	return true;
}

bool raise_scatter(hlo_raiser *r, const op *from, op *to)
{
	static const char *const fields[] = {"update_window_dims", "inserted_window_dims",
	                                     "input_batching_dims", "scatter_indices_batching_dims",
	                                     "scatter_dims_to_operand_dims", "index_vector_dim"};
	raise_attr(r, to, "scatter_dimension_numbers",
	           index_numbers(r, from, "stablehlo.scatter", fields, fields, COUNT(fields)));
	copy_bool(r, from, to, "indices_are_sorted");
	copy_bool(r, from, to, "unique_indices");
	return true;
}

/* ---- with computations ---------------------------------------------------------------------- */

bool raise_reduce(hlo_raiser *r, const op *from, op *to)
{
	hand_ints(r, from, to, "dimensions", "dimensions");
	return true;
}

bool raise_map(hlo_raiser *r, const op *from, op *to) { return raise_reduce(r, from, to); }

bool raise_sort(hlo_raiser *r, const op *from, op *to)
{
	copy_int(r, from, to, "dimensions", "dimension");
	copy_bool(r, from, to, "is_stable");
	return true;
}

static bool hand_window(hlo_raiser *r, const op *from, op *to, hlo_window *w)
{
	if (!hlo_window_of(from, r->ctx, w))
		return raise_fail(r, from, "a window of too many dimensions");
	give_ints(r, to, "window_dimensions", w->size, w->n);
	give_ints(r, to, "window_strides", w->stride, w->n);
	raise_attr(r, to, "padding", window_padding(r, w));
	return true;
}

bool raise_reduce_window(hlo_raiser *r, const op *from, op *to)
{
	hlo_window w;
	if (!hand_window(r, from, to, &w))
		return false;
	give_ints(r, to, "base_dilations", w.lhs_dilation, w.n);
	give_ints(r, to, "window_dilations", w.rhs_dilation, w.n);
	return true;
}

bool raise_select_and_scatter(hlo_raiser *r, const op *from, op *to)
{
	hlo_window w;
	return hand_window(r, from, to, &w);
}

/* ---- collectives ----------------------------------------------------------------------------- */

enum { TYPED_FFI = 4 }; /* an API version of custom calls */

static const attr *channel_handle_of(hlo_raiser *r, int64_t channel)
{
	static const char *const fields[] = {"handle", "type"};
	const attr *values[] = {attr_i64(r->ctx, channel), attr_i64(r->ctx, 0)};
	return struct_of(r, "stablehlo.channel_handle", fields, values, 2);
}

static void set_channel(hlo_raiser *r, const op *from, op *to)
{
	int64_t channel = hlo_attr_number(from, r->ctx, "channel_id", 0);
	if (channel)
		raise_attr(r, to, "channel_handle", channel_handle_of(r, channel));
	if (is_true(r, from, "use_global_device_ids"))
		raise_attr(r, to, "use_global_device_ids", attr_unit(r->ctx));
}

/* A row for each group; shorter groups end in -1. */
static bool give_groups(hlo_raiser *r, const op *from, op *to, replica_groups *g)
{
	enum { MANY = 1 << 24 };
	source src = {
		.name = "", .text = hlo_attr_text(from, r->ctx, "replica_groups"), .first_line = 1};
	uint32_t end;
	*g = (replica_groups){0};
	if (src.text.len && !replica_groups_parse(r->ctx, &src, 0, &end, g))
		return false;
	int64_t width = g->group_size, at = 0;
	for (int64_t i = 0; width < 0 && i < g->n_groups; i++)
		at = max_i64(at, g->sizes[i]);
	width = width < 0 ? at : width;
	if (g->n_groups && width > MANY / g->n_groups)
		return raise_fail(r, from, "more devices than can be listed");
	int64_t *v = NEW_N(r->mem, int64_t, g->n_groups * width + 1);
	at = 0;
	for (int64_t i = 0; i < g->n_groups; i++)
		for (int64_t k = 0; k < width; k++)
			v[i * width + k] = g->group_size < 0 && k >= g->sizes[i]
			                           ? -1 : device_array_at(&g->devices, at++);
	raise_attr(r, to, "replica_groups", matrix_of(r, v, g->n_groups, width));
	set_channel(r, from, to);
	return true;
}

bool raise_groups(hlo_raiser *r, const op *from, op *to)
{
	replica_groups g;
	return give_groups(r, from, to, &g);
}

/* JAX's custom call, with groups and channel in a dictionary. */
bool raise_ragged_all_to_all(hlo_raiser *r, const op *from, op *to)
{
	replica_groups g;
	const name *keys[] = {name_of_z(r->ctx, "replica_groups"), name_of_z(r->ctx, "channel_id")};
	int64_t channel = hlo_attr_number(from, r->ctx, "channel_id", 0);
	if (to->n_operands != 6 || !give_groups(r, from, to, &g))
		return false;
	const attr *values[] = {op_attr(to, N_replica_groups), attr_i64(r->ctx, channel)};
	op_set_attr(r->to, to, N_replica_groups, NULL);
	op_set_attr(r->to, to, N_channel_handle, NULL);
	raise_attr(r, to, "call_target_name",
	           attr_string(r->ctx, name_of_z(r->ctx, "ragged_all_to_all")));
	raise_attr(r, to, "api_version", attr_i32(r->ctx, TYPED_FFI));
	raise_attr(r, to, "backend_config", attr_dict(r->ctx, keys, values, channel ? 2 : 1));
	return true;
}

bool raise_all_reduce(hlo_raiser *r, const op *from, op *to) { return raise_groups(r, from, to); }

bool raise_all_gather(hlo_raiser *r, const op *from, op *to)
{
	copy_int(r, from, to, "dimensions", "all_gather_dim");
	return raise_groups(r, from, to);
}

bool raise_reduce_scatter(hlo_raiser *r, const op *from, op *to)
{
	copy_int(r, from, to, "dimensions", "scatter_dimension");
	return raise_groups(r, from, to);
}

bool raise_all_to_all(hlo_raiser *r, const op *from, op *to)
{
	replica_groups g;
	if (!hlo_attr_text(from, r->ctx, "dimensions").len)
		return false; /* of several operands: see raise_ops.c */
	if (!give_groups(r, from, to, &g))
		return false;
	copy_int(r, from, to, "dimensions", "split_dimension");
	copy_int(r, from, to, "dimensions", "concat_dimension");
	raise_attr(r, to, "split_count", attr_i64(r->ctx, g.group_size));
	return true;
}

bool raise_permute(hlo_raiser *r, const op *from, op *to)
{
	tess_str s = hlo_attr_text(from, r->ctx, "source_target_pairs");
	int n = hlo_numbers(s, NULL, 0);
	int64_t *v = NEW_N(r->mem, int64_t, n + 1);
	hlo_numbers(s, v, n);
	raise_attr(r, to, "source_target_pairs", matrix_of(r, v, n / 2, 2));
	set_channel(r, from, to);
	return true;
}

/* ---- custom calls ---------------------------------------------------------------------------- */

static int api_version(tess_str s)
{
	static const char *const words[] = {"API_VERSION_UNSPECIFIED", "API_VERSION_ORIGINAL",
	                                    "API_VERSION_STATUS_RETURNING",
	                                    "API_VERSION_STATUS_RETURNING_UNIFIED",
	                                    "API_VERSION_TYPED_FFI"};
	for (int i = 0; i < COUNT(words); i++)
		if (str_is(s, words[i]))
			return i;
	return 1;
}

/* A layout's dimensions from minor to major, for each leaf of a shape. */
static const attr *layouts_of(hlo_raiser *r, const shape *s)
{
	int n;
	const shape **leaves = raise_flat_shapes(r, s, &n);
	const attr **list = NEW_N(r->mem, const attr *, n + 1);
	for (int i = 0; i < n; i++) {
		int64_t order[SHAPE_MAX_RANK] = {0}, rank = leaves[i]->rank;
		for (int d = 0; d < rank; d++)
			order[d] = leaves[i]->layout->minor_to_major[d];
		list[i] = attr_dense(r->ctx, type_tensor(r->ctx, DT_INDEX, &rank, 1), order,
		                     sizeof *order * (size_t)rank, rank == 1);
	}
	return attr_array(r->ctx, list, n);
}

/* Without constraints a custom call may see any layout. */
static bool raise_layouts(hlo_raiser *r, const op *from, op *to)
{
	tess_str in = hlo_attr_text(from, r->ctx, "operand_layout_constraints");
	if (in.len < 2)
		return true;
	writer w; /* {…, …}: as a tuple */
	writer_init(&w, r->mem);
	put_f(&w, "(%.*s)", (int)in.len - 2, in.ptr + 1);
	const shape *s = shape_parse(r->ctx, writer_str(&w));
	if (!s)
		return false;
	raise_attr(r, to, "operand_layouts", layouts_of(r, s));
	raise_attr(r, to, "result_layouts", layouts_of(r, hlo_shape_of(r->ctx, from)));
	return true;
}

/* A dictionary for a typed call, a string for all others. */
static const attr *config_attr(hlo_raiser *r, tess_str text, bool typed)
{
	if (!typed)
		return attr_string(r->ctx, name_of(r->ctx, text));
	return mlir_parse_attr(r->ctx, source_new(r->ctx, "backend_config", text));
}

bool raise_custom_call(hlo_raiser *r, const op *from, op *to)
{
	tess_str target = unquoted(r, hlo_attr_text(from, r->ctx, "custom_call_target"));
	tess_str config = hlo_attr_text(from, r->ctx, "backend_config");
	const attr *called = hlo_attr(from, r->ctx, "called_computations");
	raise_attr(r, to, "call_target_name", attr_string(r->ctx, name_of(r->ctx, target)));
	if (is_true(r, from, "custom_call_has_side_effect"))
		raise_attr(r, to, "has_side_effect", attr_bool(r->ctx, true));
	int version = api_version(hlo_attr_text(from, r->ctx, "api_version"));
	raise_attr(r, to, "api_version", attr_i32(r->ctx, version));
	if (config.len)
		raise_attr(r, to, "backend_config",
		           config_attr(r, unquoted(r, config), version == TYPED_FFI));
	if (called && called->n)
		raise_attr(r, to, "called_computations", called);
	return raise_layouts(r, from, to);
}
