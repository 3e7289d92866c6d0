/* Memory limits, case by case: what was kept before, allocators with less than is said, refusals, explanations, transfers. */
#include "memory.h"

static double *numbers(int64_t count)
{
    double *a = malloc((size_t)count * sizeof *a);
    for (int64_t i = 0; a && i < count; i++) a[i] = (double)((i * 7919 + 13) % 1009) / 1009 - 0.5;
    return a;
}

/* What a flat call, another tile size and idle executors kept is in nobody's way. */
static void sequences(void)
{
    enum { N = 127 };
    double *a = numbers(2 * N * N), *b = numbers(2 * N * N), *c = numbers(2 * N * N);
    tsl_context *x = make("host:2,mem=300K");
    check(!tsl_zhemv(x, 'L', N, 1, (tsl_cdouble *)a, N, (tsl_cdouble *)b, 1, 0, (tsl_cdouble *)c, 1), "zhemv: %s", tsl_error(x));
    check(!set(x, "tiles", "33") && !tsl_zhemm(x, 'L', 'L', 64, 65, 1, (tsl_cdouble *)a, N, (tsl_cdouble *)b, N, 0, (tsl_cdouble *)c, N),
          "zhemm: %s", tsl_error(x));
    static const char *const sizes[] = {"40", "33", "64", "35", "48", "0"};
    for (size_t i = 0; i < COUNT(sizes); i++) {
        check(!set(x, "tiles", sizes[i]) && !tsl_dgemm(x, 'N', 'T', N, N, N, 1, a, N, b, N, 1, c, N), "dgemm by %s: %s", sizes[i], tsl_error(x));
        check(!set(x, "one", "0") && !tsl_dgemv(x, 'N', N, N, 1, a, N, b, 1, 0, c, 1), "dgemv after %s: %s", sizes[i], tsl_error(x));
    }
    tsl_context_destroy(x);
    x = make("host:4,mem=2M"); /* several devices: the room of the first one counts, too */
    double *big = numbers(3 * 400 * 400);
    check(!tsl_dgemm(x, 'N', 'N', 400, 400, 400, 1, big, 400, big + 160000, 400, 0, big + 320000, 400), "dgemm of order 400: %s", tsl_error(x));
    free(big);
    tsl_context_destroy(x);
    free(a), free(b), free(c);
    checked("what earlier calls kept is given back");
}

/* A device with less memory than it says: its allocator has so many bytes. */
typedef struct crowd {
    size_t left;
} crowd;

static void *take(void *user, int device, size_t bytes)
{
    crowd *c = user;
    if (device >= 0 && bytes > c->left) return NULL;
    void *p = aligned_alloc(256, (bytes + 255) / 256 * 256);
    if (p && device >= 0) c->left -= bytes;
    return p;
}

static void give(void *user, int device, void *p, size_t bytes)
{
    if (device >= 0) ((crowd *)user)->left += bytes;
    free(p);
}

/* Where memory turns out to be missing in the midst of a call in one piece, it goes by tiles. */
static void crowded(void)
{
    enum { M = 300, N = 260 };
    crowd c = {.left = SIZE_MAX};
    tsl_config cfg = tsl_config_default();
    tsl_context *x;
    cfg.devices = "host:1";
    cfg.allocator = &(tsl_allocator){take, give, &c};
    check(!tsl_context_create(&cfg, &x), "context");
    double *a = numbers(M * N), *b = numbers(M * N), tau[N], sum = 0, expected = 0;
    int64_t info, p[N];
    check(!set(x, "tiles", "32") && !tsl_dgeqrf(x, M, N, b, M, tau, &info), "dgeqrf by tiles: %s", tsl_error(x));
    tsl_trim(x);
    c.left = M * N * sizeof *a; /* and nothing for its workspace */
    check(!set(x, "one", "0") && tsl_dgeqrf(x, M, N, a, M, tau, &info) == TSL_ERR_DEVICE_MEMORY, "dgeqrf in one piece");
    tsl_trim(x);
    check(!set(x, "auto", "32") && !tsl_dgeqrf(x, M, N, a, M, tau, &info) && !memcmp(a, b, M * N * sizeof *a), "dgeqrf: %s", tsl_error(x));
    c.left = M * N * sizeof *a / 2; /* not even for a copy of it */
    check(!tsl_dgetrf(x, M, N, a, M, p, &info) && !info, "dgetrf: %s", tsl_error(x));
    for (int64_t i = 0; i < M * N; i++) expected += fabs(b[i]);
    check(!tsl_dasum(x, M * N, b, 1, &sum) && fabs(sum - expected) < 1e-10 * expected, "dasum: %s", tsl_error(x));
    tsl_context_destroy(x);
    free(a), free(b);
    checked("a call that lacks memory in one piece goes by tiles");
}

