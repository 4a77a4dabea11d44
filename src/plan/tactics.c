/* tactics.c - plans as people write them, made of the groups of dimensions that a program has. */
#include "plan/tactics.h"

/* ---- the table ----------------------------------------------------------------------------- */

enum tactic_stores { MOMENTS = 1, PARAMETERS = 2 };

typedef struct tactic_row {
	const char *word;
	group_use uses[USES];
	int n_uses;
	unsigned stores;
} tactic_row;

#define USE(u) USE_##u,
#define LENGTH(...) (int)(sizeof((const int[]){__VA_ARGS__}) / sizeof(int))
static const tactic_row tactic_rows[TACTICS] = {
#define TACTIC(id, word, uses, stores, about) {word, {uses}, LENGTH(uses), stores},
#include "plan/tactics.def"
#undef TACTIC
};

static const char *tactic_word(tactic_id t) { return tactic_rows[t].word; }

static bool tactic_stores(tactic_id t, site_role r)
{
	return tactic_rows[t].stores & (r == ROLE_PARAMETER ? PARAMETERS : r == ROLE_MOMENT ? MOMENTS : 0);
}

bool tactic_applies(const plan_roles *r, tactic_id t)
{
	const tactic_row *row = &tactic_rows[t];
	return r->used[row->uses[0]].len > 0 &&
	       (row->n_uses < 2 || r->used[row->uses[1]].len > 0);
}

/* ---- layouts -------------------------------------------------------------------------------- */

/* Which dimension each axis of the mesh shards; -1: none. */
typedef struct site_layout {
	int dim[PLAN_AXES];
	int64_t shards[TESS_MAX_RANK];
} site_layout;

typedef struct tactic_walk {
	const plan_subject *s;
	const plan_roles *r;
	const tactic *t;
	const mesh *mesh;
} tactic_walk;

static bool layout_divides(const site_layout *l, const type *t, int d, int64_t size)
{
	return t->dims[d] % (l->shards[d] * size) == 0;
}

static void layout_place(site_layout *l, int axis, int d, int64_t size)
{
	l->dim[axis] = d;
	l->shards[d] *= size;
}

static bool place_along_group(const tactic_walk *w, const plan_site *s, int axis, int group,
                              site_layout *l)
{
	int64_t size = w->mesh->axes[axis].size;
	for (int d = 0; d < s->type->rank; d++)
		if (group_of(&w->r->groups, s->v, d) == group && layout_divides(l, s->type, d, size)) {
			layout_place(l, axis, d, size);
			return true;
		}
	return false;
}

static void place_by_uses(const tactic_walk *w, const plan_site *s, int axis, site_layout *l)
{
	const tactic_row *row = &tactic_rows[w->t->on[axis]];
	for (int u = 0; u < row->n_uses; u++) {
		const group_list *groups = &w->r->used[row->uses[u]];
		for (int k = 0; k < groups->len; k++)
			if (place_along_group(w, s, axis, groups->ptr[k], l))
				return;
	}
}

/* Shards the largest dimension that no axis shards yet; if there is none, the largest that can be
 * divided. */
static void place_storage(const tactic_walk *w, const plan_site *s, int axis, site_layout *l)
{
	int64_t size = w->mesh->axes[axis].size;
	int best = -1;
	for (int d = 0; d < s->type->rank; d++) {
		if (!layout_divides(l, s->type, d, size))
			continue;
		bool freer = best < 0 || (l->shards[d] == 1 && l->shards[best] > 1);
		bool as_free = best >= 0 && (l->shards[d] == 1) == (l->shards[best] == 1);
		if (freer || (as_free && s->type->dims[d] > s->type->dims[best]))
			best = d;
	}
	if (best >= 0)
		layout_place(l, axis, best, size);
}

static const sharding *site_layout_sharding(const tactic_walk *w, const type *t,
                                            const site_layout *l)
{
	axis_ref axes[PLAN_AXES];
	dim_sharding dims[TESS_MAX_RANK];
	int n = 0;
	for (int d = 0; d < t->rank; d++) {
		dims[d] = (dim_sharding){.axes = axes + n, .priority = PRIORITY_NONE};
		for (int a = 0; a < w->t->n; a++)
			if (l->dim[a] == d) {
				axes[n++] = axis_full(w->mesh->axes[a].name);
				dims[d].n_axes++;
			}
	}
	return sharding_of(w->s->m->ctx, &(sharding){.mesh = {.symbol = w->s->mesh_symbol},
	                                             .rank = t->rank,
	                                             .dims = dims});
}

