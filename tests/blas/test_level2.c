/* Level 2 on dense matrices: every operation against a naive reference. */
#include "level2_sweep.h"

static const tsl_opcode ops[] = {TSL_OP_GEMV, TSL_OP_SYMV, TSL_OP_HEMV, TSL_OP_GER,  TSL_OP_SYR, TSL_OP_HER,
                                 TSL_OP_SYR2, TSL_OP_HER2, TSL_OP_TRMV, TSL_OP_TRSV};

static void all(env *e) { sweep(e, ops, sizeof ops / sizeof *ops); }

int main(void)
{
    for_each_device(all);
    return tap_done();
}
