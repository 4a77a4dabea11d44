/* build_module.c - builds a two-layer network from scratch; verifies, prints, shards and changes it.
 *
 * The rows of the input are split over one mesh axis, the columns of the first weight over the other.
 * Propagation decides the rest, and the program walks over what it decided. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tessera/build.h>
#include <tessera/passes.h>

enum { BATCH = 64, FEATURES = 16, HIDDEN = 32, CLASSES = 8 };

static void must(tess_ctx *ctx, bool ok)
{
	if (ok)
		return;
	char *why = tess_diag_render(ctx, false);
	fputs(why ? why : "out of memory\n", stderr);
	exit(1);
}

static const tess_type *matrix(tess_ctx *ctx, int64_t rows, int64_t columns)
{
	return tess_type_tensor(ctx, TESS_F32, (int64_t[]){rows, columns}, 2);
}

/* Builds lhs times rhs, as matrices. */
static tess_value *product(tess_builder *b, tess_value *lhs, tess_value *rhs)
{
	return tess_build1(b, "stablehlo.dot_general %0, %1, contracting_dims = [1] x [0]",
	                   (tess_value *[]){lhs, rhs}, 2);
}

/* Builds the sum of each row. */
static tess_value *row_sums(tess_builder *b, tess_value *x)
{
	tess_value *zero =
	    tess_build1(b, "stablehlo.constant dense<0.0> : tensor<f32>", NULL, 0);
	return tess_build1(
		b, "stablehlo.reduce(%0 init: %1) applies stablehlo.add across dimensions = [1]",
		(tess_value *[]){x, zero}, 2);
}

static tess_module *build(tess_ctx *ctx)
{
	tess_module *m = tess_module_new(ctx);
	tess_builder *b = tess_builder_new(m);
	const char mesh_text[] = "data=2,model=4";
	const tess_mesh *mesh =
	    tess_mesh_parse(ctx, (tess_str){mesh_text, sizeof mesh_text - 1}, "mesh");
	tess_build_op(b, "sdy.mesh @mesh = <[\"data\"=2, \"model\"=4]>", NULL, 0);

	const tess_type *in[] = {matrix(ctx, BATCH, FEATURES), matrix(ctx, FEATURES, HIDDEN),
	                         matrix(ctx, HIDDEN, CLASSES)};
	const int64_t batch = BATCH;
	const tess_type *out = tess_type_tensor(ctx, TESS_F32, &batch, 1);
	tess_op *f = tess_func_new(b, "main", in, 3, &out, 1);
	must(ctx, f != NULL);
	tess_block *body = tess_op_body(f, 0);
	tess_builder_to_end(b, body);
	tess_value *x = tess_block_arg(body, 0), *w1 = tess_block_arg(body, 1);
	tess_value *sum = product(b, x, w1), *hidden = tess_build1(b, "stablehlo.tanh %0", &sum, 1);
	tess_value *sums = row_sums(b, product(b, hidden, tess_block_arg(body, 2)));
	tess_build_op(b, "return %0", &sums, 1);

	const char rows[] = "<@mesh, [{\"data\"}, {}]>", columns[] = "<@mesh, [{}, {\"model\"}]>";
	tess_value_set_sharding(m, x, tess_sharding_parse(ctx, (tess_str){rows, sizeof rows - 1},
	                                                  "x", mesh, 2));
	tess_value_set_sharding(
		m, w1,
		tess_sharding_parse(ctx, (tess_str){columns, sizeof columns - 1}, "w1", mesh, 2));
	must(ctx, tess_builder_status(b) == TESS_OK);
	tess_builder_free(b);
	must(ctx, tess_module_verify(m) == TESS_OK);
	return m;
}

static void show_program(tess_module *m)
{
	char *text = tess_module_print(m, NULL);
	puts(text);
	tess_text_free(text);
}

/* Prints a line for each value that has a sharding.  @return how many there are. */
static int show_shardings(tess_ctx *ctx, tess_module *m)
{
	int n = 0;
	tess_op *top = tess_module_op(m);
	for (tess_op *o = top; o; o = tess_op_walk(o, top))
		for (size_t i = 0; i < tess_op_result_count(o); i++) {
			const tess_sharding *s = tess_value_sharding(tess_op_result(o, i));
			if (!s)
				continue;
			tess_str name = tess_op_name(o);
			char *text = tess_sharding_print(ctx, s);
			printf("%-24.*s %s\n", (int)name.len, name.ptr, text);
			tess_text_free(text);
			n++;
		}
	return n;
}

/* Replaces every tanh by a logistic function. */
static int replace_tanh(tess_module *m)
{
	int n = 0;
	tess_builder *b = tess_builder_new(m);
	tess_op *top = tess_module_op(m), *next;
	for (tess_op *o = top; o; o = next) {
		next = tess_op_walk(o, top);
		if (!tess_op_is(o, "stablehlo.tanh"))
			continue;
		tess_builder_before(b, o);
		tess_value *in = tess_op_operand(o, 0);
		tess_value *other = tess_build1(b, "stablehlo.logistic %0", &in, 1);
		tess_value_set_sharding(m, other, tess_value_sharding(tess_op_result(o, 0)));
		tess_value_replace(tess_op_result(o, 0), other);
		n += tess_op_erase(m, o) == TESS_OK;
	}
	tess_builder_free(b);
	return n;
}

int main(void)
{
	tess_ctx *ctx = tess_ctx_new(NULL);
	tess_module *m = build(ctx);
	show_program(m);

	tess_module *sharded = tess_module_clone(m);
	must(ctx,
	     sharded && tess_module_run_passes(sharded, "sdy-propagation-pipeline") == TESS_OK);
	int shardings = show_shardings(ctx, sharded);
	int replaced = replace_tanh(sharded);
	must(ctx, tess_module_verify(sharded) == TESS_OK);

	tess_module_free(sharded);
	tess_module_free(m);
	tess_ctx_free(ctx);
	return shardings == 4 && replaced == 1 ? 0 : 1;
}
