/* An outcome belongs to its call: info and errors of one call never show up in another, nor vanish behind it, in regions and
 * outside, with calls that wait, calls that fail, and calls that are not cut into tasks. */
#include <stdatomic.h>

#include "dense.h"
#include "tiled.h"

enum { N = 50, NB = 16, FLAT = 0 };

static tsl_matrix *wrap(tsl_context *x, const dense *d, int64_t nb)
{
    tsl_matrix *A = NULL;
    tsl_status st = nb ? tsl_tiled_wrap(x, d->t, d->m, d->n, d->data, d->ld, nb, &A) : tsl_matrix_wrap(x, d->t, d->m, d->n, d->data, d->ld, &A);
    check(!st && A, "wrap: %s", tsl_error(x));
    return A;
}

/* A matrix whose leading minor of order `bad` is not positive definite; 0: all are. */
typedef struct specimen {
    dense d;
    tsl_matrix *mat;
    tsl_view L;
} specimen;

static specimen grow(tsl_context *x, tsl_type t, int64_t bad, int64_t nb)
{
    specimen s = {.d = dense_make(t, N, N, CANARY_FINITE)};
    dense_dominant(&s.d, 5);
    if (bad) dense_put(&s.d, bad - 1, bad - 1, -1);
    s.mat = wrap(x, &s.d, nb);
    s.L = tsl_lower(tsl_whole(s.mat));
    return s;
}

static void cut(specimen *s)
{
    tsl_matrix_free(s->mat);
    dense_free(&s->d);
}

static int64_t told(tsl_context *x)
{
    int64_t info = -1;
    check(!tsl_info(x, &info), "info: %s", tsl_error(x));
    return info;
}

/* info asked for inside a region is the call's own; the region's is its first failure's; the next region knows nothing of it. */
static void test_own(tsl_context *x, const char *name, tsl_type t)
{
    specimen zero = grow(x, t, 1, NB), bad = grow(x, t, 23, NB), worse = grow(x, t, 7, NB), good = grow(x, t, 0, NB), last = grow(x, t, 0, NB);
    int64_t info = -1;
    dense_fill(&zero.d, 0);
    check(!tsl_begin(x) && !tsl_potrf(x, zero.L, &info) && info == 1, "%s: of a zero matrix %d", name, (int)info);
    check(!tsl_wait(x) && told(x) == 1, "%s: and of its region", name);
    check(!tsl_begin(x) && !tsl_potrf(x, good.L, &info) && info == 0, "%s: the next region's first call: %d", name, (int)info);
    check(told(x) == 0 && x->region, "%s: so far, %d", name, (int)told(x));
    check(!tsl_potrf(x, bad.L, NULL) && !tsl_potrf(x, worse.L, &info) && info == 7, "%s: behind a failure %d", name, (int)info);
    check(!tsl_potrf(x, last.L, &info) && info == 0 && x->region, "%s: of a good one behind two %d", name, (int)info);
    check(told(x) == 23 && x->region && told(x) == 23, "%s: the first failure, and the region is open", name);
    check(!tsl_wait(x) && !x->region && told(x) == 23, "%s: of the region %d", name, (int)told(x));
    dense_dominant(&last.d, 5);
    check(!tsl_potrf(x, last.L, NULL) && told(x) == 0, "%s: afterwards %d", name, (int)told(x));
    cut(&zero), cut(&bad), cut(&worse), cut(&good), cut(&last);
}

/* The same of factorizations whose outcome is a column of zeros, and of solutions by them. */
typedef struct system { specimen s; dense p, b; tsl_matrix *piv, *rhs; } system_of;

static system_of grow_system(tsl_context *x, tsl_type t, int64_t bad, int64_t nb)
{
    system_of y = {.s = grow(x, t, 0, nb), .p = dense_make(TSL_INDEX, N, 1, CANARY_FINITE), .b = dense_make(t, N, 3, CANARY_FINITE)};
    for (int64_t i = 0; i < N && bad; i++) dense_put(&y.s.d, i, bad - 1, 0);
    dense_random(&y.b, 2);
    y.piv = wrap(x, &y.p, nb), y.rhs = wrap(x, &y.b, nb);
    return y;
}

