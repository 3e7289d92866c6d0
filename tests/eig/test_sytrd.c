/* Reduction to tridiagonal form, A = Q T Q^H, products with Q, and Q itself: matrices of every kind, both triangles, by every way in. Residuals are by
 * reflectors in double complex; T's sums and, where they are well determined, d and e are LAPACK's. What is refused, and where. */
#include "sytrd.h"

/* LAPACK's own, of a copy */
static void lapack(dense A, const dense *d, const dense *e, const dense *tau, tsl_uplo uplo)
{
    char u = uplo == TSL_LOWER ? 'L' : 'U';
    lapack_int n = (lapack_int)A.n, ld = (lapack_int)A.ld;
    void *a = A.data, *t = tau->data, *di = d->data, *ei = e->data;
    switch (A.t) {
    case TSL_S: LAPACKE_ssytrd_work(LAPACK_COL_MAJOR, u, n, a, ld, di, ei, t, (float[1]){0}, 1); break;
    case TSL_D: LAPACKE_dsytrd_work(LAPACK_COL_MAJOR, u, n, a, ld, di, ei, t, (double[1]){0}, 1); break;
    case TSL_C: LAPACKE_chetrd_work(LAPACK_COL_MAJOR, u, n, a, ld, di, ei, t, (lapack_complex_float[1]){0}, 1); break;
    default: LAPACKE_zhetrd_work(LAPACK_COL_MAJOR, u, n, a, ld, di, ei, t, (lapack_complex_double[1]){0}, 1);
    }
}

static double most_apart(const dense *x, const dense *y)
{
    double most = 0;
    for (int64_t i = 0; i < x->m; i++) {
        double off = fabs(fabs(creal(dense_get(x, i, 0))) - fabs(creal(dense_get(y, i, 0))));
        most = off <= most ? most : isnan(off) ? INFINITY : off;
    }
    return most;
}

typedef struct reduced {
    dense A, d, e, tau, was;
    tsl_uplo uplo;
    tsl_status st;
    int64_t info;
} reduced;

static reduced reduce(env *x, dense A, tsl_uplo uplo)
{
    int64_t n = A.n, less = n ? n - 1 : 0;
    tsl_type t = A.t;
    reduced r = {A, dense_make(real_of(t), n, 1, CANARY_FINITE), dense_make(real_of(t), less, 1, CANARY_FINITE), dense_make(t, less, 1, CANARY_FINITE),
                 dense_copy(&A), uplo, TSL_OK, -77};
    job b = {.op = TSL_OP_SYTRD, .v = {{.d = &r.A, .uplo = uplo}, {.d = &r.d}, {.d = &r.e}, {.d = &r.tau}}, .info = -77};
    r.st = job_run(x, &b);
    r.info = b.info;
    return r;
}

static void done(reduced *r) { dense_free(&r->A), dense_free(&r->d), dense_free(&r->e), dense_free(&r->tau), dense_free(&r->was); }

/* Nothing is written but the triangle and the columns: margins are as they were */
static bool kept_apart(const reduced *r)
{
    dense d = dense_make(r->d.t, r->d.m, 1, CANARY_FINITE), e = dense_make(r->e.t, r->e.m, 1, CANARY_FINITE), tau = dense_make(r->tau.t, r->tau.m, 1, CANARY_FINITE);
    bool kept = !dense_strays(&r->A, &r->was, r->uplo) && !dense_strays(&r->d, &d, TSL_GENERAL) && !dense_strays(&r->e, &e, TSL_GENERAL) &&
                !dense_strays(&r->tau, &tau, TSL_GENERAL);
    dense_free(&d), dense_free(&e), dense_free(&tau);
    return kept;
}

/* T is where LAPACK has it, too: on A's diagonal and beside it. */
static bool holds_t(const reduced *r)
{
    bool same = true;
    for (int64_t i = 0; i < r->A.n; i++) {
        same &= dense_get(&r->A, i, i) == dense_get(&r->d, i, 0);
        if (i + 1 < r->A.n) same &= (r->uplo == TSL_LOWER ? dense_get(&r->A, i + 1, i) : dense_get(&r->A, i, i + 1)) == dense_get(&r->e, i, 0);
    }
    return same;
}

