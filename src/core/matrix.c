/* What a matrix takes in memory, and what it is. */
#include "core/matrix.h"

bool tsl_block_bytes(tsl_type t, int64_t m, int64_t n, int64_t ld, size_t *bytes)
{
    if (m == 0 || n == 0) {
        *bytes = 0;
        return true;
    }
    /* the last column needs only m of its ld rows */
    *bytes = tsl_times(tsl_plus(tsl_times((size_t)ld, (size_t)(n - 1)), (size_t)m), tsl_type_size(t));
    return *bytes <= PTRDIFF_MAX;
}

int64_t tsl_padded(tsl_type type, int64_t m)
{
    int64_t unit = (int64_t)(128 / tsl_type_size(type));
    return m > INT64_MAX - unit ? m : tsl_max(1, tsl_pieces(m, unit) * unit);
}

void *tsl_matrix_data(const tsl_matrix *A) { return A ? A->data : NULL; }
int64_t tsl_matrix_ld(const tsl_matrix *A) { return A ? A->ld : 0; }
tsl_type tsl_matrix_type(const tsl_matrix *A) { return A ? A->type : TSL_S; }
