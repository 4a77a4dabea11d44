/* sharding.h - XLA's HloSharding: one value, three spellings. Part of the interface of hlo.
 *
 *   V1   {devices=[2,1,4]0,1,2,3,4,5,6,7 last_tile_dim_replicate}
 *   V2   {devices=[2,1,4]<=[8] last_tile_dim_replicate}
 *   V3   {mesh['x'=2,'y'=4], [{'x'}, {}]}
 *
 * V1 and V2 arrange the devices as an array: one dimension for each dimension of the tensor, then
 * possibly some for subgroups of devices that hold the same tile (replicated), a term of a sum
 * (unreduced), or are ignored by the partitioner (manual). V3 names axes like sdy, so it stores an
 * sdy sharding. sharding.c describes the canonical form, which is XLA's.
 *
 * Interned: in one context, equal texts are the same pointer. hlo_sharding_same() compares
 * meaning. */
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
	HS_MAXIMAL, /* only on devices.list[0] */
	HS_TILED,
	HS_TUPLE, /* one for each leaf of a tuple */
} hlo_sharding_kind;

/* In canonical order. */
typedef enum subgroup { SUB_MANUAL, SUB_UNREDUCED, SUB_REPLICATED } subgroup;
enum { SUBGROUPS_MAX = 3, ASSIGN_MAX = 64 };

/* A sequence of distinct devices: a list, or an iota: the numbers 0 … n-1 with shape iota[n_iota],
 * transposed by perm[n_iota], flattened. */
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
	bool named; /* V3: mesh is set, and sdy if tiled */
	shard_group group;
	int64_t group_id;
	/* V1, V2 */
	int rank;         /* of the tiles, including subgroups */
	int n_subgroups;  /* number of last dimensions that are subgroups */
	int64_t tiles[ASSIGN_MAX];
	subgroup subgroups[SUBGROUPS_MAX];
	device_array devices;
	/* V3 */
	const mesh *mesh;
	bool iota_ids; /* print the mesh's device ids as an iota */
	const sharding *sdy; /* on that mesh, inlined; NULL if not tiled */
	axis_list manual;    /* in mesh order */
	/* tuples */
	int n_parts;
	const hlo_sharding *const *parts;
	const name *text; /* canonical text; identifies the sharding */
};

/* ---- text ------------------------------------------------------------------- */

/* Parses the sharding at `begin`; *end is set to its end. NULL after an error. */
const hlo_sharding *hlo_sharding_parse(tess_ctx *ctx, source *src, uint32_t begin, uint32_t *end);
void hlo_sharding_print(writer *w, const hlo_sharding *s);
void device_array_print(writer *w, const device_array *d); /* <=[2,4]T(1,0) or 0,4,1,… */
void hlo_mesh_print(writer *w, const mesh *m, bool iota_ids); /* mesh['x'=2,'y'=4] */
void hlo_axes_print(writer *w, axis_list l);               /* {'x','y':(1)2} */

/* ---- creating ------------------------------------------------------------------------------- */

const hlo_sharding *hlo_sharding_simple(tess_ctx *ctx, hlo_sharding_kind kind);
const hlo_sharding *hlo_sharding_maximal(tess_ctx *ctx, int64_t device);
/* Creates the canonical form. The number of devices must be the product of the tiles. */
const hlo_sharding *hlo_sharding_tiled(tess_ctx *ctx, const int64_t *tiles, int rank,
                                       const subgroup *types, int n_types, const device_array *d);
const hlo_sharding *hlo_sharding_tuple(tess_ctx *ctx, const hlo_sharding *const *parts, int n);
/* Creates V3 from a sharding and its mesh, and axes over which the program is manual. */
const hlo_sharding *hlo_sharding_named(tess_ctx *ctx, const mesh *m, const sharding *s,
                                       axis_list manual);
/* The same, with the mesh's device ids printed as an iota, which they must be. */
const hlo_sharding *hlo_sharding_named_as(tess_ctx *ctx, const mesh *m, const sharding *s,
                                          axis_list manual, bool iota_ids);
/* {mesh['x'=2], replicated}: without dimensions. */
const hlo_sharding *hlo_sharding_named_simple(tess_ctx *ctx, const mesh *m, hlo_sharding_kind kind,
                                              bool iota_ids);
