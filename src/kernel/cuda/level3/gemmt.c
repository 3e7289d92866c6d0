/* A triangle of a product by products of whole blocks: C := alpha op(A) op(B) + beta C on a triangle of C.
 *
 * With blocks of order b the triangle of order 2b is two triangles and one square between them. So for b = nb, 2nb, 4nb, ...
 * all squares of order b stand at equal distances along the diagonal: one strided batch each, which fills the GPU where a
 * single square would not. What is left are the triangles of order nb on the diagonal: their whole squares are computed into
 * workspace, another batch, and the triangles added to C. */
#include "device/cuda/cublas.h"
#include "kernel/cuda/leaf.h"
#include "kernel/cuda/level3/level3.h"
#include "kernel/cuda/products/products.h"

enum { NB = 256 }; /* order of a diagonal block: half of its square is computed in vain */

static int64_t least(int64_t a, int64_t b) { return a < b ? a : b; }

/* So many elements of A or B further, a row of op(A) or a column of op(B). Halves of a complex matrix are of rows of its
 * parts. */
static int64_t row_step(const tsl_leaf *l)
{
    int64_t rows = l->halves && l->type == TSL_C ? 2 : 1;
    return l->A.op & TSL_TRANS ? rows * l->A.ld : rows;
}
static int64_t col_step(const tsl_leaf *l) { return l->B.op & TSL_TRANS ? 1 : l->B.ld; }

static size_t factor_size(const tsl_leaf *l) { return l->halves ? sizeof(uint16_t) : tsl_type_size(l->type); }

/* Rows from i on of op(A), columns from j on of op(B). */
static void *rows_of(const tsl_leaf *l, int64_t i) { return (char *)l->A.p + (size_t)(i * row_step(l)) * factor_size(l); }
static void *cols_of(const tsl_leaf *l, int64_t j) { return (char *)l->B.p + (size_t)(j * col_step(l)) * factor_size(l); }

/* `count` blocks of m x n, the first with rows i.. of op(A) and columns j.. of op(B), each `step` further down the diagonal. */
static tsl_status blocks(tsl_queue *q, const tsl_leaf *l, int64_t i, int64_t j, int64_t m, int64_t n, int64_t step,
                         int64_t count)
{
    tsl_leaf g = *l;
    g.A.p = rows_of(l, i);
    g.B.p = cols_of(l, j);
    g.C.p = (char *)l->C.p + (size_t)(i + j * l->C.ld) * tsl_type_size(l->type);
    g.m = m;
    g.n = n;
    return tsl_cuda_gemm_batch(q, &g, step * row_step(l), step * col_step(l), step * (l->C.ld + 1), count);
}

/* The squares between triangles of order b, and the one that the end of the matrix cuts off. */
static tsl_status squares(tsl_queue *q, const tsl_leaf *l, int64_t b)
{
    bool lower = l->uplo == TSL_LOWER;
    int64_t whole = l->n / (2 * b), at = whole * 2 * b, rest = l->n - at - b;
    tsl_status st = TSL_OK;
    if (whole > 0) st = blocks(q, l, lower ? b : 0, lower ? 0 : b, b, b, 2 * b, whole);
    if (st == TSL_OK && rest > 0)
        st = blocks(q, l, lower ? at + b : at, lower ? at : at + b, lower ? rest : b, lower ? b : rest, 0, 1);
    return st;
}

/* The diagonal's squares, side by side in workspace as an NB x n matrix; then their triangles go to C. */
static tsl_status diagonal(tsl_queue *q, const tsl_leaf *l)
{
    tsl_leaf w = *l;
    w.C.p = l->work;
    w.C.ld = least(NB, l->n);
    w.beta = 0;
    int64_t whole = l->n / NB, rest = l->n - whole * NB;
    tsl_status st = TSL_OK;
    w.m = w.n = NB;
    if (whole > 0) st = tsl_cuda_gemm_batch(q, &w, NB * row_step(l), NB * col_step(l), NB * w.C.ld, whole);
    w.m = w.n = rest;
    w.A.p = rows_of(l, whole * NB);
    w.B.p = cols_of(l, whole * NB);
    w.C.p = (char *)l->work + (size_t)(whole * NB * w.C.ld) * tsl_type_size(l->type);
    if (st == TSL_OK && rest > 0) st = tsl_cuda_gemm_batch(q, &w, 0, 0, 0, 1);
    return st != TSL_OK ? st : tsl_cuda_accumulate(q, l, NB, least(NB, l->n));
}

