/* arguments.c - which arguments are parameters, optimizer state and inputs. */
#include "report/purpose/purpose.h"

/* ---- updates ------------------------------------------------------------------------------------------ */

void update_each(purposes *p, int i, void (*visit)(void *of, const update_step *s))
{
	update_of of = {p, i};
	updates_walk(&p->walk, operand(block_terminator(op_body(p->main)), i), visit, &of);
}

static bool goes_into(const update *u, int argument)
{
	for (int i = 0; i < u->from.len; i++)
		if (u->from.ptr[i] == argument)
			return true;
	return false;
}

static void note_step(void *user, const update_step *s)
{
	const update_of *of = user;
	purposes *p = of->p;
	update *u = &p->updates[of->result];
	u->backward |= s->backward;
	if (value_owner(s->v) != op_body(p->main) || goes_into(u, (int)s->v->index))
		return;
	vec_push(p->mem, &u->from, (int)s->v->index);
	u->written |= s->written;
}

/* ---- names -------------------------------------------------------------------------------------------- */

typedef struct tree_names {
	path *argument, *result;
} tree_names;

static tree_names tree_names_of(const purposes *p)
{
	tree_names n = {NEW_N(p->mem, path, p->n_arguments + 1), NEW_N(p->mem, path, p->n_results + 1)};
	for (int i = 0; i < p->n_arguments; i++)
		n.argument[i] = path_of(argument_path(op_body(p->named), i));
	for (int i = 0; i < p->n_results; i++)
		n.result[i] = path_of(result_path(p->named, i));
	return n;
}

static int same_end(const path *a, const path *b)
{
	int n = 0;
	while (n < a->n && n < b->n && str_eq(a->part[a->n - 1 - n], b->part[b->n - 1 - n]))
		n++;
	return n;
}

static const name *end_of_path(const purposes *p, const path *of)
{
	return name_of(p->m->ctx, of->part[of->n - 1]);
}

static bool str_is_number(tess_str s)
{
	for (size_t i = 0; i < s.len; i++)
		if (s.ptr[i] < '0' || s.ptr[i] > '9')
			return false;
	return true;
}

static const char *const parameter_words[] = {
	"params", "param", "parameters", "weights", "model", "kernel", "embedding", NULL,
};
static const char *const model_words[] = {"model", NULL};

/* Libraries keep optimizer state in trees like that of the parameters, inside a tree of their own.
 * An optimizer object may also hold the model. */
static purpose purpose_by_name(const path *p)
{
	if (path_of_optimizer(p))
		return path_has_part(p, model_words) ? FOR_OTHER : FOR_OPTIMIZER;
	return path_has_part(p, parameter_words) ? FOR_PARAMETERS : FOR_OTHER;
}

/* ---- state -------------------------------------------------------------------------------------------- */

/* Types in the global program: the next state may be sharded differently. */
static const type *whole_argument_type(const purposes *p, int i) { return op_body(p->named)->args[i]->type; }
static const type *whole_result_type(const purposes *p, int i) { return op_func(p->named)->type->out[i]; }

/* Returns the argument that a result replaces, among those it is computed from: the one with the
 * most similar path, the donated one, or else the first. */
static int replaced(const purposes *p, const tree_names *names, int i, int donor, const bool *taken)
{
	const update *u = &p->updates[i];
	int best = -1, most = -1;
	for (int k = 0; k < u->from.len; k++) {
		int a = u->from.ptr[k];
		int fit = 2 * same_end(&names->argument[a], &names->result[i]) + (a == donor);
		if (taken[a] || whole_argument_type(p, a) != whole_result_type(p, i))
			continue;
		if (fit > most || (fit == most && a < best)) {
			best = a;
			most = fit;
		}
	}
	return best;
}

/* Finds the argument that each result replaces. The next parameter is computed from parameter and
 * moments, each next moment from fewer arguments; so results with fewer arguments choose first, and
 * the parameter remains for the last. */
static void find_updates(purposes *p, const tree_names *names)
{
	const int *donor = func_donors(p->m, p->main, p->mem);
	bool *taken = NEW_N(p->mem, bool, p->n_arguments + 1);
	int most = 0;
	for (int i = 0; i < p->n_results; i++) {
		p->updates[i].argument = -1;
		update_each(p, i, note_step);
		most = p->updates[i].from.len > most ? p->updates[i].from.len : most;
	}
	VEC(int) *with = arena_zalloc(p->mem, sizeof *with * ((size_t)most + 1)); /* results by
	                                                                           * number of
	                                                                           * arguments */
	for (int i = 0; i < p->n_results; i++)
		vec_push(p->mem, &with[p->updates[i].from.len], i);
	for (int n = 1; n <= most; n++)
		for (int k = 0; k < with[n].len; k++) {
			int i = with[n].ptr[k], a = replaced(p, names, i, donor[i], taken);
			p->updates[i].argument = a;
			if (a >= 0) {
				taken[a] = true;
				p->next[a] = i;
			}
		}
}

