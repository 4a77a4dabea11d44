/* generate_control.c - loops, branches, functions, manual computations. */
#include "generator.h"

#include <stdlib.h>
#include <string.h>

/* ---- loops and branches ---------------------------------------------------------------- */

bool gen_loop(generator *g)
{
	term *t = numeric(g, 0);
	if (!t || g->depth >= 2 || g->n > MAX_POOL - 30)
		return false;
	term init = *t, zero = scalar(g, "i32", 0);
	int id = g->next++;
	term results[2] = {fresh(g, (shape){0}, "i32"), fresh(g, init.s, init.type)};
	say(g, "    %s, %s = \"stablehlo.while\"(%s, %s) ({\n    ^bb0(%%i%d: tensor<i32>, %%c%d: ",
	    results[0].name, results[1].name, zero.name, init.name, id, id);
	say_type(g, &init.s, init.type);
	say(g,
	    "):\n      %%l%d = stablehlo.constant dense<%d> : tensor<i32>\n      %%p%d = stablehlo.compare LT, %%i%d, "
	    "%%l%d : (tensor<i32>, tensor<i32>) -> tensor<i1>\n      \"stablehlo.return\"(%%p%d) : (tensor<i1>) -> ()\n"
	    "    }, {\n    ^bb0(%%j%d: tensor<i32>, %%d%d: ",
	    id, 1 + below(g, 3), id, id, id, id, id, id);
	say_type(g, &init.s, init.type);
	say(g, "):\n");
	term carried = init, out;
	snprintf(carried.name, sizeof carried.name, "%%d%d", id);
	int n = g->n;
	add_to_pool(g, &carried);
	g->depth++;
	inner_steps(g, &carried, &out);
	g->depth--;
	g->n = n;
	say(g,
	    "      %%o%d = stablehlo.constant dense<1> : tensor<i32>\n      %%n%d = stablehlo.add %%j%d, %%o%d : "
	    "tensor<i32>\n      \"stablehlo.return\"(%%n%d, %s) : (tensor<i32>, ",
	    id, id, id, id, id, out.name);
	say_type(g, &init.s, init.type);
	say(g, ") -> ()\n    })");
	say_result_sharding(g, results, 2);
	say(g, " : (tensor<i32>, ");
	say_type(g, &init.s, init.type);
	say(g, ") -> (tensor<i32>, ");
	say_type(g, &init.s, init.type);
	say(g, ")\n");
	add_to_pool(g, &results[1]);
	return true;
}

/* Returns the index of a branch, a constant or an unknown value. */
static term some_index(generator *g)
{
	term *t = find_term(g, "i32", 0);
	return t && !t->s.rank && chance(g, 60) ? *t : scalar(g, "i32", below(g, 3));
}

static term a_truth(generator *g)
{
	term both[2] = {some_index(g), scalar(g, "i32", 1)}, r = fresh(g, (shape){0}, "i1");
	say(g, "    %s = stablehlo.compare LT, %s, %s : (tensor<i32>, tensor<i32>) -> tensor<i1>\n",
	    r.name, both[0].name, both[1].name);
	return r;
}

/* Writes a conditional with two branches, chosen by a boolean or an index. */
bool gen_case(generator *g)
{
	term *t = numeric(g, 0);
	if (!t || g->depth >= 2 || g->n > MAX_POOL - 30)
		return false;
	term want = *t, which, r = fresh(g, want.s, want.type), out;
	bool two = chance(g, 30);
	which = two ? a_truth(g) : some_index(g);
	say(g, "    %s = \"stablehlo.%s\"(%s) (", r.name, two ? "if" : "case", which.name);
	g->depth++;
	for (int i = 0; i < 2; i++) {
		say(g, "%s{\n", i ? ", " : "");
		inner_steps(g, &want, &out);
		say(g, "      \"stablehlo.return\"(%s) : (", out.name);
		say_type(g, &want.s, want.type);
		say(g, ") -> ()\n    }");
	}
	g->depth--;
	say(g, ")");
	say_result_sharding(g, &r, 1);
	say(g, " : (tensor<%s>) -> ", which.type);
	say_type(g, &want.s, want.type);
	say(g, "\n");
	add_to_pool(g, &r);
	return true;
}

/* ---- functions --------------------------------------------------------------------- */

