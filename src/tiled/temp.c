/* Temporary matrices of algorithms at work on tiles: made for an operand, and there until the tasks of the algorithm have
 * ended. */
#include "tiled/tiled.h"

struct tsl_tiled_temps {
    struct tsl_tiled_temps *next;
    int level; /* of the algorithm */
    tsl_matrix mat;
};

tsl_status tsl_tiled_temp(tsl_context *x, tsl_view like, tsl_type type, int64_t m, int64_t n, int64_t mb, int64_t nb, tsl_view *v)
{
    struct tsl_tiled_temps *t = tsl_host_alloc(&x->allocator, sizeof *t);
    tsl_status st = t ? TSL_OK : TSL_ERR_MEMORY;
    if (!st) {
        t->level = x->level;
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

/* Those of deeper levels are of algorithms that have returned. */
void tsl_tiled_temps_end(tsl_context *x, int level)
{
    struct tsl_tiled_temps **at = &x->tiled_temps;
    while (*at) {
        struct tsl_tiled_temps *t = *at;
        if (t->level <= level) {
            at = &t->next;
            continue;
        }
        *at = t->next;
        tsl_tiles_free(t->mat.tiles);
        tsl_host_free(&x->allocator, t, sizeof *t);
    }
}

void tsl_tiled_temps_free(tsl_context *x) { tsl_tiled_temps_end(x, -1); }
