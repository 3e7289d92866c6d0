/* Singular values alone: a matrix in shared memory to bidiagonal form by reflectors from both sides, then bisection on the
 * tridiagonal matrix whose eigenvalues are the singular values and their negatives (Golub and Kahan). */
#ifndef TSL_CUDA_BATCH_SPECTRA_BIDIAGONAL_CUH
#define TSL_CUDA_BATCH_SPECTRA_BIDIAGONAL_CUH

#include "kernel/cuda/batch/spectra/jacobi.cuh"
#include "kernel/cuda/batch/spectra/ql.cuh"

namespace tsl::spectra {

/* Room beside that of the matrix, rows x n with rows >= n */
template <class T> struct bidiagonal_room {
    using R = real_t<T>;
    T *v, *y, *sums;    /* rows each; SLICES rows */
    R *zero, *beside, *squares; /* 2 n each */

    static __host__ __device__ size_t bytes(int rows, int n)
    {
        const size_t b = (2 + SLICES) * (size_t)rows * sizeof(T) + 6 * (size_t)n * sizeof(R);
        return (b + 15) / 16 * 16;
    }
    __device__ bidiagonal_room(void *room, int rows, int n)
    {
        v = (T *)room, y = v + rows, sums = y + rows;
        zero = (R *)(sums + SLICES * rows), beside = zero + 2 * n, squares = beside + 2 * n;
    }
};

/* W(i,j) -= tau v(i) v^H W(:,j), of rows k on and columns k + 1 on */
template <class G, class T>
__device__ void reflect_left(const G &g, const svd_room<T> &q, const bidiagonal_room<T> &b, int rows, int n, int k, T tau)
{
    const tiling<G> t(g, rows);
    if (t.slice < t.slices)
        for (int j = k + 1 + t.row; j < n; j += t.width) {
            T sum = make<T>(0);
            for (int i = k + t.slice; i < rows; i += t.slices) sum = add_mul<true>(sum, b.v[i], q.W[i + j * q.ldw]);
            b.sums[t.slice * rows + j] = sum;
        }
    g.sync();
    for (int j = k + 1 + g.rank; j < n; j += g.size) {
        T sum = b.sums[j];
        for (int l = 1; l < t.slices; l++) sum = add(sum, b.sums[l * rows + j]);
        b.y[j] = mul(tau, sum);
    }
    g.sync();
    if (t.slice < t.slices)
        for (int i = k + t.row; i < rows; i += t.width)
            for (int j = k + 1 + t.slice; j < n; j += t.slices)
                q.W[i + j * q.ldw] = sub_mul<false>(q.W[i + j * q.ldw], b.v[i], b.y[j]);
    g.sync();
}

/* W(i,j) -= tau (W(i,:) v) conj(v(j)), of rows and columns k + 1 on */
template <class G, class T>
__device__ void reflect_right(const G &g, const svd_room<T> &q, const bidiagonal_room<T> &b, int rows, int n, int k, T tau)
{
    const tiling<G> t(g, rows);
    if (t.slice < t.slices)
        for (int i = k + 1 + t.row; i < rows; i += t.width) {
            T sum = make<T>(0);
            for (int j = k + 1 + t.slice; j < n; j += t.slices) sum = add_mul(sum, q.W[i + j * q.ldw], b.v[j]);
            b.sums[t.slice * rows + i] = sum;
        }
    g.sync();
    for (int i = k + 1 + g.rank; i < rows; i += g.size) {
        T sum = b.sums[i];
        for (int l = 1; l < t.slices; l++) sum = add(sum, b.sums[l * rows + i]);
        b.y[i] = mul(tau, sum);
    }
    g.sync();
    if (t.slice < t.slices)
        for (int i = k + 1 + t.row; i < rows; i += t.width)
            for (int j = k + 1 + t.slice; j < n; j += t.slices)
                q.W[i + j * q.ldw] = sub_mul<true>(q.W[i + j * q.ldw], b.y[i], b.v[j]);
    g.sync();
}

/* The reflector of x, of `length` elements `step` apart, or of their conjugates, in v; *beta: what it becomes */
template <class G, class T>
__device__ T reflector_in(const G &g, const T *x, int step, int length, bool conjugate, T *v, real_t<T> *beta)
{
    real_t<T> xx = 0;
    const T alpha = conjugate ? conj(x[0]) : x[0];
    for (int i = 1 + g.rank; i < length; i += g.size) xx += square(x[i * step]);
    const reflector<T> h = reflector_of(alpha, g.sum(xx));
    for (int i = g.rank; i < length; i += g.size) {
        const T a = conjugate ? conj(x[i * step]) : x[i * step];
        v[i] = i == 0 ? make<T>(1) : mul(a, h.factor);
    }
    *beta = h.beta;
    g.sync();
    return h.tau;
}

/* length := the singular values of W, which is overwritten */
template <class G, class T>
__device__ void find_values(const G &g, const svd_room<T> &q, const bidiagonal_room<T> &b, int rows, int n)
{
    using R = real_t<T>;
    R beta;
    for (int k = 0; k < n; k++) {
        T tau = reflector_in(g, q.W + k * (q.ldw + 1), 1, rows - k, false, b.v + k, &beta);
        if (g.rank == 0) b.beside[2 * k] = beta;
        if (!is_zero(tau)) reflect_left(g, q, b, rows, n, k, conj(tau));
        beta = 0;
        tau = make<T>(0);
        if (k + 1 < n) tau = reflector_in(g, q.W + k + (k + 1) * q.ldw, q.ldw, n - k - 1, true, b.v + k + 1, &beta);
        if (g.rank == 0) b.beside[2 * k + 1] = beta, b.zero[2 * k] = b.zero[2 * k + 1] = 0;
        if (!is_zero(tau)) reflect_right(g, q, b, rows, n, k, tau);
    }
    g.sync();
    bisect(g, b.zero, b.beside, 2 * n, n, b.squares, q.length);
    for (int j = g.rank; j < n; j += g.size) q.length[j] = fmax(q.length[j], R(0));
    g.sync();
}

} // namespace tsl::spectra
#endif
