/* The last stage: vectors Z of the tridiagonal matrix to those of A, V = H_0 H_1 .. Z, a panel of reflectors at a time and the
 * last one first: Z := Z - V T (V^H Z). A CTA has some columns of Z in shared memory, of V a chunk of rows at a time. */
#ifndef TSL_CUDA_BATCH_SPECTRA_STAGED_BACK_CUH
#define TSL_CUDA_BATCH_SPECTRA_STAGED_BACK_CUH

#include "kernel/cuda/batch/spectra/staged.cuh"

namespace tsl::spectra {

template <class T, int COLUMNS> struct back {
    static constexpr int THREADS = 256, WARPS = THREADS / 32;
    static constexpr int NB = PANEL<T>, NC = COLUMNS, CHUNK = 64;
    static constexpr int TALL = NB / 4, WIDE = NC / 4;      /* 4 x 4 elements of V^H Z for a thread */
    static constexpr int TILES = TALL * WIDE, SHARES = THREADS / TILES; /* threads that share a row, and rows at once */
    static constexpr int ROWS = CHUNK * WIDE / THREADS, BELOW = CHUNK / ROWS; /* of Z for a thread, and how far apart */
    static constexpr int STEP = NC + WIDE;                  /* between rows of Z: no two of a warp's in one bank */
    static constexpr int FETCHES = CHUNK * NB / THREADS;

    const T *A, *factors; /* the reflectors, and the factors T */
    int n, ld;
    T *Z, *V[2], *parts, *sums, *W, *F; /* n x STEP; CHUNK x (NB + 1); WARPS x NB x NC; NB x NC twice; NB x NB */

    static size_t bytes(int n)
    {
        return ((size_t)n * STEP + 2 * CHUNK * (NB + 1) + (WARPS + 2) * NB * NC + NB * NB) * sizeof(T);
    }
    __device__ back(void *memory, const T *reflectors, int leading, const T *all_factors, int order)
        : A(reflectors), factors(all_factors), n(order), ld(leading)
    {
        Z = (T *)memory, V[0] = Z + n * STEP, V[1] = V[0] + CHUNK * (NB + 1);
        parts = V[1] + CHUNK * (NB + 1), sums = parts + WARPS * NB * NC, W = sums + NB * NC, F = W + NB * NC;
    }

    /* Rows from `row` on of the reflectors of the panel that begins with column k */
    __device__ void fetch(T (&own)[FETCHES], int k, int row) const
    {
#pragma unroll
        for (int u = 0; u < FETCHES; u++) {
            const int at = (int)threadIdx.x + u * THREADS, i = row + at % CHUNK, j = k + at / CHUNK;
            own[u] = i > j && i < n && j < n - 1 ? A[i + (int64_t)j * ld] : make<T>(0);
        }
    }
    __device__ void put(const T (&own)[FETCHES], T *to) const
    {
#pragma unroll
        for (int u = 0; u < FETCHES; u++) {
            const int at = (int)threadIdx.x + u * THREADS;
            to[at % CHUNK * (NB + 1) + at / CHUNK] = own[u];
        }
    }

    /* sum := sum + V^H Z over this thread's rows of a chunk */
    __device__ void add_product(T (&sum)[4][4], const T *v, int row) const
    {
        const int at = (int)threadIdx.x % TILES, i = at / WIDE, j = at % WIDE;
        for (int r = (int)threadIdx.x / TILES; r < CHUNK && row + r < n; r += SHARES) {
            T x[4], z[4];
#pragma unroll
            for (int q = 0; q < 4; q++) x[q] = v[r * (NB + 1) + i + TALL * q], z[q] = Z[(row + r) * STEP + j + WIDE * q];
#pragma unroll
            for (int a = 0; a < 4; a++)
#pragma unroll
                for (int b = 0; b < 4; b++) sum[a][b] = add_mul<true>(sum[a][b], x[a], z[b]);
        }
    }

    /* W := T times the sum over all threads */
    __device__ void fold(T (&sum)[4][4], int k) const
    {
        const int tid = (int)threadIdx.x, at = tid % TILES, i = at / WIDE, j = at % WIDE, warp = tid / 32;
#pragma unroll
        for (int a = 0; a < 4; a++)
#pragma unroll
            for (int b = 0; b < 4; b++) {
#pragma unroll
                for (int bit = 16; bit >= TILES; bit /= 2) sum[a][b] = add(sum[a][b], shuffle_xor(sum[a][b], bit));
                if (tid % 32 < TILES) parts[(warp * NB + i + TALL * a) * NC + j + WIDE * b] = sum[a][b];
            }
        for (int e = tid; e < NB * NB; e += THREADS) F[e] = k + e / NB < n - 1 ? factors[k * NB + e] : make<T>(0);
        __syncthreads();
        for (int e = tid; e < NB * NC; e += THREADS) {
            T all = parts[e];
            for (int w = 1; w < WARPS; w++) all = add(all, parts[w * NB * NC + e]);
            sums[e] = all;
        }
        __syncthreads();
        for (int e = tid; e < NB * NC; e += THREADS) {
            const int row = e / NC, column = e % NC;
            T all = make<T>(0);
            for (int m = row; m < NB; m++) all = add_mul(all, F[m * NB + row], sums[m * NC + column]);
            W[e] = all;
        }
        __syncthreads();
    }

    /* Z := Z - V W in the rows of a chunk */
    __device__ void subtract(const T *v, int row) const
    {
        const int j = (int)threadIdx.x % WIDE, r = (int)threadIdx.x / WIDE;
        T sum[ROWS][4] = {};
#pragma unroll
        for (int i = 0; i < NB; i++) {
            T w[4];
#pragma unroll
            for (int b = 0; b < 4; b++) w[b] = W[i * NC + j + WIDE * b];
#pragma unroll
            for (int a = 0; a < ROWS; a++) {
                const T x = v[(r + BELOW * a) * (NB + 1) + i];
#pragma unroll
                for (int b = 0; b < 4; b++) sum[a][b] = add_mul(sum[a][b], x, w[b]);
            }
        }
#pragma unroll
        for (int a = 0; a < ROWS; a++)
#pragma unroll
            for (int b = 0; b < 4; b++) {
                T *z = Z + (row + r + BELOW * a) * STEP + j + WIDE * b;
                if (row + r + BELOW * a < n) *z = add(*z, scale(sum[a][b], real_t<T>(-1)));
            }
    }

    /* The panel that begins with column k. The last two chunks are in shared memory when the second half begins. */
    __device__ void apply_panel(int k) const
    {
        const int chunks = (n - k + CHUNK - 1) / CHUNK;
        T own[FETCHES], sum[4][4] = {};
        fetch(own, k, k);
        put(own, V[0]);
        __syncthreads();
        for (int c = 0; c < chunks; c++) {
            if (c + 1 < chunks) fetch(own, k, k + (c + 1) * CHUNK);
            add_product(sum, V[c & 1], k + c * CHUNK);
            if (c + 1 < chunks) put(own, V[(c + 1) & 1]);
            __syncthreads();
        }
        fold(sum, k);
        for (int c = chunks - 1; c >= 0; c--) {
            if (c >= 2) fetch(own, k, k + (c - 2) * CHUNK);
            subtract(V[c & 1], k + c * CHUNK);
            __syncthreads();
            if (c >= 2) put(own, V[c & 1]);
        }
    }
};

/* parts: CTAs of a problem */
template <class T, int COLUMNS>
__global__ __launch_bounds__(256) void transform_back(const __grid_constant__ staged<T> s, int parts)
{
    using B = back<T, COLUMNS>;
    using R = real_t<T>;
    extern __shared__ __align__(16) unsigned char memory[];
    const int64_t own = blockIdx.x / parts, k = s.from + own, begin = blockIdx.x % parts * B::NC;
    const int n = s.p.n, state = s.state[own], tid = (int)threadIdx.x;
    if (state == LEFT_ALONE) return;
    const bool failed = state == NOT_FINITE || isnan(s.d[own * n]);
    const B b(memory, s.matrix(own), s.ld, s.factor + own * n * B::NB, n);
    const R *Z = s.Z + (own * n + s.p.first + begin) * n;
    const int columns = (int)min((int64_t)B::NC, s.p.columns - begin), wanted = (int)min((int64_t)columns, s.p.wanted - begin);
    for (int at = tid; at < n * B::NC; at += B::THREADS) {
        const int i = at % n, j = at / n;
        b.Z[i * B::STEP + j] = make<T>(j >= wanted ? R(0) : failed ? R(NAN) : Z[i + (int64_t)j * n]);
    }
    __syncthreads();
    if (!failed && wanted > 0)
        for (int from = (n - 2) / B::NB * B::NB; from >= 0; from -= B::NB) b.apply_panel(from);
    T *V = s.p.V.at(k) + begin * s.p.V.ld;
    for (int at = tid; at < n * columns; at += B::THREADS) {
        const int i = at % n, j = at / n;
        V[i + j * s.p.V.ld] = b.Z[i * B::STEP + j];
    }
}

} // namespace tsl::spectra
#endif
