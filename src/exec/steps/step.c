/* step.c - steps with their tensors and slots, and diagnostics at their operations.
 *
 * All files that plan ops call this one; it calls none of them. */
#include "exec/steps/plan.h"

/* ---- for kernels and all planning ----------------------------------------------------------- */

arena *plan_mem(exec_plan *p) { return &p->mem; }
module *plan_module(exec_plan *p) { return p->m; }
tess_ctx *plan_ctx(exec_plan *p) { return p->ctx; }

static void plan_diag(exec_plan *p, const op *o, diag_code code, const char *what, va_list args)
{
	const char *end = code == E_EXEC_UNSUPPORTED ? " not supported yet" : "";
	char text[400];
	vsnprintf(text, sizeof text, what, args);
	diag_error(p->ctx, op_place(p->m, o), code, "%s: %s%s", op_name(o), text, end);
}

bool plan_error(exec_plan *p, const op *o, const char *what, ...)
{
	va_list args;
	va_start(args, what);
	plan_diag(p, o, E_EXEC_INVALID, what, args);
	va_end(args);
	return false;
}

bool plan_unsupported(exec_plan *p, const op *o, const char *what, ...)
{
	va_list args;
	va_start(args, what);
	plan_diag(p, o, E_EXEC_UNSUPPORTED, what, args);
	va_end(args);
	return false;
}

bool step_invalid(exec_plan *p, const step *s, const char *what, ...)
{
	va_list args;
	va_start(args, what);
	plan_diag(p, s->op, E_EXEC_INVALID, what, args);
	va_end(args);
	return false;
}

bool step_unsupported(exec_plan *p, const step *s, const char *what, ...)
{
	va_list args;
	va_start(args, what);
	plan_diag(p, s->op, E_EXEC_UNSUPPORTED, what, args);
	va_end(args);
	return false;
}

const void *step_constant(const exec_plan *p, const step *s, int i)
{
	const slot *from = s->plan->refs[i].slot;
	UNUSED(p);
	return from && from->kind == IN_CONST && s->t[i].n == 1
	           ? (const char *)from->data + s->plan->refs[i].offset
	           : NULL;
}

void step_in_place(exec_plan *p, step *s, int in, int out)
{
	if (!s->in_place)
		s->in_place = NEW_N(&p->mem, in_place, s->n_in * s->n_out);
	s->in_place[s->n_in_place++] = (in_place){in, out};
}

int64_t step_split(step *s, int64_t n, int64_t least)
{
	s->n_tiles = max_i64(1, min_i64(n / max_i64(least, 1), 64));
	return s->n_tiles;
}

/* ---- slots and bindings -------------------------------------------------------------- */

slot *slot_new(exec_plan *p, const type *t, const classes *cls)
{
	slot *s = NEW(&p->mem, slot);
	s->id = p->slots.len;
	s->cls = cls;
	s->first = s->home = s->last = s->read = -1;
	size_t bytes = t->kind == TY_TENSOR
	                       ? (size_t)t->n_elems * (size_t)dtype_bytes(stored_dtype(t))
	                       : 0;
	s->used = bytes;
	s->bytes = (bytes + 63) & ~(size_t)63;
	vec_push(&p->mem, &p->slots, s);
	return s;
}

void bind_slot(exec_plan *p, const value *v, slot *s)
{
	p->bind[v->id] = (binding){.slot = s, .cls = s->cls};
}

tensor tensor_of(exec_plan *p, const type *t, const binding *b)
{
	dtype dt = stored_dtype(t);
	tensor r = {.type = t, .dtype = dt, .bytes = dtype_bytes(dt), .rank = t->rank,
	            .dims = t->dims, .n = t->kind == TY_TENSOR ? t->n_elems : 0};
	if (b && b->strides) {
		r.strides = b->strides;
	} else {
		int64_t *strides = NEW_N(&p->mem, int64_t, t->rank);
		strides_of(t->dims, t->rank, strides);
		r.strides = strides;
	}
	return r;
}

/* ---- steps ------------------------------------------------------------------------------ */

step *step_new(exec_plan *p, const op *o, int n_in, int n_out, const classes *cls)
{
	step *s = NEW(&p->mem, step);
	s->op = o;
	s->n_ops = 1;
	s->n_in = n_in;
	s->n_out = n_out;
	s->t = NEW_N(&p->mem, tensor, n_in + n_out);
	s->n_tiles = 1;
	s->plan = NEW(&p->mem, step_plan);
	s->plan->refs = NEW_N(&p->mem, ref, n_in + n_out);
	s->plan->cls = cls;
	s->plan->masked = !classes_is_uniform(p->control);
	return s;
}

void step_set_in(exec_plan *p, step *s, int i, const type *t, const binding *b)
{
	s->t[i] = tensor_of(p, t, b);
	s->plan->refs[i] = (ref){b->slot, b->offset * s->t[i].bytes,
	                         classes_project(&p->classes, s->plan->cls, b->cls)};
}

void step_set_out_slot(exec_plan *p, step *s, int i, const type *t, slot *to)
{
	s->t[s->n_in + i] = tensor_of(p, t, NULL);
	s->plan->refs[s->n_in + i] =
	    (ref){to, 0, classes_project(&p->classes, s->plan->cls, to->cls)};
}

slot *step_set_out(exec_plan *p, step *s, int i, const type *t, const value *v)
{
	slot *to = slot_new(p, t, s->plan->cls);
	step_set_out_slot(p, s, i, t, to);
	to->own = true;
	if (v)
		bind_slot(p, v, to);
	return to;
}

/* Constant folding, also of what is constant inside loops: true if the step depends on constants
 * only and its results are small enough to be kept from run to run. */
static bool is_run_once(exec_plan *p, const step *s)
{
	const size_t most = 1 << 20, most_of_all = 16 << 20;
	size_t bytes = 0;
	if (s->plan->kind != STEP_KERNEL || s->plan->masked || p->in_world)
		return false;
	for (int i = 0; i < s->n_in; i++)
		if (s->plan->refs[i].slot->kind != IN_CONST && !s->plan->refs[i].slot->once)
			return false;
	for (int i = s->n_in; i < s->n_in + s->n_out; i++) {
		const slot *to = s->plan->refs[i].slot;
		bytes += to->bytes * (size_t)to->cls->n;
		if (!to->own)
			return false;
	}
	return bytes <= most && (p->once_bytes += bytes) <= most_of_all;
}

void step_add(exec_plan *p, step *s)
{
	s->plan->once = is_run_once(p, s);
	for (int i = s->n_in; i < s->n_in + s->n_out; i++)
		s->plan->refs[i].slot->once |= s->plan->once;
	s->plan->at = s->plan->end = p->n_steps++;
	if (s->plan->talks && !p->talks)
		p->talks = s->op;
	for (int i = 0; i < s->n_out; i++) {
		slot *to = s->plan->refs[s->n_in + i].slot;
		if (to->first < 0)
			to->first = to->home = s->plan->at;
	}
	if (s->scratch > p->scratch)
		p->scratch = s->scratch;
	if (s->n_in + s->n_out > p->max_tensors)
		p->max_tensors = s->n_in + s->n_out;
	vec_push(&p->mem, p->to, s);
	p->facts.n_steps++;
}
