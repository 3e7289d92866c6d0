// Eigenvalues and eigenvectors of symmetric and Hermitian matrices.
#include "library.h"

// Exactly, as Octave asks; not if an element is not finite.
static bool hermitian(tsl_view a)
{
    double most = 0;
    check(tsl_norm(nullptr, TSL_NORM_MAX, TSL_SYMMETRIC, sum(a, -1, tsl_herm(a)).whole(), &most));
    return most == 0;
}

std::pair<held, held> eigenpairs(tsl_view a, const tsl_view *b, bool vectors)
{
    if (!hermitian(a) || (b && !hermitian(*b)))
        return {};
    tsl_type type = tsl_matrix_type(a.mat), real = type == TSL_S || type == TSL_C ? TSL_S : TSL_D;
    int64_t n = tsl_rows(a), info = 0;
    held A = copied(a), w = held::made(real, n, 1), V = vectors ? held::made(type, n, n) : held();
    tsl_view to = vectors ? V.whole() : tsl_view{};
    if (b)
        check(tsl_sygv(nullptr, 1, tsl_lower(A.whole()), tsl_lower(copied(*b).whole()), nullptr, w.whole(), to, nullptr, &info));
    else
        check(tsl_syev(nullptr, tsl_lower(A.whole()), nullptr, w.whole(), to, nullptr, &info));
    return info ? std::pair<held, held>() : std::make_pair(w, V);
}
