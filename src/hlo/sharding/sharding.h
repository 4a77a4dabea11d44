/* sharding.h - XLA's HloSharding: one value, three spellings.  Part of the door.
 *
 *   V1   {devices=[2,1,4]0,1,2,3,4,5,6,7 last_tile_dim_replicate}
 *   V2   {devices=[2,1,4]<=[8] last_tile_dim_replicate}
 *   V3   {mesh['x'=2,'y'=4], [{'x'}, {}]}
 *
 * V1 and V2 lay the devices out as an array: one dimension for each dimension of
 * the tensor, then perhaps some for subgroups of devices that hold the same tile
 * (replicated), a part of a sum (unreduced), or are no affair of the partitioner
 * (manual).  V3 names the axes and is what sdy has, so that an sdy sharding is kept
 * in it.  Canonical form as XLA prints it: see sharding.c.
 *
 * Interned: equal texts of one context are the same pointer.  For equality of
 * what is meant see hlo_sharding_same(). */
#ifndef TESS_HLO_SHARDING_SHARDING_H
#define TESS_HLO_SHARDING_SHARDING_H

#include "hlo/shape/shape.h"
#include "sharding/sharding.h"

typedef struct tess_hlo_sharding hlo_sharding;

typedef enum hlo_sharding_kind {
	HS_REPLICATED,
	HS_MANUAL,
	HS_UNREDUCED,
	HS_UNKNOWN,
	HS_MAXIMAL, /* on devices.list[0] alone */
	HS_TILED,
	HS_TUPLE, /* of the leaves of a tuple */
} hlo_sharding_kind;

/* Order is canonical. */
typedef enum subgroup { SUB_MANUAL, SUB_UNREDUCED, SUB_REPLICATED } subgroup;
enum { SUBGROUPS_MAX = 3, ASSIGN_MAX = 64 };

/* A sequence of distinct devices: a list, or iota: the numbers 0 … n-1 shaped
 * iota[n_iota], transposed by perm[n_iota], flattened. */
typedef struct device_array {
	int64_t n;
	int n_iota; /* 0: a list */
	int64_t iota[ASSIGN_MAX];
	int perm[ASSIGN_MAX];
	const int64_t *list;
} device_array;

typedef enum shard_group { GROUP_NONE, GROUP_AS, GROUP_LIKE } shard_group;

struct tess_hlo_sharding {
	hlo_sharding_kind kind;
	bool named; /* V3; mesh is set, and if tiled also dims */
	shard_group group;
	int64_t group_id;
	/* V1, V2 */
	int rank;         /* of the tiles, subgroups included */
	int n_subgroups;  /* last dimensions that are subgroups */
	int64_t tiles[ASSIGN_MAX];
	subgroup subgroups[SUBGROUPS_MAX];
	device_array devices;
	/* V3 */
	const mesh *mesh;
	bool iota_ids; /* the mesh's device ids are printed as an iota */
	const sharding *sdy; /* on that mesh, inlined; NULL if not tiled */
	axis_list manual;    /* in mesh order */
	/* tuples */
	int n_parts;
	const hlo_sharding *const *parts;
	const name *text; /* canonical; the identity */
};

/* ---- text ------------------------------------------------------------------- */

/* Parses the sharding at `begin`; *end is set behind it.  NULL after an error. */
const hlo_sharding *hlo_sharding_parse(tess_ctx *ctx, source *src, uint32_t begin, uint32_t *end);
void hlo_sharding_print(writer *w, const hlo_sharding *s);
void device_array_print(writer *w, const device_array *d); /* <=[2,4]T(1,0) or 0,4,1,… */
void hlo_mesh_print(writer *w, const mesh *m, bool iota_ids); /* mesh['x'=2,'y'=4] */
void hlo_axes_print(writer *w, axis_list l);               /* {'x','y':(1)2} */

/* ---- making -------------------------------------------------------------------- */

const hlo_sharding *hlo_sharding_simple(tess_ctx *ctx, hlo_sharding_kind kind);
const hlo_sharding *hlo_sharding_maximal(tess_ctx *ctx, int64_t device);
/* In canonical form.  The devices must be as many as the product of the tiles. */
const hlo_sharding *hlo_sharding_tiled(tess_ctx *ctx, const int64_t *tiles, int rank,
                                       const subgroup *types, int n_types, const device_array *d);
const hlo_sharding *hlo_sharding_tuple(tess_ctx *ctx, const hlo_sharding *const *parts, int n);
/* V3 of a sharding and its mesh, and axes over which the program is manual. */
const hlo_sharding *hlo_sharding_named(tess_ctx *ctx, const mesh *m, const sharding *s,
                                       axis_list manual);
