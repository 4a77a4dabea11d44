/* sink.h - what the files that make HLO of StableHLO share.  Private. */
#ifndef TESS_HLO_CONVERT_SINK_H
#define TESS_HLO_CONVERT_SINK_H

#include "hlo/text/text.h"

typedef struct hlo_sinker hlo_sinker;

/* sink.c's functions, for operations with regions and calls; each returns the name of a computation. */
typedef struct sink_driver {
	/* The region as a computation whose parameters are its arguments. */
	const char *(*region)(hlo_sinker *l, const op *o, int region);
	/* The same of the only region, under a name made of `title`. */
	const char *(*named_region)(hlo_sinker *l, const op *o, const char *title);
	/* The region as a computation of one parameter, a tuple of its arguments and of what it
	 * captures, unless that is one value. */
	const char *(*tuple_region)(hlo_sinker *l, const op *o, int region,
	                            value *const *captured, int n);
	/* The function's computation; NULL after an error. */
	const char *(*function)(hlo_sinker *l, const op *f);
} sink_driver;

struct hlo_sinker {
	const sink_driver *driver;
	tess_ctx *ctx;
	const module *m;
	const attr_texts *texts;
	const op *entry; /* the function to start with */
	arena *mem;
	writer *done;       /* computations that are complete */
	writer *at;         /* the computation at hand */
	const char **names; /* of the values of the computation at hand, by id */
	ptr_map functions;  /* function -> the name of its computation */
	int number;         /* of the last name given out */
	int depth;
	bool failed;
};

bool sink_fail(hlo_sinker *l, const op *o, const char *what);
/* ", key={1,2}", ", key=1", ", key={{0,1},{2}}": rows of so many, which numbers below 0 fill up. */
void sink_ints(hlo_sinker *l, const char *key, const int64_t *v, int n);
void sink_number(hlo_sinker *l, const char *key, int64_t v);
void sink_matrix(hlo_sinker *l, const char *key, const int64_t *v, int n, int64_t width);
/* A name with what HLO does not take in one replaced. */
const char *plain_name(hlo_sinker *l, const char *text);
/* A new name, root.N. */
const char *sink_name(hlo_sinker *l, const char *root);
void sink_shape(hlo_sinker *l, writer *w, const type *t);
/* The same with the layout that a list of them has for value i, if there is one. */
void sink_shape_in(hlo_sinker *l, const type *t, const attr *layouts, int i);
/* Those of several values, as a tuple unless it is one. */
void sink_shapes(hlo_sinker *l, writer *w, const type *const *types, int n);
/* What a region of control flow returns, as one value. */
const char *sink_carried(hlo_sinker *l, const op *o, int region, value *const *captured, int n);
/* Constants from outside that the region uses are made once more within; afterwards their
 * names are put back. */
typedef struct sunk_names {
	int n;
	const value **values;
	const char **names;
} sunk_names;
sunk_names sink_captured_constants(hlo_sinker *l, const op *o, int region);
void sink_put_back(hlo_sinker *l, const sunk_names *kept);
const char *sink_parameter(hlo_sinker *l, int number, const type *const *types, int n);
void sink_block(hlo_sinker *l, const block *b);

/* opcode(operand, … */
void put_opcode(hlo_sinker *l, const char *opcode, const char *const *operands, int n);
/* Instructions that take the elements of a tuple, under the names of values. */
void sink_elements(hlo_sinker *l, const char *tuple, value *const *v, int n);
/* "  name = shape opcode(operands": attributes and sink_end() follow. */
const char *sink_begin(hlo_sinker *l, const char *opcode, const type *const *types, int n_types,
                        const char *const *operands, int n);
void sink_end(hlo_sinker *l);
/* Names of the operands. */
const char **sink_operands(hlo_sinker *l, const op *o);
/* Gives the results of `o` their names: the instruction's, or of its elements. */
void sink_results(hlo_sinker *l, const op *o, const char *instruction);
const type **sink_types(hlo_sinker *l, const op *o, int *n);

/* Operations whose counterpart is more than a row of ops.def; false: none of them. */
bool sink_special(hlo_sinker *l, const op *o);
/* An operation of CHLO without an opcode, as a call by its name. */
bool sink_by_name(hlo_sinker *l, const op *o);
/* Shardings and frontend attributes of an operation, an argument, the module. */
void sink_shardings(hlo_sinker *l, const op *o);
void sink_argument_sharding(hlo_sinker *l, const op *f, int i);
const char *sink_result_sharding(hlo_sinker *l, const op *f, int i, const char *v);
void sink_meshes(hlo_sinker *l, writer *w);
/* Of the module: which parameters are donated (donation.c). */
void sink_donation(hlo_sinker *l, writer *w);
/* sdy's operations, as JAX's programs carry them through HLO; false: none of them. */
bool sink_sdy(hlo_sinker *l, const op *o);

#endif
