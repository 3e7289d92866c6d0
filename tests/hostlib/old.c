/* An OpenBLAS that does not know this processor: what it takes its kernels for, unless it is told when it is loaded. It is
 * linked with the real one. */
#include <stdlib.h>

static const char *core;

__attribute__((constructor)) static void choose(void)
{
    core = getenv("OPENBLAS_CORETYPE");
    if (!core) core = "Prescott";
}

const char *openblas_get_corename(void) { return core; }
