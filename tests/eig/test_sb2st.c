/* Band to tridiagonal form, A = Q T Q^H, or to a narrower band, and products with Q, which only algorithms call. Residuals are
 * by reflectors in double complex; eigenvalues are LAPACK's. On GPUs both shapes of the kernel. */
#include "ops/ops.h"
#include "qr.h"

#define BOUND 30.0

typedef enum band_kind { BAND_RANDOM, BAND_ZEROS, BAND_DIAGONAL, BAND_HOLES, BAND_OUTER, BAND_GRADED, BAND_KINDS } band_kind;

static tsl_type real_of(tsl_type t) { return t == TSL_C ? TSL_S : t == TSL_Z ? TSL_D : t; }

/* A NaN counts as infinite. */
static double larger(double a, double b) { return isnan(b) ? INFINITY : fmax(a, b); }

/* Element (j + r, j) */
static tsl_scalar element(const dense *r, band_kind kind, int64_t i, int64_t j)
{
    bool there = kind == BAND_ZEROS ? false : kind == BAND_DIAGONAL ? i == 0 : kind == BAND_HOLES ? i == 0 || j / 3 % 2 : kind == BAND_OUTER ? i == 0 || i == r->m - 1 : true;
    return !there ? 0 : kind == BAND_GRADED ? exp2(-20 * (double)j / (double)r->n) * dense_get(r, i, j) : dense_get(r, i, j);
}

/* What is beyond the last row is NaN; a complex diagonal, of which only the real parts count */
static dense band(tsl_type t, int64_t n, int64_t kd, band_kind kind)
{
    dense AB = dense_make(t, kd + 1, n, CANARY_FINITE), r = dense_make(t, kd + 1, n, CANARY_FINITE);
    dense_random(&r, (uint64_t)(n + kd));
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i <= kd; i++) dense_put(&AB, i, j, i + j < n ? element(&r, kind, i, j) : CMPLX(NAN, NAN));
    dense_free(&r);
    return AB;
}

/* To a narrower band, B has kb + 1 rows, and of Q only the last n - kb + 1 rows and columns are not those of I. To tridiagonal
 * form B is T's two diagonals. */
typedef struct chased {
    dense AB, d, e, B, V, tau;
    tsl_status st;
} chased;

static int64_t rows_above(const chased *r) { return r->B.m - 2; }

/* The operation on matrices around these arrays */
static tsl_status run(env *x, tsl_call c, dense *const operand_of[], int count)
{
    tsl_matrix *host[TSL_MAX_OPERANDS] = {0}, *used[TSL_MAX_OPERANDS] = {0};
    tsl_status st = TSL_OK;
    for (int i = 0; i < count && !st; i++) {
        st = job_bind(x, operand_of[i], &host[i], &used[i]);
        if (!st) c.v[i] = job_view(&(operand){.d = operand_of[i]}, used[i]);
    }
    if (!st) st = tsl_execute(x->ctx, &c);
    for (int i = 0; i < count; i++) {
        if (!st && used[i] != host[i]) st = tsl_copy(x->ctx, tsl_whole(used[i]), tsl_whole(host[i]));
        if (used[i] != host[i]) tsl_matrix_free(used[i]);
        tsl_matrix_free(host[i]);
    }
    return st;
}

/* kb 0: to tridiagonal form */
static chased chase(env *x, dense AB, int64_t kb, bool keep)
{
    int64_t n = AB.n, kd = qr_max(1, AB.m - 1), less = n ? n - 1 : 0, order = keep ? qr_max(0, kb ? n - kb + 1 : n) : 0;
    tsl_type real = real_of(AB.t);
    chased r = {AB, dense_make(real, n, 1, CANARY_FINITE), dense_make(real, less, 1, CANARY_FINITE), dense_make(AB.t, qr_max(kb, 1) + 1, n, CANARY_FINITE),
                dense_make(AB.t, order, order, CANARY_FINITE), dense_make(AB.t, keep ? (n + kd - 1) / kd : 0, order, CANARY_FINITE), TSL_OK};
    if (kb) {
        r.st = run(x, (tsl_call){.op = TSL_OP_SB2SB}, (dense *const[]){&r.AB, &r.B, &r.V, &r.tau}, 4);
        return r;
    }
    r.st = run(x, (tsl_call){.op = TSL_OP_SB2ST}, (dense *const[]){&r.AB, &r.d, &r.e, &r.V, &r.tau}, 5);
    for (int64_t j = 0; j < n; j++) dense_put(&r.B, 0, j, dense_get(&r.d, j, 0)), dense_put(&r.B, 1, j, j + 1 < n ? dense_get(&r.e, j, 0) : 0);
    return r;
}

