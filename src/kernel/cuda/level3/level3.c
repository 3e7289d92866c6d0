/* Level 3 on CUDA by cuBLAS. Products that vanish (alpha = 0, k = 0) never come here: the dispatcher makes them scalings. */
#include "kernel/cuda/level3/level3.h"

#include <complex.h>

#include "core/values.h"
#include "kernel/cuda/flags.h"
#include "kernel/cuda/leaf.h"
#include "kernel/cuda/products/products.h"
#include "kernel/cuda/ready.h"

/* A product as cuBLAS's gemm with types is told of it: of single precision with factors rounded to tf32, or of factors that are
 * halves already, real ones, by rows of C's real and imaginary parts. Sums are of single precision. */
typedef struct typed_product {
    int factor, result, compute;
    int64_t m, ldc, parts;
} typed_product;

static bool is_typed(const tsl_leaf *l, typed_product *t)
{
    bool has_parts = l->type == TSL_C, tf32 = l->products == TSL_PRODUCTS_TF32 && (l->type == TSL_S || has_parts);
    int64_t parts = l->halves && has_parts ? 2 : 1;
    int whole = has_parts && !l->halves ? CUDA_C_32F : CUDA_R_32F;
    *t = (typed_product){whole, whole, l->halves ? CUBLAS_COMPUTE_32F : CUBLAS_COMPUTE_32F_FAST_TF32, parts * l->m, parts * l->C.ld, parts};
    if (l->halves) t->factor = l->halves == TSL_BF16 ? CUDA_R_16BF : CUDA_R_16F;
    return l->halves || tf32;
}

tsl_status tsl_cuda_gemm(struct tsl_queue *q, const tsl_leaf *l)
{
    ready r;
    typed_product t;
    tsl_status st = prepare(q, l, &r);
    if (st != TSL_OK) return st;
    if (is_typed(l, &t))
        return tsl_cublas_check(r.lib->gemm_ex(r.handle, operation(l->A.op), operation(l->B.op), t.m, l->n, l->k, &r.alpha, l->A.p, t.factor, l->A.ld,
                                               l->B.p, t.factor, l->B.ld, &r.beta, l->C.p, t.result, t.ldc, t.compute, CUBLAS_GEMM_DEFAULT),
                                "cublasGemmEx");
    return tsl_cublas_check(r.lib->gemm[l->type](r.handle, operation(l->A.op), operation(l->B.op), l->m, l->n, l->k, &r.alpha, l->A.p,
                                                 l->A.ld, l->B.p, l->B.ld, &r.beta, l->C.p, l->C.ld),
                            "cublasGemm");
}

tsl_status tsl_cuda_gemm_batch(struct tsl_queue *q, const tsl_leaf *l, int64_t stepA, int64_t stepB, int64_t stepC, int64_t count)
{
    ready r;
    typed_product t;
    if (count == 1) return tsl_cuda_gemm(q, l);
    tsl_status st = prepare(q, l, &r);
    if (st != TSL_OK) return st;
    if (is_typed(l, &t))
        return tsl_cublas_check(r.lib->gemm_batch_ex(r.handle, operation(l->A.op), operation(l->B.op), t.m, l->n, l->k, &r.alpha, l->A.p, t.factor,
                                                     l->A.ld, stepA, l->B.p, t.factor, l->B.ld, stepB, &r.beta, l->C.p, t.result, t.ldc,
                                                     t.parts * stepC, count, t.compute, CUBLAS_GEMM_DEFAULT),
                                "cublasGemmStridedBatchedEx");
    return tsl_cublas_check(r.lib->gemm_batch[l->type](r.handle, operation(l->A.op), operation(l->B.op), l->m, l->n, l->k, &r.alpha, l->A.p,
                                                       l->A.ld, stepA, l->B.p, l->B.ld, stepB, &r.beta, l->C.p, l->C.ld, stepC, count),
                            "cublasGemmStridedBatched");
}

tsl_status tsl_cuda_gemm_each(struct tsl_queue *q, const tsl_leaf *l, void *const *place)
{
    ready r;
    tsl_status st = prepare(q, l, &r);
    if (st != TSL_OK) return st;
    return tsl_cublas_check(r.lib->gemm_each[l->type](r.handle, operation(l->A.op), operation(l->B.op), l->m, l->n, l->k,
                                                      &r.alpha, (const void *const *)place, l->A.ld,
                                                      (const void *const *)place + l->count, l->B.ld, &r.beta,
                                                      place + 2 * l->count, l->C.ld, l->count),
                            "cublasGemmBatched");
}

/* By residues or halves where that is allowed and faster, else by aligned copies where these are */
static tsl_status gemm(struct tsl_queue *q, const tsl_leaf *l)
{
    tsl_leaf of_halves;
    bool done;
    if (tsl_is_emulated(l, l->m, l->n, l->k)) return tsl_cuda_emulated(q, l, TSL_GENERAL);
    if (!tsl_cuda_narrows(l)) {
        tsl_status st = tsl_cuda_gemm_even(q, l, &done);
        return st != TSL_OK || done ? st : tsl_cuda_gemm(q, l);
    }
    tsl_status st = tsl_cuda_narrow(q, l, l->work, &of_halves);
    return st != TSL_OK ? st : tsl_cuda_gemm(q, &of_halves);
}

