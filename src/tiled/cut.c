/* Calls on tiled matrices: the same algorithms as on one device, with the tile size as the width of their panels, until every
 * operand lies in one tile; that is a task. On the caller's own array, which only cores compute on, products take several
 * tiles. */
#include <string.h>

#include "tiled/tiled.h"

enum {
    SLACK = 8,               /* slots for what is fetched ahead */
    LARGEST_COUNT = 1 << 12, /* parts a dimension is tried in */
};

/* Tiles the view reaches over, as seen. */
static int64_t over(int64_t at, int64_t count, int64_t nb) { return count ? (at + count - 1) / nb - at / nb + 1 : 0; }
static int64_t rows_over(const tsl_view *v)
{
    const struct tsl_tiles *a = v->mat->tiles;
    return v->op & TSL_TRANS ? over(v->j, v->n, a->nb) : over(v->i, v->m, a->mb);
}
static int64_t cols_over(const tsl_view *v)
{
    const struct tsl_tiles *a = v->mat->tiles;
    return v->op & TSL_TRANS ? over(v->i, v->m, a->mb) : over(v->j, v->n, a->nb);
}

/* The algorithm that cuts a call further so (core/variant.h) */
static tsl_algo text(tsl_opcode op, int flag)
{
    int variant = tsl_variant_for(op, flag);
    return variant >= 0 ? tsl_text_of(variant) : NULL;
}

/* What nothing cuts is computed in one place: a task, on operands brought together for it. */
bool tsl_is_in_one_place(tsl_opcode op)
{
    return !tsl_trait(op, TSL_ELEMENTWISE) && !text(op, TSL_CUTS_PIECES) && !text(op, TSL_CUTS_COLS);
}

static tsl_algo form(tsl_opcode op, int flag)
{
    return flag & TSL_CUTS_ALL && tsl_is_in_one_place(op) ? tsl_in_one_piece : text(op, flag);
}

/* What the caller asked for by name, or TSL_BY_RULE */
static int asked(const tsl_context *x, const tsl_call *c)
{
    int variant;
    bool has = tsl_depth(x) == 1 && tsl_find_variant(c->op, x->variant, &variant) && variant >= 0 && tsl_tiled_takes(variant);
    return has ? variant : TSL_BY_RULE;
}

static tsl_algo named(const tsl_context *x, const tsl_call *c)
{
    int variant = asked(x, c);
    return variant >= 0 ? tsl_text_of(variant) : NULL;
}

/* A variant of which a task must know, since its result is another */
static bool is_other(const tsl_context *x, const tsl_call *c)
{
    int variant = asked(x, c);
    return variant >= 0 && tsl_variant_is(variant, TSL_ONLY_ASKED);
}

/* Not along the right-hand sides. A triangle whose tiles are its rows, as seen, is solved with row by row: a column of it would
 * be many tiles. */
static tsl_algo across_them(const tsl_call *c, int flag)
{
    bool by_rows = c->side == TSL_LEFT && cols_over(&c->v[0]) == 1 && rows_over(&c->v[0]) > 1;
    tsl_algo rows = by_rows ? form(c->op, TSL_CUTS_TRIANGLE_ROWS) : NULL;
    return rows ? rows : form(c->op, flag);
}

static bool others_in_one_tile(const tsl_call *c)
{
    bool one = true;
    for (int i = 0; i < tsl_ops[c->op].operands; ++i) one = one && (i == tsl_output(c->op) || tsl_in_one_tile(&c->v[i]));
    return one;
}

/* Tiles of a result `across` tiles high, or of its transpose, that a panel may be wide. While it is computed the panel stays on
 * the devices, distributed over them; what passes by is a column as high, and before those of the last step are forgotten a
 * row, twice. Of tiles as high as the result there are no rows. */
static int64_t width(const tsl_context *x, int64_t across)
{
    int64_t devices = x->device_count, free = x->run->slots - SLACK - across;
    return tsl_max(1, across == 1 ? free * devices : free * devices / (across + 2 * devices));
}

