/* Cholesky factorisation of a small matrix in the registers of a group of lanes (rows.cuh), and solves with the factor.
 *
 * The algorithm is the lower one, A = L L^H. For an upper triangle conj(A) = (U^T)(U^T)^H, so L = U^T is found by the same
 * steps from the stored triangle transposed. */
#ifndef TSL_CUDA_BATCH_POTRF_ROWS_CUH
#define TSL_CUDA_BATCH_POTRF_ROWS_CUH

#include "kernel/cuda/batch/potrf/rows.cuh"

namespace tsl {
namespace {

/* Columns of a factor on their way to all lanes of a group: two, so that one is written while the other is read. */
template <class T, int N> struct alignas(16) column_room {
    T x[2][N];
    char apart[16];
};

/* Right-looking. Returns whether all pivots were normal positive numbers; if not, a holds nothing of use. The next pivot is its
 * lane's own: it does not wait for the column to reach the other lanes. */
template <int L, int H, class T>
__device__ bool factor_rows(T (&a)[H][L * H], int n, const group<T, L> &g, column_room<T, L * H> *room)
{
    using R = real_t<T>;
    constexpr int N = L * H, V = VEC<T>;
    R p = of_group<L>(re(a[0][0]), 0);
    bool ok = true;
#pragma unroll
    for (int j = 0; j < N; j++) {
        if (j % 8 == 0 && j >= n) break;
        const R y = inv_sqrt(p), d = root(p, y);
        ok = ok && is_normal_positive(p);
#pragma unroll
        for (int h = j / L; h < H; h++) a[h][j] = scale(a[h][j], y);
        if (j + 1 < N) p = of_group<L>(sub_norm(re(a[(j + 1) / L][j + 1]), a[(j + 1) / L][j]), (j + 1) % L);
        T *column = room->x[j % 2];
#pragma unroll
        for (int h = j / L; h < H; h++) column[h * L + g.l] = a[h][j];
        __syncwarp();
#pragma unroll
        for (int q = (j + 1) / V; q < N / V; q++) {
            const pack<T, V> c = get<V>(column + q * V);
#pragma unroll
            for (int v = 0; v < V; v++)
#pragma unroll
                for (int h = q * V / L; h < H; h++)
                    if (q * V + v > j) a[h][q * V + v] = sub_mul<true>(a[h][q * V + v], a[h][j], c.x[v]);
        }
        if (g.l == j % L) a[j / L][j] = make<T>(d);
    }
    return ok;
}

/* b := solution of L L^H x = b; inv[h]: 1 / L(r,r) of the lane's rows */
template <int L, int H, class T>
__device__ void solve_rows(T (&b)[H][1], const T (&a)[H][L * H], const real_t<T> (&inv)[H], int n, int l)
{
    constexpr int N = L * H;
#pragma unroll
    for (int j = 0; j < N; j++) {
        if (j % 8 == 0 && j >= n) break;
        T &own = b[j / L][0];
        const T x = of_group<L>(scale(own, inv[j / L]), j % L);
        own = l == j % L ? x : l > j % L ? sub_mul<false>(own, a[j / L][j], x) : own;
#pragma unroll
        for (int h = j / L + 1; h < H; h++) b[h][0] = sub_mul<false>(b[h][0], a[h][j], x);
    }
#pragma unroll
    for (int j = N - 1; j >= 0; j--) {
        if (j >= n) continue;
        T &own = b[j / L][0];
        T sum = l > j % L ? mul(conj(a[j / L][j]), own) : make<T>(0);
#pragma unroll
        for (int h = j / L + 1; h < H; h++) sum = add_mul<true>(sum, a[h][j], b[h][0]);
#pragma unroll
        for (int bit = L / 2; bit > 0; bit /= 2) sum = add(sum, shuffle_xor(sum, bit));
        if (l == j % L) own = scale(add(own, scale(sum, -1)), inv[j / L]);
    }
}

/* The lower factor of A in memory by a warp, with every care: any positive pivot, Inf and subnormal too. Left-looking: columns
 * from the first bad one on stay as they were. Returns LAPACK's info. */
template <class T> __device__ int64_t factor_in_memory(const block<T> &A, int lane)
{
    const auto at = [&](int r, int c) -> T & { return A.p[r * A.sr + c * A.sc]; };
    for (int j = 0; j < A.rows; j++) {
        real_t<T> p = re(at(j, j));
        for (int k = 0; k < j; k++) p = sub_norm(p, at(j, k));
        if (!(p > 0)) return j + 1;
        const real_t<T> d = sqrt(p), y = 1 / d;
        __syncwarp();
        for (int r = j + lane; r < A.rows; r += 32) {
            T x = at(r, j);
            for (int k = 0; k < j; k++) x = sub_mul<true>(x, at(r, k), at(j, k));
            at(r, j) = r == j ? make<T>(d) : scale(x, y);
        }
        __syncwarp();
    }
    return 0;
}

/* B := solution of A x = b in memory, from that factor; a lane per column. conjugate: of conj(A) */
template <class T> __device__ void solve_in_memory(const block<T> &B, const block<T> &A, bool conjugate, int lane)
{
    const auto l = [&](int r, int c) { return A.p[r * A.sr + c * A.sc]; };
    for (int c = lane; c < B.cols; c += 32) {
        T *b = B.p + c * B.sc;
        for (int r = 0; r < A.rows; r++) {
            T x = conjugate ? conj(b[r]) : b[r];
            for (int k = 0; k < r; k++) x = sub_mul<false>(x, l(r, k), b[k]);
            b[r] = scale(x, 1 / re(l(r, r)));
        }
        for (int r = A.rows - 1; r >= 0; r--) {
            T x = b[r];
            for (int k = r + 1; k < A.rows; k++) x = sub_mul<true>(x, b[k], l(k, r));
            b[r] = scale(x, 1 / re(l(r, r)));
        }
        if (conjugate)
            for (int r = 0; r < A.rows; r++) b[r] = conj(b[r]);
    }
}

/* A warp's problems: factored, and B := solution where nrhs > 0 and the factor exists. Problems with a pivot that is not a
 * normal positive number are left for the careful way: nothing of them has been written before. */
template <class T, int L, int H, bool SOLVES>
__global__ __launch_bounds__(32 * ROWS_WARPS) void factor_small(bool lower, int n, int64_t nrhs, Batch<T> A, Batch<T> B, int64_t count,
                                                                int64_t *info)
{
    __shared__ strip_room<T, L> rooms[GROUPS<L>];
    __shared__ column_room<T, L * H> columns[GROUPS<L>];
    const group<T, L> g(rooms);
    const bool in = g.number < count;
    block<T> M = {in ? A.at(g.number) : nullptr, lower ? 1 : A.ld, lower ? A.ld : 1, in ? n : 0, n};
    block<T> R = {SOLVES && in ? B.at(g.number) : nullptr, 1, B.ld, 0, 0};

    T a[H][L * H];
    load_triangle<L>(a, block<const T>{M.p, M.sr, M.sc, M.rows, M.cols}, false, g);
    const bool good = factor_rows<L>(a, n, g, columns + threadIdx.x / L);
    const int rows = good ? M.rows : 0;
    if constexpr (SOLVES) {
        real_t<T> inv[H];
#pragma unroll
        for (int h = 0; h < H; h++) {
            inv[h] = 1;
#pragma unroll
            for (int l = 0; l < L; l++)
                if (l == g.l) inv[h] = 1 / re(a[h][h * L + l]);
        }
        const auto turn = [&](T &x, int, int) {
            if (!lower) x = conj(x);
        };
        for (int64_t c = 0; c < nrhs; c++) {
            T b[H][1];
            const block<T> column = {R.p + c * R.sc, R.sr, R.sc, rows, 1};
            load_columns<L>(b, column, g);
            each<true, L>(b, g.l, turn);
            solve_rows<L>(b, a, inv, n, g.l);
            each<true, L>(b, g.l, turn);
            store_columns<L>(column, b, g);
        }
    }
    store_triangle<L>(block<T>{M.p, M.sr, M.sc, rows, n}, a, g);
    if (in && good && g.l == 0) info[g.number] = 0;

    const int lane = threadIdx.x % 32;
    for (unsigned bad = __ballot_sync(~0u, in && !good && g.l == 0); bad; bad &= bad - 1) {
        const int64_t i = __shfl_sync(~0u, g.number, __ffs(bad) - 1);
        M.p = A.at(i);
        M.rows = n;
        const int64_t failed = factor_in_memory(M, lane);
        if (lane == 0) info[i] = failed;
        if (SOLVES && !failed) solve_in_memory(block<T>{B.at(i), 1, B.ld, n, (int)nrhs}, M, is_complex<T> && !lower, lane);
    }
}

template <class T, int L, int H, bool SOLVES>
cudaError_t launch_factor_small(cudaStream_t s, bool lower, int n, int64_t nrhs, Batch<T> A, Batch<T> B, int64_t count, int64_t *info)
{
    constexpr int PER_CTA = GROUPS<L>;
    factor_small<T, L, H, SOLVES>
        <<<(unsigned)((count + PER_CTA - 1) / PER_CTA), 32 * ROWS_WARPS, 0, s>>>(lower, n, nrhs, A, B, count, info);
    return cudaGetLastError();
}

} // namespace
} // namespace tsl
#endif
