/* Every allocation the library makes fails once, and then all from it on: no crash, a memory status from the call, nothing
 * lost, and the context does the same work afterwards. On the host only: for a GPU the hook would have to supply device
 * memory. */
#include <limits.h>
#include <pthread.h>

#include "context/context.h"
#include "dense.h"
#include "extent.h"
#include "tap.h"

enum { N = 40, HEADER = 256 };

/* Counts allocations, refuses some, and knows what is live. Called from the library's threads too. */
typedef struct hook {
    pthread_mutex_t lock;
    long calls, live, live_bytes;
    long fail_from, fail_to; /* calls refused, counted from 1; 0: none */
    long refused, mismatched, on_device;
} hook;

/* In front of each block, so that free can be checked against alloc; its size keeps device alignment. */
typedef struct label {
    size_t bytes;
    int device;
} label;

static void *hook_alloc(void *user, int device, size_t bytes)
{
    hook *h = user;
    pthread_mutex_lock(&h->lock);
    long call = ++h->calls;
    int refuse = call >= h->fail_from && call < h->fail_to;
    h->refused += refuse;
    h->on_device += device >= 0;
    pthread_mutex_unlock(&h->lock);
    char *p = refuse ? NULL : aligned_alloc(HEADER, HEADER + (bytes + HEADER - 1) / HEADER * HEADER);
    if (!p) return NULL;
    *(label *)p = (label){bytes, device};
    memset(p + HEADER, 0xff, bytes); /* contents undefined: NaN shows a use before the first write */
    pthread_mutex_lock(&h->lock);
    h->live++;
    h->live_bytes += (long)bytes;
    pthread_mutex_unlock(&h->lock);
    return p + HEADER;
}

static void hook_free(void *user, int device, void *q, size_t bytes)
{
    hook *h = user;
    char *p = (char *)q - HEADER;
    const label *l = (const label *)p;
    pthread_mutex_lock(&h->lock);
    h->mismatched += l->bytes != bytes || l->device != device;
    h->live--;
    h->live_bytes -= (long)l->bytes;
    pthread_mutex_unlock(&h->lock);
    free(p);
}

/* What the scenario computes: compared bit for bit with the run without failures. */
typedef struct outcome {
    dense factor, product, update;
    int64_t info, later, pivots[N];
} outcome;

static outcome outcome_make(void)
{
    return (outcome){dense_make(TSL_Z, N, N, CANARY_FINITE), dense_make(TSL_Z, N, N, CANARY_FINITE),
                     dense_make(TSL_Z, N, N, CANARY_FINITE), -1, -1, {0}};
}

static void outcome_free(outcome *o) { dense_free(&o->factor), dense_free(&o->product), dense_free(&o->update); }

static int outcome_same(const outcome *a, const outcome *b)
{
    return dense_same(&a->factor, &b->factor) && dense_same(&a->product, &b->product) && dense_same(&a->update, &b->update) &&
           a->info == b->info && a->later == b->later && !memcmp(a->pivots, b->pivots, sizeof a->pivots);
}

/* LU of views, whose pivots are on the device, and of arrays, by all of its calls. On one device: the scenario's others go by
 * tiles too. */
