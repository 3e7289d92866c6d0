/* exp(A) by scaling and squaring: T(A / 2^s)^(2^s), T a Taylor polynomial in as few products as there are known ways to, and
 * without a solution of equations. The norm of A chooses its degree, and of the highest norms of powers of A choose s: these
 * tell of a nonnormal matrix more than powers of its norm (Al-Mohy and Higham 2009). */
#include <math.h>

#include "algo/algo.h"
#include "core/numbers/largest.h"
#include "core/numbers/taylor.h"
#include "core/values.h"

typedef struct room {
    tsl_view A, A2, A3, A6, U, V, W; /* the matrix, its powers, and room */
    tsl_view v, w;
    bool single;
    double norm; /* of A */
    int by;      /* polynomials are of A 2^by, not more than 0 */
} room;

static double norm_of(tsl_context *x, tsl_view A) { return tsl_size_of(x, TSL_NORM_ONE, TSL_TRIANGULAR, A); }

/* The highest degree: of single precision 12, since of a norm that 18 is good for, terms may be far larger than their sum */
static int last_degree(const room *t) { return t->single ? 2 : 3; }

/* lgamma would write to a variable that all threads have. */
static double log2_of_factorial(int k)
{
    double sum = 0;
    for (; k > 1; --k) sum += log2(k);
    return sum;
}

/* How many more squarings roundoff asks for, by the norm of |A|^(m+1), which bounds what it makes of the error's series: of
 * A / 2^s. If the norm of |A|^4 promises no less than `worthless` of them, no more than these are looked for. */
static int more(tsl_context *x, const room *t, int s, int worthless)
{
    enum { FEW = 4 };
    int m = tsl_taylor_degree[last_degree(t)];
    /* one over the first coefficient of the error's series is (m + 1)! */
    double rest = m * (log2(t->norm) - s) - log2_of_factorial(m + 1) + (t->single ? 24 : 53), log_size = 0;
    /* W := |A| / norm */   tsl_geadd(x, 1 / t->norm, t->A, 0, t->W);
    tsl_sizes(x, t->W);
    tsl_view from = t->v, to = t->w;
    tsl_laset(x, 1, 1, from);
    for (int i = 1; i <= m + 1; ++i) {
        /* v := W^T v */    tsl_gemv(x, 1, tsl_trans(t->W), from, 0, to);
        tsl_view v = from;
        from = to, to = v;
        if (i != FEW && i != m + 1) continue;
        double size = 0;
        tsl_norm(x, TSL_NORM_MAX, TSL_TRIANGULAR, from, &size);
        if (size == 0) return 0;
        log_size = log2(size) * (m + 1) / i;
        if (log_size + rest > m * (worthless - 1.) && i == FEW) return worthless;
    }
    return log_size + rest > 0 ? (int)ceil((log_size + rest) / m) : 0;
}

/* The most that the k-th root of |A^k| can be, k above the degree: A^k is a product of powers A^6, or A^3, with lower ones */
static double root_of_powers(tsl_context *x, const room *t)
{
    int m = tsl_taylor_degree[last_degree(t)], p = t->single ? 3 : 6;
    double l1 = log2(t->norm), l2 = log2(norm_of(x, t->A2)), l3 = log2(norm_of(x, t->A3)), most = -INFINITY;
    double l6 = t->single ? 2 * l3 : log2(norm_of(x, t->A6)), lp = t->single ? l3 : l6;
    if (!isfinite(lp)) return 0; /* the power is zero */
    double first = t->single ? 2 * l2 - l3 : 2 * l2 + l3 - l6;
    const double rest[] = {tsl_smaller(l1, first), l2, l3, tsl_smaller(2 * l2, l1 + l3), l2 + l3, l6};
    for (int i = 0; i < p; ++i) most = tsl_larger(most, (m / p * lp + rest[i]) / (m + 1 + i));
    return exp2(most);
}

static int not_negative(int k) { return k > 0 ? k : 0; }

/* The squarings of the highest degree, if A is 2^-before of what it was; dry: every step is taken */
static int squarings(tsl_context *x, const room *t, int before, double bound, bool dry)
{
    int enough = not_negative(before + (int)ceil(log2(t->norm / bound)));
    double root = root_of_powers(x, t);
    int s = root > 0 ? not_negative(before + (int)ceil(log2(root / bound))) : 0;
    if (s < enough || dry) s += more(x, t, s - before, enough - s);
    return s < enough ? s : enough;
}

/* B := b_0 I + b_1 A + b_2 A^2 + b_3 A^3 + b_6 A^6 */
static void sum(tsl_context *x, const room *t, const double *b, tsl_view B)
{
    const tsl_view power[] = {t->A, t->A2, t->A3, t->A6};
    const int k[] = {1, 2, 3, 6};
    double before = b[0] != 0;
    if (b[0] != 0) tsl_laset(x, 0, b[0], B);
    for (int i = 0; i < TSL_TAYLOR_POWERS - 1; ++i) {
        if (b[i + 1] == 0) continue;
        tsl_geadd(x, ldexp(b[i + 1], t->by * k[i]), power[i], before, B);
        before = 1;
    }
}

/* V := [p] + ([q] + U) U */
static void square(tsl_context *x, const room *t, const double (*b)[TSL_TAYLOR_POWERS], int p, int q)
{
    sum(x, t, b[q], t->W);
    tsl_geadd(x, 1, t->U, 1, t->W);
    sum(x, t, b[p], t->V);
    tsl_gemm(x, 1, t->W, t->U, 1, t->V);
}

