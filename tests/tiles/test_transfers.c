/* How many tiles the right-looking Cholesky factorization moves under each policy, against a simulation of the policies' rules
 * that shares nothing with the runtime: tasks in the order of the algorithm, and a table of which memory has which tile. */
#include <stdlib.h>
#include <string.h>

#include "context/context.h"
#include "dense.h"
#include "tap.h"
#include "tiled/tiled.h"

enum { NB = 8, MAX_TILES = 9, MAX_DEVICES = 7, HOST = MAX_DEVICES };

typedef struct moves {
    int64_t to_device, to_host;
} moves;

typedef struct rules {
    const char *name;
    bool own, alien, through;
} rules;

static const rules basic = {"basic", false, false, true}, affinity = {"affinity", true, false, true},
                   cache = {"cache", true, true, true}, write_back = {"write-back", true, true, false};

typedef struct world {
    const rules *by;
    const char *dist;
    int devices;
    bool diag_on_host;
    bool has[MAX_TILES][MAX_TILES][MAX_DEVICES + 1]; /* which memory has the tile's present contents; HOST is the last */
    moves n;
} world;

/* 2-D cyclic over the grid closest to a square, wider than high; or by rows or columns of tiles. */
static int owner(const world *w, int i, int j)
{
    int rows = w->devices == 4 ? 2 : w->devices == 6 ? 2 : 1;
    if (!strcmp(w->dist, "rows")) return i % w->devices;
    if (!strcmp(w->dist, "cols")) return j % w->devices;
    return i % rows + rows * (j % (w->devices / rows));
}

static void go_home(world *w, int i, int j)
{
    if (w->has[i][j][HOST]) return;
    w->has[i][j][HOST] = true;
    w->n.to_host++;
}

static void read_tile(world *w, int at, int i, int j)
{
    if (w->has[i][j][at]) return;
    go_home(w, i, j);
    if (at != HOST) w->n.to_device++;
    w->has[i][j][at] = true;
}

static void leave(world *w, int at, int i, int j)
{
    if (at != HOST && !(owner(w, i, j) == at ? w->by->own : w->by->alien)) w->has[i][j][at] = false;
}

/* A task that writes tile (i,j), which it also reads, and reads (i,k) and (j,k) where those are others. */
static void task(world *w, int at, int i, int j, int k)
{
    int use[3][2] = {{i, j}, {i, k}, {j, k}}, uses = i == j ? 2 : 3;
    if (k < 0) uses = 1;          /* potrf */
    if (k == j) use[1][0] = k, uses = 2; /* trsm reads (k,k) */
    for (int u = 0; u < uses; u++) read_tile(w, at, use[u][0], use[u][1]);
    for (int s = 0; s <= HOST; s++) w->has[i][j][s] = s == at;
    if (w->by->through) go_home(w, i, j);
    for (int u = 0; u < uses; u++) leave(w, at, use[u][0], use[u][1]);
}

static moves simulate(const rules *by, const char *dist, int devices, bool diag_on_host, int t)
{
    world w = {.by = by, .dist = dist, .devices = devices, .diag_on_host = diag_on_host};
    for (int i = 0; i < t; i++)
        for (int j = 0; j < t; j++) w.has[i][j][HOST] = true;
    for (int k = 0; k < t; k++) {
        task(&w, diag_on_host ? HOST : owner(&w, k, k), k, k, -1);
        for (int i = k + 1; i < t; i++) task(&w, owner(&w, i, k), i, k, k);
        for (int j = k + 1; j < t; j++)
            for (int i = j; i < t; i++) task(&w, owner(&w, i, j), i, j, k);
    }
    for (int i = 0; i < t; i++)
        for (int j = 0; j <= i; j++) go_home(&w, i, j);
    return w.n;
}

static tsl_context *open_devices(int devices, const char *dist, bool diag_on_host)
{
    char spec[16];
    tsl_context *x = NULL;
    tsl_config cfg = tsl_config_default();
    snprintf(spec, sizeof spec, "host:%d", devices);
    cfg.devices = spec;
    check(!tsl_context_create(&cfg, &x) && !tsl_set(x, "dist", dist) && !tsl_set(x, "variant", "1") &&
              !tsl_set(x, "diag-on", diag_on_host ? "host" : "device"), "%s %s: context", spec, dist);
    return x;
}

static tsl_counters factor(tsl_context *x, const char *policy, int t, int ragged)
{
    int64_t n = t * NB - ragged, info = -1;
    dense A = dense_make(TSL_D, n, n, CANARY_FINITE);
    tsl_matrix *T = NULL;
    tsl_counters c = {0};
    dense_dominant(&A, 1);
    check(!tsl_set(x, "policy", policy) && !tsl_tiled_wrap(x, TSL_D, n, n, A.data, A.ld, NB, &T), "wrap");
    check(!tsl_counters_reset(x) && !tsl_potrf(x, tsl_lower(tsl_whole(T)), &info) && info == 0, "potrf: %s", tsl_error(x));
    check(!tsl_counters_get(x, &c), "counters");
    tsl_matrix_free(T);
    dense_free(&A);
    return c;
}

