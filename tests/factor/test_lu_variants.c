/* LU whose pivots are not those of partial pivoting, asked for by name. By tournament: factors of matrices of every kind, small
 * multipliers, LAPACK's info. From a window of rows: those of a dominant matrix, exchanged there, come back. Without pivoting:
 * factors of matrices that need none, which are LAPACK's; and where they do, its info. On one
 * device and by tiles, the same bits on every run and for any devices. No table may choose them. */
#include "lu.h"
#include "tiled_block.h"

#define BOUND 30.0

/* In a tournament of groups of rows multipliers may exceed one, of random matrices by little. */
#define MULTIPLIER 30.0

static tsl_context *with_variant(const char *spec, const char *variant, const char *tile, bool tiles)
{
    tsl_config cfg = tsl_config_default();
    tsl_context *x = NULL;
    cfg.devices = spec;
    tsl_status st = tsl_context_create(&cfg, &x);
    if (!st) st = tsl_set(x, "variant", variant);
    if (!st) st = tsl_set(x, "tile", tile);
    if (!st && tiles) st = tsl_set(x, "path", "tiles");
    check(!st, "%s: %s", spec ? spec : "default device", tsl_error(x));
    return x;
}

static tsl_status factor(tsl_context *x, const dense *A, const dense *p, int64_t *info)
{
    block a = wrap(x, A, 0), q = wrap(x, p, 0);
    tsl_status st = tsl_getrf(x, a.v, q.v, info);
    tsl_matrix_free(a.mat), tsl_matrix_free(q.mat);
    return st;
}

static double largest(const dense *F, bool below)
{
    double most = 0;
    for (int64_t j = 0; j < F->n; j++)
        for (int64_t i = below ? j + 1 : 0; i < (below ? F->m : lu_min(j + 1, F->m)); i++) most = worse(most, cabs(dense_get(F, i, j)));
    return most;
}

static void played(tsl_context *x, const char *who, tsl_type t, int64_t m, int64_t n, lu_kind kind)
{
    dense A = lu_matrix(t, m, n, kind, (uint64_t)(m + 7 * n)), was = dense_copy(&A), theirs = dense_copy(&A), again = dense_copy(&A);
    dense p = lu_pivots(lu_min(m, n)), first = dense_copy(&p), wanted = lu_pivots(lu_min(m, n)), same = dense_copy(&p);
    int64_t info = -1, right = lu_lapack(&theirs, &wanted);
    tsl_status st = factor(x, &A, &p, &info);
    char case_name[160];
    snprintf(case_name, sizeof case_name, "%s, %c %d x %d %s", who, tsl_type_letter(t), (int)m, (int)n, lu_kind_name[kind]);
    check(!st, "%s: %s", case_name, tsl_error(x));
    double r = !st && lu_in_range(&p, m) ? lu_residual(&was, &A, &p) : INFINITY;
    check(r < BOUND, "%s: residual %g", case_name, r);
    check(largest(&A, true) < MULTIPLIER, "%s: a multiplier of %g", case_name, largest(&A, true));
    check(largest(&A, false) <= 8 * largest(&theirs, false), "%s: U grows to %g, by partial pivoting %g", case_name, largest(&A, false),
          largest(&theirs, false));
    check(info == right || !lu_unique(kind), "%s: info %d, LAPACK's %d", case_name, (int)info, (int)right);
    check(dense_strays(&A, &was, TSL_GENERAL) == 0 && dense_strays(&p, &first, TSL_GENERAL) == 0, "%s: wrote outside", case_name);
    check(!factor(x, &again, &same, NULL) && dense_same(&again, &A) && dense_same(&same, &p), "%s: other bits the second time", case_name);
    dense_free(&A), dense_free(&was), dense_free(&theirs), dense_free(&again);
    dense_free(&p), dense_free(&first), dense_free(&wanted), dense_free(&same);
}

/* Groups of rows are of 256 on a GPU, and of four times the columns of a panel on the host: one, several, and some that meet
 * again */
