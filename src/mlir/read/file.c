/* file.c - parses a whole text.
 *
 *   file ::= (alias | op | resources)* */
#include "mlir/read/read.h"

/* Reads { key: { key: "0x…" } }. */
static const attr *read_resource_map(reader *r)
{
	VEC(const name *) names = {0};
	VEC(const attr *) list = {0};
	if (r->tok == T_STRING)
		return attr_string(r->ctx, name_of(r->ctx, read_string(r)));
	if (r->tok != '{' || !read_deeper(r))
		return read_attr(r);
	read_next(r);
	while (r->tok != '}' && !r->failed) {
		const name *n = name_of(r->ctx, r->tok == T_STRING ? read_string(r) : tok_text(r));
		if (r->tok == T_WORD)
			read_next(r);
		read_expect(r, ':');
		const attr *a = read_resource_map(r);
		vec_push(r->mem, &names, n);
		vec_push(r->mem, &list, a);
		if (!read_accept(r, ','))
			break;
	}
	read_expect(r, '}');
	r->depth--;
	return r->failed ? NULL : attr_dict(r->ctx, names.ptr, list.ptr, names.len);
}

static void read_resources(reader *r)
{
	read_next(r);
	while (r->tok == T_WORD) {
		const name *n = name_of(r->ctx, tok_text(r));
		read_next(r);
		read_expect(r, ':');
		const attr *a = read_resource_map(r);
		if (!r->failed)
			attrs_set(&r->m->mem, &r->m->resources, n, a);
		if (!read_accept(r, ','))
			break;
	}
	read_expect(r, T_RESOURCES_END);
}

void read_file(reader *r)
{
	scope_mark mark = scope_open(r, true, NOWHERE);
	labels none = {0}; /* labels only occur inside regions */
	r->labels = &none;
	while (r->tok != T_END) {
		if (r->tok == T_RESOURCES)
			read_resources(r);
		else if (r->tok == T_HASH || r->tok == T_BANG)
			read_alias_definition(r);
		else
			read_op(r, module_body(r->m));
	}
	labels_close(r);
	scope_close(r, mark);
}
