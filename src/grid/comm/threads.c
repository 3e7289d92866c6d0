/* Processes that are threads of one program. A message that has been sent, or is to be received, waits at the receiver's for
 * its counterpart; who comes second copies from the one array to the other. A sender's array is free when that is done. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "device/moment.h"
#include "grid/grid.h"
#include "tesela_grid.h"

typedef struct letter {
    struct letter *next, *older; /* older: of the same one of both */
    int from, to, tag;
    bool is_sent;                /* else it is to be received */
    void *data;
    size_t bytes;
    enum { WAITING, COPIED, DONE, BAD } state; /* COPIED: being so */
} letter;

enum { WORDS = TSL_TAG_NEWS + 1, NOT_SAID = -1 };

typedef struct room room;

typedef struct end {
    tsl_wire head;
    room *room;
    pthread_cond_t news;
    uint64_t events, seen; /* seen: those before the latest wait ended */
    letter *first, **last; /* of those to this one */
    letter *spare, *latest; /* of its own */
    int *said[WORDS];      /* to this one, by tag and process */
    int unheard[WORDS];
    bool left;
} end;

struct room {
    pthread_mutex_t lock; /* of all that is here, but for what is copied */
    int ends, there;
    end *end;
};

static end *end_of(tsl_wire *w) { return (end *)w; }

/* Under the lock: there is something for it to look at */
static void ring(room *r, int who)
{
    r->end[who].events++;
    pthread_cond_signal(&r->end[who].news);
}

static letter *new_letter(end *e)
{
    letter *l = e->spare;
    if (l) {
        e->spare = l->next;
        return l;
    }
    l = malloc(sizeof *l);
    if (!l) return NULL;
    l->older = e->latest;
    return e->latest = l;
}

/* The first that this one has waited for, taken from the queue */
static letter *counterpart(end *at, const letter *l)
{
    for (letter **k = &at->first; *k; k = &(*k)->next) {
        letter *other = *k;
        if (other->is_sent == l->is_sent || other->from != l->from || other->tag != l->tag) continue;
        if (at->last == &other->next) at->last = k;
        *k = other->next;
        return other;
    }
    return NULL;
}

static void copy(room *r, letter *out, letter *in)
{
    out->state = in->state = COPIED;
    pthread_mutex_unlock(&r->lock);
    bool fits = out->bytes == in->bytes;
    if (fits && in->bytes) memcpy(in->data, out->data, in->bytes);
    pthread_mutex_lock(&r->lock);
    out->state = in->state = fits ? DONE : BAD;
    ring(r, out->from), ring(r, in->to);
}

static bool post(end *e, letter of, tsl_request *req)
{
    room *r = e->room;
    pthread_mutex_lock(&r->lock);
    letter *l = new_letter(e), *other = NULL;
    if (l) {
        of.older = l->older;
        *l = of;
        *req = (tsl_request){.pending = true, .as.at = l};
        end *at = &r->end[l->to];
        other = counterpart(at, l);
        if (other) copy(r, l->is_sent ? l : other, l->is_sent ? other : l);
        else *at->last = l, at->last = &l->next;
    }
    pthread_mutex_unlock(&r->lock);
    return !l;
}

static bool send(tsl_wire *w, int to, int tag, const void *data, size_t bytes, tsl_request *req)
{
    letter l = {.from = w->rank, .to = to, .tag = tag, .is_sent = true, .data = (void *)data, .bytes = bytes};
    return post(end_of(w), l, req);
}

static bool receive(tsl_wire *w, int from, int tag, void *data, size_t bytes, tsl_request *req)
{
    return post(end_of(w), (letter){.from = from, .to = w->rank, .tag = tag, .data = data, .bytes = bytes}, req);
}

static void give_back(end *e, letter *l, tsl_request *req)
{
    l->state = DONE;
    l->next = e->spare;
    e->spare = l;
    req->pending = false;
}

/* Nobody answers from an end that has left. Where its last word was news, that comes first. */
static bool test(tsl_wire *w, tsl_request *req)
{
    end *e = end_of(w);
    letter *l = req->as.at;
    pthread_mutex_lock(&e->room->lock);
    int other = l->is_sent ? l->to : l->from;
    bool left = l->state == WAITING && e->room->end[other].left && !e->unheard[TSL_TAG_NEWS], bad = left || l->state == BAD;
    if (left) w->left = other;
    if (l->state == DONE || l->state == BAD) give_back(e, l, req);
    pthread_mutex_unlock(&e->room->lock);
    return bad;
}

