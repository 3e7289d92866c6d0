/* Allocations that fail in operations by tiles: each in turn, then all from it on. QR, least squares of any rank, inverses,
 * Cholesky, levels 1 and 2 and norms, on devices with hardly any memory and on cores: a memory status or the same bits, nothing lost, and
 * the context does the same work afterwards. Then several threads at once on one context with hardly any memory. LU is in
 * test_tiles_lu.c. */
#include <pthread.h>
#include <unistd.h>

#include "runtime/runtime.h"
#include "tiled_program.h"

enum { A, B, V, ORDER = 40, RHS = 5, HANG = 400 };

/* A definite, so that every factorization of it is good; B; and a vector for pivots or the factors of reflectors. */
static left given(tsl_type t, tsl_type vector)
{
    left l = {.v = {dense_make(t, ORDER, ORDER, CANARY_FINITE), dense_make(t, ORDER, RHS, CANARY_FINITE),
                    dense_make(vector, ORDER, 1, CANARY_FINITE)}};
    dense_dominant(&l.v[A], 1), dense_random(&l.v[B], 2);
    for (int64_t i = 0; i < ORDER; i++) dense_put(&l.v[V], i, 0, 1);
    return l;
}

static left with_vector(tsl_type t, bool large) { return (void)large, given(t, t); }
static left with_pivots(tsl_type t, bool large) { return (void)large, given(t, TSL_INDEX); }

static tsl_status qr(tsl_context *x, const tsl_view v[], const char *variant, int64_t *info)
{
    (void)variant, (void)info;
    tsl_status st = tsl_geqrf(x, v[A], v[V]);
    if (!st) st = tsl_ormqr(x, TSL_LEFT, TSL_HERM, v[A], v[V], v[B]);
    if (!st) st = tsl_orgqr(x, v[A], v[V]);
    return st;
}

static tsl_status least_squares(tsl_context *x, const tsl_view v[], const char *variant, int64_t *info)
{
    (void)variant;
    tsl_status st = tsl_gels(x, tsl_sub(v[A], 0, 0, ORDER, ORDER / 2), v[B], info);
    if (!st) st = tsl_gels(x, tsl_herm(tsl_sub(v[A], 0, ORDER / 2, ORDER, ORDER / 2)), v[B], info);
    return st;
}

static tsl_status inverse(tsl_context *x, const tsl_view v[], const char *variant, int64_t *info)
{
    (void)variant;
    tsl_status st = tsl_getrf(x, v[A], v[V], info);
    if (!st) st = tsl_getri(x, v[A], v[V], info);
    return st;
}

static tsl_status definite(tsl_context *x, const tsl_view v[], const char *variant, int64_t *info)
{
    (void)variant;
    tsl_status st = tsl_posv(x, tsl_lower(v[A]), v[B], info);
    if (!st) st = tsl_potri(x, tsl_lower(v[A]), info);
    if (!st) st = tsl_trmm(x, TSL_LEFT, 1, tsl_herm(tsl_lower(v[A])), v[B]);
    return st;
}

/* Of a rank that is not full, with one column that is fixed */
static left with_free_columns(tsl_type t, bool large)
{
    left l = with_pivots(t, large);
    for (int64_t i = 0; i < ORDER; i++) dense_put(&l.v[V], i, 0, i == 5);
    for (int64_t i = 0; i < ORDER; i++) dense_put(&l.v[A], i, 7, dense_get(&l.v[A], i, 3));
    return l;
}

static tsl_status pivoted(tsl_context *x, const tsl_view v[], const char *variant, int64_t *info)
{
    enum { M = 10, N = 8 };
    tsl_matrix *a = NULL;
    int64_t rank = 0;
    (void)variant, (void)info;
    tsl_view from = tsl_sub(v[A], 0, 0, M, N), p = tsl_sub(v[V], 0, 0, N, 1), b = tsl_sub(v[B], 0, 0, M, RHS);
    tsl_status st = tsl_tiled_create(x, TSL_D, M, N, 3, &a);
    if (!st) st = tsl_copy(x, from, tsl_whole(a));
    if (!st) st = tsl_gelsy(x, tsl_whole(a), p, b, 1e-10, &rank);
    if (!st) st = tsl_copy(x, tsl_whole(a), from);
    if (!st) check(rank == N - 1, "rank %d", (int)rank);
    tsl_matrix_free(a);
    return st;
}