/* Of C := A B, m x n tiles, the block P x Q that stays: A passes by once for every n/Q, B for every m/P. */
static void choose_block(const tsl_context *x, int64_t m, int64_t n, int64_t *P, int64_t *Q)
{
    int64_t devices = x->device_count, best = INT64_MAX;
    *P = *Q = 1;
    for (int64_t parts = 1; parts <= n && parts <= LARGEST_COUNT; ++parts) {
        int64_t q = tsl_pieces(n, parts), p = tsl_min(m, (x->run->slots - SLACK - 2 * q) * devices / (q + devices));
        if (p < 1) continue;
        int64_t blocks = tsl_pieces(m, p), moved = parts * m + blocks * n;
        if (moved >= best) continue;
        best = moved;
        *P = tsl_pieces(m, blocks); /* of one size */
        *Q = q;
    }
}

static int64_t of_one_size(int64_t tiles, int64_t most) { return tsl_pieces(tiles, tsl_pieces(tiles, most)); }

/* The same where all fits: no larger than it must be for the devices to be busy, so that its last results, which come together,
 * are few. */
static void usual_block(const tsl_context *x, const tsl_call *c, int64_t m, int64_t n, int64_t *P, int64_t *Q)
{
    int64_t side = tsl_pieces(tsl_tuned(x, TSL_TUNED_PRODUCT_BLOCK), c->v[0].mat->tile), shares = 1;
    while (shares * shares < x->device_count) ++shares; /* each device has its part of the block */
    *P = of_one_size(m, side * shares);
    *Q = of_one_size(n, side * shares);
}

static tsl_algo with_panel(tsl_call *c, int64_t tiles, tsl_algo algorithm)
{
    c->panel = tiles * c->v[0].mat->tile;
    return algorithm;
}

/* The result in blocks, each of which is finished before the next; in a block the inner dimension outermost, so that what is
 * read passes by once, and the first products need no more than a tile of each factor. */
static tsl_algo by_blocks(const tsl_context *x, tsl_call *c)
{
    int64_t rows = rows_over(&c->v[2]), cols = cols_over(&c->v[2]), P, Q;
    if (x->run->slots) choose_block(x, rows, cols, &P, &Q);
    else usual_block(x, c, rows, cols, &P, &Q);
    if (cols > Q) return with_panel(c, Q, tsl_gemm_mp);
    if (rows > P) return with_panel(c, P, tsl_gemm_pm);
    return cols_over(&c->v[0]) > 1 ? tsl_gemm_pp : rows > 1 ? tsl_gemm_pm : tsl_gemm_mp;
}

static tsl_algo cut(const tsl_context *x, tsl_call *c)
{
    const tsl_view *out = &c->v[tsl_output(c->op)];
    bool left = c->side == TSL_LEFT;
    tsl_algo asked = named(x, c), once = x->runtime->in_order ? form(c->op, TSL_WRITES_ONCE) : NULL;
    tsl_algo alone = form(c->op, TSL_CUTS_RESULT_ALONE);
    if (asked) return asked;
    if (once) return once;
    if (tsl_is_general_product(c->op) && x->runtime->in_order && !tsl_in_place(out)) return by_blocks(x, c);
    if (alone && cols_over(out) > 1 && others_in_one_tile(c)) return alone;
    if ((left ? cols_over(out) : rows_over(out)) > 1) return form(c->op, TSL_CUTS_COLS);
    return across_them(c, (left ? rows_over(out) : cols_over(out)) > 1 ? TSL_CUTS_ROWS : TSL_CUTS_INNER);
}

/* A matrix that fits as a whole goes tile by tile. Of one whose tiles are as high as it is, one at a time passes by. */
int64_t tsl_tiled_panel(const tsl_context *x, const tsl_call *c, int64_t k, int64_t nb)
{
    if (!x->run->slots) return nb;
    int64_t tiles = rows_over(&c->v[0]);
    if (tiles == 1) return width(x, 1) < cols_over(&c->v[0]) ? nb * width(x, 1) : nb;
    return width(x, tiles) < tiles ? nb * width(x, tiles - k / nb) : nb;
}

/* Where not all tiles fit: the result in blocks that do. Only where a tile is still written in the same order: bits do not
 * depend on memory. */
