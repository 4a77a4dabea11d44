/* discardable.c - discardable attributes: of arguments and results of functions, of the module, and
 * those with sdy's prefix that sdy does not know. */
#include "op/verify/verify.h"

/* The attribute of sdy with this name after its dot; NULL: none. */
static const name *sdy_name(module *m, const name *n)
{
	arena_mark mark = arena_here(&m->ctx->scratch);
	const name *whole = name_of_z(m->ctx, arena_printf(&m->ctx->scratch, "sdy.%s", n->s));
	arena_back(&m->ctx->scratch, mark);
	return whole->id < N_COUNT ? whole : NULL;
}

static bool has_dialect(const name *n) { return memchr(n->s, '.', n->len) != NULL; }

static bool lacks_dialect(module *m, const op *o, const int *part, const char *whose,
                          const name *n)
{
	const name *meant = sdy_name(m, n);
	return diag_error(m->ctx, op_attr_place(m, o, part), E_ATTRIBUTE,
	                  "'%s' op%s: the name of attribute \"%s\" must begin with a dialect%s%s%s",
	                  op_name(o), whose, n->s, meant ? ", \"" : "", meant ? meant->s : "",
	                  meant ? "\"" : "");
}

static bool list_ok(module *m, const op *o, const attr_list *lists, int n, int known,
                    const char *what)
{
	for (int i = 0; i < n; i++)
		for (int k = 0; k < lists[i].n; k++)
			if (!has_dialect(lists[i].ptr[k].name))
				return lacks_dialect(
				        m, o, PART(known, ITEM(i)),
				        arena_printf(&m->ctx->scratch, " %s %d", what, i),
				        lists[i].ptr[k].name);
	return true;
}

bool func_attrs_ok(module *m, const op *o)
{
	const func *f = op_func(o);
	return list_ok(m, o, f->arg_attrs, f->type->n_in, N_arg_attrs, "arg") &&
	       list_ok(m, o, f->result_attrs, f->type->n_out, N_res_attrs, "result");
}

bool module_attrs_ok(module *m, const op *o)
{
	for (int i = 0; i < o->attrs.n; i++) {
		const name *n = o->attrs.ptr[i].name;
		if (!has_dialect(n) && !name_is(n, N_sym_name) && !name_is(n, N_sym_visibility))
			return lacks_dialect(m, o, PART((int)n->id), "", n);
	}
	return true;
}

static void warn_misspelt(module *m, const op *o, const int *part, const attr_list *l)
{
	for (int i = 0; i < l->n; i++) {
		const name *n = l->ptr[i].name;
		if (n->id >= N_COUNT && str_starts(name_str(n), "sdy."))
			diag_warn(m->ctx, part ? op_attr_place(m, o, part) : op_place(m, o),
			          E_ATTRIBUTE,
			          "sdy has no attribute \"%s\", so it means nothing; a sharding is "
			          "\"sdy.sharding\"",
			          n->s);
	}
}

void module_warn_unknown_attrs(module *m)
{
	for (op *o = op_next(m->top, m->top); o; o = op_next(o, m->top)) {
		warn_misspelt(m, o, NULL, &o->attrs);
		for (int i = 0; op_is_func(o) && i < op_func(o)->type->n_in; i++)
			warn_misspelt(m, o, PART(N_arg_attrs, ITEM(i)), &op_func(o)->arg_attrs[i]);
		for (int i = 0; op_is_func(o) && i < op_func(o)->type->n_out; i++)
			warn_misspelt(m, o, PART(N_res_attrs, ITEM(i)), &op_func(o)->result_attrs[i]);
	}
}
