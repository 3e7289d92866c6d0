/* The edge-case contract of gemm, syrk, herk and trsm: what is not read, what is not written, what is exact, and where NaN and
 * Inf go. Every case is compared with a naive reference, on every device and through every way into the library. */
#include "reference.h"

typedef struct sizes {
    int64_t m, n, k;
} sizes;

static const sizes shapes[] = {{1, 1, 1}, {5, 3, 4}, {33, 18, 20}, {40, 35, 0}, {0, 6, 3}, {6, 0, 3}};
enum { SHAPES = sizeof shapes / sizeof *shapes };

/* Which scalars, and which operands hold nothing but NaN because they must not be read. */
typedef struct twist {
    const char *what;
    double alpha, beta;
    int spoil_inputs, spoil_output;
} twist;

static const twist twists[] = {
    {"plain", 1.5, 0.5, 0, 0},
    {"beta = 0 ignores C", -1, 0, 0, 1},
    {"alpha = 0 ignores A and B", 0, 0.5, 1, 0},
    {"alpha = beta = 0 gives zeros", 0, 0, 1, 1},
};
enum { TWISTS = sizeof twists / sizeof *twists };

static const tsl_op blas_ops[] = {TSL_NOTRANS, TSL_TRANS, TSL_HERM};
static const char op_letter[] = "NTJH", uplo_letter[] = "GLU";

/* An array whose view through op is m x n. */
static dense make(tsl_type t, tsl_op op, int64_t m, int64_t n, int canary, int spoil, uint64_t seed)
{
    dense d = op & 1 ? dense_make(t, n, m, canary) : dense_make(t, m, n, canary);
    if (spoil) dense_fill(&d, CMPLX(NAN, NAN));
    else dense_random(&d, seed);
    return d;
}

static int runs_here(const env *e, const job *b) { return e->via != VIA_TYPED || job_has_typed_form(b); }

static void gemm_case(env *e, tsl_type t, sizes s, const twist *w, tsl_op oa, tsl_op ob)
{
    dense A = make(t, oa, s.m, s.k, CANARY_NAN, w->spoil_inputs, 1), B = make(t, ob, s.k, s.n, CANARY_NAN, w->spoil_inputs, 2);
    dense C = make(t, TSL_NOTRANS, s.m, s.n, CANARY_FINITE, w->spoil_output, 3);
    job b = {.op = TSL_OP_GEMM, .alpha = w->alpha, .beta = w->beta, .v = {{.d = &A, .op = oa}, {.d = &B, .op = ob}, {.d = &C}}};
    const char *wrong = job_check(e, &b);
    check(!wrong, "%c%c %d x %d x %d, %s: %s", op_letter[oa], op_letter[ob], (int)s.m, (int)s.n, (int)s.k, w->what, wrong);
    dense_free(&A), dense_free(&B), dense_free(&C);
}

static void rank_k_case(env *e, tsl_type t, tsl_opcode op, sizes s, const twist *w, tsl_op oa, tsl_uplo uplo)
{
    dense A = make(t, oa, s.n, s.k, CANARY_NAN, w->spoil_inputs, 4);
    dense C = make(t, TSL_NOTRANS, s.n, s.n, CANARY_FINITE, w->spoil_output, 5);
    job b = {.op = op, .alpha = w->alpha, .beta = w->beta, .v = {{.d = &A, .op = oa}, {.d = &C, .uplo = uplo}}};
    if (runs_here(e, &b)) {
        const char *wrong = job_check(e, &b);
        check(!wrong, "%c%c n %d k %d, %s: %s", uplo_letter[uplo], op_letter[oa], (int)s.n, (int)s.k, w->what, wrong);
        for (int64_t i = 0; op == TSL_OP_HERK && i < s.n; i++)
            check(cimag(dense_get(&C, i, i)) == 0, "the diagonal is real after %s", w->what);
    }
    dense_free(&A), dense_free(&C);
}

