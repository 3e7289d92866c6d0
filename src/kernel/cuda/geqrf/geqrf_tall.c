/* QR of a tall panel by products of it with itself, twice, since a triangle found so is only as good as the square of its
 * condition allows:
 *   A^H A = R1^H R1, Q1 = A inv(R1);   Q1^H Q1 = R2^H R2, Q = Q1 inv(R2).
 * Q1 must be nearly orthogonal, and the roundoff of multiplying by an inverse not be seen in Q1 R1: else the panel is left to
 * others. Then Q is orthogonal to roundoff, and its reflectors, LAPACK's, come from a factorization of its first rows: with
 * signs S, Q - [S; 0] = Y U, T = -U S inv(Y1^H), R = S R2 R1. So Y below is Q1 inv(U R2). */
#include "core/values.h"
#include "kernel/cuda/geqrf/geqrf_tall.h"
#include "kernel/cuda/level3/level3.h"

static void *from_row(const tsl_leaf *l, void *p, int64_t i) { return (char *)p + (size_t)i * tsl_type_size(l->type); }

static tsl_op herm(const tsl_leaf *l) { return tsl_is_complex(l->type) ? TSL_HERM : TSL_TRANS; }

/* SQUARES matrices; A's rows are cut into pieces of at least LEAST, about one to each multiprocessor, two where a product is
 * one TILE; they begin at multiples of EVEN, since cuBLAS is slower where elements are not aligned. */
enum { SQUARES = 6, LEAST = 256, PIECES = 128, TILE = 32, EVEN = 16 };

static int64_t most_pieces(int64_t n) { return n <= TILE ? 2 * PIECES : PIECES; }

static size_t squares(const tsl_leaf *l, int64_t n, int64_t count)
{
    return (size_t)count * (((size_t)(n * n) * tsl_type_size(l->type) + 15) / 16 * 16);
}

/* Of all pieces, and what is left of the rows: no less than a panel of fewer columns needs, which may be part of this one */
static size_t of_pieces(const tsl_leaf *l)
{
    const size_t own = squares(l, l->n, most_pieces(l->n) + 1), least = squares(l, tsl_min(l->n, TILE), most_pieces(TILE) + 1);
    return own > least ? own : least;
}

size_t tsl_cuda_geqrt_tall_workspace(const tsl_leaf *l) { return squares(l, l->n, SQUARES) + of_pieces(l) + 2 * sizeof(int64_t); }

static tsl_tall carve(const tsl_leaf *l)
{
    char *w = l->work;
    size_t s = squares(l, l->n, 1);
    return (tsl_tall){.type = l->type, .n = (int)l->n, .R1 = w, .R2 = w + s, .X = w + 2 * s, .Q = w + 3 * s, .M = w + 4 * s,
                      .signs = w + 5 * s, .pieces = w + SQUARES * s, .bad = (int64_t *)(w + SQUARES * s + of_pieces(l))};
}

/* G := A^H A. Rows are cut into pieces, so that all of the device is busy; their products are added up in order. */
static tsl_status gram(tsl_queue *q, const tsl_leaf *l, const tsl_tall *t, void *A, int64_t lda, void *G)
{
    const int64_t count = tsl_max(1, tsl_min(most_pieces(l->n), l->m / LEAST));
    const int64_t rows = count > 1 ? l->m / count / EVEN * EVEN : l->m, rest = l->m - count * rows;
    tsl_leaf g = {.op = TSL_OP_GEMM, .type = l->type, .A.op = herm(l), .m = l->n, .n = l->n, .k = rows, .alpha = 1,
                  .A.p = A, .A.ld = lda, .B.p = A, .B.ld = lda, .C.p = t->pieces, .C.ld = l->n};
    tsl_status st = tsl_cuda_gemm_batch(q, &g, rows, rows, l->n * l->n, count);
    if (st == TSL_OK && rest > 0) {
        g.k = rest;
        g.A.p = g.B.p = from_row(l, A, count * rows);
        g.C.p = from_row(l, t->pieces, count * l->n * l->n);
        st = tsl_cuda_gemm(q, &g);
    }
    return st == TSL_OK ? tsl_cuda_tall_add_up(q, t, (int)(count + (rest > 0)), G) : st;
}

/* G := its Cholesky factor R */
static tsl_status root(tsl_queue *q, const tsl_leaf *l, const tsl_tall *t, void *G)
{
    const tsl_leaf c = {.op = TSL_OP_POTRF, .type = l->type, .uplo = TSL_UPPER, .n = l->n, .m = l->n, .A.p = G, .A.ld = l->n, .info = t->bad};
    return tsl_cuda_potrf_block(q, &c);
}

static tsl_status solve(tsl_queue *q, const tsl_leaf *l, tsl_side side, tsl_uplo uplo, tsl_diag diag, tsl_op op, void *R, void *B, int64_t ldb)
{
    const tsl_leaf s = {.op = TSL_OP_TRSM, .type = l->type, .side = side, .uplo = uplo, .diag = diag, .A.op = op, .m = l->n, .n = l->n,
                        .alpha = 1, .A.p = R, .A.ld = l->n, .B.p = B, .B.ld = ldb};
    return tsl_cuda_trsm_block(q, &s);
}

