/* Norms of a matrix's columns, or of its rows: the largest size, or the sum of sizes, of each, together with what is there
 * already. Bound by memory: threads of a warp read along columns of what is stored, but for mirror images in a triangle. Every
 * number is folded in a fixed order. */
#include "kernel/cuda/fold.cuh"
#include "kernel/cuda/leaf.h"

namespace tsl {
namespace {

struct most {
    using State = double;
    static __device__ void fold(State &s, const State &t) { s = tsl_larger(s, t); }
};

struct sum {
    using State = double;
    static __device__ void fold(State &s, const State &t) { s += t; }
};

/* What is read: all of an m x n block or a triangle of it, which is `mirrored` if it stands for a square matrix. */
template <class T> struct block {
    const T *A;
    int64_t lda, m, n;
    tsl_uplo uplo;
    bool unit, real_diagonal, mirrored;
};

/* The size of element (i,j) of what the block stands for */
template <class T> __device__ double entry(const block<T> &g, int64_t i, int64_t j)
{
    if (g.uplo != TSL_GENERAL && i != j && (i > j) != (g.uplo == TSL_LOWER)) {
        if (!g.mirrored) return 0;
        const int64_t k = i;
        i = j;
        j = k;
    }
    if (g.uplo != TSL_GENERAL && g.unit && i == j) return 1;
    const T a = g.A[i + j * g.lda];
    return g.real_diagonal && i == j ? fabs((double)re(a)) : size_of(a);
}

/* A CTA for each column */
template <class K, class T> __global__ __launch_bounds__(THREADS) void fold_columns(block<T> g, double *out)
{
    for (int64_t j = blockIdx.x; j < g.n; j += gridDim.x) {
        double s = 0;
        for (int64_t i = threadIdx.x; i < g.m; i += THREADS) K::fold(s, entry(g, i, j));
        fold_cta<K>(s);
        if (threadIdx.x == 0) K::fold(out[j], s);
        __syncthreads(); /* the CTA's states have been read */
    }
}

/* A CTA for 32 rows, each of which 8 threads read */
template <class K, class T> __global__ __launch_bounds__(THREADS) void fold_rows(block<T> g, double *out)
{
    __shared__ double part[WARPS][WARP];
    const int lane = threadIdx.x % WARP, warp = threadIdx.x / WARP;
    for (int64_t i0 = (int64_t)blockIdx.x * WARP; i0 < g.m; i0 += (int64_t)gridDim.x * WARP) {
        const int64_t i = i0 + lane;
        double s = 0;
        for (int64_t j = warp; j < g.n && i < g.m; j += WARPS) K::fold(s, entry(g, i, j));
        part[warp][lane] = s;
        __syncthreads();
        if (warp == 0 && i < g.m) {
            for (int w = 1; w < WARPS; w++) K::fold(s, part[w][lane]);
            K::fold(out[i], s);
        }
        __syncthreads();
    }
}

template <class K, class T> tsl_status launch(tsl_queue *q, const tsl_leaf *l)
{
    constexpr int64_t MOST = 1 << 20; /* CTAs */
    const block<T> g = {(const T *)l->A.p, l->A.ld, l->m, l->n, l->uplo, l->diag == TSL_UNIT, is_complex<T> && l->norm.structure == TSL_HERMITIAN,
                        l->norm.structure != TSL_TRIANGULAR};
    const bool rows = (l->A.op & TSL_TRANS) != 0;
    const int64_t ctas = rows ? (l->m + WARP - 1) / WARP : l->n;
    const unsigned grid = (unsigned)(ctas < MOST ? ctas : MOST);
    double *out = (double *)l->B.p;
    const cudaStream_t st = tsl_cuda(q)->stream;
    if (rows) fold_rows<K, T><<<grid, THREADS, 0, st>>>(g, out);
    else fold_columns<K, T><<<grid, THREADS, 0, st>>>(g, out);
    return tsl_cuda_check(cudaGetLastError(), "colnorm");
}

} // namespace
} // namespace tsl

static tsl_status colnorm(tsl_queue *q, const tsl_leaf *l)
{
    return tsl::by_type(l->type, [=](auto zero) {
        using T = decltype(zero);
        return l->norm.kind == TSL_NORM_MAX ? tsl::launch<tsl::most, T>(q, l) : tsl::launch<tsl::sum, T>(q, l);
    });
}

static const void *kernel(int i) { return i ? nullptr : (const void *)tsl::fold_rows<tsl::sum, float>; }

extern "C" const tsl_kernel_entry tsl_cuda_colnorm_entry = {TSL_ALL_TYPES(colnorm), 0, 0, NULL, kernel, NULL};
