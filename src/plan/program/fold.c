/* fold.c - which operations and arguments belong to which layer, and the program without some
 * layers.
 *
 * The sequence of operations shows which of them are repeated (periods.h), but not where a layer
 * starts: a run may start in the middle of one. The arguments show it: there are as many of one
 * class as layers, or a multiple, in the order of layers. A run is cut so that most operations that
 * use arguments of removed layers are removed, and few others. Operations that use values of an
 * earlier run, as the backward pass uses those of the forward pass, are judged by whether these
 * were removed.
 *
 * Some operations that are kept then use values that are removed. After the cut, an operation takes
 * the place of the corresponding one before the cut, so it uses what that one used. Elsewhere, such
 * as after the run, the same value of the last period before the cut is used, or of the first one
 * after it. */
#include "plan/program/fold.h"

#include <stdlib.h>

/* ---- the sequence of operations ------------------------------------------------------------------ */

typedef struct symbol_entry {
	digest key;
	int number;
} symbol_entry;

static bool symbol_is(const void *obj, const void *key)
{
	return digest_eq(((const symbol_entry *)obj)->key, *(const digest *)key);
}

/* A call is what its function computes, independent of its name. */
static digest symbol_digest(digests *content, const module *m, const op *o, ptr_map *callees)
{
	const op *callee = op_callee(m, o);
	if (!callee)
		return op_digest(content, o);
	digest **at = (digest **)ptr_map_at(callees, content->mem, callee);
	if (!*at) {
		digest d = {9, 9};
		for (const op *i = op_next(callee, callee); i; i = op_next(i, callee))
			d = digest_add(d, op_head_digest(content, i));
		*at = arena_copy(content->mem, &d, sizeof d);
	}
	return **at;
}

static int *main_symbols(const module *m, const block *b, arena *mem, int *n)
{
	digests content = {.ctx = m->ctx, .mem = mem};
	ptr_map callees = {0};
	cons_tab tab = {0};
	VEC(int) list = {0};
	int fresh = 0;
	for (const op *o = b->first; o && o != b->last; o = o->next) {
		digest d = symbol_digest(&content, m, o, &callees);
		symbol_entry *e = cons_find(&tab, d.a, symbol_is, &d);
		if (!e) {
			e = NEW(mem, symbol_entry);
			*e = (symbol_entry){d, fresh++};
			cons_add(&tab, mem, d.a, e);
		}
		vec_push(mem, &list, e->number);
	}
	*n = list.len;
	return list.ptr;
}

/* ---- how many layers -------------------------------------------------------------------------------- */

static bool run_has_layers(const period_run *r, int layers)
{
	int times = r->length / r->period;
	return times == layers || times == layers - 1;
}

static bool class_has_layers(const arg_class *c, int layers) { return c->n % layers == 0; }

/* Returns how much of the program there is if it has this many layers; 0: no argument shows that it
 * has. */
static int64_t layers_score(const fold_layers *l, const period_runs *runs, int layers)
{
	int64_t ops = 0, args = 0;
	for (int i = 0; i < runs->len; i++)
		if (run_has_layers(&runs->ptr[i], layers))
			ops += runs->ptr[i].length;
	for (int i = 0; i < l->classes.n_args; i++)
		if (class_has_layers(&l->classes.args[i], layers))
			args += l->classes.args[i].n;
	return args ? ops * (l->graph.n_args + 1) + args : 0;
}

static int count_layers(const fold_layers *l, const period_runs *runs)
{
	int layers = 0;
	int64_t best = 0;
	for (int i = 0; i < 2 * runs->len; i++) {
		const period_run *r = &runs->ptr[i / 2];
		int n = r->length / r->period + i % 2;
		int64_t score = n > 3 ? layers_score(l, runs, n) : 0;
		if (score > best || (score == best && score && n < layers)) {
			best = score;
			layers = n;
		}
	}
	return layers;
}

