/* Batches: views of all problems and of one, inverses, one matrix for all problems, what is refused, outcomes and settings. */
#include <stdbool.h>
#include <stdio.h>

#include "batch.h"
#include "context.h"

static const char *where;
static tsl_context *ctx;

/* Matrices of the library's own, and views of all problems and of one */
static void views(void)
{
    enum { N = 9, COUNT = 11 };
    stack A = definite_stack(TSL_D, GAPS, N, COUNT), F = stack_make(TSL_D, DENSE, N, N, COUNT), one = stack_make(TSL_D, DENSE, N, N, 1);
    tsl_matrix *host = NULL, *dev = NULL, *back = NULL, *single = NULL;
    int64_t info[COUNT], info1 = -1;
    tsl_status st = tsl_batch_wrap(ctx, TSL_D, N, N, A.data, A.ld, A.stride, COUNT, &host);
    if (!st) st = tsl_batch_create(ctx, TSL_D, N, N, COUNT, &dev);
    if (!st) st = tsl_batch_wrap_pointers(ctx, TSL_D, N, N, F.each, F.ld, COUNT, &back);
    if (!st) st = tsl_matrix_wrap(ctx, TSL_D, N, N, one.data, one.ld, &single);
    check(!st && tsl_batch_count(dev) == COUNT && tsl_batch_count(single) == 1, "%s: batches: %s", where, tsl_error(ctx));
    st = tsl_copy(ctx, tsl_whole(host), tsl_whole(dev));
    if (!st) st = tsl_potrf(ctx, tsl_lower(tsl_sub(tsl_whole(dev), 1, 1, N - 1, N - 1)), info);
    if (!st) st = tsl_copy(ctx, tsl_whole(dev), tsl_whole(back));
    if (!st) st = tsl_wait(ctx);
    int same = !st;
    for (int64_t k = 0; k < COUNT; k++) {
        same &= (info[k] != 0) == is_bad(k);
        st = tsl_copy(ctx, tsl_problem(tsl_whole(host), k), tsl_whole(single));
        if (!st) st = tsl_potrf(ctx, tsl_lower(tsl_sub(tsl_whole(single), 1, 1, N - 1, N - 1)), &info1);
        same &= !st && info1 == info[k];
        for (int64_t j = 0; j < N; j++)
            for (int64_t i = j; i < N && !info1; i++) same &= cabs(stack_get(&one, 0, i, j) - stack_get(&F, k, i, j)) <= 1e-12;
    }
    check(same, "%s: views of a batch and of its problems: %s", where, tsl_error(ctx));
    check(tsl_problem(tsl_whole(host), COUNT).mat == NULL && tsl_problem(tsl_whole(single), 0).mat == NULL, "%s: no such problem", where);
    check(tsl_potrf(ctx, tsl_lower(tsl_problem(tsl_whole(dev), 2)), &info1) == TSL_OK, "%s: one problem on the device: %s", where, tsl_error(ctx));
    /* what reads views itself: a determinant, a refined solution, of one problem and not of all */
    tsl_scalar phase, right;
    double logabs, log_right;
    tsl_solution s;
    int64_t k = 4;
    st = tsl_copy(ctx, tsl_problem(tsl_whole(back), k), tsl_whole(single));
    if (!st) st = tsl_logdet(ctx, tsl_lower(tsl_whole(single)), tsl_whole(single), &right, &log_right);
    if (!st) st = tsl_logdet(ctx, tsl_lower(tsl_problem(tsl_whole(back), k)), tsl_whole(single), &phase, &logabs);
    check(!st && logabs == log_right && phase == right, "%s: the determinant of a problem: %g, %g %s", where, logabs, log_right, tsl_error(ctx));
    st = tsl_solve(ctx, tsl_problem(tsl_whole(host), k), tsl_whole(single), tsl_problem(tsl_whole(back), 0), NULL, &s);
    check(!st && s.info == 0, "%s: a problem solved: %s", where, tsl_error(ctx));
    check(tsl_solve(ctx, tsl_whole(host), tsl_whole(dev), tsl_whole(back), NULL, &s) == TSL_ERR_LAYOUT, "%s: a batch refined: %s", where, tsl_error(ctx));
    /* no outcome of a batch is seen in another call, and no setting is passed over */
    check(!tsl_info(ctx, &info1) && info1 == 0 && !tsl_potrf(ctx, tsl_lower(tsl_whole(host)), info) && !tsl_info(ctx, &info1) && info1 == 0, "%s: tsl_info after a batch", where);
    check(!tsl_set(ctx, "variant", "2") && tsl_potrf(ctx, tsl_lower(tsl_whole(dev)), info) == TSL_ERR_OPTION && !tsl_set(ctx, "variant", "auto"), "%s: a variant: %s", where, tsl_error(ctx));
    tsl_matrix *infos = NULL, *empty = NULL;
    st = tsl_matrix_create(ctx, TSL_INDEX, COUNT, 1, &infos);
    if (!st) st = tsl_set_element(ctx, tsl_whole(infos), 2, 0, 7);
    if (!st) st = tsl_batch_create(ctx, TSL_D, 0, 0, COUNT, &empty);
    if (!st) st = tsl_potrf(ctx, tsl_lower(tsl_whole(empty)), tsl_matrix_data(infos));
    if (!st) st = tsl_get_element(ctx, tsl_whole(infos), 2, 0, &phase);
    check(!st && phase == 0, "%s: infos of empty problems on the device: %g %s", where, creal(phase), tsl_error(ctx));
    tsl_matrix_free(infos), tsl_matrix_free(empty);
    tsl_matrix_free(host), tsl_matrix_free(dev), tsl_matrix_free(back), tsl_matrix_free(single);
    stack_free(&A), stack_free(&F), stack_free(&one);
    checked("%s: views", where);
}

