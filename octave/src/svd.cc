// Singular values and vectors.
#include "library.h"

singular_factors singular(tsl_view a, bool vectors, bool economy)
{
    tsl_type type = tsl_matrix_type(a.mat), real = type == TSL_S || type == TSL_C ? TSL_S : TSL_D;
    int64_t m = tsl_rows(a), n = tsl_cols(a), few = m < n ? m : n, info = 0;
    held A = copied(a), s = held::made(real, few, 1);
    if (!vectors) {
        check(tsl_gesvd(nullptr, A.whole(), TSL_SVD_AUTO, s.whole(), tsl_view{}, tsl_view{}, &info));
        return info ? singular_factors{} : singular_factors{s, held(), held()};
    }
    held U = held::made(type, m, economy ? few : m), VT = held::made(type, economy ? few : n, n);
    check(tsl_gesvd(nullptr, A.whole(), TSL_SVD_AUTO, s.whole(), U.whole(), VT.whole(), &info));
    return info ? singular_factors{} : singular_factors{s, U, copied(tsl_herm(VT.whole()))};
}
