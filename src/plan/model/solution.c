/* solution.c - choices in a model, and the shardings of the program that follow from them. */
#include "plan/model/nodes.h"

#include <math.h>

/* ---- solutions ---------------------------------------------------------------------------------------------------- */

static double state_noise(const plan_model *m, const model_node *n, int state)
{
	digest d = digest_mix(n->key, (uint64_t)state);
	return m->noise * (double)(d.b >> 11) / 9007199254740992.0;
}

static void set_own_costs(plan_model *m, double lambda, bool noise)
{
	for (int i = 0; i < m->nodes.len; i++) {
		model_node *n = &m->nodes.ptr[i];
		for (int s = 0; s < n->states; s++)
			n->own[s] = n->seconds[s] + lambda * n->bytes[s] +
			            (noise ? state_noise(m, n, s) : 0);
	}
}

/* Solves with noise first. The messages are also valid without it, so that the bound is one for the
 * real costs. */
static pair_solution solve_pairs(plan_model *m, double lambda, int sweeps)
{
	enum { LAST_SWEEPS = 3 };
	static const double GAP = 1e-4;
	pair_solution noisy, s;
	set_own_costs(m, lambda, true);
	pair_solve(m->solver, sweeps, GAP / 2, &noisy);
	set_own_costs(m, lambda, false);
	pair_solve(m->solver, LAST_SWEEPS, GAP / 2, &s);
	s.sweeps += noisy.sweeps;
	double energy = pair_energy(&m->pairs, noisy.state);
	if (energy < s.energy) {
		s.energy = energy;
		s.state = noisy.state;
		s.bound = fmin(s.bound, energy);
	}
	return s;
}

static void give_solution(plan_model *m, double lambda, const pair_solution *s, model_solution *out)
{
	int *state = NEW_N(m->mem, int, m->nodes.len);
	double bytes = 0;
	for (int i = 0; i < m->nodes.len; i++) {
		state[i] = s->state[m->rank[i]];
		bytes += m->nodes.ptr[i].bytes[state[i]];
	}
	*out = (model_solution){.bytes = bytes,
	                        .energy = s->energy,
	                        .seconds = s->energy - lambda * bytes,
	                        .bound = s->bound,
	                        .sweeps = s->sweeps,
	                        .state = state};
}

void model_solve(plan_model *m, double lambda, int sweeps, model_solution *out)
{
	pair_solution s = solve_pairs(m, lambda, sweeps);
	give_solution(m, lambda, &s, out);
}

void model_certify(plan_model *m, double lambda, int sweeps, double gap, model_solution *out)
{
	pair_solution s = solve_pairs(m, lambda, sweeps);
	pair_certify(m->solver, gap, &s);
	give_solution(m, lambda, &s, out);
}

/* ---- shardings ------------------------------------------------------------------------------------------------------ */

static plan_layout layout_chosen(const model_solution *s, const port *p)
{
	return p->list[p->of_state[s->state[p->node]]];
}

static const sharding *port_sharding(const plan_model *m, const port *p, plan_layout l, mesh_ref ref)
{
	if (!type_has_layouts(p->t) || layout_is_partial(l))
		return NULL;
	return layout_sharding(m->g->m->ctx, m->mesh, ref, p->t->rank, l);
}

static const sharding *node_sharding(const plan_model *m, const model_solution *s, const port *p,
                                     mesh_ref ref)
{
	return port_sharding(m, p, layout_chosen(s, p), ref);
}

/* Returns where the first user of a value needs it, if no node holds it; NULL: unknown. */
static const port *first_wanted(const plan_model *m, int op, int r)
{
	const plan_graph *g = m->g;
	for (int i = 0; i < g->ops[op].n_users; i++) {
		const graph_use *u = &g->uses[g->users[g->ops[op].users + i]];
		const port *p = u->result == r ? model_target_port(m, u) : NULL;
		if (p)
			return p;
	}
	return NULL;
}

/* Returns the layout in which terms are summed to where they are needed; the rest is unchanged. */
static plan_layout layout_summed(const plan_model *m, const type *t, plan_layout own, plan_layout wanted)
{
	int64_t shards[TESS_MAX_RANK];
	for (int d = 0; d < t->rank; d++)
		shards[d] = 1;
	for (int a = 0; a < m->mesh->n_axes; a++)
		if (own.on[a] >= 0)
			shards[own.on[a]] *= m->p.size[a];
	for (int a = 0; a < m->mesh->n_axes; a++) {
		int d = wanted.on[a];
		if (own.on[a] >= LAYOUT_WHOLE)
			continue;
		bool divides = d >= 0 && t->dims[d] % (shards[d] * m->p.size[a]) == 0;
		own.on[a] = (int8_t)(divides ? d : LAYOUT_WHOLE);
		if (divides)
			shards[d] *= m->p.size[a];
	}
	return own;
}

/* A value has the layout in which its operation gives it. A value that consists of terms has the
 * layout in which it is held for its users, or in which the first one needs it. */
static const sharding *value_sharding_of(const plan_model *m, const model_solution *s, int op, int r,
                                         mesh_ref ref)
{
	graph_use u = {.from = op, .result = r};
	const port *from = model_source_port(m, &u), *wanted;
	plan_layout own = layout_chosen(s, from);
	int at = m->holder[model_value_number(m, &u)];
	if (!layout_is_partial(own) || !type_has_layouts(from->t))
		return port_sharding(m, from, own, ref);
	if (at >= 0 && !layout_is_partial(layout_chosen(s, &m->nodes.ptr[at].out)))
		return node_sharding(m, s, &m->nodes.ptr[at].out, ref);
	wanted = first_wanted(m, op, r);
	return wanted ? port_sharding(m, from, layout_summed(m, from->t, own, layout_chosen(s, wanted)), ref) : NULL;
}

void model_shardings_of(plan_model *m, const model_solution *s, mesh_ref ref, const bool *wanted, arena *mem,
                        model_shardings *out)
{
	const plan_graph *g = m->g;
	out->arg = NEW_N(mem, const sharding *, g->n_args);
	out->result = NEW_N(mem, const sharding *, g->n_results);
	out->value = NEW_N(mem, const sharding *, g->m->n_values);
	for (int i = 0; i < g->n_args; i++) {
		const model_node *n = &m->nodes.ptr[m->node_of_arg[m->k->of_arg[i]]];
		out->arg[i] = node_sharding(m, s, &n->out, ref);
		out->value[op_body(g->main)->args[i]->id] = out->arg[i];
	}
	for (int i = 0; i < g->n_results; i++) {
		int a = g->arg_of_result[i], node = m->node_of_result[i];
		out->result[i] = a >= 0      ? out->arg[a]
		                 : node >= 0 ? node_sharding(m, s, &m->nodes.ptr[node].out, ref)
		                             : NULL;
	}
	for (int i = 0; i < g->n_ops; i++) {
		const op *o = g->ops[i].o;
		if (op_parent(o) != g->main || (wanted && !wanted[o->id]))
			continue;
		for (int r = 0; r < (int)o->n_results; r++)
			out->value[result(o, r)->id] = value_sharding_of(m, s, i, r, ref);
	}
}