static tsl_status by_pivots(tsl_context *x, outcome *o, tsl_view A, tsl_view B)
{
    tsl_cdouble *u = (tsl_cdouble *)(void *)o->update.data, *h = (tsl_cdouble *)(void *)o->product.data;
    tsl_matrix *p = NULL, *piv = NULL;
    tsl_cdouble phase;
    double logabs;
    tsl_status st = tsl_matrix_create(x, TSL_INDEX, N, 1, &p);
    if (!st) st = tsl_matrix_wrap(x, TSL_INDEX, N, 1, o->pivots, N, &piv);
    if (!st) st = tsl_set(x, "path", "one");
    if (!st) st = tsl_set(x, "variant", "ahead");
    if (!st) st = tsl_getrf(x, A, tsl_whole(p), NULL);
    if (!st) st = tsl_set(x, "variant", "hybrid");
    if (!st) st = tsl_getrf(x, A, tsl_whole(p), NULL);
    if (!st) st = tsl_set(x, "variant", "auto");
    if (!st) st = tsl_getrs(x, tsl_conj(A), tsl_whole(p), tsl_trans(B));
    if (!st) st = tsl_getri(x, A, tsl_whole(p), NULL);
    if (!st) st = tsl_gesv(x, A, tsl_whole(p), B, NULL);
    if (!st) st = tsl_copy(x, tsl_whole(p), tsl_whole(piv));
    if (!st) st = tsl_laswp(x, tsl_trans(B), tsl_whole(piv), 1);
    if (!st) st = tsl_zgetrf(x, N, N, u, o->update.ld, o->pivots, NULL);
    if (!st) st = tsl_zlogdet(x, 'G', N, u, o->update.ld, o->pivots, &phase, &logabs);
    if (!st) st = tsl_zgetrs(x, 'C', N, N, u, o->update.ld, o->pivots, h, o->product.ld, NULL);
    if (!st) st = tsl_zlaswp(x, N, h, o->product.ld, 1, N, o->pivots, -1);
    tsl_matrix_free(p);
    tsl_matrix_free(piv);
    (void)tsl_set(x, "variant", "auto"), (void)tsl_set(x, "path", "auto");
    return st;
}

/* QR and what is made of it, of views and of arrays, by its algorithms: a tile size that cuts */
static tsl_status by_reflectors(tsl_context *x, outcome *o, tsl_view A, tsl_view B)
{
    tsl_cdouble *u = (tsl_cdouble *)(void *)o->update.data, *h = (tsl_cdouble *)(void *)o->product.data, factors[N];
    tsl_matrix *tau = NULL;
    tsl_status st = tsl_matrix_create(x, TSL_Z, N, 1, &tau);
    if (!st) st = tsl_set(x, "path", "one");
    if (!st) st = tsl_set(x, "variant", "ahead");
    if (!st) st = tsl_geqrf(x, A, tsl_whole(tau));
    if (!st) st = tsl_set(x, "variant", "hybrid");
    if (!st) st = tsl_geqrf(x, A, tsl_whole(tau));
    if (!st) st = tsl_set(x, "variant", "blocks");
    if (!st) st = tsl_ormqr(x, TSL_RIGHT, TSL_HERM, A, tsl_whole(tau), B);
    if (!st) st = tsl_orgqr(x, A, tsl_whole(tau));
    if (!st) st = tsl_set(x, "variant", "right");
    if (!st) st = tsl_geqrf(x, tsl_herm(A), tsl_whole(tau));
    if (!st) st = tsl_gels(x, A, B, NULL);
    if (!st) st = tsl_set(x, "variant", "auto");
    if (!st) st = tsl_zgelqf(x, N, N, u, o->update.ld, factors, NULL);
    if (!st) st = tsl_zunmlq(x, 'R', 'C', N, N, N, u, o->update.ld, factors, h, o->product.ld, NULL);
    if (!st) st = tsl_zgels(x, 'C', N, N, N, u, o->update.ld, h, o->product.ld, NULL);
    tsl_matrix_free(tau);
    (void)tsl_set(x, "variant", "auto"), (void)tsl_set(x, "path", "auto");
    return st;
}

/* Reduction to tridiagonal form and what is made of it, the same way */
static tsl_status to_tridiagonal(tsl_context *x, outcome *o, tsl_view A, tsl_view B)
{
    tsl_cdouble *u = (tsl_cdouble *)(void *)o->update.data, *h = (tsl_cdouble *)(void *)o->product.data, factors[N];
    tsl_matrix *tau = NULL, *T = NULL;
    double d[N], e[N];
    tsl_status st = tsl_matrix_create(x, TSL_Z, N - 1, 1, &tau);
    if (!st) st = tsl_matrix_create(x, TSL_D, N, 2, &T);
    if (!st) st = tsl_set(x, "variant", "panels");
    if (!st) st = tsl_sytrd(x, tsl_upper(A), tsl_sub(tsl_whole(T), 0, 0, N, 1), tsl_sub(tsl_whole(T), 0, 1, N - 1, 1), tsl_whole(tau));
    if (!st) st = tsl_set(x, "variant", "blocks");
    if (!st) st = tsl_ormtr(x, TSL_RIGHT, TSL_HERM, tsl_upper(A), tsl_whole(tau), B);
    if (!st) st = tsl_orgtr(x, tsl_upper(A), tsl_whole(tau));
    if (!st) st = tsl_set(x, "variant", "auto");
    if (!st) st = tsl_zhetrd(x, 'L', N, u, o->update.ld, d, e, factors, NULL);
    if (!st) st = tsl_zunmtr(x, 'R', 'L', 'C', N, N, u, o->update.ld, factors, h, o->product.ld, NULL);
    if (!st) st = tsl_zungtr(x, 'L', N, u, o->update.ld, factors, NULL);
    int64_t m;
    if (!st) st = tsl_zheevr(x, 'V', 'I', 'L', N, u, o->update.ld, 0, 0, 2, N - 1, 0, &m, d, h, o->product.ld, NULL, NULL);
    if (!st) st = tsl_zhegvd(x, 1, 'V', 'U', N, u, o->update.ld, h, o->product.ld, d, NULL);
    tsl_matrix_free(T);
    tsl_matrix_free(tau);
    (void)tsl_set(x, "variant", "auto");
    return st;
}

