/* lower.h - what the writers of operations share. */
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
	const amesh *first; /* the mesh that is called @mesh; NULL: none */
	const pspec *const *placed;   /* of parameters; see array_lower() */
	int groups;                   /* sharding groups so far */
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

/* "<@mesh0, [{"X"}, {}], replicated={"Y"}>" of dims' axes; `open`: others may come. */
void put_spec_sharding(lowering *l, const amesh *m, const axis_seq *dim, int rank, bool open,
                       axis_set replicated, axis_set unreduced);
/* True if an operation is written in others, and that. */
bool lower_has_expansion(const array_op *op);
bool lower_expansion(lowering *l, const anode *n);
/* The number of a mesh in the text: equal ones are one. */
int lower_mesh(lowering *l, const amesh *m);
/* The name that the module gives to a mesh; in the scratch arena. */
const char *lower_mesh_name(lowering *l, const amesh *m);
/* {"X", "Y"} */
void put_axis_braces(lowering *l, const amesh *m, axis_seq list, bool open);
axis_seq axis_seq_of_set(const amesh *m, axis_set s);
/* The operations of a function whose parameters have the names `ids`. */
bool lower_body(lowering *l, const afn *f, const int *ids);
/* The results of f behind `word`, with their types. */
void lower_return(lowering *l, const afn *f, const char *word);

/* ---- parts of operations; each writes one and returns its name ------------------- */

void lower_ints(lowering *l, const int64_t *v, int n); /* [1, 2] */
int lower_begin(lowering *l, const char *word);        /* "%7 = stablehlo.word " so far */
void lower_signature(lowering *l, const atype *from, const atype *to); /* " : (from) -> to" */
int lower_constant(lowering *l, double v, const atype *t);
int lower_convert_to(lowering *l, int id, const atype *from, dtype to);
int lower_reshape_to(lowering *l, int id, const atype *from, const atype *to);
int lower_broadcast_to(lowering *l, int id, const atype *from, const atype *to);
void lower_operands(lowering *l, const anode *n); /* "%1, %2" */
/* " : (types of the operands) -> " and, in parentheses if there are several, the results'. */
void lower_types_of(lowering *l, const atype *const *in, int n_in, const atype *const *out,
                    int n_out);
void lower_node_types(lowering *l, const anode *n);
void lower_i64_array(lowering *l, const char *key, const int64_t *v,
                     int n); /* key = array<i64: …> */
/* What a reduction by `word` (add, maximum, …) begins with. */
double lower_start(const char *word, dtype t);
/* "%7 = stablehlo.word %a, %b : type" */
int lower_pair(lowering *l, const char *word, int a, int b, const atype *t);
/* Truth values of a comparison; and what they choose. */
int lower_compared(lowering *l, const char *how, int a, int b, const atype *t);
int lower_chosen(lowering *l, int which, int yes, int no, const atype *t);
/* Places of type t, counted from the end of a dimension of that size where they are negative. */
int lower_from_front(lowering *l, int at, const atype *t, int64_t size);
/* " ({ ^bb0(%8, %9): … })": two elements made one by `word`; NULL: the second of them. */
void lower_combiner(lowering *l, const char *word, dtype t);
bool lower_result(lowering *l, const anode *n, int id); /* names the only result */

#endif
