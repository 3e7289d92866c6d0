/* The blocked texts of each operation, by name. "auto" is the first whose rule holds; a text marked so goes before a leaf too. */
#include <string.h>

#include "algo/algo.h"
#include "exec/exec.h"

static bool always(const tsl_context *x, const tsl_call *c)
{
    (void)x, (void)c;
    return true;
}

/* Looking ahead pays once the trailing update is long enough to hide a panel, and where lanes really run side by side. */
static bool looks_ahead(const tsl_context *x, const tsl_call *c)
{
    return !x->dev->shares_host && x->lane == TSL_MAIN && c->v[0].n >= 2048;
}

/* C moves once instead of twice, while its products are too thin to hide that. */
static bool small_k(const tsl_context *x, const tsl_call *c)
{
    return !x->dev->shares_host && tsl_cols(c->v[0]) <= 512 && c->v[2].n >= 1024;
}

#define FAMILY(op, name, first) \
    {op, #first, tsl_##name##_##first, always, false}, {op, "mp", tsl_##name##_mp, always, false}, \
    {op, "pm", tsl_##name##_pm, always, false}, {op, "pp", tsl_##name##_pp, always, false}

static const struct variant {
    tsl_opcode op;
    const char *name;
    tsl_algo fn;
    bool (*suits)(const tsl_context *, const tsl_call *);
    bool before_leaf;
} variants[] = {
    FAMILY(TSL_OP_GEMM, gemm, rec),
    FAMILY(TSL_OP_SYMM, symm, rec),
    FAMILY(TSL_OP_HEMM, symm, rec),
    FAMILY(TSL_OP_SYRK, rank_k, rec),
    FAMILY(TSL_OP_HERK, rank_k, rec),
    {TSL_OP_SYR2K, "fused", tsl_rank_2k_fused, small_k, true},
    {TSL_OP_HER2K, "fused", tsl_rank_2k_fused, small_k, true},
    FAMILY(TSL_OP_SYR2K, rank_2k, rec),
    FAMILY(TSL_OP_HER2K, rank_2k, rec),
    FAMILY(TSL_OP_TRMM, trmm, rec),
    FAMILY(TSL_OP_TRSM, trsm, rec),
    {TSL_OP_GEMMT, "rec", tsl_gemmt_rec, always, false},
    {TSL_OP_POTRF, "ahead", tsl_potrf_ahead, looks_ahead, false},
    {TSL_OP_POTRF, "plain", tsl_potrf_plain, always, false},
};

#undef FAMILY

enum { COUNT = sizeof variants / sizeof *variants };

bool tsl_is_variant(const char *name)
{
    if (!strcmp(name, "auto")) return true;
    for (int i = 0; i < COUNT; ++i)
        if (!strcmp(name, variants[i].name)) return true;
    return false;
}

tsl_algo tsl_choose(const tsl_context *x, const tsl_call *c, bool *before_leaf)
{
    bool asked = x->level == 1;
    *before_leaf = false;
    for (int i = 0; i < COUNT; ++i)
        if (variants[i].op == c->op && asked && !strcmp(x->variant, variants[i].name)) {
            *before_leaf = true;
            return variants[i].fn;
        }
    for (int i = 0; i < COUNT; ++i)
        if (variants[i].op == c->op && variants[i].suits(x, c)) {
            *before_leaf = variants[i].before_leaf;
            return variants[i].fn;
        }
    return NULL;
}
