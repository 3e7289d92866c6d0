/* Lanes: two ordered queues of one device, so that the critical path may run ahead of the bulk of the work. */
#include "exec/exec.h"

tsl_lane *tsl_current(tsl_context *x) { return &x->lanes[x->run->lane]; }

void tsl_on(tsl_context *x, int lane) { x->run->lane = (tsl_lane_id)lane; }

void tsl_meet(tsl_context *x, const tsl_call *c)
{
    const tsl_backend *be = x->dev->be;
    if (c->v[0].mat->remote) {
        c->v[0].mat->remote->meet(x, c);
        return;
    }
    tsl_status st = TSL_OK;
    if (x->run->dry) return;
    for (int l = 0; l < TSL_LANES && !st; ++l) st = be->event_record(x->lanes[l].q, x->lanes[l].point);
    if (!st) st = be->event_after(x->lanes[TSL_MAIN].q, x->lanes[TSL_AHEAD].point);
    if (!st) st = be->event_after(x->lanes[TSL_AHEAD].q, x->lanes[TSL_MAIN].point);
    if (st && !x->run->failed) x->run->failed = st;
}

void tsl_after_other(tsl_context *x, const tsl_call *c)
{
    const tsl_backend *be = x->dev->be;
    const tsl_lane *mine = tsl_current(x), *other = &x->lanes[x->run->lane == TSL_MAIN ? TSL_AHEAD : TSL_MAIN];
    if (c->v[0].mat->remote) {
        c->v[0].mat->remote->meet(x, c);
        return;
    }
    if (x->run->dry) return;
    tsl_status st = be->event_record(other->q, other->point);
    if (!st) st = be->event_after(mine->q, other->point);
    if (st && !x->run->failed) x->run->failed = st;
}

void tsl_leave_room(tsl_context *x, const tsl_call *c, int spare)
{
    const tsl_backend *be = x->dev->be;
    if (x->run->dry || c->v[0].mat->remote || !be->queue_leave_room) return;
    tsl_status st = be->queue_leave_room(x->lanes[TSL_MAIN].q, spare, x->lanes[TSL_MAIN].point);
    if (st && !x->run->failed) x->run->failed = st;
}

int64_t tsl_next_step(tsl_view A, int64_t i, int64_t count)
{
    return A.mat->remote ? A.mat->remote->next_step(A, i, count) : i + 1;
}

int64_t tsl_beside(tsl_context *x, tsl_view A) { return A.mat->remote ? A.mat->remote->beside(x, A) : tsl_cols(A); }
tsl_view tsl_for_rows(tsl_context *x, tsl_view A, tsl_view C) { return A.mat->remote ? A.mat->remote->bring(x, A, C, 0) : A; }
tsl_view tsl_for_cols(tsl_context *x, tsl_view B, tsl_view C) { return B.mat->remote ? B.mat->remote->bring(x, B, C, 1) : B; }
