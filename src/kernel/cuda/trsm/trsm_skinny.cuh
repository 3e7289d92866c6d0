/* What the two kernels of the skinny triangular solve share: the canonical problem, block layouts, arithmetic in double.
 *
 * Every variant is M x = b for lines x, M lower, no conjugation:
 *   left   op(A) X = alpha B: lines are B's columns, M = op(A)
 *   right  X op(A) = alpha B: lines are B's rows, M = op(A)^T
 * Transposition is in M's strides; an upper M is lower when counted from the end (negative strides); conj(M) x = b is
 * M conj(x) = conj(b). All types are computed in double on the tensor cores, whose rate for double is that of the FMA pipes for
 * float: one code, and float results are correctly rounded but for the conditioning. A single real line has a kernel of its
 * own, in double too. */
#ifndef TSL_CUDA_TRSM_SKINNY_CUH
#define TSL_CUDA_TRSM_SKINNY_CUH

#include "kernel/cuda/trsm/trsm_skinny_ptx.cuh"

namespace tsl {
namespace skinny {

template <class T> constexpr int PLANES = is_complex<T> ? 2 : 1; /* planes of real and of imaginary parts */

template <int PL> struct in_double {
    using type = double;
};
template <> struct in_double<2> {
    using type = cplx<double>;
};
template <int PL> using wide = typename in_double<PL>::type; /* an element, in double */

template <class T> __host__ __device__ wide<PLANES<T>> widen(T a)
{
    if constexpr (is_complex<T>)
        return {a.re, a.im};
    else
        return a;
}
template <class T> __device__ T narrow(wide<PLANES<T>> a)
{
    using R = real_t<T>;
    if constexpr (is_complex<T>)
        return {(R)a.re, (R)a.im};
    else
        return (R)a;
}

/* The real or the imaginary part. */
__device__ inline double &part(double &a, int) { return a; }
__device__ inline double &part(cplx<double> &a, int pl) { return pl ? a.im : a.re; }
__device__ inline double part(const double &a, int) { return a; }
__device__ inline double part(const cplx<double> &a, int pl) { return pl ? a.im : a.re; }

/* b / a; complex by Smith's method, which overflows only if the quotient does */
__device__ inline double divide(double b, double a) { return b / a; }
__device__ inline cplx<double> divide(cplx<double> b, cplx<double> a)
{
    const bool flat = fabs(a.re) >= fabs(a.im);
    const double big = flat ? a.re : a.im, small = flat ? a.im : a.re, t = small / big, d = fma(small, t, big);
    return flat ? cplx<double>{fma(b.im, t, b.re) / d, fma(-b.re, t, b.im) / d}
                : cplx<double>{fma(b.re, t, b.im) / d, fma(b.im, t, -b.re) / d};
}

/* Biased exponent; 2047 for Inf and NaN. */
__device__ inline int exponent(double a) { return (__double2hiint(a) >> 20) & 0x7ff; }
__device__ inline bool finite(double a) { return exponent(a) != 0x7ff; }

template <class T> struct problem {
    const T *A;
    T *B;
    int64_t si, sj; /* M(i,j) = A[i*si + j*sj] */
    int64_t sk, sl; /* entry k of line l = B[k*sk + l*sl] */
    int n, lines;
    bool unit, conjugate, scaled;
    wide<PLANES<T>> alpha;
};

/* Layouts for blocks of order NB = 16 W and groups of 8 NT lines, in the order in which mma16's operands are held by lanes, so
 * that they move 16 bytes at a time without bank conflicts. (s) is a step of 16 in the summation index.
 *   left operands: inv(M_ii), of which warp w needs the steps 0..w, then -inv(M_ii) M_{i,i-1}; an array of double2 with (w, s,
 *     plane, q, lane) = (row 16w + g, row 16w + g + 8) of column 16s + t + 4q
 *   right operands: X_i; an array of double2 with (s, 8-column tile, plane, h, lane) = rows 16s + t + 8h, + 4 of column g */
template <int PL, int W> struct left_layout {
    static constexpr int STEP = PL * 128, INVERSE = W * (W + 1) / 2 * STEP, TOTAL = INVERSE + W * W * STEP;
    __host__ __device__ static constexpr int inverse(int w, int s) { return (w * (w + 1) / 2 + s) * STEP; }
    __host__ __device__ static constexpr int coupling(int w, int s) { return INVERSE + (w * W + s) * STEP; }
    /* The double at row r, column k. */
    __host__ __device__ static constexpr int inverse(int r, int k, int plane)
    {
        return 2 * (inverse(r / 16, k / 16) + plane * 128) + inside(r % 16, k % 16);
    }
    __host__ __device__ static constexpr int coupling(int r, int k, int plane)
    {
        return 2 * (coupling(r / 16, k / 16) + plane * 128) + inside(r % 16, k % 16);
    }
    __host__ __device__ static constexpr int inside(int r, int k) { return (k / 4 * 32 + r % 8 * 4 + k % 4) * 2 + r / 8; }
};

/* The same operands for a single line, of a real type, row by row. */
template <int W> struct line_layout {
    static constexpr int NB = 16 * W, TOTAL = NB * NB; /* double2 */
    __host__ __device__ static constexpr int inverse(int r, int k, int) { return r * NB + k; }
    __host__ __device__ static constexpr int coupling(int r, int k, int) { return NB * NB + r * NB + k; }
};

template <int PL, int W, int NT> struct right_layout {
    static constexpr int TOTAL = W * NT * PL * 64; /* double2 */
    /* The double at row k, column c. */
    __host__ __device__ static constexpr int at(int k, int c, int plane)
    {
        const int q = k % 16 / 4, lane = c % 8 * 4 + k % 4;
        return ((((k / 16 * NT + c / 8) * PL + plane) * 2 + q / 2) * 32 + lane) * 2 + q % 2;
    }
    /* The same for element e of an mma result in row tile w and column tile nt: at(16w + g + e/2*8, 8nt + 2t + e%2, plane). */
    __host__ __device__ static constexpr int base(int w, int g, int t) { return w * NT * PL * 128 + t * 16 + g % 4 * 2 + g / 4; }
    __host__ __device__ static constexpr int own(int nt, int plane, int e)
    {
        return (nt * PL + plane) * 128 + e / 2 * 64 + e % 2 * 8;
    }
};

/* Device memory of one solve. X is an exchange buffer whose words say themselves whether they have been written: they start
 * as EMPTY, a NaN that the solve never stores. So a reader needs no flag, no fence and no second trip to L2. */
struct workspace {
    double2 *left;      /* left_layout or line_layout, a block each */
    double2 *x;         /* right_layout, (block, group) each */
    int64_t words;      /* of x */
    int *careful;       /* (block, slice): the inverse is not to be used */
    int *ticket;
    int blocks, groups, slices;
    int patience;       /* see await() */
};

constexpr unsigned long long EMPTY = ~0ull;

__device__ inline void publish(double *to, double v)
{
    if ((unsigned long long)__double_as_longlong(v) == EMPTY) v = __longlong_as_double(0x7ff8000000000000ll);
    store_relaxed(to, v);
}

} // namespace skinny
} // namespace tsl
#endif
