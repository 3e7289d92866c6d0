// From C++: A X = B in LAPACK's shape, with a context of its own that ends with its scope.
#include <cmath>
#include <cstdio>
#include <memory>
#include <random>
#include <vector>

#include <tesela.h>

int main()
{
    tsl_context *made = nullptr;
    if (tsl_context_create(nullptr, &made) != TSL_OK) {
        std::fprintf(stderr, "%s\n", tsl_error(nullptr));
        return 1;
    }
    std::unique_ptr<tsl_context, void (*)(tsl_context *)> ctx(made, tsl_context_destroy);

    const int64_t n = 200;
    std::vector<double> A(n * n), x(n);
    std::vector<int64_t> pivots(n);
    std::mt19937 random(1);
    std::uniform_real_distribution<double> uniform(-1, 1);
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < n; i++) {
            A[i + j * n] = uniform(random);
            x[i] += A[i + j * n]; // B = A e, so X = e
        }
    int64_t info = 0;
    if (tsl_dgesv(ctx.get(), n, 1, A.data(), n, pivots.data(), x.data(), n, &info) != TSL_OK || info) {
        std::fprintf(stderr, "dgesv: %s, info %lld\n", tsl_error(ctx.get()), static_cast<long long>(info));
        return 1;
    }
    double off = 0;
    for (double v : x)
        off = std::fmax(off, std::fabs(v - 1));
    std::printf("largest error %.1e\n", off);
    return off < 1e-8 ? 0 : 1;
}
