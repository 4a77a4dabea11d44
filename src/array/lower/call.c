/* call.c - lowers operations with bodies: loops, branches, manual computations.
 *
 * Such a node's operands are its own, then the values captured by its bodies, body by body. A
 * body's parameters are the node's own operands and the body's captures. */
#include "array/control.h"
#include "array/lower/lower.h"

/* Returns the names of the parameters of body b: `own` first, then its captures. */
static int *body_names(lowering *l, const anode *n, int b, const int *own, int n_own)
{
	const afn *f = n->body[b];
	int *ids = NEW_N(&l->ctx->scratch, int, f->params.len + 1), from = captures_from(n, b);
	for (int i = 0; i < f->params.len; i++)
		ids[i] = i < n_own ? own[i] : lower_of(l, n->in[from + i - n_own]);
	return ids;
}

static int *new_names(lowering *l, int n)
{
	int *ids = NEW_N(&l->ctx->scratch, int, n + 1);
	for (int i = 0; i < n; i++)
		ids[i] = lower_name(l);
	return ids;
}

static void put_names(lowering *l, const int *ids, int n)
{
	for (int i = 0; i < n; i++)
		put_f(l->w, "%s%%%d", i ? ", " : "", ids[i]);
}

static void put_types(lowering *l, const atype *const *types, int n)
{
	for (int i = 0; i < n; i++) {
		put_z(l->w, i ? ", " : "");
		put_tensor(l, types[i]);
	}
}

static void lower_name_results(lowering *l, const anode *n, const int *ids)
{
	for (int i = 0; i < n->n_out; i++)
		lower_set(l, n->out[i], ids[i]);
}

/* Writes the types of the results, which end the operation. */
static void end_with_results(lowering *l, const anode *n, const int *ids)
{
	for (int i = 0; i < n->n_out; i++) {
		put_z(l->w, i ? ", " : "");
		put_tensor(l, n->out[i]->type);
	}
	put_lit(l->w, ")\n");
	lower_name_results(l, n, ids);
}

/* ---- loops ---------------------------------------------------------------------------------- */

/* A loop: it carries a counter, then values. */
typedef struct lowered_loop {
	lowering *l;
	int n;           /* number of carried values, including the counter */
	int *outs, *args;
	const atype **types;
	atype counter;
} lowered_loop;

static lowered_loop loop_begin(lowering *l, int n)
{
	lowered_loop p = {.l = l, .n = n + 1, .counter = {.dtype = DT_I32}};
	p.outs = new_names(l, n + 1);
	p.args = new_names(l, n + 1);
	p.types = NEW_N(&l->ctx->scratch, const atype *, n + 1);
	p.types[0] = NULL;
	return p;
}

/* Writes "%8, %9 = stablehlo.while(%3 = %1, %4 = %2) : types". */
static void loop_head(lowered_loop *p, const int *init)
{
	lowering *l = p->l;
	p->types[0] = &p->counter;
	put_lit(l->w, "  ");
	put_names(l, p->outs, p->n);
	put_lit(l->w, " = stablehlo.while(");
	for (int i = 0; i < p->n; i++)
		put_f(l->w, "%s%%%d = %%%d", i ? ", " : "", p->args[i], init[i]);
	put_lit(l->w, ") : ");
	put_types(l, p->types, p->n);
	put_lit(l->w, "\n  cond {\n");
}

static void loop_return(lowered_loop *p, const int *ids, const atype *const *types, int n)
{
	lowering *l = p->l;
	put_lit(l->w, "  stablehlo.return ");
	put_names(l, ids, n);
	put_lit(l->w, " : ");
	put_types(l, types, n);
	put_c(l->w, '\n');
}

/* Continues while the counter is less than `trips`. */
static void loop_until(lowered_loop *p, int64_t trips)
{
	lowering *l = p->l;
	atype truth = {.dtype = DT_I1};
	const atype *t = &truth;
	int most = lower_constant(l, (double)trips, &p->counter), id = lower_begin(l, "compare");
	put_f(l->w, "LT, %%%d, %%%d : (tensor<i32>, tensor<i32>) -> tensor<i1>\n", p->args[0],
	      most);
	loop_return(p, &id, &t, 1);
	put_lit(l->w, "  } do {\n");
}

