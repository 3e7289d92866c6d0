/* An end says where its messages lie and what they come after. Who receives one copies it, on its own queue, and says so. An
 * exchange returns on the host when all that it sends has been taken: its queue then waits for the copies, and the host for no
 * device. All ends have said what they send before they wait, and come to exchanges in one order: so none waits for ever. */
#include "device/near.h"

#include <stdlib.h>
#include <string.h>

#include "device/moment.h"

typedef struct board board;
typedef struct end end;

typedef struct letter {
    struct letter *next;
    const end *from;
    int to;
    const tsl_channel_message *what;
    enum { WAITS, IN_HAND, TAKEN } state; /* TAKEN: the receiver's `done` has been recorded behind the copy */
} letter;

struct end {
    board *board;
    tsl_device device; /* for its events, which outlive the contexts that use the channel */
    tsl_event *ready, *done, *past; /* past: its queue waits for no event of another's any more */
    letter *sent;
    int rank, room;
};

/* lock: of the letters and their states, and of kernels. Ends are there until all have closed and the ticket is dropped. */
struct board {
    pthread_mutex_t lock;
    pthread_cond_t news;
    letter *first;
    end *ends;
    int size;
    int kernels; /* that write to other ends' memory, and may be at work */
    bool broken; /* none begins any more */
    int64_t number; /* what a ticket says */
    board *next;
    int users; /* open ends, and the ticket */
};

/* The boards whose tickets are not dropped; lock: of this list and of all users. An end that comes too late finds no board. */
static struct { pthread_mutex_t lock; board *first; int64_t count; } boards = {.lock = PTHREAD_MUTEX_INITIALIZER};

static bool there(const tsl_device *dev, char *place, size_t size)
{
    (void)dev, (void)size;
    *place = 0;
    return true;
}

static tsl_status ticket(tsl_ticket *t)
{
    board *b = calloc(1, sizeof *b);
    if (!b || !tsl_moment_open(&b->news)) {
        free(b);
        return TSL_ERR_MEMORY;
    }
    pthread_mutex_init(&b->lock, NULL);
    b->users = 1;
    pthread_mutex_lock(&boards.lock);
    b->number = ++boards.count;
    b->next = boards.first, boards.first = b;
    pthread_mutex_unlock(&boards.lock);
    memcpy(t->bytes, &b->number, sizeof b->number);
    return TSL_OK;
}

/* Where the list says which board a ticket is of; its end is NULL. With the list's lock */
static board **place_of(const tsl_ticket *t)
{
    int64_t number;
    memcpy(&number, t->bytes, sizeof number);
    board **at = &boards.first;
    while (*at && (*at)->number != number) at = &(*at)->next;
    return at;
}

static void free_board(board *b)
{
    for (int i = 0; i < b->size && b->ends; i++) {
        end *e = &b->ends[i];
        tsl_event *own[] = {e->ready, e->done, e->past};
        for (int k = 0; k < 3; k++)
            if (own[k]) e->device.be->event_close(&e->device, own[k]);
        free(e->sent);
    }
    pthread_cond_destroy(&b->news);
    pthread_mutex_destroy(&b->lock);
    free(b->ends);
    free(b);
}

static void leave(board *b)
{
    pthread_mutex_lock(&boards.lock);
    bool last = --b->users == 0;
    pthread_mutex_unlock(&boards.lock);
    if (last) free_board(b);
}

static void drop(const tsl_ticket *t)
{
    pthread_mutex_lock(&boards.lock);
    board **at = place_of(t), *b = *at;
    *at = b->next;
    pthread_mutex_unlock(&boards.lock);
    leave(b);
}

static tsl_status open_end(const tsl_device *dev, const tsl_ticket *t, int rank, int size, tsl_channel *ch)
{
    pthread_mutex_lock(&boards.lock);
    board *b = *place_of(t);
    if (b) b->users++;
    pthread_mutex_unlock(&boards.lock);
    if (!b) return TSL_ERR_DEVICE;
    pthread_mutex_lock(&b->lock);
    b->size = size;
    if (!b->ends) b->ends = calloc((size_t)size, sizeof *b->ends);
    end *e = b->ends ? &b->ends[rank] : NULL;
    pthread_mutex_unlock(&b->lock);
    if (e) *e = (end){.board = b, .device = {.be = dev->be, .ordinal = dev->ordinal}, .rank = rank};
    tsl_status st = e ? dev->be->event_open(&e->device, &e->ready) : TSL_ERR_MEMORY;
    if (!st) st = dev->be->event_open(&e->device, &e->done);
    if (!st) st = dev->be->event_open(&e->device, &e->past);
    if (st) leave(b);
    else ch->comm = e, ch->ordinal = dev->ordinal;
    return st;
}

bool tsl_near_kernel_begins(const tsl_channel *ch)
{
    board *b = ((end *)ch->comm)->board;
    pthread_mutex_lock(&b->lock);
    bool may = !b->broken;
    b->kernels += may;
    pthread_mutex_unlock(&b->lock);
    return may;
}

void tsl_near_kernel_ended(const tsl_channel *ch)
{
    board *b = ((end *)ch->comm)->board;
    pthread_mutex_lock(&b->lock);
    b->kernels--;
    pthread_cond_broadcast(&b->news);
    pthread_mutex_unlock(&b->lock);
}

/* What this end's memory is used for next, no kernel writes there. */
static void await_kernels(board *b)
{
    pthread_mutex_lock(&b->lock);
    b->broken = true;
    while (b->kernels) pthread_cond_wait(&b->news, &b->lock);
    pthread_mutex_unlock(&b->lock);
}

