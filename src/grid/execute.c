/* From a public call on distributed views to what computes it. */
#include <string.h>

#include "algo/algo.h"
#include "grid/form/form.h"

typedef void (*native)(tsl_context *x, const tsl_call *c);

/* What an operation is computed by in one go. Without one, and without a text, it is computed in one place. */
#define tsl_dist_none NULL
static const native forms[TSL_OP_COUNT] = {
#define TSL_OPERATION(id, name, types, traits, weight, flops, host, cuda, batch, grid, ...) tsl_dist_##grid,
#include "core/ops.def"
#undef TSL_OPERATION
};

/* Does a caller who names this variant get it here? */
static bool takes(int variant) { return tsl_variant_is(variant, TSL_ON_GRIDS); }

/* The variant, asked for by name or the first there is, that cuts a call too large to be computed in one go, or all of an
 * operation without a form of its own; NO_TEXT: there is none. */
enum { NO_TEXT = TSL_BY_RULE };
static int text_of(const tsl_context *x, tsl_opcode op)
{
    int variant;
    if (tsl_find_variant(op, x->variant, &variant) && variant >= 0 && takes(variant)) return variant;
    return tsl_variant_for(op, TSL_ON_GRIDS);
}

/* Is it computed on one process? */
static bool in_place(const tsl_context *x, tsl_opcode op) { return !forms[op] && text_of(x, op) == NO_TEXT; }

/* A step of the host's cores: by all that have a copy of what it is about, or in one place */
static void by_host(tsl_context *x, const tsl_call *c)
{
    (forms[c->op] == tsl_dist_copies ? tsl_dist_copies : tsl_dist_place)(x, c);
}

/* The order of what is cut: a triangle, or the columns of a panel. */
static int64_t order(const tsl_call *c) { return tsl_trait(c->op, TSL_PANEL) ? c->v[0].n : c->v[0].m; }

static bool looks_ahead(tsl_opcode op) { return tsl_variant_for(op, TSL_LOOKS_AHEAD) != NO_TEXT; }

/* What a text that looks ahead sweeps through, its panels seen as rows; up: from the last one on */
typedef struct swept {
    tsl_view A;
    bool up;
    int64_t width; /* of panels: whole blocks */
} swept;

static swept sweep_of(const tsl_context *x, const tsl_call *c)
{
    bool cores = !x->dev->be->accelerator, solve = tsl_output(c->op) > 0; /* with the first operand */
    tsl_tri o = tsl_from_left(c);
    tsl_view A = solve ? o.B : tsl_trans(tsl_general(tsl_as_lower(c->v[0])));
    tsl_axis a = tsl_seen_axis(A, 0);
    int lines = tsl_axis_size(tsl_grid_of(A), a.over);
    return (swept){A, solve && tsl_triangle(o.A) == TSL_UPPER, (solve ? tsl_width_solve : tsl_width_ahead)(cores, a.nb, lines)};
}

/* After k of it: up to the edge of a block, and further blocks */
static int64_t panel_ahead(const tsl_context *x, const tsl_call *c, int64_t k)
{
    const tsl_grid *g = tsl_grid_of(c->v[0]);
    swept s = sweep_of(x, c);
    tsl_axis a = tsl_seen_axis(s.A, 0);
    int64_t left = tsl_rows(s.A) - tsl_min(k, tsl_rows(s.A));
    const tsl_sample *o = &g->sample;
    if (k == 0 && o->step < o->first && o->jump) return o->jump;
    if (o->step > o->first && tsl_is_left_out(g)) return left;
    int64_t first = s.up ? (a.offset + left - 1) % a.nb + 1 : a.nb - (a.offset + k) % a.nb;
    return tsl_min(left, first + s.width - a.nb);
}

/* What is computed in one go: of a factorization or a solve that can look ahead a panel of that; else a triangle no larger than
 * the blocks it is distributed in, which one process can have. */
static int64_t block(const tsl_context *x, const tsl_call *c)
{
    const tsl_layout *l = &tsl_dist(c->v[0])->layout;
    const tsl_axis *a = l->rows.over ? &l->rows : &l->cols;
    if (looks_ahead(c->op)) return sweep_of(x, c).width;
    return a->over ? a->nb : INT64_MAX / 2;
}

/* The operand that has the factors of reflectors: a number for each column; NO_FACTORS: it has no reflectors */
enum { NO_FACTORS = -1 };
static int factors_of(tsl_opcode op)
{
    for (int i = 0; i < tsl_ops[op].operands; ++i)
        if (tsl_per_column(op, i) && tsl_ops[op].operand[i].element == TSL_OF_TYPE) return i;
    return NO_FACTORS;
}

