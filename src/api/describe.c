#include "api/describe.h"

#include <ctype.h>
#include <string.h>

/* A routine of which types, its operands' rows and columns, and its work. Letters of sizes: m n k; d the less of m and n; 0 and 1; b the 2k + 1 rows of a band with k
 * diagonals on either side, h the k + 1 of half of it; p the n (n + 1) / 2 elements of a packed triangle. A third letter t: a triangle. */
static const struct routine {
    const char *name, *types;
    tsl_opcode op;
    const char *operand[3];
    struct { double times; const char *of; } work[4];
} routines[] = {
    {"gemm", "sdcz", TSL_OP_GEMM, {"mk", "kn", "mn"}, {{2, "mnk"}}},
    {"gemmt", "sdcz", TSL_OP_GEMMT, {"nk", "kn", "nnt"}, {{1, "nnk"}}},
    {"symm", "sdcz", TSL_OP_SYMM, {"mmt", "mn", "mn"}, {{2, "mmn"}}},
    {"hemm", "cz", TSL_OP_HEMM, {"mmt", "mn", "mn"}, {{2, "mmn"}}},
    {"syrk", "sdcz", TSL_OP_SYRK, {"nk", "nnt"}, {{1, "nnk"}}},
    {"herk", "cz", TSL_OP_HERK, {"nk", "nnt"}, {{1, "nnk"}}},
    {"syr2k", "sdcz", TSL_OP_SYR2K, {"nk", "nk", "nnt"}, {{2, "nnk"}}},
    {"her2k", "cz", TSL_OP_HER2K, {"nk", "nk", "nnt"}, {{2, "nnk"}}},
    {"trmm", "sdcz", TSL_OP_TRMM, {"mmt", "mn"}, {{1, "mmn"}}},
    {"trsm", "sdcz", TSL_OP_TRSM, {"mmt", "mn"}, {{1, "mmn"}}},
    {"potrf", "sdcz", TSL_OP_POTRF, {"nnt"}, {{1 / 3., "nnn"}}},
    {"trtri", "sdcz", TSL_OP_TRTRI, {"nnt"}, {{1 / 3., "nnn"}}},
    {"lauum", "sdcz", TSL_OP_LAUUM, {"nnt"}, {{1 / 3., "nnn"}}},
    {"potri", "sdcz", TSL_OP_POTRI, {"nnt"}, {{2 / 3., "nnn"}}},
    {"potrs", "sdcz", TSL_OP_POTRS, {"nnt", "nk"}, {{2, "nnk"}}},
    {"posv", "sdcz", TSL_OP_POSV, {"nnt", "nk"}, {{1 / 3., "nnn"}, {2, "nnk"}}},
    {"getrf", "sdcz", TSL_OP_GETRF, {"mn", "d1"}, {{2, "mnd"}, {-1, "mdd"}, {-1, "ndd"}, {2 / 3., "ddd"}}},
    {"laswp", "sdcz", TSL_OP_LASWP, {"mn", "k1"}, {{0, ""}}},
    {"getrs", "sdcz", TSL_OP_GETRS, {"nn", "n1", "nk"}, {{2, "nnk"}}},
    {"gesv", "sdcz", TSL_OP_GESV, {"nn", "n1", "nk"}, {{2 / 3., "nnn"}, {2, "nnk"}}},
    {"getri", "sdcz", TSL_OP_GETRI, {"nn", "n1"}, {{4 / 3., "nnn"}}},
    {"lange", "sdcz", TSL_OP_NORM, {"mn"}, {{1, "mn"}}},
    {"lansy", "sdcz", TSL_OP_NORM, {"nnt"}, {{1, "nn"}}},
    {"lanhe", "cz", TSL_OP_NORM, {"nnt"}, {{1, "nn"}}},
    {"lantr", "sdcz", TSL_OP_NORM, {"mnt"}, {{0.5, "mn"}}},
    {"gemv", "sdcz", TSL_OP_GEMV, {"mn", "n1", "m1"}, {{2, "mn"}}},
    {"gbmv", "sdcz", TSL_OP_GBMV, {"bn", "n1", "m1"}, {{4, "nk"}}},
    {"symv", "sdcz", TSL_OP_SYMV, {"nnt", "n1", "n1"}, {{2, "nn"}}},
    {"hemv", "cz", TSL_OP_HEMV, {"nnt", "n1", "n1"}, {{2, "nn"}}},
    {"sbmv", "sd", TSL_OP_SBMV, {"hn", "n1", "n1"}, {{4, "nk"}}},
    {"hbmv", "cz", TSL_OP_HBMV, {"hn", "n1", "n1"}, {{4, "nk"}}},
    {"spmv", "sd", TSL_OP_SPMV, {"p1", "n1", "n1"}, {{2, "nn"}}},
    {"hpmv", "cz", TSL_OP_HPMV, {"p1", "n1", "n1"}, {{2, "nn"}}},
    {"ger", "sd", TSL_OP_GER, {"m1", "n1", "mn"}, {{2, "mn"}}},
    {"geru", "cz", TSL_OP_GER, {"m1", "n1", "mn"}, {{2, "mn"}}},
    {"gerc", "cz", TSL_OP_GER, {"m1", "n1", "mn"}, {{2, "mn"}}},
    {"syr", "sdcz", TSL_OP_SYR, {"n1", "nnt"}, {{1, "nn"}}},
    {"her", "cz", TSL_OP_HER, {"n1", "nnt"}, {{1, "nn"}}},
    {"spr", "sd", TSL_OP_SPR, {"n1", "p1"}, {{1, "nn"}}},
    {"hpr", "cz", TSL_OP_HPR, {"n1", "p1"}, {{1, "nn"}}},
    {"syr2", "sdcz", TSL_OP_SYR2, {"n1", "n1", "nnt"}, {{2, "nn"}}},
    {"her2", "cz", TSL_OP_HER2, {"n1", "n1", "nnt"}, {{2, "nn"}}},
    {"spr2", "sd", TSL_OP_SPR2, {"n1", "n1", "p1"}, {{2, "nn"}}},
    {"hpr2", "cz", TSL_OP_HPR2, {"n1", "n1", "p1"}, {{2, "nn"}}},
    {"trmv", "sdcz", TSL_OP_TRMV, {"nnt", "n1"}, {{1, "nn"}}},
    {"trsv", "sdcz", TSL_OP_TRSV, {"nnt", "n1"}, {{1, "nn"}}},
    {"tbmv", "sdcz", TSL_OP_TBMV, {"hn", "n1"}, {{2, "nk"}}},
    {"tbsv", "sdcz", TSL_OP_TBSV, {"hn", "n1"}, {{2, "nk"}}},
    {"tpmv", "sdcz", TSL_OP_TPMV, {"p1", "n1"}, {{1, "nn"}}},
    {"tpsv", "sdcz", TSL_OP_TPSV, {"p1", "n1"}, {{1, "nn"}}},
    {"axpy", "sdcz", TSL_OP_AXPY, {"n1", "n1"}, {{2, "n"}}},
    {"scal", "sdcz", TSL_OP_SCAL, {"n1"}, {{1, "n"}}},
    {"copy", "sdcz", TSL_OP_VCOPY, {"n1", "n1"}, {{0, ""}}},
    {"swap", "sdcz", TSL_OP_SWAP, {"n1", "n1"}, {{0, ""}}},
    {"dot", "sd", TSL_OP_DOT, {"n1", "n1"}, {{2, "n"}}},
    {"dotu", "cz", TSL_OP_DOT, {"n1", "n1"}, {{2, "n"}}},
    {"dotc", "cz", TSL_OP_DOT, {"n1", "n1"}, {{2, "n"}}},
    {"nrm2", "sdcz", TSL_OP_NRM2, {"n1"}, {{2, "n"}}},
    {"asum", "sdcz", TSL_OP_ASUM, {"n1"}, {{1, "n"}}},
    {"iamax", "sdcz", TSL_OP_IAMAX, {"n1"}, {{1, "n"}}},
    {"rot", "sdcz", TSL_OP_ROT, {"n1", "n1"}, {{6, "n"}}},
    {"rotm", "sd", TSL_OP_ROTM, {"n1", "n1"}, {{6, "n"}}},
    {"rotg", "sdcz", TSL_OP_ROT, {NULL}, {{10, ""}}}, /* of numbers on the host */
    {"rotmg", "sd", TSL_OP_ROTM, {NULL}, {{20, ""}}},
};

