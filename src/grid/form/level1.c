/* Vectors: each process works on what it has; numbers made of all are combined in the order of the processes. */
#include <complex.h>
#include <math.h>

#include "grid/form/form.h"

static tsl_view upright(tsl_view v) { return tsl_cols(v) == 1 ? v : tsl_trans(v); }

/* A in workspace, laid out as B. */
static tsl_view beside(tsl_context *x, tsl_view A, tsl_view B, tsl_dmatrix *D)
{
    tsl_layout l = tsl_dist(B)->layout;
    l.rows = tsl_axis_shift(l.rows, B.i), l.cols = tsl_axis_shift(l.cols, B.j);
    tsl_view T = tsl_work_matrix(x, D, &l, B.mat->type, B.m, B.n); /* as B is stored */
    T.op = B.op & TSL_TRANS;
    tsl_transfer_now(x, A, T, false);
    return T;
}

/* scal, axpy */
void tsl_dist_vectors(tsl_context *x, const tsl_call *c)
{
    tsl_view X = upright(c->v[0]), Y = upright(c->v[tsl_ops[c->op].operands - 1]);
    tsl_grid *g = tsl_grid_of(Y);
    tsl_work_mark mark = tsl_work_now(g);
    tsl_dmatrix D;
    tsl_call own = *c;
    if (tsl_ops[c->op].operands == 2) own.v[0] = tsl_local(beside(x, X, Y, &D)), own.v[1] = tsl_local(Y);
    else own.v[0] = tsl_local(Y);
    tsl_locally(x, g, &own);
    tsl_work_back(g, mark);
}

bool tsl_counts(const tsl_layout *l)
{
    if (!tsl_layout_has(l, l->grid->at)) return false;
    for (int d = 0; d < 2; ++d)
        if (!tsl_layout_uses(l, d) && tsl_layout_fixed(l, d) == TSL_EVERY && l->grid->at[d] != 0) return false;
    return true;
}

void tsl_leave_result(tsl_context *x, tsl_grid *g, const void *value, size_t bytes)
{
    tsl_channel_watch(x, g); /* the copy waits for all before it */
    tsl_status st = tsl_copy_word(x, x->result, value, bytes, TSL_TO_DEVICE), late = tsl_work_wait(x, g);
    if (st || late) tsl_grid_fail(g, st ? st : late);
}

static tsl_scalar combined(tsl_opcode op, const tsl_scalar *part, int count)
{
    tsl_scalar all = 0;
    for (int i = 0; i < count; ++i) {
        double v = creal(part[i]);
        if (!tsl_trait(op, TSL_ROOT_OF_SQUARES)) all += part[i];
        else all = isnan(v) || isnan(creal(all)) ? NAN : hypot(creal(all), v);
    }
    return all;
}

/* The value, into the place that a text has for it: every process's copy */
static void put_number(tsl_context *x, tsl_grid *g, tsl_view place, const void *value)
{
    tsl_view own = tsl_local(place);
    if (own.m == 0 || own.n == 0) return;
    tsl_matrix word = {.ctx = x, .type = place.mat->type, .m = 1, .n = 1, .ld = 1, .data = (void *)(uintptr_t)value};
    tsl_locally(x, g, &(tsl_call){.op = TSL_OP_COPY, .v = {tsl_whole(&word), own}});
}

/* dot, nrm2, asum: the value goes where the operation's own leaf would leave it. */
void tsl_dist_number(tsl_context *x, const tsl_call *c)
{
    tsl_view X = upright(c->v[0]);
    tsl_grid *g = tsl_grid_of(X);
    tsl_type type = tsl_element_type(tsl_number_element(c->op), X.mat->type);
    size_t bytes = tsl_number_bytes(c->op, X.mat->type);
    int p = g->size[0] * g->size[1];
    tsl_work_mark mark = tsl_work_now(g);
    tsl_scalar *part = tsl_work_get(g, false, tsl_times((size_t)p, sizeof *part)), mine = 0;
    tsl_dmatrix D;
    tsl_view own = tsl_local(X);
    tsl_call local = {.op = c->op, .v = {own}};
    if (tsl_ops[c->op].operands == 2) local.v[1] = tsl_local(beside(x, upright(c->v[1]), X, &D));
    tsl_typed_scalar value = {.z = 0};
    tsl_status st = TSL_OK;
    tsl_channel_watch(x, g);
    if (tsl_counts(&tsl_dist(X)->layout) && own.m && own.n) {
        tsl_locally(x, g, &local);
        if (!g->rehearsing && !g->failed) st = tsl_result(x, &value, bytes);
        mine = tsl_untyped(type, value);
    }
    if (!g->rehearsing) {
        if (st) tsl_grid_fail(g, st);
        tsl_all_gather(g, &mine, part, sizeof mine);
        value = tsl_typed(type, combined(c->op, part, p));
        if (c->numbered) put_number(x, g, c->v[tsl_ops[c->op].operands], &value);
        else tsl_leave_result(x, g, &value, bytes);
    }
    tsl_work_back(g, mark);
}