/* A's other triangle and, if unit, its diagonal hold NaN. */
static void trsm_case(env *e, tsl_type t, sizes s, const twist *w, tsl_side side, operand A)
{
    int64_t order = side == TSL_LEFT ? s.m : s.n;
    dense a = dense_make(t, order, order, CANARY_NAN), B = make(t, TSL_NOTRANS, s.m, s.n, CANARY_FINITE, w->alpha == 0, 6);
    dense_dominant(&a, 7);
    for (int64_t j = 0; j < order; j++)
        for (int64_t i = 0; i < order; i++) {
            /* a unit triangle must be tame off the diagonal, or the solution grows with the size */
            dense_put(&a, i, j, i == j ? dense_get(&a, i, j) : dense_get(&a, i, j) / (double)(order + 1));
            if (w->spoil_inputs || !in_triangle(A.uplo, i, j) || (A.diag && i == j)) dense_put(&a, i, j, CMPLX(NAN, NAN));
        }
    A.d = &a;
    job b = {.op = TSL_OP_TRSM, .side = side, .alpha = w->alpha, .v = {A, {.d = &B}}};
    const char *wrong = job_check(e, &b);
    check(!wrong, "%c%c%c%c %d x %d, %s: %s", "LR"[side], uplo_letter[A.uplo], op_letter[A.op], "NU"[A.diag], (int)s.m, (int)s.n,
          w->what, wrong);
    dense_free(&a), dense_free(&B);
}

static void all_products(env *e, tsl_type t)
{
    for (int i = 0; i < SHAPES * TWISTS * 9; i++)
        gemm_case(e, t, shapes[i % SHAPES], &twists[i / SHAPES % TWISTS], blas_ops[i / SHAPES / TWISTS % 3],
                  blas_ops[i / SHAPES / TWISTS / 3]);
    checked("%s: %cgemm", env_name(e), tsl_type_letter(t));
    for (int herm = 0; herm < 2; herm++) {
        if (herm && e->via == VIA_TYPED && !tsl_is_complex(t)) continue;
        for (int i = 0; i < SHAPES * TWISTS * 3; i++)
            for (int uplo = TSL_LOWER; uplo <= TSL_UPPER; uplo++)
                rank_k_case(e, t, herm ? TSL_OP_HERK : TSL_OP_SYRK, shapes[i % SHAPES], &twists[i / SHAPES % TWISTS],
                            blas_ops[i / SHAPES / TWISTS], (tsl_uplo)uplo);
        checked("%s: %c%s", env_name(e), tsl_type_letter(t), herm ? "herk" : "syrk");
    }
}

static void all_solves(env *e, tsl_type t)
{
    for (int i = 0; i < SHAPES * 3 * 2 * 2 * 2; i++)
        for (int w = 0; w < TWISTS; w += 2) { /* trsm has no beta: one twist for each alpha */
            operand A = {NULL, blas_ops[i / SHAPES % 3], i / SHAPES / 3 % 2 ? TSL_UPPER : TSL_LOWER,
                         (tsl_diag)(i / SHAPES / 6 % 2)};
            trsm_case(e, t, shapes[i % SHAPES], &twists[w], (tsl_side)(i / SHAPES / 12), A);
        }
    checked("%s: %ctrsm", env_name(e), tsl_type_letter(t));
}

/* A NaN or an Inf in row i of A meets only zeros in B, and still makes row i NaN: no zero is skipped. */
static void gemm_spreads(env *e, tsl_type t, double bad, int64_t row)
{
    enum { M = 33, N = 18, K = 20, AT = 7 };
    dense A = dense_make(t, M, K, CANARY_NAN), B = dense_make(t, K, N, CANARY_NAN), C = dense_make(t, M, N, CANARY_FINITE);
    dense_random(&A, 8), dense_random(&B, 9), dense_random(&C, 10);
    dense_put(&A, row, AT, CMPLX(bad, 0));
    for (int64_t j = 0; j < N; j++) dense_put(&B, AT, j, 0);
    job b = {.op = TSL_OP_GEMM, .alpha = 1, .beta = 1, .v = {{.d = &A}, {.d = &B}, {.d = &C}}};
    check(job_run(e, &b) == TSL_OK, "gemm with %g", bad);
    for (int64_t j = 0; j < N; j++)
        for (int64_t i = 0; i < M; i++) {
            tsl_scalar v = dense_get(&C, i, j);
            check(i == row ? scalar_nan(v) : scalar_finite(v), "%g in row %d: (%d,%d) is %g", bad, (int)row, (int)i, (int)j,
                  creal(v));
        }
    dense_free(&A), dense_free(&B), dense_free(&C);
}

