/* Incremental QR, on one device and by tiles: its two operations on a pair of tiles by their reflectors, one at a time; factors
 * of every shape, with residual and orthogonality of a Q that is made of products; least squares against LAPACK's; info; the
 * same bits for any devices, policies and limits; allocations that fail; what is refused. */
#include "exec/exec.h"
#include "qr.h"
#include "runtime/runtime.h"
#include "tiled_program.h"

#define BOUND 30.0

/* What brings elements of a kind back to about 1 */
static double scale_of(tsl_type t, qr_kind kind)
{
    return kind == TINY ? (qr_single(t) ? 0x1p80 : 0x1p800) : kind == HUGE_ONES ? (qr_single(t) ? 0x1p-80 : 0x1p-800) : 1;
}

/* ---- pairs of tiles ---- */

/* X, n rows on top of m, := Q X or Q^H X, by the reflectors [e_j; V(:,j)] with factors tau */
static void reflect_pair(const dense *V, const dense *tau, bool inverse, tsl_scalar *X, int64_t columns)
{
    int64_t n = V->n, m = V->m, rows = n + m;
    for (int64_t s = 0; s < n; s++) {
        int64_t j = inverse ? s : n - 1 - s;
        tsl_scalar by = inverse ? conj(dense_get(tau, j, 0)) : dense_get(tau, j, 0);
        for (int64_t c = 0; c < columns; c++) {
            tsl_scalar *x = X + c * rows, sum = x[j];
            for (int64_t i = 0; i < m; i++) sum += conj(dense_get(V, i, j)) * x[n + i];
            sum *= by;
            x[j] -= sum;
            for (int64_t i = 0; i < m; i++) x[n + i] -= sum * dense_get(V, i, j);
        }
    }
}

static tsl_scalar *stacked(const dense *A, bool triangle, const dense *B)
{
    int64_t rows = A->m + B->m;
    tsl_scalar *X = qr_room(rows, A->n);
    for (int64_t j = 0; j < A->n; j++) {
        for (int64_t i = 0; i < A->m; i++) X[i + j * rows] = triangle && i > j ? 0 : dense_get(A, i, j);
        for (int64_t i = 0; i < B->m; i++) X[A->m + i + j * rows] = dense_get(B, i, j);
    }
    return X;
}

/* |X - [A; B]| over |X|, B NULL: zeros */
static double apart(tsl_scalar *X, const dense *A, bool triangle, const dense *B, int64_t rows)
{
    double size = qr_norm(X, rows, A->n);
    for (int64_t j = 0; j < A->n; j++)
        for (int64_t i = 0; i < rows; i++)
            X[i + j * rows] -= i < A->m ? (triangle && i > j ? 0 : dense_get(A, i, j)) : B ? dense_get(B, i - A->m, j) : 0;
    double off = qr_norm(X, rows, A->n);
    return off == 0 ? 0 : off / size;
}