static int loop_next(lowered_loop *p)
{
	int one = lower_constant(p->l, 1, &p->counter);
	return lower_pair(p->l, "add", p->args[0], one, &p->counter);
}

/* next[1], … are the values that the loop of node `n` carries into the next iteration. */
static void loop_end(lowered_loop *p, const anode *n, int *next)
{
	next[0] = loop_next(p);
	loop_return(p, next, p->types, p->n);
	put_lit(p->l->w, "  }\n");
	lower_name_results(p->l, n, p->outs + 1);
}

/* Reads the element of xs at the counter. */
static int scan_element_at(lowering *l, int xs, const atype *t, const atype *element, int at)
{
	atype row = *t;
	row.dim[0] = 1;
	int zero = t->rank > 1 ? lower_constant(l, 0, &(atype){.dtype = DT_I32}) : 0;
	int id = lower_begin(l, "dynamic_slice");
	put_f(l->w, "%%%d, %%%d", xs, at);
	for (int d = 1; d < t->rank; d++)
		put_f(l->w, ", %%%d", zero);
	put_lit(l->w, ", sizes = ");
	lower_ints(l, row.dim, row.rank);
	put_lit(l->w, " : (");
	put_tensor(l, t);
	for (int d = 0; d < t->rank; d++)
		put_lit(l->w, ", tensor<i32>");
	put_lit(l->w, ") -> ");
	put_tensor(l, &row);
	put_c(l->w, '\n');
	return lower_reshape_to(l, id, &row, element);
}

static int scan_put_element(lowering *l, int ys, const atype *t, int y, const atype *element,
                            int at)
{
	atype row = *t;
	row.dim[0] = 1;
	int wide = lower_reshape_to(l, y, element, &row);
	int zero = t->rank > 1 ? lower_constant(l, 0, &(atype){.dtype = DT_I32}) : 0;
	int id = lower_begin(l, "dynamic_update_slice");
	put_f(l->w, "%%%d, %%%d, %%%d", ys, wide, at);
	for (int d = 1; d < t->rank; d++)
		put_f(l->w, ", %%%d", zero);
	put_lit(l->w, " : (");
	put_tensor(l, t);
	put_lit(l->w, ", ");
	put_tensor(l, &row);
	for (int d = 0; d < t->rank; d++)
		put_lit(l->w, ", tensor<i32>");
	put_lit(l->w, ") -> ");
	put_tensor(l, t);
	put_c(l->w, '\n');
	return id;
}

/* Returns the index of this iteration, from the end if reversed. */
static int round_of_scan(lowered_loop *p, int64_t length, bool reverse)
{
	if (!reverse)
		return p->args[0];
	int last = lower_constant(p->l, (double)(length - 1), &p->counter);
	return lower_pair(p->l, "subtract", last, p->args[0], &p->counter);
}

/* Without iterations, carries are returned unchanged, and nothing is stacked. */
static bool lower_no_rounds(lowering *l, const anode *n, int n_carry)
{
	for (int i = 0; i < n->n_out; i++)
		lower_set(l, n->out[i], i < n_carry ? lower_of(l, n->in[i])
		                                    : lower_constant(l, 0, n->out[i]->type));
	return true;
}

