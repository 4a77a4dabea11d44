/* partitioner.c - custom calls that are partitioned by whoever wrote them (jax.experimental's
 * custom_partitioning).
 *
 * Such a call has a sharding rule, by which it is propagated as any other operation.  Then the functions
 * that were registered for its target are asked, with the shardings that this gave: they return the
 * program of one device, and the shardings that it wants.  The call becomes a manual computation over
 * all axes of its mesh, which calls that program:
 *
 *     %y = custom_call @CustomSPMDPartitioning(%x)    ==>
 *     %y = sdy.manual_computation(%x) in_shardings=[…] out_shardings=[…] manual_axes={"x", "y"}
 *         (%a: tensor<8x4xf32>) { %r = func.call @partitioned.0.main(%a) … } */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tessera/build.h>
#include <tessera/partition.h>

#include "message.h"
#include "plugin.h"

/* ---- who partitions what: for all clients ---------------------------------------------------------- */

typedef struct partitioner {
	struct partitioner *next;
	JAX_CustomCallPartitioner_Callbacks *callbacks;
	size_t n;
	char name[];
} partitioner;

static partitioner *registered;
static pthread_mutex_t registered_lock = PTHREAD_MUTEX_INITIALIZER;

static PJRT_Error *register_partitioner(PJRT_Register_Custom_Partitioner_Args *args)
{
	partitioner *p = malloc(sizeof *p + args->name_size);
	if (!p)
		return error_no_memory();
	p->callbacks = args->callbacks;
	p->n = args->name_size;
	memcpy(p->name, args->name, p->n);
	pthread_mutex_lock(&registered_lock);
	p->next = registered;
	registered = p;
	pthread_mutex_unlock(&registered_lock);
	return NULL;
}

/* Calls of these targets are computed whole wherever nothing else is known of them. */
static PJRT_Error *register_batch(PJRT_Register_Batch_Partitionable_Args *args)
{
	(void)args;
	return NULL;
}

PJRT_Custom_Partitioner_Extension partitioner_extension = {
    .base = {sizeof partitioner_extension, PJRT_Extension_Type_Custom_Partitioner, NULL},
    .register_custom_partitioner = register_partitioner,
    .register_batch_partitionable = register_batch,
};

static JAX_CustomCallPartitioner_Callbacks *partitioner_of(const tess_op *o)
{
	const tess_attr *target = tess_op_is(o, "stablehlo.custom_call")
	                              ? tess_op_attr(o, "call_target_name")
	                              : NULL;
	tess_str s = target ? tess_attr_text(target) : (tess_str){"", 0};
	JAX_CustomCallPartitioner_Callbacks *found = NULL;
	if (!target)
		return NULL;
	pthread_mutex_lock(&registered_lock);
	for (const partitioner *p = registered; p && !found; p = p->next)
		if (p->n == s.len && !memcmp(p->name, s.ptr, s.len))
			found = p->callbacks;
	pthread_mutex_unlock(&registered_lock);
	return found;
}

static tess_op *next_call(const tess_module *m)
{
	tess_op *top = tess_module_op(m);
	for (tess_op *o = top; (o = tess_op_walk(o, top));)
		if (partitioner_of(o))
			return o;
	return NULL;
}

/* ---- the mesh -------------------------------------------------------------------------------------- */

static const tess_mesh *mesh_named_by(const tess_module *m, const tess_sharding *s)
{
	tess_str name = s ? tess_sharding_mesh_name(s) : (tess_str){NULL, 0};
	if (!name.ptr)
		return s ? tess_sharding_mesh(s) : NULL;
	for (const tess_op *o = tess_block_first(tess_module_body(m)); o; o = tess_op_next(o)) {
		const tess_attr *symbol = tess_op_is(o, "sdy.mesh") ? tess_op_attr(o, "sym_name") : NULL;
		tess_str is = symbol ? tess_attr_text(symbol) : (tess_str){"", 0};
		if (symbol && is.len == name.len && !memcmp(is.ptr, name.ptr, name.len))
			return tess_attr_get_mesh(tess_op_attr(o, "mesh"));
	}
	return NULL;
}

