/* From a band to tridiagonal form, by all processes, each on a core; accelerators do it otherwise (chase_tiles.c). In sweep s
 * chunks of kd columns begin after column s; process q has those from the q l-th on, l of them. So what it has moves right by a
 * column from sweep to sweep: before each it gives its first column to the process before it, and is given one by the process
 * after it. A reflector goes the other way, from its last chunk to the next one's first. Nothing else moves, and a process is
 * one sweep behind the one before it.
 *
 * After w sweeps what is left of the band, which is shorter, is dealt again, so that all have as much to do. The reflectors of
 * these sweeps, a piece, go to the processes that have them while the next ones are made. Rows of a piece are dealt as the
 * band's columns are at first; so the last reflectors of a process reach into rows of the one after it, which is given that
 * corner. A chunk's arithmetic is the leaf's (sb2st_part), whoever has it: the bits are those of one process. */
#include <string.h>

#include "grid/eig/sweeps.h"

/* Of a piece: at least so many, so many for each process, as each is one behind, and at most, as a corner has their square */
enum { SWEEPS = 64, EACH = 4, MOST = 1024 };
enum { DEEP = 4 };              /* sweeps whose messages may be on their way */

/* Posts of a sweep, and the reflector that is handed on, with its factor */
typedef struct turn {
    tsl_post column, reflector, sent[2];
    char *v;
} turn;

/* Sweeps s .. s + w; a process has l chunks. W: the band's columns from s on; V and tau: rows and chunks of the reflectors.
 * Local arrays of W and V have w more columns, or rows, than are dealt. */
typedef struct piece {
    int64_t s, w, l;
    tsl_dmatrix W, V, tau;
    tsl_transfer home[2];
} piece;

typedef struct chase {
    tsl_context *x;
    tsl_grid *g;
    tsl_type type;
    size_t size;       /* of an element, in bytes */
    int64_t n, kd, w;  /* sweeps of a piece, but the last */
    int processes, me;
    bool keeps;        /* reflectors */
    char *room[2];     /* for columns, by turns */
    char *work, *corner;
    turn turns[DEEP];
} chase;

static int64_t chunks(const chase *c, int64_t s)
{
    return tsl_max(c->w / c->kd, tsl_pieces(c->n - s, c->kd * c->processes));
}

/* The first column of this process at the beginning of the piece; there may be none */
static int64_t first(const chase *c, const piece *p) { return p->s + c->me * p->l * c->kd; }
static int rank_of(const chase *c, int way) { return tsl_line_rank(c->g, TSL_OVER_ALL, c->me + way); }
static char *column(const chase *c, const piece *p, int64_t j)
{
    return (char *)p->W.local.data + (size_t)(j * 2 * c->kd) * c->size;
}

static tsl_layout dealt(tsl_grid *g, int64_t rows, int64_t cols)
{
    tsl_layout l = tsl_layout_whole(g, TSL_EVERY, TSL_EVERY);
    l.scheme = TSL_IN_HOST;
    *(rows ? &l.rows : &l.cols) = (tsl_axis){TSL_OVER_ALL, rows ? rows : cols, 0};
    return l;
}

/* Columns from s on, in as many to a process as the piece has, at an array of columns */
static tsl_view columns_at(const chase *c, const piece *p, tsl_dmatrix *D, int64_t s, void *array)
{
    tsl_layout l = dealt(c->g, 0, p->l * c->kd);
    tsl_dist_describe(D, c->x, &l, c->type, 2 * c->kd, c->n - s);
    D->local.data = array, D->local.ld = 2 * c->kd;
    return tsl_whole(&D->head);
}

/* Room for the reflectors; rows go on for w more than are dealt */
static void make_room(const chase *c, piece *p, int number)
{
    tsl_layout rows = dealt(c->g, p->l * c->kd, 0), each = dealt(c->g, p->l, 0);
    int64_t ld = p->l * c->kd + p->w;
    tsl_work_fresh(c->x, c->g, TSL_SLOT_PRODUCT + number);
    tsl_dist_describe(&p->V, c->x, &rows, c->type, c->n - p->s - 1, p->w);
    p->V.local.ld = ld;
    p->V.local.data = tsl_work_get(c->g, false, tsl_dense_bytes(c->type, ld, p->w));
    tsl_work_matrix(c->x, &p->tau, &each, c->type, tsl_pieces(c->n - p->s - 1, c->kd), p->w);
    if (c->g->rehearsing || tsl_is_told(c->g)) return;
    memset(p->V.local.data, 0, tsl_dense_bytes(c->type, ld, p->w));
    if (p->tau.local.m) memset(p->tau.local.data, 0, tsl_dense_bytes(c->type, p->tau.local.m, p->w));
}

