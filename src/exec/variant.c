/* Which algorithm computes a call: what the caller or the tuning tables say, else the first whose rule holds. */
#include <string.h>

#include "exec/exec.h"

/* What layers above this one register when the library starts (api/start.c): rules, algorithms, and what is done by tiles */
const tsl_rules *tsl_rule[TSL_OP_COUNT];
tsl_algo tsl_algorithm[TSL_VARIANT_COUNT];
tsl_tiles_table tsl_by_tiles;

tsl_algo tsl_text_of(int variant) { return tsl_algorithm[variant]; }

int64_t tsl_panel_from(tsl_context *x, const tsl_call *c, int64_t k)
{
    int64_t nb = tsl_panel(x, c);
    return c->v[0].mat->tiles ? tsl_by_tiles.panel_from(x, c, k, nb) : nb;
}

static bool always(const tsl_context *x, const tsl_call *c)
{
    (void)x, (void)c;
    return true;
}

/* Only if it is asked for by name, or the tables have measured it to be faster. */
static bool never(const tsl_context *x, const tsl_call *c)
{
    (void)x, (void)c;
    return false;
}

/* Where solving with a triangle is as fast as multiplying by it. */
static bool solves_well(const tsl_context *x, const tsl_call *c)
{
    (void)c;
    return !x->dev->be->accelerator;
}

/* Where a product with a symmetric matrix is one with a copy of all of it: it is written out once for several. */
static bool multiplies_whole(const tsl_context *x, const tsl_call *c)
{
    (void)c;
    return x->dev->be->accelerator;
}

/* Two stages to tridiagonal form: their products are fast, and their reflectors are twice as many, so that it pays later the
 * more vectors are wanted. */
static bool by_band(const tsl_context *x, const tsl_call *c)
{
    bool vectors = c->eig.vectors || c->v[2].n > 0;
    return x->dev->be->accelerator && c->v[0].n >= tsl_tuned(x, vectors ? TSL_TUNED_BAND_FROM_VECTORS : TSL_TUNED_BAND_FROM);
}

/* Looking ahead pays once the trailing update is long enough to hide a panel, and where lanes really run side by side. */
static bool looks_ahead(const tsl_context *x, const tsl_call *c)
{
    return !x->dev->shares_host && x->run->lane == TSL_MAIN && c->v[0].n >= tsl_tuned(x, TSL_TUNED_AHEAD_FROM);
}

/* Where the lane ahead is what takes the time, and its small kernels wait for products of the other. */
static bool leaves_room(const tsl_context *x, const tsl_call *c)
{
    int64_t n = c->v[0].n;
    return looks_ahead(x, c) && n > tsl_tuned(x, TSL_TUNED_ROOM_ABOVE) && n <= tsl_tuned(x, TSL_TUNED_ROOM_UP_TO);
}

/* C moves once instead of twice, while its products are too thin to hide that. */
static bool small_k(const tsl_context *x, const tsl_call *c)
{
    return !x->dev->shares_host && tsl_cols(c->v[0]) <= tsl_tuned(x, TSL_TUNED_FUSED_UP_TO) && c->v[2].n >= tsl_tuned(x, TSL_TUNED_FUSED_FROM);
}

/* Eigenvectors of a tridiagonal matrix by implicit QR, as the caller of steqr wants them */
static bool by_qr(const tsl_context *x, const tsl_call *c) { return (void)x, c->steqr.by_qr; }

/* To bidiagonal form: columns longer than a kernel's panel may have */
static bool has_long_columns(const tsl_context *x, const tsl_call *c)
{
    int64_t column = tsl_max(c->v[0].m, c->v[0].n) * (int64_t)tsl_type_size(c->v[0].mat->type);
    return column > tsl_tuned(x, TSL_TUNED_BIDIAGONAL_COLUMN);
}

/* Singular values by the bidiagonal form */
static bool by_bidiagonal(const tsl_context *x, const tsl_call *c)
{
    return c->svd.driver == TSL_SVD_QR || c->svd.driver == TSL_SVD_DC || (c->svd.driver == TSL_SVD_AUTO && x->dev->shares_host);
}

