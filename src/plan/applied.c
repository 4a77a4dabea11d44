/* applied.c - the program of a plan: with its annotations, and propagated.
 *
 * Before a program is propagated, it is imported: constants are copied, calls are replaced, and what
 * loops hand on gets edges. That is the same for all plans, and so is the graph of the propagation.
 * So a program of which many plans are evaluated is imported once. But some of the import depends on
 * annotations: a copy of an operation has those of the original, constraints give theirs to their
 * operands, edges take them over. So a trial decides: if all sites are annotated when the program is
 * imported, and if none is, it must become the same program, with all annotations where they were and
 * no others. Then they can as well be made afterwards. */
#include "plan/applied.h"

#include "shardy/shardy.h"

struct plan_ready {
	module *m;  /* imported, without annotations of sites */
	value **at; /* the values of the sites in it */
	uint64_t structure; /* structure_key() */
	repeated_propagation *again;
	pass_list after; /* what follows the propagation */
};

/* ---- annotations ------------------------------------------------------------------------------- */

value **plan_values_of(const plan_subject *s, const module *copy, arena *mem)
{
	value **at = NEW_N(mem, value *, s->n_sites + 1);
	const block *body = op_body(module_main(copy));
	op *o = body->first;
	int number = 0;
	for (int i = 0; i < s->n_sites; i++) {
		const plan_site *site = &s->sites[i];
		if (site->kind == SITE_ARGUMENT)
			at[i] = body->args[site->number];
		for (; site->kind == SITE_VALUE && number < site->number; number++)
			o = o->next;
		if (site->kind == SITE_VALUE)
			at[i] = result(o, 0);
	}
	return at;
}

static void set_mesh_of(const plan_subject *s, module *m, const mesh *mesh)
{
	op *declared = module_lookup(m, s->mesh_symbol);
	ASSERT(declared);
	if (op_declared_mesh(declared) != mesh) {
		op_set_attr(m, declared, N_mesh, attr_mesh(m->ctx, mesh_plain(m->ctx, mesh)));
		op_set_attr(m, declared, N_stablehlo_mesh, NULL); /* it says the same of the old one */
	}
	if (op_attr(m->top, N_mhlo_num_partitions))
		op_set_attr(m, m->top, N_mhlo_num_partitions,
		            attr_i32(m->ctx, mesh->n_devices));
}

static void annotate_value(module *m, value *v, const plan *p, const sharding *s)
{
	if (p->written)
		build_behind(m, OP_SDY_SHARDING_CONSTRAINT, v, s);
	else
		value_set_sharding(m, v, s);
}

/* `at`: the values of the sites in the program. */
static void annotate(const plan_subject *s, const plan *p, module *m, value *const *at)
{
	set_mesh_of(s, m, p->mesh);
	for (int i = 0; i < s->n_sites; i++) {
		const plan_site *site = &s->sites[i];
		if (!p->at[i] || site->fixed)
			continue;
		switch (site->kind) {
		case SITE_ARGUMENT: at[i]->sharding = p->at[i]; break;
		case SITE_RESULT: op_func(module_main(m))->result_shardings[site->number] = p->at[i]; break;
		case SITE_VALUE: annotate_value(m, at[i], p, p->at[i]); break;
		}
	}
}

module *plan_applied(const plan_subject *s, const plan *p)
{
	arena *scratch = &s->m->ctx->scratch;
	arena_mark here = arena_here(scratch);
	module *m = module_clone(s->m);
	annotate(s, p, m, plan_values_of(s, m, scratch));
	arena_back(scratch, here);
	return m;
}

/* ---- propagation ------------------------------------------------------------------------------- */

/* The passes of `tess report`, in front of the propagation and after it. */
typedef struct shard_passes {
	pass_list before, after;
	pass_options propagate;
} shard_passes;

static pass_list all_passes(propagation_memo *memo, arena *mem)
{
	pass_options o = pass_options_default();
	pass_list all = {.mem = mem};
	o.memo = memo;
	pass_list_add_named(&all, "shard", &o);
	return all;
}

static shard_passes passes_of(propagation_memo *memo, arena *mem)
{
	pass_list all = all_passes(memo, mem);
	shard_passes p = {.before.mem = mem, .after.mem = mem};
	bool propagated = false;
	for (int i = 0; i < all.steps.len; i++) {
		const pass_step *s = &all.steps.ptr[i];
		if (s->def->run != pass_user_priority_propagate) {
			vec_push(mem, propagated ? &p.after.steps : &p.before.steps, *s);
			continue;
		}
		p.propagate = s->opts;
		propagated = true;
	}
	return p;
}

static bool run_quietly(module *m, const pass_list *l)
{
	run_opts quiet = {0};
	return pass_list_run_on_main(m, l, &quiet);
}

static module *or_free(module *m, bool good)
{
	if (good)
		return m;
	module_free(m);
	return NULL;
}

module *plan_propagate(module *m, propagation_memo *memo)
{
	arena *scratch = &m->ctx->scratch;
	arena_mark here = arena_here(scratch);
	pass_list passes = all_passes(memo, scratch);
	bool good = run_quietly(m, &passes);
	arena_back(scratch, here);
	return or_free(m, good);
}

