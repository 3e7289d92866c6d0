/* Where the library underneath is known to be wrong (OpenBLAS 0.3.21), so that small calls are right too:
 *   scal by zero writes zeros over NaN and Inf; nrm2 of tiny numbers is zero, and so is it of a vector counted backwards; iamax of no elements
 *   is not zero; potrf does not see a NaN on the diagonal.
 * tsl_blas_mended has a function of the same form for such a symbol, which asks the library where that is right. */
#include <complex.h>
#include <float.h>
#include <math.h>
#include <string.h>

#include "compat/blas/blas.h"
#include "kernel/blue.h"

#define HOST(name) JOIN(host_, name, )
#define MENDED(name) JOIN(mended_, name, )
#define STEP(n, inc) ((inc) < 0 ? -(int64_t)(inc) * ((n)-1) : 0)

#define BODY "compat/blas/mend.inc"
#include "core/types.inc"

static const struct {
    const char *symbol;
    void *mended;
    void **host;
} mends[] = {
#define MEND(symbol, name) {#symbol, (void *)MENDED(name), (void **)&HOST(name)}
#define MENDS(p, pr)                                                                                           \
    MEND(p##scal_, p##scal), MEND(cblas_##p##scal, p##cscal), MEND(pr##nrm2_, p##nrm2), MEND(cblas_##pr##nrm2, p##cnrm2), \
    MEND(i##p##amax_, p##amax), MEND(cblas_i##p##amax, p##camax), MEND(p##potrf_, p##potrf)
    MENDS(s, s), MENDS(d, d), MENDS(c, sc), MENDS(z, dz),
    MEND(csscal_, crscal), MEND(cblas_csscal, crcscal), MEND(zdscal_, zrscal), MEND(cblas_zdscal, zrcscal),
};

void *tsl_blas_mended(const char *symbol, void *host)
{
    for (size_t i = 0; i < sizeof mends / sizeof *mends; ++i)
        if (!strcmp(mends[i].symbol, symbol)) {
            *mends[i].host = host;
            return mends[i].mended;
        }
    return host;
}
