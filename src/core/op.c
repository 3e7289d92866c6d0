/* The operation table: names, access modes, and the counts of work behind every rate we report. */
#include "core/op.h"

#include "core/core.h"

const tsl_op_info tsl_ops[TSL_OP_COUNT] = {
#define TSL_OPERATION(id, name, access) {#name, access, (int)sizeof(access) - 1},
#include "core/ops.def"
#undef TSL_OPERATION
};

double tsl_call_flops(const tsl_call *c)
{
    const tsl_view *v = c->v;
    double unit = tsl_is_complex(v[0].mat->type) ? 4 : 1; /* one multiply-add is 2 real operations, or 8 */
    double m = (double)tsl_rows(v[0]), n = (double)tsl_cols(v[0]);
    switch (c->op) {
    case TSL_OP_GEMM: return unit * 2 * m * n * (double)tsl_cols(v[1]);
    case TSL_OP_TRSM: return unit * n * (double)v[1].m * (double)v[1].n;
    case TSL_OP_SYRK:
    case TSL_OP_HERK: return unit * m * (m + 1) * n;
    case TSL_OP_POTRF: return unit * (n * n * n / 3 + n * n / 2 + n / 6);
    default: return 0;
    }
}

double tsl_call_bytes(const tsl_call *c)
{
    double bytes = 0;
    for (int i = 0; i < tsl_ops[c->op].operands; ++i) {
        const tsl_view *v = &c->v[i];
        double elements = (double)v->m * (double)v->n;
        if (v->uplo != TSL_GENERAL) elements = elements / 2 + (double)v->n / 2;
        bytes += elements * (double)tsl_type_size(v->mat->type) * (tsl_ops[c->op].access[i] == 'M' ? 2 : 1);
    }
    return bytes;
}
