/* passes.h - declares the functions that passes.def names. */
#ifndef TESS_SHARDY_PASSES_H
#define TESS_SHARDY_PASSES_H

#include "partition/partition.h"
#include "shardy/export/export.h"
#include "shardy/shardy.h"
#include "propagate/propagate.h"

pipeline_fn pipeline_import, pipeline_propagation, pipeline_export, pipeline_propagate,
	pipeline_shard;

#endif