/* The QR iteration of a whole matrix that is large enough for the device */
static bool many_shifts(const tsl_context *x, const tsl_call *c)
{
    return !x->dev->shares_host && c->schur.order == c->v[0].n && c->schur.order >= tsl_tuned(x, TSL_TUNED_SHIFTS_FROM);
}

/* A Schur form in an order that the caller wants, which only the host library makes */
static bool sorts(const tsl_context *x, const tsl_call *c) { return (void)x, c->schur.sort != TSL_SORT_NONE; }

/* Singular values alone by two stages to bidiagonal form, where two stages pay for eigenvalues alone */
static bool values_by_band(const tsl_context *x, const tsl_call *c)
{
    const tsl_view *A = &c->v[0], *U = &c->v[2], *VT = &c->v[3];
    bool vectors = c->svd.vectors || (U->m > 0 && U->n > 0) || (VT->m > 0 && VT->n > 0);
    return x->dev->be->accelerator && !vectors && c->svd.driver == TSL_SVD_AUTO && tsl_min(A->m, A->n) >= tsl_tuned(x, TSL_TUNED_BAND_FROM);
}

/* Bidiagonal form by a band, where the two stages and reflectors found again take less time than one stage. They take more
 * memory. */
static bool reduces_by_band(const tsl_context *x, const tsl_call *c)
{
    bool single_complex = c->v[0].mat->type == TSL_C;
    int64_t from = tsl_tuned(x, single_complex ? TSL_TUNED_BIDIAGONAL_BAND_FROM_C : TSL_TUNED_BIDIAGONAL_BAND_FROM);
    return x->dev->be->accelerator && !x->run->frugal && tsl_min(c->v[0].m, c->v[0].n) >= from;
}

/* For products by residues, which pay the more the wider they are: from the order on that the tables say. Where all products
 * are to be so, asked for by name, from where the tables would have those of halves so. */
static bool widens_from(const tsl_context *x, const tsl_call *c, int64_t order)
{
    tsl_type type = c->v[0].mat->type;
    tsl_emulated_from from = tsl_tuned_emulated(x, type);
    tsl_products p = x->run->products;
    int64_t width = tsl_max(from.side, from.inner);
    if (p == TSL_PRODUCTS_NATIVE || p >= TSL_PRODUCTS_FP32 || width == 0) return false;
    if (p != TSL_PRODUCTS_AUTO) return order / 2 >= width;
    return width < INT64_MAX && order > 1 && order >= tsl_tuned_wide(x, c->op, type);
}

static int64_t shorter_side(tsl_view A) { return tsl_min(A.m, A.n); }
static bool widens(const tsl_context *x, const tsl_call *c) { return widens_from(x, c, shorter_side(c->v[0])); }

/* Of reflectors and what they are applied to */
static bool widens_both(const tsl_context *x, const tsl_call *c)
{
    return widens_from(x, c, tsl_min(shorter_side(c->v[0]), shorter_side(c->v[2])));
}

static bool (*const suits[TSL_VARIANT_COUNT])(const tsl_context *, const tsl_call *) = {
#define TSL_VARIANT(op, name, function, flags, rule) rule,
#include "core/variants.def"
#undef TSL_VARIANT
};

static bool has(tsl_opcode op, const char *name, tsl_takes takes)
{
    int variant;
    return tsl_find_variant(op, name, &variant) && (variant < 0 || !takes || takes(variant));
}

bool tsl_takes_variant(const tsl_context *x, tsl_opcode op, tsl_takes takes)
{
    bool found = has(op, x->variant, takes) || !tsl_has_variants(op);
    const char *at = tsl_ops[op].parts;
    for (tsl_opcode part; !found && tsl_next_part(&at, &part);) found = has(part, x->variant, takes);
    return found;
}

tsl_status tsl_check_variant(tsl_context *x, const tsl_call *c, tsl_takes takes, const char *where)
{
    if (tsl_takes_variant(x, c->op, takes)) return TSL_OK;
    return tsl_refuse(x, c, TSL_ERR_OPTION, "there is no variant '%s' of it%s", x->variant, where);
}

int64_t tsl_leaf_block(const tsl_context *x, const tsl_call *c)
{
    return tsl_depth(x) == 1 && !strcmp(x->variant, "leaf") ? INT64_MAX : tsl_tuned_block(x, c);
}

