/* values.c - what the values inside a program are held for. */
#include "report/purpose/purpose.h"

static const struct { const char *word, *key; } purpose_words[PURPOSES] = {
	[FOR_OTHER] = {"other", "other"},
	[FOR_PARAMETERS] = {"parameters", "parameters"},
	[FOR_OPTIMIZER] = {"optimizer state", "optimizer_state"},
	[FOR_GRADIENTS] = {"gradients", "gradients"},
	[FOR_ACTIVATIONS] = {"activations", "activations"},
	[FOR_INPUTS] = {"inputs", "inputs"},
	[FOR_OUTPUTS] = {"outputs", "outputs"},
	[FOR_COMMUNICATION] = {"communication buffers", "communication"},
};
const char *purpose_word(purpose p) { return purpose_words[p].word; }
const char *purpose_key(purpose p) { return purpose_words[p].key; }

/* ---- gradients ---------------------------------------------------------------------------------------- */

/* Marks an update's values as gradients, up to the product or sum that yields a derivative. */
static void mark_gradient(void *user, const update_step *s)
{
	purposes *p = ((const update_of *)user)->p;
	if (value_def(s->v) && !value_def_has(s->v, CONSTANT))
		p->of_value[s->v->id] = FOR_GRADIENTS;
	else if (s->v->is_arg && value_owner(s->v) != op_body(p->main))
		p->of_value[s->v->id] = FOR_GRADIENTS; /* a loop's accumulator */
}

static bool is_trained(const purposes *p, const update *u)
{
	int a = u->argument;
	return u->gradient || (a >= 0 && (p->of_argument[a] == FOR_PARAMETERS ||
	                                  p->of_argument[a] == FOR_OPTIMIZER));
}

static void mark_gradients(purposes *p)
{
	for (int i = 0; i < p->n_results; i++)
		if (is_trained(p, &p->updates[i]))
			update_each(p, i, mark_gradient);
}

/* ---- which arguments a value is computed from ----------------------------------------------- */

enum { OF_DATA = 1, OF_PARAMETERS = 2, OF_STATE = 4, OF_OTHER = 8 };

static uint8_t sources_of_argument(purpose p)
{
	switch (p) {
	case FOR_INPUTS: return OF_DATA;
	case FOR_PARAMETERS: return OF_PARAMETERS;
	case FOR_OPTIMIZER: return OF_STATE;
	default: return OF_OTHER;
	}
}

static uint8_t sources_in(const purposes *p, const block *b, uint8_t *of, int depth);

static uint8_t sources_of_operands(const op *o, const uint8_t *of)
{
	uint8_t all = 0;
	for (int i = 0; i < o->n_operands; i++)
		all |= of[operand(o, i)->id];
	return all;
}

/* What a loop carries is computed from its initial values and from what its body yields; the body
 * is visited until nothing changes any more. */
static void sources_of_loop(const purposes *p, const op *o, uint8_t *of, int depth)
{
	enum { MOST = 4, DEEP = 4 }; /* nested deeper than that, bodies are visited once */
	int most = depth < DEEP ? MOST : 1;
	for (int i = 0; i < o->n_operands; i++)
		of[result(o, i)->id] = of[operand(o, i)->id];
	for (int n = 0, changed = 1; changed && n < most; n++) {
		changed = 0;
		for (int r = 0; r < op_n_regions(o); r++) {
			const block *b = op_block(o, r);
			const op *end = b ? block_terminator(b) : NULL;
			for (int i = 0; b && i < b->n_args && i < (int)o->n_results; i++)
				of[b->args[i]->id] = of[result(o, i)->id];
			if (b)
				sources_in(p, b, of, depth + 1);
			for (int i = 0; end && end->n_operands == (int)o->n_results && i < end->n_operands; i++) {
				uint8_t now = of[result(o, i)->id] | of[operand(end, i)->id];
				changed |= now != of[result(o, i)->id];
				of[result(o, i)->id] = now;
			}
		}
	}
}

static void sources_of_op(const purposes *p, const op *o, uint8_t *of, int depth)
{
	if (op_has(o, CONTROL) && o->n_operands == (int)o->n_results) {
		sources_of_loop(p, o, of, depth);
		return;
	}
	uint8_t all = sources_of_operands(o, of);
	for (int r = 0; r < op_n_regions(o); r++)
		if (op_block(o, r) && op_has(o, CONTROL))
			all |= sources_in(p, op_block(o, r), of, depth + 1);
	for (int i = 0; i < (int)o->n_results; i++)
		of[result(o, i)->id] = all;
}