static void number_arg_layers(fold_layers *l, arena *mem)
{
	int n = l->graph.n_args;
	int *layer = NEW_N(mem, int, n), *twin = NEW_N(mem, int, n);
	int *seen = NEW_N(mem, int, l->classes.n_args);
	const int **first = NEW_N(mem, const int *, l->classes.n_args);
	for (int i = 0; i < n; i++) {
		int c = l->classes.of_arg[i], per = l->classes.args[c].n / l->layers;
		bool layered = per && class_has_layers(&l->classes.args[c], l->layers);
		int k = seen[c]++;
		if (!first[c])
			first[c] = NEW_N(mem, int, per + 1);
		if (layered && k < per)
			((int *)(uintptr_t)first[c])[k] = i;
		layer[i] = layered ? k / per : -1;
		twin[i] = layered ? first[c][k % per] : i;
	}
	l->layer_of_arg = layer;
	l->twins = twin;
}

static int by_start(const void *a, const void *b)
{
	return ((const period_run *)a)->start - ((const period_run *)b)->start;
}

bool fold_layers_of(module *m, arena *mem, fold_layers *out)
{
	*out = (fold_layers){0};
	if (!plan_graph_of(m, mem, &out->graph))
		return false;
	classes_find(&out->graph, mem, &out->classes);
	period_runs runs;
	const int *symbols = main_symbols(m, op_body(out->graph.main), mem, &out->n_ops);
	periods_find(symbols, out->n_ops, mem, &runs);
	out->layers = count_layers(out, &runs);
	for (int i = 0; out->layers && i < runs.len; i++) {
		if (!run_has_layers(&runs.ptr[i], out->layers))
			continue;
		vec_push(mem, &out->runs, runs.ptr[i]);
		out->covered += runs.ptr[i].length;
	}
	if (out->runs.len)
		qsort(out->runs.ptr, (size_t)out->runs.len, sizeof *out->runs.ptr, by_start);
	if (out->layers)
		number_arg_layers(out, mem);
	return true;
}

/* ---- the cuts ---------------------------------------------------------------------------------------- */

typedef struct folder {
	const fold_layers *l;
	arena *mem;
	module *m;      /* the copy */
	block *body;
	op **ops;       /* [n_ops] of main, by position */
	int *position;  /* [m->n_ops] by id; -1: not directly in main */
	int first, cut; /* number of layers that are kept before the cut, and that are removed */
	int *run_of;    /* [n_ops]; -1 */
	int *cut_at;    /* by run: the first position that is removed */
	bool *removed;  /* [n_ops] */
	value **args;   /* [arguments of the whole program] */
} folder;

static bool arg_is_removed(const folder *f, int i)
{
	int layer = f->l->layer_of_arg[i];
	return layer >= f->first && layer < f->first + f->cut;
}

/* 1: by this use, its operation is removed; -1: it is kept; 0: unknown. */
static int use_says(const folder *f, const value *v, int run)
{
	if (v->is_arg) {
		bool mains = value_owner(v) == f->body && f->l->layer_of_arg[v->index] >= 0;
		return !mains ? 0 : arg_is_removed(f, (int)v->index) ? 1 : -1;
	}
	int i = f->position[value_def(v)->id];
	if (i < 0 || f->run_of[i] < 0 || f->run_of[i] >= run)
		return 0;
	return f->removed[i] ? 1 : -1;
}

static int op_says(const folder *f, const op *o, int run)
{
	int sum = 0;
	for (const op *i = o; i; i = op_next(i, o))
		for (int k = 0; k < i->n_operands; k++)
			sum += use_says(f, operand(i, k), run);
	return sum;
}