/* Numbers go into what is left, too. */
static tsl_status levels(tsl_context *x, const tsl_view v[], const char *variant, int64_t *info)
{
    (void)variant, (void)info;
    tsl_view b = tsl_sub(v[B], 0, 0, ORDER, 1), c = tsl_sub(v[B], 0, 1, ORDER, 1), row = tsl_sub(v[A], 3, 0, 1, ORDER);
    double sums = 0, size = 0, length = 0;
    tsl_scalar product = 0;
    int64_t place = 0;
    tsl_status st = tsl_gemv(x, 1, v[A], v[V], 1, b);
    if (!st) st = tsl_hemv(x, 0.5, tsl_lower(v[A]), b, 1, c);
    if (!st) st = tsl_trsv(x, tsl_upper(v[A]), b);
    if (!st) st = tsl_norm(x, TSL_NORM_INF, TSL_HERMITIAN, tsl_lower(v[A]), &sums);
    if (!st) st = tsl_norm(x, TSL_NORM_FRO, TSL_HERMITIAN, v[A], &size);
    if (!st) st = tsl_dot(x, row, c, &product);
    if (!st) st = tsl_nrm2(x, c, &length);
    if (!st) st = tsl_iamax(x, row, &place);
    if (!st) st = tsl_ger(x, 1 / (1 + sums), b, c, v[A]);
    if (!st) st = tsl_axpy(x, product / size, b, v[V]);
    if (!st) st = tsl_scal(x, length + (double)place, c);
    if (!st) st = tsl_expand(x, TSL_SYMMETRIC, tsl_lower(v[A]), v[A]);
    if (!st) st = tsl_random(x, 1, tsl_sub(v[B], 0, 2, ORDER, 1));
    return !st ? tsl_geadd(x, 2, tsl_sub(v[B], 0, 2, ORDER, 1), 1, tsl_sub(v[B], 0, 3, ORDER, 1)) : st;
}

/* What nothing cuts: brought together from odd tiles, computed in one place, and put back; with a number and an info */
static tsl_status in_one_place(tsl_context *x, const tsl_view v[], const char *variant, int64_t *info)
{
    tsl_matrix *a = NULL, *t = NULL;
    double rcond = 0;
    (void)variant;
    tsl_status st = tsl_tiled_create(x, TSL_D, ORDER, ORDER, 13, &a);
    if (!st) st = tsl_tiled_create(x, TSL_D, ORDER, 1, 9, &t);
    if (!st) st = tsl_copy(x, v[V], tsl_whole(t));
    if (!st) st = tsl_copy(x, v[A], tsl_whole(a));
    if (!st) st = tsl_gecon(x, TSL_NORM_ONE, tsl_whole(a), 1, &rcond);
    if (!st) st = tsl_sqrtm(x, tsl_whole(a), info);
    if (!st) st = tsl_orgtr(x, tsl_lower(tsl_whole(a)), tsl_sub(tsl_whole(t), 0, 0, ORDER - 1, 1));
    if (!st)
        st = tsl_gbmv(x, TSL_NOTRANS, ORDER, ORDER, 2, 2, rcond, tsl_sub(tsl_whole(a), 3, 0, 5, ORDER), v[V], 2, tsl_whole(t));
    if (!st) st = tsl_copy(x, tsl_whole(a), v[A]);
    if (!st) st = tsl_copy(x, tsl_whole(t), v[V]);
    tsl_matrix_free(a), tsl_matrix_free(t);
    return st;
}

static const program programs[] = {
    {3, with_vector, qr, NULL, {"auto", "auto", "auto"}, "16", NULL},
    {3, with_vector, least_squares, NULL, {"auto", "auto", "auto"}, "16", NULL},
    {3, with_pivots, inverse, NULL, {"auto", "auto", "auto"}, "16", NULL},
    {3, with_vector, definite, NULL, {"auto", "auto", "auto"}, "16", NULL},
    {3, with_vector, levels, NULL, {"auto", "auto", "auto"}, "16", NULL},
    {3, with_vector, in_one_place, NULL, {"auto", "auto", "auto"}, "16", NULL},
    {3, with_free_columns, pivoted, NULL, {"auto", "auto", "auto"}, "16", NULL},
};

/* ---- several threads ------------------------------------------------------------------------------------------------------ */

/* One of so many allocations fails, whosever it is; 0: none */
static long every, calls, live;

static void *take(void *user, int device, size_t bytes)
{
    (void)user, (void)device;
    long call = __atomic_add_fetch(&calls, 1, __ATOMIC_RELAXED), one = __atomic_load_n(&every, __ATOMIC_RELAXED);
    void *p = one && call % one == 0 ? NULL : aligned_alloc(256, (bytes + 255) / 256 * 256);
    if (p) __atomic_add_fetch(&live, 1, __ATOMIC_RELAXED);
    return p;
}