static void tournaments(const char *spec, const char *tile, bool tiles)
{
    static const int64_t shapes[][2] = {{1, 1}, {7, 7}, {40, 60}, {150, 33}, {257, 40}, {200, 200}, {1500, 24}, {1100, 40}};
    static const lu_kind kinds[] = {RANDOM, PLANTED, GRADED, ZEROS, ZERO_COLUMN, ONES};
    tsl_context *x = with_variant(spec, "tournament", tile, tiles);
    char who[96];
    snprintf(who, sizeof who, "%s%s, panels of %s", spec ? spec : "default device", tiles ? " by tiles" : "", tile);
    for (int t = 0; t < 4; t++)
        for (size_t s = 0; s < COUNT(shapes); s++)
            for (size_t k = 0; k < COUNT(kinds); k++)
                if (shapes[s][0] * shapes[s][1] < 6000 || (k + s + (size_t)t) % 3 == 0) played(x, who, (tsl_type)t, shapes[s][0], shapes[s][1], kinds[k]);
    tsl_context_destroy(x);
    checked("%s: by tournament", who);
}

static dense dominant(tsl_type t, int64_t m, int64_t n)
{
    dense A = lu_matrix(t, m, n, RANDOM, (uint64_t)(m + n));
    for (int64_t i = 0; i < lu_min(m, n); i++) dense_put(&A, i, i, dense_get(&A, i, i) + 2 * (double)(m + n));
    return A;
}

/* The largest difference of elements; Inf if one is no number */
static double distance(const dense *A, const dense *B)
{
    double most = 0;
    for (int64_t j = 0; j < A->n; j++)
        for (int64_t i = 0; i < A->m; i++) {
            double d = cabs(dense_get(A, i, j) - dense_get(B, i, j));
            most = isnan(d) ? INFINITY : fmax(most, d);
        }
    return most;
}

static bool is_identity(const dense *p)
{
    bool yes = true;
    for (int64_t i = 0; i < p->m; i++) yes = yes && lu_pivot(p, i) == i + 1;
    return yes;
}

static void unpivoted(tsl_context *x, const char *who, tsl_type t, int64_t m, int64_t n)
{
    dense A = dominant(t, m, n), was = dense_copy(&A), theirs = dense_copy(&A), again = dense_copy(&A);
    dense p = lu_pivots(lu_min(m, n)), wanted = lu_pivots(lu_min(m, n));
    int64_t info = -1, right = lu_lapack(&theirs, &wanted);
    tsl_status st = factor(x, &A, &p, &info);
    check(!st && info == right && dense_same(&p, &wanted) && is_identity(&p), "%s, %c %d x %d: info %d, or a row was exchanged, %s", who, tsl_type_letter(t),
          (int)m, (int)n, (int)info, tsl_error(x));
    double r = lu_residual(&was, &A, &p), off = distance(&A, &theirs);
    check(r < BOUND && off < 100 * tsl_type_eps(t) * largest(&theirs, false), "%s, %c %d x %d: residual %g, off LAPACK's by %g", who,
          tsl_type_letter(t), (int)m, (int)n, r, off);
    check(dense_strays(&A, &was, TSL_GENERAL) == 0, "%s, %c %d x %d: wrote outside", who, tsl_type_letter(t), (int)m, (int)n);
    check(!factor(x, &again, &p, NULL) && dense_same(&again, &A), "%s, %c %d x %d: other bits the second time", who, tsl_type_letter(t), (int)m, (int)n);
    dense_free(&A), dense_free(&was), dense_free(&theirs), dense_free(&again), dense_free(&p), dense_free(&wanted);
}

/* A := L and U, rows where they are; a zero pivot divides nothing. */
static void eliminate(const dense *A)
{
    for (int64_t j = 0; j < lu_min(A->m, A->n); j++)
        for (int64_t i = j + 1; i < A->m; i++) {
            tsl_scalar pivot = dense_get(A, j, j), l = dense_get(A, i, j) / (pivot == 0 ? 1 : pivot);
            dense_put(A, i, j, l);
            for (int64_t c = j + 1; c < A->n; c++) dense_put(A, i, c, dense_get(A, i, c) - l * dense_get(A, j, c));
        }
}

