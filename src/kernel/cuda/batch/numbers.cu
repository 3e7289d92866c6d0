/* Numbers of a batch, one for each problem: norms of matrices, or of what triangles stand for, and reciprocal conditions from
 * LU's factors. In double precision. */
#include "core/values.h"
#include "kernel/cuda/batch/entry.cuh"
#include "kernel/cuda/batch/group.cuh"
#include "kernel/cuda/batch/potrf/trsm_batch.cuh"

namespace tsl {
namespace {

constexpr int THREADS = 256;

template <class T> struct normed {
    int m, n;
    Batch<T> A;
    tsl_uplo uplo;
    bool unit;
    tsl_structure structure; /* what a triangle stands for */
    tsl_norm_kind kind;
    int64_t count;
    const int64_t *skip;
    double *result;
};

template <class T> __device__ double size_of(T a)
{
    if constexpr (is_complex<T>)
        return hypot((double)a.re, (double)a.im);
    else
        return fabs((double)a);
}

template <class T> __device__ double element(const normed<T> &g, const T *A, int i, int j)
{
    if (i == j && g.unit) return 1;
    const bool here = g.uplo == TSL_GENERAL || i == j || (i > j) == (g.uplo == TSL_LOWER);
    if (!here && g.structure == TSL_TRIANGULAR) return 0;
    const T a = here ? A[i + j * g.A.ld] : A[j + i * g.A.ld];
    return i == j && g.structure == TSL_HERMITIAN ? fabs((double)re(a)) : size_of(a);
}

/* Of W units of L lanes, the largest, or the sum */
template <int L, int W> __device__ double over(double a, bool sum)
{
    __shared__ double of_unit[W];
    a = sum ? many::sum_of<L>(a) : many::largest_of<L>(a);
    if constexpr (W > 1) {
        if (threadIdx.x % L == 0) of_unit[threadIdx.x / L] = a;
        __syncthreads();
        a = of_unit[0];
        for (int i = 1; i < W; i++) a = sum ? a + of_unit[i] : many::larger(a, of_unit[i]);
        __syncthreads();
    }
    return a;
}

/* Lines, rows of the norm inf and columns else, are the units' in turn. */
template <class T, int L, int W> __global__ __launch_bounds__(THREADS) void find_norms(normed<T> g)
{
    const int64_t k = (int64_t)blockIdx.x * (THREADS / (L * W)) + threadIdx.x / (L * W);
    if (k >= g.count || (g.skip && g.skip[k])) return;
    const T *const A = g.A.at(k);
    const bool rows = g.kind == TSL_NORM_INF, sums = rows || g.kind == TSL_NORM_ONE;
    const int lane = threadIdx.x % L, unit = threadIdx.x / L % W, lines = rows ? g.m : g.n, length = rows ? g.n : g.m;
    double most = 0;
    for (int line = unit; line < lines; line += W) {
        double v = 0;
        for (int e = lane; e < length; e += L) {
            const double a = rows ? element(g, A, line, e) : element(g, A, e, line);
            v = sums ? v + a : many::larger(v, a);
        }
        most = many::larger(most, sums ? many::sum_of<L>(v) : v);
    }
    most = over<L, W>(most, false);
    if (g.kind == TSL_NORM_FRO && most > 0 && isfinite(most)) {
        const int power = ilogb(most);
        double squares = 0;
        for (int line = unit; line < lines; line += W)
            for (int e = lane; e < length; e += L) {
                const double a = scalbn(element(g, A, e, line), -power);
                squares = fma(a, a, squares);
            }
        most = scalbn(sqrt(over<L, W>(squares, true)), power);
    }
    if (lane == 0 && unit == 0) g.result[k] = most;
}

template <class T, int L, int W> cudaError_t launch_norms(cudaStream_t s, const normed<T> &g)
{
    constexpr int EACH = THREADS / (L * W);
    find_norms<T, L, W><<<(unsigned)((g.count + EACH - 1) / EACH), THREADS, 0, s>>>(g);
    return cudaGetLastError();
}

template <class T> cudaError_t norms(cudaStream_t s, const normed<T> &g)
{
    const int64_t elements = (int64_t)g.m * g.n;
    return elements <= 256    ? launch_norms<T, 8, 1>(s, g)
           : elements <= 4096 ? launch_norms<T, 32, 1>(s, g)
                              : launch_norms<T, 32, 8>(s, g);
}

template <class T> tsl_status norm(tsl_queue *q, const tsl_leaf *l)
{
    const tsl_structure s = is_complex<T> || l->norm.structure == TSL_TRIANGULAR ? l->norm.structure : TSL_SYMMETRIC;
    const bool unit = l->uplo != TSL_GENERAL && l->diag == TSL_UNIT;
    const normed<T> g = {(int)l->m, (int)l->n, batch_of<T>(l->A), l->uplo, unit, s, l->norm.kind, l->count, l->skip,
                         (double *)l->result};
    return tsl_cuda_check(norms(tsl_cuda(q)->stream, g), "norm_batch");
}

/* What divides by zero, or overflows, has no condition: unless A was not finite before. */
template <class T>
__global__ void conditions(int n, Batch<T> A, double anorm, int64_t count, const double *inverse, double *rcond)
{
    const int64_t k = (int64_t)blockIdx.x * THREADS + threadIdx.x;
    if (k >= count) return;
    const T *const a = A.at(k);
    const double size = inverse[k];
    bool finite = true;
    for (int j = 0; j < n && !isfinite(size) && finite; j++)
        for (int i = 0; i < n; i++) finite = finite && is_finite(a[i + j * A.ld]);
    const bool has = isfinite(size) && isfinite(anorm) && size > 0 && anorm > 0;
    rcond[k] = !finite ? NAN : isnan(anorm) ? anorm : has ? 1 / size / anorm : 0;
}

template <class T> size_t gecon_workspace(const tsl_leaf *l)
{
    return tsl_times((size_t)(l->n * l->n) * sizeof(T) + sizeof(double), (size_t)l->count) + sizeof(double);
}

/* |inv(U) inv(L)|: exchanges of columns change no sums. */
template <class T> tsl_status gecon(tsl_queue *q, const tsl_leaf *l)
{
    const cudaStream_t s = tsl_cuda(q)->stream;
    const int64_t n = l->n, count = l->count;
    double *const inverse = (double *)l->work;
    tsl_leaf unit = *l;
    unit.op = TSL_OP_LASET, unit.uplo = TSL_GENERAL, unit.alpha = 0.0, unit.beta = 1.0, unit.fill = {};
    unit.A = (tsl_array){inverse + (count + count % 2), n, n, n, TSL_NOTRANS, n * n, NULL, 0};
    const Batch<const T> A = batch_of<const T>(l->A);
    const Batch<T> X = batch_of<T>(unit.A);
    tsl_status st = tsl_cuda_laset_batch_entry.fn[l->type](q, &unit);
    if (st != TSL_OK) return st;
    const T one = make<T>(1);
    const normed<T> g = {(int)n, (int)n, X, TSL_GENERAL, false, TSL_TRIANGULAR, l->norm.kind, count, NULL, inverse};
    const unsigned ctas = (unsigned)((count + THREADS - 1) / THREADS);
    cudaError_t e = tsl_trsm_batch<T>(s, TSL_LEFT, TSL_LOWER, TSL_NOTRANS, TSL_UNIT, n, n, one, A, X, count, NULL);
    if (e == cudaSuccess) e = tsl_trsm_batch<T>(s, TSL_LEFT, TSL_UPPER, TSL_NOTRANS, TSL_NONUNIT, n, n, one, A, X, count, NULL);
    if (e == cudaSuccess) e = norms(s, g);
    if (e == cudaSuccess)
        conditions<T><<<ctas, THREADS, 0, s>>>((int)n, batch_of<T>(l->A), l->norm.anorm, count, inverse, (double *)l->result);
    return tsl_cuda_check(e == cudaSuccess ? cudaGetLastError() : e, "gecon_batch");
}

template <class T> bool takes_gecon(const tsl_leaf *l) { return l->A.op == TSL_NOTRANS && l->n <= TSL_TRSM_BATCH_LIMIT<T>; }

} // namespace
} // namespace tsl

static bool takes_norm(const tsl_leaf *l) { return l->m < 1 << 15 && l->n < 1 << 15; }
static bool takes_gecon(const tsl_leaf *l) { return TSL_OF_TYPE_OF(l, tsl::takes_gecon, l); }
static size_t gecon_workspace(const tsl_leaf *l) { return TSL_OF_TYPE_OF(l, tsl::gecon_workspace, l); }

extern "C" const tsl_batch_entry tsl_cuda_norm_batch_entry = {TSL_BY_TYPE(tsl::norm), takes_norm, NULL, NULL};
extern "C" const tsl_batch_entry tsl_cuda_gecon_batch_entry = {TSL_BY_TYPE(tsl::gecon), takes_gecon, gecon_workspace, NULL};