/* Row i of A is part of row and column i of A A^T. */
static void rank_k_spreads(env *e, tsl_type t, tsl_opcode op, tsl_uplo uplo, int64_t row)
{
    enum { N = 33, K = 20 };
    dense A = dense_make(t, N, K, CANARY_NAN), C = dense_make(t, N, N, CANARY_FINITE);
    dense_random(&A, 11), dense_random(&C, 12);
    dense_put(&A, row, 3, CMPLX(NAN, 0));
    for (int64_t i = 0; i < N; i++)
        if (i != row) dense_put(&A, i, 3, 0);
    job b = {.op = op, .alpha = 1, .beta = 1, .v = {{.d = &A}, {.d = &C, .uplo = uplo}}};
    if (runs_here(e, &b)) check(job_run(e, &b) == TSL_OK, "rank-k with NaN");
    for (int64_t j = 0; j < N && runs_here(e, &b); j++)
        for (int64_t i = 0; i < N; i++) {
            tsl_scalar v = dense_get(&C, i, j);
            int hit = in_triangle(uplo, i, j) && (i == row || j == row);
            check(hit ? scalar_nan(v) : scalar_finite(v), "NaN in row %d: (%d,%d) is %g", (int)row, (int)i, (int)j, creal(v));
        }
    dense_free(&A), dense_free(&C);
}

/* Of a column of B (from the right: a row) only what the triangle takes from there sees its NaN or Inf; on the host the BLAS
 * may multiply zeros beside the triangle too, as OpenBLAS's does. */
static void trmm_spreads(env *e, tsl_type t, double bad, tsl_side side, operand A)
{
    enum { N = 150, LINES = 9, AT = 70, LINE = 4 };
    int64_t m = side == TSL_LEFT ? N : LINES, n = side == TSL_LEFT ? LINES : N;
    dense a = dense_make(t, N, N, CANARY_NAN), B = dense_make(t, m, n, CANARY_FINITE);
    dense_random(&a, 13), dense_random(&B, 14);
    dense_put(&B, side == TSL_LEFT ? AT : LINE, side == TSL_LEFT ? LINE : AT, CMPLX(bad, 0));
    A.d = &a;
    job b = {.op = TSL_OP_TRMM, .side = side, .alpha = 1, .v = {A, {.d = &B}}};
    check(job_run(e, &b) == TSL_OK, "trmm with %g", bad);
    bool lower = (A.uplo == TSL_LOWER) != ((A.op & TSL_TRANS) != 0), later = lower == (side == TSL_LEFT); /* entries see AT */
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < m; i++) {
            int64_t line = side == TSL_LEFT ? j : i, at = side == TSL_LEFT ? i : j;
            int hit = line == LINE && (later ? at >= AT : at <= AT);
            if (!strncmp(e->spec, "host", 4) && line == LINE && !hit) continue;
            check(scalar_finite(dense_get(&B, i, j)) == !hit, "%g: %c%c%c%c trmm (%d,%d) is %g", bad, "LR"[side], uplo_letter[A.uplo],
                  op_letter[A.op], "NU"[A.diag], (int)i, (int)j, creal(dense_get(&B, i, j)));
        }
    dense_free(&a), dense_free(&B);
}

static void spreading(env *e, tsl_type t)
{
    static const int64_t rows[] = {0, 16, 32};
    for (int r = 0; r < 3; r++) {
        gemm_spreads(e, t, NAN, rows[r]);
        gemm_spreads(e, t, INFINITY, rows[r]);
        for (int uplo = TSL_LOWER; uplo <= TSL_UPPER; uplo++) {
            rank_k_spreads(e, t, TSL_OP_SYRK, (tsl_uplo)uplo, rows[r]);
            rank_k_spreads(e, t, TSL_OP_HERK, (tsl_uplo)uplo, rows[r]);
        }
    }
    for (int i = 0; i < 3 * 2 * 2 * 2 * 2; i++) {
        operand A = {NULL, blas_ops[i % 3], i / 3 % 2 ? TSL_UPPER : TSL_LOWER, (tsl_diag)(i / 6 % 2)};
        trmm_spreads(e, t, i / 24 ? NAN : INFINITY, (tsl_side)(i / 12 % 2), A);
    }
    checked("%s: %c NaN and Inf spread no further than they must", env_name(e), tsl_type_letter(t));
}

static void one_env(env *e)
{
    for (int i = 0; i < 4; i++) {
        all_products(e, all_types[i]);
        all_solves(e, all_types[i]);
        spreading(e, all_types[i]);
    }
}

int main(void)
{
    for_each_env(one_env);
    return tap_done();
}
