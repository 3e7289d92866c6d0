/* Temporary matrices of algorithms at work on tiles: made for an operand, and there until the call's tasks have ended. */
#include "tiled/tiled.h"

struct tsl_tiled_temps {
    struct tsl_tiled_temps *next;
    tsl_matrix mat;
};

tsl_status tsl_tiled_temp(tsl_context *x, tsl_view like, tsl_type type, int64_t m, int64_t n, int64_t mb, int64_t nb,
                          tsl_view *v)
{
    struct tsl_tiled_temps *t = tsl_host_alloc(&x->allocator, sizeof *t);
    tsl_status st = t ? TSL_OK : TSL_ERR_MEMORY;
    if (!st) {
        t->mat = (tsl_matrix){.ctx = x, .type = type, .m = m, .n = n, .tile = like.mat->tile};
        st = tsl_tiles_make(x->runtime, type, m, n, mb, nb, NULL, 0, TSL_HOST_SPACE, &t->mat.tiles);
    }
    if (st) {
        tsl_host_free(&x->allocator, t, sizeof *t);
        return st;
    }
    t->next = x->tiled_temps;
    x->tiled_temps = t;
    *v = tsl_whole(&t->mat);
    return TSL_OK;
}

void tsl_tiled_temps_free(tsl_context *x)
{
    while (x->tiled_temps) {
        struct tsl_tiled_temps *t = x->tiled_temps;
        x->tiled_temps = t->next;
        tsl_tiles_free(t->mat.tiles);
        tsl_host_free(&x->allocator, t, sizeof *t);
    }
}