/* What the caller fixed is obeyed, or refused with both numbers before anything is touched. */
static void refusals(void)
{
    enum { N = 200 };
    double off = 0;
    size_t need, free_bytes;
    double *a = numbers(N * N), *b = numbers(N * N), *was = numbers(N * N);
    tsl_matrix *A = NULL;
    int64_t info;
    tsl_context *x = make("host:1,mem=200K");
    check(!set(x, "tiles", "100") && tsl_dgemm(x, 'N', 'N', N, N, N, 1, a, N, a, N, 1, b, N) == TSL_ERR_DEVICE_MEMORY &&
              told(x, &need, &free_bytes),
          "tile: %s", tsl_error(x));
    check(need == 3 * 100 * 100 * sizeof(double), "%zu bytes needed", need);
    check(!tsl_tiled_wrap(x, TSL_D, N, N, b, N, 150, &A), "wrap");
    check(tsl_potrf(x, tsl_lower(tsl_whole(A)), &info) == TSL_ERR_DEVICE_MEMORY && told(x, &need, &free_bytes), "wrapped: %s", tsl_error(x));
    check(need == 2 * 150 * 150 * sizeof(double), "%zu bytes needed", need);
    tsl_matrix_free(A);
    check(!set(x, "one", "0") && tsl_dgemm(x, 'N', 'N', N, N, N, 1, a, N, a, N, 1, b, N) == TSL_ERR_DEVICE_MEMORY &&
              told(x, &need, &free_bytes),
          "one: %s", tsl_error(x));
    check(need >= 3 * N * N * sizeof(double) && need < 3 * N * N * sizeof(double) + 1024, "%zu bytes needed", need);
    check(tsl_dgbmv(x, 'N', N, N, 90, 90, 1, a, N, a, 1, 0, b, 1) == TSL_ERR_DEVICE_MEMORY && told(x, &need, &free_bytes),
          "dgbmv: %s", tsl_error(x));
    check(!memcmp(b, was, N * N * sizeof *b), "b is as it was");
    /* what no device has room for the host's cores compute */
    check(!set(x, "auto", "0") && !tsl_dgbmv(x, 'N', N, N, 90, 90, 1, a, N, a, 1, 0, b, 1), "dgbmv: %s", tsl_error(x));
    limit(x, x->dev->limit + need - free_bytes - 1);
    check(set(x, "one", "0") == TSL_OK && tsl_dgbmv(x, 'N', N, N, 90, 90, 1, a, N, a, 1, 0, was, 1) == TSL_ERR_DEVICE_MEMORY,
          "dgbmv on a byte too little");
    limit(x, x->dev->limit + 1);
    check(!tsl_dgbmv(x, 'N', N, N, 90, 90, 1, a, N, a, 1, 0, was, 1), "dgbmv: %s", tsl_error(x));
    for (int64_t i = 0; i < N; i++) off = tsl_larger(off, fabs(b[i] - was[i]) / (1 + fabs(was[i])));
    check(off < 1e-13, "on the cores as on a device: off by %g", off);
    tsl_context_destroy(x);
    free(a), free(b), free(was);
    checked("what cannot be is refused with the bytes needed and free");
}

static void explained(void)
{
    static const char *const limits[] = {"4K", "20K", "100K", "300K", "8M"};
    static const char *const routines[] = {"dgemm", "zpotrf", "strsm", "chemm", "dposv"};
    char spec[40], text[2000];
    tsl_counters n;
    for (size_t i = 0; i < COUNT(limits); i++)
        for (size_t k = 0; k < COUNT(routines); k++) {
            snprintf(spec, sizeof spec, "host:%d,mem=%s", 1 + (int)k % 2, limits[i]);
            tsl_context *x = make(spec);
            check(!tsl_explain(x, routines[k], 3000, 3000, 300, text, sizeof text), "%s %s: %s", spec, routines[k], tsl_error(x));
            bool said = strstr(text, "\ntiles: ") && strstr(text, "there is little memory") && strstr(text, "a task needs");
            check(strstr(text, "path: tiles") && (said || strstr(text, "it will fail: ")), "%s %s: %s", spec, routines[k], text);
            check(i < 3 || said, "%s %s: %s", spec, routines[k], text);
            check(!set(x, "tiles", "33") && !tsl_counters_reset(x), "set");
            check(!tsl_explain(x, routines[k], 3000, 3000, 300, text, sizeof text) && !tsl_counters_get(x, &n) && n.tasks == 0,
                  "%s %s: the probe makes no tasks", spec, routines[k]);
            check(strstr(text, "it will fail: ") || strstr(text, "33 x 33, because the option"), "%s", text);
            tsl_context_destroy(x);
        }
    checked("explain works on every limit, and says which tile and why");
}

