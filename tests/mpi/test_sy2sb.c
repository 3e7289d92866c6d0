/* Reduction to a band and products with its Q on grids: matrices, bands and triangles in any layout, blocks of any matrix, both
 * triangles; residuals by reflectors in double complex. */
#include <string.h>

#include "cases.h"
#include "sy2sb.h"
#include "whole.h"

static const int64_t blocks[] = {1, 5, 32}, widths[] = {1, 4, 16, 40};
static const int64_t orders[] = {0, 1, 5, 23, 53};

typedef struct problem {
    tsl_matrix *A, *AB, *T;
    int64_t at;
    reduced r;
} problem;

static tsl_view inner(const problem *k)
{
    int64_t n = k->r.was.n;
    return triangle(&k->r, tsl_sub(tsl_whole(k->A), k->at, k->at, n, n));
}

/* The block from (at, at) on of a matrix that is otherwise zero */
static tsl_status reduce(problem *k, const team *t, tsl_context *x, unsigned turn, tsl_layout l, tsl_type type, int64_t n, int64_t kd)
{
    bool upper = pick(turn, 3, 2);
    *k = (problem){.at = pick(turn, 4, 4), .r = {.was = matrix(type, n, ANY, upper), .kd = kd, .upper = upper}};
    dense all = dense_make(type, n + k->at, n + k->at, CANARY_FINITE);
    tsl_layout beside = layout(t, pick(turn, 5, LAYOUTS), 3, l.scheme), band = layout(t, pick(turn, 6, LAYOUTS), 7, l.scheme);
    dense_fill(&all, 0);
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < n; i++) dense_put(&all, k->at + i, k->at + j, dense_get(&k->r.was, i, j));
    tsl_status st = tsl_matrix_create_on(x, &l, type, all.m, all.n, &k->A);
    if (!st) st = tsl_matrix_create_on(x, &band, type, kd + 1, n, &k->AB);
    if (!st) st = tsl_matrix_create_on(x, &beside, type, kd, n, &k->T);
    if (!st) st = tsl_scatter(x, 0, all.data, all.ld, tsl_whole(k->A));
    dense_free(&all);
    return st ? st : tsl_sy2sb(x, inner(k), tsl_whole(k->AB), tsl_whole(k->T));
}

static double quality(problem *k, tsl_context *x)
{
    int64_t n = k->r.was.n, kd = k->r.kd;
    dense all = everything(x, k->A, n + k->at, n + k->at);
    double beside = 0;
    k->r.A = dense_make(all.t, n, n, CANARY_FINITE);
    k->r.AB = everything(x, k->AB, kd + 1, n), k->r.T = everything(x, k->T, kd, n);
    k->r.tau = dense_make(all.t, qr_max(0, n - kd), 1, CANARY_FINITE);
    for (int64_t i = 0; i < k->r.tau.m; i++) dense_put(&k->r.tau, i, 0, dense_get(&k->r.T, kd - 1, i));
    for (int64_t j = 0; j < all.n; j++)
        for (int64_t i = 0; i < all.m; i++) {
            if (i >= k->at && j >= k->at) dense_put(&k->r.A, i - k->at, j - k->at, dense_get(&all, i, j));
            else if (dense_get(&all, i, j) != 0) beside = INFINITY;
        }
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < n; i++)
            if (k->r.upper ? i > j : i < j) beside = isnan(creal(dense_get(&k->r.A, i, j))) ? beside : INFINITY;
    dense_free(&all);
    return worse(worse(0, beside), residual(&k->r));
}

static double product(problem *k, const team *t, tsl_context *x, unsigned turn, tsl_status *st)
{
    enum { WIDE = 11 };
    int64_t n = k->r.was.n;
    bool right = pick(turn, 0, 2), inverse = pick(turn, 1, 2);
    tsl_type type = k->r.was.t;
    dense c = dense_make(type, right ? WIDE : n, right ? n : WIDE, CANARY_FINITE);
    tsl_layout l = layout(t, pick(turn, 2, LAYOUTS), 5, pick(turn, 3, 2) ? TSL_ON_DEVICE : TSL_IN_HOST);
    tsl_matrix *C = NULL;
    dense_random(&c, 3 + turn);
    *st = tsl_matrix_create_on(x, &l, type, c.m, c.n, &C);
    if (!*st) *st = tsl_scatter(x, 0, c.data, c.ld, tsl_whole(C));
    if (!*st) *st = tsl_ormtr_sy2sb(x, right ? TSL_RIGHT : TSL_LEFT, inverse ? qr_herm(type) : TSL_NOTRANS, inner(k), tsl_whole(k->T), tsl_whole(C));
    if (*st) return INFINITY;
    dense got = everything(x, C, c.m, c.n);
    tsl_scalar *X = qr_room(n, WIDE);
    double off = 0;
    for (int64_t j = 0; j < WIDE; j++)
        for (int64_t i = 0; i < n; i++) X[i + j * n] = right ? conj(dense_get(&c, j, i)) : dense_get(&c, i, j);
    reflect(&k->r, right ? !inverse : inverse, X, WIDE);
    for (int64_t j = 0; j < WIDE; j++)
        for (int64_t i = 0; i < n; i++) {
            double d = cabs(X[i + j * n] - (right ? conj(dense_get(&got, j, i)) : dense_get(&got, i, j)));
            off = d <= off ? off : isnan(d) ? INFINITY : d;
        }
    free(X), dense_free(&c), dense_free(&got), tsl_matrix_free(C);
    return off / ((double)qr_max(1, n) * tsl_type_eps(type));
}

static void sweep(const team *t, tsl_context *const ctx[2], tsl_type type)
{
    unsigned turn = (unsigned)(t->rows * 1000 + t->cols * 100 + type);
    for (unsigned w = 0; w < COUNT(widths); w++) {
        double worst = 0;
        int good = 1;
        for (unsigned i = 0; i < COUNT(orders); i++, turn++) {
            if (orders[i] > 25 * widths[w]) continue; /* a message or more a column */
            tsl_context *x = ctx[pick(turn, 0, 2)];
            tsl_layout l = layout(t, pick(turn, 1, LAYOUTS), blocks[(turn + w) % COUNT(blocks)], pick(turn, 2, 2) ? TSL_ON_DEVICE : TSL_IN_HOST);
            problem k;
            tsl_status st = reduce(&k, t, x, turn, l, type, orders[i], widths[w]), with_q = TSL_OK;
            if (!st) worst = worse(worst, quality(&k, x));
            if (!st) worst = worse(worst, product(&k, t, x, turn, &with_q));
            if (st || with_q) printf("# rank %d: order %d, kd %d: %s\n", t->rank, (int)orders[i], (int)widths[w], tsl_error(x));
            good &= !st && !with_q;
            tsl_matrix_free(k.A), tsl_matrix_free(k.AB), tsl_matrix_free(k.T);
            done(&k.r);
        }
        all_ok(t, good && worst < BOUND, "%csy2sb on %dx%d, kd %d: %.2g", tsl_type_letter(type), t->rows, t->cols, (int)widths[w], worst);
    }
}

int main(int argc, char **argv)
{
    team t = team_open(argc, argv);
    tsl_context *ctx[2] = {team_context(&t, "host"), team_context(&t, "host:1,mem=64M")};
    for (int type = TSL_S; type <= TSL_Z; type++) sweep(&t, ctx, (tsl_type)type);
    tsl_context_destroy(ctx[1]);
    tsl_context_destroy(ctx[0]);
    return team_close(&t);
}
