/* Memory of a device: its limit, its accounting, and the caller's allocator if there is one. */
#include <stdlib.h>
#include <string.h>

#include "core/log.h"
#include "device/device.h"

struct tsl_block_record {
    struct tsl_block_record *next;
    void *p;
    size_t bytes;
};

void *tsl_host_alloc(const tsl_allocator *a, size_t bytes)
{
    if (bytes > PTRDIFF_MAX) return NULL; /* a product that did not fit */
    void *p = a->alloc ? a->alloc(a->user, -1, bytes) : malloc(bytes);
    if (p) memset(p, 0, bytes);
    return p;
}

void tsl_host_free(const tsl_allocator *a, void *p, size_t bytes)
{
    if (!p) return;
    if (a->free) a->free(a->user, -1, p, bytes);
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

tsl_status tsl_device_alloc(tsl_device *dev, size_t bytes, void **p)
{
    tsl_device_entry();
    if (bytes > PTRDIFF_MAX || !reserve(dev, bytes)) return TSL_ERR_DEVICE_MEMORY;
    tsl_status st = TSL_OK;
    struct tsl_block_record *r = tsl_host_alloc(&dev->allocator, sizeof *r);
    if (!r) st = TSL_ERR_MEMORY;
    else if (!dev->hooked) st = dev->be->alloc(dev, bytes, &r->p);
    else if (!(r->p = dev->allocator.alloc(dev->allocator.user, dev->index, bytes))) st = TSL_ERR_DEVICE_MEMORY;
    if (st) {
        tsl_host_free(&dev->allocator, r, sizeof *r);
        __atomic_fetch_sub(&dev->used, bytes, __ATOMIC_RELAXED);
        return st;
    }
    r->bytes = bytes;
    pthread_mutex_lock(&dev->lock);
    r->next = dev->blocks;
    dev->blocks = r;
    pthread_mutex_unlock(&dev->lock);
    *p = r->p;
    return TSL_OK;
}

void tsl_device_release(tsl_device *dev, void *p)
{
    if (!p) return;
    tsl_device_entry();
    pthread_mutex_lock(&dev->lock);
    struct tsl_block_record **at = &dev->blocks;
    while (*at && (*at)->p != p) at = &(*at)->next;
    struct tsl_block_record *r = *at;
    if (r) *at = r->next;
    pthread_mutex_unlock(&dev->lock);
    if (!r) return;
    if (dev->hooked) dev->allocator.free(dev->allocator.user, dev->index, p, r->bytes);
    else dev->be->release(dev, p);
    __atomic_fetch_sub(&dev->used, r->bytes, __ATOMIC_RELAXED);
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
    const struct tsl_block_record *r = d->blocks;
    while (r && !((const char *)p >= (const char *)r->p && (const char *)p < (const char *)r->p + r->bytes)) r = r->next;
    pthread_mutex_unlock(&d->lock);
    return r != NULL;
}
