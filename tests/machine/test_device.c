/* The device layer by itself, with the host backend: queues, events, copies, errors, memory and specifications. */
#define _GNU_SOURCE /* pthread_setattr_default_np */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "device/device.h"
#include "tap.h"
#include "threads.h"

enum { THREADS = 4, ROUNDS = 100, LIMIT = 1 << 20 };

static bool open_first(const char *spec, tsl_device *dev)
{
    tsl_device_spec s[4];
    char detail[128];
    int count;
    if (tsl_parse_devices(spec, s, 4, &count, detail, sizeof detail) || count < 1) return false;
    *dev = (tsl_device){.be = s[0].be, .ordinal = s[0].ordinal, .is_virtual = s[0].is_virtual, .shares_host = s[0].shares_host,
                        .limit = s[0].limit};
    return tsl_device_open(dev) == TSL_OK;
}

/* Kernels of the test: A and C point to numbers, k is an argument. */
static tsl_status set(struct tsl_queue *q, const tsl_leaf *l)
{
    (void)q;
    *(int64_t *)l->C.p = l->k;
    return TSL_OK;
}

static tsl_status set_late(struct tsl_queue *q, const tsl_leaf *l)
{
    usleep(2000); /* long enough that a reader who does not wait comes first */
    return set(q, l);
}

static tsl_status copy_number(struct tsl_queue *q, const tsl_leaf *l)
{
    (void)q;
    *(int64_t *)l->C.p = *(const int64_t *)l->A.p;
    return TSL_OK;
}

/* C := 3 C + k: the outcome tells the order. */
static tsl_status fold(struct tsl_queue *q, const tsl_leaf *l)
{
    (void)q;
    int64_t *c = l->C.p;
    *c = (3 * *c + l->k) % 1000003;
    return TSL_OK;
}

static tsl_status fail(struct tsl_queue *q, const tsl_leaf *l)
{
    (void)q;
    return (tsl_status)l->k;
}

static tsl_status caller(struct tsl_queue *q, const tsl_leaf *l)
{
    (void)q;
    *(pthread_t *)l->C.p = pthread_self();
    return TSL_OK;
}

static tsl_status put(tsl_device *dev, tsl_queue *q, tsl_kernel fn, void *from, void *to, int64_t k)
{
    tsl_leaf l = {.op = TSL_OP_COPY, .A.p = from, .C.p = to, .k = k};
    return dev->be->launch(q, fn, &l);
}

static void test_order(tsl_device *dev, tsl_queue *q)
{
    int64_t got = 1, want = 1;
    for (int64_t k = 0; k < 500; k++) {
        check(put(dev, q, fold, NULL, &got, k) == TSL_OK, "launch");
        want = (3 * want + k) % 1000003;
    }
    check(dev->be->queue_wait(q) == TSL_OK && got == want, "order: %lld, not %lld", (long long)got, (long long)want);
    checked("a queue keeps the order of its work");
}

/* a writes late, b reads after the event; then b answers and a waits for it, with the same two events every round. */
static void test_events(tsl_device *dev, tsl_queue *a, tsl_queue *b)
{
    const tsl_backend *be = dev->be;
    tsl_event *there = NULL, *back = NULL;
    double seconds = -1;
    check(be->event_open(dev, &there) == TSL_OK && be->event_open(dev, &back) == TSL_OK, "events");
    check(be->event_elapsed(there, back, &seconds) != TSL_OK, "no time between events never recorded");
    check(be->event_after(b, there) == TSL_OK && be->queue_wait(b) == TSL_OK, "nothing to wait for before the first record");
    for (int64_t round = 1; round <= 20; round++) {
        int64_t x = 0, seen = -1, answer = -1;
        put(dev, a, set_late, NULL, &x, round);
        be->event_record(a, there);
        be->event_after(b, there);
        put(dev, b, copy_number, &x, &seen, 0);
        put(dev, b, set_late, NULL, &x, -round);
        be->event_record(b, back);
        be->event_after(a, back);
        put(dev, a, copy_number, &x, &answer, 0);
        check(be->queue_wait(a) == TSL_OK && be->queue_wait(b) == TSL_OK, "wait");
        check(seen == round && answer == -round, "round %d: %d there, %d back", (int)round, (int)seen, (int)answer);
    }
    check(be->event_elapsed(there, back, &seconds) == TSL_OK && seconds >= 0, "time between the events: %g", seconds);
    be->event_close(dev, there);
    be->event_close(dev, back);
    checked("an event orders two queues");
}

