/* read.h - what the files of the MLIR reader share.
 *
 * One pass over the text: lex.c makes tokens; read.c parses ops, with pending.c, and regions.c what
 * they contain; types.c, quant.c, attrs.c, structs.c, sdy.c, numbers.c, dense.c and locs.c parse
 * their parts; scope.c maps the names of values, labels.c those of blocks; mlir/forms/forms.c reads
 * and prints the pretty forms. parse.c has the entry points.
 *
 * Errors are sticky: after the first one, every token reads as T_END, so that no step needs a check
 * and every loop ends; the caller checks r->failed once.
 *
 * Types, shardings and small constants repeat thousands of times in a program. They are memoized by
 * their text (span_memo): a second `tensor<4x8xf32>` costs a hash of its 15 characters. */
#ifndef TESS_MLIR_READ_READ_H
#define TESS_MLIR_READ_READ_H

#include "mlir/mlir.h"

/* Punctuation characters are their own tokens. */
enum token {
	T_END = 0,
	T_WORD = 256, /* tensor, stablehlo.add */
	T_INT,
	T_HEX,
	T_FLOAT,
	T_STRING, /* with its quotes */
	T_VALUE,  /* %0 */
	T_SYMBOL, /* @main, @"odd name" */
	T_BANG,   /* !stablehlo.token */
	T_HASH,   /* #loc3, #sdy.sharding, the #1 of %0#1 */
	T_CARET,  /* ^bb0 */
	T_ARROW,
	T_COLON2,
	T_ELLIPSIS,
	T_RESOURCES,     /* {-# */
	T_RESOURCES_END, /* #-} */
};

/* Maps text to the object it was parsed to. */
typedef struct span_memo {
	struct span_slot {
		uint64_t hash;
		const char *ptr;
		const void *obj;
		uint32_t len;
	} *slots;
	uint32_t len, cap;
} span_memo;

/* A value name as a number: %7 is 7; other names are numbered as they are first seen. */
typedef uint32_t scope_name;
enum { OTHER_NAME = 1u << 31 }; /* set in the numbers of other names */

/* What a name refers to: `count` values starting at `first`; or, if `first` is NULL, placeholders
 * for values that are defined later. */
typedef struct name_binding {
	value *first;
	union {
		uint32_t count;
		uint32_t forward; /* 1 + index of its newest forward reference; 0: none */
	};
	uint32_t isolation; /* the isolated region that it belongs to */
} name_binding;

/* A name that is not a number. */
typedef struct scope_slot {
	const char *text;
	uint32_t len, hash;
	name_binding bound;
} scope_slot;

/* A binding hidden by one in an inner scope. */
typedef struct hidden_binding {
	scope_name name;
	uint32_t at; /* index among the bindings */
	name_binding bound;
} hidden_binding;

typedef VEC(void *) scope_pages;

typedef struct forward_ref {
	value *placeholder;
	scope_name name;
	uint32_t number; /* of %x#number */
	uint32_t at, at_end, isolation;
	uint32_t older; /* older reference to the same name, as in binding.forward */
} forward_ref;

/* Names of values. Opening a scope is O(1); closing it removes its bindings and restores those that
 * they hid. */
typedef struct scopes {
	scope_pages numbers; /* bindings, by number */
	scope_pages others;  /* slots, in the order in which names are first seen */
	uint32_t n_others;
	struct scope_index { /* hash index of `others` */
		uint32_t hash, item; /* 1 + index in `others`; 0: free */
	} *index;
	uint32_t index_cap;
	scope_pages bound; /* scope_names, in the order in which they were bound */
	uint32_t n_bound;
	VEC(hidden_binding) hidden;
	VEC(forward_ref) forwards;
	uint32_t isolation, n_isolations;
	int n_operands; /* of an op that is built: they are %0, %1, … */
} scopes;

typedef struct scope_mark {
	int forwards;
	uint32_t bound, isolation;
	place opened_at; /* the op that the scope belongs to */
} scope_mark;

/* A name before '=', for `count` results. */
typedef struct result_name {
	scope_name name;
	int count;
	place at;
} result_name;

/* A block by its label; the block may so far only be the target of a branch. */
typedef struct labelled {
	const name *label;
	block *block;
	bool defined, ahead;
	place at; /* where the label is first seen */
	struct labelled *older; /* link among labels that were first seen in branches */
} labelled;

