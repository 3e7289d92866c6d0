/* The exponential of a batch: scaling and squaring, r(A / 2^s)^(2^s), r the diagonal Pade approximant of the highest degree of
 * the precision, s each problem's own. Products and solutions are those of batches. */
#include "core/numbers/pade.h"
#include "core/values.h"
#include "kernel/cuda/batch/entry.cuh"
#include "kernel/cuda/batch/expm/expm_steps.cuh"
#include "kernel/cuda/batch/getrf/getrf_batch.cuh"
#include "kernel/cuda/batch/potrf/trsm_batch.cuh"

namespace tsl {

template <class T> static many::pade approximant()
{
    const bool single = sizeof(real_t<T>) == 4;
    const int d = single ? 2 : TSL_PADE_DEGREES - 1;
    const double bound = single ? tsl_pade_bound_single[d] : tsl_pade_bound_double[d];
    many::pade p = {{}, bound, log2(tsl_pade_error_inverse[d]), tsl_pade_degree[d]};
    for (int i = 0; i <= p.degree; ++i) p.b[i] = tsl_pade[d][i];
    return p;
}

/* Seven matrices, pivots, an outcome of LU that nobody asks for, three norms and a number of squarings for each problem */
template <class T> static size_t expm_workspace(const tsl_leaf *l)
{
    const size_t n = (size_t)l->n, numbers = (n + 1) * sizeof(int64_t) + 3 * sizeof(double) + sizeof(int);
    return tsl_times((size_t)l->count, 7 * n * n * sizeof(T) + numbers) + sizeof(int64_t);
}

template <class T> struct expm_room {
    many::expm_batch<T> g;
    int64_t *piv, *outcome;
    explicit expm_room(const tsl_leaf *l)
    {
        const int64_t count = l->count, all = l->n * l->n * count;
        T *const A = (T *)l->work;
        piv = (int64_t *)l->work + (7 * all * (int64_t)sizeof(T) + 7) / 8, outcome = piv + l->n * count;
        double *const norms = (double *)(outcome + count);
        g = {(int)l->n, batch_of<T>(l->A), count, l->info, A, A + all, A + 2 * all, A + 3 * all, A + 4 * all, A + 5 * all,
             A + 6 * all, norms, norms + count, norms + 2 * count, (int *)(norms + 3 * count)};
    }
};

static tsl_array square(void *p, int64_t n) { return {p, n, n, n, TSL_NOTRANS, n * n, NULL, 0}; }

/* C := A B + beta C */
static tsl_status multiply(tsl_queue *q, const tsl_leaf *l, void *A, void *B, double beta, void *C)
{
    tsl_leaf by = *l;
    by.op = TSL_OP_GEMM, by.m = by.n = by.k = l->n, by.alpha = 1.0, by.beta = beta;
    by.A = square(A, l->n), by.B = square(B, l->n), by.C = square(C, l->n);
    return tsl_cuda_gemm_batch_entry.fn[l->type](q, &by);
}

/* result := the norm one */
static tsl_status norm_one(tsl_queue *q, const tsl_leaf *l, const tsl_array &A, double *result)
{
    tsl_leaf of = *l;
    of.op = TSL_OP_NORM, of.m = of.n = l->n, of.uplo = TSL_GENERAL, of.skip = NULL;
    of.norm = {0, TSL_NORM_ONE, TSL_TRIANGULAR};
    of.A = A, of.result = result;
    return tsl_cuda_norm_batch_entry.fn[l->type](q, &of);
}

/* V := inv(W) V. Measured on the H200: of larger problems with as many right-hand sides a kernel for all of it is slower than
 * its parts. */
constexpr int WHOLE_SOLUTION = 16;
template <class T> static cudaError_t solve(cudaStream_t s, const expm_room<T> &r)
{
    const int n = r.g.n;
    const int64_t count = r.g.count, each = r.g.each();
    const Batch<T> W = {r.g.W, nullptr, each, 0, n}, V = {r.g.V, nullptr, each, 0, n};
    const Batch<const T> L = {r.g.W, nullptr, each, 0, n};
    const Batch<int64_t> piv = {r.piv, nullptr, n, 0, n};
    cudaError_t e = cudaMemsetAsync(r.outcome, 0, (size_t)count * sizeof *r.outcome, s);
    if (e != cudaSuccess) return e;
    if (n <= WHOLE_SOLUTION) return tsl_gesv_batch<T>(s, n, n, W, piv, V, count, r.outcome, 0);
    e = tsl_getrf_batch<T>(s, n, n, W, piv, count, r.outcome, 0, 0, true);
    if (e == cudaSuccess) e = tsl_laswp_batch<T>(s, n, n, V, n, piv, 0, false, count, nullptr, nullptr);
    const T one = make<T>(1);
    if (e == cudaSuccess) e = tsl_trsm_batch<T>(s, TSL_LEFT, TSL_LOWER, TSL_NOTRANS, TSL_UNIT, n, n, one, L, V, count, NULL);
    if (e == cudaSuccess) e = tsl_trsm_batch<T>(s, TSL_LEFT, TSL_UPPER, TSL_NOTRANS, TSL_NONUNIT, n, n, one, L, V, count, NULL);
    return e;
}

template <int R, int TH, class T> static cudaError_t square_inside(cudaStream_t s, const many::expm_batch<T> &g)
{
    constexpr int CTA = TH < 64 ? 64 : TH, EACH = CTA / TH;
    const size_t bytes = EACH * (size_t)(g.n | 1) * g.n * sizeof(T);
    const auto kernel = many::expm_square<R, TH, true, T>;
    const cudaError_t e = cudaFuncSetAttribute((const void *)kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes);
    if (e != cudaSuccess) return e;
    kernel<<<(unsigned)((g.count + EACH - 1) / EACH), CTA, bytes, s>>>(g);
    return cudaGetLastError();
}

template <class T> static cudaError_t square_all(cudaStream_t s, const many::expm_batch<T> &g)
{
    if (g.n <= 8) return square_inside<2, 16>(s, g);
    if (g.n <= 16) return square_inside<4, 16>(s, g);
    if (g.n <= 32) return square_inside<4, 64>(s, g);
    if (g.n <= 64) return square_inside<4, 256>(s, g);
    if constexpr (sizeof(T) < 16)
        if (g.n <= 128) return square_inside<8, 256>(s, g);
    many::expm_square<4, 256, false, T><<<(unsigned)g.count, 256, 0, s>>>(g);
    return cudaGetLastError();
}

/* For steps that go element by element */
template <class T> static unsigned ctas_for(const many::expm_batch<T> &g)
{
    const int64_t pieces = (g.each() * g.count + many::THREADS - 1) / many::THREADS;
    return (unsigned)(pieces < 65536 ? pieces : 65536);
}

template <int TH, class T> static cudaError_t choose(cudaStream_t s, const many::expm_batch<T> &g, const many::pade &p)
{
    constexpr int EACH = many::CHOOSERS / TH;
    const size_t bytes = EACH * (size_t)(g.n * (2 + (g.n | 1))) * sizeof(float);
    const auto kernel = many::expm_choose<TH, T>;
    const cudaError_t e = cudaFuncSetAttribute((const void *)kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes);
    if (e != cudaSuccess) return e;
    kernel<<<(unsigned)((g.count + EACH - 1) / EACH), many::CHOOSERS, bytes, s>>>(g, p);
    return cudaGetLastError();
}

template <class T> static tsl_status sums(cudaStream_t s, const many::expm_batch<T> &g, const many::pade &p)
{
    const cudaError_t e = g.n <= 32 ? choose<32>(s, g, p) : choose<many::CHOOSERS>(s, g, p);
    if (e == cudaSuccess) many::expm_combine<T><<<ctas_for(g), many::THREADS, 0, s>>>(g, p);
    return tsl_cuda_check(e == cudaSuccess ? cudaGetLastError() : e, "expm_batch");
}

template <class T> static tsl_status expm(tsl_queue *q, const tsl_leaf *l)
{
    const cudaStream_t s = tsl_cuda(q)->stream;
    const expm_room<T> r(l);
    const many::expm_batch<T> &g = r.g;
    const many::pade p = approximant<T>();
    const unsigned ctas = ctas_for(g);
    tsl_status st = norm_one(q, l, l->A, g.norm);
    if (st == TSL_OK) many::expm_begin<T><<<ctas, many::THREADS, 0, s>>>(g);
    /* A2 := A A, .. */
    if (st == TSL_OK) st = multiply(q, l, g.A, g.A, 0, g.A2);
    if (st == TSL_OK) st = multiply(q, l, g.A2, g.A2, 0, g.A4);
    if (st == TSL_OK) st = multiply(q, l, g.A4, g.A2, 0, g.A6);
    if (st == TSL_OK) st = norm_one(q, l, square(g.A4, l->n), g.norm4);
    if (st == TSL_OK) st = norm_one(q, l, square(g.A6, l->n), g.norm6);
    /* V, W := the even and the odd terms, U := A W */
    if (st == TSL_OK) st = sums<T>(s, g, p);
    if (st == TSL_OK && p.degree == 13) st = multiply(q, l, g.A6, g.A2, 1, g.V);
    if (st == TSL_OK && p.degree == 13) st = multiply(q, l, g.A6, g.A4, 1, g.W);
    if (st == TSL_OK) st = multiply(q, l, g.A, g.W, 0, g.U);
    if (st != TSL_OK) return st;
    /* V := inv(V - U) (V + U), and its squares */
    many::expm_split<T><<<ctas, many::THREADS, 0, s>>>(g);
    const cudaError_t e = solve<T>(s, r);
    return tsl_cuda_check(e == cudaSuccess ? square_all<T>(s, g) : e, "expm_batch");
}

template <class T> static bool takes_expm(const tsl_leaf *l)
{
    return l->A.op == TSL_NOTRANS && l->n <= TSL_TRSM_BATCH_LIMIT<T> &&
           tsl_getrf_batch_takes<T>((int)l->n, (int)l->n, many::shared_of_cta());
}

} // namespace tsl

static bool takes(const tsl_leaf *l) { return TSL_OF_TYPE_OF(l, tsl::takes_expm, l); }
static size_t workspace(const tsl_leaf *l) { return TSL_OF_TYPE_OF(l, tsl::expm_workspace, l); }

extern "C" const tsl_batch_entry tsl_cuda_expm_batch_entry = {TSL_BY_TYPE(tsl::expm), takes, workspace, NULL};
