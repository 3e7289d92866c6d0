/* Batches of operations that make numbers: norms, conditions, determinants, reductions of vectors, ranks, ratios of scalings.
 * Each problem has its own, in an array. They are compared with plain sums, and with the call on each problem alone. */
#include <stdbool.h>

#include "batch_forms.h"
#include "context.h"

static const char *where;
static tsl_context *ctx;

static double close_to(double a, double b) { return a == b || (isnan(a) && isnan(b)) ? 0 : fabs(a - b) / (fabs(a) + fabs(b)); }

static double norm_by_hand(const dense *A, char kind)
{
    double sum = 0, most = 0;
    int64_t lines = kind == 'I' ? A->m : A->n, length = kind == 'I' ? A->n : A->m;
    for (int64_t l = 0; l < lines; l++) {
        double line = 0;
        for (int64_t i = 0; i < length; i++) {
            double a = cabs(kind == 'I' ? *dense_at(A, l, i) : *dense_at(A, i, l));
            line = kind == 'M' ? worse(line, a) : line + (kind == 'F' ? a * a : a);
        }
        sum += line, most = worse(most, line);
    }
    return kind == 'F' ? sqrt(sum) : most;
}

static void norm_case(tsl_type t, layout how, int64_t m, int64_t n, char norm, int64_t count)
{
    stack A = random_stack(t, how, m, n, count), value = stack_make(real_of(t), DENSE, 1, 1, count);
    double worst = 0;
#define LANGE(M, V) norm, m, n, M(A), (void *)value.data, count
    tsl_status st = BY_FORM(t, how, lange, lange, LANGE);
    for (int64_t k = 0; k < count && !st; k++) {
        dense a = dense_of(&A, k);
        worst = worse(worst, close_to(creal(stack_get(&value, k, 0, 0)), norm_by_hand(&a, norm)));
        dense_free(&a);
    }
    check(!st && worst < BOUND * eps(t) * (double)(m + n + 1), "%s %c lange %c %d x %d, layout %d: %g, %s", where,
          tsl_type_letter(t), norm, (int)m, (int)n, how, worst, tsl_error(ctx));
    stack_free(&A), stack_free(&value);
}

/* By factors of LU: each problem's condition and determinant as those of the problem alone */
static void factors_case(tsl_type t, layout how, int64_t n, int64_t count)
{
    stack A = random_stack(t, how, n, n, count), p = stack_make(TSL_INDEX, how, n, 1, count),
          anorm = stack_make(real_of(t), DENSE, 1, 1, count);
    stack rcond = stack_make(real_of(t), DENSE, 1, 1, count), phase = stack_make(t, DENSE, 1, 1, count),
          logabs = stack_make(TSL_D, DENSE, 1, 1, count);
    int64_t *info = calloc((size_t)count, sizeof *info);
    double worst = 0, turns = 0;
    for (int64_t j = 0; j < n; j++)
        stack_set(&A, count / 2, j, n / 2, 0); /* one is singular */
    stack given = stack_copy(&A);
#define GETRF(M, V) n, n, M(A), V(p), count, info
#define GECON(M, V) '1', n, M(A), (void *)anorm.data, (void *)rcond.data, count
#define LOGDET(M, V) 'G', n, M(A), V(p), (void *)phase.data, (void *)logabs.data, count
    tsl_status st = BY_FORM(t, how, getrf, getrf, GETRF);
    for (int64_t k = 0; k < count; k++) {
        dense a = dense_of(&given, k);
        stack_set(&anorm, k, 0, 0, norm_by_hand(&a, '1'));
        dense_free(&a);
    }
    if (!st)
        st = BY_FORM(t, how, gecon, gecon, GECON);
    if (!st)
        st = BY_FORM(t, how, logdet, logdet, LOGDET);
    for (int64_t k = 0; k < count && !st; k++) {
        tsl_matrix *f = NULL, *v = NULL;
        double alone = -1, log_alone = -1;
        tsl_scalar turn = 0;
        st = tsl_matrix_wrap(ctx, t, n, n, A.each[k], A.ld, &f);
        if (!st)
            st = tsl_matrix_wrap(ctx, TSL_INDEX, n, 1, p.each[k], tsl_larger(1, n), &v);
        if (!st)
            st = tsl_gecon(ctx, TSL_NORM_ONE, tsl_whole(f), creal(stack_get(&anorm, k, 0, 0)), &alone);
        if (!st)
            st = tsl_logdet(ctx, tsl_whole(f), tsl_whole(v), &turn, &log_alone);
        /* alone the norm of the inverse is estimated, from below; of a batch it may be the norm itself */
        double here = creal(stack_get(&rcond, k, 0, 0));
        if (!(here <= alone && here >= alone / 4)) worst = worse(worst, close_to(here, alone) / 4);
        turns = worse(
            turns, worse(cabs(stack_get(&phase, k, 0, 0) - turn) / 4, close_to(creal(stack_get(&logabs, k, 0, 0)), log_alone)));
        tsl_matrix_free(f), tsl_matrix_free(v);
    }
    check(!st && worst <= eps(t) && turns <= eps(t), "%s %c gecon, logdet %d, layout %d: %g, %g, %s", where, tsl_type_letter(t),
          (int)n, how, worst, turns, tsl_error(ctx));
    stack_free(&A), stack_free(&p), stack_free(&anorm), stack_free(&rcond), stack_free(&phase), stack_free(&logabs),
        stack_free(&given), free(info);
}