/* An operation without a typed call for batches, of orders that the leaf takes and of larger ones; and fewer problems than
 * there are cores */
static void inverses(int64_t largest)
{
    static const struct { int64_t n, count; } sizes[] = {{1, 3}, {17, 70}, {64, 2}, {65, 3}, {130, 2}, {260, 1}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes && sizes[i].n <= largest; i++) {
        int64_t n = sizes[i].n, count = sizes[i].count, *info = calloc((size_t)count, sizeof *info), *p = calloc((size_t)(n * count), sizeof *p);
        stack A = random_stack(TSL_D, GAPS, n, n, count), X, unit = stack_make(TSL_D, DENSE, n, n, count);
        tsl_matrix *inv = NULL, *rows = NULL;
        for (int64_t k = 0; k < count; k++)
            for (int64_t j = 0; j < n; j++) {
                stack_set(&A, k, j, j, stack_get(&A, k, j, j) + 2.0 * (double)n);
                for (int64_t l = 0; l < n; l++) stack_set(&unit, k, l, j, l == j);
            }
        X = stack_copy(&A);
        tsl_status st = tsl_batch_wrap(ctx, TSL_D, n, n, X.data, X.ld, X.stride, count, &inv);
        if (!st) st = tsl_batch_wrap(ctx, TSL_INDEX, n, 1, p, n, n, count, &rows);
        if (!st) st = tsl_getrf(ctx, tsl_whole(inv), tsl_whole(rows), info);
        if (!st) st = tsl_getri(ctx, tsl_whole(inv), tsl_whole(rows), info);
        double worst = 0;
        for (int64_t k = 0; k < count && !st; k++) worst = worse(worst, residual(&A, 'N', &X, &unit, k, n, n, n));
        check(!st && worst < 10, "%s: inverses of order %lld: %g %s", where, (long long)n, worst, tsl_error(ctx));
        tsl_matrix_free(inv), tsl_matrix_free(rows);
        stack_free(&A), stack_free(&X), stack_free(&unit);
        free(info), free(p);
    }
    checked("%s: inverses", where);
}

