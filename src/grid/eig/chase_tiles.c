/* From a band to tridiagonal form by several accelerators (chase_tiles.h). All go through the same steps. In step i process q
 * is at group i - q of the sweeps, and makes these in its first region. What that took of its neighbour's columns goes back,
 * and its own that were lent come back. It makes the sweeps in its second region, and lends to the next process what that will
 * take. So nobody waits for more than a step of a neighbour, and all have as much to do, until their columns are tridiagonal.
 *
 * Reflectors are kept in pieces. One sets out for the processes that have them when the last process is through with it; until
 * then the first ones are at later pieces. On cores the bits are those of one process. A GPU has both triangles of a block
 * between sweeps, which its memory has not: there they depend on the regions. */
#include <math.h>

#include "core/numbers/largest.h"
#include "grid/eig/chase_tiles.h"
#include "grid/eig/sweeps.h"

enum { TOGETHER = 1024 }; /* sweeps of a piece, by several processes */
enum { WIDEST = 2 };      /* kd, of a group: more chunks than an accelerator has room for would be under way */

typedef struct chase {
    tsl_context *x;
    tsl_grid *g;
    tsl_tiling k;
    tsl_type type;
    tsl_dmatrix of[3], home[2][2];
    tsl_view W, R, T;            /* here */
    tsl_view AB, V, tau;         /* the call's; pieces go to the last two */
    tsl_kept_piece *kept, spare; /* as many as are in use at a time; in a rehearsal there is one */
    int64_t pieces, lag, turns;  /* a piece sets out so many pieces after it has begun; room for so many */
    tsl_hands hands;
    tsl_transfer way[2];
    bool flies;                  /* a piece is under way */
} chase;

/* Regions as wide as a group has sweeps, or wider, so that none gives on what it has taken. Of p processes with groups of c kd
 * sweeps; false: there are not that many columns. The last process has some less, so that factors of a piece, whose chunks move
 * up meanwhile, are its own too. */
static bool tile(tsl_tiling *k, int64_t p, int64_t c)
{
    int64_t w = c * k->kd, chunks = tsl_pieces(k->n - 1, k->kd);
    int64_t each = tsl_pieces(k->n + tsl_min(TOGETHER, k->n / 16), p * w) * c;
    int64_t last = k->n - 1 - (p - 1) * each * k->kd - each / 2 * k->kd; /* columns of the last region */
    if (each / 2 < w || last < k->kd) return false;
    k->processes = (int)p, k->w = w, k->own = each * k->kd, k->half = each / 2;
    k->reach = (w - 1) * (k->kd - 1) + 1, k->above = w - 1;
    k->per = tsl_max(1, tsl_min(TOGETHER / w, tsl_min(k->half, p * each - chunks) / c));
    k->drift = (k->per - 1) * c;
    return true;
}

/* In a round chunks make a step each, up to `room` of them at once; a chunk has a turn every other round. Rounds of w sweeps
 * through so many chunks, of which the next sweep's are behind */
static double rounds(double w, double chunks, double room) { return tsl_larger(2 * w + chunks, 2 * w * chunks / room); }

/* Of the whole chase. One process has fewer chunks from sweep to sweep; of several each has as many until a region is empty. */
static double all_rounds(const tsl_tiling *k, double room)
{
    double n = (double)k->n, w = (double)k->w, chunks = n / (double)k->kd;
    if (k->processes > 1) return 2 * (n / w + k->processes - 1) * rounds(w, (double)k->half, room);
    return n / w * chunks / 2 + n * (chunks > room ? chunks / room + room / chunks : 2);
}

