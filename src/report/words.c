/* words.c - writes quantities and values for people. */
#include "report/words.h"

void put_number_of(writer *w, int64_t n, const char *what)
{
	put_f(w, "%" PRId64 " %s%s", n, what, n == 1 ? "" : "s");
}

void put_value(writer *w, const value *v)
{
	int n;
	const value *first = value_namesakes(v, &n);
	put_c(w, '%');
	tess_str text = value_name(first);
	if (text.len)
		put_str(w, text);
	else
		put_f(w, value_def(v) ? "v%u" : "arg%u", value_def(v) ? first->id : v->index);
	if (n > 1)
		put_f(w, "#%d", (int)(v - first));
}

void put_function_around(writer *w, const value *v)
{
	const op *at = value_def(v) ? op_parent(value_def(v)) : value_op(v);
	const op *called = op_enclosing(at, OP_SDY_NAMED_COMPUTATION);
	const op *function = op_enclosing(at, OP_FUNC_FUNC);
	const name *of = called ? op_computation_name(called) : NULL;
	const name *symbol = of ? of : function ? op_symbol(function) : NULL;
	if (!symbol || (!of && function == module_main(op_module(function))))
		return;
	put_lit(w, " of ");
	put_symbol(w, name_str(symbol));
}

bool put_calling_line(writer *w, const attr *loc)
{
	const attr *frames[2];
	int n = source_own_frames(loc, frames, COUNT(frames));
	if (n < 2)
		return put_source_line(w, loc);
	put_source_line(w, frames[0]);
	put_lit(w, " < ");
	put_source_line(w, frames[1]);
	return true;
}

static void put_dims_short(writer *w, const type *t)
{
	put_c(w, '[');
	for (int i = 0; i < t->rank; i++) {
		if (i)
			put_c(w, ',');
		if (t->dims[i] == DIM_DYNAMIC)
			put_c(w, '?');
		else
			put_int(w, t->dims[i]);
	}
	put_c(w, ']');
}

void put_type_short(writer *w, const type *t)
{
	if (t->kind == TY_TOKEN) {
		put_lit(w, "token");
		return;
	}
	put_z(w, t->dtype ? dtype_mlir(t->dtype) : "tensor");
	if (t->kind == TY_TENSOR)
		put_dims_short(w, t);
}

/* JAX shortens one word of NumPy's names. */
void put_type_jax(writer *w, const type *t)
{
	static const char *const words[] = {"float", "uint", "int", "complex"};
	const char *name = dtype_numpy(t->dtype);
	for (int i = 0; i < COUNT(words); i++) {
		const char *at = strstr(name, words[i]);
		if (!at)
			continue;
		put_mem(w, name, (size_t)(at + 1 - name));
		name = at + strlen(words[i]);
		break;
	}
	put_z(w, name);
	put_dims_short(w, t);
}

/* `open`: dimensions without axes that are open are written as such. */
static void put_spec(writer *w, const sharding *s, bool open)
{
	int last = s->rank;
	while (last > 0 && !s->dims[last - 1].n_axes && !(open && s->dims[last - 1].open))
		last--;
	put_lit(w, "P(");
	for (int d = 0; d < last; d++) {
		const dim_sharding *dim = &s->dims[d];
		put_z(w, d ? ", " : "");
		if (!dim->n_axes)
			put_z(w, open && dim->open ? "P.UNCONSTRAINED" : "None");
		if (dim->n_axes > 1)
			put_c(w, '(');
		for (int i = 0; i < dim->n_axes; i++) {
			put_z(w, i ? ", " : "");
			put_json_string(w, name_str(dim->axes[i].axis));
			if (!axis_is_full(dim->axes[i]))
				put_f(w, ":(%" PRId64 ")%" PRId64, dim->axes[i].pre, dim->axes[i].size);
		}
		if (dim->n_axes > 1)
			put_c(w, ')');
	}
	put_c(w, ')');
}

void put_partition_spec(writer *w, const sharding *s) { put_spec(w, s, false); }
void put_constraint_spec(writer *w, const sharding *s) { put_spec(w, s, true); }

const char *live_role_word(int role)
{
	static const char *const words[] = {"argument", "result", "temporary", "inside"};
	return words[role];
}

const char *link_words(const target *t, bool far)
{
	static const char *const words[2][2] = {{"within a node", "between nodes"},
	                                        {"within a slice", "between slices"}};
	return words[t->torus_axes > 0][far];
}

const char *bound_word(const target *t, int bound)
{
	static const char *const words[2][5] = {
		{"arithmetic", "memory traffic", "starting kernels", "links within a node",
	         "links between nodes"},
		{"arithmetic", "memory traffic", "starting kernels", "links within a slice",
	         "links between slices"}};
	return words[t->torus_axes > 0][bound];
}

const char *op_told_name(const op *o)
{
	return op_is_ragged_all_to_all(o) ? "ragged_all_to_all" : op_name(o);
}

const char *op_short_name(const op *o)
{
	const char *s = op_told_name(o);
	return str_starts(str_of(s), "stablehlo.") ? s + strlen("stablehlo.") : s;
}
