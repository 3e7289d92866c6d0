/* QR with column pivoting of a matrix that lies in several pieces: LAPACK's laqps as operations that are cut. In a panel of
 * reflectors Y the columns to its right are A - Y F, F = T^H Y^H A, which they become when the panel ends; only their rows that
 * belong to R are up to date. A step
 *   takes the longest column: one vector has the lengths of all, and the host looks at it;
 *   updates that column by the panel so far, and finds its reflector y with its factor tau;
 *   adds the row tau^H (y^H A - (y^H Y) F) to F, and makes its own row of R up to date, by which lengths shrink.
 * A length that has lost its digits ends the panel, and is measured again: LAPACK's rule, so pivots are LAPACK's. */
#include <complex.h>
#include <math.h>

#include "algo/qr/qr.h"
#include "algo/qr/qrp.h"
#include "core/values.h"

enum { AT_ONCE = 64 };                 /* columns measured before anybody waits */
enum { ROW, LENGTH, MEASURED, FIELDS }; /* of a column: its element of R's last row, its length, and that when last measured */
static const double LOST = -1;         /* a length that is to be measured */

typedef struct space {
    tsl_view Y, F;    /* a panel's reflectors, and what they do to the other columns */
    tsl_view X, T, H; /* a reflector times its factor; the factor; products of reflectors */
    tsl_view M, e;    /* two columns, and two numbers, on their way */
    tsl_view N, L, p; /* of all columns the fields; some lengths; the order */
} space;

static space make_space(tsl_context *x, tsl_view A, int64_t nb)
{
    int64_t m = tsl_rows(A), n = tsl_cols(A);
    return (space){.Y = tsl_temp_of(x, A, TSL_ALONG_ROWS, TSL_OF_TYPE, m, nb),
                   .F = tsl_temp_of(x, A, TSL_ALONG_COLS, TSL_OF_TYPE, nb, n),
                   .X = tsl_temp_of(x, A, TSL_ALONG_ROWS, TSL_OF_TYPE, m, 1),
                   .T = tsl_temp_of(x, A, TSL_IN_ONE, TSL_OF_TYPE, 1, 1),
                   .H = tsl_temp_of(x, A, TSL_IN_ONE, TSL_OF_TYPE, nb, 1),
                   .M = tsl_temp_of(x, A, TSL_ALONG_ROWS, TSL_OF_TYPE, tsl_max(m, nb), 2),
                   .e = tsl_temp_of(x, A, TSL_IN_ONE, TSL_OF_INDEX, 1, 2),
                   .N = tsl_temp_of(x, A, TSL_IN_ONE, TSL_OF_TYPE, n, FIELDS),
                   .L = tsl_temp_of(x, A, TSL_IN_ONE, TSL_OF_REAL, AT_ONCE, 1),
                   .p = tsl_temp_of(x, A, TSL_IN_ONE, TSL_OF_INDEX, n, 1)};
}

/* Columns i and j of A, by way of M. On grids M is where any column may go, so that what this sends depends on no pivot but by
 * who sends it: memory for it was taken before. */
static void exchange(tsl_context *x, tsl_view A, int64_t i, int64_t j, tsl_view M)
{
    tsl_view a = tsl_block_cols(A, i, 1).A1, b = tsl_block_cols(A, j, 1).A1, room = tsl_block_rows(M, 0, tsl_rows(A)).A1;
    tsl_strips R = tsl_block_cols(room, 0, 1);
    if (i == j) return;
    tsl_copy(x, a, R.A1), tsl_copy(x, b, R.A2);
    tsl_copy(x, R.A1, b), tsl_copy(x, R.A2, a);
}

/* ---- Lengths ---- */

typedef struct measured {
    tsl_scalar length[AT_ONCE];
    bool all;
} measured;

static void keep(void *user, int64_t n, int64_t fields, tsl_scalar *v)
{
    const measured *l = user;
    (void)fields;
    for (int64_t c = 0; c < n; ++c)
        if (l->all || creal(v[c + LENGTH * n]) < 0) v[c + LENGTH * n] = v[c + MEASURED * n] = l->length[c];
}

