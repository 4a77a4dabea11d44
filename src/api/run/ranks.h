/* ranks.h - the inside of a tess_ranks. */
#ifndef TESS_API_RUN_RANKS_H
#define TESS_API_RUN_RANKS_H

#include "exec/exec.h"
#include <tessera/run.h>

transport *ranks_transport(const tess_ranks *r); /* NULL for NULL */

#endif