/* The mesh of all devices that the program names first; without any, one axis of them all. */
static const tess_mesh *mesh_of_program(const PJRT_Executable *x, const tess_module *m)
{
	for (const tess_op *o = tess_block_first(tess_module_body(m)); o; o = tess_op_next(o)) {
		const tess_mesh *mesh =
		    tess_op_is(o, "sdy.mesh") ? tess_attr_get_mesh(tess_op_attr(o, "mesh")) : NULL;
		if (mesh && tess_mesh_device_count(mesh) == x->n_all)
			return mesh;
	}
	tess_mesh_axis all = {{"_axis_0", 7}, x->n_all};
	return tess_mesh_make(x->ctx, &all, 1, NULL, 0);
}

static const tess_mesh *mesh_of_call(const PJRT_Executable *x, const tess_module *m, const tess_op *o)
{
	const tess_mesh *mesh = NULL;
	for (size_t i = 0; i < tess_op_operand_count(o) && !mesh; i++)
		mesh = mesh_named_by(m, tess_value_sharding(tess_op_operand(o, i)));
	for (size_t i = 0; i < tess_op_result_count(o) && !mesh; i++)
		mesh = mesh_named_by(m, tess_value_sharding(tess_op_result(o, i)));
	return mesh ? mesh : mesh_of_program(x, m);
}

/* ---- the question ------------------------------------------------------------------------------------ */

/* xla.ShapeProto: element_type, dimensions, tuple_shapes, layout {minor_to_major}. */
enum { SHAPE_TYPE = 2, SHAPE_DIMS = 3, SHAPE_PARTS = 4, SHAPE_LAYOUT = 5, SHAPE_TUPLE = 13 };
/* xla.OpSharding: type TUPLE, tuple_shardings. */
enum { SHARDING_TYPE = 1, SHARDING_PARTS = 5, SHARDING_TUPLE = 2 };

static void put_shape(message_writer *w, const tess_type *t)
{
	int rank = tess_type_rank(t);
	int64_t dims[64], order[64];
	message_writer layout = {0};
	for (int i = 0; i < rank && i < 64; i++) {
		dims[i] = tess_type_dim(t, i);
		order[i] = rank - 1 - i;
	}
	message_put_packed(&layout, 1, order, (size_t)rank);
	message_put_number(w, SHAPE_TYPE, primitive_of_type(tess_type_dtype(t)));
	message_put_packed(w, SHAPE_DIMS, dims, (size_t)rank);
	message_put_bytes(w, SHAPE_LAYOUT, layout.bytes, layout.n);
	w->failed |= layout.failed;
	message_free(&layout);
}

static void put_inner(message_writer *w, uint32_t field, message_writer *inner)
{
	message_put_bytes(w, field, inner->bytes, inner->n);
	w->failed |= inner->failed;
	message_free(inner);
}

static message_writer shape_of(const tess_value *v)
{
	message_writer w = {0};
	put_shape(&w, tess_value_type(v));
	return w;
}

static message_writer sharding_of(tess_ctx *ctx, const tess_value *v, const tess_mesh *mesh)
{
	message_writer w = {0};
	w.bytes = (uint8_t *)sharding_bytes(ctx, tess_value_sharding(v), mesh, &w.n);
	w.room = w.n;
	w.failed = !w.bytes;
	return w;
}

/* What was asked, and the answer. */
typedef struct question {
	JAX_CustomCallPartitioner_Partition_Args args;
	size_t n;                    /* operands, then the results in one */
	message_writer *shapes, *shardings;
	JAX_CustomCallPartitioner_aval *avals;
} question;

static void question_free(question *q)
{
	if (q->args.header.cleanup_fn)
		q->args.header.cleanup_fn(q->args.header.data);
	for (size_t i = 0; i < q->n; i++) {
		if (q->shapes)
			message_free(&q->shapes[i]);
		if (q->shardings)
			message_free(&q->shardings[i]);
	}
	free(q->shapes);
	free(q->shardings);
	free(q->avals);
}

