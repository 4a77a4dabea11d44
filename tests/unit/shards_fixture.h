/* shards_fixture.h - cuts global values into the shards of a program's inputs, and compares the
 * shards of outputs. */
#ifndef TESS_TEST_SHARDS_FIXTURE_H
#define TESS_TEST_SHARDS_FIXTURE_H

#include <stdlib.h>
#include <string.h>
#include <tessera/shards.h>

/* Computes the box of a device's shard in the global value. */
static inline bool shard_box(const tess_tensor *whole, const tess_sharding *s, const tess_mesh *mesh,
                             int64_t device, int64_t *begin, int64_t *end)
{
	for (int d = 0; d < whole->rank; d++) {
		begin[d] = 0;
		end[d] = whole->dims[d];
	}
	return !s || !mesh || device >= tess_mesh_device_count(mesh) ||
	       tess_sharding_box(s, mesh, whole->dims, whole->rank, device, begin, end) == TESS_OK;
}

/* Copies between the global value and a shard, element by element. */
static inline void shard_move(const tess_tensor *whole, const tess_tensor *shard, const int64_t *begin,
                              const int64_t *end, const char *from, char *to, bool cut)
{
	const size_t width = (size_t)tess_dtype_bytes(whole->dtype);
	for (size_t i = 0; i < shard->bytes / width; i++) {
		size_t rest = i, at = 0, stride = 1;
		bool inside = true;
		for (int d = whole->rank - 1; d >= 0; d--) {
			int64_t x = begin[d] + (int64_t)(rest % (size_t)shard->dims[d]);
			rest /= (size_t)shard->dims[d];
			inside &= x < end[d];
			at += (size_t)x * stride;
			stride *= (size_t)whole->dims[d];
		}
		if (inside)
			memcpy(to + (cut ? i : at) * width, from + (cut ? at : i) * width, width);
	}
}

/* Makes the shards of an input, one for each device. Devices with the same box share a buffer. */
static inline bool shards_cut(const tess_exec *e, size_t i, const tess_tensor *whole, tess_buffer **out)
{
	enum { MOST = 32 };
	int64_t begin[MOST], end[MOST], others[MOST], unused[MOST];
	const int64_t devices = tess_exec_devices(e);
	const tess_mesh *mesh;
	const tess_sharding *s = tess_exec_input_sharding(e, i, &mesh);
	tess_tensor shard;
	if (!tess_exec_input_shard(e, i, &shard) || whole->rank > MOST)
		return false;
	for (int64_t d = 0; d < devices; d++) {
		if (!shard_box(whole, s, mesh, d, begin, end))
			return false;
		out[d] = NULL;
		for (int64_t k = 0; k < d && !out[d]; k++) {
			shard_box(whole, s, mesh, k, others, unused);
			if (!memcmp(begin, others, sizeof *begin * (size_t)whole->rank))
				out[d] = tess_buffer_share(out[k]);
		}
		if (out[d])
			continue;
		out[d] = tess_buffer_new(shard.bytes);
		if (!out[d])
			return false;
		memset(tess_buffer_data(out[d]), 0, shard.bytes);
		shard_move(whole, &shard, begin, end, whole->data, tess_buffer_data(out[d]), true);
	}
	return true;
}

/* True if every device's shard of an output equals its part of the global value. */
static inline bool shards_agree(const tess_exec *e, size_t i, const tess_tensor *whole,
                                tess_buffer *const *out, tess_tolerance tolerance)
{
	int64_t begin[32], end[32];
	const tess_mesh *mesh;
	const tess_sharding *s = tess_exec_output_sharding(e, i, &mesh);
	tess_tensor shard, got = *whole;
	tess_difference diff;
	char *pasted = malloc(whole->bytes + 1);
	bool good = pasted && whole->rank <= 32 && tess_exec_output_shard(e, i, &shard);
	if (good)
		memcpy(pasted, whole->data, whole->bytes);
	got.data = pasted;
	for (int64_t d = 0; good && d < tess_exec_devices(e); d++) {
		good = tess_buffer_bytes(out[d]) == shard.bytes &&
		       shard_box(whole, s, mesh, d, begin, end);
		if (!good)
			break;
		shard_move(whole, &shard, begin, end, tess_buffer_data(out[d]), pasted, false);
		good = tess_tensor_compare(&got, whole, tolerance, &diff);
	}
	free(pasted);
	return good;
}

#endif
