/* Cores that compute on tiles which live in a device's memory: every operand on a device of its own or on the host, cores that
 * own tiles or only factor diagonal blocks, with plenty of memory and with hardly any. The same bits as from host memory
 * everywhere. */
#include "dense.h"
#include "tiled.h"

enum { N = 61, NB = 16, OPERANDS = 3 };

/* A copy of the array in a device's memory, or in the host's where the device computes there. Memory the caller has there does
 * not count: a limit is what the runtime may use. */
static void *give(tsl_context *x, int device, const dense *d)
{
    tsl_device *dev = &x->devices[device];
    void *p = NULL;
    if (dev->limit != SIZE_MAX) dev->limit += d->bytes;
    check(!tsl_device_alloc(dev, d->bytes, &p), "device memory");
    if (p) memcpy(p, d->data, d->bytes);
    return p;
}

static void take(tsl_context *x, int device, void *p, dense *d)
{
    tsl_device *dev = &x->devices[device];
    if (p) memcpy(d->data, p, d->bytes);
    tsl_device_release(dev, p);
    if (dev->limit != SIZE_MAX) dev->limit -= d->bytes;
}

/* A := chol(S), B := inv(L) B, C := B^H B - C, S again what it was: reads, writes, updates and overwrites. */
static tsl_status perform(tsl_context *x, bool region, tsl_matrix *const *m)
{
    tsl_view S = tsl_whole(m[0]), B = tsl_whole(m[1]), C = tsl_whole(m[2]);
    tsl_matrix *keep = NULL;
    tsl_status st = tsl_tiled_create(x, m[0]->type, N, N, NB, &keep);
    if (!st && region) st = tsl_begin(x);
    if (!st) st = tsl_copy(x, S, tsl_whole(keep));
    if (!st) st = tsl_potrf(x, tsl_lower(S), NULL);
    if (!st) st = tsl_trsm(x, TSL_LEFT, 1, tsl_lower(S), B);
    if (!st) st = tsl_gemm(x, 1, tsl_herm(B), B, -1, C);
    if (!st) st = tsl_copy(x, tsl_whole(keep), S);
    tsl_status late = tsl_wait(x);
    tsl_matrix_free(keep);
    return st ? st : late;
}

/* Operands on devices first, first + 1, ...; home < 0: all in the caller's memory. */
static tsl_status run(tsl_context *x, bool region, int first, const dense *start, dense *out)
{
    tsl_matrix *m[OPERANDS] = {0};
    void *p[OPERANDS] = {0};
    int at[OPERANDS];
    tsl_status st = TSL_OK;
    for (int i = 0; i < OPERANDS; i++) {
        at[i] = first < 0 ? -1 : (first + i) % x->device_count;
        memcpy(out[i].data, start[i].data, out[i].bytes);
        p[i] = at[i] < 0 ? out[i].data : give(x, at[i], &out[i]);
    }
    for (int i = 0; i < OPERANDS && !st; i++) st = tsl_tiled_wrap(x, out[i].t, out[i].m, out[i].n, p[i], out[i].ld, NB, &m[i]);
    if (!st) st = perform(x, region, m);
    for (int i = 0; i < OPERANDS; i++) {
        tsl_matrix_free(m[i]);
        if (at[i] >= 0) take(x, at[i], p[i], &out[i]);
    }
    return st;
}

static void prepare(tsl_type t, dense *start, dense *right, dense *out)
{
    for (int i = 0; i < OPERANDS; i++) {
        start[i] = dense_make(t, N, N, CANARY_FINITE);
        if (i) dense_random(&start[i], 7 + i);
        else dense_dominant(&start[i], 7);
        right[i] = dense_copy(&start[i]), out[i] = dense_copy(&start[i]);
    }
    tsl_context *x = make("host:1");
    check(!tsl_set(x, "policy", "basic") && !run(x, false, -1, start, right), "from host memory: %s", tsl_error(x));
    check(dense_same(&start[0], &right[0]) && !dense_same(&start[2], &right[2]), "it computes");
    tsl_context_destroy(x);
}

static void discard(dense *start, dense *right, dense *out)
{
    for (int i = 0; i < OPERANDS; i++) dense_free(&start[i]), dense_free(&right[i]), dense_free(&out[i]);
}

static int64_t evicted; /* tiles that had to leave, in all runs */

/* Every home of the operands, policy and place of diagonal blocks. */
static void test_spec(const char *spec, tsl_type t)
{
    dense start[OPERANDS], right[OPERANDS], out[OPERANDS];
    prepare(t, start, right, out);
    tsl_context *x = make(spec);
    for (int p = 0; p < 5; p++)
        for (int first = -1; first < x->device_count; first++)
            for (int how = 0; how < 4; how++) {
                tsl_counters c;
                check(!tsl_set(x, "policy", policies[p]) && !tsl_set(x, "diag-on", how & 1 ? "host" : "device") &&
                          !tsl_set(x, "dist", how & 2 ? "rows" : "2d") && !tsl_counters_reset(x), "set");
                tsl_status st = run(x, how != 3, first, start, out);
                check(!st, "%s %s from %d: %s %s", spec, policies[p], first, tsl_status_name(st), tsl_error(x));
                for (int i = 0; i < OPERANDS; i++)
                    check(dense_same(&out[i], &right[i]), "%s %s from %d, way %d: operand %d has other bits", spec, policies[p], first, how, i);
                check(!tsl_counters_get(x, &c), "counters");
                evicted += c.evictions;
            }
    tsl_context_destroy(x);
    discard(start, right, out);
}

