/* A Hermitian matrix in shared memory, all of it, to tridiagonal form by reflectors, one column after the other. */
#ifndef TSL_CUDA_BATCH_SPECTRA_TRIDIAGONAL_CUH
#define TSL_CUDA_BATCH_SPECTRA_TRIDIAGONAL_CUH

#include "kernel/cuda/batch/spectra/group.cuh"

namespace tsl::spectra {

constexpr int SLICES = 4; /* at most */

/* Rows side by side, and slices of columns */
template <class G> struct tiling {
    int width, slices, row, slice;
    __device__ tiling(const G &g, int n)
    {
        const int full = (n + 31) / 32 * 32;
        width = g.size < full ? g.size : full, slices = g.size / width < SLICES ? g.size / width : SLICES;
        row = g.rank % width, slice = g.rank / width;
    }
};

/* A reflector I - tau (1; v)(1; v)^H takes the column (alpha; x) to (beta; 0), v = x / (alpha - beta). */
template <class T> struct reflector {
    T tau, factor; /* 1 / (alpha - beta) */
    real_t<T> beta;
};

/* xx: the sum of squares of x */
template <class T> __device__ reflector<T> reflector_of(T alpha, real_t<T> xx)
{
    using R = real_t<T>;
    const R all = xx + square(alpha);
    const bool is_real = is_zero(add(alpha, make<T>(-re(alpha))));
    if (all < NO_SQUARE<R> || (xx < NO_SQUARE<R> && is_real)) return {make<T>(0), make<T>(0), re(alpha)};
    const R size = sqrt(all), beta = re(alpha) > 0 ? -size : size;
    if constexpr (is_complex<T>)
        return {T{(beta - alpha.re) / beta, -alpha.im / beta}, inverse(T{alpha.re - beta, alpha.im}), beta};
    else
        return {(beta - alpha) / beta, 1 / (alpha - beta), beta};
}

/* Room in shared memory for a problem of order n */
template <class T> struct eig_room {
    using R = real_t<T>;
    T *A, *v, *y, *tau, *sums; /* n x ld; n each; SLICES n */
    R *d, *e, *c, *s;          /* n each; 2 n */
    int *place, *word;         /* n; 8 */
    int ld;

    static __host__ __device__ int leading(int n) { return n | 1; }
    static __host__ __device__ size_t bytes(int n)
    {
        const size_t k = (size_t)n, columns = leading(n) + 3 + SLICES;
        const size_t b = k * columns * sizeof(T) + 6 * k * sizeof(R) + (k + 8) * sizeof(int);
        return (b + 15) / 16 * 16;
    }
    __device__ eig_room(void *room, int n) : A((T *)room), ld(leading(n))
    {
        v = A + n * ld, y = v + n, tau = y + n, sums = tau + n;
        d = (R *)(sums + SLICES * n), e = d + n, c = e + n, s = c + 2 * n;
        place = (int *)(s + 2 * n), word = place + n;
    }
};

/* d and e := the tridiagonal matrix T = Q^H A Q; the reflectors of Q are below A's subdiagonal, and in tau. All of A is
 * used. */
template <class G, class T> __device__ void reduce(const G &g, const eig_room<T> &q, int n)
{
    using R = real_t<T>;
    const int ld = q.ld;
    const tiling<G> t(g, n);
    for (int k = 0; k < n - 1; k++) {
        T *column = q.A + k * ld;
        const T alpha = column[k + 1];
        R xx = 0;
        for (int i = k + 1 + g.rank; i < n; i += g.size) xx += i > k + 1 ? square(column[i]) : R(0);
        const reflector<T> h = reflector_of(alpha, g.sum(xx));
        for (int i = k + 1 + g.rank; i < n; i += g.size) {
            const T x = i == k + 1 ? make<T>(1) : mul(column[i], h.factor);
            q.v[i] = x;
            if (i > k + 1) column[i] = x;
        }
        if (g.rank == 0) q.d[k] = re(column[k]), q.e[k] = h.beta, q.tau[k] = h.tau;
        g.sync();
        if (is_zero(h.tau)) continue;
        if (t.slice < t.slices)
            for (int i = k + 1 + t.row; i < n; i += t.width) {
                T sum = make<T>(0);
                for (int j = k + 1 + t.slice; j < n; j += t.slices) sum = add_mul(sum, q.A[i + j * ld], q.v[j]);
                q.sums[t.slice * n + i] = sum;
            }
        g.sync();
        T product = make<T>(0); /* y^H v of y = tau A v */
        for (int i = k + 1 + g.rank; i < n; i += g.size) {
            T sum = q.sums[i];
            for (int l = 1; l < t.slices; l++) sum = add(sum, q.sums[l * n + i]);
            q.y[i] = mul(h.tau, sum);
            product = add_mul<true>(product, q.y[i], q.v[i]);
        }
        const T half = scale(mul(h.tau, sum_of(g, product)), R(-0.5));
        for (int i = k + 1 + g.rank; i < n; i += g.size) q.y[i] = add_mul(q.y[i], half, q.v[i]);
        g.sync();
        if (t.slice < t.slices)
            for (int i = k + 1 + t.row; i < n; i += t.width) {
                const T v = q.v[i], y = q.y[i];
                for (int j = k + 1 + t.slice; j < n; j += t.slices)
                    q.A[i + j * ld] = sub_mul<true>(sub_mul<true>(q.A[i + j * ld], v, q.y[j]), y, q.v[j]);
            }
        g.sync();
    }
    if (g.rank == 0) q.d[n - 1] = re(q.A[(n - 1) * (ld + 1)]), q.e[n - 1] = 0;
    g.sync();
}

/* A := Q, the product of the reflectors, the last one first: what it has been applied to grows by a row and a column. */
template <class G, class T> __device__ void form_q(const G &g, const eig_room<T> &q, int n)
{
    const int ld = q.ld;
    const tiling<G> t(g, n);
    if (g.rank == 0) q.A[(n - 1) * (ld + 1)] = make<T>(1);
    for (int k = n - 2; k >= 0; k--) {
        const T tau = q.tau[k];
        for (int i = k + g.rank; i < n; i += g.size) {
            T *a = q.A + i + k * ld;
            q.v[i] = i == k + 1 ? make<T>(1) : *a;
            *a = make<T>(i == k);
            if (i > k) q.A[k + i * ld] = make<T>(0);
        }
        g.sync();
        if (is_zero(tau)) continue;
        if (t.slice < t.slices)
            for (int j = k + 1 + t.row; j < n; j += t.width) {
                T sum = make<T>(0);
                for (int i = k + 1 + t.slice; i < n; i += t.slices) sum = add_mul<true>(sum, q.v[i], q.A[i + j * ld]);
                q.sums[t.slice * n + j] = sum;
            }
        g.sync();
        for (int j = k + 1 + g.rank; j < n; j += g.size) {
            T sum = q.sums[j];
            for (int l = 1; l < t.slices; l++) sum = add(sum, q.sums[l * n + j]);
            q.y[j] = mul(tau, sum);
        }
        g.sync();
        if (t.slice < t.slices)
            for (int i = k + 1 + t.row; i < n; i += t.width) {
                const T v = q.v[i];
                for (int j = k + 1 + t.slice; j < n; j += t.slices)
                    q.A[i + j * ld] = sub_mul<false>(q.A[i + j * ld], v, q.y[j]);
            }
        g.sync();
    }
    g.sync();
}

} // namespace tsl::spectra
#endif
