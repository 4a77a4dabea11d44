/* optimized_hlo.c - the program of one device as HLO, for compiled.as_text().
 *
 * It is what tessera runs: partitioned, with our collectives.  As XLA's own, it has no calls left but
 * those that say so, and its parameters and results have the orders of dimensions and the memory that the
 * program asked for. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tessera/hlo.h>
#include <tessera/partition.h>
#include <tessera/passes.h>

#include "message.h"
#include "plugin.h"

static bool attr_is(const tess_attr *a, const char *text)
{
	tess_str s = a ? tess_attr_text(a) : (tess_str){"", 0};
	return s.len == strlen(text) && !memcmp(s.ptr, text, s.len);
}

/* jit(inline=...) and compute_on() say on a call that XLA is to leave it. */
static tess_status keep_calls(tess_module *m)
{
	tess_op *top = tess_module_op(m);
	tess_status status = TESS_OK;
	for (tess_op *o = top; status == TESS_OK && (o = tess_op_walk(o, top));) {
		const tess_attr *hints = tess_op_is(o, "func.call")
		                             ? tess_op_attr(o, "mhlo.frontend_attributes")
		                             : NULL;
		const tess_attr *how = hints ? tess_attr_find(hints, "inlineable") : NULL;
		if (attr_is(how, "false") || attr_is(how, "xla_late"))
			status = tess_op_set_attr(m, o, "no_inline",
			                          tess_attr_parse(tess_module_ctx(m),
			                                          (tess_str){"unit", 4}));
	}
	return status;
}

/* ---- the entry's layout ---------------------------------------------------------------------------- */

enum { HOST_SPACE = 5 }; /* XLA's number of the host's memory */

static void print_layout(FILE *f, const port *p)
{
	fputs("{", f);
	for (int i = 0; i < p->rank; i++)
		fprintf(f, "%s%d", i ? "," : "", p->order ? (int)p->order[i] : p->rank - 1 - i);
	if (p->memory_kind)
		fprintf(f, ":S(%d)", HOST_SPACE);
	fputs("}", f);
}

/* {(f32[2,3]{1,0}, f32[])->f32[3]{0}} with the layouts of the ports, in their order. */
static void print_entry(FILE *f, const PJRT_Executable *x, tess_str text)
{
	const char *at = text.ptr, *end = at + text.len;
	for (int n = 0; at < end;) {
		fputc(*at, f);
		if (*at++ != ']')
			continue;
		bool has_layout = at < end && *at == '{';
		const port *p = n < x->n_arguments ? &x->arguments[n]
		                : n - x->n_arguments < x->n_results
		                    ? &x->results[n - x->n_arguments]
		                    : NULL;
		n++;
		if (!p || (!has_layout && !p->memory_kind))
			continue;
		print_layout(f, p);
		while (has_layout && at < end && *at++ != '}')
			;
	}
}

static tess_status set_entry(const PJRT_Executable *x, tess_module *hlo)
{
	static const char name[] = "entry_computation_layout";
	const tess_attr *old = tess_op_attr(tess_module_op(hlo), name);
	char *text = NULL;
	size_t n = 0;
	FILE *f = old ? open_memstream(&text, &n) : NULL;
	if (!old)
		return TESS_OK;
	if (!f)
		return TESS_NOMEM;
	print_entry(f, x, tess_attr_text(old));
	tess_status status = TESS_NOMEM;
	if (fclose(f) == 0)
		status = tess_op_set_attr(hlo, tess_module_op(hlo), name,
		                          tess_attr_string(x->ctx, (tess_str){text, n}));
	free(text);
	return status;
}

/* ---- the message ------------------------------------------------------------------------------------- */

/* xla.HloModuleProtoWithConfig {hlo_module, config {entry_computation_layout, replica_count,
 * num_partitions}}: the layout is the module's host_program_shape. */
enum { WITH_MODULE = 1, WITH_CONFIG = 2, MODULE_SHAPE = 4,
       CONFIG_ENTRY = 1, CONFIG_REPLICAS = 4, CONFIG_PARTITIONS = 5,
       CONFIG_FREE_RESULTS = 27, CONFIG_FREE_PARAMETERS = 33 };

static PJRT_Error *put_config(const PJRT_Executable *x, const char *module, size_t n, char **out,
                              size_t *n_out)
{
	message_writer w = {0}, config = {0};
	message_reader r = message_open(module, n);
	while (message_next(&r))
		if (r.field == MODULE_SHAPE)
			message_put_bytes(&config, CONFIG_ENTRY, r.bytes, r.n);
	message_put_number(&config, CONFIG_REPLICAS, (uint64_t)x->options.replicas);
	message_put_number(&config, CONFIG_PARTITIONS, (uint64_t)x->options.partitions);
	message_put_packed(&config, CONFIG_FREE_RESULTS, (int64_t[]){false}, 1);
	message_put_packed(&config, CONFIG_FREE_PARAMETERS, (int64_t[]){false}, 1);
	message_put_bytes(&w, WITH_MODULE, module, n);
	message_put_bytes(&w, WITH_CONFIG, config.bytes, config.n);
	w.failed |= config.failed;
	message_free(&config);
	if (w.failed) {
		message_free(&w);
		return error_no_memory();
	}
	*out = (char *)w.bytes;
	*n_out = w.n;
	return NULL;
}

PJRT_Error *optimized_hlo(PJRT_Executable *x, char **out, size_t *n)
{
	tess_partition_opts opts = TESS_PARTITION_OPTS_INIT;
	opts.bare = opts.merge = true;
	char *module = NULL;
	size_t n_module = 0;
	tess_module *m = tess_module_clone(x->propagated ? x->propagated : x->program);
	tess_status status = m ? TESS_OK : TESS_NOMEM;
	if (m && !x->propagated)
		status = tess_module_propagate(m);
	if (status == TESS_OK)
		status = tess_module_partition(m, &opts, NULL);
	if (status == TESS_OK)
		status = keep_calls(m);
	if (status == TESS_OK)
		status = tess_module_run_passes(m, "inline");
	if (status == TESS_OK)
		status = tess_hlo_from_stablehlo(m);
	if (status == TESS_OK)
		status = set_entry(x, m);
	if (status == TESS_OK)
		status = tess_module_write(m, NULL, &module, &n_module);
	PJRT_Error *e = status == TESS_OK ? put_config(x, module, n_module, out, n)
	                                  : error_of_context(x->ctx, status, x->name);
	tess_text_free(module);
	tess_module_free(m);
	return e;
}
