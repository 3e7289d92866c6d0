/* Strips of a panel of LU (kernel/lu_strip.h) by leaves of one to three processes, which are threads here: pivots, residuals,
 * and the same bits whoever has the rows, by peers as by the host, however patient a leaf is. Ties, NaN, Inf, columns of zeros,
 * rows of one process alone. What has been told is told once. TESELA_TEST_DEVICES: as on a GPU, cuda:0. */
#include <pthread.h>
#include <sched.h>

#include "context/context.h"
#include "dense.h"
#include "kernel/lu_strip.h"
#include "tap.h"

enum { MOST = 3, LIMIT = 30 };

static const char *devices(void)
{
    const char *other = getenv("TESELA_TEST_DEVICES");
    return other && *other ? other : "host:1,mem=64M";
}

typedef enum contents { RANDOM, TIES, ZEROS, NANS, INFINITE, CONTENTS } contents;
static const char *const contents_names[CONTENTS] = {"random", "ties", "columns of zeros", "NaN", "Inf"};

/* Rows from d on are distributed in blocks of nb. Columns [k, end) in two strips */
typedef struct problem {
    tsl_type type;
    int64_t m, n, d, k, mid, end, nb;
    contents what;
} problem;

typedef struct way {
    int processes;
    bool by_host;
    int64_t patience;
} way;

typedef struct stage stage;

typedef struct player {
    pthread_t thread;
    stage *s;
    tsl_context *x;
    int me, launches, wrong;
    int64_t here; /* rows */
    void *top, *rest;
    char *inbox;
    tsl_strip_shared *shared;
    tsl_cyclic rows;
} player;

struct stage {
    const problem *p;
    const way *w;
    dense M, out;
    int64_t picked[TSL_STRIP_COLUMNS * 2];
    double sizes[TSL_STRIP_COLUMNS * 2];
    player play[MOST];
    pthread_barrier_t all;
    tsl_lu_candidate *said[MOST]; /* with elements of a block each */
    char *rows;                   /* of a block's pivots */
};

/* ---- one process */

static tsl_cyclic rows_of(const problem *p, int processes, int me)
{
    int64_t first = me * p->nb, before = 0;
    for (int64_t i = 0; i < p->d; i++) before += i / p->nb % processes == me;
    return (tsl_cyclic){before, first, processes == 1 ? INT64_MAX / 2 : p->nb, p->nb, processes};
}

static void move(const player *q, void *there, int64_t rows, const void *here, bool out)
{
    tsl_queue *queue = q->x->lanes[TSL_MAIN].q;
    size_t bytes = (size_t)rows * tsl_type_size(q->s->p->type) * (size_t)q->s->p->n;
    if (bytes)
        q->x->dev->be->copy2d(queue, out ? (void *)here : there, bytes, out ? there : here, bytes, bytes, 1,
                              out ? TSL_TO_HOST : TSL_TO_DEVICE);
    q->x->dev->be->queue_wait(queue);
}

/* Rows of M to the device's memory or back; of the first d only one process brings back its copy */
static void rows_move(player *q, bool out)
{
    const problem *p = q->s->p;
    const dense *M = out ? &q->s->out : &q->s->M;
    for (int part = 0; part < 2; part++) {
        int64_t rows = part ? q->here : p->d;
        size_t size = tsl_type_size(p->type);
        char *room = calloc((size_t)(rows * p->n) + 1, size);
        if (out) move(q, part ? q->rest : q->top, rows, room, true);
        for (int64_t c = 0; c < p->n; c++)
            for (int64_t i = 0; i < rows; i++) {
                char *mine = room + (size_t)(i + c * rows) * size,
                     *whole = dense_at(M, part ? tsl_cyclic_index(&q->rows, i) : i, c);
                bool other = out && !part && q->me > 0; /* all copies are alike */
                if (other) q->wrong += memcmp(mine, whole, size) != 0;
                else memcpy(out ? whole : mine, out ? mine : whole, size);
            }
        if (!out) move(q, part ? q->rest : q->top, rows, room, false);
        free(room);
    }
}

