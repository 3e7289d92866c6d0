/* Shapes of kernels: options and tables that choose one, what refuses them, what tells of them; by kernels of the host that
 * note which they were to take. And all shapes of a GPU's kernels against a naive reference. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "level2_sweep.h"
#include "tune/tune.h"

enum { N = 80, NOTED = 3 };

static int noted;
static tsl_kernel real_symv, real_gemv, real_geqrt;

static int three(tsl_type t)
{
    (void)t;
    return NOTED;
}

static tsl_status symv(tsl_queue *q, const tsl_leaf *l)
{
    noted = l->shape;
    return real_symv(q, l);
}

static tsl_status gemv(tsl_queue *q, const tsl_leaf *l)
{
    noted = l->shape;
    return real_gemv(q, l);
}

static tsl_status geqrt(tsl_queue *q, const tsl_leaf *l)
{
    noted = 10 * noted + l->shape; /* of one panel after the other */
    return real_geqrt(q, l);
}

/* A host whose kernels of symv, gemv and QR's panels have shapes */
static tsl_backend shaped;
static const tsl_kernel_entry *kernels[TSL_OP_COUNT];
static tsl_kernel_entry own[4];

static void give_shapes(tsl_context *x)
{
    shaped = *x->dev->be;
    memcpy(kernels, shaped.kernels, sizeof kernels);
    own[0] = *kernels[TSL_OP_SYMV], own[1] = *kernels[TSL_OP_GEMV];
    real_symv = own[0].fn[TSL_D], real_gemv = own[1].fn[TSL_D];
    own[0].fn[TSL_D] = symv, own[1].fn[TSL_D] = gemv;
    own[2] = *kernels[TSL_OP_GEQRT];
    real_geqrt = own[2].fn[TSL_D];
    own[2].fn[TSL_D] = geqrt;
    own[3] = *kernels[TSL_OP_GEQRF];
    for (int i = 0; i < 4; ++i) own[i].shapes = three;
    kernels[TSL_OP_SYMV] = &own[0], kernels[TSL_OP_GEMV] = &own[1], kernels[TSL_OP_GEQRT] = &own[2], kernels[TSL_OP_GEQRF] = &own[3];
    shaped.kernels = kernels;
    x->dev->be = &shaped;
}

static void put_table(tsl_context *x, const char *entries)
{
    char text[800], why[160];
    tsl_table *t = &x->tune->table[TSL_TABLE_SHIPPED];
    tsl_table_free(&x->allocator, t);
    snprintf(text, sizeof text, "tesela-tune 1 any thing\n%s", entries);
    check(!tsl_table_parse(&x->allocator, text, strlen(text), t, why, sizeof why), "a table: %s", why);
}

static double A[N * N], v[N], w[N];

/* The shape that the leaf was to take; -1: the call failed */
static int of_symv(tsl_context *x, int64_t n)
{
    noted = -1;
    return tsl_dsymv(x, 'L', n, 1, A, N, v, 1, 0, w, 1) ? -1 : noted;
}

static int of_gemv(tsl_context *x, char trans, int64_t m, int64_t n)
{
    noted = -1;
    return tsl_dgemv(x, trans, m, n, 1, A, N, v, 1, 0, w, 1) ? -1 : noted;
}

static int explained(tsl_context *x, const char *routine, const char *line)
{
    char text[1000];
    return !tsl_explain(x, routine, N, N, N, text, sizeof text) && strstr(text, line);
}

