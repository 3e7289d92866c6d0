/* Divide and conquer for the real symmetric tridiagonal matrix T: what its kernels share.
 *
 * T, scaled to norm 1 or less, is cut into 2^levels leaves. At each cut e the two diagonal elements beside it lose |e|, so that
 *   T = diag(T1, T2) + |e| u u^T,   u = (0 .. 0 1 sign(e) 0 .. 0)^T.
 * A level merges neighbours, all of them in each launch. With T1 = Q1 D1 Q1^T and T2 = Q2 D2 Q2^T a merge is the eigenproblem
 *   of
 *   D + rho z z^T,   z = (last row of Q1, sign(e) first row of Q2) / sqrt(2),   rho = 2 |e|:
 *   deflate   D sorted; components of z that are small, and poles that are close, take no part; k poles are left
 *   secular   the k roots of 1/rho + sum z_i^2 / (d_i - lambda): each as a pole, its origin, and the distance mu from there
 *   weights   z such that the roots are exact (Gu and Eisenstat): the vectors z_i / (d_i - lambda_j) are then orthogonal
 *   place     the order of roots and deflated values together
 * With vectors: gather (Q's columns in the order of the products), vectors (S), products and scatter (Q's columns in ascending
 * order). Values alone need only the first and the last row of each Q: rows. Vectors of length n are cut as T is: those of a
 * merge begin at its first row. */
#ifndef TSL_CUDA_DC_CUH
#define TSL_CUDA_DC_CUH

#include "kernel/cuda/launch.cuh"
#include "kernel/cuda/scalar.cuh"

namespace tsl {
namespace dc {

constexpr int LEAF = 32, LANES = 32;

/* Rows of a merge: two halves. Their matrix has rows and columns from 0 on; vectors of all matrices are behind each other. */
struct merge {
    int64_t start, mid;
    int len, top;        /* rows of both, and of the first */
    int64_t matrix, row; /* whose rows they are; `start` among those */
};

/* `matrices` problems of order n, all cut alike */
struct tree {
    int64_t n;
    int levels;
    int64_t matrices;

    __host__ __device__ int64_t matrix(int level, int64_t i) const { return i >> (levels - level); }
    __host__ __device__ int64_t each(int level) const { return (int64_t)1 << (levels - level); } /* problems of a matrix */
    __host__ __device__ int64_t count(int level) const { return matrices << (levels - level); }
    __host__ __device__ int64_t longest(int level) const { return (n + each(level) - 1) / each(level); }
    /* First row, of all, of the i-th problem of a level; the leaves are level 0 */
    __host__ __device__ int64_t start(int level, int64_t i) const
    {
        const int64_t own = matrix(level, i);
        return n * own + (n * ((i - own * each(level)) << level) >> levels);
    }

    __host__ __device__ merge of(int level, int64_t i) const
    {
        const int64_t from = start(level, i), mid = start(level - 1, 2 * i + 1), to = start(level, i + 1);
        const int64_t own = matrix(level, i);
        return {from, mid, (int)(to - from), (int)(mid - from), own, from - own * n};
    }
};

inline tree tree_of(int64_t n, int64_t matrices = 1)
{
    tree t = {n, 0, matrices};
    while (t.longest(0) > LEAF) t.levels++;
    return t;
}

/* Of a merge: poles that are left; of these, those of Q1 alone, and those of Q1 and Q2 by a rotation; rotations; roots that are
 * wanted */
struct counts {
    int k, ones, twos, rotations;
    int from, to;
};

/* Of a matrix */
struct summary {
    int exponent; /* T was divided by 2 to this */
    int bad;      /* T has NaN or Inf */
    int failed;   /* an iteration has not converged */
};

/* Columns p and q of Q become c p + s q and c q - s p. */
template <class R> struct rotation {
    int p, q;
    R c, s;
};

/* Vectors of length n, for each matrix, but for the first lines. Q has n rows; the columns of all matrices are side by side. */
template <class R> struct state {
    tree t;
    summary *sum;
    counts *count;  /* of the merges of a level */
    R *d, *e;       /* eigenvalues of the problems so far, ascending in each; beside the diagonal of T, n - 1, the last not used */
    R *sorted, *z;  /* D in ascending order, and z with it */
    R *pole, *weight; /* those that are left, and z with them */
    R *base, *mu;     /* of a root: lambda = base + mu */
    R *value;         /* k roots, then values deflated */
    R *slot_pole, *slot_weight; /* poles in the order of the products, z by Gu and Eisenstat with them */
    R *first, *last;       /* rows of each Q; NULL: Q is there */
    R *slot_first, *slot_last; /* in the order of the products */
    rotation<R> *turn;
    int *column, *list, *hit; /* by place in sorted: its column of Q; places that are left; those among them that may be close to the one before */
    int *kind;                /* by place: DEAD, ONE, TWO or THREE */
    int *slot;                /* by pole that is left */
    int *source, *target;     /* by slot, deflated ones after those that are left: its column of Q before and after the merge */
    R *Q;
    int64_t ldq;
};

enum { DEAD, ONE, TWO, THREE };

template <class R> constexpr R EPS = std::numeric_limits<R>::epsilon() / 2;

template <class T> __device__ T largest(T a, T b) { return a > b ? a : b; }
template <class T> __device__ T smallest(T a, T b) { return a < b ? a : b; }

/* 1/x of a normal x to about an ulp, without a branch: with e = 1 - x y the step y (1 + e + e^2) leaves an error of e^3. */
__device__ inline double reciprocal(double x)
{
    double y;
    asm("rcp.approx.ftz.f64 %0, %1;" : "=d"(y) : "d"(x));
    const double e = fma(-x, y, 1.0);
    return fma(y, fma(e, e, e), y);
}
__device__ inline float reciprocal(float x) { return 1 / x; }

/* sqrt(a^2 + b^2), of numbers whose squares may vanish */
template <class R> __device__ R radius(R a, R b)
{
    constexpr R small = sizeof(R) == 8 ? R(0x1p-400) : R(0x1p-40), up = 1 / small;
    const R most = largest(fabs(a), fabs(b));
    if (most >= small) return sqrt(a * a + b * b);
    a *= up, b *= up;
    return sqrt(a * a + b * b) * small;
}

} // namespace dc
} // namespace tsl
#endif
