/* What the tuning tables say of a call. */
#include <string.h>

#include "tune/panel.h"
#include "tune/tune.h"

typedef struct extent {
    int64_t order, width;
} extent;

/* Of a call: the order of its triangle, and the shortest side in which the operands that meet it do not share its order; or the
 * longest side of whole matrices, and the shortest. */
static extent measure(const tsl_call *c)
{
    extent e = {0, INT64_MAX};
    int64_t triangle = -1;
    for (int i = 0; i < tsl_ops[c->op].operands && triangle < 0; ++i)
        if (c->v[i].uplo != TSL_GENERAL) triangle = c->v[i].m;
    for (int i = 0; i < tsl_ops[c->op].operands; ++i) {
        const tsl_view *v = &c->v[i];
        if (v->uplo != TSL_GENERAL || (i > 0 && tsl_is_vector(c->op, i))) continue;
        e.order = tsl_max(e.order, tsl_max(v->m, v->n));
        e.width = tsl_min(e.width, v->m == triangle ? v->n : v->n == triangle ? v->m : tsl_min(v->m, v->n));
    }
    if (triangle < 0) return e;
    return (extent){triangle, e.width == INT64_MAX ? triangle : e.width};
}

/* An entry of a factorization that says a shape, and nothing else, is of its panels. */
static bool of_panels(const tsl_entry *e) { return tsl_trait(e->op, TSL_TALL) && e->shape && !e->tile && e->variant == TSL_BY_RULE; }

static const tsl_entry *find(const tsl_table *t, int key, extent e, bool panel)
{
    for (int i = t->first[key]; i < t->first[key + 1]; ++i) {
        const tsl_entry *at = &t->entry[i];
        if (e.order <= at->order && e.width <= at->width && of_panels(at) == panel) return at;
    }
    return NULL;
}

/* The tables are the first device's. What computes tasks on the host, be it a core or a virtual device, has entries of its own. */
static int key_of(const tsl_context *x, const tsl_call *c)
{
    tsl_entry_kind kind = x->parent && !x->dev->be->accelerator ? TSL_ENTRY_CORE : TSL_ENTRY_PLAIN;
    return tsl_tune_key(kind, c->op, tsl_kernel_type(c->v[0].mat->type));
}

double tsl_tuned_rate(const tsl_context *x, bool core, tsl_opcode op, tsl_type type, int64_t n)
{
    for (int i = 0; i < TSL_TABLES; ++i) {
        const tsl_entry *found = find(&x->tune->table[i], tsl_tune_key(core ? TSL_ENTRY_CORE : TSL_ENTRY_PLAIN, op, type), (extent){n, n}, false);
        if (found && found->rate > 0) return found->rate;
    }
    return 0;
}

double tsl_tuned_link(const tsl_context *x)
{
    const tsl_table *t = x->tune->table;
    return t[TSL_TABLE_USER].link > 0 ? t[TSL_TABLE_USER].link : t[TSL_TABLE_SHIPPED].link;
}

/* Residues pay on some processors alone: another one goes by a table for much, but not for these. */
static bool measured_here(const tsl_context *x, const tsl_table *t) { return !strcmp(t->device, x->dev->name); }

tsl_emulated_from tsl_tuned_emulated(const tsl_context *x, tsl_type type)
{
    tsl_type t = tsl_kernel_type(type);
    for (int i = 0; i < TSL_TABLES; ++i) {
        const tsl_table *table = &x->tune->table[i];
        if (table->emulated[t].side && measured_here(x, table)) return table->emulated[t];
    }
    return (tsl_emulated_from){0, 0};
}

int64_t tsl_tuned_wide(const tsl_context *x, tsl_opcode op, tsl_type type)
{
    tsl_type t = tsl_kernel_type(type);
    for (int i = 0; i < TSL_TABLES; ++i) {
        const tsl_table *table = &x->tune->table[i];
        if (table->wide[op][t] && measured_here(x, table)) return table->wide[op][t];
    }
    return INT64_MAX;
}

