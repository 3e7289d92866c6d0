/* What the tuning tables say of a call. */
#include "tune/panel.h"
#include "tune/tune.h"

enum { PANEL = 256 }; /* where no table says anything */

typedef struct extent {
    int64_t order, width;
} extent;

/* Of a call: the order of its triangle, or of whole matrices the longest side; and the shortest side of all. */
static extent measure(const tsl_call *c)
{
    extent e = {0, INT64_MAX};
    int64_t triangle = -1;
    for (int i = 0; i < tsl_ops[c->op].operands; ++i) {
        const tsl_view *v = &c->v[i];
        if (v->uplo != TSL_GENERAL && triangle < 0) triangle = v->m;
        e.order = tsl_max(e.order, tsl_max(v->m, v->n));
        e.width = tsl_min(e.width, tsl_min(v->m, v->n));
    }
    if (triangle >= 0) e.order = triangle;
    return e;
}

static const tsl_entry *find(const tsl_table *t, int key, extent e)
{
    for (int i = t->first[key]; i < t->first[key + 1]; ++i)
        if (e.order <= t->entry[i].order && e.width <= t->entry[i].width) return &t->entry[i];
    return NULL;
}

/* The tables are the first device's. What computes tasks on the host, be it a core or a virtual device, has entries of its own. */
static int key_of(const tsl_context *x, const tsl_call *c)
{
    return tsl_tune_key(x->parent && !x->dev->be->accelerator, c->op, tsl_kernel_type(c->v[0].mat->type));
}

double tsl_tuned_rate(const tsl_context *x, bool core, tsl_opcode op, tsl_type type, int64_t n)
{
    for (int i = 0; i < TSL_TABLES; ++i) {
        const tsl_entry *found = find(&x->tune->table[i], tsl_tune_key(core, op, type), (extent){n, n});
        if (found && found->rate > 0) return found->rate;
    }
    return 0;
}

double tsl_tuned_link(const tsl_context *x)
{
    const tsl_table *t = x->tune->table;
    return t[TSL_TABLE_USER].link > 0 ? t[TSL_TABLE_USER].link : t[TSL_TABLE_SHIPPED].link;
}

int tsl_tuned_variant(const tsl_context *x, const tsl_call *c)
{
    extent e = measure(c);
    for (int i = 0; i < TSL_TABLES; ++i) {
        const tsl_entry *found = find(&x->tune->table[i], key_of(x, c), e);
        if (found && found->variant != TSL_BY_RULE) return found->variant;
    }
    return TSL_BY_RULE;
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
        const tsl_entry *found = find(&x->tune->table[i], key_of(x, c), e);
        if (found) nb = found->tile;
    }
    if (!nb) nb = PANEL;
    /* An algorithm inside another runs because no leaf takes the problem: a block as large as that would call the algorithm for ever. */
    return tsl_depth(x) > 1 && nb >= e.order ? e.order - e.order / 2 : nb;
}

int64_t tsl_panel_ahead(tsl_context *x, const tsl_call *c, int64_t k)
{
    const tsl_remote_ops *remote = tsl_remote_of(x, c);
    return remote ? remote->panel_ahead(x, c, k) : tsl_panel(x, c);
}

int64_t tsl_half(tsl_context *x, const tsl_call *c)
{
    int64_t h = tsl_panel(x, c), n = measure(c).order;
    if (h >= n) return n - n / 2;
    while (2 * h < n) h *= 2;
    return h;
}