static tsl_tiling tiling(tsl_context *x, const tsl_grid *g, int64_t n, int64_t kd, bool keeps)
{
    tsl_tiling k = {.n = n, .kd = kd, .processes = 1, .w = tsl_sweeps_together(x, n, kd), .own = tsl_pieces(n, kd) * kd,
                    .reach = 1, .per = 1, .me = tsl_axis_index(g, TSL_OVER_ALL, g->at), .keeps = keeps};
    double room = g->chunks ? (double)g->chunks : HUGE_VAL, least = g->chunks ? all_rounds(&k, room) : HUGE_VAL;
    for (int64_t p = tsl_min(tsl_axis_size(g, TSL_OVER_ALL), n / kd); p > 1; --p)
        for (int64_t c = 1; c <= WIDEST; ++c) {
            tsl_tiling other = k;
            if (!tile(&other, p, c) || all_rounds(&other, room) >= least) continue;
            k = other, least = all_rounds(&k, room);
        }
    k.groups = tsl_pieces(n - 1, k.w);
    return k;
}

static bool takes_part(const chase *c) { return c->k.me < c->k.processes; }
static int64_t sweeps_of(const tsl_tiling *k, int64_t group) { return tsl_min(k->w, k->n - 1 - group * k->w); }
static tsl_kept_piece *piece_of(chase *c, int64_t group)
{
    return c->g->rehearsing ? &c->spare : &c->kept[group / c->k.per % c->turns];
}

static void clear(chase *c, const tsl_kept_piece *p)
{
    tsl_locally(c->x, c->g, &(tsl_call){.op = TSL_OP_SCALE, .v = {p->V}});
    tsl_locally(c->x, c->g, &(tsl_call){.op = TSL_OP_SCALE, .v = {p->tau}});
}

/* A dense matrix here, zero */
static tsl_view zeros(chase *c, tsl_matrix *A, tsl_type type, int64_t m, int64_t n)
{
    tsl_view v = tsl_work_dense(c->x, c->g, A, type, takes_part(c) ? m : 0, n);
    tsl_locally(c->x, c->g, &(tsl_call){.op = TSL_OP_SCALE, .v = {v}});
    return v;
}

/* What is here from element (i, j) of v on, as this process's part of a distributed matrix */
static tsl_view described(chase *c, tsl_dmatrix *D, tsl_axis rows, tsl_axis cols, int64_t m, int64_t n, tsl_view v, int64_t i,
                          int64_t j)
{
    tsl_layout l = tsl_layout_whole(c->g, TSL_EVERY, TSL_EVERY);
    l.rows = rows.over ? rows : l.rows, l.cols = cols.over ? cols : l.cols;
    l.scheme = TSL_ON_DEVICE;
    if (!rows.over && !cols.over) l.row = l.col = 0;
    tsl_dist_describe(D, c->x, &l, v.mat->type, m, n);
    D->local.data = v.mat->data ? tsl_here(v, i, j) : NULL, D->local.ld = v.mat->ld;
    return tsl_whole(&D->head);
}

static const tsl_axis whole = {TSL_OVER_NONE, 1, 0};

/* The band, each column with the process that has it */
static void deal(chase *c)
{
    const tsl_tiling *k = &c->k;
    tsl_view AB = c->AB;
    int64_t rows = tsl_min(AB.m, k->kd + 1);
    tsl_dmatrix D[2];
    tsl_view first = described(c, &D[0], whole, whole, 2 * k->kd, 1, c->W, 0, k->reach - 1);
    tsl_view rest = described(c, &D[1], whole, (tsl_axis){TSL_OVER_ALL, k->own, 0}, 2 * k->kd, k->n - 1, c->W, 0, k->reach);
    tsl_transfer_now(c->x, tsl_sub(AB, 0, 0, rows, 1), tsl_sub(first, 0, 0, rows, 1), false);
    tsl_transfer_now(c->x, tsl_sub(AB, 0, 1, rows, k->n - 1), tsl_sub(rest, 0, 0, rows, k->n - 1), false);
}

/* The chunks of a region of process `me` in a group's sweeps, from its `from`-th on; to: and before that one, 0: all that
 * follow */
