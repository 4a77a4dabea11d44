/* optimized.c - the program of one device, for callers.
 *
 * It is plain StableHLO, which they turn into HLO: jaxlib for its texts and costs, PyTorch/XLA to read
 * from it how results are sharded.  For that the module bears XLA's attributes: the sharding of the
 * results (a tuple of several), and those of the arguments, as texts of HloSharding. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tessera/build.h>
#include <tessera/hlo.h>
#include <tessera/partition.h>

#include "plugin.h"

/* ---- shardings ----------------------------------------------------------------------------- */

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

static void add_devices(text *t, const tess_hlo_sharding *h)
{
	const size_t n = tess_hlo_sharding_devices(h, NULL, 0);
	int64_t *ids = malloc(sizeof *ids * (n + 1));
	t->failed |= !ids;
	if (ids)
		tess_hlo_sharding_devices(h, ids, n);
	for (size_t i = 0; ids && i < n; i++) {
		char number[24];
		text_add(t, number, (size_t)sprintf(number, "%s%lld", i ? "," : "", (long long)ids[i]));
	}
	free(ids);
}

/* <=[8] is an order of devices.  PyTorch/XLA writes lists of them, and compares what comes back with
 * what it wrote, device by device. */
static void add_as_list(text *t, const tess_hlo_sharding *h)
{
	const tess_str s = tess_hlo_sharding_text(h);
	size_t iota = 0, end;
	while (iota + 1 < s.len && memcmp(s.ptr + iota, "<=", 2) != 0)
		iota++;
	for (end = iota; end < s.len && s.ptr[end] != ' ' && s.ptr[end] != '}';)
		end++;
	text_add(t, s.ptr, iota);
	add_devices(t, h);
	text_add(t, s.ptr + end, s.len - end);
}

static void add_sharding(PJRT_Executable *x, const port *p, bool is_result, text *t)
{
	const tess_mesh *mesh = NULL;
	const size_t i = (size_t)p->number;
	const tess_sharding *s = p->number < 0 ? NULL
	                         : is_result   ? tess_exec_output_sharding(x->exec, i, &mesh)
	                                       : tess_exec_input_sharding(x->exec, i, &mesh);
	const tess_hlo_sharding *h = s ? tess_hlo_sharding_from_sdy(x->ctx, s, mesh) : NULL;
	if (h)
		h = tess_hlo_sharding_v2(x->ctx, h);
	const tess_str whole = h ? tess_hlo_sharding_text(h) : (tess_str){"{replicated}", 12};
	if (h && !x->options.shardy && tess_hlo_sharding_is_iota(h))
		add_as_list(t, h);
	else
		text_add(t, whole.ptr, whole.len);
}

static const tess_attr *text_attr(PJRT_Executable *x, text *t)
{
	const tess_attr *a =
	    t->failed ? NULL : tess_attr_string(x->ctx, (tess_str){t->bytes, t->n});
	free(t->bytes);
	return a;
}

/* One as it is, several in braces; NULL: there is no memory. */
static const tess_attr *results_attr(PJRT_Executable *x)
{
	text t = {0};
	if (x->n_results != 1)
		text_add(&t, "{", 1);
	for (int i = 0; i < x->n_results; i++) {
		if (i)
			text_add(&t, ", ", 2);
		add_sharding(x, &x->results[i], true, &t);
	}
	if (x->n_results != 1)
		text_add(&t, "}", 1);
	return text_attr(x, &t);
}

