/* A permutation of columns that lie in several pieces. The host reads it; columns that go elsewhere are copied one by one. */
#include "algo/qr/qrp.h"
#include "core/values.h"

enum { AT_ONCE = 64 };

/* Column j of A, and number t of M */
static void copy_column(tsl_context *x, tsl_view from, int64_t j, tsl_view to, int64_t t)
{
    tsl_copy(x, tsl_block_cols(from, j, 1).A1, tsl_block_cols(to, t, 1).A1);
}

/* Each column that goes elsewhere, by its new place: out, M := it; then back. A dry run takes the first ones there are. */
static void pass(tsl_context *x, tsl_view A, tsl_view q, tsl_view M, bool out)
{
    int64_t n = tsl_cols(A), count = 0;
    tsl_scalar from[AT_ONCE];
    bool dry = tsl_is_dry(x);
    for (int64_t j = 0; j < n; ++j) {
        int64_t i = j % AT_ONCE;
        if (i == 0) tsl_read(x, tsl_sub(q, j, 0, tsl_min(AT_ONCE, n - j), 1), from);
        int64_t source = dry ? j : (int64_t)creal(from[i]) - 1;
        if ((source == j && !dry) || source < 0 || count == tsl_cols(M)) continue; /* after a failure there are no numbers */
        if (out) copy_column(x, A, source, M, count++);
        else copy_column(x, M, count++, A, j);
    }
}

void tsl_move_columns(tsl_context *x, tsl_view A, tsl_view q, tsl_view M)
{
    pass(x, A, q, M, true);
    pass(x, A, q, M, false);
}
