/* The chase from a band to tridiagonal form by all processes of a grid, on cores, and as on GPUs, on devices that only have a
 * memory of their own: the tridiagonal matrix, reflectors and their factors have the bits of the leaf that makes all sweeps.
 * Bands in any layout, narrower and wider than what a process has of them; more processes than there is work for; numbers that
 * are none. What a process takes of memory. */
#include <string.h>

#include "context/context.h"
#include "dense.h"
#include "device/device.h"
#include "extent.h"
#include "grid/grid.h"
#include "ops/inner.h"
#include "tap.h"
#include "tesela_grid.h"

enum { LAYOUTS = 4, MOST = 16 };

static tsl_backend gpu; /* filled by main */

static const int64_t orders[] = {1, 2, 5, 23, 66, 131, 300}, widths[] = {1, 2, 7, 32, 90};

typedef struct problem {
    dense AB, d, e, V, tau;
} problem;

static tsl_type real_of(tsl_type t) { return t == TSL_C ? TSL_S : t == TSL_Z ? TSL_D : t; }

/* All sweeps by the leaf, on this process */
static tsl_status by_leaf(tsl_context *x, problem *k)
{
    dense *const of[] = {&k->AB, &k->d, &k->e, &k->V, &k->tau};
    tsl_matrix *M[5] = {NULL};
    tsl_view v[5] = {{0}};
    tsl_status st = TSL_OK;
    for (int i = 0; i < 5 && !st; i++) {
        st = tsl_matrix_wrap(x, of[i]->t, of[i]->m, of[i]->n, of[i]->data, of[i]->ld, &M[i]);
        v[i] = st ? v[i] : tsl_whole(M[i]);
    }
    if (!st) tsl_sb2st(x, v[0], v[1], v[2], v[3], v[4]);
    if (!st) st = tsl_wait(x);
    for (int i = 0; i < 5; i++) tsl_matrix_free(M[i]);
    return st;
}

static problem make(tsl_context *x, tsl_type type, int64_t n, int64_t kd, bool keeps, bool spoiled)
{
    int64_t wide = kd < n - 1 ? kd : n > 1 ? n - 1 : 1, reflectors = keeps ? n : 0;
    problem k = {.AB = dense_make(type, kd + 1, n, CANARY_FINITE), .d = dense_make(real_of(type), n, 1, CANARY_FINITE),
                 .e = dense_make(real_of(type), n - 1, 1, CANARY_FINITE),
                 .V = dense_make(type, reflectors, reflectors, CANARY_FINITE),
                 .tau = dense_make(type, keeps ? (n > 1 ? (n - 2) / wide + 1 : 1) : 0, reflectors, CANARY_FINITE)};
    dense_random(&k.AB, (uint64_t)(n * 7 + kd));
    for (int64_t j = 0; j < n; j++) {
        dense_put(&k.AB, 0, j, creal(dense_get(&k.AB, 0, j)));
        for (int64_t i = n - j; i <= kd; i++) dense_put(&k.AB, i, j, 0);
    }
    if (spoiled) dense_put(&k.AB, 0, n / 2, NAN);
    tsl_status st = by_leaf(x, &k);
    check(!st, "the leaf: %s", tsl_error(x));
    return k;
}

static void done(problem *k)
{
    dense_free(&k->AB), dense_free(&k->d), dense_free(&k->e), dense_free(&k->V), dense_free(&k->tau);
}

/* Of column j, from row i on, so many elements */
static bool same(const dense *a, const dense *b, int64_t i, int64_t j, int64_t count)
{
    for (; count > 0; count--, i++) {
        tsl_scalar p = dense_get(a, i, j), q = dense_get(b, i, j);
        if (memcmp(&p, &q, sizeof p) && !(isnan(creal(p) + cimag(p)) && isnan(creal(q) + cimag(q)))) return false;
    }
    return true;
}

/* Blocks of several sizes, from the first on or not; spread over all; whole on one process column, over its rows */
static tsl_layout layout(tsl_grid *g, unsigned kind, int64_t nb)
{
    tsl_layout l = tsl_layout_matrix(g, nb);
    if (kind == 1) l.rows.offset = nb + 2, l.cols = (tsl_axis){TSL_OVER_COLS, nb + 4, 3};
    if (kind == 2) l = tsl_layout_vector(g, nb);
    if (kind == 3) l = tsl_layout_whole(g, TSL_EVERY, 0), l.cols = (tsl_axis){TSL_OVER_ROWS, nb, 1};
    return l;
}

