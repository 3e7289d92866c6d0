/* Reduction to a band, A = Q B Q^H, and products with Q: bandwidths and blocks of every size, matrices of every kind, both
 * triangles; on one device, on several, where memory is short. Residuals are by reflectors in double complex, eigenvalues
 * LAPACK's. What is refused. */
#include "sy2sb.h"

/* A context, the variant of the reduction, and the tiles of matrices that are tiled; 0: they are not */
typedef struct place {
    tsl_context *x;
    const char *name, *variant;
    int64_t tile;
} place;

static tsl_view view_of(const place *p, dense *d, tsl_matrix **mat)
{
    tsl_status st = p->tile ? tsl_tiled_wrap(p->x, d->t, d->m, d->n, d->data, d->ld, p->tile, mat) : tsl_matrix_wrap(p->x, d->t, d->m, d->n, d->data, d->ld, mat);
    if (st) abort();
    return tsl_whole(*mat);
}

static reduced reduce(const place *p, dense A, int64_t kd, bool upper)
{
    int64_t n = A.n;
    reduced r = {A, dense_make(A.t, kd + 1, n, CANARY_FINITE), dense_make(A.t, kd, n, CANARY_FINITE), dense_copy(&A),
                 dense_make(A.t, qr_max(0, n - kd), 1, CANARY_FINITE), kd, upper, TSL_OK};
    tsl_matrix *a, *ab, *t;
    tsl_view v = triangle(&r, view_of(p, &r.A, &a)), band = view_of(p, &r.AB, &ab), T = view_of(p, &r.T, &t);
    r.st = tsl_set(p->x, "variant", p->variant);
    if (!r.st) r.st = tsl_sy2sb(p->x, v, band, T);
    tsl_set(p->x, "variant", "auto");
    if (!r.st) r.st = tsl_wait(p->x);
    for (int64_t i = 0; i < r.tau.m; i++) dense_put(&r.tau, i, 0, dense_get(&r.T, kd - 1, i));
    tsl_matrix_free(a), tsl_matrix_free(ab), tsl_matrix_free(t);
    return r;
}

/* Eigenvalues of the band and of A, by LAPACK in double complex: the largest distance, / (largest n eps) */
static double values_apart(const reduced *r)
{
    int64_t n = r->A.n, rows = qr_min(n, r->kd + 1);
    tsl_scalar *A = qr_room(n, n), *B = qr_room(rows, n);
    double *w = calloc((size_t)n + 1, sizeof *w), *u = calloc((size_t)n + 1, sizeof *u), off = 0, size = 0;
    if (!w || !u) abort();
    for (int64_t j = 0; j < n; j++) {
        for (int64_t i = 0; i < n; i++) A[i + j * n] = stands_for(&r->was, r->upper, i, j);
        for (int64_t i = 0; i < rows; i++) B[i + j * rows] = dense_get(&r->AB, i, j);
    }
    if (n && (LAPACKE_zheev(LAPACK_COL_MAJOR, 'N', 'L', (lapack_int)n, A, (lapack_int)n, w) ||
              LAPACKE_zhbev(LAPACK_COL_MAJOR, 'N', 'L', (lapack_int)n, (lapack_int)(rows - 1), B, (lapack_int)rows, u, NULL, 1)))
        abort();
    for (int64_t i = 0; i < n; i++) off = worse(off, fabs(w[i] - u[i])), size = tsl_larger(size, fabs(w[i]));
    free(A), free(B), free(w), free(u);
    return off == 0 ? 0 : off / size / ((double)n * tsl_type_eps(r->A.t));
}

/* Margins and the other triangle are as they were; the band is A's too, and zero past its last row. */
static bool kept_apart(const reduced *r)
{
    int64_t n = r->A.n;
    dense ab = dense_make(r->AB.t, r->kd + 1, n, CANARY_FINITE), t = dense_make(r->T.t, r->kd, n, CANARY_FINITE);
    bool kept = !dense_strays(&r->A, &r->was, r->upper ? TSL_UPPER : TSL_LOWER) && !dense_strays(&r->AB, &ab, TSL_GENERAL) && !dense_strays(&r->T, &t, TSL_GENERAL);
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i <= r->kd; i++) {
            tsl_scalar v = dense_get(&r->AB, i, j);
            kept &= i + j < n ? v == stands_for(&r->A, r->upper, i + j, j) : v == 0;
        }
    dense_free(&ab), dense_free(&t);
    return kept;
}

