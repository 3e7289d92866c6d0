/* Tuning tables: which one is in force, that it decides, that the caller's options decide before it, and that no table can
 * spoil a result. On the host. */
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "algo/algo.h"
#include "bench/bench.h"
#include "tap.h"
#include "tune/tune.h"

static char dir[] = "/tmp/tesela-tune-XXXXXX", path[64], device[96];

static void write_text(const char *file, const char *text)
{
    FILE *f = fopen(file, "wb");
    ok(f && fputs(text, f) >= 0 && !fclose(f), "a table is written");
}

/* A table for the device here. */
static void write_table(const char *file, const char *entries)
{
    char text[8192];
    snprintf(text, sizeof text, "tesela-tune 1 host %s\n%s", device, entries);
    write_text(file, text);
}

static tsl_context *make(void)
{
    tsl_config cfg = {.size = sizeof cfg, .devices = "host"};
    tsl_context *x = NULL;
    return tsl_context_create(&cfg, &x) ? NULL : x;
}

/* Leaves that a product of order n takes. */
static int64_t launches(tsl_context *x, const char *routine, tsl_type t, int64_t m, int64_t n, int64_t k)
{
    const bench_routine *r = bench_find(routine, strlen(routine));
    bench_case c = {.type = t, .m = m, .n = n, .k = k, .alpha = r->alpha, .beta = r->beta, .seed = 7};
    bench_problem p;
    tsl_counters seen = {0};
    for (int f = 0; f < BENCH_FLAGS; f++) c.flag[f] = *bench_letters(r, t, (bench_flag)f, BENCH_VIEWS);
    if (bench_open(x, r, &c, BENCH_HOST, &p)) return -1;
    tsl_status st = bench_restore(&p, BENCH_HOST);
    if (!st) st = tsl_counters_reset(x);
    if (!st) st = bench_run(&p, BENCH_VIEWS);
    if (!st) st = tsl_counters_get(x, &seen);
    double off = st ? 0 : r->reference ? bench_deviation(&p) : bench_residual(&p);
    check(off < BENCH_OK, "%s %c %d %d %d: right", routine, tsl_type_letter(t), (int)m, (int)n, (int)k);
    bench_close(&p);
    return st ? -1 : seen.launches;
}

/* Is the file taken as the table in force? */
static int taken(const char *file)
{
    setenv("TESELA_TUNE", file, 1);
    tsl_context *x = make();
    int is = x && !strncmp(tsl_tuning(x), "TESELA_TUNE ", 12) && strstr(tsl_tuning(x), file);
    check(x && (is || strstr(tsl_tuning(x), "shipped")) && !strchr(tsl_tuning(x), '\n'), "a context with %s", file);
    tsl_context_destroy(x);
    return is;
}

static void test_files(void)
{
    write_table(path, "gemm d 64 * 16 mp\n");
    check(taken(path), "a table");
    write_table(path, "");
    check(taken(path), "a table without entries");
    write_text(path, "");
    check(!taken(path), "an empty file");
    write_text(path, "tesela-tune 1 cuda NVIDIA H200\ngemm d 64 * 16 mp\n");
    check(!taken(path), "a foreign backend");
    write_text(path, "tesela-tune 1 host some other host\ngemm d 64 * 16 mp\n");
    check(!taken(path), "a foreign device");
    write_table(path, "gemm d 64 * 16 mp\ngemm d 64 broken\n");
    check(!taken(path), "a broken line");
    check(!taken(dir), "a folder");
    check(!taken("/nonexistent/table"), "no file");
    FILE *f = fopen(path, "wb");
    fprintf(f, "tesela-tune 1 host %s\n", device);
    for (int n = 1; n <= 20000; n++) fprintf(f, "gemm d %d * 16 mp\n", n);
    fclose(f);
    check(taken(path), "20000 entries");
    f = fopen(path, "ab");
    for (int n = 0; n < TSL_TUNE_BYTES; n++) putc('#', f);
    fclose(f);
    check(!taken(path), "more than a mebibyte");
    checked("files: good, broken, foreign, empty, huge");
}

