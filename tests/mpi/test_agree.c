/* What must be the same on all processes is compared before anything moves, on every collective entry: where the last process
 * differs, or has nothing to offer, all return the same status and say why, and nothing is touched. */
#include <math.h>
#include <pthread.h>
#include <string.h>

#include "whole.h"

enum { N = 23, NB = 4 };

static int odd; /* is this the process that differs? */

/* All have refused, with one status; what they say, where it is to be the same line, is. */
static void refused(const team *t, tsl_context *x, tsl_status st, tsl_status want, const char *says, const char *what)
{
    const char *line = tsl_error(x);
    all_ok(t, st == want && same_everywhere(st) && strstr(line, says), "%s: %s: %s", what, tsl_status_name(st), line);
}

static void layouts(const team *t, tsl_context *x)
{
    static const struct { const char *field; int which; } fields[] = {{"rows.nb", 0}, {"cols.nb", 1}, {"rows.offset", 2},
                                                                      {"cols.offset", 3}, {"type", 4}, {"m", 5}, {"n", 6}};
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        int other = odd ? fields[i].which : -1;
        char says[64];
        tsl_layout l = tsl_layout_matrix(t->grid, NB);
        tsl_matrix *A = NULL;
        l.rows.nb += other == 0, l.cols.nb += other == 1, l.rows.offset += other == 2, l.cols.offset += other == 3;
        tsl_status st = tsl_matrix_create_on(x, &l, other == 4 ? TSL_S : TSL_D, N + (other == 5), N + (other == 6), &A);
        snprintf(says, sizeof says, "differ in %s: from", fields[i].field);
        refused(t, x, st, TSL_ERR_SHAPE, says, fields[i].field);
        all_ok(t, !A, "and nobody has a matrix");
        double own[N * N]; /* room for any part */
        st = tsl_matrix_wrap_on(x, &l, other == 4 ? TSL_S : TSL_D, N + (other == 5), N + (other == 6), own, N + 1, &A);
        refused(t, x, st, TSL_ERR_SHAPE, says, fields[i].field);
    }
    tsl_layout l = tsl_layout_matrix(t->grid, NB), w = tsl_layout_whole(t->grid, odd ? 1 : 0, 0), v = tsl_layout_vector(t->grid, NB);
    tsl_matrix *A = NULL;
    tsl_status st = tsl_matrix_create_on(x, &w, TSL_D, N, N, &A);
    refused(t, x, st, TSL_ERR_SHAPE, "differ in row: from 0 to 1", "the place of an object on one process");
    st = tsl_matrix_create_on(x, odd ? &v : &l, TSL_D, N, N, &A);
    refused(t, x, st, TSL_ERR_SHAPE, "differ in rows.over", "vectors and matrices");
    st = tsl_matrix_create_on(x, &l, TSL_D, N, N, odd ? NULL : &A);
    refused(t, x, st, TSL_ERR_NULL, "", "one process has no place for the matrix");
    int desc[9] = {1, 0, N, N, NB, NB, 0, 0, N};
    double own[N * N];
    st = tsl_matrix_wrap_desc(x, t->grid, TSL_D, odd ? NULL : desc, own, &A);
    refused(t, x, st, TSL_ERR_NULL, "", "one process has no descriptor");
    desc[4] += odd;
    st = tsl_matrix_wrap_desc(x, t->grid, TSL_D, desc, own, &A);
    refused(t, x, st, TSL_ERR_SHAPE, "rows.nb: from 4 to 5", "one process's descriptor");
    st = tsl_matrix_wrap_on(x, &l, TSL_D, N, N, odd ? NULL : own, N, &A);
    refused(t, x, st, TSL_ERR_NULL, "", "one process has no array");
}

