/* Memory of a device: its limit, its accounting, and the caller's allocator if there is one. */
#include <stdlib.h>
#include <string.h>

#include "core/log.h"
#include "core/values.h"
#include "device/device.h"
#include "device/margin.h"

/* Blocks in order of their addresses, as a treap: every call asks of each operand whether it is in one of them, and there may
 * be as many as tiles. Above is whose address, mixed, is larger; so branches are as long as those of a random tree. */
typedef struct tsl_block_record block;
struct tsl_block_record {
    block *before, *after;
    char *p;
    size_t bytes, counted; /* its size, and what of it is taken from the limit */
};

/* Tiles lie at equal distances, of which a product alone would make another arithmetic progression. */
static uint64_t mixed(const block *b)
{
    uint64_t h = (uintptr_t)b->p;
    h = (h ^ h >> 32) * 0x9e3779b97f4a7c15u;
    h = (h ^ h >> 29) * 0xbf58476d1ce4e5b9u;
    return h ^ h >> 32;
}

static bool is_above(const block *a, const block *b) { return mixed(a) > mixed(b); }

/* All of a come before all of b. */
static block *join(block *a, block *b)
{
    if (!a || !b) return a ? a : b;
    if (is_above(a, b)) {
        a->after = join(a->after, b);
        return a;
    }
    b->before = join(a, b->before);
    return b;
}

static void insert(block **at, block *r)
{
    while (*at && is_above(*at, r)) at = r->p < (*at)->p ? &(*at)->before : &(*at)->after;
    block *rest = *at, **before = &r->before, **after = &r->after;
    *at = r;
    while (rest) { /* split */
        block **side = rest->p < r->p ? before : after;
        *side = rest;
        if (side == before) rest = *(before = &rest->after);
        else rest = *(after = &rest->before);
    }
    *before = *after = NULL;
}

static block *take_out(block **at, const char *p)
{
    while (*at && (*at)->p != p) at = p < (*at)->p ? &(*at)->before : &(*at)->after;
    block *r = *at;
    if (r) *at = join(r->before, r->after);
    return r;
}

size_t tsl_with_margin(size_t bytes, size_t least)
{
    const size_t most = (size_t)1 << 24;
    return tsl_plus(bytes, (bytes / 8 < most ? bytes / 8 : most) + least);
}

/* Nor is the margin of what is small much larger than that. */
static size_t host_bytes(size_t bytes)
{
    enum { PAGE = 4096, LEAST = 256 };
    return tsl_with_margin(bytes, LEAST + (bytes < PAGE ? bytes : PAGE));
}

void *tsl_host_alloc(const tsl_allocator *a, size_t bytes)
{
    size_t all = host_bytes(bytes);
    if (all > PTRDIFF_MAX) return NULL; /* a product that did not fit */
    void *p = a->alloc ? a->alloc(a->user, -1, all) : malloc(all);
    if (p) memset(p, 0, bytes), tsl_bar_margin(p, bytes, all);
    return p;
}

void tsl_host_free(const tsl_allocator *a, void *p, size_t bytes)
{
    if (!p) return;
    tsl_open_margin(p, bytes, host_bytes(bytes));
    if (a->free) a->free(a->user, -1, p, host_bytes(bytes));
    else free(p);
}

static int traced(const tsl_device *dev)
{
    char label[sizeof dev->name + 32];
    if (dev->index < 0) tsl_print(label, sizeof label, "cores: %s", dev->name);
    else tsl_print(label, sizeof label, "device %d: %s", dev->index, dev->name);
    return tsl_trace_device(label);
}

tsl_status tsl_device_open(tsl_device *dev)
{
    if (pthread_mutex_init(&dev->lock, NULL)) return TSL_ERR_MEMORY;
    tsl_status st = dev->be->open(dev);
    if (st) pthread_mutex_destroy(&dev->lock);
    else dev->trace = traced(dev);
    return st;
}

