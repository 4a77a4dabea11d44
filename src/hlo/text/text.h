/* text.h - what the files about HLO text share. Internal to hlo.
 *
 * HLO in the IR: the module's block has an op "hlo.computation" for each computation, callees
 * first; its region has one block with an op for each instruction, "hlo.add" for add. Instructions
 * have one result, whose name hint is the instruction's name. Their attributes:
 *
 *   hlo.shape     text of the shape with its layout
 *   hlo.root      present on the root of the computation
 *   hlo.number    of a parameter
 *   hlo.literal   of a constant: dense elements, an array for a tuple, or "{...}" if the
 *                 text left them out; these are never made up
 *   hlo.controls  number of last operands that are control predecessors
 *   others        by their names in HLO: the canonical text of the value; symbols for
 *                 computations, arrays of symbols for lists of them
 *
 * The module op has hlo.module (its name), and the attributes of the header by name.
 * hlo/convert/raise.c converts this to StableHLO, hlo/convert/sink.c does the reverse. */
#ifndef TESS_HLO_TEXT_TEXT_H
#define TESS_HLO_TEXT_TEXT_H

#include "base/scan.h"
#include "hlo/hlo.h"

/* ---- instructions ---------------------------------------------------------------- */

const char *hlo_opcode_of(const op *o);       /* "add" for hlo.add; NULL: not HLO */
const shape *hlo_shape_of(tess_ctx *ctx, const op *o);
const attr *hlo_attr(const op *o, tess_ctx *ctx, const char *name);
tess_str hlo_attr_text(const op *o, tess_ctx *ctx, const char *name); /* empty if absent */
int hlo_operands(const op *o, tess_ctx *ctx); /* without control predecessors */
op *hlo_root(tess_ctx *ctx, const op *computation);
op *hlo_computation(const module *m, const attr *symbol);
bool hlo_is_entry(const module *m, const op *computation);
const type *hlo_type(tess_ctx *ctx, const shape *s);
/* Returns the instructions of a computation in XLA's printing order: as they are, or operands
 * first, starting at each instruction that nobody uses. */
op **hlo_order(const module *m, const op *computation, bool as_they_stand, arena *mem, int *n);
/* Parameters by number. */
op **hlo_parameters(const op *computation, tess_ctx *ctx, arena *mem, int *n);
bool hlo_is_scheduled(const module *m);
bool hlo_is_partitioned(const module *m); /* it is a per-device program */

/* ---- values (values.c) --------------------------------------------------------- */

/* Parses all integers in a text; returns their number, writes at most cap. */
int hlo_numbers(tess_str s, int64_t *out, int cap);
/* The same for an attribute; -1 if it is absent. */
int hlo_attr_numbers(const op *o, tess_ctx *ctx, const char *name, int64_t *out, int cap);
/* The only integer of an attribute; `fallback` if it is absent (module.c). */
int64_t hlo_attr_number(const op *o, tess_ctx *ctx, const char *name, int64_t fallback);
/* Returns the trip count of a while; 0 if the text does not give it. */
int64_t hlo_known_trips(const op *o, tess_ctx *ctx);

/* Parses {a="b",c={…}} as a dictionary of strings. */
const attr *hlo_dictionary_attr(tess_ctx *ctx, tess_str text);

typedef struct hlo_window {
	int n;
	int64_t size[2 * SHAPE_MAX_RANK], stride[2 * SHAPE_MAX_RANK];
	int64_t low[SHAPE_MAX_RANK], high[SHAPE_MAX_RANK];
	int64_t lhs_dilation[2 * SHAPE_MAX_RANK], rhs_dilation[2 * SHAPE_MAX_RANK];
	bool reversed[SHAPE_MAX_RANK];
} hlo_window;
bool hlo_window_of(const op *o, tess_ctx *ctx, hlo_window *w);

typedef struct hlo_labels {
	int n; /* number of spatial dimensions */
	int in_batch, in_feature, k_in, k_out, out_batch, out_feature;
	int in_spatial[SHAPE_MAX_RANK], k_spatial[SHAPE_MAX_RANK], out_spatial[SHAPE_MAX_RANK];
} hlo_labels;
bool hlo_labels_of(const op *o, tess_ctx *ctx, hlo_labels *l);

/* ---- names (names.c) -------------------------------------------------------------------- */

/* The names given so far. */
typedef struct hlo_names {
	tess_ctx *ctx;
	arena *mem;
	ptr_map roots;
} hlo_names;
/* Returns the name or, if it is taken, one derived from it as in XLA. */
const name *hlo_unique_name(hlo_names *u, const name *n);
/* Converts asynchronous operations of one instruction to stages, such as add-start (async.c). */
void hlo_fold_async(module *m);
/* Makes the names of all instructions of the module unique. */
void hlo_unique_instructions(module *m);

/* ---- reading ------------------------------------------------------------------------ */

/* The computation being parsed. */
typedef struct hlo_scope {
	struct hlo_scope *outer;
	op *computation;
	ptr_map values; /* the op of each name */
	ptr_map anonymous; /* number of nested instructions of each name */
	op *root;
	int parameters; /* of a single instruction: created so far */
	bool lone;      /* a single instruction: unknown operands are parameters */
} hlo_scope;

typedef struct hlo_reader {
	scan s;
	tess_ctx *ctx;
	int depth;
	arena *mem; /* scratch */
	module *m;
	ptr_map computations; /* the op of each name */
	hlo_names names;      /* of computations */
	hlo_scope *scope;
	bool has_frames; /* the text has StackFrames */
} hlo_reader;