/* On all processes the same field is wrong: the message names it. */
static void fields(const team *t, tsl_context *x)
{
    tsl_layout good = tsl_layout_matrix(t->grid, NB), l[7];
    static const char *const says[7] = {"rows.nb is 0",      "cols.nb is -3",  "rows.offset is -1", "cols.over is 7",
                                        "scheme is 9", "rows.over (rows) and cols.over (all)", "row is 9, and the grid has"};
    for (int i = 0; i < 7; i++) l[i] = good;
    l[0].rows.nb = 0, l[1].cols.nb = -3, l[2].rows.offset = -1, l[3].cols.over = (tsl_over)7, l[4].scheme = (tsl_scheme)9;
    l[5].cols.over = TSL_OVER_ALL, l[6].rows.over = TSL_OVER_NONE, l[6].row = 9;
    for (int i = 0; i < 7; i++) {
        tsl_matrix *A = NULL;
        tsl_status st = tsl_matrix_create_on(x, &l[i], TSL_D, N, N, &A);
        all_ok(t, st && strstr(tsl_error(x), says[i]), "a bad layout: %s", tsl_error(x));
    }
    static const int desc[3][9] = {{2, 0, N, N, NB, NB, 0, 0, N}, {1, 0, N, N, NB, NB, 77, 0, N}, {1, 0, N, N, NB, NB, 0, -1, N}};
    static const char *const entry[3] = {"entry 1 (DTYPE) is 2", "entry 7 (RSRC) is 77", "entry 8 (CSRC) is -1"};
    for (int i = 0; i < 3; i++) {
        tsl_matrix *A = NULL;
        double own[N * N];
        tsl_status st = tsl_matrix_wrap_desc(x, t->grid, TSL_D, desc[i], own, &A);
        all_ok(t, st && strstr(tsl_error(x), entry[i]), "a bad descriptor: %s", tsl_error(x));
    }
}

