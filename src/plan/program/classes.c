/* classes.c - finds classes by two rounds of comparing neighbors (Weisfeiler, Leman). */
#include "plan/program/classes.h"

#include <stdlib.h>

enum { CLASS_ROUNDS = 2 };

typedef struct classifier {
	const plan_graph *g;
	arena *mem;
	digests content;
	digest *op, *next; /* [n_ops] */
	digest *arg;       /* [n_args] */
	const char **place; /* [n_args] */
	digest *pairs;     /* room for the users of one value */
} classifier;

/* ---- places in the user's tree ------------------------------------------------------------------ */

static size_t decimals_at(tess_str s, size_t i)
{
	size_t n = 0;
	while (i + n < s.len && s.ptr[i + n] >= '0' && s.ptr[i + n] <= '9')
		n++;
	return n;
}

/* Returns "result[1]['layers'][12]['Dense_3']" without layer numbers ([12] and _3); the number of
 * the result itself is kept. */
static const char *place_without_numbers(arena *mem, tess_str s)
{
	writer w;
	writer_init(&w, mem);
	size_t i = 0;
	if (str_starts(s, "result["))
		for (; i < s.len && s.ptr[i] != ']'; i++)
			put_c(&w, s.ptr[i]);
	for (; i < s.len; i++) {
		put_c(&w, s.ptr[i]);
		size_t n = s.ptr[i] == '[' || s.ptr[i] == '_' ? decimals_at(s, i + 1) : 0;
		char end = i + 1 + n < s.len ? s.ptr[i + 1 + n] : 0;
		if (!n || (s.ptr[i] == '[' ? end != ']' : end != '\'' && end != '/' && end))
			continue;
		put_c(&w, '*');
		i += n;
	}
	return writer_z(&w);
}

static const char *place_of_attr(arena *mem, const attr *a)
{
	return a && a->text && (a->kind == AT_STRING || a->kind == AT_LOC_NAME)
	               ? place_without_numbers(mem, name_str(a->text))
	               : "";
}

static void find_places(classifier *c)
{
	const plan_graph *g = c->g;
	const func *f = op_func(g->main);
	c->place = NEW_N(c->mem, const char *, g->n_args);
	for (int i = 0; i < g->n_args; i++)
		c->place[i] = place_of_attr(c->mem, value_loc(op_body(g->main)->args[i]));
	for (int i = 0; i < g->n_results; i++) {
		const attr *a = attrs_get(&f->result_attrs[i], N_jax_result_info);
		if (g->arg_of_result[i] >= 0 && a)
			c->place[g->arg_of_result[i]] = place_of_attr(c->mem, a);
	}
}

/* ---- rounds ------------------------------------------------------------------------------------- */

static digest source_digest(const classifier *c, const graph_use *u)
{
	if (u->from == GRAPH_NOWHERE)
		return (digest){5, 5};
	return u->from < 0 ? c->arg[-1 - u->from] : digest_mix(c->op[u->from], (uint64_t)u->result);
}

static int by_digest(const void *a, const void *b)
{
	return digest_cmp(*(const digest *)a, *(const digest *)b);
}

/* Returns the digest of a value's users as a set: how many there are of a kind does not matter. */
static digest users_digest(classifier *c, digest d, const int *users, int n)
{
	const plan_graph *g = c->g;
	for (int i = 0; i < n; i++) {
		const graph_use *u = &g->uses[users[i]];
		int state = u->to < 0 ? g->arg_of_result[-1 - u->to] : 0;
		digest user = u->to >= 0 ? c->op[u->to]
		              : state >= 0 ? digest_mix(c->arg[state], 6)
		                           : (digest){7, 7};
		c->pairs[i] = digest_mix(digest_mix(user, (uint64_t)u->operand), (uint64_t)u->result);
	}
	qsort(c->pairs, (size_t)n, sizeof *c->pairs, by_digest);
	for (int i = 0; i < n; i++)
		if (!i || !digest_eq(c->pairs[i], c->pairs[i - 1]))
			d = digest_add(d, c->pairs[i]);
	return digest_mix(d, 8);
}

