/* sink_attrs.c - HLO's attributes out of those of StableHLO's operations. */
#include "hlo/convert/sink.h"

#include <ctype.h>

/* ---- helpers ------------------------------------------------------------------ */

static void put_ints(hlo_sinker *l, const char *key, const int64_t *v, int n)
{
	put_f(l->at, ", %s={", key);
	for (int i = 0; i < n; i++)
		put_f(l->at, "%s%" PRId64, i ? "," : "", v[i]);
	put_c(l->at, '}');
}

static bool put_list(hlo_sinker *l, const op *o, const char *key, int known)
{
	int n;
	const int64_t *v = op_ints(l->m, o, known, &n);
	put_ints(l, key, v, n < 0 ? 0 : n);
	return true;
}

static bool put_one(hlo_sinker *l, const op *o, const char *key, int known)
{
	int64_t v = op_int(o, known, 0);
	put_ints(l, key, &v, 1);
	return true;
}

static void put_sunk_number(hlo_sinker *l, const char *key, int64_t v)
{
	put_f(l->at, ", %s=%" PRId64, key, v);
}

static void put_flag(hlo_sinker *l, const op *o, int known, const char *key)
{
	if (op_bool(o, known))
		put_f(l->at, ", %s=true", key);
}

/* HIGHEST as highest, after a prefix. */
static void put_lower_word(hlo_sinker *l, const char *key, const char *prefix, const char *word)
{
	put_f(l->at, "%s%s", key, prefix);
	for (; *word; word++)
		put_c(l->at, (char)tolower((unsigned char)*word));
}

/* A list for each row of dense integers; numbers below 0 fill rows up. */
static void put_rows(hlo_sinker *l, const char *key, const int64_t *v, int n, int64_t width)
{
	put_f(l->at, ", %s={", key);
	for (int i = 0; i < n; i++) {
		bool first = i % width == 0;
		if (first)
			put_z(l->at, i ? "},{" : "{");
		if (v[i] >= 0)
			put_f(l->at, "%s%" PRId64, first ? "" : ",", v[i]);
	}
	put_z(l->at, n ? "}}" : "}");
}

static void put_region(hlo_sinker *l, const op *o, const char *key, int region)
{
	put_f(l->at, ", %s=%s", key, sink_region(l, o, region));
}

bool sink_plain(hlo_sinker *l, const op *o)
{
	UNUSED(l);
	UNUSED(o);
	return true;
}

/* ---- shapes ----------------------------------------------------------------------- */

bool sink_broadcast(hlo_sinker *l, const op *o)
{
	return put_list(l, o, "dimensions", N_broadcast_dimensions);
}

bool sink_transpose(hlo_sinker *l, const op *o)
{
	return put_list(l, o, "dimensions", N_permutation);
}

bool sink_reverse(hlo_sinker *l, const op *o) { return put_list(l, o, "dimensions", N_dimensions); }

bool sink_concatenate(hlo_sinker *l, const op *o)
{
	return put_one(l, o, "dimensions", N_dimension);
}

bool sink_dimension(hlo_sinker *l, const op *o) { return sink_concatenate(l, o); }

bool sink_iota(hlo_sinker *l, const op *o)
{
	put_sunk_number(l, "iota_dimension", op_int(o, N_iota_dimension, 0));
	return true;
}

bool sink_dynamic_slice(hlo_sinker *l, const op *o)
{
	return put_list(l, o, "dynamic_slice_sizes", N_slice_sizes);
}

bool sink_slice(hlo_sinker *l, const op *o)
{
	int n, n_limit, n_step;
	const int64_t *start = op_ints(l->m, o, N_start_indices, &n);
	const int64_t *limit = op_ints(l->m, o, N_limit_indices, &n_limit);
	const int64_t *step = op_ints(l->m, o, N_strides, &n_step);
	put_lit(l->at, ", slice={");
	for (int i = 0; i < n && i < n_limit; i++)
		put_f(l->at, "%s[%" PRId64 ":%" PRId64 ":%" PRId64 "]", i ? ", " : "", start[i],
		      limit[i], i < n_step ? step[i] : 1);
	put_c(l->at, '}');
	return true;
}

