/* probe.c - reports values while a program runs: interpreter.print, interpreter.probe, and
 * check.expect_serialized_eq, which compares with what a probe has seen. */
#include "exec/steps/host.h"

#include <stdlib.h>

/* A value seen by a probe. */
struct probe {
	struct probe *next; /* the one seen before */
	const name *id;
	const type *type;
	int64_t times; /* how many the probe had seen before */
	size_t bytes;
	char *data;
};

void probes_free(struct probe *list)
{
	for (struct probe *p = list, *next; p; p = next) {
		next = p->next;
		free(p->data);
		free(p);
	}
}

/* What a probe saw at a given time; its last value if `times` is -1. */
static struct probe *probe_find(const struct run *r, const name *id, int64_t times)
{
	struct probe *p = r->probes;
	while (p && (p->id != id || (times >= 0 && p->times != times)))
		p = p->next;
	return p;
}

static void run_probe(struct run *r, const step *s, const call *c)
{
	const tensor *t = step_in(s, 0);
	size_t bytes = (size_t)(t->n * t->bytes);
	const name *id = op_attr(s->op, N_probe_id)->text;
	const struct probe *last = probe_find(r, id, -1);
	struct probe *p = calloc(1, sizeof *p);
	char *data = malloc(bytes + 1);
	memcpy(call_out(s, c, 0), c->at[0], bytes);
	if (!p || !data) {
		free(p);
		free(data);
		r->status = TESS_NOMEM;
		return;
	}
	memcpy(data, c->at[0], bytes);
	*p = (struct probe){r->probes, id, t->type, last ? last->times + 1 : 0, bytes, data};
	r->probes = p;
	const exec_opts *opts = &r->p->opts;
	if (opts->probe)
		opts->probe(opts->user, name_str(id), p->times, t->type, data);
}

static void run_print(struct run *r, const step *s, const call *c)
{
	const exec_opts *opts = &r->p->opts;
	if (opts->print)
		opts->print(opts->user, step_in(s, 0)->type, c->at[0]);
}

static void run_serialized(struct run *r, const step *s, const call *c)
{
	const tensor *t = step_in(s, 0);
	const name *id = op_attr(s->op, N_probe_id)->text;
	const struct probe *p = probe_find(r, id, op_int(s->op, N_iteration, 0));
	if (p && p->type == t->type && !memcmp(p->data, c->at[0], p->bytes)) {
		r->n_checks++;
		return;
	}
	diag_error(r->p->ctx, op_place(r->p->m, s->op), E_EXEC_CHECK,
	           p ? "check failed: the probe has seen another value"
	             : "check failed: no such probe has seen a value");
	r->check_failed = true;
}

bool plan_probe(exec_plan *p, const op *o)
{
	const attr *id = op_attr(o, N_probe_id);
	if (o->kind != OP_INTERPRETER_PRINT && (!id || id->kind != AT_STRING))
		return plan_error(p, o, "the probe has no id");
	step_add(p, host_step(p, o, o->kind == OP_INTERPRETER_PROBE   ? run_probe
	                            : o->kind == OP_INTERPRETER_PRINT ? run_print
	                                                              : run_serialized));
	return true;
}
