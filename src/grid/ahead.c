/* Looking ahead. Panels are on their way to where the rows or the columns of a block need them while other work is done; what a
 * text puts on its main lane waits for its next meeting, so that what is on the lane ahead is done, and sent, first. Panels
 * hold until the second meeting after they set out, in slots of workspace by turns: two or, where products wait for longer
 * (beside.c), three.
 *
 * Messages must be posted in the same order by all processes. A panel that starts from where another one arrives sets out when
 * that has, which is not known to be at the same time everywhere; so this happens where nothing else is sent, and before
 * anything else is, it has to be on its way. */
#include "grid/form/form.h"

static int slot(const tsl_grid *g) { return TSL_SLOT_AHEAD + g->ahead.turn; }

static void begin(tsl_context *x, tsl_grid *g, tsl_way *w)
{
    int present = g->slot;
    tsl_work_slot(g, w->slot);
    w->begun = true;
    tsl_transfer_begin(&w->t, x, w->from, w->to, false);
    tsl_work_slot(g, present);
}

/* On a channel the next one may follow at once: they arrive in this order. */
static void depart(tsl_context *x, tsl_grid *g, tsl_way *w);
static void arrive(tsl_context *x, tsl_grid *g, tsl_way *w)
{
    depart(x, g, w);
    if (!w->arrived) tsl_transfer_end(&w->t);
    w->arrived = true;
}

static void depart(tsl_context *x, tsl_grid *g, tsl_way *w)
{
    if (w->begun) return;
    if (w->after && !w->after->t.by_channel) arrive(x, g, w->after);
    begin(x, g, w);
}

/* Ones on the diagonal of a panel of reflectors, and zeros above it */
static void write_out(tsl_context *x, tsl_view Y, int64_t n)
{
    tsl_view Y1 = tsl_block_rows(Y, 0, n).A1;
    tsl_call c = {.op = TSL_OP_EXPAND, .norm = {.structure = TSL_TRIANGULAR}, .v = {tsl_unit(tsl_lower(Y1)), Y1}};
    tsl_dist_expand(x, &c);
}

/* Arrived; and who has part of the panel itself, which was computed elsewhere, takes it from what arrived. */
static void receive(tsl_context *x, tsl_grid *g, tsl_way *w)
{
    tsl_view home = w->home;
    int64_t reflectors = w->reflectors;
    w->home.mat = NULL;
    w->reflectors = 0;
    arrive(x, g, w);
    if (home.mat) tsl_transfer_now(x, w->to, home, false);
    if (reflectors) write_out(x, w->to, reflectors);
}

static tsl_way *way_of(tsl_grid *g, const tsl_matrix *mat)
{
    for (int turn = 0; turn < TSL_TURNS; ++turn)
        for (int i = 0; i < g->ahead.ways[turn]; ++i)
            if (mat == g->ahead.way[turn][i].to.mat) return &g->ahead.way[turn][i];
    return NULL;
}

void tsl_ahead_poll(tsl_context *x, tsl_grid *g)
{
    tsl_ahead *a = &g->ahead;
    for (int i = 0; i < a->ways[a->turn]; ++i) {
        tsl_way *w = &a->way[a->turn][i];
        if (!w->begun && w->after->arrived) begin(x, g, w);
        if (!w->begun) return;
        if (!w->arrived && tsl_transfer_done(&w->t)) arrive(x, g, w);
    }
}

/* A panel left where it was computed goes home. */
static void bring_home(tsl_context *x, tsl_grid *g)
{
    tsl_view home = g->ahead.home;
    g->ahead.home.mat = NULL;
    if (home.mat) tsl_transfer_now(x, g->ahead.there, home, false);
}

static bool meets(int64_t i, int64_t m, int64_t j, int64_t n) { return i < j + n && j < i + m; }
bool tsl_overlap(tsl_view a, tsl_view b) { return a.mat == b.mat && meets(a.i, a.m, b.i, b.m) && meets(a.j, a.n, b.j, b.n); }

void tsl_ahead_ready(tsl_context *x, tsl_grid *g, const tsl_call *c)
{
    for (int turn = 0; turn < TSL_TURNS; ++turn)
        for (int i = 0; i < g->ahead.ways[turn]; ++i) {
            tsl_way *w = &g->ahead.way[turn][i];
            bool used = false;
            for (int k = 0; k < tsl_ops[c->op].operands; ++k)
                used |= tsl_overlap(c->v[k], w->to) || (w->home.mat && tsl_overlap(c->v[k], w->home));
            if (used) receive(x, g, w);
        }
}

void tsl_ahead_depart(tsl_context *x, tsl_grid *g)
{
    for (int turn = 0; turn < TSL_TURNS; ++turn)
        for (int i = 0; i < g->ahead.ways[turn]; ++i) depart(x, g, &g->ahead.way[turn][i]);
    bring_home(x, g);
}

