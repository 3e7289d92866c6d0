/* potrf's contract: the factor, info at the first bad pivot wherever the blocks end, NaN and Inf, and what is not touched. */
#include "reference.h"

static const int64_t sizes[] = {1, 5, 64, 129, 300};
enum { SIZES = sizeof sizes / sizeof *sizes };

/* Most cases differ in one element, so the last matrix is kept and copied. */
static dense definite(tsl_type t, int64_t n, tsl_uplo uplo)
{
    static dense last[3];
    dense *A = &last[uplo];
    if (A->data && A->t == t && A->n == n) return dense_copy(A);
    dense_free(A);
    *A = dense_definite(t, n, uplo);
    return dense_copy(A);
}

static job factorisation(dense *A, tsl_uplo uplo, tsl_op op)
{
    return (job){.op = TSL_OP_POTRF, .v = {{.d = A, .uplo = uplo, .op = op}}, .info = -77};
}

static void factor_case(env *e, tsl_type t, int64_t n, tsl_uplo uplo, tsl_op op)
{
    dense A = definite(t, n, uplo), was = dense_copy(&A);
    job b = factorisation(&A, uplo, op);
    operand before = b.v[0];
    before.d = &was;
    tsl_status st = job_run(e, &b);
    check(st == TSL_OK && b.info == 0, "n %d: status %d, info %d", (int)n, st, (int)b.info);
    double r = ref_residual(&before, &b.v[0]);
    check(r <= 4.0 * (double)(n + 4) * tsl_type_eps(t), "n %d uplo %d op %d: residual %g", (int)n, uplo, op, r);
    check(dense_strays(&A, &was, uplo) == 0, "n %d uplo %d op %d: wrote outside the triangle", (int)n, uplo, op);
    dense again = dense_copy(&was);
    b = factorisation(&again, uplo, op);
    check(job_run(e, &b) == TSL_OK && dense_same(&A, &again), "n %d: the same bits twice", (int)n);
    dense_free(&A), dense_free(&was), dense_free(&again);
}

static void factors(env *e, tsl_type t)
{
    for (int s = 0; s < SIZES; s++)
        for (int uplo = TSL_LOWER; uplo <= TSL_UPPER; uplo++) factor_case(e, t, sizes[s], (tsl_uplo)uplo, TSL_NOTRANS);
    for (int op = TSL_TRANS; op <= TSL_HERM && e->via != VIA_TYPED; op++)
        for (int uplo = TSL_LOWER; uplo <= TSL_UPPER; uplo++) factor_case(e, t, 37, (tsl_uplo)uplo, (tsl_op)op);
    checked("%s: %cpotrf factors", env_name(e), tsl_type_letter(t));
}

/* One spoiled element at stored (i,j) of the triangle; info must be `want`. */
static void spoiled_case(env *e, tsl_type t, int64_t n, tsl_uplo uplo, int64_t i, int64_t j, tsl_scalar bad, int64_t want)
{
    dense A = definite(t, n, uplo);
    dense_put(&A, uplo == TSL_LOWER ? i : j, uplo == TSL_LOWER ? j : i, bad);
    dense was = dense_copy(&A);
    job b = factorisation(&A, uplo, TSL_NOTRANS);
    tsl_status st = job_run(e, &b);
    check(st == TSL_OK && b.info == want, "n %d uplo %d, %g at (%d,%d): status %d, info %d, not %d", (int)n, uplo, creal(bad),
          (int)i, (int)j, st, (int)b.info, (int)want);
    check(dense_strays(&A, &was, uplo) == 0, "n %d: wrote outside the triangle", (int)n);
    dense_free(&A), dense_free(&was);
}

/* A dominant matrix with one diagonal element made -1 is indefinite exactly from there on. */
static void bad_pivots(env *e, tsl_type t)
{
    static const int64_t at[] = {1, 2, 5, 16, 17, 64, 65, 128, 129, 200, 256, 257, 300};
    for (int s = 0; s < SIZES; s++)
        for (size_t k = 0; k < sizeof at / sizeof *at; k++) {
            if (at[k] > sizes[s] || (at[k] < sizes[s] / 3 && at[k] > 2)) continue; /* early ones are tried at smaller sizes */
            tsl_uplo uplo = (s + (int)k) % 2 ? TSL_UPPER : TSL_LOWER;
            spoiled_case(e, t, sizes[s], uplo, at[k] - 1, at[k] - 1, -1, at[k]);
            spoiled_case(e, t, sizes[s], uplo, at[k] - 1, at[k] - 1, at[k] % 2 ? 0 : CMPLX(NAN, 0), at[k]);
        }
    checked("%s: %cpotrf tells the first bad pivot", env_name(e), tsl_type_letter(t));
}

/* A NaN off the diagonal in row i spoils pivot i; so does an Inf, whose square is subtracted there. */
static void bad_rows(env *e, tsl_type t)
{
    static const int64_t at[][3] = {{5, 4, 0},    {5, 1, 0},     {64, 40, 39},   {129, 128, 0},
                                    {129, 70, 3}, {300, 17, 16}, {300, 290, 130}}; /* n, row, column */
    for (size_t r = 0; r < sizeof at / sizeof *at; r++)
        for (int uplo = TSL_LOWER; uplo <= TSL_UPPER; uplo++) {
            spoiled_case(e, t, at[r][0], (tsl_uplo)uplo, at[r][1], at[r][2], CMPLX(NAN, 0), at[r][1] + 1);
            spoiled_case(e, t, at[r][0], (tsl_uplo)uplo, at[r][1], at[r][2], CMPLX(INFINITY, 0), at[r][1] + 1);
        }
    checked("%s: %cpotrf sees NaN and Inf off the diagonal", env_name(e), tsl_type_letter(t));
}

/* Nothing to say about the numbers, but the call ends and the context goes on. */
static void only_infinite(env *e, tsl_type t)
{
    dense A = dense_make(t, 70, 70, CANARY_FINITE);
    dense_fill(&A, CMPLX(INFINITY, 0));
    dense was = dense_copy(&A);
    job b = factorisation(&A, TSL_LOWER, TSL_NOTRANS);
    check(job_run(e, &b) == TSL_OK && b.info >= 0, "all Inf: info %d", (int)b.info);
    check(dense_strays(&A, &was, TSL_LOWER) == 0, "all Inf: wrote outside");
    dense_free(&A), dense_free(&was);
    dense none = dense_make(t, 0, 0, CANARY_FINITE);
    was = dense_copy(&none);
    b = factorisation(&none, TSL_UPPER, TSL_NOTRANS);
    check(job_run(e, &b) == TSL_OK && b.info == 0 && dense_same(&none, &was), "n = 0: info %d", (int)b.info);
    dense_free(&none), dense_free(&was);
    factor_case(e, t, 20, TSL_LOWER, TSL_NOTRANS);
    checked("%s: %cpotrf of Inf, of nothing, and then again", env_name(e), tsl_type_letter(t));
}

static void one_env(env *e)
{
    for (int i = 0; i < 4; i++) {
        if (is_left_out(i, 0)) continue;
        factors(e, all_types[i]);
        bad_pivots(e, all_types[i]);
        bad_rows(e, all_types[i]);
        only_infinite(e, all_types[i]);
    }
}

int main(void)
{
    for_each_env(one_env);
    return tap_done();
}