/* Of QR a panel of the columns of A as they are distributed, of a few small blocks'; what is multiplied by Q may be more at
 * once. */
static int64_t reflectors(const tsl_call *c)
{
    tsl_axis a = tsl_seen_axis(c->v[0], 1);
    int64_t least = tsl_only_read(c->op, factors_of(c->op)) ? TSL_WIDE_REFLECTORS : TSL_LEAST_PANEL;
    return tsl_axis_size(tsl_grid_of(c->v[0]), a.over) == 1 ? TSL_WIDE_REFLECTORS : tsl_width_blocks(least, a.nb) * a.nb;
}

/* A panel of a large triangle is several small blocks wide, so that products with it are efficient; its own triangle is then
 * cut into panels of one block, whose diagonal block is on one process. */
static int64_t panel(const tsl_context *x, const tsl_call *c)
{
    if (factors_of(c->op) != NO_FACTORS) return reflectors(c);
    int64_t nb = block(x, c), wide = tsl_width_blocks(TSL_WIDE_PANEL, nb) * nb;
    return order(c) > 2 * wide && !tsl_trait(c->op, TSL_PANEL) ? wide : nb;
}

/* In workspace until the text that asked for it returns. Along both dimensions of an operand: distributed as that is. */
static tsl_view temp(tsl_context *x, tsl_view A, tsl_view C, tsl_along along, tsl_type type, int64_t m, int64_t n)
{
    tsl_grid *g = tsl_grid_of(C);
    bool spread = along == TSL_ALONG_BOTH || along == TSL_IN_PANELS || along == TSL_IN_SHARES;
    tsl_layout l = spread ? tsl_dist(C)->layout : tsl_copies_layout(C);
    if (g->temps == TSL_MAX_TEMPS) tsl_grid_fail(g, TSL_ERR_MEMORY), --g->temps; /* in the rehearsal, and all comes to an end there */
    tsl_dmatrix *D = &g->temp[g->temps++];
    if (along == TSL_ALONG_ROWS || along == TSL_ALONG_COLS) /* of A's type */
        return tsl_work_like(x, D, tsl_panel_layout(C, along == TSL_ALONG_COLS), A, m, n);
    if (spread) l.rows = tsl_axis_shift(l.rows, C.i), l.cols = tsl_axis_shift(l.cols, C.j);
    return tsl_work_matrix(x, D, &l, type, m, n);
}

/* By its text, whose temporaries end with it */
static void by_text(tsl_context *x, const tsl_call *c, int variant)
{
    tsl_grid *g = tsl_grid_of(c->v[0]);
    tsl_work_mark mark = tsl_work_now(g);
    tsl_ahead_state outer = tsl_ahead_enter(g);
    int temps = g->temps;
    tsl_status st = tsl_text_of(variant)(x, c);
    if (st && !g->rehearsing) tsl_grid_fail(g, st); /* as on all processes */
    tsl_ahead_leave(x, g, outer);
    g->temps = temps;
    tsl_work_back(g, mark);
}

/* The outcome, where texts and tsl_info look for it */
static void leave_info(tsl_context *x, tsl_grid *g)
{
    tsl_channel_watch(x, g);
    tsl_status st = tsl_copy_word(x, x->run->info, &g->info, sizeof g->info, TSL_TO_DEVICE), late = tsl_work_wait(x, g);
    if (st || late) tsl_grid_fail(g, st ? st : late);
}

void tsl_share_info(tsl_context *x, tsl_grid *g)
{
    int64_t mine = g->info ? g->info : INT64_MAX, first = 0;
    if (g->rehearsing) return;
    tsl_channel_watch(x, g);
    tsl_all_reduce(g, &mine, &first, 1, TSL_SMALLEST);
    g->info = first == INT64_MAX ? 0 : first;
    leave_info(x, g);
}

