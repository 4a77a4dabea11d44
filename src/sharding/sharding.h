/* sharding.h - the interface of sharding: meshes, axes, shardings, and their algebra.
 *
 * A logical mesh is a list of (axis name, size). A sharding refers to a mesh and says, for each
 * dimension of a tensor, over which axes or sub-axes it is split, major to minor. Everything here
 * is interned and immutable: equality is ==, "changing" a sharding yields another one.
 *
 * Source of the rules: Shardy, docs/sharding_representation.md and shardy/dialect/sdy/ir/attrs.td.
 *
 * A sharding names its mesh by symbol (`@mesh`) or has it inlined. Axes are interned names, so a
 * sharding can exist before its mesh has been seen; functions that need sizes take the mesh. */
#ifndef TESS_SHARDING_SHARDING_H
#define TESS_SHARDING_SHARDING_H

#include "base/base.h"

#include <tessera/sharding.h>

/* ---- meshes -------------------------------------------------------------- */

typedef struct mesh_axis {
	const name *name;
	int64_t size; /* >= 1 */
	tess_axis_kind kind; /* used by array programs; in other programs all are TESS_AXIS_AUTO */
} mesh_axis;

/* Interned. Empty (no axes, no ids): a wildcard that stands for any mesh. Maximal (no axes, one
 * id): that one device. */
typedef struct tess_mesh {
	int n_axes;
	const mesh_axis *axes;
	int64_t n_device_ids;      /* 0: iota */
	const int64_t *device_ids; /* a permutation of 0..n-1 that is not iota, or one id */
	int64_t n_devices; /* product of the sizes; 1 for a maximal mesh, 0 for an empty one */
	uint64_t hash;
	const int64_t *positions; /* of each device; NULL: iota, or the ids are not a permutation */
	ptr_map by_name;          /* axes by name, if there are many */
	const tess_ctx *ctx;      /* the context in which it is interned */
} mesh;

const mesh *mesh_of(tess_ctx *ctx, const mesh_axis *axes, int n_axes, const int64_t *device_ids,
                    int64_t n_device_ids); /* interns; iota ids are dropped; does not verify */
/* The mesh with all axes TESS_AXIS_AUTO, as programs in MLIR have it. */
const mesh *mesh_plain(tess_ctx *ctx, const mesh *m);
static inline bool mesh_is_empty(const mesh *m) { return !m->n_axes && !m->n_device_ids; }
static inline bool mesh_is_maximal(const mesh *m) { return !m->n_axes && m->n_device_ids == 1; }
int mesh_axis_index(const mesh *m, const name *axis); /* -1 if there is none */
int64_t mesh_axis_size(const mesh *m, const name *axis); /* 0 if there is none */
bool mesh_same_axes(const mesh *a, const mesh *b); /* but perhaps another device order */
/* The device at a position of the row-major grid, and back. */
int64_t mesh_device_at(const mesh *m, int64_t position);
int64_t mesh_position_of(const mesh *m, int64_t device);
/* The places of the parts of a mesh in a text; arrays may be NULL. */
typedef struct mesh_places {
	place all;
	const place *axes, *ids;
} mesh_places;
/* Checks the invariants of a mesh and reports errors, at these places or all at `at`. */
bool mesh_verify_at(tess_ctx *ctx, const mesh *m, const mesh_places *at);
bool mesh_verify(tess_ctx *ctx, const mesh *m, place at);
void mesh_print(writer *w, const mesh *m); /* <["x"=2, "y"=4], device_ids=[…]> */

/* ---- axis references ----------------------------------------------------- */

/* A full axis (size 0) or the sub-axis "x":(pre)size of it. */
typedef struct axis_ref {
	const name *axis;
	int64_t pre;  /* >= 1; 1 for a full axis */
	int64_t size; /* > 1; 0 for a full axis */
} axis_ref;

