/* Mixed precision, by the typed calls and by views: as accurate as factors of double precision whatever the condition, LAPACK's
 * iter and info, A overwritten only by double factors, matrices that do not fit single precision or are singular there, NaN and
 * Inf, the same bits every time. */
#include "exec/exec.h"
#include "mixed.h"

enum { N = 40, COUNT = 3 };

/* So small a matrix is factored in double precision if nobody asks for another. */
static const tsl_solve_options single = {.lowest = TSL_FP32};

/* No larger than twice that of double factors. Below roundoff, that of the elements of A and that of X's, it is chance which of
 * two is smaller; but on the whole it is not larger. */
static double logs;
static int compared;
static bool as_good(double ours, double theirs)
{
    if (ours > 0 && theirs > 0) logs += log(ours / theirs), compared++;
    return ours <= fmax(2 * theirs, 2 * tsl_type_eps(TSL_D));
}

static void accurate(env *e, tsl_type t, double exponent, spectrum kind, bool definite)
{
    dense A = mixed_matrix(t, N, exponent, kind, definite, (uint64_t)(exponent * 10) + kind), was = dense_copy(&A), F = dense_copy(&A);
    dense B = dense_make(t, N, COUNT, CANARY_FINITE), X = dense_copy(&B), Y = dense_copy(&B);
    dense_random(&B, 3);
    const dense given = dense_copy(&B);
    int64_t iter = 0, info = -77, p[N], want = mixed_lapack(&F, &B, &Y, definite, false, NULL);
    double theirs = mixed_backward(&was, TSL_NOTRANS, &B, &Y), ours;
    tsl_solution s = {.info = -77};
    tsl_status st;
    char who[80];
    snprintf(who, sizeof who, "%c 1e%g, spectrum %d%s", tsl_type_letter(t), exponent, kind, definite ? ", definite" : "");
    if (e->via == VIA_TYPED) st = mixed_typed(e->ctx, definite ? 'L' : 0, &A, p, &B, &X, &iter, &info);
    else {
        st = mixed_views(e, (operand){.d = &A, .uplo = definite ? TSL_LOWER : TSL_GENERAL}, (operand){.d = &B}, (operand){.d = &X}, &single, &s);
        info = s.info;
    }
    ours = mixed_backward(&was, TSL_NOTRANS, &B, &X);
    check(st == TSL_OK, "%s: %s %s", who, tsl_status_name(st), tsl_error(e->ctx));
    check(info == want || exponent > 15, "%s: info %d, LAPACK's %d", who, (int)info, (int)want);
    check(info || want || as_good(ours, theirs), "%s: backward error %g, by double factors %g", who, ours, theirs);
    check(iter >= 0 || e->via == VIA_TYPED, "%s: iter %d", who, (int)iter);
    check(exponent > 4 || (iter >= 0 && s.method == TSL_BY_CORRECTIONS), "%s: iter %d, method %d", who, (int)iter, s.method);
    check((iter < 0) != dense_same(&A, &was), "%s: iter %d, and A %s", who, (int)iter, iter < 0 ? "is as it was" : "was touched");
    check(dense_strays(&A, &was, definite ? TSL_LOWER : TSL_GENERAL) == 0 && dense_strays(&X, &Y, TSL_GENERAL) == 0, "%s: wrote outside", who);
    check(dense_same(&B, &given), "%s: wrote B", who);
    if (e->via != VIA_TYPED && !info) {
        check(s.backward_error <= fmax(8 * ours, tsl_type_eps(TSL_D)), "%s: tells of a backward error of %g, it is %g", who, s.backward_error, ours);
        double real = mixed_forward(&was, TSL_NOTRANS, &B, &X), most = 2 * pow(N, 1.5) * pow(10, exponent) * 3 * tsl_type_eps(TSL_D);
        check(s.forward_error >= real, "%s: tells of a forward error of %g, it is %g", who, s.forward_error, real);
        check(s.forward_error <= most || exponent > 13, "%s: tells of a forward error of %g, no more than %g", who, s.forward_error, most);
        check(s.condition >= pow(10, exponent) / (3 * N) || exponent > 16, "%s: condition %g", who, s.condition);
        check(s.singular ? isinf(s.forward_error) && isinf(s.condition) : isfinite(s.forward_error) && isfinite(s.condition),
              "%s: singular %d, %g, %g", who, s.singular, s.forward_error, s.condition);
        check(s.iterations >= 0 && s.iterations <= 31 + N, "%s: %d iterations", who, (int)s.iterations);
    }
    dense_free(&A), dense_free(&was), dense_free(&F), dense_free(&B), dense_free(&X), dense_free(&Y);
    free(given.data);
}

