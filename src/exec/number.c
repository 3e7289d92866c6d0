/* Numbers that an algorithm's next step depends on, and the precision it has products computed in. */
#include <string.h>

#include "algo/algo.h"
#include "exec/exec.h"

bool tsl_is_dry(const tsl_context *x) { return x->dry; }

void tsl_products_in(tsl_context *x, tsl_precision p) { x->products = p; }

void tsl_read(tsl_context *x, tsl_view v, tsl_scalar *to)
{
    size_t size = tsl_type_size(v.mat->type);
    for (int64_t i = 0; i < v.m; ++i) to[i] = 0;
    if (x->dry || x->failed) return;
    tsl_status st = tsl_read_word(x, to, tsl_at(&v), tsl_times((size_t)v.m, size));
    for (int64_t i = v.m - 1; i >= 0 && !st; --i) { /* in place: the last ones first */
        tsl_typed_scalar a;
        memcpy(&a, (char *)to + (size_t)i * size, size);
        to[i] = tsl_untyped(v.mat->type, a);
    }
    if (st) x->failed = st;
}