tsl_status tsl_check_shape(tsl_context *x, const tsl_call *c)
{
    int shapes = tsl_shapes(x->dev, c->op, tsl_kernel_type(c->v[0].mat->type));
    if (!shapes || x->shape <= shapes) return TSL_OK;
    return tsl_refuse(x, c, TSL_ERR_OPTION, "there is no shape %d of its kernel", x->shape);
}

int tsl_leaf_shape(const tsl_context *x, const tsl_call *c)
{
    int shapes = tsl_trait(c->op, TSL_SHAPED) ? tsl_shapes(x->dev, c->op, tsl_kernel_type(c->v[0].mat->type)) : 0;
    if (!shapes) return 0;
    bool asked = tsl_depth(x) == 1 || tsl_trait(c->op, TSL_PANEL); /* in its own call, or a panel in it */
    int shape = x->shape && asked ? x->shape : tsl_tuned_shape(x, c);
    return shape <= shapes ? shape : 0;
}

/* Is the problem larger than the block the caller asked for? */
static bool cut(const tsl_context *x, const tsl_call *c)
{
    return x->tile > 0 && tsl_rule[c->op]->order && tsl_rule[c->op]->order(c) > x->tile;
}

/* What the tables say is of native products. */
static bool is_by_residues(const tsl_context *x, const tsl_call *c)
{
    int variant = tsl_variant_for(c->op, TSL_BY_RESIDUES);
    return variant >= 0 && suits[variant](x, c);
}

/* For the caller's own call: by name, else by the tables; a leaf the tables prefer gives way to a tile the caller asked for. */
static int wanted(const tsl_context *x, const tsl_call *c)
{
    int variant;
    if (tsl_find_variant(c->op, x->variant, &variant) && variant != TSL_BY_RULE) return variant;
    if (is_by_residues(x, c)) return TSL_BY_RULE;
    variant = tsl_tuned_variant(x, c);
    return variant == TSL_BY_LEAF && cut(x, c) ? TSL_BY_RULE : variant;
}

/* On the host's cores a leaf of any size is one call of a library: where somebody watches, large ones are cut. On a few cores
 * that costs nothing; many would wait for each other between the steps, and are so much the sooner done. */
static bool is_watched(const tsl_context *x, const tsl_call *c)
{
    return x->watch.on && x->dev->shares_host && tsl_blas_cores() <= tsl_tuned(x, TSL_TUNED_WATCHED_CORES) && x->tile == 0 &&
           tsl_work_of(c) > (double)tsl_tuned(x, TSL_TUNED_WATCHED_FROM);
}

bool tsl_has_host_steps(const tsl_context *x, const tsl_call *c)
{
    if (x->dev->shares_host) return false;
    int tuned = tsl_tuned_variant(x, c), named;
    for (int i = 0; i < TSL_VARIANT_COUNT; ++i) /* of a composite a part may have that name */
        if (tsl_variant_is(i, TSL_HOST_STEPS) &&
            (i == tuned || (tsl_find_variant(tsl_variants[i].op, x->variant, &named) && named == i)))
            return true;
    return false;
}

tsl_algo tsl_choose(const tsl_context *x, const tsl_call *c, bool *before_leaf)
{
    /* Not inside an algorithm: there a variant that leaves the order as it is would choose itself for ever. */
    bool outer = tsl_depth(x) == 1;
    int variant = outer ? wanted(x, c) : TSL_BY_RULE;
    *before_leaf = variant >= 0;
    if (variant >= 0) return tsl_text_of(variant);
    bool watched = is_watched(x, c);
    for (int i = 0; i < TSL_VARIANT_COUNT && watched; ++i)
        if (tsl_variants[i].op == c->op && tsl_variant_is(i, outer ? TSL_WATCHED : TSL_WATCHED_INSIDE) && suits[i](x, c)) {
            *before_leaf = true;
            return tsl_text_of(i);
        }
    for (int i = 0; i < TSL_VARIANT_COUNT; ++i)
        if (tsl_variants[i].op == c->op && suits[i](x, c)) {
            *before_leaf = variant == TSL_BY_RULE && (tsl_variant_is(i, TSL_BEFORE_LEAF) || (outer && cut(x, c)));
            return tsl_text_of(i);
        }
    return NULL;
}