/* ZEROS: R is; TINY, HUGE_ONES: both tiles */
static void pair(tsl_context *x, const char *how, tsl_type t, int64_t n, int64_t m, int64_t ib, int64_t columns, qr_kind kind)
{
    dense U = qr_matrix(t, n, n, kind, 3), A = qr_matrix(t, m, n, kind == ZEROS ? RANDOM : kind, 4),
          T = dense_make(t, ib, n, CANARY_FINITE), tau = qr_factors(t, n);
    dense B1 = qr_matrix(t, n, columns, RANDOM, 5), B2 = qr_matrix(t, m, columns, RANDOM, 6);
    dense was = dense_copy(&U), lower = dense_copy(&A), triangles = dense_copy(&T), factors = dense_copy(&tau), upper = dense_copy(&B1),
          under = dense_copy(&B2);
    tsl_scalar *S = stacked(&U, true, &A), *X = stacked(&B1, false, &B2);
    block u = wrap(x, &U, 0), a = wrap(x, &A, 0), l = wrap(x, &T, 0), q = wrap(x, &tau, 0), b1 = wrap(x, &B1, 0), b2 = wrap(x, &B2, 0);
    char who[128];
    double eps = (double)(n + m) * tsl_type_eps(t), scale = scale_of(t, kind);
    snprintf(who, sizeof who, "%s %c: %d on top of %d, panels of %d, %s", how, tsl_type_letter(t), (int)n, (int)m, (int)ib, qr_kind_name[kind]);
    tsl_status st = tsl_execute(x, &(tsl_call){.op = TSL_OP_TSQRT, .v = {u.v, l.v, q.v, a.v}});
    check(!st, "%s: %s", who, tsl_error(x));
    for (int64_t i = 0; i < (n + m) * n; i++) S[i] *= scale;
    dense R = dense_make(TSL_Z, n, n, 0);
    for (int64_t i = 0; i < n * n; i++) dense_put(&R, i % n, i / n, scale * dense_get(&U, i % n, i / n));
    reflect_pair(&A, &tau, true, S, n);
    double off = apart(S, &R, true, NULL, n + m) / eps;
    check(off < BOUND, "%s: R off by %g", who, off);
    tsl_scalar *Q = qr_room(n + m, n + m);
    for (int64_t i = 0; i < n + m; i++) Q[i + i * (n + m)] = 1;
    reflect_pair(&A, &tau, false, Q, n + m);
    check(qr_apart(Q, n + m, n + m, t) < BOUND, "%s: Q is not unitary", who);
    bool right = true;
    for (int64_t j = 0; j < n; j++) {
        right = right && dense_get(&T, j % qr_min(ib, n), j) == dense_get(&tau, j, 0);
        for (int64_t i = j + 1; i < n; i++) right &= dense_get(&U, i, j) == dense_get(&was, i, j);
        for (int64_t i = j % qr_min(ib, n) + 1; i < ib; i++) right &= dense_get(&T, i, j) == 0;
    }
    check(right, "%s: wrote below R, or T is none", who);
    for (int back = 0; back < 2 && !st; back++) {
        tsl_op trans = back ? TSL_NOTRANS : qr_herm(t);
        st = tsl_execute(x, &(tsl_call){.op = TSL_OP_TSMQR, .trans = trans, .v = {a.v, l.v, b1.v, b2.v}});
        tsl_scalar *Y = qr_room(n + m, columns);
        reflect_pair(&A, &tau, !back, X, columns);
        memcpy(Y, X, (size_t)((n + m) * columns) * sizeof *Y);
        off = apart(Y, &B1, false, &B2, n + m) / eps;
        check(!st && off < BOUND, "%s: %d columns, back %d, off by %g: %s", who, (int)columns, back, off, tsl_error(x));
        free(Y);
    }
    check(!dense_strays(&U, &was, TSL_GENERAL) && !dense_strays(&A, &lower, TSL_GENERAL) && !dense_strays(&T, &triangles, TSL_GENERAL) &&
              !dense_strays(&tau, &factors, TSL_GENERAL) && !dense_strays(&B1, &upper, TSL_GENERAL) &&
              !dense_strays(&B2, &under, TSL_GENERAL),
          "%s: wrote outside", who);
    block all[] = {u, a, l, q, b1, b2};
    dense *made[] = {&U, &A, &T, &tau, &B1, &B2, &was, &lower, &triangles, &factors, &upper, &under, &R};
    for (size_t i = 0; i < COUNT(all); i++) tsl_matrix_free(all[i].mat);
    for (size_t i = 0; i < COUNT(made); i++) dense_free(made[i]);
    free(S), free(X), free(Q);
}

static void pairs(const char *spec, const char *variant)
{
    static const int64_t sizes[][4] = {{1, 1, 1, 1}, {5, 3, 2, 7}, {33, 17, 8, 20}, {20, 50, 7, 33}, {40, 40, 40, 5}, {6, 9, 11, 4}, {48, 48, 32, 40}};
    static const qr_kind kinds[] = {RANDOM, GRADED, DEFICIENT, ZEROS, TINY, HUGE_ONES};
    tsl_context *x = make(spec);
    check(!tsl_set(x, "variant", variant), "%s", tsl_error(x));
    for (int i = 0; i < 4; i++)
        for (size_t s = 0; s < COUNT(sizes); s++)
            for (size_t k = 0; k < COUNT(kinds); k++) pair(x, variant, (tsl_type)i, sizes[s][0], sizes[s][1], sizes[s][2], sizes[s][3], kinds[k]);
    tsl_context_destroy(x);
    checked("%s, %s: pairs of tiles", spec ? spec : "default device", variant);
}

/* ---- factors ---- */

enum { A, T, TAU, C }; /* its operands */

