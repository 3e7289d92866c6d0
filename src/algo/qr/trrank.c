/* The rank of an upper triangle that lies in several pieces: the host looks at one column after the other, with the vectors of
 * the singular values so far. */
#include "algo/qr/qrp.h"
#include "core/numbers/rank.h"
#include "core/values.h"

enum { COLUMN, MOST, LEAST, FIELDS };

typedef struct count {
    tsl_rank_state state;
    int64_t rank;
    bool ended;
} count;

/* Column n - 1 of the triangle, and the vectors, in which there is room for an element more */
static void take(void *user, int64_t n, int64_t fields, tsl_scalar *v)
{
    count *r = user;
    tsl_scalar *most = v + MOST * n, *least = v + LEAST * n, g = v[n - 1], a = 0, b = 0;
    tsl_rank_step s = {.new_most = 1, .new_least = 1};
    (void)fields;
    for (int64_t i = 0; i < n - 1; ++i) a += conj(most[i]) * v[i], b += conj(least[i]) * v[i];
    r->ended = n == 1 ? !tsl_rank_begin(&r->state, g) : !tsl_rank_grow(&r->state, a, b, g, &s);
    if (r->ended) return;
    r->rank = n;
    for (int64_t i = 0; i < n - 1; ++i) most[i] *= s.most, least[i] *= s.least;
    most[n - 1] = s.new_most, least[n - 1] = s.new_least;
}

tsl_status tsl_trrank_columns(tsl_context *x, const tsl_call *c)
{
    tsl_view A = c->v[0];
    int64_t n = tsl_min(tsl_rows(A), tsl_cols(A));
    count r = {.state = {.tolerance = c->rank.tolerance, .by_diagonal = c->rank.by_diagonal}};
    tsl_view V = tsl_temp_of(x, A, TSL_IN_ONE, TSL_OF_TYPE, n, FIELDS);
    tsl_scale(x, 0, V);
    for (int64_t j = 0; j < n && !r.ended; ++j) {
        tsl_copy(x, tsl_sub(A, 0, j, j + 1, 1), tsl_sub(V, 0, COLUMN, j + 1, 1));
        tsl_visit(x, tsl_sub(V, 0, 0, j + 1, FIELDS), take, &r);
    }
    tsl_tell_rank(x, c->v[1], r.rank);
    return TSL_OK;
}