static void test_choice(tsl_context *x)
{
    ok(tsl_shape_count(x, "symv", TSL_D) == NOTED && !tsl_shape_count(x, "gemm", TSL_D) && !tsl_shape_count(x, "nonesuch", TSL_D) &&
           !tsl_shape_count(x, NULL, TSL_D) && !tsl_shape_count(x, "symv", TSL_INDEX),
       "how many there are");
    put_table(x, "symv d 70 * - leaf:1\nsymv d * * - leaf:2\ngemv d 70 * - leaf:3\ngemv d 80 20 - auto\ngemv d * * - leaf:1 leaf:1=2 leaf=1\n"
                 "turned gemv d * * - leaf:2\n");
    check(of_symv(x, 70) == 1 && of_symv(x, 71) == 2, "by order");
    check(of_gemv(x, 'N', 80, 21) == 1 && of_gemv(x, 'N', 80, 20) == 0 && of_gemv(x, 'N', 20, 80) == 0, "by the shorter side, too");
    check(of_gemv(x, 'N', 70, 10) == 3 && of_gemv(x, 'T', 70, 10) == 2, "of the transpose by entries of its own");
    check(explained(x, "dsymv", "kernel: shape 2 of 3, because the tuning table says so"), "explained");
    check(explained(x, "ssymv", "kernel: of 3 shapes the one the kernel chooses itself"), "another type has no entry");
    check(!explained(x, "dgemm", "kernel:"), "nothing to choose");
    checked("the table's shape");
    check(!tsl_set(x, "shape", "3") && of_symv(x, 71) == 3 && of_gemv(x, 'T', 70, 70) == 3, "the caller's");
    check(explained(x, "dsymv", "kernel: shape 3 of 3, because it was set"), "explained");
    check(!tsl_set(x, "shape", "4") && tsl_dsymv(x, 'L', N, 1, A, N, v, 1, 0, w, 1) == TSL_ERR_OPTION &&
              strstr(tsl_error(x), "there is no shape 4"), "one there is not: %s", tsl_error(x));
    check(!tsl_dscal(x, N, 1, v, 1), "an operation without shapes has nothing to choose");
    check(tsl_set(x, "shape", "-1") == TSL_ERR_OPTION && tsl_set(x, "shape", "two") == TSL_ERR_OPTION && tsl_set(x, "shape", "") == TSL_ERR_OPTION,
          "no number");
    check(!tsl_set(x, "shape", "0") && of_symv(x, 71) == 2, "the table's again");
    checked("the caller's shape");
}

/* Of the panels of an n x n matrix, the first to the last; -1: the call failed */
static int of_panels(tsl_context *x, int64_t n)
{
    double tau[N];
    noted = 0;
    return tsl_dgeqrf(x, n, n, A, N, tau, NULL) ? -1 : noted;
}

/* Panels have theirs by height and width, whatever the entries of whole matrices say. */
static void test_panels(tsl_context *x)
{
    put_table(x, "geqrf d 40 20 - auto:2 auto:2=9 auto:1=1\ngeqrf d 80 * 20 right\ngeqrf d 90 80 - auto:1\n");
    check(of_panels(x, 80) == 1122, "by height, 80, 60, 40, 20 rows: %d", noted);
    check(explained(x, "dgeqrf", "panels: shape 1 of 3, because the tuning table says so"), "explained");
    check(!tsl_set(x, "shape", "3") && of_panels(x, 80) == 3333, "as it was set: %d", noted);
    check(!tsl_set(x, "shape", "0"), "as before");
    checked("shapes of panels");
}

/* A leaf that takes any order is used up to the table's block. */
static void test_block(tsl_context *x)
{
    tsl_matrix *a = NULL;
    check(!tsl_matrix_create(x, TSL_D, 300, 300, &a), "a matrix");
    tsl_call c = {.op = TSL_OP_TRSM, .v = {tsl_lower(tsl_whole(a)), tsl_sub(tsl_whole(a), 0, 0, 300, 100)}};
    put_table(x, "trsm d * 50 - leaf\ntrsm d 299 * - auto\ntrsm d * 100 64 auto\n");
    check(tsl_tuned_block(x, &c) == 64, "the block of its width");
    c.v[1] = tsl_sub(tsl_whole(a), 0, 0, 300, 50);
    check(tsl_tuned_block(x, &c) == INT64_MAX, "the leaf is named");
    c.v[1] = tsl_whole(a);
    check(tsl_tuned_block(x, &c) == INT64_MAX, "nothing is said");
    tsl_matrix_free(a);
    checked("up to which order a leaf is used");
}

