/* read.h - what the files of the MLIR reader share.
 *
 * One pass over the text: lex.c makes tokens, read.c reads ops and
 * regions.c what they contain, with pending.c; types.c, quant.c, attrs.c,
 * structs.c, sdy.c, numbers.c, dense.c and locs.c read what they are made of;
 * scope.c keeps the names of values, labels.c those of blocks; mlir/forms/forms.c
 * reads and prints the pretty forms.  parse.c is how others ask for all that.
 *
 * Errors are sticky: after the first one every token reads as T_END, so that no
 * step needs a check and every loop stops by itself; the caller looks at
 * r->failed once.
 *
 * Types, shardings and small constants repeat thousands of times in a program.
 * They are memoised by their raw text (span_memo): a second `tensor<4x8xf32>`
 * costs a hash of its 15 characters. */
#ifndef TESS_MLIR_READ_READ_H
#define TESS_MLIR_READ_READ_H

#include "mlir/mlir.h"

/* Punctuation is its own character. */
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

/* Raw text to what it means. */
typedef struct span_memo {
	struct span_slot {
		uint64_t hash;
		const char *ptr;
		const void *obj;
		uint32_t len;
	} *slots;
	uint32_t len, cap;
} span_memo;

/* A name of a value, as a number: %7 is 7, others are numbered as they are seen first. */
typedef uint32_t scope_name;
enum { OTHER_NAME = 1u << 31 }; /* marks those others */

/* What a name stands for: `count` values from `first` on; or, where that is NULL,
 * placeholders for values that are defined later. */
typedef struct name_binding {
	value *first;
	union {
		uint32_t count;
		uint32_t forward; /* 1 + index of the newest forward reference to it; 0: none */
	};
	uint32_t isolation; /* the isolated region that it belongs to */
} name_binding;

/* A name that is no number. */
typedef struct scope_slot {
	const char *text;
	uint32_t len, hash;
	name_binding bound;
} scope_slot;

/* A binding that a scope inside of its own has hidden. */
typedef struct hidden_binding {
	scope_name name;
	uint32_t at; /* its number among what the scopes have bound */
	name_binding bound;
} hidden_binding;

typedef VEC(void *) scope_pages;

typedef struct forward_ref {
	value *placeholder;
	scope_name name;
	uint32_t number; /* of %x#number */
	uint32_t at, at_end, isolation;
	uint32_t older; /* reference to the same name, as binding.forward */
} forward_ref;

/* Names of values: %7 by number, others by name.  Opening a scope is O(1);
 * closing it takes back what it has bound, and brings back what that has hidden. */