bool sink_pad(hlo_sinker *l, const op *o)
{
	int n, n_high, n_between;
	const int64_t *low = op_ints(l->m, o, N_edge_padding_low, &n);
	const int64_t *high = op_ints(l->m, o, N_edge_padding_high, &n_high);
	const int64_t *between = op_ints(l->m, o, N_interior_padding, &n_between);
	for (int i = 0; i < n && i < n_high; i++)
		put_f(l->at, "%s%" PRId64 "_%" PRId64 "_%" PRId64, i ? "x" : ", padding=", low[i],
		      high[i], i < n_between ? between[i] : 0);
	return n > 0;
}

/* ---- arithmetic ---------------------------------------------------------------------- */

bool sink_compare(hlo_sinker *l, const op *o)
{
	const char *kind = enum_word(op_attr(o, N_compare_type));
	put_f(l->at, ", direction=%s", enum_word(op_attr(o, N_comparison_direction)));
	if (*kind && strcmp(kind, "NOTYPE") != 0)
		put_f(l->at, ", type=%s", kind);
	return true;
}

bool sink_reduce_precision(hlo_sinker *l, const op *o)
{
	put_sunk_number(l, "exponent_bits", op_int(o, N_exponent_bits, 0));
	put_sunk_number(l, "mantissa_bits", op_int(o, N_mantissa_bits, 0));
	return true;
}

bool sink_fft(hlo_sinker *l, const op *o)
{
	put_f(l->at, ", fft_type=%s", enum_word(op_attr(o, N_fft_type)));
	return put_list(l, o, "fft_length", N_fft_length);
}

bool sink_cholesky(hlo_sinker *l, const op *o)
{
	put_flag(l, o, N_lower, "lower");
	return true;
}

bool sink_triangular_solve(hlo_sinker *l, const op *o)
{
	put_flag(l, o, N_left_side, "left_side");
	put_flag(l, o, N_lower, "lower");
	put_flag(l, o, N_unit_diagonal, "unit_diagonal");
	put_f(l->at, ", transpose_a=%s", enum_word(op_attr(o, N_transpose_a)));
	return true;
}

bool sink_batch_norm(hlo_sinker *l, const op *o)
{
	const attr *e = op_attr(o, N_epsilon);
	put_f(l->at, ", epsilon=%.9g", e && e->kind == AT_FLOAT ? e->f : 0);
	put_sunk_number(l, "feature_index", op_int(o, N_feature_index, 0));
	return true;
}

bool sink_rng_bit_generator(hlo_sinker *l, const op *o)
{
	put_lower_word(l, ", algorithm=", "rng_", enum_word(op_attr(o, N_rng_algorithm)));
	return true;
}

bool sink_rng(hlo_sinker *l, const op *o)
{
	put_lower_word(l, ", distribution=", "rng_", enum_word(op_attr(o, N_rng_distribution)));
	return true;
}

bool sink_top_k(hlo_sinker *l, const op *o)
{
	put_sunk_number(l, "k", op_int(o, N_k, 0));
	put_f(l->at, ", largest=true, is_stable=%s",
	      !op_attr(o, N_is_stable) || op_bool(o, N_is_stable) ? "true" : "false");
	return true;
}

/* ---- products --------------------------------------------------------------------------- */

static void put_precision(hlo_sinker *l, const op *o)
{
	const attr *a = op_attr(o, N_precision_config);
	if (!a || a->kind != AT_ARRAY || !a->n)
		return;
	for (int i = 0; i < a->n; i++)
		put_lower_word(l, i ? "," : ", operand_precision={", "", enum_word(a->list[i]));
	put_c(l->at, '}');
}

bool sink_dot(hlo_sinker *l, const op *o)
{
	dot_dims d;
	const attr *algorithm = op_attr(o, N_algorithm);
	const dot_algorithm *how = algorithm ? dot_algorithm_of(algorithm) : NULL;
	if ((algorithm && !how) || !op_dot_dims(l->m, o, &d))
		return false;
	put_ints(l, "lhs_batch_dims", d.lhs_batch, d.n_batch);
	put_ints(l, "lhs_contracting_dims", d.lhs_contract, d.n_contract);
	put_ints(l, "rhs_batch_dims", d.rhs_batch, d.n_batch);
	put_ints(l, "rhs_contracting_dims", d.rhs_contract, d.n_contract);
	put_precision(l, o);
	if (how) {
		put_lit(l->at, ", algorithm=");
		put_dot_algorithm(l->at, how);
	}
	return true;
}