static left with(tsl_type t, int64_t m, int64_t n, int64_t nb, int64_t ib, qr_kind kind)
{
    int64_t count = tsl_pairs(m, n, nb);
    left l = {{qr_matrix(t, m, n, kind, 11), dense_make(t, ib, nb * count, CANARY_FINITE), dense_make(t, nb, count, CANARY_FINITE),
               qr_matrix(t, m, 40, RANDOM, 12)}};
    dense_fill(&l.v[T], 0), dense_fill(&l.v[TAU], 0);
    return l;
}

static left with_given(tsl_type t, bool large) { return large ? with(t, 170, 110, 33, 8, RANDOM) : with(t, 42, 30, 16, 4, RANDOM); }
static left with_tiled(void) { return with(TSL_Z, 83, 50, 16, 4, RANDOM); }
static size_t room_for(tsl_type t, size_t tiles) { return (5 + tiles) * 33 * 33 * tsl_type_size(t) + 32768; } /* a task needs three, and a narrow one */

/* Factored once, used for C := Q^H C and its first columns := Q of them */
static tsl_status factor_and_apply(tsl_context *x, const tsl_view v[], const char *variant, int64_t *info)
{
    (void)info;
    tsl_status st = tsl_set(x, "variant", variant);
    if (!st) st = tsl_geqrf_inc(x, v[A], v[T], v[TAU]);
    if (!st) st = tsl_set(x, "variant", "auto");
    if (!st) st = tsl_ormqr_inc(x, qr_herm(v[A].mat->type), v[A], v[T], v[TAU], v[C]);
    if (!st) st = tsl_ormqr_inc(x, TSL_NOTRANS, v[A], v[T], v[TAU], tsl_block_cols(v[C], 0, 17).A1);
    return st;
}

static dense conditioned(tsl_type t, int64_t m, int64_t n, double scale)
{
    dense M = qr_matrix(t, m, n, RANDOM, (uint64_t)(3 * m + n));
    for (int64_t i = 0; i < m * n; i++) dense_put(&M, i % m, i / m, scale * (dense_get(&M, i % m, i / m) + (i % m == i / m ? 4 : 0)));
    return M;
}

static tsl_status by_arrays(tsl_context *x)
{
    dense M = conditioned(TSL_D, 42, 30, 1), X = qr_matrix(TSL_D, 42, 5, RANDOM, 5);
    tsl_status st = tsl_dgels_inc(x, 42, 30, 5, (double *)M.data, M.ld, (double *)X.data, X.ld, NULL);
    dense_free(&M), dense_free(&X);
    return st;
}

static const program qrinc = {4, with_given, factor_and_apply, by_arrays, {"auto", "right", "late"}, "0", room_for};

/* |A - Q R|, |Q^H Q - I|, and C's first columns back where they were: the worst, in units of rounding; Q is made by products. */
static double off_by(tsl_context *x, const left *l, const left *was, double scale)
{
    tsl_type t = l->v[A].t;
    int64_t m = l->v[A].m, n = l->v[A].n;
    dense Q = dense_make(t, m, m, CANARY_FINITE);
    dense_fill(&Q, 0);
    for (int64_t i = 0; i < m; i++) dense_put(&Q, i, i, 1);
    block a = wrap(x, &l->v[A], 0), h = wrap(x, &l->v[T], 0), tau = wrap(x, &l->v[TAU], 0), q = wrap(x, &Q, 0);
    tsl_status st = tsl_ormqr_inc(x, TSL_NOTRANS, a.v, h.v, tau.v, q.v);
    double eps = (double)m * tsl_type_eps(t), back = 0;
    tsl_scalar *q0 = qr_room(m, m), *r = qr_room(m, n), *first = qr_room(m, n);
    for (int64_t i = 0; i < m * m; i++) q0[i] = dense_get(&Q, i % m, i / m);
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < m; i++) {
            first[i + j * m] = r[i + j * m] = scale * dense_get(&was->v[A], i, j);
            for (int64_t k = 0; k <= j; k++) r[i + j * m] -= q0[i + k * m] * scale * dense_get(&l->v[A], k, j);
        }
    double size = qr_norm(first, m, n), off = qr_norm(r, m, n), worst = st ? INFINITY : off == 0 ? 0 : off / size / eps;
    worst = worse(worst, qr_apart(q0, m, m, t));
    for (int64_t j = 0; j < 17; j++)
        for (int64_t i = 0; i < m; i++) back = worse(back, cabs(dense_get(&was->v[C], i, j) - dense_get(&l->v[C], i, j)));
    worst = worse(worst, back / eps);
    block made[] = {a, h, tau, q};
    for (size_t i = 0; i < COUNT(made); i++) tsl_matrix_free(made[i].mat);
    dense_free(&Q);
    free(q0), free(r), free(first);
    return worst;
}