static dense everything(tsl_context *x, tsl_view v)
{
    tsl_layout l;
    tsl_matrix *W = NULL;
    dense d = dense_make(tsl_matrix_type(v.mat), v.m, v.n, CANARY_FINITE);
    tsl_matrix_layout(v.mat, &l);
    l = tsl_layout_whole(l.grid, TSL_EVERY, TSL_EVERY);
    if (tsl_matrix_wrap_on(x, &l, d.t, d.m, d.n, d.data, d.ld, &W) || tsl_copy(x, v, tsl_whole(W))) dense_fill(&d, NAN);
    tsl_matrix_free(W);
    return d;
}

typedef struct job {
    const problem *k;
    const char *devices;
    unsigned turn;
    bool as_gpu;
    bool same[3][MOST]; /* the matrix, and the reflectors; was it computed? */
} job;

static bool same_columns(const problem *k, const dense *V, const dense *tau)
{
    int64_t n = k->AB.n, kd = k->AB.m - 1 < n - 1 ? k->AB.m - 1 : n - 1;
    bool good = true;
    for (int64_t s = 0; s + 1 < n; s++)
        good &= same(V, &k->V, s + 1, s, n - 1 - s) && same(tau, &k->tau, 0, s, (n - 2 - s) / kd + 1);
    return good;
}

static tsl_status run(tsl_grid *g, void *user)
{
    job *j = user;
    const problem *k = j->k;
    const dense *const of[] = {&k->AB, &k->d, &k->e, &k->V, &k->tau};
    int64_t n = k->AB.n;
    int me = tsl_grid_row(g) * tsl_grid_cols(g) + tsl_grid_col(g);
    tsl_config config = tsl_config_default();
    tsl_context *x = NULL;
    tsl_matrix *M[5] = {NULL};
    tsl_view v[5] = {{0}};
    config.devices = j->devices;
    tsl_status st = tsl_context_create(&config, &x);
    const tsl_backend *cores = st ? NULL : x->dev->be;
    if (!st && j->as_gpu) x->dev->be = &gpu, g->chunks = j->turn % 5 ? 0 : g->chunks; /* by as many as can be, or by one */
    for (unsigned i = 0; i < 5 && !st; i++) { /* what has no elements is a part of what has */
        tsl_layout l = layout(g, i < 3 ? (j->turn + i) % LAYOUTS : 0, i ? 5 : 7);
        l.scheme = j->turn / 3 % 2 ? TSL_ON_DEVICE : TSL_IN_HOST;
        int64_t rows = of[i]->m ? of[i]->m : 1, cols = of[i]->n ? of[i]->n : 1;
        st = tsl_matrix_create_on(x, &l, of[i]->t, rows, cols, &M[i]);
        if (!st) v[i] = tsl_sub(tsl_whole(M[i]), 0, 0, of[i]->m, of[i]->n);
    }
    if (!st) st = tsl_scatter(x, 0, k->AB.data, k->AB.ld, v[0]);
    if (!st) tsl_sb2st(x, v[0], v[1], v[2], v[3], v[4]);
    if (!st) st = tsl_wait(x);
    if (!st) {
        dense d = everything(x, v[1]), e = everything(x, tsl_whole(M[2])), V = everything(x, tsl_whole(M[3]));
        dense tau = everything(x, tsl_whole(M[4]));
        j->same[0][me] = same(&d, &k->d, 0, 0, n) && same(&e, &k->e, 0, 0, n - 1);
        j->same[1][me] = !k->V.n || same_columns(k, &V, &tau);
        j->same[2][me] = true;
        dense_free(&d), dense_free(&e), dense_free(&V), dense_free(&tau);
    }
    for (int i = 0; i < 5; i++) tsl_matrix_free(M[i]);
    if (x) x->dev->be = cores;
    tsl_context_destroy(x);
    return st;
}

static void against(int rows, int cols, unsigned turn, bool as_gpu, const problem *k)
{
    job j = {.k = k, .devices = turn % 2 && !as_gpu ? "host:1" : "host:1,mem=64M", .turn = turn, .as_gpu = as_gpu};
    tsl_status st = tsl_grid_threads(rows, cols, run, &j);
    for (int i = 0; i < rows * cols; i++)
        check(!st && j.same[0][i] && j.same[1][i] && j.same[2][i], "%c, n %d, kd %d on %dx%d, process %d: %s: %d %d",
              tsl_type_letter(k->AB.t), (int)k->AB.n, (int)k->AB.m - 1, rows, cols, i, tsl_status_name(st), j.same[0][i],
              j.same[1][i]);
}