static void put_part(hlo_sinker *l, const char *key, const int64_t *v, int n)
{
	for (int i = 0; v && i < n; i++)
		put_f(l->at, "%s%" PRId64, i ? "x" : key, v[i]);
}

/* Each part for all dimensions; those that are not told are as usual. */
static void put_sunk_window(hlo_sinker *l, int n, const int64_t *size, const int64_t *stride,
                            const int64_t *pad, const int64_t *base, const int64_t *window,
                            const int64_t *flip)
{
	if (!n)
		return;
	put_lit(l->at, ", window={");
	put_part(l, "size=", size, n);
	put_part(l, " stride=", stride, n);
	for (int i = 0; pad && i < n; i++)
		put_f(l->at, "%s%" PRId64 "_%" PRId64, i ? "x" : " pad=", pad[2 * i],
		      pad[2 * i + 1]);
	put_part(l, " lhs_dilate=", base, n);
	put_part(l, " rhs_dilate=", window, n);
	put_part(l, " rhs_reversal=", flip, n);
	put_c(l->at, '}');
}

/* The dimensions of a tensor as letters: b01f */
static void put_labels(hlo_sinker *l, char first, int64_t a, char second, int64_t b,
                       const int64_t *spatial, int n)
{
	char text[MAX_SPATIAL + 3] = "";
	text[a] = first;
	text[b] = second;
	for (int i = 0; i < n; i++)
		text[spatial[i]] = (char)('0' + i);
	put_mem(l->at, text, (size_t)n + 2);
}

bool sink_convolution(hlo_sinker *l, const op *o)
{
	conv_dims d;
	int64_t size[MAX_SPATIAL], pad[2 * MAX_SPATIAL], flip[MAX_SPATIAL];
	if (!op_conv_dims(l->m, o, &d) || d.n_spatial > 10)
		return false;
	for (int i = 0; i < d.n_spatial; i++) {
		size[i] = operand(o, 1)->type->dims[d.k_spatial[i]];
		pad[2 * i] = d.pad_low[i];
		pad[2 * i + 1] = d.pad_high[i];
		flip[i] = d.reversed[i];
	}
	put_sunk_window(l, d.n_spatial, size, d.stride, pad, d.lhs_dilation, d.rhs_dilation, flip);
	put_lit(l->at, ", dim_labels=");
	put_labels(l, 'b', d.in_batch, 'f', d.in_feature, d.in_spatial, d.n_spatial);
	put_c(l->at, '_');
	put_labels(l, 'i', d.k_in, 'o', d.k_out, d.k_spatial, d.n_spatial);
	put_lit(l->at, "->");
	put_labels(l, 'b', d.out_batch, 'f', d.out_feature, d.out_spatial, d.n_spatial);
	put_sunk_number(l, "feature_group_count", d.feature_groups);
	put_sunk_number(l, "batch_group_count", d.batch_groups);
	put_precision(l, o);
	return true;
}

/* ---- gather and scatter --------------------------------------------------------------------- */

bool sink_gather(hlo_sinker *l, const op *o)
{
	gather_dims d;
	if (!op_gather_dims(l->m, o, &d))
		return false;
	put_ints(l, "offset_dims", d.offset, d.n_offset);
	put_ints(l, "collapsed_slice_dims", d.collapsed, d.n_collapsed);
	put_ints(l, "start_index_map", d.map, d.n_map);
	put_ints(l, "operand_batching_dims", d.operand_batch, d.n_operand_batch);
	put_ints(l, "start_indices_batching_dims", d.indices_batch, d.n_operand_batch);
	put_sunk_number(l, "index_vector_dim", d.index_vector_dim);
	put_ints(l, "slice_sizes", d.slice_sizes, d.n_slice_sizes);
	put_flag(l, o, N_indices_are_sorted, "indices_are_sorted");
	return true;
}

bool sink_scatter(hlo_sinker *l, const op *o)
{
	scatter_dims d;
	if (!op_scatter_dims(l->m, o, &d))
		return false;
	put_ints(l, "update_window_dims", d.window, d.n_window);
	put_ints(l, "inserted_window_dims", d.inserted, d.n_inserted);
	put_ints(l, "scatter_dims_to_operand_dims", d.map, d.n_map);
	put_ints(l, "input_batching_dims", d.input_batch, d.n_input_batch);
	put_ints(l, "scatter_indices_batching_dims", d.indices_batch, d.n_input_batch);
	put_sunk_number(l, "index_vector_dim", d.index_vector_dim);
	put_flag(l, o, N_indices_are_sorted, "indices_are_sorted");
	put_flag(l, o, N_unique_indices, "unique_indices");
	put_region(l, o, "to_apply", 0);
	return true;
}

