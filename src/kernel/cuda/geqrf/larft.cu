/* T of reflectors, from the products Y^H Y above its diagonal and their factors tau: the triangles of 32 reflectors each, side
 * by side; then, as often as it takes, of each two neighbours that of both,
 *
 *     T = [T1, -T1 (Y1^H Y2) T2; 0, T2],
 *
 * all pairs in a launch for each of the two products. Between them the product with T2 is, transposed, below the diagonal,
 * where nobody looks for anything. Sums go in one order. */
#include "kernel/cuda/geqrf/qr.cuh"
#include "kernel/cuda/launch.cuh"
#include "kernel/cuda/leaf.h"

namespace tsl {
namespace {

constexpr int COLS = TSL_CUDA_GEQRT_STEPS, TILE = 16, MOST = 1024;
static_assert(COLS == 32, "a lane per column");

/* A warp: column j is -tau(j) T(0..j, 0..j) times what is above the diagonal in it. */
template <class T> __global__ __launch_bounds__(32) void triangles(T *all, int64_t ld, const T *factors, int whole)
{
    __shared__ T t[COLS][COLS + 1];
    const int lane = threadIdx.x, from = (int)blockIdx.x * COLS;
    const int k = whole - from < COLS ? whole - from : COLS;
    T *const B = all + from * (ld + 1);
    const T *const tau = factors + from;
    for (int j = 0; j < k; j++) t[j][lane] = lane < j ? B[lane + j * ld] : make<T>(0);
    __syncwarp();
    for (int j = 0; j < k; j++) {
        T sum = make<T>(0);
        for (int l = 0; l < j; l++)
            if (l >= lane) sum = add_mul(sum, t[l][lane], t[j][l]);
        __syncwarp();
        const T by = tau[j];
        if (lane < j) t[j][lane] = is_zero(by) ? make<T>(0) : sub_mul<false>(make<T>(0), by, sum);
        if (lane == j) t[j][lane] = by;
        __syncwarp();
        if (lane <= j) B[lane + j * ld] = t[j][lane];
    }
}

/* Pair z of neighbours of h columns each, the last of which may be narrower, r columns: first W := T12 T2, which is stored
 * transposed, then T12 := -T1 W. Triangles are zero elsewhere, so sums go from `first` to `last`. */
template <class T, bool FIRST> __global__ __launch_bounds__(TILE *TILE) void join(T *all, int64_t ld, int h, int whole)
{
    __shared__ T a[TILE][TILE + 1], b[TILE][TILE + 1];
    const int from = (int)blockIdx.z * 2 * h, left = whole - from - h, r = left < h ? left : h;
    const int x = threadIdx.x % TILE, y = threadIdx.x / TILE, i0 = (int)blockIdx.x * TILE, j0 = (int)blockIdx.y * TILE;
    if (j0 >= r) return;
    T *const T1 = all + from * (ld + 1), *const T2 = T1 + h * (ld + 1), *const T12 = T1 + h * ld, *const W = T1 + h;
    const int first = FIRST ? 0 : i0, last = !FIRST ? h : j0 + TILE < r ? j0 + TILE : r;
    T sum = make<T>(0);
    for (int c0 = first; c0 < last; c0 += TILE) {
        const int i = i0 + x, j = j0 + x, right = c0 + y, down = c0 + x;
        /* a: rows i, columns c; b: rows c, columns j */
        if (FIRST) a[y][x] = i < h && right < r ? T12[i + right * ld] : make<T>(0);
        else a[y][x] = i < h && right < h && right >= i ? T1[i + right * ld] : make<T>(0);
        if (FIRST) b[y][x] = j0 + y < r && down <= j0 + y ? T2[down + (j0 + y) * ld] : make<T>(0);
        else b[x][y] = j < r && right < h ? W[j + right * ld] : make<T>(0);
        __syncthreads();
        for (int c = 0; c < TILE; c++) sum = add_mul(sum, a[c][x], b[y][c]);
        __syncthreads();
    }
    const int i = i0 + x, j = j0 + y;
    if (i >= h || j >= r) return;
    if (FIRST) W[j + i * ld] = sum;
    else T12[i + j * ld] = sub_mul<false>(make<T>(0), make<T>(1), sum);
}

template <class T> tsl_status larft_of(tsl_queue *q, const tsl_leaf *l)
{
    const cudaStream_t s = tsl_cuda(q)->stream;
    T *const t = (T *)l->A.p;
    const int k = (int)l->k;
    triangles<T><<<(k + COLS - 1) / COLS, 32, 0, s>>>(t, l->A.ld, (const T *)l->B.p, k);
    for (int h = COLS; h < k; h *= 2) {
        const unsigned side = (unsigned)(h / TILE);
        const dim3 grid(side, side, (unsigned)((k - h + 2 * h - 1) / (2 * h)));
        join<T, true><<<grid, TILE * TILE, 0, s>>>(t, l->A.ld, h, k);
        join<T, false><<<grid, TILE * TILE, 0, s>>>(t, l->A.ld, h, k);
    }
    return tsl_cuda_check(cudaGetLastError(), "larft");
}

} // namespace
} // namespace tsl

static tsl_status larft(tsl_queue *q, const tsl_leaf *l)
{
    return tsl::by_type(l->type, [=](auto zero) { return tsl::larft_of<decltype(zero)>(q, l); });
}

static const void *kernel(int i) { return i ? nullptr : (const void *)tsl::triangles<float>; }

extern "C" const tsl_kernel_entry tsl_cuda_larft_entry = {TSL_ALL_TYPES(larft), tsl::MOST, 0, nullptr, kernel, nullptr};