/* Every rule's exact counts where they do not depend on the schedule. With affinity, two tasks that use a tile of another
 * device at the same time load it once: no more than the simulation, which runs one after the other, and no fewer than with a
 * cache. */
static void compare(tsl_context *x, const char *dist, int devices, bool diag, int t)
{
    const rules *const all[] = {&basic, &affinity, &cache, &write_back};
    moves least = simulate(&cache, dist, devices, diag, t);
    for (int r = 0; r < 4; r++) {
        moves want = simulate(all[r], dist, devices, diag, t);
        tsl_counters c = factor(x, all[r]->name, t, t % 3);
        check(c.to_host == want.to_host, "%s %s on %d, %d tiles: %d to host, not %d", all[r]->name, dist, devices, t,
              (int)c.to_host, (int)want.to_host);
        check(c.to_device == want.to_device || (r == 1 && c.to_device < want.to_device && c.to_device >= least.to_device),
              "%s %s on %d, %d tiles: %d to device, not %d", all[r]->name, dist, devices, t, (int)c.to_device,
              (int)want.to_device);
        check(c.peer == 0 && c.evictions == 0, "%s: %d between devices, %d evicted", all[r]->name, (int)c.peer, (int)c.evictions);
        check(c.tasks == t + t * (t - 1) + t * (t - 1) * (t - 2) / 6, "%d tasks", (int)c.tasks);
    }
}

static void test_thesis(void)
{
    tsl_context *x = open_devices(4, "2d", true);
    static const struct {
        const char *policy;
        int64_t to_device, to_host;
    } table[] = {{"basic", 36, 16}, {"affinity", 28, 16}, {"cache", 25, 16}, {"write-back", 25, 9}};
    checked("four devices");
    for (int round = 0; round < 10; round++)
        for (int r = 0; r < 4; r++) {
            tsl_counters c = factor(x, table[r].policy, 4, 0);
            check(r ? c.to_device <= table[r].to_device : c.to_device == 36, "%s: %d to device", table[r].policy, (int)c.to_device);
            check(r < 3 ? c.to_host == 16 : c.to_host <= 9, "%s: %d to host", table[r].policy, (int)c.to_host);
            check(c.bytes_to_device == c.to_device * NB * NB * 8 && c.bytes_to_host == c.to_host * NB * NB * 8, "bytes");
        }
    checked("4 x 4 tiles on 2 x 2 devices: basic 36/16, affinity at most 28/16, cache 25/16, write-back 25/9");
    tsl_context_destroy(x);
}

/* Devices other than its owner that read tile (i,k) of the factor, as operand of the updates of row i and of column i. */
static int64_t alien_readers(const world *w, int t, int i, int k)
{
    bool reads[MAX_DEVICES] = {false};
    int64_t count = 0;
    for (int j = k + 1; j <= i; j++) reads[owner(w, i, j)] = true;
    for (int j = i; j < t; j++) reads[owner(w, j, i)] = true;
    reads[owner(w, i, k)] = false;
    for (int d = 0; d < w->devices; d++) count += reads[d];
    return count;
}

/* The counts in closed form, diagonal blocks on the host: docs/tiles.md derives them. */
static void test_formulas(void)
{
    const world grid = {.dist = "2d", .devices = 4};
    for (int64_t t = 1; t <= MAX_TILES; t++) {
        int64_t pairs = t * (t - 1) / 2, triples = t * (t - 1) * (t - 2) / 6;
        moves b = simulate(&basic, "2d", 4, true, (int)t), w = simulate(&write_back, "2d", 4, true, (int)t);
        check(b.to_device == 4 * pairs + 3 * triples && b.to_host == 2 * pairs + triples, "basic, %d tiles", (int)t);
        check(w.to_host == pairs + t - 1, "write-back, %d tiles", (int)t);
        int64_t loads = pairs + t - 1; /* every tile but the first diagonal one to its owner, */
        for (int k = 0; k < t; k++) {
            loads += t - 1 - k < 2 ? t - 1 - k : 2; /* each factored diagonal block to those who solve with it, */
            for (int i = k + 1; i < t; i++) loads += alien_readers(&grid, (int)t, i, k); /* and the factor to who else reads it */
        }
        check(w.to_device == loads, "write-back, %d tiles: %d, not %d", (int)t, (int)w.to_device, (int)loads);
    }
    checked("closed forms");
}

