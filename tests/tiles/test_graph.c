/* The task graph: the dependences of a sequence of calls as Graphviz text, and what a graph of a million tasks takes of memory
 * while nothing of it can run. The time per submitted task is reported, not judged. */
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "dense.h"
#include "runtime/runtime.h"
#include "tiled.h"

static tsl_matrix *tiles(tsl_context *x, int64_t n, int64_t nb)
{
    tsl_matrix *A = NULL;
    check(!tsl_tiled_create(x, TSL_D, n, n, nb, &A) && !tsl_scale(x, 0, tsl_whole(A)), "create: %s", tsl_error(x));
    return A;
}

/* ---- edges ------------------------------------------------------------------------------------------------------------------ */

enum { MOST = 64 };

typedef struct drawing {
    int tasks, edges;
    char name[MOST][16];
    bool before[MOST][MOST]; /* a path from one to the other */
} drawing;

static drawing read_drawing(FILE *f)
{
    drawing d = {0};
    char line[128];
    unsigned long long from, to, first = 0;
    rewind(f);
    while (fgets(line, sizeof line, f)) {
        char name[16];
        if (sscanf(line, " t%llu -> t%llu;", &from, &to) == 2) {
            d.edges++;
            if (from - first < MOST && to - first < MOST) d.before[from - first][to - first] = true;
        } else if (sscanf(line, " t%llu [label=\"%15s", &from, name) == 2) {
            if (!d.tasks++) first = from;
            if (from - first < MOST) memcpy(d.name[from - first], name, sizeof name);
        }
    }
    for (int k = 0; k < d.tasks && k < MOST; k++)
        for (int i = 0; i < k; i++)
            for (int j = k + 1; j < d.tasks && j < MOST; j++) d.before[i][j] |= d.before[i][k] && d.before[k][j];
    return d;
}

/* Nothing begins before all has been submitted: no batch is full, and calls of one kind do not end it. */
static void hold(tsl_runtime *rt)
{
    pthread_mutex_lock(&rt->lock);
    rt->batch_limit = rt->window = INT64_MAX / 4;
    pthread_mutex_unlock(&rt->lock);
}

/* Flow, anti and output dependences of single-tile calls in a row. */
static void test_edges(void)
{
    tsl_context *x = make("host:2");
    tsl_matrix *A = tiles(x, 4, 4), *B = tiles(x, 4, 4), *C = tiles(x, 4, 4), *E = tiles(x, 4, 4);
    tsl_view a = tsl_whole(A), b = tsl_whole(B), c = tsl_whole(C), e = tsl_whole(E);
    FILE *f = tmpfile();
    tsl_runtime *rt = x->runtime;
    hold(rt);
    rt->graph = f;
    check(f && !tsl_begin(x), "begin");
    check(!tsl_gemm(x, 1, e, e, 1, a), "0 writes a");
    check(!tsl_gemm(x, 1, a, e, 0, b) && !tsl_gemm(x, 1, a, e, 0, c), "1 and 2 read it");
    check(!tsl_gemm(x, 1, e, e, 1, a), "3 writes a after both have read it");
    check(!tsl_gemm(x, 1, e, e, 0, b), "4 writes b after 1 has");
    check(!tsl_gemm(x, 1, b, c, 1, a) && !tsl_wait(x), "5 reads b and c and writes a: %s", tsl_error(x));
    rt->graph = NULL;
    drawing d = read_drawing(f);
    check(d.tasks == 6, "%d tasks", d.tasks);
    for (int i = 0; i < 6; i++) check(!strcmp(d.name[i], "gemm"), "name %s", d.name[i]);
    check(d.before[0][1] && d.before[0][2], "flow");
    check(d.before[1][3] && d.before[2][3], "anti");
    check(d.before[1][4], "output");
    check(d.before[3][5] && d.before[4][5] && d.before[2][5], "all three");
    check(!d.before[1][2] && !d.before[2][4] && !d.before[3][4], "readers and strangers are free");
    if (f) fclose(f);
    tsl_matrix_free(A), tsl_matrix_free(B), tsl_matrix_free(C), tsl_matrix_free(E);
    tsl_context_destroy(x);
    checked("dependences");
}

