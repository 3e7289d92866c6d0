/* Mixed precision: every bad argument of the typed calls, what views are refused, sizes of zero, one and past a leaf's,
 * regions, and allocations that fail: then it is solved by double factors or told, and nothing is lost. */
#include "core/variant.h"
#include "mixed.h"

enum { ORDER = 6, LARGE = 150 };

static tsl_context *make(const char *devices, const tsl_allocator *allocator)
{
    tsl_config cfg = tsl_config_default();
    tsl_context *x = NULL;
    cfg.devices = devices;
    cfg.allocator = allocator;
    cfg.workspace_limit = 1;
    check(!tsl_context_create(&cfg, &x), "%s: a context", devices ? devices : "default");
    return x;
}

/* The arguments of the four calls as numbers and places, in LAPACK's order: uplo, n, nrhs, A, lda, ipiv, B, ldb, X, ldx */
typedef struct arguments {
    char uplo;
    int64_t n, nrhs;
    double *A;
    int64_t lda, *ipiv;
    double *B;
    int64_t ldb;
    double *X;
    int64_t ldx;
} arguments;

static tsl_status invoke(tsl_context *x, bool definite, bool is_complex, const arguments *a, int64_t *iter, int64_t *info)
{
    void *A = a->A, *B = a->B, *X = a->X;
    if (definite)
        return is_complex ? tsl_zcposv(x, a->uplo, a->n, a->nrhs, A, a->lda, B, a->ldb, X, a->ldx, iter, info)
                          : tsl_dsposv(x, a->uplo, a->n, a->nrhs, A, a->lda, B, a->ldb, X, a->ldx, iter, info);
    return is_complex ? tsl_zcgesv(x, a->n, a->nrhs, A, a->lda, a->ipiv, B, a->ldb, X, a->ldx, iter, info)
                      : tsl_dsgesv(x, a->n, a->nrhs, A, a->lda, a->ipiv, B, a->ldb, X, a->ldx, iter, info);
}

static void arguments_of(tsl_context *x, bool definite, bool is_complex)
{
    tsl_type t = is_complex ? TSL_Z : TSL_D;
    dense A = mixed_matrix(t, ORDER, 1, GEOMETRIC, true, 1), B = dense_make(t, ORDER, 2, CANARY_FINITE), X = dense_copy(&B), was = dense_copy(&X);
    int64_t p[ORDER];
    dense_random(&B, 1);
    const arguments good = {'L', ORDER, 2, (double *)(void *)A.data, A.ld, p, (double *)(void *)B.data, B.ld, (double *)(void *)X.data, X.ld};
    for (int bad = 0; bad < 10; bad++) {
        static const tsl_status wanted[] = {TSL_ERR_FLAG, TSL_ERR_SIZE, TSL_ERR_SIZE, TSL_ERR_NULL, TSL_ERR_LD,
                                            TSL_ERR_NULL, TSL_ERR_NULL, TSL_ERR_LD,   TSL_ERR_NULL, TSL_ERR_LD};
        int number = definite ? bad + 1 - (bad > 5) : bad;
        int64_t iter = 4711, info = 4711;
        arguments a = good;
        if (bad == (definite ? 5 : 0)) continue; /* no such argument */
        if (bad == 0) a.uplo = 'X';
        if (bad == 1) a.n = -1;
        if (bad == 2) a.nrhs = -1;
        if (bad == 3) a.A = NULL;
        if (bad == 4) a.lda = ORDER - 1;
        if (bad == 5) a.ipiv = NULL;
        if (bad == 6) a.B = NULL;
        if (bad == 7) a.ldb = ORDER - 1;
        if (bad == 8) a.X = NULL;
        if (bad == 9) a.ldx = ORDER - 1;
        tsl_status st = invoke(x, definite, is_complex, &a, &iter, &info);
        check(st == wanted[bad] && info == -number && iter == 4711, "argument %d: %s, info %d, iter %d", number, tsl_status_name(st), (int)info, (int)iter);
        check(strstr(tsl_error(x), is_complex ? "zc" : "ds") == tsl_error(x), "argument %d: says '%s'", number, tsl_error(x));
    }
    arguments over = good;
    int64_t info = 4711;
    over.X = over.B;
    check(invoke(x, definite, is_complex, &over, NULL, &info) == TSL_ERR_OVERLAP && info == -8, "X is B: info %d, %s",
          (int)info, tsl_error(x));
    check(dense_same(&X, &was), "X was touched");
    check(!invoke(x, definite, is_complex, &good, NULL, NULL) && mixed_backward(&A, TSL_NOTRANS, &B, &X) < 4 * tsl_type_eps(TSL_D),
          "then a good one: %s", tsl_error(x));
    dense_free(&A), dense_free(&B), dense_free(&X), dense_free(&was);
}

