/* Block sizes. The table is data: per backend, operation and type, the block for problems up to an order. Measured on the
 * machine named; other GPUs use the same rows until theirs are measured. */
#include <string.h>

#include "algo/algo.h"
#include "core/core.h"

static const struct row {
    const char *backend;
    tsl_opcode op;
    int64_t up_to; /* order of the triangle; the first row that reaches it counts */
    int64_t nb[4]; /* s d c z */
} rows[] = {
    /* H200 */
    {"cuda", TSL_OP_POTRF, 1024, {128, 128, 128, 128}},
    {"cuda", TSL_OP_POTRF, 12288, {512, 512, 512, 512}},
    {"cuda", TSL_OP_POTRF, INT64_MAX, {1024, 1024, 1024, 1024}},
    {"cuda", TSL_OP_TRSM, INT64_MAX, {128, 128, 128, 128}},
    {"cuda", TSL_OP_SYRK, INT64_MAX, {512, 512, 512, 512}},
    {"cuda", TSL_OP_HERK, INT64_MAX, {512, 512, 512, 512}},
    /* any host: only when a text is asked for by name or tile, since OpenBLAS takes the whole problem */
    {"host", TSL_OP_POTRF, INT64_MAX, {192, 192, 192, 192}},
    {"host", TSL_OP_TRSM, INT64_MAX, {192, 192, 192, 192}},
    {"host", TSL_OP_SYRK, INT64_MAX, {192, 192, 192, 192}},
    {"host", TSL_OP_HERK, INT64_MAX, {192, 192, 192, 192}},
};

int64_t tsl_block(tsl_context *x, tsl_opcode op, tsl_view A)
{
    if (x->tile > 0 && x->level == 1) return x->tile;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i)
        if (rows[i].op == op && A.m <= rows[i].up_to && !strcmp(rows[i].backend, x->dev->be->name)) return rows[i].nb[A.mat->type];
    return 128;
}

int64_t tsl_half(tsl_context *x, tsl_opcode op, tsl_view A)
{
    int64_t h = tsl_block(x, op, A);
    if (h >= A.m) return A.m - A.m / 2;
    while (2 * h < A.m) h *= 2;
    return h;
}