static void views(const team *t, tsl_context *x)
{
    tsl_layout l = tsl_layout_matrix(t->grid, NB), r = tsl_layout_matrix(t->grid, NB + 1);
    tsl_matrix *A = scattered(t, x, l, TSL_D, N, N, 1), *B = scattered(t, x, l, TSL_D, N, N, 2), *C = scattered(t, x, r, TSL_D, N, N, 3);
    tsl_view a = tsl_whole(A), b = tsl_whole(B), outside = tsl_sub(a, 1, 1, N, N), none = {0};
    dense before = everything(x, B, N, N);
    double value = 0, *nowhere = odd ? NULL : &value;
    tsl_scalar product = 0;
    refused(t, x, tsl_potrf(x, tsl_lower(odd ? outside : b), NULL), TSL_ERR_VIEW, "", "potrf: a block outside its matrix");
    refused(t, x, tsl_potrf(x, tsl_lower(odd ? tsl_whole(NULL) : b), NULL), TSL_ERR_VIEW, "", "potrf: no matrix");
    refused(t, x, tsl_scale(x, 2, odd ? none : b), TSL_ERR_VIEW, "", "scale: no view");
    refused(t, x, tsl_norm(x, TSL_NORM_FRO, TSL_TRIANGULAR, odd ? none : a, &value), TSL_ERR_VIEW, "", "norm: no view");
    refused(t, x, tsl_norm(x, TSL_NORM_FRO, TSL_TRIANGULAR, a, nowhere), TSL_ERR_NULL, "", "norm: no place for the result");
    refused(t, x, tsl_nrm2(x, tsl_sub(a, 0, 0, N, 1), nowhere), TSL_ERR_NULL, "", "nrm2: no place for the result");
    refused(t, x, tsl_dot(x, tsl_sub(a, 0, 0, N, 1), tsl_sub(b, 0, 0, N, 1), odd ? NULL : &product), TSL_ERR_NULL, "",
            "dot: no place for the result");
    refused(t, x, tsl_reduce(x, odd ? none : a, 1, odd ? none : b), TSL_ERR_VIEW, "", "reduce: no views");
    refused(t, x, tsl_reduce(x, a, odd ? 1 : 2, b), TSL_ERR_SHAPE, "reduce: the processes differ in beta", "reduce: beta");
    refused(t, x, tsl_reduce(x, a, 1, odd ? tsl_whole(C) : b), TSL_ERR_SHAPE, "reduce: the processes differ in B's matrix", "reduce: another matrix");
    refused(t, x, tsl_potrf(x, odd ? tsl_upper(b) : tsl_lower(b), NULL), TSL_ERR_SHAPE, "potrf: the processes differ in A's block", "potrf: the triangle");
    refused(t, x, tsl_copy(x, odd ? tsl_trans(a) : a, b), TSL_ERR_SHAPE, "the processes differ in A's block", "copy: the op");
    refused(t, x, tsl_copy(x, odd ? tsl_whole(C) : a, b), TSL_ERR_SHAPE, "the processes differ in A's matrix", "copy: another matrix");
    refused(t, x, tsl_gemm(x, 1, a, odd ? a : tsl_whole(C), 1, b), TSL_ERR_SHAPE, "the processes differ in B's matrix", "gemm: another matrix");
    refused(t, x, tsl_gemm(x, 1, a, a, odd ? 0 : 1, b), TSL_ERR_SHAPE, "beta", "gemm: beta");
    refused(t, x, tsl_trsm(x, odd ? TSL_LEFT : TSL_RIGHT, 1, tsl_lower(a), b), TSL_ERR_SHAPE, "side", "trsm: the side");
    /* what an operation alone has */
    refused(t, x, tsl_norm(x, odd ? TSL_NORM_ONE : TSL_NORM_FRO, TSL_TRIANGULAR, a, &value), TSL_ERR_SHAPE, "kind",
            "norm: the kind");
    refused(t, x, tsl_random(x, odd ? 2 : 1, b), TSL_ERR_SHAPE, "another argument", "random: the seed");
    refused(t, x, tsl_sygst(x, odd ? 2 : 1, tsl_lower(b), tsl_lower(a)), TSL_ERR_SHAPE, "another argument",
            "sygst: the problem");
    refused(t, x, odd ? tsl_scale(x, 2, b) : tsl_potrf(x, tsl_lower(b), NULL), TSL_ERR_SHAPE, "another call", "another call");
    dense after = everything(x, B, N, N);
    all_ok(t, dense_same(&before, &after), "nothing was touched");
    tsl_status st = tsl_gemm(x, 1, a, a, 0, b);
    all_ok(t, st == TSL_OK, "and the grid goes on working: %s", tsl_status_name(st));
    dense_free(&before), dense_free(&after);
    tsl_matrix_free(A), tsl_matrix_free(B), tsl_matrix_free(C);
}

static void roots(const team *t, tsl_context *x)
{
    tsl_layout l = tsl_layout_matrix(t->grid, NB);
    tsl_matrix *A = scattered(t, x, l, TSL_D, N, N, 1);
    tsl_view a = tsl_whole(A);
    dense d = dense_make(TSL_D, N, N, CANARY_FINITE);
    refused(t, x, tsl_gather(x, a, odd, d.data, d.ld), TSL_ERR_SHAPE, "gather: the processes differ in rank: from 0 to 1", "gather");
    refused(t, x, tsl_scatter(x, odd, d.data, d.ld, a), TSL_ERR_SHAPE, "scatter: the processes differ in rank: from 0 to 1", "scatter");
    refused(t, x, tsl_gather(x, a, odd ? -1 : 0, d.data, d.ld), TSL_ERR_GRID, "", "gather: one process names no rank");
    refused(t, x, tsl_gather(x, odd ? tsl_sub(a, 0, 0, N + 1, N) : a, 0, d.data, d.ld), TSL_ERR_VIEW, "", "gather: one process has no view");
    refused(t, x, tsl_scatter(x, t->size - 1, odd ? NULL : d.data, d.ld, a), TSL_ERR_NULL, "", "scatter: the root has no array");
    refused(t, x, tsl_gather(x, a, t->size - 1, d.data, odd ? N - 1 : N), TSL_ERR_LD, "", "gather: the root's ld is small");
    refused(t, x, tsl_gather(x, tsl_sub(a, odd, 0, N - 1, N), 0, d.data, d.ld), TSL_ERR_SHAPE, "block", "gather: another block");
    tsl_status st = tsl_gather(x, a, 0, t->rank == 0 ? d.data : NULL, d.ld);
    all_ok(t, !st, "gather with one root: %s", tsl_status_name(st));
    tsl_matrix_free(A);
    dense_free(&d);
}

