/* generate_more.c - sharding constraints and groups, single devices, unreduced values, and
 * operations that need whole dimensions. */
#include "generator.h"

#include <string.h>

/* ---- constraints, groups, devices, unreduced values ----------------------------------------- */

bool gen_constraint(generator *g)
{
	term *t = any_term(g), r = fresh(g, t->s, t->type);
	if (chance(g, 20)) {
		static const char *const ways[] = {"NONE", "FORWARD", "BACKWARD"};
		say(g, "    %s = sdy.propagation_barrier %s allowed_direction=%s : ", r.name,
		    t->name, ways[below(g, 3)]);
	} else {
		say(g, "    %s = sdy.sharding_constraint %s ", r.name, t->name);
		say_sharding(g, t->s.rank);
		say(g, " : ");
	}
	say_type(g, &t->s, t->type);
	say(g, "\n");
	add_to_pool(g, &r);
	return true;
}

/* Puts two values of the same shape into a sharding group. */
bool gen_group(generator *g)
{
	term *a = any_term(g);
	bool said = false;
	if (g->depth || g->in_function || g->manual)
		return false;
	int id = g->next++;
	for (int i = 0; i < g->n; i++) {
		term *b = &g->pool[i];
		if (b->s.rank != a->s.rank || chance(g, 50) ||
		    memcmp(b->s.dims, a->s.dims, sizeof *a->s.dims * (size_t)a->s.rank) != 0)
			continue;
		say(g, "    sdy.sharding_group %s group_id=%d : ", b->name, id);
		say_type(g, &b->s, b->type);
		say(g, "\n");
		said = true;
	}
	return said;
}

/* Writes a value that is on one device only. */
bool gen_on_one_device(generator *g)
{
	term *t = numeric(g, 0);
	if (!t || g->in_function || g->manual || g->depth)
		return false;
	term in = *t, r = fresh(g, in.s, in.type);
	say(g,
	    "    %s = \"stablehlo.negate\"(%s) {sdy.sharding = #sdy.sharding_per_value<[<@device, []>]>}",
	    r.name, in.name);
	say_types(g, &in, 1, &r, 1);
	add_to_pool(g, &r);
	return true;
}

/* Writes a matrix product that stays unreduced along the axis that splits its contracting
 * dimension, and then its reduction. */
bool gen_pending(generator *g)
{
	const axis_part *axis = &g->mesh->parts[0];
	term *t = numeric(g, 2);
	if (!t || t->s.rank != 2 || g->manual || t->s.dims[1] * t->s.dims[1] > MAX_ELEMENTS)
		return false;
	term in = *t, split = fresh(g, in.s, in.type),
	     r = fresh(g, (shape){2, {in.s.dims[1], in.s.dims[1], 0, 0}}, in.type);
	say(g, "    %s = sdy.sharding_constraint %s <@mesh, [{%s}, {}]> : ", split.name, in.name,
	    axis->text);
	say_type(g, &in.s, in.type);
	say(g,
	    "\n    %s = \"stablehlo.dot_general\"(%s, %s) <{dot_dimension_numbers = #stablehlo.dot<"
	    "lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [0], "
	    "rhs_contracting_dimensions = [0]>}> {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}], "
	    "unreduced={%s}>]>}",
	    r.name, split.name, split.name, axis->text);
	say_types(g, (term[]){split, split}, 2, &r, 1);
	term sum = fresh(g, r.s, r.type), end = fresh(g, r.s, r.type);
	say(g,
	    "    %s = \"stablehlo.add\"(%s, %s) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}], "
	    "unreduced={%s}>]>}",
	    sum.name, r.name, r.name, axis->text);
	say_types(g, (term[]){r, r}, 2, &sum, 1);
	say(g, "    %s = sdy.sharding_constraint %s ", end.name, sum.name);
	say_sharding(g, 2);
	say(g, " : ");
	say_type(g, &r.s, r.type);
	say(g, "\n");
	add_to_pool(g, &end);
	return true;
}

/* ---- operations on whole dimensions --------------------------------------------------------- */