/* The same with the mesh's device ids printed as the iota that they are. */
const hlo_sharding *hlo_sharding_named_as(tess_ctx *ctx, const mesh *m, const sharding *s,
                                          axis_list manual, bool iota_ids);
/* {mesh['x'=2], replicated}: without dimensions. */
const hlo_sharding *hlo_sharding_named_simple(tess_ctx *ctx, const mesh *m, hlo_sharding_kind kind,
                                              bool iota_ids);
/* The same as a member of a group of equal (as) or alike (like) shardings. */
const hlo_sharding *hlo_sharding_grouped(tess_ctx *ctx, const hlo_sharding *s, shard_group group,
                                         int64_t id);

/* ---- meaning --------------------------------------------------------------------- */

/* The same in V1 or V2 (as XLA's v3_to_v2_sharding); parts of tuples too. */
const hlo_sharding *hlo_sharding_v2(tess_ctx *ctx, const hlo_sharding *s);
/* The same placement, however spelled; but an open dimension is not a closed one. */
bool hlo_sharding_same(tess_ctx *ctx, const hlo_sharding *a, const hlo_sharding *b);
/* The same, open or not. */
bool hlo_sharding_same_placement(tess_ctx *ctx, const hlo_sharding *a, const hlo_sharding *b);
/* Shape of a tile: sizes divided, rounded up.  NULL (with a diagnostic) if the
 * sharding does not fit the shape. */
const shape *hlo_sharding_tile_shape(tess_ctx *ctx, const hlo_sharding *s, const shape *whole);
/* [begin, end) of what the device holds; false if it holds nothing. */
bool hlo_sharding_box(tess_ctx *ctx, const hlo_sharding *s, const shape *whole, int64_t device,
                      int64_t *begin, int64_t *end);

/* A sharding of rank `rank` and its mesh.  `hint` is the mesh to use, if the tiles
 * can be told as its axes and sub-axes; otherwise, or if NULL, a mesh is made of the
 * axes _axis_0, _axis_1, …; devices in no regular order give it device ids.
 * NULL (with a diagnostic) for tuples and wrong ranks. */
const sharding *hlo_sharding_to_sdy(tess_ctx *ctx, const hlo_sharding *s, int rank,
                                    const mesh *hint, const mesh **out_mesh);

/* The axes of the mesh, or parts of them, along which the program is manual; false if they cannot
 * be told. */
bool hlo_sharding_manual_axes(tess_ctx *ctx, const hlo_sharding *s, const mesh *m, axis_list *out);

/* ---- device arrays ------------------------------------------------------------------ */

/* A digit of a device number: digit * unit, for digit < size. */
typedef struct level {
	int64_t size, unit;
} level;

void device_array_iota(device_array *d, const int64_t *dims, const int *perm,
                       int n); /* canonical */
void device_array_list(device_array *d, const int64_t *list, int64_t n);
int64_t device_array_at(const device_array *d, int64_t position);
int64_t device_array_find(const device_array *d, int64_t device); /* -1 if absent */
bool device_array_eq(const device_array *a, const device_array *b);
/* The digits of the devices, major to minor, none of size 1; -1 if there are none. */
int device_array_levels(const device_array *d, level *out);
/* Cuts levels so that `dims` are products of consecutive ones: counts[i] of them make
 * dimension i.  Returns the new number, -1 if it cannot be. */
int levels_split(const level *in, int n, const int64_t *dims, int rank, level *out, int *counts);
/* The array whose position has these digits.  False: they are no iota. */
bool device_array_of_levels(device_array *d, const level *l, int n);
/* The device ids of a mesh as an iota; false if they are none. */
bool mesh_ids_as_iota(const mesh *m, device_array *out);

/* ---- groups of devices ------------------------------------------------------------- */

/* replica_groups of a collective: {{0,1},{2,3}}, [2,2]<=[4], mesh['x'=2,'y'=2] {'y'}. */
typedef struct replica_groups {
	int64_t n_groups;
	int64_t group_size;   /* -1: they differ; then sizes[n_groups] */
	const int64_t *sizes;
	device_array devices; /* group after group */
	const mesh *mesh;     /* whose axes tell the groups; NULL: none */
	axis_list axes;
	bool iota_ids;        /* the mesh's device ids are written as an iota */
	tess_str text;        /* canonical */
} replica_groups;

/* Reads the groups at `begin`; *end is set behind them.  What *out points to lives in
 * ctx->scratch.  {} has no groups: all devices are one. */
bool replica_groups_parse(tess_ctx *ctx, source *src, uint32_t begin, uint32_t *end,
                          replica_groups *out);
/* The devices of a mesh with the digits of these axes last; NULL axes that overlap. */
bool mesh_devices_by_axes(arena *mem, const mesh *m, axis_list last, device_array *out);

#endif
