/* optimized.c - the program of one device, for callers.
 *
 * It is plain StableHLO, which they turn into HLO: jaxlib for its texts and costs, PyTorch/XLA to read
 * from it how results are sharded.  For that the module bears XLA's attributes: the sharding of the
 * results (a tuple of several), and those of the arguments, as texts of HloSharding. */
#include <stdlib.h>
#include <string.h>
#include <tessera/hlo.h>
#include <tessera/partition.h>

#include "plugin.h"

/* ---- shardings ----------------------------------------------------------------------------- */

static tess_str sharding_text(PJRT_Executable *x, const port *p, bool is_result)
{
	const tess_mesh *mesh = NULL;
	const size_t i = (size_t)p->number;
	const tess_sharding *s = p->number < 0 ? NULL
	                         : is_result   ? tess_exec_output_sharding(x->exec, i, &mesh)
	                                       : tess_exec_input_sharding(x->exec, i, &mesh);
	const tess_hlo_sharding *h = s ? tess_hlo_sharding_from_sdy(x->ctx, s, mesh) : NULL;
	if (h)
		h = tess_hlo_sharding_v2(x->ctx, h);
	return h ? tess_hlo_sharding_text(h) : (tess_str){"{replicated}", 12};
}

typedef struct text {
	char *bytes;
	size_t n, room;
	bool failed;
} text;

static void text_add(text *t, const char *bytes, size_t n)
{
	if (t->n + n > t->room) {
		const size_t room = 2 * (t->n + n) + 64;
		char *more = realloc(t->bytes, room);
		if (!more) {
			t->failed = true;
			return;
		}
		t->bytes = more;
		t->room = room;
	}
	memcpy(t->bytes + t->n, bytes, n);
	t->n += n;
}

/* One as it is, several in braces; NULL: there is no memory. */
static const tess_attr *results_attr(PJRT_Executable *x)
{
	text t = {0};
	if (x->n_results != 1)
		text_add(&t, "{", 1);
	for (int i = 0; i < x->n_results; i++) {
		tess_str s = sharding_text(x, &x->results[i], true);
		if (i)
			text_add(&t, ", ", 2);
		text_add(&t, s.ptr, s.len);
	}
	if (x->n_results != 1)
		text_add(&t, "}", 1);
	const tess_attr *a = t.failed ? NULL : tess_attr_string(x->ctx, (tess_str){t.bytes, t.n});
	free(t.bytes);
	return a;
}

static const tess_attr *arguments_attr(PJRT_Executable *x)
{
	const tess_attr **all = malloc(sizeof *all * ((size_t)x->n_arguments + 1));
	for (int i = 0; all && i < x->n_arguments; i++)
		all[i] = tess_attr_string(x->ctx, sharding_text(x, &x->arguments[i], false));
	const tess_attr *a = all ? tess_attr_array(x->ctx, all, (size_t)x->n_arguments) : NULL;
	free(all);
	return a;
}

/* ---- the module ----------------------------------------------------------------------------- */

static tess_status set_attrs(PJRT_Executable *x, tess_module *m)
{
	const struct {
		const char *name;
		const tess_attr *value;
	} attrs[] = {
	    {"mhlo.num_partitions", tess_attr_int(x->ctx, x->options.partitions, 32)},
	    {"mhlo.num_replicas", tess_attr_int(x->ctx, x->options.replicas, 32)},
	    {"mhlo.spmd_output_sharding", results_attr(x)},
	    {"mhlo.spmd_parameters_shardings", arguments_attr(x)},
	};
	tess_status status = TESS_OK;
	for (int i = 0; i < COUNT(attrs) && status == TESS_OK; i++)
		status = attrs[i].value ? tess_op_set_attr(m, tess_module_op(m), attrs[i].name,
		                                           attrs[i].value)
		                        : TESS_NOMEM;
	return status;
}

static tess_status make_local(PJRT_Executable *x, tess_module *m)
{
	tess_partition_opts opts = TESS_PARTITION_OPTS_INIT;
	opts.bare = true;
	tess_status status = x->propagated ? TESS_OK : tess_module_propagate(m);
	if (status == TESS_OK)
		status = tess_module_partition(m, &opts, NULL);
	return status == TESS_OK ? set_attrs(x, m) : status;
}

PJRT_Error *optimized_print(PJRT_Executable *x, char **out, size_t *n)
{
	tess_module *m = tess_module_clone(x->propagated ? x->propagated : x->program);
	tess_status status = m ? make_local(x, m) : TESS_NOMEM;
	PJRT_Error *e = NULL;
	char *printed = status == TESS_OK ? tess_module_print(m, NULL) : NULL;
	if (status != TESS_OK) {
		e = error_of_context(x->ctx, status, x->name);
	} else if (printed) {
		*n = strlen(printed);
		*out = malloc(*n + 1);
	}
	if (!e && !(printed && *out))
		e = error_no_memory();
	else if (!e)
		memcpy(*out, printed, *n + 1);
	tess_text_free(printed);
	tess_module_free(m);
	return e;
}