/* Elements (i, j) .. of a, as a matrix; and back */
static dense part(const dense *a, int64_t i, int64_t j, int64_t m, int64_t n)
{
    dense p = dense_make(a->t, m, n, CANARY_FINITE);
    for (int64_t k = 0; k < m * n; k++) dense_put(&p, k % m, k / m, dense_get(a, i + k % m, j + k / m));
    return p;
}

static void put_back(dense *p, const dense *a, int64_t i, int64_t j)
{
    for (int64_t k = 0; k < p->m * p->n; k++) dense_put(a, i + k % p->m, j + k / p->m, dense_get(p, k % p->m, k / p->m));
    dense_free(p);
}

/* To tridiagonal form, so many sweeps at a time */
static chased chase_some(env *x, dense AB, int64_t wide)
{
    int64_t n = AB.n, kd = qr_max(1, qr_min(AB.m - 1, n - 1)), chunks = (n + kd - 2) / kd;
    tsl_type real = real_of(AB.t);
    chased r = {AB, dense_make(real, n, 1, CANARY_FINITE), dense_make(real, n - 1, 1, CANARY_FINITE), dense_make(AB.t, 2, n, CANARY_FINITE),
                dense_make(AB.t, n, n, CANARY_FINITE), dense_make(AB.t, chunks, n, CANARY_FINITE), TSL_OK};
    dense W = dense_make(AB.t, 2 * kd, n, CANARY_FINITE);
    dense_fill(&W, 0), dense_fill(&r.V, 0), dense_fill(&r.tau, 0);
    for (int64_t k = 0; k < n * qr_min(AB.m, 2 * kd); k++) dense_put(&W, k / n, k % n, dense_get(&AB, k / n, k % n));
    for (int64_t s = 0, w; s < n - 1 && !r.st; s += w) {
        w = qr_min(wide, n - 1 - s);
        dense now = part(&W, 0, s, W.m, n - s), d = part(&r.d, s, 0, n - s, 1), e = part(&r.e, s, 0, n - s - 1, 1),
              V = part(&r.V, s, s, n - s, w), tau = part(&r.tau, 0, s, chunks, w);
        r.st = run(x, (tsl_call){.op = TSL_OP_SB2ST_SOME, .k = w}, (dense *const[]){&now, &d, &e, &V, &tau}, 5);
        put_back(&now, &W, 0, s), put_back(&d, &r.d, s, 0), put_back(&e, &r.e, s, 0), put_back(&V, &r.V, s, s), put_back(&tau, &r.tau, 0, s);
    }
    for (int64_t j = 0; j < n; j++) dense_put(&r.B, 0, j, dense_get(&r.d, j, 0)), dense_put(&r.B, 1, j, j + 1 < n ? dense_get(&r.e, j, 0) : 0);
    dense_free(&W);
    return r;
}

static void done(chased *r) { dense_free(&r->AB), dense_free(&r->d), dense_free(&r->e), dense_free(&r->B), dense_free(&r->V), dense_free(&r->tau); }

/* X := Q X, or Q^H X, of `cols` columns */
static void reflect(const chased *r, bool inverse, tsl_scalar *X, int64_t cols)
{
    int64_t ld = r->AB.n, kd = qr_max(1, r->AB.m - 1), n = r->V.n;
    X += ld - n;
    for (int64_t k = 0; k + 1 < n; k++) {
        int64_t s = inverse ? k : n - 2 - k;
        for (int64_t t = 0; s + 1 + t * kd < n; t++) {
            int64_t row = s + 1 + t * kd, end = qr_min(n, row + kd);
            tsl_scalar by = inverse ? conj(dense_get(&r->tau, t, s)) : dense_get(&r->tau, t, s);
            for (int64_t j = 0; j < cols; j++) {
                tsl_scalar sum = 0;
                for (int64_t i = row; i < end; i++) sum += conj(dense_get(&r->V, i, s)) * X[i + j * ld];
                for (int64_t i = row; i < end; i++) X[i + j * ld] -= by * sum * dense_get(&r->V, i, s);
            }
        }
    }
}

