/* Host leaves of LU with partial pivoting: the factors, many solutions and the inverse by LAPACKE, whose pivots are narrower than ours; row
 * exchanges here; other solutions by the triangular solves of solve.c, which see to extreme pivots. */
#include <complex.h>
#define lapack_complex_float float _Complex
#define lapack_complex_double double _Complex
#include <lapacke.h>
#include <string.h>

#include "core/values.h"
#include "kernel/host/blas.h"
#include "kernel/host/leaf.h"

/* Columns whose rows are exchanged together */
enum { LASWP_COLUMNS = 16 };

/* LAPACK has left its pivots in the front of piv. The last ones are widened first: their places hold no narrow one still to be read. */
static void widen(int64_t *piv, int64_t count, int64_t first)
{
    enum { PART = 64 };
    lapack_int narrow[PART];
    for (int64_t from, end = count; end > 0; end = from) {
        from = (end - 1) / PART * PART;
        memcpy(narrow, (const char *)piv + (size_t)from * sizeof *narrow, (size_t)(end - from) * sizeof *narrow);
        for (int64_t i = from; i < end; ++i) piv[i] = first + narrow[i - from];
    }
}

/* Of a larger system OpenBLAS shares all steps out by columns of B; parts one after the other would exchange rows on one thread. */
static bool by_columns(const tsl_leaf *l) { return l->m > TSL_HOST_LIMIT && l->n > 1; }

size_t tsl_host_getrs_workspace(const tsl_leaf *l) { return by_columns(l) ? tsl_times((size_t)l->m, sizeof(lapack_int)) : 0; }

#define FN(name) PASTE3(tsl_host_, P, name)
#define LAPACK(name) PASTE3(LAPACKE_, P, name)
#define BODY "kernel/host/lu.inc"
#include "core/types.inc"
