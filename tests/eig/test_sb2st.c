/* Band to tridiagonal form, A = Q T Q^H, or to a narrower band, and products with Q, which only algorithms call. On GPUs both
 * shapes of the kernel. */
#include "sb2st.h"

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
    tridiagonal(&r);
    return r;
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
        reductions(&x), narrower_bands(&x), not_numbers(&x);
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
    tsl_call chase_it = {.op = TSL_OP_SB2ST}, narrow_it = {.op = TSL_OP_SB2SB}, apply = {.op = TSL_OP_ORMTR_SB2ST, .k = 2};
    says(&x, chase_it, (dense *const[]){&AB, &e, &e, &V, &tau}, 5, TSL_ERR_SHAPE, "d is 8 x 1");
    says(&x, chase_it, (dense *const[]){&AB, &d, &d, &V, &tau}, 5, TSL_ERR_SHAPE, "e is 9 x 1");
    says(&x, chase_it, (dense *const[]){&AB, &d, &e, &C, &tau}, 5, TSL_ERR_SHAPE, "V must be square");
    says(&x, chase_it, (dense *const[]){&AB, &d, &e, &none, &tau}, 5, TSL_ERR_SHAPE, "V must be square");
    says(&x, chase_it, (dense *const[]){&AB, &d, &e, &V, &less}, 5, TSL_ERR_SHAPE, "tau must have");
    says(&x, narrow_it, (dense *const[]){&AB, &V, &none, &none}, 4, TSL_ERR_SHAPE, "B must have 2 rows or more, and no more than AB");
    says(&x, narrow_it, (dense *const[]){&AB, &C, &none, &none}, 4, TSL_ERR_SHAPE, "B must have AB's order");
    says(&x, narrow_it, (dense *const[]){&AB, &less, &V, &tau}, 4, TSL_ERR_SHAPE, "V must be square");
    says(&x, apply, (dense *const[]){&less, &tau, &C}, 3, TSL_ERR_SHAPE, "V must be square");
    says(&x, apply, (dense *const[]){&C, &tau, &C}, 3, TSL_ERR_SHAPE, "tau must have a column"); /* V is of some sweeps */
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
