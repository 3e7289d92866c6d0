/* A X + X B = C with A and B of order 1 or 2: of order 2, with a general matrix of order 2 or 4 by elimination with complete pivoting. As LAPACK's, pivots below a limit are
 * moved there; a solution that would overflow is told, not scaled. */
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

template <class R> __device__ void swap(R &a, R &b)
{
    const R t = a;
    a = b, b = t;
}

/* b := inv(M) b. Indices are known when this is compiled, so that all is in registers. */
template <class R, int N> __device__ void eliminate(R (&M)[N][N], R (&b)[N], const limits<R> &lim, outcome &o)
{
    int column[N];
#pragma unroll
    for (int s = 0; s < N; s++) {
        R most = -1;
        int row = s;
        column[s] = s;
#pragma unroll
        for (int i = s; i < N; i++)
#pragma unroll
            for (int j = s; j < N; j++)
                if (fabs(M[i][j]) > most) most = fabs(M[i][j]), row = i, column[s] = j;
#pragma unroll
        for (int i = s + 1; i < N; i++)
            if (i == row) {
#pragma unroll
                for (int j = 0; j < N; j++) swap(M[s][j], M[i][j]);
                swap(b[s], b[i]);
            }
#pragma unroll
        for (int j = s + 1; j < N; j++)
            if (j == column[s]) {
#pragma unroll
                for (int i = 0; i < N; i++) swap(M[i][s], M[i][j]);
            }
        if (fabs(M[s][s]) < lim.least) M[s][s] = lim.least, o.moved = true;
#pragma unroll
        for (int i = s + 1; i < N; i++) {
            const R f = M[i][s] / M[s][s];
            b[i] = fma(-f, b[s], b[i]);
#pragma unroll
            for (int j = s + 1; j < N; j++) M[i][j] = fma(-f, M[s][j], M[i][j]);
        }
    }
#pragma unroll
    for (int s = N - 1; s >= 0; s--) {
#pragma unroll
        for (int j = s + 1; j < N; j++) b[s] = fma(-M[s][j], b[j], b[s]);
        if (lim.overflows(N * fabs(b[s]), fabs(M[s][s]))) o.overflows = true;
        b[s] /= M[s][s];
    }
#pragma unroll
    for (int s = N - 1; s >= 0; s--)
#pragma unroll
        for (int j = s + 1; j < N; j++)
            if (j == column[s]) swap(b[s], b[j]);
}

/* v := X for C = v; two: A is of order 2, wide: B is. Both have the leading dimension LD. */
template <class T, int LD> __device__ void solve_small(const T *A, const T *B, bool two, bool wide, T (&v)[2][2], const limits<real_t<T>> &lim, outcome &o)
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
            R M[4][4] = {{A[0] + B[0], A[LD], B[1], 0}, {A[1], A[LD + 1] + B[0], 0, B[1]}, {B[LD], 0, A[0] + B[LD + 1], A[LD]}, {0, B[LD], A[1], A[LD + 1] + B[LD + 1]}};
            R b[4] = {v[0][0], v[1][0], v[0][1], v[1][1]};
            eliminate(M, b, lim, o);
            v[0][0] = b[0], v[1][0] = b[1], v[0][1] = b[2], v[1][1] = b[3];
        } else if (two) {
            R M[2][2] = {{A[0] + B[0], A[LD]}, {A[1], A[LD + 1] + B[0]}}, b[2] = {v[0][0], v[1][0]};
            eliminate(M, b, lim, o);
            v[0][0] = b[0], v[1][0] = b[1];
        } else {
            R M[2][2] = {{A[0] + B[0], B[1]}, {B[LD], A[0] + B[LD + 1]}}, b[2] = {v[0][0], v[0][1]};
            eliminate(M, b, lim, o);
            v[0][0] = b[0], v[0][1] = b[1];
        }
    }
}

} // namespace syl
} // namespace tsl
#endif
