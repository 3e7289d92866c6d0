/* Failures of CUDA's own calls, and of its libraries': each in turn, of every kind, in flat calls and in calls by tiles on a
 * GPU with hardly any memory. The call says so and ends; nothing stays allocated; the same call then gives the right bits. A
 * call that is said to have succeeded has them, too: an allocation may have been tried again. */
#include <stdlib.h>
#include <unistd.h>

#include "dense.h"
#include "exec/exec.h"
#include "tiled.h"

#ifdef TSL_WITH_CUDA
#include "device/cuda/cuda.h"

enum { N = 400, HANG = 60 }; /* flat, a matrix is large enough to go through pinned buffers */

/* ---- the failure ---------------------------------------------------------------------------------------------------------- */

static struct {
    const char *kind; /* how the call's name begins */
    long at, span;    /* the first of its kind that fails, and how many do */
    long calls, hits; /* atomic */
} fault;

/* What gives back is left alone: after such a failure there is nothing left to test. */
static bool strikes(const char *what)
{
    if (strstr(what, "Destroy") || strstr(what, "Free") || strstr(what, "TrimTo")) return false;
    if (strncmp(what, fault.kind, strlen(fault.kind))) return false;
    long k = __atomic_add_fetch(&fault.calls, 1, __ATOMIC_RELAXED);
    bool now = k >= fault.at && k < fault.at + fault.span;
    if (now) __atomic_fetch_add(&fault.hits, 1, __ATOMIC_RELAXED);
    return now;
}

static void set_fault(const char *kind, long at, long span)
{
    tsl_cuda_strikes = kind ? strikes : NULL;
    if (kind) fault.kind = kind, fault.at = at, fault.span = span, fault.calls = fault.hits = 0;
}

static const struct {
    const char *name;
    long span;
    bool opening; /* comes only while a context or its runtime opens */
} kinds[] = {{"", 1, false}, {"cudaMallocFromPoolAsync", 1, false}, {"cudaMallocFromPoolAsync", 2, false}, {"cudaMalloc", 1000, false},
             {"cudaMemcpy", 1, false}, {"cudaEventRecord", 1, false}, {"cudaEventSynchronize", 1, false}, {"cudaStreamWaitEvent", 1, false},
             {"cudaStreamAddCallback", 1, false}, {"cudaStreamSynchronize", 1, false}, {"cudaSetDevice", 1, false}, {"cublas", 1, false},
             {"", 1, true}, {"cudaEventCreate", 1, true}, {"cudaStreamCreate", 1, true}, {"cudaMalloc", 2, true}, {"cublas", 1, true}};
enum { KINDS = sizeof kinds / sizeof *kinds };
static long struck[KINDS];

/* ---- calls ---------------------------------------------------------------------------------------------------------------- */

typedef struct problem {
    tsl_type t;
    enum what { PRODUCT, CHOLESKY, APART, WINDOW } what; /* C := A B + C; potrf of C; getrf of C, whose main lane leaves room to the other */
    dense A, B, C;
} problem;

static const char *const names[] = {"gemm", "potrf", "getrf by apart", "getrf by window"};

static problem problem_make(tsl_type t, enum what what)
{
    problem p = {t, what, dense_make(t, N, N, CANARY_FINITE), dense_make(t, N, N, CANARY_FINITE), dense_make(t, N, N, CANARY_FINITE)};
    dense_random(&p.A, 1), dense_random(&p.B, 2), dense_dominant(&p.C, 3);
    return p;
}

static void problem_free(problem *p) { dense_free(&p->A), dense_free(&p->B), dense_free(&p->C); }

static tsl_status by_lu(tsl_context *x, const char *variant, tsl_view C, int64_t *info)
{
    static int64_t pivots[N];
    tsl_matrix *p = NULL;
    tsl_status st = tsl_matrix_wrap(x, TSL_INDEX, N, 1, pivots, N, &p);
    if (!st && (tsl_set(x, "variant", variant) || tsl_set(x, "tile", "64"))) check(0, "set");
    if (!st) st = tsl_getrf(x, C, tsl_whole(p), info);
    if (tsl_set(x, "variant", "auto") || tsl_set(x, "tile", "0")) check(0, "set");
    tsl_matrix_free(p);
    return st;
}

/* The result goes to `out`; the first error, wherever it shows. */
static tsl_status run(tsl_context *x, const problem *p, dense *out)
{
    tsl_matrix *m[3] = {0};
    const dense *d[3] = {&p->A, &p->B, out};
    tsl_status st = TSL_OK;
    memcpy(out->data, p->C.data, p->C.bytes);
    for (int i = 0; i < 3 && !st; i++) st = tsl_matrix_wrap(x, p->t, N, N, d[i]->data, d[i]->ld, &m[i]);
    int64_t info = 0;
    if (!st && p->what == CHOLESKY) st = tsl_potrf(x, tsl_lower(tsl_whole(m[2])), &info);
    else if (!st && p->what != PRODUCT) st = by_lu(x, p->what == APART ? "apart" : "window", tsl_whole(m[2]), &info);
    else if (!st) st = tsl_gemm(x, 1, tsl_whole(m[0]), tsl_whole(m[1]), 1, tsl_whole(m[2]));
    check(!info, "info %d", (int)info);
    tsl_status late = tsl_wait(x);
    for (int i = 0; i < 3; i++) tsl_matrix_free(m[i]);
    if (!late) late = tsl_wait(x); /* the end of a matrix waits too, and leaves its error for this */
    return st ? st : late;
}