static void cut_system(system_of *y)
{
    tsl_matrix_free(y->piv), tsl_matrix_free(y->rhs);
    dense_free(&y->p), dense_free(&y->b);
    cut(&y->s);
}

static const char *const solvers[] = {"getrf", "gesv", "gels", "gesv_incpiv", "gels_inc"};
enum { SOLVERS = sizeof solvers / sizeof *solvers };

static tsl_status solve_by(tsl_context *x, int which, const system_of *y, int64_t *info)
{
    tsl_view A = tsl_whole(y->s.mat), p = tsl_whole(y->piv), B = tsl_whole(y->rhs);
    switch (which) {
    case 0: return tsl_getrf(x, A, p, info);
    case 1: return tsl_gesv(x, A, p, B, info);
    case 2: return tsl_gels(x, A, B, info);
    case 3: return tsl_gesv_incpiv(x, A, B, info);
    default: return tsl_gels_inc(x, A, B, info);
    }
}

static void test_solvers(tsl_context *x, const char *name, tsl_type t, int64_t nb)
{
    for (int k = 0; k < SOLVERS; k++) {
        system_of bad = grow_system(x, t, 23, nb), worse = grow_system(x, t, 7, nb), good = grow_system(x, t, 0, nb), last = grow_system(x, t, 0, nb);
        const char *how = solvers[k];
        int64_t info = -1;
        check(!tsl_begin(x) && !solve_by(x, k, &bad, NULL) && x->region, "%s: %s: %s", name, how, tsl_error(x));
        check(!solve_by(x, k, &worse, &info) && info == 7 && x->region, "%s: %s behind a failure: %d", name, how, (int)info);
        check(!solve_by(x, (k + 1) % SOLVERS, &good, &info) && info == 0 && told(x) == 23, "%s: a good one behind %s: %d, so far %d", name,
              how, (int)info, (int)told(x));
        check(!tsl_wait(x) && told(x) == 23, "%s: %s: of the region %d", name, how, (int)told(x));
        check(!solve_by(x, k, &last, NULL) && told(x) == 0, "%s: %s: afterwards %d", name, how, (int)told(x));
        cut_system(&bad), cut_system(&worse), cut_system(&good), cut_system(&last);
    }
}

/* Calls that wait do not end a region, nor do they clear its account: on unaligned views, on flat matrices, reductions,
 * options. */
static void test_waiting(tsl_context *x, const char *name)
{
    specimen bad = grow(x, TSL_D, 31, NB), good = grow(x, TSL_D, 0, NB), flat = grow(x, TSL_D, 0, FLAT), broken = grow(x, TSL_D, 3, FLAT);
    dense C = dense_make(TSL_D, N, N, CANARY_FINITE);
    tsl_matrix *c = wrap(x, &C, NB), *f = wrap(x, &C, FLAT);
    tsl_view V = tsl_whole(c), u = tsl_sub(tsl_whole(f), 0, 0, N, 1);
    tsl_scalar dot = 0;
    double number = 0, col[3] = {3, -4, 0};
    int64_t info = -1, place = 0;
    dense_fill(&C, 2);
    check(!tsl_begin(x) && !tsl_potrf(x, bad.L, NULL), "begin: %s", tsl_error(x));
    check(!tsl_gemm(x, 1, tsl_sub(V, 1, 1, 9, 9), tsl_sub(V, 11, 3, 9, 9), 1, tsl_sub(V, 21, 30, 9, 9)) && x->region, "%s: gemm: %s", name, tsl_error(x));
    check(!tsl_potrf(x, good.L, NULL) && x->region, "%s: potrf: %s", name, tsl_error(x));
    check(!tsl_dot(x, u, u, &dot) && dot == 4 * N && x->region, "%s: dot %g", name, creal(dot));
    check(!tsl_dnrm2(x, 3, col, 1, &number) && number == 5 && x->region, "%s: nrm2 %g", name, number);
    check(!tsl_dasum(x, 3, col, 1, &number) && number == 7 && x->region, "%s: asum %g", name, number);
    check(!tsl_idamax(x, 3, col, 1, &place) && place == 2 && x->region, "%s: iamax %d", name, (int)place);
    check(!tsl_norm(x, TSL_NORM_MAX, TSL_TRIANGULAR, u, &number) && number == 2 && x->region, "%s: norm %g", name, number);
    check(!tsl_potrf(x, flat.L, &info) && info == 0 && x->region, "%s: of a flat matrix %d", name, (int)info);
    check(!tsl_potrf(x, broken.L, &info) && info == 3 && x->region, "%s: of another %d", name, (int)info);
    check(!tsl_set(x, "policy", "cache") && x->region && told(x) == 31, "%s: all that, and %d", name, (int)told(x));
    check(!tsl_wait(x) && told(x) == 31, "%s: of the region %d", name, (int)told(x));
    check(!tsl_begin(x) && !tsl_wait(x) && told(x) == 31, "%s: a region without outcomes leaves the last one: %d", name, (int)told(x));
    double small[4] = {1, 0, 0, -1};
    check(!tsl_dpotrf(x, 'L', 2, small, 2, NULL) && !tsl_begin(x) && told(x) == 2 && !tsl_wait(x) && told(x) == 2, "%s: a small one's %d", name, (int)told(x));
    dense_dominant(&good.d, 5), dense_dominant(&broken.d, 5), dense_put(&broken.d, 2, 2, -1);
    check(!tsl_begin(x) && !tsl_potrf(x, broken.L, NULL) && !tsl_potrf(x, good.L, NULL) && !tsl_wait(x) && told(x) == 3,
          "%s: a flat one's failure before a tiled success: %d", name, (int)told(x));
    cut(&bad), cut(&good), cut(&flat), cut(&broken);
    tsl_matrix_free(c), tsl_matrix_free(f);
    dense_free(&C);
}

