/* How good solutions are, and corrections that make them better: gerfs, porfs, trrfs. The backward error is the least relative
 * change of elements of A and B that makes a column of X exact, max |r| / (|A| |x| + |b|); the bound of the error is |inv(A)
 * diag(w)| / |x| in the norm inf, w = |r| and its roundoff, by an estimate (Arioli, Demmel, Duff 1989; LAPACK). Columns go side
 * by side, a few at a time. */
#include <complex.h>
#include <float.h>
#include <math.h>

#include "algo/algo.h"
#include "core/numbers/blue.h"
#include "core/values.h"

enum { CORRECTIONS = 5 };

typedef struct system {
    tsl_view A, AF, p;
    void (*subtract)(tsl_context *x, const struct system *s, tsl_view X, tsl_view R);      /* R := R - A X */
    void (*solve)(tsl_context *x, const struct system *s, tsl_view V, bool adjoint); /* V := inv(A) V, or of A^H */
    tsl_view W;    /* |A| */
    tsl_view R, F; /* the residual; |A| |X| + |B| */
    tsl_view Y, V; /* |X|; room */
    double eps, least;
} tsl_system;

/* Of a few columns */
typedef struct columns {
    tsl_context *x;
    const tsl_system *s;
    tsl_view R, Y, V;
    double berr[TSL_ESTIMATES], last[TSL_ESTIMATES], ferr[TSL_ESTIMATES];
    bool wants[TSL_ESTIMATES], any, corrects;
    const tsl_scalar *F;
    tsl_scalar *weights;
} columns;

static double size_of(tsl_scalar v) { return fabs(creal(v)) + fabs(cimag(v)); }

/* An element of |A| |x| + |b| so small that underflow may have touched it is made larger, as is the residual. */
static double safe(const tsl_system *s, int64_t n) { return (double)(n + 1) * s->least; }

/* Backward errors; a column that is good enough, or gets no better, has no correction any more: its r becomes zero. */
static void judge_residual(void *with, int64_t n, int64_t k, tsl_scalar *r)
{
    columns *c = with;
    double small = safe(c->s, n), limit = small / c->s->eps;
    c->any = false;
    for (int64_t j = 0; j < k; ++j) {
        double most = 0;
        for (int64_t i = 0; i < n; ++i) {
            double f = creal(c->F[i + j * n]), up = size_of(r[i + j * n]);
            most = tsl_larger(most, f > limit ? up / f : (up + small) / (f + small));
        }
        c->berr[j] = most;
        c->wants[j] = c->wants[j] && c->corrects && most > c->s->eps && 2 * most <= c->last[j];
        c->last[j] = most;
        c->any |= c->wants[j];
    }
    for (int64_t j = 0; j < k; ++j)
        for (int64_t i = 0; c->any && !c->wants[j] && i < n; ++i) r[i + j * n] = 0;
}

static void judge(void *with, int64_t n, int64_t k, tsl_scalar *F)
{
    columns *c = with;
    (void)n, (void)k;
    c->F = F;
    tsl_visit(c->x, c->R, judge_residual, c);
}

/* F := w */
static void weigh(void *with, int64_t n, int64_t k, tsl_scalar *r)
{
    columns *c = with;
    double small = safe(c->s, n), limit = small / c->s->eps;
    for (int64_t i = 0; i < n * k; ++i) {
        double f = creal(c->weights[i]);
        c->weights[i] = size_of(r[i]) + (double)(n + 1) * c->s->eps * f + (f > limit ? 0 : small);
    }
}

/* The operator diag(w) inv(A^H), whose norm one is the norm inf of inv(A) diag(w) */
static void apply(tsl_context *x, const tsl_operator *o, tsl_view V, bool adjoint)
{
    const tsl_system *s = o->with;
    s->solve(x, s, V, !adjoint);
}

static void divide(void *with, int64_t n, int64_t k, tsl_scalar *y)
{
    columns *c = with;
    for (int64_t j = 0; j < k; ++j) {
        double most = 0;
        for (int64_t i = 0; i < n; ++i) most = tsl_larger(most, creal(y[i + j * n]));
        if (most != 0) c->ferr[j] /= most;
    }
}

static void estimate(void *with, int64_t n, int64_t k, tsl_scalar *F)
{
    columns *c = with;
    (void)n, (void)k;
    c->weights = F;
    tsl_visit(c->x, c->R, weigh, c);
    tsl_estimate(c->x, &(tsl_operator){.apply = apply, .with = c->s, .weights = F}, c->V, c->ferr);
    tsl_visit(c->x, c->Y, divide, c);
}

typedef struct numbers {
    const double *from;
} numbers;

static void put(void *with, int64_t n, int64_t k, tsl_scalar *to)
{
    for (int64_t i = 0; i < n * k; ++i) to[i] = ((const numbers *)with)->from[i];
}

/* R := B - A X, F := |A| |X| + |B| */
static void residual(tsl_context *x, const tsl_system *s, tsl_view B, tsl_view X, tsl_view R, tsl_view F, tsl_view Y)
{
    /* R := B - A X */          tsl_copy(x, B, R);
    s->subtract(x, s, X, R);
    /* Y := |X|, F := |B| */    tsl_copy(x, X, Y);
    tsl_copy(x, B, F);
    tsl_sizes(x, Y);
    tsl_sizes(x, F);
    /* F := |A| Y + F */        tsl_gemm(x, 1, s->W, Y, 1, F);
}