/* The labels of a region, most of which have at most one. */
typedef struct labels {
	labelled first;
	ptr_map others; /* name -> labelled */
	labelled *ahead; /* the newest of those first seen in a branch */
} labels;

/* #name = attribute, or !name = type. */
typedef struct alias {
	const name *name;
	const attr *attr;
	const type *type;
	uint32_t at; /* position of the definition; to detect a second one */
	int height;  /* its nesting depth */
	int64_t parts; /* attributes and types in it, with aliases expanded */
	bool reading;
} alias;

/* The position of an attribute, or of a part of it: ITEM(i), or the N_… of a field. */
typedef struct attr_note {
	const name *name;
	int part; /* 0: all of it */
	uint32_t begin, end;
} attr_note;

/* For finding the attributes of one op (places.c). */
typedef struct attr_notes {
	uint32_t at;     /* of the op */
	bool here;       /* its own attributes are being read, not those of nested ops */
	const op *found; /* the op, when it has been read */
	VEC(attr_note) list;
} attr_notes;

/* What the reader stores in a context. */
typedef struct text_tables {
	reading_fn *reading; /* may be NULL */
	void *reading_user;
} text_tables;
static inline text_tables *text_tables_of(tess_ctx *ctx)
{
	if (UNLIKELY(!ctx->slot[SLOT_MLIR]))
		ctx->slot[SLOT_MLIR] = NEW(&ctx->perm, text_tables);
	return ctx->slot[SLOT_MLIR];
}

typedef struct reader {
	tess_ctx *ctx;
	module *m;
	source *src;
	const mlir_parse_opts *opts;
	const char *text, *end; /* the source text */
	const char *tok_at, *at; /* the current token is [tok_at, at) */
	const char *stretch;     /* where next_stretch() is due */
	size_t passed;           /* where it was last called */
	int tok;
	bool failed;
	int depth, deepest; /* current nesting depth; maximum so far, with aliases expanded */
	int64_t parts, lent; /* attributes, types and regions read; those that aliases expand to */
	uint32_t last_end; /* end of the token before the current one */
	arena *mem;        /* ctx->scratch */
	span_memo types, shardings, constants, int_lists, words;
	scopes scopes;
	/* Stacks: an op under construction owns what is above its marks. */
	VEC(value *) operands;
	VEC(uint32_t) operand_at;
	VEC(const type *) type_stack;
	VEC(named_attr) attr_stack;
	VEC(region) region_stack;
	VEC(const sharding *) sharding_stack;
	VEC(int64_t) ints;
	VEC(result_name) result_names;
	ptr_map hash_aliases, bang_aliases; /* name -> alias */
	VEC(block *) successors;            /* of the op under construction */
	labels *labels;                     /* of the current region */
	bool aliases_indexed;
	attr_notes *notes; /* NULL: no notes are taken */
	bool built;        /* a single op for a builder: types may be left out, and positions are
	                    * not kept */
} reader;

/* Returns the place of an op's name. */
static inline place read_op_place(const reader *r, const op *o)
{
	return (place){r->src, o->at, o->at + o->at_size};
}

/* ---- tokens (lex.c) ----------------------------------------------------- */

