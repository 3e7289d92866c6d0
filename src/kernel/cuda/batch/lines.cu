/* Triangular products of a batch, and triangles of reflectors. A warp has a line of B, a column from the left and a row from the
 * right, or a problem's triangle; the line that is multiplied is in shared memory. */
#include "kernel/cuda/batch/entry.cuh"
#include "kernel/cuda/batch/group.cuh"

namespace tsl {
namespace {

constexpr int THREADS = 128, WARPS = THREADS / 32;
constexpr int64_t LONGEST = 512;

/* Each line x of B := alpha M x, M a triangle of A seen through an op, or from the right through its transpose */
template <class T> struct product {
    int order, lines;
    bool lower, turned, conjugate, unit; /* of M; lower: M is, as it is seen */
    int64_t step, next;                  /* in B: from element to element of a line, and from line to line */
    T alpha;
    Batch<T> A, B;
    int64_t count;
    const int64_t *skip;

    __device__ T at(const T *M, int i, int k) const
    {
        if (unit && i == k) return make<T>(1);
        const T a = turned ? M[k + i * A.ld] : M[i + k * A.ld];
        return conjugate ? conj(a) : a;
    }
};

template <class T> __global__ __launch_bounds__(THREADS) void multiply_lines(product<T> p)
{
    extern __shared__ __align__(16) unsigned char memory[];
    const int lane = (int)threadIdx.x % 32;
    const int64_t own = (int64_t)blockIdx.x * WARPS + threadIdx.x / 32, k = own / p.lines;
    if (k >= p.count || (p.skip && p.skip[k])) return;
    T *const x = (T *)memory + threadIdx.x / 32 * p.order, *const B = p.B.at(k) + own % p.lines * p.next;
    const T *const M = p.A.at(k);
    for (int i = lane; i < p.order; i += 32) x[i] = B[i * p.step];
    __syncwarp();
    for (int i = lane; i < p.order; i += 32) {
        T sum = make<T>(0);
        for (int j = p.lower ? 0 : i, end = p.lower ? i + 1 : p.order; j < end; j++) sum = add_mul(sum, p.at(M, i, j), x[j]);
        B[i * p.step] = mul(p.alpha, sum);
    }
}

template <class T> tsl_status trmm(tsl_queue *q, const tsl_leaf *l)
{
    const bool left = l->side == TSL_LEFT, turned = ((l->A.op & TSL_TRANS) != 0) == left;
    const int order = (int)(left ? l->m : l->n), lines = (int)(left ? l->n : l->m);
    const product<T> p = {order, lines, (l->uplo == TSL_LOWER) != turned, turned, is_complex<T> && (l->A.op & TSL_CONJ) != 0,
                          l->diag == TSL_UNIT, left ? 1 : l->B.ld, left ? l->B.ld : 1, from_scalar<T>(l->alpha),
                          batch_of<T>(l->A), batch_of<T>(l->B), l->count, l->skip};
    const unsigned ctas = (unsigned)((l->count * lines + WARPS - 1) / WARPS);
    multiply_lines<T><<<ctas, THREADS, WARPS * order * sizeof(T), tsl_cuda(q)->stream>>>(p);
    return tsl_cuda_check(cudaGetLastError(), "trmm_batch");
}

/* Column j of T is -tau(j) T1 times that of Y^H Y, T1 what is before it. */
template <class T> __global__ __launch_bounds__(THREADS) void join_reflectors(int n, Batch<T> A, Batch<T> tau, int64_t count)
{
    extern __shared__ __align__(16) unsigned char memory[];
    const int lane = (int)threadIdx.x % 32;
    const int64_t k = (int64_t)blockIdx.x * WARPS + threadIdx.x / 32;
    if (k >= count) return;
    T *const x = (T *)memory + threadIdx.x / 32 * n, *const t = A.at(k);
    const T *const factors = tau.at(k);
    for (int j = 0; j < n; j++) {
        const T by = factors[j];
        for (int i = lane; i < j; i += 32) x[i] = is_zero(by) ? make<T>(0) : mul(by, t[i + j * A.ld]);
        __syncwarp();
        for (int i = lane; i < j; i += 32) {
            T sum = make<T>(0);
            for (int c = i; c < j; c++) sum = sub_mul<false>(sum, t[i + c * A.ld], x[c]);
            t[i + j * A.ld] = sum;
        }
        if (lane == 0) t[j + j * A.ld] = by;
        __syncwarp();
    }
}

template <class T> tsl_status larft(tsl_queue *q, const tsl_leaf *l)
{
    const int n = (int)l->A.n;
    const unsigned ctas = (unsigned)((l->count + WARPS - 1) / WARPS);
    const cudaStream_t s = tsl_cuda(q)->stream;
    join_reflectors<T><<<ctas, THREADS, WARPS * n * sizeof(T), s>>>(n, batch_of<T>(l->A), batch_of<T>(l->B), l->count);
    return tsl_cuda_check(cudaGetLastError(), "larft_batch");
}

} // namespace
} // namespace tsl

static bool takes_trmm(const tsl_leaf *l)
{
    return l->A.op != TSL_CONJ && (l->side == TSL_LEFT ? l->m : l->n) <= tsl::LONGEST;
}

static bool takes_larft(const tsl_leaf *l) { return l->A.op == TSL_NOTRANS && l->A.n <= tsl::LONGEST; }

extern "C" const tsl_batch_entry tsl_cuda_trmm_batch_entry = {TSL_BY_TYPE(tsl::trmm), takes_trmm, NULL, NULL};
extern "C" const tsl_batch_entry tsl_cuda_larft_batch_entry = {TSL_BY_TYPE(tsl::larft), takes_larft, NULL, NULL};
