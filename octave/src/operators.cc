// The operators. Sums, products and quotients of linear algebra are computed on the device; the elementwise ones by Octave, and their
// matrices are on the device again. Comparisons and logical operators are left to Octave, which fetches the elements.
#include "matrix.h"

#include <limits>
#include <set>
#include <string>

typedef const octave_base_value &base;

// A value of its own of an operand.
static octave_value value(base x) { return octave_value(x.clone()); }

// An operand's elements in Octave. Integers of Octave are double here: in Octave's own sums all elements would become integers, and those
// beyond the largest that one.
static octave_value elements(const octave_value &x) { return x.isinteger() ? x.as_double() : x.full_value(); }

// Types meet as in Octave: single with double is single, real with complex is complex.
static tsl_type common(const octave_value &x, const octave_value &y)
{
    bool single = x.is_single_type() || y.is_single_type(), complex = x.iscomplex() || y.iscomplex();
    return single ? (complex ? TSL_C : TSL_S) : complex ? TSL_Z : TSL_D;
}

// An operand on the device, in a type; what it is seen of lives as long as this.
struct operand {
    operand(const octave_value &x, tsl_type type)
    {
        const octave_tesela *X = octave_tesela::of(x);
        if (X && X->type() == type) {
            view = X->view();
        } else {
            made = put(elements(x), type);
            view = made.whole();
        }
    }
    held made;
    tsl_view view;
};

static octave_value by_host(octave_value::binary_op op, const octave_value &x, const octave_value &y)
{
    return octave_tesela::back(octave::binary_op(op, elements(x), elements(y)));
}

// Sums of equal sizes or with a number; a row or column that is added to each of the others, and an error, are Octave's.
static octave_value add(octave_value::binary_op op, const octave_value &x, const octave_value &y)
{
    bool minus = op == octave_value::op_sub;
    tsl_type type = common(x, y);
    if (x.dims() == y.dims())
        return octave_tesela::result(sum(operand(x, type).view, minus ? -1 : 1, operand(y, type).view));
    if (x.numel() != 1 && y.numel() != 1)
        return by_host(op, x, y);
    if (y.numel() == 1)
        return octave_tesela::result(shifted(operand(x, type).view, minus ? -elements(y).complex_value() : elements(y).complex_value()));
    held Y = minus ? scaled(operand(y, type).view, -1) : copied(operand(y, type).view);
    return octave_tesela::result(shifted(Y.whole(), elements(x).complex_value()));
}

static octave_value multiply(const octave_value &x, const octave_value &y)
{
    tsl_type type = common(x, y);
    if (x.numel() == 1)
        return octave_tesela::result(scaled(operand(y, type).view, elements(x).complex_value()));
    if (y.numel() == 1)
        return octave_tesela::result(scaled(operand(x, type).view, elements(y).complex_value()));
    if (x.columns() != y.rows())
        octave::err_nonconformant("operator *", x.dims(), y.dims());
    return octave_tesela::result(product(operand(x, type).view, operand(y, type).view));
}

// By the inverse of the number, unless that would be Inf or NaN, or would have lost digits.
static octave_value divide_by_number(const octave_value &x, const octave_value &number)
{
    tsl_type type = common(x, number);
    bool single = type == TSL_S || type == TSL_C;
    double least = single ? std::numeric_limits<float>::min() : std::numeric_limits<double>::min();
    std::complex<double> b = elements(number).complex_value();
    if (!(std::abs(b) >= least && std::abs(b) <= 1 / least))
        return by_host(octave_value::op_div, x, number);
    return octave_tesela::result(scaled(operand(x, type).view, 1.0 / b));
}

// Of a matrix that has not full rank Octave has the warning, and the solution of least norm.
static octave_value divide_left(const octave_value &x, const octave_value &y)
{
    if (x.numel() == 1)
        return divide_by_number(y, x);
    if (x.rows() != y.rows())
        octave::err_nonconformant("operator \\", x.dims(), y.dims());
    tsl_type type = common(x, y);
    held X = solution(operand(x, type).view, operand(y, type).view);
    return X ? octave_tesela::result(X) : by_host(octave_value::op_ldiv, x, y);
}

// B / A is (A' \ B')'.
static octave_value divide_right(const octave_value &x, const octave_value &y)
{
    if (y.numel() == 1)
        return divide_by_number(x, y);
    if (x.columns() != y.columns())
        octave::err_nonconformant("operator /", x.dims(), y.dims());
    tsl_type type = common(x, y);
    held X = solution(tsl_herm(operand(y, type).view), tsl_herm(operand(x, type).view));
    return X ? octave_tesela::result(copied(tsl_herm(X.whole()))) : by_host(octave_value::op_div, x, y);
}

