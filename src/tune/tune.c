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
    /* any host: only when a text is asked for by name or tile, since OpenBLAS takes the whole problem */
    {"host", TSL_OP_POTRF, INT64_MAX, {192, 192, 192, 192}},
    {"host", TSL_OP_TRSM, INT64_MAX, {192, 192, 192, 192}},
    {"host", TSL_OP_SYRK, INT64_MAX, {192, 192, 192, 192}},
    {"host", TSL_OP_HERK, INT64_MAX, {192, 192, 192, 192}},
};

/* The order of the call's triangle, or of a whole matrix its longest side. */
static int64_t order(const tsl_call *c)
{
    int64_t n = 0;
    for (int i = 0; i < tsl_ops[c->op].operands; ++i) {
        if (c->v[i].uplo != TSL_GENERAL) return c->v[i].m;
        n = tsl_max(n, tsl_max(c->v[i].m, c->v[i].n));
    }
    return n;
}

int64_t tsl_panel(tsl_context *x, const tsl_call *c)
{
    if (x->tile > 0 && x->level == 1) return x->tile;
    int64_t n = order(c);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i)
        if (rows[i].op == c->op && n <= rows[i].up_to && !strcmp(rows[i].backend, x->dev->be->name)) return rows[i].nb[c->v[0].mat->type];
    return 256;
}

int64_t tsl_half(tsl_context *x, const tsl_call *c)
{
    int64_t h = tsl_panel(x, c), n = order(c);
    if (h >= n) return n - n / 2;
    while (2 * h < n) h *= 2;
    return h;
}