static void sweep(tsl_context *x, tsl_type type, bool as_gpu)
{
    static const int shapes[][2] = {{1, 1}, {2, 2}, {1, 3}, {3, 2}, {1, 7}, {5, 1}};
    for (unsigned g = 0; g < sizeof shapes / sizeof *shapes; g++) {
        unsigned turn = g;
        for (unsigned w = 0; w < sizeof widths / sizeof *widths; w++)
            for (unsigned i = 0; i < sizeof orders / sizeof *orders; i++)
                for (int keeps = 0; keeps < 2; keeps++, turn++) {
                    problem k = make(x, type, orders[i], widths[w], keeps, false);
                    against(shapes[g][0], shapes[g][1], turn, as_gpu, &k);
                    done(&k);
                }
        problem k = make(x, type, 200, 12, true, true);
        against(shapes[g][0], shapes[g][1], turn, as_gpu, &k);
        done(&k);
        checked("%csb2st on %dx%d%s has the leaf's bits", tsl_type_letter(type), shapes[g][0], shapes[g][1],
                as_gpu ? ", as on GPUs," : "");
    }
}

typedef struct taken {
    size_t now, most;
} taken;

static void *take(void *user, int device, size_t bytes)
{
    taken *t = user;
    (void)device;
    t->now += bytes;
    t->most = t->now > t->most ? t->now : t->most;
    return aligned_alloc(256, (bytes + 255) / 256 * 256);
}

static void give(void *user, int device, void *p, size_t bytes)
{
    (void)device;
    ((taken *)user)->now -= bytes;
    free(p);
}

enum { N = 3000, KD = 32 };

/* Bytes that each process takes beside the operands */
static tsl_status measure(tsl_grid *g, void *user)
{
    taken mine = {0};
    tsl_allocator allocator = {take, give, &mine};
    tsl_config config = tsl_config_default();
    tsl_context *x = NULL;
    tsl_matrix *AB = NULL, *d = NULL;
    tsl_layout l = tsl_layout_matrix(g, 64), v = tsl_layout_vector(g, 64);
    config.devices = "host:1", config.allocator = &allocator, config.workspace_limit = 1;
    tsl_status st = tsl_context_create(&config, &x);
    if (!st) st = tsl_matrix_create_on(x, &l, TSL_D, KD + 1, N, &AB);
    if (!st) st = tsl_matrix_create_on(x, &v, TSL_D, N, 2, &d);
    if (!st) st = tsl_random(x, 1, tsl_whole(AB));
    size_t before = mine.most = mine.now;
    tsl_view D = st ? (tsl_view){0} : tsl_whole(d), none = tsl_sub(D, 0, 0, 0, 0);
    if (!st) tsl_sb2st(x, tsl_whole(AB), tsl_sub(D, 0, 0, N, 1), tsl_sub(D, 0, 1, N - 1, 1), none, none);
    if (!st) st = tsl_wait(x);
    ((size_t *)user)[tsl_grid_row(g) * tsl_grid_cols(g) + tsl_grid_col(g)] = mine.most - before;
    tsl_matrix_free(AB), tsl_matrix_free(d);
    tsl_context_destroy(x);
    return st;
}

/* A few times its share of the band with room for bulges, and some columns */
static void memory(int rows, int cols)
{
    enum { SHARES = 4, COLUMNS = 12 };
    size_t bytes[MOST] = {0}, most = 0;
    tsl_status st = tsl_grid_threads(rows, cols, measure, bytes);
    for (int i = 0; i < rows * cols; i++) most = bytes[i] > most ? bytes[i] : most;
    double share = 2. * KD * N / (rows * cols), taken = (double)most / 8;
    ok(!st && taken <= SHARES * share + COLUMNS * N,
       "n %d, kd %d on %dx%d: at most %.2f shares of the band, or %.2f and %d columns; %s", N, KD, rows, cols, taken / share,
       (taken - COLUMNS * N) / share, COLUMNS, tsl_status_name(st));
}

int main(void)
{
    tsl_config config = tsl_config_default();
    tsl_context *x = NULL;
    config.devices = "host:1";
    ok(!tsl_context_create(&config, &x), "a context");
    gpu = tsl_host_backend;
    gpu.accelerator = true;
    for (tsl_type type = TSL_S; type <= TSL_Z; type++) sweep(x, type, false), sweep(x, type, true);
    memory(2, 2), memory(4, 4);
    tsl_context_destroy(x);
    return tap_done();
}