static size_t gemm_workspace(const tsl_leaf *l)
{
    if (tsl_is_emulated(l, l->m, l->n, l->k)) return tsl_cuda_emulated_workspace(l);
    return tsl_cuda_narrows(l) ? tsl_cuda_narrow_workspace(l) : tsl_cuda_even_workspace(l);
}

static const void *kernel_of_gemm(int i)
{
    static const void *(*const kernel_of[])(void) = {tsl_cuda_kernel_of_narrow, tsl_cuda_kernel_of_split,
                                                     tsl_cuda_kernel_of_join, tsl_cuda_kernel_of_multiply,
                                                     tsl_cuda_kernel_of_multiply_wide};
    return i < (int)(sizeof kernel_of / sizeof *kernel_of) ? kernel_of[i]() : NULL;
}

/* The imaginary parts of C's diagonal, a row of real numbers, become zero: cuBLAS's her2k reads them. */
static tsl_status real_diagonal(struct tsl_queue *q, const tsl_leaf *l)
{
    tsl_type real = tsl_real_type(l->type);
    tsl_leaf zero = {.op = TSL_OP_SCALE, .type = real, .m = 1, .n = l->n, .A.p = (char *)l->C.p + tsl_type_size(real), .A.ld = 2 * (l->C.ld + 1)};
    return tsl_cuda_scale(q, &zero);
}

/* op(A) op(B)^T or op(A) op(B)^H, and the same with A and B exchanged: the two products of syr2k and her2k */
static tsl_leaf product_of_two(const tsl_leaf *l, bool exchanged)
{
    tsl_leaf g = tsl_as_square(l);
    g.A = exchanged ? l->B : l->A, g.B = exchanged ? l->A : l->B;
    g.A.op = l->A.op, g.B.op = l->A.op ^ (l->herm ? TSL_HERM : TSL_TRANS);
    if (exchanged) g.beta = 1, g.alpha = l->herm ? conj(l->alpha) : l->alpha;
    return g;
}

static size_t syr2k_workspace(const tsl_leaf *l)
{
    tsl_leaf g = product_of_two(l, false);
    return tsl_cuda_emulated_workspace(&g);
}

static tsl_status syr2k_emulated(struct tsl_queue *q, const tsl_leaf *l)
{
    tsl_leaf first = product_of_two(l, false), second = product_of_two(l, true);
    tsl_status st = tsl_cuda_emulated(q, &first, l->uplo);
    return st != TSL_OK ? st : tsl_cuda_emulated(q, &second, l->uplo);
}

static tsl_status syr2k(struct tsl_queue *q, const tsl_leaf *l)
{
    ready r;
    if (tsl_is_emulated(l, l->n, l->n, l->k)) return syr2k_emulated(q, l);
    tsl_status st = prepare(q, l, &r);
    if (st == TSL_OK && l->herm && l->beta != 0) st = real_diagonal(q, l);
    if (st != TSL_OK) return st;
    if (l->herm) r.beta = tsl_typed(tsl_real_type(l->type), l->beta);
    tsl_cublas_rank_2k fn = l->herm ? r.lib->her2k[l->type] : r.lib->syr2k[l->type];
    return tsl_cublas_check(fn(r.handle, fill_mode(l->uplo), operation(l->A.op), l->n, l->k, &r.alpha, l->A.p, l->A.ld, l->B.p, l->B.ld, &r.beta,
                               l->C.p, l->C.ld),
                            "cublasSyr2k");
}

static size_t square(const tsl_leaf *l, int64_t n) { return (size_t)n * (size_t)n * tsl_type_size(l->type); }

static int64_t order(const tsl_leaf *l) { return l->side == TSL_LEFT ? l->m : l->n; }

/* The triangle A written out whole in workspace, seen as stored. */
static tsl_status expanded(struct tsl_queue *q, const tsl_leaf *l, tsl_structure s, void *to)
{
    tsl_leaf e = {.op = TSL_OP_EXPAND, .type = l->type, .norm = {.structure = s}, .uplo = l->uplo, .diag = l->diag,
                  .m = order(l), .n = order(l), .A.p = l->A.p, .A.ld = l->A.ld, .B.p = to, .B.ld = order(l)};
    return tsl_cuda_expand(q, &e);
}

/* A whole: what a product by residues has behind it begins where workspace may begin */
static size_t whole_bytes(const tsl_leaf *l)
{
    enum { ALIGNED = 256 };
    return tsl_rounded(square(l, order(l)), ALIGNED);
}

/* The product with all of A, which is in workspace; what is left of that is the product's own */
static tsl_leaf whole_product(const tsl_leaf *l)
{
    int64_t n = order(l);
    tsl_leaf g = *l;
    g.k = n;
    g.A.op = g.B.op = TSL_NOTRANS;
    if (l->side == TSL_LEFT) g.A.p = l->work, g.A.ld = n;
    else g.A.p = l->B.p, g.A.ld = l->B.ld, g.B.p = l->work, g.B.ld = n;
    g.work = (char *)l->work + whole_bytes(l);
    return g;
}