static void test_counts(void)
{
    static const char *const dists[] = {"2d", "rows", "cols"};
    static const int devices[] = {1, 2, 3, 4, 7};
    for (int d = 0; d < 5; d++)
        for (int k = 0; k < 3; k++)
            for (int diag = 0; diag < 2; diag++) {
                tsl_context *x = open_devices(devices[d], dists[k], diag);
                for (int t = 1; t <= MAX_TILES; t += diag ? 1 : 3) compare(x, dists[k], devices[d], diag, t);
                tsl_context_destroy(x);
                checked("%d devices, %s, diagonal on the %s: counts by the rules", devices[d], dists[k], diag ? "host" : "device");
            }
}

/* ---- auto: of a product's factors every tile is loaded at most once by every device ----------------------------------------- */

static tsl_backend watching;
static const char *watched;
static size_t watched_bytes;
static int loads[MAX_DEVICES][64 * 64];
static struct {
    const void *src, *dst;
    bool by_caller; /* put on its queue by the thread that made the call */
} copies[1024];
static size_t copied;
static pthread_t caller;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static tsl_status watch_copy(tsl_queue *q, void *dst, size_t dst_pitch, const void *src, size_t src_pitch, size_t rows, size_t cols,
                             tsl_direction dir)
{
    size_t at = (size_t)((const char *)src - watched) / sizeof(double);
    pthread_mutex_lock(&lock);
    if ((const char *)src >= watched && (const char *)src < watched + watched_bytes) loads[tsl_head(q)->dev->index][at]++;
    if (copied < sizeof copies / sizeof *copies) {
        copies[copied].src = src, copies[copied].dst = dst;
        copies[copied++].by_caller = pthread_equal(pthread_self(), caller);
    }
    pthread_mutex_unlock(&lock);
    return tsl_host_backend.copy2d(q, dst, dst_pitch, src, src_pitch, rows, cols, dir);
}

static void watch(tsl_context *x, int devices)
{
    watching = tsl_host_backend;
    watching.copy2d = watch_copy;
    for (int d = 0; d < devices; d++) x->devices[d].be = &watching;
    caller = pthread_self();
    copied = 0;
}

static void test_auto(int devices)
{
    enum { N = 64, T = N / NB };
    tsl_context *x = open_devices(devices, "2d", false);
    static double A[N * N], C[N * N];
    tsl_matrix *TA = NULL, *TC = NULL;
    tsl_counters c;
    watch(x, devices);
    watched = (const char *)A, watched_bytes = sizeof A;
    memset(loads, 0, sizeof loads);
    check(!tsl_set(x, "variant", "auto") && !tsl_tiled_wrap(x, TSL_D, N, N, A, N, NB, &TA) && !tsl_tiled_wrap(x, TSL_D, N, N, C, N, NB, &TC), "wrap");
    check(!tsl_gemm(x, 1, tsl_whole(TA), tsl_trans(tsl_whole(TA)), 0, tsl_whole(TC)), "gemm: %s", tsl_error(x));
    check(!tsl_counters_get(x, &c) && c.to_host == T * T && c.evictions == 0, "%d tiles come home", (int)c.to_host);
    int most = 0, touched = 0;
    for (int d = 0; d < devices; d++)
        for (int i = 0; i < N * N; i++) most = loads[d][i] > most ? loads[d][i] : most, touched += loads[d][i] > 0;
    check(most == 1 && touched >= T * T && touched <= devices * T * T, "a tile was loaded %d times by a device", most);
    tsl_matrix_free(TA), tsl_matrix_free(TC);
    tsl_context_destroy(x);
    checked("auto on %d devices: every tile is loaded at most once by each", devices);
}

enum { SIDE_TILES = 8, SIDE = 96, ORDER = SIDE_TILES * SIDE }; /* tiles that are large enough for the thread that sends them home */
static double A8[ORDER * ORDER], B8[ORDER * ORDER], C8[ORDER * ORDER];

static void watched_product(void)
{
    tsl_context *x = open_devices(1, "2d", false);
    watch(x, 1);
    check(!tsl_set(x, "variant", "auto") && !tsl_set(x, "path", "tiles") && !tsl_set(x, "tile", "96"), "set: %s", tsl_error(x));
    check(!tsl_dgemm(x, 'N', 'N', ORDER, ORDER, ORDER, 1, A8, ORDER, B8, ORDER, 0, C8, ORDER), "gemm: %s", tsl_error(x));
    tsl_context_destroy(x);
}