/* ---- with computations ----------------------------------------------------------------------- */

bool sink_reduce(hlo_sinker *l, const op *o)
{
	put_list(l, o, "dimensions", N_dimensions);
	put_region(l, o, "to_apply", 0);
	return true;
}

bool sink_map(hlo_sinker *l, const op *o) { return sink_reduce(l, o); }

bool sink_sort(hlo_sinker *l, const op *o)
{
	int64_t dim = op_int(o, N_dimension, -1);
	dim = dim < 0 && o->n_operands ? dim + operand(o, 0)->type->rank : dim;
	put_ints(l, "dimensions", &dim, 1);
	put_flag(l, o, N_is_stable, "is_stable");
	put_region(l, o, "to_apply", 0);
	return true;
}

static int sink_window(hlo_sinker *l, const op *o, const int64_t **pad)
{
	int n, n_pad;
	const int64_t *size = op_ints(l->m, o, N_window_dimensions, &n), *v[3];
	const int known[] = {N_window_strides, N_base_dilations, N_window_dilations};
	*pad = op_ints(l->m, o, N_padding, &n_pad);
	for (int i = 0; i < 3; i++) {
		int k;
		v[i] = op_ints(l->m, o, known[i], &k);
		v[i] = k == n ? v[i] : NULL;
	}
	put_sunk_window(l, n, size, v[0], n_pad == 2 * n ? *pad : NULL, v[1], v[2], NULL);
	return n;
}

bool sink_reduce_window(hlo_sinker *l, const op *o)
{
	const int64_t *pad;
	sink_window(l, o, &pad);
	put_region(l, o, "to_apply", 0);
	return true;
}

bool sink_select_and_scatter(hlo_sinker *l, const op *o)
{
	const int64_t *pad;
	sink_window(l, o, &pad);
	put_region(l, o, "select", 0);
	put_region(l, o, "scatter", 1);
	return true;
}

/* ---- collectives ----------------------------------------------------------------------------- */

static void put_sunk_channel(hlo_sinker *l, const op *o)
{
	const attr *handle = op_attr(o, N_channel_handle);
	const attr *number = handle && handle->kind == AT_STRUCT ? attr_get(handle, N_handle)
	                                                         : NULL;
	if (number && number->kind == AT_INT && number->i > 0)
		put_sunk_number(l, "channel_id", number->i);
}

/* Groups told by the axes of a mesh are written out. */
bool sink_groups(hlo_sinker *l, const op *o)
{
	group_table t;
	put_sunk_channel(l, o);
	if (replica_groups_of(l->m, o, l->mem, &t))
		return sink_fail(l, o, "a collective of groups that are not known");
	if (t.n)
		put_rows(l, "replica_groups", t.ids, (int)(t.n * t.size), t.size);
	put_flag(l, o, N_use_global_device_ids, "use_global_device_ids");
	return true;
}

bool sink_all_reduce(hlo_sinker *l, const op *o)
{
	bool good = sink_groups(l, o);
	put_region(l, o, "to_apply", 0);
	return good;
}

bool sink_all_gather(hlo_sinker *l, const op *o)
{
	put_one(l, o, "dimensions", N_all_gather_dim);
	return sink_groups(l, o);
}

bool sink_reduce_scatter(hlo_sinker *l, const op *o)
{
	put_one(l, o, "dimensions", N_scatter_dimension);
	return sink_all_reduce(l, o);
}

bool sink_all_to_all(hlo_sinker *l, const op *o)
{
	put_one(l, o, "dimensions", N_split_dimension);
	return sink_groups(l, o);
}

bool sink_ragged_all_to_all(hlo_sinker *l, const op *o)
{
	const attr *channel = custom_option(l->ctx, o, "channel_id");
	if (channel && channel->kind == AT_INT && channel->i > 0)
		put_sunk_number(l, "channel_id", channel->i);
	return sink_groups(l, o);
}

bool sink_permute(hlo_sinker *l, const op *o)
{
	int n;
	const int64_t *v = op_ints(l->m, o, N_source_target_pairs, &n);
	put_sunk_channel(l, o);
	put_rows(l, "source_target_pairs", v, n, 2);
	return true;
}