/* The host's kernels have none: a table that asks for one is not for it. */
static void test_unknown(void)
{
    char path[] = "/tmp/tesela-shapes-XXXXXX", text[300];
    static const char *const bad[] = {"symv d 9 * - leaf:1", "trsm s * * - leaf:4", "core trsm d 9 * - leaf:1"};
    tsl_device_info d;
    tsl_config cfg = {.size = sizeof cfg, .devices = "host"};
    int fd = mkstemp(path);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        tsl_context *x = NULL;
        setenv("TESELA_TUNE", "none", 1);
        check(!tsl_context_create(&cfg, &x) && !tsl_device_query(x, 0, &d), "a host");
        tsl_context_destroy(x);
        int length = snprintf(text, sizeof text, "tesela-tune 1 host %s\n%s\n", d.name, bad[i]);
        check(!ftruncate(fd, 0) && pwrite(fd, text, (size_t)length, 0) == length, "a file");
        setenv("TESELA_TUNE", path, 1);
        check(!tsl_context_create(&cfg, &x) && strstr(tsl_tuning(x), "ignored: there is no shape"), "%s: %s", bad[i], tsl_tuning(x));
        tsl_context_destroy(x);
    }
    setenv("TESELA_TUNE", "none", 1);
    close(fd);
    unlink(path);
    checked("shapes that no kernel has");
}

static void all_of(env *e, tsl_opcode op, tsl_type t, uint64_t *seed)
{
    static const struct { int64_t m, n; } sizes[] = {{1, 1}, {3, 130}, {130, 3}, {33, 33}, {200, 300}, {2, 1700}, {1700, 2}, {257, 256}};
    int count = tsl_shape_count(e->ctx, tsl_ops[op].name, t);
    check(count > 1, "%s has shapes", tsl_ops[op].name);
    for (int shape = 1; shape <= count; shape++) {
        char number[16];
        snprintf(number, sizeof number, "%d", shape);
        check(!tsl_set(e->ctx, "shape", number), "set");
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
            for (int way_in = BY_DEVICE_POINTER; way_in < WAYS; way_in++)
                if (exists(op, t, (way)way_in)) one_case(e, (way)way_in, op, t, sizes[i].m, sizes[i].n, seed);
        if (exists(op, t, BY_DEVICE_POINTER)) one_case(e, BY_DEVICE_POINTER, op, t, 700, 601, seed);
    }
    check(!tsl_set(e->ctx, "shape", "0"), "set");
    checked("%s: %d shapes of %c%s", e->spec, count, tsl_type_letter(t), tsl_ops[op].name);
}

static void on_a_gpu(void)
{
    static const tsl_opcode ops[] = {TSL_OP_GEMV, TSL_OP_SYMV, TSL_OP_HEMV};
    uint64_t seed = 77;
    env e = {.tile = "0"};
    if (!env_on_gpu(&e)) return;
    for (size_t o = 0; o < sizeof ops / sizeof *ops; o++)
        for (int t = 0; t < 4; t++)
            if (ops[o] != TSL_OP_HEMV || tsl_is_complex(all_types[t])) all_of(&e, ops[o], all_types[t], &seed);
    tsl_context_destroy(e.ctx);
}

int main(void)
{
    setenv("TESELA_TUNE", "none", 1);
    tsl_config cfg = {.size = sizeof cfg, .devices = "host"};
    tsl_context *x = NULL;
    for (int i = 0; i < N * N; i++) A[i] = 1 + i % 7;
    ok(!tsl_context_create(&cfg, &x), "a context");
    ok(!tsl_shape_count(x, "symv", TSL_D), "no shapes on the host");
    const tsl_backend *plain = x->dev->be;
    give_shapes(x);
    test_choice(x);
    test_panels(x);
    test_block(x);
    x->dev->be = plain;
    tsl_context_destroy(x);
    test_unknown();
    on_a_gpu();
    return tap_done();
}