typedef struct scopes {
	scope_pages numbers; /* bindings, by number */
	scope_pages others;  /* slots, in the order in which they are seen */
	uint32_t n_others;
	struct scope_index { /* finds them by hash */
		uint32_t hash, item; /* 1 + number among the others; 0: free */
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

/* A block by its label, perhaps seen only in a branch so far. */
typedef struct labelled {
	const name *label;
	block *block;
	bool defined, ahead;
	place at; /* where the label is seen first */
	struct labelled *older; /* among the labels that branches have named first */
} labelled;

/* The labels of a region.  Most regions have one at most. */
typedef struct labels {
	labelled first;
	ptr_map others; /* name -> labelled */
	labelled *ahead; /* the newest that a branch has named before the block came */
} labels;

/* #name = attribute, !name = type. */
typedef struct alias {
	const name *name;
	const attr *attr;
	const type *type;
	uint32_t at; /* of the definition; to tell a second one */
	int height;  /* how deep it is nested */
	int64_t parts; /* attributes and types in it, those of its aliases written out */
	bool reading;
} alias;

/* A part of an op's attributes, as it was read: the attribute's name, and ITEM(i) or the N_… of a
 * field if the note is about that alone. */
typedef struct attr_note {
	const name *name;
	int part; /* 0: all of it */
	uint32_t begin, end;
} attr_note;

/* For somebody who asks where the attributes of one op stand (places.c). */
typedef struct attr_notes {
	uint32_t at;     /* of the op */
	bool here;       /* it is being read, and nothing inside of it */
	const op *found; /* the op, when it has been read */
	VEC(attr_note) list;
} attr_notes;

/* What text keeps in a context. */
typedef struct text_tables {
	reading_fn *reading; /* NULL: nobody wants to know */
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
	size_t passed;           /* up to where it was */
	int tok;
	bool failed;
	int depth, deepest; /* now; the most that was read, aliases written out */
	int64_t parts, lent; /* attributes, types and regions read; those that aliases stand for */
	uint32_t last_end; /* where the token before the current one ended */
	arena *mem;        /* ctx->scratch */
	span_memo types, shardings, constants, int_lists, words;
	scopes scopes;
	/* Stacks: an op in the making owns what lies above its marks. */
	VEC(value *) operands;
	VEC(uint32_t) operand_at;
	VEC(const type *) type_stack;
	VEC(named_attr) attr_stack;
	VEC(region) region_stack;
	VEC(const sharding *) sharding_stack;
	VEC(int64_t) ints;
	VEC(result_name) result_names;
	ptr_map hash_aliases, bang_aliases; /* name -> alias */
	VEC(block *) successors;            /* of the op in the making */
	labels *labels;                     /* of the region at hand */
	bool aliases_indexed;
	attr_notes *notes; /* NULL: nobody wants to know */
	bool built;        /* one op for a builder: types may be missing, places mean nothing later */
} reader;

/* Where the name of an op stands that has been read. */
static inline place read_op_place(const reader *r, const op *o)
{
	return (place){r->src, o->at, o->at + o->at_size};
}

/* ---- tokens (lex.c) ----------------------------------------------------- */

void read_begin(reader *r, tess_ctx *ctx, source *src, const mlir_parse_opts *opts);
void read_next(reader *r);
/* Continues at a character of the text. */
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
/* Reports the first error and makes everything read as T_END.  Returns false. */
bool read_fail_at(reader *r, place at, diag_code code, const char *fmt, ...) PRINTF(4, 5);
#define read_fail(r, code, ...) read_fail_at((r), tok_place(r), (code), __VA_ARGS__)
/* "expected <what>, found <token>". */
bool read_expected(reader *r, const char *what);
void read_stop(reader *r); /* as after an error, which has been reported, or is none */
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
/* The tokens of a text like ", dims = ". */
void read_literal(reader *r, const char *text);
const char *skip_blanks(const char *s, const char *end); /* and comments */
bool read_deeper(reader *r); /* false: too deep, reported; else pair with r->depth-- */
int64_t read_int(reader *r);
/* The contents of the string token, unescaped. */
tess_str read_string(reader *r);
const name *read_symbol(reader *r);
/* After the current token: the '>' that closes the '<' at `open`, or NULL. */
const char *angle_end(const reader *r, const char *open);

const void *memo_find(const span_memo *m, tess_str span, uint64_t *hash);
/* An interned word, by way of a memo that stays small: the context's table of names
 * is large and cold. */
const name *read_word_name(reader *r, tess_str word);
void memo_add(reader *r, span_memo *m, tess_str span, uint64_t hash, const void *obj);

/* ---- types, attributes, locations ----------------------------------------------- */

const type *read_type(reader *r);
/* (T, T) -> T: pushes to type_stack, inputs first; *n_in of them, *n_out outputs. */
void read_function_type(reader *r, int *n_in, int *n_out);
bool read_type_ahead(const reader *r);
/* !quant.uniform<i8<-127:127>:f32:0, {0.5:1, 0.25}>, at '<'.  false: some other
 * quantized type, kept as text. */
bool read_quant(reader *r, quant_info *q, quant_blocks *blocks);

const attr *read_attr(reader *r);
/* {name = attr, …}: pushes to attr_stack. */
void read_attr_dict(reader *r);
/* By name; false, and reported, if a name stands there twice. */
bool sort_attrs(reader *r, named_attr *list, int n, place at);
/* [1, 2, 3]: to r->ints; returns how many. */
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
/* The body of #stablehlo.gather<…>, at '<'; NULL and no error: no such struct. */
const attr *read_struct(reader *r, tess_str mnemonic);
const attr *read_conv_dims(reader *r); /* [b, 0, f]x[0, i, o]->[b, 0, f] */
/* An attribute that is kept as written, and its type if that is not NULL. */
const attr *written_attr(reader *r, tess_str text, const type *t);
const attr *read_dense(reader *r);
const attr *read_dense_array(reader *r);
const attr *read_number(reader *r);
double decimal_value(reader *r, tess_str text);
/* The integer token, of either base; false: more than 64 bits. */
bool token_magnitude(const reader *r, uint64_t *out);
/* A float64 or an unsigned integer, without a type behind it. */
const attr *read_bare_float(reader *r);
const attr *read_bare_ui64(reader *r);

const attr *read_loc(reader *r);          /* loc(…) */
const attr *read_trailing_loc(reader *r); /* loc(…) if there; else NULL */
void read_alias_definition(reader *r);
const alias *find_alias(reader *r, const char *sigil_and_name, size_t len);
/* Counts what it stands for.  Aliases of aliases say in a few lines what nobody can print, or follow
 * to its end: false, and reported. */
enum { MOST_LENT = 1 << 24 };
bool use_alias(reader *r, const alias *a);

/* ---- scopes (scope.c) --------------------------------------------------------- */

scope_mark scope_open(reader *r, bool isolated, place op_at);
void scope_close(reader *r, scope_mark m);
/* At a T_VALUE: its name. */
scope_name read_value_name(reader *r);
/* Gives a value this name for good; a number says nothing and is forgotten in a built op. */
void name_value(reader *r, value *v, scope_name n);
void scope_define(reader *r, scope_name n, value *first, int count, place at);
/* %0, %1, … are these values. */
void scope_define_operands(reader *r, value *const *v, int n);
/* At a T_VALUE, with its #number if any. */
value *read_value(reader *r);

/* ---- ops and regions (read.c, regions.c, pending.c) ------------------------------- */

/* An op in the making.  Its parts lie on the reader's stacks from these marks on. */
typedef struct pending {
	int kind;
	const name *name;
	uint32_t at, name_end;
	int operands, n_operands;
	int n_operand_types, operand_types; /* on type_stack */
	int n_results, result_types;
	int attrs, regions;
	bool untyped; /* no types are written: those of the results are to be inferred */
	func *func;
	const attr *loc;
} pending;

/* At a T_CARET: what is known of the block (labels.c). */
labelled *read_block_name(reader *r);
/* At a T_CARET: a block of this region, pushed to successors. */
void read_successor(reader *r);
void read_operand(reader *r, pending *p);
void read_operands(reader *r, pending *p); /* %a, %b, … or none */
place operand_place(const reader *r, int i); /* of r->operands.ptr[i] */
/* The types that operands have, from number `from` on: for an op whose types are not written. */
void push_operand_types(reader *r, pending *p, int from);
/* The ':' before types.  false: none are written, and those of the operands are pushed. */
bool read_colon(reader *r, pending *p);
/* : (T, T) -> T */
void read_signature(reader *r, pending *p);
void pend_attr(reader *r, const name *n, const attr *a);
/* What was read since `begin` is this attribute, or that part of it. */
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
/* What is read between the two is noted as no attribute. */
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
/* The body of an op, read by `read`, with notes if it is the one that somebody asks about. */
op *read_noted_op(reader *r, op *(*read)(reader *r));
find_attr_fn mlir_find_attr;
find_attr_fn mlir_find_built_attr; /* the same in the text of an op that is built */
/* Aliases, ops and resources up to the end of the text. */
void read_file(reader *r);
static inline void pend_known(reader *r, int known, const attr *a)
{
	pend_attr(r, name_known(r->ctx, known), a);
}
/* An attribute that is read here. */
void pend_read(reader *r, int known, const attr *(*read)(reader *r));
/* `{ … }`, pushed to region_stack.  Arguments given outside of it are defined
 * first. */
typedef struct region_arg {
	scope_name name;
	const type *type;
	const attr *loc;
	const sharding *sharding;
	place at;
} region_arg;
void read_op(reader *r, block *b); /* appends it */
/* At the end of a region: every block that a branch names must be there. */
void labels_close(reader *r);
void read_region(reader *r, const pending *p, const region_arg *args, int n_args);
/* %a: T {attrs}? loc?: attributes are pushed to attr_stack. */
region_arg read_region_arg(reader *r);
pending pending_begin(reader *r, const name *n, uint32_t at);

#endif
