/* generate_rare.c - rare operations: those that are expanded into others before execution, those
 * with shapes as operands, and those on other element types. */
#include "generator.h"

#include <string.h>

/* ---- float ops, also in programs of integers ------------------------------------------------ */

static bool float_term(generator *g, int min_rank, term *out)
{
	term *t = numeric(g, min_rank);
	if (!t)
		return false;
	*out = *t;
	if (t->type[0] == 'f')
		return true;
	term in = *t;
	*out = fresh(g, in.s, "f32");
	say_operation(g, "stablehlo.convert", &in, 1, NULL, NULL, out, 1);
	return true;
}

/* Writes a vector of small numbers for a dimension. */
static term small_vector(generator *g, int64_t n)
{
	term v = fresh(g, (shape){1, {n, 0, 0, 0}}, "f32"), small = fresh(g, v.s, "f32");
	say_operation(g, "stablehlo.iota", NULL, 0, "iota_dimension = 0 : i64", NULL, &v, 1);
	say_operation(g, "stablehlo.logistic", &v, 1, NULL, NULL, &small, 1);
	return small;
}

bool gen_batch_norm(generator *g)
{
	term in, x;
	char text[96];
	if (!float_term(g, 1, &in))
		return false;
	x = fresh(g, in.s, "f32");
	int d = below(g, in.s.rank);
	say_operation(g, "stablehlo.tanh", &in, 1, NULL, NULL, &x, 1);
	term scale = small_vector(g, x.s.dims[d]), other = small_vector(g, x.s.dims[d]);
	term results[3] = {fresh(g, x.s, "f32"), fresh(g, scale.s, "f32"), fresh(g, scale.s, "f32")};
	snprintf(text, sizeof text, "epsilon = 0.5 : f32, feature_index = %d : i64", d);
	switch (below(g, 3)) {
	case 0:
		say_operation(g, "stablehlo.batch_norm_training", (term[]){x, scale, other}, 3,
		              text, NULL, results, 3);
		break;
	case 1:
		say_operation(g, "stablehlo.batch_norm_grad",
		              (term[]){x, scale, other, scale, x}, 5, text, NULL, results, 3);
		break;
	default:
		say_operation(g, "stablehlo.batch_norm_inference",
		              (term[]){x, scale, other, other, scale}, 5, text, NULL, results, 1);
	}
	return true;
}

/* Converts to complex numbers and back. */
bool gen_complex(generator *g)
{
	static const char *const ends[] = {"real", "imag", "abs"};
	term in;
	char name[64];
	if (!float_term(g, 0, &in))
		return false;
	term z = fresh(g, in.s, "complex<f32>"), w = fresh(g, in.s, "complex<f32>");
	int before = g->n;
	say_operation(g, "stablehlo.complex", (term[]){in, in}, 2, NULL, NULL, &z, 1);
	say_operation(g, chance(g, 50) ? "stablehlo.add" : "stablehlo.multiply", (term[]){z, z}, 2,
	              NULL, NULL, &w, 1);
	g->n = before; /* no other step takes complex numbers */
	snprintf(name, sizeof name, "stablehlo.%s", ends[below(g, 3)]);
	return one_result(g, name, &w, 1, NULL, NULL, in.s, "f32");
}

/* Converts whole numbers to a quantized type and back. */
bool gen_quantized(generator *g)
{
	static const char *const types[] = {"!quant.uniform<i8:f32, 0.5:3>",
	                                    "!quant.uniform<u8:f32, 2.0:128>",
	                                    "!quant.uniform<i8<-100:100>:f32, 1.0>"};
	term in, x;
	const char *type = types[below(g, 3)];
	if (strcmp(g->type, "i32") != 0 || !float_term(g, 0, &in))
		return false;
	x = in;
	term q = fresh(g, x.s, type), sum = fresh(g, x.s, type);
	int before = g->n;
	say_operation(g, "stablehlo.uniform_quantize", &x, 1, NULL, NULL, &q, 1);
	say_operation(g, chance(g, 50) ? "stablehlo.add" : "stablehlo.maximum", (term[]){q, q}, 2,
	              NULL, NULL, &sum, 1);
	g->n = before;
	return one_result(g, "stablehlo.uniform_dequantize", &sum, 1, NULL, NULL, x.s, "f32");
}

