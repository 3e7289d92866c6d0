/* Launches, and what sm_90 brought to them: clusters, and a kernel that starts before its predecessor has ended. On older
 * devices the caller asks for neither. */
#ifndef TSL_CUDA_LAUNCH_CUH
#define TSL_CUDA_LAUNCH_CUH

#include <cuda_runtime.h>

namespace tsl {

/* Does a device of this compute capability (900 for 9.0) run code compiled for sm_90 or later? It takes the latest that it can
 * run, which may be older than itself. */
inline bool takes_sm90(int capability)
{
    for (const int arch : {__CUDA_ARCH_LIST__})
        if (arch >= 900 && arch <= capability) return true;
    return false;
}

inline cudaError_t device_has_sm90(int device, bool *yes)
{
    int major = 0, minor = 0;
    cudaError_t e = cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device);
    if (e == cudaSuccess) e = cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, device);
    *yes = takes_sm90(100 * major + 10 * minor);
    return e;
}

/* The current device. */
inline cudaError_t has_sm90(bool *yes)
{
    int device = 0;
    const cudaError_t e = cudaGetDevice(&device);
    return e != cudaSuccess ? e : device_has_sm90(device, yes);
}

/* cluster: CTAs of a cluster, 1 for none; early: may start while the kernel before it on the stream runs, and must call
 * wait_for_previous_grid before it reads what that one writes; together: all CTAs are on the device at once, so that they may
 * wait for each other, or the launch fails. */
struct launch_shape {
    int64_t ctas;
    int threads;
    size_t shared;
    int cluster;
    bool early;
    bool together;
};

template <class... P> cudaError_t launch(void (*kernel)(P...), const launch_shape &s, cudaStream_t stream, P... args)
{
    cudaLaunchAttribute attribute[3] = {};
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3((unsigned)s.ctas);
    config.blockDim = dim3((unsigned)s.threads);
    config.dynamicSmemBytes = s.shared;
    config.stream = stream;
    config.attrs = attribute;
    if (s.cluster > 1) {
        cudaLaunchAttribute &a = attribute[config.numAttrs++];
        a.id = cudaLaunchAttributeClusterDimension;
        a.val.clusterDim.x = (unsigned)s.cluster;
        a.val.clusterDim.y = a.val.clusterDim.z = 1;
    }
    if (s.early) {
        cudaLaunchAttribute &a = attribute[config.numAttrs++];
        a.id = cudaLaunchAttributeProgrammaticStreamSerialization;
        a.val.programmaticStreamSerializationAllowed = 1;
    }
    if (s.together) {
        cudaLaunchAttribute &a = attribute[config.numAttrs++];
        a.id = cudaLaunchAttributeCooperative;
        a.val.cooperative = 1;
    }
    return cudaLaunchKernelEx(&config, kernel, args...);
}

/* How many clusters of the shape the device has room for at once */
template <class... P> cudaError_t most_clusters(int *count, void (*kernel)(P...), const launch_shape &s)
{
    cudaLaunchAttribute size = {};
    cudaLaunchConfig_t config = {};
    size.id = cudaLaunchAttributeClusterDimension;
    size.val.clusterDim.x = (unsigned)s.cluster;
    size.val.clusterDim.y = size.val.clusterDim.z = 1;
    config.gridDim = dim3((unsigned)s.cluster);
    config.blockDim = dim3((unsigned)s.threads);
    config.dynamicSmemBytes = s.shared;
    config.attrs = &size, config.numAttrs = 1;
    return cudaOccupancyMaxActiveClusters(count, kernel, &config);
}

/* A launch that is early where the device knows of that */
template <class... P> cudaError_t launch_early(void (*kernel)(P...), launch_shape s, cudaStream_t stream, P... args)
{
    const cudaError_t e = has_sm90(&s.early);
    return e != cudaSuccess ? e : launch(kernel, s, stream, args...);
}

/* Once all CTAs have called it, an early successor may take the places that are free. */
__device__ inline void let_next_grid_start()
{
#if __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
#endif
}

/* Until it has ended and its writes are seen. */
__device__ inline void wait_for_previous_grid()
{
#if __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}

} // namespace tsl
#endif
