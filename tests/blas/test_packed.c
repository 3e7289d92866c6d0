/* Level 2 on packed matrices: every operation against a naive reference. */
#include "level2_sweep.h"

static const tsl_opcode ops[] = {TSL_OP_SPMV, TSL_OP_HPMV, TSL_OP_SPR,  TSL_OP_HPR,
                                 TSL_OP_SPR2, TSL_OP_HPR2, TSL_OP_TPMV, TSL_OP_TPSV};

static void all(env *e) { sweep(e, ops, sizeof ops / sizeof *ops); }

int main(void)
{
    for_each_device(all);
    return tap_done();
}
