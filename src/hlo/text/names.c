/* names.c - makes names unique as XLA does.
 *
 * "add.3" has the root "add" and the number 3; without a number it is 0. The first name with a root
 * and number is kept, later ones get the root's next free number. */
#include "hlo/text/text.h"

typedef struct name_root {
	ptr_map used; /* number + 1 */
	int64_t next;
} name_root;

/* Splits "add.3" into "add" and 3; a number must be all digits and fit. */
static tess_str split_number(tess_str s, int64_t *number, bool *numbered)
{
	size_t dot = s.len;
	*number = 0;
	*numbered = false;
	while (dot > 0 && s.ptr[dot - 1] >= '0' && s.ptr[dot - 1] <= '9')
		dot--;
	if (dot == s.len || dot < 2 || s.ptr[dot - 1] != '.')
		return s;
	int64_t v = 0;
	for (size_t i = dot; i < s.len; i++)
		if (!mul_ok(v, 10, &v) || !add_ok(v, s.ptr[i] - '0', &v))
			return s;
	*number = v;
	*numbered = true;
	return (tess_str){s.ptr, dot - 1};
}

static bool take_number(hlo_names *u, name_root *r, int64_t number)
{
	void **slot = ptr_map_at(&r->used, u->mem, (const void *)(uintptr_t)(number + 1));
	bool was_free = !*slot;
	*slot = r;
	return was_free;
}

const name *hlo_unique_name(hlo_names *u, const name *n)
{
	int64_t number;
	bool numbered;
	tess_str root = split_number(name_str(n), &number, &numbered);
	void **slot = ptr_map_at(&u->roots, u->mem, name_of(u->ctx, root));
	if (!*slot)
		*slot = NEW(u->mem, name_root);
	name_root *r = *slot;
	if (!take_number(u, r, number)) {
		while (!take_number(u, r, r->next))
			r->next++;
		number = r->next++;
	}
	if (number == 0 && !numbered)
		return name_of(u->ctx, root);
	return name_of_z(u->ctx, arena_printf(u->mem, "%.*s.%" PRId64, STR_ARG(root), number));
}

void hlo_unique_instructions(module *m)
{
	hlo_names u = {.ctx = m->ctx, .mem = &m->ctx->scratch};
	for (op *c = module_body(m)->first; c; c = c->next)
		for (op *o = op_body(c)->first; o; o = o->next)
			value_set_name(m, result(o, 0),
			               hlo_unique_name(&u, value_given_name(result(o, 0))));
}