/* INT64_MAX where it is too much. */
static int64_t size_of(char letter, int64_t m, int64_t n, int64_t k)
{
    switch (letter) {
    case 'm': return m;
    case 'n': return n;
    case 'k': return k;
    case 'd': return tsl_min(m, n);
    case '0': return 0;
    case 'b': return tsl_band_rows(k, k);
    case 'h': return tsl_band_rows(k, 0);
    case 'p': return tsl_packed_length(n);
    default: return 1;
    }
}

/* The letter of the type and the rest of the name. BLAS writes idamax, and puts the result's letter first in scnrm2 and dzasum, the
 * factor's second in csscal and zdrot. */
static const char *split(const char *name, char *letter)
{
    static const struct { const char *prefix; char letter; } odd[] = {{"sc", 'c'}, {"dz", 'z'}, {"cs", 'c'}, {"zd", 'z'}};
    if (name[0] == 'i' && name[1] && !strcmp(name + 2, "amax")) {
        *letter = name[1];
        return "iamax";
    }
    for (int i = 0; i < 4; ++i)
        if (!strncmp(name, odd[i].prefix, 2) &&
            (i < 2 ? !strcmp(name + 2, "nrm2") || !strcmp(name + 2, "asum") : !strcmp(name + 2, "scal") || !strcmp(name + 2, "rot"))) {
            *letter = odd[i].letter;
            return name + 2;
        }
    *letter = name[0];
    return name[0] ? name + 1 : name;
}

