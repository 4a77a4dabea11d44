/* program.c - options that several subcommands share: a program, and annotations for it. */
#include "tess.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <tessera/partition.h>
#include <tessera/passes.h>

/* "0=[{\"x\"}, {}]": the number, and what follows the sign.  NULL: no number. */
static const char *split_index(const char *text, size_t *index)
{
	char *end;
	errno = 0;
	*index = strtoull(text, &end, 10);
	return !errno && isdigit((unsigned char)*text) && *end == '=' ? end + 1 : NULL;
}

/* "%h=[{\"x\"}, {}]", "w=P('x')": the sign before the sharding, since names may hold signs too. */
static const char *where_sharding(const char *text)
{
	static const char *const begins[] = {"=[", "=<", "=#sdy.sharding<", "=P(", "=PartitionSpec("};
	const char *first = NULL;
	for (size_t i = 0; i < sizeof begins / sizeof *begins; i++) {
		const char *at = strstr(text, begins[i]);
		first = at && (!first || at < first) ? at : first;
	}
	return first;
}

static tess_status constrain_one(const command *self, tess_module *m, const char *option,
                                 const char *text)
{
	const char *equals = where_sharding(text);
	if (!equals || equals == text) {
		usage_error(self, "--%s %s: expected a value, '=' and a sharding", option, text);
		return TESS_USAGE;
	}
	char *value = strndup(text, (size_t)(equals - text));
	tess_status status = value ? tess_module_constrain(m, value, equals + 1) : TESS_NOMEM;
	free(value);
	return status;
}

static tess_status constrain(const command *self, tess_module *m, const text_list *list)
{
	tess_status status = TESS_OK;
	for (int i = 0; i < list->n && status == TESS_OK; i++)
		status = constrain_one(self, m, "constrain", list->ptr[i]);
	return status;
}

static bool is_named(const char *text)
{
	return *text != '-' && !isdigit((unsigned char)*text) && strchr(text, '=');
}

/* An argument may have a number or a name, a result has a number. */
static tess_status annotate(const command *self, tess_module *m, const text_list *list,
                            bool results)
{
	tess_status status = TESS_OK;
	for (int i = 0; i < list->n && status == TESS_OK; i++) {
		size_t index;
		const char *text = split_index(list->ptr[i], &index);
		if (text && *text) {
			status = results ? tess_module_shard_output(m, index, text)
			                 : tess_module_shard_input(m, index, text);
		} else if (!results && !text && is_named(list->ptr[i])) {
			status = constrain_one(self, m, "arg", list->ptr[i]);
		} else {
			usage_error(self, "%s: expected a number, '=' and a sharding",
			            list->ptr[i]);
			status = TESS_USAGE;
		}
	}
	return status;
}

/* All sizes at once: a dimension may depend on several. */
static tess_status set_sizes(tess_module *m, const text_list *list)
{
	size_t length = 1;
	for (int i = 0; i < list->n; i++)
		length += strlen(list->ptr[i]) + 1;
	char *all = calloc(length, 1);
	if (!all)
		return TESS_NOMEM;
	for (int i = 0; i < list->n; i++) {
		strcat(all, i ? "," : "");
		strcat(all, list->ptr[i]);
	}
	tess_status status = tess_module_set_sizes(m, all);
	free(all);
	return status;
}

tess_module *program_open(const command *self, tess_ctx *ctx, const char *path,
                          const program_options *o, tess_status *status)
{
	if (o->policy && strcmp(o->policy, "cost") != 0 && strcmp(o->policy, "sdy") != 0) {
		usage_error(self, "--reshard-policy %s: expected cost or sdy", o->policy);
		*status = TESS_USAGE;
		return NULL;
	}
	tess_parse_opts reading = TESS_PARSE_OPTS_INIT;
	reading.sharding_texts = true;
	reading.platform = o->platform ? o->platform : "";
	reading.derivative = (int)(o->derivative < 100 ? o->derivative : 100);
	tess_module *m = tess_module_parse_file(ctx, path, &reading);
	*status = m ? TESS_OK : TESS_INVALID;
	if (m && o->sizes.n)
		*status = set_sizes(m, &o->sizes);
	if (*status == TESS_OK && o->mesh)
		*status = tess_module_set_mesh(m, o->mesh);
	if (*status == TESS_OK)
		*status = annotate(self, m, &o->inputs, false);
	if (*status == TESS_OK)
		*status = annotate(self, m, &o->outputs, true);
	if (*status == TESS_OK)
		*status = constrain(self, m, &o->constraints);
	if (*status != TESS_OK) {
		tess_module_free(m);
		m = NULL;
	}
	return m;
}

tess_status program_propagate(tess_module *m, const program_options *o)
{
	tess_status status = tess_module_propagate(m);
	return status == TESS_OK && program_has_reshards(o) ? program_reshard(m) : status;
}

tess_status program_reshard(tess_module *m)
{
	return tess_module_run_passes(
		m, "sdy-sharding-constraint-to-reshard,"
		   "sdy-insert-explicit-reshards{enable-full-version=true sound-reductions=true}");
}