static void reduction(env *x, tsl_type t, int64_t n, eig_kind kind, tsl_uplo uplo)
{
    reduced r = reduce(x, matrix(t, n, kind, uplo), uplo);
    char who[128];
    snprintf(who, sizeof who, "%c of order %d, %s, %s", tsl_type_letter(t), (int)n, kind_name[kind], uplo == TSL_LOWER ? "lower" : "upper");
    double by = kind == EIG_TINY ? (qr_single(t) ? 0x1p100 : 0x1p900) : kind == EIG_HUGE ? (qr_single(t) ? 0x1p-100 : 0x1p-900) : 1;
    check(!r.st && r.info == 0, "%s: %s %s", who, tsl_status_name(r.st), tsl_error(x->ctx));
    double off = residual(&r.was, &r.A, &r.d, &r.e, &r.tau, uplo, by), q = apart(&r.A, &r.tau, uplo);
    check(off < BOUND && q < BOUND, "%s: residual %g, orthogonality %g", who, off, q);
    check(same_sums(&r.was, &r.d, &r.e, uplo, by), "%s: the trace of T, or the sum of its squares, is not A's", who);
    check(holds_t(&r) && kept_apart(&r), "%s: T is not in A, or something else was written", who);
    if (kind == EIG_RANDOM && n && n <= 40) {
        dense A = dense_copy(&r.was), d = dense_copy(&r.d), e = dense_copy(&r.e), tau = dense_copy(&r.tau);
        lapack(A, &d, &e, &tau, uplo);
        double many = 1e3 * (double)n * tsl_type_eps(t), first = most_apart(&r.d, &d), second = most_apart(&r.e, &e);
        check(first < many && second < many, "%s: d is off LAPACK's by %g, e by %g", who, first, second);
        dense_free(&A), dense_free(&d), dense_free(&e), dense_free(&tau);
    }
    done(&r);
}

static const tsl_uplo triangles[] = {TSL_LOWER, TSL_UPPER};
static const int64_t orders[] = {0, 1, 2, 3, 4, 5, 17, 33, 65, 90};
enum { ORDERS = sizeof orders / sizeof *orders };

static void reductions(env *x)
{
    for (int i = 0; i < 4; i++) {
        if (is_left_out(i, 0)) continue;
        for (int s = 0; s < ORDERS; s++)
            for (int kind = 0; kind < EIG_KINDS; kind++)
                if (orders[s] < 40 || kind % 5 == i)
                    for (int u = 0; u < 2; u++) reduction(x, all_types[i], orders[s], (eig_kind)kind, triangles[u]);
        checked("%s: %c reduced", env_name(x), tsl_type_letter(all_types[i]));
    }
}

/* |X - Y| / (n eps), of m x n numbers of size 1 */
static double difference(const tsl_scalar *X, const tsl_scalar *Y, int64_t m, int64_t n, tsl_type t)
{
    double most = 0;
    for (int64_t i = 0; i < m * n; i++) {
        double off = cabs(X[i] - Y[i]);
        most = off <= most ? most : isnan(off) ? INFINITY : off;
    }
    return most / ((double)qr_max(1, qr_max(m, n)) * tsl_type_eps(t));
}

/* C as stored, its conjugate transpose if Q's order is that of its columns */
static tsl_scalar *numbers(const dense *C, bool turned)
{
    int64_t m = turned ? C->n : C->m, n = turned ? C->m : C->n;
    tsl_scalar *X = qr_room(m, n);
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < m; i++) X[i + j * m] = turned ? conj(dense_get(C, j, i)) : dense_get(C, i, j);
    return X;
}