/* Carries the carries, then the stacked results, which are filled element by element. */
static bool lower_scan(lowering *l, const anode *n)
{
	const afn *f = n->body[0];
	int n_carry = (int)param_int(n->attrs, "num_carry", 0), n_own = f->n_explicit;
	int64_t length = param_int(n->attrs, "length", 0);
	bool reverse = param_int(n->attrs, "reverse", 0);
	if (!length)
		return lower_no_rounds(l, n, n_carry);
	lowered_loop p = loop_begin(l, n->n_out);
	int *init = NEW_N(&l->ctx->scratch, int, p.n),
	    *own = NEW_N(&l->ctx->scratch, int, n_own + 1);
	init[0] = lower_constant(l, 0, &p.counter);
	for (int i = 0; i < n->n_out; i++) {
		p.types[i + 1] = n->out[i]->type;
		init[i + 1] = i < n_carry ? lower_of(l, n->in[i])
		                          : lower_constant(l, 0, n->out[i]->type);
	}
	loop_head(&p, init);
	loop_until(&p, length);
	int at = round_of_scan(&p, length, reverse);
	for (int i = 0; i < n_own; i++)
		own[i] = i < n_carry ? p.args[i + 1]
		                     : scan_element_at(l, lower_of(l, n->in[i]), n->in[i]->type,
		                                       f->params.ptr[i]->type, at);
	if (!lower_body(l, f, body_names(l, n, 0, own, n_own)))
		return false;
	int *next = NEW_N(&l->ctx->scratch, int, p.n);
	for (int i = 0; i < n->n_out; i++) {
		int v = lower_of(l, f->outs.ptr[i]);
		next[i + 1] = i < n_carry ? v
		                          : scan_put_element(l, p.args[i + 1], n->out[i]->type, v,
		                                             f->outs.ptr[i]->type, at);
	}
	loop_end(&p, n, next);
	return true;
}

/* The condition is a body, or a number of iterations. */
static bool lower_while(lowering *l, const anode *n)
{
	lowered_loop p = loop_begin(l, n->n_out);
	int *init = NEW_N(&l->ctx->scratch, int, p.n), *next = NEW_N(&l->ctx->scratch, int, p.n);
	init[0] = lower_constant(l, 0, &p.counter);
	for (int i = 0; i < n->n_out; i++) {
		p.types[i + 1] = n->out[i]->type;
		init[i + 1] = lower_of(l, n->in[i]);
	}
	loop_head(&p, init);
	if (n->n_bodies > 1) {
		if (!lower_body(l, n->body[1], body_names(l, n, 1, p.args + 1, n->n_out)))
			return false;
		lower_return(l, n->body[1], "stablehlo.return");
		put_lit(l->w, "  } do {\n");
	} else {
		loop_until(&p, param_int(n->attrs, "trips", 0));
	}
	if (!lower_body(l, n->body[0], body_names(l, n, 0, p.args + 1, n->n_out)))
		return false;
	for (int i = 0; i < n->n_out; i++)
		next[i + 1] = lower_of(l, n->body[0]->outs.ptr[i]);
	loop_end(&p, n, next);
	return true;
}

/* ---- branches -------------------------------------------------------------------------------- */

/* Returns the index of a branch. A boolean selects the first of two branches if true; an index out
 * of range is clamped. */
static int branch_number(lowering *l, const anode *n)
{
	atype index = {.dtype = DT_I32};
	int id = lower_of(l, n->in[0]);
	if (n->in[0]->type->dtype == DT_I1) {
		int no = lower_begin(l, "not");
		put_f(l->w, "%%%d : tensor<i1>\n", id);
		return lower_convert_to(l, no, n->in[0]->type, DT_I32);
	}
	id = lower_convert_to(l, id, n->in[0]->type, DT_I32);
	int low = lower_constant(l, 0, &index), high = lower_constant(l, n->n_bodies - 1, &index);
	return lower_pair(l, "minimum", lower_pair(l, "maximum", id, low, &index), high, &index);
}

static bool lower_cond(lowering *l, const anode *n)
{
	int at = branch_number(l, n), n_own = n->body[0]->n_explicit;
	int *outs = new_names(l, n->n_out), *own = NEW_N(&l->ctx->scratch, int, n_own + 1);
	for (int i = 0; i < n_own; i++)
		own[i] = lower_of(l, n->in[i + 1]);
	put_lit(l->w, "  ");
	put_names(l, outs, n->n_out);
	put_f(l->w, "%s\"stablehlo.case\"(%%%d) (", n->n_out ? " = " : "", at);
	for (int b = 0; b < n->n_bodies; b++) {
		put_z(l->w, b ? ", {\n" : "{\n");
		if (!lower_body(l, n->body[b], body_names(l, n, b, own, n_own)))
			return false;
		lower_return(l, n->body[b], "stablehlo.return");
		put_lit(l->w, "  }");
	}
	put_lit(l->w, ") : (tensor<i32>) -> (");
	end_with_results(l, n, outs);
	return true;
}

