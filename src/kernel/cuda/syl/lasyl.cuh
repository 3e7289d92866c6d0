/* A X + sign X B = C with Schur forms, in one kernel. C is cut into blocks of at most SIDE x SIDE, each a CTA's, which waits
 * for those below it and to its left, takes their products off, and solves with the blocks on the diagonals of A and B. CTAs
 * take blocks in the order in which they can be solved: by antidiagonals, from the lower left corner on. A form that is
 * transposed is one that is not, in reverse order: A^T X + X B = C is (J A^T J) (J X) + (J X) B = J C, J the exchange. */
#ifndef TSL_CUDA_LASYL_CUH
#define TSL_CUDA_LASYL_CUH

#include "kernel/cuda/exchange.cuh"
#include "kernel/cuda/syl/small.cuh"

namespace tsl {
namespace syl {

constexpr int SIDE = 32, LD = SIDE + 1, THREADS = 128, LANES = THREADS / SIDE;

/* Where blocks begin: every WIDTH rows or, if that would part a block of order 2 of real elements, one later */
template <class T> constexpr int WIDTH = is_complex<T> ? SIDE : SIDE - 1;
template <class T> __host__ __device__ constexpr int blocks(int64_t n) { return (int)((n + WIDTH<T> - 1) / WIDTH<T>); }

/* A matrix as it is seen, with its order of rows and columns */
template <class T> struct form {
    const T *p;
    int64_t ld;
    int n;
    bool turned, conjugated;

    __device__ T operator()(int i, int j) const
    {
        if (!turned) return p[i + j * ld];
        const T v = p[n - 1 - j + (n - 1 - i) * ld];
        return conjugated ? conj(v) : v;
    }
    __device__ int begin(int b) const
    {
        const int at = b * WIDTH<T>;
        if (at >= n) return n;
        if (is_complex<T> || at == 0) return at;
        return at + !is_zero((*this)(at, at - 1));
    }
};

template <class T> struct job {
    form<T> A, B;
    T *C;
    int64_t ldc;
    real_t<T> sign;
    real_t<T> *scale; /* 0: it is needed */
    int64_t *info;
    int *ready, *ticket; /* by blocks: is it solved? */

    __device__ T *at(int i, int j) const { return C + (A.turned ? A.n - 1 - i : i) + (B.turned ? B.n - 1 - j : j) * ldc; }
};

template <class T> struct shared {
    T L[SIDE * LD], R[SIDE * LD], X[SIDE * LD];
    real_t<T> most[THREADS / 32];
    int row[SIDE], col[SIDE], rows, cols, I, J; /* where groups of one or two rows and columns begin */
};

/* tile(i,j) := f(i,j), zeros past m x n: all elements of a thread are asked for before the first is there. turned: rows are
 * neighbours in memory, and so in a warp. */
template <class T, class F> __device__ void load_tile(bool turned, int m, int n, T *tile, F f)
{
    constexpr int EACH = SIDE * SIDE / THREADS;
    T v[EACH];
#pragma unroll
    for (int e = 0; e < EACH; e++) {
        const int fast = threadIdx.x % SIDE, slow = threadIdx.x / SIDE + e * (THREADS / SIDE), i = turned ? slow : fast, j = turned ? fast : slow;
        v[e] = i < m && j < n ? f(i, j) : make<T>(0);
    }
#pragma unroll
    for (int e = 0; e < EACH; e++) {
        const int fast = threadIdx.x % SIDE, slow = threadIdx.x / SIDE + e * (THREADS / SIDE);
        tile[turned ? slow + fast * LD : fast + slow * LD] = v[e];
    }
}

template <class T> __device__ void load_form(const form<T> &F, int i0, int m, int j0, int n, real_t<T> by, T *tile)
{
    load_tile(F.turned, m, n, tile, [&](int i, int j) { return scale(F(i0 + i, j0 + j), by); });
}

template <class T> __device__ void load_x(const job<T> &p, int i0, int m, int j0, int n, T *tile)
{
    load_tile(false, m, n, tile, [&](int i, int j) { return far((const T *)p.at(i0 + i, j0 + j)); });
}

/* A thread's part of a block: two rows by four columns */
template <class T> struct part {
    T v[2][4];
    __device__ static int row(int a) { return threadIdx.x % 16 + 16 * a; }
    __device__ static int col(int b) { return threadIdx.x / 16 + 8 * b; }

    __device__ void add_product(const T *L, const T *R)
    {
#pragma unroll 8
        for (int k = 0; k < SIDE; k++) {
            T l[2], r[4];
#pragma unroll
            for (int a = 0; a < 2; a++) l[a] = L[row(a) + k * LD];
#pragma unroll
            for (int b = 0; b < 4; b++) r[b] = R[k + col(b) * LD];
#pragma unroll
            for (int a = 0; a < 2; a++)
#pragma unroll
                for (int b = 0; b < 4; b++) v[a][b] = add_mul(v[a][b], l[a], r[b]);
        }
    }
};

/* The block of a ticket: antidiagonal t has the blocks I = P - 1 - (t - J). */
__device__ inline void find_block(int ticket, int P, int Q, int *I, int *J)
{
    for (int t = 0;; t++) {
        const int from = t < P ? 0 : t - P + 1, to = t < Q ? t : Q - 1, count = to - from + 1; /* of J */
        if (ticket < count) {
            *J = from + ticket;
            *I = P - 1 - (t - *J);
            return;
        }
        ticket -= count;
    }
}

/* Groups of a diagonal block, in a warp: a lane whose element left of the diagonal is not zero belongs to the row before it. */
template <class T> __device__ void find_groups(const T *F, int n, int *begins, int *count)
{
    const int lane = threadIdx.x % 32;
    const bool second = !is_complex<T> && lane > 0 && lane < n && !is_zero(F[lane + (lane - 1) * LD]);
    const unsigned firsts = __ballot_sync(0xffffffffu, lane < n && !second);
    if (lane < n && !second) begins[__popc(firsts & ((1u << lane) - 1))] = lane;
    if (lane == 0) *count = __popc(firsts);
}

template <class T> __device__ real_t<T> largest_of_all(shared<T> &s, real_t<T> mine)
{
    for (int mask = 16; mask; mask /= 2) mine = fmax(mine, shuffle_xor(mine, mask));
    if (threadIdx.x % 32 == 0) s.most[threadIdx.x / 32] = mine;
    __syncthreads();
    for (int w = 0; w < THREADS / 32; w++) mine = fmax(mine, s.most[w]);
    return mine;
}

/* f(a, b) for the elements of a group, all of which are in registers */
template <class T, class F> __device__ void for_group(bool two, bool wide, F f)
{
    constexpr int MOST = is_complex<T> ? 1 : 2;
#pragma unroll
    for (int a = 0; a < MOST; a++)
#pragma unroll
        for (int b = 0; b < MOST; b++)
            if ((a == 0 || two) && (b == 0 || wide)) f(a, b);
}

/* X, m x n, := the solution with the diagonal blocks L and R, R times the sign: groups along an antidiagonal at once, LANES
 * lanes each */
template <class T> __device__ void solve_block(shared<T> &s, int m, int n, const limits<real_t<T>> &lim, outcome &o)
{
    const int q = threadIdx.x / LANES, lane = threadIdx.x % LANES;
    for (int t = 0; t < s.rows + s.cols - 1; t++) {
        const int p = s.rows - 1 - (t - q);
        const bool active = q < s.cols && t >= q && p >= 0;
        const int k = active ? s.row[p] : 0, l = active ? s.col[q] : 0;
        const int k1 = active && p + 1 < s.rows ? s.row[p + 1] : m, l1 = active && q + 1 < s.cols ? s.col[q + 1] : n;
        const bool two = active && k1 - k > 1, wide = active && l1 - l > 1;
        T v[2][2] = {};
        if (!two && !wide) { /* most are: all loads at once */
            T beside = make<T>(0);
            const int to = active ? m : 0, before = active ? l : 0;
#pragma unroll
            for (int u = 0; u < SIDE / LANES; u++) {
                const int i = k1 + lane + u * LANES, j = lane + u * LANES;
                const T a = i < to ? s.L[k + i * LD] : make<T>(0), b = i < to ? s.X[i + l * LD] : make<T>(0);
                const T c = j < before ? s.X[k + j * LD] : make<T>(0), d = j < before ? s.R[j + l * LD] : make<T>(0);
                v[0][0] = add_mul(v[0][0], a, b), beside = add_mul(beside, c, d);
            }
            v[0][0] = add(v[0][0], beside);
        } else {
            for (int i = k1 + lane; i < m; i += LANES)
                for_group<T>(two, wide, [&](int a, int b) { v[a][b] = add_mul(v[a][b], s.L[k + a + i * LD], s.X[i + (l + b) * LD]); });
            for (int j = lane; j < l; j += LANES)
                for_group<T>(two, wide, [&](int a, int b) { v[a][b] = add_mul(v[a][b], s.X[k + a + j * LD], s.R[j + (l + b) * LD]); });
        }
#pragma unroll
        for (int mask = 1; mask < LANES; mask *= 2)
            for_group<T>(true, true, [&](int a, int b) { v[a][b] = add(v[a][b], shuffle_xor(v[a][b], mask)); });
        if (active && lane == 0) {
            T *X = s.X + k + l * LD;
            for_group<T>(two, wide, [&](int a, int b) { v[a][b] = add(X[a + b * LD], scale(v[a][b], real_t<T>(-1))); });
            solve_small<T, LD>(s.L + k * (LD + 1), s.R + l * (LD + 1), two, wide, v, lim, o);
            for_group<T>(two, wide, [&](int a, int b) { X[a + b * LD] = v[a][b]; });
        }
        __syncthreads();
    }
}

template <class T> __global__ __launch_bounds__(THREADS) void solve(job<T> p)
{
    using R = real_t<T>;
    extern __shared__ __align__(16) unsigned char syl_room[];
    shared<T> &s = *(shared<T> *)syl_room;
    const int P = blocks<T>(p.A.n), Q = blocks<T>(p.B.n);
    if (threadIdx.x == 0) find_block(atomicAdd(p.ticket, 1), P, Q, &s.I, &s.J);
    __syncthreads();
    const int I = s.I, J = s.J, i0 = p.A.begin(I), i1 = p.A.begin(I + 1), j0 = p.B.begin(J), j1 = p.B.begin(J + 1), m = i1 - i0, n = j1 - j0;
    part<T> sum = {};
    /* sum := A(I,K) X(K,J) + X(I,L) B(L,J), those first that are solved first */
    for (int d = max(P - 1 - I, J); d > 0; d--) {
        for (int right = 0; right < 2; right++) {
            if (d > (right ? J : P - 1 - I)) continue;
            const int K = right ? J - d : I + d, from = right ? p.B.begin(K) : p.A.begin(K),
                      to = right ? p.B.begin(K + 1) : p.A.begin(K + 1), count = to - from;
            __syncthreads(); /* the tiles are free */
            if (right) load_form(p.B, from, count, j0, n, p.sign, s.R);
            else load_form(p.A, i0, m, from, count, R(1), s.L);
            const int *const ready = p.ready + (right ? I * Q + K : K * Q + J);
            while (threadIdx.x == 0 && !acquire(ready)) {
            }
            __syncthreads();
            if (right) load_x(p, i0, m, from, count, s.L);
            else load_x(p, from, count, j0, n, s.R);
            __syncthreads();
            sum.add_product(s.L, s.R);
        }
    }
    __syncthreads();
    load_x(p, i0, m, j0, n, s.X);
    load_form(p.A, i0, m, i0, m, R(1), s.L);
    load_form(p.B, j0, n, j0, n, p.sign, s.R);
    __syncthreads();
    R most = 0;
    for (int a = 0; a < 2; a++)
        for (int b = 0; b < 4; b++) {
            T &x = s.X[sum.row(a) + sum.col(b) * LD];
            x = add(x, scale(sum.v[a][b], R(-1)));
            const int at = sum.row(a) + sum.col(b) * LD;
            most = fmax(most, fmax(magnitude(s.L[at]), magnitude(s.R[at])));
        }
    if (threadIdx.x < 32) find_groups(s.L, m, s.row, &s.rows);
    else if (threadIdx.x < 64) find_groups(s.R, n, s.col, &s.cols);
    outcome o = {};
    const limits<R> lim(largest_of_all(s, most), m * n);
    __syncthreads();
    solve_block(s, m, n, lim, o);
    for (int e = threadIdx.x; e < SIDE * SIDE; e += THREADS)
        if (e % SIDE < m && e / SIDE < n) *p.at(i0 + e % SIDE, j0 + e / SIDE) = s.X[e % SIDE + e / SIDE * LD];
    if (o.moved && *p.info == 0) *p.info = 1;
    if (o.overflows) *p.scale = 0;
    __syncthreads();
    if (threadIdx.x == 0) publish(p.ready + I * Q + J, 1);
}

} // namespace syl
} // namespace tsl
#endif
