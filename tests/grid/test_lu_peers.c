/* LU on grids of threads with devices, whose panels stay: leaves that exchange with each other, and leaves that their hosts
 * answer, give the same bits. A launch that fails, or comes after the deadline, is told to all by its name, nobody hangs, and
 * what can go on goes on. Launches of a panel are counted. TESELA_TEST_DEVICES: as on a GPU, cuda:0. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "context/context.h"
#include "extent.h"
#include "grid/problems.h"

enum { PROCESSES = 8 };

static const char *devices(void)
{
    const char *other = getenv("TESELA_TEST_DEVICES");
    return other && *other ? other : "host:1,mem=64M";
}

static tsl_context *context_there(void)
{
    tsl_config config = tsl_config_default();
    tsl_context *x = NULL;
    config.devices = devices();
    return tsl_context_create(&config, &x) ? NULL : x;
}

/* ---- the devices' backend, with something of it otherwise; the same for all threads, as it should be */

typedef enum fault { NOTHING, FAILS, SLEEPS } fault;
static const tsl_backend *usual;
static tsl_backend odd;
static fault what;
static int who, when; /* of that process, which launch of a strip */
static int64_t strips, others;
static __thread int rank, here;

static tsl_status launch(tsl_queue *q, tsl_kernel fn, const tsl_leaf *l)
{
    bool strip = l->op == TSL_OP_LU_STRIP, now = strip && rank == who && here++ == when;
    __atomic_fetch_add(strip ? &strips : &others, 1, __ATOMIC_RELAXED);
    if (now && what == FAILS) return TSL_ERR_DEVICE;
    if (now && what == SLEEPS) usleep(1500000);
    return usual->launch(q, fn, l);
}

static bool unseen(const tsl_device *dev, int ordinal)
{
    (void)dev, (void)ordinal;
    return false;
}

static void prepare(bool by_host, bool accelerator)
{
    odd = *usual;
    odd.launch = launch;
    if (by_host) odd.seen_by = unseen;
    odd.accelerator |= accelerator;
    what = NOTHING;
    strips = others = 0;
}

static int rank_of(const tsl_grid *g) { return tsl_grid_row(g) * tsl_grid_cols(g) + tsl_grid_col(g); }

static tsl_context *begin(const tsl_grid *g)
{
    tsl_context *x = context_there();
    rank = rank_of(g), here = 0;
    x->dev->be = &odd;
    return x;
}

static void end(tsl_context *x)
{
    x->dev->be = usual; /* as it was opened */
    tsl_context_destroy(x);
}

/* ---- the same bits */

typedef struct job {
    tsl_type type;
    int64_t n, nb;
    outcome o[PROCESSES];
} job;

static tsl_status solve(tsl_grid *g, void *user)
{
    job *k = user;
    tsl_context *x = begin(g);
    k->o[rank] = solved_in(x, g, TSL_ON_DEVICE, LU, k->type, k->n, k->nb);
    end(x);
    return k->o[rank].st;
}

static void both_ways(int rows, int cols, tsl_type type, int64_t n, int64_t nb)
{
    job k[2];
    double off = 0;
    int64_t many[2];
    for (int by_host = 0; by_host < 2; by_host++) {
        k[by_host] = (job){.type = type, .n = n, .nb = nb};
        prepare(by_host, false);
        tsl_status st = tsl_grid_threads(rows, cols, solve, &k[by_host]);
        check(!st, "%s: %s", by_host ? "by host" : "by peers", tsl_status_name(st));
        many[by_host] = strips;
    }
    for (int i = 0; i < rows * cols; i++) check(same_outcome(&k[0].o[i], &k[1].o[i]), "process %d has other bits", i);
    off = residual(&k[0].o[0], LU, type, n);
    check(off < 20 && many[0] > 0 && many[1] > 0, "residual %.3g", off);
    checked("%c, %d on %dx%d in blocks of %d: by peers and by hosts, residual %.2g, %d and %d strips launched",
            tsl_type_letter(type), (int)n, rows, cols, (int)nb, off, (int)many[0], (int)many[1]);
    for (int w = 0; w < 2; w++)
        for (int i = 0; i < rows * cols; i++) outcome_free(&k[w].o[i]);
}

/* ---- what goes wrong */

typedef struct trial {
    tsl_status st[PROCESSES], next[PROCESSES];
    char said[PROCESSES][300];
} trial;

