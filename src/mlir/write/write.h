/* write.h - what the files of the MLIR printer share. */
#ifndef TESS_MLIR_WRITE_WRITE_H
#define TESS_MLIR_WRITE_WRITE_H

#include "mlir/mlir.h"

enum { LABEL_BITS = 30, LABEL_MAX = (1 << LABEL_BITS) - 1 };

/* The name of a value: %12, or %name. Every value of the module has one. */
typedef struct value_label {
	uint32_t number : LABEL_BITS; /* or the index of its name in the printer's names */
	uint32_t named : 1;
	uint32_t single : 1; /* one of several results, with a name of its own */
} value_label;

typedef struct loc_alias {
	const attr *loc;
	bool deferred; /* defined after the module */
} loc_alias;

/* The text of a type printed before; a program uses few types many times. */
typedef struct known_text {
	const type *type;
	uint8_t len;
	char text[47];
} known_text;
enum { KNOWN_TEXTS = 128 };

typedef struct printer {
	writer *w;
	tess_ctx *ctx;
	const module *m; /* NULL: a single type or attribute */
	mlir_print_opts opts;
	arena *mem; /* ctx->scratch */
	int indent;
	value_label *labels; /* by value id */
	uint32_t n_labels;
	VEC(const char *) names; /* of values */
	known_text *types; /* [KNOWN_TEXTS], by hash; NULL: none yet */
	uint32_t *block_numbers; /* of blocks in their regions, by block id; NULL until needed */
	ptr_map loc_aliases; /* location -> its alias number + 1 */
	loc_alias *locs;
	int n_locs;
} printer;

void write_type(printer *p, const type *t);
void write_function_type(printer *p, const op *o);
void write_results_types(printer *p, const op *o);
void write_attr(printer *p, const attr *a);
/* As in a list, where the types i64 and f64 are left out. */
void write_attr_item(printer *p, const attr *a);
/* Prints {a = 1, b}, of a function's argument or result with its sharding; prints nothing, and
 * returns false, if there is nothing. */
bool write_dict(printer *p, const attr_list *l, const sharding *s, const char *before);
/* Prints the elements of array<i64: …> as [1, 2]. */
void write_ints(printer *p, const attr *a);
bool write_float(writer *w, uint64_t bits, dtype t);
void write_dense(printer *p, const attr *a);
void write_dense_array(printer *p, const attr *a, bool stripped);
void write_struct(printer *p, const attr *a);
void write_struct_body(printer *p, const attr *a); /* <…> */
void write_conv_dims(printer *p, const attr *a);
void write_shardings(printer *p, const sharding *const *s, int n); /* [<…>, <…>] */
void write_axes_list(printer *p, const attr *a);
void write_all_to_all(printer *p, const attr *a);
void write_manual_axes(printer *p, const attr *a);
void write_rule(printer *p, const sharding_rule *r);
void write_loc(printer *p, const attr *a); /* loc(…) */
/* Print " loc(…)", if locations are printed: of an op, and of a block argument, the latter never as
 * an alias. */
void write_op_loc(printer *p, const op *o);
void write_arg_loc(printer *p, const value *v);
const attr *printed_loc(printer *p, const op *o);
const attr *printed_arg_loc(printer *p, const value *v);
void name_locations(printer *p, const op *root);
void write_loc_aliases(printer *p, bool deferred);
void write_keyword_or_string(printer *p, tess_str s);

void write_newline(printer *p);
void write_result_names(printer *p, const op *o); /* "%0:2 = " */
void write_value(printer *p, const value *v);
uint32_t *block_number(printer *p, const block *b); /* number in its region; to be set */
void write_block_name(printer *p, const block *b); /* ^bb1 */
void write_operands(printer *p, const op *o, int from, int n);
void write_region(printer *p, const region *g, bool entry_args);
/* The same without arguments and terminator. */
void write_region_without_end(printer *p, const region *g);
void write_region_arg(printer *p, const value *v); /* %a: T loc? */
void write_op(printer *p, const op *o);
void write_op_body(printer *p, const op *o); /* without results and location */
/* Prints an op after its name: "(%0) <{…}> ({…}) {…} : (T) -> T". */
void write_generic_rest(printer *p, const op *o);
/* Which attributes of an op to print. */
typedef enum attr_choice { ALL_ATTRS, INHERENT, DISCARDABLE } attr_choice;

typedef struct attr_filter {
	const int *hidden; /* ends with 0; NULL: none */
	attr_choice choice;
	bool hide_defaults;
} attr_filter;
/* Prints `a = 1, b`, sorted by name, with `before` in front. Returns whether there was anything to
 * print. */
bool write_filtered(printer *p, const op *o, const attr_filter *f, const char *before);
/* Prints all attributes except the hidden ones (a list ending with 0), as " {…}" or " attributes
 * {…}", if there are any. */
void write_op_attrs(printer *p, const op *o, const int *hidden, bool with_word);

void name_values(printer *p, const op *root);

#endif