/* Room for what one task needs: three tiles, workspace for two more, and the few bytes of contexts and executors, on the host
 * one for each core. */
static void test_tight(tsl_type t)
{
    char spec[100];
    size_t tile = NB * NB * tsl_type_size(t), cores = (size_t)tsl_blas_cores();
    snprintf(spec, sizeof spec, "host:2,mem=%zu+host,mem=%zu", 5 * tile + 8192, 5 * tile + (1 + cores) * 4096);
    test_spec(spec, t);
    tsl_context *x = make(spec);
    tsl_device_info d;
    dense start[OPERANDS], right[OPERANDS], out[OPERANDS];
    prepare(t, start, right, out);
    check(!tsl_set(x, "dist", "rows") && !run(x, true, 0, start, out) && !tsl_device_query(x, 2, &d), "run: %s", tsl_error(x));
    check(d.peak <= d.limit + start[2].bytes && d.peak > start[2].bytes + 2 * tile, "%c: %zu bytes of %zu on the host", tsl_type_letter(t), d.peak, d.limit);
    tsl_context_destroy(x);
    discard(start, right, out);
}

/* The host's memory has no room for a task: that is told, by whatever way, and the context is as good as new. */
static void test_too_small(void)
{
    dense start[OPERANDS], right[OPERANDS], out[OPERANDS];
    prepare(TSL_D, start, right, out);
    for (int p = 0; p < 5; p++) {
        tsl_context *x = make("host:1+host,mem=256K");
        tsl_device *host = &x->devices[1];
        size_t limit = host->limit;
        check(!tsl_set(x, "policy", policies[p]) && !tsl_set(x, "dist", "cols"), "set");
        check(!run(x, true, -1, start, out), "%s: from host memory it needs none: %s", policies[p], tsl_error(x));
        host->limit = __atomic_load_n(&host->used, __ATOMIC_RELAXED) + NB * NB * sizeof(double);
        void *on = give(x, 0, &start[0]);
        tsl_matrix *a = NULL;
        check(!tsl_tiled_wrap(x, TSL_D, N, N, on, start[0].ld, NB, &a), "wrap");
        tsl_status st = tsl_gemm(x, 1, tsl_sub(tsl_whole(a), 16, 0, 45, 16), tsl_sub(tsl_whole(a), 0, 16, 16, 45), 1, tsl_sub(tsl_whole(a), 16, 16, 45, 45));
        check(st == TSL_ERR_DEVICE_MEMORY, "%s: %s", policies[p], tsl_status_name(st));
        tsl_matrix_free(a);
        take(x, 0, on, &out[0]);
        host->limit = limit + (64 << 10);
        check(!run(x, true, 0, start, out), "%s: afterwards: %s", policies[p], tsl_error(x));
        for (int i = 0; i < OPERANDS; i++) check(dense_same(&out[i], &right[i]), "%s: afterwards operand %d has other bits", policies[p], i);
        tsl_context_destroy(x);
    }
    discard(start, right, out);
    checked("a host too small for one task");
}

/* A device's tile goes to the host to be factored, and back when the device needs it: once each, whatever else there is. */
static void test_counts(void)
{
    enum { T = 4 };
    tsl_context *x = make("host:1");
    dense a = dense_make(TSL_D, T * NB, T * NB, CANARY_FINITE);
    dense_dominant(&a, 5);
    void *on = give(x, 0, &a);
    tsl_matrix *A = NULL;
    tsl_counters c;
    check(!tsl_set(x, "policy", "write-back") && !tsl_set(x, "diag-on", "host") && !tsl_set(x, "variant", "1") &&
              !tsl_tiled_wrap(x, TSL_D, a.m, a.n, on, a.ld, NB, &A), "wrap: %s", tsl_error(x));
    check(!tsl_counters_reset(x) && !tsl_potrf(x, tsl_lower(tsl_whole(A)), NULL) && !tsl_counters_get(x, &c), "potrf: %s", tsl_error(x));
    check(c.to_host == T && c.to_device == T && c.peer == 0, "%d to the host, %d back", (int)c.to_host, (int)c.to_device);
    check(!tsl_set(x, "diag-on", "device") && !tsl_counters_reset(x) && !tsl_scale(x, 2, tsl_whole(A)) && !tsl_counters_get(x, &c), "scale");
    check(c.to_host == 0 && c.to_device == 0 && c.peer == 0, "at home nothing moves: %d %d", (int)c.to_host, (int)c.to_device);
    tsl_matrix_free(A);
    take(x, 0, on, &a);
    tsl_context_destroy(x);
    dense_free(&a);
    checked("diagonal blocks to the host and back");
}

int main(void)
{
    static const char *const specs[] = {"host:1", "host:3", "host:1+host", "host+host:2", "host:2+host+host", "host+host:1+host"};
    for (int t = TSL_S; t <= TSL_Z; t++) {
        for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) test_spec(specs[i], (tsl_type)t);
        checked("%c: tiles of all homes", tsl_type_letter((tsl_type)t));
        test_tight((tsl_type)t);
        checked("%c: little room on devices and host", tsl_type_letter((tsl_type)t));
    }
    ok(evicted > 0, "tiles had to leave: %lld times", (long long)evicted);
    test_too_small();
    test_counts();
    return tap_done();
}