/* One result is as it is, others are a tuple. */
static void put_results(question *q, tess_ctx *ctx, const tess_op *o, const tess_mesh *mesh)
{
	message_writer *shape = &q->shapes[q->n - 1], *sharding = &q->shardings[q->n - 1];
	size_t n = tess_op_result_count(o);
	if (n == 1) {
		*shape = shape_of(tess_op_result(o, 0));
		*sharding = sharding_of(ctx, tess_op_result(o, 0), mesh);
		return;
	}
	message_put_number(shape, SHAPE_TYPE, SHAPE_TUPLE);
	message_put_number(sharding, SHARDING_TYPE, SHARDING_TUPLE);
	for (size_t i = 0; i < n; i++) {
		message_writer part = shape_of(tess_op_result(o, i));
		put_inner(shape, SHAPE_PARTS, &part);
		part = sharding_of(ctx, tess_op_result(o, i), mesh);
		put_inner(sharding, SHARDING_PARTS, &part);
	}
}

static PJRT_Error *question_make(question *q, tess_ctx *ctx, const tess_op *o, const tess_mesh *mesh)
{
	const tess_attr *config = tess_op_attr(o, "backend_config");
	tess_str key = config ? tess_attr_text(config) : (tess_str){"", 0};
	size_t n = tess_op_operand_count(o);
	q->n = n + 1;
	q->shapes = calloc(q->n, sizeof *q->shapes);
	q->shardings = calloc(q->n, sizeof *q->shardings);
	q->avals = calloc(q->n, sizeof *q->avals);
	if (!q->shapes || !q->shardings || !q->avals)
		return error_no_memory();
	for (size_t i = 0; i < n; i++) {
		q->shapes[i] = shape_of(tess_op_operand(o, i));
		q->shardings[i] = sharding_of(ctx, tess_op_operand(o, i), mesh);
	}
	put_results(q, ctx, o, mesh);
	for (size_t i = 0; i < q->n; i++) {
		if (q->shapes[i].failed || q->shardings[i].failed)
			return error_no_memory();
		q->avals[i] = (JAX_CustomCallPartitioner_aval){
		    {(char *)q->shapes[i].bytes, q->shapes[i].n}, true,
		    {(char *)q->shardings[i].bytes, q->shardings[i].n}};
	}
	q->args.num_args = n;
	q->args.op_args = q->avals;
	q->args.op_result = q->avals[n];
	q->args.backend_config = (JAX_CustomCallPartitioner_string){key.ptr, key.len};
	return NULL;
}

static PJRT_Error *ask(question *q, JAX_CustomCallPartitioner_Callbacks *who)
{
	who->partition(who, &q->args);
	if (!q->args.header.has_error)
		return NULL;
	JAX_CustomCallPartitioner_string why = q->args.header.error_msg;
	return error_new(q->args.header.code, "%.*s", (int)why.size, why.data);
}

/* ---- the answer: shardings ------------------------------------------------------------------------------ */

/* Part `i` of the sharding of the results. */
static JAX_CustomCallPartitioner_string result_sharding(const question *q, size_t i, size_t n)
{
	JAX_CustomCallPartitioner_string all = q->args.result_sharding, none = {NULL, 0};
	if (n == 1)
		return all;
	message_reader r = message_open(all.data, all.size);
	for (size_t k = 0; message_next(&r);)
		if (r.field == SHARDING_PARTS && k++ == i)
			return (JAX_CustomCallPartitioner_string){(const char *)r.bytes, r.n};
	return none;
}