static void test_copy(tsl_device *dev, tsl_queue *q)
{
    enum { ROWS = 5, COLS = 3, FROM = 7, TO = 11 };
    unsigned char src[FROM * COLS], dst[TO * COLS];
    for (int i = 0; i < FROM * COLS; i++) src[i] = (unsigned char)i;
    memset(dst, 0xee, sizeof dst);
    check(dev->be->copy2d(q, dst, TO, src, FROM, ROWS, COLS, TSL_TO_DEVICE) == TSL_OK && dev->be->queue_wait(q) == TSL_OK, "copy");
    for (int j = 0; j < COLS; j++)
        for (int i = 0; i < TO; i++)
            check(dst[i + j * TO] == (i < ROWS ? i + j * FROM : 0xee), "(%d,%d) is %d", i, j, dst[i + j * TO]);
    check(dev->be->copy2d(q, NULL, 1, NULL, 1, 0, 0, TSL_PEER) == TSL_OK && dev->be->queue_wait(q) == TSL_OK, "an empty copy");
    checked("copies keep their pitches");
}

static void test_errors(tsl_device *dev, tsl_queue *a, tsl_queue *b)
{
    const tsl_backend *be = dev->be;
    tsl_event *e = NULL;
    int64_t x = 0, other = 0;
    check(be->event_open(dev, &e) == TSL_OK, "event");
    put(dev, a, fail, NULL, NULL, TSL_ERR_DEVICE);
    put(dev, a, set, NULL, &x, 1);
    put(dev, a, fail, NULL, NULL, TSL_ERR_MEMORY);
    be->copy2d(a, &x, sizeof x, &(int64_t){2}, sizeof x, sizeof x, 1, TSL_TO_DEVICE);
    be->event_record(a, e);
    be->event_after(b, e);
    put(dev, b, set, NULL, &other, 3);
    check(be->queue_wait(b) == TSL_OK && other == 3, "the other queue gets past the event, without the error");
    check(be->queue_wait(a) == TSL_ERR_DEVICE, "the first error");
    check(x == 0, "work behind an error is passed over");
    check(be->queue_wait(a) == TSL_OK, "the error is told once");
    put(dev, a, set, NULL, &x, 4);
    check(be->queue_wait(a) == TSL_OK && x == 4, "and then the queue works again");
    be->event_close(dev, e);
    checked("errors stay with their queue");
}

static void test_inline(tsl_device *dev, tsl_queue *q)
{
    pthread_t who;
    int64_t x = 0;
    put(dev, q, caller, NULL, &who, 0);
    check(dev->be->queue_wait(q) == TSL_OK && !pthread_equal(who, pthread_self()), "a queue has a thread of its own");
    put(dev, q, set_late, NULL, &x, 5);
    tsl_head(q)->inline_calls = true;
    put(dev, q, caller, NULL, &who, 0);
    check(x == 5, "an inline call waits for what is queued");
    check(pthread_equal(who, pthread_self()), "and runs on the caller's thread");
    put(dev, q, fail, NULL, NULL, TSL_ERR_DEVICE);
    check(dev->be->queue_wait(q) == TSL_ERR_DEVICE, "its error is kept too");
    tsl_head(q)->inline_calls = false;
    checked("inline calls");
}