/* Removes as many periods of the run, at the place where most operations should be removed. */
static void cut_periods(folder *f, int run)
{
	const period_run *r = &f->l->runs.ptr[run];
	int window = f->cut * r->period, sum = 0, best = INT32_MIN;
	int *says = NEW_N(f->mem, int, r->length);
	for (int i = 0; i < r->length; i++)
		says[i] = op_says(f, f->ops[r->start + i], run);
	for (int i = 0; i < r->length; i++) {
		sum += says[i];
		if (i >= window)
			sum -= says[i - window];
		if (i < window - 1 || sum <= best)
			continue;
		best = sum;
		f->cut_at[run] = r->start + i + 1 - window;
	}
	memset(f->removed + f->cut_at[run], true, (size_t)window);
}

static void start_folder(folder *f)
{
	int at = 0, n = f->l->n_ops;
	f->body = op_body(module_main_or_only(f->m));
	f->ops = NEW_N(f->mem, op *, n);
	f->position = arena_alloc(f->mem, sizeof(int) * (size_t)f->m->n_ops);
	memset(f->position, -1, sizeof(int) * (size_t)f->m->n_ops);
	for (op *o = f->body->first; o != f->body->last; o = o->next) {
		f->position[o->id] = at;
		f->ops[at++] = o;
	}
	f->run_of = arena_alloc(f->mem, sizeof(int) * (size_t)n);
	memset(f->run_of, -1, sizeof(int) * (size_t)n);
	for (int i = 0; i < f->l->runs.len; i++)
		for (int k = 0; k < f->l->runs.ptr[i].length; k++)
			f->run_of[f->l->runs.ptr[i].start + k] = i;
	f->cut_at = NEW_N(f->mem, int, f->l->runs.len);
	f->removed = NEW_N(f->mem, bool, n);
	f->args = COPY_N(f->mem, f->body->args, f->body->n_args);
}

/* ---- what stands for what is removed ------------------------------------------------------------------ */

/* Returns the position in the last period before the cut, or the first one after it, that
 * corresponds to the removed position `i`; -1: there is none. */
static int like_before(const folder *f, int i)
{
	const period_run *r = &f->l->runs.ptr[f->run_of[i]];
	int cut = f->cut_at[f->run_of[i]];
	int back = cut - r->period + (i - cut) % r->period;
	return back >= r->start ? back : -1;
}

static int like_after(const folder *f, int i)
{
	const period_run *r = &f->l->runs.ptr[f->run_of[i]];
	int cut = f->cut_at[f->run_of[i]];
	int on = cut + f->cut * r->period + (i - cut) % r->period;
	return on < r->start + r->length ? on : -1;
}

static value *like_value(const folder *f, const value *v, int user)
{
	int i = f->position[value_def(v)->id];
	int at = like_before(f, i);
	if (at < 0)
		at = like_after(f, i);
	return at >= 0 && at < user ? result(f->ops[at], (int)v->index) : NULL;
}

static bool value_is_removed(const folder *f, const value *v)
{
	if (v->is_arg)
		return value_owner(v) == f->body && arg_is_removed(f, (int)v->index);
	int i = f->position[value_def(v)->id];
	return i >= 0 && f->removed[i];
}

/* Returns what the operation at position `user`, or the return at the end, uses instead of `v`.
 * `counterpart`: what the operation whose place it takes uses, or NULL. NULL: nothing is
 * possible. */
static value *stand_in(const folder *f, value *v, int user, value *counterpart, const int *args_like)
{
	value *w = counterpart && !v->is_arg ? counterpart : v;
	if (value_is_removed(f, w) && !w->is_arg)
		w = like_value(f, v, user);
	if (w && w->is_arg && value_is_removed(f, w))
		w = f->args[args_like[w->index]];
	return w && w->type == v->type && !value_is_removed(f, w) ? w : NULL;
}

static const op *counterpart_of(const folder *f, int at)
{
	int run = f->run_of[at];
	const period_run *r = run < 0 ? NULL : &f->l->runs.ptr[run];
	if (!r || at < f->cut_at[run] + f->cut * r->period)
		return NULL;
	return f->ops[at - f->cut * r->period];
}

