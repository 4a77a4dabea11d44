/* passes.h - the functions that passes.def names. */
#ifndef TESS_PASSES_H
#define TESS_PASSES_H

#include "partition/partition.h"
#include "pipeline/pipeline.h"
#include "propagate/propagate.h"

pipeline_fn pipeline_import, pipeline_propagation, pipeline_export, pipeline_propagate,
	pipeline_shard;

#endif
