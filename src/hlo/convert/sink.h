/* sink.h - what the files that convert StableHLO to HLO share. Internal to hlo/convert. */
#ifndef TESS_HLO_CONVERT_SINK_H
#define TESS_HLO_CONVERT_SINK_H

#include "hlo/text/text.h"

typedef struct hlo_sinker hlo_sinker;

/* Functions of sink.c for operations with regions and calls; each returns a computation's name. */
typedef struct sink_driver {
	/* Converts a region to a computation whose parameters are its arguments. */
	const char *(*region)(hlo_sinker *l, const op *o, int region);
	/* The same for the only region, with a name derived from `title`. */
	const char *(*named_region)(hlo_sinker *l, const op *o, const char *title);
	/* Converts a region to a computation with a single parameter: a tuple of its arguments and
	 * of what it captures, unless that is one value. */
	const char *(*tuple_region)(hlo_sinker *l, const op *o, int region,
	                            value *const *captured, int n);
	/* Returns the function's computation; NULL after an error. */
	const char *(*function)(hlo_sinker *l, const op *f);
} sink_driver;

struct hlo_sinker {
	const sink_driver *driver;
	tess_ctx *ctx;
	const module *m;
	const attr_texts *texts;
	const op *entry; /* the function to start with */
	arena *mem;
	writer *done;       /* finished computations */
	writer *at;         /* the current computation */
	const char **names; /* of values in the current computation, by id */
	ptr_map functions;  /* function -> name of its computation */
	int number;         /* last number used in a name */
	int depth;
	bool failed;
};

bool sink_fail(hlo_sinker *l, const op *o, const char *what);
/* Write ", key={1,2}", ", key=1", ", key={{0,1},{2}}"; matrix rows end at a negative number. */
void sink_ints(hlo_sinker *l, const char *key, const int64_t *v, int n);
void sink_number(hlo_sinker *l, const char *key, int64_t v);
void sink_matrix(hlo_sinker *l, const char *key, const int64_t *v, int n, int64_t width);
/* Replaces the characters that HLO does not allow in a name. */
const char *plain_name(hlo_sinker *l, const char *text);
/* Returns a new name, root.N. */
const char *sink_name(hlo_sinker *l, const char *root);
void sink_shape(hlo_sinker *l, writer *w, const type *t);
/* The same, with the layout for value i in the list, if there is one. */
void sink_shape_in(hlo_sinker *l, const type *t, const attr *layouts, int i);
/* Writes the shapes of several values, as a tuple unless there is one. */
void sink_shapes(hlo_sinker *l, writer *w, const type *const *types, int n);
/* The names of outside constants that a region uses. They are created again inside it; afterward
 * their names are restored. */
typedef struct sunk_names {
	int n;
	const value **values;
	const char **names;
} sunk_names;
sunk_names sink_captured_constants(hlo_sinker *l, const op *o, int region);
void sink_put_back(hlo_sinker *l, const sunk_names *kept);

/* opcode(operand, … */
void put_opcode(hlo_sinker *l, const char *opcode, const char *const *operands, int n);
/* Extracts the elements of a tuple, as the named values. */
void sink_elements(hlo_sinker *l, const char *tuple, value *const *v, int n);
/* Writes " name = shape opcode(operands"; attributes and sink_end() must follow. */
const char *sink_begin(hlo_sinker *l, const char *opcode, const type *const *types, int n_types,
                        const char *const *operands, int n);
void sink_end(hlo_sinker *l);
/* Returns the names of the operands. */
const char **sink_operands(hlo_sinker *l, const op *o);
/* Names the results of `o`: the instruction, or its elements. */
void sink_results(hlo_sinker *l, const op *o, const char *instruction);
const type **sink_types(hlo_sinker *l, const op *o, int *n);

/* Converts operations that need more than a row of ops.def; returns false for all others. */
bool sink_special(hlo_sinker *l, const op *o);
/* Converts a CHLO operation without an opcode to a call by its name. */
bool sink_by_name(hlo_sinker *l, const op *o);
/* The shardings and frontend attributes of an operation, an argument, the module. */
void sink_shardings(hlo_sinker *l, const op *o);
void sink_argument_sharding(hlo_sinker *l, const op *f, int i);
const char *sink_result_sharding(hlo_sinker *l, const op *f, int i, const char *v);
void sink_meshes(hlo_sinker *l, writer *w);
/* Writes the module's donated parameters (donation.c). */
void sink_donation(hlo_sinker *l, writer *w);
/* Converts sdy operations to the form in which JAX passes them through HLO; false for others. */
bool sink_sdy(hlo_sinker *l, const op *o);

#endif