static tsl_scalar *whole(const dense *AB)
{
    int64_t n = AB->n;
    tsl_scalar *A = qr_room(n, n);
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = j; i < qr_min(n, j + AB->m); i++) {
            tsl_scalar v = i == j ? creal(dense_get(AB, 0, j)) : dense_get(AB, i - j, j);
            A[i + j * n] = v, A[j + i * n] = conj(v);
        }
    return A;
}

/* |A Q - Q B| / (|A| n eps), and how far Q is from unitary */
static double residual(const chased *r, double *apart)
{
    int64_t n = r->AB.n;
    tsl_scalar *A = whole(&r->AB), *B = whole(&r->B), *Q = qr_room(n, n), *X = qr_room(n, n);
    for (int64_t i = 0; i < n; i++) Q[i + i * n] = 1;
    reflect(r, false, Q, n);
    *apart = n ? qr_apart(Q, n, n, r->AB.t) : 0;
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < n; i++) {
            tsl_scalar v = 0;
            for (int64_t k = qr_max(0, j - r->B.m + 1); k < qr_min(n, j + r->B.m); k++) v -= Q[i + k * n] * B[k + j * n];
            for (int64_t k = qr_max(0, i - r->AB.m + 1); k < qr_min(n, i + r->AB.m); k++) v += A[i + k * n] * Q[k + j * n];
            X[i + j * n] = v;
        }
    double size = qr_norm(A, n, n), off = qr_norm(X, n, n);
    free(A), free(B), free(Q), free(X);
    return off == 0 ? 0 : off / size / ((double)n * tsl_type_eps(r->AB.t));
}

/* The largest difference of the result's eigenvalues from the band's, of its size, / (n eps); both in double */
static double values_apart(const chased *r)
{
    lapack_int n = (lapack_int)r->AB.n;
    tsl_scalar *A = whole(&r->AB), *B = whole(&r->B);
    double *w = malloc((size_t)(n + 1) * sizeof *w), *d = malloc((size_t)(n + 1) * sizeof *d), most = 0, size = 0;
    if (!w || !d || LAPACKE_zheevd(LAPACK_COL_MAJOR, 'N', 'L', n, A, n, w) || LAPACKE_zheevd(LAPACK_COL_MAJOR, 'N', 'L', n, B, n, d)) abort();
    for (lapack_int i = 0; i < n; i++) most = larger(most, fabs(d[i] - w[i])), size = tsl_larger(size, fabs(w[i]));
    free(A), free(B), free(w), free(d);
    return most == 0 ? 0 : most / size / ((double)n * tsl_type_eps(r->AB.t));
}

/* Nothing is written but what is to be; the band is as it was; without reflectors the result has the same bits */
static bool in_place(env *x, const chased *r, int64_t kb, const dense *was)
{
    chased same = chase(x, dense_copy(was), kb, false);
    bool good = !same.st && dense_same(&r->AB, was) && dense_same(&same.d, &r->d) && dense_same(&same.e, &r->e) && dense_same(&same.B, &r->B);
    dense V = dense_make(r->V.t, r->V.m, r->V.n, CANARY_FINITE), tau = dense_make(r->tau.t, r->tau.m, r->tau.n, CANARY_FINITE);
    good &= !dense_strays(&r->V, &V, TSL_GENERAL) && !dense_strays(&r->tau, &tau, TSL_GENERAL);
    dense_free(&V), dense_free(&tau), done(&same);
    return good;
}