/* <mesh<["x"=4]>, [{"x"}]>: without the name of the attribute, as lists of shardings have it. */
static PJRT_Error *print_sharding(FILE *f, PJRT_Executable *x, JAX_CustomCallPartitioner_string bytes,
                                  const tess_value *v, const tess_mesh *mesh)
{
	const char prefix[] = "#sdy.sharding";
	int rank = tess_type_rank(tess_value_type(v));
	const tess_sharding *s = sharding_read(x->ctx, bytes.data, bytes.size, rank, mesh);
	char *text = s ? tess_sharding_print(x->ctx, s) : NULL;
	if (!text)
		return error_of_context(x->ctx, TESS_INVALID, "a sharding of a custom partitioning");
	const char *at = strncmp(text, prefix, strlen(prefix)) ? text : text + strlen(prefix);
	fputs(at, f);
	tess_text_free(text);
	return NULL;
}

static PJRT_Error *print_shardings(FILE *f, PJRT_Executable *x, const question *q, const tess_op *o,
                                   const tess_mesh *mesh)
{
	PJRT_Error *e = NULL;
	size_t n_out = tess_op_result_count(o);
	fputs(" in_shardings=[", f);
	for (size_t i = 0; i < tess_op_operand_count(o) && !e; i++) {
		fputs(i ? ", " : "", f);
		e = print_sharding(f, x, q->args.args_sharding[i], tess_op_operand(o, i), mesh);
	}
	fputs("] out_shardings=[", f);
	for (size_t i = 0; i < n_out && !e; i++) {
		fputs(i ? ", " : "", f);
		e = print_sharding(f, x, result_sharding(q, i, n_out), tess_op_result(o, i), mesh);
	}
	fputs("] manual_axes={", f);
	for (size_t i = 0; i < tess_mesh_axis_count(mesh); i++) {
		tess_mesh_axis axis;
		tess_mesh_axis_get(mesh, i, &axis);
		fprintf(f, "%s\"%.*s\"", i ? ", " : "", (int)axis.name.len, axis.name.ptr);
	}
	fputs("} ", f);
	return e;
}

/* ---- the answer: the program of one device ------------------------------------------------------------------ */

static const tess_attr *renamed(tess_ctx *ctx, tess_str name, int number, bool symbol)
{
	char *text = NULL;
	const tess_attr *a = NULL;
	if (asprintf(&text, "partitioned.%d.%.*s", number, (int)name.len, name.ptr) < 0)
		return NULL;
	a = symbol ? tess_attr_symbol(ctx, text) : tess_attr_string(ctx, (tess_str){text, strlen(text)});
	free(text);
	return a;
}

/* Its functions have names of their own in the program. */
static tess_status rename_functions(tess_ctx *ctx, tess_module *m, int number)
{
	tess_op *top = tess_module_op(m);
	tess_status status = TESS_OK;
	for (tess_op *o = top; status == TESS_OK && (o = tess_op_walk(o, top));) {
		const tess_attr *name = tess_op_is(o, "func.func") ? tess_op_attr(o, "sym_name") : NULL;
		const tess_attr *callee = tess_op_is(o, "func.call") ? tess_op_attr(o, "callee") : NULL;
		if (name) {
			status = tess_op_set_attr(m, o, "sym_name",
			                          renamed(ctx, tess_attr_text(name), number, false));
			if (status == TESS_OK)
				status = tess_op_set_attr(m, o, "sym_visibility",
				                          tess_attr_string(ctx, (tess_str){"private", 7}));
		} else if (callee) {
			status = tess_op_set_attr(m, o, "callee",
			                          renamed(ctx, tess_attr_text(callee), number, true));
		}
	}
	return status;
}

static tess_status copy_functions(tess_module *to, tess_module *from)
{
	tess_builder *b = tess_builder_new(to);
	for (tess_op *o = tess_block_first(tess_module_body(from)); o; o = tess_op_next(o)) {
		const tess_attr *name = tess_op_attr(o, "sym_name");
		tess_str s = name ? tess_attr_text(name) : (tess_str){"", 0};
		char z[256];
		snprintf(z, sizeof z, "%.*s", (int)s.len, s.ptr);
		if (!tess_module_find(to, z)) /* a mesh is the same in both */
			tess_op_copy(b, o);
	}
	tess_status status = tess_builder_status(b);
	tess_builder_free(b);
	return status;
}

