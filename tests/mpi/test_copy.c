/* Copies and sums between all kinds of objects, gather and scatter, redistribution between grids, ScaLAPACK's descriptors, and
 * PLAPACK's example: y := A x by spreading, a local product and a sum. */
#include <math.h>
#include <string.h>

#include "dense.h"
#include "grid.h"

enum { M = 29, N = 23 };

/* The k-th of the layouts of a matrix. */
enum { LAYOUTS = 12 };
static tsl_layout kind(const team *t, unsigned k)
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
static dense fetch_local(tsl_context *x, tsl_view v)
{
    tsl_view own = tsl_local(v);
    dense d = dense_make(v.mat->type, tsl_rows(own), tsl_cols(own), CANARY_FINITE);
    tsl_matrix *m = NULL;
    if (d.m && d.n && (tsl_matrix_wrap(x, d.t, d.m, d.n, d.data, d.ld, &m) || tsl_copy(x, own, tsl_whole(m)))) dense_fill(&d, NAN);
    tsl_matrix_free(m);
    return d;
}

static int send_local(tsl_context *x, const dense *d, tsl_view v)
{
    tsl_matrix *m = NULL;
    int good = !d->m || !d->n ||
               (!tsl_matrix_wrap(x, d->t, d->m, d->n, d->data, d->ld, &m) && !tsl_copy(x, tsl_whole(m), tsl_local(v)));
    tsl_matrix_free(m);
    return good;
}

static tsl_scalar value(int64_t i, int64_t j) { return CMPLX((double)(i + 100 * j), (double)(3 * i - j)); }

/* Writes value(i, j), times a factor that may differ between processes, into the parts here. */
static int put_values(tsl_context *x, tsl_view v, double factor)
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
static int has_values(tsl_context *x, tsl_view v, tsl_op op, double factor, int64_t i0, int64_t j0)
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

static void copies(const team *t, tsl_context *x, tsl_type type, const char *spec)
{
    int good = 1;
    unsigned ran = 0;
    for (unsigned a = 0; a < LAYOUTS; a++)
        for (unsigned b = 0; b < LAYOUTS; b++) {
            tsl_op op = (tsl_op)pick(a * LAYOUTS + b, 2, 4);
            tsl_layout la = kind(t, a), lb = kind(t, b);
            tsl_matrix *A = NULL, *B = NULL;
            int64_t i0 = pick(a, b, 4), j0 = pick(b, a, 5), m = M - i0, n = N - j0;
            if (tsl_matrix_create_on(x, &la, type, M, N, &A) ||
                tsl_matrix_create_on(x, &lb, type, op & TSL_TRANS ? n : m, op & TSL_TRANS ? m : n, &B)) {
                good = 0;
                break;
            }
            good &= put_values(x, tsl_whole(A), 1);
            tsl_view from = tsl_sub(tsl_whole(A), i0, j0, m, n);
            if (op & TSL_TRANS) from = tsl_trans(from);
            if (op & TSL_CONJ) from = tsl_conj(from);
            good &= !tsl_copy(x, from, tsl_whole(B)) && has_values(x, tsl_whole(B), op, 1, i0, j0);
            tsl_matrix_free(A);
            tsl_matrix_free(B);
            ran++;
        }
    all_ok(t, good, "%s %c: %u copies between %d kinds of objects", spec, tsl_type_letter(type), ran, LAYOUTS);
}

/* Each copy of an object with copies holds its own contribution; what is the sum of their factors? */
static double factors(const team *t, const tsl_layout *l)
{
    double sum = 0;
    bool rows = (l->rows.over | l->cols.over) & TSL_OVER_ROWS, cols = (l->rows.over | l->cols.over) & TSL_OVER_COLS;
    for (int p = 0; p < t->rows; p++)
        for (int q = 0; q < t->cols; q++)
            if (rows ? p == 0 : l->row == TSL_EVERY || l->row == p)
                if (cols ? q == 0 : l->col == TSL_EVERY || l->col == q) sum += 1 + (rows ? 0 : p) + 2 * (cols ? 0 : q);
    return sum;
}

