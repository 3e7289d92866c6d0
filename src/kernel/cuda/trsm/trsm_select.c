/* Which triangular solve: substitution in one multiprocessor's shared memory up to its limit; past it the skinny one where the
 * device has the shared memory for it, else, and where LU solves for the rows of a block, substitution and products by
 * turns. */
#include "kernel/cuda/level3/level3.h"
#include "kernel/cuda/trsm/trsm_skinny_type.h"

static const tsl_trsm_skinny *const skinny[] = {
    [TSL_S] = &tsl_trsm_skinny_s, [TSL_D] = &tsl_trsm_skinny_d, [TSL_C] = &tsl_trsm_skinny_c, [TSL_Z] = &tsl_trsm_skinny_z};

static int64_t order(const tsl_leaf *l) { return l->side == TSL_LEFT ? l->m : l->n; }

static void *at(const tsl_leaf *l, void *p, int64_t ld, int64_t i, int64_t j)
{
    return (char *)p + (size_t)(i + j * ld) * tsl_type_size(l->type);
}

/* Each block of B is solved, then leaves all later ones. */
static tsl_status sweep(tsl_queue *q, const tsl_leaf *l)
{
    const int64_t n = order(l);
    const bool left = l->side == TSL_LEFT, along = left != ((l->A.op & TSL_TRANS) != 0); /* later rows, else columns, of A */
    const bool forward = (l->uplo == TSL_LOWER) == along;
    tsl_leaf s = *l;
    tsl_status st = TSL_OK;
    for (int64_t done = 0, nb; done < n && st == TSL_OK; done += nb) {
        nb = n - done < TSL_CUDA_TRSM_LIMIT ? n - done : TSL_CUDA_TRSM_LIMIT;
        const int64_t k = forward ? done : n - done - nb, rest = n - done - nb, to = forward ? k + nb : 0;
        /* B1 := alpha inv(A11) B1, or from the right */
        s.A.p = at(l, l->A.p, l->A.ld, k, k);
        s.B.p = left ? at(l, l->B.p, l->B.ld, k, 0) : at(l, l->B.p, l->B.ld, 0, k);
        *(left ? &s.m : &s.n) = nb;
        st = tsl_cuda_trsm_block(q, &s);
        /* B2 := alpha B2 - A21 B1, or B1 A12 */
        tsl_leaf g = {.op = TSL_OP_GEMM, .type = l->type, .k = nb, .alpha = -1, .beta = s.alpha, .C.ld = l->B.ld};
        void *off = along ? at(l, l->A.p, l->A.ld, to, k) : at(l, l->A.p, l->A.ld, k, to);
        if (left) {
            g.A.p = off, g.A.ld = l->A.ld, g.A.op = l->A.op, g.B.p = s.B.p, g.B.ld = l->B.ld;
            g.m = rest, g.n = l->n, g.C.p = at(l, l->B.p, l->B.ld, to, 0);
        } else {
            g.A.p = s.B.p, g.A.ld = l->B.ld, g.B.p = off, g.B.ld = l->A.ld, g.B.op = l->A.op;
            g.m = l->m, g.n = rest, g.C.p = at(l, l->B.p, l->B.ld, 0, to);
        }
        if (st == TSL_OK && rest > 0) st = tsl_cuda_gemm(q, &g);
        s.alpha = 1;
    }
    return st;
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

static tsl_status trsm(tsl_queue *q, const tsl_leaf *l)
{
    if (order(l) <= TSL_CUDA_TRSM_LIMIT) return tsl_cuda_trsm_block(q, l);
    return is_short(l) ? sweep(q, l) : by_skinny(q, l);
}

static size_t workspace(const tsl_leaf *l)
{
    return order(l) <= TSL_CUDA_TRSM_LIMIT || is_short(l) ? 0 : skinny[l->type]->workspace(l);
}

static const void *kernel(int i)
{
    return i == 0 ? tsl_cuda_kernel_of_trsm() : i <= 4 ? skinny[i - 1]->kernel() : i == 5 ? tsl_cuda_kernel_of_trsm_unit() : NULL;
}

static int shapes(tsl_type t) { return skinny[t]->shapes; }

const tsl_kernel_entry tsl_cuda_trsm_entry = {TSL_ALL_TYPES(trsm), TSL_CUDA_TRSM_LIMIT, TSL_CUDA_TRSM_SKINNY, workspace, kernel, shapes};
