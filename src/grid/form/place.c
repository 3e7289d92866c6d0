/* What cannot be cut is computed in one place: operands are gathered on the first process, which computes, and what it has
 * written is spread again. Every operation without a better form on grids has this one. It takes the memory of all operands on
 * that process. */
#include <string.h>

#include "grid/form/form.h"

bool tsl_is_first(const tsl_grid *g) { return g->at[0] == 0 && g->at[1] == 0; }

tsl_view tsl_work_on(tsl_context *x, tsl_dmatrix *D, tsl_layout l, tsl_view v, bool contents)
{
    l.scheme = tsl_dist(v)->layout.scheme;
    tsl_view w = tsl_work_matrix(x, D, &l, v.mat->type, v.m, v.n);
    if (contents && v.m && v.n) tsl_transfer_now(x, v, w, false);
    return w;
}

void tsl_work_home(tsl_context *x, tsl_view w, tsl_view v)
{
    if (v.m && v.n) tsl_transfer_now(x, w, v, false);
}

/* The block as it is stored, whatever is meant of it and however it is seen */
static tsl_view stored(tsl_view v)
{
    v = tsl_general(v);
    v.op = TSL_NOTRANS;
    return v;
}

/* What was written, where it belongs: of a triangle no more than that */
static void spread(tsl_context *x, tsl_view there, tsl_view v)
{
    tsl_view w = stored(v), from = there;
    from.uplo = w.uplo = v.uplo;
    if (v.uplo == TSL_GENERAL) tsl_work_home(x, there, w);
    else if (v.m && v.n) tsl_dist_copy(x, &(tsl_call){.op = TSL_OP_COPY, .v = {from, w}});
}

/* Words of the first process on all. The others' are zero in the sum: it is a copy. */
static void share(tsl_grid *g, void *words, size_t bytes)
{
    int64_t mine[TSL_SHARED] = {0}, all[TSL_SHARED] = {0};
    if (g->rehearsing) return;
    if (tsl_is_first(g)) memcpy(mine, words, bytes);
    if (tsl_all_reduce(g, mine, all, TSL_SHARED, TSL_SUM)) memcpy(words, all, bytes);
}

/* The number that the first process has made, where the operation's leaf would leave it */
static void share_number(tsl_context *x, tsl_grid *g, const tsl_call *c)
{
    tsl_scalar number = 0;
    size_t bytes = tsl_number_bytes(c->op, c->v[0].mat->type);
    tsl_status st = tsl_is_first(g) && !g->rehearsing && !g->failed ? tsl_result(x, &number, bytes) : TSL_OK;
    if (st) tsl_grid_fail(g, st);
    share(g, &number, bytes);
    if (!g->rehearsing) tsl_leave_result(x, g, &number, bytes);
}

static size_t bytes_of(const tsl_view *v) { return tsl_dense_bytes(v->mat->type, v->m, v->n); }

bool tsl_is_word(const tsl_call *c, int i)
{
    const tsl_view *v = &c->v[i];
    return tsl_ops[c->op].operand[i].access == TSL_WRITES && !v->mat->remote && !v->mat->tiles && !v->mat->home && v->n == 1 &&
           bytes_of(v) <= TSL_SHARED * sizeof(int64_t);
}

void tsl_dist_place(tsl_context *x, const tsl_call *c)
{
    const tsl_op_info *op = &tsl_ops[c->op];
    tsl_grid *g = tsl_grid_meant(x, c->v, op->operands);
    tsl_work_mark mark = tsl_work_now(g);
    tsl_layout first = tsl_layout_whole(g, 0, 0);
    tsl_dmatrix S[TSL_MAX_OPERANDS];
    tsl_view there[TSL_MAX_OPERANDS];
    tsl_call own = *c;
    for (int i = 0; i < op->operands; ++i) {
        tsl_view v = c->v[i];
        if (!v.mat->remote) continue; /* a word, or empty and nowhere */
        there[i] = tsl_work_on(x, &S[i], first, stored(v), op->operand[i].access != TSL_WRITES);
        own.v[i] = tsl_local(there[i]);
        own.v[i].op = v.op, own.v[i].uplo = v.uplo, own.v[i].diag = v.diag;
    }
    if (tsl_is_first(g)) tsl_locally(x, g, &own);
    if (tsl_is_first(g) && tsl_trait(c->op, TSL_HAS_INFO)) tsl_note_at(x, g, 0);
    if (tsl_trait(c->op, TSL_NUMBER)) share_number(x, g, c);
    if (c->results) share(g, &c->results->count, sizeof c->results->count);
    for (int i = 0; i < op->operands; ++i) {
        if (c->v[i].mat->remote && !tsl_only_read(c->op, i)) spread(x, there[i], c->v[i]);
        if (!c->v[i].mat->remote && bytes_of(&c->v[i])) share(g, tsl_at(&c->v[i]), bytes_of(&c->v[i]));
    }
    tsl_work_back(g, mark);
}

/* Of operands of which every process has a copy: all compute the same, and nothing is sent. */
void tsl_dist_copies(tsl_context *x, const tsl_call *c)
{
    tsl_call own = *c;
    for (int i = 0; i < tsl_ops[c->op].operands; ++i) own.v[i] = tsl_local(c->v[i]);
    tsl_locally(x, tsl_grid_meant(x, c->v, tsl_ops[c->op].operands), &own);
}
