/* journal.h - a propagation that can be repeated with other annotations (inside propagate).
 *
 * A propagation is a fixed sequence of turns. In each run every node has one turn, in which it is
 * visited, and then all nodes that its changes wake. No node waits between two turns, so a turn is
 * a function of the shardings of the slots that it reads. For each turn that changed something the
 * journal keeps what it visited and wrote, and for each slot its shardings with the turns that
 * wrote them.
 *
 * When annotations change, turns are repeated in the order of the sequence, but only those that
 * read a slot whose sharding now differs from the one it had at that point. Each of them sees the
 * shardings of its own point in time. All others would do what they did. */
#ifndef TESS_PROPAGATE_JOURNAL_H
#define TESS_PROPAGATE_JOURNAL_H

#include "propagate/walk.h"

/* The number of a turn, from 1; 0: before the first turn. */
typedef uint64_t turn_time;

/* The slot has had this sharding since that turn. */
typedef struct version {
	turn_time time;
	view_no view;
} version;
typedef VEC(version) version_list;
typedef VEC(turn_time) time_list;

/* A turn that changed something. */
typedef struct turn {
	VEC(uint32_t) looked;  /* nodes, first the one whose turn it is */
	VEC(uint32_t) written; /* slots */
} turn;

typedef struct journal {
	walk *w;
	arena *mem;
	uint32_t n_runs, n_results;
	bool rounds, both; /* op priorities are used; both strategies run in each round */
	enum strategy_no only;
	uint32_t *reader_at,
		*readers;       /* slot s is a tensor of nodes readers[reader_at[s] …
		                 * reader_at[s+1]) */
	ptr_map turns;          /* time -> turn */
	view_no *begin;         /* [n_slots]: the annotations */
	version_list *versions; /* [n_slots]: the shardings after the annotations */
	time_list *woken;       /* [n_nodes]: turns of other nodes in which it was visited */
	turn now;               /* the current turn */
	bool again;             /* it is repeated: what it reads comes from versions */
	turn_time time;
	uint64_t n_taken, n_visits;
	uint64_t *loaded;     /* [n_slots]: n_taken when w->at was loaded */
	uint32_t *changed_no; /* [n_slots]: its number in `changed`, from 1; 0: as before */
	VEC(struct changed_slot {
		uint32_t slot;
		view_no begin;
		version_list before; /* in scratch memory */
	})
	changed;
	time_list due; /* turns to repeat, a heap */
} journal;

/* For a walk in Shardy's order without groups and user priorities. */
void journal_init(journal *j, walk *w, const pass_options *o);
/* Records a whole run that starts from j->begin. */
void journal_run(journal *j);
/* Sets j->begin of the slot to `v`; journal_update() must follow. */
void journal_change(journal *j, uint32_t slot, view_no v);
/* Repeats the turns that the changes concern. Until the next change, j->changed has the slots whose
 * sharding may differ from before. @return false if more than `limit` visits would be needed: then
 * only journal_run() helps. */
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

/* ---- what the walk records ------------------------------------------------------------------ */

static inline void journal_look(journal *j, uint32_t node)
{
	vec_push(j->mem, &j->now.looked, node);
}

static inline void journal_write(journal *j, uint32_t slot)
{
	vec_push(j->mem, &j->now.written, slot);
	j->loaded[slot] = j->n_taken;
}

/* To be called before w->at[slot] is read. */
static inline void journal_load(journal *j, uint32_t slot)
{
	if (!j->again || j->loaded[slot] == j->n_taken)
		return;
	j->loaded[slot] = j->n_taken;
	j->w->at[slot] = version_at(&j->versions[slot], j->begin[slot], j->time - 1);
}

#endif