static void product(env *x, chased *r, int64_t cols, bool inverse)
{
    tsl_type t = r->AB.t;
    int64_t n = r->V.n;
    dense C = dense_make(t, n, cols, CANARY_FINITE);
    dense_random(&C, 5);
    dense was = dense_copy(&C), V = dense_copy(&r->V);
    int64_t above = rows_above(r), ld = n + above;
    tsl_scalar *X = qr_room(ld, cols);
    for (int64_t i = 0; i < n * cols; i++) X[above + i % n + i / n * ld] = dense_get(&C, i % n, i / n);
    reflect(r, inverse, X, cols);
    tsl_call c = {.op = TSL_OP_ORMTR_SB2ST, .k = r->AB.m - 1, .trans = inverse ? qr_herm(t) : TSL_NOTRANS};
    tsl_status st = run(x, c, (dense *const[]){&r->V, &r->tau, &C}, 3);
    double most = 0;
    for (int64_t i = 0; i < n * cols; i++) most = larger(most, cabs(X[above + i % n + i / n * ld] - dense_get(&C, i % n, i / n)));
    check(!st && most < BOUND * (double)n * tsl_type_eps(t) && dense_same(&V, &r->V) && !dense_strays(&C, &was, TSL_GENERAL), "%c order %d, kd %d, %d columns, inverse %d: %s, off %g, %s",
          tsl_type_letter(t), (int)n, (int)r->AB.m - 1, (int)cols, inverse, tsl_status_name(st), most, tsl_error(x->ctx));
    dense_free(&C), dense_free(&was), dense_free(&V), free(X);
}

/* The same product, by so many sweeps at a time */
static void product_some(env *x, chased *r, int64_t cols, bool inverse, int64_t wide)
{
    tsl_type t = r->AB.t;
    int64_t n = r->V.n, pieces = (n - 2 + wide) / wide;
    dense C = dense_make(t, n, cols, CANARY_FINITE);
    dense_random(&C, 5);
    tsl_scalar *X = qr_room(n, cols);
    for (int64_t i = 0; i < n * cols; i++) X[i] = dense_get(&C, i % n, i / n);
    reflect(r, inverse, X, cols);
    tsl_status st = TSL_OK;
    for (int64_t i = 0; i < pieces && !st; i++) {
        int64_t s = (inverse ? i : pieces - 1 - i) * wide, w = qr_min(wide, n - 1 - s);
        dense V = part(&r->V, s, s, n - s, w), tau = part(&r->tau, 0, s, r->tau.m, w), below = part(&C, s, 0, n - s, cols);
        tsl_call c = {.op = TSL_OP_ORMTR_SB2ST, .k = r->AB.m - 1, .trans = inverse ? qr_herm(t) : TSL_NOTRANS};
        st = run(x, c, (dense *const[]){&V, &tau, &below}, 3);
        put_back(&below, &C, s, 0), dense_free(&V), dense_free(&tau);
    }
    double most = 0;
    for (int64_t i = 0; i < n * cols; i++) most = larger(most, cabs(X[i] - dense_get(&C, i % n, i / n)));
    check(!st && most < BOUND * (double)n * tsl_type_eps(t), "%c order %d, kd %d, by %d sweeps, inverse %d: %s, off %g, %s", tsl_type_letter(t), (int)n,
          (int)r->AB.m - 1, (int)wide, inverse, tsl_status_name(st), most, tsl_error(x->ctx));
    dense_free(&C), free(X);
}

static void some_sweeps(env *x)
{
    static const int64_t cases[][3] = {{2, 1, 1}, {5, 2, 1}, {9, 20, 4}, {41, 3, 5}, {41, 8, 16}, {41, 33, 7}, {70, 1, 9}, {150, 32, 64}, {300, 64, 64}, {300, 64, 100}, {200, 80, 80}, {530, 4, 128}};
    for (int i = 0; i < 4; i++) {
        for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
            int64_t n = cases[k][0], kd = cases[k][1], wide = cases[k][2];
            if (n > 150 && x->spec[0] != 'c') continue;
            chased r = chase_some(x, band(all_types[i], n, kd, k % 2 ? BAND_RANDOM : BAND_GRADED), wide);
            double apart = 0, off = r.st ? INFINITY : residual(&r, &apart), values = r.st ? 0 : values_apart(&r);
            check(!r.st && off < BOUND && apart < BOUND && values < BOUND, "%c order %d, kd %d, by %d sweeps: %s, residual %g, orthogonality %g, eigenvalues %g, %s",
                  tsl_type_letter(all_types[i]), (int)n, (int)kd, (int)wide, tsl_status_name(r.st), off, apart, values, tsl_error(x->ctx));
            for (int inverse = 0; inverse < 2 && !r.st; inverse++) product_some(x, &r, 5, inverse, wide);
            done(&r);
        }
        checked("%s: %c by some sweeps at a time", env_name(x), tsl_type_letter(all_types[i]));
    }
}

