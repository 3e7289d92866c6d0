/* The factors of a product of single precision as matrices of halves, for tensor cores.
 *
 * Where products may have 8 or 11 bits, F becomes F1, F rounded. Where they are to have those of single precision F becomes F1
 * and F2, what F1 leaves of F, rounded; then F G = F2 G1 + F1 G2 + F1 G1 up to 2^-22 of its size, F2 G2 and the roundings of
 * what is left: one product, [F2 F1 F1] [G1; G2; G1], whose inner size is three times as large, so that C moves once. Its sums
 * come small parts first: tensor cores do not round them, but cut them off, 16 terms at a time. Halves are small: a factor that
 * is not within 2^-14 .. 2^15 of 1 loses bits, or becomes infinite, which the product shows.
 *
 * A complex product is a real one, with C's parts as rows: [Re C; Im C] = [Re F, -Im F; Im F, Re F] [Re G; Im G], row by
 * row. */
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include "kernel/cuda/leaf.h"
#include "kernel/cuda/level3/level3.h"
#include "kernel/cuda/scalar.cuh"

namespace tsl {
namespace {

constexpr int THREADS = 256, COLUMNS = 8;
constexpr int64_t MAX_GRID_Y = 65535;
constexpr size_t ALIGNED = 256; /* bytes, of a matrix */
constexpr int64_t EVEN = 8;     /* elements, of a column */

/* A factor as it is stored: rows x cols, one of which the sums go along; and what becomes of it, ld x width */
struct factor {
    int64_t rows, cols, ld, width;
    int terms, parts;
    bool left, inner_rows, conjugate;
};

/* Where element (i,j) of the first term lies; those of the next are `step` further each. */
template <class E> struct place {
    E *at;
    int64_t step;
    int terms;
    bool left;
    __device__ void put(int64_t offset, float v) const
    {
        const E high = (E)v, low = terms > 1 ? (E)(v - (float)high) : high;
        E *p = at + offset;
        if (terms > 1) {
            p[0] = left ? low : high;
            p[step] = left ? high : low;
        }
        p[(terms - 1) * step] = high;
    }
};

template <class E> __device__ void split(const factor &f, float a, int64_t i, int64_t j, E *to)
{
    const place<E> p = {to + i + j * f.ld, f.inner_rows ? f.rows : f.cols * f.ld, f.terms, f.left};
    p.put(0, a);
}

/* Along the sums each element becomes two; of the left factor across them too. */
template <class E> __device__ void split(const factor &f, cplx<float> a, int64_t i, int64_t j, E *to)
{
    const float im = f.conjugate ? -a.im : a.im;
    const int64_t along = f.inner_rows ? 1 : f.ld, across = f.inner_rows ? f.ld : 1;
    const int64_t inner = 2 * (f.inner_rows ? i : j), other = (f.left ? 2 : 1) * (f.inner_rows ? j : i);
    const place<E> p = {to + inner * along + other * across, 2 * (f.inner_rows ? f.rows : f.cols) * along, f.terms, f.left};
    p.put(0, a.re);
    p.put(along, f.left ? -im : im);
    if (!f.left) return;
    p.put(across, im);
    p.put(along + across, a.re);
}

template <class E, class T> __global__ __launch_bounds__(THREADS) void narrow_block(factor f, const T *F, int64_t ld, E *to)
{
    const int64_t i = (int64_t)blockIdx.x * THREADS + threadIdx.x;
    for (int64_t j0 = (int64_t)blockIdx.y * COLUMNS; j0 < f.cols && i < f.rows; j0 += (int64_t)gridDim.y * COLUMNS) {
#pragma unroll
        for (int s = 0; s < COLUMNS; s++)
            if (j0 + s < f.cols) split(f, F[i + (j0 + s) * ld], i, j0 + s, to);
    }
}

factor factor_of(const tsl_leaf *l, bool left)
{
    const tsl_op op = left ? l->A.op : l->B.op;
    factor f = {};
    f.left = left;
    f.inner_rows = left == ((op & TSL_TRANS) != 0);
    f.conjugate = (op & TSL_CONJ) != 0;
    f.parts = l->type == TSL_C ? 2 : 1;
    f.terms = l->products == TSL_PRODUCTS_FP32 ? 3 : 1;
    const int64_t free = left ? l->m : l->n;
    f.rows = f.inner_rows ? l->k : free;
    f.cols = f.inner_rows ? free : l->k;
    const int64_t inner = f.terms * f.parts * l->k, other = left ? f.parts * free : free;
    f.ld = ((f.inner_rows ? inner : other) + EVEN - 1) / EVEN * EVEN;
    f.width = f.inner_rows ? other : inner;
    return f;
}

size_t bytes_of(const factor &f) { return ((size_t)(f.ld * f.width) * sizeof(__half) + ALIGNED - 1) / ALIGNED * ALIGNED; }

template <class E, class T> tsl_status launch(tsl_queue *q, const factor &f, const void *F, int64_t ld, void *to)
{
    const int64_t cols = (f.cols + COLUMNS - 1) / COLUMNS;
    const dim3 grid((unsigned)((f.rows + THREADS - 1) / THREADS), (unsigned)(cols < MAX_GRID_Y ? cols : MAX_GRID_Y));
    narrow_block<E, T><<<grid, THREADS, 0, tsl_cuda(q)->stream>>>(f, (const T *)F, ld, (E *)to);
    return tsl_cuda_check(cudaGetLastError(), "narrow");
}

tsl_status narrow(tsl_queue *q, const tsl_leaf *l, const factor &f, const void *F, int64_t ld, void *to)
{
    if (l->products == TSL_PRODUCTS_BF16)
        return l->type == TSL_C ? launch<__nv_bfloat16, cplx<float>>(q, f, F, ld, to) : launch<__nv_bfloat16, float>(q, f, F, ld, to);
    return l->type == TSL_C ? launch<__half, cplx<float>>(q, f, F, ld, to) : launch<__half, float>(q, f, F, ld, to);
}

} // namespace
} // namespace tsl

