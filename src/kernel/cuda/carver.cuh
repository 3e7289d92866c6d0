/* Workspace, taken part by part. */
#ifndef TSL_CUDA_CARVER_CUH
#define TSL_CUDA_CARVER_CUH

#include <stddef.h>
#include <stdint.h>

namespace tsl {

/* Of none, its size */
struct carver {
    char *work;
    size_t used;

    template <class E> E *take(int64_t count)
    {
        constexpr size_t ALIGN = 256;
        E *const at = work ? (E *)(work + used) : nullptr;
        used += ((size_t)count * sizeof(E) + ALIGN - 1) / ALIGN * ALIGN;
        return at;
    }
};

} // namespace tsl
#endif