/* "%p0, %p1", "%p0: tensor<4xf32>, …" or "tensor<4xf32>, …". */
static void print_list(FILE *f, tess_ctx *ctx, const char *prefix, const tess_type *const *types,
                       size_t n, bool with_types)
{
	for (size_t i = 0; i < n; i++) {
		char *type = with_types ? tess_type_print(ctx, types[i]) : NULL;
		fputs(i ? ", " : "", f);
		if (prefix)
			fprintf(f, prefix, i);
		fprintf(f, "%s%s", type && prefix ? ": " : "", type ? type : "");
		tess_text_free(type);
	}
}

/* What a function takes (or gives), or an operation. */
typedef struct types {
	const tess_type **list;
	size_t n;
} types;

static types types_of(const tess_op *o, const tess_type *function, bool out)
{
	types t = {NULL, 0};
	t.n = function ? out ? tess_type_out_count(function) : tess_type_in_count(function)
	      : out    ? tess_op_result_count(o)
	               : tess_op_operand_count(o);
	t.list = calloc(t.n + 1, sizeof *t.list);
	for (size_t i = 0; t.list && i < t.n; i++)
		t.list[i] = function ? out ? tess_type_out(function, i) : tess_type_in(function, i)
		                     : tess_value_type(out ? tess_op_result(o, i)
		                                           : tess_op_operand(o, i));
	return t;
}

/* The types of `function` inside, those of the operation outside. */
static void print_body(FILE *f, tess_ctx *ctx, const tess_op *o, const tess_type *function, int number)
{
	types in = types_of(o, function, false), out = types_of(o, function, true);
	types whole_in = types_of(o, NULL, false), whole_out = types_of(o, NULL, true);
	if (in.list && out.list && whole_in.list && whole_out.list) {
		fputs("(", f);
		print_list(f, ctx, "%%p%zu", in.list, in.n, true);
		fputs(") { ", f);
		if (out.n)
			fprintf(f, "%%r:%zu = ", out.n);
		fprintf(f, "func.call @partitioned.%d.main(", number);
		print_list(f, ctx, "%%p%zu", in.list, in.n, false);
		fputs(") : (", f);
		print_list(f, ctx, NULL, in.list, in.n, true);
		fputs(") -> (", f);
		print_list(f, ctx, NULL, out.list, out.n, true);
		fputs(") sdy.return ", f);
		print_list(f, ctx, "%%r#%zu", out.list, out.n, false);
		fputs(out.n ? " : " : "", f);
		print_list(f, ctx, NULL, out.list, out.n, true);
		fputs(" } : (", f);
		print_list(f, ctx, NULL, whole_in.list, whole_in.n, true);
		fputs(") -> (", f);
		print_list(f, ctx, NULL, whole_out.list, whole_out.n, true);
		fputs(")", f);
	}
	free(in.list);
	free(out.list);
	free(whole_in.list);
	free(whole_out.list);
}

static PJRT_Error *print_manual(char **text, PJRT_Executable *x, const question *q, const tess_op *o,
                                const tess_mesh *mesh, const tess_type *function, int number)
{
	size_t n = 0;
	FILE *f = open_memstream(text, &n);
	if (!f)
		return error_no_memory();
	if (tess_op_result_count(o))
		fprintf(f, "%%out:%zu = ", tess_op_result_count(o));
	fputs("sdy.manual_computation(", f);
	for (size_t i = 0; i < tess_op_operand_count(o); i++)
		fprintf(f, "%s%%%zu", i ? ", " : "", i);
	fputs(")", f);
	PJRT_Error *e = print_shardings(f, x, q, o, mesh);
	print_body(f, x->ctx, o, function, number);
	if (fclose(f) != 0 && !e)
		e = error_no_memory();
	return e;
}

/* ---- all of it -------------------------------------------------------------------------------------------- */

