/* raise_region.h - what the files that find GSPMD's manual regions, and make them, share. */
#ifndef TESS_HLO_CONVERT_RAISE_REGION_H
#define TESS_HLO_CONVERT_RAISE_REGION_H

#include "hlo/convert/raise.h"

typedef enum region_edge { NO_EDGE, ENTRY, EXIT } region_edge;
enum { OUTSIDE = UINT32_MAX };

typedef struct gspmd_region {
	VEC(op *) entries;
	VEC(op *) exits;
	VEC(op *) members; /* in order, entries and exits as well */
	VEC(op *) sunk;    /* of constants alone; they are copied */
	VEC(value *) operands;
	VEC(const sharding *) in;
	VEC(const type *) types;
	ptr_map inside;       /* value -> what stands for it in the body */
	const attr *axes;
	mesh_ref mesh;
	bool whole; /* manual along all axes of the mesh */
	op *made;
} gspmd_region;

typedef VEC(op *) op_list;
typedef VEC(block *) block_list;

typedef struct region_finder {
	hlo_raiser *r;
	uint32_t n;     /* operations there were */
	uint32_t *set;  /* [n] another of the same region, itself for the first; or OUTSIDE */
	uint32_t *at;   /* [n] how many stand before it in its block */
	uint8_t *edges; /* [n] region_edge */
	bool *sinks;    /* [n] made of constants alone */
	VEC(op *) made;
	bool failed;
} region_finder;

/* Reports an error, the first of a program only.  @return false */
bool region_refuse(region_finder *s, const op *o, const char *what);
/* Makes a manual computation of the members of a region.  False after an error. */
bool region_make(region_finder *s, gspmd_region *g);

static inline bool is_member(const region_finder *s, const op *o)
{
	return o && o->id < s->n && s->set[o->id] != OUTSIDE;
}

/* The member that makes this value for others of the region; NULL: it is outside of all. */
static inline op *maker_inside(const region_finder *s, const value *v)
{
	op *def = value_def(v);
	return is_member(s, def) && s->edges[def->id] != EXIT ? def : NULL;
}

/* True if the value is made outside of this op, in the regions of which it may be used. */
static inline bool comes_from_outside(const value *v, const op *o)
{
	return !op_inside(block_parent(value_block(v)), o);
}

#endif