/* Lowers the function itself; the backward function was for derivatives. */
static bool lower_custom_vjp(lowering *l, const anode *n)
{
	const afn *f = n->body[0];
	int *own = NEW_N(&l->ctx->scratch, int, f->n_explicit + 1);
	for (int i = 0; i < f->n_explicit; i++)
		own[i] = lower_of(l, n->in[i]);
	if (!lower_body(l, f, body_names(l, n, 0, own, f->n_explicit)))
		return false;
	for (int i = 0; i < n->n_out; i++)
		lower_set(l, n->out[i], lower_of(l, f->outs.ptr[i]));
	return true;
}

/* ---- manual computations --------------------------------------------------------------------- */

/* Writes the sharding of an operand: first along manual axes, then along others in its type. */
static void put_manual_sharding(lowering *l, const anode *n, axis_set manual, const atype *whole,
                                const axis_seq *cut, axis_set unreduced)
{
	const amesh *m = n->mesh;
	axis_set used = unreduced;
	axis_seq dim[ARRAY_MAX_RANK];
	bool open = manual != (((axis_set)1 << m->n) - 1);
	for (int d = 0; d < whole->rank; d++) {
		dim[d] = cut[d];
		used |= axis_seq_set(cut[d]);
	}
	put_spec_sharding(l, m, dim, whole->rank, open, manual & ~used, unreduced);
}

static void put_manual_shardings(lowering *l, const anode *n, const char *key, axis_set manual,
                                 bool in)
{
	const axis_seq *cuts = in ? n->in_cut : n->out_cut;
	int count = in ? n->n_in : n->n_out;
	put_f(l->w, "%s=[", key);
	for (int i = 0; i < count; i++) {
		const atype *whole = in ? n->in[i]->type : n->out[i]->type;
		put_z(l->w, i ? ", " : "");
		put_manual_sharding(l, n, manual, whole, cuts + i * ARRAY_MAX_RANK,
		                    whole->unreduced & manual);
	}
	put_lit(l->w, "] ");
}

static bool lower_shard_map(lowering *l, const anode *n)
{
	const afn *f = n->body[0];
	int *outs = new_names(l, n->n_out), *args = new_names(l, n->n_in);
	axis_set manual = f->manual;
	put_lit(l->w, "  ");
	put_names(l, outs, n->n_out);
	put_f(l->w, "%ssdy.manual_computation(", n->n_out ? " = " : "");
	for (int i = 0; i < n->n_in; i++)
		put_f(l->w, "%s%%%d", i ? ", " : "", lower_of(l, n->in[i]));
	put_lit(l->w, ") ");
	put_manual_shardings(l, n, "in_shardings", manual, true);
	put_manual_shardings(l, n, "out_shardings", manual, false);
	put_lit(l->w, "manual_axes=");
	put_axis_braces(l, n->mesh, axis_seq_of_set(n->mesh, manual), false);
	put_lit(l->w, " (");
	for (int i = 0; i < n->n_in; i++) {
		put_f(l->w, "%s%%%d: ", i ? ", " : "", args[i]);
		put_tensor(l, f->params.ptr[i]->type);
	}
	put_lit(l->w, ") {\n");
	if (!lower_body(l, f, args))
		return false;
	lower_return(l, f, "sdy.return");
	put_lit(l->w, "  } : (");
	for (int i = 0; i < n->n_in; i++) {
		put_z(l->w, i ? ", " : "");
		put_tensor(l, n->in[i]->type);
	}
	put_lit(l->w, ") -> (");
	end_with_results(l, n, outs);
	return true;
}

const lower_row lower_call_rows[] = {
	{"scan", lower_scan, ""},
	{"while", lower_while, ""},
	{"cond", lower_cond, ""},
	{"custom_vjp", lower_custom_vjp, ""},
	{"shard_map", lower_shard_map, ""},
	{NULL, NULL, NULL},
};
