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

static const struct variant {
    tsl_opcode op;
    const char *name;
    tsl_algo fn;
    bool (*suits)(const tsl_context *, const tsl_call *);
} variants[] = {
    {TSL_OP_TRSM, "plain", tsl_algo_trsm, always},
    {TSL_OP_SYRK, "plain", tsl_algo_rank_k, always},
    {TSL_OP_HERK, "plain", tsl_algo_rank_k, always},
    {TSL_OP_POTRF, "ahead", tsl_algo_potrf_ahead, looks_ahead},
    {TSL_OP_POTRF, "plain", tsl_algo_potrf, always},
};

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