/* New threads cannot be had: nothing has room for their stacks. */
static void forbid_threads(bool forbid)
{
    static pthread_attr_t usual;
    pthread_attr_t huge;
    if (forbid) pthread_getattr_default_np(&usual);
    pthread_attr_init(&huge);
    check(!pthread_attr_setstacksize(&huge, (size_t)1 << 60), "such stacks may be asked for");
    check(!pthread_setattr_default_np(forbid ? &huge : &usual), "threads %s", forbid ? "forbidden" : "allowed");
    pthread_attr_destroy(&huge);
}

static void test_threads(tsl_device *dev)
{
    tsl_queue *q = NULL;
    pthread_t who;
    int64_t x = 0;
    int before = threads();
    check(before > 1 && dev->be->queue_open(dev, 0, NULL, &q) == TSL_OK, "another queue");
    tsl_head(q)->inline_calls = true;
    put(dev, q, set, NULL, &x, 6);
    tsl_head(q)->inline_calls = false;
    check(x == 6 && threads() == before, "inline calls start no thread");
    forbid_threads(true);
    put(dev, q, caller, NULL, &who, 0);
    check(pthread_equal(who, pthread_self()), "where no thread can be had the caller's does the work");
    forbid_threads(false);
    put(dev, q, caller, NULL, &who, 0);
    check(dev->be->queue_wait(q) == TSL_OK && !pthread_equal(who, pthread_self()), "the first task left to it starts the thread");
    put(dev, q, set, NULL, &x, 7);
    check(dev->be->queue_wait(q) == TSL_OK && x == 7 && threads() == before + 1, "and the next uses it");
    dev->be->queue_close(q);
    checked("a queue has a thread once it needs one");
}

static void test_memory(void)
{
    tsl_device dev, other;
    void *p = NULL, *q = NULL;
    ok(open_first("host:2,mem=1M", &dev) && open_first("host:1", &other), "virtual devices");
    check(tsl_device_alloc(&dev, LIMIT + 1, &q) == TSL_ERR_DEVICE_MEMORY, "one byte too many");
    check(tsl_device_alloc(&dev, SIZE_MAX, &q) == TSL_ERR_DEVICE_MEMORY, "all memory");
    check(dev.used == 0 && dev.peak == 0, "what is refused is not counted");
    check(tsl_device_alloc(&dev, LIMIT / 2, &p) == TSL_OK && dev.used == LIMIT / 2, "half of it");
    check(tsl_device_alloc(&dev, LIMIT / 2 + 1, &q) == TSL_ERR_DEVICE_MEMORY, "more than the other half");
    check(tsl_device_alloc(&dev, LIMIT / 2, &q) == TSL_OK && dev.used == LIMIT, "all of the limit");
    char *c = p, local = 0;
    check(dev.be->owns(&dev, c) && dev.be->owns(&dev, c + LIMIT / 4) && dev.be->owns(&dev, c + LIMIT / 2 - 1), "owns its memory");
    check(!dev.be->owns(&dev, &local) && !dev.be->owns(&other, c), "does not own the stack, nor do others own its memory");
    tsl_device_release(&dev, p);
    check(!dev.be->owns(&dev, c) && dev.used == LIMIT / 2 && dev.peak == LIMIT, "released");
    tsl_device_release(&dev, NULL);
    tsl_device_release(&dev, q);
    check(dev.used == 0 && dev.peak == LIMIT, "all is given back: %zu", (size_t)dev.used);
    check(tsl_device_alloc(&dev, LIMIT, &p) == TSL_OK, "and can be had again");
    tsl_device_close(&dev); /* with the last block still held: the leak checker sees whether closing frees it */
    tsl_device_close(&other);
    checked("a device's memory has a limit and is counted");
}

/* Places of 8 bytes side by side, of which blocks take 1 to 8: some end where the next begins, others leave a gap. */
enum { PLACES = 20000, PLACE = 8 };
static char room[PLACES * PLACE];
static bool taken[PLACES * PLACE];
static char *next_place;