/* Matrices of single precision: by their own factors, on a GPU by products of halves if that is asked for; and, on any device,
 * by the text that refines such factors. */
static void singles(env *e)
{
    static const double exponents[] = {1, 3, 5, 10};
    for (int k = 0; k < 16 && e->via != VIA_TYPED; k++) {
        tsl_type t = k & 1 ? TSL_C : TSL_S;
        bool definite = k & 2;
        double exponent = exponents[k / 4], eps = tsl_type_eps(t);
        if (definite && exponent > 5) continue;
        dense A = mixed_matrix(t, N, exponent, GEOMETRIC, definite, 3), B = dense_make(t, N, COUNT, CANARY_FINITE), X = dense_copy(&B);
        operand a = {.d = &A, .uplo = definite ? TSL_LOWER : TSL_GENERAL}, b = {.d = &B}, y = {.d = &X};
        dense_random(&B, 5);
        for (int lowest = TSL_AUTO; lowest <= TSL_FP16; lowest++) {
            tsl_solution s = {.info = -77};
            tsl_status st = mixed_views(e, a, b, y, &(tsl_solve_options){.lowest = (tsl_precision)lowest}, &s);
            double real = s.singular ? 0 : mixed_forward(&A, TSL_NOTRANS, &B, &X);
            check(!st && s.info == 0 && mixed_backward(&A, TSL_NOTRANS, &B, &X) < 2 * sqrt(N) * eps && s.precision >= TSL_FP32 && s.precision <= TSL_FP16,
                  "%c 1e%g, lowest %d: %s, precision %d", tsl_type_letter(t), exponent, lowest, tsl_error(e->ctx), s.precision);
            check(s.forward_error >= real && (s.singular != 0) == (exponent > 9), "%c 1e%g: tells of %g, it is %g", tsl_type_letter(t), exponent,
                  s.forward_error, real);
        }
        tsl_matrix *m[3] = {NULL};
        tsl_matrix none = tsl_borrow(e->ctx, TSL_INDEX, 0, 1, NULL, 1);
        const dense *d[3] = {&A, &B, &X};
        for (int i = 0; i < 3; i++) check(!tsl_matrix_wrap(e->ctx, t, d[i]->m, d[i]->n, d[i]->data, d[i]->ld, &m[i]), "%s", tsl_error(e->ctx));
        tsl_results r = {.count = 0};
        tsl_call c = {.op = TSL_OP_REFINE, .refine = {.precision = TSL_TF32, .any_size = true, .measured = true}, .results = &r, .v = {tsl_whole(m[0]), tsl_whole(&none), tsl_whole(m[1]), tsl_whole(m[2])}};
        if (definite) c.v[0] = tsl_lower(c.v[0]);
        tsl_status st = tsl_execute(e->ctx, &c);
        check(!st && (r.count < 0 || mixed_backward(&A, TSL_NOTRANS, &B, &X) < 2 * sqrt(N) * eps), "%c 1e%g, refined: %s, outcome %d",
              tsl_type_letter(t), exponent, tsl_error(e->ctx), (int)r.count);
        check((r.count >= 0) == (exponent < 9), "%c 1e%g, refined: outcome %d", tsl_type_letter(t), exponent, (int)r.count);
        for (int i = 0; i < 3; i++) tsl_matrix_free(m[i]);
        dense_free(&A), dense_free(&B), dense_free(&X);
    }
    if (e->via != VIA_TYPED) checked("%s: of single precision", env_name(e));
}

