/* Band to tridiagonal form some sweeps at a time, and products with Q the same way, as grids of GPUs have it. On GPUs both
 * shapes of the kernel. */
#include "sb2st.h"

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
    chased r = {AB, dense_make(real, n, 1, CANARY_FINITE), dense_make(real, n - 1, 1, CANARY_FINITE),
                dense_make(AB.t, 2, n, CANARY_FINITE), dense_make(AB.t, n, n, CANARY_FINITE),
                dense_make(AB.t, chunks, n, CANARY_FINITE), TSL_OK};
    dense W = dense_make(AB.t, 2 * kd, n, CANARY_FINITE);
    dense_fill(&W, 0), dense_fill(&r.V, 0), dense_fill(&r.tau, 0);
    for (int64_t k = 0; k < n * qr_min(AB.m, 2 * kd); k++) dense_put(&W, k / n, k % n, dense_get(&AB, k / n, k % n));
    for (int64_t s = 0, w; s < n - 1 && !r.st; s += w) {
        w = qr_min(wide, n - 1 - s);
        dense now = part(&W, 0, s, W.m, n - s), d = part(&r.d, s, 0, n - s, 1), e = part(&r.e, s, 0, n - s - 1, 1),
              V = part(&r.V, s, s, n - s, w), tau = part(&r.tau, 0, s, chunks, w);
        r.st = run(x, (tsl_call){.op = TSL_OP_SB2ST_SOME, .k = w}, (dense *const[]){&now, &d, &e, &V, &tau}, 5);
        put_back(&now, &W, 0, s), put_back(&d, &r.d, s, 0), put_back(&e, &r.e, s, 0);
        put_back(&V, &r.V, s, s), put_back(&tau, &r.tau, 0, s);
    }
    tridiagonal(&r);
    dense_free(&W);
    return r;
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
    check(!st && most < BOUND * (double)n * tsl_type_eps(t), "%c order %d, kd %d, by %d sweeps, inverse %d: %s, off %g, %s",
          tsl_type_letter(t), (int)n, (int)r->AB.m - 1, (int)wide, inverse, tsl_status_name(st), most, tsl_error(x->ctx));
    dense_free(&C), free(X);
}

static void some_sweeps(env *x, tsl_type t, int64_t n, int64_t kd, int64_t wide)
{
    chased r = chase_some(x, band(t, n, kd, n % 2 ? BAND_RANDOM : BAND_GRADED), wide);
    double apart = 0, off = r.st ? INFINITY : residual(&r, &apart), values = r.st ? 0 : values_apart(&r);
    bool good = !r.st && off < BOUND && apart < BOUND && values < BOUND;
    check(good, "%c order %d, kd %d, by %d sweeps: %s, residual %g, orthogonality %g, eigenvalues %g, %s", tsl_type_letter(t),
          (int)n, (int)kd, (int)wide, tsl_status_name(r.st), off, apart, values, tsl_error(x->ctx));
    for (int inverse = 0; inverse < 2 && !r.st; inverse++) product_some(x, &r, 5, inverse, wide);
    done(&r);
}

static void all_cases(env *x)
{
    static const int64_t cases[][3] = {{2, 1, 1}, {5, 2, 1}, {9, 20, 4}, {41, 3, 5}, {41, 8, 16}, {41, 33, 7}, {70, 1, 9},
                                       {150, 32, 64}, {301, 64, 64}, {300, 64, 100}, {200, 80, 80}, {530, 4, 128}};
    for (int i = 0; i < 4; i++) {
        for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
            if (cases[k][0] <= 150 || x->spec[0] == 'c') some_sweeps(x, all_types[i], cases[k][0], cases[k][1], cases[k][2]);
        checked("%s: %c by some sweeps at a time", env_name(x), tsl_type_letter(all_types[i]));
    }
}

static void on(const char *devices)
{
    env x = {.spec = devices, .tile = "0", .ctx = context_on(devices), .via = VIA_WRAPPED};
    if (x.ctx) all_cases(&x);
    if (x.ctx && devices[0] == 'c') { /* by rounds */
        check(!tsl_set(x.ctx, "shape", "2"), "%s", tsl_error(x.ctx));
        all_cases(&x);
    }
    tsl_context_destroy(x.ctx);
}

static void refusals(void)
{
    env x = {.spec = "host", .tile = "0", .ctx = context_on("host"), .via = VIA_WRAPPED};
    dense W = dense_make(TSL_Z, 4, 9, CANARY_FINITE), odd = dense_make(TSL_Z, 3, 9, CANARY_FINITE);
    dense d = dense_make(TSL_D, 9, 1, CANARY_FINITE), e = dense_make(TSL_D, 8, 1, CANARY_FINITE);
    dense V = dense_make(TSL_Z, 9, 9, CANARY_FINITE), tau = dense_make(TSL_Z, 4, 9, CANARY_FINITE),
          none = dense_make(TSL_Z, 0, 0, CANARY_FINITE);
    struct {
        int64_t sweeps;
        dense *W, *V, *tau;
        const char *line;
    } bad[] = {{3, &odd, &none, &none, "W must have two rows"}, {3, &W, &V, &tau, "V must have a column for each sweep"},
               {9, &W, &V, &tau, "there are less sweeps"}, {0, &W, &V, &tau, "there are less sweeps"}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        dense *const given[] = {bad[i].W, &d, &e, bad[i].V, bad[i].tau};
        tsl_status st = run(&x, (tsl_call){.op = TSL_OP_SB2ST_SOME, .k = bad[i].sweeps}, given, 5);
        check(st == TSL_ERR_SHAPE && strstr(tsl_error(x.ctx), bad[i].line), "%s, '%s'; not '%s'", tsl_status_name(st),
              tsl_error(x.ctx), bad[i].line);
    }
    checked("what is refused, and why");
    dense_free(&W), dense_free(&odd), dense_free(&d), dense_free(&e), dense_free(&V), dense_free(&tau), dense_free(&none);
    tsl_context_destroy(x.ctx);
}

int main(void)
{
    on("host");
    on("cuda");
    refusals();
    return tap_done();
}
