/* Level 2 on band matrices: every operation against a naive reference. */
#include "level2_sweep.h"

static const tsl_opcode ops[] = {TSL_OP_GBMV, TSL_OP_SBMV, TSL_OP_HBMV, TSL_OP_TBMV, TSL_OP_TBSV};

static void all(env *e) { sweep(e, ops, sizeof ops / sizeof *ops); }

int main(void)
{
    for_each_device(all);
    return tap_done();
}