/* Columns of the leaf's blocks */
static int64_t block_of(const player *q) { return q->x->dev->be->kernels[TSL_OP_LU_STRIP]->limit; }

/* What the host of a leaf does for it: columns from j on are to be answered, rows from b on to be told */
typedef struct service {
    player *q;
    int64_t j, b, end;
    bool mine[TSL_STRIP_BLOCK]; /* of the block's pivots */
} service;

static int64_t width(const service *v) { return tsl_min(block_of(v->q), v->end - v->b); }

static bool asks(const service *v)
{
    const player *q = v->q;
    tsl_lu_candidate *mine = q->s->said[q->me];
    const tsl_letter *from = tsl_strip_question(q->shared);
    uint32_t tag = tsl_strip_tag(v->j);
    return v->j < v->end && v->j < v->b + width(v) && tsl_strip_get(from, tag, mine) &&
           tsl_strip_get_elements(mine + 1, q->s->p->type, width(v), from + 2, tag);
}

/* The best of what all have said */
static void answer(service *v)
{
    player *q = v->q;
    stage *s = q->s;
    int best = 0, words = tsl_strip_words(s->p->type);
    uint32_t tag = tsl_strip_tag(v->j);
    pthread_barrier_wait(&s->all);
    for (int i = 1; i < s->w->processes; i++)
        if (tsl_lu_better(s->said[i], s->said[best])) best = i;
    tsl_letter *to = tsl_strip_answer(q->shared, words, v->j);
    tsl_strip_put_elements(s->said[best] + 1, s->p->type, width(v), to + 2, tag);
    tsl_strip_put(s->said[best], to, tag);
    v->mine[v->j++ - v->b] = best == q->me;
    pthread_barrier_wait(&s->all);
}

static bool has_told_rows(const service *v)
{
    uint64_t none;
    int words = tsl_strip_words(v->q->s->p->type);
    if (v->b == v->end || v->j < v->b + width(v)) return false;
    for (int64_t i = 0; i < width(v); i++)
        if (v->mine[i] && !tsl_letter_get(tsl_strip_row_told(v->q->shared, words, i), tsl_strip_tag(v->b + i), &none))
            return false;
    return true;
}

/* The rows of the block's pivots go from who had them to all. */
static void spread_rows(service *v)
{
    player *q = v->q;
    stage *s = q->s;
    int words = tsl_strip_words(s->p->type);
    size_t size = tsl_type_size(s->p->type), bytes = (size_t)s->p->n * size;
    for (int64_t i = 0; i < width(v); i++)
        if (v->mine[i]) memcpy(s->rows + (size_t)i * bytes, tsl_strip_row(q->shared, words, s->p->n, size, i), bytes);
    pthread_barrier_wait(&s->all);
    for (int64_t i = 0; i < width(v); i++)
        memcpy(tsl_strip_row(q->shared, words, s->p->n, size, i), s->rows + (size_t)i * bytes, bytes);
    pthread_barrier_wait(&s->all);
    v->b = v->j;
    tsl_letter_put(tsl_strip_rows_there(q->shared, words), 0, tsl_strip_tag(v->j - 1));
}

/* Was there something to do? */
static bool serve(service *v)
{
    bool rows = has_told_rows(v), question = !rows && asks(v);
    if (rows) spread_rows(v);
    if (question) answer(v);
    return rows || question;
}

static void launch(player *q, int64_t k, int64_t end)
{
    const problem *p = q->s->p;
    const tsl_backend *be = q->x->dev->be;
    tsl_lane *lane = &q->x->lanes[TSL_MAIN];
    tsl_leaf l = {.op = TSL_OP_LU_STRIP,
                  .type = p->type,
                  .k = k,
                  .lu_strip = {.rows = q->rows,
                               .end = end,
                               .patience = q->s->w->patience,
                               .me = q->me,
                               .sharers = q->s->w->processes,
                               .by_host = q->s->w->by_host,
                               .speaks = q->me == 0},
                  .A = {.p = q->top, .ld = p->d, .m = p->d, .n = p->n},
                  .B = {.p = q->rest, .ld = tsl_max(1, q->here), .m = q->here, .n = p->n},
                  .C = {.p = q->inbox},
                  .D = {.p = q->shared}};
    q->shared->left = 0;
    q->wrong +=
        be->launch(lane->q, be->kernels[l.op]->fn[l.type], &l) != TSL_OK || be->event_record(lane->q, lane->point) != TSL_OK;
    q->launches++;
}