static double wrong(tsl_context *x, const left *l, const left *was) { return off_by(x, l, was, 1); }

static void factors(const char *spec)
{
    static const int64_t sizes[][4] = {{1, 1, 1, 1},    {33, 33, 16, 4}, {32, 32, 16, 16}, {65, 40, 32, 5},
                                       {40, 30, 64, 8}, {90, 7, 17, 3},  {50, 49, 10, 10}, {48, 16, 16, 8}};
    static const qr_kind kinds[] = {RANDOM, GRADED, ILL, DEFICIENT, ZEROS, ZERO_COLUMN, TINY, HUGE_ONES};
    tsl_context *x = make(spec);
    for (int i = 0; i < 12; i++)
        for (size_t s = 0; s < COUNT(sizes); s++) {
            tsl_type t = (tsl_type)(i % 4);
            qr_kind kind = kinds[((size_t)i + s) % COUNT(kinds)];
            left l = with(t, sizes[s][0], sizes[s][1], sizes[s][2], sizes[s][3], kind), was = left_copy(&qrinc, &l);
            check(!tsl_set(x, "path", i % 3 ? "tiles" : "one"), "%s", tsl_error(x));
            tsl_status st = program_run(&qrinc, x, &l, qrinc.variants[i / 4]);
            check(!st && !tsl_set(x, "path", i % 2 ? "tiles" : "one"), "%s: %s", spec, tsl_error(x));
            double r = st ? INFINITY : off_by(x, &l, &was, scale_of(t, kind));
            check(r < BOUND, "%s %c %s, %d x %d by %d, %d: %g %s", spec, tsl_type_letter(t), qr_kind_name[kind], (int)sizes[s][0],
                  (int)sizes[s][1], (int)sizes[s][2], (int)sizes[s][3], r, tsl_error(x));
            left_free(&l), left_free(&was);
        }
    tsl_context_destroy(x);
    checked("%s: factors, and products with Q", spec);
}

/* ---- least squares ---- */

static void solved(env *e, tsl_type t, int64_t m, int64_t n, int64_t k, double scale)
{
    dense A = conditioned(t, m, n, scale), one = conditioned(t, m, n, 1), B = qr_matrix(t, m, k, RANDOM, 5), first = dense_copy(&B), was = dense_copy(&A);
    job b = {.op = TSL_OP_GELS_INC, .v = {{.d = &A}, {.d = &B}}, .info = -77};
    tsl_scalar *a = qr_room(m, n), *r = qr_room(m, k);
    for (int64_t i = 0; i < m * n; i++) a[i] = dense_get(&one, i % m, i / m);
    for (int64_t i = 0; i < m * k; i++) r[i] = dense_get(&first, i % m, i / m);
    tsl_status st = job_run(e, &b);
    if (LAPACKE_zgels(LAPACK_COL_MAJOR, 'N', (lapack_int)m, (lapack_int)n, (lapack_int)k, (void *)a, (lapack_int)m, (void *)r, (lapack_int)m)) abort();
    double off = 0, size = 0;
    for (int64_t j = 0; j < k; j++)
        for (int64_t i = 0; i < n; i++) {
            double d = cabs(r[i + j * m] - scale * dense_get(&B, i, j));
            off = d <= off ? off : isnan(d) ? INFINITY : d, size = tsl_larger(size, cabs(r[i + j * m]));
        }
    check(!st && b.info == 0 && off < BOUND * size * (double)m * tsl_type_eps(t), "%cgels_inc %d x %d, %d: %s, info %d, off by %g",
          tsl_type_letter(t), (int)m, (int)n, (int)k, tsl_status_name(st), (int)b.info, off);
    check(!dense_strays(&A, &was, TSL_GENERAL) && !dense_strays(&B, &first, TSL_GENERAL), "%d x %d: wrote outside", (int)m, (int)n);
    dense_free(&A), dense_free(&one), dense_free(&B), dense_free(&first), dense_free(&was);
    free(a), free(r);
}