static tsl_algo cut_short(const tsl_context *x, tsl_call *c)
{
    const tsl_view *out = &c->v[tsl_output(c->op)];
    bool left = c->side == TSL_LEFT;
    int64_t rows = rows_over(out), cols = cols_over(out), along = left ? cols : rows, w = width(x, left ? rows : cols);
    int64_t inner = cols_over(&c->v[0]), order = tsl_operand_is(c->op, 0, TSL_IS_TRIANGLE) ? tsl_max(rows_over(&c->v[0]), inner) : inner;
    tsl_algo asked = named(x, c), panels = along > w ? form(c->op, TSL_BY_PANELS) : NULL;
    tsl_algo late = along > w ? form(c->op, TSL_FINDS_PANELS) : NULL;
    if (asked) return asked;
    if (tsl_is_general_product(c->op)) return by_blocks(x, c);
    if (panels) return with_panel(c, w, panels);
    if (late) return late;
    return order > 1 && form(c->op, TSL_INNER_FIRST) ? across_them(c, TSL_INNER_FIRST) : cut(x, c);
}

static bool elementwise(tsl_opcode op) { return tsl_trait(op, TSL_ELEMENTWISE); }

bool tsl_is_in_pieces(tsl_opcode op) { return text(op, TSL_CUTS_PIECES); }

bool tsl_takes_any_tiles(tsl_opcode op) { return elementwise(op) || tsl_is_in_pieces(op) || tsl_is_in_one_place(op); }

bool tsl_tiled_takes(int variant)
{
    return tsl_variant_is(variant, TSL_NAMED_BY_TILES) || tsl_variant_is(variant, TSL_CUTS_ALL);
}

/* Multiplications, and as much again for what is bound by latency: the order of the critical path, not a time. */
static double weight_of(const tsl_call *c)
{
    const tsl_view *out = &c->v[tsl_output(c->op)];
    double elements = (double)out->m * (double)out->n, each = (double)tsl_cols(c->v[0]) * tsl_ops[c->op].weight;
    return each > 0 ? elements * each : elements;
}

bool tsl_is_one_task(tsl_opcode op) { return tsl_trait(op, TSL_ONE_PIECE) || tsl_is_in_one_place(op); }

/* Is it one of the operations that are by vectors, or does an algorithm of one make it? */
static bool by_vectors(const tsl_context *x, const tsl_call *c)
{
    const tsl_one_run *run = x->run;
    while (run && !(run->cut && tsl_trait(run->cut->op, TSL_BY_VECTORS))) run = run->outer;
    return run || tsl_trait(c->op, TSL_BY_VECTORS);
}

/* Do not all devices have room for the task? The cores have. Before a call begins room is counted for tasks of its tiles. Larger
 * are those in one piece, an algorithm's copies from and to such a piece and, when the call is at work, what else meets one.
 * Where vectors are multiplied nearly all do, and nothing is refused. */
static bool is_large(tsl_context *x, const tsl_call *c)
{
    bool vectors = by_vectors(x, c), inside = x->run->level > 1 && (tsl_trait(c->op, TSL_COPIES) || !x->run->dry_run);
    return (inside || vectors || tsl_is_one_task(c->op)) && !tsl_task_fits(x, c, vectors || tsl_is_one_task(c->op));
}

/* An algorithm's copy of a row or column of a tile: where not all fits that does not come to a device for it. */
static bool is_small(const tsl_context *x, const tsl_call *c)
{
    enum { SHARE = 16 };
    bool copies = x->run->slots && x->run->level > 1 && tsl_trait(c->op, TSL_COPIES);
    const tsl_tile *from = copies ? tsl_tile_at(&c->v[0]) : NULL, *to = copies ? tsl_tile_at(&c->v[1]) : NULL;
    int64_t elements = from && to ? tsl_max(from->m * from->n, to->m * to->n) : 0;
    return elements > 0 && tsl_min(c->v[0].m, c->v[0].n) == 1 && c->v[0].m * c->v[0].n <= elements / SHARE;
}

static bool is_for_cores(tsl_context *x, const tsl_call *c)
{
    const struct tsl_tiles *a = c->v[0].mat->tiles;
    return x->run->on_cores || is_large(x, c) || is_small(x, c) ||
           (tsl_trait(c->op, TSL_DIAGONAL_BLOCKS) && tsl_diagonal_on(x, c->op, a->type, a->nb).on_cores);
}

static tsl_status submit(tsl_context *x, const tsl_call *c)
{
    tsl_runtime *rt = x->runtime;
    if (x->run->dry_run) return x->run->on_cores || is_large(x, c) ? TSL_OK : tsl_dry_run_task(x->run->dry_run, c);
    tsl_hints hints = {.weight = weight_of(c), .flops = x->watch.on ? tsl_work_of(c) : 0, .on_cores = is_for_cores(x, c),
                       .info_base = tsl_info_base(x, &c->v[0]), .products = x->run->products};
    tsl_status st = hints.on_cores ? tsl_runtime_host(rt) : TSL_OK;
    if (st) return st;
    tsl_runtime_lock(rt);
    st = tsl_submit(rt, c, hints);
    tsl_runtime_unlock(rt);
    if (!st) tsl_watch_submitted(x, hints.flops);
    return st;
}

