/* B := inv(op(A)) B of each problem of a batch, A = P L U of order up to 64 as getrf left it. LANES lanes have a problem, a
 * lane R rows of B. A is fetched to shared memory, whose columns are an odd number of elements apart: rows and columns are read
 * without bank conflicts. */
#include <cuda_pipeline.h>

#include "kernel/cuda/batch/getrf/getrf_batch.cuh"
#include "kernel/cuda/lu.cuh"

namespace tsl {
namespace {

constexpr int WARPS = 4, AT_ONCE = 4; /* columns of B */
constexpr unsigned ALL = 0xffffffffu;

template <class T> struct solves {
    int n, nrhs;
    Batch<T> A;
    Batch<int64_t> piv;
    int64_t first;
    Batch<T> B;
    int64_t count;
    const int64_t *info;
    int64_t *fault;
};

__device__ int undone(int r, int a, int b) { return r == a ? b : r == b ? a : r; }

template <class T, int LANES> __device__ T of_one(T a, int lane)
{
    if constexpr (is_complex<T>)
        return T{__shfl_sync(ALL, a.re, lane, LANES), __shfl_sync(ALL, a.im, lane, LANES)};
    else
        return __shfl_sync(ALL, a, lane, LANES);
}

/* Division by d as two products, the first with a power of two that brings d near 1: without a branch, and with an overflow
 * only if there is one. By zero it gives what LAPACK's does, which does not look. */
template <class T> struct quotient {
    T inv;
    real_t<T> s;

    __device__ void prepare(T d)
    {
        s = near_one(magnitude(d));
        const T e = scale(d, s);
        if constexpr (is_complex<T>)
            inv = scale(conj(e), 1 / fma(e.re, e.re, e.im * e.im));
        else
            inv = 1 / e;
    }
    __device__ T operator()(T a) const { return mul(scale(a, s), inv); }
};

/* x := inv(op(L)) x or inv(op(U)) x, from the first row on or from the last. A: columns ld apart; TURNED: op is T or C. */
template <bool UPPER, bool TURNED, bool CONJ, int LANES, int R, class T>
__device__ void sweep(T (&x)[R][AT_ONCE], const T *A, int ld, int n, int columns, const quotient<T> (&over)[R], int own)
{
    constexpr bool FORWARD = UPPER == TURNED;
#pragma unroll
    for (int s = 0; s < R; s++) {
        const int part = FORWARD ? s : R - 1 - s, from = part * LANES, to = min(from + LANES, n);
#pragma unroll 2
        for (int i = from; i < to; i++) {
            const int k = FORWARD ? i : from + to - 1 - i;
            T found[AT_ONCE];
#pragma unroll
            for (int c = 0; c < AT_ONCE; c++) {
                if (c >= columns) break;
                const T mine = UPPER ? over[part](x[part][c]) : x[part][c]; /* all lanes: a branch would take longer */
                if (UPPER && own == k - from) x[part][c] = mine;
                found[c] = of_one<T, LANES>(mine, k - from);
            }
#pragma unroll
            for (int t = 0; t < R; t++) {
                const int r = own + t * LANES;
                if (r < n && (FORWARD ? r > k : r < k)) {
                    const T a = TURNED ? A[k + r * ld] : A[r + k * ld];
#pragma unroll
                    for (int c = 0; c < AT_ONCE; c++)
                        if (c < columns) x[t][c] = sub_mul<CONJ>(x[t][c], found[c], a);
                }
            }
        }
    }
}

template <class T, int LANES, int R, bool TURNED, bool CONJ> __global__ __launch_bounds__(32 * WARPS) void getrs(solves<T> p)
{
    extern __shared__ __align__(16) unsigned char memory[];
    constexpr int GROUPS = 32 / LANES;
    const int n = p.n, ld = n | 1, lane = threadIdx.x % 32, own = lane % LANES, here = threadIdx.x / LANES;
    const int64_t i = (int64_t)blockIdx.x * (blockDim.x / 32 * GROUPS) + here;
    const bool exists = i < p.count && (!p.info || p.info[i] == 0);
    T *const S = (T *)memory + (size_t)here * n * ld;
    if (exists) {
        const T *const A = p.A.at(i);
#pragma unroll 4
        for (int c = 0; c < n; c++)
#pragma unroll
            for (int t = 0; t < R; t++)
                if (own + t * LANES < n) __pipeline_memcpy_async(S + own + t * LANES + c * ld, A + own + t * LANES + c * p.A.ld, sizeof(T));
    }
    __pipeline_commit();

    /* Of the right-hand sides, or of the solutions, row r is row line[r] of B. */
    int with[R], line[R];
#pragma unroll
    for (int t = 0; t < R; t++) {
        const int r = own + t * LANES;
        line[t] = with[t] = r;
        if (exists && r < n) {
            const int64_t other = p.piv.at(i)[r] - 1 - p.first;
            if (other >= 0 && other < n)
                with[t] = (int)other;
            else if (p.fault)
                *p.fault = 1;
        }
    }
#pragma unroll
    for (int s = R - 1; s >= 0; s--) /* the last exchange is undone first */
#pragma unroll 4
        for (int e = LANES - 1; e >= 0; e--) {
            const int other = __shfl_sync(ALL, with[s], e, LANES);
#pragma unroll
            for (int t = 0; t < R; t++) line[t] = undone(line[t], e + s * LANES, other);
        }
    __pipeline_wait_prior(0);
    __syncwarp();

    quotient<T> over[R];
#pragma unroll
    for (int t = 0; t < R; t++) {
        const int r = own + t * LANES;
        const T d = exists && r < n ? S[r + r * ld] : make<T>(1);
        over[t].prepare(CONJ ? conj(d) : d);
    }
    T *const B = exists ? p.B.at(i) : nullptr;
#pragma unroll 1
    for (int c0 = 0; c0 < p.nrhs; c0 += AT_ONCE) {
        const int columns = min(AT_ONCE, p.nrhs - c0);
        T x[R][AT_ONCE];
        const auto each = [&](auto f) {
#pragma unroll
            for (int t = 0; t < R; t++)
#pragma unroll
                for (int c = 0; c < AT_ONCE; c++)
                    if (exists && own + t * LANES < n && c < columns) f(x[t][c], B + (c0 + c) * p.B.ld, own + t * LANES, line[t]);
        };
        each([](T &v, const T *b, int r, int moved) { v = b[TURNED ? r : moved]; });
        sweep<TURNED, TURNED, CONJ, LANES, R>(x, S, ld, n, columns, over, own);
        sweep<!TURNED, TURNED, CONJ, LANES, R>(x, S, ld, n, columns, over, own);
        __syncwarp(); /* rows are written where others were read */
        each([](T &v, T *b, int r, int moved) { b[TURNED ? moved : r] = v; });
    }
}

template <class T, int LANES, int R> cudaError_t launch(cudaStream_t stream, tsl_batch_op op, const solves<T> &p)
{
    constexpr int GROUPS = 32 / LANES, MOST = 48 * 1024;
    const size_t bytes = GROUPS * (size_t)p.n * (p.n | 1) * sizeof(T); /* of a warp */
    const int warps = bytes * WARPS <= MOST ? WARPS : bytes * 2 <= MOST ? 2 : 1;
    const auto kernel = op == TSL_BATCH_N                 ? getrs<T, LANES, R, false, false>
                        : op == TSL_BATCH_C && is_complex<T> ? getrs<T, LANES, R, true, is_complex<T>>
                                                          : getrs<T, LANES, R, true, false>;
    if (bytes > MOST) {
        constexpr int limit = TSL_GETRS_BATCH_LIMIT * (TSL_GETRS_BATCH_LIMIT | 1) * (int)sizeof(T);
        const cudaError_t e = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, limit);
        if (e != cudaSuccess) return e;
    }
    kernel<<<(unsigned)((p.count + warps * GROUPS - 1) / (warps * GROUPS)), 32 * warps, bytes * warps, stream>>>(p);
    return cudaGetLastError();
}

} // namespace
} // namespace tsl