/* Lanes are those of texts on the grid: what is done here by itself has its own. */
void tsl_perform(tsl_context *x, const void *arg)
{
    const tsl_call *given = arg;
    tsl_call c = tsl_simplified(given);
    int text = text_of(x, c.op);
    tsl_grid *g = tsl_grid_meant(x, c.v, tsl_ops[c.op].operands);
    tsl_opcode outer = g->text;
    tsl_one_run run;
    tsl_run_begin(x, &run);
    run.lane = TSL_MAIN;
    tsl_beside_finish(x, g, &c);
    tsl_ahead_ready(x, g, &c);
    if (!tsl_is_trivial(&c) && !tsl_product_in_place(x, &c)) {
        tsl_ahead_depart(x, g);
        g->text = c.op;
        bool part = outer != TSL_OP_COUNT && tsl_trait(outer, TSL_COMPOSITE) && g->sample.part == TSL_OP_COUNT;
        if (part) tsl_tell_part(g, c.op);
        bool says_how = text != NO_TEXT && tsl_variant_is(text, TSL_ONLY_ASKED) && outer != c.op; /* as to find pivots */
        if (text != NO_TEXT && (!forms[c.op] || order(&c) > block(x, &c) || says_how)) by_text(x, &c, text);
        else (forms[c.op] ? forms[c.op] : tsl_dist_place)(x, &c);
        if (part) tsl_tell_part(g, TSL_OP_COUNT);
        g->text = outer;
    }
    tsl_part_end(x);
    if (tsl_trait(c.op, TSL_HAS_INFO) && outer != c.op) tsl_share_info(x, g); /* not the blocks of one text: the next text may ask */
}

static bool same_processes(const tsl_grid *a, const tsl_grid *b)
{
    const tsl_wire_ops *ops = a->wire->ops;
    return a == b || (ops == b->wire->ops && ops->same(a->wire, b->wire));
}

static tsl_status check_variant(tsl_context *x, const tsl_call *c)
{
    const tsl_grid *g = tsl_grid_of(c->v[0]);
    return g->size[0] * g->size[1] > 1 ? tsl_check_variant(x, c, takes, " on a grid of processes") : TSL_OK;
}

/* An operand that is one number: every process may have a place of its own for it */
static bool is_number(tsl_opcode op, int i)
{
    const tsl_operand_info *o = &tsl_ops[op].operand[i];
    return !strcmp(o->rows, "1") && !strcmp(o->cols, "1");
}

static tsl_status check(tsl_context *x, const tsl_call *c, const tsl_grid *g)
{
    tsl_status st = tsl_check_operands(x, c);
    for (int i = 0; i < tsl_ops[c->op].operands && !st; ++i) {
        const tsl_grid *own = c->v[i].mat->remote ? tsl_grid_of(c->v[i]) : NULL;
        if (!own && (c->v[i].m == 0 || c->v[i].n == 0)) continue; /* nothing of it is anywhere */
        if (!own && (in_place(x, c->op) || is_number(c->op, i)) && tsl_is_word(c, i)) continue;
        const char *why = own && own != g ? g->wire->ops->refuses(g->wire) : NULL;
        if (why) st = tsl_fail(x, TSL_ERR_MPI, "%s: two grids cannot be compared: %s", tsl_ops[c->op].name, why);
        else if (!own) st = tsl_fail(x, TSL_ERR_GRID, "%s: %s is not distributed and others are", tsl_ops[c->op].name, tsl_ops[c->op].operand[i].name);
        else if (forms[c->op] == tsl_dist_copy ? !same_processes(own, g) : own != g)
            st = tsl_fail(x, TSL_ERR_GRID, "%s: %s is on another grid, of %d x %d, than others, of %d x %d",
                          tsl_ops[c->op].name, tsl_ops[c->op].operand[i].name, own->size[0], own->size[1], g->size[0], g->size[1]);
    }
    if (!st) st = tsl_rule[c->op]->check(x, c);
    if (!st) st = check_variant(x, c);
    if (st) return st;
    tsl_call s = tsl_simplified(c);
    return tsl_is_trivial(&s) ? TSL_OK : tsl_check_apart(x, &s, tsl_dist_locate);
}

/* What must be the same on all processes: the call, and what its steps depend on. */
static tsl_terms terms_of(const tsl_context *x, const tsl_call *c)
{
    tsl_terms t = {.call = tsl_ops[c->op].name, .kind = c->op};
    int64_t alpha[2], beta[2], arguments[TSL_ARGUMENT_WORDS], texts[TSL_OP_COUNT];
    bool by_text = text_of(x, c->op) != NO_TEXT;
    memcpy(alpha, &c->alpha, sizeof alpha);
    memcpy(beta, &c->beta, sizeof beta);
    tsl_term_operands(&t, c->op, c->v, tsl_ops[c->op].operands);
    tsl_argument_words(c, arguments);
    tsl_term_of(&t, "side, structure, kind, the precision, the accuracy or another argument", arguments, TSL_ARGUMENT_WORDS);
    tsl_term_of(&t, "alpha", alpha, 2);
    tsl_term_of(&t, "beta", beta, 2);
    tsl_term_add(&t, "how products are computed", x->run->products);
    if (by_text || forms[c->op] == tsl_dist_gemm)
        tsl_term_add(&t, "whether they compute in host memory", x->dev->shares_host);
    if (by_text) tsl_term_add(&t, "whether they compute on accelerators", x->dev->be->accelerator);
    for (int op = 0; op < TSL_OP_COUNT; ++op) texts[op] = by_text ? text_of(x, (tsl_opcode)op) : 0; /* one may call any other */
    tsl_term_of(&t, "the variant", texts, TSL_OP_COUNT);
    return t;
}

