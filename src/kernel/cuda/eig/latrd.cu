/* A panel of the reduction to tridiagonal form (core/leaf.h), a column at a time; the host reads nothing. Column c has its diagonal element in row
 * `diagonal`. Its reflector v has its one in the row beside that, where e goes, and the rest from there to the end of the matrix: below, or above if
 * the upper triangle is given. Y and W are the columns of the panel before it. In five launches:
 *   update    a := A(:,c) - Y W(diagonal,:)^H - W Y(diagonal,:)^H, and each CTA's part of the sum of squares that the reflector is made of
 *   reflect   v := a's reflector, a column of Y; p := W^H v, q := Y^H v, a CTA for an element of either
 *   symv      w := A v, of the matrix as it was before the panel (level2/symv.cu, two launches)
 *   correct   w := w - Y p - W q, which is the reduced matrix times v; v into A; each CTA's part of w^H v
 * Before it is used, in the next update or after the last column, w becomes tau w - |tau|^2 (w^H v) v / 2, a column of W.
 * Sums are added up in a fixed order. Rows go in strips of a warp's lanes, in turn over the CTAs; a CTA's warps share the columns of Y and W. */
#include "core/blue.h"
#include "core/values.h"
#include "kernel/cuda/geqrf/qr.cuh"
#include "kernel/cuda/launch.cuh"
#include "kernel/cuda/leaf.h"

