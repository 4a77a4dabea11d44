/* attr.h - attributes, interned: equality is ==. */
#ifndef TESS_IR_ATTR_H
#define TESS_IR_ATTR_H

#include "base/base.h"
#include "ir/rule.h"
#include "ir/type.h"
#include "sharding/sharding.h"

typedef enum attr_kind {
	AT_UNIT,
	AT_BOOL,        /* i */
	AT_INT,         /* i, type (an integer wider than 64 bits is AT_OPAQUE) */
	AT_FLOAT,       /* f (the value), bits (as the type stores it), type */
	AT_STRING,      /* text; type if written `"…" : T` */
	AT_TYPE,        /* type */
	AT_ARRAY,       /* list */
	AT_DICT,        /* list, names: sorted by name */
	AT_SYMBOL,      /* text: @text; nested @a::@b: list of AT_SYMBOL too */
	AT_DENSE,       /* type, data, splat: dense<…> */
	AT_DENSE_ARRAY, /* array<i64: …>: type (of an element), data, n elements */
	AT_RESOURCE,    /* dense_resource<text> : type */
	AT_ENUM,   /* #stablehlo<precision HIGH>: text "stablehlo", sub "precision", word "HIGH" */
	AT_STRUCT, /* #stablehlo.gather<…>: text "stablehlo.gather", list + names as written */
	AT_OPAQUE, /* #dialect<…>, or another attribute, kept as written: text */
	AT_AFFINE, /* affine_map<…>, affine_set<…>: text, as written */
	/* sdy */
	AT_MESH,        /* mesh */
	AT_SHARDING,    /* sharding */
	AT_SHARDINGS,   /* sharding_per_value: shardings[n] */
	AT_MANUAL_AXES, /* list of AT_STRING */
	AT_AXES,        /* axes[n]: {"x", "y":(1)2} */
	AT_AXES_LIST,   /* list of AT_AXES: [{"x"}, {}] */
	AT_ALL_TO_ALL,  /* list of AT_AXES; ints[2 * n]: source and target dimension of each */
	AT_RULE,        /* rule */
	/* locations */
	AT_LOC_UNKNOWN,
	AT_LOC_FILE,     /* text file; ints[4]: line, col, end line, end col (0, 0 if no range) */
	AT_LOC_NAME,     /* text; list[0] child if any */
	AT_LOC_CALLSITE, /* list[0] callee, list[1] caller */
	AT_LOC_FUSED,    /* list; meta may be NULL */
} attr_kind;
enum { AT_KINDS = AT_LOC_FUSED + 1 };

struct tess_attr {
	attr_kind kind;
	int n; /* of list, shardings, axes, array elements */
	int n_ints;
	bool splat; /* AT_DENSE: data holds one element */
	const type *type;
	const name *text, *sub;
	union { /* AT_FLOAT has f */
		int64_t i;
		double f;
	};
	uint64_t bits;
	const attr *const *list;
	const name *const *names; /* AT_DICT, AT_STRUCT: of the items of list */
	const int64_t *ints;
	/* Elements, little endian, dtype_bytes() each (i1 and i4 take a byte; complex: re, im).
	 * Quantized tensors hold their storage type. */
	const void *data;
	size_t data_len;
	union { /* the kind says which one: look at that first */
		const name *word;
		const mesh *mesh;
		const sharding *sharding;
		const sharding *const *shardings; /* an item may be NULL */
		const axis_ref *axes;
		const sharding_rule *rule;
		const attr *meta;
		const void *special; /* any of them; NULL: none */
	};
	uint64_t hash;
};

/* Interns a copy of *a, including its arrays. The constructors below are shortcuts. */
const attr *attr_of(tess_ctx *ctx, const attr *a);
/* True if the context ever made an attribute of that kind: most programs lack most kinds. */
bool attr_kind_made(tess_ctx *ctx, attr_kind kind);

const attr *attr_unit(tess_ctx *ctx);
const attr *attr_bool(tess_ctx *ctx, bool v);
const attr *attr_int(tess_ctx *ctx, int64_t v, const type *t);
const attr *attr_i64(tess_ctx *ctx, int64_t v);
const attr *attr_i32(tess_ctx *ctx, int64_t v);
/* `bits` is the value as `t` stores it, `v` the value. */
const attr *attr_float(tess_ctx *ctx, double v, uint64_t bits, const type *t);
const attr *attr_string(tess_ctx *ctx, const name *n);
const attr *attr_type(tess_ctx *ctx, const type *t);
const attr *attr_array(tess_ctx *ctx, const attr *const *list, int n);
const attr *attr_dict(tess_ctx *ctx, const name *const *names, const attr *const *list,
                      int n); /* sorts */
const attr *attr_symbol(tess_ctx *ctx, const name *n);
const attr *attr_enum(tess_ctx *ctx, const char *dialect, const char *kind, const char *word);
const attr *attr_i64_array(tess_ctx *ctx, const int64_t *v, int n); /* array<i64: …> */
const attr *attr_bool_array(tess_ctx *ctx, const bool *v, int n);   /* array<i1: …> */
const attr *attr_dense(tess_ctx *ctx, const type *t, const void *data, size_t len, bool splat);
const attr *attr_sharding(tess_ctx *ctx, const sharding *s);
const attr *attr_shardings(tess_ctx *ctx, const sharding *const *s, int n);
const attr *attr_mesh(tess_ctx *ctx, const mesh *m);
const attr *attr_axes(tess_ctx *ctx, const axis_ref *axes, int n);
const attr *attr_rule(tess_ctx *ctx, const sharding_rule *r);
const attr *attr_loc_unknown(tess_ctx *ctx);

/* How attributes are read from and printed as MLIR text: the functions of mlir, for layers that may
 * not include it. */
typedef struct attr_texts {
	const attr *(*parse)(tess_ctx *ctx, source *src); /* NULL after an error */
	void (*print)(writer *w, tess_ctx *ctx, const attr *a);
} attr_texts;

/* A member of a dictionary or struct; NULL if absent. */
const attr *attr_get(const attr *dict, int known);
const attr *attr_get_named(const attr *dict, const name *n);
/* The elements of an i64 array, of dense integers or of [1, 2], widened. NULL with *n = -1 for
 * other attributes. Lives as long as the context. */
const int64_t *attr_ints(tess_ctx *ctx, const attr *a, int *n);
/* Element i (row-major) of dense integers or floats. */
int64_t attr_dense_int(const attr *a, int64_t i);
double attr_dense_float(const attr *a, int64_t i);
/* Dense elements of type `t` that all have these bits. */
const attr *attr_splat_bits(tess_ctx *ctx, const type *t, uint64_t bits);

#endif