static void one_env(env *e)
{
    static const int64_t sizes[][3] = {{1, 1, 1}, {5, 3, 2}, {33, 33, 1}, {70, 20, 40}, {130, 65, 3}, {97, 96, 17}};
    for (int i = 0; i < 4; i++) {
        tsl_type t = all_types[i];
        for (size_t s = 0; s < COUNT(sizes); s++) {
            solved(e, t, sizes[s][0], sizes[s][1], sizes[s][2], 1);
            solved(e, t, sizes[s][0], sizes[s][1], sizes[s][2], qr_single(t) ? 0x1p-110 : 0x1p-1000);
            solved(e, t, sizes[s][0], sizes[s][1], sizes[s][2], qr_single(t) ? 0x1p110 : 0x1p1000);
        }
        for (int zero = 0; zero < 3; zero++) { /* a column of zeros, zeros, NaN */
            dense A = conditioned(t, 70, 40, 1), B = qr_matrix(t, 70, 3, RANDOM, 5);
            for (int64_t r = 0; r < 70; r++) dense_put(&A, r, 33, 0);
            if (zero == 1) dense_fill(&A, 0);
            if (zero == 2) dense_put(&A, 50, 20, NAN);
            job b = {.op = TSL_OP_GELS_INC, .v = {{.d = &A}, {.d = &B}}, .info = -77};
            tsl_status st = job_run(e, &b);
            check(!st && (zero == 2 || b.info == (zero ? 0 : 34)) && (zero != 1 || dense_get(&B, 69, 2) == 0), "%c: zeros %d, info %d: %s",
                  tsl_type_letter(t), zero, (int)b.info, tsl_status_name(st));
            dense_free(&A), dense_free(&B);
        }
        for (int64_t n = 0; n < 2; n++) { /* no columns, nothing to solve for */
            dense A = conditioned(t, 4, n, 1), B = qr_matrix(t, 4, n ? 0 : 3, RANDOM, 5);
            job b = {.op = TSL_OP_GELS_INC, .v = {{.d = &A}, {.d = &B}}, .info = -77};
            check(job_run(e, &b) == TSL_OK && b.info == 0 && (n || dense_get(&B, 3, 1) == 0), "%c: 4 x %d: info %d", tsl_type_letter(t), (int)n, (int)b.info);
            dense_free(&A), dense_free(&B);
        }
        checked("%s: %cgels_inc", env_name(e), tsl_type_letter(t));
    }
}

/* Where the library chooses the tile the bits do not depend on the number of devices, and a task too large is told before. */
static void chosen(void)
{
    enum { M = 600, N = 400, K = 20 };
    static const char *const specs[] = {"host:1", "host:2", "host:5", "host:1,mem=1M", "host:2,mem=512K"};
    dense first = {0}, A = conditioned(TSL_D, M, N, 1);
    for (size_t s = 0; s < COUNT(specs); s++) {
        tsl_context *x = by_tiles(specs[s], "0");
        dense F = dense_copy(&A), B = qr_matrix(TSL_D, M, K, RANDOM, 3);
        check(!tsl_dgels_inc(x, M, N, K, (double *)F.data, F.ld, (double *)B.data, B.ld, NULL), "%s: %s", specs[s], tsl_error(x));
        double off = 0;
        for (int64_t i = 0; i < N * K && s; i++) off = worse(off, cabs(dense_get(&B, i % N, i / N) - dense_get(&first, i % N, i / N)));
        check(s < 3 ? !s || dense_same(&B, &first) : off < 1e-11, "%s: other bits, %g", specs[s], off);
        for (int d = 0; d < x->device_count; d++) check(x->devices[d].peak <= x->devices[d].limit, "past the limit");
        if (!s) first = dense_copy(&B);
        tsl_context_destroy(x);
        dense_free(&F), dense_free(&B);
    }
    tsl_context *x = by_tiles("host:1,mem=4K", "0");
    dense F = dense_copy(&A), B = qr_matrix(TSL_D, M, K, RANDOM, 3);
    tsl_status st = tsl_dgels_inc(x, M, N, K, (double *)F.data, F.ld, (double *)B.data, B.ld, NULL);
    check(st == TSL_ERR_DEVICE_MEMORY && strstr(tsl_error(x), "needs "), "%s", tsl_error(x));
    tsl_context_destroy(x);
    dense_free(&F), dense_free(&B), dense_free(&first), dense_free(&A);
    checked("tiles the library chooses");
}