static void conditions(env *e)
{
    static const double exponents[] = {1, 4, 7, 8.5, 10, 12, 14, 17};
    for (int i = 1; i < 4; i += 2) /* d and z */
        for (int definite = 0; definite < 2; definite++) {
            for (size_t k = 0; k < sizeof exponents / sizeof *exponents; k++)
                for (int kind = 0; kind < SPECTRA; kind++) accurate(e, all_types[i], exponents[k], (spectrum)kind, definite);
            checked("%s: %c, %s", env_name(e), tsl_type_letter(all_types[i]), definite ? "definite" : "general");
        }
}

/* GMRES gets there where corrections alone do not, and LAPACK's dsgesv gives up. */
static void by_gmres(env *e)
{
    dense A = mixed_matrix(TSL_D, N, 11, ONE_SMALL, false, 5), B = dense_make(TSL_D, N, COUNT, CANARY_FINITE), X = dense_copy(&B);
    tsl_solution s;
    dense_random(&B, 4);
    if (e->via == VIA_TYPED) return dense_free(&A), dense_free(&B), dense_free(&X);
    tsl_status st = mixed_views(e, (operand){.d = &A}, (operand){.d = &B}, (operand){.d = &X}, &single, &s);
    ok(!st && s.method == TSL_BY_GMRES && s.precision == TSL_FP32, "%s: by GMRES, method %d in precision %d", env_name(e), s.method, s.precision);
    dense_free(&A), dense_free(&B), dense_free(&X);
}

typedef enum trouble { SINGULAR, NARROW, LARGE, INFINITE, NOT_A_NUMBER, IN_B, ZERO_B, TINY, TROUBLES } trouble;
static const char *const trouble_name[TROUBLES] = {"singular", "singular in single precision", "too large", "Inf", "NaN", "NaN in B", "B = 0", "tiny"};