/* Singular values, by both ways */
static tsl_status to_values(tsl_context *x, tsl_view A, tsl_view B)
{
    enum { ROWS = 9, COLS = 6 };
    tsl_matrix *s = NULL;
    tsl_view tall = tsl_sub(A, 0, 0, ROWS, COLS), U = tsl_sub(B, 0, 0, ROWS, ROWS), VT = tsl_sub(B, ROWS, 0, COLS, COLS);
    tsl_status st = tsl_matrix_create(x, TSL_D, COLS, 1, &s);
    if (!st) st = tsl_gesvd(x, tall, TSL_SVD_DC, tsl_whole(s), U, VT, NULL);
    if (!st) st = tsl_gesvd(x, tall, TSL_SVD_POLAR, tsl_whole(s), U, VT, NULL);
    if (!st) st = tsl_polar(x, tall, VT, NULL);
    if (!st) st = tsl_set(x, "variant", "two");
    if (!st) st = tsl_gesvd(x, tall, TSL_SVD_AUTO, tsl_whole(s), U, VT, NULL);
    (void)tsl_set(x, "variant", "auto");
    tsl_matrix_free(s);
    return st;
}

/* A condition and bounds of errors, by the algorithms of GPUs, which look at vectors on the host */
static tsl_status to_bounds(tsl_context *x, tsl_view A, tsl_view B)
{
    enum { ORDER = 3 };
    double rcond;
    tsl_matrix *f = NULL, *p = NULL;
    tsl_view a = tsl_sub(A, 0, 0, ORDER, ORDER), b = tsl_sub(B, 0, 0, ORDER, 1), y = tsl_sub(B, 0, 1, ORDER, 1);
    tsl_status st = tsl_matrix_create(x, TSL_D, 2, 1, &f);
    if (!st) st = tsl_matrix_create(x, TSL_INDEX, ORDER, 1, &p);
    if (!st) st = tsl_getrf(x, a, tsl_whole(p), NULL);
    if (!st) st = tsl_set(x, "variant", "estimate");
    if (!st) st = tsl_gecon(x, TSL_NORM_ONE, a, 1, &rcond);
    if (!st) st = tsl_set(x, "variant", "parts");
    if (!st) st = tsl_trrfs(x, tsl_upper(a), b, y, tsl_sub(tsl_whole(f), 0, 0, 1, 1), tsl_sub(tsl_whole(f), 1, 0, 1, 1));
    (void)tsl_set(x, "variant", "auto");
    if (!st) st = tsl_expm(x, a, NULL);
    tsl_matrix_free(f);
    tsl_matrix_free(p);
    return st;
}

/* Eigenpairs and Schur form of a small block, by both ways */
static tsl_status to_eigenvalues(tsl_context *x, tsl_view A, tsl_view B)
{
    enum { ORDER = 7 };
    tsl_matrix *w = NULL;
    tsl_view a = tsl_sub(A, 0, 0, ORDER, ORDER), V = tsl_sub(B, 0, 0, ORDER, ORDER), none = {0};
    tsl_status st = tsl_matrix_create(x, TSL_Z, ORDER, 1, &w);
    if (!st) st = tsl_gees(x, a, TSL_SORT_LHP, tsl_whole(w), none, V, NULL, NULL);
    if (!st) st = tsl_set(x, "variant", "parts");
    if (!st) st = tsl_geev(x, a, tsl_whole(w), none, none, V, NULL);
    tsl_matrix_free(w);
    (void)tsl_set(x, "variant", "auto");
    return st;
}