/* ---- custom calls ---------------------------------------------------------------------------- */

/* The operands' shapes in these layouts: minor to major, one list for each. */
static void put_layouts(hlo_sinker *l, const op *o)
{
	const attr *a = op_attr(o, N_operand_layouts);
	if (!a || a->kind != AT_ARRAY || a->n != o->n_operands)
		return;
	put_lit(l->at, ", operand_layout_constraints={");
	for (int i = 0; i < a->n; i++) {
		put_z(l->at, i ? ", " : "");
		sink_shape_in(l, operand(o, i)->type, a, i);
	}
	put_c(l->at, '}');
}

/* #stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0, …> */
static void put_aliases(hlo_sinker *l, const op *o)
{
	static const char *const keys[] = {"output_tuple_indices", "operand_index",
	                                   "operand_tuple_indices"};
	static const char *const around[] = {"{", "}: (", ", {"};
	const attr *a = op_attr(o, N_output_operand_aliases);
	for (int i = 0; a && a->kind == AT_ARRAY && i < a->n; i++) {
		put_z(l->at, i ? ", " : ", output_to_operand_aliasing={");
		for (int k = 0; k < 3; k++) {
			int n = 0;
			const attr *part = attr_get_named(a->list[i], name_of_z(l->ctx, keys[k]));
			const int64_t *v = part ? attr_ints(l->ctx, part, &n) : NULL;
			put_z(l->at, around[k]);
			if (part && part->kind == AT_INT)
				put_int(l->at, part->i);
			for (int d = 0; part && part->kind != AT_INT && d < n; d++)
				put_f(l->at, "%s%" PRId64, d ? "," : "", v[d]);
		}
		put_z(l->at, i + 1 == a->n ? "})}" : "})");
	}
}

/* The options of a typed call, which JAX writes apart; else the string. */
static const attr *config_of(const op *o)
{
	const attr *apart = op_attr(o, N_mhlo_backend_config);
	return apart && apart->kind == AT_DICT ? apart : op_attr(o, N_backend_config);
}

static void put_config(hlo_sinker *l, const attr *a)
{
	if (!a || (a->kind == AT_STRING && !a->text->len))
		return;
	put_lit(l->at, ", backend_config=");
	if (a->kind == AT_STRING)
		hlo_put_quoted(l->at, name_str(a->text));
	else
		mlir_print_attr(l->at, l->ctx, a);
}

static void put_called(hlo_sinker *l, const op *o)
{
	const attr *a = op_attr(o, N_called_computations);
	for (int i = 0; a && a->kind == AT_ARRAY && i < a->n; i++) {
		const op *f = a->list[i]->kind == AT_SYMBOL ? module_lookup(l->m, a->list[i]->text)
		                                            : NULL;
		const char *called = f && !func_is_declaration(f) ? sink_function(l, f) : NULL;
		if (!called)
			sink_fail(l, o, "a custom call of what is no function");
		put_f(l->at, "%s%s", i ? ", " : ", called_computations={", called ? called : "");
		put_z(l->at, i + 1 == a->n ? "}" : "");
	}
}

bool sink_custom_call(hlo_sinker *l, const op *o)
{
	enum { TYPED_FFI = 4 };
	static const char *const versions[] = {"API_VERSION_UNSPECIFIED", "API_VERSION_ORIGINAL",
	                                       "API_VERSION_STATUS_RETURNING",
	                                       "API_VERSION_STATUS_RETURNING_UNIFIED",
	                                       "API_VERSION_TYPED_FFI"};
	const attr *target = op_attr(o, N_call_target_name);
	const attr *config = config_of(o);
	bool typed = config && config->kind == AT_DICT;
	int64_t version = typed ? TYPED_FFI : op_int(o, N_api_version, 1);
	if (!target || target->kind != AT_STRING || version < 0 || version >= COUNT(versions))
		return false;
	put_lit(l->at, ", custom_call_target=");
	hlo_put_quoted(l->at, name_str(target->text));
	put_layouts(l, o);
	put_flag(l, o, N_has_side_effect, "custom_call_has_side_effect");
	put_aliases(l, o);
	if (version != 1)
		put_f(l->at, ", api_version=%s", versions[version]);
	put_called(l, o);
	put_config(l, config);
	return true;
}
