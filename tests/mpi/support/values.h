/* Matrices with a known value at each place, in all kinds of layouts. */
#ifndef TEST_VALUES_H
#define TEST_VALUES_H

#include "dense.h"
#include "grid.h"

enum { M = 29, N = 23 };

/* The k-th of the layouts of a matrix. */
enum { LAYOUTS = 12 };
static inline tsl_layout kind(const team *t, unsigned k)
{
    tsl_grid *g = t->grid;
    tsl_layout l = tsl_layout_matrix(g, 3);
    switch (k) {
    case 0: break;
    case 1: l.rows = (tsl_axis){TSL_OVER_ROWS, 1, 0}, l.cols = (tsl_axis){TSL_OVER_COLS, 5, 7}; break;
    case 2: l.rows = (tsl_axis){TSL_OVER_COLS, 4, 2}, l.cols = (tsl_axis){TSL_OVER_ROWS, 3, 1}; break; /* the transpose's */
    case 3: l = tsl_layout_vector(g, 3); break;
    case 4: l = tsl_layout_vector(g, 2), l.rows.offset = 5; break;
    case 5: l = tsl_layout_whole(g, TSL_EVERY, TSL_EVERY); break;
    case 6: l = tsl_layout_whole(g, t->rows - 1, t->cols - 1); break;
    case 7: l = tsl_layout_whole(g, 0, TSL_EVERY), l.cols = (tsl_axis){TSL_OVER_COLS, 3, 0}; break;   /* a projected row panel */
    case 8: l = tsl_layout_whole(g, TSL_EVERY, 0), l.rows = (tsl_axis){TSL_OVER_ROWS, 3, 0}; break;   /* on one process column */
    case 9: l = tsl_layout_whole(g, TSL_EVERY, TSL_EVERY), l.rows = (tsl_axis){TSL_OVER_ROWS, 3, 0}; break; /* a copy in each */
    case 10: l = tsl_layout_whole(g, TSL_EVERY, TSL_EVERY), l.rows = (tsl_axis){TSL_OVER_COLS, 2, 3}; break;
    default: l = tsl_layout_whole(g, 0, 0), l.cols = (tsl_axis){TSL_OVER_ALL, 2, 1}; break;
    }
    l.scheme = pick(k, 1, 2) ? TSL_ON_DEVICE : TSL_IN_HOST;
    return l;
}

/* The local part of a distributed block as a dense array; on any device. */
static inline dense fetch_local(tsl_context *x, tsl_view v)
{
    tsl_view own = tsl_local(v);
    dense d = dense_make(v.mat->type, tsl_rows(own), tsl_cols(own), CANARY_FINITE);
    tsl_matrix *m = NULL;
    if (d.m && d.n && (tsl_matrix_wrap(x, d.t, d.m, d.n, d.data, d.ld, &m) || tsl_copy(x, own, tsl_whole(m)))) dense_fill(&d, NAN);
    tsl_matrix_free(m);
    return d;
}

static inline int send_local(tsl_context *x, const dense *d, tsl_view v)
{
    tsl_matrix *m = NULL;
    int good = !d->m || !d->n ||
               (!tsl_matrix_wrap(x, d->t, d->m, d->n, d->data, d->ld, &m) && !tsl_copy(x, tsl_whole(m), tsl_local(v)));
    tsl_matrix_free(m);
    return good;
}

static inline tsl_scalar value(int64_t i, int64_t j) { return CMPLX((double)(i + 100 * j), (double)(3 * i - j)); }

/* Writes value(i, j), times a factor that may differ between processes, into the parts here. */
static inline int put_values(tsl_context *x, tsl_view v, double factor)
{
    tsl_view own = tsl_local(v);
    dense d = dense_make(v.mat->type, tsl_rows(own), tsl_cols(own), CANARY_FINITE);
    for (int64_t j = 0; j < d.n; j++)
        for (int64_t i = 0; i < d.m; i++) dense_put(&d, i, j, factor * value(tsl_global_row(v, i), tsl_global_col(v, j)));
    int good = send_local(x, &d, v);
    dense_free(&d);
    return good;
}

/* Is each element here `factor` times value(i, j) of the original, seen through op? */
static inline int has_values(tsl_context *x, tsl_view v, tsl_op op, double factor, int64_t i0, int64_t j0)
{
    dense d = fetch_local(x, v), e = dense_make(v.mat->type, 1, 1, 0);
    int good = 1;
    for (int64_t j = 0; j < d.n; j++)
        for (int64_t i = 0; i < d.m; i++) {
            int64_t gi = tsl_global_row(v, i), gj = tsl_global_col(v, j);
            tsl_scalar want = op & TSL_TRANS ? value(i0 + gj, j0 + gi) : value(i0 + gi, j0 + gj);
            dense_put(&e, 0, 0, factor * (op & TSL_CONJ ? conj(want) : want));
            good &= dense_get(&e, 0, 0) == dense_get(&d, i, j);
        }
    dense_free(&d);
    dense_free(&e);
    return good;
}

#endif