typedef VEC(const value *) reached_values;

/* Adds to `open` where the op passes on its operand `i` without computing anything. Returns false
 * if it computes something. */
static bool only_hands_on(purposes *p, const op *o, int i, reached_values *open)
{
	if (op_has(o, CONTROL)) {
		for (int r = 0; r < op_n_regions(o); r++)
			if (op_block(o, r) && op_block(o, r)->n_args > i)
				vec_push(p->mem, open, op_block(o, r)->args[i]);
		return true;
	}
	bool moves = op_has(o, MOVES) && o->kind != OP_BROADCAST_IN_DIM;
	if (!moves && !op_has(o, COLLECTIVE | ANNOTATES | RESHARDS) &&
	    !(o->n_operands == 1 && op_goes_by_elements(o)))
		return false;
	if (p->walk.seen[o->id] == p->walk.search)
		return true;
	p->walk.seen[o->id] = p->walk.search;
	for (int k = 0; k < (int)o->n_results; k++)
		vec_push(p->mem, open, result(o, k));
	return true;
}

/* True if more than its own update is computed from a value: a product, a sum, a lookup. */
static bool is_computed_with(purposes *p, const value *start)
{
	reached_values open = {0};
	p->walk.search++;
	vec_push(p->mem, &open, start);
	while (open.len) {
		const value *v = open.ptr[--open.len];
		for (const use *u = v->uses; u; u = u->next) {
			const op *o = u->owner;
			if (!op_has(o, TERMINATOR) && !only_hands_on(p, o, use_index(u), &open) &&
			    !op_goes_by_elements(o))
				return true;
		}
	}
	return false;
}

/* True if two paths end in the same part, and it is not just a number. */
static bool is_named_alike(const path *a, const path *b)
{
	return same_end(a, b) && !str_is_number(a->part[a->n - 1]);
}

/* True if the argument's update needs state of that name in another tree, as in an optimizer. */
static bool is_mirrored(const purposes *p, const tree_names *names, int i)
{
	const update *u = &p->updates[i];
	for (int k = 0; k < u->from.len; k++) {
		int a = u->from.ptr[k];
		if (a != u->argument && p->next[a] >= 0 &&
		    (is_named_alike(&names->result[i], &names->result[p->next[a]]) ||
		     is_named_alike(&names->argument[u->argument], &names->argument[a])))
			return true;
	}
	return false;
}

static bool is_number(const type *t) { return t->rank == 0 || !type_is_tensor(t); }

static void find_parameters(purposes *p, const tree_names *names)
{
	for (int i = 0; i < p->n_results; i++) {
		const update *u = &p->updates[i];
		int a = u->argument;
		if (a < 0 || p->of_argument[a] == FOR_OPTIMIZER || is_number(whole_argument_type(p, a)) ||
		    !dtype_is_float(whole_argument_type(p, a)->dtype) || u->written)
			continue;
		if ((u->backward || is_mirrored(p, names, i)) &&
		    is_computed_with(p, op_body(p->main)->args[a]))
			p->of_argument[a] = FOR_PARAMETERS;
		else if (purpose_by_name(&names->result[i]) == FOR_PARAMETERS)
			p->of_argument[a] = FOR_PARAMETERS;
	}
}

/* State is the optimizer's if a parameter's next value is computed from it, or its own next value
 * from a parameter. */
static void find_optimizer(purposes *p)
{
	for (int i = 0; i < p->n_results; i++) {
		const update *u = &p->updates[i];
		bool of_parameter = u->argument >= 0 && p->of_argument[u->argument] == FOR_PARAMETERS;
		for (int k = 0; k < u->from.len; k++) {
			int a = u->from.ptr[k], moment = of_parameter ? a : u->argument;
			bool tied = of_parameter || p->of_argument[a] == FOR_PARAMETERS;
			if (tied && moment >= 0 && p->next[moment] >= 0 && p->of_argument[moment] == FOR_OTHER &&
			    !p->updates[p->next[moment]].written &&
			    dtype_is_float(whole_argument_type(p, moment)->dtype))
				p->of_argument[moment] = FOR_OPTIMIZER;
		}
	}
}

/* ---- inputs ------------------------------------------------------------------------------------------- */

/* Returns the first dimension of all candidates if they are arrays of one batch; -1 if there are
 * none, 0 if they differ. */