/* One matrix for all problems; nothing to do; what is refused leaves all as it was */
static void edges(void)
{
    enum { N = 6, COUNT = 5 };
    stack A = random_stack(TSL_D, DENSE, N, N, 1), B = random_stack(TSL_D, DENSE, N, N, COUNT), C = random_stack(TSL_D, DENSE, N, N, COUNT), was = stack_copy(&C);
    tsl_status st = tsl_dgemm_batch(ctx, 'N', 'N', N, N, N, 1, (double *)A.data, N, 0, (double *)B.data, N, N * N, 0, (double *)C.data, N, N * N, COUNT);
    double worst = 0;
    for (int64_t k = 0; k < COUNT; k++)
        for (int64_t j = 0; j < N; j++)
            for (int64_t i = 0; i < N; i++) {
                double sum = 0;
                for (int64_t l = 0; l < N; l++) sum += creal(stack_get(&A, 0, i, l) * stack_get(&B, k, l, j));
                worst = worse(worst, fabs(sum - creal(stack_get(&C, k, i, j))));
            }
    check(!st && worst < 1e-13, "%s: one A for all: %g %s", where, worst, tsl_error(ctx));
    double *c = (double *)C.data, *b = (double *)B.data;
    int64_t info[COUNT] = {-7, -7, -7, -7, -7}, p[COUNT * N];
    memcpy(C.data, was.data, C.elements * sizeof(double));
    check(!tsl_dgemm_batch(ctx, 'N', 'N', N, N, N, 0, NULL, N, 0, NULL, N, 0, 2, c, N, N * N, COUNT) && c[N * N + 1] == 2 * ((double *)was.data)[N * N + 1], "%s: no product", where);
    memcpy(C.data, was.data, C.elements * sizeof(double));
    check(!tsl_dpotrf_batch(ctx, 'L', N, NULL, N, N * N, 0, info) && !tsl_dpotrf_batch(ctx, 'L', 0, NULL, 1, 0, COUNT, info) && info[0] == 0 && info[COUNT - 1] == 0, "%s: nothing to do", where);
    static const char *text = "argument";
    struct { tsl_status got, want; } refused[] = {
        {tsl_dpotrf_batch(ctx, 'X', N, c, N, N * N, COUNT, info), TSL_ERR_FLAG},
        {tsl_dpotrf_batch(ctx, 'L', -1, c, N, N * N, COUNT, info), TSL_ERR_SIZE},
        {tsl_dpotrf_batch(ctx, 'L', N, NULL, N, N * N, COUNT, info), TSL_ERR_NULL},
        {tsl_dpotrf_batch(ctx, 'L', N, c, N - 1, N * N, COUNT, info), TSL_ERR_LD},
        {tsl_dpotrf_batch(ctx, 'L', N, c, N, -1, COUNT, info), TSL_ERR_SIZE},
        {tsl_dpotrf_batch(ctx, 'L', N, c, N, N * N, -1, info), TSL_ERR_SIZE},
        {tsl_dpotrf_batch(ctx, 'L', N, c, N, INT64_MAX / 2, COUNT, info), TSL_ERR_OVERFLOW},
        {tsl_dpotrf_batch(ctx, 'L', N, c, N, N * N - 1, COUNT, info), TSL_ERR_OVERLAP},
        {tsl_dpotrf_batch(ctx, 'L', N, c, N, 0, COUNT, info), TSL_ERR_OVERLAP},
        {tsl_dgetrs_batch(ctx, 'Q', N, 1, b, N, N * N, p, N, c, N, N * N, COUNT), TSL_ERR_FLAG},
        {tsl_dgetrf_batch(ctx, N, N, c, N, N * N, NULL, N, COUNT, info), TSL_ERR_NULL},
        {tsl_dposv_batch(ctx, 'L', N, N, c, N, N * N, c, N, N * N, COUNT, info), TSL_ERR_OVERLAP},
    };
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
        check(refused[i].got == refused[i].want, "%s: %s %d: %s", where, text, (int)i, tsl_status_name(refused[i].got));
    check(!memcmp(C.data, was.data, C.elements * sizeof(double)), "%s: refused calls touch nothing", where);
    stack_free(&A), stack_free(&B), stack_free(&C), stack_free(&was);
    checked("%s: edges", where);
}

/* Is every problem as it was, and no info told? */
static int untouched(const stack *s, const stack *was, const int64_t *info)
{
    return !memcmp(s->data, was->data, s->elements * element_size(s->t)) && info[0] == -7 && info[1] == -7 && info[2] == -7;
}

/* Pointers that are no places of problems: none, one twice among those that are written, the place of another operand; pivots
 * that are no rows */