static void *place_alloc(void *user, int device, size_t bytes)
{
    (void)user;
    return device < 0 ? malloc(bytes) : next_place;
}

static void place_free(void *user, int device, void *p, size_t bytes)
{
    (void)user, (void)bytes;
    if (device < 0) free(p);
}

static void take(tsl_device *dev, int i, size_t bytes)
{
    void *p = NULL;
    next_place = &room[i * PLACE];
    check(tsl_device_alloc(dev, bytes, &p) == TSL_OK && p == next_place, "block %d", i);
    memset(&taken[i * PLACE], true, bytes);
}

static void give(tsl_device *dev, int i)
{
    tsl_device_release(dev, &room[i * PLACE]);
    memset(&taken[i * PLACE], false, PLACE);
}

/* The device owns the bytes of its blocks, counts them, and owns no others. */
static void look_around(const tsl_device *dev, const char *when)
{
    int wrong = 0;
    size_t bytes = 0;
    char alien = 0;
    for (int i = 0; i < PLACES * PLACE; i++) {
        wrong += dev->be->owns(dev, &room[i]) != taken[i];
        bytes += taken[i];
    }
    check(!wrong, "%s: %d bytes are taken for what they are not", when, wrong);
    check(!dev->be->owns(dev, room + sizeof room) && !dev->be->owns(dev, &alien), "%s: others' memory", when);
    check(dev->used == bytes, "%s: %zu bytes are counted of %zu", when, (size_t)dev->used, bytes);
}

/* Blocks come, go and come again, with other sizes, in an order that is not that of their addresses. */
static void test_blocks(void)
{
    tsl_device dev;
    check(open_first("host:1", &dev), "a virtual device");
    dev.allocator = (tsl_allocator){.alloc = place_alloc, .free = place_free};
    dev.hooked = true;
    /* 7919 and 7907 are prime to the number of places: i goes through all of them */
    for (int64_t k = 0; k < PLACES; k++) {
        int i = (int)(k * 7919 % PLACES);
        take(&dev, i, (size_t)(1 + i * 5 % PLACE));
    }
    look_around(&dev, "all are there");
    for (int64_t k = 0; k < PLACES; k++) {
        int i = (int)(k * 7907 % PLACES);
        if (i % 2) give(&dev, i);
        else tsl_device_release(&dev, &room[i * PLACE + 1]); /* not where a block begins: it stays */
    }
    look_around(&dev, "every other one is gone");
    for (int64_t k = 0; k < PLACES; k++) {
        int i = (int)(k * 7919 % PLACES);
        if (i % 2 && i % 3) take(&dev, i, (size_t)(1 + i % PLACE));
    }
    look_around(&dev, "some have come again");
    for (int i = 0; i < PLACES; i++)
        if (i != PLACES / 2) give(&dev, i);
    look_around(&dev, "one is left");
    give(&dev, PLACES / 2);
    look_around(&dev, "none is left");
    tsl_device_close(&dev);
    checked("blocks of memory are found");
}