static void take_out(room *r, const letter *l)
{
    end *at = &r->end[l->to];
    for (letter **k = &at->first; *k; k = &(*k)->next)
        if (*k == l) {
            if (at->last == &l->next) at->last = k;
            *k = l->next;
            return;
        }
}

static void cancel(tsl_wire *w, tsl_request *req)
{
    end *e = end_of(w);
    letter *l = req->as.at;
    pthread_mutex_lock(&e->room->lock);
    if (l->state == WAITING) take_out(e->room, l);
    while (l->state == COPIED) pthread_cond_wait(&e->news, &e->room->lock);
    give_back(e, l, req);
    pthread_mutex_unlock(&e->room->lock);
}

static void tell(tsl_wire *w, int to, int tag, const int *word)
{
    end *e = end_of(w), *other = &e->room->end[to];
    pthread_mutex_lock(&e->room->lock);
    if (!other->left && other->said[tag][w->rank] == NOT_SAID) ++other->unheard[tag];
    if (!other->left) other->said[tag][w->rank] = *word;
    ring(e->room, to);
    pthread_mutex_unlock(&e->room->lock);
}

static bool hear(tsl_wire *w, int tag, int *from, int *word)
{
    end *e = end_of(w);
    *from = -1;
    pthread_mutex_lock(&e->room->lock);
    for (int i = 0; i < w->size && e->unheard[tag] && *from < 0; ++i)
        if (e->said[tag][i] != NOT_SAID) {
            *from = i, *word = e->said[tag][i];
            e->said[tag][i] = NOT_SAID;
            --e->unheard[tag];
        }
    pthread_mutex_unlock(&e->room->lock);
    return false;
}

/* What has come since the latest of these waits ended has perhaps not been looked at. */
static void idle(tsl_wire *w)
{
    end *e = end_of(w);
    struct timespec until = tsl_in_a_moment();
    pthread_mutex_lock(&e->room->lock);
    while (e->events == e->seen && !pthread_cond_timedwait(&e->news, &e->room->lock, &until)) continue;
    e->seen = e->events;
    pthread_mutex_unlock(&e->room->lock);
}

static const char *refuses(const tsl_wire *w)
{
    (void)w;
    return NULL;
}

/* Process i of one grid is process i of any other that is as large. */
static bool same(const tsl_wire *a, const tsl_wire *b) { return a->size == b->size; }

static bool there(const tsl_wire *a, int rank, const tsl_wire *b, int *other)
{
    (void)a, (void)b;
    *other = rank;
    return false;
}

static void free_room(room *r)
{
    for (int i = 0; i < r->ends; ++i) {
        end *e = &r->end[i];
        for (letter *l; (l = e->latest); free(l)) e->latest = l->older;
        free(e->said[0]);
        pthread_cond_destroy(&e->news);
    }
    pthread_mutex_destroy(&r->lock);
    free(r->end);
    free(r);
}

/* The others see that it has left when they wait for it. The last one frees all. */
static void close_end(tsl_wire *w, bool broken)
{
    end *e = end_of(w);
    room *r = e->room;
    (void)broken;
    pthread_mutex_lock(&r->lock);
    e->left = true;
    for (letter *l = e->latest; l; l = l->older)
        if (l->state == WAITING) take_out(r, l);
    for (int i = 0; i < r->ends; ++i) ring(r, i);
    bool last = --r->there == 0;
    pthread_mutex_unlock(&r->lock);
    if (last) free_room(r);
}

static const tsl_wire_ops ops = {.name = "a thread", .is_near = true, .send = send, .receive = receive, .test = test,
                                 .cancel = cancel, .tell = tell, .hear = hear, .idle = idle, .refuses = refuses, .same = same,
                                 .there = there, .close = close_end};