/* ---- bits ---------------------------------------------------------------------------------- */

/* Bitcasts to narrower elements and one more dimension, or the reverse, and back. */
bool gen_bitcast(generator *g)
{
	static const struct {
		const char *type;
		int64_t parts;
	} narrow[] = {{"i16", 2}, {"ui8", 4}, {"f32", 1}};
	term *t = find_term(g, "i32", 0);
	if (!t || t->s.rank == MAX_RANK)
		return false;
	term in = *t, middle = fresh(g, in.s, "i64");
	if (in.s.rank && in.s.dims[in.s.rank - 1] == 2 && chance(g, 70)) {
		middle.s.rank--;
	} else {
		int i = below(g, 3);
		middle.type = narrow[i].type;
		if (narrow[i].parts > 1)
			middle.s.dims[middle.s.rank++] = narrow[i].parts;
	}
	int before = g->n;
	say_operation(g, "stablehlo.bitcast_convert", &in, 1, NULL, NULL, &middle, 1);
	g->n = before;
	return one_result(g, "stablehlo.bitcast_convert", &middle, 1, NULL, NULL, in.s, "i32");
}

/* ---- elementwise ---------------------------------------------------------------------------- */

bool gen_clamp(generator *g)
{
	term *t = numeric(g, 0);
	if (!t)
		return false;
	term in = *t, low = scalar(g, in.type, -2);
	term high = chance(g, 50) ? scalar(g, in.type, 3) : in;
	if (high.s.rank != 0 && in.s.rank == 0)
		high = low;
	return one_result(g, "stablehlo.clamp", (term[]){low, in, high}, 3, NULL, NULL, in.s,
	                  in.type);
}

bool gen_map(generator *g)
{
	term *t = numeric(g, 0);
	int64_t dims[MAX_RANK] = {0, 1, 2, 3};
	char list[96], text[128], region[512];
	if (!t)
		return false;
	term in = *t;
	snprintf(text, sizeof text, "dimensions = %s", list_text(list, sizeof list, dims, in.s.rank));
	return one_result(g, "stablehlo.map", (term[]){in, in}, 2, text,
	                  reducer_text(g, region, sizeof region, "subtract", in.type), in.s,
	                  in.type);
}

bool gen_barrier(generator *g)
{
	term *a = any_term(g), *b = any_term(g);
	term in[2] = {*a, *b};
	term out[2] = {fresh(g, a->s, a->type), fresh(g, b->s, b->type)};
	say_operation(g, "stablehlo.optimization_barrier", in, 2, NULL, NULL, out, 2);
	return true;
}

/* Writes a chlo.broadcast op: the smaller operand is repeated along dimensions it lacks. */
bool gen_broadcasting(generator *g)
{
	static const char *const ops[] = {"add", "maximum", "multiply", "subtract"};
	term *t = numeric(g, 1);
	int64_t dims[MAX_RANK];
	char list[96], text[128], name[64];
	if (!t)
		return false;
	term in = *t, row = fresh(g, (shape){0}, in.type);
	for (int d = below(g, in.s.rank + 1); d < in.s.rank; d++) {
		dims[row.s.rank] = d;
		row.s.dims[row.s.rank++] = chance(g, 30) ? 1 : in.s.dims[d];
	}
	if (!row.s.rank)
		return false;
	snprintf(text, sizeof text, "iota_dimension = %d : i64", below(g, row.s.rank));
	say_operation(g, "stablehlo.iota", NULL, 0, text, NULL, &row, 1);
	snprintf(text, sizeof text, "broadcast_dimensions = %s",
	         list_text(list, sizeof list, dims, row.s.rank));
	snprintf(name, sizeof name, "chlo.broadcast_%s", ops[below(g, 4)]);
	return one_result(g, name, (term[]){in, row}, 2, text, NULL, in.s, in.type);
}