/* QR with column pivoting and least squares, by LAPACK and by parts */
static tsl_status to_rank(tsl_context *x, tsl_view A, tsl_view B)
{
    enum { ROWS = 9, COLS = 6 };
    static const char *const ways[] = {"auto", "panels", "parts"};
    tsl_matrix *s = NULL, *p = NULL, *tau = NULL;
    int64_t rank;
    tsl_view tall = tsl_sub(A, 0, 0, ROWS, COLS), X = tsl_sub(B, 0, 0, ROWS, 2);
    tsl_status st = tsl_matrix_create(x, TSL_D, COLS, 1, &s);
    if (!st) st = tsl_matrix_create(x, TSL_INDEX, COLS, 1, &p);
    if (!st) st = tsl_matrix_create(x, TSL_Z, COLS, 1, &tau);
    for (int k = 0; k < 3 && !st; k++) {
        st = tsl_set(x, "variant", ways[k]);
        if (!st && k < 2) st = tsl_geqp3(x, tall, tsl_whole(p), tsl_whole(tau));
        if (!st && k == 0) st = tsl_geqp3_random(x, tall, tsl_whole(p), tsl_whole(tau), COLS, 0, 1, &rank);
        if (!st && k != 1) st = tsl_gelsy(x, tall, tsl_whole(p), X, 1e-10, &rank);
        if (!st && k != 1) st = tsl_gelsd(x, tall, tsl_whole(s), X, 1e-10, &rank, NULL);
    }
    tsl_matrix_free(s), tsl_matrix_free(p), tsl_matrix_free(tau);
    (void)tsl_set(x, "variant", "auto");
    return st;
}

/* Sylvester's and Lyapunov's equations; rows added to a factor and taken from it */
static tsl_status to_equations(tsl_context *x, tsl_view A, tsl_view B)
{
    enum { ORDER = 6, ROWS = 2 };
    tsl_matrix *s = NULL;
    tsl_view form = tsl_sub(A, 0, 0, ORDER, ORDER), C = tsl_sub(B, 0, 0, ORDER, ORDER), rows = tsl_sub(B, ORDER, 0, ROWS, ORDER), none = {0};
    tsl_status st = tsl_matrix_create(x, TSL_D, 1, 1, &s);
    (void)tsl_set(x, "variant", "rec");
    if (!st) st = tsl_trsyl(x, 1, form, tsl_trans(form), C, tsl_whole(s), NULL);
    (void)tsl_set(x, "variant", "auto");
    if (!st) st = tsl_lyapunov(x, form, C, tsl_whole(s), NULL);
    if (!st) st = tsl_uddate(x, tsl_upper(form), none, rows, none, none, none, NULL);
    if (!st) st = tsl_chdd(x, tsl_lower(form), rows, NULL);
    tsl_matrix_free(s);
    return st;
}

/* Reduction of a small block to a band, and by tiles */
static tsl_status to_band(tsl_context *x, tsl_view A, tsl_view B)
{
    enum { ORDER = 9, KD = 5 };
    tsl_matrix *AB = NULL, *T = NULL;
    tsl_view L = tsl_lower(tsl_sub(A, 0, 0, ORDER, ORDER));
    tsl_status st = tsl_matrix_create(x, TSL_Z, KD + 1, ORDER, &AB);
    if (!st) st = tsl_matrix_create(x, TSL_Z, KD, ORDER, &T);
    if (!st) st = tsl_set(x, "variant", "whole");
    if (!st) st = tsl_sy2sb(x, L, tsl_whole(AB), tsl_whole(T));
    (void)tsl_set(x, "variant", "auto");
    if (!st) st = tsl_set(x, "path", "tiles");
    if (!st) st = tsl_sy2sb(x, L, tsl_whole(AB), tsl_whole(T));
    if (!st) st = tsl_ormtr_sy2sb(x, TSL_LEFT, TSL_NOTRANS, L, tsl_whole(T), tsl_sub(B, 0, 0, ORDER, 1));
    (void)tsl_set(x, "path", "auto");
    tsl_matrix_free(T);
    tsl_matrix_free(AB);
    return st;
}

