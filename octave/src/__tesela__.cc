// What the class tesela (inst/tesela.m) calls: __tesela__ (WORD, ...). A matrix on the device is a number, its op a number too (0 as it
// is stored, 1 transposed, 3 conjugate transposed), so that transposing moves nothing.
#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <octave/oct.h>
#include <tesela.h>

typedef octave_value_list values;

static std::map<uint64_t, tsl_matrix *> matrices;
static uint64_t last;

static void check(tsl_status st)
{
    if (st)
        error("tesela: %s", *tsl_error(nullptr) ? tsl_error(nullptr) : tsl_status_text(st));
}

// A matrix of the library for as long as this lives, whether a function ends by its result or by an error, unless it is kept for Octave.
class held {
public:
    held() = default;
    held(held &&other) noexcept : mat(other.mat) { other.mat = nullptr; }
    held(const held &) = delete;
    held &operator=(const held &) = delete;
    ~held() { tsl_matrix_free(mat); }

    static held made(tsl_type type, int64_t m, int64_t n)
    {
        held A;
        check(tsl_matrix_create(nullptr, type, m, n, &A.mat));
        return A;
    }
    static held wrapped(tsl_type type, int64_t m, int64_t n, const void *data, int64_t ld)
    {
        held A;
        check(tsl_matrix_wrap(nullptr, type, m, n, const_cast<void *>(data), ld > 0 ? ld : 1, &A.mat));
        return A;
    }
    tsl_view whole() const { return tsl_whole(mat); }
    octave_value kept() // from now on until the word "free"
    {
        tsl_matrix *&place = matrices[++last];
        std::swap(place, mat);
        return octave_value(static_cast<double>(last));
    }
    tsl_matrix *mat = nullptr;
};

static tsl_matrix *find(const octave_value &id)
{
    auto at = matrices.find(static_cast<uint64_t>(id.double_value()));
    if (at == matrices.end())
        error("tesela: this matrix is gone");
    return at->second;
}

// The matrix of values at and its op at + 1.
static tsl_view seen(const values &args, int at)
{
    tsl_view v = tsl_whole(find(args(at)));
    int op = args(at + 1).int_value();
    return op == 1 ? tsl_trans(v) : op == 3 ? tsl_herm(v) : v;
}

// A copy as it is seen.
static held copied(tsl_view v)
{
    held A = held::made(tsl_matrix_type(v.mat), tsl_rows(v), tsl_cols(v));
    check(tsl_copy(nullptr, v, A.whole()));
    return A;
}

static tsl_type type_of(const octave_value &x)
{
    if (!x.isnumeric() && !x.islogical())
        error("tesela: not a matrix of numbers");
    if (x.ndims() != 2)
        error("tesela: not a matrix, but an array of %d dimensions", static_cast<int>(x.ndims()));
    return x.iscomplex() ? (x.is_single_type() ? TSL_C : TSL_Z) : x.is_single_type() ? TSL_S : TSL_D;
}

template <class Array> static octave_value put(tsl_type type, const Array &x)
{
    held A = held::made(type, x.rows(), x.columns());
    if (x.numel())
        check(tsl_copy(nullptr, held::wrapped(type, x.rows(), x.columns(), x.data(), x.rows()).whole(), A.whole()));
    return A.kept();
}

static octave_value put(const octave_value &x)
{
    switch (type_of(x)) {
    case TSL_S: return put(TSL_S, x.float_matrix_value());
    case TSL_C: return put(TSL_C, x.float_complex_matrix_value());
    case TSL_Z: return put(TSL_Z, x.complex_matrix_value());
    default: return put(TSL_D, x.matrix_value());
    }
}

template <class Array> static octave_value get(tsl_view v, Array x)
{
    if (x.numel())
        check(tsl_copy(nullptr, v, held::wrapped(tsl_matrix_type(v.mat), x.rows(), x.columns(), x.fortran_vec(), x.rows()).whole()));
    return octave_value(x);
}

static octave_value get(tsl_view v)
{
    octave_idx_type m = tsl_rows(v), n = tsl_cols(v);
    switch (tsl_matrix_type(v.mat)) {
    case TSL_S: return get(v, FloatMatrix(m, n));
    case TSL_C: return get(v, FloatComplexMatrix(m, n));
    case TSL_Z: return get(v, ComplexMatrix(m, n));
    default: return get(v, Matrix(m, n));
    }
}

// A type's real numbers, and how many of them an element is.
static tsl_type real_of(tsl_type type) { return type == TSL_S || type == TSL_C ? TSL_S : TSL_D; }
static int64_t parts(tsl_type type) { return type == TSL_C || type == TSL_Z ? 2 : 1; }

// All of a matrix's storage as a vector: sums of matrices are sums of vectors, whatever lies between columns. By its parts, if `real`: what
// is done to each of them alone makes no NaN of the other if one is Inf.
static held flat(const tsl_matrix *A, int64_t m, int64_t n, bool real)
{
    tsl_type type = tsl_matrix_type(A);
    int64_t length = (m && n ? tsl_matrix_ld(A) * (n - 1) + m : 0) * (real ? parts(type) : 1);
    return held::wrapped(real ? real_of(type) : type, length, 1, tsl_matrix_data(A), length);
}