/* iter and info as LAPACK's, wherever that says what it should. */
static void troubled(tsl_context *x, tsl_type t, trouble what, bool definite)
{
    dense A = mixed_matrix(t, N, 2, GEOMETRIC, true, 9), B = dense_make(t, N, COUNT, CANARY_FINITE), X = dense_copy(&B), Y = dense_copy(&B);
    int64_t iter = 4711, info = -77, p[N], turns;
    dense_random(&B, 8);
    for (int64_t i = 0; i < N; i++) {
        if (what == SINGULAR) dense_put(&A, i, 5, 0), dense_put(&A, 5, i, 0);
        if (what == NARROW && i > 1) dense_put(&A, i, 0, 0), dense_put(&A, i, 1, 0), dense_put(&A, 0, i, 0), dense_put(&A, 1, i, 0);
        for (int64_t j = 0; j < N && what == TINY; j++) dense_put(&A, i, j, 0x1p-900 * dense_get(&A, i, j));
        for (int64_t j = 0; j < COUNT && what == ZERO_B; j++) dense_put(&B, i, j, 0);
    }
    if (what == NARROW) dense_put(&A, 0, 0, 1), dense_put(&A, 0, 1, 1), dense_put(&A, 1, 0, 1), dense_put(&A, 1, 1, 1 + 1e-10);
    if (what == LARGE) dense_put(&A, 7, 7, 1e39);
    if (what == INFINITE) dense_put(&A, 7, 7, INFINITY);
    if (what == NOT_A_NUMBER) dense_put(&A, 7, 7, NAN);
    if (what == IN_B) dense_put(&B, 3, 1, NAN);
    dense was = dense_copy(&A), theirs = dense_copy(&A), factors = dense_copy(&A);
    int64_t want = mixed_lapack(&factors, &B, &Y, definite, false, NULL); /* of double precision */
    (void)mixed_lapack(&theirs, &B, &Y, definite, true, &turns);
    tsl_status st = mixed_typed(x, definite ? 'L' : 0, &A, p, &B, &X, &iter, &info);
    check(st == TSL_OK, "%s %c: %s", trouble_name[what], tsl_type_letter(t), tsl_error(x));
    check(info == want || what == INFINITE || what == NOT_A_NUMBER, "%s %c: info %d, LAPACK's %d", trouble_name[what],
          tsl_type_letter(t), (int)info, (int)want);
    check(iter == turns || (iter >= 0) == (turns >= 0) || what == NOT_A_NUMBER || what == IN_B, "%s %c: iter %d, LAPACK's %d", trouble_name[what],
          tsl_type_letter(t), (int)iter, (int)turns);
    static const int64_t expected[TROUBLES] = {-3, -3, -2, -2, 0, -31, 0, -3};
    check(iter == expected[what] || what == NOT_A_NUMBER, "%s %c: iter %d", trouble_name[what], tsl_type_letter(t), (int)iter);
    check(what != NOT_A_NUMBER || iter < 0, "NaN %c: iter %d", tsl_type_letter(t), (int)iter);
    if (what == NARROW || what == LARGE || what == TINY)
        check(mixed_backward(&was, TSL_NOTRANS, &B, &X) < 4 * tsl_type_eps(TSL_D), "%s %c: wrong", trouble_name[what], tsl_type_letter(t));
    int64_t told = -5;
    check(!tsl_info(x, &told) && told == info, "%s: tsl_info %d, info %d", trouble_name[what], (int)told, (int)info);
    dense_free(&A), dense_free(&B), dense_free(&X), dense_free(&Y), dense_free(&was), dense_free(&theirs), dense_free(&factors);
}

static void troubles(env *e)
{
    if (e->via != VIA_TYPED) return;
    for (int what = 0; what < TROUBLES; what++)
        for (int i = 1; i < 4; i += 2)
            for (int definite = 0; definite < 2; definite++) troubled(e->ctx, all_types[i], (trouble)what, definite);
    checked("%s: iter and info where there is trouble", env_name(e));
}

/* By views, scaled, a large or tiny matrix fits single precision. */
static void scales(env *e)
{
    for (int i = 0; i < 2; i++) {
        dense A = mixed_matrix(TSL_Z, N, 3, GEOMETRIC, false, 6), B = dense_make(TSL_Z, N, COUNT, CANARY_FINITE), X = dense_copy(&B);
        tsl_solution s = {0};
        dense_random(&B, 2);
        for (int64_t j = 0; j < N; j++)
            for (int64_t r = 0; r < N; r++) dense_put(&A, r, j, (i ? 0x1p-600 : 0x1p600) * dense_get(&A, r, j));
        for (int64_t r = 0; r < N; r++) dense_put(&B, r, 1, 0x1p-300 * dense_get(&B, r, 1)); /* columns of all sizes */
        tsl_status st = e->via == VIA_TYPED ? TSL_OK : mixed_views(e, (operand){.d = &A}, (operand){.d = &B}, (operand){.d = &X}, &single, &s);
        check(!st && (e->via == VIA_TYPED || mixed_backward(&A, TSL_NOTRANS, &B, &X) < tsl_type_eps(TSL_D)), "scale %d: %s", i, tsl_error(e->ctx));
        dense_free(&A), dense_free(&B), dense_free(&X);
    }
    checked("%s: far from 1", env_name(e));
}