static inline bool axis_is_full(axis_ref a) { return a.size == 0; }
static inline bool axis_eq(axis_ref a, axis_ref b)
{
	return a.axis == b.axis && a.pre == b.pre && a.size == b.size;
}
static inline axis_ref axis_full(const name *n) { return (axis_ref){n, 1, 0}; }
/* The sub-axis (pre)size of `axis`, or the full axis if that is all of it. */
axis_ref axis_sub(const mesh *m, const name *axis, int64_t pre, int64_t size);
int64_t axis_size(axis_ref a, const mesh *m);
int64_t axis_pre(axis_ref a);                      /* 1 for a full axis */
int64_t axis_next_pre(axis_ref a, const mesh *m);  /* pre * size */
/* An axis is a digit of the position of a device in its mesh: position / stride % size. */
typedef struct digit {
	int64_t stride, size;
} digit;
digit axis_digit(axis_ref a, const mesh *m);
/* The algebra of Shardy's AxisRefAttr, with the same names and meaning. */
bool axis_contains(axis_ref a, axis_ref b);
bool axis_prefix_of(axis_ref a, axis_ref b);
bool axis_suffix_of(axis_ref a, axis_ref b, const mesh *m);
bool axis_overlaps(axis_ref a, axis_ref b);
bool axis_can_coexist(axis_ref a, axis_ref b);
bool axis_overlap(axis_ref a, axis_ref b, axis_ref *out);       /* false: none */
bool axis_common_prefix(axis_ref a, axis_ref b, axis_ref *out); /* greatest; false: none */
/* The part of `a` before / after any overlap with `b`; false if nothing is left. */
bool axis_prefix_without_overlap(axis_ref a, axis_ref b, axis_ref *out);
bool axis_suffix_without_overlap(axis_ref a, axis_ref b, const mesh *m, axis_ref *out);
bool axis_can_merge(axis_ref a, axis_ref b); /* "x":(1)2, "x":(2)4 */
axis_ref axis_merge(axis_ref a, axis_ref b, const mesh *m);
int axis_cmp_mesh(axis_ref a, axis_ref b, const mesh *m); /* mesh order, then pre-size */
int axis_cmp(axis_ref a, axis_ref b);                     /* by name, then sub-axis */
void axis_print(writer *w, axis_ref a);                   /* "x" or "x":(1)2 */

/* A list of axes, major to minor; borrowed. */
typedef struct axis_list {
	const axis_ref *ptr;
	int n;
} axis_list;
typedef VEC(axis_ref) axes_vec;
int64_t axes_size(axis_list l, const mesh *m); /* product; saturates */
bool axes_eq(axis_list a, axis_list b);
/* The last axis may be a prefix sub-axis of its counterpart. */
bool axes_prefix_of(axis_list a, axis_list b);
bool axes_prefix_of_strictly(axis_list a, axis_list b);
bool axes_overlap(axis_list a, axis_list b); /* any axis of `a` with any of `b` */
bool axes_overlap_axis(axis_list l, axis_ref a);
int axes_cmp(axis_list a, axis_list b); /* shorter first, then by axis_cmp() */
/* Writes the greatest common prefix to `out` (room for min(a.n, b.n)) and returns its length. */
int axes_common_prefix(axis_list a, axis_list b, axis_ref *out);
/* Cuts the list before its first overlap with `against` and returns the new length. The new last
 * axis may be a prefix of the former one. */
int axes_truncate_without_overlap(axis_ref *axes, int n, axis_list against);
/* The index of the first axis that overlaps `a` in a list sorted by axis_cmp(), whose axes do not
 * overlap each other; -1: none. */
int axis_first_overlapping(axis_ref a, axis_list sorted);
/* Appends an axis, merging it with the last one if they are consecutive sub-axes. */
void axes_append(axes_vec *v, arena *mem, axis_ref a, const mesh *m);
void axes_sort(axis_ref *axes, int n, const mesh *m); /* mesh order */
int axes_sort_and_merge(axis_ref *axes, int n, const mesh *m); /* returns the new length */
/* What is in `a` but not in `b`, in the order of `a`; also parts of axes. */
axis_list axes_minus(arena *mem, axis_list a, axis_list b, const mesh *m);
void axes_print(writer *w, axis_list l); /* {"x", "y"} */

