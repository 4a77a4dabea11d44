/* regions.c - parses regions and blocks.
 *
 *   region ::= '{' op* (label op*)* '}'
 *   label  ::= '^' name ('(' args ')')? ':'
 *   args   ::= value ':' type dict? loc? (',' …)* */
#include "mlir/read/read.h"

static const sharding *take_sharding(reader *r, int base)
{
	for (int i = base; i < r->attr_stack.len; i++) {
		named_attr a = r->attr_stack.ptr[i];
		if (!name_is(a.name, N_sdy_sharding) || a.value->kind != AT_SHARDING)
			continue;
		r->attr_stack.len--;
		memmove(&r->attr_stack.ptr[i], &r->attr_stack.ptr[i + 1],
		        sizeof a * (size_t)(r->attr_stack.len - i));
		return a.value->sharding;
	}
	return NULL;
}

region_arg read_region_arg(reader *r)
{
	region_arg a = {.at = tok_place(r)};
	a.name = read_value_name(r);
	read_expect(r, ':');
	a.type = read_type(r);
	if (r->tok == '{') {
		int base = r->attr_stack.len;
		bool noting = notes_pause(r);
		read_attr_dict(r);
		notes_go_on(r, noting);
		a.sharding = take_sharding(r, base);
	}
	a.loc = read_trailing_loc(r);
	return a;
}

static void define_args(reader *r, block *b, const region_arg *args, int n)
{
	for (int i = 0; i < n && !r->failed; i++) {
		value *v = block_add_arg(r->m, b, args[i].type);
		arg_set_loc(v, args[i].loc);
		if (r->built)
			name_value(r, v, args[i].name);
		else
			value_arg(v)->at = args[i].at.begin;
		v->sharding = args[i].sharding;
		scope_define(r, args[i].name, v, 1, args[i].at);
	}
}

/* Reads ^bb0(%a: T, %b: T): */
static void read_label(reader *r, region *g)
{
	place at = tok_place(r);
	labelled *l = read_block_name(r);
	if (l->defined) {
		read_fail_at(r, at, E_REDEFINED, "the block ^%s is defined already", l->label->s);
		return;
	}
	l->defined = true;
	block *b = l->block;
	block_append(r->m, g, b);
	if (read_accept(r, '(') && !read_accept(r, ')')) {
		do {
			int base = r->attr_stack.len;
			region_arg a = read_region_arg(r);
			r->attr_stack.len = base;
			define_args(r, b, &a, 1);
		} while (read_accept(r, ','));
		read_expect(r, ')');
	}
	read_expect(r, ':');
}

static void read_blocks(reader *r, region *g)
{
	while (r->tok != '}' && !r->failed) {
		if (r->tok == T_END)
			read_expected(r, "'}' at the end of a region");
		else if (r->tok == T_CARET)
			read_label(r, g);
		else {
			if (!g->last)
				block_new(r->m, g);
			read_op(r, g->last);
		}
	}
}

void read_region(reader *r, const pending *p, const region_arg *args, int n_args)
{
	region g = {0};
	labels own = {0}, *outer = r->labels;
	r->labels = &own;
	bool isolated = op_kind_traits(p->kind) & ISOLATED;
	scope_mark mark = scope_open(r, isolated, (place){r->src, p->at, p->name_end});
	read_expect(r, '{');
	if (n_args && !r->failed)
		define_args(r, block_new(r->m, &g), args, n_args);
	if (read_deeper(r)) {
		if (n_args && r->tok == T_CARET)
			read_fail(r, E_REGION_SYNTAX,
			          "the arguments of the first block stand before the region");
		read_blocks(r, &g);
		r->depth--;
	}
	if (r->tok == '}')
		labels_close(r);
	read_expect(r, '}');
	scope_close(r, mark);
	r->labels = outer;
	vec_push(r->mem, &r->region_stack, g);
}
