/* Preloaded: counts how often OpenBLAS gives work to its threads. */
#define _GNU_SOURCE
#include <dlfcn.h>

long tesela_test_pool_calls;

int exec_blas(long count, void *queue)
{
    static int (*next)(long, void *);
    if (!next) next = (int (*)(long, void *))dlsym(RTLD_NEXT, "exec_blas");
    tesela_test_pool_calls++;
    return next(count, queue);
}
