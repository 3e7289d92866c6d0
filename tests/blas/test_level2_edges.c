/* The edge-case contract of level 2: where NaN and Inf go, what is left alone, what the ends of the range give. */
#include "level2_sweep.h"

enum { N = 33 };

static const tsl_opcode all_ops[] = {TSL_OP_GEMV, TSL_OP_GBMV, TSL_OP_SYMV, TSL_OP_HEMV, TSL_OP_SBMV, TSL_OP_HBMV, TSL_OP_SPMV,
                                     TSL_OP_HPMV, TSL_OP_GER,  TSL_OP_SYR,  TSL_OP_HER,  TSL_OP_SPR,  TSL_OP_HPR,  TSL_OP_SYR2,
                                     TSL_OP_HER2, TSL_OP_SPR2, TSL_OP_HPR2, TSL_OP_TRMV, TSL_OP_TRSV, TSL_OP_TBMV, TSL_OP_TBSV,
                                     TSL_OP_TPMV, TSL_OP_TPSV};
enum { OPS = sizeof all_ops / sizeof *all_ops };

static problem plain(tsl_opcode op, tsl_type t, tsl_op trans, tsl_uplo uplo)
{
    problem p = {.op = op, .t = t, .m = N, .n = N, .incx = 1, .incy = 1, .alpha = 1, .beta = 1};
    int flagged = family_of(op) != UPDATE && (shape_of(op) == WHOLE || shape_of(op) == TRIANGLE);
    if (storage_of(op) == TSL_BAND) p.kl = N - 1, p.ku = N - 1; /* all of the triangle, so that what spreads spreads as there */
    if (shape_of(op) != WHOLE) p.uplo = uplo;
    if (flagged) p.trans = trans;
    problem_make(&p, 5);
    return p;
}

/* A NaN in x(at) reaches what depends on it, and nothing else. */
static int depends(const problem *p, int64_t at, int64_t i, int64_t j)
{
    int lower = (p->uplo == TSL_LOWER) == !(p->trans & TSL_TRANS);
    switch (family_of(p->op)) {
    case PRODUCT: return 1;
    case UPDATE: return i == at || (j == at && p->op != TSL_OP_GER);
    default: /* row i of op(A) meets x(at) */ return lower ? i >= at : i <= at;
    }
}

static void nan_in_x(env *e, tsl_opcode op, tsl_type t, tsl_op trans, tsl_uplo uplo, int64_t at)
{
    problem p = plain(op, t, trans, uplo);
    family f = family_of(op);
    dense_put(&p.x, at, 0, CMPLX(NAN, 0));
    tsl_status st = problem_run(e, BY_POINTER, &p);
    check(!st, "%s: %s", tsl_ops[op].name, tsl_status_name(st));
    for (int64_t j = 0; j < (f == UPDATE ? N : 1); j++)
        for (int64_t i = 0; i < N; i++) {
            if (f == UPDATE && !referenced(&p, i, j)) continue;
            tsl_scalar v = f == UPDATE ? stored(&p, &p.A, i, j) : dense_get(f == PRODUCT ? &p.y : &p.x, i, 0);
            if (is_hermitian(&p) && f == UPDATE && i == j) v = creal(v);
            check(depends(&p, at, i, j) ? scalar_nan(v) : scalar_finite(v), "%c%s trans %d uplo %d: NaN at %d, (%d,%d) is %g",
                  tsl_type_letter(t), tsl_ops[op].name, (int)trans, (int)uplo, (int)at, (int)i, (int)j, creal(v));
        }
    problem_free(&p);
}

/* A NaN in A spoils its row of a product, or of a solution and what follows from it, and no row that it has no part in. */
static void nan_in_matrix(env *e, tsl_opcode op, tsl_type t, tsl_op trans, tsl_uplo uplo, int64_t at)
{
    problem p = plain(op, t, trans, uplo);
    family f = family_of(op);
    int solve = strstr(tsl_ops[op].name, "sv") != NULL;
    put_element(&p, at, at, CMPLX(NAN, 0));
    tsl_status st = problem_run(e, BY_POINTER, &p);
    check(!st, "%s: %s", tsl_ops[op].name, tsl_status_name(st));
    for (int64_t i = 0; i < N; i++) {
        tsl_scalar v = dense_get(f == PRODUCT ? &p.y : &p.x, i, 0);
        int hit = solve ? depends(&p, at, i, 0) : i == at;
        check(hit ? scalar_nan(v) : scalar_finite(v), "%c%s trans %d uplo %d: NaN at %d, %d is %g", tsl_type_letter(t),
              tsl_ops[op].name, (int)trans, (int)uplo, (int)at, (int)i, creal(v));
    }
    problem_free(&p);
}

static void spreading(env *e)
{
    for (int o = 0; o < OPS; o++) {
        tsl_opcode op = all_ops[o];
        int done = 0;
        for (int i = 0; i < 4; i++)
            for (int flags = 0; flags < 4; flags++)
                for (int64_t at = 0; at < N && exists(op, all_types[i], BY_POINTER); at += 16, done = 1) {
                    tsl_op trans = flags & 1 ? TSL_TRANS : TSL_NOTRANS;
                    tsl_uplo uplo = flags & 2 ? TSL_UPPER : TSL_LOWER;
                    nan_in_x(e, op, all_types[i], trans, uplo, at);
                    if (family_of(op) != UPDATE) nan_in_matrix(e, op, all_types[i], trans, uplo, at);
                }
        if (done) checked("%s: %s spreads NaN", e->spec, tsl_ops[op].name);
    }
}