void read_begin(reader *r, tess_ctx *ctx, source *src, const mlir_parse_opts *opts);
void read_next(reader *r);
/* Continues at this character. */
static inline void read_goto(reader *r, const char *at)
{
	r->at = at;
	read_next(r);
}
static inline tess_str tok_text(const reader *r)
{
	return (tess_str){r->tok_at, (size_t)(r->at - r->tok_at)};
}
static inline uint32_t tok_pos(const reader *r) { return (uint32_t)(r->tok_at - r->text); }
static inline place tok_place(const reader *r)
{
	return (place){r->src, tok_pos(r), (uint32_t)(r->at - r->text)};
}
static inline place read_since(const reader *r, uint32_t begin)
{
	return (place){r->src, begin, r->last_end > begin ? r->last_end : begin + 1};
}
/* Reports the first error and makes everything after it read as T_END. Returns false. */
bool read_fail_at(reader *r, place at, diag_code code, const char *fmt, ...) PRINTF(4, 5);
#define read_fail(r, code, ...) read_fail_at((r), tok_place(r), (code), __VA_ARGS__)
/* Reports "expected <what>, found <token>". */
bool read_expected(reader *r, const char *what);
void read_stop(reader *r); /* as after an error, without reporting any */
static inline bool read_accept(reader *r, int tok)
{
	if (r->tok != tok)
		return false;
	read_next(r);
	return true;
}
bool read_expect(reader *r, int tok);
bool tok_is(const reader *r, const char *word);
bool read_accept_word(reader *r, const char *word);
bool read_expect_word(reader *r, const char *word);
/* Expects the tokens of a text like ", dims = ". */
void read_literal(reader *r, const char *text);
const char *skip_blanks(const char *s, const char *end); /* and comments */
bool read_deeper(reader *r); /* false: too deep, reported; else pair with r->depth-- */
int64_t read_int(reader *r);
/* Returns the contents of the string token, unescaped. */
tess_str read_string(reader *r);
const name *read_symbol(reader *r);
/* Returns the '>' that closes the '<' at `open`, which is after the current token; or NULL. */
const char *angle_end(const reader *r, const char *open);

const void *memo_find(const span_memo *m, tess_str span, uint64_t *hash);
/* Returns an interned word. Uses a small memo, since the context's table of names is large and not
 * in the cache. */
const name *read_word_name(reader *r, tess_str word);
void memo_add(reader *r, span_memo *m, tess_str span, uint64_t hash, const void *obj);

/* ---- types, attributes, locations ----------------------------------------------- */

const type *read_type(reader *r);
/* Reads (T, T) -> T: pushes *n_in inputs, then *n_out outputs, to type_stack. */
void read_function_type(reader *r, int *n_in, int *n_out);
bool read_type_ahead(const reader *r);
/* Reads !quant.uniform<i8<-127:127>:f32:0, {0.5:1, 0.25}>, at '<'. Returns false for any other
 * quantized type, which is kept as text. */
bool read_quant(reader *r, quant_info *q, quant_blocks *blocks);

const attr *read_attr(reader *r);
/* Reads {name = attr, …}, pushed to attr_stack. */
void read_attr_dict(reader *r);
/* Sorts by name; false, and reported, if a name occurs twice. */
bool sort_attrs(reader *r, named_attr *list, int n, place at);
/* Reads [1, 2, 3] to r->ints; returns their number. */
int read_int_list(reader *r);
const attr *read_ints_attr(reader *r); /* as array<i64: …> */
const attr *read_sharding_attr(reader *r);  /* at '<' */
const attr *read_per_value(reader *r);      /* <[<…>, …]> */
const attr *read_sharding_list(reader *r);  /* [<…>, …] as AT_SHARDINGS */
const attr *read_axes_attr(reader *r);      /* {"x"} */
const attr *read_axes_list_attr(reader *r); /* [{"x"}, {}] */
const attr *read_all_to_all_attr(reader *r);
const attr *read_manual_axes(reader *r);
const attr *read_mesh_attr(reader *r);
const attr *read_rule_attr(reader *r);
const attr *read_propagation_edges(reader *r);
/* Reads the body of #stablehlo.gather<…>, at '<'; NULL without an error: no such struct. */
const attr *read_struct(reader *r, tess_str mnemonic);
const attr *read_conv_dims(reader *r); /* [b, 0, f]x[0, i, o]->[b, 0, f] */
/* Returns an attribute that is kept as text, with its type if that is not NULL. */
const attr *written_attr(reader *r, tess_str text, const type *t);
const attr *read_dense(reader *r);
const attr *read_dense_array(reader *r);
const attr *read_number(reader *r);
double decimal_value(reader *r, tess_str text);
/* Returns the value of an integer token of either base; false: more than 64 bits. */
bool token_magnitude(const reader *r, uint64_t *out);
/* A float64 or an unsigned integer, without a type after it. */
const attr *read_bare_float(reader *r);
const attr *read_bare_ui64(reader *r);

const attr *read_loc(reader *r);          /* loc(…) */
const attr *read_trailing_loc(reader *r); /* loc(…) if there; else NULL */
void read_alias_definition(reader *r);
const alias *find_alias(reader *r, const char *sigil_and_name, size_t len);
/* Counts what the alias expands to. With aliases of aliases, a few lines can expand to more than
 * could ever be printed: then returns false, and reports it. */