static void pointers(void)
{
    enum { N = 4, COUNT = 3 };
    stack A = definite_stack(TSL_D, POINTERS, N, COUNT), B = random_stack(TSL_D, POINTERS, N, N, COUNT), p = stack_make(TSL_INDEX, POINTERS, N, 1, COUNT);
    stack wasA = stack_copy(&A), wasB = stack_copy(&B), wasP = stack_copy(&p);
    double *nil[COUNT] = {A.each[0], NULL, A.each[2]}, *twice[COUNT] = {B.each[1], B.each[0], B.each[1]}, *mixed[COUNT] = {B.each[0], A.each[1], B.each[2]};
    double *const *a = (double *const *)A.each, *const *b = (double *const *)B.each;
    const double *const *in = (const double *const *)A.each, *const *none = (const double *const *)nil;
    int64_t *lost[COUNT] = {p.each[0], p.each[1], NULL}, *same[COUNT] = {p.each[0], p.each[1], p.each[0]}, *const *rows = (int64_t *const *)p.each;
    int64_t info[COUNT] = {-7, -7, -7};
    tsl_matrix *W = NULL, *T = NULL, *V = NULL;
    tsl_status st = tsl_batch_wrap_pointers(ctx, TSL_D, N, N, (void *const *)nil, A.ld, COUNT, &W);
    if (!st) st = tsl_batch_wrap_pointers(ctx, TSL_D, N, N, (void *const *)twice, B.ld, COUNT, &T);
    if (!st) st = tsl_batch_wrap_pointers(ctx, TSL_D, N, N, A.each, A.ld, COUNT, &V);
    check(!st, "%s: a batch is looked at when it is used: %s", where, tsl_error(ctx));
    struct { tsl_status got, want; } refused[] = {
        {tsl_dpotrf_batch_pointers(ctx, 'L', N, nil, A.ld, COUNT, info), TSL_ERR_NULL},
        {tsl_dgemm_batch_pointers(ctx, 'N', 'N', N, N, N, 1, none, A.ld, in, A.ld, 0, b, B.ld, COUNT), TSL_ERR_NULL},
        {tsl_dgemm_batch_pointers(ctx, 'N', 'N', N, N, N, 1, in, A.ld, in, A.ld, 0, twice, B.ld, COUNT), TSL_ERR_OVERLAP},
        {tsl_dgemm_batch_pointers(ctx, 'N', 'N', N, N, N, 0, none, A.ld, none, A.ld, 2, twice, B.ld, COUNT), TSL_ERR_OVERLAP},
        {tsl_dgemm_batch_pointers(ctx, 'N', 'N', N, N, N, 1, in, A.ld, in, A.ld, 0, mixed, B.ld, COUNT), TSL_ERR_OVERLAP},
        {tsl_dposv_batch_pointers(ctx, 'L', N, N, a, A.ld, mixed, B.ld, COUNT, info), TSL_ERR_OVERLAP},
        {tsl_dposv_batch_pointers(ctx, 'L', N, N, a, A.ld, twice, B.ld, COUNT, info), TSL_ERR_OVERLAP},
        {tsl_dgetrf_batch_pointers(ctx, N, N, a, A.ld, lost, COUNT, info), TSL_ERR_NULL},
        {tsl_dgetrf_batch_pointers(ctx, N, N, a, A.ld, same, COUNT, info), TSL_ERR_OVERLAP},
        {tsl_dgesv_batch_pointers(ctx, N, N, a, A.ld, lost, b, B.ld, COUNT, info), TSL_ERR_NULL},
        {tsl_dgeqrf_batch_pointers(ctx, N, N, a, A.ld, nil, COUNT), TSL_ERR_NULL},
        {tsl_dgels_batch_pointers(ctx, 'N', N, N, N, nil, A.ld, b, B.ld, COUNT, info), TSL_ERR_NULL},
        {tsl_dgetrs_batch_pointers(ctx, 'N', N, N, in, A.ld, (const int64_t *const *)rows, b, B.ld, COUNT), TSL_ERR_PIVOT},
        {tsl_potrf(ctx, tsl_lower(tsl_whole(W)), info), TSL_ERR_NULL},
        {tsl_potrf(ctx, tsl_lower(tsl_problem(tsl_whole(W), 1)), info), TSL_ERR_NULL},
        {tsl_copy(ctx, tsl_whole(V), tsl_whole(T)), TSL_ERR_OVERLAP},
    };
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
        check(refused[i].got == refused[i].want, "%s: pointers %d: %s", where, (int)i, tsl_status_name(refused[i].got));
    check(untouched(&A, &wasA, info) && untouched(&B, &wasB, info) && untouched(&p, &wasP, info), "%s: refused calls touch nothing at pointers", where);
    const double *const *once = (const double *const *)twice; /* what is only read may be the same */
    check(!tsl_dgemm_batch_pointers(ctx, 'N', 'N', N, N, N, 1, once, B.ld, once, B.ld, 0, a, A.ld, COUNT), "%s: one factor twice: %s", where, tsl_error(ctx));
    check(!tsl_dgemm_batch_pointers(ctx, 'N', 'N', N, N, N, 0, none, A.ld, none, A.ld, 2, b, B.ld, COUNT), "%s: factors that are not read: %s", where, tsl_error(ctx));
    tsl_matrix_free(W), tsl_matrix_free(T), tsl_matrix_free(V);
    stack_free(&A), stack_free(&B), stack_free(&p), stack_free(&wasA), stack_free(&wasB), stack_free(&wasP);
    checked("%s: pointers", where);
}