/* Transforms and inverts, so that values stay exact enough. */
bool gen_fft(generator *g)
{
	term *t = filled(g, 1);
	if (!t || strcmp(t->type, "f32") != 0 || t->s.dims[t->s.rank - 1] % 2)
		return false;
	term in = *t, middle;
	shape s = in.s;
	int64_t n = s.dims[s.rank - 1];
	char text[128];
	s.dims[s.rank - 1] = n / 2 + 1;
	middle = fresh(g, s, "complex<f32>");
	snprintf(text, sizeof text,
	         "fft_type = #stablehlo<fft_type RFFT>, fft_length = array<i64: %" PRId64 ">", n);
	int before = g->n;
	say_operation(g, "stablehlo.fft", &in, 1, text, NULL, &middle, 1);
	g->n = before; /* no other step takes complex numbers */
	snprintf(text, sizeof text,
	         "fft_type = #stablehlo<fft_type IRFFT>, fft_length = array<i64: %" PRId64 ">", n);
	return one_result(g, "stablehlo.fft", &middle, 1, text, NULL, in.s, "f32");
}

bool gen_rng(generator *g)
{
	static const char *const kinds[] = {"THREE_FRY", "PHILOX", "DEFAULT"};
	shape s = random_shape(g, 3);
	term state = fresh(g, (shape){1, {2, 0, 0, 0}}, "ui64"), next = fresh(g, state.s, "ui64");
	term bits = fresh(g, s, "ui32");
	char text[96];
	if (strcmp(g->type, "i32") != 0 || g->depth)
		return false;
	say(g, "    %s = stablehlo.constant dense<[%d, 7]> : tensor<2xui64>\n", state.name,
	    below(g, 100));
	snprintf(text, sizeof text, "rng_algorithm = #stablehlo<rng_algorithm %s>",
	         kinds[below(g, 3)]);
	term results[2] = {next, bits};
	int before = g->n;
	say_operation(g, "stablehlo.rng_bit_generator", &state, 1, text, NULL, results, 2);
	g->n = before;
	return one_result(g, "stablehlo.convert", &bits, 1, NULL, NULL, s, "i32");
}

/* Writes a cumulative sum, maximum or product: a window as large as the dimension. */
bool gen_cumulative(generator *g)
{
	static const char *const ops[] = {"add", "maximum", "multiply"};
	static const int inits[] = {0, -1000000, 1};
	term *t = filled(g, 1);
	if (!t)
		return false;
	term in = *t;
	int d = below(g, in.s.rank), which = below(g, in.type[0] == 'f' ? 2 : 3);
	int64_t window[MAX_RANK], n = in.s.dims[d], low = chance(g, 70) ? n - 1 : 0;
	char text[512], list[96], region[512], pads[256] = "";
	for (int i = 0; i < in.s.rank; i++)
		window[i] = i == d ? n : 1;
	for (int i = 0; i < in.s.rank; i++)
		snprintf(pads + strlen(pads), sizeof pads - strlen(pads),
		         "%s[%" PRId64 ", %" PRId64 "]", i ? ", " : "", i == d ? low : 0,
		         i == d ? n - 1 - low : 0);
	term both[2] = {in, scalar(g, in.type, inits[which])};
	snprintf(text, sizeof text,
	         "window_dimensions = %s, padding = dense<[%s]> : tensor<%dx2xi64>",
	         list_text(list, sizeof list, window, in.s.rank), pads, in.s.rank);
	return one_result(g, "stablehlo.reduce_window", both, 2, text,
	                  reducer_text(g, region, sizeof region, ops[which], in.type), in.s,
	                  in.type);
}

/* Writes a triangular solve with a unit diagonal, so that integers stay integers. */
bool gen_solve(generator *g)
{
	term *t = find_term(g, "f32", 2);
	if (!t || t->s.dims[t->s.rank - 2] > 6)
		return false;
	term b = *t, a = fresh(g, b.s, "f32");
	a.s.dims[a.s.rank - 1] = a.s.dims[a.s.rank - 2];
	char text[192];
	snprintf(text, sizeof text, "iota_dimension = %d : i64", a.s.rank - 1);
	say_operation(g, "stablehlo.iota", NULL, 0, text, NULL, &a, 1);
	snprintf(text, sizeof text,
	         "left_side = true, lower = %s, unit_diagonal = true, transpose_a = "
	         "#stablehlo<transpose NO_TRANSPOSE>",
	         chance(g, 50) ? "true" : "false");
	return one_result(g, "stablehlo.triangular_solve", (term[]){a, b}, 2, text, NULL, b.s,
	                  "f32");
}