/* Gives an operation that is kept, and those in its regions, operands that are kept. */
static bool mend_op(folder *f, int at, const int *args_like)
{
	op *top = f->ops[at];
	const op *other_top = counterpart_of(f, at), *other = other_top;
	for (op *o = top; o; o = op_next(o, top)) {
		bool same = other && other->kind == o->kind && other->n_operands == o->n_operands;
		for (int i = 0; i < o->n_operands; i++) {
			value *v = operand(o, i);
			if (!value_is_removed(f, v))
				continue;
			value *w = stand_in(f, v, at, same ? operand(other, i) : NULL, args_like);
			if (!w)
				return false;
			op_set_operand(o, i, w);
		}
		other = other ? op_next(other, other_top) : NULL;
	}
	return true;
}

static int *all_args_like(const folder *f)
{
	const fold_layers *l = f->l;
	int n = l->graph.n_args, layer = f->first + f->cut < l->layers ? f->first + f->cut : f->first - 1;
	int *like = NEW_N(f->mem, int, n), *of_twin = NEW_N(f->mem, int, n);
	for (int i = 0; i < n; i++)
		if (l->layer_of_arg[i] == layer)
			of_twin[l->twins[i]] = i;
	for (int i = 0; i < n; i++)
		like[i] = arg_is_removed(f, i) ? of_twin[l->twins[i]] : i;
	return like;
}

/* ---- the smaller program --------------------------------------------------------------------------------- */

/* Moves the attributes and sharding of the function's result `from` to result `to`. */
static void move_result(func *f, int to, int from)
{
	f->result_attrs[to] = f->result_attrs[from];
	f->result_shardings[to] = f->result_shardings[from];
}

/* Returns the new number of each result; -1: it is removed. */
static int *leave_out_results(folder *f, func *fn, const type **out, int *n_out)
{
	op *ret = f->body->last;
	int n = ret->n_operands;
	int *number = NEW_N(f->mem, int, n);
	value **kept = NEW_N(f->mem, value *, n);
	*n_out = 0;
	for (int i = 0; i < n; i++) {
		number[i] = -1;
		if (value_is_removed(f, operand(ret, i)))
			continue;
		kept[*n_out] = operand(ret, i);
		out[*n_out] = fn->type->out[i];
		move_result(fn, *n_out, i);
		number[i] = (*n_out)++;
	}
	op_set_operands(f->m, ret, kept, *n_out);
	return number;
}

/* A donated argument refers to a result by number. */
static void renumber_donation(folder *f, attr_list *attrs, const int *results, int n_results)
{
	const name *known = name_known(f->m->ctx, N_tf_aliasing_output);
	const attr *a = attrs_get_named(attrs, known);
	if (!a || a->kind != AT_INT)
		return;
	int to = a->i >= 0 && a->i < n_results ? results[a->i] : -1;
	attrs_set(&f->m->mem, attrs, known, to < 0 ? NULL : attr_int(f->m->ctx, to, a->type));
}

static int *leave_out_args(folder *f, func *fn, const type **in, int *n_in, const int *results, int n_results)
{
	int n = f->body->n_args;
	int *number = NEW_N(f->mem, int, n);
	*n_in = 0;
	for (int i = 0; i < n; i++) {
		number[i] = -1;
		if (arg_is_removed(f, i))
			continue;
		fn->arg_attrs[*n_in] = fn->arg_attrs[i];
		renumber_donation(f, &fn->arg_attrs[*n_in], results, n_results);
		in[*n_in] = fn->type->in[i];
		number[i] = (*n_in)++;
	}
	return number;
}

static void renumber_args(folder *f, const int *number, int n_in)
{
	for (int i = 0; i < f->body->n_args; i++) {
		ASSERT(number[i] >= 0 || value_unused(f->args[i]));
		if (number[i] < 0)
			continue;
		f->body->args[number[i]] = f->args[i];
		f->args[i]->index = (uint32_t)number[i] & INDEX_MAX;
	}
	f->body->n_args = n_in;
}