static int64_t common_dim(const purposes *p, const bool *candidate, bool integers)
{
	int64_t common = -1;
	for (int i = 0; i < p->n_arguments; i++) {
		const type *t = whole_argument_type(p, i);
		if (!candidate[i] || is_number(t) || (integers && dtype_is_float(t->dtype)))
			continue;
		common = common < 0 || common == t->dims[0] ? t->dims[0] : 0;
	}
	return common;
}

/* Among arguments that are neither state nor named as parameters, arrays of integers are inputs,
 * and so are float arrays that start with the batch dimension: the one common to the integer
 * arrays, or else to all. Except those of a type that state has: these are frozen weights. */
static void find_input_arguments(purposes *p)
{
	bool *candidate = NEW_N(p->mem, bool, p->n_arguments + 1);
	ptr_map of_state = {0};
	for (int i = 0; i < p->n_arguments; i++) {
		const type *t = whole_argument_type(p, i);
		candidate[i] = p->of_argument[i] == FOR_OTHER && p->next[i] < 0 && type_is_tensor(t);
		if (p->of_argument[i] != FOR_OTHER)
			*ptr_map_at(&of_state, p->mem, t) = p;
	}
	int64_t batch = common_dim(p, candidate, true);
	if (batch < 0)
		batch = common_dim(p, candidate, false);
	for (int i = 0; i < p->n_arguments; i++) {
		const type *t = whole_argument_type(p, i);
		if (!candidate[i])
			continue;
		if (is_number(t) || !dtype_is_float(t->dtype) ||
		    (t->dims[0] == batch && !ptr_map_get(&of_state, t)))
			p->of_argument[i] = FOR_INPUTS;
	}
}

/* Index of arguments by the last part of their path: `first` has the number of the first one + 1,
 * `next` links the others. */
typedef struct path_ends {
	ptr_map first;
	int *next;
} path_ends;

static path_ends ends_of_arguments(const purposes *p, const tree_names *names)
{
	path_ends e = {.next = NEW_N(p->mem, int, p->n_arguments + 1)};
	for (int i = p->n_arguments - 1; i >= 0; i--) {
		if (!names->argument[i].n)
			continue;
		void **first = ptr_map_at(&e.first, p->mem, end_of_path(p, &names->argument[i]));
		e.next[i] = (int)(intptr_t)*first;
		*first = (void *)(intptr_t)(i + 1);
	}
	return e;
}

/* Returns the argument with the same name and type as a result; -1 if there is none. */
static int namesake(const purposes *p, const tree_names *names, const path_ends *ends, int i)
{
	const path *of = &names->result[i];
	int best = -1, most = 0;
	if (!of->n || str_is_number(of->part[of->n - 1]))
		return -1;
	int at = (int)(intptr_t)ptr_map_get(&ends->first, end_of_path(p, of));
	for (; at; at = ends->next[at - 1]) {
		int fit = same_end(&names->argument[at - 1], of);
		if (fit > most && whole_argument_type(p, at - 1) == whole_result_type(p, i)) {
			most = fit;
			best = at - 1;
		}
	}
	return best;
}

/* A result that is no next state, but a derivative with the name and type of an argument, is a
 * gradient, and that argument is a parameter. */
static void find_returned_gradients(purposes *p, const tree_names *names)
{
	path_ends ends = ends_of_arguments(p, names);
	for (int i = 0; i < p->n_results; i++) {
		update *u = &p->updates[i];
		int a = u->argument < 0 && u->backward ? namesake(p, names, &ends, i) : -1;
		if (a < 0)
			continue;
		u->gradient = p->of_argument[a] == FOR_PARAMETERS ||
		              (p->of_argument[a] == FOR_OTHER &&
		               is_computed_with(p, op_body(p->main)->args[a]));
		if (u->gradient)
			p->of_argument[a] = FOR_PARAMETERS;
	}
}

/* ---- all arguments -------------------------------------------------------------------------- */

bool purposes_of_arguments(purposes *p)
{
	tree_names names = tree_names_of(p);
	bool any = false;
	for (int i = 0; i < p->n_arguments; i++)
		p->of_argument[i] = (uint8_t)purpose_by_name(&names.argument[i]);
	find_updates(p, &names);
	for (int i = 0; i < p->n_results; i++) {
		int a = p->updates[i].argument;
		if (a >= 0 && purpose_by_name(&names.result[i]) == FOR_OPTIMIZER)
			p->of_argument[a] = FOR_OPTIMIZER;
	}
	find_parameters(p, &names);
	find_optimizer(p);
	find_returned_gradients(p, &names);
	for (int i = 0; i < p->n_arguments; i++)
		any |= p->of_argument[i] == FOR_PARAMETERS;
	if (any)
		find_input_arguments(p);
	return any;
}