/* More calls than there are words, tiled and flat by turns; each says its own, and the region's is the first failure's. */
static void test_many(tsl_context *x, const char *name)
{
    enum { CALLS = 2 * TSL_INFOS + 7, FIRST = 5 };
    specimen s[4], next = grow(x, TSL_D, 0, FLAT);
    int64_t info;
    for (int i = 0; i < 4; i++) s[i] = grow(x, TSL_D, 0, i % 2 ? FLAT : NB);
    check(!tsl_begin(x), "begin");
    for (int i = 0; i < CALLS; i++) {
        int64_t bad = i < FIRST ? 0 : 1 + i % 40;
        specimen *one = &s[i % 4];
        dense_dominant(&next.d, 5);
        if (bad) dense_put(&next.d, bad - 1, bad - 1, -1);
        check(!tsl_copy(x, tsl_whole(next.mat), tsl_whole(one->mat)), "copy: %s", tsl_error(x)); /* the array is the region's */
        info = -1;
        check(!tsl_potrf(x, one->L, i % 3 ? &info : NULL) && (i % 3 == 0 || info == bad), "%s: call %d: %d, not %d", name, i, (int)info, (int)bad);
    }
    check(!tsl_wait(x) && told(x) == 1 + FIRST, "%s: of all %d", name, (int)told(x));
    for (int i = 0; i < 4; i++) cut(&s[i]);
    cut(&next);
}

/* Device memory that ends where no limit says so: a call finds out when it is under way. */
static size_t device_bytes;

static void *ration(void *user, int device, size_t bytes)
{
    (void)user;
    if (device >= 0 && __atomic_add_fetch(&device_bytes, bytes, __ATOMIC_RELAXED) > 300 << 10) {
        __atomic_sub_fetch(&device_bytes, bytes, __ATOMIC_RELAXED);
        return NULL;
    }
    return malloc(bytes);
}

static void unration(void *user, int device, void *p, size_t bytes)
{
    (void)user;
    if (device >= 0) __atomic_sub_fetch(&device_bytes, bytes, __ATOMIC_RELAXED);
    free(p);
}

static tsl_context *make_small(void)
{
    tsl_allocator a = {.alloc = ration, .free = unration};
    tsl_config cfg = tsl_config_default();
    tsl_context *x = NULL;
    cfg.devices = "host:1";
    cfg.allocator = &a;
    check(!tsl_context_create(&cfg, &x), "context");
    return x;
}

/* Room for one tile of 160 x 160 and not for two: the first task finds that the matrix is not positive definite, the second
 * cannot run. The call has failed, so it has no outcome, and the next call's is its own. */