/* Writes a custom call with a rule, or one that is known by name only. */
bool gen_custom_call(generator *g)
{
	static const char *const targets[] = {"MoveToHost", "annotate_device_placement"};
	term *t = numeric(g, 1);
	char text[128];
	if (!t)
		return false;
	term in = *t;
	snprintf(text, sizeof text, "call_target_name = \"%s\"", targets[below(g, 2)]);
	return one_result(g, "stablehlo.custom_call", &in, 1, text, NULL, in.s, in.type);
}

/* Factorizes matrices with small elements and a large diagonal, which are positive definite. */
bool gen_cholesky(generator *g)
{
	shape s = random_shape(g, 3);
	int r = s.rank;
	if (r < 2)
		return false;
	s.dims[r - 1] = s.dims[r - 2] = 1 + below(g, 6);
	term in = fresh(g, s, "f32"), small = fresh(g, in.s, "f32"), large = fresh(g, in.s, "f32");
	term row = fresh(g, in.s, "i32"), column = fresh(g, in.s, "i32");
	term diagonal = fresh(g, in.s, "i1"), a = fresh(g, in.s, "f32"), ten = scalar(g, "f32", 10);
	char text[128];
	snprintf(text, sizeof text, "iota_dimension = %d : i64", below(g, r));
	say_operation(g, "stablehlo.iota", NULL, 0, text, NULL, &in, 1);
	say_operation(g, "stablehlo.tanh", &in, 1, NULL, NULL, &small, 1);
	say_operation(g, "stablehlo.broadcast_in_dim", &ten, 1,
	              "broadcast_dimensions = array<i64>", NULL, &large, 1);
	snprintf(text, sizeof text, "iota_dimension = %d : i64", r - 2);
	say_operation(g, "stablehlo.iota", NULL, 0, text, NULL, &row, 1);
	snprintf(text, sizeof text, "iota_dimension = %d : i64", r - 1);
	say_operation(g, "stablehlo.iota", NULL, 0, text, NULL, &column, 1);
	say_operation(g, "stablehlo.compare", (term[]){row, column}, 2,
	              "comparison_direction = #stablehlo<comparison_direction EQ>", NULL, &diagonal,
	              1);
	say_operation(g, "stablehlo.select", (term[]){diagonal, large, small}, 3, NULL, NULL, &a,
	              1);
	return one_result(g, "stablehlo.cholesky", &a, 1,
	                  chance(g, 50) ? "lower = true" : "lower = false", NULL, in.s, "f32");
}

/* Writes the gradient of max pooling with windows that may overlap. */
bool gen_select_and_scatter(generator *g)
{
	term *t = filled(g, 1);
	char a[128], b[128], text[512], regions[1024], scatter[512];
	int64_t size[MAX_RANK], stride[MAX_RANK];
	if (!t || t->type[0] != 'f')
		return false;
	term in = *t, zero = scalar(g, in.type, 0), source = fresh(g, in.s, in.type);
	for (int d = 0; d < in.s.rank; d++) {
		size[d] = chance(g, 50) || in.s.dims[d] < 2 ? 1 : 2;
		stride[d] = size[d] == 1 || chance(g, 30) ? 1 : 2;
		source.s.dims[d] = (in.s.dims[d] - size[d]) / stride[d] + 1;
	}
	snprintf(text, sizeof text, "iota_dimension = %d : i64", below(g, in.s.rank));
	say_operation(g, "stablehlo.iota", NULL, 0, text, NULL, &source, 1);
	snprintf(text, sizeof text, "window_dimensions = %s, window_strides = %s",
	         list_text(a, sizeof a, size, in.s.rank),
	         list_text(b, sizeof b, stride, in.s.rank));
	int id = g->next++;
	snprintf(regions, sizeof regions,
	         "{^bb0(%%p%d: tensor<%s>, %%q%d: tensor<%s>):\n      %%r%d = \"stablehlo.compare\""
	         "(%%p%d, %%q%d) <{comparison_direction = #stablehlo<comparison_direction GE>}> : "
	         "(tensor<%s>, tensor<%s>) -> tensor<i1>\n      \"stablehlo.return\"(%%r%d) : "
	         "(tensor<i1>) -> ()\n    }, %s",
	         id, in.type, id, in.type, id, id, id, in.type, in.type, id,
	         reducer_text(g, scatter, sizeof scatter, "add", in.type));
	return one_result(g, "stablehlo.select_and_scatter", (term[]){in, source, zero}, 3, text,
	                  regions, in.s, in.type);
}
