/* Functions of matrices, conditions and inverses as calls on views: what one device makes of a problem, which other tests look at, and what another place
 * makes of it. */
#ifndef TESTS_FUNCTIONS_H
#define TESTS_FUNCTIONS_H

#include "dense.h"
#include "tap.h"

/* Operands: A; B, which is a result; pivots p, of whom only factors have any. What else it makes: a number, and its info */
typedef struct function_problem {
    dense A, B;
    int64_t *p;
    double number;
    int64_t info;
} function_problem;

typedef struct function_routine {
    const char *name;
    int64_t taller; /* rows of A past its columns */
    enum { FUNCTION_ANY, FUNCTION_DOMINANT, FUNCTION_DEFINITE, FUNCTION_NAN, FUNCTION_ZERO } kind; /* of A */
    tsl_status (*factor)(tsl_context *x, tsl_view A, tsl_view p);
    tsl_status (*run)(tsl_context *x, tsl_view A, tsl_view B, tsl_view p, function_problem *f);
    bool loses; /* it leaves nothing of use in A */
    const char *cut; /* a task that it has many of by tiles; NULL: it is computed in one place, or there is nothing to compute */
} function_routine;

static tsl_status function_polar(tsl_context *x, tsl_view A, tsl_view B, tsl_view p, function_problem *f) { return (void)p, tsl_polar(x, A, B, &f->info); }
static tsl_status function_expm(tsl_context *x, tsl_view A, tsl_view B, tsl_view p, function_problem *f) { return (void)p, (void)B, tsl_expm(x, A, &f->info); }
static tsl_status function_sqrtm(tsl_context *x, tsl_view A, tsl_view B, tsl_view p, function_problem *f) { return (void)p, (void)B, tsl_sqrtm(x, A, &f->info); }
static tsl_status function_logm(tsl_context *x, tsl_view A, tsl_view B, tsl_view p, function_problem *f) { return (void)p, (void)B, tsl_logm(x, A, &f->info); }
static tsl_status function_pinv(tsl_context *x, tsl_view A, tsl_view B, tsl_view p, function_problem *f)
{
    int64_t rank = -1;
    tsl_status st = ((void)p, tsl_pinv(x, A, -1, B, &rank, &f->info));
    f->number = (double)rank;
    return st;
}
static tsl_status function_gecon(tsl_context *x, tsl_view A, tsl_view B, tsl_view p, function_problem *f) { return (void)p, (void)B, tsl_gecon(x, TSL_NORM_ONE, A, 3, &f->number); }
static tsl_status function_pocon(tsl_context *x, tsl_view A, tsl_view B, tsl_view p, function_problem *f) { return (void)p, (void)B, tsl_pocon(x, tsl_lower(A), 3, &f->number); }
static tsl_status function_trcon(tsl_context *x, tsl_view A, tsl_view B, tsl_view p, function_problem *f) { return (void)p, (void)B, tsl_trcon(x, TSL_NORM_INF, tsl_upper(A), &f->number); }
static tsl_status function_sycon(tsl_context *x, tsl_view A, tsl_view B, tsl_view p, function_problem *f) { return (void)B, tsl_sycon(x, tsl_lower(A), p, 3, &f->number); }
static tsl_status function_sytri(tsl_context *x, tsl_view A, tsl_view B, tsl_view p, function_problem *f) { return (void)B, tsl_sytri(x, tsl_lower(A), p, &f->info); }

static tsl_status factor_lu(tsl_context *x, tsl_view A, tsl_view p) { return tsl_getrf(x, A, p, NULL); }
static tsl_status factor_cholesky(tsl_context *x, tsl_view A, tsl_view p) { return (void)p, tsl_potrf(x, tsl_lower(A), NULL); }
static tsl_status factor_ldl(tsl_context *x, tsl_view A, tsl_view p) { return tsl_sytrf(x, tsl_lower(A), p, NULL); }

