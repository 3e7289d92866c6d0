/* Messages between the devices of threads (device/near.c): what each sends arrives, whoever comes first; who is not waited for
 * any more has sent nothing; a dropped ticket; and grids whose matrices are in the memory of such devices. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "context/context.h"
#include "device/near.h"
#include "grid/problems.h"

enum { ENDS = 4, ROUNDS = 40, LONGEST = 5000, N = 37, NB = 4 };

static const char *devices(void)
{
    const char *other = getenv("TESELA_TEST_DEVICES"); /* as on a GPU: cuda:0 */
    return other ? other : "host:1,mem=64M";
}

static tsl_context *context_there(void)
{
    tsl_config config = tsl_config_default();
    tsl_context *x = NULL;
    config.devices = devices();
    return tsl_context_create(&config, &x) ? NULL : x;
}

/* ---- the fabric alone */

typedef struct player {
    pthread_t thread;
    tsl_context *x;
    tsl_channel ch;
    tsl_ticket ticket;
    unsigned char *here, *there[3];
    int rank, wrong, asked;
    tsl_status lonely, other_size;
} player;

static unsigned char value(int round, int from, size_t i) { return (unsigned char)(7 * round + 31 * from + (int)(i % 251)); }

static tsl_status exchange(player *p, tsl_post_way way, int array, size_t bytes, int rank)
{
    tsl_channel_message k = {way, p->there[array], bytes, rank};
    return tsl_near_fabric.exchange(&p->ch, p->x->lanes[TSL_MAIN].q, &k, 1);
}

/* Between memory of the host and of the device */
static void move(player *p, int array, size_t bytes, tsl_direction way)
{
    tsl_queue *q = p->x->lanes[TSL_MAIN].q;
    void *to = way == TSL_TO_DEVICE ? p->there[array] : p->here, *from = way == TSL_TO_DEVICE ? p->here : p->there[array];
    p->wrong += p->x->dev->be->copy2d(q, to, bytes, from, bytes, bytes, 1, way) || p->x->dev->be->queue_wait(q);
}

/* To the next and from the one before, then from one of them to all; in the same arrays each time. */
static void play_round(player *p, int round)
{
    int next = (p->rank + 1) % ENDS, before = (p->rank + ENDS - 1) % ENDS, root = round % ENDS;
    size_t bytes = (size_t)(round * 131 % LONGEST) + 1;
    for (size_t i = 0; i < bytes; i++) p->here[i] = value(round, p->rank, i);
    move(p, 0, bytes, TSL_TO_DEVICE);
    move(p, 2, bytes, TSL_TO_DEVICE);
    if (round % 5 == p->rank) usleep(2000);
    tsl_channel_message m[] = {{TSL_SEND, p->there[0], bytes, next}, {TSL_RECEIVE, p->there[1], bytes, before}};
    p->wrong += tsl_near_fabric.exchange(&p->ch, p->x->lanes[TSL_MAIN].q, m, 2) != TSL_OK;
    p->wrong += exchange(p, TSL_BROADCAST, 2, bytes, root) != TSL_OK;
    for (int k = 1; k < 3; k++) {
        move(p, k, bytes, TSL_TO_HOST);
        for (size_t i = 0; i < bytes; i++) p->wrong += p->here[i] != value(round, k == 1 ? before : root, i);
    }
}

static bool asked_twice(void *asks) { return ++((player *)asks)->asked == 2; }

static void *play(void *arg)
{
    player *p = arg;
    p->x = context_there();
    p->here = malloc(LONGEST);
    for (int i = 0; i < 3; i++) p->wrong += tsl_device_alloc(p->x->dev, LONGEST, (void **)&p->there[i]) != TSL_OK;
    p->wrong += tsl_near_fabric.open(p->x->dev, &p->ticket, p->rank, ENDS, &p->ch) != TSL_OK;
    for (int round = 0; round < ROUNDS && !p->wrong; round++) play_round(p, round);
    p->ch.ends = asked_twice, p->ch.asks = p;
    if (p->rank < 2) p->lonely = exchange(p, p->rank ? TSL_RECEIVE : TSL_SEND, 0, 1, 3 - p->rank); /* with nobody */
    p->ch.ends = NULL;
    p->wrong += exchange(p, TSL_BROADCAST, 2, 5, 3) != TSL_OK; /* what was given up is not taken by whoever comes then */
    if (p->rank == 0) p->other_size = exchange(p, TSL_SEND, 0, 1, 3);
    if (p->rank == 3) p->other_size = exchange(p, TSL_RECEIVE, 0, 2, 0);
    if (p->rank == 0) p->wrong += exchange(p, TSL_SEND, 0, 3, 3) != TSL_OK;
    if (p->rank == 3) p->wrong += exchange(p, TSL_RECEIVE, 0, 3, 0) != TSL_OK;
    p->wrong += p->x->dev->be->queue_wait(p->x->lanes[TSL_MAIN].q) != TSL_OK;
    for (int i = 0; i < 3; i++) tsl_device_release(p->x->dev, p->there[i]);
    free(p->here);
    tsl_context_destroy(p->x); /* before the channel, as a program may */
    tsl_near_fabric.close(&p->ch, false);
    return NULL;
}

