/* Regions of work on tiles, from tsl_begin to tsl_wait. Inside, devices keep copies of the caller's arrays from call to call:
 * opening a region is the caller's promise to leave them alone. Calls of ours on the same memory are seen. */
#include "exec/exec.h"

tsl_status tsl_region_pause(tsl_context *x, bool keep)
{
    tsl_status st = x->runtime ? tsl_runtime_finish(x->runtime, keep && x->region) : TSL_OK;
    tsl_watch_settle(x);
    tsl_watch_tell(x, true);
    if (x->region && !x->region_failed) x->region_failed = st;
    return x->region ? x->region_failed : st;
}

tsl_status tsl_region_end(tsl_context *x)
{
    tsl_status st = tsl_region_pause(x, false);
    x->region = false;
    x->region_failed = TSL_OK;
    tsl_small_allow(x);
    return tsl_outcomes_end(x, st);
}

/* There are tiles, in memory of the caller's. */
static bool in_array(const struct tsl_tiles *t) { return t->wraps && t->tile; }

/* All of it: tiles move whole, whatever part of them a call uses. */
static tsl_area area_of_tiles(const struct tsl_tiles *t)
{
    const tsl_tile *last = &t->tile[t->mt * t->nt - 1];
    return (tsl_area){.at = (uintptr_t)t->tile->data, .m = (t->mt - 1) * t->mb + last->m, .n = (t->nt - 1) * t->nb + last->n,
                      .ld = t->tile->ld, .size = tsl_type_size(t->type)};
}

/* Of a flat operand the block: so much of it travels, whatever triangle is meant. */
static tsl_area area_of(const tsl_view *v)
{
    tsl_area a = v->mat->tiles ? area_of_tiles(v->mat->tiles) : tsl_area_of(v);
    a.uplo = TSL_GENERAL;
    return a;
}

tsl_status tsl_region_meet(tsl_context *x, const tsl_call *c)
{
    for (int i = 0; x->runtime && i < tsl_ops[c->op].operands; ++i) {
        const tsl_view *v = &c->v[i];
        const struct tsl_tiles *own = v->mat->tiles;
        if (v->m == 0 || v->n == 0 || (own && !in_array(own))) continue;
        tsl_area here = area_of(v);
        for (const struct tsl_tiles *t = x->runtime->matrices; t; t = t->next) {
            tsl_area there = t != own && in_array(t) ? area_of_tiles(t) : (tsl_area){0};
            if (tsl_areas_meet(&here, &there, false)) return tsl_region_pause(x, false);
        }
    }
    return TSL_OK;
}
