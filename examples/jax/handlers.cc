// Handlers for jax.ffi: Cholesky factors of a stack, and eigenvalues with vectors, inside jax.jit. The matrices are overwritten: call them with
// input_output_aliases. By rows, as XLA stores them, L is what the library sees as U, and vectors are rows. solve.py builds and calls them.
//
//     c++ -std=c++17 -O2 -shared -fPIC -I$(python3 -c 'import jax; print(jax.ffi.include_dir())') handlers.cc -ltesela -o handlers.so
#include <string>
#include <vector>

#include "tesela.h"
#include "xla/ffi/api/ffi.h"

namespace ffi = xla::ffi;

static tsl_context *context(const char *devices)
{
    tsl_config config = {};
    config.size = sizeof config, config.devices = devices;
    tsl_context *x = nullptr;
    return tsl_context_create(&config, &x) ? nullptr : x;
}

static ffi::Error outcome(tsl_context *x, tsl_status st, int64_t info, const char *what)
{
    if (st) return ffi::Error::Internal(tsl_error(x));
    return info ? ffi::Error::InvalidArgument(std::string(what) + ": info is " + std::to_string(info)) : ffi::Error::Success();
}

// What the library does on a stream has its place there: after what XLA has put there, and before what it puts there next.
template <class Work> static ffi::Error in_order(tsl_context *x, void *stream, const char *what, Work work)
{
    if (!x) return ffi::Error::Internal("no context of these devices");
    int64_t info = 0;
    tsl_status st = stream ? tsl_follow(x, stream) : TSL_OK;
    if (!st) st = work(&info);
    if (!st && stream) st = tsl_precede(x, stream);
    return outcome(x, st, info, what);
}

static ffi::Error cholesky(tsl_context *x, void *stream, ffi::Result<ffi::Buffer<ffi::F64>> L)
{
    int64_t n = L->dimensions().back(), count = n ? int64_t(L->element_count()) / (n * n) : 0;
    return in_order(x, stream, "cholesky", [&](int64_t *info) {
        std::vector<int64_t> infos(size_t(count) + 1);
        tsl_status st = tsl_dpotrf_batch(x, 'U', n, L->typed_data(), n ? n : 1, n * n, count, infos.data());
        for (int64_t one : infos) *info = *info ? *info : one;
        return st;
    });
}

static ffi::Error eigh(tsl_context *x, void *stream, ffi::Result<ffi::Buffer<ffi::F64>> V, ffi::Result<ffi::Buffer<ffi::F64>> w)
{
    int64_t n = V->dimensions().back();
    return in_order(x, stream, "eigh", [&](int64_t *info) { return tsl_dsyevd(x, 'V', 'U', n, V->typed_data(), n ? n : 1, w->typed_data(), info); });
}

// On the host, and on the GPU that is the first.
static tsl_context *host() { static tsl_context *x = context("host"); return x; }
static tsl_context *cuda() { static tsl_context *x = context("cuda:0"); return x; }
using Matrix = ffi::Buffer<ffi::F64>;

XLA_FFI_DEFINE_HANDLER_SYMBOL(tesela_cholesky_host, ([](Matrix, ffi::Result<Matrix> L) { return cholesky(host(), nullptr, L); }),
                              ffi::Ffi::Bind().Arg<Matrix>().Ret<Matrix>());
XLA_FFI_DEFINE_HANDLER_SYMBOL(tesela_cholesky_cuda, ([](void *s, Matrix, ffi::Result<Matrix> L) { return cholesky(cuda(), s, L); }),
                              ffi::Ffi::Bind().Ctx<ffi::PlatformStream<void *>>().Arg<Matrix>().Ret<Matrix>());
XLA_FFI_DEFINE_HANDLER_SYMBOL(tesela_eigh_host, ([](Matrix, ffi::Result<Matrix> V, ffi::Result<Matrix> w) { return eigh(host(), nullptr, V, w); }),
                              ffi::Ffi::Bind().Arg<Matrix>().Ret<Matrix>().Ret<Matrix>());
XLA_FFI_DEFINE_HANDLER_SYMBOL(tesela_eigh_cuda, ([](void *s, Matrix, ffi::Result<Matrix> V, ffi::Result<Matrix> w) { return eigh(cuda(), s, V, w); }),
                              ffi::Ffi::Bind().Ctx<ffi::PlatformStream<void *>>().Arg<Matrix>().Ret<Matrix>().Ret<Matrix>());
