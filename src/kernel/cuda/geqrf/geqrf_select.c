/* Which panel of QR: one in one launch if the device has room for all its rows; else by products of it with itself, if its
 * condition allows that; else, up to the width of a warp, the one with a launch per column, and wider ones by halves. Rows for
 * columns: turned in workspace, and back. */
#include "core/values.h"
#include "kernel/cuda/geqrf/geqrf_panel_type.h"
#include "kernel/cuda/geqrf/geqrf_tall.h"
#include "kernel/cuda/level3/level3.h"

static const tsl_geqrt_panel *const panel[] = {
    [TSL_S] = &tsl_geqrt_panel_s, [TSL_D] = &tsl_geqrt_panel_d, [TSL_C] = &tsl_geqrt_panel_c, [TSL_Z] = &tsl_geqrt_panel_z};

static void *at(const tsl_leaf *l, void *p, int64_t ld, int64_t i, int64_t j)
{
    return (char *)p + (size_t)(i + j * ld) * tsl_type_size(l->type);
}

static size_t elements(const tsl_leaf *l, int64_t count) { return (size_t)count * tsl_type_size(l->type); }

/* Where the columns are cut: a warp's width times a power of two */
static int64_t half(int64_t n)
{
    int64_t h = TSL_CUDA_GEQRT_STEPS;
    while (2 * h < n) h *= 2;
    return h;
}

static tsl_status product(tsl_queue *q, const tsl_leaf *l, tsl_op opA, void *A, int64_t lda, void *B, int64_t ldb, double beta, void *C,
                          int64_t ldc, int64_t m, int64_t n, int64_t k)
{
    const tsl_leaf g = {.op = TSL_OP_GEMM, .type = l->type, .A.op = opA, .m = m, .n = n, .k = k, .alpha = beta == 0 ? 1 : -1, .beta = beta,
                        .A.p = A, .A.ld = lda, .B.p = B, .B.ld = ldb, .C.p = C, .C.ld = ldc};
    return m > 0 ? tsl_cuda_gemm(q, &g) : TSL_OK;
}

/* B := alpha op(T) B, or from the right; T an upper triangle */
static tsl_status triangle(tsl_queue *q, const tsl_leaf *l, tsl_side side, tsl_op op, double alpha, void *T, void *B, int64_t m, int64_t n)
{
    const tsl_leaf t = {.op = TSL_OP_TRMM, .type = l->type, .side = side, .uplo = TSL_UPPER, .A.op = op, .m = m, .n = n, .alpha = alpha,
                        .A.p = T, .A.ld = l->A.ld, .B.p = B, .B.ld = l->A.ld, .work = l->work};
    return tsl_cuda_trmm_entry.fn[l->type](q, &t);
}

static tsl_status upright(tsl_queue *q, const tsl_leaf *l);

/* [A1 A2]: A1 is factored, A2 reflected by it, and factored below. T12, which comes last, is the workspace until then. */
static tsl_status halves(tsl_queue *q, const tsl_leaf *l)
{
    const int64_t h = half(l->n), n2 = l->n - h, m2 = l->m - h;
    const tsl_op herm = tsl_is_complex(l->type) ? TSL_HERM : TSL_TRANS;
    void *const A2 = at(l, l->D.p, l->D.ld, 0, h), *const T12 = at(l, l->A.p, l->A.ld, 0, h), *const T22 = at(l, l->A.p, l->A.ld, h, h);
    tsl_leaf left = *l, right = *l;
    left.n = h, left.geqrt.alone = false;
    right.m = m2, right.n = n2, right.D.p = at(l, l->D.p, l->D.ld, h, h), right.A.p = T22;
    right.B.p = at(l, l->B.p, l->B.ld, h, h), right.C.p = at(l, l->C.p, 1, h, 0);
    const tsl_leaf zeros = {.op = TSL_OP_SCALE, .type = l->type, .uplo = TSL_GENERAL, .m = h, .n = n2, .A.p = at(l, l->B.p, l->B.ld, 0, h),
                            .A.ld = l->B.ld};
    /* A1 := Q1 R1 */
    tsl_status st = upright(q, &left);
    /* A2 := Q1^H A2 */
    if (st == TSL_OK) st = product(q, l, herm, l->B.p, l->B.ld, A2, l->D.ld, 0, T12, l->A.ld, h, n2, l->m);
    if (st == TSL_OK) st = triangle(q, l, TSL_LEFT, herm, 1, l->A.p, T12, h, n2);
    if (st == TSL_OK) st = product(q, l, TSL_NOTRANS, l->B.p, l->B.ld, T12, l->A.ld, 1, A2, l->D.ld, l->m, n2, h);
    /* A2 := Q2 R2 below; Y2 := zeros above it */
    if (st == TSL_OK) st = upright(q, &right);
    if (l->geqrt.alone) return st;
    if (st == TSL_OK) st = tsl_cuda_scale(q, &zeros);
    /* T12 := -T11 Y1^H Y2 T22 */
    if (st == TSL_OK) st = product(q, l, herm, at(l, l->B.p, l->B.ld, h, 0), l->B.ld, right.B.p, l->B.ld, 0, T12, l->A.ld, h, n2, m2);
    if (st == TSL_OK) st = triangle(q, l, TSL_LEFT, TSL_NOTRANS, -1, l->A.p, T12, h, n2);
    return st == TSL_OK ? triangle(q, l, TSL_RIGHT, TSL_NOTRANS, 1, T22, T12, h, n2) : st;
}