/* ---- selecting and multiplying parts -------------------------------------------------------- */

/* Writes a top_k of the last dimension, with some of its elements or all. */
bool gen_top_k(generator *g)
{
	term *t = filled(g, 1);
	char text[64];
	if (!t)
		return false;
	term in = *t, best[2] = {fresh(g, in.s, in.type), fresh(g, in.s, "i32")};
	int64_t n = in.s.dims[in.s.rank - 1], k = chance(g, 30) ? n : 1 + below(g, (int)n);
	best[0].s.dims[in.s.rank - 1] = best[1].s.dims[in.s.rank - 1] = k;
	snprintf(text, sizeof text, "k = %" PRId64 " : i64", k);
	say_operation(g, "chlo.top_k", &in, 1, text, NULL, best, 2);
	return true;
}

bool gen_index_select(generator *g)
{
	term *t = filled(g, 1);
	char text[96];
	if (!t)
		return false;
	term in = *t;
	int d = below(g, in.s.rank);
	shape s = in.s;
	s.dims[d] = random_dim(g);
	term at = fresh(g, (shape){1, {s.dims[d], 0, 0, 0}}, "i32");
	say_operation(g, "stablehlo.iota", NULL, 0, "iota_dimension = 0 : i64", NULL, &at, 1);
	snprintf(text, sizeof text, "dim = %d : i64, batch_dims = 0 : i64", d);
	if (s.dims[d] > in.s.dims[d])
		return false;
	return one_result(g, "stablehlo.torch_index_select", (term[]){in, at}, 2, text, NULL, s,
	                  in.type);
}

bool gen_einsum(generator *g)
{
	static const struct {
		const char *config;
		int from[4], n; /* result dimensions in the operand, which is also rhs */
		bool binary;
	} forms[] = {{"ab->b", {1}, 1, false},        {"ab->ba", {1, 0}, 2, false},
	             {"ab,cb->ac", {0, 0}, 2, true},  {"ab,ac->bc", {1, 1}, 2, true},
	             {"ab,ab->a", {0}, 1, true}};
	term *t = numeric(g, 2);
	char text[64];
	if (!t || t->s.rank != 2)
		return false;
	term in = *t;
	int i = below(g, sizeof forms / sizeof *forms);
	shape s = {.rank = forms[i].n};
	for (int d = 0; d < s.rank; d++)
		s.dims[d] = in.s.dims[forms[i].from[d]];
	snprintf(text, sizeof text, "einsum_config = \"%s\"", forms[i].config);
	return one_result(g, forms[i].binary ? "stablehlo.einsum" : "stablehlo.unary_einsum",
	                  (term[]){in, in}, 1 + forms[i].binary, text, NULL, s, in.type);
}

/* Writes a product in which groups of rows are multiplied by different matrices. */
bool gen_ragged_dot(generator *g)
{
	term *t = numeric(g, 2);
	char sizes[64] = "";
	if (!t || t->s.rank != 2)
		return false;
	term in = *t, size = fresh(g, (shape){1, {2 + below(g, 3), 0, 0, 0}}, "i32");
	term rhs = fresh(g, (shape){3, {size.s.dims[0], in.s.dims[1], random_dim(g), 0}}, in.type);
	int64_t left = in.s.dims[0];
	for (int i = 0; i < size.s.dims[0]; i++) {
		int64_t n = below(g, (int)left + 1);
		left -= n;
		snprintf(sizes + strlen(sizes), sizeof sizes - strlen(sizes), "%s%" PRId64,
		         i ? ", " : "", n);
	}
	if (elements(&rhs.s) > MAX_ELEMENTS)
		return false;
	say(g, "    %s = stablehlo.constant dense<[%s]> : ", size.name, sizes);
	say_type(g, &size.s, size.type);
	say(g, "\n");
	say_operation(g, "stablehlo.iota", NULL, 0, "iota_dimension = 0 : i64", NULL, &rhs, 1);
	return one_result(
		g, "chlo.ragged_dot", (term[]){in, rhs, size}, 3,
		"ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_batching_dimensions = [], "
		"rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], "
		"rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], "
		"rhs_group_dimensions = [0]>",
		NULL, (shape){2, {in.s.dims[0], rhs.s.dims[2], 0, 0}}, in.type);
}

