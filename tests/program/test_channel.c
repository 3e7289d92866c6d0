/* The fabric between devices of several processes, with one: what it sends itself arrives, in order with the work around it,
 * and a broadcast leaves its data alone. On a GPU by NCCL; by the stand-in, where TESELA_NCCL names it, on a virtual host
 * device too. */
#include <stdlib.h>
#include <string.h>

#include "context/context.h"
#include "tap.h"

enum { BYTES = 100003 };

static tsl_context *make(const char *devices)
{
    tsl_config cfg = tsl_config_default();
    tsl_context *x = NULL;
    cfg.devices = devices;
    return tsl_context_create(&cfg, &x) ? NULL : x;
}

static tsl_status put(tsl_context *x, void *to, const void *from, size_t bytes)
{
    return x->dev->be->copy2d(x->lanes[TSL_MAIN].q, to, bytes, from, bytes, bytes, 1, TSL_TO_DEVICE);
}

static tsl_status get(tsl_context *x, void *to, const void *from, size_t bytes)
{
    return x->dev->be->copy2d(x->lanes[TSL_MAIN].q, to, bytes, from, bytes, bytes, 1, TSL_TO_HOST);
}

/* What lane has to do from now on follows what `after` has so far. */
static tsl_status follow(tsl_context *x, tsl_lane_id lane, tsl_lane_id after)
{
    const tsl_backend *be = x->dev->be;
    tsl_status st = be->event_record(x->lanes[after].q, x->lanes[after].point);
    return st ? st : be->event_after(x->lanes[lane].q, x->lanes[after].point);
}

/* On the lane beside, between work of the main one. */
static tsl_status exchange(tsl_context *x, const tsl_channel *ch, const tsl_channel_message *message, int count)
{
    tsl_status st = follow(x, TSL_AHEAD, TSL_MAIN);
    if (!st) st = x->dev->be->fabric->exchange(ch, x->lanes[TSL_AHEAD].q, message, count);
    return st ? st : follow(x, TSL_MAIN, TSL_AHEAD);
}

static void messages(tsl_context *x, const tsl_channel *ch, const char *spec)
{
    unsigned char *given = malloc(BYTES), *got = calloc(1, BYTES);
    void *a = NULL, *b = NULL;
    for (int i = 0; i < BYTES; i++) given[i] = (unsigned char)(i * 7 + i / 251);
    tsl_status st = tsl_device_alloc(x->dev, BYTES, &a);
    if (!st) st = tsl_device_alloc(x->dev, BYTES, &b);
    if (!st) st = put(x, a, given, BYTES);
    tsl_channel_message both[] = {{TSL_SEND, a, BYTES / 2, 0},
                         {TSL_SEND, (char *)a + BYTES / 2, BYTES - BYTES / 2, 0},
                         {TSL_RECEIVE, b, BYTES / 2, 0},
                         {TSL_RECEIVE, (char *)b + BYTES / 2, BYTES - BYTES / 2, 0}};
    if (!st) st = exchange(x, ch, both, 4);
    if (!st) st = get(x, got, b, BYTES);
    if (!st) st = tsl_drain(x);
    ok(!st && !memcmp(given, got, BYTES), "%s: two messages to itself in one group (%s)", spec, tsl_status_name(st));
    memset(got, 0, BYTES);
    if (!st) st = exchange(x, ch, &(tsl_channel_message){TSL_BROADCAST, b, BYTES, 0}, 1);
    if (!st) st = get(x, got, b, BYTES);
    if (!st) st = tsl_drain(x);
    ok(!st && !memcmp(given, got, BYTES), "%s: a broadcast to itself (%s)", spec, tsl_status_name(st));
    tsl_device_release(x->dev, a);
    tsl_device_release(x->dev, b);
    free(given);
    free(got);
}

/* More bytes than an int counts. */
static void large(tsl_context *x, const tsl_channel *ch, const char *spec)
{
    const size_t bytes = ((size_t)1 << 31) + 4096;
    char given[64], got[64] = {0};
    void *a = NULL, *b = NULL;
    memset(given, 'x', sizeof given);
    tsl_status st = tsl_device_alloc(x->dev, bytes, &a);
    if (!st) st = tsl_device_alloc(x->dev, bytes, &b);
    size_t tail = bytes - sizeof given;
    if (!st) st = put(x, (char *)a + tail, given, sizeof given);
    if (!st) st = exchange(x, ch, (tsl_channel_message[]){{TSL_SEND, a, bytes, 0}, {TSL_RECEIVE, b, bytes, 0}}, 2);
    if (!st) st = get(x, got, (char *)b + tail, sizeof got);
    if (!st) st = tsl_drain(x);
    ok(!st && !memcmp(given, got, sizeof got), "%s: a message of %zu bytes (%s)", spec, bytes, tsl_status_name(st));
    tsl_device_release(x->dev, a);
    tsl_device_release(x->dev, b);
}

static void test(const char *spec)
{
    tsl_context *x = make(spec);
    char place[64];
    tsl_ticket ticket;
    tsl_channel ch = {0};
    if (!x) {
        skip("%s: no GPU here", spec);
        return;
    }
    const tsl_fabric *f = x->dev->be->fabric;
    if (!f->there(x->dev, place, sizeof place)) {
        skip("%s: no NCCL here", spec);
        tsl_context_destroy(x);
        return;
    }
    tsl_status st = f->ticket(&ticket);
    if (!st) st = f->open(x->dev, &ticket, 0, 1, &ch);
    ok(!st && ch.comm, "%s: a channel with one end, at '%s' (%s)", spec, place, tsl_status_name(st));
    if (!st) messages(x, &ch, spec);
    if (!st && *place) large(x, &ch, spec); /* by NCCL itself */
    tsl_channel_message nowhere = {TSL_SEND, &ch, 1, 5};
    if (!st) st = exchange(x, &ch, &nowhere, 1);
    if (!st) st = tsl_drain(x);
    ok(st == TSL_ERR_DEVICE, "%s: no rank 5: %s", spec, tsl_status_name(st));
    x->pending = TSL_OK;
    f->close(&ch, true);
    ok(!ch.comm, "%s: closed", spec);
    tsl_context_destroy(x);
}

int main(void)
{
    test("cuda:0");
    test("host:1,mem=16M");
    return tap_done();
}
