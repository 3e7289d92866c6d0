/* Operations on vectors, in segments. */
#include <complex.h>
#include <math.h>

#include "algo/algo.h"
#include "core/numbers/blue.h"
#include "core/leaf.h"
#include "core/values.h"
#include "runtime/pieces.h"

/* The call on `count` elements from k on */
static tsl_call on_segment(const tsl_call *c, int64_t k, int64_t count)
{
    tsl_call part = *c;
    for (int i = 0; i < tsl_ops[c->op].operands; ++i) part.v[i] = tsl_segment(c->v[i], k, count);
    return part;
}

static int64_t length(const tsl_call *c) { return tsl_rows(tsl_upright(c->v[0])); }

/* vcopy, swap, scal, axpy, rot, rotm */
tsl_status tsl_vectors_pieces(tsl_context *x, const tsl_call *c)
{
    for (int64_t k = 0, n; k < length(c); k += n) {
        n = tsl_segment_of(c, k);
        tsl_call part = on_segment(c, k, n);
        /* [x1 y1] := f(x1, y1) */              tsl_execute(x, &part);
    }
    return TSL_OK;
}

/* The numbers of all segments, one for each, in a row */
static tsl_view numbers_of(tsl_context *x, const tsl_call *c)
{
    int64_t count = 0, at = 0;
    for (int64_t k = 0; k < length(c); k += tsl_segment_of(c, k)) ++count;
    tsl_view N = tsl_temp_of(x, c->v[0], TSL_COLUMNS_APART, tsl_number_element(c->op), 1, count);
    for (int64_t k = 0, n; k < length(c); k += n) {
        n = tsl_segment_of(c, k);
        tsl_call part = on_segment(c, k, n);
        part.numbered = true;
        part.v[tsl_ops[c->op].operands] = tsl_sub(N, 0, at++, 1, 1);
        /* N1 := f(x1, y1) */                   tsl_execute(x, &part);
    }
    return N;
}

/* dot and asum are sums of those of segments, nrm2 is the norm of theirs; in the segments' order */
tsl_status tsl_reduce_pieces(tsl_context *x, const tsl_call *c)
{
    tsl_type made = tsl_element_type(tsl_number_element(c->op), tsl_matrix_type(c->v[0].mat));
    tsl_view N = numbers_of(x, c);
    tsl_blue squares = {0};
    tsl_scalar sum = 0, part;
    for (int64_t k = 0; k < tsl_cols(N); ++k) {
        tsl_read(x, tsl_sub(N, 0, k, 1, 1), &part);
        sum += part;
        tsl_blue_add(&squares, creal(part));
    }
    tsl_typed_scalar value = tsl_typed(made, tsl_trait(c->op, TSL_ROOT_OF_SQUARES) ? tsl_blue_norm(&squares) : sum);
    tsl_leave_number(x, &value, tsl_type_size(made));
    return TSL_OK;
}

/* |re| + |im| as the type's own numbers add up, of parts times `by` */
static double size_of(tsl_type type, tsl_scalar a, double by)
{
    double re = fabs(creal(a)) * by, im = fabs(cimag(a)) * by;
    return tsl_real_type(type) == TSL_S ? (double)((float)re + (float)im) : re + im;
}

/* Of the elements that N names, one in each segment, the place of the first NaN, else of the first whose size is the largest:
 * *most */
static int64_t first_largest(tsl_context *x, const tsl_call *c, tsl_view N, double by, double *most)
{
    tsl_type type = tsl_matrix_type(c->v[0].mat);
    int64_t place = 0, at = 0;
    *most = -1;
    for (int64_t k = 0, n; k < length(c) && !isnan(*most); k += n) {
        tsl_scalar in, a;
        n = tsl_segment_of(c, k);
        tsl_read(x, tsl_sub(N, 0, at++, 1, 1), &in);
        int64_t here = k + tsl_max(1, (int64_t)creal(in)) - 1; /* in a dry run there is no number */
        tsl_read(x, tsl_segment(c->v[0], here, 1), &a);
        double size = size_of(type, a, by);
        if (size <= *most) continue;
        *most = size;
        place = here + 1;
    }
    return place;
}

/* An infinite size may be that of two finite parts: of halves it is infinite only if a part is. */
tsl_status tsl_iamax_pieces(tsl_context *x, const tsl_call *c)
{
    tsl_view N = numbers_of(x, c);
    double most;
    int64_t place = first_largest(x, c, N, 1, &most);
    if (isinf(most)) place = first_largest(x, c, N, 0.5, &most);
    tsl_leave_number(x, &place, sizeof place);
    return TSL_OK;
}