static void strip(player *q, int64_t k, int64_t end)
{
    stage *s = q->s;
    const tsl_backend *be = q->x->dev->be;
    tsl_event *over = q->x->lanes[TSL_MAIN].point;
    service v = {.q = q, .j = k, .b = k, .end = end};
    do {
        launch(q, k, end);
        for (bool ended = false; !ended && !q->wrong;) {
            ended = be->event_reached(over);
            if (s->w->by_host && serve(&v)) ended = false;
            sched_yield();
        }
        q->wrong += be->event_wait(over) != TSL_OK;
    } while (q->shared->left && !q->wrong);
    for (int64_t j = k; j < end; j++) {
        tsl_lu_candidate c = q->shared->chosen[j - k];
        if (q->me == 0) s->picked[j - s->p->k] = c.row, s->sizes[j - s->p->k] = c.size;
    }
}

static void open_player(player *q, stage *s, int me)
{
    const problem *p = s->p;
    tsl_config config = tsl_config_default();
    config.devices = devices();
    *q = (player){.s = s, .me = me, .rows = rows_of(p, s->w->processes, me)};
    for (int64_t i = p->d; i < p->m; i++) {
        int64_t number = tsl_cyclic_number(&q->rows, i);
        q->here += number >= 0;
        if (number >= 0) q->wrong += tsl_cyclic_index(&q->rows, number) != i;
    }
    q->wrong += tsl_context_create(&config, &q->x) != TSL_OK;
    size_t size = tsl_type_size(p->type) * (size_t)p->n, shared = tsl_strip_shared_bytes(p->type, p->n);
    tsl_strip_inbox at = tsl_strip_inbox_of(p->type, p->n, p->d + q->here, s->w->processes);
    void *inbox = NULL, *both = NULL, *zeros = calloc(1, at.cleared);
    q->wrong += tsl_device_alloc(q->x->dev, size * (size_t)p->d, &q->top) ||
                tsl_device_alloc(q->x->dev, size * (size_t)q->here + 1, &q->rest) ||
                tsl_device_alloc(q->x->dev, at.bytes, &inbox);
    if (q->x->dev->be->shared_open) q->wrong += q->x->dev->be->shared_open(q->x->dev, shared, &both) != TSL_OK;
    else both = calloc(1, shared);
    q->inbox = inbox, q->shared = both;
    q->x->dev->be->copy2d(q->x->lanes[TSL_MAIN].q, inbox, at.cleared, zeros, at.cleared, at.cleared, 1, TSL_TO_DEVICE);
    q->x->dev->be->queue_wait(q->x->lanes[TSL_MAIN].q);
    free(zeros);
    rows_move(q, false);
    s->said[me] = malloc(tsl_lu_told(p->type, TSL_STRIP_BLOCK));
}

static void close_player(player *q)
{
    tsl_device_release(q->x->dev, q->top), tsl_device_release(q->x->dev, q->rest), tsl_device_release(q->x->dev, q->inbox);
    if (q->x->dev->be->shared_open) q->x->dev->be->shared_close(q->x->dev, q->shared);
    else free(q->shared);
    tsl_context_destroy(q->x);
    free(q->s->said[q->me]);
}

/* Where all inboxes are */
static void introduce(player *q)
{
    void *all[MOST];
    size_t bytes = (size_t)q->s->w->processes * sizeof *all;
    for (int i = 0; i < q->s->w->processes; i++) all[i] = q->s->play[i].inbox;
    q->x->dev->be->copy2d(q->x->lanes[TSL_MAIN].q, q->inbox, bytes, all, bytes, bytes, 1, TSL_TO_DEVICE);
    q->x->dev->be->queue_wait(q->x->lanes[TSL_MAIN].q);
}