/* X := inv(R) */
static tsl_status invert(tsl_queue *q, const tsl_leaf *l, const tsl_tall *t, void *R, void *X)
{
    tsl_status st = tsl_cuda_tall_identity(q, t, X);
    return st == TSL_OK ? solve(q, l, TSL_LEFT, TSL_UPPER, TSL_NONUNIT, TSL_NOTRANS, R, X, l->n) : st;
}

/* to := from X, m rows of it */
static tsl_status multiply(tsl_queue *q, const tsl_leaf *l, int64_t m, void *from, int64_t ld_from, void *X, void *to, int64_t ld_to)
{
    const tsl_leaf g = {.op = TSL_OP_GEMM, .type = l->type, .m = m, .n = l->n, .k = l->n, .alpha = 1, .A.p = from, .A.ld = ld_from,
                        .B.p = X, .B.ld = l->n, .C.p = to, .C.ld = ld_to};
    return m > 0 ? tsl_cuda_gemm(q, &g) : TSL_OK;
}

static tsl_status copy(tsl_queue *q, const tsl_leaf *l, int64_t m, void *from, int64_t ld_from, void *to, int64_t ld_to)
{
    const tsl_leaf c = {.op = TSL_OP_COPY, .type = l->type, .uplo = TSL_GENERAL, .m = m, .n = l->n, .A.p = from, .A.ld = ld_from,
                        .B.p = to, .B.ld = ld_to};
    return m > 0 ? tsl_cuda_copy(q, &c) : TSL_OK;
}

/* Y := Q1, and what it takes to know whether that is good */
static tsl_status orthogonalize(tsl_queue *q, const tsl_leaf *l, const tsl_tall *t, int64_t *bad)
{
    const cudaStream_t stream = tsl_cuda(q)->stream;
    tsl_status st = tsl_cuda_check(cudaMemsetAsync(t->bad, 0, sizeof *t->bad, stream), "cudaMemsetAsync");
    if (st == TSL_OK) st = gram(q, l, t, l->D.p, l->D.ld, t->R1);
    if (st == TSL_OK) st = root(q, l, t, t->R1);
    if (st == TSL_OK) st = invert(q, l, t, t->R1, t->X);
    if (st == TSL_OK) st = multiply(q, l, l->m, l->D.p, l->D.ld, t->X, l->B.p, l->B.ld);
    if (st == TSL_OK) st = gram(q, l, t, l->B.p, l->B.ld, t->R2);
    if (st == TSL_OK) st = tsl_cuda_tall_judge(q, t);
    if (st == TSL_OK) st = root(q, l, t, t->R2);
    if (st == TSL_OK) st = tsl_cuda_check(cudaMemcpyAsync(bad, t->bad, sizeof *bad, cudaMemcpyDeviceToHost, stream), "cudaMemcpyAsync");
    return st == TSL_OK ? tsl_cuda_waited(cudaStreamSynchronize(stream), "cudaStreamSynchronize") : st;
}

tsl_status tsl_cuda_geqrt_tall(tsl_queue *q, const tsl_leaf *l, bool *done)
{
    const tsl_tall t = carve(l);
    const int64_t n = l->n, below = l->m - n;
    void *const A2 = from_row(l, l->D.p, n), *const Y2 = from_row(l, l->B.p, n);
    int64_t bad = 1;
    tsl_status st = orthogonalize(q, l, &t, &bad);
    *done = st != TSL_OK || bad == 0;
    if (st != TSL_OK || bad) return st;
    /* Q := Q1's first rows inv(R2) */
    st = copy(q, l, n, l->B.p, l->B.ld, t.Q, n);
    if (st == TSL_OK) st = solve(q, l, TSL_RIGHT, TSL_UPPER, TSL_NONUNIT, TSL_NOTRANS, t.R2, t.Q, n);
    /* Q - S = Y1 U, and A's and Y's first rows, M = U R2, T = -U S */
    if (st == TSL_OK) st = tsl_cuda_tall_reconstruct(q, &t);
    if (st == TSL_OK) st = tsl_cuda_tall_combine(q, &t, l);
    /* T := T inv(Y1^H) */
    if (st == TSL_OK && !l->geqrt.alone) st = solve(q, l, TSL_RIGHT, TSL_LOWER, TSL_UNIT, herm(l), t.Q, l->A.p, l->A.ld);
    /* Y2 := Q1 inv(M), below */
    if (st == TSL_OK) st = invert(q, l, &t, t.M, t.X);
    if (st == TSL_OK) st = multiply(q, l, below, Y2, l->B.ld, t.X, A2, l->D.ld);
    return st == TSL_OK && !l->geqrt.alone ? copy(q, l, below, A2, l->D.ld, Y2, l->B.ld) : st;
}