/* The same sharding as a member of a group, of equal (as) or similar (like) shardings. */
const hlo_sharding *hlo_sharding_grouped(tess_ctx *ctx, const hlo_sharding *s, shard_group group,
                                         int64_t id);

/* ---- meaning --------------------------------------------------------------------- */

/* Converts to V1 or V2 (like XLA's v3_to_v2_sharding), including parts of tuples. */
const hlo_sharding *hlo_sharding_v2(tess_ctx *ctx, const hlo_sharding *s);
/* True for the same placement, however written; but open and closed dimensions differ. */
bool hlo_sharding_same(tess_ctx *ctx, const hlo_sharding *a, const hlo_sharding *b);
/* The same, ignoring openness. */
bool hlo_sharding_same_placement(tess_ctx *ctx, const hlo_sharding *a, const hlo_sharding *b);
/* Returns the shape of a tile: sizes divided, rounded up. NULL, after a diagnostic, if the sharding
 * does not fit the shape. */
const shape *hlo_sharding_tile_shape(tess_ctx *ctx, const hlo_sharding *s, const shape *whole);
/* Computes [begin, end) of what the device holds; returns false if it holds nothing. */
bool hlo_sharding_box(tess_ctx *ctx, const hlo_sharding *s, const shape *whole, int64_t device,
                      int64_t *begin, int64_t *end);

/* Converts to an sdy sharding of rank `rank`, with its mesh. `hint` is used if the tiles can be
 * expressed by its axes and sub-axes; otherwise, or if it is NULL, a mesh with axes _axis_0,
 * _axis_1, … is created, with device ids if devices are in no regular order. NULL, after a
 * diagnostic, for tuples and wrong ranks. */
const sharding *hlo_sharding_to_sdy(tess_ctx *ctx, const hlo_sharding *s, int rank,
                                    const mesh *hint, const mesh **out_mesh);

/* Finds the axes of the mesh, or parts of them, along which the program is manual; returns false if
 * they cannot be determined. */
bool hlo_sharding_manual_axes(tess_ctx *ctx, const hlo_sharding *s, const mesh *m, axis_list *out);

/* ---- device arrays ------------------------------------------------------------------ */

/* A digit of a device number: it contributes digit * unit, for digit < size. */
typedef struct level {
	int64_t size, unit;
} level;

void device_array_iota(device_array *d, const int64_t *dims, const int *perm,
                       int n); /* canonical */
void device_array_list(device_array *d, const int64_t *list, int64_t n);
int64_t device_array_at(const device_array *d, int64_t position);
int64_t device_array_find(const device_array *d, int64_t device); /* -1 if absent */
bool device_array_eq(const device_array *a, const device_array *b);
/* Returns the digits of the devices, major to minor, none of size 1; -1 if they are irregular. */
int device_array_levels(const device_array *d, level *out);
/* Divides levels so that `dims` are products of consecutive ones: counts[i] of them make dimension
 * i. Returns the new number of levels, or -1 if it is impossible. */
int levels_split(const level *in, int n, const int64_t *dims, int rank, level *out, int *counts);
/* Creates the array whose positions have these digits; returns false if they are not an iota. */
bool device_array_of_levels(device_array *d, const level *l, int n);
/* Returns the device ids of a mesh as an iota; false if they are not one. */
bool mesh_ids_as_iota(const mesh *m, device_array *out);

/* ---- groups of devices ------------------------------------------------------------- */

/* replica_groups of a collective: {{0,1},{2,3}}, [2,2]<=[4], mesh['x'=2,'y'=2] {'y'}. */
typedef struct replica_groups {
	int64_t n_groups;
	int64_t group_size;   /* -1: they differ; then see sizes[n_groups] */
	const int64_t *sizes;
	device_array devices; /* one group after the other */
	const mesh *mesh;     /* if groups are given by its axes; else NULL */
	axis_list axes;
	bool iota_ids;        /* the mesh's device ids are written as an iota */
	tess_str text;        /* canonical */
} replica_groups;

/* Parses the groups at `begin`; *end is set to their end. *out points into ctx->scratch. {} means a
 * single group of all devices. */
bool replica_groups_parse(tess_ctx *ctx, source *src, uint32_t begin, uint32_t *end,
                          replica_groups *out);
/* Returns the devices of a mesh with the digits of these axes last; fails for axes that overlap. */
bool mesh_devices_by_axes(arena *mem, const mesh *m, axis_list last, device_array *out);

#endif