// A + beta B
static octave_value sum(tsl_view a, double beta, tsl_view b)
{
    if (tsl_rows(a) != tsl_rows(b) || tsl_cols(a) != tsl_cols(b))
        error("tesela: sizes differ");
    if (tsl_matrix_type(a.mat) != tsl_matrix_type(b.mat))
        error("tesela: types differ");
    held A = copied(a);
    bool alike = b.op == TSL_NOTRANS && tsl_matrix_ld(b.mat) == tsl_matrix_ld(A.mat);
    held B = alike ? held() : copied(b);
    held x = flat(A.mat, tsl_rows(a), tsl_cols(a), true), y = flat(alike ? b.mat : B.mat, tsl_rows(b), tsl_cols(b), true);
    check(tsl_axpy(nullptr, beta, y.whole(), x.whole()));
    check(tsl_wait(nullptr));
    return A.kept();
}

// alpha A; 0 A is NaN where A is NaN or Inf
static octave_value scaled(tsl_view a, std::complex<double> alpha)
{
    held A = copied(a), x = flat(A.mat, tsl_rows(a), tsl_cols(a), alpha.imag() == 0);
    check(tsl_scal(nullptr, alpha, x.whole()));
    check(tsl_wait(nullptr));
    return A.kept();
}

// A column on the device, of real elements v, w, v, w, ..
static held alternating(tsl_type type, int64_t n, double v, double w)
{
    ColumnVector d(n);
    FloatColumnVector s(n);
    for (int64_t i = 0; i < n; i++)
        s(i) = static_cast<float>(d(i) = i % 2 ? w : v);
    return copied(held::wrapped(type, n, 1, type == TSL_S ? static_cast<const void *>(s.data()) : d.data(), n).whole());
}

// A + alpha, to every element: the parts of alpha times 1^T
static octave_value shifted(tsl_view a, std::complex<double> alpha)
{
    tsl_type type = tsl_matrix_type(a.mat), real = real_of(type);
    held A = copied(a);
    if (tsl_rows(a) && tsl_cols(a)) {
        int64_t p = parts(type), m = p * tsl_rows(a), n = tsl_cols(a);
        held all = held::wrapped(real, m, n, tsl_matrix_data(A.mat), p * tsl_matrix_ld(A.mat));
        held x = alternating(real, m, alpha.real(), p == 2 ? alpha.imag() : alpha.real()), y = alternating(real, n, 1, 1);
        check(tsl_ger(nullptr, 1, x.whole(), y.whole(), all.whole()));
        check(tsl_wait(nullptr));
    }
    return A.kept();
}

static octave_value product(tsl_view a, tsl_view b)
{
    if (tsl_cols(a) != tsl_rows(b))
        error("tesela: nonconformant matrices (%lld x %lld, %lld x %lld)", (long long)tsl_rows(a), (long long)tsl_cols(a), (long long)tsl_rows(b),
              (long long)tsl_cols(b));
    if (tsl_matrix_type(a.mat) != tsl_matrix_type(b.mat))
        error("tesela: types differ");
    held C = held::made(tsl_matrix_type(a.mat), tsl_rows(a), tsl_cols(b));
    check(tsl_gemm(nullptr, 1, a, b, 0, C.whole()));
    return C.kept();
}

// After least squares R or L is in A: is an element of its diagonal zero but for rounding, beside the largest of its column of R or row of L?
static bool depends(const held &A, int64_t m, int64_t n)
{
    int64_t k = m < n ? m : n;
    double eps = 2 * tsl_type_eps(tsl_matrix_type(A.mat)) * static_cast<double>(m < n ? n : m);
    NDArray R = get(tsl_sub(A.whole(), 0, 0, k, k)).abs().array_value();
    for (int64_t j = 0; j < k; j++) {
        double most = 0;
        for (int64_t i = 0; i <= j; i++) most = std::max(most, m < n ? R(j, i) : R(i, j));
        if (R(j, j) <= eps * most)
            return true;
    }
    return false;
}

