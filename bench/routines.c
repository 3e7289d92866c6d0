/* The table of routines: letters, shapes and counts. */
#include "bench/shapes.h"

#include <stdio.h>
#include <string.h>

static double flops_gemv(const bench_case *c) { return 2.0 * c->m * c->n; } /* and ger */
static double flops_symv(const bench_case *c) { return 2.0 * c->n * c->n; }
static double flops_trsv(const bench_case *c) { return 1.0 * c->n * c->n; }
static double flops_gemm(const bench_case *c) { return 2.0 * c->m * c->n * c->k; }
static double flops_symm(const bench_case *c) { return 2.0 * c->m * c->n * order_of(c); }
static double flops_rank_k(const bench_case *c) { return 1.0 * c->k * c->n * (c->n + 1); } /* and gemmt */
static double flops_rank_2k(const bench_case *c) { return 2 * flops_rank_k(c); }
static double flops_trxm(const bench_case *c) { return 1.0 * c->m * c->n * order_of(c); }

static double flops_potrf(const bench_case *c)
{
    double n = c->n;
    return n * n * n / 3 + n * n / 2 + n / 6;
}

/* trtri and lauum have as many, up to n^2 */
static double flops_potri(const bench_case *c) { return 2 * flops_potrf(c); }
static double flops_potrs(const bench_case *c) { return 2.0 * c->k * c->n * c->n; }
static double flops_posv(const bench_case *c) { return flops_potrf(c) + flops_potrs(c); }

static double flops_getrf(const bench_case *c)
{
    double m = c->m, n = c->n, d = m < n ? m : n;
    return 2 * (m * n * d - (m + n) * d * d / 2 + d * d * d / 3);
}

static double flops_getrs(const bench_case *c) { return 2.0 * c->k * c->n * c->n; }
static double flops_gesv(const bench_case *c) { return 2. / 3 * c->n * c->n * c->n + flops_getrs(c); }
static double flops_getri(const bench_case *c) { return 4. / 3 * c->n * c->n * c->n; }

/* The written operand is both read and written, or only written if beta is 0. */
static double touches(const bench_case *c) { return c->beta != 0 ? 2 : 1; }
static double triangle(int64_t order) { return 0.5 * order * (order + 1); }

static double elements_gemv(const bench_case *c) { return 1.0 * c->m * c->n + c->n + touches(c) * c->m; }
static double elements_symv(const bench_case *c) { return triangle(c->n) + (1 + touches(c)) * c->n; }
static double elements_ger(const bench_case *c) { return 2.0 * c->m * c->n + c->m + c->n; }
static double elements_trsv(const bench_case *c) { return triangle(c->n) + 2.0 * c->n; }
static double elements_gemm(const bench_case *c) { return 1.0 * c->k * (c->m + c->n) + touches(c) * c->m * c->n; }
static double elements_symm(const bench_case *c) { return triangle(order_of(c)) + (1 + touches(c)) * c->m * c->n; }
static double elements_trxm(const bench_case *c) { return triangle(order_of(c)) + 2.0 * c->m * c->n; }
static double elements_rank_k(const bench_case *c) { return 1.0 * c->n * c->k + touches(c) * triangle(c->n); }
static double elements_rank_2k(const bench_case *c) { return 2.0 * c->n * c->k + touches(c) * triangle(c->n); } /* and gemmt */
static double elements_potrf(const bench_case *c) { return 2 * triangle(c->n); }

static double elements_potrs(const bench_case *c) { return triangle(c->n) + 2.0 * c->n * c->k; }
static double elements_posv(const bench_case *c) { return 2 * triangle(c->n) + 2.0 * c->n * c->k; }

static double elements_getrf(const bench_case *c) { return 2.0 * c->m * c->n; } /* and laswp */
static double elements_getrs(const bench_case *c) { return 1.0 * c->n * c->n + 2.0 * c->n * c->k; }
static double elements_gesv(const bench_case *c) { return 2.0 * c->n * (c->n + c->k); }
static double elements_getri(const bench_case *c) { return 2.0 * c->n * c->n; }

