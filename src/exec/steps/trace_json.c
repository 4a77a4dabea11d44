/* trace_json.c - the tasks of a run as JSON, for Perfetto and Chrome.
 *
 * Trace Event Format: an array of "complete" events ("ph": "X") and names of lanes ("ph": "M"). A
 * lane is a device. Events of a lane must nest, but workers compute tiles of one instance side by
 * side; so the tiles of a step become one event, from the first start to the last end. */
#include "exec/steps/plan.h"

#include <stdlib.h>

static int by_lane_and_step(const void *a_, const void *b_)
{
	const exec_event *a = a_, *b = b_;
	if (a->device != b->device)
		return a->device < b->device ? -1 : 1;
	return a->serial < b->serial ? -1 : a->serial > b->serial;
}

/* Joins the tiles of a step into one event; returns how many events are left. */
static int64_t join_tiles(exec_event *e, int64_t n)
{
	int64_t kept = 0;
	for (int64_t i = 0; i < n; i++) {
		exec_event *last = kept ? &e[kept - 1] : NULL;
		if (last && last->device == e[i].device && last->serial == e[i].serial) {
			last->begin = min_i64(last->begin, e[i].begin);
			last->end = max_i64(last->end, e[i].end);
		} else {
			e[kept++] = e[i];
		}
	}
	return kept;
}

static void put_lane(json *j, arena *mem, int device)
{
	json_obj(j);
	json_key(j, "ph"), json_z(j, "M");
	json_key(j, "name"), json_z(j, "thread_name");
	json_key(j, "pid"), json_int(j, 0);
	json_key(j, "tid"), json_int(j, device);
	json_key(j, "args"), json_obj(j);
	json_key(j, "name"), json_z(j, arena_printf(mem, "device %d", device));
	json_end(j);
	json_end(j);
}

static void put_line(json *j, const exec_plan *p, const op *o)
{
	place at = op_place(p->m, o);
	uint32_t line = 0, col = 0;
	if (!at.src || at.src->binary)
		return;
	place_line_col(p->ctx, at, &line, &col);
	json_key(j, "line"), json_int(j, line);
}

static void put_event(json *j, const exec_plan *p, const exec_event *e)
{
	json_obj(j);
	json_key(j, "ph"), json_z(j, "X");
	json_key(j, "name"), json_str(j, str_of(op_name(e->op)));
	json_key(j, "pid"), json_int(j, 0);
	json_key(j, "tid"), json_int(j, e->device);
	json_key(j, "ts"), json_num(j, (double)e->begin / 1000);
	json_key(j, "dur"), json_num(j, (double)(e->end - e->begin) / 1000);
	json_key(j, "args"), json_obj(j);
	if (e->n_ops > 1)
		json_key(j, "fused"), json_int(j, e->n_ops);
	json_key(j, "instances"), json_int(j, e->n_instances);
	json_key(j, "worker"), json_int(j, e->worker);
	put_line(j, p, e->op);
	json_end(j);
	json_end(j);
}

void exec_trace_json(exec_plan *p, writer *w)
{
	int64_t n;
	exec_event *events = (exec_event *)exec_trace(p, &n);
	json j;
	json_init(&j, w, false);
	json_obj(&j);
	json_key(&j, "displayTimeUnit"), json_z(&j, "ns");
	json_key(&j, "traceEvents"), json_arr(&j);
	if (n)
		qsort(events, (size_t)n, sizeof *events, by_lane_and_step);
	n = join_tiles(events, n);
	for (int d = 0; d < p->n_devices; d++)
		put_lane(&j, &p->ctx->scratch, d);
	for (int64_t i = 0; i < n; i++)
		put_event(&j, p, &events[i]);
	json_end(&j);
	json_end(&j);
}
