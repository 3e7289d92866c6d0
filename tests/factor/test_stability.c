/* Inverses of ill-conditioned triangles by tiles: |L X - I| is small beside |L| |X|, element by element (of an upper triangle
 * |X U - I|), as an inverse that multiplies where it should solve cannot have it. The blocks on the diagonal have condition
 * numbers up to 1e7, and the others hide that: some are a multiple of the block to their right, some of the one below. */
#include <math.h>
#include <string.h>

#include "context/context.h"
#include "tiled.h"

enum { N = 256, B = 64 };

static uint64_t state;
static double next(void)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (double)(int64_t)(state >> 11) / (double)(1ll << 52) - 1;
}

static void ill_conditioned(uint64_t seed, double *L)
{
    state = seed * 77777 + 1;
    memset(L, 0, N * N * sizeof *L);
    for (int64_t j = 0; j < N; j++)
        for (int64_t i = j; i < j / B * B + B; i++) L[i + j * N] = i == j ? 1 : (seed + (uint64_t)(j / B)) % 3 ? -0.3 : 0.1 * next();
    for (int64_t a = B; a < N; a += B)
        for (int64_t b = 0; b < a; b += B) {
            static double G[B * B];
            int kind = (int)(3 * fabs(next())) % 3;
            for (int64_t i = 0; i < B * B; i++) G[i] = next();
            for (int64_t j = 0; j < B; j++)
                for (int64_t i = 0; i < B; i++) {
                    double v = kind == 2 ? 0.05 * G[i + j * B] : 0;
                    for (int64_t k = j; kind == 0 && k < B; k++) v += G[i + k * B] * L[b + k + (b + j) * N];
                    for (int64_t k = 0; kind == 1 && k <= i; k++) v += L[a + i + (a + k) * N] * G[k + j * B];
                    L[a + i + (b + j) * N] = v;
                }
        }
}

/* The largest of |L X - I| / (|L| |X|), in units of eps */
static double residual(const double *L, const double *X)
{
    double worst = 0;
    for (int64_t j = 0; j < N; j++)
        for (int64_t i = j; i < N; i++) {
            long double e = -(i == j), size = 0;
            for (int64_t k = j; k <= i; k++) {
                long double term = (long double)L[i + k * N] * X[k + j * N];
                e += term, size += fabsl(term);
            }
            worst = worse(worst, (double)(fabsl(e) / size));
        }
    return worst / tsl_type_eps(TSL_D);
}

static void turn(double *A)
{
    for (int64_t j = 0; j < N; j++)
        for (int64_t i = 0; i < j; i++) {
            double t = A[i + j * N];
            A[i + j * N] = A[j + i * N], A[j + i * N] = t;
        }
}

int main(void)
{
    static double L[N * N], X[N * N];
    tsl_context *x = make("host:2,mem=64M");
    check(!tsl_set(x, "tile", "64") && !tsl_set(x, "path", "tiles"), "tiles of 64");
    checked("a context");
    for (int upper = 0; upper < 2; upper++) {
        double worst = 0;
        for (uint64_t seed = 0; seed < 6; seed++) {
            int64_t info = -1;
            ill_conditioned(seed, L);
            memcpy(X, L, sizeof X);
            if (upper) turn(X);
            check(tsl_dtrtri(x, upper ? 'U' : 'L', 'N', N, X, N, &info) == TSL_OK && info == 0, "trtri %d", (int)seed);
            if (upper) turn(X);
            worst = worse(worst, residual(L, X));
        }
        check(worst < N, "off by %g eps", worst);
        checked("%s triangles, ill-conditioned: off by %.2g eps", upper ? "upper" : "lower", worst);
    }
    tsl_context_destroy(x);
    return tap_done();
}