static void test_failed_call(int region)
{
    enum { SIDE = 320, TILE = 160, SMALL = 40 };
    tsl_context *x = make_small();
    dense A = dense_make(TSL_D, SIDE, SIDE, CANARY_FINITE), B = dense_make(TSL_D, SMALL, SMALL, CANARY_FINITE), C = dense_make(TSL_D, N, N, CANARY_FINITE);
    dense D = dense_make(TSL_D, SIDE, 3, CANARY_FINITE);
    tsl_matrix *a = wrap(x, &A, TILE), *b = wrap(x, &B, NB), *c = wrap(x, &C, NB), *d = wrap(x, &D, TILE);
    double v[2] = {3, 4}, number = 0;
    int64_t info = -1;
    dense_dominant(&A, 3), dense_dominant(&B, 4), dense_dominant(&C, 5), dense_fill(&D, 1);
    dense_put(&A, 1, 1, -1), dense_put(&C, 11, 11, -1);
    if (region) {
        check(!tsl_begin(x) && !tsl_potrf(x, tsl_lower(tsl_whole(c)), &info) && info == 12, "begin: %d", (int)info);
        tsl_status st = tsl_potrf(x, tsl_lower(tsl_whole(a)), NULL), late = tsl_posv(x, tsl_lower(tsl_whole(a)), tsl_whole(d), NULL);
        check((!st || st == TSL_ERR_DEVICE_MEMORY) && late == TSL_ERR_DEVICE_MEMORY, "%s, then %s", tsl_status_name(st), tsl_status_name(late));
        check(!tsl_dnrm2(x, 2, v, 1, &number) && number == 5 && x->region, "a call that has nothing to do with it");
        check(tsl_set(x, "policy", "cache") == TSL_ERR_DEVICE_MEMORY && x->region, "options tell");
        info = -1;
        check(tsl_info(x, &info) == TSL_ERR_DEVICE_MEMORY && info == -1, "so does info");
        check(tsl_potrf(x, tsl_lower(tsl_whole(b)), &info) == TSL_ERR_DEVICE_MEMORY && info == -1, "what follows on tiles is passed over");
        check(tsl_wait(x) == TSL_ERR_DEVICE_MEMORY && !x->region, "and the wait tells it, %s", tsl_error(x));
        check(tsl_wait(x) == TSL_OK, "once");
    } else {
        check(!tsl_potrf(x, tsl_lower(tsl_whole(c)), NULL) && told(x) == 12, "before: %d", (int)told(x));
        check(tsl_potrf(x, tsl_lower(tsl_whole(a)), &info) == TSL_ERR_DEVICE_MEMORY && info == -1, "no room: %d", (int)info);
    }
    check(told(x) == 0, "a call that failed has no outcome: %d", (int)told(x));
    check(!tsl_potrf(x, tsl_lower(tsl_whole(b)), &info) && info == 0, "the next one's %d", (int)info);
    tsl_matrix_free(a), tsl_matrix_free(b), tsl_matrix_free(c), tsl_matrix_free(d);
    tsl_context_destroy(x);
    dense_free(&A), dense_free(&B), dense_free(&C), dense_free(&D);
    checked("a call that fails has no outcome%s", region ? ", in a region" : "");
}

/* A flat call whose result cannot be copied back has failed; what its leaf said of it is not told. */
static tsl_backend failing;

static tsl_status no_way_back(tsl_queue *q, void *dst, size_t dst_pitch, const void *src, size_t src_pitch, size_t rows, size_t cols,
                              tsl_direction dir)
{
    if (dir == TSL_TO_HOST && cols > 1) return TSL_ERR_DEVICE;
    return tsl_host_backend.copy2d(q, dst, dst_pitch, src, src_pitch, rows, cols, dir);
}