/* What the panels of that turn were for is done. */
static void forget(tsl_context *x, tsl_grid *g, int turn)
{
    tsl_ahead *a = &g->ahead;
    for (int i = 0; i < a->ways[turn]; ++i) receive(x, g, &a->way[turn][i]);
    a->ways[turn] = 0;
    a->together[turn] = false;
}

static void catch_up(tsl_context *x, tsl_grid *g)
{
    g->catch_up(x, g, g->ahead.later, g->ahead.laters);
    g->ahead.laters = 0;
}

bool tsl_ahead_later(tsl_context *x, tsl_grid *g, const tsl_call *c)
{
    tsl_ahead *a = &g->ahead;
    if (!a->on || x->run->lane != TSL_MAIN) return false;
    if (a->laters == TSL_LATER) catch_up(x, g);
    a->later[a->laters++] = *c;
    return true;
}

void tsl_dist_meet(tsl_context *x, const tsl_call *c)
{
    tsl_grid *g = tsl_grid_of(c->v[0]);
    tsl_ahead *a = &g->ahead;
    if (a->taken) return;
    if (tsl_is_left_out(g)) {
        ++g->sample.step;
        return;
    }
    catch_up(x, g);
    bring_home(x, g);
    if (!a->on) a->turn = 1, a->before = 0, a->spreads = a->computed = 0; /* in the rehearsal as after it */
    int next = a->spreads == a->computed ? a->before : TSL_TURNS - a->turn - a->before; /* products wait for the one before */
    a->before = a->turn, a->turn = next;
    a->on = true;
    forget(x, g, a->turn);
    tsl_work_fresh(x, g, slot(g));
    tsl_work_slot(g, 0);
    tsl_tell_step(g);
}

tsl_ahead_state tsl_ahead_enter(tsl_grid *g)
{
    tsl_ahead *a = &g->ahead;
    tsl_ahead_state outer = {a->on, a->taken};
    a->taken |= a->on;
    a->on = false;
    return outer;
}

void tsl_ahead_leave(tsl_context *x, tsl_grid *g, tsl_ahead_state outer)
{
    tsl_ahead *a = &g->ahead;
    if (a->on) {
        catch_up(x, g);
        bring_home(x, g);
        g->finish(x, g, NULL);
        for (int turn = 1; turn <= TSL_TURNS; ++turn) forget(x, g, (a->turn + turn) % TSL_TURNS);
    }
    a->on = outer.on, a->taken = outer.taken;
}

static bool same_block(tsl_view a, tsl_view b) { return a.mat == b.mat && a.i == b.i && a.j == b.j && a.m == b.m && a.n == b.n; }

/* The block of `of` that A's is, where `of` is stored as the block `from` is. */
static tsl_view moved(tsl_view A, tsl_view from, tsl_matrix *of)
{
    A.mat = of, A.i -= from.i, A.j -= from.j;
    return A;
}

bool tsl_lies_with(tsl_view A, tsl_view C, int d)
{
    const tsl_grid *g = tsl_grid_of(C);
    const tsl_layout *a = &tsl_dist(A)->layout, *l = &tsl_dist(C)->layout;
    if (a->scheme != l->scheme || tsl_axis_size(g, tsl_seen_axis(A, !d).over) > 1) return false;
    for (int e = 0; e < 2; ++e)
        if (g->size[e] > 1 && !tsl_layout_uses(a, e) && tsl_layout_fixed(a, e) != TSL_EVERY &&
            (tsl_layout_uses(l, e) || tsl_layout_fixed(a, e) != tsl_layout_fixed(l, e)))
            return false;
    tsl_axis p = tsl_seen_axis(A, d), q = tsl_seen_axis(C, d);
    return tsl_axis_size(g, p.over) == 1 ? tsl_axis_size(g, q.over) == 1 : tsl_axis_same(g, p, q);
}

bool tsl_brought(tsl_context *x, tsl_view *A, tsl_view C, int d)
{
    tsl_grid *g = tsl_grid_of(C);
    if (tsl_lies_with(*A, C, d)) return true;
    for (int turn = 0; turn < TSL_TURNS; ++turn)
        for (int i = 0; i < g->ahead.ways[turn]; ++i) {
            tsl_way *w = &g->ahead.way[turn][i];
            tsl_view F = w->from, B = moved(*A, F, &w->D.head);
            bool within = F.mat == A->mat && B.i >= 0 && B.j >= 0 && B.i + B.m <= F.m && B.j + B.n <= F.n;
            if (!within || !tsl_lies_with(B, C, d)) continue;
            receive(x, g, w);
            *A = B;
            return true;
        }
    return false;
}

