/* Every bad argument of every level 1 call: the first is reported, nothing is touched, and the context goes on. */
#include "level1.h"

enum { N = 6 };

static tsl_context *ctx;
static dense X, Y, X0, Y0;

typedef struct args {
    int64_t n, incx, incy;
    void *x, *y;
    tsl_scalar *value;
} args;

static tsl_scalar result;

static args good(void) { return (args){N, 2, -1, X.data, Y.data, &result}; }

static tsl_status invoke(const level1 *c, const args *a) { return l1_call(ctx, X.t, c, a->n, a->x, a->incx, a->y, a->incy, a->value); }

static void refused(const level1 *c, const args *a, int argument, tsl_status want)
{
    char where[32];
    snprintf(where, sizeof where, ": argument %d ", argument);
    result = 4711;
    tsl_status st = invoke(c, a);
    check(st == want, "%s argument %d: %s, not %s", l1_names[c->kind], argument, tsl_status_name(st), tsl_status_name(want));
    check(strstr(tsl_error(ctx), where) != NULL, "%s argument %d: says '%s'", l1_names[c->kind], argument, tsl_error(ctx));
    check(result == 4711 && dense_same(&X, &X0) && dense_same(&Y, &Y0), "%s argument %d: something was touched", l1_names[c->kind], argument);
}

static void typed(level1_kind k, int shares_host)
{
    level1 c = {.kind = k, .alpha = 2, .c = 1, .param = {-2}};
    int at = l1_shape[k].at_x, two = l1_shape[k].vectors == 2, last = at + 2 * l1_shape[k].vectors;
    int backwards_is_nothing = k == L1_SCAL || k == L1_SCAL_REAL || k == L1_ASUM || k == L1_IAMAX;
    args a = good();
    a.x = NULL;
    refused(&c, &a, at, TSL_ERR_NULL);
    a.y = NULL, a.value = NULL;
    refused(&c, &a, at, TSL_ERR_NULL);
    a = good();
    a.n = INT64_MAX;
    refused(&c, &a, at, TSL_ERR_OVERFLOW);
    a = good();
    a.incx = INT64_MAX / 2;
    refused(&c, &a, at, TSL_ERR_OVERFLOW);
    a.incx = INT64_MIN;
    if (!backwards_is_nothing) refused(&c, &a, at, TSL_ERR_OVERFLOW);
    a = good();
    a.incx = 0;
    if (!shares_host && !backwards_is_nothing) refused(&c, &a, at + 1, TSL_ERR_SIZE);
    if (two) {
        a = good();
        a.y = NULL;
        refused(&c, &a, at + 2, TSL_ERR_NULL);
        a = good();
        a.incy = INT64_MIN;
        refused(&c, &a, at + 2, TSL_ERR_OVERFLOW);
        a.incy = 0;
        if (!shares_host) refused(&c, &a, at + 3, TSL_ERR_SIZE);
    }
    if (l1_makes_number(k)) {
        a = good();
        a.value = NULL;
        refused(&c, &a, last, TSL_ERR_NULL);
        a.n = 0;
        refused(&c, &a, last, TSL_ERR_NULL);
    }
    if (k == L1_ROTM) {
        c.null_param = 1;
        a = good();
        refused(&c, &a, last, TSL_ERR_NULL);
        c.null_param = 0;
    }
    a = good();
    check(invoke(&c, &a) == TSL_OK, "%s after errors: %s", l1_names[k], tsl_error(ctx));
    a.n = 1, a.incx = INT64_MIN, a.incy = INT64_MAX; /* no second element */
    check(invoke(&c, &a) == TSL_OK, "%s of one element: %s", l1_names[k], tsl_error(ctx));
    memcpy(X.data, X0.data, X.bytes), memcpy(Y.data, Y0.data, Y.bytes);
}