static void *play(void *arg)
{
    player *q = arg;
    const problem *p = q->s->p;
    strip(q, p->k, p->mid);
    if (p->mid < p->end) strip(q, p->mid, p->end);
    return NULL;
}

/* ---- what is to come of it */

static void fill(dense *M, const problem *p)
{
    dense_random(M, (uint64_t)(p->m * 7 + p->n));
    for (int64_t c = 0; c < p->n; c++)
        for (int64_t i = 0; i < p->m && p->what == TIES; i++) dense_put(M, i, c, creal(dense_get(M, i, c)) > 0 ? 1 : -1);
    for (int64_t i = 0; i < p->m && p->what == ZEROS; i++) dense_put(M, i, p->k, 0), dense_put(M, i, p->mid - 1, 0);
    if (p->what == NANS) dense_put(M, p->m - 1, p->k + 1, NAN), dense_put(M, p->k, p->k, NAN);
    if (p->what == INFINITE) dense_put(M, p->m / 2, p->k, INFINITY);
}

/* The number of pivots that are not LAPACK's, by elimination of all rows in double precision, as far as numbers tell */
static int wrong_pivots(const stage *s)
{
    const problem *p = s->p;
    dense W = dense_make(TSL_Z, p->m, p->n, CANARY_FINITE);
    int wrong = 0;
    for (int64_t c = 0; c < p->n; c++)
        for (int64_t i = 0; i < p->m; i++) dense_put(&W, i, c, dense_get(&s->M, i, c));
    for (int64_t j = p->k; j < p->end; j++) {
        int64_t best = j, upto = j < p->mid ? p->mid : p->end;
        double most = -1;
        for (int64_t i = j; i < p->m; i++) {
            tsl_scalar v = dense_get(&W, i, j);
            double size = fabs(creal(v)) + fabs(cimag(v));
            if (isnan(size)) size = i == j ? INFINITY : -1;
            if (size > most) most = size, best = i;
        }
        wrong += s->picked[j - p->k] != best || (most == 0) != (s->sizes[j - p->k] == 0);
        for (int64_t c = 0; c < p->n; c++) {
            tsl_scalar v = dense_get(&W, j, c);
            dense_put(&W, j, c, dense_get(&W, best, c)), dense_put(&W, best, c, v);
        }
        tsl_scalar u = dense_get(&W, j, j);
        if (tsl_is_complex(p->type) && (isinf(creal(u)) || isinf(cimag(u)))) break; /* divided by it: zero or NaN */
        for (int64_t i = j + 1; i < p->m && most > 0; i++) {
            tsl_scalar l = dense_get(&W, i, j) / u;
            for (int64_t c = j + 1; c < upto; c++) dense_put(&W, i, c, dense_get(&W, i, c) - l * dense_get(&W, j, c));
        }
    }
    dense_free(&W);
    return wrong;
}

/* |P M - L U| / (columns eps |M|) in the strips; infinite if other columns are not P M */
static double residual(const stage *s)
{
    const problem *p = s->p;
    dense R = dense_copy(&s->M);
    double worst = 0, size = 0;
    for (int64_t j = p->k; j < p->end; j++)
        for (int64_t c = 0; c < p->n; c++) {
            int64_t r = s->picked[j - p->k];
            if (r < 0 || r >= p->m) return INFINITY;
            tsl_scalar v = dense_get(&R, j, c);
            dense_put(&R, j, c, dense_get(&R, r, c)), dense_put(&R, r, c, v);
        }
    for (int64_t c = 0; c < p->n; c++)
        for (int64_t i = 0; i < p->m; i++) {
            tsl_scalar sum = dense_get(&R, i, c), got = dense_get(&s->out, i, c);
            int64_t from = c < p->mid ? p->k : p->mid;
            bool inside = c >= p->k && c < p->end && i >= from;
            size = tsl_larger(size, cabs(sum));
            for (int64_t q = from; inside && q < i && q <= c; q++)
                sum -= dense_get(&s->out, i, q) * (q == c ? dense_get(&s->out, c, c) : dense_get(&s->out, q, c));
            if (inside && i <= c) sum -= got;
            if (!inside && sum != got) worst = INFINITY;
            if (inside) worst = tsl_larger(worst, cabs(sum));
        }
    dense_free(&R);
    return worst / ((double)(p->end - p->k) * tsl_type_eps(p->type) * size);
}