bool tsl_describe(const char *name, int64_t m, int64_t n, int64_t k, tsl_problem *p)
{
    static const char letters[] = "sdcz";
    char lower[16] = "", letter;
    for (size_t i = 0; i + 1 < sizeof lower && name[i]; ++i) lower[i] = (char)tolower((unsigned char)name[i]);
    const char *rest = split(lower, &letter);
    const struct routine *r = routines, *end = routines + sizeof routines / sizeof *routines;
    while (r < end && (strcmp(r->name, rest) || !strchr(r->types, letter))) ++r;
    if (r == end || !letter) return false;
    *p = (tsl_problem){.c = {.op = r->op, .alpha = 1, .beta = 1}, .type = (tsl_type)(strchr(letters, letter) - letters)};
    for (int i = 0; i < tsl_ops[r->op].operands; ++i) {
        const char *o = r->operand[i] ? r->operand[i] : "00";
        int64_t rows = size_of(o[0], m, n, k), cols = size_of(o[1], m, n, k);
        tsl_type type = tsl_ops[r->op].kinds[i] == 'I' ? TSL_INDEX : p->type;
        p->mat[i] = (tsl_matrix){.type = type, .m = rows, .n = cols, .ld = tsl_max(1, rows)};
        p->c.v[i] = (tsl_view){.mat = &p->mat[i], .m = rows, .n = cols, .uplo = o[2] ? TSL_LOWER : TSL_GENERAL};
    }
    for (int i = 0; i < 4 && r->work[i].of; ++i) {
        double work = r->work[i].times;
        for (const char *s = r->work[i].of; *s; ++s) work *= (double)size_of(*s, m, n, k);
        p->flops += work;
    }
    if (tsl_is_complex(p->type)) p->flops *= 4;
    return true;
}
