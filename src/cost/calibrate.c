/* calibrate.c - fits a machine to what was measured on it.
 *
 * A list has one measurement per line, in the form of tables of machines:
 *
 *     product    m=8192 n=8192 k=8192 type=bf16 seconds=1.6e-3
 *     copy       bytes=1e9 seconds=0.7e-3
 *     launch     seconds=3e-6
 *     all_reduce bytes=1e8 devices=16 stride=1 seconds=2.9e-4
 *
 * The `bytes` of a copy are those that are read and written; the `bytes` of a collective are what
 * each device has before it. The members of its group are `stride` devices apart (default: 1). If
 * devices share the machine's cores, `at_once` of them did the same at the same time (default: 1;
 * of a collective all that its group spans), which is all that they did: a core did not turn to
 * another device's computation. The fit changes the machine's efficiencies, latencies and floors
 * one at a time, by factors that become smaller and smaller, as long as that reduces the sum of the
 * squared logarithms of predicted / measured. So 10 % too long and 10 % too short weigh the same,
 * for a microsecond as for a second. */
#include "cost/calibrate.h"

#include <math.h>
#include <stdlib.h>

typedef enum measured_kind { /* transfers come first, as in `transfer` */
	MEASURED_PRODUCT = TRANSFERS,
	MEASURED_COPY,
	MEASURED_LAUNCH,
	MEASURED_KINDS,
} measured_kind;

typedef struct measured {
	measured_kind what;
	double m, n, k, bytes, devices, stride, at_once, seconds;
	dtype type;
	place at;
} measured;
typedef VEC(measured) measured_list;

/* ---- reading ------------------------------------------------------------------------ */

typedef struct measured_key {
	const char *key;
	size_t field;
	bool counts; /* elements or devices, at most MOST_COUNTED */
} measured_key;

#define MOST_COUNTED 1e9

static const measured_key measured_keys[] = {
	{"m", offsetof(measured, m), true},
	{"n", offsetof(measured, n), true},
	{"k", offsetof(measured, k), true},
	{"bytes", offsetof(measured, bytes), false},
	{"devices", offsetof(measured, devices), true},
	{"stride", offsetof(measured, stride), true},
	{"at_once", offsetof(measured, at_once), true},
	{"seconds", offsetof(measured, seconds), false},
};

static bool is_value_of(const measured_key *k, double v)
{
	return k->counts ? v >= 1 && v <= MOST_COUNTED && v == floor(v) : v > 0 && v < 1e30;
}

static const char *measured_word(int kind)
{
	static const char *const others[] = {"product", "copy", "launch"};
	return kind < TRANSFERS ? transfer_words[kind] : others[kind - TRANSFERS];
}

static bool set_measured(tess_ctx *ctx, measured *m, tess_str word, place at, arena *mem)
{
	const char *eq = memchr(word.ptr, '=', word.len);
	const char *key = arena_str(mem, (tess_str){word.ptr, eq ? (size_t)(eq - word.ptr) : 0}).ptr;
	const char *text = eq ? arena_str(mem, (tess_str){eq + 1, word.len - strlen(key) - 1}).ptr : "";
	char *end;
	double v = strtod(text, &end);
	if (!strcmp(key, "type")) {
		m->type = dtype_from_mlir(str_of(text));
		return m->type != DT_NONE || diag_error(ctx, at, E_TARGET,
		                                        "there is no element type '%s'", text);
	}
	for (int i = 0; i < COUNT(measured_keys); i++)
		if (!strcmp(key, measured_keys[i].key) && *text && !*end &&
		    is_value_of(&measured_keys[i], v)) {
			memcpy((char *)m + measured_keys[i].field, &v, sizeof v);
			return true;
		}
	return diag_error(ctx, at, E_TARGET,
	                  "expected m=, n=, k=, devices=, stride= or at_once= and a whole number from 1 "
	                  "to 1e9, bytes= or seconds= and a positive number, or type=, found '%.*s'",
	                  STR_ARG(word));
}

static bool begin_measured(tess_ctx *ctx, tess_str word, place at, measured *m)
{
	*m = (measured){.stride = 1, .type = DT_BF16, .at = at};
	for (int i = 0; i < MEASURED_KINDS; i++)
		if (str_is(word, measured_word(i))) {
			m->what = (measured_kind)i;
			return true;
		}
	return diag_error(ctx, at, E_TARGET,
	                  "expected product, copy, launch or the name of a collective, found '%.*s'",
	                  STR_ARG(word));
}

static bool measured_is_whole(tess_ctx *ctx, const measured *m)
{
	bool sized = m->what == MEASURED_LAUNCH ||
	             (m->what == MEASURED_PRODUCT ? m->m * m->n * m->k > 0 : m->bytes > 0);
	bool grouped = m->what >= MEASURED_PRODUCT || m->devices >= 2;
	if (m->seconds > 0 && sized && grouped)
		return true;
	return diag_error(ctx, m->at, E_TARGET, "a measurement of %s needs %s",
	                  measured_word(m->what),
	                  m->what == MEASURED_PRODUCT  ? "m=, n=, k= and seconds="
	                  : m->what == MEASURED_LAUNCH ? "seconds="
	                  : m->what == MEASURED_COPY   ? "bytes= and seconds="
	                                               : "bytes=, devices= from 2 on and seconds=");
}

static bool measured_parse(tess_ctx *ctx, source *src, arena *mem, measured_list *out)
{
	bool fresh, ok = true;
	size_t at = 0;
	while (ok) {
		tess_str w = table_word(src->text, &at, &fresh);
		place here = {src, (uint32_t)(at - w.len), (uint32_t)at};
		if (out->len && (fresh || !w.len))
			ok = measured_is_whole(ctx, &out->ptr[out->len - 1]);
		if (!w.len || !ok)
			break;
		measured m;
		if (fresh || !out->len) {
			ok = begin_measured(ctx, w, here, &m);
			vec_push(mem, out, m);
		} else {
			ok = set_measured(ctx, &out->ptr[out->len - 1], w, here, mem);
		}
	}
	if (ok && !out->len)
		ok = diag_error(ctx, (place){src, 0, 0}, E_TARGET, "there is nothing measured");
	return ok;
}

