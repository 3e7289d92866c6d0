/* The CUDA backend: GPUs as devices, streams as queues. */
#include "device/cuda/backend.h"

#include <stdio.h>

#include "device/cuda/cublas.h"
#include "device/nccl.h"

static void libraries(char *text, size_t size)
{
    int runtime = 0, driver = 0, cublas = 0, nccl[3];
    if (cudaRuntimeGetVersion(&runtime) != cudaSuccess || cudaDriverGetVersion(&driver) != cudaSuccess) (void)cudaGetLastError();
    const tsl_cublas *lib = driver ? tsl_cublas_get() : NULL; /* a tenth of a second, 100 MB: not where there is no GPU */
    if (lib && lib->get_version(NULL, &cublas) != CUBLAS_STATUS_SUCCESS) cublas = 0;
    int n = snprintf(text, size, "CUDA runtime %d.%d, ", runtime / 1000, runtime % 1000 / 10);
    if (!driver) {
        snprintf(text + n, size - (size_t)n, "no driver");
        return;
    }
    n += snprintf(text + n, size - (size_t)n, "driver for %d.%d, ", driver / 1000, driver % 1000 / 10);
    if (cublas) n += snprintf(text + n, size - (size_t)n, "cuBLAS %d.%d.%d, ", cublas / 10000, cublas / 100 % 100, cublas % 100);
    else n += snprintf(text + n, size - (size_t)n, "no cuBLAS 12 or newer, ");
    if (!tsl_nccl_get()) {
        snprintf(text + n, size - (size_t)n, "no NCCL");
        return;
    }
    tsl_nccl_version(nccl);
    snprintf(text + n, size - (size_t)n, "NCCL %d.%d.%d", nccl[0], nccl[1], nccl[2]);
}

/* The runtime is linked statically and finds the driver itself; without one this is an answer, not a failure. */
static int count(void)
{
    int n = 0;
    cudaError_t e = cudaGetDeviceCount(&n);
    if (e != cudaSuccess) {
        (void)cudaGetLastError();
        tsl_log(TSL_LOG_INFO, "no CUDA devices: %s", cudaGetErrorString(e));
        n = 0;
    }
    if (n > 0 && !tsl_cublas_get()) {
        tsl_log(TSL_LOG_WARN, "%d CUDA devices not used: cuBLAS is not there or older than version 12", n);
        n = 0;
    }
    return n;
}

/* Direct access both ways between this device and each peer that has it. Copies work without it, through the host, so a refusal
 * is not a failure. */
static tsl_status open_peers(const tsl_device *dev, const tsl_cuda_state *s)
{
    int devices = 0;
    tsl_status st = tsl_cuda_check(cudaGetDeviceCount(&devices), "cudaGetDeviceCount");
    for (int peer = 0; peer < devices && st == TSL_OK; peer++) {
        int reads = 0, is_read = 0;
        if (peer == dev->ordinal)
            continue;
        st = tsl_cuda_check(cudaDeviceCanAccessPeer(&reads, dev->ordinal, peer), "cudaDeviceCanAccessPeer");
        if (st == TSL_OK)
            st = tsl_cuda_check(cudaDeviceCanAccessPeer(&is_read, peer, dev->ordinal), "cudaDeviceCanAccessPeer");
        if (st == TSL_OK && reads) {
            cudaError_t e = cudaDeviceEnablePeerAccess(peer, 0);
            if (e == cudaErrorPeerAccessAlreadyEnabled)
                (void)cudaGetLastError();
            else
                (void)tsl_cuda_check(e, "cudaDeviceEnablePeerAccess");
        }
        if (st == TSL_OK && is_read) {
            struct cudaMemAccessDesc access = {.location = {.type = cudaMemLocationTypeDevice, .id = peer},
                                               .flags = cudaMemAccessFlagsProtReadWrite};
            (void)tsl_cuda_check(cudaMemPoolSetAccess(s->pool, &access, 1), "cudaMemPoolSetAccess");
        }
    }
    return st;
}

