/* shards.c - calls of small programs over many devices, shards in and shards out.
 *
 * Prints microseconds of the best call, which counts what the caller gives up of the results. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tessera/diag.h>
#include <tessera/module.h>
#include <tessera/shards.h>
#include <time.h>

static double microseconds(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e6 + (double)t.tv_nsec * 1e-3;
}

/* @main of rows of `width` floats, four on each device. */
typedef struct program {
	const char *name, *body, *in, *out;
	int width;
} program;

static const char add_one[] = "  %%c = stablehlo.constant dense<1.0> : tensor<%dx%dxf32>\n"
			      "  %%0 = stablehlo.add %%x, %%c : tensor<%dx%dxf32>\n";

static const program programs[] = {
	{"x + 1, 256 bytes each", add_one, "[{\"x\"}, {}]", "[{\"x\"}, {}]", 16},
	{"x + 1, the same on all", add_one, "[{}, {}]", "[{}, {}]", 16},
	{"x + 1, 1 MB each", add_one, "[{\"x\"}, {}]", "[{\"x\"}, {}]", 65536},
	{"x + 1, gathered", add_one, "[{\"x\"}, {}]", "[{}, {}]", 16},
};

static tess_module *module_of(tess_ctx *ctx, const program *p, int devices)
{
	char text[2000], body[500];
	const int rows = strchr(p->in, '"') ? 4 * devices : 4, w = p->width;
	snprintf(body, sizeof body, p->body, rows, w, rows, w);
	snprintf(text, sizeof text,
	         "sdy.mesh @mesh = <[\"x\"=%d]>\n"
	         "func.func @main(%%x: tensor<%dx%dxf32> {sdy.sharding = #sdy.sharding<@mesh, %s>})\n"
	         "    -> (tensor<%dx%dxf32> {sdy.sharding = #sdy.sharding<@mesh, %s>}) {\n%s"
	         "  return %%0 : tensor<%dx%dxf32>\n}\n",
	         devices, rows, w, p->in, rows, w, p->out, body, rows, w);
	return tess_module_parse(ctx, (tess_str){text, strlen(text)}, p->name, NULL);
}

static void inputs_of(const tess_exec *e, tess_buffer **in, int devices)
{
	tess_tensor part;
	const bool replicated = !tess_exec_input_sharding(e, 0, NULL);
	tess_exec_input_shard(e, 0, &part);
	for (int d = 0; d < devices; d++) {
		in[d] = d && replicated ? tess_buffer_share(in[0]) : tess_buffer_new(part.bytes);
		memset(tess_buffer_data(in[d]), 0, part.bytes);
	}
}

/* The best call; with `donated` each takes what the last one gave. */
static double best_call(tess_exec *e, int devices, bool donated, int turns)
{
	tess_buffer **in = calloc((size_t)devices, sizeof *in), **out = calloc((size_t)devices, sizeof *out);
	double best = 1e30;
	inputs_of(e, in, devices);
	for (int i = 0; i < turns; i++) {
		double begin = microseconds();
		if (tess_exec_run_shards(e, in, &donated, out, NULL) != TESS_OK)
			exit(1);
		for (int d = 0; d < devices; d++) {
			if (donated)
				in[d] = out[d];
			else
				tess_buffer_free(out[d]);
		}
		double took = microseconds() - begin;
		best = took < best ? took : best;
	}
	for (int d = 0; d < devices; d++)
		tess_buffer_free(in[d]);
	free(in);
	free(out);
	return best;
}

static void measure(const program *p, int devices)
{
	tess_ctx *ctx = tess_ctx_new(NULL);
	tess_module *m = module_of(ctx, p, devices);
	tess_exec_opts o = TESS_EXEC_OPTS_INIT;
	o.shards = true;
	double begin = microseconds();
	tess_exec *e = m ? tess_exec_new(m, &o) : NULL;
	double planned = microseconds() - begin;
	if (!e) {
		fputs(tess_diag_render(ctx, false), stderr);
		exit(1);
	}
	const bool same = strcmp(p->in, p->out) == 0;
	printf("%-26s %5d devices: planned in %7.0f us, a call %8.2f us", p->name, devices, planned,
	       best_call(e, devices, false, 200));
	if (same)
		printf(", donated %8.2f us", best_call(e, devices, true, 200));
	putchar('\n');
	tess_exec_free(e);
	tess_module_free(m);
	tess_ctx_free(ctx);
}

int main(void)
{
	static const int devices[] = {1, 8, 64, 512, 4096};
	for (size_t i = 0; i < sizeof programs / sizeof *programs; i++)
		for (size_t k = 0; k < sizeof devices / sizeof *devices; k++)
			if (programs[i].width < 1000 || devices[k] <= 64)
				measure(&programs[i], devices[k]);
	return 0;
}