static void chunks(chase *c, int64_t group, int64_t from, int64_t to)
{
    const tsl_tiling *k = &c->k;
    const tsl_kept_piece *p = piece_of(c, group);
    int64_t sweeps = sweeps_of(k, group), own = tsl_chunk_of(k, group, k->me), before = 1 + k->me * k->own - k->reach;
    int64_t begin = tsl_max(0, own + from), end = to ? own + to : 0, low = tsl_max(0, begin - (sweeps - 1));
    int64_t row = tsl_element_row(k, group), column = group % k->per * k->w;
    tsl_view none = tsl_sub(c->W, 0, 0, 0, 0);
    if (to && end <= 0) return;
    tsl_call call = {.op = TSL_OP_SB2ST_SOME, .k = sweeps,
                     .sweeps = {k->n - before, group * k->w + 1 - before, begin, end},
                     .v = {c->W, tsl_sub(c->T, row, 0, sweeps + 1, 1), tsl_sub(c->T, row, 1, sweeps, 1), none, none,
                           tsl_sub(c->R, 0, 0, k->kd + 1, sweeps)}};
    if (k->keeps) {
        int64_t first = tsl_factor_row(k, group, low);
        call.v[3] = tsl_sub(p->V, 0, column, c->W.n, sweeps);
        call.v[4] = tsl_sub(p->tau, first, column, p->tau.m - first, sweeps);
    }
    tsl_locally(c->x, c->g, &call);
}

/* Do process q and the one after it have to do with each other in a group? Until that is past q's columns. */
static bool meet(const tsl_tiling *k, int64_t q, int64_t group)
{
    return q >= 0 && q + 1 < k->processes && group >= 0 && group < k->groups && tsl_chunk_of(k, group, q + 1) > 0;
}

static void step(chase *c, int64_t number)
{
    const tsl_tiling *k = &c->k;
    int64_t group = number - k->me, each = k->own / k->kd;
    bool works = takes_part(c) && group >= 0 && group < k->groups, last = k->me == k->processes - 1;
    if (works && k->half) chunks(c, group, 0, k->half);
    tsl_hand_left(&c->hands, works && meet(k, k->me - 1, group) ? piece_of(c, group) : NULL,
                  meet(k, k->me, group - 1) ? piece_of(c, group - 1) : NULL, group);
    if (works) chunks(c, group, k->half, last ? 0 : each);
    if (works && k->keeps && (group + 1) % k->per == 0) clear(c, piece_of(c, group + 1));
    tsl_hand_right(&c->hands, works && meet(k, k->me, group) ? piece_of(c, group) : NULL,
                   takes_part(c) && meet(k, k->me - 1, group + 1) ? piece_of(c, group + 1) : NULL, group);
}

static void end_way(chase *c)
{
    for (int i = 0; i < 2 && c->flies; ++i) tsl_transfer_end(&c->way[i]);
    c->flies = false;
}

/* A piece sets out for the processes that have the reflectors; the one before it has arrived. */
static void send_home(chase *c, int64_t piece)
{
    const tsl_tiling *k = &c->k;
    int64_t group = piece * k->per, s = group * k->w, w = tsl_min(k->per * k->w, k->n - 1 - s);
    int64_t rows = k->n - 1 - s, chunks = tsl_pieces(rows, k->kd), end = tsl_last_group(k, group), turn = piece % 2;
    int64_t row = tsl_factor_row(k, group, tsl_max(0, tsl_chunk_of(k, end, k->me)));
    const tsl_kept_piece *p = piece_of(c, group);
    end_way(c);
    tsl_view V = described(c, &c->home[turn][0], (tsl_axis){TSL_OVER_ALL, k->own, 0}, whole, k->n - 1, w, p->V, k->reach, 0);
    tsl_axis by_chunks = {TSL_OVER_ALL, k->own / k->kd, end * (k->w / k->kd)};
    tsl_view tau = described(c, &c->home[turn][1], by_chunks, whole, chunks, w, p->tau, row, 0);
    tsl_work_fresh(c->x, c->g, TSL_SLOT_PRODUCT + (int)turn);
    tsl_transfer_begin(&c->way[0], c->x, tsl_sub(V, s, 0, rows, w), tsl_sub(c->V, s + 1, s, rows, w), false);
    tsl_transfer_begin(&c->way[1], c->x, tau, tsl_sub(c->tau, 0, s, chunks, w), false);
    tsl_work_slot(c->g, 0);
    c->flies = true;
}