/* Returns the sources of what the block yields. */
static uint8_t sources_in(const purposes *p, const block *b, uint8_t *of, int depth)
{
	enum { DEEPEST = 60 };
	if (depth > DEEPEST || !b->last)
		return 0;
	for (const op *o = b->first; o; o = o->next)
		sources_of_op(p, o, of, depth);
	return sources_of_operands(b->last, of);
}

/* ---- the purpose of each value -------------------------------------------------------------- */

static purpose purpose_of_made(const op *o, bool gradient, uint8_t sources)
{
	if (op_has(o, COLLECTIVE) && !op_n_regions(o))
		return FOR_COMMUNICATION;
	return gradient              ? FOR_GRADIENTS
	       : sources & OF_DATA   ? FOR_ACTIVATIONS
	       : sources == OF_PARAMETERS ? FOR_PARAMETERS
	                             : FOR_OTHER;
}

/* A value made of constants alone is held for what is computed from it. */
static void find_constants(purposes *p, const block *b, const uint8_t *sources)
{
	for (const op *o = b->last; o; o = o->prev) {
		for (int r = 0; r < op_n_regions(o); r++)
			if (op_block(o, r) && op_has(o, CONTROL))
				find_constants(p, op_block(o, r), sources);
		for (int i = 0; i < (int)o->n_results; i++) {
			const value *v = result(o, i);
			const op *user = v->uses ? v->uses->owner : NULL;
			int at = user && op_has(user, CONTROL) ? use_index(v->uses) : 0;
			if (user && !sources[v->id] && p->of_value[v->id] == FOR_OTHER && at < (int)user->n_results)
				p->of_value[v->id] = p->of_value[result(user, at)->id];
		}
	}
}

static purpose purpose_of_result(const purposes *p, int i, bool gradient)
{
	int a = p->updates[i].argument;
	if (a >= 0)
		return p->of_argument[a];
	return p->updates[i].gradient && gradient ? FOR_GRADIENTS : FOR_OUTPUTS;
}

static void find_purposes(purposes *p, const uint8_t *sources)
{
	const block *b = op_body(p->main);
	const op *end = block_terminator(b);
	for (const op *o = p->main; o; o = op_next(o, p->main))
		for (int i = 0; i < (int)o->n_results; i++) {
			uint32_t id = result(o, i)->id;
			p->of_value[id] = (uint8_t)purpose_of_made(
				o, p->of_value[id] == FOR_GRADIENTS, sources[id]);
		}
	find_constants(p, b, sources);
	for (int i = 0; i < p->n_results; i++) {
		uint8_t *of = &p->of_value[operand(end, i)->id];
		*of = (uint8_t)purpose_of_result(p, i, *of == FOR_GRADIENTS);
	}
	for (int i = 0; i < b->n_args; i++)
		p->of_value[b->args[i]->id] = p->of_argument[i];
}

bool purposes_of(const module *m, const module *named, arena *mem, purposes *out)
{
	const op *main = module_main(m), *other = module_main(named);
	*out = (purposes){.m = m, .main = main, .named = other, .mem = mem};
	if (!main || func_is_declaration(main) || !other || func_is_declaration(other))
		return false;
	const block *b = op_body(main);
	out->n_arguments = b->n_args;
	out->n_results = op_func(main)->type->n_out;
	if (b->next || !b->last || b->last->n_operands != out->n_results ||
	    op_body(other)->n_args != b->n_args || op_func(other)->type->n_out != out->n_results)
		return false;
	out->of_argument = NEW_N(mem, uint8_t, b->n_args + 1);
	out->of_value = NEW_N(mem, uint8_t, m->n_values + 1);
	out->updates = NEW_N(mem, update, out->n_results + 1);
	out->next = NEW_N(mem, int, b->n_args + 1);
	for (int i = 0; i < b->n_args; i++)
		out->next[i] = -1;
	out->walk = update_walk_of(m, mem);
	if (!purposes_of_arguments(out))
		return false;
	mark_gradients(out);
	uint8_t *sources = NEW_N(mem, uint8_t, m->n_values + 1);
	for (int i = 0; i < b->n_args; i++)
		sources[b->args[i]->id] = sources_of_argument(out->of_argument[i]);
	sources_in(out, b, sources, 0);
	find_purposes(out, sources);
	return true;
}
