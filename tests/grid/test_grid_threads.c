/* Threads of one program as the processes of a grid. The residuals of a few problems on grids of many shapes; several grids at
 * once; copies between grids; and what goes wrong: a process that differs, leaves, skips a call or is late is told to all
 * others, by name, and nobody hangs. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "extent.h"
#include "grid/problems.h"

enum { PROCESSES = 64 };

static tsl_context *context_of_one(void)
{
    tsl_config config = tsl_config_default();
    tsl_context *x = NULL;
    config.devices = "host:1";
    return tsl_context_create(&config, &x) ? NULL : x;
}

static int rank_of(const tsl_grid *g) { return tsl_grid_row(g) * tsl_grid_cols(g) + tsl_grid_col(g); }

/* One problem after the other: all processes find the same; the first one judges it. */
typedef struct sweep {
    tsl_type first, last;
    problem most;
    int64_t n, nb;
    double worst[PROBLEMS];
    tsl_status st[PROCESSES];
    int64_t info[PROCESSES];
} sweep;

static tsl_status run_sweep(tsl_grid *g, void *user)
{
    sweep *s = user;
    int me = rank_of(g);
    tsl_context *x = context_of_one();
    for (problem what = MULTIPLY; what < s->most; what++)
        for (tsl_type type = s->first; type <= s->last; type++) {
            outcome o = solved(x, g, what, type, s->n, s->nb);
            if (!s->st[me]) s->st[me] = o.st;
            if (what == CHOLESKY || is_lu(what) || what == EIGEN) s->info[me] |= o.info;
            if (me == 0) s->worst[what] = worse(s->worst[what], residual(&o, what, type, s->n));
            outcome_free(&o);
        }
    tsl_context_destroy(x);
    return s->st[me];
}

static void problems(int rows, int cols, tsl_type first, tsl_type last, problem most, int64_t n, int64_t nb)
{
    sweep s = {.first = first, .last = last, .most = most, .n = n, .nb = nb};
    tsl_status st = tsl_grid_threads(rows, cols, run_sweep, &s);
    for (problem what = MULTIPLY; what < most; what++)
        check(s.worst[what] < 20, "%s on %dx%d: %.3g", problem_names[what], rows, cols, s.worst[what]);
    for (int i = 0; i < rows * cols; i++) check(!s.st[i] && !s.info[i], "process %d: %s", i, tsl_status_name(s.st[i]));
    check(!st, "all in all: %s", tsl_status_name(st));
    checked("problems of order %d on %dx%d threads, residuals %.2g %.2g %.2g %.2g %.2g %.2g", (int)n, rows, cols, s.worst[0],
            s.worst[1], s.worst[2], s.worst[3], s.worst[4], s.worst[5]);
}

/* What a process does beside the others, and what all of them are told */
typedef enum oddity {
    OTHER_SCALAR, OTHER_PRODUCTS, OTHER_CALL, OTHER_SHAPE, LEAVES, SKIPS, IS_SLOW, NO_MATRIX, ODDITIES
} oddity;
enum { ODD = 2 };

static const struct {
    const char *name, *says; /* says: part of what those are told that wait */
    tsl_status st;
} expected[ODDITIES] = {[OTHER_SCALAR] = {"another scalar", "differ in beta", TSL_ERR_SHAPE},
                        [OTHER_PRODUCTS] = {"other products", "differ in how products are computed", TSL_ERR_SHAPE},
                        [OTHER_CALL] = {"another call", "another call", TSL_ERR_SHAPE},
                        [OTHER_SHAPE] = {"another block", "differ in B's block", TSL_ERR_SHAPE},
                        [LEAVES] = {"it leaves", "process 2 has left", TSL_ERR_MPI},
                        [SKIPS] = {"it skips a call, and is elsewhere", "no answer from process 2;", TSL_ERR_LATE},
                        [IS_SLOW] = {"it is slow, and in time", "", TSL_OK},
                        [NO_MATRIX] = {"a view of nothing", "", TSL_ERR_VIEW}};

typedef struct odd {
    oddity how;
    tsl_status st[PROCESSES], next[PROCESSES];
    char said[PROCESSES][300];
} odd;

