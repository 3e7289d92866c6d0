/* Tiles of a symmetric or Hermitian matrix for its product with a vector, after algorithm 2 of Nath, Tomov, Dong, Dongarra
 * (SC'11).
 *
 * The stored triangle is cut into B x B tiles. A tile (R,C) off the diagonal is read once and used twice,
 *     y_R += A_RC x_C   ("row sums"),      y_C += A_RC^T x_R or A_RC^H x_R   ("column sums"),
 * and gives two partial vectors of B entries; a diagonal tile gives their sum, its own triangle alone being read. A block y_b
 * thus has exactly nb partials, one from each source block, in part[(b nb + source) B + row], and is their sum in a fixed
 * order, whoever computed them and when: the result depends on B, that is on the type and n, alone. The partials take 1/B of
 * the matrix's bytes.
 *
 * Every load moves one element per lane, 32 consecutive rows per warp: coalesced whatever the leading dimension and
 * alignment. */
#ifndef TSL_CUDA_SYMV_CUH
#define TSL_CUDA_SYMV_CUH

#include <type_traits>

#include "kernel/cuda/lanes.cuh"

namespace tsl {

template <class T> struct symv_job {
    const T *A, *x; /* x and y point at the element of index 0, whatever the sign of the increment */
    T *y, *part;
    int64_t lda, incx, incy;
    T alpha, beta;
    int n, nb;
    bool lower;
};

/* A warp takes G columns x 32 K rows at a time, G K elements a lane; a CTA of NW warps covers H such heights. STREAM: loads
 * that are the first to leave L1 and L2. */
template <int K_, int G_, int NW_, int H_, bool STREAM_ = false> struct symv_shape {
    static constexpr int K = K_, G = G_, NW = NW_, H = H_, CTAS = 2; /* per multiprocessor */
    static constexpr bool STREAM = STREAM_;
    static constexpr int ROWS = 32 * K, B = ROWS * H, THREADS = 32 * NW;
    /* columns at a time where masks need registers as well, beside a, x, y and t */
    template <size_t BYTES> static constexpr int EDGE_G = (K * G + 2 * K + G) * BYTES / 4 > 70 ? G / 2 : G;
    static_assert(B % (NW * G) == 0, "all warps take equally many columns");
    static_assert(32 % G == 0, "lane_sums spreads G columns over a warp");
};

template <class T, class S> struct symv_shared {
    T xr[S::B], xc[S::B];       /* x_R and x_C, 0 outside the matrix */
    T row[S::B], col[S::B];     /* the tile's sums */
    T by_warp[S::NW * S::ROWS]; /* row sums of each warp */
};

struct symv_at {
    int r, c;
};

/* The t-th tile of nb (nb+1)/2. First those below the diagonal, block column by block column, so that CTAs running at the same
 * time read neighbouring columns; columns p and its complement together fill one line of a rectangle, which makes the division
 * exact. Then the diagonal ones, which are the smallest. Upper: the same list turned by 180 degrees. */
__device__ inline symv_at symv_tile_at(int t, int nb, bool lower)
{
    const int m = nb - 1, below = (int)((int64_t)m * nb / 2);
    int i, j;
    if (t >= below) {
        i = j = t - below;
    } else { /* block column j has m - j tiles: lengths m - p and p (m odd, column 0 alone) or m - p and p + 1 (m even) */
        const int line = m | 1, p = t / line, k = t % line;
        j = k < m - p ? p : m - p - (m % 2 == 0);
        i = j + 1 + (k < m - p ? k : k - (m - p));
    }
    return lower ? symv_at{i, j} : symv_at{m - i, m - j};
}

template <bool STREAM, class W> __device__ W load_word(const W *p)
{
    if constexpr (STREAM)
        return __ldcs(p);
    else
        return __ldg(p);
}
template <bool STREAM> __device__ float load_once(const float *p) { return load_word<STREAM>(p); }
template <bool STREAM> __device__ double load_once(const double *p) { return load_word<STREAM>(p); }
template <bool STREAM> __device__ cplx<float> load_once(const cplx<float> *p)
{
    const float2 w = load_word<STREAM>((const float2 *)p);
    return {w.x, w.y};
}
template <bool STREAM> __device__ cplx<double> load_once(const cplx<double> *p)
{
    const double2 w = load_word<STREAM>((const double2 *)p);
    return {w.x, w.y};
}

/* The tile's row and column sums into s.row and s.col. EDGE: a tile that meets the diagonal or the matrix's edge. There nothing
 * outside the stored triangle is read, and nothing is multiplied for it, so that an Inf in x meets no made-up zero. */
template <bool EDGE, bool HERM, class S, class T> __device__ void symv_product(const symv_job<T> &job, symv_at at, symv_shared<T, S> &s)
{
    constexpr int K = S::K, G = EDGE ? S::template EDGE_G<sizeof(T)> : S::G, B = S::B, STEP = S::NW * G;
    const int tid = threadIdx.x, lane = tid % 32, warp = tid / 32, r0 = at.r * B, c0 = at.c * B;
    const T *const corner = job.A + r0 + c0 * job.lda;
    const int64_t skip = (STEP - G) * job.lda;

    /* Column c of the tile is stored in rows from() .. to()-1; one of them, diagonal(), may lie on the matrix's diagonal. */
    const auto diagonal = [&](int c) { return c0 - r0 + c; };
    const auto from = [&](int c) { return job.lower ? diagonal(c) : c0 + c < job.n ? 0 : B; };
    const auto to = [&](int c) { return job.lower ? job.n - r0 : diagonal(c) + 1; };
    const auto fetch = [&](T(&a)[K], const T *p, int r, int c) {
        const int top = EDGE ? from(c) : 0, end = EDGE ? to(c) : B;
#pragma unroll
        for (int k = 0; k < K; k++)
            a[k] = !EDGE || (r + 32 * k >= top && r + 32 * k < end) ? load_once<S::STREAM>(p + 32 * k) : make<T>(0);
    };

#pragma unroll 1
    for (int h = 0; h < S::H; h++) {
        const int r = h * S::ROWS + lane;
        const T *p = corner + r + warp * G * job.lda; /* of the next column to be fetched */
        T a[G][K];
        const auto fetch_all = [&](int c) {
#pragma unroll
            for (int g = 0; g < G; g++, p += job.lda) fetch(a[g], p, r, c + g);
            p += skip;
        };
        fetch_all(warp * G);
        if (h == 0) { /* behind the first loads of A, and before their results are needed */
            for (int i = tid; i < B; i += S::THREADS) {
                s.xr[i] = r0 + i < job.n ? job.x[(r0 + i) * job.incx] : make<T>(0);
                s.xc[i] = c0 + i < job.n ? job.x[(c0 + i) * job.incx] : make<T>(0);
            }
            __syncthreads();
        }
        T xr[K], y[K];
#pragma unroll
        for (int k = 0; k < K; k++) xr[k] = s.xr[r + 32 * k], y[k] = make<T>(0);

        /* Columns c .. c+G-1. As soon as a column's registers are used up they receive the column STEP further on, if there is
         * more, so that G K loads stay under way. */
        const auto use = [&](int c, auto more) {
            T t[G];
#pragma unroll
            for (int g = 0; g < G; g++) {
                const T xc = s.xc[c + g];
                const int top = EDGE ? from(c + g) : 0, end = EDGE ? to(c + g) : B, diag = EDGE ? diagonal(c + g) : -1;
                t[g] = make<T>(0);
#pragma unroll
                for (int k = 0; k < K; k++) {
                    const int i = r + 32 * k;
                    if (EDGE && (i < top || i >= end)) continue;
                    const T v = HERM && EDGE && i == diag ? make<T>(re(a[g][k])) : a[g][k];
                    y[k] = add_mul(y[k], v, xc);
                    if (!EDGE || i != diag) t[g] = add_mul<HERM>(t[g], v, xr[k]);
                }
                if constexpr (decltype(more)::value) {
                    fetch(a[g], p, r, c + STEP + g);
                    p += job.lda;
                }
            }
            if constexpr (decltype(more)::value) p += skip;
            const T sum = lane_sums(t, lane);
            if (lane % (32 / G) == 0) {
                T &col = s.col[c + lane / (32 / G)];
                col = h == 0 ? sum : add(col, sum);
            }
        };
        int c = warp * G;
#pragma unroll 1
        for (; c + STEP < B; c += STEP) {
            use(c, std::bool_constant<!EDGE>());
            if (EDGE) fetch_all(c + STEP);
        }
        use(c, std::false_type());
#pragma unroll
        for (int k = 0; k < K; k++) s.by_warp[warp * S::ROWS + lane + 32 * k] = y[k];
        __syncthreads();
        for (int i = tid; i < S::ROWS; i += S::THREADS) {
            T sum = s.by_warp[i];
#pragma unroll
            for (int w = 1; w < S::NW; w++) sum = add(sum, s.by_warp[w * S::ROWS + i]);
            s.row[h * S::ROWS + i] = sum;
        }
        __syncthreads();
    }
}

} // namespace tsl
#endif
