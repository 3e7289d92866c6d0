#include "matrix.h"

#include <octave/ov-cx-mat.h>
#include <octave/ov-flt-cx-mat.h>
#include <octave/ov-flt-re-mat.h>
#include <octave/ov-re-mat.h>

int octave_tesela::id = -1; // until it is registered

std::string octave_tesela::type_name() const
{
    switch (type()) {
    case TSL_S: return octave_float_matrix::static_type_name();
    case TSL_C: return octave_float_complex_matrix::static_type_name();
    case TSL_Z: return octave_complex_matrix::static_type_name();
    default: return octave_matrix::static_type_name();
    }
}

const octave_tesela *octave_tesela::of(const octave_value &x)
{
    return x.type_id() == static_type_id() ? dynamic_cast<const octave_tesela *>(&x.get_rep()) : nullptr;
}

// Octave's constructors make a complex number real that is, as its own operators do.
octave_value octave_tesela::result(held A)
{
    tsl_view v = A.whole();
    if (tsl_rows(v) != 1 || tsl_cols(v) != 1)
        return octave_value(new octave_tesela(A, TSL_NOTRANS));
    octave_value x = get(v);
    return x.isreal() ? x : x.is_single_type() ? octave_value(x.float_complex_value()) : octave_value(x.complex_value());
}

octave_value octave_tesela::back(const octave_value &x)
{
    if (!x.isfloat() || x.issparse() || x.ndims() != 2 || x.numel() == 1 || of(x))
        return x;
    return octave_value(new octave_tesela(put(x, type_of(x)), TSL_NOTRANS));
}

tsl_view octave_tesela::view() const
{
    tsl_view v = mat.whole();
    return op & 1 ? (op & 2 ? tsl_herm(v) : tsl_trans(v)) : op & 2 ? tsl_conj(v) : v;
}

octave_value octave_tesela::seen(tsl_op more) const
{
    int real = isreal() ? TSL_TRANS : TSL_HERM; // conjugation does nothing to real elements
    return octave_value(new octave_tesela(mat, static_cast<tsl_op>((op ^ more) & real)));
}

octave_base_value::type_conv_info octave_tesela::numeric_conversion_function() const
{
    switch (type()) {
    case TSL_S:
        return {[](const octave_base_value &x) -> octave_base_value * { return new octave_float_matrix(x.float_matrix_value()); },
                octave_float_matrix::static_type_id()};
    case TSL_C:
        return {[](const octave_base_value &x) -> octave_base_value * { return new octave_float_complex_matrix(x.float_complex_matrix_value()); },
                octave_float_complex_matrix::static_type_id()};
    case TSL_Z:
        return {[](const octave_base_value &x) -> octave_base_value * { return new octave_complex_matrix(x.complex_matrix_value()); },
                octave_complex_matrix::static_type_id()};
    default:
        return {[](const octave_base_value &x) -> octave_base_value * { return new octave_matrix(x.matrix_value()); },
                octave_matrix::static_type_id()};
    }
}