static void test_precedence(void)
{
    char cache[1100];
    setenv("XDG_CACHE_HOME", dir, 1);
    unsetenv("TESELA_TUNE");
    tsl_context *x = make();
    snprintf(cache, sizeof cache, "%s/tesela/host-", dir);
    ok(!strncmp(tsl_tuning_file(x), cache, strlen(cache)) && strstr(tsl_tuning_file(x), ".tune"), "%s", tsl_tuning_file(x));
    ok(!strncmp(tsl_tuning(x), "shipped", 7), "by default: %s", tsl_tuning(x));
    snprintf(cache, sizeof cache, "%s", tsl_tuning_file(x));
    tsl_context_destroy(x);
    *strrchr(cache, '/') = 0;
    mkdir(cache, 0700);
    cache[strlen(cache)] = '/';
    write_table(cache, "gemm d 64 * 16 mp\n");
    write_table(path, "gemm d 64 * 32 mp\n");
    x = make();
    ok(!strncmp(tsl_tuning(x), cache, strlen(cache)) && launches(x, "gemm", TSL_D, 64, 64, 64) == 4, "the user's: %s", tsl_tuning(x));
    tsl_context_destroy(x);
    setenv("TESELA_TUNE", path, 1);
    x = make();
    ok(strstr(tsl_tuning(x), path) && launches(x, "gemm", TSL_D, 64, 64, 64) == 2, "TESELA_TUNE wins: %s", tsl_tuning(x));
    tsl_context_destroy(x);
    setenv("TESELA_TUNE", "none", 1);
    x = make();
    ok(!strncmp(tsl_tuning(x), "shipped", 7) && launches(x, "gemm", TSL_D, 64, 64, 64) == 1, "none: %s", tsl_tuning(x));
    tsl_context_destroy(x);
    unlink(cache);
    *strrchr(cache, '/') = 0;
    rmdir(cache);
    checked("results under each");
}

static void test_effect(void)
{
    write_table(path, "gemm d 40 * - leaf\ngemm d 64 8 16 pm\ngemm d 64 * 16 mp\nsyrk z 60 * 20 mp\npotrf s * * - leaf\n");
    setenv("TESELA_TUNE", path, 1);
    tsl_context *x = make();
    check(launches(x, "gemm", TSL_D, 40, 40, 40) == 1, "leaf");
    check(launches(x, "gemm", TSL_D, 41, 64, 64) == 4, "mp cuts the columns");
    check(launches(x, "gemm", TSL_D, 48, 64, 8) == 3, "pm, for a small inner size, the rows");
    check(launches(x, "gemm", TSL_D, 65, 64, 64) == 1, "too large for any entry");
    check(launches(x, "gemm", TSL_S, 64, 64, 64) == 1, "another type");
    check(launches(x, "syrk", TSL_Z, 0, 60, 60) == 5, "three diagonal blocks, two beside them");
    check(launches(x, "potrf", TSL_S, 0, 50, 0) == 1, "potrf by its leaf");
    checked("an entry decides");
    check(!tsl_set(x, "tile", "32") && launches(x, "gemm", TSL_D, 64, 64, 64) == 2, "the caller's tile, the entry's variant");
    check(launches(x, "potrf", TSL_S, 0, 50, 0) == 4, "a tile cuts in spite of a leaf in the table");
    check(!tsl_set(x, "tile", "0") && !tsl_set(x, "variant", "pp"), "set");
    check(launches(x, "gemm", TSL_D, 64, 32, 64) == 4, "the caller's variant, the entry's tile");
    check(!tsl_set(x, "variant", "leaf") && launches(x, "gemm", TSL_D, 64, 64, 64) == 1, "the caller's leaf");
    check(!tsl_set(x, "variant", "auto") && launches(x, "gemm", TSL_D, 64, 64, 64) == 4, "and the table again");
    checked("the caller's options win");
    tsl_context_destroy(x);
}