static void sums(const team *t, tsl_context *x, tsl_type type, const char *spec)
{
    int good = 1;
    unsigned ran = 0;
    for (unsigned a = 0; a < LAYOUTS; a++)
        for (unsigned b = 0; b < LAYOUTS; b++) {
            tsl_layout la = kind(t, a), lb = kind(t, b);
            tsl_matrix *A = NULL, *B = NULL;
            if (tsl_matrix_create_on(x, &la, type, M, N, &A) || tsl_matrix_create_on(x, &lb, type, M, N, &B)) {
                good = 0;
                break;
            }
            bool rows = (la.rows.over | la.cols.over) & TSL_OVER_ROWS, cols = (la.rows.over | la.cols.over) & TSL_OVER_COLS;
            double mine = 1 + (rows ? 0 : tsl_grid_row(t->grid)) + 2 * (cols ? 0 : tsl_grid_col(t->grid));
            good &= put_values(x, tsl_whole(A), mine) && put_values(x, tsl_whole(B), 1);
            good &= !tsl_reduce(x, tsl_whole(A), 2, tsl_whole(B)) &&
                    has_values(x, tsl_whole(B), TSL_NOTRANS, 2 + factors(t, &la), 0, 0);
            tsl_matrix_free(A);
            tsl_matrix_free(B);
            ran++;
        }
    all_ok(t, good, "%s %c: %u sums between %d kinds of objects", spec, tsl_type_letter(type), ran, LAYOUTS);
}

static void grids(const team *t, tsl_context *x)
{
    tsl_grid *other = NULL;
    tsl_matrix *A = NULL, *B = NULL;
    int good = !tsl_grid_create(MPI_COMM_WORLD, t->cols, t->rows, &other);
    tsl_layout la = tsl_layout_matrix(t->grid, 4), lb = tsl_layout_matrix(other, 3);
    good = good && !tsl_matrix_create_on(x, &la, TSL_D, M, N, &A) && !tsl_matrix_create_on(x, &lb, TSL_D, M, N, &B);
    good = good && put_values(x, tsl_whole(A), 1) && !tsl_copy(x, tsl_whole(A), tsl_whole(B)) &&
           has_values(x, tsl_whole(B), TSL_NOTRANS, 1, 0, 0);
    all_ok(t, good, "from a %dx%d grid to a %dx%d grid", t->rows, t->cols, t->cols, t->rows);
    all_ok(t, tsl_gemm(x, 1, tsl_trans(tsl_whole(A)), tsl_whole(B), 0, tsl_sub(tsl_whole(A), 0, 0, N, N)) == TSL_ERR_GRID,
           "no product across grids");
    tsl_matrix_free(A);
    tsl_matrix_free(B);
    tsl_grid_free(other);
}

static void one_process(const team *t, tsl_context *x)
{
    dense whole = dense_make(TSL_D, M, N, CANARY_FINITE), back = dense_make(TSL_D, M, N, CANARY_FINITE);
    tsl_layout l = tsl_layout_matrix(t->grid, 3);
    tsl_matrix *A = NULL;
    int root = t->size - 1, good = !tsl_matrix_create_on(x, &l, TSL_D, M, N, &A);
    dense_random(&whole, 7);
    good = good && !tsl_scatter(x, root, t->rank == root ? whole.data : NULL, whole.ld, tsl_whole(A));
    good = good && !tsl_gather(x, tsl_whole(A), 0, t->rank == 0 ? back.data : NULL, back.ld);
    all_ok(t, good && (t->rank != 0 || dense_same(&whole, &back)),
           "scattered from rank %d, gathered on rank 0, margins untouched", root);
    all_ok(t, tsl_gather(x, tsl_whole(A), t->size, back.data, back.ld) == TSL_ERR_GRID, "no rank %d", t->size);
    tsl_matrix_free(A);
    dense_free(&whole);
    dense_free(&back);
}

static void descriptor(const team *t, tsl_context *x)
{
    int rows = t->rows, cols = t->cols, rsrc = rows - 1, csrc = cols > 1 ? 1 : 0;
    /* ScaLAPACK: block b of mb = 2 rows is in process row (rsrc + b) mod rows */
    double local[M * (N + 1)];
    int lld = M, good = 1, desc[9] = {1, -1, M, N, 2, 3, rsrc, csrc, lld};
    memset(local, 0, sizeof local);
    for (int64_t j = 0, lj = 0; j < N; j++) {
        if ((j / 3 + csrc) % cols != tsl_grid_col(t->grid)) continue;
        for (int64_t i = 0, li = 0; i < M; i++)
            if ((i / 2 + rsrc) % rows == tsl_grid_row(t->grid)) local[li++ + lj * lld] = creal(value(i, j));
        lj++;
    }
    tsl_matrix *A = NULL;
    good = !tsl_matrix_wrap_desc(x, t->grid, TSL_D, desc, local, &A) && has_values(x, tsl_whole(A), TSL_NOTRANS, 1, 0, 0);
    all_ok(t, good && tsl_matrix_data(A) == local, "a ScaLAPACK descriptor wraps the local array in place");
    tsl_matrix_free(A);
    desc[8] = 0;
    all_ok(t, tsl_matrix_wrap_desc(x, t->grid, TSL_D, desc, local, &A) == TSL_ERR_LD, "lld 0 is refused");
}