static void sizes(tsl_context *x)
{
    double a[] = {4, 9, 9, 9}, b[] = {8, 9}, y[] = {7, 7};
    int64_t iter = 5, info = 5, p[2] = {0, 0};
    check(!tsl_dsgesv(x, 0, 3, NULL, 1, NULL, NULL, 1, NULL, 1, &iter, &info) && iter == 0 && info == 0, "n = 0: %s", tsl_error(x));
    check(!tsl_dsposv(x, 'U', 0, 3, NULL, 1, NULL, 1, NULL, 1, &iter, &info) && iter == 0 && info == 0, "n = 0, definite: %s", tsl_error(x));
    iter = info = 5;
    check(!tsl_dsgesv(x, 1, 0, a, 2, p, NULL, 1, NULL, 1, &iter, &info) && iter == 0 && info == 0 && p[0] == 1,
          "nrhs = 0: iter %d, pivot %d", (int)iter, (int)p[0]);
    iter = info = 5;
    check(!tsl_dsposv(x, 'U', 1, 0, a, 2, NULL, 1, NULL, 1, &iter, &info) && iter == 0 && info == 0, "nrhs = 0, definite");
    check(!tsl_dsgesv(x, 1, 1, a, 2, p, b, 2, y, 2, &iter, &info) && iter >= 0 && y[0] == 2 && y[1] == 7, "n = 1: %g", y[0]);
    check(!tsl_dsposv(x, 'L', 1, 1, a, 2, b, 2, y, 2, &iter, &info) && iter >= 0 && y[0] == 2 && a[0] == 4, "n = 1, definite: %g", y[0]);
    for (int64_t n = 1; n <= LARGE; n = n * 3 / 2 + 1) {
        dense A = mixed_matrix(TSL_Z, n, 1, GEOMETRIC, true, (uint64_t)n), B = dense_make(TSL_Z, n, 2, CANARY_FINITE), X = dense_copy(&B), Y = dense_copy(&B);
        int64_t pivots[LARGE];
        dense_random(&B, 1);
        check(!mixed_typed(x, 0, &A, pivots, &B, &X, &iter, &info) && iter > 0 &&
                  mixed_backward(&A, TSL_NOTRANS, &B, &X) < 2 * tsl_type_eps(TSL_D),
              "n = %d: iter %d", (int)n, (int)iter);
        check(!mixed_typed(x, 'U', &A, NULL, &B, &Y, &iter, &info) && iter > 0 &&
                  mixed_backward(&A, TSL_NOTRANS, &B, &Y) < 2 * tsl_type_eps(TSL_D),
              "n = %d, definite: iter %d", (int)n, (int)iter);
        dense_free(&A), dense_free(&B), dense_free(&X), dense_free(&Y);
    }
    checked("sizes");
}