void tsl_device_close(tsl_device *dev)
{
    while (dev->blocks) tsl_device_release(dev, dev->blocks->p);
    dev->be->close(dev);
    pthread_mutex_destroy(&dev->lock);
}

/* Takes `bytes` from the limit, or refuses. */
static bool reserve(tsl_device *dev, size_t bytes)
{
    size_t used = __atomic_load_n(&dev->used, __ATOMIC_RELAXED), peak = __atomic_load_n(&dev->peak, __ATOMIC_RELAXED);
    do {
        if (bytes > dev->limit || used > dev->limit - bytes) return false;
    } while (!__atomic_compare_exchange_n(&dev->used, &used, used + bytes, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
    while (peak < used + bytes &&
           !__atomic_compare_exchange_n(&dev->peak, &peak, used + bytes, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        continue;
    return true;
}

/* Where the host library computes. The margin counts for no limit. */
static size_t device_bytes(const tsl_device *dev, size_t bytes)
{
    enum { LEAST = 1 << 14 };
    return dev->be->accelerator ? bytes : tsl_with_margin(bytes, LEAST);
}

static tsl_status take(tsl_device *dev, size_t bytes, size_t counted, void **p)
{
    size_t all = device_bytes(dev, bytes);
    tsl_device_entry();
    if (all > PTRDIFF_MAX || !reserve(dev, counted)) return TSL_ERR_DEVICE_MEMORY;
    tsl_status st = TSL_OK;
    void *got;
    block *r = tsl_host_alloc(&dev->allocator, sizeof *r);
    if (!r) st = TSL_ERR_MEMORY;
    else if (!dev->hooked) st = dev->be->alloc(dev, all, &got);
    else if (!(got = dev->allocator.alloc(dev->allocator.user, dev->index, all))) st = TSL_ERR_DEVICE_MEMORY;
    if (st) {
        tsl_host_free(&dev->allocator, r, sizeof *r);
        __atomic_fetch_sub(&dev->used, counted, __ATOMIC_RELAXED);
        return st;
    }
    tsl_bar_margin(got, bytes, all);
    r->p = *p = got;
    r->bytes = bytes;
    r->counted = counted;
    pthread_mutex_lock(&dev->lock);
    insert(&dev->blocks, r);
    pthread_mutex_unlock(&dev->lock);
    return TSL_OK;
}

tsl_status tsl_device_alloc(tsl_device *dev, size_t bytes, void **p) { return take(dev, bytes, bytes, p); }
tsl_status tsl_device_alloc_beside(tsl_device *dev, size_t bytes, void **p) { return take(dev, bytes, 0, p); }

void tsl_device_release(tsl_device *dev, void *p)
{
    if (!p) return;
    tsl_device_entry();
    pthread_mutex_lock(&dev->lock);
    block *r = take_out(&dev->blocks, p);
    pthread_mutex_unlock(&dev->lock);
    if (!r) return;
    tsl_open_margin(p, r->bytes, device_bytes(dev, r->bytes));
    if (dev->hooked) dev->allocator.free(dev->allocator.user, dev->index, p, device_bytes(dev, r->bytes));
    else dev->be->release(dev, p);
    __atomic_fetch_sub(&dev->used, r->counted, __ATOMIC_RELAXED);
    tsl_host_free(&dev->allocator, r, sizeof *r);
}

/* The host's memory is the caller's too. */
size_t tsl_device_room(const tsl_device *dev)
{
    if (dev->limit != SIZE_MAX) return dev->limit;
    return dev->shares_host ? dev->total / 4 : dev->total / 10 * 9;
}

bool tsl_device_holds(const tsl_device *dev, const void *p)
{
    tsl_device *d = (tsl_device *)dev; /* the lock is not part of the device's value */
    pthread_mutex_lock(&d->lock);
    const block *r = d->blocks;
    while (r && !((const char *)p >= r->p && (const char *)p < r->p + r->bytes)) r = (const char *)p < r->p ? r->before : r->after;
    pthread_mutex_unlock(&d->lock);
    return r != NULL;
}
