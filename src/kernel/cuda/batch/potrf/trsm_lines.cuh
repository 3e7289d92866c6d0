/* A batch of triangular solves in one form: x M^T = x for every line x, M lower, no conjugation.
 *   left   op(A) X = alpha B: lines are B's columns, M = op(A)
 *   right  X op(A) = alpha B: lines are B's rows, M = op(A)^T
 * The transposition is in M's strides. If M is upper, counting its rows, its columns and the lines' entries from the end makes
 * it lower: negative strides. conj(M) is solved on conj(x). */
#ifndef TSL_CUDA_BATCH_TRSM_LINES_CUH
#define TSL_CUDA_BATCH_TRSM_LINES_CUH

#include "kernel/cuda/batch/batch.cuh"
#include "kernel/cuda/tile.cuh"

namespace tsl {
namespace {

template <class T> struct lines {
    Batch<const T> A;
    Batch<T> B;
    int64_t a0, si, sj; /* M(i,j) of a problem: a0 + i si + j sj from its A */
    int64_t b0, sk, sl; /* entry k of line l: b0 + k sk + l sl from its B */
    int64_t count, lines;
    int order, parts; /* parts: the lines of a problem are shared by so many groups or CTAs */
    bool unit, conjugate, scaled; /* scaled: alpha is not 1 */
    T alpha;
    const int64_t *skip; /* problems with a number other than 0 stay as they are; NULL: none */

    __device__ bool has(int64_t i) const { return i < count && !(skip && skip[i] != 0); }
    __device__ block<const T> triangle(int64_t i, bool in) const { return {in ? A.at(i) + a0 : nullptr, si, sj, in ? order : 0, order}; }
    __device__ T leave(T x) const { return conjugate ? conj(x) : x; }
    __device__ T enter(T x) const { return leave(scaled ? mul(alpha, x) : x); }
};

template <class T> bool is_real(T a, real_t<T> r)
{
    if constexpr (is_complex<T>)
        return a.re == r && a.im == 0;
    else
        return a == r;
}

template <class T>
lines<T> lines_of(tsl_side side, tsl_uplo uplo, tsl_op op, tsl_diag diag, int64_t m, int64_t n, T alpha, Batch<const T> A, Batch<T> B,
                  int64_t count, const int64_t *skip)
{
    const bool left = side == TSL_LEFT, rows_run = left != ((op & TSL_TRANS) != 0); /* M(i,j) = A(i,j), else A(j,i) */
    lines<T> p = {};
    p.A = A;
    p.B = B;
    p.si = rows_run ? 1 : A.ld;
    p.sj = rows_run ? A.ld : 1;
    p.sk = left ? 1 : B.ld;
    p.sl = left ? B.ld : 1;
    p.count = count;
    p.lines = left ? n : m;
    p.order = (int)(left ? m : n);
    p.parts = 1;
    p.unit = diag == TSL_UNIT;
    p.conjugate = is_complex<T> && (op & TSL_CONJ);
    p.scaled = !is_real(alpha, 1);
    p.alpha = alpha;
    p.skip = skip;
    if ((uplo == TSL_LOWER) != rows_run) { /* M is upper */
        p.a0 = (p.order - 1) * (p.si + p.sj);
        p.b0 = (p.order - 1) * p.sk;
        p.si = -p.si;
        p.sj = -p.sj;
        p.sk = -p.sk;
    }
    return p;
}

/* b / d as (b inv) scale: scale is 1 but where 1/d would overflow or lose bits, and there a power of two that prevents it.
 * Zero, Inf and NaN go through as they do in a division. */
template <class T> struct divisor {
    T inv;
    real_t<T> power;

    __device__ T operator()(T b) const { return scale(mul(b, inv), power); }
};

template <class T> __device__ divisor<T> make_divisor(T d)
{
    using R = real_t<T>;
    constexpr bool wide = sizeof(R) == 8;
    constexpr R tiny = wide ? 0x1p-1000 : 0x1p-100, huge = wide ? 0x1p1000 : 0x1p100, step = wide ? 0x1p100 : 0x1p50;
    const R m = magnitude(d), s = m < tiny ? step : m > huge ? 1 / step : R(1);
    return {inverse(scale(d, s)), s};
}

} // namespace
} // namespace tsl
#endif
