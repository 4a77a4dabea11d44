/* journal.h - a propagation that can be repeated with other annotations (inside propagate).
 *
 * A propagation is a fixed sequence of turns: in each of its runs every node has one, in
 * which it is looked at, and then whatever its changes wake.  Between two turns nothing
 * waits, so a turn is a function of the shardings of the slots that it looks at.  The journal
 * keeps, for each turn that changed something, what it looked at and wrote, and for each slot
 * its shardings with the turns that wrote them.
 *
 * When annotations change, only turns that look at a slot which is now sharded otherwise than
 * it was at that point of the sequence are taken again, in the order of the sequence; each
 * finds the shardings of its own point in time.  All others would do what they did. */
#ifndef TESS_PROPAGATE_JOURNAL_H
#define TESS_PROPAGATE_JOURNAL_H

#include "propagate/walk.h"

/* Of a turn, from 1 on; 0: before the first. */
typedef uint64_t turn_time;

/* The slot has had this sharding since then. */
typedef struct version {
	turn_time time;
	view_no view;
} version;
typedef VEC(version) version_list;
typedef VEC(turn_time) time_list;

/* A turn that changed something. */
typedef struct turn {
	VEC(uint32_t) looked;  /* nodes, the one whose turn it is first */
	VEC(uint32_t) written; /* slots */
} turn;

typedef struct journal {
	walk *w;
	arena *mem;
	uint32_t n_runs, n_results;
	bool rounds, both; /* of op priorities; both strategies in each */
	enum strategy_no only;
	uint32_t *reader_at,
		*readers;       /* slot s is of nodes readers[reader_at[s] … reader_at[s+1]) */
	ptr_map turns;          /* time -> turn */
	view_no *begin;         /* [n_slots]: the annotations */
	version_list *versions; /* [n_slots]: what came after them */
	time_list *woken;       /* [n_nodes]: turns of others in which it was looked at */
	turn now;               /* the one at work */
	bool again;             /* it is taken again: what is read comes from versions */
	turn_time time;
	uint64_t n_taken, n_visits;
	uint64_t *loaded;     /* [n_slots]: n_taken when w->at was loaded */
	uint32_t *changed_no; /* [n_slots]: from 1, in `changed`; 0: as before */
	VEC(struct changed_slot {
		uint32_t slot;
		view_no begin;
		version_list before; /* in scratch memory */
	})
	changed;
	time_list due; /* a heap */
} journal;

/* For a walk without groups and priorities in Shardy's order. */
void journal_init(journal *j, walk *w, const pass_options *o);
/* From j->begin on. */
void journal_run(journal *j);
/* j->begin of the slot becomes `v`; journal_update() must follow. */
void journal_change(journal *j, uint32_t slot, view_no v);
/* Takes again what the changes concern.  j->changed are then the slots that may be sharded
 * otherwise, until the next change.  @return false if it was given up, for it is more than
 * `limit` visits: then only journal_run() helps. */
bool journal_update(journal *j, uint64_t limit);
/* The sharding at the end. */
view_no journal_result(const journal *j, uint32_t slot);

/* The sharding after turn `t`. */
static inline view_no version_at(const version_list *l, view_no begin, turn_time t)
{
	int i = l->len;
	while (i && l->ptr[i - 1].time > t)
		i--;
	return i ? l->ptr[i - 1].view : begin;
}

/* ---- what the walk notes ------------------------------------------------------------- */

static inline void journal_look(journal *j, uint32_t node)
{
	vec_push(j->mem, &j->now.looked, node);
}

static inline void journal_write(journal *j, uint32_t slot)
{
	vec_push(j->mem, &j->now.written, slot);
	j->loaded[slot] = j->n_taken;
}

/* Before w->at[slot] is read. */
static inline void journal_load(journal *j, uint32_t slot)
{
	if (!j->again || j->loaded[slot] == j->n_taken)
		return;
	j->loaded[slot] = j->n_taken;
	j->w->at[slot] = version_at(&j->versions[slot], j->begin[slot], j->time - 1);
}

#endif