static void views(level1_kind k, tsl_context *other)
{
    level1 c = {.kind = k, .alpha = 2, .c = 1, .param = {-1, 1, 1, 1, 1}};
    tsl_matrix *m = NULL, *w = NULL, *alien = NULL, *kind = NULL;
    tsl_type another = X.t == TSL_S ? TSL_D : TSL_S;
    check(!tsl_matrix_wrap(ctx, X.t, X.ld, X.cols, X.data, X.ld, &m) && !tsl_matrix_wrap(ctx, Y.t, Y.ld, Y.cols, Y.data, Y.ld, &w) &&
              !tsl_matrix_create(other, X.t, N, 1, &alien) && !tsl_matrix_create(ctx, another, N, 1, &kind), "matrices");
    tsl_view x = tsl_sub(tsl_whole(m), 0, 0, N, 1), y = tsl_trans(tsl_sub(tsl_whole(w), 0, 0, N, 1)), unit = x;
    unit.diag = TSL_UNIT;
    const struct {
        tsl_view x, y;
        tsl_status st;
        int of_y;
    } bad[] = {{(tsl_view){0}, y, TSL_ERR_VIEW, 0}, {tsl_sub(tsl_whole(m), 0, 0, N, 2), y, TSL_ERR_SHAPE, 0}, {tsl_whole(alien), y, TSL_ERR_CONTEXT, 0},
               {tsl_lower(x), y, TSL_ERR_UPLO, 0}, {x, (tsl_view){0}, TSL_ERR_VIEW, 1}, {x, tsl_sub(y, 0, 0, 1, N - 1), TSL_ERR_SHAPE, 1},
               {x, tsl_upper(y), TSL_ERR_UPLO, 1}, {x, tsl_whole(kind), TSL_ERR_TYPE, 1}, {unit, y, TSL_ERR_UPLO, 2}};
    for (int i = 0; i < (int)(sizeof bad / sizeof *bad); i++) {
        if ((bad[i].of_y == 1 && l1_shape[k].vectors == 1) || (bad[i].of_y == 2 && !l1_shape[k].writes_x)) continue;
        result = 4711;
        tsl_status st = l1_views(ctx, &c, bad[i].x, bad[i].y, &result);
        check(st == bad[i].st && strstr(tsl_error(ctx), l1_names[k]), "%s on views, way %d: %s, '%s'", l1_names[k], i, tsl_status_name(st), tsl_error(ctx));
        check(result == 4711 && dense_same(&X, &X0) && dense_same(&Y, &Y0), "%s on views, way %d: something was touched", l1_names[k], i);
    }
    if (l1_makes_number(k)) check(l1_views(ctx, &c, x, y, NULL) == TSL_ERR_NULL, "%s: no place", l1_names[k]);
    c.null_param = 1;
    if (k == L1_ROTM) check(l1_views(ctx, &c, x, y, NULL) == TSL_ERR_NULL, "rotm: no param");
    c.null_param = 0;
    check(l1_views(ctx, &c, x, y, &result) == TSL_OK, "%s after errors: %s", l1_names[k], tsl_error(ctx));
    if (tsl_is_complex(X.t)) check(tsl_rotm(ctx, x, y, c.param) == TSL_ERR_TYPE, "rotm of complex vectors");
    memcpy(X.data, X0.data, X.bytes), memcpy(Y.data, Y0.data, Y.bytes);
    tsl_matrix_free(m), tsl_matrix_free(w), tsl_matrix_free(alien), tsl_matrix_free(kind);
}

/* The arguments of rotg and rotmg, each of them null in turn */
static void scalars(void)
{
    double a = 3, b = 4, c = 7, s = 7, p[5] = {7};
    check(tsl_drotg(ctx, NULL, &b, &c, &s) == TSL_ERR_NULL && strstr(tsl_error(ctx), "drotg: argument 1 "), "drotg 1");
    check(tsl_drotg(ctx, &a, NULL, &c, &s) == TSL_ERR_NULL && strstr(tsl_error(ctx), "argument 2 "), "drotg 2");
    check(tsl_drotg(ctx, &a, &b, NULL, NULL) == TSL_ERR_NULL && strstr(tsl_error(ctx), "argument 3 "), "drotg 3");
    check(tsl_drotg(ctx, &a, &b, &c, NULL) == TSL_ERR_NULL && strstr(tsl_error(ctx), "argument 4 "), "drotg 4");
    check(tsl_drotmg(ctx, NULL, &b, &c, 1, p) == TSL_ERR_NULL && strstr(tsl_error(ctx), "drotmg: argument 1 "), "drotmg 1");
    check(tsl_drotmg(ctx, &a, NULL, &c, 1, p) == TSL_ERR_NULL && strstr(tsl_error(ctx), "argument 2 "), "drotmg 2");
    check(tsl_drotmg(ctx, &a, &b, NULL, 1, p) == TSL_ERR_NULL && strstr(tsl_error(ctx), "argument 3 "), "drotmg 3");
    check(tsl_drotmg(ctx, &a, &b, &c, 1, NULL) == TSL_ERR_NULL && strstr(tsl_error(ctx), "argument 5 "), "drotmg 5");
    check(a == 3 && b == 4 && c == 7 && s == 7 && p[0] == 7, "untouched");
}

static void in_context(tsl_context *x, const char *spec)
{
    tsl_context *other = NULL;
    tsl_config cfg = tsl_config_default();
    cfg.devices = "host";
    ok(tsl_context_create(&cfg, &other) == TSL_OK, "another context");
    ctx = x;
    for (int i = 0; i < 4 && other; i++) {
        X = dense_make(l1_types[i], 2 * N, 2, CANARY_FINITE), Y = dense_make(l1_types[i], 2 * N, 2, CANARY_FINITE);
        dense_random(&X, 1), dense_random(&Y, 2);
        X0 = dense_copy(&X), Y0 = dense_copy(&Y);
        for (int k = 0; k < L1_KINDS; k++) {
            if (!l1_has((level1_kind)k, l1_types[i])) continue;
            typed((level1_kind)k, !strcmp(spec, "host"));
            if (l1_has_views((level1_kind)k)) views((level1_kind)k, other);
            checked("%s: %c %s: bad arguments", spec, tsl_type_letter(l1_types[i]), l1_names[k]);
        }
        dense_free(&X), dense_free(&Y), dense_free(&X0), dense_free(&Y0);
    }
    scalars();
    checked("%s: rotg and rotmg: bad arguments", spec);
    tsl_context_destroy(other);
}

int main(void)
{
    l1_each_context(in_context);
    return tap_done();
}
