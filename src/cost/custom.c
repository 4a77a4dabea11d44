/* custom.c - what a custom call costs, as far as it says so or its library is known.
 *
 * Kernels written in Pallas carry an estimate in the JSON of their backend_config, by which XLA schedules:
 *
 *     {"custom_call_config": {"cost_estimate": {"flops": 1024, "transcendentals": 0,
 *                                               "bytes_accessed": 512}, ...}}
 *
 * NVIDIA's libraries are called in optimised HLO for GPUs, for products (cuBLAS), convolutions and attention
 * (cuDNN); attention of cuDNN is in programs of JAX already (jax.nn.dot_product_attention).  Shapes and the
 * backend_config say what is computed:
 *
 *     __cublas$gemm        lhs, rhs[, c] -> out     "lhs_contracting_dimensions": ["1"]
 *     __cudnn$convForward  x, kernel -> y           the kernel's first dimension are y's features
 *     __cudnn$fmhaSoftmax  q, k, v, ... -> out      "intermediate_tensor_shape": batch, heads, queries, keys
 *
 * Of other custom calls only operands and results are known. */
#include "cost/memory.h"

/* ---- backend_config ----------------------------------------------------------------------- */

/* Returns the position behind the first `what` from `from` on; 0: there is none. */
static size_t config_behind(tess_str text, size_t from, const char *what)
{
	size_t n = strlen(what);
	const char *at = text.len ? memmem(text.ptr + from, text.len - from, what, n) : NULL;
	return at ? (size_t)(at - text.ptr) + n : 0;
}

static bool is_digit_at(tess_str text, size_t i)
{
	return i < text.len && text.ptr[i] >= '0' && text.ptr[i] <= '9';
}

/* Reads the number or the list of numbers that follows, quoted or not. @return how many, at most
 * `most` */
static int numbers_at(tess_str text, size_t at, double *out, int most)
{
	static const double largest = 1e17;
	int n = 0;
	bool list = false;
	for (size_t i = at; at && i < text.len && n < most; i++) {
		if (is_digit_at(text, i)) {
			out[n] = 0;
			for (; is_digit_at(text, i); i++)
				out[n] = out[n] < largest ? 10 * out[n] + (text.ptr[i] - '0') : out[n];
			n++;
			i--;
			if (!list)
				break;
		} else if (text.ptr[i] == '[') {
			list = true;
		} else if (!memchr(":, \"\n", text.ptr[i], 5)) {
			break;
		}
	}
	return n;
}

static int config_numbers(tess_str text, size_t from, const char *key, double *out, int most)
{
	return numbers_at(text, config_behind(text, from, key), out, most);
}

/* ---- kernels that say what they cost ------------------------------------------------------- */

static bool said_work(tess_str config, work *out)
{
	size_t at = config_behind(config, 0, "\"cost_estimate\""), end = at;
	while (end < config.len && config.ptr[end] != '}')
		end++;
	tess_str said = {config.ptr, end};
	return at && config_numbers(said, at, "\"flops\"", &out->flops, 1) &&
	       config_numbers(said, at, "\"bytes_accessed\"", &out->bytes, 1);
}

/* ---- calls of NVIDIA's libraries ------------------------------------------------------------ */

static double size_of_value(const value *v) { return elements_of(v->type); }

/* A last result of bytes is the library's work space, which nobody reads. */
static bool is_work_space(const op *o, int i)
{
	const type *t = o->results[i].type;
	return i > 0 && i == o->n_results - 1 && t->rank == 1 && dtype_bits(t->dtype) == 8;
}

static double called_traffic(const op *o)
{
	double bytes = 0;
	for (int i = 0; i < o->n_operands; i++)
		bytes += (double)value_bytes(operand(o, i));
	for (int i = 0; i < o->n_results; i++)
		bytes += is_work_space(o, i) ? 0 : (double)value_bytes(&o->results[i]);
	return bytes;
}