/* A product whose result is a column of tiles, in place like its first factor. */
static bool is_column(const tsl_call *c)
{
    return tsl_is_general_product(c->op) && tsl_in_place(&c->v[0]) && tsl_in_place(&c->v[2]) && cols_over(&c->v[2]) == 1;
}

/* Of tiles that adjoin in memory a task takes several at once: the second factor is read and packed once for all of them. A
 * short column, which comes where cores wait for each other, still makes as many tasks as half of them, up to a number. */
static tsl_status submit_column(tsl_context *x, const tsl_call *c)
{
    int64_t parts = tsl_max(1, tsl_min(tsl_tuned_for(false, TSL_TUNED_COLUMN_TASKS), tsl_blas_cores() / 2)),
            tall = tsl_max(1, tsl_min(TSL_STRIP, rows_over(&c->v[2]) / parts));
    int64_t m = tsl_rows(c->v[2]), mb = c->v[2].mat->tiles->mb * tall;
    tsl_status st = TSL_OK;
    for (int64_t k = 0; k < m && !st; k += mb) {
        tsl_call strip = *c;
        strip.v[0] = tsl_block_rows(c->v[0], k, mb).A1;
        strip.v[2] = tsl_block_rows(c->v[2], k, mb).A1;
        st = submit(x, &strip);
    }
    return st;
}

/* Columns of the result, as seen, up to the end of the tile they begin inside of; 0: they begin with one, or end in it. */
static int64_t lead(const tsl_view *v)
{
    bool turned = v->op & TSL_TRANS;
    int64_t nb = turned ? v->mat->tiles->mb : v->mat->tiles->nb, at = (turned ? v->i : v->j) % nb;
    return at && at + tsl_cols(*v) > nb ? nb - at : 0;
}

/* What is past the diagonal of a matrix with more columns than rows begins inside a tile: columns up to its end first, then the
 * rest, of all operands that have the result's columns. */
static tsl_status run_lead(tsl_context *x, const tsl_call *c, int64_t columns)
{
    int out = tsl_output(c->op);
    tsl_call first = *c, rest = *c;
    const tsl_operand_info *operand = tsl_ops[c->op].operand;
    for (int i = 0; i < tsl_ops[c->op].operands; ++i) {
        if (strcmp(operand[i].cols, operand[out].cols)) continue;
        tsl_strips S = tsl_block_cols(c->v[i], 0, columns);
        first.v[i] = S.A1;
        rest.v[i] = S.A2;
    }
    tsl_status st = tsl_tiled_run(x, &first);
    return st ? st : tsl_tiled_run(x, &rest);
}

/* The same along its rows */
static int64_t rows_lead(const tsl_view *v)
{
    tsl_view turned = tsl_trans(*v);
    return lead(&turned);
}

/* The two calls into which a product is cut whose rows, or inner dimension, begin inside a tile, as a block of a Schur form
 * may: up to its end, and the rest. False: they do not. */
static bool begins_inside(const tsl_call *c, tsl_call *first, tsl_call *rest)
{
    if (!tsl_is_general_product(c->op)) return false;
    int64_t rows = rows_lead(&c->v[2]), of_a = lead(&c->v[0]), of_b = rows_lead(&c->v[1]), inner = of_a &&
            of_b ? tsl_min(of_a, of_b) : of_a + of_b;
    tsl_strips A = rows ? tsl_block_rows(c->v[0], 0, rows) : tsl_block_cols(c->v[0], 0, inner);
    tsl_strips B = tsl_block_rows(c->v[1], 0, inner), C = tsl_block_rows(c->v[2], 0, rows);
    *first = *rest = *c;
    first->v[0] = A.A1, rest->v[0] = A.A2;
    if (rows) first->v[2] = C.A1, rest->v[2] = C.A2;
    else first->v[1] = B.A1, rest->v[1] = B.A2, rest->beta = 1;
    return rows || inner;
}

