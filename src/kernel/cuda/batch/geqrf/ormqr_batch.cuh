/* Q C or Q^H C of small problems, from the left: a group of lanes has some columns of C in registers and passes by the
 * reflectors, the next one of which is on its way while one is applied. For least squares back substitution by R follows, in
 * the same way. Q itself is Q I: its column j is changed by the first j + 1 reflectors alone. */
#ifndef TSL_CUDA_ORMQR_BATCH_CUH
#define TSL_CUDA_ORMQR_BATCH_CUH

#include "kernel/cuda/batch/geqrf/qr_tile.cuh"

namespace tsl {
namespace qrb {

constexpr int ORMQR_WARPS = 4;

enum purpose { PRODUCT, SOLUTION, COLUMNS_OF_Q };

/* The lane's elements of reflector j */
template <class S, class T> __device__ void load_reflector(T (&v)[S::RI], const T *A, int64_t lda, int m, int j, int rl)
{
#pragma unroll
    for (int i = 0; i < S::RI; i++) {
        const int row = i * S::RL + rl;
        v[i] = row > j && row < m ? A[row + j * lda] : make<T>(row == j);
    }
}

/* The lane's elements of column j of R */
template <class S, class T> __device__ void load_triangle(T (&r)[S::RI], const T *A, int64_t lda, int j, int rl)
{
#pragma unroll
    for (int i = 0; i < S::RI; i++) r[i] = i * S::RL + rl <= j ? A[i * S::RL + rl + j * lda] : make<T>(0);
}

/* First rows of c := R^-1 times them, R's order k; R's diagonal is real. */
template <class S, class T> __device__ void back_substitute(T (&c)[S::RI][S::CI], const T *A, int64_t lda, int k, int rl)
{
    T r[S::RI], next[S::RI], next_diagonal = A[(k - 1) * (lda + 1)];
    load_triangle<S>(next, A, lda, k - 1, rl);
    for (int j = k - 1; j >= 0; j--) {
        const real_t<T> d = re(next_diagonal);
        const divisor<real_t<T>> over(d);
#pragma unroll
        for (int i = 0; i < S::RI; i++) r[i] = next[i];
        if (j > 0) {
            load_triangle<S>(next, A, lda, j - 1, rl);
            next_diagonal = A[(j - 1) * (lda + 1)];
        }
#pragma unroll
        for (int q = 0; q < S::CI; q++) {
            T x = make<T>(0);
#pragma unroll
            for (int i = 0; i < S::RI; i++)
                if (i * S::RL + rl == j) x = c[i][q];
            x = of_lane(x, (threadIdx.x & 31 & ~(S::RL - 1)) | (j & (S::RL - 1)));
            if constexpr (is_complex<T>)
                x = {over(x.re, d), over(x.im, d)};
            else
                x = over(x, d);
#pragma unroll
            for (int i = 0; i < S::RI; i++) {
                const int row = i * S::RL + rl;
                if (row < j) c[i][q] = sub_mul<false>(c[i][q], r[i], x);
                if (row == j) c[i][q] = x;
            }
        }
    }
}

/* 1 + the place of the first zero on the diagonal of R, or 0 */
template <class S, class T> __device__ int first_zero(const T *A, int64_t lda, int k, int lane)
{
    int first = k;
    for (int j = k - 1 - lane % S::LANES; j >= 0; j -= S::LANES)
        if (is_zero(A[j + j * lda])) first = j;
#pragma unroll
    for (int bit = S::LANES / 2; bit >= 1; bit /= 2) first = min(first, shuffle_xor(first, bit));
    return first < k ? first + 1 : 0;
}

/* Is R(k x k), and with it A, zero? Each lane looks for itself: that is rare. */
template <class T> __device__ bool is_nothing(const T *R, int64_t ld, int k)
{
    for (int j = 0; j < k; j++)
        for (int i = 0; i <= j; i++)
            if (!is_zero(R[i + j * ld])) return false;
    return true;
}

/* C's columns are cut into parts, a group of lanes for each. Groups without one repeat the last part and store nothing. info is
 * for least squares only; where R has a zero on the diagonal, C stays as it is, but becomes zero where R is. */
template <class S, purpose FOR, class T>
__global__ __launch_bounds__(32 * ORMQR_WARPS)
void ormqr(bool hermitian, int m, int n, int k, int parts, Batch<T> A, Batch<T> tau, Batch<T> C, int64_t count, int64_t *info)
{
    constexpr int GROUPS = 32 / S::LANES;
    const int lane = threadIdx.x % 32, rl = lane % S::RL, cl = lane % S::LANES / S::RL;
    const int64_t step = (int64_t)gridDim.x * ORMQR_WARPS * GROUPS, end = count * parts;
    for (int64_t first = ((int64_t)blockIdx.x * ORMQR_WARPS + threadIdx.x / 32) * GROUPS; first < end; first += step) {
        const int64_t own = first + lane / S::LANES, t = own < end ? own : end - 1, p = t / parts;
        const int c0 = (int)(t % parts) * S::N;
        const T *const at = A.at(p), *const factors = tau.at(p);
        T *const to = C.at(p) + c0 * C.ld;
        bool stores = own < end;
        T c[S::RI][S::CI], v[S::RI], next[S::RI], w[S::CI];
        const int reach = FOR == COLUMNS_OF_Q ? min(k, c0 + S::N) : k;
        int j = hermitian ? 0 : reach - 1;
        load_reflector<S>(next, at, A.ld, m, j, rl);
        T factor = factors[j];
#pragma unroll
        for (int q = 0; q < S::CI; q++)
#pragma unroll
            for (int i = 0; i < S::RI; i++) {
                const int row = i * S::RL + rl, col = q * S::CL + cl;
                if constexpr (FOR == COLUMNS_OF_Q)
                    c[i][q] = make<T>(row == c0 + col);
                else
                    c[i][q] = row < m && c0 + col < n ? to[row + col * C.ld] : make<T>(0);
            }
        for (int left = reach; left > 0; left--) {
            const T by = hermitian ? conj(factor) : factor;
#pragma unroll
            for (int i = 0; i < S::RI; i++) v[i] = next[i];
            j += hermitian ? 1 : -1;
            if (left > 1) {
                load_reflector<S>(next, at, A.ld, m, j, rl);
                factor = factors[j];
            }
            multiply<S, 0, 0>(w, c, v);
#pragma unroll
            for (int q = 0; q < S::CI; q++) {
                const T sum = is_zero(by) ? make<T>(0) : mul(by, w[q]);
#pragma unroll
                for (int i = 0; i < S::RI; i++) c[i][q] = sub_mul<false>(c[i][q], v[i], sum);
            }
        }
        if constexpr (FOR == SOLUTION) {
            const int zero = first_zero<S>(at, A.ld, k, lane);
            const bool nothing = zero == 1 && is_nothing(at, A.ld, k); /* the X of least size is zero then */
            if (stores && c0 == 0 && lane % S::LANES == 0) info[p] = nothing ? 0 : zero;
            stores = stores && (zero == 0 || nothing);
            back_substitute<S>(c, at, A.ld, k, rl);
#pragma unroll
            for (int q = 0; q < S::CI; q++)
#pragma unroll
                for (int i = 0; i < S::RI; i++)
                    if (nothing) c[i][q] = make<T>(0);
        }
#pragma unroll
        for (int q = 0; q < S::CI; q++)
#pragma unroll
            for (int i = 0; i < S::RI; i++) {
                const int row = i * S::RL + rl, col = q * S::CL + cl;
                if (stores && row < m && c0 + col < n) to[row + col * C.ld] = c[i][q];
            }
    }
}

template <class S, purpose FOR, class T>
cudaError_t launch_ormqr(cudaStream_t stream, bool hermitian, int m, int n, int k, Batch<T> A, Batch<T> tau, Batch<T> C, int64_t count, int64_t *info)
{
    constexpr int EACH = ORMQR_WARPS * (32 / S::LANES);
    const int parts = n > 0 ? (n + S::N - 1) / S::N : 1;
    const unsigned ctas = ctas_for((count * parts + EACH - 1) / EACH);
    ormqr<S, FOR><<<ctas, 32 * ORMQR_WARPS, 0, stream>>>(hermitian, m, n, k, parts, A, tau, C, count, info);
    return cudaGetLastError();
}

} // namespace qrb
} // namespace tsl
#endif