/* Of C := A B in 24 x 24 tiles with room for S: C stays by blocks of P x Q, P Q + P + 2 Q <= S - 8; A passes n/Q times, B m/P times. */
static void moved(void)
{
    enum { T = 24, NB = 16, N = T * NB, TILE = NB * NB * (int)sizeof(double) };
    static const struct { int slots, parts; } cases[] = {{144, 3}, {190, 2}, {360, 2}, {55, 5}, {30, 8}};
    double *a = numbers(N * N), *b = numbers(N * N), *c = numbers(N * N);
    tsl_context *x = make("host:1");
    tsl_counters n;
    for (size_t i = 0; i < COUNT(cases); i++) {
        limit(x, SIZE_MAX);
        check(!set(x, "tiles", "16"), "set");
        limit(x, (size_t)cases[i].slots * TILE + 4096);
        check(!tsl_counters_reset(x) && !tsl_dgemm(x, 'N', 'N', N, N, N, 1, a, N, b, N, 1, c, N) && !tsl_counters_get(x, &n), "dgemm: %s", tsl_error(x));
        int64_t matrix = T * T * TILE, bound = (2 * cases[i].parts + 1) * matrix;
        check(n.bytes_to_device <= bound + bound / 50 && n.bytes_to_host <= matrix + matrix / 50, "%d slots: %.2f matrices to the device, %.2f back",
              cases[i].slots, (double)n.bytes_to_device / (double)matrix, (double)n.bytes_to_host / (double)matrix);
        for (int k = 0; k < N; k++) c[k + k * N] += 2 * N;
        int64_t info = -1;
        check(within(x) && !tsl_counters_reset(x) && !tsl_dpotrf(x, 'L', N, c, N, &info) && !tsl_counters_get(x, &n) && info == 0, "dpotrf: %s", tsl_error(x));
        double passes = 0; /* panels stay, as wide as there is room for: all of L before them passes once */
        for (int k = 0, w; k < T; k += w) {
            w = (cases[i].slots - 8 - (T - k)) / (T - k + 2);
            w = w < 1 ? 1 : w > T - k ? T - k : w;
            passes += (double)(k + w) * (T - k) + 2 * w;
        }
        check(cases[i].slots < 2 * T || (double)n.bytes_to_device <= 1.1 * passes * TILE, "%d slots: %.0f tiles to the device, %.0f expected", cases[i].slots,
              (double)n.bytes_to_device / TILE, passes);
    }
    tsl_context_destroy(x);
    free(a), free(b), free(c);
    checked("where not all fits, tiles pass by as often as they must");
}

/* What is finished is home before it is asked for, though there is room for all of the triangle; once, whatever is computed after it. */
static void sent_home(void)
{
    enum { T = 24, NB = 16, N = T * NB, TILE = NB * NB * (int)sizeof(double), SLOTS = 360, TRIANGLE = T * (T + 1) / 2 };
    double *a = numbers(N * N);
    tsl_matrix *A = NULL;
    tsl_counters n;
    for (int k = 0; k < N; k++) a[k + k * N] += 2 * N;
    tsl_context *x = make("host:1");
    limit(x, (size_t)SLOTS * TILE + 4096);
    check(!tsl_tiled_wrap(x, TSL_D, N, N, a, N, NB, &A) && !tsl_begin(x) && !tsl_potrf(x, tsl_lower(tsl_whole(A)), NULL), "dpotrf: %s", tsl_error(x));
    check(!tsl_runtime_quiet(x->runtime), "tasks: %s", tsl_error(x));
    tsl_runtime_lock(x->runtime);
    n = x->runtime->count;
    tsl_runtime_unlock(x->runtime);
    check(n.evictions == 0 && n.bytes_to_host >= T * TILE, "%lld evictions, %.0f tiles are home", (long long)n.evictions, (double)n.bytes_to_host / TILE);
    check(!tsl_wait(x) && !tsl_counters_get(x, &n) && n.bytes_to_host == TRIANGLE * TILE, "%.0f tiles in the end", (double)n.bytes_to_host / TILE);
    tsl_matrix_free(A);
    tsl_context_destroy(x);
    free(a);
    checked("what is finished goes home while others compute");
}

