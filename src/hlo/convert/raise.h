/* raise.h - what the files that convert HLO to StableHLO share. Internal to hlo/convert. */
#ifndef TESS_HLO_CONVERT_RAISE_H
#define TESS_HLO_CONVERT_RAISE_H

#include "hlo/text/text.h"

/* The values that an instruction became, one for each leaf of its shape. */
typedef struct hlo_leaves {
	value **ptr;
	int n;
} hlo_leaves;

typedef struct hlo_raiser hlo_raiser;

typedef struct hlo_frames hlo_frames; /* a module's tables of stack frames */

/* Functions of raise.c for instructions that apply computations. */
typedef struct raise_driver {
	/* Copies a computation into a region that returns the root; parameters become arguments. */
	void (*region)(hlo_raiser *r, const attr *computation, region *to, const op *from);
	/* The same without arguments: the parameter is replaced by values from outside. */
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
	block *at;      /* block to which operations are appended */
	int depth;      /* nesting depth of copied computations */
	bool facts;     /* convert more than XLA's own conversion: sdy's shardings, trip counts */
	uint32_t max_ops;
	const hlo_frames *frames; /* NULL: there are none */
	const name *mesh; /* symbol of the first mesh; NULL: none yet */
	bool failed;
};

/* Returns the leaves of an instruction's i-th operand. */
hlo_leaves raise_operand(hlo_raiser *r, const op *o, int i);
/* Returns those of all operands. */
hlo_leaves raise_operands(hlo_raiser *r, const op *o);
/* The same for an instruction whose operands from the i-th on are start indices: a single vector of
 * indices is split into scalars. */
hlo_leaves raise_start_indices(hlo_raiser *r, const op *o, int i);
void raise_set(hlo_raiser *r, const op *o, hlo_leaves l);
/* Lists the shapes of the leaves (arrays, tokens, …), from the left. */
const shape **raise_flat_shapes(hlo_raiser *r, const shape *s, int *n);
/* Lists the types of the leaves of a shape. */
const type **flat_types(hlo_raiser *r, const shape *s, int *n);
/* Copies the sharding, metadata and frontend attributes of `from` to `to`. */
void keep_texts(hlo_raiser *r, const op *from, op *to);
/* Appends an operation for `from`, with its location, shardings and results. */
op *raise_append(hlo_raiser *r, const op *from, int kind, const name *opname, hlo_leaves operands,
                 const shape *result, int n_regions);
/* Parses the module's tables of stack frames. */
hlo_frames *raise_frames(tess_ctx *ctx, arena *mem, tess_str text);
void raise_attr(hlo_raiser *r, op *to, const char *name, const attr *a);
bool raise_fail(hlo_raiser *r, const op *o, const char *what);
/* Reads the integers of an attribute, at most `cap`; returns their number. */
int raise_ints(hlo_raiser *r, const op *o, const char *attr_name, int64_t *v, int cap);
/* dense<[[…], …]> of 64-bit integers */
const attr *raise_matrix(hlo_raiser *r, const int64_t *v, int64_t rows, int64_t cols);
/* Returns the text between the quotes, unescaped. */
tess_str raise_unquoted(hlo_raiser *r, tess_str s);
/* Converts a custom call that sink_ops.c made from a CHLO operation; false for others. */
bool raise_named_call(hlo_raiser *r, const op *o);
/* Converts instructions that need more than a row of the table; returns false for all others. */
bool raise_special(hlo_raiser *r, const op *o);
const attr *raise_loc(hlo_raiser *r, const op *o);
/* Converts donated parameters to attributes of the module and of @main (donation.c). */
void raise_donation(hlo_raiser *r, const op *entry);
/* Converts meshes and shardings to sdy's, from the texts in the program. */
bool raise_shardings(hlo_raiser *r);
void raise_manual_computations(hlo_raiser *r);

/* Drops the value names of a body copied from another function. */
void raise_forget_names(module *m, op *root);
/* Returns a mesh whose axes express all HloShardings of the program, or most; NULL: none. */
const mesh *gspmd_mesh(hlo_raiser *r);
/* Converts GSPMD's manual regions (raise_region.c); reports an error if that is impossible. */
void raise_gspmd_regions(hlo_raiser *r);
/* Returns the HloSharding in the attributes; NULL if there is none. */
const hlo_sharding *gspmd_sharding(tess_ctx *ctx, const attr_list *l);

#endif