enum { MOST_LENT = 1 << 24 };
bool use_alias(reader *r, const alias *a);

/* ---- scopes (scope.c) --------------------------------------------------------- */

scope_mark scope_open(reader *r, bool isolated, place op_at);
void scope_close(reader *r, scope_mark m);
/* At a T_VALUE: returns its name. */
scope_name read_value_name(reader *r);
/* Stores the value's name in the program; numbers are dropped for a built op. */
void name_value(reader *r, value *v, scope_name n);
void scope_define(reader *r, scope_name n, value *first, int count, place at);
/* Defines %0, %1, … as these values. */
void scope_define_operands(reader *r, value *const *v, int n);
/* At a T_VALUE, with its #number if any. */
value *read_value(reader *r);

/* ---- ops and regions (read.c, regions.c, pending.c) ------------------------------- */

/* An op under construction. Its parts are on the reader's stacks, from these marks on. */
typedef struct pending {
	int kind;
	const name *name;
	uint32_t at, name_end;
	int operands, n_operands;
	int n_operand_types, operand_types; /* on type_stack */
	int n_results, result_types;
	int attrs, regions;
	bool untyped; /* no types are written: the results' are to be inferred */
	func *func;
	const attr *loc;
} pending;

/* At a T_CARET: returns the block's entry (labels.c). */
labelled *read_block_name(reader *r);
/* At a T_CARET: reads a block of this region, pushed to successors. */
void read_successor(reader *r);
void read_operand(reader *r, pending *p);
void read_operands(reader *r, pending *p); /* %a, %b, … or none */
place operand_place(const reader *r, int i); /* of r->operands.ptr[i] */
/* Pushes the types of the operands from number `from` on: for an op without written types. */
void push_operand_types(reader *r, pending *p, int from);
/* Reads the ':' before types. Returns false if there is none; then pushes the operands' types. */
bool read_colon(reader *r, pending *p);
/* Reads : (T, T) -> T. */
void read_signature(reader *r, pending *p);
void pend_attr(reader *r, const name *n, const attr *a);
/* Notes that the text since `begin` is this attribute, or this part of it. */
static inline void note_attr(reader *r, const name *n, int part, uint32_t begin)
{
	uint32_t end = r->last_end > begin ? r->last_end : begin + 1;
	if (r->notes->here)
		vec_push(r->mem, &r->notes->list, (attr_note){n, part, begin, end});
}
static inline void note_known(reader *r, int known, int part, uint32_t begin)
{
	if (UNLIKELY(r->notes != NULL))
		note_attr(r, name_known(r->ctx, known), part, begin);
}
/* Between these two, nothing is noted as an attribute. */
static inline bool notes_pause(reader *r)
{
	bool here = r->notes && r->notes->here;
	if (here)
		r->notes->here = false;
	return here;
}
static inline void notes_go_on(reader *r, bool here)
{
	if (here)
		r->notes->here = true;
}
/* Reads the body of an op with `read`, taking notes if it is the op whose attributes are wanted. */
op *read_noted_op(reader *r, op *(*read)(reader *r));
find_attr_fn mlir_find_attr;
find_attr_fn mlir_find_built_attr; /* the same in the text of an op for a builder */
/* Reads aliases, ops and resources up to the end of the text. (file.c) */
void read_file(reader *r);
static inline void pend_known(reader *r, int known, const attr *a)
{
	pend_attr(r, name_known(r->ctx, known), a);
}
/* Adds an attribute that `read` parses here. */
void pend_read(reader *r, int known, const attr *(*read)(reader *r));
/* An argument of a region that is written outside its `{ … }`. */
typedef struct region_arg {
	scope_name name;
	const type *type;
	const attr *loc;
	const sharding *sharding;
	place at;
} region_arg;
void read_op(reader *r, block *b); /* appends it */
/* Called at the end of a region: every block that a branch refers to must have been defined. */
void labels_close(reader *r);
/* Reads `{ … }`, pushed to region_stack; these arguments are defined first. */
void read_region(reader *r, const pending *p, const region_arg *args, int n_args);
/* Reads %a: T {attrs}? loc?; attributes are pushed to attr_stack. */
region_arg read_region_arg(reader *r);
pending pending_begin(reader *r, const name *n, uint32_t at);

#endif