static tsl_status open_pool(const tsl_device *dev, tsl_cuda_state *s)
{
    struct cudaMemPoolProps props = {.allocType = cudaMemAllocationTypePinned,
                                     .location = {.type = cudaMemLocationTypeDevice, .id = dev->ordinal}};
    uint64_t keep = UINT64_MAX; /* freed blocks stay in the pool until it is trimmed or destroyed */
    tsl_status st = tsl_cuda_check(cudaMemPoolCreate(&s->pool, &props), "cudaMemPoolCreate");
    if (st == TSL_OK)
        st = tsl_cuda_check(cudaMemPoolSetAttribute(s->pool, cudaMemPoolAttrReleaseThreshold, &keep), "cudaMemPoolSetAttribute");
    return st;
}

static void close_device(tsl_device *dev)
{
    tsl_cuda_state *s = dev->state;
    if (!s)
        return;
    (void)tsl_cuda_use(dev);
    if (s->stream)
        (void)tsl_cuda_check(cudaStreamDestroy(s->stream), "cudaStreamDestroy");
    if (s->pool)
        (void)tsl_cuda_check(cudaMemPoolDestroy(s->pool), "cudaMemPoolDestroy");
    tsl_host_free(&dev->allocator, s, sizeof *s);
    dev->state = NULL;
}

static tsl_status open_device(tsl_device *dev)
{
    struct cudaDeviceProp prop;
    tsl_status st = tsl_cuda_use(dev);
    if (st == TSL_OK)
        st = tsl_cuda_check(cudaGetDeviceProperties(&prop, dev->ordinal), "cudaGetDeviceProperties");
    if (st != TSL_OK)
        return st;
    tsl_cuda_state *s = tsl_host_alloc(&dev->allocator, sizeof *s);
    if (!s)
        return TSL_ERR_MEMORY;
    dev->state = s;
    snprintf(dev->name, sizeof dev->name, "%.*s", (int)sizeof dev->name - 1, prop.name);
    dev->total = prop.totalGlobalMem;
    s->max_pitch = prop.memPitch;
    st = open_pool(dev, s);
    if (st == TSL_OK)
        st = tsl_cuda_check(cudaStreamCreateWithFlags(&s->stream, cudaStreamNonBlocking), "cudaStreamCreate");
    if (st == TSL_OK)
        st = open_peers(dev, s);
    if (st != TSL_OK)
        close_device(dev);
    return st;
}

const tsl_kernel_entry *tsl_cuda_kernels[TSL_OP_COUNT];
const tsl_batch_entry *tsl_cuda_batches[TSL_OP_COUNT];

const tsl_backend tsl_cuda_backend = {
    .name = "cuda",
    .kernels = tsl_cuda_kernels,
    .batches = tsl_cuda_batches,
    .accelerator = true,
    .fabric = &tsl_cuda_fabric,
    .libraries = libraries,
    .count = count,
    .open = open_device,
    .close = close_device,
    .alloc = tsl_cuda_alloc,
    .release = tsl_cuda_release,
    .owns = tsl_cuda_owns,
    .queue_open = tsl_cuda_queue_open,
    .queue_close = tsl_cuda_queue_close,
    .queue_wait = tsl_cuda_queue_wait,
    .queue_native = tsl_cuda_queue_native,
    .queue_after = tsl_cuda_queue_after,
    .queue_before = tsl_cuda_queue_before,
    .queue_leave_room = tsl_cuda_queue_leave_room,
    .prepare = tsl_cuda_prepare,
    .event_open = tsl_cuda_event_open,
    .event_close = tsl_cuda_event_close,
    .event_record = tsl_cuda_event_record,
    .event_after = tsl_cuda_event_after,
    .event_wait = tsl_cuda_event_wait,
    .event_reached = tsl_cuda_event_reached,
    .event_elapsed = tsl_cuda_event_elapsed,
    .copy2d = tsl_cuda_copy2d,
    .clear = tsl_cuda_clear,
    .read = tsl_cuda_read,
    .shared_open = tsl_cuda_shared_open,
    .shared_close = tsl_cuda_shared_close,
    .seen_by = tsl_cuda_seen_by,
    .launch = tsl_cuda_launch,
    .notify = tsl_cuda_notify,
};