/* (1/m + 1/n) SIDE/2 + INNER/k is 1 or less; a triangle of C counts as a square of its area: of order 3536 as one of 2500.3. */
static void test_emulated(void)
{
    static const tsl_opcode triangles[] = {TSL_OP_GEMMT, TSL_OP_SYRK, TSL_OP_HERK, TSL_OP_SYR2K, TSL_OP_HER2K};
    tsl_leaf l = {.op = TSL_OP_GEMM, .emulated = {2000, 500}};
    check(tsl_is_emulated(&l, 2500, 2500, 2500), "a square");
    check(!tsl_is_emulated(&l, 2499, 2500, 2500) && !tsl_is_emulated(&l, 2500, 2500, 2499), "smaller ones");
    check(tsl_is_emulated(&l, 2000, 4000, 2000) && tsl_is_emulated(&l, 1 << 30, 1001, 1 << 30), "others");
    check(!tsl_is_emulated(&l, 1999, 4000, 2000), "a smaller one");
    l.op = TSL_OP_SYMM;
    check(tsl_is_emulated(&l, 2500, 2500, 2500) && !tsl_is_emulated(&l, 2499, 2500, 2500), "a triangle as a factor");
    for (size_t i = 0; i < sizeof triangles / sizeof *triangles; i++) {
        l.op = triangles[i];
        check(tsl_is_emulated(&l, 3536, 3536, 2500), "%s", tsl_ops[l.op].name);
        check(!tsl_is_emulated(&l, 3535, 3535, 2500) && !tsl_is_emulated(&l, 3536, 3536, 2490), "less: %s", tsl_ops[l.op].name);
    }
    tsl_leaf never = {.emulated = {INT64_MAX, INT64_MAX}}, none = {.emulated = {0, 0}}, native = l, by_name = none;
    native.products = TSL_PRODUCTS_NATIVE, by_name.products = TSL_PRODUCTS_EMULATED;
    check(!tsl_is_emulated(&never, 1 << 30, 1 << 30, 1 << 30) && !tsl_is_emulated(&none, 1 << 30, 1 << 30, 1 << 30), "never");
    check(!tsl_is_emulated(&native, 1 << 30, 1 << 30, 1 << 30) && tsl_is_emulated(&by_name, 1, 1, 1), "by name");
    checked("from which sizes on products are emulated");
}

/* Products by residues are chosen from the sizes on that the table says, and variants for them from its orders on, inside of
 * such a variant too. Each of the halves' parts is a leaf. */
static void test_wide(void)
{
    write_table(path, "emulated d 16 8\nemulated s - -\nemulated potrf d 64\nemulated getrf d 64\nemulated geqrf d 64\n"
                      "emulated potrf s 64\ngetrf d * * 8 leaf\ngeqrf d * * 8 leaf\n");
    tsl_context *x = make();
    static const struct { const char *routine; int64_t n; tsl_type t; int at_least, at_most; } of[] = {
        {"potrf", 63, TSL_D, 1, 1}, {"potrf", 64, TSL_D, 4, 4}, {"potrf", 128, TSL_D, 10, 10}, {"potrf", 128, TSL_S, 1, 1},
        {"potrf", 128, TSL_Z, 1, 1}, {"getrf", 63, TSL_D, 1, 1}, {"getrf", 64, TSL_D, 6, 99}, {"geqrf", 63, TSL_D, 1, 1},
        {"geqrf", 64, TSL_D, 6, 99}, {"potrf", 1, TSL_D, 1, 1}};
    for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
        int64_t n = of[i].n, got = launches(x, of[i].routine, of[i].t, n, n, n);
        check(got >= of[i].at_least && got <= of[i].at_most, "%s, %c of order %d: %d leaves", of[i].routine,
              tsl_type_letter(of[i].t), (int)n, (int)got);
    }
    check(!tsl_set(x, "products", "native") && launches(x, "potrf", TSL_D, 128, 128, 128) == 1, "native products");
    check(!tsl_set(x, "products", "emulated") && launches(x, "potrf", TSL_D, 31, 31, 31) == 1, "by name: halves of 15");
    check(launches(x, "potrf", TSL_D, 32, 32, 32) == 4, "by name: halves of 16");
    tsl_context_destroy(x);
    static const char *const all[] = {"potrf", "trtri", "lauum", "getrf", "getri", "geqrf", "ormqr", "orgqr", "sygst"};
    char text[400] = "emulated d 1 1\n";
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) strcat(strcat(strcat(text, "emulated "), all[i]), " d 1\n");
    write_table(path, text);
    x = make();
    for (int64_t n = 1; n < 9; n++)
        for (int64_t m = 1; m < 9; m++)
            for (size_t i = 0; i < sizeof all / sizeof *all - 1; i++) /* the last one by sygv, in tests of that */
                check(launches(x, all[i], TSL_D, m, n, m) > 0, "%s, %d x %d", all[i], (int)m, (int)n);
    tsl_context_destroy(x);
    write_table(path, "emulated d - -\nemulated potrf d 8\nemulated geqrf d 8\n");
    x = make();
    check(launches(x, "potrf", TSL_D, 64, 64, 64) == 1, "no products, no variant for them");
    tsl_context_destroy(x);
    checked("products by residues, and variants for them");
}

