/* The blocked texts of each operation, by name. "auto" is the first that fits; the rule stands beside the name. */
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
    return !x->dev->shares_host && tsl_cols(c->v[0]) <= 512;
}

#define FAMILY(op, name, first) \
    {op, #first, tsl_##name##_##first, always}, {op, "mp", tsl_##name##_mp, always}, {op, "pm", tsl_##name##_pm, always}, \
    {op, "pp", tsl_##name##_pp, always}

static const struct variant {
    tsl_opcode op;
    const char *name;
    tsl_algo fn;
    bool (*suits)(const tsl_context *, const tsl_call *);
} variants[] = {
    FAMILY(TSL_OP_GEMM, gemm, rec),
    FAMILY(TSL_OP_SYMM, symm, rec),
    FAMILY(TSL_OP_HEMM, symm, rec),
    FAMILY(TSL_OP_SYRK, rank_k, rec),
    FAMILY(TSL_OP_HERK, rank_k, rec),
    {TSL_OP_SYR2K, "fused", tsl_rank_2k_fused, small_k},
    {TSL_OP_HER2K, "fused", tsl_rank_2k_fused, small_k},
    FAMILY(TSL_OP_SYR2K, rank_2k, rec),
    FAMILY(TSL_OP_HER2K, rank_2k, rec),
    FAMILY(TSL_OP_TRMM, trmm, rec),
    FAMILY(TSL_OP_TRSM, trsm, rec),
    {TSL_OP_GEMMT, "rec", tsl_gemmt_rec, always},
    {TSL_OP_POTRF, "ahead", tsl_potrf_ahead, looks_ahead},
    {TSL_OP_POTRF, "plain", tsl_potrf_plain, always},
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

tsl_algo tsl_choose(const tsl_context *x, const tsl_call *c, bool *named)
{
    *named = false;
    for (int i = 0; i < COUNT; ++i)
        if (variants[i].op == c->op && x->level == 1 && !strcmp(x->variant, variants[i].name)) {
            *named = true;
            return variants[i].fn;
        }
    for (int i = 0; i < COUNT; ++i)
        if (variants[i].op == c->op && variants[i].suits(x, c)) return variants[i].fn;
    return NULL;
}