static octave_value compute(octave_value::binary_op op, const octave_value &x, const octave_value &y)
{
    switch (op) {
    case octave_value::op_add:
    case octave_value::op_sub: return add(op, x, y);
    case octave_value::op_mul: return multiply(x, y);
    case octave_value::op_div: return divide_right(x, y);
    case octave_value::op_ldiv: return divide_left(x, y);
    case octave_value::op_el_mul: return x.numel() == 1 || y.numel() == 1 ? multiply(x, y) : by_host(op, x, y);
    case octave_value::op_el_div: return y.numel() == 1 ? divide_by_number(x, y) : by_host(op, x, y);
    case octave_value::op_el_ldiv: return x.numel() == 1 ? divide_by_number(y, x) : by_host(op, x, y);
    default: return by_host(op, x, y);
    }
}

// A step of [A, B; C]: y into x, which is as large as all of it, from a row and column on.
static octave_value join(base x, base y, const Array<octave_idx_type> &at)
{
    octave_value target = value(x), part = value(y);
    if (target.ndims() != 2)
        return octave::cat_op(octave::__get_type_info__("tesela"), elements(target), elements(part), at);
    tsl_type type = common(target, part);
    held C = copied(operand(target, type).view);
    if (part.numel())
        check(tsl_copy(nullptr, operand(part, type).view, tsl_sub(C.whole(), at(0), at(1), part.rows(), part.columns())));
    return octave_tesela::result(C);
}

template <octave_value::binary_op op> static octave_value binary(base x, base y) { return compute(op, value(x), value(y)); }

static const octave_tesela &matrix(base x) { return dynamic_cast<const octave_tesela &>(x); }
static octave_value same(base x) { return value(x); }
static octave_value negative(base x) { return octave_tesela::result(scaled(matrix(x).view(), -1)); }
static octave_value transposed(base x) { return matrix(x).seen(TSL_TRANS); }
static octave_value conjugate_transposed(base x) { return matrix(x).seen(TSL_HERM); }

template <int step> static void step_by(octave_base_value &x) // A++ and A--
{
    octave_tesela &A = dynamic_cast<octave_tesela &>(x);
    A.become(shifted(A.view(), step));
}

// Is this the name of a type of numbers? Types that are not, of functions, cannot even be asked.
static bool of_numbers(const std::string &name)
{
    for (const char *end : {"scalar", "matrix", "range", "bool", "index", "int"}) {
        std::size_t length = std::char_traits<char>::length(end);
        if (name.size() >= length && !name.compare(name.size() - length, length, end))
            return true;
    }
    return false;
}

static const char *const type_in_table = "tesela matrix";

void octave_tesela::install(octave::type_info &types)
{
    typedef octave_value v;
    static const struct { v::binary_op op; octave::type_info::binary_op_fcn compute; } operators[] = {
        {v::op_add, binary<v::op_add>}, {v::op_sub, binary<v::op_sub>}, {v::op_mul, binary<v::op_mul>}, {v::op_div, binary<v::op_div>},
        {v::op_ldiv, binary<v::op_ldiv>}, {v::op_pow, binary<v::op_pow>}, {v::op_el_mul, binary<v::op_el_mul>},
        {v::op_el_div, binary<v::op_el_div>}, {v::op_el_ldiv, binary<v::op_el_ldiv>}, {v::op_el_pow, binary<v::op_el_pow>}};

    string_vector names = types.installed_type_names();
    for (octave_idx_type i = 0; i < names.numel(); i++)
        if (names(i) == type_in_table)
            error("tesela: another copy of this package is loaded already; start Octave anew");
    int own = id = types.register_type(type_in_table, "tesela", octave_value(new octave_tesela(held::made(TSL_D, 0, 0), TSL_NOTRANS)));
    types.install_unary_op(v::op_uplus, own, same);
    types.install_unary_op(v::op_uminus, own, negative);
    types.install_unary_op(v::op_transpose, own, transposed);
    types.install_unary_op(v::op_hermitian, own, conjugate_transposed);
    std::set<int> others; // some names are of one type
    for (octave_idx_type i = 0; i < names.numel(); i++)
        if (of_numbers(names(i)))
            others.insert(types.lookup_type(names(i)).type_id());
    types.install_non_const_unary_op(v::op_incr, own, step_by<1>);
    types.install_non_const_unary_op(v::op_decr, own, step_by<-1>);
    types.install_cat_op(own, own, join);
    for (int other : others) {
        types.install_cat_op(own, other, join);
        types.install_cat_op(other, own, join);
    }
    for (const auto &o : operators) {
        types.install_binary_op(o.op, own, own, o.compute);
        for (int other : others) {
            types.install_binary_op(o.op, own, other, o.compute);
            types.install_binary_op(o.op, other, own, o.compute);
        }
    }
}
