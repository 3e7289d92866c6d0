/* Band to tridiagonal form, A = Q T Q^H, and products with Q, which only algorithms call. Residuals are by reflectors in double complex; eigenvalues are LAPACK's.
 * On GPUs both shapes of the kernel. */
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

typedef struct chased {
    dense AB, d, e, V, tau;
    tsl_status st;
} chased;

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

static chased chase(env *x, dense AB, bool keep)
{
    int64_t n = AB.n, kd = qr_max(1, AB.m - 1), less = n ? n - 1 : 0;
    chased r = {AB, dense_make(real_of(AB.t), n, 1, CANARY_FINITE), dense_make(real_of(AB.t), less, 1, CANARY_FINITE),
                dense_make(AB.t, keep ? n : 0, keep ? n : 0, CANARY_FINITE), dense_make(AB.t, keep ? (n + kd - 1) / kd : 0, keep ? n : 0, CANARY_FINITE), TSL_OK};
    r.st = run(x, (tsl_call){.op = TSL_OP_SB2ST}, (dense *const[]){&r.AB, &r.d, &r.e, &r.V, &r.tau}, 5);
    return r;
}

static void done(chased *r) { dense_free(&r->AB), dense_free(&r->d), dense_free(&r->e), dense_free(&r->V), dense_free(&r->tau); }

