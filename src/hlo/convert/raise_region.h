/* raise_region.h - what the files that find GSPMD's manual regions, and convert them, share. */
#ifndef TESS_HLO_CONVERT_RAISE_REGION_H
#define TESS_HLO_CONVERT_RAISE_REGION_H

#include "hlo/convert/raise.h"

typedef enum region_edge { NO_EDGE, ENTRY, EXIT } region_edge;
enum { OUTSIDE = UINT32_MAX };

typedef struct gspmd_region {
	VEC(op *) entries;
	VEC(op *) exits;
	VEC(op *) members; /* in order, including entries and exits */
	VEC(op *) sunk;    /* computed from constants alone; copied into the body */
	VEC(value *) operands;
	VEC(const sharding *) in;
	VEC(const type *) types;
	ptr_map inside;       /* value -> its replacement in the body */
	const attr *axes;
	mesh_ref mesh;
	bool whole; /* manual along all axes of the mesh */
	op *made;
} gspmd_region;

typedef VEC(op *) op_list;
typedef VEC(block *) block_list;

typedef struct region_finder {
	hlo_raiser *r;
	uint32_t n;     /* number of operations at the start */
	uint32_t *set;  /* [n] union-find: another op of the same region; or OUTSIDE */
	uint32_t *at;   /* [n] position in its block */
	uint8_t *edges; /* [n] region_edge */
	bool *sinks;    /* [n] computed from constants alone */
	VEC(op *) made;
	bool failed;
} region_finder;

/* Reports an error, for the first region only. @return false */
bool region_refuse(region_finder *s, const op *o, const char *what);
/* Converts a region to a manual computation. Returns false after an error. */
bool region_make(region_finder *s, gspmd_region *g);

static inline bool is_member(const region_finder *s, const op *o)
{
	return o && o->id < s->n && s->set[o->id] != OUTSIDE;
}

/* Returns the member that defines this value inside a region; NULL if defined outside of all. */
static inline op *maker_inside(const region_finder *s, const value *v)
{
	op *def = value_def(v);
	return is_member(s, def) && s->edges[def->id] != EXIT ? def : NULL;
}

/* True if the value is defined outside this op. */
static inline bool comes_from_outside(const value *v, const op *o)
{
	return !op_inside(block_parent(value_block(v)), o);
}

#endif
