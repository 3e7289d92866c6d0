/* Operands that live elsewhere (the caller's host memory, another device) are copied to the computing device for the length of
 * one public call, and written ones back. Only the viewed block travels, so padding is never touched. So are those whose
 * columns are further apart than the device's kernels can count. */
#include <string.h>

#include "exec/exec.h"

static bool is_far_apart(const tsl_context *x, const tsl_view *v)
{
    const tsl_backend *be = x->dev->be;
    return v->n > 1 && be->counts_to && v->mat->ld > be->counts_to();
}

bool tsl_is_staged(const tsl_context *x, const tsl_view *v)
{
    const tsl_matrix *a = v->mat;
    return v->m > 0 && v->n > 0 && (!(a->home ? a->home == x->dev : x->dev->shares_host) || is_far_apart(x, v));
}

/* home: the other end's */
static tsl_status move(tsl_context *x, const tsl_view *from, const tsl_view *to, tsl_device *home, bool out)
{
    size_t size = tsl_type_size(from->mat->type);
    tsl_move m = {tsl_at(to),
                  tsl_times((size_t)to->mat->ld, size),
                  tsl_at(from),
                  tsl_times((size_t)from->mat->ld, size),
                  tsl_times((size_t)from->m, size),
                  (size_t)from->n};
    tsl_status st = out ? tsl_computed(x, home) : TSL_OK;
    if (!st) st = tsl_carry(x, home, &m, out);
    return st ? st : tsl_carried(x, home);
}

tsl_status tsl_move_block(tsl_context *x, const tsl_view *from, const tsl_view *to)
{
    size_t size = tsl_type_size(from->mat->type);
    bool out = to->mat->home != x->dev;
    if (from->mat->home || to->mat->home) {
        tsl_status st = move(x, from, to, out ? to->mat->home : from->mat->home, out);
        tsl_status late = to->mat->home && from->mat->home ? TSL_OK : tsl_drain(x);
        return st ? st : late;
    }
    for (int64_t j = 0; j < from->n; ++j)
        memcpy((char *)tsl_at(to) + (size_t)(j * to->mat->ld) * size,
               (const char *)tsl_at(from) + (size_t)(j * from->mat->ld) * size, (size_t)from->m * size);
    return TSL_OK;
}

tsl_status tsl_stage_in(tsl_context *x, tsl_call *c, tsl_staging *s)
{
    *s = (tsl_staging){0};
    for (int i = 0; i < tsl_ops[c->op].operands; ++i) {
        tsl_view *v = &c->v[i];
        if (!tsl_is_staged(x, v)) continue;
        size_t bytes;
        void *p;
        if (!tsl_block_bytes(v->mat->type, v->m, v->n, v->m, &bytes)) return TSL_ERR_OVERFLOW;
        tsl_status st = tsl_arena_get(&x->lanes[TSL_MAIN].arena, bytes, &p);
        if (st) return st;
        s->original[i] = *v;
        s->copy[i] = (tsl_matrix){.ctx = x, .type = v->mat->type, .m = v->m, .n = v->n, .ld = v->m, .data = p, .home = x->dev,
                                  .reversed = v->mat->reversed};
        s->staged[i] = true;
        v->mat = &s->copy[i];
        v->i = v->j = 0;
    }
    for (int i = 0; i < tsl_ops[c->op].operands; ++i) {
        if (!s->staged[i] || !tsl_needs_contents(c, i)) continue;
        tsl_status st = move(x, &s->original[i], &c->v[i], s->original[i].mat->home, false);
        if (st) return st;
    }
    return TSL_OK;
}

tsl_status tsl_stage_out(tsl_context *x, const tsl_call *c, tsl_staging *s)
{
    for (int i = 0; i < tsl_ops[c->op].operands; ++i) {
        if (!s->staged[i] || tsl_only_read(c->op, i)) continue;
        tsl_status st = move(x, &c->v[i], &s->original[i], s->original[i].mat->home, true);
        if (st) return st;
    }
    return TSL_OK;
}
