/* signature.c - writes the arguments and results of @main as JSON, for callers. */
#include "report/report.h"

static void json_dims(json *j, const char *key, const type *t)
{
	json_key_arr(j, key);
	for (int d = 0; d < t->rank; d++)
		json_int(j, t->dims[d]);
	json_end(j);
}

/* A tensor of static shape has dtype and sizes, anything else only its type. */
static void json_signature_value(json *j, const module *m, arena *mem, const type *t,
                                 const sharding *s)
{
	writer w;
	writer_init(&w, mem);
	mlir_print_type(&w, m->ctx, t);
	json_key_str(j, "type", writer_str(&w));
	if (type_is_tensor(t) && t->is_static && t->elem->kind == TY_SCALAR) {
		json_key_z(j, "dtype", dtype_mlir(t->dtype));
		json_dims(j, "dims", t);
	}
	writer_init(&w, mem);
	if (s)
		sharding_print(&w, s);
	json_key_str(j, "sharding", writer_str(&w));
}

static void json_arguments(json *j, const module *m, arena *mem, const op *main)
{
	const block *b = op_body(main);
	const func *f = op_func(main);
	json_key_arr(j, "arguments");
	for (int i = 0; i < f->type->n_in; i++) {
		const attr_list *attrs = &f->arg_attrs[i];
		writer w;
		writer_init(&w, mem);
		json_obj(j);
		if (b)
			put_value(&w, b->args[i]);
		json_key_str(j, "value", writer_str(&w));
		json_signature_value(j, m, mem, f->type->in[i],
		                     b ? value_sharding(m, b->args[i]) : NULL);
		json_key_bool(j, "donated",
		              attrs_get(attrs, N_tf_aliasing_output) ||
		                  attrs_get(attrs, N_jax_buffer_donor));
		json_end(j);
	}
	json_end(j);
}

void signature_of(const module *m, arena *mem, writer *w)
{
	const op *main = module_main(m);
	json j;
	program_meshes meshes;
	json_init(&j, w, true);
	json_obj(&j);
	if (main) {
		const func *f = op_func(main);
		json_arguments(&j, m, mem, main);
		json_key_arr(&j, "results");
		for (int i = 0; i < f->type->n_out; i++) {
			json_obj(&j);
			json_signature_value(&j, m, mem, f->type->out[i], f->result_shardings[i]);
			json_end(&j);
		}
		json_end(&j);
	}
	program_meshes_of(m, mem, &meshes);
	json_mesh_list(&j, &meshes);
	json_end(&j);
	put_c(w, '\n');
}