static bool takes_more(const tsl_grid *g)
{
    const tsl_ahead *a = &g->ahead;
    return a->on && a->ways[a->turn] < TSL_WAYS && !tsl_is_left_out(g);
}

static tsl_way *new_way(tsl_grid *g)
{
    tsl_ahead *a = &g->ahead;
    tsl_way *w = &a->way[a->turn][a->ways[a->turn]++];
    w->begun = w->arrived = false;
    w->slot = slot(g);
    w->to.mat = w->home.mat = w->of.mat = NULL; /* of an earlier one */
    w->after = NULL;
    w->reflectors = 0;
    return w;
}

tsl_view tsl_dist_bring(tsl_context *x, tsl_view A, tsl_view C, int d)
{
    tsl_grid *g = tsl_grid_of(C);
    tsl_ahead *a = &g->ahead;
    if (!takes_more(g) || A.m == 0 || A.n == 0 || C.m == 0 || C.n == 0 || tsl_lies_with(A, C, d)) return A;
    tsl_way *w = new_way(g);
    w->from = A;
    if (a->home.mat && same_block(a->home, A)) {
        w->home = a->home, a->home.mat = NULL;
        w->from = moved(A, A, a->there.mat);
    } else if (a->home.mat == A.mat) bring_home(x, g);
    w->after = way_of(g, A.mat);
    tsl_work_slot(g, w->slot);
    w->to = tsl_work_like(x, &w->D, tsl_panel_layout(C, d), A, tsl_rows(A), tsl_cols(A));
    tsl_work_slot(g, 0);
    if (!w->after || w->after->t.by_channel) begin(x, g, w);
    return w->to;
}

void tsl_ahead_trxm(tsl_context *x, const tsl_call *c)
{
    tsl_grid *g = tsl_grid_of(c->v[1]);
    tsl_ahead *a = &g->ahead;
    tsl_view B = tsl_trxm_together(x, c, &a->D[a->turn], slot(g));
    if (B.mat == c->v[1].mat) return;
    a->together[a->turn] = true;
    a->there = B, a->home = c->v[1];
}

int tsl_ahead_slot(const tsl_grid *g) { return g->ahead.on ? slot(g) : 0; }

/* Its description is kept: that of the operation ends with it. */
static void set_out(tsl_context *x, tsl_grid *g, tsl_way *w, tsl_view from)
{
    w->F = *tsl_dist(from);
    w->from = from;
    w->from.mat = &w->F.head;
    begin(x, g, w);
}

void tsl_ahead_send(tsl_context *x, tsl_view from, tsl_view to, int64_t reflectors)
{
    tsl_grid *g = tsl_grid_of(to);
    if (!takes_more(g)) {
        tsl_transfer_now(x, from, to, false);
        if (reflectors) write_out(x, to, reflectors);
        return;
    }
    tsl_way *w = new_way(g);
    w->to = to;
    w->reflectors = reflectors;
    set_out(x, g, w, from);
}

tsl_moves tsl_moves_room(tsl_grid *g, int64_t count)
{
    size_t rows = tsl_times((size_t)count, 2 * sizeof(int64_t)), size = (size_t)(g->size[0] * g->size[1]) + 1;
    tsl_moves w = {.from = tsl_work_get(g, false, rows), .to = tsl_work_get(g, false, rows)};
    for (int i = 0; i < 2; ++i) {
        w.row[i] = tsl_work_get(g, false, rows);
        w.at[i] = tsl_work_get(g, false, tsl_times(size, sizeof(int64_t)));
    }
    return w;
}

void tsl_ahead_send_pivots(tsl_context *x, tsl_view from, tsl_view p)
{
    tsl_grid *g = tsl_grid_of(p);
    if (!takes_more(g)) {
        tsl_transfer_now(x, from, p, false);
        return;
    }
    tsl_layout everywhere = tsl_layout_whole(g, TSL_EVERY, TSL_EVERY);
    tsl_way *w = new_way(g);
    tsl_work_slot(g, w->slot);
    w->to = tsl_work_matrix(x, &w->D, &everywhere, TSL_INDEX, p.m, 1);
    w->moves = tsl_moves_room(g, p.m);
    tsl_work_slot(g, 0);
    w->home = w->of = p;
    set_out(x, g, w, from);
}

tsl_way *tsl_ahead_pivots(tsl_context *x, tsl_view p)
{
    tsl_grid *g = tsl_grid_of(p);
    for (int turn = 0; turn < TSL_TURNS; ++turn)
        for (int i = 0; i < g->ahead.ways[turn]; ++i) {
            tsl_way *w = &g->ahead.way[turn][i];
            if (!w->of.mat || !same_block(w->of, p)) continue;
            receive(x, g, w);
            return w;
        }
    return NULL;
}