static void product(env *x, reduced *r, int64_t cols, bool right, bool inverse, bool turned)
{
    tsl_type t = r->A.t;
    int64_t n = r->A.n;
    bool across = right != turned;
    dense C = dense_make(t, across ? cols : n, across ? n : cols, CANARY_FINITE);
    dense_random(&C, 5);
    dense was = dense_copy(&C), A = dense_copy(&r->A), tau = dense_copy(&r->tau);
    job b = {.op = TSL_OP_ORMTR, .side = right ? TSL_RIGHT : TSL_LEFT, .trans = inverse ? qr_herm(t) : TSL_NOTRANS,
             .v = {{.d = &A, .uplo = r->uplo}, {.d = &tau}, {.d = &C, .op = turned ? qr_herm(t) : TSL_NOTRANS}}, .info = -77};
    tsl_status st = job_run(x, &b);
    tsl_scalar *X = numbers(&C, across), *Y = numbers(&was, across);
    reflect(&r->A, &r->tau, r->uplo, right ? !inverse : inverse, Y, cols);
    double off = difference(X, Y, n, cols, t);
    check(!st && b.info == 0 && off < BOUND, "%c, order %d, %d columns, %s, right %d, inverse %d, turned %d: %s, off %g %s", tsl_type_letter(t), (int)n, (int)cols,
          r->uplo == TSL_LOWER ? "lower" : "upper", right, inverse, turned, tsl_status_name(st), off, tsl_error(x->ctx));
    check(dense_same(&A, &r->A) && dense_same(&tau, &r->tau) && !dense_strays(&C, &was, TSL_GENERAL), "order %d: wrote elsewhere", (int)n);
    dense_free(&C), dense_free(&was), dense_free(&A), dense_free(&tau), free(X), free(Y);
}

static void formed(env *x, reduced *r)
{
    int64_t n = r->A.n;
    tsl_type t = r->A.t;
    dense A = dense_copy(&r->A), tau = dense_copy(&r->tau);
    job b = {.op = TSL_OP_ORGTR, .v = {{.d = &A, .uplo = r->uplo}, {.d = &tau}}, .info = -77};
    tsl_status st = job_run(x, &b);
    tsl_scalar *X = numbers(&A, false), *Q = q_of(&r->A, &r->tau, r->uplo);
    double off = difference(X, Q, n, n, t), q = n ? qr_apart(X, n, n, t) : 0;
    check(!st && b.info == 0 && off < BOUND && q < BOUND, "%c, order %d, %s: %s, off %g, orthogonality %g %s", tsl_type_letter(t), (int)n,
          r->uplo == TSL_LOWER ? "lower" : "upper", tsl_status_name(st), off, q, tsl_error(x->ctx));
    check(dense_same(&tau, &r->tau) && !dense_strays(&A, &r->A, TSL_GENERAL), "order %d: wrote elsewhere", (int)n);
    dense_free(&A), dense_free(&tau), free(X), free(Q);
}

static void with_q(env *x)
{
    static const int64_t sizes[] = {0, 1, 2, 3, 5, 33, 70};
    for (int i = 0; i < 4; i++) {
        if (is_left_out(i, 1)) continue;
        for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
            for (int u = 0; u < 2; u++) {
                reduced r = reduce(x, matrix(all_types[i], sizes[s], EIG_RANDOM, triangles[u]), triangles[u]);
                for (int as = 0; as < 8; as++)
                    if (!(as & 4) || x->via != VIA_TYPED) product(x, &r, 1 + 7 * (s % 3), as & 1, as & 2, as & 4);
                formed(x, &r);
                done(&r);
            }
        checked("%s: %c: products with Q, and Q", env_name(x), tsl_type_letter(all_types[i]));
    }
}