/* One process: the local arrays are the matrices. How far a call got that failed is not known; arguments are looked at
 * first. */
static tsl_call on_local_views(const tsl_call *given)
{
    tsl_call c = *given;
    for (int i = 0; i < tsl_ops[c.op].operands; ++i)
        if (c.v[i].mat->remote) c.v[i] = tsl_local(c.v[i]);
    return c;
}

static tsl_status alone(tsl_context *x, tsl_grid *g, const tsl_call *given)
{
    tsl_call c = on_local_views(given);
    tsl_status st = tsl_execute(x, &c);
    g->touched = st == TSL_OK || st == TSL_ERR_MEMORY || st == TSL_ERR_DEVICE_MEMORY || st == TSL_ERR_DEVICE;
    return st;
}

/* What is found wrong before the processes meet, as on all of them, or there is nobody to meet: *g is NULL then. */
static tsl_status find_grid(tsl_context *x, const tsl_call *c, tsl_grid **g)
{
    *g = NULL;
    for (int i = 0; i < tsl_ops[c->op].operands; ++i)
        if (c->v[i].mat && c->v[i].mat->remote && !tsl_is_dist(c->v[i]))
            return tsl_bad(x, c, i, c->v[i].mat->ctx != x ? TSL_ERR_CONTEXT : TSL_ERR_GRID);
    *g = tsl_grid_meant(x, c->v, tsl_ops[c->op].operands);
    return *g ? TSL_OK : tsl_check_operands(x, c); /* no operand has a matrix, and there is none whose grid is still there */
}

static tsl_status agree_on(tsl_context *x, const tsl_call *c)
{
    tsl_grid *g;
    tsl_status st = find_grid(x, c, &g);
    if (!g) return st;
    st = check(x, c, g);
    if (g->size[0] * g->size[1] == 1) {
        tsl_call here = on_local_views(c);
        return st ? st : tsl_check_call(x, &here, false);
    }
    tsl_terms terms = terms_of(x, c);
    return g->broken ? tsl_broken(x, g) : tsl_agree(x, g, st, &terms, NULL);
}

static tsl_status execute(tsl_context *x, const tsl_call *c)
{
    if (x->run->level > 0) {
        if (tsl_is_left_out(tsl_grid_of(c->v[0]))) return TSL_OK;
        if (!tsl_ahead_later(x, tsl_grid_of(c->v[0]), c)) tsl_perform(x, c);
        return TSL_OK; /* what failed here is kept until all processes are through */
    }
    tsl_grid *g;
    tsl_status st = find_grid(x, c, &g);
    if (!g) return st;
    g->info = 0;
    g->touched = false;
    g->text = TSL_OP_COUNT;
    g->temps = 0;
    g->origin = c->v[0].mat;
    g->origin_at = c->v[0].j;
    st = check(x, c, g);
    if (g->size[0] * g->size[1] == 1) return st ? st : alone(x, g, c);
    tsl_terms terms = terms_of(x, c);
    return tsl_collective(x, g, st, &terms, tsl_perform, c);
}

static int64_t info(tsl_view A) { return tsl_grid_of(A)->info; }

static void tell(tsl_context *x, tsl_view A, int64_t info)
{
    tsl_grid *g = tsl_grid_of(A);
    if (g->rehearsing) return;
    g->info = info;
    leave_info(x, g);
}

static int64_t next_step(tsl_view A, int64_t i, int64_t count) { return tsl_dist_next_step(tsl_grid_of(A), i, count); }

const tsl_remote_ops tsl_dist_ops = {execute, agree_on, tsl_dist_locate, check_variant, panel, panel_ahead, tsl_dist_bring,
                                     tsl_dist_meet, next_step, tsl_dist_beside, temp, tsl_dist_fill, tsl_dist_visit,
                                     tsl_dist_read, by_host, tsl_dist_fetch, info, tell, tsl_dist_release, sizeof(tsl_dmatrix)};