static void test_failed_flat(void)
{
    tsl_context *x = make("host:1");
    double A[4] = {-1, 0, 0, 1}, B[4] = {1, 0, 0, -1};
    int64_t info = -1;
    failing = tsl_host_backend;
    failing.copy2d = no_way_back;
    check(!tsl_dpotrf(x, 'L', 2, B, 2, &info) && info == 2, "at first %d", (int)info);
    x->devices[0].be = &failing;
    check(tsl_dpotrf(x, 'L', 2, A, 2, &info) == TSL_ERR_DEVICE, "fails: %s", tsl_error(x));
    x->devices[0].be = &tsl_host_backend;
    check(told(x) == 0, "%d", (int)told(x));
    tsl_context_destroy(x);
    checked("a flat call that fails has no outcome");
}

/* Calls in a region that fail by themselves, at any allocation: what was submitted before goes on, and its outcome is told. */
static atomic_int left = -1; /* allocations until one fails, of any thread's; negative: none does */

static void *give(void *user, int device, size_t bytes)
{
    (void)user, (void)device;
    return left >= 0 && atomic_fetch_sub(&left, 1) == 0 ? NULL : calloc(1, bytes ? bytes : 1);
}

static void take(void *user, int device, void *p, size_t bytes)
{
    (void)user, (void)device, (void)bytes;
    free(p);
}

static void test_failing_inside(void)
{
    tsl_allocator mem = {give, take, NULL};
    tsl_config cfg = tsl_config_default();
    int failures = 0;
    bool done = false;
    cfg.devices = "host:2";
    cfg.allocator = &mem;
    for (int k = 0; k < 400 && !done; k++) {
        tsl_context *x = NULL;
        check(!tsl_context_create(&cfg, &x), "context");
        specimen bad = grow(x, TSL_D, 17, NB), other = grow(x, TSL_D, 9, NB), good = grow(x, TSL_D, 0, NB);
        int64_t info = -1;
        check(!tsl_begin(x) && !tsl_potrf(x, bad.L, &info) && info == 17, "begin: %d", (int)info);
        left = k;
        tsl_status st = tsl_potrf(x, tsl_lower(tsl_sub(tsl_whole(other.mat), 3, 3, N - 3, N - 3)), NULL);
        done = left >= 0;
        left = -1;
        info = -1;
        tsl_status next = tsl_potrf(x, good.L, &info), late = tsl_wait(x);
        failures += st != TSL_OK;
        check(done ? !st : st == TSL_ERR_MEMORY || st == TSL_ERR_DEVICE_MEMORY || !st, "allocation %d: %s", k, tsl_status_name(st));
        if (!next) check(info == 0 && !late && told(x) == 17, "allocation %d: then %d, of the region %d", k, (int)info, (int)told(x));
        else
            check(st && late == st && told(x) == 0, "allocation %d: %s, then %s, the region's %s", k, tsl_status_name(st),
                  tsl_status_name(next), tsl_status_name(late));
        dense_dominant(&good.d, 5);
        check(!tsl_potrf(x, good.L, &info) && info == 0, "allocation %d: afterwards %d", k, (int)info);
        cut(&bad), cut(&other), cut(&good);
        tsl_context_destroy(x);
    }
    check(done && failures > 3, "%d allocations failed", failures);
    checked("calls in a region that fail by themselves");
}

int main(void)
{
    static const char *const specs[] = {"host:1", "host:3", "host:2,mem=256K", "host:1+host", "host"};
    for (size_t s = 0; s < sizeof specs / sizeof *specs; s++) {
        tsl_context *x = make(specs[s]);
        for (int p = 0; p < 5; p++) {
            char name[40];
            snprintf(name, sizeof name, "%s %s", specs[s], policies[p]);
            check(!tsl_set(x, "policy", policies[p]), "set");
            for (int t = TSL_S; t <= TSL_Z; t++) test_own(x, name, (tsl_type)t);
            check(!tsl_set(x, "policy", policies[p]), "set");
            test_solvers(x, name, (tsl_type)(p % 4), NB), test_solvers(x, name, (tsl_type)((p + 1) % 4), FLAT);
            check(!tsl_set(x, "policy", policies[p]), "set");
            test_waiting(x, name);
            check(!tsl_set(x, "policy", policies[p]), "set");
            test_many(x, name);
        }
        tsl_context_destroy(x);
        checked("%s: infos in regions", specs[s]);
    }
    test_failed_call(0);
    test_failed_call(1);
    test_failed_flat();
    test_failing_inside();
    return tap_done();
}