enum { PROBLEMS = 7 };

static tsl_view all_of(const stack *s, tsl_matrix **keep)
{
    tsl_status st = s->how == POINTERS ? tsl_batch_wrap_pointers(ctx, s->t, s->m, s->n, s->each, s->ld, s->count, keep)
                                       : tsl_batch_wrap(ctx, s->t, s->m, s->n, s->data, s->ld, s->stride, s->count, keep);
    check(!st, "%s: a batch: %s", where, tsl_error(ctx));
    return tsl_whole(*keep);
}

/* Views: vectors, and operations that tell ranks and ratios: of all problems at once, and of each */
static void views_case(tsl_type t, layout how, int64_t m, int64_t n)
{
    stack A = random_stack(t, how, m, n, PROBLEMS), B = random_stack(t, how, m > n ? m : n, 2, PROBLEMS),
          p = stack_make(TSL_INDEX, how, n, 1, PROBLEMS);
    stack tau = stack_make(t, how, m < n ? m : n, 1, PROBLEMS), r = stack_make(real_of(t), how, m, 1, PROBLEMS),
          c = stack_make(real_of(t), how, n, 1, PROBLEMS);
    stack s = stack_make(real_of(t), how, m < n ? m : n, 1, PROBLEMS), X = random_stack(t, how, m, 1, PROBLEMS),
          Y = random_stack(t, how, m, 1, PROBLEMS);
    for (int64_t k = 0; k < PROBLEMS; k++)
        for (int64_t j = 0; j < n; j++) {
            stack_set(&p, k, j, 0, 0);
            for (int64_t i = 0; i < m && k == 2 && j; i++)
                stack_set(&A, k, i, j, stack_get(&A, k, i, 0)); /* of rank 1 */
        }
    stack A1 = stack_copy(&A), A2 = stack_copy(&A), A3 = stack_copy(&A), B1 = stack_copy(&B), p1 = stack_copy(&p),
          y = stack_copy(&Y);
    tsl_matrix *mat[16] = {NULL};
    tsl_view a = all_of(&A, &mat[0]), a1 = all_of(&A1, &mat[1]), a2 = all_of(&A2, &mat[2]), a3 = all_of(&A3, &mat[3]),
             b = all_of(&B, &mat[4]), b1 = all_of(&B1, &mat[5]);
    tsl_view vp = all_of(&p, &mat[6]), vp1 = all_of(&p1, &mat[7]), vt = all_of(&tau, &mat[8]), vr = all_of(&r, &mat[9]),
             vc = all_of(&c, &mat[10]);
    tsl_view vs = all_of(&s, &mat[11]), vx = all_of(&X, &mat[12]), vy = all_of(&Y, &mat[13]);
    double norm[PROBLEMS], row[PROBLEMS], col[PROBLEMS], most[PROBLEMS], length[PROBLEMS], sum[PROBLEMS], one;
    tsl_scalar dots[PROBLEMS];
    int64_t info[PROBLEMS], rank[PROBLEMS], ranks[PROBLEMS], at[PROBLEMS], where_most;
    double rcond = eps(t) * 100;
    tsl_status st = tsl_norm(ctx, TSL_NORM_FRO, TSL_TRIANGULAR, a, norm);
    if (!st)
        st = tsl_geequ(ctx, a, vr, vc, row, col, most, info);
    if (!st)
        st = tsl_nrm2(ctx, vx, length);
    if (!st)
        st = tsl_asum(ctx, vx, sum);
    if (!st)
        st = tsl_iamax(ctx, vx, at);
    if (!st)
        st = tsl_axpy(ctx, 2, vx, vy);
    if (!st)
        st = tsl_dot(ctx, vx, vy, dots);
    int right = !st;
    for (int64_t k = 0; k < PROBLEMS && right; k++) {
        tsl_scalar dot = 0, alone;
        double by_hand = 0;
        for (int64_t i = 0; i < m; i++) {
            tsl_scalar v = stack_get(&X, k, i, 0);
            right &= cabs(stack_get(&Y, k, i, 0) - stack_get(&y, k, i, 0) - 2 * v) <= 10 * eps(t);
            dot += v * stack_get(&Y, k, i, 0), by_hand += cabs(v) * cabs(v);
        }
        right &=
            close_to(length[k], sqrt(by_hand)) <= 10 * (double)m * eps(t) && cabs(dot - dots[k]) <= 20 * (double)m * eps(t);
        right &= !tsl_norm(ctx, TSL_NORM_FRO, TSL_TRIANGULAR, tsl_problem(a, k), &one) && close_to(norm[k], one) <= 1e-14;
        /* the host library sums in an order that depends on where vectors lie */
        right &= !tsl_asum(ctx, tsl_problem(vx, k), &one) && close_to(one, sum[k]) <= (double)m * eps(t);
        right &= !tsl_iamax(ctx, tsl_problem(vx, k), &where_most) && where_most == at[k];
        right &= !tsl_dot(ctx, tsl_problem(vx, k), tsl_problem(vy, k), &alone) &&
                 cabs(alone - dots[k]) <= 20 * (double)m * eps(t);
        double row1, col1, most1;
        int64_t info1;
        right &= !tsl_geequ(ctx, tsl_problem(a, k), tsl_problem(vr, k), tsl_problem(vc, k), &row1, &col1, &most1, &info1) &&
                 row1 == row[k] && col1 == col[k] && most1 == most[k];
    }
    check(right, "%s %c %d x %d, layout %d: norms, vectors, geequ of batches: %s", where, tsl_type_letter(t), (int)m, (int)n,
          how, tsl_error(ctx));
    st = tsl_gelsy(ctx, a1, vp, b, rcond, rank);
    if (!st)
        st = tsl_gelsd(ctx, a2, vs, b1, rcond, ranks, info);
    for (int64_t k = 0; k < PROBLEMS && !st; k++) {
        int64_t expected = k == 2 ? 1 : m < n ? m : n;
        check(rank[k] == expected && ranks[k] == expected, "%s %c %d x %d, layout %d: ranks of problem %d: %d %d", where,
              tsl_type_letter(t), (int)m, (int)n, how, (int)k, (int)rank[k], (int)ranks[k]);
        for (int64_t j = 0; j < 2; j++)
            for (int64_t i = 0; i < n; i++) {
                double size = cabs(stack_get(&B, k, i, j)) + 1;
                if (m == n && k != 2)
                    size *= 1e3; /* a square system need not be well conditioned */
                check(cabs(stack_get(&B, k, i, j) - stack_get(&B1, k, i, j)) <= 1e4 * eps(t) * size,
                      "%s %c gelsy and gelsd differ", where, tsl_type_letter(t));
            }
    }
    check(!st, "%s %c gelsy, gelsd on views: %s", where, tsl_type_letter(t), tsl_error(ctx));
    st = tsl_geqp3_random(ctx, a3, vp1, vt, m < n ? m : n, 0, 1, rank);
    check(!st && rank[0] == (m < n ? m : n), "%s %c geqp3_random on views: %s", where, tsl_type_letter(t), tsl_error(ctx));
    check(!tsl_gelsy(ctx, a3, vp1, b, rcond, NULL), "%s %c gelsy without ranks: %s", where, tsl_type_letter(t), tsl_error(ctx));
    for (int i = 0; i < 14; i++)
        tsl_matrix_free(mat[i]);
    stack *all[] = {&A, &B, &p, &tau, &r, &c, &s, &X, &Y, &A1, &A2, &A3, &B1, &p1, &y};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        stack_free(all[i]);
}