/* Rows and columns, as seen, up to the end of the tile that the view begins in */
static int64_t rows_to_end(const tsl_view *v)
{
    const struct tsl_tiles *a = v->mat->tiles;
    return v->op & TSL_TRANS ? a->nb - v->j % a->nb : a->mb - v->i % a->mb;
}
static int64_t cols_to_end(const tsl_view *v)
{
    const struct tsl_tiles *a = v->mat->tiles;
    return v->op & TSL_TRANS ? a->mb - v->i % a->mb : a->nb - v->j % a->nb;
}

/* A product whose result lies in one tile, but whose factors' tiles end within its rows or columns, or not together along the
 * inner dimension: as where tiles of the one are as high as its matrix, and of another as wide. In two, where the first of
 * these tiles ends. False: it is not one. */
static bool split(const tsl_call *c, tsl_call *first, tsl_call *rest)
{
    if (!tsl_is_general_product(c->op) || !tsl_in_one_tile(&c->v[2])) return false;
    int64_t m = rows_to_end(&c->v[0]), n = cols_to_end(&c->v[1]), ka = cols_to_end(&c->v[0]), kb = rows_to_end(&c->v[1]), k = tsl_min(ka, kb);
    *first = *rest = *c;
    if (m < tsl_rows(c->v[2])) {
        tsl_strips A = tsl_block_rows(c->v[0], 0, m), C = tsl_block_rows(c->v[2], 0, m);
        first->v[0] = A.A1, first->v[2] = C.A1, rest->v[0] = A.A2, rest->v[2] = C.A2;
    } else if (n < tsl_cols(c->v[2])) {
        tsl_strips B = tsl_block_cols(c->v[1], 0, n), C = tsl_block_cols(c->v[2], 0, n);
        first->v[1] = B.A1, first->v[2] = C.A1, rest->v[1] = B.A2, rest->v[2] = C.A2;
    } else if (k < tsl_cols(c->v[0]) && (ka != kb || k < c->v[0].mat->tile)) {
        tsl_strips A = tsl_block_cols(c->v[0], 0, k), B = tsl_block_rows(c->v[1], 0, k);
        first->v[0] = A.A1, first->v[1] = B.A1, rest->v[0] = A.A2, rest->v[1] = B.A2, rest->beta = 1;
    } else
        return false;
    return true;
}

static bool by_columns(const tsl_call *c) { return tsl_trait(c->op, TSL_BY_COLUMNS) && c->side == TSL_LEFT; }

static bool one_tile(const tsl_call *c, int i)
{
    return tsl_is_one_task(c->op) ? tsl_lies_in_one(c->v[i]) : tsl_in_one_tile(&c->v[i]);
}

tsl_status tsl_tiled_run(tsl_context *x, const tsl_call *c)
{
    if (tsl_is_trivial(c)) return TSL_OK; /* an empty operand lies in no tile */
    bool one = (!tsl_trait(c->op, TSL_COMPOSITE) || tsl_is_in_one_place(c->op)) &&
               tsl_trait(c->op, TSL_NUMBER) == c->numbered; /* the caller's number is none of a task's */
    for (int i = 0; i < tsl_operands(c); ++i) one = one && one_tile(c, i);
    if (one && !is_other(x, c)) return submit(x, c);
    if (elementwise(c->op)) return tsl_tiled_blocks(x, c, submit);
    if (form(c->op, TSL_CUTS_PIECES)) return tsl_run_algorithm(x, c, form(c->op, TSL_CUTS_PIECES));
    int64_t columns = by_columns(c) ? lead(&c->v[tsl_output(c->op)]) : 0;
    tsl_call by = *c, rest;
    if (columns) return run_lead(x, c, columns);
    if (begins_inside(c, &by, &rest)) {
        tsl_status st = tsl_tiled_run(x, &by);
        return st ? st : tsl_tiled_run(x, &rest);
    }
    if (is_column(c)) /* cut along the inner dimension first: its tiles are to stay together */
        return tsl_in_one_tile(&c->v[1]) ? submit_column(x, c) : tsl_run_algorithm(x, c, tsl_gemm_pp);
    if (split(c, &by, &rest)) {
        tsl_status st = tsl_tiled_run(x, &by);
        return st ? st : tsl_tiled_run(x, &rest);
    }
    by = *c;
    tsl_algo algorithm = x->run->slots ? cut_short(x, &by) : cut(x, &by);
    return tsl_run_algorithm(x, &by, algorithm);
}