/* The Cholesky factorization of 4 x 4 tiles: 20 tasks, and its longest chain goes down the diagonal. */
static void test_potrf(void)
{
    tsl_context *x = make("host:2");
    dense A = dense_make(TSL_D, 16, 16, CANARY_FINITE);
    tsl_matrix *T = NULL;
    FILE *f = tmpfile();
    dense_dominant(&A, 1);
    check(f && !tsl_tiled_wrap(x, TSL_D, 16, 16, A.data, A.ld, 4, &T), "wrap");
    hold(x->runtime);
    x->runtime->graph = f;
    check(!tsl_potrf(x, tsl_lower(tsl_whole(T)), NULL), "potrf: %s", tsl_error(x));
    x->runtime->graph = NULL;
    drawing d = read_drawing(f);
    int potrfs = 0, last = -1;
    check(d.tasks == 4 + 6 + 6 + 4, "%d tasks", d.tasks);
    for (int i = 0; i < d.tasks; i++) {
        if (strcmp(d.name[i], "potrf")) continue;
        check(last < 0 || d.before[last][i], "a diagonal block waits for the one before it");
        last = i, potrfs++;
    }
    check(potrfs == 4 && last == d.tasks - 1, "%d diagonal blocks", potrfs);
    for (int i = 0; i < last; i++) check(d.before[i][last], "task %d comes before the last", i);
    if (f) fclose(f);
    tsl_matrix_free(T);
    tsl_context_destroy(x);
    dense_free(&A);
    checked("the graph of a Cholesky factorization");
}

/* C := A B + C, and one tile of it once more. */
static void multiply(tsl_context *x, tsl_view A, tsl_view B, tsl_view C, int64_t nb)
{
    tsl_view a = tsl_sub(A, 0, 0, nb, nb), b = tsl_sub(B, 0, 0, nb, nb);
    check(!tsl_gemm(x, 1, A, B, 1, C) && !tsl_gemm(x, 1, a, b, 1, tsl_sub(C, 7 * nb, 0, nb, nb)), "gemm: %s", tsl_error(x));
}

/* On cores a product in place takes up to four tiles of a column at once, and what follows waits for it; elsewhere each is a
 * task. */
static void test_columns(void)
{
    enum { NB = 4, TILES = 17, ROWS = TILES * NB - 1, COLS = 2 * NB, STRIPS = 5 };
    tsl_context *x = make("host");
    dense A = dense_make(TSL_D, ROWS, NB, CANARY_NAN), B = dense_make(TSL_D, NB, COLS, CANARY_NAN);
    dense C = dense_make(TSL_D, ROWS, COLS, CANARY_FINITE), E = dense_make(TSL_D, ROWS, COLS, CANARY_FINITE);
    tsl_matrix *a = NULL, *b = NULL, *c = NULL, *apart = NULL, *e = NULL;
    FILE *f = tmpfile();
    dense_random(&A, 1), dense_random(&B, 2), dense_random(&C, 3);
    check(f && !tsl_tiled_wrap(x, TSL_D, ROWS, NB, A.data, A.ld, NB, &a) && !tsl_tiled_wrap(x, TSL_D, NB, COLS, B.data, B.ld, NB, &b) &&
          !tsl_tiled_wrap(x, TSL_D, ROWS, COLS, C.data, C.ld, NB, &c) && !tsl_tiled_create(x, TSL_D, ROWS, COLS, NB, &apart) &&
          !tsl_matrix_wrap(x, TSL_D, ROWS, COLS, E.data, E.ld, &e) && !tsl_copy(x, tsl_whole(c), tsl_whole(apart)), "matrices");
    hold(x->runtime);
    x->runtime->graph = f;
    check(!tsl_begin(x), "begin");
    multiply(x, tsl_whole(a), tsl_whole(b), tsl_whole(c), NB);
    multiply(x, tsl_whole(a), tsl_whole(b), tsl_whole(apart), NB);
    check(!tsl_wait(x), "wait: %s", tsl_error(x));
    x->runtime->graph = NULL;
    drawing d = read_drawing(f);
    check(d.tasks == 2 * STRIPS + 1 + 2 * TILES + 1, "%d tasks", d.tasks);
    for (int i = 0; i < 2 * STRIPS; i++) check(d.before[i][2 * STRIPS] == (i == 1), "after strip %d?", i);
    check(!tsl_copy(x, tsl_whole(apart), tsl_whole(e)), "copy: %s", tsl_error(x));
    for (int64_t j = 0; j < COLS; j++)
        for (int64_t i = 0; i < ROWS; i++) check(cabs(dense_get(&C, i, j) - dense_get(&E, i, j)) < 1e-14, "element %lld, %lld", (long long)i, (long long)j);
    if (f) fclose(f);
    tsl_matrix_free(a), tsl_matrix_free(b), tsl_matrix_free(c), tsl_matrix_free(apart), tsl_matrix_free(e);
    tsl_context_destroy(x);
    dense_free(&A), dense_free(&B), dense_free(&C), dense_free(&E);
    checked("columns of a product");
}

