/* table.c - passes and pipelines by name. */
#include "shardy/passes.h"

static const pass_def pass_defs[] = {
#define PASS(name, function, options, summary) {name, summary, function, NULL, options},
#define PIPELINE(name, function, options, summary) {name, summary, NULL, function, options},
#include "shardy/passes.def"
#undef PASS
#undef PIPELINE
};

int pass_def_count(void) { return COUNT(pass_defs); }
const pass_def *pass_def_at(int i) { return &pass_defs[i]; }

const pass_def *pass_def_find(tess_str name)
{
	for (int i = 0; i < COUNT(pass_defs); i++)
		if (str_is(name, pass_defs[i].name))
			return &pass_defs[i];
	return NULL;
}

bool pass_def_takes(const pass_def *d, const pass_option *option)
{
	const char *s = d->options;
	size_t n = strlen(option->name);
	while (*s) {
		size_t len = strcspn(s, " ");
		if (len == n && memcmp(s, option->name, n) == 0)
			return true;
		s += len + (s[len] == ' ');
	}
	return false;
}