/* Norms of blocks, whole and triangular, seen both ways. */
static void norms(const team *t, tsl_context *x, tsl_type type, unsigned layout)
{
    tsl_layout l = kind(t, layout);
    tsl_matrix *A = NULL;
    double worst = 0;
    int good = !tsl_matrix_create_on(x, &l, type, M, N, &A) && put_values(x, tsl_whole(A), 1);
    for (int k = TSL_NORM_MAX; k <= TSL_NORM_FRO && good; k++)
        for (int s = 0; s < 6; s++) {
            tsl_structure st = (tsl_structure)(s % 3);
            tsl_view v = tsl_sub(tsl_whole(A), 2, 1, st == TSL_TRIANGULAR ? M - 2 : N - 1, N - 1);
            if (s) v = s % 2 ? tsl_lower(v) : tsl_upper(v);
            if (s == 5) v = tsl_unit(v);
            double got = -1, sum[2][M] = {{0}}, max = 0, square = 0;
            for (int64_t j = 0; j < v.n; j++)
                for (int64_t i = 0; i < v.m; i++) {
                    int64_t gi = v.i + i, gj = v.j + j;
                    bool low = v.uplo == TSL_LOWER ? i > j : i < j;
                    tsl_scalar e = v.uplo == TSL_GENERAL || low || i == j ? value(gi, gj)
                                   : st == TSL_TRIANGULAR                 ? 0
                                                                          : value(v.i + j, v.j + i);
                    if (type < TSL_C) e = creal(e);
                    if (i == j && v.uplo) e = v.diag == TSL_UNIT ? 1 : st == TSL_HERMITIAN ? creal(e) : e;
                    double size = cabs(e);
                    sum[0][j] += size, sum[1][i] += size, max = fmax(max, size), square += size * size;
                }
            double want = k == TSL_NORM_MAX ? max : sqrt(square);
            if (k == TSL_NORM_ONE || k == TSL_NORM_INF)
                for (int64_t i = want = 0; i < M; i++) want = fmax(want, sum[k == TSL_NORM_INF][i]);
            bool flip = s % 2 && k != TSL_NORM_MAX; /* as seen through a transposition, columns are rows */
            tsl_norm_kind ask = flip && k != TSL_NORM_FRO ? (tsl_norm_kind)(TSL_NORM_ONE + TSL_NORM_INF - k) : (tsl_norm_kind)k;
            good &= !tsl_norm(x, ask, st, flip ? tsl_herm(v) : v, &got);
            worst = fmax(worst, fabs(got - want) / (want * tsl_type_eps(type)));
        }
    all_ok(t, good && worst < 30, "%c: norms of layout %u, off by %.2g", tsl_type_letter(type), layout, worst);
    tsl_matrix_free(A);
}