static void reduction(env *x, tsl_type t, int64_t n, int64_t kd, int64_t kb, band_kind kind)
{
    dense was = band(t, n, kd, kind);
    chased r = chase(x, dense_copy(&was), kb, true);
    double apart = 0, off = r.st ? INFINITY : residual(&r, &apart), values = r.st || !n ? 0 : values_apart(&r);
    check(!r.st && off < BOUND && apart < BOUND && values < BOUND, "%c order %d, kd %d, kb %d, kind %d: %s, residual %g, orthogonality %g, eigenvalues %g, %s", tsl_type_letter(t), (int)n, (int)kd,
          (int)kb, kind, tsl_status_name(r.st), off, apart, values, tsl_error(x->ctx));
    check(in_place(x, &r, kb, &was), "%c order %d, kd %d: other bits without reflectors, or something else was written", tsl_type_letter(t), (int)n, (int)kd);
    for (int i = 0; i < 2 && r.V.n; i++) product(x, &r, i ? 1 : 7, i);
    dense_free(&was), done(&r);
}

static void reductions(env *x)
{
    static const int64_t orders[] = {0, 1, 2, 3, 5, 18, 41}, widths[] = {0, 1, 2, 3, 8, 33};
    for (int i = 0; i < 4; i++) {
        for (int s = 0; s < 7; s++)
            for (int w = 0; w < 6; w++)
                for (int kind = 0; kind < BAND_KINDS; kind++)
                    if (orders[s] < 10 || kind % 5 == i) reduction(x, all_types[i], orders[s], widths[w], 0, (band_kind)kind);
        reduction(x, all_types[i], 150, 32, 0, BAND_RANDOM);
        if (x->spec[0] == 'c') reduction(x, all_types[i], 300, 64, 0, BAND_RANDOM), reduction(x, all_types[i], 300, 7, 0, BAND_OUTER), reduction(x, all_types[i], 200, 80, 0, BAND_RANDOM);
        checked("%s: %c chased", env_name(x), tsl_type_letter(all_types[i]));
    }
}

static void narrower_bands(env *x)
{
    static const int64_t orders[] = {0, 1, 2, 3, 7, 19, 40}, widths[][2] = {{1, 1}, {2, 1}, {3, 2}, {6, 2}, {9, 8}, {9, 5}, {17, 1}, {50, 20}, {8, 8}};
    for (int i = 0; i < 4; i++) {
        for (int s = 0; s < 7; s++)
            for (int w = 0; w < 9; w++)
                for (int kind = 0; kind < BAND_KINDS; kind++)
                    if (orders[s] < 8 || (kind + w) % 5 == i) reduction(x, all_types[i], orders[s], widths[w][0], widths[w][1], (band_kind)kind);
        if (x->spec[0] == 'c') reduction(x, all_types[i], 300, 64, 32, BAND_RANDOM), reduction(x, all_types[i], 210, 90, 33, BAND_RANDOM);
        checked("%s: %c to a narrower band", env_name(x), tsl_type_letter(all_types[i]));
    }
}

/* One number that is none: no hang, and no T of finite numbers */
static void not_numbers(env *x)
{
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 2; k++) {
            dense AB = band(all_types[i], 40, 6, BAND_RANDOM);
            dense_put(&AB, 3, 8, k ? INFINITY : NAN);
            chased r = chase(x, AB, k ? 2 : 0, true);
            int spoiled = 0;
            for (int64_t j = 0; j < 39; j++) spoiled += !isfinite(creal(dense_get(&r.B, 0, j))) + !isfinite(cabs(dense_get(&r.B, 1, j)));
            check(!r.st && spoiled, "%c: %s, all of the result is finite", tsl_type_letter(all_types[i]), tsl_status_name(r.st));
            done(&r);
        }
    checked("%s: NaN and Inf", env_name(x));
}

static void on(const char *devices)
{
    env x = {.spec = devices, .tile = "0", .ctx = context_on(devices)};
    for (x.via = VIA_WRAPPED; x.ctx && x.via < VIA_COUNT; x.via++) {
        if (x.via == VIA_TYPED) continue;
        reductions(&x), narrower_bands(&x), not_numbers(&x), some_sweeps(&x);
    }
    if (x.ctx && devices[0] == 'c') { /* by rounds */
        check(!tsl_set(x.ctx, "shape", "2"), "%s", tsl_error(x.ctx));
        reductions(&x), not_numbers(&x), some_sweeps(&x);
    }
    tsl_context_destroy(x.ctx);
}