/* The leaf on `count` columns from the at-th chunk of this process on, in the j-th sweep; 0: on the sweep's own */
static void go(const chase *c, const piece *p, int64_t j, int64_t at, int64_t count)
{
    int64_t here = count ? j + 1 + at : j;
    tsl_leaf l = {.op = TSL_OP_SB2ST_PART, .type = tsl_kernel_type(c->type), .k = c->n - first(c, p) - (j + 1 + at),
                  .A = {.p = column(c, p, here), .ld = 2 * c->kd, .m = 2 * c->kd, .n = count},
                  .D = {.p = c->turns[j % DEEP].v}, .work = c->work};
    if (c->keeps) {
        l.B.p = (char *)p->V.local.data + (size_t)(j + at + j * p->V.local.ld) * c->size;
        l.C.p = (char *)p->tau.local.data + (size_t)(at / c->kd + j * p->tau.local.ld) * c->size;
    }
    tsl_tell_chase(c->g, c->type, count, c->kd);
    tsl_leaf_on_host(c->x, c->g, &l);
}

static bool comes(const chase *c, tsl_post *k, int way, void *data, int64_t count)
{
    tsl_post_receive(c->g, k, rank_of(c, way), TSL_TAG_CHASE, data, (size_t)count * c->size);
    return !c->g->broken;
}

static void leaves(const chase *c, tsl_post *k, int way, const void *data, int64_t count)
{
    tsl_post_send(c->g, k, rank_of(c, way), TSL_TAG_CHASE, data, (size_t)count * c->size);
}

/* This process's first column, before the j-th sweep */
static void give_column(chase *c, const piece *p, int64_t j)
{
    if (c->me > 0 && j < p->w && first(c, p) + j < c->n)
        leaves(c, &c->turns[j % DEEP].sent[0], -1, column(c, p, j), 2 * c->kd);
}

/* The j-th sweep of the piece. All but the last chunk need nothing of the process after this. */
static void sweep(chase *c, const piece *p, int64_t j)
{
    turn *t = &c->turns[j % DEEP];
    int64_t own = p->l * c->kd, begin = first(c, p) + j + 1, count = tsl_min(own, c->n - begin);
    int64_t end = (count - 1) / c->kd * c->kd;
    bool more = begin + own - 1 < c->n, next = begin + own < c->n;
    if (count <= 0) return;
    if (more) comes(c, &t->column, 1, column(c, p, j + own), 2 * c->kd);
    tsl_await(c->g, 1, &t->sent[1]); /* v is to be used again */
    if (c->me == 0) go(c, p, j, 0, 0);
    else if (comes(c, &t->reflector, -1, t->v, c->kd + 1)) tsl_await(c->g, 1, &t->reflector);
    if (end > 0) {
        go(c, p, j, 0, c->kd);
        tsl_await(c->g, 1, &c->turns[(j + 1) % DEEP].sent[0]);
        give_column(c, p, j + 1);
        if (end > c->kd) go(c, p, j, c->kd, end - c->kd);
    }
    if (more) tsl_await(c->g, 1, &t->column);
    go(c, p, j, end, count - end);
    if (end == 0) tsl_await(c->g, 1, &c->turns[(j + 1) % DEEP].sent[0]), give_column(c, p, j + 1);
    if (next) leaves(c, &t->sent[1], 1, t->v, c->kd + 1);
}

/* Rows that reach into what the next process has of the piece: in its j-th column as many as j. */
static void hand_corner(const chase *c, const piece *p)
{
    int64_t own = p->l * c->kd, begin = first(c, p) + 1, ld = p->V.local.ld;
    tsl_post k[2] = {{.outs = 0}, {.outs = 0}};
    char *out = c->corner, *in = out + tsl_dense_bytes(c->type, p->w, p->w), *V = p->V.local.data;
    if (begin + own < c->n) {
        if (!c->g->failed) tsl_rect(c->type, TSL_NOTRANS, false, p->w, p->w, V + (size_t)own * c->size, ld, out, p->w);
        leaves(c, &k[0], 1, out, p->w * p->w);
    }
    if (c->me > 0 && begin < c->n) comes(c, &k[1], -1, in, p->w * p->w);
    if (!tsl_await(c->g, 2, k) || c->g->failed || c->me == 0 || begin >= c->n) return;
    for (int64_t j = 0; j < p->w; ++j)
        memcpy(V + (size_t)(j * ld) * c->size, in + (size_t)(j * p->w) * c->size, (size_t)tsl_min(j, p->V.local.m) * c->size);
}

static void run(chase *c, piece *p)
{
    if (c->g->rehearsing) return;
    give_column(c, p, 0);
    for (int64_t j = 0; j < p->w && !c->g->broken; ++j) sweep(c, p, j);
    for (int i = 0; i < DEEP; ++i) tsl_await(c->g, 2, c->turns[i].sent);
    if (c->keeps) hand_corner(c, p);
}

/* Real parts of the first process's elements (i, 0 ..) to v, in host memory */
static void take(const chase *c, const piece *p, int64_t i, tsl_view v)
{
    if (c->me || c->g->rehearsing || c->g->failed) return;
    for (int64_t j = 0; j < v.m; ++j)
        memcpy(tsl_here(v, j, 0), column(c, p, j) + (size_t)i * c->size, tsl_type_size(v.mat->type));
}

