/* The host backend: the processor's cores, as one device that shares host memory or as virtual devices with their own. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "core/values.h"
#include "device/host/host.h"
#include "hostlib/routines.h"

static void libraries(char *text, size_t size)
{
    const char *missing = tsl_hostlib_fill(), *mends = tsl_hostlib_mends();
    if (missing) snprintf(text, size, "%s", missing);
    else snprintf(text, size, "%s, %d threads%s%s", tsl_hostlib_name(), tsl_hostlib_threads(), *mends ? "; mended here: " : "", mends);
}

static int64_t counts_to(void) { return tsl_hostlib_wide() ? INT64_MAX : INT_MAX; }
static int count(void) { return 1; }

/* A leaf like others: libtesela_blas, through which it may come, is not to take it for a call of the program's. */
static void warm_up(void)
{
    enum { N = 128 };
    static double a[N * N], c[N * N];
    static const host_int n = N;
    static const double one = 1, zero = 0;
    int begun = tsl_blas_begin(false);
    if (begun == TSL_REFUSED) return;
    tsl_hostlib_d.gemm("N", "N", &n, &n, &n, &one, a, &n, a, &n, &zero, c, &n, 1, 1);
    tsl_blas_end(begun);
}

static tsl_status open_device(tsl_device *dev)
{
    struct utsname u;
    uname(&u);
    dev->total = tsl_times((size_t)sysconf(_SC_PHYS_PAGES), (size_t)sysconf(_SC_PAGESIZE));
    snprintf(dev->name, sizeof dev->name, "%s host, %ld cores", u.machine, sysconf(_SC_NPROCESSORS_ONLN));
    /* OpenBLAS takes its work buffers at its first product, and waits for ever if they are refused: take them now, while memory
     * is plentiful, and not in the middle of somebody's computation. */
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, warm_up);
    return TSL_OK;
}

static void close_device(tsl_device *dev) { (void)dev; }

static tsl_status alloc(tsl_device *dev, size_t bytes, void **p)
{
    (void)dev;
    return posix_memalign(p, 256, bytes) ? TSL_ERR_DEVICE_MEMORY : TSL_OK;
}

static void release(tsl_device *dev, void *p)
{
    (void)dev;
    free(p);
}

static bool seen_by(const tsl_device *dev, int ordinal)
{
    (void)dev, (void)ordinal;
    return true;
}

static void *queue_native(tsl_queue *q)
{
    (void)q;
    return NULL;
}

static tsl_status prepare(tsl_queue *q)
{
    (void)q;
    return TSL_OK;
}

static tsl_status event_open(tsl_device *dev, tsl_event **out)
{
    tsl_device_entry();
    tsl_event *e = tsl_host_alloc(&dev->allocator, sizeof *e);
    if (!e) return TSL_ERR_MEMORY;
    if (!tsl_host_sync(&e->lock, &e->reached)) {
        tsl_host_free(&dev->allocator, e, sizeof *e);
        return TSL_ERR_MEMORY;
    }
    *out = e;
    return TSL_OK;
}

static void event_close(tsl_device *dev, tsl_event *e)
{
    tsl_device_entry();
    pthread_cond_destroy(&e->reached);
    pthread_mutex_destroy(&e->lock);
    tsl_host_free(&dev->allocator, e, sizeof *e);
}

static tsl_status event_record(tsl_queue *q, tsl_event *e)
{
    host_task t = {.kind = HOST_RECORD, .u.event = {e, 0}};
    return tsl_host_submit((host_queue *)q, &t);
}

/* Nobody waits for what has been reached. */
static tsl_status event_after(tsl_queue *q, tsl_event *e)
{
    tsl_device_entry();
    pthread_mutex_lock(&e->lock);
    host_task t = {.kind = HOST_AFTER, .u.event = {e, e->asked}};
    bool reached = e->done >= e->asked;
    pthread_mutex_unlock(&e->lock);
    return reached ? TSL_OK : tsl_host_submit((host_queue *)q, &t);
}

static tsl_status event_wait(tsl_event *e)
{
    tsl_device_entry();
    pthread_mutex_lock(&e->lock);
    while (e->done < e->asked) pthread_cond_wait(&e->reached, &e->lock);
    pthread_mutex_unlock(&e->lock);
    return TSL_OK;
}

static bool event_reached(tsl_event *e)
{
    tsl_device_entry();
    pthread_mutex_lock(&e->lock);
    bool reached = e->done >= e->asked;
    pthread_mutex_unlock(&e->lock);
    return reached;
}

static tsl_status event_elapsed(tsl_event *from, tsl_event *to, double *seconds)
{
    tsl_event *both[] = {from, to};
    double when[2];
    tsl_device_entry();
    for (int i = 0; i < 2; ++i) {
        tsl_event *e = both[i];
        pthread_mutex_lock(&e->lock);
        bool never = e->asked == 0;
        while (e->done < e->asked) pthread_cond_wait(&e->reached, &e->lock);
        when[i] = e->when;
        pthread_mutex_unlock(&e->lock);
        if (never) return TSL_ERR_DEVICE;
    }
    *seconds = when[1] - when[0];
    return TSL_OK;
}

static tsl_status no_native(tsl_queue *q, void *native, tsl_event *e)
{
    (void)q, (void)native, (void)e;
    return TSL_ERR_NO_DEVICE;
}

static tsl_status copy2d(tsl_queue *q, void *dst, size_t dst_pitch, const void *src, size_t src_pitch, size_t rows, size_t cols,
                         tsl_direction dir)
{
    (void)dir;
    host_task t = {.kind = HOST_COPY, .u.copy = {dst, src, dst_pitch, src_pitch, rows, cols}};
    return tsl_host_submit((host_queue *)q, &t);
}

static tsl_status launch(tsl_queue *q, tsl_kernel fn, const tsl_leaf *l)
{
    host_task t = {.kind = HOST_KERNEL, .u.kernel = {fn, *l}};
    return tsl_host_submit((host_queue *)q, &t);
}

static tsl_status notify(tsl_queue *q, const tsl_notice *n)
{
    host_task t = {.kind = HOST_NOTIFY, .u.notify = *n};
    return tsl_host_submit((host_queue *)q, &t);
}

const tsl_kernel_entry *tsl_host_kernels[TSL_OP_COUNT];
const tsl_batch_entry *tsl_host_batches[TSL_OP_COUNT];

const tsl_backend tsl_host_backend = {
    .name = "host",
    .kernels = tsl_host_kernels,
    .batches = tsl_host_batches,
    .fabric = &tsl_host_fabric,
    .libraries = libraries,
    .counts_to = counts_to,
    .count = count,
    .open = open_device,
    .close = close_device,
    .alloc = alloc,
    .release = release,
    .owns = tsl_device_holds,
    .seen_by = seen_by,
    .queue_open = tsl_host_queue_open,
    .queue_close = tsl_host_queue_close,
    .queue_wait = tsl_host_queue_wait,
    .queue_native = queue_native,
    .queue_after = no_native,
    .queue_before = no_native,
    .prepare = prepare,
    .event_open = event_open,
    .event_close = event_close,
    .event_record = event_record,
    .event_after = event_after,
    .event_wait = event_wait,
    .event_reached = event_reached,
    .event_elapsed = event_elapsed,
    .copy2d = copy2d,
    .launch = launch,
    .notify = notify,
};
