/* Vectors of a merge of divide and conquer, whose roots are found elsewhere (kernel/host/eig/merge.inc). In double precision,
 * whatever they are stored in. */
#include "core/values.h"
#include "kernel/cuda/launch.cuh"
#include "kernel/cuda/leaf.h"
#include "kernel/cuda/scalar.cuh"

namespace tsl {
namespace {

constexpr int WARP = 32, THREADS = 256, AT_ONCE = 4;
constexpr int64_t MOST = 1 << 16; /* CTAs */

template <class R> struct merged {
    R *S;
    int64_t lds, rows, columns, first; /* the first row */
    const double *pole, *weight, *origin, *mu;
    int64_t k;
};

/* The same in all threads of the CTA */
__device__ double sum_of_cta(double a, double *parts)
{
    for (int bit = WARP / 2; bit >= 1; bit /= 2) a += __shfl_xor_sync(~0u, a, bit);
    __syncthreads(); /* the sum before it has been read */
    if (threadIdx.x % WARP == 0) parts[threadIdx.x / WARP] = a;
    __syncthreads();
    a = parts[0];
    for (int w = 1; w < THREADS / WARP; w++) a += parts[w];
    return a;
}

/* A CTA has some columns: first their squares, then what is wanted of them. */
template <class R> __global__ __launch_bounds__(THREADS) void merge_vectors(const __grid_constant__ merged<R> p)
{
    __shared__ double parts[THREADS / WARP];
    for (int64_t j = (int64_t)blockIdx.x * AT_ONCE; j < p.columns; j += (int64_t)gridDim.x * AT_ONCE) {
        double base[AT_ONCE], mu[AT_ONCE], by[AT_ONCE] = {};
#pragma unroll
        for (int c = 0; c < AT_ONCE; c++) {
            const int64_t at = j + c < p.columns ? j + c : j;
            base[c] = p.origin[at], mu[c] = p.mu[at];
        }
        for (int64_t i = threadIdx.x; i < p.k; i += THREADS) {
            const double d = p.pole[i], z = p.weight[i];
#pragma unroll
            for (int c = 0; c < AT_ONCE; c++) {
                const double t = z / ((d - base[c]) - mu[c]);
                by[c] = fma(t, t, by[c]);
            }
        }
#pragma unroll
        for (int c = 0; c < AT_ONCE; c++) by[c] = 1 / sqrt(sum_of_cta(by[c], parts));
        for (int64_t i = threadIdx.x; i < p.rows; i += THREADS) {
            const double d = p.pole[p.first + i], z = p.weight[p.first + i];
#pragma unroll
            for (int c = 0; c < AT_ONCE; c++)
                if (j + c < p.columns) p.S[i + (j + c) * p.lds] = (R)(z / ((d - base[c]) - mu[c]) * by[c]);
        }
    }
}

template <class R> tsl_status launch_merge_vectors(tsl_queue *q, const tsl_leaf *l)
{
    const double *const P = (const double *)l->B.p, *const L = (const double *)l->C.p;
    const merged<R> p = {(R *)l->A.p, l->A.ld, l->m, l->n, l->k, P, P + l->B.ld, L, L + l->C.ld, l->B.m};
    const int64_t ctas = tsl_min(MOST, tsl_pieces(l->n, AT_ONCE));
    const cudaError_t e = launch(merge_vectors<R>, {ctas, THREADS, 0, 1, false, false}, tsl_cuda(q)->stream, p);
    return tsl_cuda_check(e, "merge_vectors");
}

} // namespace
} // namespace tsl

static tsl_status merge_vectors(tsl_queue *q, const tsl_leaf *l)
{
    return l->type == TSL_D ? tsl::launch_merge_vectors<double>(q, l) : tsl::launch_merge_vectors<float>(q, l);
}

extern "C" const tsl_kernel_entry tsl_cuda_merge_vectors_entry = {{merge_vectors, merge_vectors, NULL, NULL}, 0, 0, NULL, NULL,
                                                                  NULL};
