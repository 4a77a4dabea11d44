/* pass.c - the options of passes, by name. */
#include "ir/ir.h"

#include <stddef.h>
#include <stdlib.h>

static const pass_option pass_option_table[] = {
#define FIELD(field) offsetof(pass_options, field)
#define FLAG(field, name, initial, help) {name, PASS_FLAG, FIELD(field), #initial, help},
#define NUMBER(field, name, initial, help) {name, PASS_COUNT, FIELD(field), #initial, help},
#define TEXT(field, name, initial, help) {name, PASS_TEXT, FIELD(field), initial, help},
#define WORD(field, type, name, words, help) {name, PASS_WORD, FIELD(field), words, help},
#include "ir/pass_options.def"
#undef FLAG
#undef NUMBER
#undef TEXT
#undef WORD
#undef FIELD
};

pass_options pass_options_default(void)
{
	return (pass_options){
#define FLAG(field, name, initial, help) .field = initial,
#define NUMBER(field, name, initial, help) .field = initial,
#define TEXT(field, name, initial, help) .field = {initial, sizeof initial - 1},
#define WORD(field, type, name, words, help) .field = 0,
#include "ir/pass_options.def"
#undef FLAG
#undef NUMBER
#undef TEXT
#undef WORD
	};
}

const pass_option *pass_option_find(tess_str name)
{
	for (size_t i = 0; i < sizeof pass_option_table / sizeof *pass_option_table; i++)
		if (str_is(name, pass_option_table[i].name))
			return &pass_option_table[i];
	return NULL;
}

static bool flag_value(tess_str text, bool *out)
{
	*out = str_is(text, "true") || str_is(text, "1") || text.len == 0;
	return *out || str_is(text, "false") || str_is(text, "0");
}

static bool count_value(tess_str text, int64_t *out)
{
	*out = 0;
	for (size_t i = 0; i < text.len; i++) {
		int digit = text.ptr[i] - '0';
		if (digit < 0 || digit > 9 || !mul_ok(*out, 10, out) || !add_ok(*out, digit, out))
			return false;
	}
	return text.len > 0;
}

/* The position of `text` among the words of "a|b|c", or -1. */
static int word_index(const char *words, tess_str text)
{
	for (int i = 0;; i++) {
		size_t n = strcspn(words, "|");
		if (str_eq(text, (tess_str){words, n}))
			return i;
		if (!words[n])
			return -1;
		words += n + 1;
	}
}

bool pass_option_set(pass_options *o, const pass_option *option, tess_str value)
{
	void *field = (char *)o + option->offset;
	int word;
	switch (option->kind) {
	case PASS_FLAG:
		return flag_value(value, field);
	case PASS_COUNT:
		return count_value(value, field);
	case PASS_TEXT:
		*(tess_str *)field = value;
		return true;
	case PASS_WORD:
		word = word_index(option->initial, value);
		if (word < 0)
			return false;
		*(propagation_strategy *)field = (propagation_strategy)word;
		return true;
	}
	return false;
}
