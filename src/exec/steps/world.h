/* world.h - programs that run at the same time and exchange messages. */
#ifndef TESS_EXEC_STEPS_WORLD_H
#define TESS_EXEC_STEPS_WORLD_H

#include "exec/steps/host.h"

/* One message of a channel: its values in the order in which they were sent. */
typedef struct message {
	struct message *next;
	size_t bytes;
	char data[];
} message;

typedef struct channel {
	int64_t id;
	message *first, *last;
} channel;

/* The programs of one interpreter.run_parallel. */
typedef struct world {
	exec_plan *owner;
	int n_plans; /* one for each distinct function */
	exec_plan **plans;
	const op **functions;
	uint8_t **members; /* [plan][device] */
	const int *plan_of; /* by device */
	VEC(channel) channels;
	int n_infeed, next_infeed;
	exec_plan **infeed; /* functions whose results feed the infeed */
} world;

#endif