static void views(tsl_context *x)
{
    tsl_matrix *a = NULL, *b = NULL, *y = NULL, *s = NULL, *tiled = NULL;
    tsl_solution r = {.info = 4711};
    check(!tsl_matrix_create(x, TSL_D, 8, 9, &a) && !tsl_matrix_create(x, TSL_D, 8, 2, &b) && !tsl_matrix_create(x, TSL_D, 8, 2, &y) &&
              !tsl_matrix_create(x, TSL_S, 8, 8, &s) && !tsl_tiled_create(x, TSL_D, 8, 8, 4, &tiled), "matrices");
    tsl_view A = tsl_sub(tsl_whole(a), 0, 0, 8, 8), B = tsl_whole(b), Y = tsl_whole(y);
    const struct { tsl_view A, B, X; tsl_solve_options o; tsl_status want; } cases[] = {
        {tsl_whole(a), B, Y, {0}, TSL_ERR_SHAPE},
        {A, tsl_trans(B), Y, {0}, TSL_ERR_SHAPE},
        {A, B, tsl_sub(Y, 0, 0, 8, 1), {0}, TSL_ERR_SHAPE},
        {tsl_whole(s), B, Y, {0}, TSL_ERR_TYPE},
        {A, tsl_whole(s), Y, {0}, TSL_ERR_TYPE},
        {tsl_unit(tsl_lower(A)), B, Y, {0}, TSL_ERR_UPLO},
        {A, tsl_lower(B), Y, {0}, TSL_ERR_UPLO},
        {A, B, B, {0}, TSL_ERR_OVERLAP},
        {A, B, tsl_sub(A, 0, 1, 8, 2), {0}, TSL_ERR_OVERLAP},
        {tsl_sub(tsl_whole(tiled), 0, 0, 8, 7), B, Y, {0}, TSL_ERR_SHAPE},
        {tsl_sub(A, 0, 0, 9, 9), B, Y, {0}, TSL_ERR_VIEW},
        {A, B, Y, {.lowest = (tsl_precision)6}, TSL_ERR_OPTION},
        {A, B, Y, {.accuracy = -1}, TSL_ERR_OPTION},
        {A, B, Y, {.accuracy = NAN}, TSL_ERR_OPTION},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        tsl_status st = tsl_solve(x, cases[i].A, cases[i].B, cases[i].X, &cases[i].o, &r);
        check(st == cases[i].want && r.info == 4711, "case %d: %s, not %s: %s", (int)i, tsl_status_name(st), tsl_status_name(cases[i].want), tsl_error(x));
        check(!strncmp(tsl_error(x), "solve: ", 7), "case %d: says '%s'", (int)i, tsl_error(x));
    }
    check(!tsl_set(x, "variant", "sweep") && tsl_solve(x, A, B, Y, NULL, NULL) == TSL_ERR_OPTION && !tsl_set(x, "variant", "auto"),
          "a variant it does not have");
    tsl_matrix_free(a), tsl_matrix_free(b), tsl_matrix_free(y), tsl_matrix_free(s), tsl_matrix_free(tiled);
    checked("what views are refused");
}

/* By a variant, on a matrix that lower precision solves or, `hard`, not: the status is the same, and if it is an error nothing
 * was touched. */
static tsl_status by_variant(tsl_context *x, tsl_type t, bool definite, bool hard, int way)
{
    enum { SMALL = 40 };
    dense A = mixed_matrix(t, SMALL, hard ? 12 : 1, GEOMETRIC, definite, 1), was = dense_copy(&A), B = dense_make(t, SMALL, 2, CANARY_FINITE);
    dense X = dense_copy(&B), before = dense_copy(&X);
    int64_t p[SMALL], iter = 0, info = 0;
    tsl_matrix *m[3] = {NULL};
    tsl_solution s = {.info = 0};
    tsl_status st;
    dense_random(&B, 1);
    for (int i = 0; i < SMALL; i++) p[i] = -9;
    if (way == 0) st = mixed_typed(x, definite ? 'L' : 0, &A, p, &B, &X, &iter, &info);
    else {
        const dense *d[3] = {&A, &B, &X};
        for (int i = 0; i < 3; i++)
            check(!(way == 2 ? tsl_tiled_wrap(x, t, d[i]->m, d[i]->n, d[i]->data, d[i]->ld, 16, &m[i])
                             : tsl_matrix_wrap(x, t, d[i]->m, d[i]->n, d[i]->data, d[i]->ld, &m[i])), "%s", tsl_error(x));
        st = tsl_solve(x, definite ? tsl_lower(tsl_whole(m[0])) : tsl_whole(m[0]), tsl_whole(m[1]), tsl_whole(m[2]),
                       &(tsl_solve_options){.lowest = TSL_FP32}, &s);
    }
    if (st) check(st == TSL_ERR_OPTION && dense_same(&X, &before) && dense_same(&A, &was) && p[0] == -9 && p[SMALL - 1] == -9,
                  "way %d%s: %s, and something was touched", way, definite ? ", definite" : "", tsl_error(x));
    else check(!info && !s.info && mixed_backward(&was, TSL_NOTRANS, &B, &X) < 1e-12, "way %d: wrong", way); /* not all pivots are good ones */
    check(st || (iter < 0 || s.method == TSL_BY_FACTORS || s.method == TSL_BY_GMRES) == hard, "way %d: iter %d, method %d", way, (int)iter, s.method);
    for (int i = 0; i < 3; i++) tsl_matrix_free(m[i]);
    dense_free(&A), dense_free(&was), dense_free(&B), dense_free(&X), dense_free(&before);
    return st;
}

