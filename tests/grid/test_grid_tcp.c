/* Processes that talk by TCP, started by nothing but fork: the bits are those of threads on the same grid, long messages and
 * short ones come whole, copies go between two grids of the same processes, and one that is killed, late, or asks for another
 * grid is told to all others. */
#define _GNU_SOURCE
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "grid/problems.h"

enum { PROCESSES = 6, CARD = 1024, ODD = 2, LONG = 301, WIDE = 257 };

/* What the processes of a test share: a place to gather in, and what each has found */
typedef struct shared {
    int arrived;
    char card[PROCESSES][CARD];
    int good[PROCESSES];
    tsl_status st[PROCESSES], next[PROCESSES];
    char said[PROCESSES][300];
} shared;

typedef struct process {
    shared *s;
    int rank, size, rows, cols;
} process;

static void meet(process *p)
{
    int turn = __atomic_add_fetch(&p->s->arrived, 1, __ATOMIC_SEQ_CST), last = (turn + p->size - 1) / p->size * p->size;
    while (__atomic_load_n(&p->s->arrived, __ATOMIC_SEQ_CST) < last) usleep(200);
}

static int gather(void *user, const void *mine, void *all, size_t bytes)
{
    process *p = user;
    if (bytes > CARD) return 1;
    memcpy(p->s->card[p->rank], mine, bytes);
    meet(p);
    for (int i = 0; i < p->size; i++) memcpy((char *)all + (size_t)i * bytes, p->s->card[i], bytes);
    meet(p);
    return 0;
}

static tsl_context *context_of_one(void)
{
    tsl_config config = tsl_config_default();
    tsl_context *x = NULL;
    config.devices = "host:1";
    return tsl_context_create(&config, &x) ? NULL : x;
}

static tsl_grid *joined(process *p, int rows, int cols)
{
    tsl_grid *g = NULL;
    p->s->st[p->rank] = tsl_grid_create_tcp(p->rank, p->size, gather, p, rows, cols, &g);
    snprintf(p->s->said[p->rank], sizeof p->s->said[0], "%s", tsl_error(NULL));
    return g;
}

typedef void (*part)(process *p);

/* Runs it in processes of their own, and waits for them; true if all but `lost` ended as they should. */
static int run(shared *s, int rows, int cols, part of, int lost)
{
    int good = 1;
    memset(s, 0, sizeof *s);
    for (int i = 0; i < rows * cols; i++)
        if (fork() == 0) {
            process p = {s, i, rows * cols, rows, cols};
            alarm(100); /* a hang is a failure */
            of(&p);
            _exit(0);
        }
    for (int i = 0, status; i < rows * cols; i++) good &= wait(&status) > 0 && (!status || lost);
    return good;
}

typedef struct both {
    problem what;
    tsl_type type;
    outcome by_threads;
} both;

static tsl_status by_threads(tsl_grid *g, void *user)
{
    both *b = user;
    tsl_context *x = context_of_one();
    outcome o = solved(x, g, b->what, b->type, 37, 4);
    if (tsl_grid_row(g) == 0 && tsl_grid_col(g) == 0) b->by_threads = o;
    else outcome_free(&o);
    tsl_context_destroy(x);
    return TSL_OK;
}

static void same_bits(process *p)
{
    tsl_grid *g = joined(p, p->rows, p->cols);
    tsl_context *x = context_of_one();
    int good = g && x;
    for (problem what = MULTIPLY; what < PROBLEMS && good; what++)
        for (tsl_type type = TSL_D; type <= TSL_Z && good; type += TSL_Z - TSL_D) {
            both b = {.what = what, .type = type};
            outcome o = solved(x, g, what, type, 37, 4);
            good = !o.st;
            if (good && p->rank == 0) {
                good = !tsl_grid_threads(p->rows, p->cols, by_threads, &b) && same_outcome(&o, &b.by_threads);
                outcome_free(&b.by_threads);
            }
            outcome_free(&o);
        }
    p->s->good[p->rank] = good;
    tsl_context_destroy(x);
    tsl_grid_free(g);
}

/* To a grid of another shape and back, turned, in parts of many kilobytes */
static void long_messages(process *p)
{
    tsl_grid *g = joined(p, p->rows, p->cols), *other = joined(p, p->cols, p->rows);
    tsl_context *x = context_of_one();
    tsl_status st = g && other && x ? TSL_OK : TSL_ERR_GRID;
    dense d = dense_make(TSL_D, LONG, WIDE, CANARY_FINITE), e = dense_make(TSL_D, LONG, WIDE, CANARY_FINITE);
    dense_random(&d, 4);
    tsl_matrix *A = st ? NULL : spread(x, tsl_layout_matrix(g, 60), TSL_D, LONG, WIDE, d.data, d.ld, &st);
    tsl_matrix *T = st ? NULL : spread(x, tsl_layout_matrix(g, 50), TSL_D, WIDE, LONG, NULL, 0, &st);
    tsl_matrix *B = st ? NULL : spread(x, tsl_layout_matrix(other, 70), TSL_D, WIDE, LONG, NULL, 0, &st);
    if (!st) st = tsl_copy(x, tsl_trans(tsl_whole(A)), tsl_whole(T));
    if (!st) st = tsl_copy(x, tsl_whole(T), tsl_whole(B));
    if (!st) st = tsl_laset(x, 0, 0, tsl_whole(A));
    if (!st) st = tsl_copy(x, tsl_whole(B), tsl_whole(T));
    if (!st) st = tsl_copy(x, tsl_trans(tsl_whole(T)), tsl_whole(A));
    collect(x, A, TSL_D, LONG, WIDE, e.data, e.ld, &st);
    p->s->good[p->rank] = !st && dense_same(&d, &e);
    tsl_matrix_free(A), tsl_matrix_free(T), tsl_matrix_free(B);
    tsl_context_destroy(x);
    tsl_grid_free(g), tsl_grid_free(other);
}

