/* Small calls on the host take a short way to their leaf (api/small.c). It must not be seen in anything but time: the same bits
 * as by views, counted the same, after what is under way, from several threads, and not where the caller asked for something
 * else. */
#define _GNU_SOURCE
#include <complex.h>
#include <dlfcn.h>
#include <math.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>

#include "context/context.h"
#include "dense.h"
#include "tap.h"

enum { N = 17, MANY = 10000, LARGEST = 64, LD = LARGEST + 3, ELEMENTS = LD * LD, TRIALS = 24 };

static tsl_context *make(void)
{
    tsl_context *x = NULL;
    tsl_config cfg = tsl_config_default();
    cfg.devices = "host";
    return tsl_context_create(&cfg, &x) ? NULL : x;
}

static int64_t launches(tsl_context *x)
{
    tsl_counters c = {0};
    tsl_counters_get(x, &c);
    return c.launches;
}

static double A[N * N], B[N * N];

static void fill(void)
{
    uint64_t seed = 5;
    for (int i = 0; i < N * N; i++) A[i] = dense_uniform(&seed), B[i] = dense_uniform(&seed);
    for (int i = 0; i < N; i++) A[i + i * N] = 4;
}

/* One typed call and its form on views, on fresh copies of B; kind counts through the routines. */
static tsl_status typed(tsl_context *x, int kind, double *C)
{
    switch (kind) {
    case 0: return tsl_dgemm(x, 'T', 'N', N, N, N, 0.7, A, N, B, N, 0.3, C, N);
    case 1: return tsl_dsymm(x, 'R', 'U', N, N, 0.7, A, N, B, N, 0.3, C, N);
    case 2: return tsl_dsyrk(x, 'U', 'T', N, N, 0.7, A, N, 0.3, C, N);
    case 3: return tsl_dsyr2k(x, 'L', 'N', N, N, 0.7, A, N, B, N, 0.3, C, N);
    case 4: return tsl_dtrmm(x, 'R', 'L', 'T', 'U', N, N, 0.7, A, N, C, N);
    default: return tsl_dtrsm(x, 'L', 'U', 'N', 'N', N, N, 0.7, A, N, C, N);
    }
}

static tsl_status views(tsl_context *x, int kind, double *C)
{
    tsl_matrix *a, *b, *c;
    tsl_matrix_wrap(x, TSL_D, N, N, A, N, &a), tsl_matrix_wrap(x, TSL_D, N, N, B, N, &b), tsl_matrix_wrap(x, TSL_D, N, N, C, N, &c);
    tsl_view va = tsl_whole(a), vb = tsl_whole(b), vc = tsl_whole(c);
    tsl_status st = kind == 0   ? tsl_gemm(x, 0.7, tsl_trans(va), vb, 0.3, vc)
                    : kind == 1 ? tsl_symm(x, TSL_RIGHT, 0.7, tsl_upper(va), vb, 0.3, vc)
                    : kind == 2 ? tsl_syrk(x, 0.7, tsl_trans(va), 0.3, tsl_upper(vc))
                    : kind == 3 ? tsl_syr2k(x, 0.7, va, vb, 0.3, tsl_lower(vc))
                    : kind == 4 ? tsl_trmm(x, TSL_RIGHT, 0.7, tsl_trans(tsl_unit(tsl_lower(va))), vc)
                                : tsl_trsm(x, TSL_LEFT, 0.7, tsl_upper(va), vc);
    tsl_matrix_free(a), tsl_matrix_free(b), tsl_matrix_free(c);
    return st;
}

static void same_bits(tsl_context *x)
{
    for (int kind = 0; kind < 6; kind++) {
        double C[N * N], D[N * N];
        memcpy(C, B, sizeof C), memcpy(D, B, sizeof D);
        int64_t before = launches(x);
        check(!typed(x, kind, C) && launches(x) == before + 1, "routine %d: one leaf", kind);
        check(!views(x, kind, D) && !memcmp(C, D, sizeof C), "routine %d: other bits by views", kind);
    }
    checked("the same bits by typed calls and by views, and one leaf each");
}