static void variants(tsl_context *x, const char *path)
{
    int taken = 0, refused = 0;
    check(!tsl_set(x, "path", path), "path %s", path);
    for (int v = 0; v < TSL_VARIANT_COUNT; v++) {
        bool known = tsl_variant_is(v, TSL_HIDDEN); /* nobody may ask for it */
        for (int w = 0; w < v; w++) known |= !strcmp(tsl_variants[w].name, tsl_variants[v].name);
        check(known || !tsl_set(x, "variant", tsl_variants[v].name), "%s", tsl_variants[v].name);
        for (int i = 0; i < 12 && !known; i++) {
            tsl_type t = i % 2 ? TSL_Z : TSL_D;
            bool definite = i / 2 % 2;
            tsl_status easy = by_variant(x, t, definite, false, i / 4), hard = by_variant(x, t, definite, true, i / 4);
            check(easy == hard, "%s, way %d%s: %s, of a harder matrix %s", tsl_variants[v].name, i / 4, definite ? ", definite" : "",
                  tsl_status_name(easy), tsl_status_name(hard));
            taken += !easy, refused += easy != TSL_OK;
        }
    }
    check(!tsl_set(x, "variant", "late") && by_variant(x, TSL_D, true, false, 0) == TSL_ERR_OPTION && by_variant(x, TSL_D, false, false, 0) == TSL_OK,
          "'late', which LU has and Cholesky does not");
    check(!tsl_set(x, "variant", "auto") && !tsl_set(x, "path", "auto") && taken > 20 && refused > 20, "%d taken, %d refused", taken, refused);
    checked("path %s: variants the second factorization does not have", path);
}

/* No right-hand sides: what there is to say of A is said. */
static void no_columns(tsl_context *x)
{
    for (int i = 0; i < 8; i++) {
        tsl_type t = i & 1 ? TSL_Z : TSL_D;
        bool definite = i & 2, bad = i & 4;
        dense A = mixed_matrix(t, 20, 1, GEOMETRIC, true, 5), B = dense_make(t, 20, 0, CANARY_FINITE), X = dense_copy(&B);
        for (int64_t k = 0; k < 20 && bad; k++) dense_put(&A, k, 6, 0), dense_put(&A, 6, k, 0);
        dense was = dense_copy(&A);
        int64_t p[20], iter = 77, info = 77, want = bad ? 7 : 0;
        tsl_status st = mixed_typed(x, definite ? 'L' : 0, &A, p, &B, &X, &iter, &info);
        check(!st && info == want && iter == (bad ? -3 : 0) && (bad || dense_same(&A, &was)), "%c%s: %s, info %d, not %d, iter %d",
              tsl_type_letter(t), definite ? ", definite" : "", tsl_error(x), (int)info, (int)want, (int)iter);
        for (int tiled = 0; tiled < 2; tiled++) {
            tsl_matrix *a, *b;
            tsl_solution s = {.info = 77};
            check(!(tiled ? tsl_tiled_wrap(x, t, 20, 20, was.data, was.ld, 8, &a) : tsl_matrix_wrap(x, t, 20, 20, was.data, was.ld, &a)) &&
                      !tsl_matrix_create(x, t, 20, 0, &b), "matrices");
            st = tsl_solve(x, definite ? tsl_lower(tsl_whole(a)) : tsl_whole(a), tsl_whole(b), tsl_whole(b), NULL, &s);
            check(!st && s.info == want && (s.singular != 0) == bad, "%c%s%s: %s, info %d, not %d", tsl_type_letter(t),
                  definite ? ", definite" : "", tiled ? ", tiled" : "", tsl_error(x), (int)s.info, (int)want);
            tsl_matrix_free(a), tsl_matrix_free(b);
        }
        dense_free(&A), dense_free(&B), dense_free(&X), dense_free(&was);
    }
    checked("no right-hand sides");
}

/* In a region: a factorization that failed in single precision is no outcome of it; one that fails in double is. */
static void regions(tsl_context *x)
{
    double good[] = {1, 1, 1, 1 + 1e-10}, bad[] = {1, 1, 1, 1}, b[] = {2, 2}, y[2];
    int64_t iter, info = 5, p[2], told = 5;
    check(!tsl_begin(x) && !tsl_dsgesv(x, 2, 1, good, 2, p, b, 2, y, 2, &iter, &info) && iter == -3 && info == 0 && !tsl_info(x, &told) &&
              told == 0,
          "info %d, the region's %d", (int)info, (int)told);
    check(!tsl_dsgesv(x, 2, 1, bad, 2, p, b, 2, y, 2, &iter, &info) && info == 2 && !tsl_info(x, &told) && told == 2 && !tsl_wait(x),
          "info %d, the region's %d", (int)info, (int)told);
    checked("regions");
}

static long left, lost; /* allocations until one fails, negative: none does; what is not given back */