/* Whatever calls before have kept of a device's memory: what it has no room for the cores compute. */
static void kept_by_others(void)
{
    enum { N = 28 };
    for (size_t bytes = 20000; bytes < 150000; bytes += 1500) {
        char spec[40];
        snprintf(spec, sizeof spec, "host:%d,mem=%zu", 1 + (int)(bytes % 2), bytes);
        tsl_context *x = make(spec);
        double *a = numbers(2 * N * N), tau[N];
        int64_t p[N], info;
        tsl_matrix *A = NULL, *T = NULL;
        check(!tsl_dgetrf(x, N, N, a, N, p, &info) && !tsl_dgeqrf(x, N, N, a, N, tau, &info), "%s: %s", spec, tsl_error(x));
        check(!tsl_tiled_wrap(x, TSL_Z, N, N, a, N, 9, &A) && !tsl_tiled_create(x, TSL_Z, N - 1, 1, 9, &T), "operands");
        check(!tsl_gehrd(x, 1, N, tsl_whole(A), tsl_whole(T)), "%s: gehrd: %s", spec, tsl_error(x));
        tsl_matrix_free(A), tsl_matrix_free(T);
        tsl_context_destroy(x);
        free(a);
    }
    checked("workspace of calls before gives way to tasks in one piece");
}

/* gesvx with its matrices on a device that has no room for the right-hand sides, or for part of its steps: solved, or nothing is changed */
static void expert_refused(const char *path)
{
    enum { N = 30 };
    int done = 0, refused = 0;
    for (size_t bytes = 15000; bytes < 60000; bytes += 700) {
        char spec[40], equed;
        snprintf(spec, sizeof spec, "host:1,mem=%zu", bytes);
        tsl_context *x = make(spec);
        double *a = numbers(N * N), *b = numbers(N * N), *y = numbers(N * N), *was = numbers(N * N), rcond, e[2 * N];
        int64_t p[N] = {0}, info;
        tsl_matrix *here, *A = NULL, *F = NULL, *B, *X, *P, *f, *g;
        for (int i = 0; i < N; i++) a[i + i * N] += N;
        bool made = !tsl_matrix_wrap(x, TSL_D, N, N, a, N, &here) && !tsl_matrix_wrap(x, TSL_D, N, N, b, N, &B) &&
                    !tsl_matrix_wrap(x, TSL_D, N, N, y, N, &X) && !tsl_matrix_wrap(x, TSL_INDEX, N, 1, p, N, &P) &&
                    !tsl_matrix_wrap(x, TSL_D, N, 1, e, N, &f) && !tsl_matrix_wrap(x, TSL_D, N, 1, e + N, N, &g);
        if (!made) abort();
        if (!tsl_matrix_create(x, TSL_D, N, N, &A) && !tsl_matrix_create(x, TSL_D, N, N, &F) &&
            !tsl_copy(x, tsl_whole(here), tsl_whole(A))) {
            check(!tsl_set(x, "path", path), "path");
            tsl_status st = tsl_gesvx(x, 'N', tsl_whole(A), tsl_whole(F), tsl_whole(P), &equed, (tsl_view){0}, (tsl_view){0},
                                      tsl_whole(B), tsl_whole(X),
                                      &rcond, tsl_whole(f), tsl_whole(g), NULL, &info);
            check(!st || (st == TSL_ERR_DEVICE_MEMORY && p[0] == 0 && !memcmp(y, was, N * N * sizeof *y)),
                  "%s, %s: %s, pivot %d", spec, path,
                  tsl_error(x), (int)p[0]);
            done += !st, refused += st != TSL_OK;
        }
        for (tsl_matrix **m = (tsl_matrix *[]){here, A, F, B, X, P, f, g, NULL}, **k = m; k < m + 8; k++) tsl_matrix_free(*k);
        tsl_context_destroy(x);
        free(a), free(b), free(y), free(was);
    }
    check(done > 0 && refused > 0, "%d done, %d refused", done, refused);
    checked("gesvx on path %s: what is refused for memory has changed nothing", path);
}

/* How many eigenvalues lie in an interval nobody knows beforehand: a dry run counts memory for all of them, whatever the
 * interval. */
