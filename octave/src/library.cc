#include "library.h"

#include <algorithm>

#include <octave/ov-complex.h>
#include <octave/ov-cx-mat.h>
#include <octave/ov-float.h>
#include <octave/ov-flt-complex.h>
#include <octave/ov-flt-cx-mat.h>

void check(tsl_status st)
{
    if (st)
        error("tesela: %s", *tsl_error(nullptr) ? tsl_error(nullptr) : tsl_status_text(st));
}

held held::made(tsl_type type, int64_t m, int64_t n)
{
    tsl_matrix *made = nullptr;
    check(tsl_matrix_create(nullptr, type, m, n, &made));
    held A;
    A.mat.reset(made, tsl_matrix_free);
    return A;
}

held held::wrapped(tsl_type type, int64_t m, int64_t n, const void *data, int64_t ld)
{
    tsl_matrix *made = nullptr;
    check(tsl_matrix_wrap(nullptr, type, m, n, const_cast<void *>(data), ld > 0 ? ld : 1, &made));
    held A;
    A.mat.reset(made, tsl_matrix_free);
    return A;
}

tsl_type type_of(const octave_value &x)
{
    return x.iscomplex() ? (x.is_single_type() ? TSL_C : TSL_Z) : x.is_single_type() ? TSL_S : TSL_D;
}

bool fits(const octave_value &x) { return (x.isnumeric() || x.islogical()) && x.ndims() == 2; }

// Copies the elements of an array of Octave's, of the same type, to a view.
template <class Array> static void fill_from(tsl_view v, const Array &x)
{
    if (x.numel())
        check(tsl_copy(nullptr, held::wrapped(tsl_matrix_type(v.mat), x.rows(), x.columns(), x.data(), x.rows()).whole(), v));
}

void fill(tsl_view v, const octave_value &x)
{
    switch (tsl_matrix_type(v.mat)) {
    case TSL_S: return fill_from(v, x.float_matrix_value());
    case TSL_C: return fill_from(v, x.float_complex_matrix_value());
    case TSL_Z: return fill_from(v, x.complex_matrix_value());
    default: return fill_from(v, x.matrix_value());
    }
}

held put(const octave_value &x, tsl_type type)
{
    if (!x.isnumeric() && !x.islogical())
        error("tesela: not a matrix of numbers");
    if (x.ndims() != 2)
        error("tesela: not a matrix, but an array of %d dimensions", static_cast<int>(x.ndims()));
    held A = held::made(type, x.rows(), x.columns());
    fill(A.whole(), x);
    return A;
}

template <class Array> static Array fetched(tsl_view v)
{
    Array x(tsl_rows(v), tsl_cols(v));
    if (x.numel())
        check(tsl_copy(nullptr, v, held::wrapped(tsl_matrix_type(v.mat), x.rows(), x.columns(), x.fortran_vec(), x.rows()).whole()));
    return x;
}

// A complex value stays complex if its imaginary parts are zero: Octave's constructors from arrays would make it real.
template <class Array, class Scalar, class Matrix> static octave_value complex_value(tsl_view v)
{
    Array x = fetched<Array>(v);
    return x.numel() == 1 ? octave_value(new Scalar(x(0))) : octave_value(new Matrix(x));
}

octave_value get(tsl_view v)
{
    switch (tsl_matrix_type(v.mat)) {
    case TSL_S: return fetched<FloatMatrix>(v);
    case TSL_C: return complex_value<FloatComplexMatrix, octave_float_complex, octave_float_complex_matrix>(v);
    case TSL_Z: return complex_value<ComplexMatrix, octave_complex, octave_complex_matrix>(v);
    default: return fetched<Matrix>(v);
    }
}

held copied(tsl_view v)
{
    held A = held::made(tsl_matrix_type(v.mat), tsl_rows(v), tsl_cols(v));
    check(tsl_copy(nullptr, v, A.whole()));
    return A;
}

// A matrix stored without gaps between its columns is its elements in a row, so the column is filled as a matrix.
held column(tsl_view v)
{
    int64_t m = tsl_rows(v), n = tsl_cols(v);
    held x = held::made(tsl_matrix_type(v.mat), m * n, 1);
    if (m && n) {
        check(tsl_copy(nullptr, v, held::wrapped(x.type(), m, n, tsl_matrix_data(x.whole().mat), m).whole()));
        check(tsl_wait(nullptr));
    }
    return x;
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

held sum(tsl_view a, double beta, tsl_view b)
{
    held A = copied(a);
    bool alike = b.op == TSL_NOTRANS && tsl_matrix_ld(b.mat) == tsl_matrix_ld(A.whole().mat);
    held B = alike ? held() : copied(b);
    held x = flat(A.whole().mat, tsl_rows(a), tsl_cols(a), true), y = flat(alike ? b.mat : B.whole().mat, tsl_rows(b), tsl_cols(b), true);
    check(tsl_axpy(nullptr, beta, y.whole(), x.whole()));
    check(tsl_wait(nullptr));
    return A;
}

// 0 A is NaN where A is NaN or Inf.
held scaled(tsl_view a, std::complex<double> alpha)
{
    held A = copied(a), x = flat(A.whole().mat, tsl_rows(a), tsl_cols(a), alpha.imag() == 0);
    check(tsl_scal(nullptr, alpha, x.whole()));
    check(tsl_wait(nullptr));
    return A;
}

// A column on the device, of real elements v, w, v, w, ..
static held alternating(tsl_type type, int64_t n, double v, double w)
{
    ColumnVector x(n);
    for (int64_t i = 0; i < n; i++)
        x(i) = i % 2 ? w : v;
    return put(octave_value(x), type);
}

// The parts of alpha times 1^T are added.
held shifted(tsl_view a, std::complex<double> alpha)
{
    tsl_type type = tsl_matrix_type(a.mat), real = real_of(type);
    held A = copied(a);
    if (tsl_rows(a) && tsl_cols(a)) {
        const tsl_matrix *mat = A.whole().mat;
        int64_t p = parts(type), m = p * tsl_rows(a), n = tsl_cols(a);
        held all = held::wrapped(real, m, n, tsl_matrix_data(mat), p * tsl_matrix_ld(mat));
        held x = alternating(real, m, alpha.real(), p == 2 ? alpha.imag() : alpha.real()), y = alternating(real, n, 1, 1);
        check(tsl_ger(nullptr, 1, x.whole(), y.whole(), all.whole()));
        check(tsl_wait(nullptr));
    }
    return A;
}