/* A removed result corresponds to the result that the operation like its own gives. */
static void map_results(const folder *f, const value *const *returned, int n, int *number)
{
	int *of_op = arena_alloc(f->mem, sizeof(int) * (size_t)f->l->n_ops);
	memset(of_op, -1, sizeof(int) * (size_t)f->l->n_ops);
	for (int i = 0; i < n; i++)
		if (number[i] >= 0 && !returned[i]->is_arg && !returned[i]->index)
			of_op[f->position[value_def(returned[i])->id]] = number[i];
	for (int i = 0; i < n; i++) {
		if (number[i] >= 0 || returned[i]->is_arg)
			continue;
		int at = f->position[value_def(returned[i])->id];
		int like = like_before(f, at);
		number[i] = like >= 0 && of_op[like] >= 0 ? of_op[like] : -1;
		like = like_after(f, at);
		if (number[i] < 0 && like >= 0)
			number[i] = of_op[like];
	}
}

static int *map_ops(const folder *f)
{
	int n = 0;
	int *number = NEW_N(f->mem, int, f->l->n_ops);
	for (int i = 0; i < f->l->n_ops; i++)
		number[i] = f->removed[i] ? -1 : n++;
	for (int i = 0; i < f->l->n_ops; i++) {
		if (!f->removed[i])
			continue;
		int like = like_before(f, i);
		number[i] = number[like >= 0 ? like : like_after(f, i)];
	}
	return number;
}

/* Erases what is removed, once nothing that is kept uses it. */
static void shrink_program(folder *f, const int *args_like, folded *out)
{
	op *main = module_main_or_only(f->m);
	func *fn = op_func(main);
	int n_in, n_out, n_args = f->body->n_args, n_results = f->body->last->n_operands;
	const type **types = NEW_N(f->mem, const type *, n_args + n_results);
	const value **returned = NEW_N(f->mem, const value *, n_results);
	for (int i = 0; i < n_results; i++)
		returned[i] = operand(f->body->last, i);
	int *results = leave_out_results(f, fn, types + n_args, &n_out);
	int *args = leave_out_args(f, fn, types, &n_in, results, n_results);
	map_results(f, returned, n_results, results);
	out->op = map_ops(f);
	for (int i = f->l->n_ops; i-- > 0;)
		if (f->removed[i])
			op_erase(f->ops[i]);
	renumber_args(f, args, n_in);
	fn->type = type_list(f->m->ctx, TY_FUNCTION, types, n_in, types + n_args, n_out);
	for (int i = 0; i < n_args; i++)
		if (args[i] < 0)
			args[i] = args[args_like[i]];
	out->arg = args;
	out->result = results;
	out->n_args = n_args;
	out->n_results = n_results;
	out->n_ops = f->l->n_ops;
}

bool fold_program(const fold_layers *l, int kept, arena *mem, folded *out)
{
	if (kept < 1 || kept >= l->layers || op_attr(l->graph.m->top, N_mhlo_input_output_alias))
		return false;
	folder f = {.l = l, .mem = mem, .first = (kept + 1) / 2, .cut = l->layers - kept};
	f.m = module_clone(l->graph.m);
	start_folder(&f);
	for (int i = 0; i < l->runs.len; i++)
		cut_periods(&f, i);
	const int *args_like = all_args_like(&f);
	bool good = true;
	for (int i = 0; good && i < l->n_ops; i++)
		good = f.removed[i] || mend_op(&f, i, args_like);
	if (!good) {
		module_free(f.m);
		return false;
	}
	*out = (folded){.kept = kept};
	shrink_program(&f, args_like, out);
	out->m = module_clone(f.m); /* a clone takes no more memory than what is left needs */
	module_free(f.m);
	return true;
}