/* Eigenvalues by index, counts of a Schur form, determinants of Cholesky's factors, scalings of definite matrices, on views */
static void more_views(tsl_type t)
{
    enum { N = 6 };
    stack A = definite_stack(t, GAPS, N, PROBLEMS), S = random_stack(t, DENSE, N, N, PROBLEMS),
          w = stack_make(real_of(t), DENSE, N, 1, PROBLEMS);
    stack v = stack_make(t, DENSE, N, 1, PROBLEMS), vi = stack_make(t, DENSE, N, 1, PROBLEMS);
    tsl_matrix *mat[5] = {NULL};
    tsl_view a = all_of(&A, &mat[0]), s = all_of(&S, &mat[1]), vw = all_of(&w, &mat[2]), vv = all_of(&v, &mat[3]),
             vvi = all_of(&vi, &mat[4]);
    double ratio[PROBLEMS], most[PROBLEMS], logabs[PROBLEMS], one;
    tsl_scalar phase[PROBLEMS], turn;
    int64_t info[PROBLEMS], sdim[PROBLEMS];
    tsl_status st = tsl_poequ(ctx, tsl_lower(a), vw, ratio, most, info);
    int right = !st;
    for (int64_t k = 0; k < PROBLEMS; k++)
        right &= (info[k] != 0) == is_bad(k) && (info[k] || (ratio[k] == 1 && close_to(most[k], 3.0 * N) <= 4 * eps(t)));
    check(right, "%s %c poequ of a batch: %s", where, tsl_type_letter(t), tsl_error(ctx));
    st = tsl_gees(ctx, s, TSL_SORT_RHP, vv, is_complex(t) ? (tsl_view){0} : vvi, (tsl_view){0}, sdim, info);
    right = !st;
    for (int64_t k = 0; k < PROBLEMS && right; k++) {
        int64_t count = 0;
        for (int64_t i = 0; i < N; i++)
            count += creal(stack_get(&v, k, i, 0)) >= 0;
        right &= sdim[k] == count && info[k] == 0;
    }
    check(right, "%s %c gees of a batch, with counts: %s", where, tsl_type_letter(t), tsl_error(ctx));
    st = tsl_potrf(ctx, tsl_lower(a), info);
    if (!st)
        st = tsl_logdet(ctx, tsl_lower(a), (tsl_view){0}, phase, logabs);
    right = !st;
    for (int64_t k = 0; k < PROBLEMS && right; k++)
        right &= !tsl_logdet(ctx, tsl_lower(tsl_problem(a, k)), (tsl_view){0}, &turn, &one) &&
                 (info[k] || (one == logabs[k] && turn == phase[k]));
    check(right, "%s %c logdet of a batch of Cholesky factors: %s", where, tsl_type_letter(t), tsl_error(ctx));
    for (int i = 0; i < 5; i++)
        tsl_matrix_free(mat[i]);
    stack_free(&A), stack_free(&S), stack_free(&w), stack_free(&v), stack_free(&vi);
}