static void give(void *user, int device, void *p, size_t bytes)
{
    (void)user, (void)device, (void)bytes;
    __atomic_sub_fetch(&live, 1, __ATOMIC_RELAXED);
    free(p);
}

typedef struct caller {
    pthread_t thread;
    tsl_context *x;
    const program *p;
    left right;
    int rounds, done, refused, wrong;
} caller;

static tsl_status attempt(tsl_context *x, const program *p, left *l)
{
    tsl_matrix *m[OPERANDS] = {0};
    tsl_view v[OPERANDS];
    int64_t info = 0;
    tsl_status st = TSL_OK;
    for (int i = 0; i < p->operands && !st; i++) {
        st = tsl_matrix_wrap(x, l->v[i].t, l->v[i].m, l->v[i].n, l->v[i].data, l->v[i].ld, &m[i]);
        if (!st) v[i] = tsl_whole(m[i]);
    }
    if (!st) st = p->run(x, v, "auto", &info);
    for (int i = 0; i < p->operands; i++) tsl_matrix_free(m[i]);
    return st;
}

static void *call_often(void *arg)
{
    caller *c = arg;
    for (int r = 0; r < c->rounds; r++) {
        left l = c->p->make(TSL_D, false);
        tsl_status st = attempt(c->x, c->p, &l);
        bool memory = st == TSL_ERR_MEMORY || st == TSL_ERR_DEVICE_MEMORY;
        c->done += !st, c->refused += memory, c->wrong += st ? !memory : !left_same(c->p, &l, &c->right);
        left_free(&l);
    }
    return NULL;
}

/* Each has a program of its own; those with an even number share a context, the others have one each. */
static void together(const char *spec)
{
    enum { CALLERS = 14 };
    static const long failing[] = {0, 97, 41, 0};
    tsl_config cfg = tsl_config_default();
    caller c[CALLERS] = {0};
    int done = 0, refused = 0;
    cfg.devices = spec;
    cfg.allocator = &(tsl_allocator){take, give, NULL};
    for (int i = 0; i < CALLERS; i++) {
        c[i].p = &programs[i / 2 % (int)COUNT(programs)];
        c[i].right = c[i].p->make(TSL_D, false);
        if (i && i % 2 == 0) c[i].x = c[0].x;
        else check(!tsl_context_create(&cfg, &c[i].x) && !tsl_set(c[i].x, "path", "tiles") && !tsl_set(c[i].x, "tile", "16"), "%s", spec);
        check(!attempt(c[i].x, c[i].p, &c[i].right), "%s: %s", spec, tsl_error(c[i].x));
    }
    for (size_t f = 0; f < COUNT(failing); f++) {
        __atomic_store_n(&every, failing[f], __ATOMIC_RELAXED);
        for (int i = 0; i < CALLERS; i++) c[i].rounds = 6, check(!pthread_create(&c[i].thread, NULL, call_often, &c[i]), "a thread");
        for (int i = 0; i < CALLERS; i++) {
            check(!pthread_join(c[i].thread, NULL), "a thread");
            check(c[i].wrong == 0, "%s, caller %d: %d calls with other bits or another status", spec, i, c[i].wrong);
            check(failing[f] || c[i].done == c[i].rounds, "%s, caller %d: %d of %d calls", spec, i, c[i].done, c[i].rounds);
            done += c[i].done, refused += c[i].refused;
            c[i].done = c[i].refused = c[i].wrong = 0;
        }
    }
    check(!strchr(spec, ',') || c[0].x->runtime->count.evictions > 0, "%s: there was room for all", spec);
    for (int i = 0; i < CALLERS; i++) {
        if (i == 0 || i % 2) tsl_context_destroy(c[i].x);
        left_free(&c[i].right);
    }
    check(live == 0, "%s: %ld are lost", spec, live);
    check(refused > 0, "%s: none was refused", spec);
    checked("%s: %d threads at once, %d calls done and %d refused", spec, CALLERS, done, refused);
}

int main(void)
{
    static const char *const specs[] = {"host:3,mem=20K", "host:1,mem=20K", "host"};
    alarm(HANG); /* a hang is a failure */
    for (size_t i = 0; i < COUNT(programs); i++) program_failures(&programs[i], specs[i % 2]), program_failures(&programs[i], "host");
    for (size_t s = 0; s < COUNT(specs); s++) together(specs[s]);
    return tap_done();
}
