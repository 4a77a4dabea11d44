/* report_price.c - writes annotations with the cost of their alternatives, as text and JSON. */
#include "report/report.h"

#include <math.h>

static void put_site(const price_words *p, writer *w, const plan_price *price)
{
	const plan_site *s = &p->s->sites[price->site];
	writer name;
	writer_init(&name, p->mem);
	const attr *loc = s->v ? value_loc(s->v) : NULL;
	if (s->kind == SITE_ARGUMENT && loc && loc->kind == AT_LOC_NAME)
		(price->n > 1 ? put_source_alike : put_source)(&name, loc);
	else if (price->place && price->place[0])
		put_z(&name, price->place);
	else if (s->kind == SITE_ARGUMENT)
		put_f(&name, "arg:%d", s->number);
	else if (!put_calling_line(&name, loc))
		put_value(&name, s->v);
	put_str(w, writer_str(&name));
}

static void put_other(const price_words *p, writer *w, const plan_cost *now, const plan_other *o)
{
	const double little = 0.05;
	double bytes = (double)(o->cost.peak_bytes - now->peak_bytes);
	put_lit(w, "    ");
	put_partition_spec(w, o->to);
	double percent = (plan_ratio(o->cost.step_seconds, now->step_seconds) - 1) * 100;
	if (!now->step_seconds && o->cost.step_seconds > 0) {
		put_lit(w, "  +");
		put_seconds(w, o->cost.step_seconds);
		put_lit(w, ", ");
	} else if (fabs(percent) < little)
		put_lit(w, "  as fast, ");
	else
		put_f(w, "  %+.1f %%, ", percent);
	put_z(w, bytes < 0 ? "-" : "+");
	put_bytes(w, bytes < 0 ? -bytes : bytes);
	put_z(w, o->cost.peak_bytes > p->limit ? ", does not fit\n" : "\n");
}

void price_text(const price_words *p, writer *w)
{
	put_f(w, "%s on %s: step ", p->title, p->target);
	put_seconds(w, p->l->cost.step_seconds);
	put_lit(w, ", peak ");
	put_bytes(w, (double)p->l->cost.peak_bytes);
	put_lit(w, "; another sharding of one annotation, the rest as it is, would change that by\n");
	for (int i = 0; i < p->l->list.len; i++) {
		const plan_price *price = &p->l->list.ptr[i];
		put_lit(w, "\n  ");
		put_site(p, w, price);
		put_c(w, ' ');
		put_type_short(w, p->s->sites[price->site].type);
		put_lit(w, "  ");
		put_partition_spec(w, price->now);
		if (price->n > 1)
			put_f(w, "  x %d", price->n);
		put_c(w, '\n');
		for (int k = 0; k < price->others.len && (p->all || !k); k++)
			put_other(p, w, &p->l->cost, &price->others.ptr[k]);
	}
}

static void json_spec(const price_words *p, json *j, const sharding *s)
{
	writer w;
	writer_init(&w, p->mem);
	put_partition_spec(&w, s);
	json_key_str(j, "spec", writer_str(&w));
}

static void json_price(const price_words *p, json *j, const plan_price *price)
{
	writer w;
	json_obj(j);
	writer_init(&w, p->mem);
	put_site(p, &w, price);
	json_key_str(j, "value", writer_str(&w));
	writer_init(&w, p->mem);
	put_type_short(&w, p->s->sites[price->site].type);
	json_key_str(j, "type", writer_str(&w));
	json_key_int(j, "alike", price->n);
	json_spec(p, j, price->now);
	json_key_arr(j, "others");
	for (int k = 0; k < price->others.len; k++) {
		json_obj(j);
		json_spec(p, j, price->others.ptr[k].to);
		json_key_num(j, "step_seconds", price->others.ptr[k].cost.step_seconds);
		json_key_int(j, "peak_bytes", price->others.ptr[k].cost.peak_bytes);
		json_end(j);
	}
	json_end(j);
	json_end(j);
}

void price_json(const price_words *p, writer *w)
{
	json j;
	json_init(&j, w, true);
	json_obj(&j);
	json_key_num(&j, "step_seconds", p->l->cost.step_seconds);
	json_key_int(&j, "peak_bytes", p->l->cost.peak_bytes);
	json_key_arr(&j, "annotations");
	for (int i = 0; i < p->l->list.len; i++)
		json_price(p, &j, &p->l->list.ptr[i]);
	json_end(&j);
	json_end(&j);
	put_c(w, '\n');
}