/* The same, to a file the caller names; whole when the context is gone. */
static void test_file(void)
{
    char name[] = "/tmp/tesela-graph-XXXXXX", line[128] = "", last[128] = "";
    int fd = mkstemp(name);
    if (fd >= 0) close(fd);
    tsl_context *x = make("host:2");
    check(fd >= 0 && !tsl_set(x, "graph", name), "set: %s", tsl_error(x));
    tsl_matrix *A = tiles(x, 12, 4); /* nine tasks clear it */
    check(!tsl_scale(x, 2, tsl_whole(A)), "scale: %s", tsl_error(x));
    tsl_matrix_free(A);
    tsl_context_destroy(x);
    FILE *f = fopen(name, "r");
    check(f && fgets(line, sizeof line, f) && !strncmp(line, "digraph", 7), "begins with %s", line);
    while (f && fgets(line, sizeof line, f)) memcpy(last, line, sizeof last);
    check(last[0] == '}', "ends with %s", last);
    check(f && read_drawing(f).tasks >= 9, "its tasks");
    if (f) fclose(f);
    unlink(name);
    checked("the graph in a file");
}

/* ---- a million tasks ---------------------------------------------------------------------------------------- */

/* Of this thread: others share the machine. */
static double cpu_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void test_million(void)
{
    enum { TASKS = 1000000, NB = 2, N = 4 * NB };
    tsl_context *x = make("host:2");
    tsl_matrix *A = tiles(x, N, NB), *B = tiles(x, N, NB), *C = tiles(x, N, NB);
    tsl_runtime *rt = x->runtime;
    hold(rt);
    check(!tsl_begin(x), "begin");
    double from = cpu_seconds();
    tsl_status st = TSL_OK;
    int64_t tasks = 0;
    for (; tasks < TASKS && !st; tasks += 64) st = tsl_gemm(x, 1, tsl_whole(A), tsl_whole(B), 1, tsl_whole(C));
    double seconds = cpu_seconds() - from;
    check(!st && rt->unfinished == tasks && rt->batched == tasks, "%lld tasks wait: %s", (long long)rt->unfinished, tsl_status_name(st));
    size_t held = rt->tasks.held + rt->edges.held + rt->readers.held;
    check(held < 1250000000u, "they need %zu bytes", held);
    printf("# %.2f microseconds a task; %zu MB of tasks, %zu of edges, %zu of readers\n", 1e6 * seconds / (double)tasks,
           rt->tasks.held / 1000000, rt->edges.held / 1000000, rt->readers.held / 1000000);
    pthread_mutex_lock(&rt->lock);
    rt->failed = TSL_ERR_DEVICE; /* they need not be computed, only ended */
    pthread_mutex_unlock(&rt->lock);
    check(tsl_wait(x) == TSL_ERR_DEVICE && rt->unfinished == 0, "all end");
    tsl_matrix_free(A), tsl_matrix_free(B), tsl_matrix_free(C);
    tsl_context_destroy(x);
    checked("a graph of a million tasks");
}

int main(void)
{
    test_edges();
    test_potrf();
    test_columns();
    test_file();
    test_million();
    return tap_done();
}
