/* LU with partial pivoting of a problem by one CTA, all of it in shared memory, by panels of IB = 8 columns.
 *
 * In a panel a thread has R rows in registers. Rows do not move: each knows the place that the exchanges of the panel have
 *   given it. In step j each warp puts aside its candidate for the pivot, with its row; all threads take the best of them,
 *   divide by it and bring their rows in the panel up to date.
 * When the panel ends, its rows go to their places. In every other column a thread moves the elements that were exchanged, and
 * solves for its part of U, which is kept row by row, with its sign changed; at last the rows below are brought up to date by a
 * product. */
#ifndef TSL_CUDA_GETRF_CTA_CUH
#define TSL_CUDA_GETRF_CTA_CUH

#include "kernel/cuda/batch/getrf/getrf_columns.cuh"
#include "kernel/cuda/mma.cuh"

namespace tsl::lu {

/* Columns are this far apart: at a multiple of 16 bytes, in all rows that tiles of the product reach, and neighbours in other
 * banks. */
__host__ __device__ constexpr int padded(int m) { return (m + 7) / 8 * 8 + 4; }

constexpr int IB = 8;

template <class T, int WARPS> struct lu_shared {
    static constexpr int SLOTS = WARPS < 4 ? 4 : WARPS; /* of candidates; those past the last warp stay empty */
    T *A, *U;     /* the problem; IB rows of -U */
    T *rows;      /* of the candidates of two steps */
    key *keys;    /* of the candidates, what of them is compared first, and where they are */
    unsigned *tops;
    int *places;
    int *source;  /* the row that is now row i of the panel */
    int *target;  /* where the row went that was row i, if out of the panel, else -1 */

    static constexpr size_t bytes(int m, int n)
    {
        const size_t elements = (size_t)padded(m) * ((n + 7) / 8 * 8) + IB * padded(n) + 2 * WARPS * IB;
        return elements * sizeof(T) + 2 * SLOTS * (sizeof(key) + sizeof(unsigned) + sizeof(int)) + 2 * IB * sizeof(int);
    }
    __device__ lu_shared(unsigned char *raw, int m, int n)
    {
        A = (T *)raw;
        U = A + padded(m) * ((n + 7) / 8 * 8);
        rows = U + IB * padded(n);
        keys = (key *)(rows + 2 * WARPS * IB);
        tops = (unsigned *)(keys + 2 * SLOTS);
        places = (int *)(tops + 2 * SLOTS);
        source = places + 2 * SLOTS;
        target = source + IB;
        for (int i = threadIdx.x; i < 2 * SLOTS; i += 32 * WARPS) keys[i] = 0, tops[i] = 0, places[i] = INT_MAX;
    }
};

/* A(m x n) -= L U, given -U: k is IB. l: columns ld apart, u: rows ldu apart. A thread has tiles of TM x TN. */
template <int WARPS, class T> __device__ void update_rest(T *A, const T *l, int ld, const T *u, int ldu, int m, int n)
{
    constexpr int V = VEC<T>, TM = V < 2 ? 2 : 4, TN = 4;
    const int rows = (m + TM - 1) / TM, cols = (n + TN - 1) / TN;
    const unsigned inverse = 0xffffffffu / (unsigned)rows + 1; /* of rows > 1 */
    for (int q = threadIdx.x; q < rows * cols; q += 32 * WARPS) {
        const int tc = rows == 1 ? q : (int)__umulhi((unsigned)q, inverse), r = (q - tc * rows) * TM, c = tc * TN;
        pack<T, V> x[TN][TM / V];
#pragma unroll
        for (int e = 0; e < TN; e++)
#pragma unroll
            for (int f = 0; f < TM / V; f++) x[e][f] = get<V>(A + r + f * V + (c + e) * ld);
#pragma unroll
        for (int k = 0; k < IB; k++) {
            pack<T, V> a[TM / V], b[TN / V];
#pragma unroll
            for (int f = 0; f < TM / V; f++) a[f] = get<V>(l + r + f * V + k * ld);
#pragma unroll
            for (int f = 0; f < TN / V; f++) b[f] = get<V>(u + c + f * V + k * ldu);
#pragma unroll
            for (int e = 0; e < TN; e++)
#pragma unroll
                for (int f = 0; f < TM; f++) x[e][f / V].x[f % V] = add_mul(x[e][f / V].x[f % V], a[f / V].x[f % V], b[e / V].x[e % V]);
        }
#pragma unroll
        for (int e = 0; e < TN; e++)
#pragma unroll
            for (int f = 0; f < TM / V; f++) *(pack<T, V> *)(A + r + f * V + (c + e) * ld) = x[e][f];
    }
}

/* The same on the tensor cores: a warp has tiles of 16 x 16, of which the last ones may be half as high or wide. */
template <int WARPS> __device__ void update_rest(double *A, const double *l, int ld, const double *u, int ldu, int m, int n)
{
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32, g = lane / 4, t = lane % 4;
    const int rows = (m + 15) / 16, cols = (n + 15) / 16;
    for (int q = warp; q < rows * cols; q += WARPS) {
        const int tc = q / rows, r = (q - tc * rows) * 16, c = tc * 16;
        const int down = r + 8 < m ? 8 : 0, right = c + 8 < n ? 8 : 0;
        double *const x = A + r + g + (c + 2 * t) * ld;
        double d[2][4];
#pragma unroll
        for (int h = 0; h < 2; h++)
#pragma unroll
            for (int e = 0; e < 4; e++) d[h][e] = x[e / 2 * down + (h * right + e % 2) * ld];
        double a[4], b[2];
#pragma unroll
        for (int e = 0; e < 4; e++) a[e] = l[r + g + e % 2 * down + (t + e / 2 * 4) * ld];
#pragma unroll
        for (int h = 0; h < 2; h++) {
#pragma unroll
            for (int e = 0; e < 2; e++) b[e] = u[c + g + h * right + (t + e * 4) * ldu];
            mma8(d[h], a, b);
        }
#pragma unroll
        for (int h = 0; h < 2; h++)
#pragma unroll
            for (int e = 0; e < 4; e++)
                if ((h == 0 || right) && (e < 2 || down)) x[e / 2 * down + (h * right + e % 2) * ld] = d[h][e];
    }
}

template <class T, int WARPS, int R> struct lu_panel {
    const lu_batch<T> &p;
    const lu_shared<T, WARPS> &s;
    int64_t *const piv;
    const int ld, tid, warp, lane;
    lu_columns<T, 32, R, IB, 1, 0> c; /* a thread's rows of the panel */

    __device__ lu_panel(const lu_batch<T> &p, const lu_shared<T, WARPS> &s, int64_t *piv)
        : p(p), s(s), piv(piv), ld(padded(p.m)), tid(threadIdx.x), warp(tid / 32), lane(tid % 32)
    {
        c.live = 1, c.zero = 0;
    }

    /* Step j of the panel from j0 on; j is known to the compiler. */
    __device__ void step(int j0, int j)
    {
        constexpr int SLOTS = lu_shared<T, WARPS>::SLOTS;
        const int set = j % 2 * SLOTS;
        const candidate<T> best = best_row(c.a, c.place, j, j0 + j);
        T *const candidates = s.rows + j % 2 * WARPS * IB;
        const bool is_best = lane == choose<T>(best.size, best.place);
        c.write(candidates + warp * IB, is_best, best.t, j);
        if (is_best) s.keys[set + warp] = best.size, s.tops[set + warp] = top_of<T>(best.size), s.places[set + warp] = best.place;
        __syncthreads();
        const int winner = choose_warp<T, SLOTS>(s.tops + set, s.keys + set, s.places + set, lane), pivot = s.places[set + winner];
        const T *const row = candidates + winner * IB;
        if (tid == 0) piv[j0 + j] = p.first + 1 + pivot;
        c.eliminate(row, divisor<T>(row[j]), j, j0 + j, pivot);
    }

    /* Columns j0 to j0 + jb */
    __device__ void factor(int j0, int jb)
    {
#pragma unroll
        for (int t = 0; t < R; t++) {
            const int r = j0 + tid + t * 32 * WARPS;
            c.place[t] = r < p.m ? r : -1;
#pragma unroll
            for (int e = 0; e < IB; e++) c.a[t][e] = r < p.m && e < jb ? s.A[r + (j0 + e) * ld] : make<T>(0);
        }
#pragma unroll
        for (int j = 0; j < IB; j++) {
            if (j >= jb) break;
            step(j0, j);
        }
#pragma unroll
        for (int t = 0; t < R; t++) {
            const int r = j0 + tid + t * 32 * WARPS, place = c.place[t];
            if (place < 0) continue;
#pragma unroll
            for (int e = 0; e < IB; e++)
                if (e < jb) s.A[place + (j0 + e) * ld] = c.a[t][e];
            if (place < j0 + jb) s.source[place - j0] = r;
            if (r < j0 + jb) s.target[r - j0] = place < j0 + jb ? -1 : place;
        }
    }

    /* Of the other columns: the panel's exchanges, and U. Where jb < IB there are no rows below or no columns after the
     * panel. */
    __device__ void solve(int j0, int jb)
    {
        constexpr int V = VEC<T>;
        const T *const L = s.A + j0 + j0 * ld;
        for (int j = tid; j < p.n; j += 32 * WARPS) {
            if (j >= j0 && j < j0 + jb) continue;
            T *const column = s.A + j * ld, x[IB], top[IB];
#pragma unroll
            for (int i = 0; i < IB; i++)
                if (i < jb) x[i] = column[s.source[i]], top[i] = column[j0 + i];
#pragma unroll
            for (int i = 0; i < IB; i++)
                if (i < jb && s.target[i] >= 0) column[s.target[i]] = top[i];
            if (j > j0) {
#pragma unroll
                for (int k = 0; k < IB; k++) {
                    if (k >= jb) break;
#pragma unroll
                    for (int i = 0; i < IB; i += V) {
                        if (i + V <= k + 1) continue;
                        const pack<T, V> l = get<V>(L + i + k * ld);
#pragma unroll
                        for (int e = 0; e < V; e++)
                            if (i + e > k) x[i + e] = sub_mul<false>(x[i + e], x[k], l.x[e]);
                    }
                }
#pragma unroll
                for (int i = 0; i < IB; i++)
                    if (i < jb) s.U[j + i * padded(p.n)] = scale(x[i], -1);
            }
#pragma unroll
            for (int i = 0; i < IB; i++)
                if (i < jb) column[j0 + i] = x[i];
        }
    }
};

template <class T, int WARPS, int R> __global__ __launch_bounds__(32 * WARPS) void getrf_cta(lu_batch<T> p)
{
    extern __shared__ __align__(16) unsigned char memory[];
    const lu_shared<T, WARPS> s(memory, p.m, p.n);
    const int64_t i = blockIdx.x;
    lu_panel<T, WARPS, R> panel(p, s, global(p.piv.at(i)));
    T *const A = global(p.A.at(i));
    const int ld = panel.ld, ldu = padded(p.n), steps = min(p.m, p.n);

    for (int c = panel.warp; c < p.n; c += WARPS)
        for (int r = panel.lane; r < p.m; r += 32) __pipeline_memcpy_async(s.A + r + c * ld, A + r + c * p.A.ld, sizeof(T));
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    for (int j0 = 0; j0 < steps; j0 += IB) {
        const int jb = min(IB, steps - j0), j1 = j0 + jb;
        panel.factor(j0, jb);
        __syncthreads();
        panel.solve(j0, jb);
        __syncthreads();
        if (j1 < steps) {
            update_rest<WARPS>(s.A + j1 + j1 * ld, s.A + j1 + j0 * ld, ld, s.U + j1, ldu, p.m - j1, p.n - j1);
            __syncthreads();
        }
    }
    for (int c = panel.warp; c < p.n; c += WARPS)
        for (int r = panel.lane; r < p.m; r += 32) A[r + c * p.A.ld] = s.A[r + c * ld];
    if (panel.tid == 0) p.tell(i, panel.c.zero);
}

template <class T, int WARPS, int R> cudaError_t launch_getrf_cta(cudaStream_t stream, const lu_batch<T> &p)
{
    const size_t bytes = lu_shared<T, WARPS>::bytes(p.m, p.n);
    const auto kernel = getrf_cta<T, WARPS, R>;
    if (bytes > 48 * 1024) {
        int device = 0, most = 0;
        cudaError_t e = cudaGetDevice(&device);
        if (e == cudaSuccess) e = cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, device);
        if (e == cudaSuccess)
            e = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                     most); /* the same for all threads that launch it */
        if (e != cudaSuccess) return e;
    }
    kernel<<<(unsigned)p.count, 32 * WARPS, bytes, stream>>>(p);
    return cudaGetLastError();
}

} // namespace tsl::lu
#endif
