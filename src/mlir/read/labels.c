/* labels.c - block labels: ^bb0.
 *
 * A branch may refer to a later block: the block is created when its label is first seen, and must
 * have been defined when the region ends. */
#include "mlir/read/read.h"

labelled *read_block_name(reader *r)
{
	tess_str t = tok_text(r);
	const name *label = name_of(r->ctx, (tess_str){t.ptr + 1, t.len - 1});
	labelled *l = &r->labels->first;
	if (l->label && l->label != label) {
		void **slot = ptr_map_at(&r->labels->others, r->mem, label);
		if (!*slot)
			*slot = NEW(r->mem, labelled);
		l = *slot;
	}
	if (!l->label) {
		*l = (labelled){.label = label, .block = block_new(r->m, NULL), .at = tok_place(r)};
		l->block->label = label;
	}
	read_next(r);
	return l;
}

void read_successor(reader *r)
{
	if (r->tok != T_CARET) {
		read_expected(r, "a block, ^name");
		return;
	}
	labelled *l = read_block_name(r);
	if (!l->defined && !l->ahead) {
		l->ahead = true;
		l->older = r->labels->ahead;
		r->labels->ahead = l;
	}
	vec_push(r->mem, &r->successors, l->block);
}

void labels_close(reader *r)
{
	const labelled *missing = NULL;
	for (const labelled *l = r->labels->ahead; l; l = l->older)
		if (!l->defined)
			missing = l;
	if (missing)
		read_fail_at(r, missing->at, E_UNKNOWN_VALUE,
		             "there is no block ^%s in this region", missing->label->s);
}