static void product(const place *p, reduced *r, int64_t cols, bool right, bool inverse)
{
    int64_t n = r->A.n;
    tsl_type t = r->A.t;
    dense C = dense_make(t, right ? cols : n, right ? n : cols, CANARY_FINITE), was;
    dense_random(&C, 5);
    was = dense_copy(&C);
    tsl_matrix *a, *tm, *cm;
    tsl_view A = triangle(r, view_of(p, &r->A, &a)), T = view_of(p, &r->T, &tm), V = view_of(p, &C, &cm);
    tsl_status st = tsl_ormtr_sy2sb(p->x, right ? TSL_RIGHT : TSL_LEFT, inverse ? qr_herm(t) : TSL_NOTRANS, A, T, V);
    if (!st) st = tsl_wait(p->x);
    tsl_matrix_free(a), tsl_matrix_free(tm), tsl_matrix_free(cm);
    tsl_scalar *X = qr_room(n, cols);
    double off = 0;
    for (int64_t j = 0; j < cols; j++)
        for (int64_t i = 0; i < n; i++) X[i + j * n] = right ? conj(dense_get(&was, j, i)) : dense_get(&was, i, j);
    reflect(r, right ? !inverse : inverse, X, cols);
    for (int64_t j = 0; j < cols; j++)
        for (int64_t i = 0; i < n; i++) {
            double d = cabs(X[i + j * n] - (right ? conj(dense_get(&C, j, i)) : dense_get(&C, i, j)));
            off = d <= off ? off : isnan(d) ? INFINITY : d;
        }
    off /= (double)qr_max(1, n) * tsl_type_eps(t);
    check(!st && off < BOUND && !dense_strays(&C, &was, TSL_GENERAL), "%s: %c order %d, kd %d: Q of %d columns, right %d, inverse %d: %s, off %g %s", p->name,
          tsl_type_letter(t), (int)n, (int)r->kd, (int)cols, right, inverse, tsl_status_name(st), off, tsl_error(p->x));
    dense_free(&C), dense_free(&was), free(X);
}

static double orthogonality(const reduced *r)
{
    int64_t n = r->A.n;
    tsl_scalar *Q = qr_room(n, n);
    for (int64_t i = 0; i < n; i++) Q[i + i * n] = 1;
    reflect(r, false, Q, n);
    double off = n ? qr_apart(Q, n, n, r->A.t) : 0;
    free(Q);
    return off;
}

static void reduction(const place *p, tsl_type t, int64_t n, int64_t kd, kind k, bool upper)
{
    reduced r = reduce(p, matrix(t, n, k, upper), kd, upper);
    char who[160];
    snprintf(who, sizeof who, "%s: %c of order %d, kd %d, %s, %s", p->name, tsl_type_letter(t), (int)n, (int)kd, kind_name[k], upper ? "upper" : "lower");
    check(!r.st, "%s: %s %s", who, tsl_status_name(r.st), tsl_error(p->x));
    double off = residual(&r), q = n < 70 || k != ANY ? orthogonality(&r) : 0, values = k == ANY || k == RANK_ONE ? values_apart(&r) : 0;
    check(off < BOUND && q < BOUND && values < BOUND, "%s: residual %g, orthogonality %g, eigenvalues off by %g", who, off, q, values);
    check(kept_apart(&r), "%s: the band is not A's, or something else was written", who);
    if (k == ANY)
        for (int as = 0; as < 4; as++) product(p, &r, 1 + n % 9, as & 1, as & 2);
    done(&r);
}

static const int64_t widths[] = {1, 2, 7, 16, 32, 64};
enum { WIDTHS = sizeof widths / sizeof *widths };

