// Products, systems and factorizations.
#include "library.h"

#include <algorithm>
#include <vector>

held product(tsl_view a, tsl_view b)
{
    held C = held::made(tsl_matrix_type(a.mat), tsl_rows(a), tsl_cols(b));
    check(tsl_gemm(nullptr, 1, a, b, 0, C.whole()));
    return C;
}

// After least squares R or L is in A: is an element of its diagonal zero but for rounding, beside the largest of its column of R or row of L?
static bool depends(const held &A, int64_t m, int64_t n)
{
    int64_t k = m < n ? m : n;
    double eps = 2 * tsl_type_eps(A.type()) * static_cast<double>(m < n ? n : m);
    NDArray R = get(tsl_sub(A.whole(), 0, 0, k, k)).abs().array_value();
    for (int64_t j = 0; j < k; j++) {
        double most = 0;
        for (int64_t i = 0; i <= j; i++) most = std::max(most, m < n ? R(j, i) : R(i, j));
        if (R(j, j) <= eps * most)
            return true;
    }
    return false;
}

// By LU if A is square, else least squares.
held solution(tsl_view a, tsl_view b)
{
    int64_t m = tsl_rows(a), n = tsl_cols(a), k = tsl_cols(b), info = 0;
    held A = copied(a), B = held::made(tsl_matrix_type(a.mat), m > n ? m : n, k);
    check(tsl_copy(nullptr, b, tsl_sub(B.whole(), 0, 0, m, k)));
    if (m == n)
        check(tsl_gesv(nullptr, A.whole(), held::made(TSL_INDEX, n, 1).whole(), B.whole(), &info));
    else
        check(tsl_gels(nullptr, A.whole(), B.whole(), &info));
    if (info || (m != n && k && depends(A, m, n))) // without right-hand sides nothing was factored
        return held();
    return m <= n ? B : copied(tsl_sub(B.whole(), 0, 0, n, k));
}

// A triangle or trapezoid of A as a matrix of its own: the square at the top with zeros on the other side, what is below or beside it whole.
static held triangle(tsl_view t)
{
    int64_t k = tsl_rows(t) < tsl_cols(t) ? tsl_rows(t) : tsl_cols(t);
    held T = copied(tsl_general(t));
    tsl_view square = tsl_sub(t, 0, 0, k, k);
    square = tsl_triangle(t) == TSL_LOWER ? tsl_lower(square) : tsl_upper(square);
    if (t.diag == TSL_UNIT)
        square = tsl_unit(square);
    check(tsl_expand(nullptr, TSL_TRIANGULAR, square, tsl_sub(T.whole(), 0, 0, k, k)));
    return T;
}

held cholesky(tsl_view a, int64_t *info)
{
    held A = copied(a);
    check(tsl_potrf(nullptr, tsl_upper(A.whole()), info));
    return *info ? held() : triangle(tsl_upper(A.whole()));
}

held factored(tsl_view a)
{
    int64_t info = 0;
    held A = copied(a), p = held::made(TSL_INDEX, std::min(tsl_rows(a), tsl_cols(a)), 1);
    check(tsl_getrf(nullptr, A.whole(), p.whole(), &info));
    return A;
}

lu_factors triangles(tsl_view a, bool back)
{
    int64_t m = tsl_rows(a), n = tsl_cols(a), k = m < n ? m : n, info = 0;
    held A = copied(a), p = held::made(TSL_INDEX, k, 1);
    check(tsl_getrf(nullptr, A.whole(), p.whole(), &info));
    std::vector<int64_t> pivots(k > 0 ? k : 1);
    check(tsl_copy(nullptr, p.whole(), held::wrapped(TSL_INDEX, k, 1, pivots.data(), k).whole()));
    lu_factors f = {triangle(tsl_unit(tsl_lower(tsl_sub(A.whole(), 0, 0, m, k)))), triangle(tsl_upper(tsl_sub(A.whole(), 0, 0, k, n))), ColumnVector(m)};
    for (int64_t i = 0; i < m; i++)
        f.rows(i) = static_cast<double>(i + 1);
    for (int64_t i = 0; i < k; i++)
        std::swap(f.rows(i), f.rows(pivots[i] - 1));
    if (back)
        check(tsl_laswp(nullptr, f.L.whole(), p.whole(), 1));
    return f;
}

std::pair<held, held> orthogonal(tsl_view a, bool economy)
{
    int64_t m = tsl_rows(a), n = tsl_cols(a), k = m < n ? m : n, columns = economy ? k : m;
    held A = copied(a), tau = held::made(tsl_matrix_type(a.mat), k, 1), Q = held::made(tsl_matrix_type(a.mat), m, columns);
    check(tsl_geqrf(nullptr, A.whole(), tau.whole()));
    check(tsl_copy(nullptr, tsl_sub(A.whole(), 0, 0, m, k), tsl_sub(Q.whole(), 0, 0, m, k)));
    check(tsl_orgqr(nullptr, Q.whole(), tau.whole()));
    held R = held::made(tsl_matrix_type(a.mat), columns, n);
    check(tsl_scale(nullptr, 0, tsl_sub(R.whole(), k, 0, columns - k, n)));
    check(tsl_copy(nullptr, triangle(tsl_upper(tsl_sub(A.whole(), 0, 0, k, n))).whole(), tsl_sub(R.whole(), 0, 0, k, n)));
    return {Q, R};
}

held inverse(tsl_view a)
{
    int64_t info = 0;
    held A = copied(a), p = held::made(TSL_INDEX, tsl_rows(a), 1);
    check(tsl_getrf(nullptr, A.whole(), p.whole(), &info));
    if (!info)
        check(tsl_getri(nullptr, A.whole(), p.whole(), &info));
    return info ? held() : A;
}