/* V := T4(A), T8(A) or T12(A) of A and A2, the last of A3 too */
static void polynomial4(tsl_context *x, const room *t)
{
    sum(x, t, tsl_taylor4[1], t->W);
    sum(x, t, tsl_taylor4[0], t->V);
    /* V := V + A2 W */     tsl_gemm(x, 1, t->A2, t->W, 1, t->V);
}

static void polynomial8(tsl_context *x, const room *t)
{
    sum(x, t, tsl_taylor8[0], t->W);
    /* U := A2 W */         tsl_gemm(x, 1, t->A2, t->W, 0, t->U);
    sum(x, t, tsl_taylor8[3], t->W);
    /* W := W + q U */      tsl_geadd(x, tsl_taylor8_q, t->U, 1, t->W);
    /* U := [2] + U */      tsl_geadd(x, tsl_taylor8[2][2], t->A2, 1, t->U);
    sum(x, t, tsl_taylor8[1], t->V);
    /* V := V + U W */      tsl_gemm(x, 1, t->U, t->W, 1, t->V);
}

static void polynomial12(tsl_context *x, const room *t)
{
    sum(x, t, tsl_taylor12[3], t->W);
    sum(x, t, tsl_taylor12[2], t->U);
    /* U := U + W W */      tsl_gemm(x, 1, t->W, t->W, 1, t->U);
    square(x, t, tsl_taylor12, 0, 1);
}

/* V := T18(A), of A6 too */
static void polynomial18(tsl_context *x, const room *t)
{
    sum(x, t, tsl_taylor18[0], t->V);
    sum(x, t, tsl_taylor18[4], t->W);
    sum(x, t, tsl_taylor18[3], t->U);
    /* U := U + V W */      tsl_gemm(x, 1, t->V, t->W, 1, t->U);
    square(x, t, tsl_taylor18, 1, 2);
}

/* A2, A3, A6, as many as the degree needs */
static void powers(tsl_context *x, const room *t, int d)
{
    /* A2 := A A */         tsl_gemm(x, 1, t->A, t->A, 0, t->A2);
    if (d < 2) return;
    /* A3 := A2 A */        tsl_gemm(x, 1, t->A2, t->A, 0, t->A3);
    if (d < 3) return;
    /* A6 := A3 A3 */       tsl_gemm(x, 1, t->A3, t->A3, 0, t->A6);
}

/* Powers := those of A 2^by */
static void scale_powers(tsl_context *x, const room *t, int by)
{
    tsl_scale_by(x, by, t->A);
    tsl_scale_by(x, 2 * by, t->A2);
    tsl_scale_by(x, 3 * by, t->A3);
    if (!t->single) tsl_scale_by(x, 6 * by, t->A6);
}

static void exponential(tsl_context *x, room *t)
{
    static void (*const polynomial[])(tsl_context *, const room *) = {polynomial4, polynomial8, polynomial12, polynomial18};
    const double *bound = t->single ? tsl_taylor_bound_single : tsl_taylor_bound_double;
    int d = 0, s = 0, last = last_degree(t), exponent = 0, least = t->single ? 30 : 150; /* their powers are numbers */
    bool dry = tsl_is_dry(x); /* then every step is taken */
    while (d < last && (t->norm > bound[d] || dry)) ++d;
    if (t->norm > bound[d] || dry) {
        (void)frexp(t->norm, &exponent);
        int before = exponent > least ? exponent - least : 0;
        room scaled = *t;
        scaled.norm = ldexp(t->norm, -before);
        tsl_scale_by(x, -before, t->A);
        powers(x, t, d);
        s = squarings(x, &scaled, before, bound[d], dry);
        if (before > s) scale_powers(x, t, before - s);
        else t->by = before - s;
    } else {
        powers(x, t, d);
    }
    polynomial[d](x, t);
    tsl_view X = t->V, Y = t->W;
    for (int i = 0; i < s; ++i) {
        if (i == s - 1) Y = t->A;
        /* Y := X X */      tsl_gemm(x, 1, X, X, 0, Y);
        tsl_view Z = X;
        X = Y, Y = Z;
    }
    /* A := X */            if (s == 0) tsl_copy(x, X, t->A);
}

tsl_status tsl_expm_taylor(tsl_context *x, const tsl_call *c)
{
    tsl_view A = c->v[0];
    int64_t n = tsl_rows(A);
    room t = {.A = A, .A2 = tsl_temp(x, A, n, n), .A3 = tsl_temp(x, A, n, n), .A6 = tsl_temp(x, A, n, n),
              .U = tsl_temp(x, A, n, n), .V = tsl_temp(x, A, n, n), .W = tsl_temp(x, A, n, n),
              .v = tsl_temp(x, A, n, 1), .w = tsl_temp(x, A, n, 1),
              .single = !tsl_is_double(tsl_matrix_type(A.mat)), .norm = norm_of(x, A)};
    if (isfinite(t.norm)) {
        tsl_products asked = tsl_products_in(x, TSL_PRODUCTS_AUTO);
        tsl_products_in(x, tsl_products_for(c->op, asked));
        exponential(x, &t);
        tsl_products_in(x, asked);
        return TSL_OK;
    }
    tsl_laset(x, NAN, NAN, A);
    tsl_tell_outcome(x, A, n);
    return TSL_OK;
}