static tess_status replace(tess_module *m, tess_op *o, const char *text)
{
	size_t n = tess_op_operand_count(o);
	tess_value **operands = calloc(n + 1, sizeof *operands);
	tess_builder *b = tess_builder_new(m);
	tess_status status = operands ? TESS_OK : TESS_NOMEM;
	for (size_t i = 0; operands && i < n; i++)
		operands[i] = tess_op_operand(o, i);
	tess_builder_before(b, o);
	tess_builder_set_location(b, tess_op_location(o));
	tess_op *to = operands ? tess_build_op(b, text, operands, n) : NULL;
	if (status == TESS_OK)
		status = tess_builder_status(b);
	for (size_t i = 0; to && status == TESS_OK && i < tess_op_result_count(o); i++)
		status = tess_value_replace(tess_op_result(o, i), tess_op_result(to, i));
	if (to && status == TESS_OK)
		status = tess_op_erase(m, o);
	tess_builder_free(b);
	free(operands);
	return status;
}

static PJRT_Error *put_answer(PJRT_Executable *x, tess_module *m, tess_op *o, const question *q,
                              const tess_mesh *mesh, int number)
{
	tess_str code = {q->args.mlir_module.data, q->args.mlir_module.size};
	tess_module *local = tess_module_parse(x->ctx, code, "custom_partitioning", NULL);
	const tess_op *main = local ? tess_module_find(local, "main") : NULL;
	const tess_type *function = main ? tess_func_type(main) : NULL;
	char *text = NULL;
	PJRT_Error *e = function ? print_manual(&text, x, q, o, mesh, function, number) : NULL;
	tess_status status = function ? TESS_OK : TESS_INVALID;
	if (!e && status == TESS_OK)
		status = rename_functions(x->ctx, local, number);
	if (!e && status == TESS_OK)
		status = copy_functions(m, local);
	if (!e && status == TESS_OK)
		status = replace(m, o, text);
	if (!e && status != TESS_OK)
		e = error_of_context(x->ctx, status, "what a custom partitioning returned");
	tess_module_free(local);
	free(text);
	return e;
}

static PJRT_Error *partition_call(PJRT_Executable *x, tess_module *m, tess_op *o, int number)
{
	question q = {0};
	const tess_mesh *mesh = mesh_of_call(x, m, o);
	PJRT_Error *e = mesh ? question_make(&q, x->ctx, o, mesh)
	                     : error_of_context(x->ctx, TESS_INVALID, "no mesh for a custom partitioning");
	if (!e)
		e = ask(&q, partitioner_of(o));
	if (!e)
		e = put_answer(x, m, o, &q, mesh, number);
	question_free(&q);
	return e;
}

/* What is kept is the program as it is now: whom it asked may not be there when it is loaded. */
static PJRT_Error *keep_code(PJRT_Executable *x)
{
	char *bytes = NULL;
	size_t n = 0;
	tess_status status = tess_module_write(x->program, NULL, &bytes, &n);
	char *code = status == TESS_OK ? malloc(n + 1) : NULL;
	if (code) {
		memcpy(code, bytes, n);
		free(x->code);
		x->code = code;
		x->n_code = n;
	}
	tess_text_free(bytes);
	return code                ? NULL
	       : status == TESS_OK ? error_no_memory()
	                           : error_of_context(x->ctx, status, x->name);
}

/* The program is then the propagated one: what was asked for depends on that. */
PJRT_Error *custom_calls_partition(PJRT_Executable *x)
{
	if (!next_call(x->program))
		return NULL;
	tess_module *m = tess_module_clone(x->propagated ? x->propagated : x->program);
	tess_status status = m ? TESS_OK : TESS_NOMEM;
	if (m && !x->propagated)
		status = tess_module_propagate(m);
	PJRT_Error *e = status == TESS_OK ? NULL : error_of_context(x->ctx, status, x->name);
	tess_op *o;
	for (int number = 0; !e && (o = next_call(m)); number++)
		e = partition_call(x, m, o, number);
	if (e) {
		tess_module_free(m);
		return e;
	}
	tess_module_free(x->program);
	x->program = m;
	if (x->propagated) {
		tess_module_free(x->propagated);
		x->propagated = tess_module_clone(m);
		if (!x->propagated)
			return error_no_memory();
	}
	return keep_code(x);
}