// A \ B: by LU if A is square, else least squares.
static octave_value solution(tsl_view a, tsl_view b)
{
    if (tsl_rows(a) != tsl_rows(b))
        error("tesela: nonconformant matrices");
    int64_t m = tsl_rows(a), n = tsl_cols(a), k = tsl_cols(b), info = 0;
    held A = copied(a), B = held::made(tsl_matrix_type(a.mat), m > n ? m : n, k);
    check(tsl_copy(nullptr, b, tsl_sub(B.whole(), 0, 0, m, k)));
    if (m == n)
        check(tsl_gesv(nullptr, A.whole(), held::made(TSL_INDEX, n, 1).whole(), B.whole(), &info));
    else
        check(tsl_gels(nullptr, A.whole(), B.whole(), &info));
    if (info || (m != n && k && depends(A, m, n))) // without right-hand sides nothing was factored
        error(m == n ? "tesela: the matrix is singular" : "tesela: the matrix has not full rank");
    return m <= n ? B.kept() : copied(tsl_sub(B.whole(), 0, 0, n, k)).kept();
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

// R with R' R = A
static values cholesky(tsl_view a)
{
    int64_t info = 0;
    held A = copied(a);
    check(tsl_potrf(nullptr, tsl_upper(A.whole()), &info));
    values out;
    out(1) = static_cast<double>(info);
    if (!info)
        out(0) = triangle(tsl_upper(A.whole())).kept();
    return out;
}

// L and U in one matrix, without L's diagonal
static octave_value factored(tsl_view a)
{
    int64_t info = 0;
    held A = copied(a), p = held::made(TSL_INDEX, std::min(tsl_rows(a), tsl_cols(a)), 1);
    check(tsl_getrf(nullptr, A.whole(), p.whole(), &info));
    return A.kept();
}

// L, U and the rows' permutation, with A(p,:) = L U
static values factors(tsl_view a)
{
    int64_t m = tsl_rows(a), n = tsl_cols(a), k = m < n ? m : n, info = 0;
    held A = copied(a), p = held::made(TSL_INDEX, k, 1);
    check(tsl_getrf(nullptr, A.whole(), p.whole(), &info));
    std::vector<int64_t> pivots(k > 0 ? k : 1);
    check(tsl_copy(nullptr, p.whole(), held::wrapped(TSL_INDEX, k, 1, pivots.data(), k).whole()));
    RowVector rows(m);
    for (int64_t i = 0; i < m; i++)
        rows(i) = static_cast<double>(i + 1);
    for (int64_t i = 0; i < k; i++)
        std::swap(rows(i), rows(pivots[i] - 1));
    held L = triangle(tsl_unit(tsl_lower(tsl_sub(A.whole(), 0, 0, m, k)))), U = triangle(tsl_upper(tsl_sub(A.whole(), 0, 0, k, n)));
    values out;
    out(0) = L.kept();
    out(1) = U.kept();
    out(2) = rows;
    return out;
}

// Q with min(m,n) columns and R
static values orthogonal(tsl_view a)
{
    int64_t m = tsl_rows(a), n = tsl_cols(a), k = m < n ? m : n;
    held A = copied(a), tau = held::made(tsl_matrix_type(a.mat), k, 1);
    tsl_view q = tsl_sub(A.whole(), 0, 0, m, k);
    check(tsl_geqrf(nullptr, A.whole(), tau.whole()));
    held R = triangle(tsl_upper(tsl_sub(A.whole(), 0, 0, k, n)));
    check(tsl_orgqr(nullptr, q, tau.whole()));
    values out;
    out(0) = copied(q).kept();
    out(1) = R.kept();
    return out;
}

DEFUN_DLD(__tesela__, args, , "What the class tesela is made of.")
{
    std::string word = args(0).string_value();
    if (word == "put")
        return values(put(args(1)));
    if (word == "get")
        return values(get(seen(args, 1)));
    if (word == "free") {
        auto at = matrices.find(static_cast<uint64_t>(args(1).double_value()));
        if (at != matrices.end()) {
            tsl_matrix_free(at->second);
            matrices.erase(at);
        }
        return values();
    }
    if (word == "size") {
        tsl_view v = seen(args, 1);
        RowVector s(2);
        s(0) = static_cast<double>(tsl_rows(v));
        s(1) = static_cast<double>(tsl_cols(v));
        return values(octave_value(s));
    }
    if (word == "type")
        return values(octave_value(std::string(1, tsl_type_letter(tsl_matrix_type(find(args(1)))))));
    if (word == "sub") { // rows and columns from 1, as many as said
        tsl_view v = tsl_sub(seen(args, 1), args(3).int64_value() - 1, args(4).int64_value() - 1, args(5).int64_value(), args(6).int64_value());
        return values(copied(v).kept());
    }
    if (word == "scale")
        return values(scaled(seen(args, 1), args(3).complex_value()));
    if (word == "shift")
        return values(shifted(seen(args, 1), args(3).complex_value()));
    if (word == "used") { // bytes of the device's memory
        tsl_device_info info;
        check(tsl_device_query(nullptr, 0, &info));
        return values(octave_value(static_cast<double>(info.used)));
    }
    if (word == "sum")
        return values(sum(seen(args, 1), args(3).double_value(), seen(args, 4)));
    if (word == "mul")
        return values(product(seen(args, 1), seen(args, 3)));
    if (word == "solve")
        return values(solution(seen(args, 1), seen(args, 3)));
    if (word == "chol")
        return cholesky(seen(args, 1));
    if (word == "factored")
        return values(factored(seen(args, 1)));
    if (word == "lu")
        return factors(seen(args, 1));
    if (word == "qr")
        return orthogonal(seen(args, 1));
    if (word == "norm") {
        double result = 0;
        std::string kind = args(3).string_value();
        check(tsl_norm(nullptr, kind == "fro" ? TSL_NORM_FRO : kind == "1" ? TSL_NORM_ONE : kind == "inf" ? TSL_NORM_INF : TSL_NORM_MAX,
                       TSL_SYMMETRIC, seen(args, 1), &result));
        return values(octave_value(result));
    }
    error("tesela: no word '%s'", word.c_str());
}
