/* Panels of LU on a GPU, of every height for which they are spread over the device in another way, in each of their kernel's
 * shapes: residual, multipliers, LAPACK's pivots and info wherever no rounding decides them, the same bits twice, what is no
 * number, and nothing else touched. */
#include "lu.h"

#define BOUND 30.0

static void factored(env *e, tsl_type t, int64_t m, int64_t n, lu_kind kind)
{
    dense A = lu_matrix(t, m, n, kind, (uint64_t)(m + 7 * n)), was = dense_copy(&A), again = dense_copy(&A), theirs = dense_copy(&A);
    dense p = lu_pivots(lu_min(m, n)), first = dense_copy(&p), p_again = dense_copy(&p), wanted = lu_pivots(lu_min(m, n));
    job b = lu_job(TSL_OP_GETRF, &A, &p, NULL), c = lu_job(TSL_OP_GETRF, &again, &p_again, NULL);
    int64_t info = lu_lapack(&theirs, &wanted);
    char who[96];
    snprintf(who, sizeof who, "%c %d x %d %s", tsl_type_letter(t), (int)m, (int)n, lu_kind_name[kind]);
    tsl_status st = job_run(e, &b), too = job_run(e, &c);
    check(!st && !too, "%s: %s %s", who, tsl_status_name(st), tsl_error(e->ctx));
    double r = lu_in_range(&p, m) ? lu_residual(&was, &A, &p) : INFINITY;
    check(r < BOUND, "%s: residual %g", who, r);
    check(!lu_unique(kind) || (b.info == info && dense_same(&p, &wanted)), "%s: info %d, LAPACK's %d, or other pivots", who, (int)b.info, (int)info);
    check(dense_same(&A, &again) && dense_same(&p, &p_again) && b.info == c.info, "%s: not the same bits twice", who);
    check(dense_strays(&A, &was, TSL_GENERAL) == 0 && dense_strays(&p, &first, TSL_GENERAL) == 0, "%s: wrote outside", who);
    dense_free(&A), dense_free(&was), dense_free(&again), dense_free(&theirs), dense_free(&p), dense_free(&first), dense_free(&p_again), dense_free(&wanted);
}

/* The row with a NaN is as good a pivot as any: pivots can be used, and what is no number is seen. */
static void no_number(env *e, tsl_type t, int64_t m, int64_t n)
{
    for (int inf = 0; inf < 2; inf++) {
        dense A = lu_matrix(t, m, n, RANDOM, 3), p = lu_pivots(lu_min(m, n));
        dense_put(&A, m - 1, n / 2, inf ? INFINITY : NAN);
        job b = lu_job(TSL_OP_GETRF, &A, &p, NULL);
        tsl_status st = job_run(e, &b);
        bool found = false;
        for (int64_t i = 0; i < m * n; i++) found |= !scalar_finite(dense_get(&A, i % m, i / m));
        check(!st && lu_in_range(&p, m) && found, "%c %d x %d: inf %d is not seen", tsl_type_letter(t), (int)m, (int)n, inf);
        dense_free(&A), dense_free(&p);
    }
}

static void heights(env *e, tsl_type t, int shape)
{
    static const int64_t sizes[][2] = {{40, 64}, {129, 64}, {260, 33}, {1025, 64}, {2049, 50}, {4097, 20}, {6001, 64}, {9000, 40}, {34000, 12}};
    static const lu_kind kinds[] = {PLANTED, RANDOM, ONES, ZERO_COLUMN, GRADED, ZEROS};
    char number[16];
    snprintf(number, sizeof number, "%d", shape);
    check(!tsl_set(e->ctx, "shape", number), "shape %d: %s", shape, tsl_error(e->ctx));
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
            if (sizes[s][0] < 2000 || k % 3 == s % 3) factored(e, t, sizes[s][0], sizes[s][1], kinds[k]);
        no_number(e, t, sizes[s][0], sizes[s][1]);
    }
    checked("%c: panels of every height, shape %d", tsl_type_letter(t), shape);
}

int main(void)
{
    env e = {.tile = "0", .via = VIA_WRAPPED};
    if (!env_on_gpu(&e)) return tap_done();
    for (int i = 0; i < 4; i++)
        for (int shape = 0; shape <= tsl_shape_count(e.ctx, "getrf", all_types[i]); shape++) heights(&e, all_types[i], shape);
    tsl_context_destroy(e.ctx);
    return tap_done();
}