/* A seen through every op, B and X turned. */
static void ops(env *e)
{
    for (int as = 0; as < 4 && e->via != VIA_TYPED; as++)
        for (int definite = 0; definite < 2; definite++) {
            dense A = mixed_matrix(TSL_Z, N, 3, GEOMETRIC, definite, 7), B = dense_make(TSL_Z, N, COUNT, CANARY_FINITE), X = dense_copy(&B);
            dense turned = dense_make(TSL_Z, COUNT, N, CANARY_FINITE);
            tsl_solution s;
            dense_random(&B, 2);
            operand a = {.d = &A, .op = (tsl_op)as, .uplo = definite ? (as % 2 ? TSL_UPPER : TSL_LOWER) : TSL_GENERAL};
            tsl_status st = mixed_views(e, a, (operand){.d = &B}, (operand){.d = &turned, .op = TSL_HERM}, &single, &s);
            for (int64_t j = 0; j < COUNT; j++)
                for (int64_t i = 0; i < N; i++) dense_put(&X, i, j, conj(dense_get(&turned, j, i)));
            check(!st && mixed_backward(&A, (tsl_op)as, &B, &X) < tsl_type_eps(TSL_D), "op %d definite %d: %s %g", as, definite, tsl_error(e->ctx),
                  mixed_backward(&A, (tsl_op)as, &B, &X));
            dense_free(&A), dense_free(&B), dense_free(&X), dense_free(&turned);
        }
    if (e->via != VIA_TYPED) checked("%s: seen through ops", env_name(e));
}

/* Lower precisions where there are any; each leads to a solution as good, a looser request to one that is good enough, and a
 * product of single precision is the same before and after. */
static void precisions(env *e)
{
    dense A = mixed_matrix(TSL_D, 300, 3, GEOMETRIC, false, 3), B = dense_make(TSL_D, 300, 1, CANARY_FINITE), X = dense_copy(&B), first = dense_copy(&B);
    dense P = dense_make(TSL_S, 300, 300, CANARY_FINITE), Q = dense_make(TSL_S, 300, 300, CANARY_FINITE), R = dense_copy(&Q);
    tsl_solution s, loose;
    dense_random(&B, 1), dense_random(&P, 2);
    if (e->via == VIA_TYPED) return dense_free(&A), dense_free(&B), dense_free(&X), dense_free(&first), dense_free(&P), dense_free(&Q), dense_free(&R);
    float *p = (float *)(void *)P.data;
    check(!tsl_sgemm(e->ctx, 'N', 'N', 300, 300, 300, 1, p, P.ld, p, P.ld, 0, (float *)(void *)Q.data, Q.ld), "sgemm");
    for (int lowest = TSL_AUTO; lowest <= TSL_FP16; lowest++) {
        tsl_solve_options o = {.lowest = (tsl_precision)lowest}, enough = {.lowest = (tsl_precision)lowest, .accuracy = 1e-9};
        tsl_status st = mixed_views(e, (operand){.d = &A}, (operand){.d = &B}, (operand){.d = &X}, &o, &s);
        double error = mixed_backward(&A, TSL_NOTRANS, &B, &X);
        check(!st && error < tsl_type_eps(TSL_D) / 2, "lowest %d: backward error %g, %s", lowest, error, tsl_error(e->ctx));
        check(lowest == TSL_AUTO || s.precision <= (tsl_precision)lowest, "lowest %d: precision %d", lowest, s.precision);
        check(lowest == TSL_AUTO || (lowest == TSL_FP64) == (s.method == TSL_BY_FACTORS), "lowest %d: method %d", lowest, s.method);
        memcpy(first.data, X.data, X.bytes);
        check(!mixed_views(e, (operand){.d = &A}, (operand){.d = &B}, (operand){.d = &X}, &o, &s) && dense_same(&X, &first), "lowest %d: other bits", lowest);
        check(!mixed_views(e, (operand){.d = &A}, (operand){.d = &B}, (operand){.d = &X}, &enough, &loose), "%s", tsl_error(e->ctx));
        check(loose.backward_error <= 1e-9 && loose.iterations <= s.iterations, "lowest %d: 1e-9 takes %d", lowest, (int)loose.iterations);
        check(s.precision == TSL_FP64 || loose.iterations < s.iterations, "lowest %d: 1e-9 takes %d, all %d", lowest, (int)loose.iterations, (int)s.iterations);
    }
    check(!tsl_sgemm(e->ctx, 'N', 'N', 300, 300, 300, 1, p, P.ld, p, P.ld, 0, (float *)(void *)R.data, R.ld) && dense_same(&Q, &R), "a product has changed");
    checked("%s: precisions", env_name(e));
    dense_free(&A), dense_free(&B), dense_free(&X), dense_free(&first), dense_free(&P), dense_free(&Q), dense_free(&R);
}