namespace tsl {
namespace {

constexpr int LIMIT = 64, WARPS = 8, THREADS = 32 * WARPS, MAX_CTAS = 128;

template <class T> struct panel {
    T *A, *tau, *Y, *W;
    real_t<T> *d, *e;
    int64_t lda, ldy, ldw, n;
    int k, ctas, reflectors; /* as many as e has elements: k, or k - 1 if the panel is all there is */
    bool lower;
    T *w, *p, *q, *dots; /* workspace: n elements; LIMIT each; and of each CTA its part */
    tsl_blue *squares;
};

/* The j-th column of the panel */
struct column {
    int64_t c, diagonal, one, from, to; /* in A; rows of its reflector; there is one if from < to */
    int own, first, count, last;        /* in Y and W: its place, those before it, and of these the latest */
    int beside;                         /* of e and tau */
};

template <class T> __host__ __device__ column column_of(const panel<T> &p, int j)
{
    if (p.lower) return {j, j, j + 1, j + 1, p.n, j, 0, j, j - 1, j};
    const int64_t c = p.n - p.k + j;
    return {c, c, c - 1, 0, c, j, j + 1, p.k - 1 - j, j + 1, j - p.k + p.reflectors};
}

/* Over the parts of all CTAs, the same sum in every lane of the warp that calls */
template <class T> __device__ T sum_of(const T *parts, int count)
{
    T sum = make<T>(0);
    for (int i = threadIdx.x % 32; i < count; i += 32) sum = add(sum, parts[i]);
    for (int bit = 16; bit >= 1; bit /= 2) sum = add(sum, shuffle_xor(sum, bit));
    return sum;
}

__device__ inline void merge_lanes(tsl_blue &s)
{
    for (int bit = 16; bit >= 1; bit /= 2) {
        const tsl_blue other = {shuffle_xor(s.large, bit), shuffle_xor(s.middling, bit), shuffle_xor(s.small, bit)};
        tsl_blue_merge(&s, &other);
    }
}

template <class T> __device__ void take_square(tsl_blue &s, T a)
{
    if constexpr (is_complex<T>) {
        tsl_blue_add(&s, a.re);
        tsl_blue_add(&s, a.im);
    } else {
        tsl_blue_add(&s, a);
    }
}

/* What makes a column of W of w: tau w + shift v */
template <class T> struct last_step {
    T tau, shift;

    /* All lanes of a warp call, after `correct` of that column */
    __device__ last_step(const panel<T> &p, const column &of) : tau(p.tau[of.beside])
    {
        const T dot = sum_of(p.dots, p.ctas);
        shift = scale(mul(mul(tau, conj(tau)), dot), real_t<T>(-0.5));
    }

    __device__ last_step() {}

    __device__ T operator()(T w, T v) const { return add_mul(mul(tau, w), shift, v); }
};

/* What a CTA's warps have of the sum for each row of a strip, added up by warp 0; the others get nothing of use */
template <class T> __device__ T over_warps(T sum, T (&sums)[WARPS][33])
{
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    __syncthreads(); /* the strip before this one has been read */
    sums[warp][lane] = sum;
    __syncthreads();
    if (warp == 0)
        for (int i = 1; i < WARPS; i++) sum = add(sum, sums[i][lane]);
    return sum;
}

/* Column j, and the end of the one before it */
template <class T> __global__ __launch_bounds__(THREADS) void update(const __grid_constant__ panel<T> p, int j)
{
    __shared__ T of_y[LIMIT], of_w[LIMIT], sums[WARPS][33];
    __shared__ last_step<T> shared_step;
    const int tid = threadIdx.x, lane = tid % 32, warp = tid / 32;
    const column at = column_of(p, j);
    wait_for_previous_grid();
    let_next_grid_start();

    if (at.count > 0 && warp == 0) {
        const last_step<T> s(p, column_of(p, at.last));
        if (lane == 0) shared_step = s;
    }
    __syncthreads();
    const last_step<T> step = shared_step;
    if (tid < at.count) {
        const int col = at.first + tid;
        const T y = p.Y[at.diagonal + col * p.ldy];
        of_y[tid] = conj(col == at.last ? step(p.w[at.diagonal], y) : p.W[at.diagonal + col * p.ldw]);
        of_w[tid] = conj(y);
    }
    __syncthreads();

    tsl_blue squares = {0, 0, 0};
    const int64_t from = min(at.diagonal, at.from), to = max(at.diagonal + 1, at.to);
    for (int64_t row0 = from + (int64_t)blockIdx.x * 32; row0 < to; row0 += (int64_t)p.ctas * 32) {
        const int64_t row = row0 + lane;
        T sum = make<T>(0);
        if (row < to) {
#pragma unroll 4
            for (int i = warp; i < at.count; i += WARPS) {
                const int col = at.first + i;
                const T y = p.Y[row + col * p.ldy];
                T w;
                if (col == at.last) {
                    w = step(p.w[row], y);
                    p.W[row + col * p.ldw] = w;
                } else {
                    w = p.W[row + col * p.ldw];
                }
                sum = add_mul(add_mul(sum, y, of_y[i]), w, of_w[i]);
            }
        }
        sum = over_warps(sum, sums);
        if (warp > 0 || row >= to) continue;
        T *const place = p.A + row + at.c * p.lda;
        T a = add(*place, scale(sum, real_t<T>(-1)));
        if (row == at.diagonal) {
            a = make<T>(re(a));
            p.d[at.own] = re(a);
        } else if (row != at.one) {
            take_square(squares, a);
        }
        *place = a;
    }
    if (warp > 0) return;
    merge_lanes(squares);
    if (lane == 0) p.squares[blockIdx.x] = squares;
}

/* The reflector of a column, scaled by a power of two where that keeps squares in the range */
template <class T> struct scaled_reflector {
    reflector<T> h;
    real_t<T> by;

    __device__ scaled_reflector(T alpha, double norm, real_t<T> factor)
        : h(scale(alpha, factor), (real_t<T>)(norm * factor) * (real_t<T>)(norm * factor)), by(factor)
    {
    }

    __device__ T element(T a) const { return h.element(scale(a, by)); }
};

template <class T> __device__ scaled_reflector<T> reflector_of(const panel<T> &p, const column &at)
{
    using R = real_t<T>;
    tsl_blue s = {0, 0, 0};
    for (int i = threadIdx.x % 32; i < p.ctas; i += 32) tsl_blue_merge(&s, &p.squares[i]);
    merge_lanes(s);
    const T alpha = p.A[at.one + at.c * p.lda];
    const double norm = tsl_blue_norm(&s), most = fmax(norm, (double)magnitude(alpha));
    return scaled_reflector<T>(alpha, norm, factor_of((R)fmin(most, (double)LARGEST<R>)));
}

/* The first CTAs have an element of p and of q each, the others rows of v. A's column stays: all of them read it. */
template <class T> __global__ __launch_bounds__(THREADS) void reflect(const __grid_constant__ panel<T> p, int j)
{
    __shared__ T of_p[WARPS], of_q[WARPS];
    const int tid = threadIdx.x, lane = tid % 32, warp = tid / 32;
    const column at = column_of(p, j);
    wait_for_previous_grid();
    let_next_grid_start();

    const scaled_reflector<T> s = reflector_of(p, at); /* every warp for itself: the same */
    const T *const a = p.A + at.c * p.lda;
    const auto element = [&](int64_t row) { return row == at.one ? make<T>(1) : s.element(a[row]); };
    if ((int)blockIdx.x >= at.count) {
        const int64_t part = (int)blockIdx.x - at.count, row = at.from + part * THREADS + tid;
        if (row < at.to) p.Y[row + at.own * p.ldy] = element(row);
        if (part == 0 && tid == 0) {
            p.e[at.beside] = s.h.beta / s.by;
            p.tau[at.beside] = s.h.tau;
        }
        return;
    }
    const int col = at.first + (int)blockIdx.x;
    const T *const y = p.Y + col * p.ldy, *const w = p.W + col * p.ldw;
    T dot_w = make<T>(0), dot_y = make<T>(0);
#pragma unroll 4
    for (int64_t row = at.from + tid; row < at.to; row += THREADS) {
        const T v = element(row);
        dot_w = add_mul<true>(dot_w, w[row], v);
        dot_y = add_mul<true>(dot_y, y[row], v);
    }
    for (int bit = 16; bit >= 1; bit /= 2) {
        dot_w = add(dot_w, shuffle_xor(dot_w, bit));
        dot_y = add(dot_y, shuffle_xor(dot_y, bit));
    }
    if (lane == 0) of_p[warp] = dot_w, of_q[warp] = dot_y;
    __syncthreads();
    if (tid > 0) return;
    for (int i = 1; i < WARPS; i++) dot_w = add(dot_w, of_p[i]), dot_y = add(dot_y, of_q[i]);
    p.p[blockIdx.x] = dot_w;
    p.q[blockIdx.x] = dot_y;
}

template <class T> __global__ __launch_bounds__(THREADS) void correct(const __grid_constant__ panel<T> p, int j)
{
    __shared__ T of_y[LIMIT], of_w[LIMIT], sums[WARPS][33];
    const int tid = threadIdx.x, lane = tid % 32, warp = tid / 32;
    const column at = column_of(p, j);
    wait_for_previous_grid();
    let_next_grid_start();

    if (tid < at.count) {
        of_y[tid] = p.p[tid];
        of_w[tid] = p.q[tid];
    }
    __syncthreads();
    T dot = make<T>(0);
    for (int64_t row0 = at.from + (int64_t)blockIdx.x * 32; row0 < at.to; row0 += (int64_t)p.ctas * 32) {
        const int64_t row = row0 + lane;
        T sum = make<T>(0);
        if (row < at.to) {
#pragma unroll 4
            for (int i = warp; i < at.count; i += WARPS) {
                const int col = at.first + i;
                sum = add_mul(add_mul(sum, p.Y[row + col * p.ldy], of_y[i]), p.W[row + col * p.ldw], of_w[i]);
            }
        }
        sum = over_warps(sum, sums);
        if (warp > 0 || row >= at.to) continue;
        const T w = add(p.w[row], scale(sum, real_t<T>(-1))), v = p.Y[row + at.own * p.ldy];
        p.w[row] = w;
        p.A[row + at.c * p.lda] = row == at.one ? make<T>(p.e[at.beside]) : v;
        dot = add_mul<true>(dot, w, v);
    }
    if (warp > 0) return;
    for (int bit = 16; bit >= 1; bit /= 2) dot = add(dot, shuffle_xor(dot, bit));
    if (lane == 0) p.dots[blockIdx.x] = dot;
}

/* The end of the last column, j */
template <class T> __global__ __launch_bounds__(THREADS) void finish(const __grid_constant__ panel<T> p, int j)
{
    const column at = column_of(p, j);
    wait_for_previous_grid();
    const last_step<T> step(p, at);
    const int64_t row = at.from + (int64_t)blockIdx.x * THREADS + threadIdx.x;
    if (row < at.to) p.W[row + at.own * p.ldw] = step(p.w[row], p.Y[row + at.own * p.ldy]);
}

int ctas_of(int64_t n) { return (int)tsl_min(MAX_CTAS, (n + 31) / 32); }

/* w := A v */
template <class T> tsl_leaf product_of(const panel<T> &p, const tsl_leaf *l, const column &at)
{
    tsl_leaf s = {};
    s.op = is_complex<T> ? TSL_OP_HEMV : TSL_OP_SYMV;
    s.type = l->type;
    s.uplo = l->uplo;
    s.herm = is_complex<T>;
    s.n = at.to - at.from;
    s.alpha = 1;
    s.A.p = p.A + at.from * (p.lda + 1), s.A.ld = p.lda;
    s.B.p = p.Y + at.from + at.own * p.ldy, s.B.ld = 1;
    s.C.p = p.w + at.from, s.C.ld = 1;
    return s;
}

/* Workspace: the parts of it begin at multiples of so many bytes */
constexpr size_t ALIGN = 256;
size_t aligned(size_t bytes) { return (bytes + ALIGN - 1) / ALIGN * ALIGN; }

template <class T> panel<T> panel_of(const tsl_leaf *l)
{
    panel<T> p = {};
    p.A = (T *)l->A.p, p.tau = (T *)l->D.p, p.Y = (T *)l->E.p, p.W = (T *)l->F.p;
    p.d = (real_t<T> *)l->B.p, p.e = (real_t<T> *)l->C.p;
    p.lda = l->A.ld, p.ldy = l->E.ld, p.ldw = l->F.ld, p.n = l->n;
    p.k = (int)l->k, p.ctas = ctas_of(l->n), p.reflectors = (int)tsl_min(l->k, l->n - 1);
    p.lower = l->uplo == TSL_LOWER;
    return p;
}

/* Bytes of workspace up to where that of symv begins; its parts go to p, if they are there */
template <class T> size_t carve(panel<T> &p, char *work)
{
    size_t used = 0;
    const auto take = [&](size_t bytes) {
        char *const at = work ? work + used : nullptr;
        used += aligned(bytes);
        return at;
    };
    p.w = (T *)take((size_t)p.n * sizeof(T));
    p.p = (T *)take(LIMIT * sizeof(T));
    p.q = (T *)take(LIMIT * sizeof(T));
    p.dots = (T *)take((size_t)p.ctas * sizeof(T));
    p.squares = (tsl_blue *)take((size_t)p.ctas * sizeof(tsl_blue));
    return used;
}

template <class T> size_t workspace_of(const tsl_leaf *l)
{
    panel<T> p = panel_of<T>(l);
    size_t most = 0;
    for (int j = 0; j < p.k; j++) { /* of another shape, a smaller product may need more */
        const tsl_leaf s = product_of(p, l, column_of(p, j));
        if (s.n > 0) most = tsl_max(most, tsl_cuda_symv_entry.workspace(&s));
    }
    return carve(p, (char *)nullptr) + most;
}

template <class T> tsl_status launch_latrd(tsl_queue *q, const tsl_leaf *l)
{
    const cudaStream_t stream = tsl_cuda(q)->stream;
    panel<T> p = panel_of<T>(l);
    void *const rest = (char *)l->work + carve(p, (char *)l->work);
    bool early = false;
    cudaError_t e = has_sm90(&early);
    tsl_status st = TSL_OK;
    int latest = -1;
    for (int i = 0; i < p.k && e == cudaSuccess && st == TSL_OK; i++) {
        const int j = p.lower ? i : p.k - 1 - i;
        const column at = column_of(p, j);
        const int64_t rows = at.to - at.from;
        e = launch(update<T>, {p.ctas, THREADS, 0, 1, early, false}, stream, p, j);
        if (rows <= 0) break; /* the last element of the diagonal */
        latest = j;
        const int64_t writers = (rows + THREADS - 1) / THREADS;
        if (e == cudaSuccess) e = launch(reflect<T>, {at.count + writers, THREADS, 0, 1, early, false}, stream, p, j);
        tsl_leaf s = product_of(p, l, at);
        s.work = rest;
        if (e == cudaSuccess) st = tsl_cuda_symv_entry.fn[l->type](q, &s);
        if (e == cudaSuccess && st == TSL_OK) e = launch(correct<T>, {p.ctas, THREADS, 0, 1, early, false}, stream, p, j);
    }
    if (e == cudaSuccess && st == TSL_OK && latest >= 0 && p.k < p.n) {
        const column at = column_of(p, latest);
        e = launch(finish<T>, {(at.to - at.from + THREADS - 1) / THREADS, THREADS, 0, 1, early, false}, stream, p, latest);
    }
    return st == TSL_OK ? tsl_cuda_check(e, "latrd") : st;
}

} // namespace
} // namespace tsl

static size_t workspace(const tsl_leaf *l)
{
    size_t bytes = 0;
    tsl::by_type(l->type, [&](auto zero) { return bytes = tsl::workspace_of<decltype(zero)>(l), TSL_OK; });
    return bytes;
}

static tsl_status latrd(tsl_queue *q, const tsl_leaf *l)
{
    return tsl::by_type(l->type, [=](auto zero) { return tsl::launch_latrd<decltype(zero)>(q, l); });
}

extern "C" const tsl_kernel_entry tsl_cuda_latrd_entry = {TSL_ALL_TYPES(latrd), tsl::LIMIT, 0, workspace, NULL, NULL};
