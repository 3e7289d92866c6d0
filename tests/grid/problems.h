/* A few problems on a grid, whatever joins its processes: every process has the outcome, whole. */
#ifndef TEST_GRID_PROBLEMS_H
#define TEST_GRID_PROBLEMS_H

#include "dense.h"
#include "tap.h"
#include "tesela_grid.h"

enum { COLS = 7, MOST = 320 };

typedef struct outcome {
    dense A, B;
    double w[MOST];
    int64_t p[MOST], info;
    tsl_status st;
} outcome;

/* What is given: A dominant and Hermitian, B of a few columns */
static inline dense given(tsl_type type, int64_t n, int which)
{
    dense d = dense_make(type, n, which ? COLS : n, CANARY_FINITE);
    if (which) dense_random(&d, 5);
    else dense_dominant(&d, 3);
    for (int64_t i = 0; i < n && !which; i++) dense_put(&d, i, i, dense_get(&d, i, i) + (double)(i * i % 11));
    return d;
}

static inline tsl_matrix *spread(tsl_context *x, tsl_layout l, tsl_type type, int64_t m, int64_t n, void *from, int64_t ld,
                                 tsl_status *st)
{
    tsl_layout every = tsl_layout_whole(l.grid, TSL_EVERY, TSL_EVERY);
    tsl_matrix *W = NULL, *A = NULL;
    if (!*st) *st = tsl_matrix_create_on(x, &l, type, m, n, &A);
    if (!*st && from) *st = tsl_matrix_wrap_on(x, &every, type, m, n, from, ld, &W);
    if (!*st && from) *st = tsl_copy(x, tsl_whole(W), tsl_whole(A));
    tsl_matrix_free(W);
    return A;
}

static inline void collect(tsl_context *x, tsl_matrix *A, tsl_type type, int64_t m, int64_t n, void *to, int64_t ld,
                           tsl_status *st)
{
    tsl_layout l;
    tsl_matrix *W = NULL;
    if (!*st) *st = tsl_matrix_layout(A, &l);
    if (*st) return;
    l = tsl_layout_whole(l.grid, TSL_EVERY, TSL_EVERY);
    *st = tsl_matrix_wrap_on(x, &l, type, m, n, to, ld, &W);
    if (!*st) *st = tsl_copy(x, tsl_whole(A), tsl_whole(W));
    tsl_matrix_free(W);
}

typedef enum problem { MULTIPLY, CHOLESKY, LU, PLAYED, QR, EIGEN, PROBLEMS } problem;
static const char *const problem_names[PROBLEMS] = {"gemm", "posv", "gesv", "gesv by tournament", "geqrf and orgqr", "syev"};

static inline int is_lu(problem what) { return what == LU || what == PLAYED; }

/* What it is about. For a tournament no row is where its pivot is to be. */
static inline dense matrix_of(problem what, tsl_type type, int64_t n)
{
    dense d = given(type, n, 0);
    for (int64_t j = 0; j < n && what == PLAYED; j++)
        for (int64_t i = 0; i < n / 2; i++) {
            tsl_scalar v = dense_get(&d, i, j);
            dense_put(&d, i, j, dense_get(&d, n - 1 - i, j)), dense_put(&d, n - 1 - i, j, v);
        }
    return d;
}

