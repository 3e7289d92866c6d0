/* What layers above this one register when the library starts (api/start.c): rules, algorithms, and what is done by tiles. */
#include "exec/exec.h"

const tsl_rules *tsl_rule[TSL_OP_COUNT];
tsl_algo tsl_algorithm[TSL_VARIANT_COUNT];
tsl_tiles_table tsl_by_tiles;

tsl_algo tsl_text_of(int variant) { return tsl_algorithm[variant]; }

int64_t tsl_panel_from(tsl_context *x, const tsl_call *c, int64_t k)
{
    int64_t nb = tsl_panel(x, c);
    return c->v[0].mat->tiles ? tsl_by_tiles.panel_from(x, c, k, nb) : nb;
}