#define COUNTS(of_shape, of_flops, of_elements)                                                                                \
    .shape = bench_shape_##of_shape, .flops = flops_##of_flops, .elements = elements_##of_elements
#define CALLS(name)                                                                                                            \
    .typed = bench_typed_##name, .views = bench_views_##name, .residual = bench_residual_##name,                               \
    .reference = bench_reference_##name

#define LU_CALLS(name) .typed = bench_typed_##name, .views = bench_views_##name, .residual = bench_residual_##name

/* The flags, for real types and for complex ones. */
#define PAIR(...) {{__VA_ARGS__}, {__VA_ARGS__}}
#define OPS [BENCH_TRANS] = "NTC", [BENCH_TRANSB] = "NTC"
#define UPDATE(letters, ...)                                                                                                   \
    {                                                                                                                          \
        {[BENCH_UPLO] = "LU", [BENCH_TRANS] = "NTC", __VA_ARGS__}, {[BENCH_UPLO] = "LU", [BENCH_TRANS] = letters, __VA_ARGS__} \
    }
#define SIDED [BENCH_SIDE] = "LR", [BENCH_UPLO] = "LU"
#define TRIANGLE SIDED, [BENCH_TRANS] = "NTC", [BENCH_DIAG] = "NU"
#define VIEWED [BENCH_TRANS] = "", [BENCH_TRANSB] = ""

#define BANDED [BENCH_UPLO] = "LU", [BENCH_TRANS] = "NTC", [BENCH_DIAG] = "NU"

/* Level 1, norms, and level 2 of vectors: bound by memory, judged by their residual. */
#define VECTORS(of_shape, of_elements, as_name)                                                                                \
    .alpha = -1, .by_bytes = true, .steady = true, .shape = bench_shape_##of_shape, .elements = elements_##of_elements,        \
    .flops = elements_##of_elements, .typed = bench_typed_##as_name, .residual = bench_residual_##as_name
#define SAME(name) VECTORS(name, name, name)

static double elements_vector(const bench_case *c) { return c->n; }
static double elements_pass(const bench_case *c) { return 2.0 * c->n; }
static double elements_axpy(const bench_case *c) { return 3.0 * c->n; }
static double elements_both(const bench_case *c) { return 4.0 * c->n; }
static double elements_rotg(const bench_case *c) { return (void)c, 8.0; }
static double elements_lange(const bench_case *c) { return 1.0 * c->m * c->n; }
static double elements_lansy(const bench_case *c) { return triangle(c->n); }
static double elements_lantr(const bench_case *c) /* the trapezoid */
{
    double d = c->m < c->n ? c->m : c->n;
    return c->flag[BENCH_UPLO] == 'L' ? d * c->m - d * (d - 1) / 2 : d * c->n - d * (d - 1) / 2;
}
static double elements_syr(const bench_case *c) { return 2 * triangle(c->n) + c->n; }
static double elements_syr2(const bench_case *c) { return 2 * triangle(c->n) + 2.0 * c->n; }
static double elements_gbmv(const bench_case *c) { return (2.0 * c->k + 1) * c->n + c->n + touches(c) * c->m; }
static double elements_sbmv(const bench_case *c) { return (1.0 * c->k + 1) * c->n + (1 + touches(c)) * c->n; }
static double elements_tbmv(const bench_case *c) { return (1.0 * c->k + 1) * c->n + 2.0 * c->n; }

