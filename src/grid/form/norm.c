/* Norms of distributed matrices. The largest element and the Frobenius norm are made of those of the local pieces; for sums of
 * columns or rows every process adds what it has to a vector of them all, and these are summed. */
#include <complex.h>
#include <math.h>

#include "grid/form/form.h"

typedef struct pieces {
    tsl_context *x;
    tsl_grid *g;
    const tsl_call *c;
    tsl_view A, own; /* A as seen, a lower triangle or whole; the local part */
    tsl_norm_kind kind;
    double value;
} pieces;

/* The larger, or the root of the sum of squares; NaN if either is. */
static double joined(tsl_norm_kind kind, double a, double b)
{
    if (isnan(a) || isnan(b)) return NAN;
    return kind == TSL_NORM_FRO ? hypot(a, b) : fmax(a, b);
}

static bool mirrored(const pieces *p) { return p->A.uplo != TSL_GENERAL && p->c->norm.structure != TSL_TRIANGULAR; }

static void piece(void *user, int64_t i, int64_t j, int64_t m, int64_t n, bool diagonal)
{
    pieces *p = user;
    double value = 0;
    tsl_view v = tsl_sub(p->own, i, j, m, n);
    if (diagonal) v = tsl_lower(v), v.diag = p->A.diag;
    tsl_locally(p->x, p->g, &(tsl_call){.op = TSL_OP_NORM, .norm = {.kind = p->kind, .structure = p->c->norm.structure}, .v = {v}});
    if (p->g->rehearsing || p->g->failed) return;
    tsl_status st = tsl_result(p->x, &value, sizeof value);
    if (st) tsl_grid_fail(p->g, st);
    if (p->kind == TSL_NORM_FRO && !diagonal && mirrored(p)) value *= sqrt(2);
    p->value = joined(p->kind, p->value, value);
}

double tsl_modulus(tsl_type t, const char *p)
{
    switch (t) {
    case TSL_S: return fabs((double)*(const float *)p);
    case TSL_D: return fabs(*(const double *)p);
    case TSL_C: return hypot(((const float *)p)[0], ((const float *)p)[1]);
    default: return cabs(*(const tsl_cdouble *)p);
    }
}

/* |a| of the element at column j (or row i, if it stands for its mirror image too) of A; on the diagonal of what A stands
 * for. */
static double entry(const pieces *p, const char *at, bool on_diagonal)
{
    tsl_type t = p->A.mat->type;
    if (!on_diagonal || p->A.uplo == TSL_GENERAL) return tsl_modulus(t, at);
    if (p->A.diag == TSL_UNIT) return 1;
    return p->c->norm.structure == TSL_HERMITIAN ? tsl_modulus(tsl_real_type(t), at) : tsl_modulus(t, at);
}

/* Adds the sums of this process's part to `sums`, by columns of A or by rows. */
static void add_up(const pieces *p, const tsl_matrix *local, double *sums)
{
    bool turned = p->own.op & TSL_TRANS, by_columns = p->kind == TSL_NORM_ONE;
    size_t size = tsl_type_size(local->type);
    int64_t m = tsl_rows(p->own), n = tsl_cols(p->own), down = turned ? local->ld : 1, along = turned ? 1 : local->ld;
    for (int64_t j = 0; j < n; ++j) {
        int64_t col = tsl_global_col(p->A, j), from = p->A.uplo == TSL_GENERAL ? 0 : tsl_local_row(p->A, col);
        for (int64_t i = from; i < m; ++i) {
            int64_t row = tsl_global_row(p->A, i);
            double v = entry(p, (const char *)local->data + (size_t)(i * down + j * along) * size, row == col);
            sums[by_columns ? col : row] += v;
            if (mirrored(p) && row != col) sums[by_columns ? row : col] += v;
        }
    }
}

tsl_matrix tsl_fetched(tsl_context *x, tsl_grid *g, tsl_view own)
{
    tsl_matrix a = *own.mat;
    if (!tsl_on_device(&a)) {
        if (!g->rehearsing && a.home) tsl_grid_fail(g, tsl_work_wait(x, g));
        a.data = a.data ? tsl_at(&own) : NULL;
        return a;
    }
    tsl_matrix host = {.ctx = x, .type = a.type, .m = own.m, .n = own.n, .ld = tsl_max(1, own.m)};
    host.data = tsl_work_get(g, false, tsl_dense_bytes(a.type, host.ld, own.n));
    own.op = TSL_NOTRANS, own.uplo = TSL_GENERAL, own.diag = TSL_NONUNIT;
    if (own.m && own.n) tsl_locally(x, g, &(tsl_call){.op = TSL_OP_COPY, .v = {own, tsl_whole(&host)}});
    return host;
}

static double largest_sum(const pieces *p, bool counts)
{
    enum { NB = 64 };
    int64_t length = p->kind == TSL_NORM_ONE ? tsl_cols(p->A) : tsl_rows(p->A);
    tsl_layout all = tsl_layout_whole(p->g, TSL_EVERY, TSL_EVERY), distributed = tsl_layout_vector(p->g, NB);
    tsl_dmatrix D, E;
    tsl_view W = tsl_work_matrix(p->x, &D, &all, TSL_D, length, 1), V = tsl_work_matrix(p->x, &E, &distributed, TSL_D, length, 1);
    tsl_matrix local = tsl_fetched(p->x, p->g, p->own);
    double *sums = D.local.data, value = 0;
    if (!p->g->rehearsing) {
        for (int64_t i = 0; i < length; ++i) sums[i] = 0;
        if (counts && !p->g->failed) add_up(p, &local, sums);
        for (int64_t i = 0; i < E.local.m; ++i) ((double *)E.local.data)[i] = 0;
    }
    tsl_transfer_now(p->x, W, V, true);
    for (int64_t i = 0; i < E.local.m && !p->g->rehearsing; ++i) value = joined(TSL_NORM_MAX, value, ((double *)E.local.data)[i]);
    return value;
}

void tsl_dist_norm(tsl_context *x, const tsl_call *c)
{
    tsl_view A = c->v[0];
    tsl_grid *g = tsl_grid_of(A);
    int ranks = g->size[0] * g->size[1];
    bool sums = c->norm.kind == TSL_NORM_ONE || c->norm.kind == TSL_NORM_INF, upper = tsl_triangle(A) == TSL_UPPER;
    pieces p = {.x = x, .g = g, .c = c, .A = upper ? tsl_trans(A) : A, .kind = c->norm.kind};
    if (sums && upper) p.kind = (tsl_norm_kind)(TSL_NORM_ONE + TSL_NORM_INF - c->norm.kind);
    p.own = tsl_general(tsl_local(p.A));
    tsl_work_mark mark = tsl_work_now(g);
    double *all = tsl_work_get(g, false, tsl_times((size_t)ranks, sizeof *all));
    bool counts = tsl_counts(&tsl_dist(A)->layout);
    if (sums) p.value = largest_sum(&p, counts);
    else if (counts && A.uplo != TSL_GENERAL) tsl_triangle_walk(p.A, piece, &p);
    else if (counts && p.own.m && p.own.n) piece(&p, 0, 0, tsl_rows(p.own), tsl_cols(p.own), false);
    if (!g->rehearsing) {
        tsl_all_gather(g, &p.value, all, sizeof p.value);
        double value = 0;
        for (int i = 0; i < ranks; ++i) value = joined(sums ? TSL_NORM_MAX : c->norm.kind, value, all[i]);
        tsl_leave_result(x, g, &value, sizeof value);
    }
    tsl_work_back(g, mark);
}
