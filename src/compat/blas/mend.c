/* Where the library underneath is known to be wrong (OpenBLAS 0.3.21), so that small calls are right too:
 *   scal by zero writes zeros over NaN and Inf; nrm2 of tiny numbers is zero, and so is it of a vector counted backwards; iamax of no elements
 *   is not zero; potrf does not see a NaN on the diagonal.
 * Where it is slow: copy of elements far apart, as NumPy makes of every column before it solves, waits for memory on one core.
 * tsl_blas_mended has a function of the same form for such a symbol, which asks the library where that is right. */
#include <complex.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "compat/blas/blas.h"
#include "kernel/blue.h"

#define CELL(name) JOIN(host_, name, )
#define HOST(name) __atomic_load_n(&CELL(name), __ATOMIC_RELAXED)
#define MENDED(name) JOIN(mended_, name, )
#define STEP(n, inc) ((inc) < 0 ? -(int64_t)(inc) * ((n)-1) : 0)

/* From so many elements on, over so many bytes that they come from memory and not from a cache, all cores together are faster. Vectors
 * within each other are copied in order. */
enum { MANY_ELEMENTS = 2048, FAR_BYTES = 16 << 20 };

static bool together(int64_t n, size_t size, const char *x, int64_t incx, char *y, int64_t incy)
{
    static bool (*copy)(int64_t, size_t, const void *, int64_t, void *, int64_t);
    int64_t step_x = incx * (int64_t)size, step_y = incy * (int64_t)size, span_x = n * llabs(step_x), span_y = n * llabs(step_y);
    if (!incx || !incy || n < MANY_ELEMENTS || MORE(span_x, span_y) < FAR_BYTES || (llabs(incx) < 2 && llabs(incy) < 2)) return false;
    if ((uintptr_t)x < (uintptr_t)y + (uintptr_t)span_y && (uintptr_t)y < (uintptr_t)x + (uintptr_t)span_x) return false;
    __typeof__(copy) found = __atomic_load_n(&copy, __ATOMIC_RELAXED);
    if (!found) __atomic_store_n(&copy, found = (__typeof__(copy))tsl_blas_tesela("tsl_crew_copy"), __ATOMIC_RELAXED);
    return found && found(n, size, x + (incx < 0 ? span_x + step_x : 0), step_x, y + (incy < 0 ? span_y + step_y : 0), step_y);
}

#define BODY "compat/blas/mend.inc"
#include "core/types.inc"

static const struct {
    const char *symbol;
    void *mended;
    void **host;
} mends[] = {
#define MEND(symbol, name) {#symbol, (void *)MENDED(name), (void **)&CELL(name)}
#define MENDS(p, pr)                                                                                           \
    MEND(p##copy_, p##copy), MEND(cblas_##p##copy, p##ccopy), MEND(p##scal_, p##scal), MEND(cblas_##p##scal, p##cscal), \
    MEND(pr##nrm2_, p##nrm2), MEND(cblas_##pr##nrm2, p##cnrm2), \
    MEND(i##p##amax_, p##amax), MEND(cblas_i##p##amax, p##camax), MEND(p##potrf_, p##potrf)
    MENDS(s, s), MENDS(d, d), MENDS(c, sc), MENDS(z, dz),
    MEND(csscal_, crscal), MEND(cblas_csscal, crcscal), MEND(zdscal_, zrscal), MEND(cblas_zdscal, zrcscal),
};

void *tsl_blas_mended(const char *symbol, void *host)
{
    for (size_t i = 0; i < sizeof mends / sizeof *mends; ++i)
        if (!strcmp(mends[i].symbol, symbol)) {
            __atomic_store_n(mends[i].host, host, __ATOMIC_RELAXED);
            return mends[i].mended;
        }
    return host;
}
