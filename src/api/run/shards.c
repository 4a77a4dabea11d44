/* shards.c - runs programs on what each device holds. */
#include <tessera/shards.h>

#include "api/frame.h"
#include "run/run.h"

/* ---- buffers ---------------------------------------------------------------------------- */

tess_buffer *tess_buffer_new(size_t bytes) { return buffer_new(bytes); }

tess_buffer *tess_buffer_wrap(const void *data, size_t bytes, void (*release)(void *user),
                              void *user)
{
	return buffer_wrap(data, bytes, release, user);
}

tess_buffer *tess_buffer_share(tess_buffer *b)
{
	if (b)
		buffer_retain(b, 1);
	return b;
}

void tess_buffer_free(tess_buffer *b) { buffer_release(b, 1); }
void *tess_buffer_data(const tess_buffer *b) { return b ? buffer_data(b) : NULL; }
size_t tess_buffer_bytes(const tess_buffer *b) { return b ? buffer_bytes(b) : 0; }

/* ---- programs --------------------------------------------------------------------------- */

bool tess_exec_input_shard(const tess_exec *e, size_t i, tess_tensor *out)
{
	if (!e || !out || !session_has_shards(e) || i >= tess_exec_input_count(e))
		return false;
	*out = tensor_of_type(session_input_shard(e, (int)i), NULL);
	return true;
}

bool tess_exec_output_shard(const tess_exec *e, size_t i, tess_tensor *out)
{
	if (!e || !out || !session_has_shards(e) || i >= tess_exec_output_count(e))
		return false;
	*out = tensor_of_type(session_output_shard(e, (int)i), NULL);
	return true;
}

static const tess_sharding *sharding_of_value(const global_value *v, const tess_mesh **mesh)
{
	if (mesh)
		*mesh = v ? v->mesh : NULL;
	return v ? v->sharding : NULL;
}

const tess_sharding *tess_exec_input_sharding(const tess_exec *e, size_t i, const tess_mesh **mesh)
{
	const bool there = i < tess_exec_input_count(e);
	return sharding_of_value(there ? session_input_value(e, (int)i) : NULL, mesh);
}

const tess_sharding *tess_exec_output_sharding(const tess_exec *e, size_t i, const tess_mesh **mesh)
{
	const bool there = i < tess_exec_output_count(e);
	return sharding_of_value(there ? session_output_value(e, (int)i) : NULL, mesh);
}

bool tess_exec_talks(const tess_exec *e) { return e && session_has_shards(e) && shards_talk(e); }

void tess_exec_give_up(tess_exec *e, const char *why)
{
	if (tess_exec_talks(e))
		shards_give_up(e, why ? why : "it gave up");
}

static tess_status explain_shards(const shard_call *c, tess_ctx *errors)
{
	frame f;
	if (setjmp(*frame_start(&f, errors)) == 0) {
		shards_explain(c, errors);
		f.status = TESS_OK;
	}
	return frame_end(&f);
}

tess_status tess_exec_run_shards(tess_exec *e, tess_buffer *const *inputs, const bool *donated,
                                 tess_buffer **outputs, tess_ctx *errors)
{
	if (!e || !session_has_shards(e) || (!inputs && tess_exec_input_count(e)) ||
	    (!outputs && tess_exec_output_count(e)))
		return TESS_USAGE;
	shard_call c = {.s = e, .inputs = inputs, .donated = donated, .outputs = outputs};
	tess_status status = shards_run(&c);
	if (status == TESS_INVALID && errors)
		explain_shards(&c, errors);
	shards_end(&c);
	return status;
}
