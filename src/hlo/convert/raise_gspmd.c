/* raise_gspmd.c - finds the mesh of a program that was made for GSPMD.
 *
 * Such programs have no meshes, only tiles of devices. The list of devices is divided wherever some
 * sharding divides it; the result is a mesh whose axes express all of them. For example,
 * {devices=[8,1]<=[8]} and {devices=[2,4]<=[8]} give a mesh of 2 by 4. */
#include "hlo/convert/raise.h"

/* ---- the mesh ------------------------------------------------------------------------ */

const hlo_sharding *gspmd_sharding(tess_ctx *ctx, const attr_list *l)
{
	const attr *a = attrs_get_named(l, name_of_z(ctx, "mhlo.sharding"));
	uint32_t end;
	return a && a->kind == AT_STRING
	               ? hlo_sharding_parse(ctx, source_new(ctx, "sharding", name_str(a->text)), 0,
	                                    &end)
	               : NULL;
}

/* Device counts at which the list of devices is divided, each dividing the next; the first is 1,
 * the last the number of devices. */
typedef struct device_cuts {
	int n;
	int64_t at[ASSIGN_MAX];
} device_cuts;

/* Adds a number unless it would break that. */
static void add_cut(device_cuts *c, int64_t cut)
{
	int i = 0;
	while (i < c->n && c->at[i] < cut)
		i++;
	if (c->n == ASSIGN_MAX || (i < c->n && (c->at[i] == cut || c->at[i] % cut)) ||
	    (i && cut % c->at[i - 1]))
		return;
	memmove(&c->at[i + 1], &c->at[i], sizeof c->at[0] * (size_t)(c->n - i));
	c->at[i] = cut;
	c->n++;
}

static void add_cuts_of(hlo_raiser *r, device_cuts *c, const attr_list *l)
{
	const hlo_sharding *h = gspmd_sharding(r->ctx, l);
	const mesh *m;
	const attr *n = op_attr(r->to->top, N_mhlo_num_partitions);
	if (h && (h->kind == HS_UNREDUCED || h->kind == HS_MANUAL) && !c->n && n && n->kind == AT_INT && n->i > 1) {
		add_cut(c, 1); /* all devices */
		add_cut(c, n->i);
	}
	if (!h || h->kind != HS_TILED || h->named ||
	    (c->n && h->devices.n != c->at[c->n - 1]) ||
	    !hlo_sharding_to_sdy(r->ctx, h, h->rank - h->n_subgroups, NULL, &m) ||
	    m->n_device_ids)
		return;
	add_cut(c, 1);
	add_cut(c, m->n_devices);
	for (int64_t i = m->n_axes, units = 1; i-- > 0;)
		add_cut(c, units *= m->axes[i].size);
}

const mesh *gspmd_mesh(hlo_raiser *r)
{
	device_cuts c = {0};
	for (op *f = module_body(r->to)->first; f; f = f->next) {
		bool defined = op_is_func(f) && !func_is_declaration(f);
		for (int i = 0; defined && i < op_body(f)->n_args; i++)
			add_cuts_of(r, &c, &op_func(f)->arg_attrs[i]);
		for (int i = 0; defined && i < op_func(f)->type->n_out; i++)
			add_cuts_of(r, &c, &op_func(f)->result_attrs[i]);
		for (op *o = f; o; o = op_next(o, f))
			add_cuts_of(r, &c, &o->attrs);
	}
	mesh_axis axes[ASSIGN_MAX];
	for (int i = 0; i + 1 < c.n; i++) {
		int from = c.n - 1 - i;
		char text[32];
		snprintf(text, sizeof text, "_axis_%d", i);
		axes[i] = (mesh_axis){name_of_z(r->ctx, text), c.at[from] / c.at[from - 1]};
	}
	return c.n > 1 ? mesh_of(r->ctx, axes, c.n - 1, NULL, 0) : NULL;
}
