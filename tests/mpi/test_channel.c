/* Messages between devices by a fabric of theirs, the stand-in for NCCL: nothing passes through host memory where both ends are
 * on devices, and all else goes as ever. The second argument says what is expected: channel (the default), none (NCCL is off,
 * or did not start on some process), broken (it fails while in use), short (memory is, on one process, while others are
 * late). */
#include <string.h>

#include "context/context.h"
#include "whole.h"

enum { N = 131, NB = 8 };

static tsl_layout layout(const team *t, tsl_scheme scheme)
{
    tsl_layout l = tsl_layout_matrix(t->grid, NB);
    l.scheme = scheme;
    return l;
}

static tsl_matrix *make(const team *t, tsl_context *x, tsl_layout l, int64_t m, int64_t n, uint64_t seed)
{
    return scattered(t, x, l, TSL_D, m, n, seed);
}

/* What all processes have moved since the counters were last read. */
typedef struct moved {
    int64_t staged, sent;
} moved;

static moved since(tsl_context *x)
{
    tsl_counters n = {0};
    tsl_counters_get(x, &n);
    tsl_counters_reset(x);
    int64_t mine[2] = {n.to_host + n.to_device, n.peer}, all[2];
    MPI_Allreduce(mine, all, 2, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
    return (moved){all[0], all[1]};
}

/* B := A turned, everybody's part to everybody, then spread, then summed. */
static void copies(const team *t, tsl_context *x, bool by_channel)
{
    tsl_matrix *A = make(t, x, layout(t, TSL_ON_DEVICE), N, 40, 1), *B = make(t, x, layout(t, TSL_ON_DEVICE), 40, N, 2);
    tsl_matrix *P = NULL;
    tsl_layout rows = tsl_layout_rows_of(tsl_whole(A));
    tsl_status st = tsl_matrix_create_on(x, &rows, TSL_D, N, 40, &P);
    since(x);
    if (!st) st = tsl_copy(x, tsl_trans(tsl_whole(A)), tsl_whole(B));
    moved n = since(x);
    all_ok(t, !st && (n.sent > 0) == by_channel && (n.staged == 0) == by_channel, "an exchange: %lld sent, %lld staged", (long long)n.sent,
           (long long)n.staged);
    if (!st) st = tsl_copy(x, tsl_whole(A), tsl_whole(P));
    n = since(x);
    all_ok(t, !st && (n.sent > 0) == (by_channel && t->cols > 1), "a broadcast within rows: %lld sent, %lld staged", (long long)n.sent,
           (long long)n.staged);
    if (!st) st = tsl_reduce(x, tsl_whole(P), 0, tsl_whole(A));
    n = since(x);
    all_ok(t, !st && (n.sent > 0) == (by_channel && t->cols > 1), "a sum within rows: %lld sent, %lld staged", (long long)n.sent,
           (long long)n.staged);
    dense a = everything(x, A, N, 40), b = everything(x, B, 40, N);
    double worst = 0;
    for (int64_t j = 0; j < 40; j++)
        for (int64_t i = 0; i < N; i++) worst = worse(worst, cabs(dense_get(&a, i, j) - t->cols * dense_get(&b, j, i)));
    all_ok(t, worst < 1e-13, "the sum of %d copies: off by %.2g", t->cols, worst);
    dense_free(&a), dense_free(&b);
    tsl_matrix_free(A), tsl_matrix_free(B), tsl_matrix_free(P);
}

/* Both ends on devices go by channel, one end in host memory does not, in one call: A to the rows of C, B to its columns. */
static void mixed(const team *t, tsl_context *x, bool by_channel)
{
    tsl_matrix *A = make(t, x, layout(t, TSL_ON_DEVICE), N, N, 1), *B = make(t, x, layout(t, TSL_IN_HOST), N, 50, 2),
               *C = make(t, x, layout(t, TSL_ON_DEVICE), N, 50, 3), *D = make(t, x, layout(t, TSL_IN_HOST), N, 50, 3);
    since(x);
    tsl_status st = tsl_gemm(x, 1, tsl_whole(A), tsl_whole(B), 1, tsl_whole(C));
    moved n = since(x);
    all_ok(t, !st && (n.sent > 0) == (by_channel && t->cols > 1) && n.staged > 0,
           "a product of what lies here and there: %lld sent, %lld staged", (long long)n.sent, (long long)n.staged);
    st = tsl_gemm(x, 1, tsl_whole(A), tsl_whole(B), 1, tsl_whole(D));
    dense c = everything(x, C, N, 50), d = everything(x, D, N, 50);
    double worst = 0;
    for (int64_t j = 0; j < 50; j++)
        for (int64_t i = 0; i < N; i++) worst = worse(worst, cabs(dense_get(&c, i, j) - dense_get(&d, i, j)));
    all_ok(t, !st && worst < 1e-11, "and wherever its result lies: off by %.2g", worst);
    dense_free(&c), dense_free(&d);
    tsl_matrix_free(A), tsl_matrix_free(B), tsl_matrix_free(C), tsl_matrix_free(D);
}

/* One process keeps its part of B in host memory, the others on devices: then all go by MPI, and the next call by channel
 * again. */
static void odd_one(const team *t, tsl_context *x, bool by_channel)
{
    tsl_matrix *A = make(t, x, layout(t, TSL_ON_DEVICE), N, N, 1), *B = NULL, *C = make(t, x, layout(t, TSL_ON_DEVICE), N, N, 2),
               *room = make(t, x, layout(t, TSL_ON_DEVICE), N, N, 3);
    tsl_layout l = layout(t, TSL_ON_DEVICE);
    tsl_view own = tsl_local(tsl_whole(C));
    int64_t m = tsl_rows(own), n = tsl_cols(own);
    double *mine = calloc((size_t)(m * n), sizeof *mine);
    bool odd = t->rank == t->size - 1;
    tsl_status st = tsl_matrix_wrap_on(x, &l, TSL_D, N, N, odd ? mine : tsl_matrix_data(room), m, &B);
    since(x);
    if (!st) st = tsl_copy(x, tsl_trans(tsl_whole(A)), tsl_whole(B));
    moved k = since(x);
    all_ok(t, !st && k.sent == 0, "one process's part is in host memory: %lld sent (%s)", (long long)k.sent, tsl_status_name(st));
    dense a = everything(x, A, N, N), b = everything(x, B, N, N);
    int good = 1;
    for (int64_t j = 0; j < N; j++)
        for (int64_t i = 0; i < N; i++) good &= dense_get(&a, i, j) == dense_get(&b, j, i);
    all_ok(t, good, "and all has arrived");
    since(x);
    st = tsl_gemm(x, 1, tsl_whole(A), tsl_whole(B), 0, tsl_whole(C)); /* A's messages could go by channel, B's not */
    k = since(x);
    all_ok(t, !st && k.sent == 0, "and a product with that: %lld sent (%s)", (long long)k.sent, tsl_status_name(st));
    st = tsl_copy(x, tsl_trans(tsl_whole(A)), tsl_whole(C));
    k = since(x);
    all_ok(t, !st && (k.sent > 0) == by_channel, "the next copy: %lld sent", (long long)k.sent);
    dense_free(&a), dense_free(&b);
    tsl_matrix_free(B), tsl_matrix_free(A), tsl_matrix_free(C), tsl_matrix_free(room);
    free(mine);
}

/* Arrays wrapped by ScaLAPACK's descriptors; of x and y only the first column of processes has a part. */
static void narrow(const team *t, tsl_context *x, bool by_channel)
{
    tsl_matrix *M[3], *W[3] = {0};
    tsl_status st = TSL_OK;
    for (int i = 0; i < 3; i++) {
        int cols = i == 0 ? N : 1;
        M[i] = make(t, x, layout(t, TSL_ON_DEVICE), N, cols, (uint64_t)i + 4);
        int64_t rows = tsl_rows(tsl_local(tsl_whole(M[i])));
        int desc[9] = {1, 0, N, cols, NB, NB, 0, 0, rows > 1 ? (int)rows : 1};
        if (!st) st = tsl_matrix_wrap_desc(x, t->grid, TSL_D, desc, tsl_matrix_data(M[i]), &W[i]);
    }
    since(x);
    if (!st) st = tsl_gemv(x, 1, tsl_whole(W[0]), tsl_whole(W[1]), 0, tsl_whole(W[2]));
    moved n = since(x);
    all_ok(t, !st && (n.sent > 0) == by_channel && (n.staged == 0 || !by_channel), "gemv of wrapped arrays: %lld sent, %lld staged (%s)",
           (long long)n.sent, (long long)n.staged, tsl_status_name(st));
    for (int i = 0; i < 3; i++) tsl_matrix_free(W[i]), tsl_matrix_free(M[i]);
}

/* Look-ahead, whose panels are on their way while the rest is updated. */
static void factor(const team *t, tsl_context *x, bool by_channel)
{
    dense got[2];
    for (int s = 0; s < 2; s++) {
        tsl_matrix *A = make(t, x, layout(t, s ? TSL_ON_DEVICE : TSL_IN_HOST), 3 * N, 3 * N, 7);
        int64_t info = -1;
        since(x);
        tsl_status st = tsl_potrf(x, tsl_lower(tsl_whole(A)), &info);
        moved n = since(x);
        all_ok(t, !st && info == 0 && (n.sent > 0) == (by_channel && s), "potrf %s: %lld sent, %lld staged",
               s ? "on devices" : "in host memory", (long long)n.sent, (long long)n.staged);
        got[s] = everything(x, A, 3 * N, 3 * N);
        tsl_matrix_free(A);
    }
    double worst = 0;
    for (int64_t j = 0; j < 3 * N; j++)
        for (int64_t i = j; i < 3 * N; i++) worst = worse(worst, cabs(dense_get(&got[0], i, j) - dense_get(&got[1], i, j)));
    all_ok(t, worst < 1e-12, "the same factor: off by %.2g", worst);
    dense_free(&got[0]), dense_free(&got[1]);
}

/* Two contexts on a grid: they share its channels. One whose device is another kind goes by MPI. */
static void contexts(const team *t, tsl_context *x, const char *spec)
{
    tsl_context *y = team_context(t, spec), *z = NULL;
    copies(t, y, true);
    tsl_context_destroy(y);
    copies(t, x, true);
    tsl_config cfg = tsl_config_default();
    cfg.devices = "host";
    all_ok(t, !tsl_context_create(&cfg, &z), "a context of the host's cores");
    tsl_matrix *A = make(t, z, layout(t, TSL_ON_DEVICE), N, N, 1), *B = make(t, z, layout(t, TSL_ON_DEVICE), N, N, 2);
    since(z);
    tsl_status st = tsl_copy(z, tsl_trans(tsl_whole(A)), tsl_whole(B));
    moved n = since(z);
    all_ok(t, !st && n.sent == 0, "in host memory: %lld sent", (long long)n.sent);
    tsl_matrix_free(A), tsl_matrix_free(B);
    tsl_context_destroy(z);
}

/* All see one status, and the grid goes on without. */
static void breaks(const team *t, tsl_context *x)
{
    tsl_matrix *A = make(t, x, layout(t, TSL_ON_DEVICE), 3 * N, 3 * N, 7);
    tsl_status st = TSL_OK;
    int calls = 0;
    while (!st && calls++ < 10) st = tsl_potrf(x, tsl_lower(tsl_whole(A)), NULL);
    all_ok(t, st == TSL_ERR_DEVICE && same_everywhere(st), "the channel breaks in call %d: %s", calls, tsl_status_name(st));
    tsl_matrix_free(A);
}

static long left; /* allocations until one fails; negative: none does */

static void *take(void *user, int device, size_t bytes)
{
    (void)user, (void)device;
    return __atomic_fetch_sub(&left, 1, __ATOMIC_RELAXED) == 0 ? NULL : aligned_alloc(256, (bytes + 255) / 256 * 256);
}

static void give(void *user, int device, void *p, size_t bytes)
{
    (void)user, (void)device, (void)bytes;
    free(p);
}

/* The last process lacks memory for one thing after another while the first is late with its messages, so that work is still
 * under way. Where a call fails all have its reason, not what became of their messages. Where the channels were given up the
 * grid goes on without. True: it has them still. */
static bool short_of_memory(const team *t, const char *spec)
{
    enum { ORDER = 4 * NB, MOST = 200 };
    static const tsl_allocator allocator = {take, give, NULL};
    tsl_config config = tsl_config_default();
    config.devices = spec;
    config.allocator = &allocator;
    int good = 1, refused = 0, last = t->rank == t->size - 1, by_channel = 1;
    for (int trial = 0, i = 0, done = 0; trial < MOST && good && by_channel; trial++, i = done ? 0 : i + 1) {
        tsl_context *x = NULL;
        left = -1;
        good = !tsl_context_create(&config, &x); /* a new one each time: its queues keep what they once had */
        if (!everywhere(good)) break;
        tsl_matrix *A = make(t, x, layout(t, TSL_ON_DEVICE), ORDER, ORDER, 7), *B = make(t, x, layout(t, TSL_ON_DEVICE), ORDER, ORDER, 8);
        __atomic_store_n(&left, last ? i : -1, __ATOMIC_RELAXED);
        tsl_status st = tsl_potrf(x, tsl_lower(tsl_whole(A)), NULL);
        done = everywhere(!last || __atomic_load_n(&left, __ATOMIC_RELAXED) >= 0);
        __atomic_store_n(&left, -1, __ATOMIC_RELAXED);
        good = everywhere(!st || st == TSL_ERR_MEMORY || st == TSL_ERR_DEVICE_MEMORY) && same_everywhere(st);
        if (!good) printf("# rank %d: allocation %d: %s: %s\n", t->rank, i, tsl_status_name(st), tsl_error(x));
        refused += st != TSL_OK;
        since(x);
        good = good && !tsl_copy(x, tsl_trans(tsl_whole(A)), tsl_whole(B));
        by_channel = since(x).sent > 0;
        tsl_matrix_free(A), tsl_matrix_free(B);
        tsl_context_destroy(x);
    }
    all_ok(t, good && refused, "one process lacks memory for one thing after another: %d calls fail, and all say so", refused);
    return by_channel;
}

int main(int argc, char **argv)
{
    team t = team_open(argc, argv);
    const char *spec = "host:1,mem=64M", *expect = argc > 2 ? argv[2] : "channel";
    bool by_channel = !strcmp(expect, "channel");
    tsl_context *x = team_context(&t, spec);
    if (!strcmp(expect, "broken")) breaks(&t, x);
    if (!strcmp(expect, "short")) by_channel = short_of_memory(&t, spec);
    copies(&t, x, by_channel);
    mixed(&t, x, by_channel);
    odd_one(&t, x, by_channel);
    narrow(&t, x, by_channel);
    factor(&t, x, by_channel);
    if (!strcmp(expect, "channel")) contexts(&t, x, spec);
    tsl_context_destroy(x);
    return team_close(&t);
}