/* Level 1 on vectors that lie in different ways: a column, a row, and one over all processes. */
static void vectors(const team *t, tsl_context *x, tsl_type type)
{
    tsl_layout la = tsl_layout_matrix(t->grid, 3), lv = kind(t, 4);
    tsl_matrix *A = NULL, *V = NULL;
    int good = !tsl_matrix_create_on(x, &la, type, M, N, &A) && !tsl_matrix_create_on(x, &lv, type, N, 1, &V);
    good = good && put_values(x, tsl_whole(A), 1) && put_values(x, tsl_whole(V), 1);
    tsl_view row = tsl_sub(tsl_whole(A), 2, 0, 1, N), col = tsl_sub(tsl_whole(A), 4, 3, N, 1), v = tsl_whole(V);
    bool pairs = type >= TSL_C;
    tsl_scalar dot = 0, want = 0, alpha = pairs ? CMPLX(2, 1) : 2;
    double nrm2 = 0, asum = 0, square = 0, sum = 0, eps = 100 * tsl_type_eps(type);
    for (int64_t i = 0; i < N; i++) {
        tsl_scalar r = value(2, i), c = value(4 + i, 3);
        if (!pairs) r = creal(r), c = creal(c);
        want += conj(r) * c;
        square += creal(c * conj(c)), sum += fabs(creal(c)) + fabs(cimag(c));
    }
    good = good && !tsl_dot(x, tsl_conj(row), col, &dot) && !tsl_nrm2(x, col, &nrm2) && !tsl_asum(x, col, &asum);
    all_ok(t,
           good && cabs(dot - want) <= eps * cabs(want) && fabs(nrm2 - sqrt(square)) <= eps * nrm2 &&
               fabs(asum - sum) <= eps * sum,
           "%c: dot, nrm2, asum", tsl_type_letter(type));
    good = !tsl_scal(x, 3, v) && has_values(x, v, TSL_NOTRANS, 3, 0, 0) && !tsl_axpy(x, alpha, row, v);
    dense d = fetch_local(x, v);
    for (int64_t i = 0; i < d.m; i++) {
        int64_t g = tsl_global_row(v, i);
        tsl_scalar y = 3 * value(g, 0) + alpha * value(2, g);
        good &= dense_get(&d, i, 0) == (pairs ? y : CMPLX(3 * creal(value(g, 0)) + 2 * creal(value(2, g)), 0));
    }
    all_ok(t, good, "%c: scal, axpy", tsl_type_letter(type));
    dense_free(&d);
    tsl_matrix_free(A), tsl_matrix_free(V);
}

/* x and y are vectors over all processes. */
static void teaching(const team *t, tsl_context *x)
{
    tsl_layout la = tsl_layout_matrix(t->grid, 3), lv = tsl_layout_vector(t->grid, 3);
    tsl_matrix *A, *X, *Y, *Xs, *Ys;
    int good = !tsl_matrix_create_on(x, &la, TSL_D, M, N, &A) && !tsl_matrix_create_on(x, &lv, TSL_D, N, 1, &X) &&
               !tsl_matrix_create_on(x, &lv, TSL_D, M, 1, &Y);
    tsl_layout cols = tsl_layout_cols_of(tsl_whole(A)), rows = tsl_layout_rows_of(tsl_whole(A));
    good = good && !tsl_matrix_create_on(x, &cols, TSL_D, N, 1, &Xs) && !tsl_matrix_create_on(x, &rows, TSL_D, M, 1, &Ys);
    good = good && put_values(x, tsl_whole(A), 1) && put_values(x, tsl_whole(X), 1);
    /* spread x within columns */                 good = good && !tsl_copy(x, tsl_whole(X), tsl_whole(Xs));
    /* local matrix-vector product */ good =
        good && !tsl_gemv(x, 1, tsl_local(tsl_whole(A)), tsl_local(tsl_whole(Xs)), 0, tsl_local(tsl_whole(Ys)));
    /* sum within rows */                         good = good && !tsl_reduce(x, tsl_whole(Ys), 0, tsl_whole(Y));
    dense y = fetch_local(x, tsl_whole(Y));
    for (int64_t i = 0; i < y.m; i++) {
        double want = 0;
        for (int64_t j = 0; j < N; j++) want += creal(value(tsl_global_row(tsl_whole(Y), i), j)) * creal(value(j, 0));
        good &= fabs(creal(dense_get(&y, i, 0)) - want) <= 1e-13 * fabs(want);
    }
    all_ok(t, good, "PLAPACK's example: spread, multiply, reduce");
    dense_free(&y);
    tsl_matrix *all[] = {A, X, Y, Xs, Ys};
    for (int i = 0; i < 5; i++) tsl_matrix_free(all[i]);
}

int main(int argc, char **argv)
{
    team t = team_open(argc, argv);
    static const char *const specs[] = {"host", "host:1,mem=64M"};
    for (int s = 0; s < 2; s++) {
        tsl_context *x = team_context(&t, specs[s]);
        for (int type = TSL_S; type <= TSL_Z; type++) {
            copies(&t, x, (tsl_type)type, specs[s]);
            sums(&t, x, (tsl_type)type, specs[s]);
            vectors(&t, x, (tsl_type)type);
            for (unsigned k = 0; k < 4; k++) norms(&t, x, (tsl_type)type, k == 3 ? 9 : k); /* the last with copies */
        }
        grids(&t, x);
        one_process(&t, x);
        descriptor(&t, x);
        teaching(&t, x);
        tsl_context_destroy(x);
    }
    return team_close(&t);
}