/* X := Q X, or Q^H X, of `cols` columns */
static void reflect(const chased *r, bool inverse, tsl_scalar *X, int64_t cols)
{
    int64_t n = r->AB.n, kd = qr_max(1, r->AB.m - 1);
    for (int64_t k = 0; k + 1 < n; k++) {
        int64_t s = inverse ? k : n - 2 - k;
        for (int64_t t = 0; s + 1 + t * kd < n; t++) {
            int64_t row = s + 1 + t * kd, end = qr_min(n, row + kd);
            tsl_scalar by = inverse ? conj(dense_get(&r->tau, t, s)) : dense_get(&r->tau, t, s);
            for (int64_t j = 0; j < cols; j++) {
                tsl_scalar sum = 0;
                for (int64_t i = row; i < end; i++) sum += conj(dense_get(&r->V, i, s)) * X[i + j * n];
                for (int64_t i = row; i < end; i++) X[i + j * n] -= by * sum * dense_get(&r->V, i, s);
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

/* |A Q - Q T| / (|A| n eps), and how far Q is from unitary */
static double residual(const chased *r, double *apart)
{
    int64_t n = r->AB.n;
    tsl_scalar *A = whole(&r->AB), *Q = qr_room(n, n), *X = qr_room(n, n);
    for (int64_t i = 0; i < n; i++) Q[i + i * n] = 1;
    reflect(r, false, Q, n);
    *apart = n ? qr_apart(Q, n, n, r->AB.t) : 0;
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < n; i++) {
            tsl_scalar v = -Q[i + j * n] * dense_get(&r->d, j, 0);
            if (j > 0) v -= Q[i + (j - 1) * n] * dense_get(&r->e, j - 1, 0);
            if (j + 1 < n) v -= Q[i + (j + 1) * n] * dense_get(&r->e, j, 0);
            for (int64_t k = qr_max(0, i - r->AB.m + 1); k < qr_min(n, i + r->AB.m); k++) v += A[i + k * n] * Q[k + j * n];
            X[i + j * n] = v;
        }
    double size = qr_norm(A, n, n), off = qr_norm(X, n, n);
    free(A), free(Q), free(X);
    return off == 0 ? 0 : off / size / ((double)n * tsl_type_eps(r->AB.t));
}

/* The largest difference of T's eigenvalues from the band's, of its size, / (n eps); both in double */
static double values_apart(const chased *r)
{
    lapack_int n = (lapack_int)r->AB.n;
    tsl_scalar *A = whole(&r->AB);
    double *w = malloc((size_t)(n + 1) * sizeof *w), *d = malloc((size_t)(n + 1) * sizeof *d), *e = malloc((size_t)(n + 1) * sizeof *e), most = 0, size = 0;
    if (!w || !d || !e || LAPACKE_zheevd(LAPACK_COL_MAJOR, 'N', 'L', n, A, n, w)) abort();
    for (lapack_int i = 0; i < n; i++) d[i] = creal(dense_get(&r->d, i, 0)), e[i] = i + 1 < n ? creal(dense_get(&r->e, i, 0)) : 0;
    if (LAPACKE_dsterf(n, d, e)) abort();
    for (lapack_int i = 0; i < n; i++) most = larger(most, fabs(d[i] - w[i])), size = fmax(size, fabs(w[i]));
    free(A), free(w), free(d), free(e);
    return most == 0 ? 0 : most / size / ((double)n * tsl_type_eps(r->AB.t));
}

/* Nothing is written but what is to be; the band is as it was; without reflectors T has the same bits */
static bool in_place(env *x, const chased *r, const dense *was)
{
    chased same = chase(x, dense_copy(was), false);
    bool good = !same.st && dense_same(&r->AB, was) && dense_same(&same.d, &r->d) && dense_same(&same.e, &r->e);
    dense V = dense_make(r->V.t, r->V.m, r->V.n, CANARY_FINITE), tau = dense_make(r->tau.t, r->tau.m, r->tau.n, CANARY_FINITE);
    good &= !dense_strays(&r->V, &V, TSL_GENERAL) && !dense_strays(&r->tau, &tau, TSL_GENERAL);
    dense_free(&V), dense_free(&tau), done(&same);
    return good;
}

static void product(env *x, chased *r, int64_t cols, bool inverse)
{
    tsl_type t = r->AB.t;
    int64_t n = r->AB.n;
    dense C = dense_make(t, n, cols, CANARY_FINITE);
    dense_random(&C, 5);
    dense was = dense_copy(&C), V = dense_copy(&r->V);
    tsl_scalar *X = qr_room(n, cols);
    for (int64_t i = 0; i < n * cols; i++) X[i] = dense_get(&C, i % n, i / n);
    reflect(r, inverse, X, cols);
    tsl_call c = {.op = TSL_OP_ORMTR_SB2ST, .k = r->AB.m - 1, .trans = inverse ? qr_herm(t) : TSL_NOTRANS};
    tsl_status st = run(x, c, (dense *const[]){&r->V, &r->tau, &C}, 3);
    double most = 0;
    for (int64_t i = 0; i < n * cols; i++) most = larger(most, cabs(X[i] - dense_get(&C, i % n, i / n)));
    check(!st && most < BOUND * (double)n * tsl_type_eps(t) && dense_same(&V, &r->V) && !dense_strays(&C, &was, TSL_GENERAL), "%c order %d, kd %d, %d columns, inverse %d: %s, off %g, %s",
          tsl_type_letter(t), (int)n, (int)r->AB.m - 1, (int)cols, inverse, tsl_status_name(st), most, tsl_error(x->ctx));
    dense_free(&C), dense_free(&was), dense_free(&V), free(X);
}

static void reduction(env *x, tsl_type t, int64_t n, int64_t kd, band_kind kind)
{
    dense was = band(t, n, kd, kind);
    chased r = chase(x, dense_copy(&was), true);
    double apart = 0, off = r.st ? INFINITY : residual(&r, &apart), values = r.st || !n ? 0 : values_apart(&r);
    check(!r.st && off < BOUND && apart < BOUND && values < BOUND, "%c order %d, kd %d, kind %d: %s, residual %g, orthogonality %g, eigenvalues %g, %s", tsl_type_letter(t), (int)n, (int)kd,
          kind, tsl_status_name(r.st), off, apart, values, tsl_error(x->ctx));
    check(in_place(x, &r, &was), "%c order %d, kd %d: other bits without reflectors, or something else was written", tsl_type_letter(t), (int)n, (int)kd);
    for (int i = 0; i < 2 && n; i++) product(x, &r, i ? 1 : 7, i);
    dense_free(&was), done(&r);
}

static void reductions(env *x)
{
    static const int64_t orders[] = {0, 1, 2, 3, 5, 18, 41}, widths[] = {0, 1, 2, 3, 8, 33};
    for (int i = 0; i < 4; i++) {
        for (int s = 0; s < 7; s++)
            for (int w = 0; w < 6; w++)
                for (int kind = 0; kind < BAND_KINDS; kind++)
                    if (orders[s] < 10 || kind % 5 == i) reduction(x, all_types[i], orders[s], widths[w], (band_kind)kind);
        reduction(x, all_types[i], 150, 32, BAND_RANDOM);
        if (x->spec[0] == 'c') reduction(x, all_types[i], 300, 64, BAND_RANDOM), reduction(x, all_types[i], 300, 7, BAND_OUTER), reduction(x, all_types[i], 200, 80, BAND_RANDOM);
        checked("%s: %c chased", env_name(x), tsl_type_letter(all_types[i]));
    }
}

/* One number that is none: no hang, and no T of finite numbers */
static void not_numbers(env *x)
{
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 2; k++) {
            dense AB = band(all_types[i], 40, 6, BAND_RANDOM);
            dense_put(&AB, 3, 8, k ? INFINITY : NAN);
            chased r = chase(x, AB, true);
            int spoiled = 0;
            for (int64_t j = 0; j < 39; j++) spoiled += !isfinite(creal(dense_get(&r.d, j, 0))) + !isfinite(creal(dense_get(&r.e, j, 0)));
            check(!r.st && spoiled, "%c: %s, all of T is finite", tsl_type_letter(all_types[i]), tsl_status_name(r.st));
            done(&r);
        }
    checked("%s: NaN and Inf", env_name(x));
}

static void on(const char *devices)
{
    env x = {.spec = devices, .tile = "0", .ctx = context_on(devices)};
    for (x.via = VIA_WRAPPED; x.ctx && x.via < VIA_COUNT; x.via++) {
        if (x.via == VIA_TYPED) continue;
        reductions(&x), not_numbers(&x);
    }
    if (x.ctx && devices[0] == 'c') { /* by rounds */
        check(!tsl_set(x.ctx, "shape", "2"), "%s", tsl_error(x.ctx));
        reductions(&x), not_numbers(&x);
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
    tsl_call chase_it = {.op = TSL_OP_SB2ST}, apply = {.op = TSL_OP_ORMTR_SB2ST, .k = 2};
    says(&x, chase_it, (dense *const[]){&AB, &e, &e, &V, &tau}, 5, TSL_ERR_SHAPE, "d is 8 x 1");
    says(&x, chase_it, (dense *const[]){&AB, &d, &d, &V, &tau}, 5, TSL_ERR_SHAPE, "e is 9 x 1");
    says(&x, chase_it, (dense *const[]){&AB, &d, &e, &C, &tau}, 5, TSL_ERR_SHAPE, "V must be square");
    says(&x, chase_it, (dense *const[]){&AB, &d, &e, &none, &tau}, 5, TSL_ERR_SHAPE, "V must be square");
    says(&x, chase_it, (dense *const[]){&AB, &d, &e, &V, &less}, 5, TSL_ERR_SHAPE, "tau must have");
    says(&x, apply, (dense *const[]){&C, &tau, &C}, 3, TSL_ERR_SHAPE, "V must be square");
    says(&x, apply, (dense *const[]){&V, &less, &C}, 3, TSL_ERR_SHAPE, "tau must have");
    apply.trans = TSL_TRANS;
    says(&x, apply, (dense *const[]){&V, &tau, &C}, 3, TSL_ERR_FLAG, "Q's op is 1");
    checked("what is refused, and why");
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
