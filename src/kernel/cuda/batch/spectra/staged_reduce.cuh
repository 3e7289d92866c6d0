/* The second stage: to tridiagonal form, a CTA for a problem and a thread for a row. The matrix is in memory; of a panel's
 * columns the reflectors v and the vectors w of
 *   A - sum (v w^H + w v^H)
 * are in shared memory, and the matrix itself is changed once a panel. A column reads what is left of it once. */
#ifndef TSL_CUDA_BATCH_SPECTRA_STAGED_REDUCE_CUH
#define TSL_CUDA_BATCH_SPECTRA_STAGED_REDUCE_CUH

#include "kernel/cuda/batch/spectra/staged.cuh"

namespace tsl::spectra {

constexpr int MOST_ROWS = 512;

template <class T> struct reduce_room {
    using R = real_t<T>;
    static constexpr int NB = PANEL<T>;
    T *V, *W, *y;        /* NB x n; n */
    T *grams, *factor;   /* NB x NB: row j has v_l^H v_j; column j of the factor T */
    T *dots, *tau;       /* NB each: w_l^H v; tau_l */
    T *sums;             /* a warp each */
    R *squares;          /* a warp each */
    T *alpha;

    static size_t bytes(int n)
    {
        return ((2 * NB + 1) * (size_t)n + 2 * NB * NB + 2 * NB + 32 + 1) * sizeof(T) + 32 * sizeof(R);
    }
    __device__ reduce_room(void *memory, int n)
    {
        V = (T *)memory, W = V + NB * n, y = W + NB * n;
        grams = y + n, factor = grams + NB * NB, dots = factor + NB * NB, tau = dots + NB;
        sums = tau + NB, alpha = sums + 32, squares = (R *)(alpha + 1);
    }
};

template <class T> __device__ T sum_of_warp(T a)
{
#pragma unroll
    for (int bit = 16; bit > 0; bit /= 2) a = add(a, shuffle_xor(a, bit));
    return a;
}

/* The sum of what the warps have left in `of_warp`, the same bits in all threads */
template <class T> __device__ T sum_of_warps(const T *of_warp)
{
    const int lane = threadIdx.x % 32;
    return sum_of_warp(lane < (int)blockDim.x / 32 ? of_warp[lane] : make<T>(0));
}

/* Sums of four numbers over the warp; lane 8 q has that of the q-th. */
template <class T> __device__ T sums_of_four(const T (&a)[4])
{
    const int lane = threadIdx.x % 32;
    const bool upper = lane & 16, odd = lane & 8;
    const T x = add(upper ? a[2] : a[0], shuffle_xor(upper ? a[0] : a[2], 16));
    const T y = add(upper ? a[3] : a[1], shuffle_xor(upper ? a[1] : a[3], 16));
    T sum = add(odd ? y : x, shuffle_xor(odd ? x : y, 8));
#pragma unroll
    for (int bit = 4; bit > 0; bit /= 2) sum = add(sum, shuffle_xor(sum, bit));
    return sum;
}

/* y(c) := A(:,c)^H v for columns c from k + 1 on, of which rows from k + 1 on count: v is zero before. Four columns at a time
 * for a warp */
template <class T> __device__ void multiply_rest(const T *A, int ld, int n, int k, const T *v, T *y)
{
    const int lane = (int)threadIdx.x % 32, step = 4 * (int)blockDim.x / 32;
    for (int c = k + 1 + (int)threadIdx.x / 32 * 4; c < n; c += step) {
        const T *column[4];
        T sum[4];
#pragma unroll
        for (int q = 0; q < 4; q++) column[q] = A + (int64_t)min(c + q, n - 1) * ld, sum[q] = make<T>(0);
        for (int i = ((k + 1) & ~31) + lane; i < n; i += 128) {
            T a[4][4];
#pragma unroll
            for (int u = 0; u < 4; u++)
#pragma unroll
                for (int q = 0; q < 4; q++) a[u][q] = i + 32 * u < n ? column[q][i + 32 * u] : make<T>(0);
#pragma unroll
            for (int u = 0; u < 4; u++) {
                const T x = i + 32 * u < n ? v[i + 32 * u] : make<T>(0);
#pragma unroll
                for (int q = 0; q < 4; q++) sum[q] = add_mul<true>(sum[q], a[u][q], x);
            }
        }
        const T all = sums_of_four(sum);
        if (lane % 8 == 0 && c + lane / 8 < n) y[c + lane / 8] = all;
    }
}

/* dots(l) := w_l^H v and grams(l) := v_l^H v for the j columns of the panel before this one; the last warps begin */
template <class T> __device__ void multiply_panel(const reduce_room<T> &q, int n, int k, int j, const T *v)
{
    const int lane = (int)threadIdx.x % 32, warps = (int)blockDim.x / 32;
    for (int at = warps - 1 - (int)threadIdx.x / 32; at < 2 * j; at += warps) {
        const T *u = at < j ? q.W + at * n : q.V + (at - j) * n;
        T sum = make<T>(0);
        for (int i = k + 1 + lane; i < n; i += 32) sum = add_mul<true>(sum, u[i], v[i]);
        sum = sum_of_warp(sum);
        if (lane == 0) *(at < j ? q.dots + at : q.grams + j * q.NB + at - j) = sum;
    }
}

/* A := A - sum (v w^H + w v^H) in rows and columns from `begin` on: for a warp rows of a lane's and 4 columns */
template <class T> __device__ void update_rest(T *A, int ld, int n, int begin, const reduce_room<T> &q, int width)
{
    constexpr int ROWS = is_complex<T> ? 2 : 4, COLUMNS = 4, HIGH = 32 * ROWS;
    const int lane = (int)threadIdx.x % 32, first = begin & ~31, high = (n - first + HIGH - 1) / HIGH;
    const int wide = (n - begin + COLUMNS - 1) / COLUMNS;
    for (int at = (int)threadIdx.x / 32; at < high * wide; at += (int)blockDim.x / 32) {
        const int row = first + at % high * HIGH + lane, column = begin + at / high * COLUMNS;
        int r[ROWS], c[COLUMNS];
        T sum[ROWS][COLUMNS];
#pragma unroll
        for (int i = 0; i < ROWS; i++) r[i] = min(row + 32 * i, n - 1);
#pragma unroll
        for (int j = 0; j < COLUMNS; j++) c[j] = min(column + j, n - 1);
#pragma unroll
        for (int i = 0; i < ROWS; i++)
#pragma unroll
            for (int j = 0; j < COLUMNS; j++) sum[i][j] = A[r[i] + (int64_t)c[j] * ld];
        for (int l = 0; l < width; l++) {
            const T *v = q.V + l * n, *w = q.W + l * n;
            T vc[COLUMNS], wc[COLUMNS];
#pragma unroll
            for (int j = 0; j < COLUMNS; j++) vc[j] = v[c[j]], wc[j] = w[c[j]];
#pragma unroll
            for (int i = 0; i < ROWS; i++) {
                const T vr = v[r[i]], wr = w[r[i]];
#pragma unroll
                for (int j = 0; j < COLUMNS; j++) sum[i][j] = sub_mul<true>(sub_mul<true>(sum[i][j], vr, wc[j]), wr, vc[j]);
            }
        }
#pragma unroll
        for (int i = 0; i < ROWS; i++)
#pragma unroll
            for (int j = 0; j < COLUMNS; j++) {
                const int to = row + 32 * i;
                if (to >= begin && to < n && column + j < n) A[to + (int64_t)(column + j) * ld] = sum[i][j];
            }
    }
}

/* The panel's factor T: T(j,j) = tau_j and T(0:j,j) = -tau_j T(0:j,0:j) V^H v_j. One warp */
template <class T> __device__ void form_factor(const reduce_room<T> &q, int width, T *to)
{
    constexpr int NB = PANEL<T>;
    const int l = (int)threadIdx.x;
    for (int j = 0; j < width; j++) {
        T sum = make<T>(0);
        for (int m = l; m < j; m++) sum = add_mul(sum, q.factor[m * NB + l], q.grams[j * NB + m]);
        const T own = l == j ? q.tau[j] : l < j ? scale(mul(q.tau[j], sum), real_t<T>(-1)) : make<T>(0);
        if (l < NB) q.factor[j * NB + l] = to[j * NB + l] = own;
        __syncwarp();
    }
}

template <class T> __global__ __launch_bounds__(MOST_ROWS, 1) void reduce_staged(const __grid_constant__ staged<T> s)
{
    using R = real_t<T>;
    constexpr int NB = PANEL<T>;
    extern __shared__ __align__(16) unsigned char memory[];
    const int n = s.p.n, ld = s.ld, i = (int)threadIdx.x, lane = i % 32, warp = i / 32;
    const reduce_room<T> q(memory, n);
    T *A = s.matrix(blockIdx.x), *tau = s.tau + (int64_t)blockIdx.x * n;
    R *d = s.d + (int64_t)blockIdx.x * n, *e = s.e + (int64_t)blockIdx.x * n;
    for (int begin = 0; begin < n - 1; begin += NB) {
        const int width = min(NB, n - 1 - begin);
        T half = make<T>(0), vi = make<T>(0), yi = make<T>(0); /* of the column before: w = y + half v, at this thread's row */
        for (int j = 0; j < width; j++) {
            const int k = begin + j;
            T a = make<T>(0);
            if (i >= k && i < n) {
                a = A[i + (int64_t)k * ld];
                for (int l = 0; l < j - 1; l++)
                    a = sub_mul<true>(sub_mul<true>(a, q.V[l * n + i], q.W[l * n + k]), q.W[l * n + i], q.V[l * n + k]);
                if (j > 0) { /* v(k) is 1 */
                    const T wi = add_mul(yi, half, vi), wk = add(q.y[k], half);
                    q.W[(j - 1) * n + i] = wi;
                    a = sub_mul<true>(a, vi, wk);
                    a = add(a, scale(wi, R(-1)));
                }
            }
            const R squares = sum_of_warp(i > k + 1 ? square(a) : R(0));
            if (lane == 0) q.squares[warp] = squares;
            if (i == k + 1) *q.alpha = a;
            __syncthreads();
            const reflector<T> h = reflector_of(*q.alpha, sum_of_warps(q.squares));
            vi = i <= k ? make<T>(0) : i == k + 1 ? make<T>(1) : mul(a, h.factor);
            T *v = q.V + j * n;
            if (i < n) v[i] = vi;
            if (i <= k) q.W[j * n + i] = make<T>(0);
            if (i > k && i < n) A[i + (int64_t)k * ld] = vi;
            if (i == k) d[k] = re(a), e[k] = h.beta, tau[k] = q.tau[j] = h.tau;
            __syncthreads();
            multiply_rest(A, ld, n, k, v, q.y);
            multiply_panel(q, n, k, j, v);
            __syncthreads();
            yi = make<T>(0);
            if (i > k && i < n) {
                yi = q.y[i];
                for (int l = 0; l < j; l++)
                    yi = sub_mul<false>(sub_mul<false>(yi, q.V[l * n + i], q.dots[l]), q.W[l * n + i], q.grams[j * NB + l]);
                q.y[i] = yi = mul(h.tau, yi);
            }
            const T product = sum_of_warp(add_mul<true>(make<T>(0), yi, vi));
            if (lane == 0) q.sums[warp] = product;
            __syncthreads();
            half = scale(mul(h.tau, sum_of_warps(q.sums)), R(-0.5));
        }
        if (i >= begin + width && i < n) q.W[(width - 1) * n + i] = add_mul(yi, half, vi);
        __syncthreads();
        if (s.p.columns && warp == 0) form_factor(q, width, s.factor + ((int64_t)blockIdx.x * n + begin) * NB);
        update_rest(A, ld, n, begin + width, q, width);
        __syncthreads();
    }
    if (i == 0) d[n - 1] = re(A[(n - 1) * ((int64_t)ld + 1)]), e[n - 1] = 0;
}

} // namespace tsl::spectra
#endif
