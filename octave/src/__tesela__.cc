// What the class tesela (inst/@tesela) calls: __tesela__ (WORD, ...). A matrix on the device is a number, its op a number too (0 as it
// is stored, 1 transposed, 3 conjugate transposed), so that transposing moves nothing.
#include <map>
#include <vector>
#include <string>

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

static octave_value keep(tsl_matrix *A)
{
    matrices[++last] = A;
    return octave_value(static_cast<double>(last));
}

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

static tsl_matrix *made(tsl_type type, int64_t m, int64_t n)
{
    tsl_matrix *A = nullptr;
    check(tsl_matrix_create(nullptr, type, m, n, &A));
    return A;
}

// A copy as it is seen.
static tsl_matrix *copied(tsl_view v)
{
    tsl_matrix *A = made(tsl_matrix_type(v.mat), tsl_rows(v), tsl_cols(v));
    check(tsl_copy(nullptr, v, tsl_whole(A)));
    return A;
}

static tsl_type type_of(const octave_value &x)
{
    if (!x.isnumeric() && !x.islogical())
        error("tesela: not a matrix of numbers");
    return x.iscomplex() ? (x.is_single_type() ? TSL_C : TSL_Z) : x.is_single_type() ? TSL_S : TSL_D;
}

template <class Array> static octave_value put(tsl_type type, const Array &x)
{
    tsl_matrix *from = nullptr, *A = made(type, x.rows(), x.columns());
    if (x.numel()) {
        check(tsl_matrix_wrap(nullptr, type, x.rows(), x.columns(), const_cast<void *>(static_cast<const void *>(x.data())), x.rows(), &from));
        tsl_status st = tsl_copy(nullptr, tsl_whole(from), tsl_whole(A));
        tsl_matrix_free(from);
        check(st);
    }
    return keep(A);
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
    tsl_matrix *to = nullptr;
    if (x.numel()) {
        check(tsl_matrix_wrap(nullptr, tsl_matrix_type(v.mat), x.rows(), x.columns(), x.fortran_vec(), x.rows(), &to));
        tsl_status st = tsl_copy(nullptr, v, tsl_whole(to));
        tsl_matrix_free(to);
        check(st);
    }
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

// All of a matrix's storage as a vector: sums of matrices are sums of vectors, whatever lies between columns.
static tsl_matrix *flat(tsl_matrix *A, int64_t m, int64_t n)
{
    int64_t length = m && n ? tsl_matrix_ld(A) * (n - 1) + m : 0;
    tsl_matrix *x = nullptr;
    check(tsl_matrix_wrap(nullptr, tsl_matrix_type(A), length, 1, tsl_matrix_data(A), length > 0 ? length : 1, &x));
    return x;
}

// A + beta B
static octave_value sum(tsl_view a, std::complex<double> beta, tsl_view b)
{
    if (tsl_rows(a) != tsl_rows(b) || tsl_cols(a) != tsl_cols(b))
        error("tesela: sizes differ");
    if (tsl_matrix_type(a.mat) != tsl_matrix_type(b.mat))
        error("tesela: types differ");
    tsl_matrix *A = copied(a), *B = copied(b), *x = flat(A, tsl_rows(a), tsl_cols(a)), *y = flat(B, tsl_rows(b), tsl_cols(b));
    tsl_status st = tsl_axpy(nullptr, beta, tsl_whole(y), tsl_whole(x));
    if (!st)
        st = tsl_wait(nullptr);
    tsl_matrix_free(x);
    tsl_matrix_free(y);
    tsl_matrix_free(B);
    check(st);
    return keep(A);
}

static octave_value product(tsl_view a, tsl_view b)
{
    if (tsl_cols(a) != tsl_rows(b))
        error("tesela: nonconformant matrices (%lld x %lld, %lld x %lld)", (long long)tsl_rows(a), (long long)tsl_cols(a), (long long)tsl_rows(b),
              (long long)tsl_cols(b));
    if (tsl_matrix_type(a.mat) != tsl_matrix_type(b.mat))
        error("tesela: types differ");
    tsl_matrix *C = made(tsl_matrix_type(a.mat), tsl_rows(a), tsl_cols(b));
    check(tsl_gemm(nullptr, 1, a, b, 0, tsl_whole(C)));
    return keep(C);
}

// A \ B: by LU if A is square, else least squares.
static octave_value solution(tsl_view a, tsl_view b)
{
    if (tsl_rows(a) != tsl_rows(b))
        error("tesela: nonconformant matrices");
    int64_t m = tsl_rows(a), n = tsl_cols(a), k = tsl_cols(b), info = 0;
    tsl_matrix *A = copied(a), *B = made(tsl_matrix_type(a.mat), m > n ? m : n, k), *p = nullptr;
    check(tsl_copy(nullptr, b, tsl_sub(tsl_whole(B), 0, 0, m, k)));
    tsl_status st;
    if (m == n) {
        p = made(TSL_INDEX, n, 1);
        st = tsl_gesv(nullptr, tsl_whole(A), tsl_whole(p), tsl_whole(B), &info);
    } else {
        st = tsl_gels(nullptr, tsl_whole(A), tsl_whole(B), &info);
    }
    tsl_matrix_free(A);
    tsl_matrix_free(p);
    check(st);
    if (info)
        error(m == n ? "tesela: the matrix is singular" : "tesela: the matrix has not full rank");
    if (m <= n)
        return keep(B);
    tsl_matrix *X = copied(tsl_sub(tsl_whole(B), 0, 0, n, k));
    tsl_matrix_free(B);
    return keep(X);
}

// A triangle or trapezoid of A as a matrix of its own: the square at the top with zeros on the other side, what is below or beside it whole.
static tsl_matrix *triangle(tsl_view t)
{
    int64_t k = tsl_rows(t) < tsl_cols(t) ? tsl_rows(t) : tsl_cols(t);
    tsl_matrix *T = copied(tsl_general(t));
    tsl_view square = tsl_sub(t, 0, 0, k, k);
    square = tsl_triangle(t) == TSL_LOWER ? tsl_lower(square) : tsl_upper(square);
    if (t.diag == TSL_UNIT)
        square = tsl_unit(square);
    check(tsl_expand(nullptr, TSL_TRIANGULAR, square, tsl_sub(tsl_whole(T), 0, 0, k, k)));
    return T;
}

// R with R' R = A
static values cholesky(tsl_view a)
{
    int64_t info = 0;
    tsl_matrix *A = copied(a);
    check(tsl_potrf(nullptr, tsl_upper(tsl_whole(A)), &info));
    values out;
    out(1) = static_cast<double>(info);
    if (!info)
        out(0) = keep(triangle(tsl_upper(tsl_whole(A))));
    tsl_matrix_free(A);
    return out;
}

// L, U and the rows' permutation, with A(p,:) = L U
static values factors(tsl_view a)
{
    int64_t m = tsl_rows(a), n = tsl_cols(a), k = m < n ? m : n, info = 0;
    tsl_matrix *A = copied(a), *p = made(TSL_INDEX, k, 1), *to = nullptr;
    check(tsl_getrf(nullptr, tsl_whole(A), tsl_whole(p), &info));
    std::vector<int64_t> pivots(k > 0 ? k : 1);
    check(tsl_matrix_wrap(nullptr, TSL_INDEX, k, 1, pivots.data(), k > 0 ? k : 1, &to));
    check(tsl_copy(nullptr, tsl_whole(p), tsl_whole(to)));
    RowVector rows(m);
    for (int64_t i = 0; i < m; i++)
        rows(i) = static_cast<double>(i + 1);
    for (int64_t i = 0; i < k; i++)
        std::swap(rows(i), rows(pivots[i] - 1));
    tsl_view whole = tsl_whole(A);
    values out;
    out(0) = keep(triangle(tsl_unit(tsl_lower(tsl_sub(whole, 0, 0, m, k)))));
    out(1) = keep(triangle(tsl_upper(tsl_sub(whole, 0, 0, k, n))));
    out(2) = rows;
    tsl_matrix_free(A);
    tsl_matrix_free(p);
    tsl_matrix_free(to);
    return out;
}

// Q with min(m,n) columns and R
static values orthogonal(tsl_view a)
{
    int64_t m = tsl_rows(a), n = tsl_cols(a), k = m < n ? m : n;
    tsl_matrix *A = copied(a), *tau = made(tsl_matrix_type(a.mat), k, 1);
    tsl_view whole = tsl_whole(A), q = tsl_sub(whole, 0, 0, m, k);
    check(tsl_geqrf(nullptr, whole, tsl_whole(tau)));
    values out;
    out(1) = keep(triangle(tsl_upper(tsl_sub(whole, 0, 0, k, n))));
    check(tsl_orgqr(nullptr, q, tsl_whole(tau)));
    out(0) = keep(copied(q));
    tsl_matrix_free(A);
    tsl_matrix_free(tau);
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
        return values(keep(copied(v)));
    }
    if (word == "scale") {
        tsl_matrix *A = copied(seen(args, 1));
        check(tsl_scale(nullptr, args(3).complex_value(), tsl_whole(A)));
        return values(keep(A));
    }
    if (word == "sum")
        return values(sum(seen(args, 1), args(3).complex_value(), seen(args, 4)));
    if (word == "mul")
        return values(product(seen(args, 1), seen(args, 3)));
    if (word == "solve")
        return values(solution(seen(args, 1), seen(args, 3)));
    if (word == "chol")
        return cholesky(seen(args, 1));
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