/* Memory is there before anything is written. A device that has no room for one problem is left out; where none has, all is as
 * it was. A is on the first device, or on the host as B is. */
static void little_memory(void)
{
    static const struct { const char *devices; int64_t n, nrhs, count; bool there; tsl_status want; } given[] = {
        {"host:2,mem=300K", 100, 1, 2, true, TSL_OK}, {"host:2,mem=300K", 60, 3, 9, false, TSL_OK}, {"host:2,mem=100K", 51, 60, 2, true, TSL_OK},
        {"host:2,mem=300K", 250, 1, 3, false, TSL_ERR_DEVICE_MEMORY}};
    for (size_t i = 0; i < sizeof given / sizeof *given; i++) {
        int64_t n = given[i].n, nrhs = given[i].nrhs, count = given[i].count, info[16];
        stack A = random_stack(TSL_D, DENSE, n, n, count), B = random_stack(TSL_D, DENSE, n, nrhs, count), p = stack_make(TSL_INDEX, DENSE, n, 1, count);
        for (int64_t k = 0; k < count; k++)
            for (int64_t j = 0; j < n; j++) stack_set(&A, k, j, j, 2.0 * (double)n);
        stack wasA = stack_copy(&A), wasB = stack_copy(&B), wasP = stack_copy(&p);
        tsl_config cfg = tsl_config_default();
        tsl_context *x = NULL;
        tsl_matrix *host = NULL, *dev = NULL, *rhs = NULL, *rows = NULL;
        cfg.devices = given[i].devices;
        tsl_status st = tsl_context_create(&cfg, &x);
        if (!st) st = tsl_batch_wrap(x, TSL_D, n, n, A.data, A.ld, A.stride, count, &host);
        if (!st) st = tsl_batch_wrap(x, TSL_D, n, nrhs, B.data, B.ld, B.stride, count, &rhs);
        if (!st) st = tsl_batch_wrap(x, TSL_INDEX, n, 1, p.data, p.ld, p.stride, count, &rows);
        if (!st && given[i].there) st = tsl_batch_create(x, TSL_D, n, n, count, &dev);
        if (!st && given[i].there) st = tsl_copy(x, tsl_whole(host), tsl_whole(dev));
        check(!st, "a batch of %lld x %lld: %s", (long long)count, (long long)n, tsl_error(x));
        st = tsl_gesv(x, tsl_whole(dev ? dev : host), tsl_whole(rows), tsl_whole(rhs), info);
        check(st == given[i].want, "%lld problems of order %lld on %s: %s", (long long)count, (long long)n, cfg.devices, tsl_error(x));
        bool good = !dev || !tsl_copy(x, tsl_whole(dev), tsl_whole(host));
        for (int64_t k = 0; k < count; k++)
            good &= st ? stack_untouched(&A, &wasA, k) && stack_untouched(&B, &wasB, k) && stack_untouched(&p, &wasP, k) : !info[k] && residual(&wasA, 'N', &B, &wasB, k, n, n, nrhs) < 10;
        check(good, "%lld problems of order %lld on %s: %s", (long long)count, (long long)n, cfg.devices, st ? "refused, and not as they were" : "wrong");
        tsl_matrix_free(host), tsl_matrix_free(dev), tsl_matrix_free(rhs), tsl_matrix_free(rows);
        tsl_context_destroy(x);
        stack_free(&A), stack_free(&B), stack_free(&p), stack_free(&wasA), stack_free(&wasB), stack_free(&wasP);
    }
    checked("little memory");
}