/* Products too small for it take less time than that. */
bool tsl_cuda_narrows(const tsl_leaf *l)
{
    const double MANY = 1 << 27; /* multiplications */
    const bool single = l->type == TSL_S || l->type == TSL_C;
    const bool by_halves = l->products == TSL_PRODUCTS_FP32 || l->products > TSL_PRODUCTS_TF32;
    return single && by_halves && __imag__ l->alpha == 0 && __imag__ l->beta == 0 && (double)l->m * (double)l->n * (double)l->k >= MANY;
}

size_t tsl_cuda_narrow_workspace(const tsl_leaf *l)
{
    return tsl_cuda_narrows(l) ? tsl::bytes_of(tsl::factor_of(l, true)) + tsl::bytes_of(tsl::factor_of(l, false)) : 0;
}

tsl_status tsl_cuda_narrow(tsl_queue *q, const tsl_leaf *l, void *work, tsl_leaf *of_halves)
{
    const tsl::factor A = tsl::factor_of(l, true), B = tsl::factor_of(l, false);
    void *second = (char *)work + tsl::bytes_of(A);
    tsl_status st = tsl::narrow(q, l, A, l->A.p, l->A.ld, work);
    if (st == TSL_OK) st = tsl::narrow(q, l, B, l->B.p, l->B.ld, second);
    *of_halves = *l;
    of_halves->halves = l->products == TSL_PRODUCTS_BF16 ? TSL_BF16 : TSL_FP16;
    of_halves->A.p = work, of_halves->A.ld = A.ld, of_halves->A.op = (tsl_op)(l->A.op & TSL_TRANS);
    of_halves->B.p = second, of_halves->B.ld = B.ld, of_halves->B.op = (tsl_op)(l->B.op & TSL_TRANS);
    of_halves->k = A.terms * A.parts * of_halves->k;
    return st;
}

const void *tsl_cuda_kernel_of_narrow(void) { return (const void *)tsl::narrow_block<__half, float>; }