/* C := exp(A), or A A, products computed as `how` says */
static void computed(tsl_context *x, const char *how, bool exponential, double *C)
{
    enum { N = 80 };
    double A[N * N];
    int64_t info = 0;
    for (int i = 0; i < N * N; i++) A[i] = sin(1 + i) / 8, C[i] = A[i];
    tsl_status st = tsl_set(x, "products", how);
    if (!st) st = exponential ? tsl_dexpm(x, N, C, N, &info) : tsl_dgemm(x, 'N', 'N', N, N, N, 1, A, N, A, N, 0, C, N);
    check(!st && !info, "%s: %s", how, tsl_error(x));
}

/* Of factors near the identity products by residues are slow: expm's are by residues if that is asked for by name. */
static void test_expm(void)
{
    static const char *const how[] = {"native", "auto", "emulated"};
    static double C[2][3][80 * 80];
    write_table(path, "emulated d 1 1\n");
    tsl_context *x = make();
    for (int e = 0; e < 2; e++)
        for (int h = 0; h < 3; h++) computed(x, how[h], e, C[e][h]);
    size_t bytes = sizeof C[0][0];
    check(memcmp(C[0][0], C[0][1], bytes) && !memcmp(C[0][1], C[0][2], bytes), "the table holds for gemm");
    check(!memcmp(C[1][0], C[1][1], bytes) && memcmp(C[1][0], C[1][2], bytes), "and not for expm");
    tsl_context_destroy(x);
    checked("products of expm");
}

/* A text inside another must make progress whatever the table says: no leaf takes the problem there. */
static void test_progress(void)
{
    write_table(path, "potrf d * * 4096 1\n");
    tsl_context *x = make();
    tsl_matrix *A = NULL;
    check(x && !tsl_matrix_create(x, TSL_D, 300, 300, &A), "a matrix");
    for (int64_t n = 2; n <= 300; n++) {
        tsl_call c = {.op = TSL_OP_POTRF, .v = {tsl_lower(tsl_sub(tsl_whole(A), 0, 0, n, n))}};
        x->run->level = 1;
        check(tsl_panel(x, &c) == 4096, "n = %d: the table's block in the caller's call", (int)n);
        x->run->level = 2;
        check(tsl_panel(x, &c) < n && tsl_half(x, &c) < n, "n = %d: smaller inside a text", (int)n);
    }
    x->run->level = 0;
    checked("blocks inside texts are smaller than the problem");
    tsl_matrix_free(A);
    tsl_context_destroy(x);
}

static const char *const routines[] = {"gemm", "gemmt", "symm", "hemm", "syrk", "herk", "syr2k", "her2k", "trmm", "trsm", "potrf"};
enum { ROUTINES = sizeof routines / sizeof *routines };

static unsigned roll(unsigned below)
{
    static uint64_t state = 11;
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(state >> 33) % below;
}

/* Any table that is one gives right results, at every size. */
static void test_random(void)
{
    static const char *const names[] = {"rec", "mp", "pm", "pp", "leaf", "auto"};
    for (int turn = 0; turn < 12; turn++) {
        char text[8000] = "";
        size_t at = 0;
        for (int i = 0; i < ROUTINES; i++)
            for (int t = 0; t < 4; t++) {
                const char *v = names[roll(6)];
                if (i == 1) v = roll(2) ? "rec" : "auto";
                if (i == ROUTINES - 1) v = roll(2) ? "1" : "ahead";
                if ((i == 6 || i == 7) && !roll(3)) v = "fused";
                at += (size_t)snprintf(text + at, sizeof text - at, "%s %c %u * %u %s\n", routines[i], "sdcz"[t], 1 + roll(90),
                                       1 + roll(80), v);
            }
        write_table(path, text);
        check(taken(path), "a random table");
        tsl_context *x = make();
        for (int i = 0; i < ROUTINES; i++)
            for (int t = 0; t < 4; t++)
                check(launches(x, routines[i], (tsl_type)t, 1 + roll(60), 1 + roll(60), 1 + roll(60)) > 0, "%s", routines[i]);
        tsl_context_destroy(x);
    }
    checked("random tables, right results");
}