static void one_round(classifier *c)
{
	const plan_graph *g = c->g;
	for (int i = 0; i < g->n_ops; i++) {
		const graph_op *o = &g->ops[i];
		digest d = c->op[i];
		for (int k = 0; k < o->n_uses; k++)
			d = digest_add(d, source_digest(c, &g->uses[o->uses + k]));
		c->next[i] = users_digest(c, d, g->users + o->users, o->n_users);
	}
	for (int i = 0; i < g->n_args; i++)
		if (!c->place[i][0])
			c->arg[i] = users_digest(c, c->arg[i], g->arg_users + g->arg_first[i],
			                         g->arg_first[i + 1] - g->arg_first[i]);
	digest *old = c->op;
	c->op = c->next;
	c->next = old;
}

static void start_rounds(classifier *c)
{
	const plan_graph *g = c->g;
	c->op = NEW_N(c->mem, digest, g->n_ops);
	c->next = NEW_N(c->mem, digest, g->n_ops);
	c->arg = NEW_N(c->mem, digest, g->n_args);
	c->pairs = NEW_N(c->mem, digest, g->n_uses);
	for (int i = 0; i < g->n_ops; i++) {
		const op *o = g->ops[i].o;
		c->op[i] = op_has(o, CONTROL) ? op_head_digest(&c->content, o)
		                              : op_digest(&c->content, o);
		c->op[i] = digest_mix(c->op[i], (uint64_t)g->ops[i].times);
	}
	for (int i = 0; i < g->n_args; i++) {
		const value *v = op_body(g->main)->args[i];
		digest d = digest_add(type_digest(&c->content, v->type),
		                      sharding_digest(&c->content, v->sharding));
		c->arg[i] = digest_bytes(d, c->place[i], strlen(c->place[i]));
	}
}

/* ---- numbers -------------------------------------------------------------------------------------- */

typedef struct class_entry {
	digest key;
	int number;
} class_entry;

static bool class_entry_is(const void *obj, const void *key)
{
	return digest_eq(((const class_entry *)obj)->key, *(const digest *)key);
}

/* Returns the number of the class, which is `fresh` if it is new. */
static int class_number(cons_tab *t, arena *mem, digest key, int fresh)
{
	const class_entry *found = cons_find(t, key.a, class_entry_is, &key);
	if (found)
		return found->number;
	class_entry *made = NEW(mem, class_entry);
	*made = (class_entry){key, fresh};
	cons_add(t, mem, key.a, made);
	return fresh;
}

static void number_op_classes(const classifier *c, plan_classes *out)
{
	VEC(op_class) list = {0};
	cons_tab tab = {0};
	int *of = NEW_N(c->mem, int, c->g->n_ops);
	for (int i = 0; i < c->g->n_ops; i++) {
		of[i] = class_number(&tab, c->mem, c->op[i], list.len);
		if (of[i] == list.len)
			vec_push(c->mem, &list, (op_class){.first = i, .key = c->op[i]});
		list.ptr[of[i]].n++;
		list.ptr[of[i]].times += c->g->ops[i].times;
	}
	out->ops = list.ptr;
	out->n_ops = list.len;
	out->of_op = of;
}

static void number_arg_classes(const classifier *c, plan_classes *out)
{
	VEC(arg_class) list = {0};
	cons_tab tab = {0};
	int *of = NEW_N(c->mem, int, c->g->n_args);
	for (int i = 0; i < c->g->n_args; i++) {
		of[i] = class_number(&tab, c->mem, c->arg[i], list.len);
		if (of[i] == list.len)
			vec_push(c->mem, &list,
			         (arg_class){.first = i, .place = c->place[i], .key = c->arg[i]});
		list.ptr[of[i]].n++;
	}
	out->args = list.ptr;
	out->n_args = list.len;
	out->of_arg = of;
}

void classes_find(const plan_graph *g, arena *mem, plan_classes *out)
{
	classifier c = {.g = g, .mem = mem, .content = {.ctx = g->m->ctx, .mem = mem}};
	find_places(&c);
	start_rounds(&c);
	out->alone = COPY_N(mem, c.op, g->n_ops);
	for (int i = 0; i < CLASS_ROUNDS; i++)
		one_round(&c);
	number_op_classes(&c, out);
	number_arg_classes(&c, out);
}