/* A long product is under way on C; the small call reads it. */
static void in_order(tsl_context *x)
{
    enum { LONG = 700 };
    tsl_matrix *a = NULL, *c = NULL;
    double D[N * N] = {0};
    tsl_status st = tsl_matrix_create(x, TSL_D, LONG, LONG, &a);
    if (!st) st = tsl_matrix_create(x, TSL_D, LONG, LONG, &c);
    if (!st) st = tsl_scale(x, 0, tsl_whole(a));
    if (!st) st = tsl_scale(x, 0, tsl_whole(c));
    if (!st) st = tsl_wait(x);
    for (int64_t j = 0; !st && j < LONG; j++)
        for (int64_t i = 0; i < LONG; i++) ((double *)tsl_matrix_data(a))[i + j * tsl_matrix_ld(a)] = 1;
    if (!st) st = tsl_gemm(x, 1, tsl_whole(a), tsl_whole(a), 0, tsl_whole(c)); /* all entries LONG */
    if (!st) st = tsl_dgemm(x, 'N', 'N', N, N, 1, 1, tsl_matrix_data(c), tsl_matrix_ld(c), tsl_matrix_data(a), tsl_matrix_ld(a), 0, D, N);
    int right = 0;
    for (int i = 0; i < N * N; i++) right += D[i] == LONG;
    ok(!st && right == N * N, "a small call waits for what is under way");
    tsl_matrix_free(a), tsl_matrix_free(c);
}

static void as_asked(tsl_context *x)
{
    double C[N * N] = {0};
    int64_t before = launches(x);
    tsl_status st = tsl_set(x, "tile", "8");
    if (!st) st = tsl_set(x, "variant", "rec");
    if (!st) st = typed(x, 4, C);
    ok(!st && launches(x) > before + 1, "a variant and a tile the caller asks for are used");
    tsl_set(x, "tile", "0"), tsl_set(x, "variant", "auto");
}

typedef struct worker {
    tsl_context *x;
    double sum;
    int failed;
} worker;

/* Every other call is too large for the short way, and some change what may go it. */
static void *add(void *worker_)
{
    enum { LARGE = 65 };
    worker *w = worker_;
    double one = 1, row[LARGE];
    for (int i = 0; i < LARGE; i++) row[i] = 1;
    for (int i = 0; i < MANY; i++) {
        w->failed += tsl_dgemm(w->x, 'N', 'N', 1, 1, 1, 1, &one, 1, &one, 1, 1, &w->sum, 1) != TSL_OK;
        w->failed += tsl_dgemm(w->x, 'N', 'N', 1, 1, LARGE, 1, row, 1, row, LARGE, 1, &w->sum, 1) != TSL_OK;
        if (i % 1000 == 0) w->failed += tsl_set(w->x, "tile", i % 2000 ? "0" : "64") != TSL_OK;
    }
    return NULL;
}

static void side_by_side(tsl_context *x)
{
    worker w[2] = {{.x = x}, {.x = x}};
    pthread_t other;
    double expected = MANY * (1.0 + 65.0);
    int64_t before = launches(x);
    int made = !pthread_create(&other, NULL, add, &w[1]);
    add(&w[0]);
    if (made) pthread_join(other, NULL);
    ok(made && !w[0].failed && !w[1].failed && w[0].sum == expected && w[1].sum == expected,
       "two threads on one context: %g and %g of %g", w[0].sum, w[1].sum, expected);
    ok(launches(x) - before >= 4 * MANY, "... and every leaf is counted");
}

/* Both ways of all typed calls: the short one on x, and the long one on y, which has an option set that changes nothing else. */
typedef struct args {
    char side, uplo, transa, transb, diag, norm;
    int64_t m, n, k, lda, ldb, ldc, incx, incy;
    tsl_scalar alpha, beta;
    int odd; /* an element is NaN, or infinite, or a diagonal's is zero */
} args;

static int64_t pick(uint64_t *seed, int64_t count)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (int64_t)(*seed >> 33) % count;
}

static char one_of(uint64_t *seed, const char *letters) { return letters[pick(seed, (int64_t)strlen(letters))]; }

