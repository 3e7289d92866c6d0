/* The blocked texts of each operation, by name. "auto" is what the tuning tables say, else the first whose rule holds; a text
 * marked so goes before a leaf too. */
#include <string.h>

#include "algo/algo.h"
#include "exec/exec.h"

static bool always(const tsl_context *x, const tsl_call *c)
{
    (void)x, (void)c;
    return true;
}

static bool on_host(const tsl_context *x, const tsl_call *c)
{
    (void)c;
    return x->dev->be == &tsl_host_backend;
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
    {TSL_OP_GEMMT, "pp", tsl_gemmt_pp, always, false},
    {TSL_OP_POTRF, "ahead", tsl_potrf_ahead, looks_ahead, false},
    {TSL_OP_POTRF, "1", tsl_potrf_1, always, false},
    {TSL_OP_POTRF, "2", tsl_potrf_2, always, false},
    {TSL_OP_POTRF, "3", tsl_potrf_3, always, false},
    {TSL_OP_TRTRI, "rows", tsl_trtri_rows, on_host, false},
    {TSL_OP_TRTRI, "sweep", tsl_trtri_sweep, always, false},
    {TSL_OP_LAUUM, "sweep", tsl_lauum_sweep, always, false},
    {TSL_OP_POTRI, "parts", tsl_potri_parts, always, false},
    {TSL_OP_POTRS, "parts", tsl_potrs_parts, always, false},
    {TSL_OP_POSV, "parts", tsl_posv_parts, always, false},
};

#undef FAMILY

enum { COUNT = sizeof variants / sizeof *variants };

bool tsl_has_variants(tsl_opcode op)
{
    for (int i = 0; i < COUNT; ++i)
        if (variants[i].op == op) return true;
    return false;
}

static bool common(const char *name, int *variant)
{
    *variant = !strcmp(name, "leaf") ? TSL_BY_LEAF : TSL_BY_RULE;
    return *variant == TSL_BY_LEAF || !strcmp(name, "auto");
}

bool tsl_find_variant(tsl_opcode op, const char *name, int *variant)
{
    if (common(name, variant)) return true;
    for (int i = 0; i < COUNT; ++i)
        if (variants[i].op == op && !strcmp(name, variants[i].name)) {
            *variant = i;
            return true;
        }
    return false;
}

/* The operations a composite is made of: they count as the caller's own. COPY ends them. */
static const tsl_opcode parts[TSL_OP_COUNT][4] = {
    [TSL_OP_POTRI] = {TSL_OP_TRTRI, TSL_OP_LAUUM},
    [TSL_OP_POTRS] = {TSL_OP_TRSM},
    [TSL_OP_POSV] = {TSL_OP_POTRF, TSL_OP_POTRS, TSL_OP_TRSM},
};

static bool has(tsl_opcode op, const char *name, tsl_takes takes)
{
    int variant;
    return tsl_find_variant(op, name, &variant) && (variant < 0 || !takes || takes(op, variants[variant].fn));
}

bool tsl_takes_variant(const tsl_context *x, tsl_opcode op, tsl_takes takes)
{
    bool found = has(op, x->variant, takes) || !tsl_has_variants(op);
    for (const tsl_opcode *part = parts[op]; *part != TSL_OP_COPY && !found; ++part) found = has(*part, x->variant, takes);
    return found;
}

tsl_status tsl_check_variant(tsl_context *x, const tsl_call *c, tsl_takes takes, const char *where)
{
    if (tsl_takes_variant(x, c->op, takes)) return TSL_OK;
    return tsl_refuse(x, c, TSL_ERR_OPTION, "there is no variant '%s' of it%s", x->variant, where);
}

bool tsl_is_variant(const char *name)
{
    int variant;
    for (int op = 0; op < TSL_OP_COUNT; ++op)
        if (tsl_find_variant((tsl_opcode)op, name, &variant)) return true;
    return false;
}

/* Is the problem larger than the block the caller asked for? */
static bool cut(const tsl_context *x, const tsl_call *c)
{
    return x->tile > 0 && tsl_rule[c->op]->order && tsl_rule[c->op]->order(c) > x->tile;
}

/* For the caller's own call: by name, else by the tables; a leaf the tables prefer gives way to a tile the caller asked for. */
static int wanted(const tsl_context *x, const tsl_call *c)
{
    int variant;
    if (tsl_find_variant(c->op, x->variant, &variant) && variant != TSL_BY_RULE) return variant;
    variant = tsl_tuned_variant(x, c);
    return variant == TSL_BY_LEAF && cut(x, c) ? TSL_BY_RULE : variant;
}

tsl_algo tsl_text_of(int variant) { return variants[variant].fn; }

tsl_algo tsl_choose(const tsl_context *x, const tsl_call *c, bool *before_leaf)
{
    /* Not inside a text: there a variant that leaves the order as it is would choose itself for ever. */
    bool outer = tsl_depth(x) == 1;
    int variant = outer ? wanted(x, c) : TSL_BY_RULE;
    *before_leaf = variant >= 0;
    if (variant >= 0) return variants[variant].fn;
    for (int i = 0; i < COUNT; ++i)
        if (variants[i].op == c->op && variants[i].suits(x, c)) {
            *before_leaf = variant == TSL_BY_RULE && (variants[i].before_leaf || (outer && cut(x, c)));
            return variants[i].fn;
        }
    return NULL;
}
