/* P, L and U of getrf's factors, of one matrix or of each of a batch, by one kernel: a group of threads, or CTAs where
 * problems are few, goes through the columns of P, L and U, which lie side by side for it. */
#include "core/values.h"
#include "kernel/cuda/batch/entry.cuh"
#include "kernel/cuda/launch.cuh"

namespace tsl {
namespace {

constexpr int THREADS = 256, ROWS = 1024; /* ROWS: at most */
constexpr int EACH = 4;                   /* elements of a thread, where there are threads enough */
constexpr int64_t MANY = 1 << 16;         /* threads that fill the device */

template <class T> struct factors {
    int m, d;
    int64_t n;
    Batch<T> A;
    Batch<int64_t> piv;
    Batch<T> P, L, U;
    bool permutation; /* P is wanted */
    int lanes;        /* threads of a problem in a CTA, a power of two, THREADS at most */
    int64_t count, *fault;
    const int64_t *skip;
};

__device__ int undone(int r, int a, int b) { return r == a ? b : r == b ? a : r; }

/* from[r]: the row of A that is row r of L U, found by undoing the exchanges, the last one first. piv and from are in shared
 * memory, with m places each. */
template <class T> __device__ void find_sources(const factors<T> &f, int64_t k, int own, int *piv, int *from)
{
    const bool is_problem = k < f.count;
    const int64_t *const given = is_problem && f.d ? f.piv.at(k) : nullptr;
    for (int i = own; given && i < f.d; i += f.lanes) {
        const int64_t other = given[i] - 1;
        const bool is_row = other >= 0 && other < f.m;
        if (!is_row && f.fault) *f.fault = 1;
        piv[i] = is_row ? (int)other : i;
    }
    __syncthreads();
    for (int r = own; is_problem && r < f.m; r += f.lanes) {
        int at = r;
        for (int e = f.d - 1; e >= 0; e--) at = undone(at, e, piv[e]);
        from[r] = at;
    }
    __syncthreads();
}

template <class T> __global__ __launch_bounds__(THREADS) void take_apart(factors<T> f)
{
    __shared__ int piv[ROWS], from[ROWS]; /* lanes are no fewer than rows, or there is one problem: they have room */
    const int here = threadIdx.x / f.lanes, own = threadIdx.x % f.lanes, of_p = f.permutation ? f.m : 0;
    const int64_t k = (int64_t)blockIdx.x * (THREADS / f.lanes) + here;
    if (f.permutation) find_sources(f, k, own, piv + here * f.m, from + here * f.m);
    if (k >= f.count || (f.skip && f.skip[k])) return;

    /* Of what is empty nobody knows where it would be. */
    const T *const A = f.d ? f.A.at(k) : nullptr;
    T *const P = f.permutation ? f.P.at(k) : nullptr, *const L = f.d ? f.L.at(k) : nullptr, *const U = f.d ? f.U.at(k) : nullptr;
    const int *const source = from + here * f.m;
    const int first = blockIdx.y * f.lanes + own, step = f.lanes * gridDim.y, down = step % f.m, right = step / f.m;
    int i = first % f.m;
    for (int64_t c = first / f.m; c < of_p + f.d + f.n; c += right) {
        const int64_t l = c - of_p, u = l - f.d;
        if (l < 0)
            P[i + c * f.P.ld] = make<T>(i == source[c]);
        else if (u < 0)
            L[i + l * f.L.ld] = i > l ? A[i + l * f.A.ld] : make<T>(i == l);
        else if (i < f.d)
            U[i + u * f.U.ld] = i <= u ? A[i + u * f.A.ld] : make<T>(0);
        i += down;
        if (i >= f.m) i -= f.m, c++;
    }
}

template <class T> tsl_status plu(tsl_queue *q, const tsl_leaf *l)
{
    const int64_t m = l->A.m, n = l->A.n, d = tsl_min(m, n), count = l->count ? l->count : 1, elements = m * (l->C.n + d + n);
    factors<T> f = {(int)m, (int)d, n, batch_of<T>(l->A), batch_of<int64_t>(l->B), batch_of<T>(l->C), batch_of<T>(l->D),
                    batch_of<T>(l->E), l->C.n > 0, 1, count, l->fault, l->skip};
    if (!elements) return TSL_OK;
    while (f.lanes < THREADS && (f.lanes < m || f.lanes * EACH < elements)) f.lanes *= 2;
    const int64_t ctas = tsl_pieces(count, THREADS / f.lanes), share = MANY / THREADS / ctas + 1;
    const int64_t parts = tsl_max(1, tsl_min(share, elements / (EACH * f.lanes)));
    take_apart<<<dim3((unsigned)ctas, (unsigned)parts), THREADS, 0, tsl_cuda(q)->stream>>>(f);
    return tsl_cuda_check(cudaGetLastError(), "plu");
}

} // namespace
} // namespace tsl

static bool takes(const tsl_leaf *l) { return l->A.m <= tsl::ROWS; }

static tsl_status one(tsl_queue *q, const tsl_leaf *l)
{
    return tsl::by_type(l->type, [=](auto zero) { return tsl::plu<decltype(zero)>(q, l); });
}

static const void *kernel(int i) { return i ? nullptr : (const void *)tsl::take_apart<float>; }

extern "C" const tsl_kernel_entry tsl_cuda_plu_entry = {TSL_ALL_TYPES(one), tsl::ROWS, 0, NULL, kernel, NULL};
extern "C" const tsl_batch_entry tsl_cuda_plu_batch_entry = {TSL_BY_TYPE(tsl::plu), takes, NULL, NULL};