static args draw(uint64_t *seed, int trial)
{
    static const int64_t sizes[] = {1, 2, 3, 5, 16, 17, 48, 49, 63, 64}, incs[] = {1, 2, -1, -3, 1};
    static const tsl_scalar factors[] = {0.7, 1, -1.25 + 0.5 * I, 0, 0.5};
    args g = {.side = one_of(seed, "LR"), .uplo = one_of(seed, "LUlu"), .transa = one_of(seed, "NTC"), .transb = one_of(seed, "NTC"),
              .diag = one_of(seed, "NU"), .norm = one_of(seed, "M1IF")};
    g.m = sizes[pick(seed, 10)], g.n = sizes[pick(seed, 10)], g.k = sizes[pick(seed, 10)];
    g.lda = LARGEST + pick(seed, 4), g.ldb = LARGEST + pick(seed, 4), g.ldc = LARGEST + trial % 4;
    g.incx = incs[trial % 5], g.incy = incs[pick(seed, 5)];
    g.alpha = factors[trial % 5], g.beta = factors[pick(seed, 5)];
    g.odd = trial % 6 == 5 ? 1 + (int)pick(seed, 3) : 0;
    return g;
}

static int64_t short_ways(tsl_context *x)
{
    int64_t count = 0;
    for (int i = 0; i < TSL_COUNTERS; i++) count += x->small_launches[i].count;
    return count;
}

#define PREFIX_s s
#define PREFIX_d d
#define PREFIX_c sc
#define PREFIX_z dz
#define MIXED_c cs
#define MIXED_z zd
#define NAME(before, name) PASTE3(, PASTE3(before, P, ), name)
#define PUBLIC(name) PASTE3(tsl_, name, )
#define FN(name) PASTE3(tsl_, P, name)
#define BODY "tests/blas/small.inc"
#include "core/types.inc"

static void both_ways(tsl_context *x)
{
    tsl_context *y = make();
    if (y && tsl_set(y, "tile", "1000") == TSL_OK) {
        tsl_sways(x, y), tsl_dways(x, y), tsl_cways(x, y), tsl_zways(x, y);
        check(short_ways(y) == 0, "%d calls went the short way", (int)short_ways(y));
        checked("an option keeps to the long way");
    } else {
        ok(0, "another context");
    }
    tsl_context_destroy(y);
}

/* The outcome of the last call, whichever way it went; and a refused call, of which the reason is told */
static void outcomes(tsl_context *x)
{
    enum { LARGE = 80 };
    static double S[LARGE * LARGE];
    int64_t info = -1, last = -1;
    for (int order = 4; order <= LARGE; order += LARGE - 4)
        for (int bad = 0; bad <= order; bad += order / 2) {
            memset(S, 0, sizeof S);
            for (int i = 0; i < order; i++) S[i + i * order] = i + 1 == bad ? -1 : 1;
            tsl_status st = tsl_dpotrf(x, 'L', order, S, order, bad % 4 ? NULL : &info), asked = tsl_info(x, &last);
            check(!st && !asked && last == bad && (bad % 4 || info == bad), "order %d: info %d, then %d, of %d", order, (int)info, (int)last, bad);
        }
    check(tsl_dpotrf(x, 'L', 4, S, 3, &info) == TSL_ERR_LD && info == -4 && strstr(tsl_error(x), "argument 4"), "refused: %s", tsl_error(x));
    checked("outcomes of small calls and of others, in turn");
}

/* What the library asks the system for in this program, instead of libc's: it reads a file to answer how many cores there are. */
static int questions;

long sysconf(int name)
{
    long (*libc)(int);
    *(void **)&libc = dlsym(RTLD_NEXT, "sysconf");
    __atomic_fetch_add(&questions, 1, __ATOMIC_RELAXED);
    return libc(name);
}

/* Calls that are too large for the short way and too small for anything to wait for */
static void asks_nothing(tsl_context *x)
{
    enum { LARGE = 100 };
    static double S[LARGE * LARGE];
    for (int call = 0, before; call < 4; call++) {
        memset(S, 0, sizeof S);
        for (int i = 0; i < LARGE; i++) S[i + i * LARGE] = 1;
        before = questions;
        tsl_status st = tsl_dpotrf(x, 'L', LARGE, S, LARGE, NULL);
        check(!st && (call == 0 || questions == before), "call %d: %s, asked %d times", call, tsl_status_name(st), questions - before);
    }
    checked("a call does not ask the system how many cores there are");
}

int main(void)
{
    tsl_context *x = make();
    ok(x != NULL, "context");
    if (!x) return tap_done();
    fill();
    both_ways(x);
    outcomes(x);
    asks_nothing(x);
    same_bits(x);
    in_order(x);
    as_asked(x);
    side_by_side(x);
    tsl_context_destroy(x);
    return tap_done();
}