/* Timed as the updates of blocked algorithms use them: C := C - A B, X := inv(A) B. */
const bench_routine bench_routines[] = {
    {.name = "gemm", .sizes = "mnk", .alpha = -1, .beta = 1, .flags = PAIR(OPS), COUNTS(gemm, gemm, gemm), CALLS(gemm)},
    {.name = "gemmt", .sizes = "nk", .alpha = -1, .beta = 1, .flags = PAIR([BENCH_UPLO] = "LU", OPS),
     COUNTS(gemmt, rank_k, rank_2k), CALLS(gemmt)},
    {.name = "symm", .sizes = "mn", .alpha = -1, .beta = 1, .flags = PAIR(SIDED, VIEWED),
     COUNTS(symm, symm, symm), CALLS(symm)},
    {.name = "hemm", .sizes = "mn", .alpha = -1, .beta = 1, .flags = PAIR(SIDED, VIEWED),
     COUNTS(symm, symm, symm), CALLS(hemm)},
    {.name = "syrk", .sizes = "nk", .alpha = -1, .beta = 1, .steady = true, .flags = UPDATE("NT"),
     COUNTS(rank_k, rank_k, rank_k), CALLS(syrk)},
    {.name = "herk", .sizes = "nk", .alpha = -1, .beta = 1, .steady = true, .flags = UPDATE("NC"),
     .real_alpha = true, .real_beta = true, COUNTS(rank_k, rank_k, rank_k), CALLS(herk)},
    {.name = "syr2k", .sizes = "nk", .alpha = -1, .beta = 1, .steady = true, .flags = UPDATE("NT", [BENCH_TRANSB] = ""),
     COUNTS(rank_2k, rank_2k, rank_2k), CALLS(syr2k)},
    {.name = "her2k", .sizes = "nk", .alpha = -1, .beta = 1, .steady = true, .flags = UPDATE("NC", [BENCH_TRANSB] = ""),
     .real_beta = true, COUNTS(rank_2k, rank_2k, rank_2k), CALLS(her2k)},
    {.name = "trmm", .sizes = "mn", .alpha = 1, .flags = PAIR(TRIANGLE), COUNTS(trxm, trxm, trxm), CALLS(trmm)},
    {.name = "trsm", .sizes = "mn", .alpha = 1, .steady = true, .flags = PAIR(TRIANGLE), COUNTS(trxm, trxm, trxm), CALLS(trsm)},
    {.name = "potrf", .sizes = "n", .alpha = 1, .flags = PAIR([BENCH_UPLO] = "LU"), .has_info = true,
     COUNTS(potrf, potrf, potrf), CALLS(potrf)},
    {.name = "trtri", .sizes = "n", .alpha = 1, .flags = PAIR([BENCH_UPLO] = "LU", [BENCH_DIAG] = "NU"), .has_info = true,
     COUNTS(trtri, potrf, potrf), CALLS(trtri)},
    {.name = "lauum", .sizes = "n", .alpha = 1, .flags = PAIR([BENCH_UPLO] = "LU"), COUNTS(lauum, potrf, potrf), CALLS(lauum)},
    {.name = "potri", .sizes = "n", .alpha = 1, .flags = PAIR([BENCH_UPLO] = "LU"), .has_info = true,
     COUNTS(lauum, potri, potrf), CALLS(potri)},
    {.name = "potrs", .sizes = "nk", .alpha = 1, .flags = PAIR([BENCH_UPLO] = "LU"), COUNTS(potrs, potrs, potrs), CALLS(potrs)},
    {.name = "posv", .sizes = "nk", .alpha = 1, .flags = PAIR([BENCH_UPLO] = "LU"), .has_info = true, .writes_all = true,
     COUNTS(posv, posv, posv), CALLS(posv)},
    {.name = "getrf", .sizes = "mn", .alpha = 1, .has_info = true, .writes_all = true, COUNTS(getrf, getrf, getrf), LU_CALLS(getrf)},
    {.name = "getrs", .sizes = "nk", .alpha = 1, .flags = PAIR([BENCH_TRANS] = "NTC"), COUNTS(getrs, getrs, getrs), CALLS(getrs)},
    {.name = "gesv", .sizes = "nk", .alpha = 1, .has_info = true, .writes_all = true, COUNTS(gesv, gesv, gesv), LU_CALLS(gesv)},
    {.name = "getri", .sizes = "n", .alpha = 1, .has_info = true, COUNTS(getri, getri, getri), CALLS(getri)},
    {.name = "laswp", .sizes = "mn", .alpha = 1, .by_bytes = true, .steady = true, COUNTS(laswp, getrf, getrf), CALLS(laswp)},
    {.name = "gemv", .sizes = "mn", .alpha = 1, .by_bytes = true, .flags = PAIR([BENCH_TRANS] = "NTC"),
     COUNTS(gemv, gemv, gemv), CALLS(gemv)},
    {.name = "symv", .sizes = "n", .alpha = 1, .by_bytes = true, .flags = PAIR([BENCH_UPLO] = "LU"),
     COUNTS(symv, symv, symv), CALLS(symv)},
    {.name = "hemv", .sizes = "n", .alpha = 1, .by_bytes = true, .flags = PAIR([BENCH_UPLO] = "LU"),
     COUNTS(symv, symv, symv), CALLS(hemv)},
    {.name = "ger", .sizes = "mn", .alpha = -1, .beta = 1, .steady = true, .by_bytes = true, COUNTS(ger, gemv, ger), CALLS(ger)},
    {.name = "trsv", .sizes = "n", .alpha = 1, .steady = true, .by_bytes = true,
     .flags = PAIR([BENCH_UPLO] = "LU", [BENCH_TRANS] = "NTC", [BENCH_DIAG] = "NU"), COUNTS(trsv, trsv, trsv), CALLS(trsv)},
    {.name = "trmv", .sizes = "n", .flags = PAIR(BANDED), VECTORS(trsv, trsv, trmv)},
    {.name = "geru", .as = "ger", .types = "cz", .sizes = "mn", .alpha = -1, .beta = 1, .steady = true, .by_bytes = true,
     COUNTS(ger, gemv, ger), CALLS(ger)},
    {.name = "gerc", .types = "cz", .sizes = "mn", .beta = 1, VECTORS(ger, ger, gerc)},
    {.name = "syr", .sizes = "n", .flags = PAIR([BENCH_UPLO] = "LU"), VECTORS(update, syr, syr)},
    {.name = "her", .types = "cz", .sizes = "n", .flags = PAIR([BENCH_UPLO] = "LU"), .real_alpha = true, VECTORS(update, syr, her)},
    {.name = "syr2", .sizes = "n", .flags = PAIR([BENCH_UPLO] = "LU"), VECTORS(update2, syr2, syr2)},
    {.name = "her2", .types = "cz", .sizes = "n", .flags = PAIR([BENCH_UPLO] = "LU"), VECTORS(update2, syr2, her2)},
    {.name = "gbmv", .sizes = "mnk", .banded = true, .beta = 1, .flags = PAIR([BENCH_TRANS] = "NTC"), SAME(gbmv)},
    {.name = "sbmv", .types = "sd", .sizes = "nk", .banded = true, .beta = 1, .flags = PAIR([BENCH_UPLO] = "LU"), SAME(sbmv)},
    {.name = "hbmv", .as = "sbmv", .types = "cz", .sizes = "nk", .banded = true, .beta = 1, .flags = PAIR([BENCH_UPLO] = "LU"), SAME(sbmv)},
    {.name = "spmv", .types = "sd", .sizes = "n", .beta = 1, .flags = PAIR([BENCH_UPLO] = "LU"), VECTORS(spmv, symv, spmv)},
    {.name = "hpmv", .as = "spmv", .types = "cz", .sizes = "n", .beta = 1, .flags = PAIR([BENCH_UPLO] = "LU"), VECTORS(spmv, symv, spmv)},
    {.name = "tbmv", .sizes = "nk", .banded = true, .flags = PAIR(BANDED), SAME(tbmv)},
    {.name = "tbsv", .sizes = "nk", .banded = true, .flags = PAIR(BANDED), VECTORS(tbmv, tbmv, tbsv)},
    {.name = "tpmv", .sizes = "n", .flags = PAIR(BANDED), VECTORS(tpmv, trsv, tpmv)},
    {.name = "tpsv", .sizes = "n", .flags = PAIR(BANDED), VECTORS(tpmv, trsv, tpsv)},
    {.name = "spr", .types = "sd", .sizes = "n", .flags = PAIR([BENCH_UPLO] = "LU"), VECTORS(spr, syr, spr)},
    {.name = "hpr", .as = "spr", .types = "cz", .sizes = "n", .flags = PAIR([BENCH_UPLO] = "LU"), .real_alpha = true, VECTORS(spr, syr, spr)},
    {.name = "spr2", .types = "sd", .sizes = "n", .flags = PAIR([BENCH_UPLO] = "LU"), VECTORS(spr2, syr2, spr2)},
    {.name = "hpr2", .as = "spr2", .types = "cz", .sizes = "n", .flags = PAIR([BENCH_UPLO] = "LU"), VECTORS(spr2, syr2, spr2)},
    {.name = "axpy", .sizes = "n", VECTORS(two, axpy, axpy)},
    {.name = "scal", .sizes = "n", VECTORS(vector, pass, scal)},
    {.name = "sscal", .as = "rscal", .types = "c", .sizes = "n", .real_alpha = true, VECTORS(vector, pass, rscal)},
    {.name = "dscal", .as = "rscal", .types = "z", .sizes = "n", .real_alpha = true, VECTORS(vector, pass, rscal)},
    {.name = "copy", .sizes = "n", VECTORS(two, pass, copy)},
    {.name = "swap", .sizes = "n", .writes_all = true, VECTORS(two, both, swap)},
    {.name = "dot", .types = "sd", .sizes = "n", VECTORS(two, pass, dot)},
    {.name = "dotu", .as = "dot", .types = "cz", .sizes = "n", VECTORS(two, pass, dot)},
    {.name = "dotc", .types = "cz", .sizes = "n", VECTORS(two, pass, dotc)},
    {.name = "nrm2", .sizes = "n", VECTORS(vector, vector, nrm2)},
    {.name = "asum", .sizes = "n", VECTORS(vector, vector, asum)},
    {.name = "iamax", .sizes = "n", VECTORS(vector, vector, iamax)},
    {.name = "rot", .sizes = "n", .writes_all = true, VECTORS(two, both, rot)},
    {.name = "srot", .as = "rrot", .types = "c", .sizes = "n", .writes_all = true, VECTORS(two, both, rrot)},
    {.name = "drot", .as = "rrot", .types = "z", .sizes = "n", .writes_all = true, VECTORS(two, both, rrot)},
    {.name = "rotm", .types = "sd", .sizes = "n", .writes_all = true, VECTORS(two, both, rotm)},
    {.name = "rotg", .sizes = "", VECTORS(rotg, rotg, rotg)},
    {.name = "rotmg", .types = "sd", .sizes = "", VECTORS(rotg, rotg, rotmg)},
    {.name = "lange", .sizes = "mn", .flags = PAIR([BENCH_NORM] = "M1IF"), VECTORS(norm, lange, lange)},
    {.name = "lansy", .sizes = "n", .flags = PAIR([BENCH_NORM] = "M1IF", [BENCH_UPLO] = "LU"), VECTORS(order_norm, lansy, lansy)},
    {.name = "lanhe", .types = "cz", .sizes = "n", .flags = PAIR([BENCH_NORM] = "M1IF", [BENCH_UPLO] = "LU"),
     VECTORS(order_norm, lansy, lanhe)},
    {.name = "lantr", .sizes = "mn", .flags = PAIR([BENCH_NORM] = "M1IF", [BENCH_UPLO] = "LU", [BENCH_DIAG] = "NU"),
     VECTORS(norm, lantr, lantr)},
};

const int bench_routine_count = sizeof bench_routines / sizeof *bench_routines;

const bench_routine *bench_find(const char *name, size_t length)
{
    for (int i = 0; i < bench_routine_count; i++)
        if (strlen(bench_routines[i].name) == length && !memcmp(bench_routines[i].name, name, length))
            return &bench_routines[i];
    return NULL;
}

bool bench_has_type(const bench_routine *r, tsl_type t) { return !r->types || strchr(r->types, tsl_type_letter(t)); }

const char *bench_variant(const bench_routine *r, int i)
{
    const char *name = tsl_variant_name(r->name, i);
    return name && strcmp(name, "parts") ? name : NULL;
}

const char *bench_usual_type(const char *routine)
{
    const bench_routine *r = bench_find(routine, strlen(routine));
    return r && !bench_has_type(r, TSL_D) ? "z" : "d";
}

const char *bench_names(void)
{
    static char names[1024];
    size_t at = strlen(names);
    for (int i = at ? bench_routine_count : 0; i < bench_routine_count && at < sizeof names; i++)
        at += (size_t)snprintf(names + at, sizeof names - at, "%s%s", i ? ", " : "", bench_routines[i].name);
    return names;
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