static void send_home(const chase *c, piece *p, int number, tsl_view V, tsl_view tau)
{
    int64_t s = p->s, rows = p->V.head.m;
    tsl_view from[2] = {tsl_whole(&p->V.head), tsl_whole(&p->tau.head)},
             to[2] = {tsl_sub(V, s + 1, s, rows, p->w), tsl_sub(tau, 0, s, p->tau.head.m, p->w)};
    tsl_work_slot(c->g, TSL_SLOT_PRODUCT + number);
    for (int i = 0; i < 2; ++i) tsl_transfer_begin(&p->home[i], c->x, from[i], to[i], false);
    tsl_work_slot(c->g, 0);
}

static void end_home(piece *p)
{
    for (int i = 0; i < 2; ++i) tsl_transfer_end(&p->home[i]);
}

static void begin(chase *c, tsl_context *x, const tsl_call *given)
{
    tsl_view AB = given->v[0];
    *c = (chase){.x = x, .g = tsl_grid_of(AB), .type = AB.mat->type, .size = tsl_type_size(AB.mat->type), .n = AB.n,
                 .kd = tsl_max(1, tsl_min(AB.m - 1, AB.n - 1)), .keeps = tsl_cols(given->v[3]) > 0};
    c->processes = tsl_axis_size(c->g, TSL_OVER_ALL), c->me = tsl_axis_index(c->g, TSL_OVER_ALL, c->g->at);
    c->w = tsl_pieces(tsl_min(MOST, tsl_max(SWEEPS, EACH * (int64_t)c->processes)), c->kd) * c->kd;
    int64_t most = tsl_min(chunks(c, 0) * c->kd, c->n) + c->w;
    for (int i = 0; i < 2; ++i) c->room[i] = tsl_work_get(c->g, false, tsl_dense_bytes(c->type, 2 * c->kd, most));
    for (int i = 0; i < DEEP; ++i) c->turns[i].v = tsl_work_get(c->g, false, tsl_dense_bytes(c->type, c->kd + 1, 1));
    c->work = tsl_work_get(c->g, false, tsl_dense_bytes(c->type, 2 * c->kd, 1));
    c->corner = tsl_work_get(c->g, false, 2 * tsl_dense_bytes(c->type, c->w, c->w));
}

/* What is left of the band comes to where it is wanted in the piece from sweep s on. */
static void deal(const chase *c, piece *p, int64_t s, tsl_view left, void *array)
{
    *p = (piece){.s = s, .w = tsl_min(c->w, c->n - 1 - s), .l = chunks(c, s)};
    tsl_view W = columns_at(c, p, &p->W, s, array);
    int64_t rows = tsl_min(left.m, W.m);
    if (rows < W.m && !c->g->rehearsing && !tsl_is_told(c->g))
        memset(array, 0, tsl_dense_bytes(c->type, W.m, p->W.local.n)); /* for the bulges */
    tsl_transfer_now(c->x, tsl_sub(left, 0, 0, rows, W.n), tsl_sub(W, 0, 0, rows, W.n), false);
}

void tsl_dist_sb2st(tsl_context *x, const tsl_call *given)
{
    tsl_view left = given->v[0], d = given->v[1], e = given->v[2];
    tsl_grid *g = tsl_grid_of(left);
    bool keeps = tsl_cols(given->v[3]) > 0;
    /* With one diagonal beside the main one there is little to do. */
    if (!keeps && left.m <= 2) return tsl_dist_place(x, given);
    if (x->dev->be->accelerator && left.n > 1) return tsl_chase_tiles(x, given);
    tsl_work_mark mark = tsl_work_now(g);
    tsl_layout alone = tsl_layout_whole(g, 0, 0);
    tsl_dmatrix D[3];
    chase c;
    piece p[2], *now = p, *before = p + 1, *done;
    alone.scheme = TSL_IN_HOST;
    tsl_view T = tsl_work_matrix(x, &D[0], &alone, d.mat->type, d.m, 1),
             U = tsl_work_matrix(x, &D[1], &alone, d.mat->type, e.m, 1);
    begin(&c, x, given);
    deal(&c, now, 0, left, c.room[0]);
    for (; now->w > 0; done = now, now = before, before = done) {
        if (tsl_is_cancelled(x) && !g->rehearsing) tsl_grid_fail(g, TSL_ERR_CANCELLED);
        if (c.keeps) make_room(&c, now, now > p);
        tsl_work_slot(g, 0);
        run(&c, now);
        take(&c, now, 0, tsl_sub(tsl_local(T), now->s, 0, now->w, 1));
        take(&c, now, 1, tsl_sub(tsl_local(U), now->s, 0, now->w, 1));
        if (c.keeps && now->s) end_home(before);
        if (c.keeps) send_home(&c, now, now > p, given->v[3], given->v[4]);
        left = columns_at(&c, now, &D[2], now->s + now->w, column(&c, now, now->w));
        deal(&c, before, now->s + now->w, left, c.room[now == p]);
    }
    take(&c, now, 0, tsl_sub(tsl_local(T), now->s, 0, 1, 1));
    if (c.keeps && now->s) end_home(before);
    tsl_work_home(x, T, d);
    tsl_work_home(x, U, e);
    tsl_work_back(g, mark);
}