static void one_env(env *e)
{
    conditions(e);
    singles(e);
    by_gmres(e);
    troubles(e);
    scales(e);
    ops(e);
    precisions(e);
}

/* Large enough for products by halves on a GPU: each precision leads to a solution as good, or gives way to one that does. */
static void large(void)
{
    enum { ORDER = 2300 };
    static const double exponents[] = {3, 14};
    tsl_context *x;
    tsl_device_info d;
    if (tsl_context_create(NULL, &x)) return;
    bool gpu = !tsl_device_query(x, 0, &d) && !strcmp(d.backend, "cuda");
    env e = {.ctx = x, .spec = "default", .tile = "0", .via = VIA_CREATED};
    for (int k = 0; k < 2 && gpu; k++) {
        dense A = mixed_matrix(TSL_D, ORDER, exponents[k], GEOMETRIC, false, 3), F = dense_copy(&A);
        dense B = dense_make(TSL_D, ORDER, 1, CANARY_FINITE), X = dense_copy(&B), Y = dense_copy(&B);
        dense_random(&B, 5);
        mixed_lapack(&F, &B, &Y, false, false, NULL);
        double theirs = mixed_backward(&A, TSL_NOTRANS, &B, &Y);
        for (int lowest = TSL_FP32; lowest <= TSL_FP16; lowest++) {
            tsl_solve_options o = {.lowest = (tsl_precision)lowest};
            tsl_solution s;
            tsl_status st = mixed_views(&e, (operand){.d = &A}, (operand){.d = &B}, (operand){.d = &X}, &o, &s);
            double ours = mixed_backward(&A, TSL_NOTRANS, &B, &X);
            check(!st && as_good(ours, theirs), "1e%g, lowest %d: backward error %g, by double factors %g, precision %d, %s", exponents[k],
                  lowest, ours, theirs, s.precision, tsl_error(x));
        }
        dense_free(&A), dense_free(&F), dense_free(&B), dense_free(&X), dense_free(&Y);
    }
    if (gpu) checked("products by halves");
    else skip("no GPU here: the host has no products by halves");
    tsl_context_destroy(x);
}

/* Of the least orders LAPACK's bound is below what roundoff leaves of products of complex numbers: what is not within it has
 * not converged. The residual it is compared with has roundoff, too. */
static void least_orders(void)
{
    tsl_context *x;
    tsl_config cfg = tsl_config_default();
    int converged = 0, cases = 0;
    cfg.devices = "host";
    bool there = !tsl_context_create(&cfg, &x);
    check(there, "a context: %s", tsl_error(NULL));
    for (int i = 1; i < 4 && there; i += 2)
        for (int64_t n = 1; n <= 3; n++)
            for (uint64_t seed = 1; seed <= 40; seed++) {
                dense A = mixed_matrix(all_types[i], n, 7, GEOMETRIC, false, seed), B = dense_make(all_types[i], n, 16, CANARY_FINITE), X = dense_copy(&B);
                int64_t iter = 0, info = 0, p[3];
                dense_random(&B, seed);
                tsl_status st = mixed_typed(x, 0, &A, p, &B, &X, &iter, &info);
                double error = iter < 0 ? 0 : mixed_backward_lapack(&A, &B, &X);
                check(!st && !info && error <= (sqrt((double)n) + 1) * tsl_type_eps(TSL_D), "%c, order %d: converged with a backward error of %g",
                      tsl_type_letter(all_types[i]), (int)n, error);
                converged += iter >= 0, cases++;
                dense_free(&A), dense_free(&B), dense_free(&X);
            }
    check(there && converged > cases / 2, "only %d of %d converged", converged, cases);
    checked("LAPACK's bound, of the least orders too");
    tsl_context_destroy(x);
}