/* BLAS: no rows or no columns leave y alone, even with beta = 0. By views the formula holds: y := beta y. */
static void no_matrix(env *e)
{
    for (int i = 0; i < 8; i++) {
        problem p = {.op = i & 1 ? TSL_OP_GBMV : TSL_OP_GEMV, .t = all_types[i / 2], .m = 5, .n = 0, .incx = 1, .incy = 2, .alpha = 1};
        problem_make(&p, 3);
        problem was = problem_copy(&p);
        check(problem_run(e, BY_POINTER, &p) == TSL_OK && same_operands(&p, &was), "%s with n = 0", tsl_ops[p.op].name);
        const char *wrong = problem_check(e, BY_WRAP, &p, 0);
        check(!wrong, "%s with n = 0 by views: %s", tsl_ops[p.op].name, wrong);
        problem_free(&was), problem_free(&p);
    }
    checked("%s: y without a matrix", e->spec);
}

/* Pivots at the ends of the range: the quotients are ordinary numbers. */
static void extreme_pivots(env *e)
{
    static const tsl_opcode solves[] = {TSL_OP_TRSV, TSL_OP_TBSV, TSL_OP_TPSV};
    static const double ends[][2] = {{3e-39, 3e38}, {1e-308, 1.5e308}};
    for (int i = 0; i < 4 * 3 * 2 * 3 * 4; i++) {
        static const tsl_op ops[] = {TSL_NOTRANS, TSL_TRANS, TSL_HERM};
        tsl_type t = all_types[i % 4];
        problem p = {.op = solves[i / 4 % 3], .t = t, .n = 7, .incx = i & 1 ? -2 : 1, .incy = 1, .trans = ops[i / 24 % 3],
                     .uplo = i / 12 % 2 ? TSL_UPPER : TSL_LOWER, .kl = storage_of(solves[i / 4 % 3]) == TSL_BAND ? 2 : 0};
        problem_make(&p, (uint64_t)i);
        double size = ends[t == TSL_D || t == TSL_Z][i / 72 % 2];
        for (int64_t j = 0; j < p.n; j++) /* A := size A and x := size x, exactly one solution: the one without size */
            for (int64_t r = 0; r < p.n; r++)
                if (referenced(&p, r, j)) put_element(&p, r, j, r == j ? size * CMPLX(0.5, 0.25 * tsl_is_complex(t)) : 0);
        for (int64_t r = 0; r < p.n; r++) {
            int64_t a, b;
            vector_place(&p.x, p.incx, r, &a, &b);
            dense_put(&p.x, a, b, size * CMPLX(0.25, 0.5 * tsl_is_complex(t)));
        }
        tsl_scalar pivot = CMPLX(0.5, 0.25 * tsl_is_complex(t));
        tsl_scalar want = CMPLX(0.25, 0.5 * tsl_is_complex(t)) / (p.trans & TSL_CONJ ? conj(pivot) : pivot);
        check(problem_run(e, BY_POINTER, &p) == TSL_OK, "solve");
        for (int64_t r = 0; r < p.n; r++) {
            tsl_scalar v = entry(&p.x, p.incx, TSL_NOTRANS, r);
            check(cabs(v - want) <= 1e-5, "%c%s pivot %g: %g + %gi", tsl_type_letter(t), tsl_ops[p.op].name, size, creal(v), cimag(v));
        }
        problem_free(&p);
    }
    checked("%s: extreme pivots", e->spec);
}

/* The same for trsm: a diagonal A and B of the size of its pivots, from both sides. */
static void extreme_pivots_of_trsm(env *e)
{
    enum { ORDER = 5 };
    static const char sides[] = "LR", ops[] = "NTC";
    for (int i = 0; i < 2 * 3 * 2; i++) {
        double size = i / 6 ? 1.5e308 : 1e-308;
        tsl_cdouble A[ORDER * ORDER] = {0}, B[ORDER * ORDER], pivot = CMPLX(0.5, 0.25), b = CMPLX(0.25, 0.5);
        for (int k = 0; k < ORDER * ORDER; k++) B[k] = size * b;
        for (int k = 0; k < ORDER; k++) A[k * (ORDER + 1)] = size * pivot;
        double alpha = size > 1 ? 1 : 2; /* twice the largest would overflow */
        tsl_scalar want = alpha * b / (ops[i % 3] == 'C' ? conj(pivot) : pivot);
        check(!tsl_ztrsm(e->ctx, sides[i / 3 % 2], 'L', ops[i % 3], 'N', ORDER, ORDER, alpha, A, ORDER, B, ORDER), "trsm");
        for (int k = 0; k < ORDER * ORDER; k++)
            check(cabs(B[k] - want) <= 1e-12, "ztrsm %c%c pivot %g: %g + %gi", sides[i / 3 % 2], ops[i % 3], size,
                  creal(B[k]), cimag(B[k]));
    }
    checked("%s: extreme pivots of trsm", e->spec);
}

static void all(env *e)
{
    spreading(e);
    no_matrix(e);
    if (!strcmp(e->spec, "cuda")) return; /* cuBLAS promises nothing of what follows */
    extreme_pivots(e);
    extreme_pivots_of_trsm(e);
}

int main(void)
{
    for_each_device(all);
    return tap_done();
}