static void alone(void)
{
    player p[ENDS];
    tsl_ticket ticket;
    check(!tsl_near_fabric.ticket(&ticket), "a ticket");
    for (int i = 0; i < ENDS; i++) {
        p[i] = (player){.ticket = ticket, .rank = i};
        pthread_create(&p[i].thread, NULL, play, &p[i]);
    }
    for (int i = 0; i < ENDS; i++) {
        pthread_join(p[i].thread, NULL);
        check(!p[i].wrong, "end %d: %d wrong", i, p[i].wrong);
        check(i > 1 || (p[i].lonely == TSL_ERR_DEVICE && p[i].asked == 2), "end %d alone: %s", i, tsl_status_name(p[i].lonely));
    }
    tsl_near_fabric.drop(&ticket);
    check(!p[0].other_size && p[3].other_size == TSL_ERR_DEVICE, "another size: %s", tsl_status_name(p[3].other_size));
    checked("%d ends: what is sent arrives, and who waits for nobody may give up", ENDS);
}

/* Who has not heard that the others gave up opens too late. */
static void late(void)
{
    tsl_ticket ticket;
    tsl_channel ch = {0};
    tsl_context *x = context_there();
    tsl_status made = tsl_near_fabric.ticket(&ticket);
    if (!made) tsl_near_fabric.drop(&ticket);
    tsl_status st = tsl_near_fabric.open(x->dev, &ticket, 1, ENDS, &ch);
    check(!made && st == TSL_ERR_DEVICE && !ch.comm, "%s", tsl_status_name(st));
    tsl_context_destroy(x);
    checked("a dropped ticket opens nothing");
}

/* ---- grids */

typedef struct sweep {
    tsl_type type;
    double worst;
    int64_t staged, sent;
    int wrong;
} sweep;

static tsl_status run(tsl_grid *g, void *user)
{
    sweep *s = user;
    tsl_context *x = context_there();
    for (problem what = MULTIPLY; what < PROBLEMS; what++) {
        outcome o = solved_in(x, g, TSL_ON_DEVICE, what, s->type, N, NB);
        double off = o.st ? INFINITY : residual(&o, what, s->type, N);
        __atomic_fetch_add(&s->wrong, o.st || o.info > 0 || !(off < 20), __ATOMIC_RELAXED);
        if (o.st) printf("# %s: %s\n", problem_names[what], tsl_error(x));
        outcome_free(&o);
    }
    tsl_counters n = {0};
    tsl_counters_get(x, &n);
    __atomic_fetch_add(&s->sent, n.peer, __ATOMIC_RELAXED);
    tsl_context_destroy(x);
    return TSL_OK;
}

/* A copy between device matrices: nothing of it passes through the host's memory. */
static tsl_status run_copy(tsl_grid *g, void *user)
{
    sweep *s = user;
    tsl_context *x = context_there();
    tsl_layout l = tsl_layout_matrix(g, NB), every = tsl_layout_whole(g, TSL_EVERY, TSL_EVERY);
    l.scheme = every.scheme = TSL_ON_DEVICE;
    tsl_matrix *A = NULL, *B = NULL;
    tsl_status st = tsl_matrix_create_on(x, &l, s->type, N, N, &A);
    if (!st) st = tsl_matrix_create_on(x, &every, s->type, N, N, &B);
    if (!st) st = tsl_laset(x, 1, 2, tsl_whole(A));
    tsl_counters_reset(x);
    if (!st) st = tsl_copy(x, tsl_trans(tsl_whole(A)), tsl_whole(B));
    tsl_counters n = {0};
    tsl_counters_get(x, &n);
    __atomic_fetch_add(&s->staged, n.to_host + n.to_device, __ATOMIC_RELAXED);
    __atomic_fetch_add(&s->sent, n.peer, __ATOMIC_RELAXED);
    tsl_matrix_free(A), tsl_matrix_free(B);
    tsl_context_destroy(x);
    return st;
}

int main(void)
{
    static const int shapes[][2] = {{1, 2}, {2, 1}, {2, 2}, {2, 3}, {1, 5}};
    alone();
    late();
    for (unsigned i = 0; i < sizeof shapes / sizeof *shapes; i++)
        for (tsl_type type = TSL_S; type <= TSL_Z; type++) {
            int rows = shapes[i][0], cols = shapes[i][1];
            sweep s = {.type = type}, c = {.type = type};
            tsl_status st = tsl_grid_threads(rows, cols, run, &s), copied = tsl_grid_threads(rows, cols, run_copy, &c);
            check(!st && !s.wrong && s.sent > 0, "%d wrong, %d sent", s.wrong, (int)s.sent);
            check(!copied && c.sent > 0 && c.staged == 0, "a copy: %d sent, %d staged", (int)c.sent, (int)c.staged);
            checked("%c: problems on %dx%d threads with devices", tsl_type_letter(type), rows, cols);
        }
    return tap_done();
}