static size_t symm_workspace(const tsl_leaf *l)
{
    tsl_leaf g = *l;
    g.k = order(l);
    return whole_bytes(l) + tsl_cuda_emulated_workspace(&g);
}

/* A symmetrized in workspace, unless that can be spared: then it is a product like any other. */
static tsl_status symm(struct tsl_queue *q, const tsl_leaf *l)
{
    bool narrow = false, emulated = tsl_is_emulated(l, l->m, l->n, order(l));
    tsl_status st = emulated ? TSL_OK : tsl_cuda_symm_narrow_fits(q, l, &narrow);
    if (st != TSL_OK || narrow) return st != TSL_OK ? st : tsl_cuda_symm_narrow(q, l);
    st = expanded(q, l, l->herm ? TSL_HERMITIAN : TSL_SYMMETRIC, l->work);
    tsl_leaf g = whole_product(l);
    if (emulated) return st != TSL_OK ? st : tsl_cuda_emulated(q, &g, TSL_GENERAL);
    /* it is its own transpose: cuBLAS's narrow products in single precision are faster with that (H200, 9 % at 8192 x 256) */
    if (l->side == TSL_LEFT && l->type == TSL_S && l->n <= 512) g.A.op = TSL_TRANS;
    return st != TSL_OK ? st : tsl_cuda_gemm(q, &g);
}

static size_t trmm_workspace(const tsl_leaf *l)
{
    return square(l, order(l)) + (size_t)l->m * (size_t)l->n * tsl_type_size(l->type);
}

/* A with its zeros written out, times a copy of B; what they did to Inf and NaN is mended. */
static tsl_status trmm(struct tsl_queue *q, const tsl_leaf *l)
{
    int64_t n = order(l);
    void *copy = (char *)l->work + square(l, n);
    tsl_leaf save = {.op = TSL_OP_COPY, .type = l->type, .m = l->m, .n = l->n, .A.p = l->B.p, .A.ld = l->B.ld, .B.p = copy, .B.ld = l->m};
    tsl_status st = expanded(q, l, TSL_TRIANGULAR, l->work);
    if (st == TSL_OK) st = tsl_cuda_copy(q, &save);
    tsl_leaf g = {.op = TSL_OP_GEMM, .type = l->type, .m = l->m, .n = l->n, .k = n, .alpha = l->alpha, .C.p = l->B.p, .C.ld = l->B.ld};
    if (l->side == TSL_LEFT) g.A.p = l->work, g.A.ld = n, g.A.op = l->A.op, g.B.p = copy, g.B.ld = l->m;
    else g.A.p = copy, g.A.ld = l->m, g.B.p = l->work, g.B.ld = n, g.B.op = l->A.op;
    if (st == TSL_OK) st = tsl_cuda_gemm(q, &g);
    return st != TSL_OK ? st : tsl_cuda_trmm_mend(q, l, copy);
}

static size_t lauum_workspace(const tsl_leaf *l) { return square(l, l->n); }

/* A with its zeros written out, then a rank-n update of nothing: L^H L, or U U^H. */
static tsl_status lauum(struct tsl_queue *q, const tsl_leaf *l)
{
    bool herm = tsl_is_complex(l->type);
    tsl_leaf t = *l;
    t.side = TSL_LEFT;
    t.m = l->n;
    tsl_status st = expanded(q, &t, TSL_TRIANGULAR, l->work);
    tsl_leaf u = {.op = TSL_OP_HERK, .type = l->type, .uplo = l->uplo, .herm = herm, .n = l->n, .k = l->n, .alpha = 1,
                  .A.op = l->uplo == TSL_UPPER ? TSL_NOTRANS : herm ? TSL_HERM : TSL_TRANS, .A.p = l->work, .A.ld = l->n,
                  .B.p = l->A.p, .B.ld = l->A.ld};
    return st != TSL_OK ? st : tsl_cuda_syrk(q, &u);
}

const tsl_kernel_entry tsl_cuda_gemm_entry = {TSL_ALL_TYPES(gemm), 0, 0, gemm_workspace, kernel_of_gemm, NULL};
const tsl_kernel_entry tsl_cuda_syr2k_entry = {TSL_ALL_TYPES(syr2k), 0, 0, syr2k_workspace, NULL, NULL};
const tsl_kernel_entry tsl_cuda_symm_entry = {TSL_ALL_TYPES(symm), 0, 0, symm_workspace, tsl_cuda_kernel_of_symm, NULL};
const tsl_kernel_entry tsl_cuda_trmm_entry = {TSL_ALL_TYPES(trmm), TSL_CUDA_TRMM_LIMIT, TSL_CUDA_TRMM_SKINNY, trmm_workspace,
                                               tsl_cuda_kernel_of_trmm, NULL};
const tsl_kernel_entry tsl_cuda_lauum_entry = {TSL_ALL_TYPES(lauum), TSL_CUDA_LAUUM_LIMIT, 0, lauum_workspace, NULL, NULL};