static void test_specs(void)
{
    static const struct {
        const char *text;
        int count, virtuals;
        size_t last_limit;
    } rows[] = {
        {"host", 1, 0, SIZE_MAX},           {"host:1", 1, 1, SIZE_MAX},         {"host:3,mem=64M", 3, 3, 64u << 20},
        {"host,mem=5", 1, 0, 5},            {"host:2,mem=3K", 2, 2, 3u << 10},  {"host:2+host,mem=1G", 3, 2, 1u << 30},
        {"host+host:4,mem=7M", 5, 4, 7u << 20}, {"host:8", 8, 8, SIZE_MAX},
        {"host,mem=1.5M", 1, 0, 3u << 19},  {"host,mem=0.75K", 1, 0, 768},      {"host:1,mem=2.0001G", 1, 1, (2u << 30) + 107374},
    };
    tsl_device_spec d[8];
    char detail[128] = "";
    int n = -1;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        int virtuals = 0;
        tsl_status st = tsl_parse_devices(rows[i].text, d, 8, &n, detail, sizeof detail);
        for (int k = 0; k < n && !st; k++) {
            virtuals += d[k].is_virtual;
            check(d[k].be == &tsl_host_backend && d[k].shares_host == !d[k].is_virtual, "'%s': device %d", rows[i].text, k);
        }
        check(!st && n == rows[i].count && virtuals == rows[i].virtuals, "'%s': %d devices, %d virtual", rows[i].text, n, virtuals);
        check(!st && d[n - 1].limit == rows[i].last_limit, "'%s': limit %zu", rows[i].text, d[n - 1].limit);
    }
    check(tsl_parse_devices(NULL, d, 8, &n, detail, sizeof detail) == TSL_OK && n >= 1, "a default");
    check(tsl_parse_devices("host:5", d, 4, &n, detail, sizeof detail) == TSL_ERR_SPEC && *detail, "too many, and why: %s", detail);
    *detail = 0;
    check(tsl_parse_devices("toaster", d, 8, &n, detail, sizeof detail) == TSL_ERR_SPEC && *detail, "no such kind, and why");
    checked("device specifications");
}

/* One of several threads on one device: two queues in a chain of events, and memory coming and going. */
static void *crowd(void *arg)
{
    tsl_device *dev = arg;
    const tsl_backend *be = dev->be;
    tsl_queue *q[2] = {NULL, NULL};
    tsl_event *e[2] = {NULL, NULL};
    int64_t bad = 0, got = 1, want = 1;
    for (int i = 0; i < 2; i++) bad += be->queue_open(dev, i, NULL, &q[i]) != TSL_OK || be->event_open(dev, &e[i]) != TSL_OK;
    for (int64_t r = 0; r < ROUNDS && !bad; r++) {
        int at = r & 1;
        void *p = NULL;
        bad += tsl_device_alloc(dev, 4096, &p) != TSL_OK || !be->owns(dev, p);
        bad += put(dev, q[at], fold, NULL, &got, r) != TSL_OK;
        bad += be->event_record(q[at], e[at]) != TSL_OK || be->event_after(q[!at], e[at]) != TSL_OK;
        want = (3 * want + r) % 1000003;
        tsl_device_release(dev, p);
    }
    for (int i = 0; i < 2; i++) {
        bad += be->queue_wait(q[i]) != TSL_OK;
        be->queue_close(q[i]);
        be->event_close(dev, e[i]);
    }
    return (void *)(intptr_t)(bad + (got != want));
}

static void test_crowd(tsl_device *dev)
{
    pthread_t t[THREADS];
    for (int i = 0; i < THREADS; i++) check(pthread_create(&t[i], NULL, crowd, dev) == 0, "thread %d", i);
    for (int i = 0; i < THREADS; i++) {
        void *bad;
        pthread_join(t[i], &bad);
        check(!bad, "thread %d: %d wrong", i, (int)(intptr_t)bad);
    }
    check(dev->used == 0, "nothing is left: %zu", (size_t)dev->used);
    checked("many queues and threads on one device");
}

int main(void)
{
    tsl_device dev;
    tsl_queue *a = NULL, *b = NULL;
    ok(open_first("host:1,mem=16M", &dev), "a device");
    ok(dev.be->queue_open(&dev, 0, NULL, &a) == TSL_OK && dev.be->queue_open(&dev, 1, NULL, &b) == TSL_OK, "two queues");
    test_order(&dev, a);
    test_events(&dev, a, b);
    test_copy(&dev, a);
    test_errors(&dev, a, b);
    test_inline(&dev, a);
    test_threads(&dev);
    test_crowd(&dev);
    dev.be->queue_close(a);
    dev.be->queue_close(b);
    tsl_device_close(&dev);
    test_memory();
    test_blocks();
    test_specs();
    return tap_done();
}