/* A process that runs out of memory while it makes its part. */
static void *no_memory(void *user, int device, size_t bytes)
{
    (void)device;
    return *(int *)user ? NULL : malloc(bytes);
}

static void give_back(void *user, int device, void *p, size_t bytes)
{
    (void)user, (void)device, (void)bytes;
    free(p);
}

static void memory(const team *t)
{
    int none = 0;
    tsl_allocator a = {no_memory, give_back, &none};
    tsl_config config = tsl_config_default();
    tsl_context *x = NULL;
    config.devices = "host", config.allocator = &a;
    all_ok(t, !tsl_context_create(&config, &x), "contexts that may run out of memory");
    tsl_layout l = tsl_layout_matrix(t->grid, NB);
    tsl_matrix *A = scattered(t, x, l, TSL_D, N, N, 1), *C = scattered(t, x, l, TSL_D, N, N, 2), *B = NULL;
    dense d = dense_make(TSL_D, N, N, CANARY_FINITE);
    none = odd;
    refused(t, x, tsl_matrix_create_on(x, &l, TSL_D, N, N, &B), TSL_ERR_MEMORY, "", "create_on: one process is out of memory");
    refused(t, x, tsl_gather(x, tsl_whole(A), 0, d.data, d.ld), TSL_ERR_MEMORY, "", "gather: one process is out of memory");
    refused(t, x, tsl_gemm(x, 1, tsl_whole(A), tsl_whole(A), 0, tsl_whole(C)), TSL_ERR_MEMORY, "",
            "gemm: one process is out of memory");
    none = 0;
    tsl_matrix_free(A), tsl_matrix_free(C);
    dense_free(&d);
    tsl_context_destroy(x);
}

typedef struct visit {
    tsl_context *x;
    tsl_matrix *A;
    tsl_status st;
} visit;

static void *elsewhere(void *arg)
{
    visit *v = arg;
    v->st = tsl_scale(v->x, 2, tsl_whole(v->A));
    return NULL;
}

/* MPI_Init promises MPI no calls from other threads: they are refused, not made. */
static void threads(const team *t, tsl_context *x)
{
    int level = MPI_THREAD_SINGLE;
    pthread_t thread;
    visit v = {x, scattered(t, x, tsl_layout_matrix(t->grid, NB), TSL_D, N, N, 1), TSL_OK};
    MPI_Query_thread(&level);
    int ran = !pthread_create(&thread, NULL, elsewhere, &v) && !pthread_join(thread, NULL);
    tsl_status want = level >= MPI_THREAD_SERIALIZED ? TSL_OK : TSL_ERR_MPI;
    all_ok(t, ran && v.st == want, "a call from another thread, level %d: %s: %s", level, tsl_status_name(v.st), tsl_error(x));
    tsl_matrix_free(v.A);
}

int main(int argc, char **argv)
{
    team t = team_open(argc, argv);
    tsl_context *x = team_context(&t, "host");
    odd = t.rank == t.size - 1;
    layouts(&t, x);
    fields(&t, x);
    views(&t, x);
    roots(&t, x);
    memory(&t);
    threads(&t, x);
    tsl_context_destroy(x);
    return team_close(&t);
}
