/* Singular values by one-sided Jacobi (Hestenes): pairs of columns are rotated until all are orthogonal. Then their lengths are
 * the singular values. */
#ifndef TSL_CUDA_BATCH_SPECTRA_JACOBI_CUH
#define TSL_CUDA_BATCH_SPECTRA_JACOBI_CUH

#include "kernel/cuda/batch/spectra/group.cuh"

namespace tsl::spectra {

/* Room in shared memory for W, rows x n with rows >= n, V, n x n, if it is wanted, and lengths; W or V may be
 * elsewhere. */
template <class T> struct svd_room {
    using R = real_t<T>;
    T *W, *V;
    R *length;  /* n */
    int *place; /* n */
    int ldw, ldv;

    static __host__ __device__ size_t bytes(int rows, int n, bool has_V)
    {
        const size_t k = (size_t)n, elements = k * ((rows | 1) + (has_V ? n | 1 : 0));
        return (elements * sizeof(T) + k * (sizeof(R) + sizeof(int)) + 15) / 16 * 16;
    }
    static __host__ __device__ size_t bytes_beside(int n) { return ((size_t)n * (sizeof(R) + sizeof(int)) + 15) / 16 * 16; }
    __device__ svd_room(void *room, int n, T *matrix, int leading) : W(matrix), V(nullptr), ldw(leading), ldv(n | 1)
    {
        length = (R *)room, place = (int *)(length + n);
    }
    __device__ svd_room(void *room, int rows, int n, T *vectors) : svd_room(room, rows, n, false) { V = vectors, ldv = n; }
    __device__ svd_room(void *room, int rows, int n, bool has_V) : ldw(rows | 1), ldv(n | 1)
    {
        W = (T *)room, V = has_V ? W + n * ldw : nullptr;
        length = (R *)(W + n * (ldw + (has_V ? ldv : 0))), place = (int *)(length + n);
    }
};

/* At most; nine are usual for 32 columns, twelve for 128. The last ones content themselves with less. */
constexpr int SWEEPS = 40, STRICT_SWEEPS = 16;

/* |a| */
template <class T> __device__ real_t<T> size_of(T a)
{
    if constexpr (is_complex<T>)
        return hypot(a.re, a.im);
    else
        return fabs(a);
}

/* (x, y) := (c x - s u y, s x + c u y), |u| = 1, with c = 1 - s t, t = s / (1 + c): of a small angle c has no rounding error
 * then, and lengths last. */
template <class T> struct rotation {
    real_t<T> s, t;
    T u;

    __device__ void operator()(T *x, T *y) const
    {
        const T a = *x, b = mul(u, *y);
        *x = add_scaled(a, -s, add_scaled(b, t, a)), *y = add_scaled(b, s, add_scaled(a, -t, b));
    }
};

/* Makes columns a and b orthogonal, unless they are. A part of the group calls. */
template <class G, class T>
__device__ bool turn(const G &g, const svd_room<T> &q, int a, int b, int rows, int n, real_t<T> tolerance)
{
    using R = real_t<T>;
    const int lane = g.rank % G::PART;
    T *x = q.W + a * q.ldw, *y = q.W + b * q.ldw;
    R xx = 0, yy = 0;
    T xy = make<T>(0);
    for (int i = lane; i < rows; i += G::PART) {
        xx += square(x[i]), yy += square(y[i]), xy = add_mul<true>(xy, x[i], y[i]);
    }
    xx = g.part_sum(xx), yy = g.part_sum(yy), xy = part_sum_of(g, xy);
    const R size = size_of(xy);
    if (xx < NO_SQUARE<R> || yy < NO_SQUARE<R> || size <= tolerance * sqrt(xx) * sqrt(yy)) return false;
    const R zeta = (yy - xx) / (2 * size), t = copysign(1 / (fabs(zeta) + sqrt(fma(zeta, zeta, R(1)))), zeta);
    const R c = inv_sqrt(fma(t, t, R(1)));
    const rotation<T> rotate = {c * t, c * t / (1 + c), scale(conj(xy), 1 / size)};
    for (int i = lane; i < rows; i += G::PART) rotate(x + i, y + i);
    for (int i = lane; q.V && i < n; i += G::PART) rotate(q.V + a * q.ldv + i, q.V + b * q.ldv + i);
    return true;
}

/* The t-th pair of step k of a round of even - 1 steps, in which each of the columns meets all others once */
__device__ inline void pair_of(int even, int k, int t, int *p, int *q)
{
    const int turns = even - 1, a = t == 0 ? turns : (k + t) % turns, b = t == 0 ? k : (k - t + turns) % turns;
    *p = a < b ? a : b, *q = a < b ? b : a;
}

/* W := W V with orthogonal columns. Did it converge? */
template <class G, class T> __device__ bool orthogonalize(const G &g, const svd_room<T> &q, int rows, int n)
{
    using R = real_t<T>;
    const int even = n + n % 2;
    for (int sweep = 0; sweep < SWEEPS; sweep++) {
        const R tolerance = EPSILON<R> * (sweep < STRICT_SWEEPS ? R(1) : fmax(R(4), sqrt((R)rows)));
        bool turned = false;
        for (int k = 0; k < even - 1; k++) {
            for (int t = g.rank / G::PART; t < even / 2; t += g.size / G::PART) {
                int a, b;
                pair_of(even, k, t, &a, &b);
                if (b >= n) continue;
                turned |= turn(g, q, a, b, rows, n, tolerance);
            }
            g.sync();
        }
        if (g.most(turned ? R(1) : R(0)) == 0) return true;
    }
    return false;
}

/* Columns of no length become unit vectors, orthogonal to all others: what is left of the row that those reach least. */
template <class G, class T> __device__ void complete(const G &g, const svd_room<T> &q, int rows, int n)
{
    using R = real_t<T>;
    for (int j = 0; j < n; j++) {
        if (q.length[j] > 0) continue;
        T *x = q.W + j * q.ldw;
        R most = 0, own = -1;
        int row = 0;
        for (int i = g.rank; i < rows; i += g.size) {
            R left = 1;
            for (int l = 0; l < n; l++)
                if (l < j || q.length[l] > 0) left -= square(q.W[i + l * q.ldw]);
            if (left > own) own = left, row = i;
        }
        most = g.most(fmax(own, R(0)));
        const int first = rows - (int)g.most(own == most ? (R)(rows - row) : R(0)); /* the first row of those */
        for (int i = g.rank; i < rows; i += g.size) x[i] = make<T>(i == first);
        for (int l = 0; l < 2 * n; l++) { /* twice is enough */
            const T *y = q.W + l % n * q.ldw;
            if (l % n >= j && q.length[l % n] == 0) continue;
            T sum = make<T>(0);
            for (int i = g.rank; i < rows; i += g.size) sum = add_mul<true>(sum, y[i], x[i]);
            sum = sum_of(g, sum);
            for (int i = g.rank; i < rows; i += g.size) x[i] = sub_mul<false>(x[i], y[i], sum);
        }
        R xx = 0;
        for (int i = g.rank; i < rows; i += g.size) xx += square(x[i]);
        const R factor = 1 / sqrt(g.sum(xx));
        for (int i = g.rank; i < rows; i += g.size) x[i] = scale(x[i], factor);
        g.sync();
    }
}

} // namespace tsl::spectra
#endif