/* Results do not wait for the end, when the caller would bring them home. */
static void test_home(void)
{
    size_t home = 0, late = 0;
    watched_product();
    for (size_t k = 0; k < copied; k++)
        if ((const double *)copies[k].dst >= C8 && (const double *)copies[k].dst < C8 + ORDER * ORDER) home++, late += copies[k].by_caller;
    check(home == SIDE_TILES * SIDE_TILES && late == 0, "%zu tiles come home, %zu of them late", home, late);
    checked("a product's results go home while others are computed");
}

/* The first copy from there on, or how many there are */
static size_t first_from(const double *at)
{
    size_t k = 0;
    while (k < copied && copies[k].src != at) k++;
    return k;
}

/* With a column of A comes the row of B that it is multiplied with, not all of B's first column: there is enough to compute
 * from the beginning. */
static void test_order(void)
{
    watched_product();
    for (int k = 0; k + 1 < SIDE_TILES; k++)
        for (int i = 0; i < SIDE_TILES; i++) {
            size_t next = first_from(&A8[(k + 1) * SIDE * ORDER]), a = first_from(&A8[i * SIDE + k * SIDE * ORDER]), b = first_from(&B8[k * SIDE + i * SIDE * ORDER]);
            check(a < next && b < next && next < copied, "tile %d of step %d comes late", i, k);
        }
    checked("a product's factors come in the order of its inner dimension");
}

/* What a GPU would do with a product of host matrices: those that are computed no longer than they are moved go whole. */
static void test_decision(void)
{
    static const struct {
        tsl_type type;
        int64_t m, n, k;
        int64_t tile; /* 0: whole */
    } cases[] = {
        {TSL_D, 8192, 8192, 8192, 2048},    {TSL_D, 8191, 8192, 8192, 0},         {TSL_D, 16384, 16384, 1024, 0},   {TSL_D, 100000, 1000, 1000, 0},
        {TSL_S, 12288, 12288, 12288, 2048}, {TSL_S, 8192, 8192, 8192, 0},         {TSL_Z, 6144, 6144, 6144, 2048},  {TSL_D, 16384, 4096, 16384, 2048},
        {TSL_D, 16384, 16384, 16384, 4096}, {TSL_D, 16000, 16384, 16384, 2048}, {TSL_D, 40000, 20000, 100, 2048}, {TSL_D, 60000, 60000, 60000, 2048},
    };
    tsl_context *x = open_devices(1, "2d", false);
    tsl_backend gpu = tsl_host_backend;
    check(!tsl_set(x, "variant", "auto"), "set: %s", tsl_error(x));
    gpu.accelerator = true;
    x->dev->be = &gpu;
    x->dev->total = (size_t)141 << 30;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int64_t m = cases[i].m, n = cases[i].n, k = cases[i].k;
        tsl_matrix A = {.ctx = x, .type = cases[i].type, .m = m, .n = k, .ld = m}, B = {.ctx = x, .type = cases[i].type, .m = k, .n = n, .ld = k},
                   C = {.ctx = x, .type = cases[i].type, .m = m, .n = n, .ld = m};
        tsl_call c = {.op = TSL_OP_GEMM, .alpha = 1, .v = {tsl_whole(&A), tsl_whole(&B), tsl_whole(&C)}};
        tsl_tile_plan p;
        tsl_decision d = tsl_decide(x, &c);
        check((d.path == TSL_BY_TILES) == (cases[i].tile > 0), "%lld x %lld x %lld of type %d: %s", (long long)m, (long long)n, (long long)k, (int)cases[i].type, d.why);
        if (cases[i].tile) check(!tsl_plan_tiles(x, &c, 0, &p) && p.nb == cases[i].tile, "%lld x %lld x %lld: tiles of %lld", (long long)m, (long long)n, (long long)k, (long long)p.nb);
    }
    tsl_matrix M = {.ctx = x, .type = TSL_D, .m = 8192, .n = 8192, .ld = 8192};
    tsl_call c = {.op = TSL_OP_GEMM, .alpha = 1, .v = {tsl_whole(&M), tsl_whole(&M), tsl_whole(&M)}};
    check(tsl_decide(x, &c).path == TSL_BY_TILES && !tsl_set(x, "tile", "1024") && tsl_decide(x, &c).path == TSL_BY_ONE, "by small tiles");
    check(!tsl_set(x, "tile", "0"), "set: %s", tsl_error(x));
    x->dev->total = (size_t)2 << 30;
    check(tsl_decide(x, &c).path == TSL_BY_ONE, "where there is room for it, and little more");
    x->dev->be = &tsl_host_backend;
    tsl_context_destroy(x);
    checked("which products a GPU computes by tiles, and how large those are");
}

int main(void)
{
    test_thesis();
    test_formulas();
    test_counts();
    for (int d = 1; d <= MAX_DEVICES; d += 2) test_auto(d);
    test_home();
    test_order();
    test_decision();
    return tap_done();
}