/* Tokens. After an error the reader is at the end. */
hlo_reader hlo_reader_of(tess_ctx *ctx, source *src);
static inline char hlo_peek(hlo_reader *r) { return scan_peek(&r->s); }
/* True if only blanks follow. */
static inline bool hlo_at_end(hlo_reader *r) { return !scan_peek(&r->s) && r->s.at == r->s.end; }
static inline bool hlo_accept(hlo_reader *r, const char *token)
{
	return scan_accept_text(&r->s, token);
}
static inline void hlo_expect(hlo_reader *r, const char *token) { scan_expect_text(&r->s, token); }
static inline bool hlo_accept_word(hlo_reader *r, const char *word)
{
	return scan_accept_word(&r->s, word);
}
/* Reads letters, digits, '_', '.', '-'; may be empty. */
static inline tess_str hlo_word(hlo_reader *r) { return scan_word(&r->s); }
static inline int64_t hlo_integer(hlo_reader *r) { return scan_integer(&r->s); }
static inline place hlo_here(hlo_reader *r) { return scan_next(&r->s); }
tess_str hlo_name(hlo_reader *r);    /* a word after an optional '%' */
tess_str hlo_string(hlo_reader *r);  /* a quoted string, unescaped, in scratch */
tess_str hlo_braces(hlo_reader *r);  /* balanced { … }, as written except for blanks */
place hlo_since(const hlo_reader *r, const char *from);
void hlo_fail(hlo_reader *r, place at, diag_code code, const char *fmt, ...) PRINTF(4, 5);
void hlo_unexpected(hlo_reader *r, const char *wanted);
void hlo_put_quoted(writer *w, tess_str s); /* with XLA's escapes */

/* Parses the value of an attribute into canonical form; NULL: the default, or an error. */
const attr *hlo_read_attr(hlo_reader *r, const hlo_attribute *a, const shape *result);

/* Makes an attribute from text; NULL after an error. */
const attr *hlo_text_attr(hlo_reader *r, tess_str s);
const attr *hlo_written_attr(hlo_reader *r, const writer *w);
/* Some of the forms (attr_window.c, attr_dict.c). */
const attr *hlo_read_slices(hlo_reader *r);
const attr *hlo_read_padding(hlo_reader *r);
const attr *hlo_read_window(hlo_reader *r);
const attr *hlo_read_labels(hlo_reader *r);
const attr *hlo_read_dictionary(hlo_reader *r); /* sorted by key */
const attr *hlo_read_metadata(hlo_reader *r);
/* The words of metadata, in XLA's printing order; ends with NULL. */
typedef struct hlo_metadata_word {
	const char *word;
	uint32_t field; /* of OpMetadata; 0: none */
	bool string;
} hlo_metadata_word;
extern const hlo_metadata_word hlo_metadata_words[];

/* Parses the elements of a constant of this shape. */
const attr *hlo_read_literal(hlo_reader *r, const shape *s);
const shape *hlo_read_shape(hlo_reader *r);
bool hlo_at_shape(hlo_reader *r);
/* After the word HloModule: parses up to the first computation (read_header.c). */
void hlo_read_header(hlo_reader *r);
/* Writes the i-th shape of a list. */
void hlo_put_listed_shape(writer *w, int i, const shape *s);
void hlo_set_header(hlo_reader *r, const char *attr_name, tess_str text);
/* Adds the layout of the entry if the header does not give it. */
void hlo_fill_entry_layout(hlo_reader *r, const op *entry);
const char *hlo_header_name(int i); /* attributes of modules; NULL: no more */
/* '{' instruction+ '}' */
void hlo_read_instructions(hlo_reader *r);
/* Parses an instruction of the current computation; NULL after an error. */
op *hlo_read_instruction(hlo_reader *r);

/* ---- creating (make.c) ---------------------------------------------------------------------- */

/* An instruction being read. */
typedef struct hlo_pending {
	const char *from; /* start of the name */
	tess_str label;
	const shape *shape; /* NULL: not written */
	tess_str opcode;
	const hlo_opcode *row;
	const char *stage;
	VEC(value *) operands; /* control predecessors last */
	int n_controls;
	attr_list attrs;
	ptr_map seen; /* attributes that were written, even with their default */
	bool root, nested; /* a nested instruction has no attributes */
} hlo_pending;

void hlo_set_attr(hlo_reader *r, attr_list *l, const char *attr_name, const attr *a);
/* Appends the instruction as an op, unchecked. */
op *hlo_append_instruction(hlo_reader *r, hlo_pending *p);
/* The same, after adding defaults and checking; NULL after an error. */
op *hlo_finish_instruction(hlo_reader *r, hlo_pending *p);
op *hlo_begin_computation(hlo_reader *r, hlo_scope *scope);
void hlo_end_computation(hlo_reader *r, hlo_scope *scope, tess_str label, bool entry);
/* Sets the entry and unique names, and what the header leaves out. */
void hlo_finish_module(hlo_reader *r);

/* ---- checks, shapes (check.c, infer.c) ------------------------------------------- */

const shape *hlo_infer_shape(tess_ctx *ctx, const hlo_opcode *o, const shape *const *operands,
                             int n, const attr_list *attrs); /* NULL: cannot be inferred */
bool hlo_check(hlo_reader *r, const hlo_opcode *o, const shape *result,
               const shape *const *operands, int n, const attr_list *attrs, place at);

/* ---- writing --------------------------------------------------------------------------------- */

void hlo_write_literal(writer *w, const attr *literal, const shape *s);

/* ---- algorithms of dots (hlo/convert/dot_algorithm.c) ----------------------------------------------- */

void put_dot_algorithm(writer *w, const dot_algorithm *a); /* dot_bf16_bf16_f32_x3 */
/* Returns #stablehlo.dot_algorithm<…> for such a word; NULL if there is no such algorithm. */
const attr *dot_algorithm_named(tess_ctx *ctx, tess_str word);

#endif