/* How many eigenvalues of each problem are in an interval has no place: it is refused, before anything is written. Ranks have
 * one for each. */
static void numbers(void)
{
    enum { N = 4, COUNT = 3 };
    stack A = definite_stack(TSL_D, DENSE, N, COUNT), P = random_stack(TSL_D, DENSE, N, N, COUNT), w = stack_make(TSL_D, DENSE, N, 1, COUNT), was = stack_copy(&A);
    tsl_matrix *a = NULL, *p = NULL, *v = NULL, *u = NULL;
    int64_t info[COUNT] = {-7, -7, -7}, number = -5;
    tsl_selection by_value = {TSL_RANGE_VALUE, 0, 0, 1, 20}, by_number = {TSL_RANGE_INDEX, 2, 3, 0, 0};
    tsl_status st = tsl_batch_wrap(ctx, TSL_D, N, N, A.data, N, N * N, COUNT, &a);
    if (!st) st = tsl_batch_wrap(ctx, TSL_D, N, N, P.data, N, N * N, COUNT, &p);
    if (!st) st = tsl_batch_wrap(ctx, TSL_D, N, 1, w.data, N, N, COUNT, &v);
    if (!st) st = tsl_batch_create(ctx, TSL_D, N, 1, COUNT, &u);
    check(!st, "%s: operands: %s", where, tsl_error(ctx));
    tsl_view V = tsl_whole(a), L = tsl_lower(V), X = tsl_whole(p), W = tsl_whole(v);
    check(tsl_syev(ctx, L, &by_value, W, X, &number, info) == TSL_ERR_LAYOUT, "%s: counts of a batch by value: %s", where,
          tsl_error(ctx));
    check(number == -5 && untouched(&A, &was, info), "%s: refused calls touch nothing", where);
    check(!tsl_syev(ctx, L, &by_number, W, X, &number, info) && number == 2, "%s: %d eigenpairs of each: %s", where, (int)number, tsl_error(ctx));
    int64_t ranks[COUNT] = {0}, right = 1;
    stack B = stack_copy(&was);
    tsl_matrix *b = NULL;
    for (int64_t i = 0; i < N; i++) stack_set(&B, 1, i, 0, 0), stack_set(&B, 1, 0, i, 0);
    st = tsl_batch_wrap(ctx, TSL_D, N, N, B.data, N, N * N, COUNT, &b);
    if (!st) st = tsl_matrix_rank(ctx, tsl_whole(b), -1, ranks, info);
    for (int k = 0; k < COUNT; k++) right &= ranks[k] == (k == 1 ? N - 1 : N) && info[k] == 0;
    check(!st && right, "%s: ranks of a batch: %d %d %d %s", where, (int)ranks[0], (int)ranks[1], (int)ranks[2], tsl_error(ctx));
    tsl_matrix_free(b), stack_free(&B);
    check(!tsl_pinv(ctx, tsl_problem(V, 1), -1, tsl_problem(X, 1), &number, info) && number == N, "%s: the rank of one: %d %s", where, (int)number, tsl_error(ctx));
    tsl_matrix_free(a), tsl_matrix_free(p), tsl_matrix_free(v), tsl_matrix_free(u);
    stack_free(&A), stack_free(&P), stack_free(&w), stack_free(&was);
    checked("%s: numbers of problems", where);
}

int main(void)
{
    static const struct { const char *devices; int64_t inverse; } on[] = {{"host", 300}, {"host:3", 300}, {"host:1,mem=256K", 64}, {"cuda", 300}};
    for (size_t i = 0; i < sizeof on / sizeof *on; i++) {
        where = on[i].devices;
        ctx = context_on(where);
        if (!ctx) continue;
        views();
        inverses(on[i].inverse);
        edges();
        pointers();
        numbers();
        if (i == 0) little_memory();
        tsl_context_destroy(ctx);
    }
    return tap_done();
}