static void says(env *x, tsl_call c, dense *const operand_of[], int count, tsl_status want, const char *line)
{
    tsl_status st = run(x, c, operand_of, count);
    check(st == want && strstr(tsl_error(x->ctx), line), "%s, '%s'; not %s, '%s'", tsl_status_name(st), tsl_error(x->ctx), tsl_status_name(want), line);
}

static void refusals(void)
{
    env x = {.spec = "host", .tile = "0", .ctx = context_on("host"), .via = VIA_WRAPPED};
    dense AB = band(TSL_Z, 9, 2, BAND_RANDOM), d = dense_make(TSL_D, 9, 1, CANARY_FINITE), e = dense_make(TSL_D, 8, 1, CANARY_FINITE), V = dense_make(TSL_Z, 9, 9, CANARY_FINITE),
          tau = dense_make(TSL_Z, 4, 9, CANARY_FINITE), less = dense_make(TSL_Z, 3, 9, CANARY_FINITE), C = dense_make(TSL_Z, 9, 2, CANARY_FINITE), none = dense_make(TSL_Z, 0, 0, CANARY_FINITE);
    dense W = dense_make(TSL_Z, 4, 9, CANARY_FINITE);
    tsl_call some = {.op = TSL_OP_SB2ST_SOME}, chase_it = {.op = TSL_OP_SB2ST}, narrow_it = {.op = TSL_OP_SB2SB}, apply = {.op = TSL_OP_ORMTR_SB2ST, .k = 2};
    says(&x, chase_it, (dense *const[]){&AB, &e, &e, &V, &tau}, 5, TSL_ERR_SHAPE, "d is 8 x 1");
    says(&x, chase_it, (dense *const[]){&AB, &d, &d, &V, &tau}, 5, TSL_ERR_SHAPE, "e is 9 x 1");
    says(&x, chase_it, (dense *const[]){&AB, &d, &e, &C, &tau}, 5, TSL_ERR_SHAPE, "V must be square");
    says(&x, chase_it, (dense *const[]){&AB, &d, &e, &none, &tau}, 5, TSL_ERR_SHAPE, "V must be square");
    says(&x, chase_it, (dense *const[]){&AB, &d, &e, &V, &less}, 5, TSL_ERR_SHAPE, "tau must have");
    some.k = 3;
    says(&x, some, (dense *const[]){&AB, &d, &e, &none, &none}, 5, TSL_ERR_SHAPE, "W must have two rows");
    says(&x, some, (dense *const[]){&W, &d, &e, &V, &tau}, 5, TSL_ERR_SHAPE, "V must have a column for each sweep");
    some.k = 9;
    says(&x, some, (dense *const[]){&W, &d, &e, &V, &tau}, 5, TSL_ERR_SHAPE, "there are less sweeps");
    says(&x, narrow_it, (dense *const[]){&AB, &V, &none, &none}, 4, TSL_ERR_SHAPE, "B must have 2 rows or more, and no more than AB");
    says(&x, narrow_it, (dense *const[]){&AB, &C, &none, &none}, 4, TSL_ERR_SHAPE, "B must have AB's order");
    says(&x, narrow_it, (dense *const[]){&AB, &less, &V, &tau}, 4, TSL_ERR_SHAPE, "V must be square");
    says(&x, apply, (dense *const[]){&less, &tau, &C}, 3, TSL_ERR_SHAPE, "V must be square");
    says(&x, apply, (dense *const[]){&C, &tau, &C}, 3, TSL_ERR_SHAPE, "tau must have a column"); /* V is of some sweeps */
    says(&x, apply, (dense *const[]){&V, &less, &C}, 3, TSL_ERR_SHAPE, "tau must have");
    apply.trans = TSL_TRANS;
    says(&x, apply, (dense *const[]){&V, &tau, &C}, 3, TSL_ERR_FLAG, "Q's op is 1");
    checked("what is refused, and why");
    dense_free(&W);
    dense_free(&AB), dense_free(&d), dense_free(&e), dense_free(&V), dense_free(&tau), dense_free(&less), dense_free(&C), dense_free(&none);
    tsl_context_destroy(x.ctx);
}

int main(void)
{
    on("host");
    on("cuda");
    refusals();
    return tap_done();
}