/* The same bits, or NaN in both: which NaN it is, no device says */
static bool alike(const dense *a, const dense *b)
{
    bool all = true;
    for (int64_t c = 0; c < a->n; c++)
        for (int64_t i = 0; i < a->m; i++) {
            tsl_scalar x = dense_get(a, i, c), y = dense_get(b, i, c);
            double parts[][2] = {{creal(x), creal(y)}, {cimag(x), cimag(y)}};
            for (int h = 0; h < 2; h++)
                all &= !memcmp(&parts[h][0], &parts[h][1], sizeof(double)) || (isnan(parts[h][0]) && isnan(parts[h][1]));
        }
    return all;
}

static void run(stage *s, const problem *p, const way *w)
{
    *s = (stage){.p = p, .w = w, .M = dense_make(p->type, p->m, p->n, CANARY_FINITE)};
    fill(&s->M, p);
    s->out = dense_copy(&s->M);
    s->rows = malloc(TSL_STRIP_BLOCK * (size_t)p->n * tsl_type_size(p->type));
    pthread_barrier_init(&s->all, NULL, (unsigned)w->processes);
    for (int i = 0; i < w->processes; i++) open_player(&s->play[i], s, i);
    for (int i = 0; i < w->processes; i++) introduce(&s->play[i]);
    for (int i = 0; i < w->processes; i++) pthread_create(&s->play[i].thread, NULL, play, &s->play[i]);
    for (int i = 0; i < w->processes; i++) pthread_join(s->play[i].thread, NULL);
    for (int i = 0; i < w->processes; i++) rows_move(&s->play[i], true);
    for (int i = 0; i < w->processes; i++) close_player(&s->play[i]);
    pthread_barrier_destroy(&s->all);
}

static void stage_free(stage *s) { dense_free(&s->M), dense_free(&s->out), free(s->rows); }

static void sweep(const problem *p)
{
    static const way ways[] = {{1, false, 1000000}, {1, true, 1000000}, {2, false, 1000000}, {2, true, 1000000},
                               {3, false, 0},       {3, true, 0},       {3, false, 3000},    {2, true, 3000}};
    stage first;
    int launches = 0;
    run(&first, p, &ways[0]);
    bool numbers = p->what != NANS && p->what != INFINITE;
    double off = numbers ? residual(&first) : 0;
    int wrong = wrong_pivots(&first);
    check(off < LIMIT && !wrong, "residual %.3g, %d wrong pivots", off, wrong);
    for (unsigned i = 0; i < sizeof ways / sizeof *ways; i++) {
        stage s;
        run(&s, p, &ways[i]);
        bool same = !memcmp(s.picked, first.picked, sizeof s.picked) && alike(&s.out, &first.out);
        int bad = 0;
        for (int q = 0; q < ways[i].processes; q++) bad += s.play[q].wrong, launches += s.play[q].launches;
        check(same && !bad, "%d processes, %s, patience %d ns: %s, %d wrong", ways[i].processes,
              ways[i].by_host ? "by host" : "by peers", (int)ways[i].patience, same ? "same bits" : "other bits", bad);
        stage_free(&s);
    }
    checked("%c, %d x %d, the first %d everywhere, columns %d to %d, %s: residual %.2g, %d launches", tsl_type_letter(p->type),
            (int)p->m, (int)p->n, (int)p->d, (int)p->k, (int)p->end, contents_names[p->what], off, launches);
    stage_free(&first);
}

