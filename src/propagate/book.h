/* book.h - the axes and shardings of one propagation, as small numbers.
 *
 * A program of a million values uses a few hundred different shardings. Each part of an axis, each
 * list of parts and each sharding gets a number, so that the inner loop compares and copies
 * integers and tests overlap with one AND of masks. Only if lists differ does it look at the axes.
 *
 * Numbers are never freed; 0 stands for no part, the empty list, no sharding. */
#ifndef TESS_PROPAGATE_BOOK_H
#define TESS_PROPAGATE_BOOK_H

#include "ir/ir.h"

typedef uint32_t part_no, list_no, view_no;

/* An axis or sub-axis of one mesh. */
typedef struct axis_part {
	axis_ref ref;
	int64_t size;
	uint64_t bit; /* 1 << the axis' number in its mesh, modulo 64 */
	const mesh *mesh;
} axis_part;

typedef struct part_list {
	int n;
	const part_no *parts;
	uint64_t mask; /* lists whose masks share no bit do not overlap */
	int64_t size;  /* product; saturates */
} part_list;

typedef struct dim_view {
	list_no list;
	bool open;
} dim_view;

/* A sharding. */
typedef struct view {
	const sharding *sharding; /* NULL until asked for (book_sharding) */
	mesh_ref ref;
	const mesh *mesh; /* NULL: unknown */
	int rank;
	uint32_t tag; /* differs between shardings that differ in priorities only; 0: none */
	list_no replicated, unreduced;
	reduction reduction;
	uint64_t mask;   /* of the axes on dimensions */
	bool empty_axes; /* no axis anywhere */
	uint64_t axes_hash; /* of all axes, not of what is open; 0: there is none */
	const dim_view *dims;
} view;

typedef struct book {
	module *m;
	arena *mem;
	VEC(axis_part) parts;
	VEC(part_list) lists;
	VEC(view) views;
	struct number_tab {
		uint64_t *hashes;
		uint32_t *numbers; /* 0: free */
		uint32_t cap, len;
	} part_tab, list_tab, view_tab;
	ptr_map loaded; /* sharding -> its number */
	uint32_t n_tags;
} book;

void book_init(book *b, module *m, arena *mem);
part_no book_part(book *b, const mesh *m, axis_ref a);
list_no book_list(book *b, const part_no *parts, int n);
/* The number of an equal view; what *v points to is copied. */
view_no book_view(book *b, const view *v);
view_no book_load(book *b, const sharding *s); /* NULL: 0 */
const sharding *book_sharding(book *b, view_no v);
/* A fully open sharding on that mesh. */
view_no book_open(book *b, mesh_ref ref, const mesh *m, int rank);

static inline const part_list *list_at(const book *b, list_no l) { return &b->lists.ptr[l]; }
static inline const axis_part *part_at(const book *b, part_no p) { return &b->parts.ptr[p]; }
static inline const view *view_at(const book *b, view_no v) { return &b->views.ptr[v]; }
axis_list book_axes(const book *b, list_no l, arena *mem);

/* ---- the algebra of lists ------------------------------------------------------- */

/* True if `a` is a shorter beginning of `l`; the last part of `a` may be a prefix of its
 * counterpart. */
bool list_strict_prefix(const book *b, list_no a, list_no l);
bool list_prefix(const book *b, list_no a, list_no l); /* or equal */

/* Returns what `old` and `add` have in common from the major end on, followed by what one of them
 * has beyond the other; what `add` has beyond `old` counts only if *grow. If they conflict, the
 * list ends there and *grow becomes false. */
list_no list_merge(book *b, list_no old, list_no add, bool *grow);

/* The largest prefix of the part without overlap with the list; 0: none. */
part_no part_clear_of(book *b, part_no p, list_no l);

#endif