/* Those columns from k on whose lengths are lost, or all, in rows from k on */
static void measure(tsl_context *x, const space *s, tsl_view A, int64_t k, bool all)
{
    int64_t n = tsl_cols(A), count;
    for (int64_t j = k; j < n; j += count) {
        measured l = {.all = all};
        bool any = false;
        count = tsl_min(AT_ONCE, n - j);
        tsl_view N = tsl_sub(s->N, j, 0, count, FIELDS);
        tsl_read(x, tsl_sub(N, 0, LENGTH, count, 1), l.length);
        for (int64_t c = 0; c < count; ++c) {
            if (!all && !(creal(l.length[c]) < 0)) continue;
            any = true;
            /* L := |a| */      tsl_length_of(x, tsl_sub(A, k, j + c, tsl_rows(A) - k, 1), tsl_sub(s->L, c, 0, 1, 1));
        }
        if (!any) continue;
        tsl_read(x, tsl_sub(s->L, 0, 0, count, 1), l.length);
        tsl_visit(x, N, keep, &l);
    }
}

typedef struct search {
    double least; /* share of the square of a length, as measured, down to which it has digits */
    int64_t place, lost;
} search;

/* The length of a column without an element of that size */
static double without(double length, double measured, double size, double least)
{
    double q = size / length, rest = (1 + q) * (1 - q);
    if (rest < 0) rest = 0;
    return rest * pow(length / measured, 2) <= least ? LOST : length * sqrt(rest);
}

/* The lengths without R's last row; the longest column's place, what is not a number being longer than all others, and the
 * first column's length there */
static void look(void *user, int64_t n, int64_t fields, tsl_scalar *v)
{
    search *f = user;
    double longest = -1;
    (void)fields;
    for (int64_t c = 0; c < n; ++c) {
        double size = cabs(v[c]), now = creal(v[c + LENGTH * n]);
        if (size != 0 && now != 0) now = without(now, creal(v[c + MEASURED * n]), size, f->least);
        f->lost += now == LOST;
        v[c] = 0, v[c + LENGTH * n] = now;
        if (isnan(now)) now = INFINITY;
        if (now > longest) longest = now, f->place = c;
    }
    if (f->lost) return;
    for (int i = LENGTH; i < FIELDS; ++i) v[f->place + i * n] = v[i * n];
}

/* The longest column from k on; false: a length is lost. Where nothing is computed it is the last one. */
static bool find(tsl_context *x, const space *s, int64_t k, int64_t *place)
{
    int64_t n = tsl_rows(s->N) - k;
    search f = {.least = sqrt(tsl_type_eps(tsl_matrix_type(s->N.mat)) / 2), .place = n - 1};
    tsl_visit(x, tsl_sub(s->N, k, 0, n, FIELDS), look, &f);
    *place = k + f.place;
    return f.lost == 0;
}

/* ---- Panels ---- */

/* Column k, number j of its panel, once it is the longest */
static void step(tsl_context *x, const space *s, tsl_view A, tsl_view tau, int64_t k, int64_t j)
{
    int64_t m = tsl_rows(A) - k, n = tsl_cols(A) - k - 1;
    tsl_view a = tsl_sub(A, k, k, m, 1), R = tsl_sub(A, k, k + 1, m, n);
    tsl_view Y = tsl_sub(s->Y, k, 0, m, j), y = tsl_sub(s->Y, k, j, m, 1);
    tsl_view F = tsl_sub(s->F, 0, k + 1, j, n), f = tsl_sub(s->F, j, k + 1, 1, n), r = tsl_sub(R, 0, 0, 1, n);
    tsl_view X = tsl_sub(s->X, k, 0, m, 1), h = tsl_sub(s->H, 0, 0, j, 1);
    /* a := a - Y F */          if (j > 0) tsl_gemm(x, -1, Y, tsl_sub(s->F, 0, k, j, 1), 1, a);
    /* a = H r, H of y */       tsl_factor_panel(x, a, tsl_sub(tau, k, 0, 1, 1), s->T, y, false);
    if (n == 0) return;
    /* X := y tau */            tsl_gemm(x, 1, y, s->T, 0, X);
    /* f := X^H A */            tsl_gemm(x, 1, tsl_herm(X), R, 0, f);
    if (j > 0) {
        /* f := f - X^H Y F */  tsl_gemm(x, 1, tsl_herm(Y), X, 0, h);
                                tsl_gemm(x, -1, tsl_herm(h), F, 1, f);
    }
    /* r := r - [Y y] [F; f] */ tsl_gemm(x, -1, tsl_sub(s->Y, k, 0, 1, j + 1), tsl_sub(s->F, 0, k + 1, j + 1, n), 1, r);
    tsl_copy(x, tsl_trans(r), tsl_sub(s->N, k + 1, ROW, n, 1));
}