/* Nothing to do, one matrix for all problems, and what is refused before anything is written */
static void edges(void)
{
    enum { N = 4, COUNT = 5 };
    stack A = random_stack(TSL_D, POINTERS, N, N, COUNT), w = stack_make(TSL_D, POINTERS, N, 1, COUNT),
          U = stack_make(TSL_D, POINTERS, N, N, COUNT), was;
    stack VT = stack_make(TSL_D, POINTERS, N, N, COUNT);
    int64_t info[COUNT] = {9, 9, 9, 9, 9}, rank[COUNT] = {9, 9, 9, 9, 9};
    double one = 0, norm[COUNT] = {-1, -1, -1, -1, -1};
    was = stack_copy(&A);
    double *a = (double *)A.data;
    /* no problem, and no order: arrays need not be there */
    check(!tsl_dsyev_batch(ctx, 'V', 'L', N, NULL, N, 0, NULL, 0, 0, info) && info[0] == 9, "%s: no problems: %s", where,
          tsl_error(ctx));
    check(!tsl_dgeev_batch(ctx, 'V', 'V', 0, NULL, 1, 0, NULL, 0, NULL, 0, NULL, 1, 0, NULL, 1, 0, COUNT, info) && info[4] == 0,
          "%s: of order 0: %s", where, tsl_error(ctx));
    check(!tsl_dlange_batch(ctx, 'F', 0, N, NULL, 1, 0, norm, COUNT) && norm[0] == 0 && norm[4] == 0,
          "%s: norms of nothing: %s", where, tsl_error(ctx));
    check(!tsl_dpinv_batch(ctx, N, 0, NULL, N, 0, -1, NULL, 1, 0, rank, COUNT, NULL) && rank[0] == 0 && rank[4] == 0,
          "%s: ranks of nothing: %s", where, tsl_error(ctx));
    check(!tsl_dsyevx_batch(ctx, 'V', 'L', N, a, A.ld, A.stride, 3, 2, (double *)w.data, w.stride, NULL, N, 0, 1, info),
          "%s: no pairs: %s", where, tsl_error(ctx));
    stack_free(&A), A = stack_copy(&was), a = (double *)A.data;
    /* one matrix for all */
    check(!tsl_dlange_batch(ctx, 'M', N, N, a, A.ld, 0, norm, COUNT) && norm[0] == norm[4] && norm[0] > 0,
          "%s: a stride of 0: %s", where, tsl_error(ctx));
    check(tsl_dsyev_batch(ctx, 'V', 'L', N, a, A.ld, 0, (double *)w.data, w.stride, COUNT, info) == TSL_ERR_OVERLAP,
          "%s: written at one place", where);
    check(tsl_dsyev_batch(ctx, 'V', 'L', N, a, A.ld, A.stride, (double *)w.data, 1, COUNT, info) == TSL_ERR_OVERLAP,
          "%s: values overlap", where);
    check(tsl_dpolar_batch(ctx, N, N, a, A.ld, A.stride, a, A.ld, A.stride, COUNT, info) == TSL_ERR_OVERLAP, "%s: H is A: %s",
          where, tsl_error(ctx));
    check(tsl_dgelsy_batch(ctx, N, N, 1, a, A.ld, A.stride, (double *)U.data, U.ld, U.stride, (int64_t *)VT.data, VT.stride, 0,
                           NULL, COUNT) == TSL_ERR_NULL,
          "%s: no place for ranks", where);
    /* pointers */
    void *third = A.each[3];
    A.each[3] = NULL;
    check(tsl_dgesvd_batch_pointers(ctx, 'S', 'S', N, N, (double **)A.each, A.ld, (double **)w.each, (double **)U.each, U.ld,
                                    (double **)VT.each, VT.ld, COUNT, info) == TSL_ERR_NULL,
          "%s: a NULL among pointers", where);
    A.each[3] = A.each[1];
    check(tsl_dgesvd_batch_pointers(ctx, 'S', 'S', N, N, (double **)A.each, A.ld, (double **)w.each, (double **)U.each, U.ld,
                                    (double **)VT.each, VT.ld, COUNT, info) == TSL_ERR_OVERLAP,
          "%s: two pointers to one problem", where);
    A.each[3] = third;
    int same = 1;
    for (int64_t k = 0; k < COUNT; k++)
        same &= stack_untouched(&A, &was, k);
    check(same, "%s: refused calls touch nothing", where);
    /* arrays and infos in device memory */
    tsl_matrix *host = NULL, *dev = NULL, *values = NULL, *infos = NULL, *back = NULL;
    stack S = stack_make(TSL_D, DENSE, N, N, COUNT), s = stack_make(TSL_D, DENSE, N, 1, COUNT);
    for (int64_t k = 0; k < COUNT; k++)
        for (int64_t j = 0; j < N; j++)
            for (int64_t i = 0; i < N; i++)
                stack_set(&S, k, i, j, stack_get(&A, k, i, j));
    tsl_status st = tsl_batch_wrap(ctx, TSL_D, N, N, S.data, N, N * N, COUNT, &host);
    if (!st)
        st = tsl_batch_wrap(ctx, TSL_D, N, 1, s.data, N, N, COUNT, &back);
    if (!st)
        st = tsl_batch_create(ctx, TSL_D, N, N, COUNT, &dev);
    if (!st)
        st = tsl_batch_create(ctx, TSL_D, N, 1, COUNT, &values);
    if (!st)
        st = tsl_matrix_create(ctx, TSL_INDEX, COUNT, 1, &infos);
    if (!st)
        st = tsl_copy(ctx, tsl_whole(host), tsl_whole(dev));
    if (!st)
        st = tsl_dgesvd_batch(ctx, 'N', 'N', N, N, tsl_matrix_data(dev), N, N * N, tsl_matrix_data(values), N, NULL, 1, 0, NULL,
                              1, 0, COUNT, tsl_matrix_data(infos));
    if (!st)
        st = tsl_copy(ctx, tsl_whole(values), tsl_whole(back));
    if (!st)
        st = tsl_wait(ctx);
    int64_t told[COUNT] = {9, 9, 9, 9, 9};
    tsl_matrix *here = NULL;
    if (!st)
        st = tsl_matrix_wrap(ctx, TSL_INDEX, COUNT, 1, told, COUNT, &here);
    if (!st)
        st = tsl_copy(ctx, tsl_whole(infos), tsl_whole(here));
    for (int64_t k = 0; k < COUNT && !st; k++) {
        st = tsl_dgesvd(ctx, 'N', 'N', N, N, (double *)stack_at(&S, k, 0, 0), N, (double *)stack_at(&w, 0, 0, 0), NULL, 1, NULL,
                        1, info);
        one = fabs(creal(stack_get(&w, 0, 0, 0) - stack_get(&s, k, 0, 0)));
        check(!st && told[k] == 0 && one < 1e-13, "%s: in device memory: info %d, %g apart: %s", where, (int)told[k], one,
              tsl_error(ctx));
    }
    check(!st, "%s: in device memory: %s", where, tsl_error(ctx));
    tsl_matrix_free(host), tsl_matrix_free(dev), tsl_matrix_free(values), tsl_matrix_free(infos), tsl_matrix_free(back),
        tsl_matrix_free(here);
    stack_free(&A), stack_free(&w), stack_free(&U), stack_free(&VT), stack_free(&was), stack_free(&S), stack_free(&s);
    checked("%s: edges", where);
}

int main(void)
{
    static const char *const on[] = {"host", "host:3", "host:2,mem=300K", "cuda"};
    for (size_t i = 0; i < sizeof on / sizeof *on; i++) {
        where = on[i];
        ctx = context_on(where);
        if (!ctx)
            continue;
        for (int type = TSL_S; type <= TSL_Z; type++) {
            tsl_type t = (tsl_type)type;
            for (int how = 0; how < LAYOUTS; how++) {
                state = (uint64_t)(type * 10 + how);
                for (int k = 0; k < 4; k++)
                    norm_case(t, (layout)how, 5 + k, 7 - k, "M1IF"[k], 19);
                norm_case(t, (layout)how, 0, 3, '1', 5);
                factors_case(t, (layout)how, 1, 9);
                factors_case(t, (layout)how, 8, 23);
                factors_case(t, (layout)how, 31, 3);
                if (how != BESIDE)
                    views_case(t, (layout)how, 9, 5), views_case(t, (layout)how, 4, 7);
            }
            more_views(t);
            checked("%s: %c: numbers", where, tsl_type_letter(t));
        }
        edges();
        tsl_context_destroy(ctx);
    }
    return tap_done();
}
