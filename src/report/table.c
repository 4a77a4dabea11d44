/* table.c - writes every value of @main with its sharding, one line or object each.
 *
 * Arguments come first, then the results of operations, including those inside loops, branches and
 * manual computations, then the results of @main, and at the end the meshes if there are several.
 * Reducers and comparators work on scalars and are left out. */
#include "report/report.h"

typedef struct table_row {
	const char *value, *op, *type, *sharding, *local, *source;
	int64_t local_bytes;
} table_row;

typedef VEC(table_row) table_rows;

typedef struct table_walk {
	const module *m;
	arena *mem;
	table_rows *rows;
} table_walk;

static const char *kept_text(table_walk *t, writer *w)
{
	const char *text = arena_str(t->mem, writer_str(w)).ptr;
	w->len = 0;
	return text;
}

static void add_table_row(table_walk *t, const char *name, const char *op_name, const type *ty,
                          const sharding *s, const attr *loc)
{
	writer w;
	writer_init(&w, t->mem);
	put_type_short(&w, ty);
	table_row r = {.value = name, .op = op_name, .type = kept_text(t, &w)};
	if (s)
		sharding_print(&w, s);
	r.sharding = kept_text(t, &w);
	put_shard_type(&w, t->m, ty, s);
	r.local = kept_text(t, &w);
	put_source(&w, loc);
	r.source = kept_text(t, &w);
	r.local_bytes = shard_bytes(t->m, ty, s);
	vec_push(t->mem, t->rows, r);
}

static void add_value_row(table_walk *t, const value *v)
{
	writer w;
	writer_init(&w, t->mem);
	put_value(&w, v);
	add_table_row(t, kept_text(t, &w), value_def(v) ? op_short_name(value_def(v)) : "argument",
	              v->type, value_sharding(t->m, v), value_loc(v));
}

static bool holds_program(const op *o) { return op_has(o, CONTROL | LISTED); }

static void add_main_rows(table_walk *t, const op *f)
{
	const block *b = op_body(f);
	for (int i = 0; i < b->n_args; i++)
		add_value_row(t, b->args[i]);
	for (const op *o = op_next(f, f); o;
	     o = op_n_regions(o) && !holds_program(o) ? op_skip(o, f) : op_next(o, f))
		for (int i = 0; i < o->n_results; i++)
			add_value_row(t, &o->results[i]);
	for (int i = 0; i < op_func(f)->type->n_out; i++)
		add_table_row(t, arena_printf(t->mem, "result:%d", i), "result",
		              op_func(f)->type->out[i], op_func(f)->result_shardings[i], NULL);
}

static void put_table_text(const table_rows *rows, const program_meshes *meshes, writer *w)
{
	enum { WIDE = 60 };
	int64_t name = 5, ty = 4, local = 5, sh = 8;
	for (int i = 0; i < rows->len; i++) {
		const table_row *r = &rows->ptr[i];
		name = max_i64(name, (int64_t)strlen(r->value));
		ty = max_i64(ty, (int64_t)strlen(r->type));
		local = max_i64(local, (int64_t)strlen(r->local));
		sh = max_i64(sh, (int64_t)strlen(r->sharding));
	}
	const int columns[] = {(int)min_i64(name, WIDE), (int)min_i64(ty, WIDE),
	                       (int)min_i64(local, WIDE), (int)min_i64(sh, WIDE)};
	put_f(w, "%-*s  %-*s  %-*s  %-*s  %s\n", columns[0], "value", columns[1], "type",
	      columns[2], "shard", columns[3], "sharding", "from");
	for (int i = 0; i < rows->len; i++) {
		const table_row *r = &rows->ptr[i];
		put_f(w, "%-*s  %-*s  %-*s  %-*s  %s%s%s\n", columns[0], r->value, columns[1],
		      r->type, columns[2], r->local, columns[3], *r->sharding ? r->sharding : "-",
		      r->op, *r->source ? ", " : "", r->source);
	}
	for (int i = 0; meshes->len > 1 && i < meshes->len; i++) {
		const op *declared = meshes->ptr[i].declared;
		put_f(w, "%s@%s ", i ? "; " : "meshes: ", declared ? op_symbol(declared)->s : "");
		put_mesh_axes(w, meshes->ptr[i].mesh);
	}
	put_z(w, meshes->len > 1 ? "\n" : "");
}

static void put_table_json(const table_rows *rows, const program_meshes *meshes, writer *w)
{
	json j;
	json_init(&j, w, true);
	json_obj(&j);
	json_key(&j, "values");
	json_arr(&j);
	for (int i = 0; i < rows->len; i++) {
		const table_row *r = &rows->ptr[i];
		json_obj(&j);
		json_key_z(&j, "value", r->value);
		json_key_z(&j, "op", r->op);
		json_key_z(&j, "type", r->type);
		json_key_z(&j, "sharding", r->sharding);
		json_key_z(&j, "local_type", r->local);
		json_key_int(&j, "local_bytes", r->local_bytes);
		json_key_z(&j, "source", r->source);
		json_end(&j);
	}
	json_end(&j);
	json_mesh_list(&j, meshes);
	json_end(&j);
	put_c(w, '\n');
}

void table_of(const module *m, bool as_json, arena *mem, writer *w)
{
	const op *f = module_main(m);
	table_rows rows = {0};
	table_walk t = {.m = m, .mem = mem, .rows = &rows};
	if (f && !func_is_declaration(f))
		add_main_rows(&t, f);
	program_meshes meshes;
	program_meshes_of(m, mem, &meshes);
	if (as_json)
		put_table_json(&rows, &meshes, w);
	else
		put_table_text(&rows, &meshes, w);
}