static inline outcome solved_in(tsl_context *x, tsl_grid *g, tsl_scheme scheme, problem what, tsl_type type, int64_t n,
                                int64_t nb)
{
    outcome o = {.A = matrix_of(what, type, n), .B = given(type, n, 1), .info = -7};
    tsl_type real = type == TSL_C ? TSL_S : type == TSL_Z ? TSL_D : type;
    tsl_layout l = tsl_layout_matrix(g, nb), every = tsl_layout_whole(g, TSL_EVERY, TSL_EVERY);
    l.scheme = scheme;
    l.rows.offset = l.cols.offset = 2 * nb + 1;
    dense w = dense_make(real, n, 1, CANARY_FINITE), Q = dense_make(type, n, n, CANARY_FINITE);
    tsl_matrix *A = spread(x, l, type, n, n, o.A.data, o.A.ld, &o.st);
    tsl_matrix *B = spread(x, l, type, n, COLS, o.B.data, o.B.ld, &o.st);
    tsl_matrix *C = spread(x, l, type, n, n, NULL, 0, &o.st), *p = spread(x, every, TSL_INDEX, n, 1, NULL, 0, &o.st);
    tsl_matrix *v = spread(x, every, what == EIGEN ? real : type, n, 1, NULL, 0, &o.st);
    if (!o.st && what == MULTIPLY) o.st = tsl_gemm(x, 1, tsl_whole(A), tsl_trans(tsl_whole(A)), 0, tsl_whole(C));
    if (!o.st && what == CHOLESKY) o.st = tsl_posv(x, tsl_lower(tsl_whole(A)), tsl_whole(B), &o.info);
    if (!o.st && what == PLAYED) o.st = tsl_set(x, "variant", "tournament");
    if (!o.st && is_lu(what)) o.st = tsl_gesv(x, tsl_whole(A), tsl_whole(p), tsl_whole(B), &o.info);
    tsl_set(x, "variant", "auto");
    if (!o.st && what == QR) o.st = tsl_geqrf(x, tsl_whole(A), tsl_whole(v));
    if (!o.st && what == QR) o.st = tsl_copy(x, tsl_whole(A), tsl_whole(C));
    if (!o.st && what == QR) o.st = tsl_orgqr(x, tsl_whole(C), tsl_whole(v));
    if (!o.st && what == EIGEN) o.st = tsl_syev(x, tsl_lower(tsl_whole(A)), NULL, tsl_whole(v), tsl_whole(C), NULL, &o.info);
    if (is_lu(what)) collect(x, p, TSL_INDEX, n, 1, o.p, n, &o.st);
    if (what == EIGEN) collect(x, v, real, n, 1, w.data, w.ld, &o.st);
    for (int64_t i = 0; i < n && what == EIGEN; i++) o.w[i] = creal(dense_get(&w, i, 0));
    if (what != EIGEN) collect(x, A, type, n, n, o.A.data, o.A.ld, &o.st);
    if (what == CHOLESKY || is_lu(what)) collect(x, B, type, n, COLS, o.B.data, o.B.ld, &o.st);
    else dense_free(&o.B), o.B = Q, Q.data = NULL, collect(x, C, type, n, n, o.B.data, o.B.ld, &o.st);
    tsl_matrix_free(A), tsl_matrix_free(B), tsl_matrix_free(C), tsl_matrix_free(p), tsl_matrix_free(v);
    dense_free(&w), dense_free(&Q);
    return o;
}

static inline outcome solved(tsl_context *x, tsl_grid *g, problem what, tsl_type type, int64_t n, int64_t nb)
{
    return solved_in(x, g, TSL_IN_HOST, what, type, n, nb);
}

static inline void outcome_free(outcome *o) { dense_free(&o->A), dense_free(&o->B); }

static inline int same_outcome(const outcome *a, const outcome *b)
{
    int same = !memcmp(a->w, b->w, sizeof a->w) && !memcmp(a->p, b->p, sizeof a->p);
    return same && dense_same(&a->A, &b->A) && dense_same(&a->B, &b->B) && a->info == b->info && a->st == b->st;
}

/* Element (i, j) of R, of what geqrf has left */
static inline tsl_scalar upper(const dense *A, int64_t i, int64_t j) { return i <= j ? dense_get(A, i, j) : 0; }

/* The residual, in units of eps, n and the largest element: of a product, of solutions, of factors and what is orthogonal */
static inline double residual(const outcome *o, problem what, tsl_type type, int64_t n)
{
    dense A = matrix_of(what, type, n), B = given(type, n, 1);
    double worst = 0, largest = 3.0 * (double)n;
    int solves = what == CHOLESKY || is_lu(what);
    for (int64_t j = 0; j < (solves ? COLS : n); j++)
        for (int64_t i = 0; i < n; i++) {
            tsl_scalar sum = 0, unit = 0;
            for (int64_t k = 0; k < n; k++) {
                if (what == MULTIPLY) sum += dense_get(&A, i, k) * dense_get(&A, j, k);
                else if (what == QR) sum += dense_get(&o->B, i, k) * upper(&o->A, k, j);
                else sum += dense_get(&A, i, k) * dense_get(&o->B, k, j);
                if (what == QR || what == EIGEN) unit += conj(dense_get(&o->B, k, i)) * dense_get(&o->B, k, j);
            }
            if (what == MULTIPLY) sum = (sum - dense_get(&o->B, i, j)) / largest;
            else if (what == QR) sum -= dense_get(&A, i, j);
            else if (what == EIGEN) sum -= o->w[j] * dense_get(&o->B, i, j);
            else sum -= dense_get(&B, i, j);
            worst = worse(worst, cabs(sum) / largest);
            if (what == QR || what == EIGEN) worst = worse(worst, cabs(unit - (i == j)));
        }
    dense_free(&A), dense_free(&B);
    return worst / (tsl_type_eps(type) * (double)n);
}

#endif