/* ---- shardings ----------------------------------------------------------- */

enum { PRIORITY_NONE = -1 };

typedef struct dim_sharding {
	const axis_ref *axes; /* major to minor */
	int n_axes;
	bool open;        /* '?': may be sharded further */
	int64_t priority; /* PRIORITY_NONE if not written; it then counts as 0 */
} dim_sharding;
static inline axis_list dim_axes(const dim_sharding *d)
{
	return (axis_list){d->axes, d->n_axes};
}

/* How partial values along unreduced axes are combined. */
typedef enum reduction { RED_SUM, RED_MAX, RED_MIN } reduction;

/* The mesh of a sharding: a symbol, or inlined (then symbol is NULL). */
typedef struct mesh_ref {
	const name *symbol;
	const mesh *inlined;
} mesh_ref;
static inline bool mesh_ref_eq(mesh_ref a, mesh_ref b)
{
	return a.symbol == b.symbol && a.inlined == b.inlined;
}

/* Interned.  No sharding at all (NULL) means fully open. */
typedef struct tess_sharding {
	mesh_ref mesh;
	int rank;
	int n_replicated, n_unreduced;
	reduction reduction;
	const dim_sharding *dims;
	const axis_ref *replicated; /* explicitly replicated, in mesh order */
	const axis_ref *unreduced;  /* pending reduction, in mesh order */
	uint64_t hash;
} sharding;

/* Interns a copy of *s (all arrays are copied). */
const sharding *sharding_of(tess_ctx *ctx, const sharding *s);
const sharding *sharding_replicated(tess_ctx *ctx, mesh_ref m, int rank); /* closed */
const sharding *sharding_open(tess_ctx *ctx, mesh_ref m, int rank);       /* fully open */
/* True if any sharding of the context has unreduced axes. */
bool shardings_any_unreduced(tess_ctx *ctx);
bool sharding_is_fully_open(const sharding *s);       /* or NULL */
bool sharding_is_fully_replicated(const sharding *s); /* no axis on any dimension; or NULL */
bool sharding_is_fully_closed(const sharding *s);
bool sharding_uses_axis(const sharding *s, axis_ref a); /* an overlap, in any list */
/* True if they differ only in what does not place data: priorities, open or closed, explicitly
 * replicated axes. NULL counts as replicated. */
bool sharding_is_equivalent(const sharding *a, const sharding *b);

/* Variants.  All return interned shardings. */
const sharding *sharding_with_dim(tess_ctx *ctx, const sharding *s, int dim, dim_sharding d);
const sharding *sharding_with_dims(tess_ctx *ctx, const sharding *s, const dim_sharding *dims,
                                   int rank);
const sharding *sharding_with_replicated(tess_ctx *ctx, const sharding *s, axis_list axes);
const sharding *sharding_with_unreduced(tess_ctx *ctx, const sharding *s, axis_list axes,
                                        reduction r);
const sharding *sharding_closed(tess_ctx *ctx, const sharding *s);
const sharding *sharding_with_mesh(tess_ctx *ctx, const sharding *s, mesh_ref m);

void sharding_print(writer *w, const sharding *s); /* <@mesh, [{"x"}, {?}]> without #sdy.sharding */
void mesh_ref_print(writer *w, mesh_ref m);        /* @mesh or mesh<…> */

/* The places of the parts of a sharding in a text; arrays may be NULL. */
typedef struct sharding_places {
	place all, mesh;
	const place *dims;             /* [rank] */
	const place *axes;             /* of all dims, in order */
	const place *replicated, *unreduced;
} sharding_places;

/* ---- parsing -------------------------------------------------------------------------------- */

/* Parsers of the sdy grammar (docs/sharding.md), without the "#sdy.…" before it. They read the
 * source from `begin`, which may be inside a larger text, and set *end after the last character
 * that they took. On an error they report it and return NULL or false. `places` may be NULL; what
 * it points to is in ctx->scratch. Meshes are verified, shardings are not: their mesh may be
 * unknown yet. */