/* Factors in single precision by residues, and solves with them, if all products are to be so: the first solution, which is
 * enough here, has other bits than by native products, and is as near; corrections lead to a backward error as small. */
static void by_residues(void)
{
    static const char *const how[] = {"native", "emulated"};
    tsl_context *x;
    tsl_config cfg = tsl_config_default();
    cfg.devices = "host";
    check(!tsl_context_create(&cfg, &x) && !tsl_set(x, "tile", "16"), "a context: %s", tsl_error(NULL));
    check(tsl_products_of(TSL_FP32, TSL_PRODUCTS_EMULATED) == TSL_PRODUCTS_EMULATED &&
              tsl_products_of(TSL_FP32, TSL_PRODUCTS_AUTO) == TSL_PRODUCTS_FP32 &&
              tsl_products_of(TSL_TF32, TSL_PRODUCTS_EMULATED) == TSL_PRODUCTS_TF32,
          "products of factors");
    for (int k = 0; k < 4; k++) {
        tsl_type t = k & 1 ? TSL_Z : TSL_D;
        dense A = mixed_matrix(t, N, 3, GEOMETRIC, k & 2, 7), B = dense_make(t, N, COUNT, CANARY_FINITE), X[2][2];
        dense_random(&B, 4);
        for (int h = 0; h < 4; h++) {
            tsl_solution s = {.info = -77};
            tsl_solve_options o = {.lowest = TSL_FP32, .accuracy = h & 1 ? 0 : 1e-3};
            dense *y = &X[h / 2][h & 1];
            *y = dense_copy(&B);
            tsl_matrix *m[3];
            const dense *d[3] = {&A, &B, y};
            for (int i = 0; i < 3; i++)
                check(!tsl_matrix_wrap(x, t, d[i]->m, d[i]->n, d[i]->data, d[i]->ld, &m[i]), "%s", tsl_error(x));
            tsl_view a = k & 2 ? tsl_lower(tsl_whole(m[0])) : tsl_whole(m[0]);
            check(!tsl_set(x, "products", how[h / 2]) && !tsl_solve(x, a, tsl_whole(m[1]), tsl_whole(m[2]), &o, &s), "%s",
                  tsl_error(x));
            double most = h & 1 ? 2 * sqrt(N) * tsl_type_eps(t) : 1e-5;
            check(s.precision == TSL_FP32 && mixed_backward(&A, TSL_NOTRANS, &B, y) < most, "%s: precision %d, %g", how[h / 2],
                  s.precision, mixed_backward(&A, TSL_NOTRANS, &B, y));
            for (int i = 0; i < 3; i++) tsl_matrix_free(m[i]);
        }
        check(!dense_same(&X[0][0], &X[1][0]), "%d: factors by residues are as native ones", k);
        for (int i = 0; i < 4; i++) dense_free(&X[i / 2][i % 2]);
        dense_free(&A), dense_free(&B);
    }
    checked("factors in single precision by residues");
    tsl_context_destroy(x);
}

int main(void)
{
    for_each_env(one_env);
    least_orders();
    by_residues();
    large();
    ok(exp(logs / compared) < 1.25, "backward errors are %.2f of those of double factors, on the average of %d", exp(logs / compared), compared);
    return tap_done();
}