/* A zero on the way: its place is the outcome, though another row would have had a pivot, and its column goes undivided; NaN is
 * no reason to exchange either. */
static void stopped(tsl_context *x, const char *who, tsl_type t, int64_t n, int64_t at)
{
    dense A = dominant(t, n, n), p = lu_pivots(n), B = dense_make(t, n, 3, CANARY_FINITE);
    for (int64_t i = 0; i <= at; i++)
        for (int64_t j = 0; j <= at; j++) dense_put(&A, i, j, i == j && i < at ? 2 : 0);
    dense_random(&B, 1);
    dense was = dense_copy(&B), wanted = dense_copy(&A);
    eliminate(&wanted);
    block a = wrap(x, &A, 0), q = wrap(x, &p, 0), b = wrap(x, &B, 0);
    int64_t info = -1;
    tsl_status st = tsl_gesv(x, a.v, q.v, b.v, &info);
    check(!st && info == at + 1 && is_identity(&p) && dense_same(&B, &was), "%s, %c: a zero at %d of %d: info %d, %s", who, tsl_type_letter(t), (int)at, (int)n,
          (int)info, tsl_error(x));
    double off = distance(&A, &wanted);
    check(off < 100 * tsl_type_eps(t) * largest(&wanted, false), "%s, %c: a zero at %d of %d: factors off by %g", who, tsl_type_letter(t),
          (int)at, (int)n, off);
    dense_put(&A, 0, 0, NAN);
    check(!tsl_getrf(x, a.v, q.v, NULL) && is_identity(&p) && !scalar_finite(dense_get(&A, n - 1, n - 1)), "%s, %c: NaN", who, tsl_type_letter(t));
    tsl_matrix_free(a.mat), tsl_matrix_free(q.mat), tsl_matrix_free(b.mat);
    dense_free(&A), dense_free(&p), dense_free(&B), dense_free(&was), dense_free(&wanted);
}

static void without(const char *spec, const char *tile, bool tiles)
{
    static const int64_t shapes[][2] = {{1, 1}, {1, 9}, {9, 1}, {33, 20}, {20, 33}, {64, 64}, {130, 70}, {70, 130}, {190, 190}, {700, 40}};
    tsl_context *x = with_variant(spec, "nopiv", tile, tiles);
    char who[96];
    snprintf(who, sizeof who, "%s%s, panels of %s", spec ? spec : "default device", tiles ? " by tiles" : "", tile);
    for (int t = 0; t < 4; t++) {
        for (size_t s = 0; s < COUNT(shapes); s++) unpivoted(x, who, (tsl_type)t, shapes[s][0], shapes[s][1]);
        stopped(x, who, (tsl_type)t, 9, 0), stopped(x, who, (tsl_type)t, 90, 37), stopped(x, who, (tsl_type)t, 90, 89);
    }
    tsl_context_destroy(x);
    checked("%s: without pivoting", who);
}

/* Rows of a dominant matrix, in reverse order within each block of nb: so is each column's pivot, of which the exchanges are
 * LAPACK's. A window without a pivot is the outcome, though rows below it have one. */