static bool narrow(const tsl_leaf *l) { return l->n <= (l->type == TSL_Z ? TSL_CUDA_TALL_LIMIT_Z : TSL_CUDA_GEQRT_LIMIT); }

static tsl_status upright(tsl_queue *q, const tsl_leaf *l)
{
    bool done = false;
    tsl_status st = panel[l->type]->launch(q, l, &done);
    if (st == TSL_OK && !done && narrow(l)) st = tsl_cuda_geqrt_tall(q, l, &done);
    if (st != TSL_OK || done) return st;
    return l->n <= TSL_CUDA_GEQRT_STEPS ? tsl_cuda_geqrt_steps(q, l) : halves(q, l);
}

static size_t larger(size_t a, size_t b) { return a > b ? a : b; }

/* What any of them needs */
static size_t upright_workspace(const tsl_leaf *l)
{
    const tsl_leaf t = {.type = l->type, .side = TSL_LEFT, .m = half(l->n), .n = half(l->n)};
    const size_t one = larger(panel[l->type]->workspace(l), tsl_cuda_geqrt_tall_workspace(l));
    return (larger(one, larger(tsl_cuda_geqrt_steps_workspace(l), tsl_cuda_trmm_entry.workspace(&t))) + 15) / 16 * 16;
}

static tsl_leaf turned(const tsl_leaf *l)
{
    tsl_leaf t = *l;
    t.m = l->n, t.n = l->m, t.D.op = TSL_NOTRANS, t.D.ld = t.B.ld = l->n;
    return t;
}

static size_t workspace(const tsl_leaf *l)
{
    if (l->D.op == TSL_NOTRANS) return upright_workspace(l);
    const tsl_leaf t = turned(l);
    return upright_workspace(&t) + 2 * elements(l, l->m * l->n);
}

/* to := the conjugate transpose of from; to is rows x cols */
static tsl_status turn(tsl_queue *q, const tsl_leaf *l, int64_t rows, int64_t cols, void *from, int64_t ld_from, void *to, int64_t ld_to)
{
    const tsl_leaf c = {.op = TSL_OP_COPY, .type = l->type, .A.op = l->D.op, .uplo = TSL_GENERAL, .m = rows, .n = cols,
                        .A.p = from, .A.ld = ld_from, .B.p = to, .B.ld = ld_to};
    return tsl_cuda_copy(q, &c);
}

static tsl_status geqrt(tsl_queue *q, const tsl_leaf *l)
{
    if (l->D.op == TSL_NOTRANS) return upright(q, l);
    tsl_leaf t = turned(l);
    t.D.p = (char *)l->work + upright_workspace(&t);
    t.B.p = at(l, t.D.p, 1, l->m * l->n, 0);
    tsl_status st = turn(q, l, t.m, t.n, l->D.p, l->D.ld, t.D.p, t.D.ld);
    if (st == TSL_OK) st = upright(q, &t);
    if (st == TSL_OK) st = turn(q, l, l->m, l->n, t.D.p, t.D.ld, l->D.p, l->D.ld);
    return st == TSL_OK && !l->geqrt.alone ? turn(q, l, l->m, l->n, t.B.p, t.B.ld, l->B.p, l->B.ld) : st;
}

static const void *kernel(int i)
{
    return i < 4 ? panel[i]->kernel() : i == 4 ? tsl_cuda_kernel_of_geqrt() : i == 5 ? tsl_cuda_kernel_of_geqrt_tall() : NULL;
}

static int shapes(tsl_type t)
{
    (void)t;
    return TSL_CUDA_GEQRT_SHAPES;
}

const tsl_kernel_entry tsl_cuda_geqrt_entry = {TSL_ALL_TYPES(geqrt), TSL_CUDA_GEQRT_LIMIT, 0, workspace, kernel, shapes};
/* No leaf: its panels are geqrt's. */
const tsl_kernel_entry tsl_cuda_geqrf_entry = {TSL_ALL_TYPES(NULL), 0, 0, NULL, NULL, shapes};