static void by_value(void)
{
    enum { N = 100 };
    size_t need[2][TSL_LANES];
    tsl_context *x = make("host:1");
    for (int k = 0; k < 2; k++) {
        tsl_matrix Z = tsl_nowhere(x, TSL_D, N, N), d = tsl_nowhere(x, TSL_D, N, 1), e = tsl_nowhere(x, TSL_D, N - 1, 1), w = d;
        tsl_call c = {.op = TSL_OP_STEV, .eig = {.range = TSL_RANGE_VALUE, .least = k ? 1 : -1, .most = 2},
                      .v = {tsl_whole(&Z), tsl_whole(&d), tsl_whole(&e), tsl_whole(&w)}};
        check(!tsl_workspace_of(x, &c, need[k]), "stev: what workspace it needs: %s", tsl_error(x));
    }
    check(need[0][TSL_MAIN] == need[1][TSL_MAIN], "stev above -1 needs %zu bytes, above 1 %zu", need[0][TSL_MAIN],
          need[1][TSL_MAIN]);
    tsl_context_destroy(x);
    checked("stev by value: memory for all");
}

/* Routine k of those that go through A column by column, by tiles of nb: its status, and in `a` what A is then. */
enum { BY_COLUMN = 5, SMALL = 20 };
static tsl_status by_column(tsl_context *x, int k, int64_t nb, tsl_cdouble *a)
{
    tsl_matrix *here, *A, *d, *e, *p, *q, *P;
    int64_t info = 0, first[SMALL] = {0}; /* geqp3: no column is to be the first one */
    bool made = !tsl_tiled_create(x, TSL_Z, SMALL, SMALL, nb, &A) && !tsl_tiled_create(x, TSL_D, SMALL, 1, nb, &d) &&
                !tsl_tiled_create(x, TSL_D, SMALL - 1, 1, nb, &e) && !tsl_tiled_create(x, TSL_Z, SMALL, 1, nb, &p) &&
                !tsl_tiled_create(x, TSL_Z, SMALL, 1, nb, &q) &&
                !tsl_tiled_wrap(x, TSL_INDEX, SMALL, 1, first, SMALL, nb, &P) &&
                !tsl_matrix_wrap(x, TSL_Z, SMALL, SMALL, a, SMALL, &here);
    if (!made) abort();
    check(!tsl_random(x, 3, tsl_whole(A)), "random: %s", tsl_error(x));
    tsl_view v = tsl_whole(A), tau = tsl_sub(tsl_whole(p), 0, 0, SMALL - 1, 1);
    tsl_status st = k == 0   ? tsl_gehrd(x, 1, SMALL, v, tau)
                    : k == 1 ? tsl_gebrd(x, v, tsl_whole(d), tsl_whole(e), tsl_whole(p), tsl_whole(q))
                    : k == 2 ? tsl_sytrd(x, tsl_lower(v), tsl_whole(d), tsl_whole(e), tau)
                    : k == 3 ? tsl_sytrf(x, tsl_lower(v), tsl_whole(P), &info)
                             : tsl_geqp3(x, v, tsl_whole(P), tsl_whole(p));
    check(!st && !info, "routine %d by tiles of %d: %s", k, (int)nb, tsl_error(x));
    check(!tsl_copy(x, v, tsl_whole(here)), "copy: %s", tsl_error(x));
    for (tsl_matrix **m = (tsl_matrix *[]){here, A, d, e, p, q, P}, **i = m; i < m + 7; i++) tsl_matrix_free(*i);
    return st;
}

/* Tasks on columns in one piece, or with workspace, that a device has no room for: the host's cores have. */
static void by_columns(void)
{
    static const struct { int64_t nb; const char *devices; } has[] = {{7, "host:2,mem=16K"}, {9, "host:1,mem=24K"},
        {SMALL, "host:1,mem=20K"}, {SMALL, "host:2,mem=48K"}, {SMALL, "host:1,mem=72K"}, {SMALL, "host:1,mem=100K"}};
    static tsl_cdouble a[SMALL * SMALL], b[SMALL * SMALL];
    for (size_t i = 0; i < COUNT(has); i++)
        for (int k = 0; k < BY_COLUMN; k++) {
            double off = 0;
            tsl_context *x = make(has[i].devices), *y = make("host:1");
            tsl_status st = by_column(x, k, has[i].nb, a);
            check(!st == !by_column(y, k, has[i].nb, b), "%s", has[i].devices);
            const double *u = (const double *)a, *v = (const double *)b;
            for (int l = 0; l < 2 * SMALL * SMALL; l++) off = tsl_larger(off, fabs(u[l] - v[l]));
            check(off < 1e-12, "routine %d by tiles of %d on %s: off by %g", k, (int)has[i].nb, has[i].devices, off);
            tsl_context_destroy(x), tsl_context_destroy(y);
        }
    checked("columns in one piece: what a device has no room for the cores compute");
}

int main(void)
{
    kept_by_others();
    by_value();
    expert_refused("auto"), expert_refused("one");
    sequences();
    crowded();
    refusals();
    explained();
    moved();
    sent_home();
    by_columns();
    return tap_done();
}