/* Returns the size of the first operand's dimensions that a product sums over; 0 if the call does
 * not say. */
static double summed_size(const op *o, tess_str config)
{
	enum { MOST = 8 };
	double dims[MOST], size = 1;
	const type *lhs = operand(o, 0)->type;
	int n = config_numbers(config, 0, "\"lhs_contracting_dimensions\"", dims, MOST);
	for (int i = 0; i < n; i++)
		size *= dims[i] < lhs->rank ? (double)lhs->dims[(int)dims[i]] : 0;
	return n ? size : 0;
}

/* Each element of y is the sum over the kernel's elements for its feature. */
static double called_convolution(const value *y, const value *kernel)
{
	const type *t = kernel->type;
	return t->rank && t->dims[0] > 0 ? 2 * size_of_value(y) * size_of_value(kernel) / (double)t->dims[0] : 0;
}

/* Returns how many of the keys a query reads. */
static double keys_seen(tess_str config, double keys)
{
	double window = 0, seen = config_behind(config, 0, "CAUSAL\"") ? (keys + 1) / 2 : keys;
	config_numbers(config, 0, "\"sliding_window_length\"", &window, 1);
	return window > 0 && window < seen ? window : seen;
}

/* Forward, two products of each query with the keys and values that it reads. Backward, five: the
 * scores again, and the gradients of scores, queries, keys and values. */
static double attention_flops(const op *o, tess_str config, bool backward)
{
	double scores[4], keys = size_of_value(operand(o, 1));
	const type *q = operand(o, 0)->type;
	size_t at = config_behind(config, 0, "\"intermediate_tensor_shape\"");
	if (!at || config_numbers(config, at, "\"dimensions\"", scores, 4) != 4 || !q->rank || !keys)
		return 0;
	double width = (double)q->dims[q->rank - 1];
	double pairs = size_of_value(operand(o, 0)) / (width > 0 ? width : 1) * keys_seen(config, scores[3]);
	double of_values = width * size_of_value(operand(o, 2)) / keys;
	return 2 * pairs * (backward ? 3 * width + 2 * of_values : width + of_values);
}

/* Returns 0 if it is none of these, or if its configuration is missing. */
static double library_flops(const op *o, tess_str config)
{
	tess_str called = str_of(op_call_target(o));
	int n = o->n_operands;
	if (n < 2 || !o->n_results)
		return 0;
	if (str_starts(called, "__cublas$"))
		return 2 * size_of_value(&o->results[0]) * summed_size(o, config);
	if (str_starts(called, "__cudnn$convBackwardInput"))
		return called_convolution(operand(o, 0), operand(o, 1));
	if (str_starts(called, "__cudnn$convBackwardFilter"))
		return called_convolution(operand(o, 1), &o->results[0]);
	if (str_starts(called, "__cudnn$conv"))
		return called_convolution(&o->results[0], operand(o, 1));
	if (str_starts(called, "__cudnn$fmha") && n > 2)
		return attention_flops(o, config, config_behind(called, 0, "Backward") > 0);
	return 0;
}

/* ---- both ---------------------------------------------------------------------------------------- */

bool custom_call_estimate(const op *o, kernel_estimate *out)
{
	static const double kernel_share = 0.7; /* our estimate */
	const attr *config = o->kind == OP_CUSTOM_CALL ? op_attr(o, N_backend_config) : NULL;
	if (!config || config->kind != AT_STRING)
		return false;
	tess_str text = name_str(config->text);
	*out = (kernel_estimate){.share = kernel_share};
	if (said_work(text, &out->w))
		return true;
	out->w = (work){.flops = library_flops(o, text), .bytes = called_traffic(o)};
	out->exact = config_behind(text, 0, "\"HIGHEST\"") > 0;
	if (!config_behind(str_of(op_call_target(o)), 0, "fmha"))
		out->share = 1;
	return out->w.flops > 0;
}