static void make_room(chase *c, tsl_matrix *M)
{
    const tsl_tiling *k = &c->k;
    int64_t columns = k->reach + k->own, chunks = k->own / k->kd + 2 * (k->above + k->drift);
    c->W = zeros(c, &M[0], c->type, 2 * k->kd, columns);
    c->T = zeros(c, &M[1], tsl_real_type(c->type), k->own + 2 * (k->w + 1), 2);
    c->R = zeros(c, &M[2], c->type, k->kd + 1, k->w);
    c->hands = (tsl_hands){.x = c->x, .g = c->g, .k = k, .W = c->W, .R = c->R, .T = c->T};
    if (k->processes > 1) tsl_hands_room(&c->hands);
    c->kept = tsl_work_get(c->g, false, tsl_times((size_t)c->turns, sizeof *c->kept));
    for (int64_t i = 0; i < c->turns && k->keeps; ++i) {
        tsl_kept_piece *p = piece_of(c, i * k->per);
        p->V = tsl_work_dense(c->x, c->g, &p->of[0], c->type, takes_part(c) ? columns + k->reach : 0, k->per * k->w);
        p->tau = tsl_work_dense(c->x, c->g, &p->of[1], c->type, takes_part(c) ? chunks : 0, k->per * k->w);
        clear(c, p);
    }
}

/* The steps of a piece, and one that is complete sets out. A rehearsal is about room alone. */
static void run(chase *c)
{
    const tsl_tiling *k = &c->k;
    int64_t blocks = c->pieces + c->lag;
    for (int64_t b = tsl_next_step(c->AB, -1, blocks); b < blocks; b = tsl_next_step(c->AB, b, blocks)) {
        if (tsl_is_cancelled(c->x) && !c->g->rehearsing) tsl_grid_fail(c->g, TSL_ERR_CANCELLED);
        if (!c->g->rehearsing)
            for (int64_t i = tsl_next_step(c->AB, -1, k->per); i < k->per; i = tsl_next_step(c->AB, i, k->per))
                step(c, b * k->per + i);
        if (k->keeps && b >= c->lag) send_home(c, b - c->lag);
    }
    end_way(c);
}

void tsl_chase_tiles(tsl_context *x, const tsl_call *given)
{
    tsl_view AB = given->v[0], d = given->v[1], e = given->v[2];
    tsl_grid *g = tsl_grid_of(AB);
    tsl_work_mark mark = tsl_work_now(g);
    tsl_matrix M[3];
    tsl_dmatrix D[2];
    int64_t kd = tsl_max(1, tsl_min(AB.m - 1, AB.n - 1));
    chase c = {.x = x, .g = g, .type = AB.mat->type, .AB = AB, .V = given->v[3], .tau = given->v[4],
               .k = tiling(x, g, AB.n, kd, tsl_cols(given->v[3]) > 0)};
    const tsl_tiling *k = &c.k;
    c.pieces = tsl_pieces(k->groups, k->per), c.lag = tsl_pieces(k->processes - 1, k->per), c.turns = c.lag + 3;
    make_room(&c, M);
    deal(&c);
    run(&c);
    tsl_axis each = {TSL_OVER_ALL, k->own, 0};
    tsl_work_home(x, described(&c, &D[0], each, whole, k->n, 1, c.T, k->w + 1, 0), d);
    tsl_work_home(x, described(&c, &D[1], each, whole, k->n - 1, 1, c.T, k->w + 1, 1), e);
    tsl_work_back(g, mark);
}