static long calls, live, refuse;

static void *hook_alloc(void *user, int where, size_t bytes)
{
    (void)user, (void)where;
    if (++calls == refuse) return NULL;
    __atomic_fetch_add(&live, 1, __ATOMIC_RELAXED);
    return aligned_alloc(256, (bytes + 255) / 256 * 256);
}

static void hook_free(void *user, int where, void *p, size_t bytes)
{
    (void)user, (void)where, (void)bytes;
    __atomic_fetch_sub(&live, 1, __ATOMIC_RELAXED);
    free(p);
}

/* tests/program/test_alloc.c does the same to all of the library, under the shipped table. */
static void test_memory(void)
{
    tsl_allocator a = {hook_alloc, hook_free, NULL};
    tsl_config cfg = {.size = sizeof cfg, .devices = "host", .allocator = &a};
    long all = LONG_MAX;
    for (int broken = 0; broken < 2; broken++) {
        write_table(path, broken ? "gemm d 64 * 16 nonesuch\n" : "gemm d 64 * 16 mp\n");
        for (refuse = 0; refuse <= all; refuse++) {
            tsl_context *x = NULL;
            calls = 0;
            tsl_status st = tsl_context_create(&cfg, &x);
            if (!refuse) all = calls;
            check(refuse ? st == TSL_ERR_MEMORY || st == TSL_ERR_DEVICE_MEMORY : !st, "call %ld: %s", refuse, tsl_status_name(st));
            tsl_context_destroy(x);
            check(live == 0, "call %ld: %ld blocks lost", refuse, live);
        }
    }
    checked("each allocation of a context with a table fails once (%ld)", all);
}

/* In what precision a system of order n is factored, if the caller does not say, or asks for fp32 */
static tsl_precision precision_of(tsl_context *x, int64_t n, tsl_precision lowest)
{
    double *A = calloc((size_t)(n * n + 2 * n), sizeof *A), *b = A + n * n;
    tsl_matrix *mat[3] = {0};
    tsl_solution s = {.precision = TSL_AUTO};
    for (int64_t i = 0; i < n; i++) A[i + i * n] = 2, A[(i + 1) % n + i * n] = 1, b[i] = (double)i;
    check(!tsl_matrix_wrap(x, TSL_D, n, n, A, n, &mat[0]) && !tsl_matrix_wrap(x, TSL_D, n, 1, b, n, &mat[1]) &&
              !tsl_matrix_wrap(x, TSL_D, n, 1, b + n, n, &mat[2]) &&
              !tsl_solve(x, tsl_whole(mat[0]), tsl_whole(mat[1]), tsl_whole(mat[2]), &(tsl_solve_options){.lowest = lowest}, &s),
          "%s", tsl_error(x));
    for (int i = 0; i < 3; i++) tsl_matrix_free(mat[i]);
    free(A);
    return s.precision;
}

/* Up to an order a table names, systems are solved in double precision, unless the caller wants another. */
static void test_mixed_pays(void)
{
    write_table(path, "refine d 100 * - leaf\nrefine d * * - low\n");
    setenv("TESELA_TUNE", path, 1);
    tsl_context *x = make();
    check(precision_of(x, 100, TSL_AUTO) == TSL_FP64, "order 100");
    check(precision_of(x, 101, TSL_AUTO) == TSL_FP32, "order 101");
    check(precision_of(x, 100, TSL_FP32) == TSL_FP32, "order 100, as asked for");
    checked("where mixed precision pays");
    tsl_context_destroy(x);
}

int main(void)
{
    if (!mkdtemp(dir)) return 1;
    snprintf(path, sizeof path, "%s/table", dir);
    setenv("TESELA_TUNE", "none", 1);
    tsl_context *x = make();
    tsl_device_info d;
    ok(x && !tsl_device_query(x, 0, &d), "a host");
    snprintf(device, sizeof device, "%s", d.name);
    tsl_context_destroy(x);
    test_files();
    test_precedence();
    test_effect();
    test_emulated();
    test_wide();
    test_expm();
    test_progress();
    test_random();
    test_memory();
    test_mixed_pays();
    unlink(path);
    rmdir(dir);
    return tap_done();
}