/* Operations on matrices of the context and views of them, then on the caller's arrays; stops at the first failure. */
static tsl_status operations(tsl_context *x, outcome *o, tsl_matrix *host, tsl_matrix *a, tsl_matrix *b)
{
    tsl_view H = tsl_whole(host), A = tsl_whole(a), B = tsl_whole(b), L = tsl_lower(A);
    tsl_cdouble *h = (tsl_cdouble *)(void *)o->product.data, *u = (tsl_cdouble *)(void *)o->update.data;
    int64_t ld = o->product.ld;
    tsl_status st = tsl_copy(x, H, A);
    if (!st) st = tsl_copy(x, H, B);
    if (!st) st = tsl_set(x, "variant", "ahead");
    if (!st) st = tsl_potrf(x, L, &o->info);
    if (!st) st = tsl_set(x, "variant", "auto");
    if (!st) st = tsl_trsm(x, TSL_LEFT, 1, tsl_conj(L), B);
    if (!st) st = tsl_potri(x, L, NULL);
    if (!st) st = tsl_posv(x, L, B, NULL);
    if (!st) st = tsl_gemm(x, -1, tsl_conj(B), tsl_trans(B), 1, tsl_herm(A));
    if (!st) st = tsl_herk(x, 1, tsl_conj(B), 1, tsl_upper(A));
    if (!st) st = tsl_copy(x, A, H);
    if (!st) st = tsl_zgemm(x, 'N', 'C', N, N, N, 1, u, ld, u, ld, 1, h, ld);
    if (!st) st = tsl_gemm(x, 1, tsl_conj(H), B, 0, A);
    if (!st) st = tsl_zherk(x, 'L', 'N', N, N, 1, h, ld, 1, u, ld);
    if (!st) st = tsl_ztrsm(x, 'R', 'U', 'T', 'U', N, N, 1, h, ld, u, ld);
    if (!st) st = tsl_potrf(x, tsl_lower(B), NULL);
    if (!st) st = tsl_info(x, &o->later);
    if (!st) st = by_pivots(x, o, A, B);
    if (!st) st = by_reflectors(x, o, A, B);
    if (!st) st = to_tridiagonal(x, o, A, B);
    if (!st) st = to_band(x, A, B);
    if (!st) st = to_values(x, A, B);
    if (!st) st = to_bounds(x, A, B);
    if (!st) st = to_eigenvalues(x, A, B);
    if (!st) st = to_rank(x, A, B);
    if (!st) st = to_equations(x, A, B);
    return st;
}

static tsl_status scenario(tsl_context *x, outcome *o)
{
    tsl_matrix *host = NULL, *a = NULL, *b = NULL;
    dense_dominant(&o->factor, 1);
    dense_random(&o->product, 2);
    dense_random(&o->update, 3);
    tsl_status st = tsl_set(x, "tile", "16");
    if (!st) st = tsl_matrix_wrap(x, TSL_Z, N, N, o->factor.data, o->factor.ld, &host);
    if (!st) st = tsl_matrix_create(x, TSL_Z, N, N, &a);
    if (!st) st = tsl_matrix_create(x, TSL_Z, N, N, &b);
    if (!st) st = operations(x, o, host, a, b);
    tsl_matrix_free(a);
    tsl_matrix_free(b);
    tsl_matrix_free(host);
    tsl_status late = tsl_wait(x); /* a failure is told by its call, never again later */
    check(!late || st, "an error is left behind: %s", tsl_status_name(late));
    return st;
}

static int memory_status(tsl_status st) { return st == TSL_ERR_MEMORY || st == TSL_ERR_DEVICE_MEMORY; }

static size_t device_bytes(tsl_context *x)
{
    tsl_device_info d = {.used = 0};
    check(tsl_device_query(x, 0, &d) == TSL_OK, "device_query");
    return d.used;
}

/* The whole life of a context with the given calls of the hook refused. Returns how many calls a full run makes; *held is what
 * the device holds at the end of the undisturbed life, and what others are measured by. */