static const function_routine functions[] = {
    {"polar", 9, FUNCTION_ANY, NULL, function_polar, false, "gemm"},
    {"polar of a square matrix", 0, FUNCTION_ANY, NULL, function_polar, false, "gemm"},
    {"polar of NaN", 3, FUNCTION_NAN, NULL, function_polar, false, NULL},
    {"polar of zero", 3, FUNCTION_ZERO, NULL, function_polar, false, NULL},
    {"expm", 0, FUNCTION_ANY, NULL, function_expm, false, "gemm"},
    {"expm of NaN", 0, FUNCTION_NAN, NULL, function_expm, false, NULL},
    {"sqrtm", 0, FUNCTION_DOMINANT, NULL, function_sqrtm, false, "gemm"},
    {"sqrtm of NaN", 0, FUNCTION_NAN, NULL, function_sqrtm, false, NULL},
    {"logm", 0, FUNCTION_DOMINANT, NULL, function_logm, false, "gemm"},
    {"logm of NaN", 0, FUNCTION_NAN, NULL, function_logm, false, NULL},
    {"pinv", 0, FUNCTION_DOMINANT, NULL, function_pinv, true, "gemm"},
    {"gecon", 0, FUNCTION_DOMINANT, factor_lu, function_gecon, false, "trsm"},
    {"pocon", 0, FUNCTION_DEFINITE, factor_cholesky, function_pocon, false, "trsm"},
    {"trcon", 0, FUNCTION_DOMINANT, NULL, function_trcon, false, "trsm"},
    {"sycon", 0, FUNCTION_DEFINITE, factor_ldl, function_sycon, false, NULL},
    {"sytri", 0, FUNCTION_DEFINITE, factor_ldl, function_sytri, false, NULL},
};
enum { FUNCTIONS = sizeof functions / sizeof *functions };

static inline void function_make(const function_routine *r, tsl_type t, int64_t n, uint64_t seed, function_problem *f)
{
    *f = (function_problem){.A = dense_make(t, n + r->taller, n, CANARY_FINITE), .B = dense_make(t, n, n, CANARY_FINITE), .p = calloc((size_t)n + 1, sizeof *f->p), .info = -7};
    if (!f->p) abort();
    dense_random(&f->A, seed);
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < n + r->taller; i++) {
            tsl_scalar v = dense_get(&f->A, i, j), w = i < n ? dense_get(&f->A, j, i) : 0;
            if (r->kind == FUNCTION_DOMINANT) v = v / 2 + (i == j ? (double)n : 0);
            if (r->kind == FUNCTION_DEFINITE) v = i == j ? (double)n : i > j ? v : w; /* symmetric; for Cholesky the triangle says enough */
            if (r->kind == FUNCTION_NAN && i == n / 2 && j == n / 3) v = NAN;
            if (r->kind == FUNCTION_ZERO) v = 0;
            dense_put(&f->A, i, j, v);
        }
}

static inline void function_free(function_problem *f) { dense_free(&f->A), dense_free(&f->B), free(f->p); }

static inline tsl_view function_view(tsl_context *x, const dense *d, tsl_matrix **M)
{
    check(!tsl_matrix_wrap(x, d->t, d->m, d->n, d->data, d->ld, M), "%s", tsl_error(x));
    return tsl_whole(*M);
}

/* On flat matrices: the factors, if it is about such, and what comes of it */
static inline tsl_status function_alone(tsl_context *x, const function_routine *r, function_problem *f, bool factors)
{
    tsl_matrix *A, *B, *p;
    tsl_view a = function_view(x, &f->A, &A), b = function_view(x, &f->B, &B);
    check(!tsl_matrix_wrap(x, TSL_INDEX, f->A.n, 1, f->p, f->A.n, &p), "%s", tsl_error(x));
    tsl_status st = factors ? (r->factor ? r->factor(x, a, tsl_whole(p)) : TSL_OK) : r->run(x, a, b, tsl_whole(p), f);
    tsl_matrix_free(A), tsl_matrix_free(B), tsl_matrix_free(p);
    return st;
}

/* |A - B| / |B|, of the largest elements; NaN where both are is no difference */
static inline double function_apart(const dense *A, const dense *B)
{
    double off = 0, size = 0;
    for (int64_t j = 0; j < A->n; j++)
        for (int64_t i = 0; i < A->m; i++) {
            tsl_scalar a = dense_get(A, i, j), b = dense_get(B, i, j);
            if (isnan(creal(a)) && isnan(creal(b))) continue;
            double d = cabs(a - b);
            off = d <= off ? off : isnan(d) ? INFINITY : d;
            size = tsl_larger(size, cabs(b));
        }
    return off == 0 ? 0 : off / size;
}

/* How far two are apart, in roundoffs; infinitely where outcomes differ, or a condition by more than estimates do */
static inline double function_differ(const function_routine *r, const function_problem *f, const function_problem *g)
{
    if (f->info != g->info || fabs(f->number - g->number) > fabs(g->number) / 10) return INFINITY;
    return fmax(r->loses ? 0 : function_apart(&f->A, &g->A), function_apart(&f->B, &g->B)) / tsl_type_eps(f->A.t);
}

#endif