static void refused(void)
{
    enum { M = 20, N = 12, NB = 8, IB = 4 }; /* three by two tiles, five pairs */
    tsl_context *x = make("host");
    left l = with(TSL_Z, M, N, NB, IB, RANDOM), other = with(TSL_C, M, N, NB, IB, RANDOM);
    block a = wrap(x, &l.v[A], 0), t = wrap(x, &l.v[T], 0), tau = wrap(x, &l.v[TAU], 0), c = wrap(x, &l.v[C], 0), s = wrap(x, &other.v[A], 0);
    int64_t info;
    check(l.v[TAU].n == 5, "pairs: %d", (int)l.v[TAU].n);
    REFUSED(TSL_ERR_SHAPE, "more columns than rows", tsl_gels_inc(x, tsl_sub(a.v, 0, 0, N - 1, N), c.v, &info));
    REFUSED(TSL_ERR_SHAPE, "as many rows", tsl_gels_inc(x, a.v, tsl_sub(c.v, 0, 0, M - 1, 3), &info));
    REFUSED(TSL_ERR_FLAG, "A is seen", tsl_gels_inc(x, tsl_herm(a.v), c.v, &info));
    REFUSED(TSL_ERR_FLAG, "B is seen", tsl_gels_inc(x, a.v, tsl_herm(c.v), &info));
    REFUSED(TSL_ERR_TYPE, "types differ", tsl_gels_inc(x, s.v, c.v, &info));
    REFUSED(TSL_ERR_OVERLAP, "B overlaps A", tsl_gels_inc(x, a.v, a.v, &info));
    REFUSED(TSL_ERR_SHAPE, "tau must be", tsl_geqrf_inc(x, a.v, t.v, tsl_sub(tau.v, 0, 0, NB, 4)));
    REFUSED(TSL_ERR_SHAPE, "tau must be", tsl_geqrf_inc(x, a.v, tsl_sub(t.v, 0, 0, IB, 39), tau.v));
    REFUSED(TSL_ERR_SHAPE, "tau must be", tsl_geqrf_inc(x, a.v, tsl_sub(t.v, 0, 0, 0, 40), tau.v));
    REFUSED(TSL_ERR_FLAG, "T is seen", tsl_geqrf_inc(x, a.v, tsl_trans(t.v), tau.v));
    REFUSED(TSL_ERR_SHAPE, "as many rows", tsl_ormqr_inc(x, TSL_HERM, a.v, t.v, tau.v, tsl_sub(c.v, 0, 0, 3, 3)));
    REFUSED(TSL_ERR_FLAG, "Q's op is 1", tsl_ormqr_inc(x, TSL_TRANS, a.v, t.v, tau.v, c.v));
    REFUSED(TSL_ERR_FLAG, "C is seen", tsl_ormqr_inc(x, TSL_HERM, a.v, t.v, tau.v, tsl_herm(c.v)));
    check(!tsl_set(x, "variant", "sweep"), "%s", tsl_error(x));
    REFUSED(TSL_ERR_OPTION, "no variant 'sweep'", tsl_gels_inc(x, a.v, c.v, &info));
    check(!tsl_set(x, "variant", "late") && !tsl_gels_inc(x, a.v, c.v, &info) && !info, "%s", tsl_error(x));
    char text[4096];
    check(!tsl_explain(x, "dgels_inc", 4000, 3000, 1, text, sizeof text) && strstr(text, "path: ") && strstr(text, "time: "), "explain: %s", text);
    block made[] = {a, t, tau, c, s};
    for (size_t i = 0; i < COUNT(made); i++) tsl_matrix_free(made[i].mat);
    left_free(&l), left_free(&other);
    tsl_context_destroy(x);
    checked("what is refused, and explained");
}

int main(void)
{
    pairs("host", "leaf");
    pairs("host", "panels");
    pairs("host:1,mem=64M", "panels");
    pairs(NULL, "auto");
    factors("host:1,mem=300K"), factors("host:3"), factors("host");
    for_each_env(one_env);
    program_bits(&qrinc, TSL_D), program_bits(&qrinc, TSL_C);
    chosen();
    for (int i = 0; i < 4; i++) program_tiled(&qrinc, i % 2 ? "host" : "host:2", i / 2, with_tiled, wrong);
    program_failures(&qrinc, "host:2"), program_failures(&qrinc, "host");
    refused();
    return tap_done();
}