/* ---- predicting ------------------------------------------------------------------------ */

static double product_seconds(const target *t, const measured *m)
{
	double bytes = (m->m * m->k + m->k * m->n + m->m * m->n) * dtype_bits(m->type) / 8;
	double efficiency =
		t->product_efficiency * matrix_product_share(t, m->m, m->n, m->k, m->type);
	double compute = 2 * m->m * m->n * m->k /
	                 (product_rate(t, m->type, PRODUCT_DEFAULT) * efficiency);
	double traffic = traffic_seconds(t, bytes);
	return t->launch_seconds + (compute > traffic ? compute : traffic);
}

/* Returns one of the devices, whose core does not turn to another one's computation. */
static target measured_device(const target *t, const measured *m)
{
	bool grouped = m->what < MEASURED_PRODUCT && !m->at_once;
	target one = *t;
	one.turn_seconds = 0;
	return target_shared(&one, (int64_t)(grouped ? m->devices * m->stride : m->at_once));
}

static double measured_prediction(const target *t, const measured *m)
{
	int64_t size = (int64_t)m->devices, stride = (int64_t)m->stride;
	target one = measured_device(t, m);
	switch ((int)m->what) {
	case MEASURED_PRODUCT: return product_seconds(&one, m);
	case MEASURED_COPY: return one.launch_seconds + traffic_seconds(&one, 2 * m->bytes);
	case MEASURED_LAUNCH: return one.launch_seconds;
	default: break;
	}
	group_place g = group_along(&one, &size, &stride, 1);
	return transfer_of(&one, (transfer)m->what, m->bytes, &g).seconds;
}

/* ---- fitting ----------------------------------------------------------------------------- */

static double misfit(const target *t, const measured_list *list)
{
	double sum = 0;
	for (int i = 0; i < list->len; i++) {
		double p = measured_prediction(t, &list->ptr[i]);
		double d = p > 0 ? log(p / list->ptr[i].seconds) : 10;
		sum += d * d;
	}
	return sum;
}

typedef struct fitted_key {
	const char *key;
	size_t field;
	double most;
} fitted_key;

static const fitted_key fitted_keys[] = {
	{"product_efficiency", offsetof(target, product_efficiency), 1},
	{"memory_efficiency", offsetof(target, memory_efficiency), 1},
	{"launch", offsetof(target, launch_seconds), 1},
	{"link_efficiency", offsetof(target, link_efficiency), 1},
	{"latency", offsetof(target, link_latency), 1},
	{"floor", offsetof(target, link_floor), 1},
	{"far_efficiency", offsetof(target, far_efficiency), 1},
	{"far_latency", offsetof(target, far_latency), 1},
	{"far_floor", offsetof(target, far_floor), 1},
};

/* The rates of `cpu` are those of one core of one server: others may be faster. */
static double most_of(const target *t, const fitted_key *k)
{
	enum { FASTER = 100 };
	return t->is_cpu ? FASTER * k->most : k->most;
}

static double *fitted_field(target *t, const fitted_key *k) { return (double *)((char *)t + k->field); }

/* Multiplies a figure by the factor. Returns true if the fit is better; otherwise the machine is as
 * before. */
static bool try_factor(target *t, const fitted_key *k, double factor, const measured_list *list,
                       double *least)
{
	double *v = fitted_field(t, k), before = *v;
	*v = fmin(before * factor, most_of(t, k));
	double now = misfit(t, list);
	if (now < *least * (1 - 1e-12)) {
		*least = now;
		return true;
	}
	*v = before;
	return false;
}

static void fit_target(target *t, const measured_list *list)
{
	double least = misfit(t, list);
	for (double step = 2; step > 1.001; step = sqrt(step)) {
		bool better = true;
		for (int round = 0; round < 100 && better; round++) {
			better = false;
			for (int i = 0; i < COUNT(fitted_keys); i++)
				better = try_factor(t, &fitted_keys[i], step, list, &least) ||
				         try_factor(t, &fitted_keys[i], 1 / step, list, &least) ||
				         better;
		}
	}
}

/* Writes the figures that differ from those of `like` as a row of a table, and before it how far
 * off each measurement is. */
static void put_fitted(const target *t, const target *like, const measured_list *list, writer *w)
{
	for (int i = 0; i < list->len; i++) {
		const measured *m = &list->ptr[i];
		double p = measured_prediction(t, m);
		put_f(w, "# %s: measured %.3g s, now predicted %.3g s (%+.0f %%)\n",
		      measured_word(m->what), m->seconds, p, 100 * (p / m->seconds - 1));
	}
	put_f(w, "%s like=%s", t->name, like->name);
	for (int i = 0; i < COUNT(fitted_keys); i++) {
		target copy = *like, now = *t;
		double v = *fitted_field(&now, &fitted_keys[i]);
		if (v != *fitted_field(&copy, &fitted_keys[i]))
			put_f(w, " %s=%.4g", fitted_keys[i].key, v);
	}
	put_c(w, '\n');
}

bool target_calibrate(tess_ctx *ctx, source *src, const target *like, arena *mem, writer *w)
{
	measured_list list = {0};
	target fitted = *like;
	if (!measured_parse(ctx, src, mem, &list))
		return false;
	fitted.name = "calibrated";
	fit_target(&fitted, &list);
	put_fitted(&fitted, like, &list, w);
	return true;
}