static const tess_attr *arguments_attr(PJRT_Executable *x)
{
	const tess_attr **all = malloc(sizeof *all * ((size_t)x->n_arguments + 1));
	for (int i = 0; all && i < x->n_arguments; i++) {
		text t = {0};
		add_sharding(x, &x->arguments[i], false, &t);
		all[i] = text_attr(x, &t);
	}
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

/* ---- operations ------------------------------------------------------------------------------- */

enum { MOST_RESULTS = 4 };

/* A call of the operation that XLA's own dialect has for it: custom_call @mhlo.erf. */
static tess_status call_mhlo(tess_module *m, tess_builder *b, tess_op *o, const char *target)
{
	tess_ctx *ctx = tess_module_ctx(m);
	const tess_attr *k = tess_op_attr(o, "k");
	const tess_attr *values[] = {k, tess_attr_bool(ctx, true)};
	const tess_attr *own = tess_attr_dict(ctx, (const char *const[]){"k", "largest"}, values, k ? 2 : 0);
	const char *const names[] = {"call_target_name", "mhlo.attributes", "mhlo.version"};
	const tess_attr *const attrs[] = {
	    tess_attr_string(ctx, (tess_str){target, strlen(target)}), own, tess_attr_int(ctx, 1, 64)};
	const tess_type *types[MOST_RESULTS];
	tess_value *operands[MOST_RESULTS];
	tess_op_spec spec = TESS_OP_SPEC_INIT;
	spec = (tess_op_spec){.struct_size = sizeof spec, .name = "stablehlo.custom_call",
	                      .operands = operands, .n_operands = tess_op_operand_count(o),
	                      .results = types, .n_results = tess_op_result_count(o),
	                      .attr_names = names, .attrs = attrs, .n_attrs = 3};
	for (size_t i = 0; i < spec.n_operands; i++)
		operands[i] = tess_op_operand(o, i);
	for (size_t i = 0; i < spec.n_results; i++)
		types[i] = tess_value_type(tess_op_result(o, i));
	tess_builder_before(b, o);
	tess_op *call = tess_build(b, &spec);
	for (size_t i = 0; call && i < spec.n_results; i++)
		tess_value_replace(tess_op_result(o, i), tess_op_result(call, i));
	return call ? tess_op_erase(m, o) : tess_builder_status(b);
}

/* What XLA has opcodes for, and StableHLO has not.  The XLA of PyTorch/XLA 2.9.0 does not know the
 * dialect chlo; these are what an HLO program of its can have of it. */
static tess_status replace_chlo(tess_module *m)
{
	static const char *const names[][2] = {{"chlo.erf", "mhlo.erf"}, {"chlo.top_k", "mhlo.topk"}};
	const tess_op *top = tess_module_op(m);
	tess_builder *b = tess_builder_new(m);
	tess_status status = b ? TESS_OK : TESS_NOMEM;
	for (tess_op *o = tess_op_walk(top, top), *next; o && status == TESS_OK; o = next) {
		next = tess_op_walk(o, top);
		for (int i = 0; i < COUNT(names); i++)
			if (tess_op_is(o, names[i][0]))
				status = call_mhlo(m, b, o, names[i][1]);
	}
	tess_builder_free(b);
	return status;
}

static tess_status make_local(PJRT_Executable *x, tess_module *m)
{
	tess_partition_opts opts = TESS_PARTITION_OPTS_INIT;
	opts.bare = true;
	tess_status status = x->propagated ? TESS_OK : tess_module_propagate(m);
	if (status == TESS_OK)
		status = tess_module_partition(m, &opts, NULL);
	if (status == TESS_OK && !x->options.shardy)
		status = replace_chlo(m);
	return status == TESS_OK ? set_attrs(x, m) : status;
}

PJRT_Error *optimized_print(PJRT_Executable *x, char **out, size_t *n)
{
	tess_module *m = tess_module_clone(x->propagated ? x->propagated : x->program);
	tess_status status = m ? make_local(x, m) : TESS_NOMEM;
	PJRT_Error *e = NULL;
	tess_print_opts printing = TESS_PRINT_OPTS_INIT;
	printing.packed_booleans = true; /* MLIR of 2025, when PyTorch/XLA 2.9.0 was made */
	char *printed = status == TESS_OK ? tess_module_print(m, &printing) : NULL;
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
