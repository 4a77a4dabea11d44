// handlers.cc - functions that on_tessera.py registers with jax.ffi: they read attributes of every kind,
// work in place, and keep a state between calls.
#include <cmath>
#include <cstdint>
#include <memory>
#include <string_view>

#include "xla/ffi/api/ffi.h"

namespace ffi = xla::ffi;

// Rows divided by the root of their mean square; what it was told, in `told`.
static ffi::Error rms(float eps, std::string_view mode, ffi::Span<const int64_t> axes,
                      ffi::Dictionary more, ffi::Buffer<ffi::F32> x, ffi::ResultBuffer<ffi::F32> y,
                      ffi::ResultBuffer<ffi::S32> told)
{
	if (eps < 0)
		return ffi::Error::InvalidArgument("eps must not be negative");
	const int64_t n = x.dimensions().back(), rows = (int64_t)x.element_count() / n;
	for (int64_t i = 0; i < rows; i++) {
		const float *from = x.typed_data() + i * n;
		float sum = 0;
		for (int64_t k = 0; k < n; k++)
			sum += from[k] * from[k];
		const float by = 1 / std::sqrt(sum / (float)n + eps);
		for (int64_t k = 0; k < n; k++)
			y->typed_data()[i * n + k] = from[k] * by;
	}
	told->typed_data()[0] = (int32_t)mode.size();
	told->typed_data()[1] = (int32_t)axes[1];
	told->typed_data()[2] = (int32_t)*more.get<int64_t>("seed");
	return ffi::Error::Success();
}
XLA_FFI_DEFINE_HANDLER_SYMBOL(Rms, rms,
                              ffi::Ffi::Bind()
                                  .Attr<float>("eps")
                                  .Attr<std::string_view>("mode")
                                  .Attr<ffi::Span<const int64_t>>("axes")
                                  .Attr<ffi::Dictionary>("more")
                                  .Arg<ffi::Buffer<ffi::F32>>()
                                  .Ret<ffi::Buffer<ffi::F32>>()
                                  .Ret<ffi::Buffer<ffi::S32>>());

static ffi::Error add_one(ffi::Buffer<ffi::F32> x, ffi::ResultBuffer<ffi::F32> y)
{
	if (x.typed_data() != y->typed_data())
		return ffi::Error::Internal("operand and result are not one memory");
	for (size_t i = 0; i < x.element_count(); i++)
		y->typed_data()[i] += 1;
	return ffi::Error::Success();
}
XLA_FFI_DEFINE_HANDLER_SYMBOL(
    AddOne, add_one, ffi::Ffi::Bind().Arg<ffi::Buffer<ffi::F32>>().Ret<ffi::Buffer<ffi::F32>>());

struct Counter {
	static ffi::TypeId id;
	int n = 0;
};
ffi::TypeId Counter::id = {};

extern "C" void *CounterId() { return &Counter::id; }
extern "C" void *CounterInfo()
{
	static auto info = ffi::MakeTypeInfo<Counter>();
	return &info;
}

static ffi::ErrorOr<std::unique_ptr<Counter>> begin() { return std::make_unique<Counter>(); }
static ffi::Error count(Counter *c, ffi::ResultBuffer<ffi::S32> y)
{
	y->typed_data()[0] = ++c->n;
	return ffi::Error::Success();
}
XLA_FFI_DEFINE_HANDLER_SYMBOL(Begin, begin, ffi::Ffi::BindInstantiate());
XLA_FFI_DEFINE_HANDLER_SYMBOL(Count, count,
                              ffi::Ffi::Bind()
                                  .Ctx<ffi::State<Counter>>()
                                  .Ret<ffi::Buffer<ffi::S32>>());