/* Orders up to twice the width, where there are no whole panels, and more; kinds in turn */
static void sizes(const place *p, int64_t most)
{
    for (int w = 0; w < WIDTHS; w++) {
        int64_t kd = widths[w], orders[] = {0, 1, 2, 3, kd, kd + 1, kd + 2, 2 * kd - 1, 2 * kd + 1, 3 * kd + 5, 5 * kd + 3};
        for (int s = 0; s < 11; s++)
            if (orders[s] <= most) {
                reduction(p, all_types[(s + w) % 4], orders[s], kd, ANY, s % 2);
                reduction(p, all_types[(s + w + 1) % 4], orders[s], kd, (kind)((s + w) % KINDS), s / 2 % 2);
            }
    }
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < KINDS; k++) reduction(p, all_types[i], 37, 7, (kind)k, k % 2);
    checked("%s: reduced", p->name);
}

/* One number that is none: no hang, and no band of finite numbers */
static void not_numbers(const place *p)
{
    static const double odd[] = {NAN, INFINITY};
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 2; k++)
            for (int64_t kd = 1; kd <= 16; kd *= 4) {
                dense A = matrix(all_types[i], 33, ANY, false);
                int spoiled = 0;
                dense_put(&A, 32, 0, odd[k]);
                reduced r = reduce(p, A, kd, false);
                for (int64_t j = 0; j < 33; j++)
                    for (int64_t b = 0; b <= kd; b++) spoiled += !scalar_finite(dense_get(&r.AB, b, j));
                check(!r.st && spoiled, "%s: %c, kd %d, %g: %s, the band is finite", p->name, tsl_type_letter(all_types[i]), (int)kd, odd[k], tsl_status_name(r.st));
                done(&r);
            }
    checked("%s: NaN and Inf", p->name);
}

static void on(const char *devices, const char *variant, const char *path, const char *tile, int64_t tiled, int64_t most)
{
    char name[128];
    snprintf(name, sizeof name, "%s, %s, path %s, tile %s, tiled %d", devices, variant, path, tile, (int)tiled);
    place p = {context_on(devices), name, variant, tiled};
    if (!p.x) return;
    check(!tsl_set(p.x, "path", path) && !tsl_set(p.x, "tile", tile), "%s: %s", name, tsl_error(p.x));
    sizes(&p, most);
    not_numbers(&p);
    tsl_context_destroy(p.x);
}

/* The same bits on any number of devices, and where a quarter of the matrix fits a device */
static void any_devices(void)
{
    static const char *const where[] = {"host:1,mem=64M", "host:3", "host:1,mem=330K"};
    enum { N = 400, KD = 16 };
    reduced first = {0};
    for (int w = 0; w < 3; w++) {
        place p = {context_on(where[w]), where[w], "auto", 0};
        if (!p.x) continue;
        check(!tsl_set(p.x, "path", "tiles") && !tsl_set(p.x, "tile", "16"), "%s", tsl_error(p.x));
        reduced r = reduce(&p, matrix(TSL_D, N, ANY, false), KD, false);
        double off = r.st ? 0 : residual(&r);
        check(!r.st && off < BOUND, "%s: %s, residual %g %s", where[w], tsl_status_name(r.st), off, tsl_error(p.x));
        if (w) check(dense_same(&r.A, &first.A) && dense_same(&r.AB, &first.AB) && dense_same(&r.T, &first.T), "%s: other bits than on %s", where[w], where[0]);
        if (!r.st) product(&p, &r, 30, false, false);
        if (w) done(&r);
        else first = r;
        tsl_context_destroy(p.x);
    }
    done(&first);
    checked("the same bits on any devices");
}

static void says(tsl_context *x, tsl_status st, tsl_status want, const char *line)
{
    check(st == want && strstr(tsl_error(x), line), "%s, '%s'; not %s, '%s'", tsl_status_name(st), tsl_error(x), tsl_status_name(want), line);
}

