/* What goes element by element, over tiles: cut wherever a tile of an operand ends, so that every piece lies in one tile of
 * each. */
#include "tiled/tiled.h"

/* The next place after `at` of 0..end, along rows or columns as seen, where a tile of v ends. */
static int64_t next_cut(const tsl_view *v, bool along_rows, int64_t at, int64_t end)
{
    bool down = along_rows == !(v->op & TSL_TRANS); /* as stored */
    int64_t size = down ? v->mat->tiles->mb : v->mat->tiles->nb, first = down ? v->i : v->j;
    return tsl_min(end, (first + at) / size * size + size - first);
}

/* For all operands; of a triangle along both dimensions, so that pieces on its diagonal are square. */
static int64_t next(const tsl_call *c, bool along_rows, bool triangle, int64_t at, int64_t end)
{
    int64_t cut = end;
    for (int i = 0; i < tsl_ops[c->op].operands; ++i) {
        cut = tsl_min(cut, next_cut(&c->v[i], along_rows, at, end));
        if (triangle) cut = tsl_min(cut, next_cut(&c->v[i], !along_rows, at, end));
    }
    return cut;
}

tsl_status tsl_tiled_blocks(tsl_context *x, const tsl_call *c, tsl_status (*piece)(tsl_context *x, const tsl_call *c))
{
    const tsl_view *out = &c->v[tsl_output(c->op)];
    tsl_uplo part = TSL_GENERAL; /* as seen */
    for (int i = 0; i < tsl_ops[c->op].operands; ++i)
        if (c->v[i].uplo) part = tsl_triangle(c->v[i]);
    int64_t m = tsl_rows(*out), n = tsl_cols(*out), r1, c1;
    for (int64_t c0 = 0; c0 < n; c0 = c1) {
        c1 = next(c, false, part, c0, n);
        for (int64_t r0 = 0; r0 < m; r0 = r1) {
            r1 = next(c, true, part, r0, m);
            if ((part == TSL_LOWER && r0 < c0) || (part == TSL_UPPER && r0 > c0)) continue;
            if (tsl_has_operand(c->op, TSL_IS_DIAGONAL) && r0 != c0) continue;
            tsl_call block = *c;
            block.herm = c->herm && r0 == c0; /* it speaks of the diagonal */
            if (tsl_arguments_of(c->op) == TSL_ARGUMENTS_fill) block.fill.row += r0, block.fill.col += c0;
            for (int i = 0; i < tsl_ops[c->op].operands; ++i) {
                block.v[i] = tsl_sub(c->v[i], r0, c0, r1 - r0, c1 - c0);
                if (part && r0 == c0) block.v[i] = part == TSL_LOWER ? tsl_lower(block.v[i]) : tsl_upper(block.v[i]);
            }
            tsl_status st = piece(x, &block);
            if (st) return st;
        }
    }
    return TSL_OK;
}