static void one_is_odd(process *p, int killed)
{
    tsl_grid *g = joined(p, p->rows, p->cols);
    tsl_context *x = context_of_one();
    tsl_layout l = tsl_layout_matrix(g, 30);
    tsl_status st = TSL_OK;
    tsl_matrix *A = spread(x, l, TSL_D, 240, 240, NULL, 0, &st), *C = spread(x, l, TSL_D, 240, 240, NULL, 0, &st);
    if (!st) st = tsl_laset(x, 1, 2, tsl_whole(A));
    if (!st) st = tsl_set(x, "deadline", killed ? "60" : "0.2");
    if (p->rank == ODD && killed) raise(SIGKILL);
    if (p->rank == ODD) usleep(1000000);
    for (int i = 0; i < 3 && !st; i++) st = tsl_gemm(x, 1, tsl_whole(A), tsl_whole(A), 0, tsl_whole(C));
    p->s->st[p->rank] = st;
    snprintf(p->s->said[p->rank], sizeof p->s->said[0], "%s", tsl_error(x));
    p->s->next[p->rank] = tsl_scale(x, 2, tsl_whole(A));
    tsl_matrix_free(A), tsl_matrix_free(C);
    tsl_context_destroy(x);
    tsl_grid_free(g);
}

static void one_is_killed(process *p) { one_is_odd(p, 1); }
static void one_is_late(process *p) { one_is_odd(p, 0); }
static void other_shape(process *p)
{
    int odd = p->rank == ODD;
    tsl_grid_free(joined(p, odd ? p->cols : p->rows, odd ? p->rows : p->cols));
}

static int no_gather(void *user, const void *mine, void *all, size_t bytes)
{
    (void)user, (void)mine, (void)all, (void)bytes;
    return 1;
}

static void told(shared *s, int size, const char *what, tsl_status want, const char *says, int next)
{
    int named = 0;
    for (int i = 0; i < size; i++) {
        if (i == ODD && want == TSL_ERR_MPI) continue; /* it is dead */
        check(s->st[i] == want, "process %d: %s: %s", i, tsl_status_name(s->st[i]), s->said[i]);
        check(!next || s->next[i] == want, "process %d, the next call: %s", i, tsl_status_name(s->next[i]));
        named += strstr(s->said[i], says) != NULL;
    }
    check(named > 0, "no process says '%s', one: %s", says, s->said[0]);
    checked("%s: %s, '%s' on %d", what, tsl_status_name(want), says, named);
}

static void all_good(const shared *s, int rows, int cols, int ended, const char *what)
{
    for (int i = 0; i < rows * cols; i++) check(s->good[i], "process %d of %dx%d: %s", i, rows, cols, s->said[i]);
    check(ended, "all have ended");
    checked("%s on %dx%d processes", what, rows, cols);
}

int main(void)
{
    static const int shapes[][2] = {{1, 1}, {1, 2}, {2, 2}, {5, 1}, {2, 3}};
    shared *s = mmap(NULL, sizeof *s, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    for (unsigned i = 0; i < sizeof shapes / sizeof *shapes; i++)
        all_good(s, shapes[i][0], shapes[i][1], run(s, shapes[i][0], shapes[i][1], same_bits, 0), "the bits of threads");
    all_good(s, 2, 3, run(s, 2, 3, long_messages, 0), "long messages");
    all_good(s, 1, 5, run(s, 1, 5, long_messages, 0), "long messages");
    check(run(s, 2, 2, one_is_killed, 1), "all have ended");
    told(s, 4, "one is killed", TSL_ERR_MPI, "process 2 has left", 1);
    check(run(s, 2, 2, one_is_late, 0), "all have ended");
    told(s, 4, "one is late", TSL_ERR_LATE, "no answer from process 2;", 1);
    check(run(s, 1, 4, other_shape, 0), "all have ended");
    told(s, 4, "one asks for another shape", TSL_ERR_GRID, "shape", 0);
    tsl_grid *g = NULL;
    ok(tsl_grid_create_tcp(0, 1, NULL, NULL, 1, 1, &g) == TSL_ERR_NULL && !g, "no all-gather");
    ok(tsl_grid_create_tcp(0, 1, no_gather, NULL, 1, 1, &g) == TSL_ERR_MPI && !g, "an all-gather that fails");
    ok(tsl_grid_create_tcp(2, 2, gather, NULL, 1, 2, &g) == TSL_ERR_GRID && !g, "a rank past the last");
    ok(tsl_grid_create_tcp(0, 0, gather, NULL, 0, 0, &g) == TSL_ERR_GRID && !g, "no processes");
    return tap_done();
}