static void refusals(void)
{
    enum { N = 6 };
    tsl_context *x = context_on("host");
    tsl_matrix *A, *C, *B, *D, *R;
    if (!x || tsl_matrix_create(x, TSL_Z, N, N, &A) || tsl_matrix_create(x, TSL_Z, N, N, &C) || tsl_matrix_create(x, TSL_Z, 3, N, &B) ||
        tsl_matrix_create(x, TSL_Z, 2, N, &D) || tsl_matrix_create(x, TSL_D, 2, N, &R)) {
        ok(false, "operands");
        return;
    }
    tsl_view a = tsl_whole(A), l = tsl_lower(a), ab = tsl_whole(B), t = tsl_whole(D), c = tsl_whole(C);
    says(x, tsl_sy2sb(x, a, ab, t), TSL_ERR_UPLO, "sy2sb: A must be a triangle");
    says(x, tsl_sy2sb(x, tsl_upper(a), ab, t), TSL_ERR_UPLO, "sy2sb: A must be a lower triangle");
    says(x, tsl_sy2sb(x, tsl_trans(tsl_upper(a)), ab, t), TSL_ERR_FLAG, "conjugated and transposed");
    says(x, tsl_sy2sb(x, tsl_unit(l), ab, t), TSL_ERR_UPLO, "unit diagonal");
    says(x, tsl_sy2sb(x, l, ab, tsl_whole(R)), TSL_ERR_TYPE, "T is d");
    says(x, tsl_sy2sb(x, l, t, t), TSL_ERR_SHAPE, "a row more than T");
    says(x, tsl_sy2sb(x, l, ab, tsl_sub(t, 0, 0, 2, 5)), TSL_ERR_SHAPE, "T must have as many columns as A");
    says(x, tsl_sy2sb(x, l, ab, tsl_sub(t, 0, 0, 0, N)), TSL_ERR_SHAPE, "a row for each diagonal");
    says(x, tsl_sy2sb(x, l, ab, tsl_sub(ab, 0, 0, 2, N)), TSL_ERR_OVERLAP, "sy2sb: T overlaps AB");
    says(x, tsl_ormtr_sy2sb(x, TSL_LEFT, TSL_NOTRANS, a, t, c), TSL_ERR_UPLO, "ormtr_sy2sb: A must be a triangle");
    says(x, tsl_ormtr_sy2sb(x, TSL_LEFT, TSL_TRANS, l, t, c), TSL_ERR_FLAG, "Q's op is 1");
    says(x, tsl_ormtr_sy2sb(x, (tsl_side)7, TSL_NOTRANS, l, t, c), TSL_ERR_FLAG, "ormtr_sy2sb: no side 7");
    says(x, tsl_ormtr_sy2sb(x, TSL_LEFT, TSL_NOTRANS, l, tsl_sub(t, 0, 0, 2, 5), c), TSL_ERR_SHAPE, "T must have as many columns");
    says(x, tsl_ormtr_sy2sb(x, TSL_LEFT, TSL_NOTRANS, l, t, tsl_sub(c, 0, 0, 5, N)), TSL_ERR_SHAPE, "as many rows as C");
    says(x, tsl_ormtr_sy2sb(x, TSL_LEFT, TSL_NOTRANS, l, t, a), TSL_ERR_OVERLAP, "ormtr_sy2sb: C overlaps A");
    checked("what is refused, and why");
    tsl_matrix_free(A), tsl_matrix_free(C), tsl_matrix_free(B), tsl_matrix_free(D), tsl_matrix_free(R);
    tsl_context_destroy(x);
}

int main(void)
{
    on("host", "auto", "auto", "0", 0, 150);      /* a block is as wide as the library likes */
    on("host", "half", "one", "7", 0, 70);        /* no wider than a panel, but for the narrowest */
    on("host", "whole", "one", "28", 0, 110);     /* by a copy of all of A; several panels a block */
    on("host:3", "auto", "tiles", "32", 0, 110);  /* by tiles */
    on("host:2", "auto", "tiles", "5", 0, 45);    /* that panels do not fit in */
    on("host:2", "auto", "auto", "0", 28, 70);    /* tiled matrices */
    any_devices();
    on("cuda", "auto", "auto", "0", 0, 330);
    on("cuda", "half", "one", "64", 0, 150);
    refusals();
    return tap_done();
}
