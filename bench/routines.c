/* The table of routines: letters, shapes and counts. */
#include "bench/bench.h"

#include <string.h>

/* An operand whose scalar is zero is not read. */
static bench_fill read_if(tsl_scalar factor) { return factor != 0 ? BENCH_RANDOM : BENCH_NOT_READ; }

static tsl_uplo uplo_of(const bench_case *c) { return c->flag[BENCH_UPLO] == 'L' ? TSL_LOWER : TSL_UPPER; }

/* The stored shape of an operand that is rows x cols as seen through the op of this letter. */
static bench_shape stored(char trans, int64_t rows, int64_t cols, bench_fill fill)
{
    bool turned = bench_op(trans) & TSL_TRANS;
    return (bench_shape){.rows = turned ? cols : rows, .cols = turned ? rows : cols, .fill = fill};
}

static int shape_gemm(const bench_case *c, bench_shape *is)
{
    is[0] = stored(c->flag[BENCH_TRANS], c->m, c->k, read_if(c->alpha));
    is[1] = stored(c->flag[BENCH_TRANSB], c->k, c->n, read_if(c->alpha));
    is[2] = stored('N', c->m, c->n, read_if(c->beta));
    return 3;
}

static int shape_trsm(const bench_case *c, bench_shape *is)
{
    int64_t order = c->flag[BENCH_SIDE] == 'L' ? c->m : c->n;
    is[0] = stored('N', order, order, c->alpha != 0 ? BENCH_SOLVABLE : BENCH_NOT_READ);
    is[0].part = uplo_of(c);
    is[0].diag = c->flag[BENCH_DIAG] == 'U' ? TSL_UNIT : TSL_NONUNIT;
    is[1] = stored('N', c->m, c->n, read_if(c->alpha));
    return 2;
}

static int shape_rank_k(const bench_case *c, bench_shape *is)
{
    is[0] = stored(c->flag[BENCH_TRANS], c->n, c->k, read_if(c->alpha));
    is[1] = stored('N', c->n, c->n, read_if(c->beta));
    is[1].part = uplo_of(c);
    return 2;
}

static int shape_potrf(const bench_case *c, bench_shape *is)
{
    is[0] = stored('N', c->n, c->n, BENCH_POSITIVE);
    is[0].part = uplo_of(c);
    return 1;
}

static double flops_gemm(const bench_case *c) { return 2.0 * c->m * c->n * c->k; }
static double flops_rank_k(const bench_case *c) { return 1.0 * c->k * c->n * (c->n + 1); }
static double flops_trsm(const bench_case *c) { return 1.0 * c->m * c->n * (c->flag[BENCH_SIDE] == 'L' ? c->m : c->n); }

static double flops_potrf(const bench_case *c)
{
    double n = c->n;
    return n * n * n / 3 + n * n / 2 + n / 6;
}

/* The written operand is both read and written, or only written if beta is 0. */
static double touches(const bench_case *c) { return c->beta != 0 ? 2 : 1; }

static double elements_gemm(const bench_case *c) { return 1.0 * c->k * (c->m + c->n) + touches(c) * c->m * c->n; }
static double elements_rank_k(const bench_case *c) { return 1.0 * c->n * c->k + touches(c) * c->n * (c->n + 1) / 2; }
static double elements_potrf(const bench_case *c) { return 1.0 * c->n * (c->n + 1); }

static double elements_trsm(const bench_case *c)
{
    double order = c->flag[BENCH_SIDE] == 'L' ? c->m : c->n;
    return order * (order + 1) / 2 + 2.0 * c->m * c->n;
}

#define CALLS(name)                                                                                                            \
    .typed = bench_typed_##name, .views = bench_views_##name, .residual = bench_residual_##name,                               \
    .reference = bench_reference_##name

/* Timed as the updates of blocked algorithms use them: C := C - A B, X := inv(A) B. */
const bench_routine bench_routines[] = {
    {.name = "gemm", .sizes = "mnk", .alpha = -1, .beta = 1,
     .flags = {{[BENCH_TRANS] = "NTC", [BENCH_TRANSB] = "NTC"}, {[BENCH_TRANS] = "NTC", [BENCH_TRANSB] = "NTC"}},
     .shape = shape_gemm, .flops = flops_gemm, .elements = elements_gemm, CALLS(gemm)},
    {.name = "trsm", .sizes = "mn", .alpha = 1,
     .flags = {{[BENCH_SIDE] = "LR", [BENCH_UPLO] = "LU", [BENCH_TRANS] = "NTC", [BENCH_DIAG] = "NU"},
               {[BENCH_SIDE] = "LR", [BENCH_UPLO] = "LU", [BENCH_TRANS] = "NTC", [BENCH_DIAG] = "NU"}},
     .shape = shape_trsm, .flops = flops_trsm, .elements = elements_trsm, CALLS(trsm)},
    {.name = "syrk", .sizes = "nk", .alpha = -1, .beta = 1,
     .flags = {{[BENCH_UPLO] = "LU", [BENCH_TRANS] = "NTC"}, {[BENCH_UPLO] = "LU", [BENCH_TRANS] = "NT"}},
     .shape = shape_rank_k, .flops = flops_rank_k, .elements = elements_rank_k, CALLS(syrk)},
    {.name = "herk", .sizes = "nk", .alpha = -1, .beta = 1, .real_scalars = true,
     .flags = {{[BENCH_UPLO] = "LU", [BENCH_TRANS] = "NTC"}, {[BENCH_UPLO] = "LU", [BENCH_TRANS] = "NC"}},
     .shape = shape_rank_k, .flops = flops_rank_k, .elements = elements_rank_k, CALLS(herk)},
    {.name = "potrf", .sizes = "n", .alpha = 1, .has_info = true,
     .flags = {{[BENCH_UPLO] = "LU"}, {[BENCH_UPLO] = "LU"}},
     .shape = shape_potrf, .flops = flops_potrf, .elements = elements_potrf, CALLS(potrf)},
};

const int bench_routine_count = sizeof bench_routines / sizeof *bench_routines;

const bench_routine *bench_find(const char *name, size_t length)
{
    for (int i = 0; i < bench_routine_count; i++)
        if (strlen(bench_routines[i].name) == length && !memcmp(bench_routines[i].name, name, length))
            return &bench_routines[i];
    return NULL;
}

const char *bench_letters(const bench_routine *r, tsl_type t, bench_flag f, bench_interface by)
{
    const char *letters = r->flags[bench_is_complex(t)][f];
    bool is_op = f == BENCH_TRANS || f == BENCH_TRANSB;
    return !letters ? "" : by == BENCH_VIEWS && is_op ? "NTJC" : letters;
}

tsl_op bench_op(char letter)
{
    switch (letter) {
    case 'T': return TSL_TRANS;
    case 'J': return TSL_CONJ;
    case 'C': return TSL_HERM;
    default: return TSL_NOTRANS;
    }
}

double bench_flops(const bench_routine *r, const bench_case *c) { return r->flops(c) * (bench_is_complex(c->type) ? 4 : 1); }
double bench_bytes(const bench_routine *r, const bench_case *c) { return r->elements(c) * (double)tsl_type_size(c->type); }
