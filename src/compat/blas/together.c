/* Copies of elements far apart, as NumPy makes of every column before it solves: one core waits for memory, all together are
 * faster. */
#include <complex.h>
#include <stdlib.h>
#include <string.h>

#include "compat/blas/blas.h"

#define CELL(name) JOIN(host_, name, )
#define HOST(name) __atomic_load_n(&CELL(name), __ATOMIC_RELAXED)
#define TOGETHER(name) JOIN(together_, name, )

/* From so many elements on, over so many bytes that they come from memory and not from a cache, all cores together are faster.
 * Vectors within each other are copied in order. */
enum { MANY_ELEMENTS = 2048, FAR_BYTES = 16 << 20 };

static bool together(int64_t n, size_t size, const char *x, int64_t incx, char *y, int64_t incy)
{
    static bool (*copy)(int64_t, size_t, const void *, int64_t, void *, int64_t);
    int64_t step_x = incx * (int64_t)size, step_y = incy * (int64_t)size, span_x = n * llabs(step_x), span_y = n * llabs(step_y);
    if (!incx || !incy || n < MANY_ELEMENTS || MORE(span_x, span_y) < FAR_BYTES || (llabs(incx) < 2 && llabs(incy) < 2)) return false;
    if ((uintptr_t)x < (uintptr_t)y + (uintptr_t)span_y && (uintptr_t)y < (uintptr_t)x + (uintptr_t)span_x) return false;
    __typeof__(copy) found = __atomic_load_n(&copy, __ATOMIC_RELAXED);
    if (!found) __atomic_store_n(&copy, found = (__typeof__(copy))tsl_blas_tesela("tsl_thread_pool_copy"), __ATOMIC_RELAXED);
    return found && found(n, size, x + (incx < 0 ? span_x + step_x : 0), step_x, y + (incy < 0 ? span_y + step_y : 0), step_y);
}

#define BODY "compat/blas/together.inc"
#include "core/types.inc"

static const struct {
    const char *symbol;
    void *together;
    void **host;
} rows[] = {
#define ROW(symbol, name) {#symbol, (void *)TOGETHER(name), (void **)&CELL(name)}
#define ROWS(p) ROW(p##copy_, p##copy), ROW(cblas_##p##copy, p##ccopy)
    ROWS(s), ROWS(d), ROWS(c), ROWS(z),
};

void *tsl_blas_together(const char *symbol, void *host)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i)
        if (!strcmp(rows[i].symbol, symbol)) {
            __atomic_store_n(rows[i].host, host, __ATOMIC_RELAXED);
            return rows[i].together;
        }
    return host;
}
