/* A X + X B = C with A and B of order 1 or 2: of order 2, with a general matrix of order 2 or 4 by elimination with complete
 * pivoting. As LAPACK's, pivots below a limit are moved there; a solution that would overflow is told, not scaled. */
#ifndef TSL_CUDA_SYL_SMALL_CUH
#define TSL_CUDA_SYL_SMALL_CUH

#include "kernel/cuda/scalar.cuh"

namespace tsl {
namespace syl {

template <class R> constexpr R EPS = std::numeric_limits<R>::epsilon();

struct outcome {
    bool moved, overflows;
};

/* LAPACK's for a block of that many elements, the largest of A and B of that size */
template <class R> struct limits {
    R small, least; /* what a quotient may not be divided by, and a pivot not be below */
    __device__ limits(R largest, int elements)
    {
        small = SMALLEST_NORMAL<R> * R(elements) / EPS<R>;
        least = fmax(small, EPS<R> * largest);
    }
    __device__ bool overflows(R above, R below) const { return below < 1 && above > 1 && above * small > below; }
};

template <class T> __device__ real_t<T> size(T a)
{
    if constexpr (is_complex<T>)
        return fabs(a.re) + fabs(a.im);
    else
        return fabs(a);
}

template <class R> __device__ __forceinline__ void swap_if(bool yes, R &a, R &b)
{
    const R t = yes ? b : a;
    b = yes ? a : b, a = t;
}

/* b := inv(M) b, of rows and columns from S on. Indices are known when this is compiled, so that all is in registers. */
template <int S, class R, int N> __device__ __forceinline__ void eliminate(R (&M)[N][N], R (&b)[N], const limits<R> &lim, outcome &o)
{
    if constexpr (S < N) {
        R most = -1;
        int row = S, column = S;
#pragma unroll
        for (int i = S; i < N; i++)
#pragma unroll
            for (int j = S; j < N; j++) {
                const bool more = fabs(M[i][j]) > most;
                most = more ? fabs(M[i][j]) : most, row = more ? i : row, column = more ? j : column;
            }
#pragma unroll
        for (int i = S + 1; i < N; i++) {
#pragma unroll
            for (int j = S; j < N; j++) swap_if(i == row, M[S][j], M[i][j]);
            swap_if(i == row, b[S], b[i]);
        }
#pragma unroll
        for (int j = S + 1; j < N; j++)
#pragma unroll
            for (int i = S; i < N; i++) swap_if(j == column, M[i][S], M[i][j]);
        if (fabs(M[S][S]) < lim.least) M[S][S] = lim.least, o.moved = true;
        const R by = 1 / M[S][S];
#pragma unroll
        for (int i = S + 1; i < N; i++) {
            const R f = M[i][S] * by;
            b[i] = fma(-f, b[S], b[i]);
#pragma unroll
            for (int j = S + 1; j < N; j++) M[i][j] = fma(-f, M[S][j], M[i][j]);
        }
        eliminate<S + 1>(M, b, lim, o); /* what follows S, in the order of columns that is left here */
#pragma unroll
        for (int j = S + 1; j < N; j++) b[S] = fma(-M[S][j], b[j], b[S]);
        if (lim.overflows(N * fabs(b[S]), fabs(M[S][S]))) o.overflows = true;
        b[S] *= by;
#pragma unroll
        for (int j = S + 1; j < N; j++) swap_if(j == column, b[S], b[j]);
    }
}

/* v := X for C = v; two: A is of order 2, wide: B is. Both have the leading dimension LD. */
template <class T, int LD>
__device__ __forceinline__ void solve_small(const T *A, const T *B, bool two, bool wide, T (&v)[2][2],
                                            const limits<real_t<T>> &lim, outcome &o)
{
    using R = real_t<T>;
    if (!two && !wide) {
        T d = add(A[0], B[0]);
        if (size(d) <= lim.least) d = make<T>(lim.least), o.moved = true;
        if (lim.overflows(size(v[0][0]), size(d))) o.overflows = true;
        if constexpr (is_complex<T>) v[0][0] = mul(v[0][0], inverse(d));
        else v[0][0] /= d;
        return;
    }
    if constexpr (!is_complex<T>) {
        if (two && wide) { /* unknowns x11 x21 x12 x22 */
            R M[4][4] = {{A[0] + B[0], A[LD], B[1], 0},
                         {A[1], A[LD + 1] + B[0], 0, B[1]},
                         {B[LD], 0, A[0] + B[LD + 1], A[LD]},
                         {0, B[LD], A[1], A[LD + 1] + B[LD + 1]}};
            R b[4] = {v[0][0], v[1][0], v[0][1], v[1][1]};
            eliminate<0>(M, b, lim, o);
            v[0][0] = b[0], v[1][0] = b[1], v[0][1] = b[2], v[1][1] = b[3];
        } else if (two) {
            R M[2][2] = {{A[0] + B[0], A[LD]}, {A[1], A[LD + 1] + B[0]}}, b[2] = {v[0][0], v[1][0]};
            eliminate<0>(M, b, lim, o);
            v[0][0] = b[0], v[1][0] = b[1];
        } else {
            R M[2][2] = {{A[0] + B[0], B[1]}, {B[LD], A[0] + B[LD + 1]}}, b[2] = {v[0][0], v[0][1]};
            eliminate<0>(M, b, lim, o);
            v[0][0] = b[0], v[0][1] = b[1];
        }
    }
}

} // namespace syl
} // namespace tsl
#endif
