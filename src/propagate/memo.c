/* memo.c - what propagations of one program with different annotations share.
 *
 * Rules follow from operations, types and attributes, which are interned, and the outcomes of visits
 * from rules and shardings. So both hold for any copy of a program, as long as a sharding means the
 * same: its mesh is named by a symbol, which each copy may declare with other axes. The numbers of
 * shardings and the outcomes are therefore kept for each list of declared meshes. */
#include "propagate/walk.h"

typedef struct declared_mesh {
	const name *symbol;
	const mesh *mesh;
} declared_mesh;
typedef VEC(declared_mesh) declared_list;

struct known_visits {
	declared_list meshes;
	visit_memo visits;
	uint64_t number; /* in the memo */
	struct known_visits *next;
};

static declared_list declared_meshes(const module *m, arena *mem)
{
	declared_list l = {0};
	for (const op *o = module_body(m)->first; o; o = o->next)
		if (op_declared_mesh(o))
			vec_push(mem, &l, (declared_mesh){op_symbol(o), op_declared_mesh(o)});
	return l;
}

static bool same_meshes(const declared_list *a, const declared_list *b)
{
	return a->len == b->len &&
	       (!a->len || memcmp(a->ptr, b->ptr, sizeof *a->ptr * (size_t)a->len) == 0);
}

propagation_memo *propagation_memo_new(arena *mem)
{
	propagation_memo *k = NEW(mem, propagation_memo);
	k->mem = mem;
	return k;
}

visit_memo *propagation_memo_open(propagation_memo *k, module *m, unsigned flags)
{
	declared_list meshes = declared_meshes(m, k->mem);
	struct known_visits *v = k->known;
	ASSERT(!k->known || k->rules.flags == flags);
	k->rules.m = m;
	k->rules.mem = k->mem;
	k->rules.flags = flags;
	while (v && !same_meshes(&v->meshes, &meshes))
		v = v->next;
	if (!v) {
		v = NEW(k->mem, struct known_visits);
		v->meshes = meshes;
		v->number = k->known ? k->known->number + 1 : 1;
		v->next = k->known;
		k->known = v;
		book_init(&v->visits.book, m, k->mem);
	}
	v->visits.book.m = m;
	return &v->visits;
}

uint64_t propagation_memo_number(const propagation_memo *k, const book *b)
{
	const struct known_visits *v = k->known;
	while (v && &v->visits.book != b)
		v = v->next;
	return v ? v->number : 0;
}