/* k columns of B and X, and their places among the results */
static void few(tsl_context *x, const tsl_system *s, tsl_view B, tsl_view X, bool corrects, tsl_view ferr, tsl_view berr)
{
    int64_t n = tsl_rows(B), k = tsl_cols(B);
    tsl_view F = tsl_sub(s->F, 0, 0, n, k);
    columns c = {.x = x, .s = s, .R = tsl_sub(s->R, 0, 0, n, k), .Y = tsl_sub(s->Y, 0, 0, n, k), .V = tsl_sub(s->V, 0, 0, n, k)};
    for (int64_t j = 0; j < k; ++j) c.last[j] = 3, c.wants[j] = true;
    for (int i = 0; i <= CORRECTIONS; ++i) {
        c.corrects = corrects && i < CORRECTIONS;
        residual(x, s, B, X, c.R, F, c.Y);
        c.any = i == 0; /* where nobody looks: one correction, which stands for all */
        tsl_visit(x, F, judge, &c);
        if (!c.any) break;
        /* X := X + inv(A) R */ s->solve(x, s, c.R, false);
        if (corrects) tsl_geadd(x, 1, c.R, 1, X);
    }
    tsl_visit(x, F, estimate, &c);
    if (tsl_is_dry(x)) tsl_estimate(x, &(tsl_operator){.apply = apply, .with = s}, c.V, c.ferr);
    tsl_visit(x, ferr, put, &(numbers){c.ferr});
    tsl_visit(x, berr, put, &(numbers){c.berr});
}

static tsl_status all(tsl_context *x, tsl_system *s, tsl_view B, tsl_view X, bool corrects, tsl_view ferr, tsl_view berr)
{
    int64_t n = tsl_rows(B), columns = tsl_cols(B), most = tsl_min(columns, TSL_ESTIMATES);
    bool single = !tsl_is_double(tsl_matrix_type(B.mat));
    s->eps = single ? (double)FLT_EPSILON / 2 : DBL_EPSILON / 2, s->least = single ? (double)FLT_MIN : DBL_MIN;
    if (n == 0) return tsl_laset(x, 0, 0, ferr), tsl_laset(x, 0, 0, berr), TSL_OK;
    s->R = tsl_temp(x, B, n, most), s->F = tsl_temp(x, B, n, most), s->Y = tsl_temp(x, B, n, most), s->V = tsl_temp(x, B, n, most);
    tsl_sizes(x, s->W);
    for (int64_t j = 0; j < columns; j += most) {
        int64_t k = tsl_min(most, columns - j);
        few(x, s, tsl_sub(B, 0, j, n, k), tsl_sub(X, 0, j, n, k), corrects, tsl_sub(ferr, j, 0, k, 1), tsl_sub(berr, j, 0, k, 1));
    }
    return TSL_OK;
}

static void subtract_general(tsl_context *x, const tsl_system *s, tsl_view X, tsl_view R) { tsl_gemm(x, -1, s->A, X, 1, R); }
static void subtract_definite(tsl_context *x, const tsl_system *s, tsl_view X, tsl_view R)
{
    if (tsl_is_complex(tsl_matrix_type(X.mat))) tsl_hemm(x, TSL_LEFT, -1, s->A, X, 1, R);
    else tsl_symm(x, TSL_LEFT, -1, s->A, X, 1, R);
}
/* V, which is free, := A X */
static void subtract_triangle(tsl_context *x, const tsl_system *s, tsl_view X, tsl_view R)
{
    tsl_view V = tsl_sub(s->V, 0, 0, tsl_rows(X), tsl_cols(X));
    tsl_copy(x, X, V);
    tsl_trmm(x, TSL_LEFT, 1, s->A, V);
    tsl_geadd(x, -1, V, 1, R);
}

static void solve_general(tsl_context *x, const tsl_system *s, tsl_view V, bool adjoint)
{
    tsl_getrs(x, adjoint ? tsl_herm(s->AF) : s->AF, s->p, V);
}
static void solve_definite(tsl_context *x, const tsl_system *s, tsl_view V, bool adjoint)
{
    (void)adjoint;
    tsl_potrs(x, s->AF, V);
}
static void solve_triangle(tsl_context *x, const tsl_system *s, tsl_view V, bool adjoint)
{
    tsl_trsm(x, TSL_LEFT, 1, adjoint ? tsl_herm(s->A) : s->A, V);
}

static tsl_view with_op(tsl_view A, tsl_op op) { return A.op = op, A; }

tsl_status tsl_gerfs_parts(tsl_context *x, const tsl_call *c)
{
    tsl_view A = c->v[0];
    int64_t n = tsl_rows(A);
    tsl_system s = {.A = A, .AF = with_op(c->v[1], A.op), .p = c->v[2], .subtract = subtract_general, .solve = solve_general, .W = tsl_temp(x, A, n, n)};
    tsl_copy(x, A, s.W);
    return all(x, &s, c->v[3], c->v[4], true, c->v[5], c->v[6]);
}

tsl_status tsl_porfs_parts(tsl_context *x, const tsl_call *c)
{
    tsl_view A = c->v[0];
    int64_t n = tsl_rows(A);
    tsl_system s = {.A = A, .AF = c->v[1], .subtract = subtract_definite, .solve = solve_definite, .W = tsl_temp(x, A, n, n)};
    tsl_expand(x, TSL_HERMITIAN, A, s.W);
    return all(x, &s, c->v[2], c->v[3], true, c->v[4], c->v[5]);
}

tsl_status tsl_trrfs_parts(tsl_context *x, const tsl_call *c)
{
    tsl_view A = c->v[0];
    int64_t n = tsl_rows(A);
    tsl_system s = {.A = A, .subtract = subtract_triangle, .solve = solve_triangle, .W = tsl_temp(x, A, n, n)};
    tsl_expand(x, TSL_TRIANGULAR, A, s.W);
    return all(x, &s, c->v[1], c->v[2], false, c->v[3], c->v[4]);
}