static tsl_status run_odd(tsl_grid *g, void *user)
{
    odd *o = user;
    int me = rank_of(g), is_odd = me == ODD;
    oddity how = is_odd ? o->how : ODDITIES;
    tsl_context *x = context_of_one();
    tsl_layout l = tsl_layout_matrix(g, 4);
    tsl_matrix *A = NULL, *C = NULL;
    tsl_status st = tsl_matrix_create_on(x, &l, TSL_D, 24, 24, &A);
    if (!st) st = tsl_matrix_create_on(x, &l, TSL_D, 24, 24, &C);
    if (!st) st = tsl_laset(x, 1, 2, tsl_whole(A));
    if (!st) st = tsl_set(x, "deadline", o->how == SKIPS ? "0.2" : "60");
    if (!st) st = tsl_set(x, "products", how == OTHER_PRODUCTS ? "emulated" : "auto");
    if (how == SKIPS || how == IS_SLOW) usleep(how == SKIPS ? 1000000 : 200000);
    if (!st && how != SKIPS && how != LEAVES) {
        int64_t cols = how == OTHER_SHAPE ? 23 : 24;
        tsl_view B = how == NO_MATRIX ? (tsl_view){0} : tsl_sub(tsl_whole(A), 0, 0, 24, cols);
        tsl_view part = tsl_sub(tsl_whole(C), 0, 0, 24, cols);
        if (how == OTHER_CALL) st = tsl_scale(x, 2, tsl_whole(C));
        else st = tsl_gemm(x, 1, tsl_whole(A), B, how == OTHER_SCALAR ? 1 : 0, part);
        o->st[me] = st;
        snprintf(o->said[me], sizeof o->said[me], "%s", tsl_error(x));
        o->next[me] = tsl_set(x, "products", "auto");
        if (!o->next[me]) o->next[me] = tsl_scale(x, 2, tsl_whole(A));
    } else { /* or has been told while the laset was still to end here */
        o->st[me] = st ? st : expected[o->how].st;
        o->next[me] = how == SKIPS ? tsl_scale(x, 2, tsl_whole(A)) : st;
    }
    tsl_matrix_free(A), tsl_matrix_free(C);
    tsl_context_destroy(x);
    return st;
}

static void oddities(int rows, int cols)
{
    for (oddity how = 0; how < ODDITIES; how++) {
        odd o = {.how = how};
        tsl_status want = expected[how].st, next = want == TSL_ERR_MPI || want == TSL_ERR_LATE ? want : TSL_OK;
        tsl_grid_threads(rows, cols, run_odd, &o);
        int told = 0;
        for (int i = 0; i < rows * cols; i++) {
            check(o.st[i] == want, "process %d: %s: %s", i, tsl_status_name(o.st[i]), o.said[i]);
            int good = o.next[i] == next || (how == LEAVES && i == ODD);
            check(good, "process %d, the next call: %s", i, tsl_status_name(o.next[i]));
            told += strstr(o.said[i], expected[how].says) != NULL;
        }
        check(told >= (how == LEAVES ? 1 : rows * cols - 1), "%d are told so: %s", told, o.said[0]);
        checked("on %dx%d threads, %s: %s", rows, cols, expected[how].name, tsl_status_name(want));
    }
}

/* Products by residues: bits are those of one process, and not those of native ones. */
typedef struct by_residues {
    tsl_type type;
    const char *how;
    dense C[PROCESSES];
    tsl_status st[PROCESSES];
} by_residues;

static tsl_status run_residues(tsl_grid *g, void *user)
{
    enum { M = 23, N = 19, K = 14 };
    by_residues *r = user;
    int me = rank_of(g);
    tsl_context *x = context_of_one();
    tsl_layout l = tsl_layout_matrix(g, 3);
    dense a = dense_make(r->type, M, K, CANARY_FINITE), b = dense_make(r->type, K, N, CANARY_FINITE);
    dense_random(&a, 1), dense_random(&b, 2);
    r->C[me] = dense_make(r->type, M, N, CANARY_FINITE);
    tsl_status *st = &r->st[me];
    *st = tsl_set(x, "products", r->how);
    tsl_matrix *A = spread(x, l, r->type, M, K, a.data, a.ld, st), *B = spread(x, l, r->type, K, N, b.data, b.ld, st);
    tsl_matrix *C = spread(x, l, r->type, M, N, NULL, 0, st);
    if (!*st) *st = tsl_gemm(x, -1, tsl_whole(A), tsl_whole(B), 0, tsl_whole(C));
    collect(x, C, r->type, M, N, r->C[me].data, r->C[me].ld, st);
    tsl_matrix_free(A), tsl_matrix_free(B), tsl_matrix_free(C);
    tsl_context_destroy(x);
    dense_free(&a), dense_free(&b);
    return *st;
}

static void residues(tsl_type type)
{
    static const int shapes[][2] = {{1, 1}, {2, 2}, {1, 3}, {3, 2}};
    by_residues one = {.type = type, .how = "native"};
    check(!tsl_grid_threads(1, 1, run_residues, &one), "native");
    dense native = one.C[0], first = {0};
    for (int s = 0; s < 4; s++) {
        by_residues r = {.type = type, .how = "emulated"};
        tsl_status st = tsl_grid_threads(shapes[s][0], shapes[s][1], run_residues, &r);
        check(!st, "%s", tsl_status_name(st));
        if (!s) first = dense_copy(&r.C[0]);
        for (int i = 0; i < shapes[s][0] * shapes[s][1]; i++) {
            check(dense_same(&first, &r.C[i]), "on %dx%d, process %d: other bits", shapes[s][0], shapes[s][1], i);
            dense_free(&r.C[i]);
        }
    }
    check(!dense_same(&native, &first), "as native");
    dense_free(&native), dense_free(&first);
    checked("%c: products by residues have the bits of one process", tsl_type_letter(type));
}

