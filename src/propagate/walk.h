/* walk.h - the state of one propagation (inside propagate). */
#ifndef TESS_PROPAGATE_WALK_H
#define TESS_PROPAGATE_WALK_H

#include "propagate/debug.h"
#include "propagate/graph.h"
#include "propagate/projection.h"

enum strategy_no { RUN_BASIC, RUN_AGGRESSIVE };
enum { N_ROUNDS = 5 }; /* of op priorities */

/* Marks of visits that changed nothing, in node.seen; others are directions (walk.c). */
enum {
	SEEN_NEVER = 0xff,   /* must be visited */
	SEEN_SETTLED = 0xfe, /* nothing passes, whatever the directions */
};
/* True if a visit would change nothing, whatever the directions. */
static inline bool node_is_settled(const node *n, enum strategy_no strategy)
{
	return n->class == NODE_INERT || n->seen[strategy] == SEEN_SETTLED;
}

/* What a visit does to the tensors of a node. */
typedef struct outcome {
	bool settled;       /* nothing passes, whatever the directions */
	const view_no *now; /* their new shardings, 0: as before; NULL: nothing changes */
} outcome;
typedef struct known_outcome known_outcome;

/* Shardings, and what is known of visits (visits.c). */
typedef struct visit_memo {
	book book;
	cons_tab outcomes;
} visit_memo;

/* See propagate.h. Nothing in it belongs to a module. */
struct propagation_memo {
	arena *mem;
	ptr_map pointwise; /* type -> the rules of pointwise ops of that shape (rules.c) */
	rule_memo rules;   /* of other ops */
	struct known_visits *known; /* for each list of meshes (memo.c) */
};
/* Prepares the memo for a module, with these flags of op_rule(). */
visit_memo *propagation_memo_open(propagation_memo *k, module *m, unsigned flags);
/* Returns a number that other lists of meshes of the memo do not have; `b`: the book of the list. */
uint64_t propagation_memo_number(const propagation_memo *k, const book *b);

typedef struct walk {
	module *m;
	arena *mem;
	graph g;
	propagation_memo *memo; /* its own, or one that propagations share */
	book *b;                /* memo's, as */
	cons_tab *outcomes;     /* this (visits.c) */
	projection p;
	known_outcome *passing;
	int room_passing;
	view_no *at;    /* [n_slots]: the current sharding */
	view_no *begin; /* [n_slots]: the sharding at the start; NULL: not needed */
	view_no *views; /* of the tensors of the current node */
	int room_views;
	bool conservative, more_rules, canonical;
	int round; /* of op priorities, 0 to 4; -1: no rounds, all directions */
	int64_t priority; /* the current user priority */
	enum strategy_no strategy;
	/* The worklist: ops from `cursor` on wait for their first visit in this run, others are on
	 * the stack. */
	uint32_t cursor;
	VEC(uint32_t) stack;
	bool sweep; /* unused ops are erased when they are visited */
	bool keeps_begin;
	trail *why;
	debug_log *debug;
	struct journal *log; /* the journal of a kept propagation */
} walk;

/* The flags of op_rule(). */
static inline unsigned rule_flags(bool conservative, bool more)
{
	return (conservative ? RULE_CONSERVATIVE : 0) | (more ? RULE_BEYOND_SHARDY : 0);
}

/* `mem` must outlive the walk, and the trail if there is one.
 * false: an error is in the context. */
bool walk_start(walk *w, module *m, const pass_options *o, arena *mem);
/* The same, but sharding groups are not synchronized. */
bool walk_open(walk *w, module *m, const pass_options *o, arena *mem);
/* Starts another one with a graph of which no op is unused, whose nodes keep what is known of them,
 * and with o->memo. */
void walk_again(walk *w, const graph *g, const pass_options *o, arena *mem);
/* Visits a node, and then all nodes that its changes wake. */
void walk_turn(walk *w, uint32_t n);
/* True if a walk would erase some op. */
bool graph_has_unused(const graph *g);
/* Erases all unused ops. */
void walk_sweep(walk *w);
/* Makes every node new, so that it will be visited again. */
void walk_forget(walk *w);
/* Writes the shardings back into the program. */
void walk_finish(walk *w);
/* Gives a slot another sharding from outside. */
void walk_set(walk *w, uint32_t slot, view_no v);

/* Reads the shardings of a node's tensors. @return REFUSED_NOT, or why nothing can pass whatever
 * the factors are; REFUSED_RULE also if no tensor has an axis. */
refusal walk_read(walk *w, const node *n);
/* False, and makes the node inert, if it has no rule. */
bool walk_find_rule(walk *w, node *n);
/* Fills w->p from what walk_read() has read, by the node's rule. Returns false if no factor differs
 * between tensors. */
bool walk_project(walk *w, const node *n, uint8_t directions);
/* Lets the strategy spread the cells of w->p. Returns true if anything passed. */
bool walk_spread(walk *w);
/* The directions of pass-through factors and of others, two bits each. */
uint8_t walk_directions(const walk *w, const node *n);

/* True if the node passes no sub-axes. */
static inline bool node_is_conservative(const walk *w, const node *n)
{
	return w->conservative && n->class != NODE_FIXED && n->class != NODE_RESULT &&
	       !op_has(n->op, EDGE);
}

/* ---- visits.c -------------------------------------------------------------------------------- */

/* Returns what a visit does, going by what walk_read() has read and the node's rule. Valid until the
 * next call. While there is a trail or a debug log, w->p has the cells. */
const outcome *walk_outcome(walk *w, const node *n, uint8_t directions);

/* ---- canonical.c, and what it needs from walk.c --------------------------------------------- */

void walk_run_canonical(walk *w);
/* Lets a node spread what its tensors have, in w->p only. Returns false if nothing passes, or if
 * nothing has changed since its last visit. */
bool walk_look(walk *w, uint32_t n);
/* The sharding that tensor t would get; 0: none beyond what it has. */
view_no walk_offer(walk *w, uint32_t n, int t);
/* Records why the slot gets that sharding from the node; call it before the change. */
void walk_record(walk *w, uint32_t n, uint32_t slot, view_no v);

/* ---- passes.c ------------------------------------------------------------------------ */

/* Propagates in all rounds. */
void walk_run_user_priorities(walk *w, const pass_options *o);
/* Removes or adds sharding rules as attributes, as the options say. */
void walk_leave_rules(const walk *w, const pass_options *o);

/* ---- rules.c ------------------------------------------------------------------------- */

/* Fills in n->rule.  false: the node has none. */
bool node_find_rule(walk *w, node *n);
bool node_is_edge(const node *n);

/* ---- recording a trail (trail.c) ------------------------------------------------------------ */

arena *trail_memory(trail *t);
walk *trail_walk(trail *t);
/* The slot of the value that has the sharding of `v`; SLOT_NONE: none. */
uint32_t trail_slot(const trail *t, const value *v);
void trail_begin(trail *t, walk *w);
/* Records that tensor t of node n has been given the cells of w->p. */
void trail_add_tensor(walk *w, uint32_t n, int tensor, view_no now);
void trail_add_group(walk *w, uint32_t from_slot, uint32_t to_slot, view_no now);
void trail_add_start(walk *w, uint32_t slot, view_no now);

/* ---- groups.c ------------------------------------------------------------------------ */

/* Gives all members of each sharding group the sharding that one of them has. If they have
 * different ones, each member gets an open constraint. @return true if the program still has the
 * same ops. */
bool groups_sync(module *m, op *const *groups, int n);

#endif
