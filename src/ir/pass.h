/* pass.h - passes: functions over a module, with options. */
#ifndef TESS_IR_PASS_H
#define TESS_IR_PASS_H

#include "base/base.h"

typedef struct module module;

typedef enum propagation_strategy {
	STRATEGY_AGGRESSIVE,
	STRATEGY_BASIC,
	STRATEGY_BASIC_THEN_AGGRESSIVE,
} propagation_strategy;

typedef enum propagation_order { ORDER_SDY, ORDER_CANONICAL } propagation_order;
typedef enum reshard_policy { RESHARD_SDY, RESHARD_COST } reshard_policy;

/* The options of all passes in one struct; a pass reads those that it has. Start from
 * pass_options_default(). */
typedef struct pass_options {
#define FLAG(field, name, initial, help) bool field;
#define NUMBER(field, name, initial, help) int64_t field;
#define TEXT(field, name, initial, help) tess_str field;
#define WORD(field, type, name, words, help) type field;
#include "ir/pass_options.def"
#undef FLAG
#undef NUMBER
#undef TEXT
#undef WORD
	bool pin_rules;    /* keep the sharding rules that depend on other ops as attributes */
	struct trail *why; /* where propagation records its reasons; NULL: nowhere */
	struct propagation_memo *memo; /* what propagation knows from before; NULL: nothing */
} pass_options;

/* A pass does what its name says on a valid module and leaves a valid one. @return false once an
 * error is in the context. */
typedef bool pass_fn(module *m, const pass_options *o);

pass_options pass_options_default(void);

typedef enum pass_option_kind { PASS_FLAG, PASS_COUNT, PASS_TEXT, PASS_WORD } pass_option_kind;
typedef struct pass_option {
	const char *name;
	pass_option_kind kind;
	size_t offset;       /* in pass_options */
	const char *initial; /* as text; the words of a PASS_WORD, "a|b|c" */
	const char *help;
} pass_option;
/* @return NULL if there is no option of this name. */
const pass_option *pass_option_find(tess_str name);
/* Sets an option from text.  false: not a value of this option. */
bool pass_option_set(pass_options *o, const pass_option *option, tess_str value);

#endif