/* ---- shapes as operands --------------------------------------------------------------------- */

static term vector_constant(generator *g, const int64_t *v, int n)
{
	term t = fresh(g, (shape){1, {n, 0, 0, 0}}, "i32");
	say(g, "    %s = stablehlo.constant dense<[", t.name);
	for (int i = 0; i < n; i++)
		say(g, "%s%" PRId64, i ? ", " : "", v[i]);
	say(g, "]> : tensor<%dxi32>\n", n);
	return t;
}

static bool dynamic_broadcast(generator *g, const term *in)
{
	int64_t dims[MAX_RANK] = {1, 2, 3};
	char list[96], text[128];
	shape s = {.rank = in->s.rank + 1, .dims = {random_dim(g)}};
	memcpy(s.dims + 1, in->s.dims, sizeof *s.dims * (MAX_RANK - 1));
	snprintf(text, sizeof text, "broadcast_dimensions = %s",
	         list_text(list, sizeof list, dims, in->s.rank));
	if (elements(&s) > MAX_ELEMENTS)
		return false;
	term both[2] = {*in, vector_constant(g, s.dims, s.rank)};
	return one_result(g, "stablehlo.dynamic_broadcast_in_dim", both, 2, text, NULL, s, in->type);
}

static bool dynamic_pad(generator *g, const term *in)
{
	int64_t low[MAX_RANK], high[MAX_RANK], inner[MAX_RANK];
	shape s = in->s;
	for (int d = 0; d < s.rank; d++) {
		low[d] = below(g, 3);
		high[d] = below(g, 3);
		inner[d] = chance(g, 80) ? 0 : 1;
		s.dims[d] += low[d] + high[d] + (s.dims[d] - 1) * inner[d];
	}
	term all[5] = {*in, scalar(g, in->type, 2)};
	all[2] = vector_constant(g, low, s.rank);
	all[3] = vector_constant(g, high, s.rank);
	all[4] = vector_constant(g, inner, s.rank);
	return one_result(g, "stablehlo.dynamic_pad", all, 5, NULL, NULL, s, in->type);
}

static bool dynamic_bounds(generator *g, const term *in)
{
	int64_t from[MAX_RANK], to[MAX_RANK], by[MAX_RANK];
	shape s = in->s;
	for (int d = 0; d < s.rank; d++) {
		from[d] = below(g, (int)s.dims[d]);
		to[d] = from[d] + 1 + below(g, (int)(s.dims[d] - from[d]));
		by[d] = 1 + below(g, 2);
		s.dims[d] = (to[d] - from[d] + by[d] - 1) / by[d];
	}
	term all[4] = {*in, vector_constant(g, from, s.rank)};
	all[2] = vector_constant(g, to, s.rank);
	all[3] = vector_constant(g, by, s.rank);
	return one_result(g, "stablehlo.real_dynamic_slice", all, 4, NULL, NULL, s, in->type);
}

bool gen_dynamic(generator *g)
{
	term *t = filled(g, 1);
	char text[64];
	if (!t)
		return false;
	term in = *t;
	switch (below(g, 5)) {
	case 0: return in.s.rank < MAX_RANK && dynamic_broadcast(g, &in);
	case 1: return dynamic_pad(g, &in);
	case 2: return dynamic_bounds(g, &in);
	case 3: {
		shape s = {2, {elements(&in.s) / in.s.dims[0], in.s.dims[0], 0, 0}};
		return one_result(g, "stablehlo.dynamic_reshape",
		                  (term[]){in, vector_constant(g, s.dims, 2)}, 2, NULL, NULL, s,
		                  in.type);
	}
	default: {
		term s = vector_constant(g, in.s.dims, in.s.rank);
		snprintf(text, sizeof text, "iota_dimension = %d : i64", below(g, in.s.rank));
		return one_result(g, "stablehlo.dynamic_iota", &s, 1, text, NULL, in.s, in.type);
	}
	}
}