static tsl_status fall(tsl_grid *g, void *user)
{
    enum { N = 150, NB = 40 }; /* several strips, whether or not a leaf leaves */
    trial *t = user;
    tsl_context *x = begin(g);
    tsl_layout l = tsl_layout_matrix(g, NB), v = tsl_layout_whole(g, TSL_EVERY, TSL_EVERY);
    tsl_matrix *A = NULL, *p = NULL;
    l.scheme = TSL_ON_DEVICE;
    tsl_status st = tsl_matrix_create_on(x, &l, TSL_D, N, N, &A);
    if (!st) st = tsl_matrix_create_on(x, &v, TSL_INDEX, N, 1, &p);
    if (!st) st = tsl_random(x, 5, tsl_whole(A));
    if (!st) st = tsl_set(x, "deadline", what == SLEEPS ? "0.3" : "60");
    if (!st) st = tsl_getrf(x, tsl_whole(A), tsl_whole(p), NULL);
    t->st[rank] = st;
    snprintf(t->said[rank], sizeof t->said[rank], "%s", tsl_error(x));
    st = tsl_random(x, 6, tsl_whole(A));
    if (!st) st = tsl_getrf(x, tsl_whole(A), tsl_whole(p), NULL);
    t->next[rank] = st;
    tsl_matrix_free(A), tsl_matrix_free(p);
    end(x);
    return TSL_OK;
}

static void faults(int rows, int cols, bool by_host, fault f, int use)
{
    trial t = {.st = {0}};
    tsl_status want = f == FAILS ? TSL_ERR_DEVICE : TSL_ERR_LATE, next = f == FAILS ? TSL_OK : TSL_ERR_LATE;
    int named = 0;
    char name[40];
    prepare(by_host, false);
    what = f, who = cols, when = use; /* the second of those that have the panel */
    snprintf(name, sizeof name, "process %d of the grid", who);
    tsl_grid_threads(rows, cols, fall, &t);
    for (int i = 0; i < rows * cols; i++) {
        check(t.st[i] == want, "process %d: %s: %s", i, tsl_status_name(t.st[i]), t.said[i]);
        check(t.next[i] == next, "process %d, the next call: %s", i, tsl_status_name(t.next[i]));
        named += strstr(t.said[i], f == FAILS ? name : "deadline") != NULL;
    }
    check(named >= rows * cols - 1, "%d are told: %s", named, t.said[0]);
    checked("%dx%d, %s, launch %d of a strip on process %d %s: %s", rows, cols, by_host ? "by hosts" : "by peers", use, who,
            f == FAILS ? "fails" : "comes too late", tsl_status_name(want));
}

/* ---- launches */

enum { PANEL = 512, AT_MOST = 40 };

static tsl_status one_panel(tsl_grid *g, void *user)
{
    int64_t *launches = user;
    tsl_context *x = begin(g);
    tsl_layout l = tsl_layout_matrix(g, PANEL), v = tsl_layout_whole(g, TSL_EVERY, TSL_EVERY);
    tsl_matrix *A = NULL, *p = NULL;
    tsl_counters n = {0};
    l.scheme = TSL_ON_DEVICE;
    tsl_status st = tsl_matrix_create_on(x, &l, TSL_S, 2 * PANEL, PANEL, &A);
    if (!st) st = tsl_matrix_create_on(x, &v, TSL_INDEX, PANEL, 1, &p);
    if (!st) st = tsl_random(x, 5, tsl_whole(A));
    tsl_counters_reset(x);
    if (!st) st = tsl_getrf(x, tsl_whole(A), tsl_whole(p), NULL);
    tsl_counters_get(x, &n);
    __atomic_fetch_add(launches, n.launches, __ATOMIC_RELAXED);
    tsl_matrix_free(A), tsl_matrix_free(p);
    end(x);
    return st;
}

static void count(bool by_host)
{
    int64_t all = 0;
    prepare(by_host, true);
    tsl_status st = tsl_grid_threads(2, 1, one_panel, &all);
    ok(!st && strips >= 2 * PANEL / 64 && all - strips <= 2 * AT_MOST,
       "a panel of %d columns on 2 processes, %s: %d launches beside %d of strips", PANEL, by_host ? "by hosts" : "by peers",
       (int)(all - strips), (int)strips);
}

int main(void)
{
    static const int shapes[][2] = {{1, 2}, {2, 1}, {2, 2}, {3, 1}, {3, 2}};
    setenv("TESELA_PANELS", "0", 1);
    tsl_context *x = context_there();
    usual = x->dev->be;
    tsl_context_destroy(x);
    for (unsigned i = 0; i < sizeof shapes / sizeof *shapes; i++)
        for (tsl_type type = TSL_S; type <= TSL_Z; type++) both_ways(shapes[i][0], shapes[i][1], type, 61, 4);
    both_ways(2, 1, TSL_D, 150, 40), both_ways(4, 1, TSL_Z, 97, 33);
    both_ways(2, 1, TSL_D, 320, 64), both_ways(3, 1, TSL_Z, 300, 50); /* several panels, of more rows than columns */
    for (int by_host = 0; by_host < 2; by_host++)
        for (int use = 0; use < 3; use++) {
            faults(2, 1, by_host, FAILS, use), faults(3, 2, by_host, FAILS, use);
            if (use != 1 || in_full()) faults(2, 2, by_host, SLEEPS, use);
        }
    count(false), count(true);
    return tap_done();
}