static tsl_context *open_on(const char *devices)
{
    tsl_context *x = NULL;
    tsl_config cfg = tsl_config_default();
    cfg.devices = devices;
    if (tsl_context_create(&cfg, &x)) return NULL;
    bool tiles = x->device_count > 1;
    if (tsl_set(x, "path", tiles ? "tiles" : "one") || (tiles && tsl_set(x, "tile", "96"))) check(0, "%s: set", devices);
    return x;
}

static size_t used(tsl_context *x)
{
    size_t sum = 0;
    tsl_trim(x);
    for (int d = 0; d < x->device_count; d++) sum += x->devices[d].used;
    return sum;
}

static double distance(const dense *a, const dense *b)
{
    double worst = 0;
    for (int64_t j = 0; j < N; j++)
        for (int64_t i = j; i < N; i++) worst = worse(worst, cabs(dense_get(a, i, j) - dense_get(b, i, j)));
    return worst;
}

/* One failure; false: the call is over before it comes. */
static bool trial(tsl_context *x, const char *devices, const problem *p, int kind, long at, const dense *right, dense *out, size_t bytes)
{
    alarm(HANG); /* the default action ends the program: a hang is a failure */
    set_fault(kinds[kind].name, at, kinds[kind].span);
    tsl_status st = run(x, p, out);
    bool hit = fault.hits > 0;
    set_fault(NULL, 0, 0);
    const char *op = names[p->what];
    check(hit || !st, "%s %s: %s without a failure: %s", devices, op, tsl_status_name(st), tsl_error(x));
    check(st || dense_same(out, right), "%s %s: '%s' %ld: off by %g, and no error", devices, op, kinds[kind].name, at, distance(out, right));
    if (hit) {
        tsl_status again = run(x, p, out);
        check(!again && dense_same(out, right), "%s %s: after '%s' %ld (%s): %s %s, off by %g", devices, op, kinds[kind].name, at,
              tsl_status_name(st), tsl_status_name(again), tsl_error(x), distance(out, right));
        check(used(x) <= bytes, "%s %s: after '%s' %ld: %zu bytes in use, were %zu", devices, op, kinds[kind].name, at, used(x), bytes);
    }
    struck[kind] += hit;
    alarm(0);
    return hit;
}

static void sweep(const char *devices, const problem *p)
{
    dense want = dense_copy(&p->C), right = dense_copy(&p->C), out = dense_copy(&p->C);
    tsl_context *host = make("host"), *x = open_on(devices);
    check(x && !run(host, p, &want) && !run(x, p, &right), "%s: %s", devices, x ? tsl_error(x) : "no context");
    check(distance(&want, &right) < 1e-3 * N, "%s: off by %g", devices, distance(&want, &right));
    size_t bytes = x ? used(x) : 0;
    for (int kind = 0; x && kind < KINDS; kind++, (void)used(x)) /* what the last one kept is given back, so that memory is asked for again */
        for (long at = 1; !kinds[kind].opening && trial(x, devices, p, kind, at, &right, &out, bytes); at += 1 + at / 8) continue;
    tsl_context_destroy(x), tsl_context_destroy(host);
    dense_free(&want), dense_free(&right), dense_free(&out);
    checked("%s: %s of type %d", devices, names[p->what], (int)p->t);
}

/* A context that cannot be made, or whose runtime cannot be opened. */
static void sweep_opening(const char *devices)
{
    problem p = problem_make(TSL_D, CHOLESKY);
    dense right = dense_copy(&p.C), out = dense_copy(&p.C);
    tsl_context *x = open_on(devices);
    check(x && !run(x, &p, &right), "%s", devices);
    tsl_context_destroy(x);
    for (int kind = 0; kind < KINDS; kind++) {
        bool hit = kinds[kind].opening;
        for (long at = 1; hit; at += 1 + at / 8) {
            alarm(HANG);
            set_fault(kinds[kind].name, at, kinds[kind].span);
            x = open_on(devices);
            tsl_status st = x ? run(x, &p, &out) : TSL_ERR_DEVICE;
            hit = fault.hits > 0;
            set_fault(NULL, 0, 0);
            struck[kind] += hit;
            check(hit || !st, "%s: %s without a failure", devices, tsl_status_name(st));
            check(st || dense_same(&out, &right), "%s: '%s' %ld: off by %g, and no error", devices, kinds[kind].name, at,
                  distance(&out, &right));
            if (x) check(!run(x, &p, &out) && dense_same(&out, &right), "%s: after '%s' %ld: %s", devices, kinds[kind].name, at, tsl_error(x));
            tsl_context_destroy(x);
            alarm(0);
        }
    }
    problem_free(&p), dense_free(&right), dense_free(&out);
    checked("%s: opened with a failure of each call", devices);
}

int main(void)
{
    if (tsl_cuda_backend.count() == 0) {
        skip("no GPU here");
        return tap_done();
    }
    for (int what = PRODUCT; what <= CHOLESKY; what++) {
        problem d = problem_make(TSL_D, (enum what)what), c = problem_make(TSL_C, (enum what)what);
        sweep("cuda:0", &d), sweep("cuda:0", &c);
        sweep("cuda:0x2,mem=1M", &d), sweep("cuda:0x3,mem=2M", &c);
        problem_free(&d), problem_free(&c);
    }
    for (int what = APART; what <= WINDOW; what++) {
        problem lu = problem_make(TSL_D, (enum what)what);
        sweep("cuda:0", &lu);
        problem_free(&lu);
    }
    sweep_opening("cuda:0"), sweep_opening("cuda:0x2,mem=1M");
    for (int k = 0; k < KINDS; k++) check(struck[k] > 0, "no '%s' ever failed", kinds[k].name);
    checked("every kind of failure came");
    return tap_done();
}
#else
int main(void)
{
    skip("built without CUDA: no GPU here");
    return tap_done();
}
#endif