/* A leaf that has told the others of its candidate, and left, writes nothing to them when it goes on. */
static void told_once(void)
{
    static const problem p = {TSL_D, 40, 6, 6, 0, 6, 6, 4, RANDOM};
    static const way w = {2, false, 1000};
    stage s = {.p = &p, .w = &w, .M = dense_make(TSL_D, p.m, p.n, CANARY_FINITE)};
    fill(&s.M, &p);
    s.out = dense_copy(&s.M);
    for (int i = 0; i < 2; i++) open_player(&s.play[i], &s, i);
    for (int i = 0; i < 2; i++) introduce(&s.play[i]);
    tsl_strip_inbox at = tsl_strip_inbox_of(p.type, p.n, p.d + s.play[1].here, 2);
    size_t bytes = at.rows - at.candidates;
    char *was = calloc(1, bytes), *is = calloc(1, bytes), *zeros = calloc(1, bytes);
    player *q = &s.play[0], *other = &s.play[1];
    const tsl_backend *be = q->x->dev->be;
    tsl_queue *queue = other->x->lanes[TSL_MAIN].q;
    for (int time = 0; time < 2; time++) {
        for (int again = 0; again < 20; again++) { /* a kernel's CTAs need not hear of each other in one launch */
            launch(q, 0, 6);
            q->wrong += be->event_wait(q->x->lanes[TSL_MAIN].point) || !q->shared->left;
        }
        be->copy2d(queue, time ? is : was, bytes, other->inbox + at.candidates, bytes, bytes, 1, TSL_TO_HOST);
        be->copy2d(queue, other->inbox + at.candidates, bytes, zeros, bytes, bytes, 1, TSL_TO_DEVICE);
        be->queue_wait(queue);
    }
    ok(!q->wrong && memcmp(was, zeros, bytes) && !memcmp(is, zeros, bytes),
       "a leaf ends alone, and what it has told is told once");
    free(was), free(is), free(zeros);
    for (int i = 0; i < 2; i++) close_player(&s.play[i]);
    stage_free(&s);
}

/* Every index is one process's, and in the order of its numbers */
static void cyclic(void)
{
    int wrong = 0;
    for (int processes = 1; processes < 4; processes++)
        for (int64_t nb = 1; nb < 6; nb++)
            for (int64_t d = 0; d < 20; d++) {
                const problem p = {.d = d, .nb = nb};
                int64_t next[MOST] = {0};
                for (int64_t i = d; i < 60; i++)
                    for (int me = 0; me < processes; me++) {
                        tsl_cyclic c = rows_of(&p, processes, me);
                        bool mine = i / nb % processes == me;
                        int64_t number = tsl_cyclic_number(&c, i);
                        wrong += mine ? number != next[me] || tsl_cyclic_index(&c, number) != i : number >= 0;
                        next[me] += mine;
                    }
            }
    ok(!wrong, "blocks by turns: %d wrong", wrong);
}

int main(void)
{
    static const problem shapes[] = {
        {.m = 61, .n = 29, .d = 29, .mid = 16, .end = 29, .nb = 5},
        {.m = 90, .n = 40, .d = 40, .k = 7, .mid = 34, .end = 35, .nb = 8},
        {.m = 33, .n = 33, .d = 33, .k = 8, .mid = 33, .end = 33, .nb = 4}, /* no rows but those of all */
        {.m = 30, .n = 9, .d = 9, .mid = 1, .end = 9, .nb = 64},            /* one process has them all */
        {.m = 700, .n = 66, .d = 66, .mid = 64, .end = 66, .nb = 32}};
    cyclic();
    for (tsl_type t = TSL_S; t <= TSL_Z; t++)
        for (unsigned i = 0; i < sizeof shapes / sizeof *shapes; i++) {
            problem p = shapes[i];
            p.type = t;
            sweep(&p);
        }
    for (tsl_type t = TSL_S; t <= TSL_Z; t++)
        for (contents what = TIES; what < CONTENTS; what++) {
            problem p = {t, 50, 20, 20, what == TIES ? 0 : 3, what == TIES ? 4 : 12, what == TIES ? 4 : 19, 3, what};
            sweep(&p);
        }
    told_once();
    return tap_done();
}