static bool open_end(room *r, int rank)
{
    end *e = &r->end[rank];
    int *said = malloc((size_t)WORDS * (size_t)r->ends * sizeof *said);
    *e = (end){.head = {.ops = &ops, .rank = rank, .size = r->ends, .left = -1, .most = tsl_wire_most(PTRDIFF_MAX)},
               .room = r, .last = &e->first};
    bool good = tsl_moment_open(&e->news);
    for (int i = 0; said && i < WORDS * r->ends; ++i) said[i] = NOT_SAID;
    for (int tag = 0; tag < WORDS; ++tag) e->said[tag] = said + (said ? tag * r->ends : 0);
    return said && good;
}

static room *open_room(int ends)
{
    room *r = calloc(1, sizeof *r);
    if (r) r->end = calloc((size_t)ends, sizeof *r->end);
    if (!r || !r->end) {
        free(r);
        return NULL;
    }
    bool good = true;
    pthread_mutex_init(&r->lock, NULL);
    r->ends = r->there = ends;
    for (int i = 0; i < ends; ++i) good &= open_end(r, i);
    if (good) return r;
    free_room(r);
    return NULL;
}

static tsl_status count(int rows, int cols, int *p)
{
    if (rows >= 1 && cols >= 1 && !__builtin_mul_overflow(rows, cols, p)) return TSL_OK;
    return tsl_fail(NULL, TSL_ERR_GRID, "grid: %d x %d processes; both must be positive", rows, cols);
}

tsl_status tsl_grid_create_local(int rows, int cols, tsl_grid **grids)
{
    int p = 0, made = 0;
    tsl_status st = grids ? count(rows, cols, &p) : tsl_fail(NULL, TSL_ERR_NULL, "grid: no place for the result");
    if (st) return st;
    for (int i = 0; i < p; ++i) grids[i] = NULL;
    room *r = open_room(p);
    if (!r) return tsl_fail(NULL, TSL_ERR_MEMORY, "grid: no host memory");
    while (made < p && (grids[made] = tsl_grid_make(&r->end[made].head, rows, cols))) tsl_alive(&grids[made++]->handle, NULL);
    if (made == p) return TSL_OK;
    for (int i = 0; i < p; ++i) {
        if (i < made) tsl_grid_free(grids[i]);
        else close_end(&r->end[i].head, true);
        grids[i] = NULL;
    }
    return tsl_fail(NULL, TSL_ERR_MEMORY, "grid: no host memory");
}

typedef struct worker {
    pthread_t thread;
    tsl_grid *grid;
    tsl_grid_body body;
    void *user;
    tsl_status st;
} worker;

static void *work(void *arg)
{
    worker *w = arg;
    w->st = w->body(w->grid, w->user);
    tsl_grid_free(w->grid);
    return NULL;
}

/* The first process is the caller's own thread. Where not all can be started, those at work find that the others have left. */
static tsl_status run(int p, worker *w)
{
    int begun = 1;
    tsl_status st = TSL_OK;
    while (begun < p && !pthread_create(&w[begun].thread, NULL, work, &w[begun])) ++begun;
    if (begun < p) st = tsl_fail(NULL, TSL_ERR_MEMORY, "grid: thread %d of %d could not be started", begun, p);
    for (int i = begun; i < p; ++i) tsl_grid_free(w[i].grid);
    if (st) tsl_grid_free(w[0].grid);
    else work(&w[0]);
    for (int i = 1; i < begun; ++i) pthread_join(w[i].thread, NULL);
    for (int i = 0; i < begun && !st; ++i) st = w[i].st;
    return st;
}

tsl_status tsl_grid_threads(int rows, int cols, tsl_grid_body body, void *user)
{
    int p = 0;
    tsl_status st = body ? count(rows, cols, &p) : tsl_fail(NULL, TSL_ERR_NULL, "grid: no function for its processes");
    if (st) return st;
    tsl_grid **grids = calloc((size_t)p, sizeof *grids);
    worker *w = calloc((size_t)p, sizeof *w);
    st = grids && w ? tsl_grid_create_local(rows, cols, grids) : tsl_fail(NULL, TSL_ERR_MEMORY, "grid: no host memory");
    for (int i = 0; i < p && !st; ++i) w[i] = (worker){.grid = grids[i], .body = body, .user = user};
    if (!st) st = run(p, w);
    free(w);
    free(grids);
    return st;
}