const mesh *mesh_parse(tess_ctx *ctx, source *src, uint32_t begin, uint32_t *end); /* <["x"=2]> */
const sharding *sharding_parse(tess_ctx *ctx, source *src, uint32_t begin, uint32_t *end,
                               sharding_places *places); /* <@mesh, [{"x"}, {?}]> */
/* Without brackets and mesh, as users type it: [{"x"}, {?}], replicated={"y"} */
const sharding *sharding_parse_on(tess_ctx *ctx, source *src, uint32_t begin, uint32_t *end,
                                  mesh_ref m, sharding_places *places);
/* x=2, y=4 or "x"=2, "y"=4, optionally followed by device_ids=[…] */
const mesh *mesh_parse_short(tess_ctx *ctx, source *src, uint32_t begin, uint32_t *end);

typedef struct sharding_list {
	const sharding **ptr; /* in ctx->scratch */
	int n;
} sharding_list;
/* <[<…>, <…>]>, the body of #sdy.sharding_per_value; *places, if not NULL, receives an array of the
 * same length. */
bool sharding_per_value_parse(tess_ctx *ctx, source *src, uint32_t begin, uint32_t *end,
                              sharding_list *out, sharding_places **places);
/* {"x", "y":(1)2}; the list is in ctx->scratch. */
bool axis_list_parse(tess_ctx *ctx, source *src, uint32_t begin, uint32_t *end, axis_list *out,
                     const place **places);
/* A whole text as users type it: with or without "#sdy.mesh" or "#sdy.sharding", or in short form;
 * a short sharding gets `m` inlined. */
const mesh *mesh_parse_whole(tess_ctx *ctx, source *src);
const sharding *sharding_parse_whole(tess_ctx *ctx, source *src, const mesh *m,
                                     sharding_places *places);
/* sharding_is_spec(): true if a text is a PartitionSpec of JAX, P('x', None).
 * sharding_text_of_spec(): writes it as `[{"x"}, {}]` with at least `rank` dimensions; false once
 * an error is reported. */
bool sharding_is_spec(tess_ctx *ctx, source *src);
bool sharding_text_of_spec(tess_ctx *ctx, source *src, int rank, writer *out);

/* ---- invariants ---------------------------------------------------------- */

/* Checks every invariant of the representation against the mesh: known axes, no duplicates or
 * overlap, mesh order of replicated and unreduced axes, no neighbors that could be merged, sub-axes
 * that divide, priorities. `rank` -1: not checked. `at` may have only `all`. Reports all errors. */
bool sharding_verify(tess_ctx *ctx, const sharding *s, const mesh *m, int rank,
                     const sharding_places *at);

/* ---- what a sharding means on devices ------------------------------------ */

/* True if the invariants hold that the functions below rely on: the rank, axes that the mesh has,
 * sub-axes that divide them, no more shards than devices. For callers that cannot know that the
 * sharding was verified against this mesh. */
bool sharding_fits(const sharding *s, const mesh *m, int rank);

/* Shards of dimension d. */
int64_t sharding_dim_shards(const sharding *s, int d, const mesh *m);
/* The local shape, ceil(size / shards) per dimension. s may be NULL. */
void sharding_local_shape(const sharding *s, const mesh *m, const int64_t *dims, int rank,
                          int64_t *local);
/* The box of the tensor on the device at `position` (row-major grid): [begin, end) per dimension,
 * without padding (begin == end if empty). */
void sharding_box(const sharding *s, const mesh *m, const int64_t *dims, int rank,
                  int64_t position, int64_t *begin, int64_t *end);
/* The coordinate of the device at `position` along the unreduced axes: which of the values still to
 * be combined it has. 0 if there are none. */
int64_t sharding_term(const sharding *s, const mesh *m, int64_t position);
/* True if every device (by id) has the same box of a tensor of these dimensions. */
bool sharding_same_placement(const sharding *a, const mesh *ma, const sharding *b, const mesh *mb,
                             const int64_t *dims, int rank);


#endif