/* One number that is none: no hang, and no T of finite numbers */
static void not_numbers(env *x)
{
    static const double odd[] = {NAN, INFINITY, -INFINITY};
    for (int i = 0; i < 4; i++)
        for (int u = 0; u < 2; u++)
            for (int k = 0; k < 3; k++)
                for (int64_t n = 1; n <= 70; n += 23) {
                    dense A = matrix(all_types[i], n, EIG_RANDOM, triangles[u]);
                    int64_t row = u ? 0 : n - 1, col = u ? n - 1 : 0;
                    dense_put(&A, row, col, odd[k]);
                    reduced r = reduce(x, A, triangles[u]);
                    int spoiled = 0;
                    for (int64_t j = 0; j < n; j++) {
                        spoiled += !scalar_finite(dense_get(&r.d, j, 0));
                        if (j + 1 < n) spoiled += !scalar_finite(dense_get(&r.e, j, 0));
                    }
                    check(!r.st && spoiled && kept_apart(&r), "%c order %d, %g: %s, %d of T are not finite", tsl_type_letter(all_types[i]), (int)n, odd[k],
                          tsl_status_name(r.st), spoiled);
                    done(&r);
                }
    checked("%s: NaN and Inf", env_name(x));
}

static void by_way(env *x)
{
    reductions(x);
    with_q(x);
    not_numbers(x);
}

/* Panels of every width, also such as cut the last one short, by algorithms; and the leaf. On a GPU the leaf takes what is left after a panel. */
static void variants(const char *devices)
{
    static const char *const names[] = {"panels", "columns", "auto", "leaf"}, *const tiles[] = {"1", "7", "32", "64"};
    env x = {.spec = devices, .via = VIA_WRAPPED, .ctx = context_on(devices)};
    for (int v = 0; x.ctx && v < 4; v++) {
        for (int k = 0; k < 4; k++) {
            if (is_left_out(k, 1)) continue;
            tsl_status st = tsl_set(x.ctx, "variant", names[v]);
            if (!st) st = tsl_set(x.ctx, "tile", tiles[k]);
            check(!st, "%s", tsl_error(x.ctx));
            for (int i = 0; i < 4; i++)
                for (int u = 0; u < 2 && !is_left_out(i, 0); u++) {
                    reduction(&x, all_types[i], 75, EIG_RANDOM, triangles[u]);
                    reduction(&x, all_types[i], 33, EIG_GRADED, triangles[u]);
                    reduction(&x, all_types[i], 97, EIG_REPEATED, triangles[u]);
                }
        }
        checked("%s: by %s", devices, names[v]);
    }
    tsl_context_destroy(x.ctx);
}

/* Several devices: one of them computes it, unless tiles are asked for. */
static void several(void)
{
    static const char *const paths[] = {"auto", "tiles", "one"};
    env x = {.spec = "host:3,mem=64M", .tile = "0", .via = VIA_TYPED, .ctx = context_on("host:3,mem=64M")};
    char text[2048];
    for (int k = 0; x.ctx && k < 3; k++) {
        check(!tsl_set(x.ctx, "path", paths[k]), "%s", tsl_error(x.ctx));
        for (int i = 0; i < 4; i++)
            for (int u = 0; u < 2; u++) reduction(&x, all_types[i], 70, EIG_RANDOM, triangles[u]);
        with_q(&x);
        for (const char *const *name = (const char *const[]){"dsytrd", "zhetrd", "sorgtr", "cungtr", "dormtr", "zunmtr", NULL}; *name; name++) {
            tsl_status st = tsl_explain(x.ctx, *name, 700, 700, 0, text, sizeof text);
            const char *why = k ? "the option \"path\" says so" : "one device computes it",
                *path = k == 1 ? "path: tiles" : "path: one device";
            check(!st && strstr(text, path) && strstr(text, why), "%s: %s, %s", *name, tsl_status_name(st), text);
        }
    }
    if (x.ctx) {
        check(isnan(tsl_flops("dhetrd", 0, 5, 0)) && isnan(tsl_flops("zsytrd", 0, 5, 0)) && isnan(tsl_flops("dungtr", 0, 5, 0)), "names of other types");
        check(tsl_flops("zhetrd", 0, 50, 0) == 4 * tsl_flops("dsytrd", 0, 50, 0), "complex work is not four times as much");
        checked("several devices: %s", x.spec);
    }
    tsl_context_destroy(x.ctx);
}

int main(void)
{
    for_each_env(by_way);
    variants("host");
    variants("cuda");
    several();
    return tap_done();
}