template <class T>
cudaError_t tsl_getrs_batch(cudaStream_t stream, tsl_batch_op op, int n, int nrhs, Batch<T> A, Batch<int64_t> piv, int64_t first, Batch<T> B,
                            int64_t count, const int64_t *info, int64_t *fault)
{
    const tsl::solves<T> p = {n, nrhs, A, piv, first, B, count, info, fault};
    if (n == 0 || nrhs == 0 || count == 0) return cudaSuccess;
    if (n > TSL_GETRS_BATCH_LIMIT) return cudaErrorInvalidValue;
    return n <= 8    ? tsl::launch<T, 8, 1>(stream, op, p)
           : n <= 16 ? tsl::launch<T, 16, 1>(stream, op, p)
           : n <= 32 ? tsl::launch<T, 32, 1>(stream, op, p)
                     : tsl::launch<T, 32, 2>(stream, op, p);
}

#define FOR_TYPE(T)                                                                                                                                   \
    template cudaError_t tsl_getrs_batch<T>(cudaStream_t, tsl_batch_op, int, int, Batch<T>, Batch<int64_t>, int64_t, Batch<T>, int64_t,               \
                                            const int64_t *, int64_t *);
FOR_TYPE(float)
FOR_TYPE(double)
FOR_TYPE(tsl::cplx<float>)
FOR_TYPE(tsl::cplx<double>)
