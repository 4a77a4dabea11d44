/* raise.h - what the files that make StableHLO of HLO share.  Private. */
#ifndef TESS_HLO_CONVERT_RAISE_H
#define TESS_HLO_CONVERT_RAISE_H

#include "hlo/text/text.h"

/* What an instruction became: a value for each leaf of its shape. */
typedef struct hlo_leaves {
	value **ptr;
	int n;
} hlo_leaves;

typedef struct hlo_raiser hlo_raiser;

typedef struct hlo_frames hlo_frames; /* the tables of frames of a module */

/* raise.c's functions, for what becomes of instructions that apply computations. */
typedef struct raise_driver {
	/* The computation as a region: parameters are arguments, the root is returned. */
	void (*region)(hlo_raiser *r, const attr *computation, region *to, const op *from);
	/* The same without arguments: the parameter stands for values from outside. */
	void (*captured_region)(hlo_raiser *r, const attr *computation, region *to,
	                        hlo_leaves argument);
	void (*instruction)(hlo_raiser *r, const op *o);
} raise_driver;

struct hlo_raiser {
	const raise_driver *driver;
	tess_ctx *ctx;
	const module *from;
	module *to;
	const attr_texts *texts;
	arena *mem;
	ptr_map leaves; /* instruction -> hlo_leaves */
	block *at;      /* where operations are appended */
	int depth;      /* of computations in place */
	bool facts;     /* more than XLA's own conversion says: sdy's shardings, trip counts */
	uint32_t max_ops;
	const hlo_frames *frames; /* NULL: there are none */
	const name *mesh; /* symbol of the first; NULL: none yet */
	bool failed;
};

/* The value of the leaves of an instruction's i-th operand. */
hlo_leaves raise_operand(hlo_raiser *r, const op *o, int i);
/* Those of all operands. */
hlo_leaves raise_operands(hlo_raiser *r, const op *o);
/* The same of an instruction whose operands from the i-th on are start indices: one vector of them
 * becomes as many scalars. */
hlo_leaves raise_start_indices(hlo_raiser *r, const op *o, int i);
void raise_set(hlo_raiser *r, const op *o, hlo_leaves l);
/* The array, token, … shapes within, from the left. */
const shape **raise_flat_shapes(hlo_raiser *r, const shape *s, int *n);
/* The types of the leaves of a shape, and how many. */
const type **flat_types(hlo_raiser *r, const shape *s, int *n);
/* The shardings, metadata and frontend attributes of an instruction go to what is made of it. */
void keep_texts(hlo_raiser *r, const op *from, op *to);
/* Appends an operation for `from`, with its location, shardings and results. */
op *raise_append(hlo_raiser *r, const op *from, int kind, const name *opname, hlo_leaves operands,
                 const shape *result, int n_regions);
/* What the module's text of its frames says. */
hlo_frames *raise_frames(tess_ctx *ctx, arena *mem, tess_str text);
void raise_attr(hlo_raiser *r, op *to, const char *name, const attr *a);
bool raise_fail(hlo_raiser *r, const op *o, const char *what);
/* The integers of an attribute, at most `cap`; returns how many. */
int raise_ints(hlo_raiser *r, const op *o, const char *attr_name, int64_t *v, int cap);
/* dense<[[…], …]> of 64-bit integers */
const attr *raise_matrix(hlo_raiser *r, const int64_t *v, int64_t rows, int64_t cols);
/* The text between the quotes, its escapes undone. */
tess_str raise_unquoted(hlo_raiser *r, tess_str s);
/* A custom call that sink_ops.c made of an operation of CHLO; false: it is none. */
bool raise_named_call(hlo_raiser *r, const op *o);
/* The instructions whose counterpart is more than a row; false: it is none of them. */
bool raise_special(hlo_raiser *r, const op *o);
const attr *raise_loc(hlo_raiser *r, const op *o);
/* Which parameters are donated, as attributes of the module and of @main (donation.c). */
void raise_donation(hlo_raiser *r, const op *entry);
/* Meshes and shardings as sdy has them, from the texts that came with the program. */
bool raise_shardings(hlo_raiser *r);
void raise_manual_computations(hlo_raiser *r);

/* The names in a body were those of another function. */
void raise_forget_names(module *m, op *root);
/* The mesh whose axes express all HloShardings of the program, or most; NULL: none. */
const mesh *gspmd_mesh(hlo_raiser *r);
/* GSPMD's own manual regions (raise_region.c); what does not fit is an error. */
void raise_gspmd_regions(hlo_raiser *r);
/* The HloSharding that the attributes give; NULL: none. */
const hlo_sharding *gspmd_sharding(tess_ctx *ctx, const attr_list *l);

#endif