static void close_end(tsl_channel *ch, bool broken)
{
    end *e = ch->comm;
    (void)e->device.be->event_wait(e->past);
    if (broken) await_kernels(e->board);
    leave(e->board);
    ch->comm = NULL;
}

/* Under the lock: until there is something to look at, or a moment. False: the exchange is given up. */
static bool waits(board *b, const tsl_channel *ch)
{
    struct timespec until = tsl_in_a_moment();
    if (!pthread_cond_timedwait(&b->news, &b->lock, &until) || !ch->ends) return true;
    pthread_mutex_unlock(&b->lock);
    bool over = ch->ends(ch->asks);
    pthread_mutex_lock(&b->lock);
    return !over;
}

static bool is_sent(const end *e, const tsl_channel_message *k)
{
    return k->way == TSL_SEND || (k->way == TSL_BROADCAST && k->rank == e->rank);
}

/* Places to look at for those who are to have it: of a broadcast all but this end */
static int places(const end *e, const tsl_channel_message *k)
{
    return !is_sent(e, k) ? 0 : k->way == TSL_SEND ? 1 : e->board->size;
}

static tsl_status send_all(end *e, const tsl_channel_message *message, int count, int *sent)
{
    board *b = e->board;
    int all = 0;
    for (int i = 0; i < count; i++) all += places(e, &message[i]);
    letter *room = all > e->room ? realloc(e->sent, (size_t)all * sizeof *room) : e->sent;
    if (all > e->room && !room) return TSL_ERR_MEMORY;
    if (all > e->room) e->sent = room, e->room = all;
    for (int i = 0; i < count; i++)
        for (int l = 0; l < places(e, &message[i]); l++) {
            int to = message[i].way == TSL_SEND ? message[i].rank : l;
            if (to != e->rank) e->sent[(*sent)++] = (letter){NULL, e, to, &message[i], WAITS};
        }
    pthread_mutex_lock(&b->lock);
    letter **last = &b->first;
    while (*last) last = &(*last)->next;
    for (int i = 0; i < *sent; i++) *last = &e->sent[i], last = &e->sent[i].next;
    pthread_cond_broadcast(&b->news);
    pthread_mutex_unlock(&b->lock);
    return TSL_OK;
}

/* The first letter from one end to another; NULL: there is none */
static letter *taken_out(board *b, int from, int to)
{
    letter **at = &b->first, *l;
    while (*at && ((*at)->from->rank != from || (*at)->to != to)) at = &(*at)->next;
    if ((l = *at)) *at = l->next, l->state = IN_HAND;
    return l;
}

static void told(board *b, letter *l)
{
    pthread_mutex_lock(&b->lock);
    l->state = TAKEN;
    pthread_cond_broadcast(&b->news);
    pthread_mutex_unlock(&b->lock);
}

static tsl_status take(const end *e, const tsl_channel *ch, tsl_queue *q, const tsl_channel_message *k)
{
    const tsl_backend *be = e->device.be;
    board *b = e->board;
    letter *l;
    pthread_mutex_lock(&b->lock);
    while (!(l = taken_out(b, k->rank, e->rank)) && waits(b, ch)) continue;
    pthread_mutex_unlock(&b->lock);
    if (!l || l->what->bytes != k->bytes) {
        if (l) told(b, l);
        return TSL_ERR_DEVICE;
    }
    tsl_status st = be->event_after(q, l->from->ready);
    if (!st) st = be->copy2d(q, k->p, k->bytes, l->what->p, k->bytes, k->bytes, 1, TSL_PEER);
    if (!st) st = be->event_record(q, e->done);
    told(b, l);
    return st;
}

/* Until it has been taken; what comes on the queue then may overwrite it. */
static tsl_status await(const end *e, const tsl_channel *ch, tsl_queue *q, const letter *l)
{
    board *b = e->board;
    bool goes = true;
    pthread_mutex_lock(&b->lock);
    while (l->state != TAKEN && goes) goes = waits(b, ch);
    pthread_mutex_unlock(&b->lock);
    return goes ? e->device.be->event_after(q, b->ends[l->to].done) : TSL_ERR_DEVICE;
}

/* What nobody has taken is not sent. */
static void withdraw(end *e, int sent)
{
    board *b = e->board;
    pthread_mutex_lock(&b->lock);
    for (int i = 0; i < sent; i++) {
        letter *l = &e->sent[i];
        while (l->state == IN_HAND) pthread_cond_wait(&b->news, &b->lock);
        for (letter **at = &b->first; l->state == WAITS && *at; at = &(*at)->next)
            if (*at == l) {
                *at = l->next, l->state = TAKEN;
                break;
            }
    }
    pthread_mutex_unlock(&b->lock);
}

static tsl_status exchange(const tsl_channel *ch, tsl_queue *q, const tsl_channel_message *message, int count)
{
    end *e = ch->comm;
    int sent = 0;
    tsl_status st = e->device.be->event_record(q, e->ready);
    if (!st) st = send_all(e, message, count, &sent);
    for (int i = 0; i < count && !st; i++)
        if (!is_sent(e, &message[i])) st = take(e, ch, q, &message[i]);
    for (int i = 0; i < sent && !st; i++) st = await(e, ch, q, &e->sent[i]);
    if (st) withdraw(e, sent);
    tsl_status late = e->device.be->event_record(q, e->past);
    return st ? st : late;
}

static tsl_status check(const tsl_channel *ch)
{
    (void)ch;
    return TSL_OK;
}

const tsl_fabric tsl_near_fabric = {there, ticket, drop, open_end, close_end, exchange, check};