static void shuffled(tsl_context *x, const char *who, tsl_type t, int64_t m, int64_t n, int64_t nb)
{
    dense D = dominant(t, m, n), A = dense_copy(&D), p = lu_pivots(lu_min(m, n)), wanted = lu_pivots(lu_min(m, n));
    int64_t d = lu_min(m, n), info = -1, at = d > nb ? nb : 0;
    for (int64_t i = 0; i < d; i++)
        for (int64_t j = 0; j < n; j++) dense_put(&A, i, j, dense_get(&D, i / nb * nb + lu_min(nb, d - i / nb * nb) - 1 - i % nb, j));
    dense was = dense_copy(&A), theirs = dense_copy(&A);
    int64_t right = lu_lapack(&theirs, &wanted);
    tsl_status st = factor(x, &A, &p, &info);
    double r = lu_in_range(&p, m) ? lu_residual(&was, &A, &p) : INFINITY, off = distance(&A, &theirs);
    check(!st && info == right && dense_same(&p, &wanted) && r < BOUND && off < 100 * tsl_type_eps(t) * largest(&theirs, false),
          "%s, %c %d x %d: info %d, residual %g, off LAPACK's by %g, %s", who, tsl_type_letter(t), (int)m, (int)n, (int)info, r, off, tsl_error(x));
    check(dense_strays(&A, &was, TSL_GENERAL) == 0, "%s, %c %d x %d: wrote outside", who, tsl_type_letter(t), (int)m, (int)n);
    for (int64_t i = 0; i < m; i++)
        for (int64_t j = 0; j < n; j++) dense_put(&A, i, j, i == j || i == j + d / 2 + 1 ? 3 : 0);
    for (int64_t i = at; i < lu_min(at + 2 * nb, m); i++) dense_put(&A, i, at, 0);
    check(!factor(x, &A, &p, &info) && info == at + 1, "%s, %c %d x %d: info %d, not %d", who, tsl_type_letter(t), (int)m, (int)n, (int)info, (int)at + 1);
    dense_free(&D), dense_free(&A), dense_free(&was), dense_free(&theirs), dense_free(&p), dense_free(&wanted);
}

static void windows(const char *spec, const char *tile)
{
    static const int64_t shapes[][2] = {{1, 1}, {1, 9}, {9, 1}, {33, 20}, {20, 33}, {64, 64}, {130, 70}, {70, 130}, {190, 190}, {700, 640}};
    tsl_context *x = with_variant(spec, "window", tile, false);
    char who[96];
    snprintf(who, sizeof who, "%s, panels of %s", spec ? spec : "default device", tile);
    for (int t = 0; t < 4; t++)
        for (size_t s = 0; s < COUNT(shapes); s++) shuffled(x, who, (tsl_type)t, shapes[s][0], shapes[s][1], atoi(tile));
    tsl_context_destroy(x);
    checked("%s: pivots from windows", who);
}

/* gesv takes them, too; by tiles devices do not matter. */
static void solved(const char *variant, tsl_type t)
{
    enum { N = 190, RHS = 21 };
    static const char *const specs[] = {"host:1", "host:2", "host:3,mem=1M"};
    dense F = {0}, X = {0};
    for (size_t s = 0; s < COUNT(specs); s++) {
        tsl_context *x = with_variant(specs[s], variant, "33", true);
        dense A = dominant(t, N, N), was = dense_copy(&A), B = dense_make(t, N, RHS, CANARY_FINITE), p = lu_pivots(N);
        dense_random(&B, 3);
        dense right = dense_copy(&B);
        block a = wrap(x, &A, 0), q = wrap(x, &p, 0), b = wrap(x, &B, 0);
        int64_t info = -1;
        check(!tsl_gesv(x, a.v, q.v, b.v, &info) && !info, "%s %s: %s", specs[s], variant, tsl_error(x));
        operand seen_a = {.d = &was};
        double r = lu_solution_residual(&seen_a, &B, &right);
        check(r < BOUND, "%s %s: residual %g", specs[s], variant, r);
        check(!s || (dense_same(&A, &F) && dense_same(&B, &X)), "%s %s: other bits", specs[s], variant);
        tsl_matrix_free(a.mat), tsl_matrix_free(q.mat), tsl_matrix_free(b.mat);
        if (s) dense_free(&A), dense_free(&B);
        else F = A, X = B;
        dense_free(&was), dense_free(&right), dense_free(&p);
        tsl_context_destroy(x);
    }
    dense_free(&F), dense_free(&X);
    checked("%cgesv by %s on any devices", tsl_type_letter(t), variant);
}

int main(void)
{
    tournaments("host", "16", false);
    tournaments("host:2", "24", true);
    tournaments(NULL, "64", false);
    without("host", "16", false);
    without("host:2", "24", true);
    without(NULL, "64", false);
    windows("host", "16"), windows(NULL, "64"), windows(NULL, "300"), windows(NULL, "512");
    for (int t = 0; t < 4; t++) solved("tournament", (tsl_type)t), solved("nopiv", (tsl_type)t);
    return tap_done();
}
