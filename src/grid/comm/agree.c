/* Agreement: before anything moves, and when all is done, the processes compare what must be the same on all of them and tell
 * each other what went wrong. One small reduction. */
#include <string.h>

#include "grid/grid.h"

static uint64_t mix(uint64_t h, uint64_t v) { return (h ^ v) * 0x9e3779b97f4a7c15u ^ (h >> 29); }

int64_t tsl_digest(const int64_t *value, int count)
{
    uint64_t h = 1;
    for (int i = 0; i < count; ++i) h = mix(h, (uint64_t)value[i]);
    return (int64_t)(h >> 2);
}

void tsl_term_add(tsl_terms *t, const char *name, int64_t value) { t->term[t->count++] = (tsl_term){"", name, value, true}; }

void tsl_term_of(tsl_terms *t, const char *name, const int64_t *value, int count)
{
    t->term[t->count++] = (tsl_term){"", name, tsl_digest(value, count), false};
}

void tsl_term_layout(tsl_terms *t, const tsl_layout *l)
{
    static const char *const names[2][3] = {{"rows.over", "rows.nb", "rows.offset"}, {"cols.over", "cols.nb", "cols.offset"}};
    for (int d = 0; d < 2; ++d) {
        const tsl_axis *a = d == 0 ? &l->rows : &l->cols;
        tsl_term_add(t, names[d][0], a->over);
        tsl_term_add(t, names[d][1], a->over ? a->nb : 0);
        tsl_term_add(t, names[d][2], a->over ? a->offset : 0);
    }
    tsl_term_add(t, "row", tsl_layout_fixed(l, 0));
    tsl_term_add(t, "col", tsl_layout_fixed(l, 1));
}

/* The grid a matrix is on may be another one than that which agrees. */
static int64_t matrix_digest(const tsl_matrix *A)
{
    if (!A || !A->remote) return 0;
    const tsl_dmatrix *D = (const tsl_dmatrix *)A;
    tsl_terms t = {.count = 0};
    int64_t value[TSL_TERMS + 6] = {D->number, A->type, A->m, A->n, D->layout.grid->size[0], D->layout.grid->size[1]};
    tsl_term_layout(&t, &D->layout);
    for (int i = 0; i < t.count; ++i) value[6 + i] = t.term[i].value;
    return tsl_digest(value, 6 + t.count);
}

void tsl_term_operands(tsl_terms *t, tsl_opcode op, const tsl_view *v, int count)
{
    for (int i = 0; i < count; ++i) {
        const int64_t block[] = {v[i].i, v[i].j, v[i].m, v[i].n, v[i].op, v[i].uplo, v[i].diag};
        t->term[t->count++] = (tsl_term){tsl_ops[op].operand[i].name, "'s matrix", matrix_digest(v[i].mat), false};
        t->term[t->count++] = (tsl_term){tsl_ops[op].operand[i].name, "'s block", tsl_digest(block, 7), false};
    }
}

tsl_status tsl_broken(tsl_context *x, const tsl_grid *g)
{
    if (g->news == TSL_ERR_LATE) return tsl_fail(x, TSL_ERR_LATE, "%s; the grid cannot be used any more", g->why);
    if (g->wire->left >= 0)
        return tsl_fail(x, TSL_ERR_MPI, "process %d has left the grid: it cannot be used any more", g->wire->left);
    return tsl_fail(x, TSL_ERR_MPI, "%s failed, here or on another process: the grid cannot be used any more",
                    g->wire->ops->name);
}

/* The reduced numbers: the worst status and who has it, the kinds of transfers, a flag that any may raise, and of the call's
 * kind and its terms the largest and, negated, the smallest. A status that only tells of another process's failure comes after
 * every cause. */
enum { WORST, CHANNELS, NOT_CHANNELS, ANY, FIRST };
static const int64_t CAUSE = (int64_t)1 << 62;
_Static_assert(2 * TSL_MAX_OPERANDS + 7 <= TSL_TERMS, "two of an operand, and seven of a call");
_Static_assert(FIRST + 2 * (TSL_TERMS + 1) <= TSL_SAID, "what is said fits");

static tsl_status differ(tsl_context *x, const tsl_terms *t, const int64_t *most)
{
    for (int i = 0; i <= t->count; ++i) {
        int64_t high = most[FIRST + 2 * i], low = -most[FIRST + 2 * i + 1];
        if (high == low) continue;
        if (i == 0) return tsl_fail(x, TSL_ERR_SHAPE, "%s: other processes of the grid made another call", t->call);
        const tsl_term *k = &t->term[i - 1];
        if (!k->plain) return tsl_fail(x, TSL_ERR_SHAPE, "%s: the processes differ in %s%s", t->call, k->of, k->name);
        return tsl_fail(x, TSL_ERR_SHAPE, "%s: the processes differ in %s: from %lld to %lld", t->call, k->name, (long long)low,
                        (long long)high);
    }
    return TSL_OK;
}

tsl_status tsl_agree(tsl_context *x, tsl_grid *g, tsl_status st, const tsl_terms *t, bool *any)
{
    int64_t mine[TSL_SAID] = {0}, most[TSL_SAID];
    bool follows = g->channels.heard || st == TSL_ERR_PIVOT; /* pivots may be none because they were never computed */
    mine[WORST] = st ? (follows ? 0 : CAUSE) | (int64_t)st << 32 | g->wire->rank : 0;
    mine[CHANNELS] = g->channels.kinds, mine[NOT_CHANNELS] = -g->channels.kinds;
    mine[ANY] = any && *any;
    for (int i = 0; t && i <= t->count; ++i) {
        int64_t value = i == 0 ? t->kind : t->term[i - 1].value;
        if (value == INT64_MIN) value = INT64_MAX; /* whose negative there is */
        mine[FIRST + 2 * i] = value, mine[FIRST + 2 * i + 1] = -value;
    }
    g->patience = x->deadline;
    const char *why = g->wire->ops->refuses(g->wire);
    if (why) return tsl_fail(x, TSL_ERR_MPI, "%s", why);
    if (!tsl_all_reduce(g, mine, most, TSL_SAID, TSL_LARGEST)) return tsl_broken(x, g);
    g->channels.same = most[CHANNELS] == -most[NOT_CHANNELS];
    if (any) *any = most[ANY];
    tsl_status worst = (tsl_status)((most[WORST] & ~CAUSE) >> 32);
    if (worst == TSL_OK) return t ? differ(x, t, most) : TSL_OK;
    int who = (int)(most[WORST] & INT32_MAX);
    if (worst != st || g->channels.heard || !x->detail[0]) tsl_fail(x, worst, "process %d of the grid: %s", who, tsl_status_text(worst));
    return worst;
}
