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

static tess_status annotate(const command *self, tess_module *m, const text_list *list,
                            tess_status (*set)(tess_module *, size_t, const char *))
{
	for (int i = 0; i < list->n; i++) {
		size_t index;
		const char *text = split_index(list->ptr[i], &index);
		if (!text || !*text) {
			usage_error(self, "%s: a number, '=' and a sharding were expected",
			            list->ptr[i]);
			return TESS_USAGE;
		}
		tess_status status = set(m, index, text);
		if (status != TESS_OK)
			return status;
	}
	return TESS_OK;
}

/* "%h=[{\"x\"}, {}]": up to the sign before the bracket, since names may hold signs too. */
static tess_status constrain(const command *self, tess_module *m, const text_list *list)
{
	for (int i = 0; i < list->n; i++) {
		const char *text = list->ptr[i], *equals = strstr(text, "=[");
		if (!equals)
			equals = strstr(text, "=<");
		if (!equals || equals == text) {
			usage_error(self,
			            "--constrain %s: a value, '=' and a sharding were expected",
			            text);
			return TESS_USAGE;
		}
		char *value = strndup(text, (size_t)(equals - text));
		tess_status status = value ? tess_module_constrain(m, value, equals + 1)
		                           : TESS_NOMEM;
		free(value);
		if (status != TESS_OK)
			return status;
	}
	return TESS_OK;
}

tess_module *program_open(const command *self, tess_ctx *ctx, const char *path,
                          const program_options *o, tess_status *status)
{
	if (o->policy && strcmp(o->policy, "cost") != 0 && strcmp(o->policy, "sdy") != 0) {
		usage_error(self, "--reshard-policy %s: cost or sdy was expected", o->policy);
		*status = TESS_USAGE;
		return NULL;
	}
	tess_parse_opts reading = TESS_PARSE_OPTS_INIT;
	reading.sharding_texts = true;
	reading.platform = o->platform ? o->platform : "";
	tess_module *m = tess_module_parse_file(ctx, path, &reading);
	*status = m ? TESS_OK : TESS_INVALID;
	if (m && o->mesh)
		*status = tess_module_set_mesh(m, o->mesh);
	if (*status == TESS_OK)
		*status = annotate(self, m, &o->inputs, tess_module_shard_input);
	if (*status == TESS_OK)
		*status = annotate(self, m, &o->outputs, tess_module_shard_output);
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