static const sharding *tactic_sharding(const tactic_walk *w, const plan_site *s, site_role role)
{
	site_layout l;
	for (int a = 0; a < PLAN_AXES; a++)
		l.dim[a] = -1;
	for (int d = 0; d < s->type->rank; d++)
		l.shards[d] = 1;
	for (int a = 0; a < w->t->n; a++)
		place_by_uses(w, s, a, &l);
	for (int a = 0; a < w->t->n; a++)
		if (l.dim[a] < 0 && tactic_stores(w->t->on[a], role) &&
		    type_bytes(s->type) > w->r->small)
			place_storage(w, s, a, &l);
	return site_layout_sharding(w, s->type, &l);
}

static bool is_sum(const plan_site *s)
{
	const op *o = value_def(s->v);
	return o && op_is_pointwise(o) && o->n_operands == 2;
}

static bool is_pinned(tactic_pins pins, const plan_site *s, site_role role)
{
	if (plan_divides_argument(s->v))
		return true;
	switch (pins) {
	case PINS_ALL: return role == ROLE_PRODUCT || role == ROLE_COPY;
	case PINS_SUMS: return role == ROLE_PRODUCT && is_sum(s);
	case PINS_NONE:
	case PIN_CHOICES: break;
	}
	return false;
}

static bool tactic_annotates(const tactic *t, const plan_site *s, site_role role)
{
	if (s->fixed)
		return false;
	switch (s->kind) {
	case SITE_ARGUMENT: return true;
	case SITE_RESULT: return s->follows >= 0;
	case SITE_VALUE: return is_pinned(t->pins, s, role);
	}
	return false;
}

void tactic_apply(const plan_subject *s, const plan_roles *r, const tactic *t, plan *p)
{
	tactic_walk w = {.s = s, .r = r, .t = t, .mesh = p->mesh};
	for (int i = 0; i < s->n_sites; i++) {
		const plan_site *site = &s->sites[i];
		p->at[i] = NULL;
		if (!tactic_annotates(t, site, r->of[i]))
			continue;
		p->at[i] = site->follows >= 0 ? p->at[site->follows]
		                              : tactic_sharding(&w, site, r->of[i]);
	}
}

/* ---- text --------------------------------------------------------------------------------------- */

const char *tactic_text(const tactic *t, const mesh *m, arena *mem)
{
	writer w;
	writer_init(&w, mem);
	for (int a = 0; a < t->n; a++)
		put_f(&w, "%s%s over %s", a ? "; " : "", tactic_word(t->on[a]), m->axes[a].name->s);
	if (t->pins != PINS_ALL)
		put_f(&w, "; arguments%s only", t->pins == PINS_SUMS ? " and sums" : "");
	return writer_z(&w);
}

static void tactic_words(writer *w)
{
	for (int i = 0; i < TACTICS; i++)
		put_f(w, "%s%s", i ? ", " : "", tactic_word((tactic_id)i));
}

static bool tactic_step(tess_ctx *ctx, tess_str part, tactic *out, const name **axes)
{
	char word[32], axis[64];
	char *text = arena_printf(&ctx->scratch, "%.*s", STR_ARG(part));
	int end = 0, n = sscanf(text, " %31s over %63s %n", word, axis, &end);
	for (int i = 0; n == 2 && !text[end] && i < TACTICS && out->n < PLAN_AXES; i++)
		if (!strcmp(word, tactic_word((tactic_id)i))) {
			axes[out->n] = name_of_z(ctx, axis);
			for (int k = 0; k < out->n; k++)
				if (axes[k] == axes[out->n])
					return diag_error(ctx, NOWHERE, E_PLAN_OPTION,
					                  "the tactic has two words for the axis %s: each axis has one",
					                  axis);
			out->on[out->n++] = (tactic_id)i;
			return true;
		}
	writer w;
	writer_init(&w, &ctx->scratch);
	tactic_words(&w);
	return diag_error(ctx, NOWHERE, E_PLAN_OPTION,
	                  "'%s' is not a tactic: a word, \"over\" and an axis were expected, for up to %d "
	                  "axes; words are %s",
	                  text, PLAN_AXES, writer_z(&w));
}

bool tactic_parse(tess_ctx *ctx, const char *text, tactic *out, const name **axes)
{
	*out = (tactic){.pins = true};
	for (const char *at = text;; at++) {
		size_t n = strcspn(at, ";");
		if (!tactic_step(ctx, (tess_str){at, n}, out, axes))
			return false;
		at += n;
		if (!*at)
			return true;
	}
}
