/* lower.h - what the files that lower operations share. */
#ifndef TESS_ARRAY_LOWER_LOWER_H
#define TESS_ARRAY_LOWER_LOWER_H

#include "array/array.h"

typedef struct lower_row lower_row;

typedef struct lowering {
	tess_ctx *ctx;
	writer *w;
	ptr_map names; /* avalue -> 1 + its number */
	int next;
	const lower_row *row;
	VEC(const amesh *) meshes;
	const amesh *first; /* the mesh that is named @mesh; NULL: none */
	const pspec *const *placed;   /* of parameters; see array_lower() */
	int groups;                   /* number of sharding groups so far */
} lowering;

/* Writes a node's operations and names its results. */
typedef bool lower_fn(lowering *l, const anode *n);
struct lower_row {
	const char *name;
	lower_fn *write;
	const char *text; /* StableHLO's name, or a word of it */
};
/* Each ends with a NULL name. */
extern const lower_row lower_rows[], lower_data_rows[], lower_window_rows[], lower_matrix_rows[],
        lower_places_rows[], lower_call_rows[], lower_comm_rows[];

int lower_name(lowering *l);
int lower_of(lowering *l, const avalue *v);
void lower_set(lowering *l, const avalue *v, int id);
void put_tensor(lowering *l, const atype *t);

/* Writes "<@mesh0, [{"X"}, {}], replicated={"Y"}>"; `open`: the dimensions are open. */
void put_spec_sharding(lowering *l, const amesh *m, const axis_seq *dim, int rank, bool open,
                       axis_set replicated, axis_set unreduced);
/* True if an operation is expanded; and lowers the expansion. */
bool lower_has_expansion(const array_op *op);
bool lower_expansion(lowering *l, const anode *n);
/* Returns the number of a mesh in the text; equal meshes share one. */
int lower_mesh(lowering *l, const amesh *m);
/* Returns the name of a mesh in the module, in the scratch arena. */
const char *lower_mesh_name(lowering *l, const amesh *m);
/* {"X", "Y"} */
void put_axis_braces(lowering *l, const amesh *m, axis_seq list, bool open);
axis_seq axis_seq_of_set(const amesh *m, axis_set s);
/* Lowers the operations of a function whose parameters have the names `ids`. */
bool lower_body(lowering *l, const afn *f, const int *ids);
/* Writes the results of f after `word`, with their types. */
void lower_return(lowering *l, const afn *f, const char *word);

/* ---- parts of operations; those that return an int write an operation and return its name ---- */

void lower_ints(lowering *l, const int64_t *v, int n); /* [1, 2] */
int lower_begin(lowering *l, const char *word);        /* starts "%7 = stablehlo.word " */
void lower_signature(lowering *l, const atype *from, const atype *to); /* " : (from) -> to" */
int lower_constant(lowering *l, double v, const atype *t);
int lower_convert_to(lowering *l, int id, const atype *from, dtype to);
int lower_reshape_to(lowering *l, int id, const atype *from, const atype *to);
int lower_broadcast_to(lowering *l, int id, const atype *from, const atype *to);
void lower_operands(lowering *l, const anode *n); /* "%1, %2" */
/* Writes " : (operand types) -> " and the result types, in parentheses if there are several. */
void lower_types_of(lowering *l, const atype *const *in, int n_in, const atype *const *out,
                    int n_out);
void lower_node_types(lowering *l, const anode *n);
void lower_i64_array(lowering *l, const char *key, const int64_t *v,
                     int n); /* key = array<i64: …> */
/* Returns the initial value of a reduction by `word` (add, maximum, …). */
double lower_start(const char *word, dtype t);
/* "%7 = stablehlo.word %a, %b : type" */
int lower_pair(lowering *l, const char *word, int a, int b, const atype *t);
/* Compares; and selects by the result. */
int lower_compared(lowering *l, const char *how, int a, int b, const atype *t);
int lower_chosen(lowering *l, int which, int yes, int no, const atype *t);
/* Adds the size of the dimension to negative indices of type t. */
int lower_from_front(lowering *l, int at, const atype *t, int64_t size);
/* " ({ ^bb0(%8, %9): … })": combines two elements by `word`; NULL: returns the second. */
void lower_combiner(lowering *l, const char *word, dtype t);
bool lower_result(lowering *l, const anode *n, int id); /* names the only result */

#endif