/* Another grid of the same threads, turned: copies between the two */
typedef struct turned {
    tsl_grid *other[6];
    int wrong[6];
} turned;

static tsl_status run_turned(tsl_grid *g, void *user)
{
    turned *t = user;
    int me = rank_of(g);
    tsl_context *x = context_of_one();
    dense d = dense_make(TSL_D, 23, 17, CANARY_FINITE), e = dense_make(TSL_D, 23, 17, CANARY_FINITE);
    tsl_status st = TSL_OK;
    dense_random(&d, 9);
    tsl_matrix *A = spread(x, tsl_layout_matrix(g, 3), TSL_D, 23, 17, d.data, d.ld, &st);
    tsl_matrix *B = spread(x, tsl_layout_matrix(t->other[me], 5), TSL_D, 23, 17, NULL, 0, &st);
    if (!st) st = tsl_copy(x, tsl_whole(A), tsl_whole(B));
    collect(x, B, TSL_D, 23, 17, e.data, e.ld, &st);
    t->wrong[me] = st || !dense_same(&d, &e);
    tsl_matrix_free(A), tsl_matrix_free(B);
    tsl_context_destroy(x);
    tsl_grid_free(t->other[me]);
    dense_free(&d), dense_free(&e);
    return st;
}

static void two_grids(void)
{
    turned t = {.wrong = {0}};
    tsl_status st = tsl_grid_create_local(3, 2, t.other);
    if (!st) st = tsl_grid_threads(2, 3, run_turned, &t);
    for (int i = 0; i < 6; i++) check(!t.wrong[i], "process %d", i);
    check(!st, "%s", tsl_status_name(st));
    checked("copies between grids of 2x3 and 3x2 of the same threads");
}

static tsl_status nothing(tsl_grid *g, void *user)
{
    int *calls = user;
    __atomic_fetch_add(calls, 1, __ATOMIC_SEQ_CST);
    return rank_of(g) == 1 ? TSL_ERR_SIZE : TSL_OK;
}

static void arguments(void)
{
    tsl_grid *g[4] = {0};
    int calls = 0;
    ok(tsl_grid_create_local(2, 2, NULL) == TSL_ERR_NULL, "no place for the grids");
    ok(tsl_grid_create_local(0, 2, g) == TSL_ERR_GRID && tsl_grid_create_local(2, -1, g) == TSL_ERR_GRID, "no processes");
    ok(tsl_grid_create_local(1 << 20, 1 << 20, g) == TSL_ERR_GRID, "more than can be counted");
    ok(tsl_grid_threads(2, 2, NULL, NULL) == TSL_ERR_NULL, "nothing to do");
    ok(tsl_grid_threads(0, 2, nothing, &calls) == TSL_ERR_GRID && !calls, "nobody to do it");
    ok(tsl_grid_threads(2, 2, nothing, &calls) == TSL_ERR_SIZE && calls == 4, "the status of one that has failed");
    ok(!tsl_grid_create_local(2, 2, g) && tsl_grid_rows(g[3]) == 2, "four places");
    ok(tsl_grid_row(g[2]) == 1 && tsl_grid_col(g[2]) == 0, "the third is in the second row");
    for (int i = 0; i < 4; i++) tsl_grid_free(g[i]), tsl_grid_free(g[i]);
}

int main(void)
{
    static const int shapes[][2] = {{1, 1}, {1, 2}, {3, 1}, {2, 2}, {1, 5}, {2, 3}, {7, 1}};
    arguments();
    for (unsigned i = 0; i < sizeof shapes / sizeof *shapes; i++)
        problems(shapes[i][0], shapes[i][1], TSL_S, TSL_Z, PROBLEMS, 37, 4);
    problems(1, 7, TSL_D, TSL_D, PROBLEMS, 61, 5);
    problems(4, 4, TSL_Z, TSL_Z, PROBLEMS, 41, 3);
    problems(11, 1, TSL_D, TSL_D, QR, 70, 3); /* rows that meet twice */
    problems(8, 8, TSL_D, TSL_D, in_full() ? PROBLEMS : QR, 50, 3);
    oddities(2, 2), oddities(1, 5);
    two_grids();
    residues(TSL_D), residues(TSL_C);
    return tap_done();
}