/* Writes a function with one argument to g->functions, which come after @main. */
static void write_function(generator *g, const term *arg, int id, int shaped)
{
	generator f = *g;
	term in = *arg, out;
	f.text = calloc(1, MAX_TEXT);
	f.len = 0;
	f.n = 0;
	f.in_function = true;
	f.depth = 1;
	snprintf(in.name, sizeof in.name, "%%f%d", id);
	add_to_pool(&f, &in);
	say(&f, "  func.func private @f%d(%s: ", id, in.name);
	say_type(&f, &in.s, in.type);
	if (shaped) {
		say(&f, " {sdy.sharding = #sdy.sharding");
		say_sharding(&f, in.s.rank);
		say(&f, "}");
	}
	say(&f, ") -> ");
	say_type(&f, &in.s, in.type);
	say(&f, " {\n");
	inner_steps(&f, &in, &out);
	say(&f, "    \"func.return\"(%s) : (", out.name);
	say_type(&f, &in.s, in.type);
	say(&f, ") -> ()\n  }\n");
	if (g->functions_len + f.len < MAX_TEXT) {
		memcpy(g->functions + g->functions_len, f.text, f.len + 1);
		g->functions_len += f.len;
	}
	g->rng = f.rng;
	g->next = f.next;
	free(f.text);
}

static void say_call(generator *g, const term *arg, int id)
{
	term r = fresh(g, arg->s, arg->type);
	say(g, chance(g, 25) ? "    %s = \"stablehlo.composite\"(%s) <{name = \"a.b\", decomposition = @f%d}>"
	                     : "    %s = \"func.call\"(%s) <{callee = @f%d}>",
	    r.name, arg->name, id);
	say_result_sharding(g, &r, 1);
	say_types(g, arg, 1, &r, 1);
	add_to_pool(g, &r);
}

bool gen_call(generator *g)
{
	term *t = numeric(g, 0);
	if (!t || g->in_function || g->manual || g->n_functions >= 3 || g->n > MAX_POOL - 30)
		return false;
	term arg = *t, again = arg;
	int id = g->next++;
	g->n_functions++;
	if (g->functions_len > MAX_TEXT / 2)
		return false;
	write_function(g, &arg, id, chance(g, 50));
	say_call(g, &arg, id);
	again = g->pool[g->n - 1];
	if (chance(g, 50))
		say_call(g, &again, id);
	return true;
}

/* ---- manual computations ----------------------------------------------------------------- */

/* Writes a sharding that splits dimension `dim` (-1: none) along a manual axis. */
static void say_manual_sharding(generator *g, int rank, int dim, const axis_part *axis)
{
	say(g, "<@mesh, [");
	for (int d = 0; d < rank; d++)
		say(g, "%s{%s}", d ? ", " : "", d == dim ? axis->text : "");
	say(g, "]>");
}

static int divisible_dim(generator *g, const shape *s, int by)
{
	int at = below(g, s->rank);
	for (int i = 0; i < s->rank; i++)
		if (s->dims[(at + i) % s->rank] % by == 0)
			return (at + i) % s->rank;
	return -1;
}

bool gen_manual(generator *g)
{
	const axis_part *axis = &g->mesh->parts[0];
	term *t = numeric(g, 1);
	for (int i = 1; i < 12 && g->mesh->parts[i].text; i++)
		if (!strchr(g->mesh->parts[i].text, ':') && chance(g, 50))
			axis = &g->mesh->parts[i];
	unsigned bit = 1u << (axis->text[1] - 'a');
	int dim = t ? divisible_dim(g, &t->s, axis->size) : -1;
	if (dim < 0 || g->in_function || g->depth >= 2 || (g->manual & bit) || g->n > MAX_POOL - 30)
		return false;
	term in = *t, local = in, out, r;
	int id = g->next++, n = g->n;
	local.s.dims[dim] /= axis->size;
	snprintf(local.name, sizeof local.name, "%%m%d", id);
	/* The body sees only the argument and what it computes from it. */
	generator outer = *g;
	r = fresh(g, in.s, in.type);
	say(g, "    %s = sdy.manual_computation(%s) in_shardings=[", r.name, in.name);
	say_manual_sharding(g, in.s.rank, dim, axis);
	say(g, "] out_shardings=[");
	say_manual_sharding(g, in.s.rank, dim, axis);
	say(g, "] manual_axes={%s} (%s: ", axis->text, local.name);
	say_type(g, &local.s, local.type);
	say(g, ") {\n");
	g->n = 0;
	add_to_pool(g, &local);
	g->manual |= bit;
	g->depth++;
	inner_steps(g, &local, &out);
	g->depth--;
	g->manual &= ~bit;
	say(g, "      sdy.return %s : ", out.name);
	say_type(g, &local.s, local.type);
	say(g, "\n    }");
	say_types(g, &in, 1, &r, 1);
	memcpy(g->pool, outer.pool, sizeof g->pool);
	g->n = n;
	add_to_pool(g, &r);
	return true;
}