static size_t gemmt_workspace(const tsl_leaf *l)
{
    int64_t blocks = (l->n + NB - 1) / NB;
    tsl_leaf g = tsl_as_square(l);
    if (tsl_is_emulated(&g, g.m, g.n, g.k)) return tsl_cuda_emulated_workspace(&g);
    return (size_t)blocks * NB * NB * tsl_type_size(l->type) + tsl_cuda_narrow_workspace(&g);
}

static tsl_status gemmt(tsl_queue *q, const tsl_leaf *given)
{
    tsl_leaf l = tsl_as_square(given);
    tsl_status st = TSL_OK;
    if (tsl_is_emulated(&l, l.m, l.n, l.k)) return tsl_cuda_emulated(q, &l, l.uplo);
    if (tsl_cuda_narrows(&l)) { /* behind the diagonal's squares */
        size_t before = gemmt_workspace(given) - tsl_cuda_narrow_workspace(&l);
        st = tsl_cuda_narrow(q, &l, (char *)given->work + before, &l);
    }
    if (st == TSL_OK) st = diagonal(q, &l);
    for (int64_t b = NB; b < l.n && st == TSL_OK; b *= 2) st = squares(q, &l, b);
    return st;
}

/* Where cuBLAS's own update is as fast or faster (H200): triangles too small to fill the GPU several times over, or thin ones.
 * Products in lower precision are by products of blocks, as large as they come. */
static bool small(const tsl_leaf *l)
{
    tsl_leaf g = tsl_rank_k_product(l);
    if (tsl_is_emulated(&g, g.m, g.n, g.k)) return false;
    if (l->products == TSL_PRODUCTS_TF32 && (l->type == TSL_S || l->type == TSL_C) && l->n > NB) return false;
    if (tsl_cuda_narrows(&g)) return false;
    return l->n <= 4096 || (l->n <= 8192 && l->k <= 1024);
}

static size_t syrk_workspace(const tsl_leaf *l)
{
    tsl_leaf g = tsl_rank_k_product(l);
    return small(l) ? 0 : gemmt_workspace(&g);
}

static tsl_status by_cublas(tsl_queue *q, const tsl_leaf *l)
{
    const tsl_cublas *lib;
    void *handle;
    tsl_status st = tsl_cuda_cublas(tsl_cuda(q), &lib, &handle);
    if (st != TSL_OK) return st;
    tsl_type scalars = l->herm ? (l->type == TSL_C ? TSL_S : TSL_D) : l->type; /* herk's are real */
    tsl_typed_scalar alpha = tsl_typed(scalars, l->alpha), beta = tsl_typed(scalars, l->beta);
    tsl_cublas_rank_k fn = l->herm ? lib->herk[l->type] : lib->syrk[l->type];
    return tsl_cublas_check(fn(handle, l->uplo == TSL_LOWER ? CUBLAS_FILL_MODE_LOWER : CUBLAS_FILL_MODE_UPPER,
                               l->A.op == TSL_NOTRANS ? CUBLAS_OP_N : l->herm ? CUBLAS_OP_C : CUBLAS_OP_T, l->n, l->k, &alpha, l->A.p,
                               l->A.ld, &beta, l->B.p, l->B.ld),
                            "cublasSyrk");
}

tsl_status tsl_cuda_syrk(tsl_queue *q, const tsl_leaf *l)
{
    if (small(l)) return by_cublas(q, l);
    tsl_leaf g = tsl_rank_k_product(l);
    return gemmt(q, &g);
}

const tsl_kernel_entry tsl_cuda_gemmt_entry = {TSL_ALL_TYPES(gemmt), 0, 0, gemmt_workspace, NULL, NULL};
const tsl_kernel_entry tsl_cuda_syrk_entry = {TSL_ALL_TYPES(tsl_cuda_syrk), 0, 0, syrk_workspace, NULL, NULL};