module *plan_propagated(const plan_subject *s, const plan *p, propagation_memo *memo)
{
	return plan_propagate(plan_applied(s, p), memo);
}

/* ---- programs that are imported once ------------------------------------------------------------- */

static void count_sharding(void *arg, const sharding *s)
{
	int64_t *n = arg;
	*n += s != NULL;
}

static int64_t count_shardings(const module *m)
{
	int64_t n = 0;
	for (const op *o = m->top; o; o = op_next(o, m->top))
		op_each_sharding(o, count_sharding, &n);
	return n;
}

/* A key of the operations and values, without shardings. */
static uint64_t structure_key(const module *m)
{
	uint64_t key = 1;
	for (const op *o = m->top; o; o = op_next(o, m->top)) {
		key = hash_mix(key, (uint64_t)o->kind << 32 | (uint64_t)o->n_operands);
		for (int i = 0; i < o->n_operands; i++)
			key = hash_mix(key, operand(o, i)->id);
	}
	return key;
}

static bool is_in_main(const module *m, const value *v)
{
	const op *main_func = module_main(m), *o = value_def(v);
	return o ? op_parent(o) == main_func && o != main_func : value_owner(v) == op_body(main_func);
}

/* True if each site of the program has the annotation, if any, that `p` gives it. */
static bool are_in_place(const plan_subject *s, const plan *p, const module *m, value *const *at)
{
	const func *f = op_func(module_main(m));
	for (int i = 0; i < s->n_sites; i++) {
		const plan_site *site = &s->sites[i];
		if (site->kind != SITE_RESULT && !is_in_main(m, at[i]))
			return false;
		const sharding *now = at[i] ? at[i]->sharding : f->result_shardings[site->number];
		if (!site->fixed && now != p->at[i])
			return false;
	}
	return true;
}

/* Imports the program with annotations. Returns false if that moves, copies or adds some. */
static bool import_alone(const plan_subject *s, const plan *p, const shard_passes *passes, arena *mem,
                         module *m, value ***at)
{
	*at = plan_values_of(s, m, mem);
	annotate(s, p, m, *at);
	int64_t n = count_shardings(m);
	return run_quietly(m, &passes->before) && are_in_place(s, p, m, *at) && count_shardings(m) == n;
}

/* Annotations that say nothing: all dimensions are open. */
static plan marks_of(const plan_subject *s, arena *mem)
{
	plan p = {.mesh = op_declared_mesh(module_lookup(s->m, s->mesh_symbol)),
	          .at = NEW_N(mem, const sharding *, s->n_sites + 1)};
	for (int i = 0; i < s->n_sites; i++)
		p.at[i] = sharding_open(s->m->ctx, (mesh_ref){.symbol = s->mesh_symbol}, s->sites[i].type->rank);
	return p;
}

/* Returns false if what the import does depends on the annotations. */
static bool import_once(const plan_subject *s, const shard_passes *passes, arena *mem, plan_ready *out)
{
	value **marked_at;
	plan marks = marks_of(s, mem), none = {.mesh = marks.mesh};
	module *marked = module_clone(s->m);
	none.at = NEW_N(mem, const sharding *, s->n_sites + 1);
	out->m = module_clone(s->m);
	bool same = import_alone(s, &marks, passes, mem, marked, &marked_at) &&
	            import_alone(s, &none, passes, mem, out->m, &out->at);
	out->structure = structure_key(out->m);
	same = same && structure_key(marked) == out->structure;
	module_free(marked);
	return same;
}

static bool has_axis_of_one(const mesh *m)
{
	bool any = false;
	for (int a = 0; a < m->n_axes; a++)
		any |= m->axes[a].size == 1;
	return any;
}

void plan_make_ready(plan_subject *s, propagation_memo *memo, arena *mem)
{
	diag_mark said = diag_here(s->m->ctx);
	shard_passes passes = passes_of(memo, mem);
	plan_ready *r = NEW(mem, plan_ready);
	s->ready = r;
	r->after = passes.after;
	if (import_once(s, &passes, mem, r))
		r->again = repeated_new(r->m, &passes.propagate, mem);
	if (!r->again)
		plan_ready_free(s);
	diag_back(s->m->ctx, said);
}

void plan_ready_free(plan_subject *s)
{
	if (s->ready)
		module_free(s->ready->m);
	s->ready = NULL;
}

/* Axes of size one are removed by the import. */
bool plan_begin(const plan_subject *s, const plan *p, uint64_t *key)
{
	const plan_ready *r = s->ready;
	if (!r || p->written || has_axis_of_one(p->mesh))
		return false;
	arena *scratch = &s->m->ctx->scratch;
	arena_mark here = arena_here(scratch);
	annotate(s, p, r->m, r->at);
	*key = hash_mix(r->structure, repeated_run(r->again)) | 1;
	arena_back(scratch, here);
	return true;
}

module *plan_finish(const plan_subject *s)
{
	arena *scratch = &s->m->ctx->scratch;
	arena_mark here = arena_here(scratch);
	module *m = module_clone(s->ready->m);
	bool good = run_quietly(m, &s->ready->after);
	arena_back(scratch, here);
	return or_free(m, good);
}

void plan_end(const plan_subject *s) { repeated_reset(s->ready->again); }
