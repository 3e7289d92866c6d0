/* Which triangular solve: substitution in one multiprocessor's shared memory up to its limit; past it by halves, where the
 * product between them is one for tensor cores; else the skinny one where the device has the shared memory for it; else, and
 * where LU solves for the rows of a block, substitution and products by turns. */
#include "core/values.h"
#include "kernel/cuda/level3/level3.h"
#include "kernel/cuda/trsm/trsm_skinny_type.h"

static const tsl_trsm_skinny *const skinny[] = {
    [TSL_S] = &tsl_trsm_skinny_s, [TSL_D] = &tsl_trsm_skinny_d, [TSL_C] = &tsl_trsm_skinny_c, [TSL_Z] = &tsl_trsm_skinny_z};

static int64_t order(const tsl_leaf *l) { return l->side == TSL_LEFT ? l->m : l->n; }

static void *at(const tsl_leaf *l, void *p, int64_t ld, int64_t i, int64_t j)
{
    return (char *)p + (size_t)(i + j * ld) * tsl_type_size(l->type);
}

/* Two solves and the product between them: B1 := alpha inv(A11) B1; B2 := alpha B2 - A21 B1; B2 := inv(A22) B2; or from the
 * right. A11 is the block of order nb that the solve begins with. */
typedef struct cut {
    tsl_leaf first, product, rest;
} cut;

static cut cut_at(const tsl_leaf *l, int64_t nb)
{
    const int64_t left = order(l) - nb;
    const bool from_left = l->side == TSL_LEFT;
    const bool along = from_left != ((l->A.op & TSL_TRANS) != 0); /* A21 is below A11, else beside it */
    const bool forward = (l->uplo == TSL_LOWER) == along;
    const int64_t k = forward ? 0 : left, to = forward ? nb : 0;
    const tsl_leaf product = {.op = TSL_OP_GEMM, .type = l->type, .m = l->m, .n = l->n, .k = nb,
                              .alpha = -1, .beta = l->alpha, .products = l->products};
    cut c = {*l, product, *l};
    tsl_leaf *g = &c.product;
    void *off = along ? at(l, l->A.p, l->A.ld, to, k) : at(l, l->A.p, l->A.ld, k, to);
    c.first.A.p = at(l, l->A.p, l->A.ld, k, k), c.rest.A.p = at(l, l->A.p, l->A.ld, to, to);
    if (from_left) {
        c.first.m = nb, c.first.B.p = at(l, l->B.p, l->B.ld, k, 0);
        c.rest.m = g->m = left, c.rest.B.p = at(l, l->B.p, l->B.ld, to, 0);
        g->A = l->A, g->A.p = off, g->B.p = c.first.B.p, g->B.ld = l->B.ld;
    } else {
        c.first.n = nb, c.first.B.p = at(l, l->B.p, l->B.ld, 0, k);
        c.rest.n = g->n = left, c.rest.B.p = at(l, l->B.p, l->B.ld, 0, to);
        g->A.p = c.first.B.p, g->A.ld = l->B.ld, g->B = l->A, g->B.p = off;
    }
    g->C.p = c.rest.B.p, g->C.ld = l->B.ld;
    c.rest.alpha = 1;
    return c;
}

/* Each block of B is solved, then leaves all later ones. */
static tsl_status sweep(tsl_queue *q, const tsl_leaf *l)
{
    if (order(l) <= TSL_CUDA_TRSM_LIMIT) return tsl_cuda_trsm_block(q, l);
    const cut c = cut_at(l, TSL_CUDA_TRSM_LIMIT);
    tsl_status st = tsl_cuda_trsm_block(q, &c.first);
    if (st == TSL_OK) st = tsl_cuda_gemm(q, &c.product);
    return st == TSL_OK ? sweep(q, &c.rest) : st;
}

/* What LU solves for: of so few steps, with enough right-hand sides, substitution is faster than waiting for block rows. */
static bool is_short(const tsl_leaf *l)
{
    enum { STEPS = 4, LEAST = 64 };
    const tsl_leaf first = {.type = l->type, .side = l->side, .uplo = l->uplo, .diag = l->diag, .A.op = l->A.op, .alpha = l->alpha, .m = 1};
    return tsl_cuda_trsm_is_unit(&first) && l->m <= STEPS * TSL_CUDA_TRSM_LIMIT && l->n >= LEAST;
}

static tsl_status by_skinny(tsl_queue *q, const tsl_leaf *l)
{
    int shared = 0, device = tsl_head(q)->dev->ordinal;
    cudaError_t e = cudaDeviceGetAttribute(&shared, cudaDevAttrMaxSharedMemoryPerBlockOptin, device);
    tsl_status st = tsl_cuda_check(e, "cudaDeviceGetAttribute");
    if (st != TSL_OK) return st;
    return (size_t)shared >= skinny[l->type]->shared ? skinny[l->type]->launch(q, l) : sweep(q, l);
}

/* Is the product between its halves one of halves of numbers (level3/narrow.cu)? */
static bool is_halved(const tsl_leaf *l, cut *c)
{
    *c = cut_at(l, tsl_rounded((size_t)order(l) / 2, TSL_CUDA_TRSM_LIMIT));
    return tsl_cuda_narrows(&c->product);
}

static tsl_status trsm(tsl_queue *q, const tsl_leaf *l)
{
    cut c;
    tsl_leaf of_halves;
    if (order(l) <= TSL_CUDA_TRSM_LIMIT) return tsl_cuda_trsm_block(q, l);
    if (!is_halved(l, &c)) return is_short(l) ? sweep(q, l) : by_skinny(q, l);
    tsl_status st = trsm(q, &c.first);
    if (st == TSL_OK) st = tsl_cuda_narrow(q, &c.product, l->work, &of_halves);
    if (st == TSL_OK) st = tsl_cuda_gemm(q, &of_halves);
    return st == TSL_OK ? trsm(q, &c.rest) : st;
}

static size_t workspace(const tsl_leaf *l)
{
    cut c;
    if (order(l) <= TSL_CUDA_TRSM_LIMIT) return 0;
    if (is_halved(l, &c))
        return tsl_max(tsl_max(workspace(&c.first), workspace(&c.rest)), tsl_cuda_narrow_workspace(&c.product));
    return is_short(l) ? 0 : skinny[l->type]->workspace(l);
}

static const void *kernel(int i)
{
    return i == 0 ? tsl_cuda_kernel_of_trsm() : i <= 4 ? skinny[i - 1]->kernel() : i == 5 ? tsl_cuda_kernel_of_trsm_unit() : NULL;
}

static int shapes(tsl_type t) { return skinny[t]->shapes; }

const tsl_kernel_entry tsl_cuda_trsm_entry = {TSL_ALL_TYPES(trsm), TSL_CUDA_TRSM_LIMIT, TSL_CUDA_TRSM_SKINNY, workspace, kernel, shapes};