int tsl_tuned_variant(const tsl_context *x, const tsl_call *c)
{
    extent e = measure(c);
    for (int i = 0; i < TSL_TABLES; ++i) {
        const tsl_entry *found = find(&x->tune->table[i], key_of(x, c), e, false);
        if (found && found->variant != TSL_BY_RULE) return found->variant;
    }
    return TSL_BY_RULE;
}

int64_t tsl_tuned_block(const tsl_context *x, const tsl_call *c)
{
    extent e = measure(c);
    for (int i = 0; i < TSL_TABLES; ++i) {
        const tsl_entry *found = find(&x->tune->table[i], key_of(x, c), e, false);
        if (found && found->variant == TSL_BY_LEAF) return INT64_MAX;
        if (found && found->tile) return found->tile;
    }
    return INT64_MAX;
}

/* Kernels that multiply by a general matrix's transpose have shapes of their own, and so have panels, in entries of their
 * factorization. */
int tsl_tuned_shape(const tsl_context *x, const tsl_call *c)
{
    bool turned = c->op == TSL_OP_GEMV && c->v[0].op & TSL_TRANS, of_qr = c->op == TSL_OP_GEQRT;
    bool panel = of_qr || tsl_trait(c->op, TSL_TALL);
    const tsl_view *A = &c->v[of_qr ? 3 : 0];
    extent e = panel ? (extent){tsl_max(A->m, A->n), tsl_min(A->m, A->n)} : measure(c);
    int key = tsl_tune_key(turned ? TSL_ENTRY_TURNED : TSL_ENTRY_PLAIN, of_qr ? TSL_OP_GEQRF : c->op, tsl_kernel_type(A->mat->type));
    for (int i = 0; i < TSL_TABLES; ++i) {
        const tsl_entry *found = find(&x->tune->table[i], key, e, panel);
        if (found && found->shape) return found->shape;
    }
    return 0;
}

int64_t tsl_panel(tsl_context *x, const tsl_call *c)
{
    const tsl_remote_ops *remote = tsl_remote_of(x, c);
    if (remote) return remote->panel(x, c);
    if (c->panel) return c->panel;
    int64_t tiles = c->v[0].mat->tile;
    if (tiles) return tiles;
    if (x->tile > 0 && tsl_depth(x) <= 1) return x->tile; /* also of a composite, whose parts count as the caller's own */
    extent e = measure(c);
    int64_t nb = 0;
    for (int i = 0; i < TSL_TABLES && !nb; ++i) {
        const tsl_entry *found = find(&x->tune->table[i], key_of(x, c), e, false);
        if (found) nb = found->tile;
    }
    if (!nb) nb = tsl_tuned(x, TSL_TUNED_PANEL_WIDTH);
    /* An algorithm inside another runs because no leaf takes the problem: a block as large as that would call the algorithm for
     * ever. */
    return tsl_depth(x) > 1 && nb >= e.order ? e.order - e.order / 2 : nb;
}

int64_t tsl_panel_ahead(tsl_context *x, const tsl_call *c, int64_t k)
{
    const tsl_remote_ops *remote = tsl_remote_of(x, c);
    return remote ? remote->panel_ahead(x, c, k) : tsl_panel(x, c);
}

/* As wide as a product with sides of its own width may be, and a quarter at most is lost for want of terms. */
static int64_t wide(tsl_emulated_from from)
{
    int64_t largest = INT64_MAX / 4;
    return tsl_min(from.side, largest) + 3 * tsl_min(from.inner, largest);
}

int64_t tsl_wide_panel(tsl_context *x, const tsl_call *c)
{
    int64_t n = tsl_min(c->v[0].m, c->v[0].n);
    return tsl_min(n - n / 2, tsl_max(tsl_panel(x, c), wide(tsl_tuned_emulated(x, c->v[0].mat->type))));
}

int64_t tsl_half(tsl_context *x, const tsl_call *c)
{
    int64_t h = tsl_panel(x, c), n = measure(c).order;
    if (h >= n) return n - n / 2;
    while (2 * h < n) h *= 2;
    return h;
}