static void *take(void *user, int device, size_t bytes)
{
    (void)user, (void)device;
    void *p = left-- == 0 ? NULL : aligned_alloc(256, (bytes + 255) / 256 * 256);
    lost += p != NULL;
    return p;
}

static void give(void *user, int device, void *p, size_t bytes)
{
    (void)user, (void)device, (void)bytes;
    lost--;
    free(p);
}

static void shortage(const char *devices)
{
    static const tsl_allocator allocator = {take, give, NULL};
    left = -1;
    tsl_context *x = make(devices, &allocator);
    int failed = 0, solved = 0;
    for (long at = 0, last = 0; !last && at < 200; at++)
        for (int definite = 0; definite < 2; definite++) {
            dense A = mixed_matrix(TSL_D, 30, 10, ONE_SMALL, definite, 1), was = dense_copy(&A),
                  B = dense_make(TSL_D, 30, 2, CANARY_FINITE), X = dense_copy(&B), Y = dense_copy(&B);
            int64_t p[30], iter, info = 0;
            env e = {.ctx = x, .via = VIA_WRAPPED};
            tsl_solution s;
            dense_random(&B, 1);
            left = at;
            tsl_status st = mixed_typed(x, definite ? 'L' : 0, &A, p, &B, &X, &iter, &info);
            tsl_status by = mixed_views(&e, (operand){.d = &was, .uplo = definite ? TSL_LOWER : TSL_GENERAL}, (operand){.d = &B}, (operand){.d = &Y}, NULL, &s);
            last = left >= 0;
            left = -1;
            check(st == TSL_OK || st == TSL_ERR_MEMORY || st == TSL_ERR_DEVICE_MEMORY, "%s, %ld: %s", devices, at, tsl_status_name(st));
            check(by == TSL_OK || by == TSL_ERR_MEMORY || by == TSL_ERR_DEVICE_MEMORY, "%s, %ld: %s", devices, at, tsl_status_name(by));
            check(st || mixed_backward(&was, TSL_NOTRANS, &B, &X) < 2 * tsl_type_eps(TSL_D), "%s, %ld: wrong, iter %d", devices, at, (int)iter);
            check(by || mixed_backward(&was, TSL_NOTRANS, &B, &Y) < 2 * tsl_type_eps(TSL_D), "%s, %ld: wrong, method %d", devices, at, s.method);
            failed += st || by, solved += !st && iter == -1;
            dense_free(&A), dense_free(&was), dense_free(&B), dense_free(&X), dense_free(&Y);
        }
    tsl_context_destroy(x);
    check(lost == 0, "%s: %ld blocks lost", devices, lost);
    check(failed > 0 && solved > 0, "%s: %d failed, %d solved by double factors", devices, failed, solved);
    checked("%s: allocations that fail", devices);
}

/* A device too small for all of it: the double factors, by tiles, overwrite A. */
static void small_device(void)
{
    tsl_context *x = make("host:1,mem=300K", NULL);
    dense A = mixed_matrix(TSL_D, LARGE, 2, GEOMETRIC, false, 1), was = dense_copy(&A), B = dense_make(TSL_D, LARGE, 2, CANARY_FINITE), X = dense_copy(&B);
    int64_t p[LARGE], iter = 5, info = 5;
    dense_random(&B, 1);
    tsl_status st = mixed_typed(x, 0, &A, p, &B, &X, &iter, &info);
    check(!st && iter == -1 && info == 0 && mixed_backward(&was, TSL_NOTRANS, &B, &X) < 4 * tsl_type_eps(TSL_D), "%s: iter %d, info %d",
          tsl_error(x), (int)iter, (int)info);
    check(!dense_same(&A, &was), "A is as it was");
    checked("a device too small");
    tsl_context_destroy(x);
    dense_free(&A), dense_free(&was), dense_free(&B), dense_free(&X);
}

int main(void)
{
    static const char *const specs[] = {"host", "host:1,mem=64M", NULL};
    for (int i = 0; i < 3; i++) {
        tsl_context *x = make(specs[i], NULL);
        for (int k = 0; k < 4; k++) arguments_of(x, k & 1, k & 2);
        checked("%s: arguments", specs[i] ? specs[i] : "default");
        sizes(x);
        views(x);
        no_columns(x);
        if (i < 2) variants(x, "auto"), variants(x, "tiles");
        regions(x);
        tsl_context_destroy(x);
    }
    small_device();
    shortage("host");
    shortage("host:1,mem=64M");
    return tap_done();
}
