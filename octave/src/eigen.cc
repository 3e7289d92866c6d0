// Eigenvalues and eigenvectors; Schur and Hessenberg forms.
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

// Real and imaginary parts of eigenvalues in two columns, of a complex matrix the numbers in one
struct parted {
    held all;
    tsl_view first, second;
    explicit parted(tsl_view a)
    {
        tsl_type type = tsl_matrix_type(a.mat);
        int64_t n = tsl_rows(a);
        bool is_real = type == TSL_S || type == TSL_D;
        all = held::made(type, n, is_real ? 2 : 1);
        first = tsl_sub(all.whole(), 0, 0, n, 1);
        second = is_real ? tsl_sub(all.whole(), 0, 1, n, 1) : tsl_view{};
    }
};

std::pair<held, held> general_pairs(tsl_view a, bool vectors)
{
    int64_t n = tsl_rows(a), info = 0;
    parted w(a);
    held A = copied(a), V = vectors ? held::made(tsl_matrix_type(a.mat), n, n) : held();
    check(tsl_geev(nullptr, A.whole(), w.first, w.second, tsl_view{}, vectors ? V.whole() : tsl_view{}, &info));
    return info ? std::pair<held, held>() : std::make_pair(w.all, V);
}

std::pair<held, held> schur_form(tsl_view a, const std::string &order)
{
    int64_t n = tsl_rows(a), info = 0;
    parted w(a);
    held S = copied(a), U = held::made(tsl_matrix_type(a.mat), n, n);
    tsl_schur_sort sort = order == "a" ? TSL_SORT_LHP : order == "d" ? TSL_SORT_IUC : TSL_SORT_NONE;
    check(tsl_gees(nullptr, S.whole(), sort, w.first, w.second, U.whole(), nullptr, &info));
    return info ? std::pair<held, held>() : std::make_pair(U, S);
}

std::pair<held, held> hessenberg_form(tsl_view a)
{
    int64_t n = tsl_rows(a);
    held H = copied(a), tau = held::made(tsl_matrix_type(a.mat), n - 1, 1);
    check(tsl_gehrd(nullptr, 1, n, H.whole(), tau.whole()));
    held P = copied(H.whole());
    check(tsl_orghr(nullptr, 1, n, P.whole(), tau.whole()));
    check(tsl_laset(nullptr, 0, 0, tsl_lower(tsl_sub(H.whole(), 2, 0, n - 2, n - 2))));
    return std::make_pair(P, H);
}
