/* table.c - HLO's opcodes and their attributes, from ops.def and attrs.def. */
#include "hlo/text/text.h"

static const hlo_opcode opcodes[] = {
#define HLO(opcode, min, max, infer, work, attrs)                                                  \
	{opcode, min, max, HLO_INFER_##infer, HLO_WORK_##work, attrs},
#define SAME(opcode, kind, fields, ...) HLO(opcode, __VA_ARGS__)
#include "hlo/text/ops.def"
#undef HLO
#undef SAME
};

static const hlo_attribute attributes[] = {
#define ATTR(name, form, initial, ...) {name, HLO_FORM_##form, initial, {__VA_ARGS__}},
#define COMMON(name, form, ...)
#define WORDS(name, words)
#include "hlo/text/attrs.def"
#undef ATTR
#undef COMMON
#undef WORDS
};

static const hlo_attribute common[] = {
#define ATTR(name, form, initial, ...)
#define COMMON(name, form, ...) {name, HLO_FORM_##form, "", {__VA_ARGS__}},
#define WORDS(name, words)
#include "hlo/text/attrs.def"
#undef ATTR
#undef COMMON
#undef WORDS
};

static const struct {
	const char *name, *words;
} enums[] = {
#define ATTR(name, form, initial, ...)
#define COMMON(name, form, ...)
#define WORDS(name, words) {name, words},
#include "hlo/text/attrs.def"
#undef ATTR
#undef COMMON
#undef WORDS
};

const char *hlo_attribute_words(const char *name)
{
	for (int i = 0; i < COUNT(enums); i++)
		if (strcmp(enums[i].name, name) == 0)
			return enums[i].words;
	return NULL;
}

static int compare_text(tess_str s, const char *z)
{
	return str_cmp(s, str_of(z));
}

static const hlo_opcode *exact_opcode(tess_str s)
{
	for (int low = 0, high = COUNT(opcodes); low < high;) {
		int mid = (low + high) / 2, c = compare_text(s, opcodes[mid].opcode);
		if (c == 0)
			return &opcodes[mid];
		if (c < 0)
			high = mid;
		else
			low = mid + 1;
	}
	return NULL;
}

const hlo_opcode *hlo_opcode_find(tess_str s, const char **stage)
{
	static const char *const stages[] = {"-start", "-update", "-done"};
	const hlo_opcode *o = exact_opcode(s);
	*stage = "";
	for (int i = 0; !o && i < COUNT(stages); i++) {
		if (!str_ends(s, stages[i]))
			continue;
		o = exact_opcode((tess_str){s.ptr, s.len - strlen(stages[i])});
		*stage = stages[i] + 1;
	}
	return o;
}

const hlo_attribute *hlo_attribute_find(tess_str s)
{
	for (int i = 0; i < COUNT(common); i++)
		if (str_is(s, common[i].name))
			return &common[i];
	for (int low = 0, high = COUNT(attributes); low < high;) {
		int mid = (low + high) / 2, c = compare_text(s, attributes[mid].name);
		if (c == 0)
			return &attributes[mid];
		if (c < 0)
			high = mid;
		else
			low = mid + 1;
	}
	return NULL;
}

const hlo_attribute *hlo_common_attr(int i)
{
	return i < COUNT(common) ? &common[i] : NULL;
}

const hlo_attribute *hlo_opcode_attr(const hlo_opcode *o, int i, int *flags)
{
	const char *p = o->attrs;
	for (; *p && i > 0; i--) {
		p += strcspn(p, " ");
		p += *p == ' ';
	}
	size_t n = strcspn(p, " ");
	*flags = 0;
	for (; n && (p[n - 1] == '!' || p[n - 1] == '+'); n--)
		*flags |= p[n - 1] == '!' ? HLO_ATTR_REQUIRED : HLO_ATTR_NEW;
	return n ? hlo_attribute_find((tess_str){p, n}) : NULL;
}

/* ---- listing, for the command and for tests ------------------------------------------------- */

const hlo_opcode *hlo_opcode_at(int i)
{
	return i >= 0 && i < COUNT(opcodes) ? &opcodes[i] : NULL;
}
