/* The elements that one process has of a transfer's source and another of its destination: on each axis a sequence of runs, and
 * together a dense matrix of its own, which is what travels. */
#include "grid/grid.h"

/* Indices of one axis that process `from` has of the source and `to` of the destination, run by run. */
typedef struct runs {
    const tsl_transfer *t;
    int d, from, to;
    int64_t at, n, pos;
} runs;

/* Where a run lies in the source's local array, in the destination's, and in the dense matrix. */
typedef struct run {
    int64_t src, dst, pos, len;
} run;

/* Is any block both one of p, 2 p, ... from `from` on and of q, 2 q, ... from `to` on? Only blocks that are the same can
 * tell. */
static bool meet(const tsl_transfer *t, int d, int from, int to)
{
    tsl_axis A = t->from.axis[d], B = t->to.axis[d];
    int64_t p = tsl_axis_size(t->from.g, A.over), q = tsl_axis_size(t->to.g, B.over), shift = B.offset - A.offset;
    if (p == 1 || q == 1 || A.nb != B.nb || shift % A.nb) return true;
    for (int64_t rest; q; p = q, q = rest) rest = p % q;
    return (from + shift / A.nb - to) % p == 0;
}

static runs start(const tsl_transfer *t, int d, const int from[2], const int to[2])
{
    runs r = {t, d, tsl_axis_index(t->from.g, t->from.axis[d].over, from), tsl_axis_index(t->to.g, t->to.axis[d].over, to), 0,
              d == 0 ? t->m : t->n, 0};
    if (!meet(t, d, r.from, r.to)) r.at = r.n;
    return r;
}

static int64_t place(const tsl_end *e, int d, int owner, int64_t index)
{
    return tsl_axis_before(e->g, e->base[d], owner, e->axis[d].offset - e->base[d].offset + index);
}

static bool single(runs *r, run *out)
{
    const tsl_end *A = &r->t->from, *B = &r->t->to;
    int d = r->d;
    int64_t index = r->at, other = -1;
    while (index < r->n && other != index) {
        index = tsl_axis_next(A->g, A->axis[d], r->from, index);
        other = tsl_axis_next(B->g, B->axis[d], r->to, index);
        if (other != index) index = other, other = -1;
    }
    if (index >= r->n) return false;
    int64_t len = tsl_min(r->n - index, tsl_min(tsl_axis_run(A->g, A->axis[d], index), tsl_axis_run(B->g, B->axis[d], index)));
    *out = (run){place(A, d, r->from, index), place(B, d, r->to, index), r->pos, len};
    r->at = index + len;
    r->pos += len;
    return true;
}

/* The next run, joined with what follows it in both arrays. */
static bool next(runs *r, run *out)
{
    if (!single(r, out)) return false;
    for (;;) {
        runs after = *r;
        run more;
        bool adjoins = single(&after, &more) && more.src == out->src + out->len && more.dst == out->dst + out->len;
        if (!adjoins) return true;
        out->len += more.len;
        *r = after;
    }
}

/* How many indices of an axis both have. Where one of them has all, or the blocks are the same, that is a number of one axis;
 * else runs are counted. */
int64_t tsl_part_common(const tsl_transfer *t, int d, const int from[2], const int to[2])
{
    runs r = start(t, d, from, to);
    tsl_axis A = t->from.axis[d], B = t->to.axis[d];
    const tsl_grid *g = t->from.g, *h = t->to.g;
    if (tsl_axis_size(g, A.over) == 1) return tsl_axis_before(h, B, r.to, r.n);
    if (tsl_axis_size(h, B.over) == 1) return tsl_axis_before(g, A, r.from, r.n);
    if (g == h && tsl_axis_same(g, A, B)) return r.from == r.to ? tsl_axis_before(g, A, r.from, r.n) : 0;
    int64_t count = 0;
    for (run piece; single(&r, &piece);) count += piece.len;
    return count;
}

void tsl_part_size(const tsl_transfer *t, const int from[2], const int to[2], int64_t size[2])
{
    size[0] = size[1] = 0;
    if (!tsl_layout_has(&t->from.layout, from) || !tsl_layout_has(&t->to.layout, to)) return;
    for (int d = 0; d < 2; ++d) size[d] = tsl_part_common(t, d, from, to);
}

static void *at(const tsl_matrix *a, int64_t i, int64_t j)
{
    return (char *)a->data + (size_t)(i + j * a->ld) * tsl_type_size(a->type);
}

/* m x n of B at (bi, bj) := op of A's at (ai, aj), or += */
static void move(const tsl_transfer *t, const tsl_matrix *A, int64_t ai, int64_t aj, const tsl_matrix *B, int64_t bi, int64_t bj,
                 int64_t m, int64_t n, tsl_op op, bool add)
{
    if (!tsl_on_device(A) && !tsl_on_device(B)) {
        tsl_rect(A->type, op, add, m, n, at(A, ai, aj), A->ld, at(B, bi, bj), B->ld);
        return;
    }
    bool turn = op & TSL_TRANS;
    void (*run)(tsl_context *x, tsl_grid *g, const tsl_call *c) = t->by_channel ? tsl_aside : tsl_locally;
    tsl_view from = {.mat = (tsl_matrix *)A, .i = ai, .j = aj, .m = turn ? n : m, .n = turn ? m : n, .op = op};
    tsl_view to = {.mat = (tsl_matrix *)B, .i = bi, .j = bj, .m = m, .n = n};
    run(t->x, t->g, &(tsl_call){.op = add ? TSL_OP_GEADD : TSL_OP_COPY, .alpha = 1, .beta = 1, .v = {from, to}});
}

void tsl_part_move(const tsl_transfer *t, const int from[2], const int to[2], tsl_part_way way, const tsl_matrix *buffer)
{
    const tsl_end *A = &t->from;
    run col, row;
    if (tsl_is_told(t->g)) {
        int64_t size[2];
        tsl_part_size(t, from, to, size);
        bool device = tsl_on_device(A->local) || tsl_on_device(t->to.local);
        tsl_tell_move(t->g, (double)tsl_dense_bytes(A->local->type, size[0], size[1]), device);
    }
    if (t->g->failed) return;
    for (runs c = start(t, 1, from, to); next(&c, &col);)
        for (runs r = start(t, 0, from, to); next(&r, &row);) {
            int64_t ai = A->turned ? col.src : row.src, aj = A->turned ? row.src : col.src;
            if (way == TSL_PACK) move(t, A->local, ai, aj, buffer, row.pos, col.pos, row.len, col.len, t->op, false);
            else if (way == TSL_THROUGH) move(t, A->local, ai, aj, t->to.local, row.dst, col.dst, row.len, col.len, t->op, false);
            else move(t, buffer, row.pos, col.pos, t->to.local, row.dst, col.dst, row.len, col.len, TSL_NOTRANS, way == TSL_ADD);
        }
}

bool tsl_part_dense(const tsl_transfer *t, const tsl_end *e, const int from[2], const int to[2], void **p)
{
    bool source = e == &t->from;
    runs rows = start(t, 0, from, to), cols = start(t, 1, from, to);
    run row, col, more;
    if (source && t->op != TSL_NOTRANS) return false;
    if (!next(&rows, &row) || !next(&cols, &col) || next(&rows, &more) || next(&cols, &more)) return false;
    if (col.len > 1 && e->local->ld != row.len) return false;
    *p = e->local->data ? at(e->local, source ? row.src : row.dst, source ? col.src : col.dst) : NULL;
    return true;
}