static long life(const char *devices, long from, long to, outcome *o, const outcome *good, size_t *held)
{
    hook h = {.lock = PTHREAD_MUTEX_INITIALIZER, .fail_from = from, .fail_to = to};
    tsl_allocator a = {hook_alloc, hook_free, &h};
    tsl_config cfg = tsl_config_default();
    tsl_context *x = NULL;
    cfg.devices = devices;
    cfg.allocator = &a;
    tsl_status made = tsl_context_create(&cfg, &x), st = made ? made : scenario(x, o);
    long calls = h.calls;
    /* a refusal may be made up for (a smaller block will do); then the results are right */
    check(st == TSL_OK || memory_status(st), "%s, call %ld: %s", devices, from, tsl_status_name(st));
    check(st != TSL_OK || !good || outcome_same(o, good), "%s, call %ld: success with another result", devices, from);
    check(st == TSL_OK || h.refused > 0, "%s, call %ld: a failure without a refusal", devices, from);
    check(!made == !!x, "%s, call %ld: a context exactly on success", devices, from);
    if (x) {
        h.fail_to = 0;
        check(st == TSL_OK || *tsl_error(x), "%s, call %ld: a line about it", devices, from);
        st = scenario(x, o);
        check(!st && (!good || outcome_same(o, good)), "%s, call %ld: then the same work: %s", devices, from, tsl_status_name(st));
        /* a block lost on the way would be freed with the device, but is held until then; odd small ones may have been added.
         * Workspace is in larger or smaller chunks, as what was refused has it. */
        tsl_trim_workspace(x);
        if (!from) *held = device_bytes(x);
        check(device_bytes(x) < *held + (1 << 20), "%s, call %ld: the device holds %zu bytes", devices, from, device_bytes(x));
        tsl_context_destroy(x);
    }
    check(h.live == 0 && h.live_bytes == 0, "%s, call %ld: %ld blocks, %ld bytes lost", devices, from, h.live, h.live_bytes);
    check(h.mismatched == 0, "%s, call %ld: %ld frees unlike their alloc", devices, from, h.mismatched);
    if (!from) check(h.on_device > 0, "%s: device memory comes from the hook", devices);
    pthread_mutex_destroy(&h.lock);
    return calls;
}

static void test_spec(const char *devices)
{
    outcome good = outcome_make(), o = outcome_make();
    size_t held = 0;
    long calls = life(devices, 0, 0, &good, NULL, &held);
    check(good.info == 0 && good.later >= 0, "the undisturbed run");
    ok(calls > 10, "%s: a full run makes %ld allocations", devices, calls);
    long every = in_full() ? 1 : 5;
    for (long k = 1; k <= calls; k += every) life(devices, k, k + 1, &o, &good, &held);
    checked("%s: each allocation fails once", devices);
    for (long k = every > 1 ? 2 : 1; k <= calls; k += every) life(devices, k, LONG_MAX, &o, &good, &held);
    checked("%s: all allocations fail from each one on", devices);
    outcome_free(&good), outcome_free(&o);
}

/* Of what a call on the device's own matrices took for itself, a wait leaves what the caller allows. */
static void test_kept(void)
{
    enum { ORDER = 300 };
    tsl_config cfg = tsl_config_default();
    cfg.devices = "host:1,mem=64M";
    cfg.workspace_limit = 1;
    tsl_context *x = NULL;
    tsl_matrix *A = NULL, *tau = NULL;
    bool made = !tsl_context_create(&cfg, &x) && !tsl_matrix_create(x, TSL_D, ORDER, ORDER, &A) && !tsl_matrix_create(x, TSL_D, ORDER, 1, &tau) &&
                !tsl_scale(x, 0, tsl_whole(A)) && !tsl_wait(x) && !tsl_set(x, "path", "one") && !tsl_set(x, "tile", "32");
    size_t before = made ? device_bytes(x) : 0;
    made = made && !tsl_geqrf(x, tsl_whole(A), tsl_whole(tau));
    check(made && device_bytes(x) > before, "a call takes workspace");
    check(made && !tsl_wait(x) && device_bytes(x) == before, "and gives it back");
    checked("after a wait little workspace is kept");
    tsl_matrix_free(A), tsl_matrix_free(tau);
    tsl_context_destroy(x);
}

int main(void)
{
    test_kept();
    test_spec("host");
    test_spec("host:2,mem=64M");
    return tap_done();
}