/* At most b columns from k on, which are fixed or not; how many it was */
static int64_t panel(tsl_context *x, const space *s, tsl_view A, tsl_view tau, int64_t k, int64_t b, bool fixed)
{
    int64_t place, j = 0;
    for (; j < b; ++j) {
        if (!fixed && !find(x, s, k + j, &place)) break;
        if (!fixed) {
            exchange(x, A, k + j, place, s->M);
            exchange(x, s->F, k + j, place, s->M);
            exchange(x, tsl_trans(s->p), k + j, place, s->e);
        }
        step(x, s, A, tau, k + j, j);
    }
    return j;
}

/* Fixed columns to the front; how many they are. They are factored as the others are, so that what a step needs does not depend
 * on their number, which a dry run does not know. */
static int64_t fix(tsl_context *x, const space *s, tsl_view A)
{
    int64_t n = tsl_cols(A), at = 0, fixed;
    tsl_scalar from[AT_ONCE];
    tsl_fixed(x, s->p, tsl_block_cols(s->e, 0, 1).A1);
    fixed = (int64_t)tsl_read_one(x, tsl_block_cols(s->e, 0, 1).A1, 0);
    do {
        int64_t count = tsl_min(AT_ONCE, n - at);
        tsl_read(x, tsl_sub(s->p, at, 0, count, 1), from);
        for (int64_t j = at; j < tsl_min(fixed, at + count); ++j) exchange(x, A, j, (int64_t)creal(from[j - at]) - 1, s->M);
        at += count;
    } while (at < fixed);
    return fixed;
}

/* Of columns from k on nothing is known yet. */
static void measure_all(tsl_context *x, const space *s, tsl_view A, int64_t k)
{
    tsl_scale(x, 0, s->N);
    measure(x, s, A, k, true);
}

static void factor(tsl_context *x, const tsl_call *c)
{
    tsl_view A = c->v[0], tau = c->v[2];
    int64_t m = tsl_rows(A), n = tsl_cols(A), d = tsl_min(m, n), wide = tsl_panel(x, c), nb = tsl_min(wide, d), b, done;
    space s = make_space(x, A, nb);
    tsl_copy(x, c->v[1], s.p);
    int64_t fixed = fix(x, &s, A);
    for (int64_t k = 0; k < d; k += done) {
        b = tsl_min(tsl_min(nb, (k < fixed ? tsl_min(d, fixed) : d) - k), wide - k % wide);
        if (k == fixed) measure_all(x, &s, A, k);
        done = panel(x, &s, A, tau, k, b, k < fixed);
        int64_t next = k + done, below = m - next, right = n - next;
        tsl_view Y = tsl_sub(s.Y, next, 0, below, done), F = tsl_sub(s.F, 0, next, done, right);
        /* A2 := A2 - Y F */    tsl_gemm(x, -1, Y, F, 1, tsl_sub(A, next, next, below, right));
        if (done < b) measure(x, &s, A, next, false);
    }
    tsl_copy(x, s.p, c->v[1]);
}

tsl_status tsl_geqp3_columns(tsl_context *x, const tsl_call *c)
{
    int at = tsl_moderate(x, c->v[0]);
    factor(x, c);
    tsl_moderate_back(x, at, c->v[0], tsl_min(tsl_rows(c->v[0]), tsl_cols(c->v[0])));
    return TSL_OK;
}
