// tesela.h in C++: included first, on its own, with std::complex for the complex types.
#include <tesela.h>

#include <complex>
#include <type_traits>

static_assert(std::is_same<tsl_scalar, std::complex<double>>::value, "scalars are std::complex<double>");
static_assert(std::is_same<tsl_cfloat, std::complex<float>>::value, "single complex is std::complex<float>");

tsl_status consumer_gemm(tsl_context *ctx, tsl_view A, tsl_view B, tsl_view C);
tsl_status consumer_gemm(tsl_context *ctx, tsl_view A, tsl_view B, tsl_view C)
{
    return tsl_gemm(ctx, 1.0, A, tsl_herm(B), std::complex<double>(0, 1), C);
}
