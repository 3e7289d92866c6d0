// The type of Octave's values that is a matrix on the device. What needs its elements fetches them: every question and conversion that
// Octave asks of a value is forwarded to a full matrix, so that a function that knows nothing of this type works with it.
#pragma once

#include "library.h"

#include <list>
#include <string>

#include <octave/ov-base.h>
#include <octave/ov-typeinfo.h>

class octave_tesela : public octave_base_value {
public:
    octave_tesela(held A, tsl_op op) : mat(std::move(A)), op(op) {}

    static const octave_tesela *of(const octave_value &x); // NULL if x is none
    static octave_value result(held A);                    // one element becomes a number of Octave's: this type never has just one
    static octave_value back(const octave_value &x);       // what Octave computed, on the device again if it is a matrix of numbers
    static void install(octave::type_info &types);         // the type and its operators

    tsl_view view() const;
    tsl_type type() const { return mat.type(); }
    octave_value host() const { return get(view()); }
    void become(held A) { mat = std::move(A), op = TSL_NOTRANS; }
    octave_value seen(tsl_op more) const; // through one op more: nothing moves

    // What Octave asks of a value, without a look at the elements. The name of the type is a full matrix's: as that it is saved in a file.
    static int static_type_id() { return id; }
    int type_id() const override { return id; }
    std::string type_name() const override;
    std::string class_name() const override { return "tesela"; } // whose methods are in the folder @tesela
    octave_base_value *clone() const override { return new octave_tesela(*this); }
    octave_base_value *empty_clone() const override { return new octave_tesela(held::made(type(), 0, 0), TSL_NOTRANS); }
    type_conv_info numeric_conversion_function() const override;
    dim_vector dims() const override { return dim_vector(tsl_rows(view()), tsl_cols(view())); }
    std::size_t byte_size() const override { return static_cast<std::size_t>(numel()) * tsl_type_size(type()); }
    octave_idx_type nzmax() const override { return numel(); }
    bool is_defined() const override { return true; }
    bool isnumeric() const override { return true; }
    bool isfloat() const override { return true; }
    bool isreal() const override { return type() == TSL_S || type() == TSL_D; }
    bool iscomplex() const override { return !isreal(); }
    bool is_single_type() const override { return type() == TSL_S || type() == TSL_C; }
    bool is_double_type() const override { return !is_single_type(); }
    bool is_matrix_type() const override { return true; }
    bool is_real_matrix() const override { return isreal(); }
    bool is_complex_matrix() const override { return iscomplex(); }

    // A(..), A(..) = b and A(..) = [] (index.cc)
    using octave_base_value::subsref;
    octave_value subsref(const std::string &type, const std::list<octave_value_list> &idx) override;
    octave_value_list subsref(const std::string &type, const std::list<octave_value_list> &idx, int) override { return subsref(type, idx); }
    octave_value do_index_op(const octave_value_list &idx, bool resize_ok = false) override;
    octave_value fast_elem_extract(octave_idx_type k) const override; // A(k + 1), or nothing
    octave_value subsasgn(const std::string &type, const std::list<octave_value_list> &idx, const octave_value &rhs) override;

    // Elements in another shape, on the device (index.cc)
    octave_value reshape(const dim_vector &dv) const override;
    octave_value resize(const dim_vector &dv, bool fill = false) const override; // new elements are zero in any case
    octave_value squeeze() const override { return octave_value(clone()); }

    // By way of the host, and on the device again
    octave_value map(unary_mapper_t f) const override { return back(host().get_rep().map(f)); }
    octave_value diag(octave_idx_type k = 0) const override { return back(host().diag(k)); }
    octave_value diag(octave_idx_type m, octave_idx_type n) const override { return back(host().diag(m, n)); }
    octave_value permute(const Array<int> &v, bool inverse = false) const override { return back(host().permute(v, inverse)); }

    // By way of the host
    octave_value full_value() const override { return host(); }
    octave_value as_double() const override { return host().as_double(); }
    octave_value as_single() const override { return host().as_single(); }
    octave_value as_int8() const override { return host().as_int8(); }
    octave_value as_int16() const override { return host().as_int16(); }
    octave_value as_int32() const override { return host().as_int32(); }
    octave_value as_int64() const override { return host().as_int64(); }
    octave_value as_uint8() const override { return host().as_uint8(); }
    octave_value as_uint16() const override { return host().as_uint16(); }
    octave_value as_uint32() const override { return host().as_uint32(); }
    octave_value as_uint64() const override { return host().as_uint64(); }
    octave_value all(int dim = 0) const override { return host().all(dim); }
    octave_value any(int dim = 0) const override { return host().any(dim); }
    octave_value sort(octave_idx_type dim = 0, sortmode mode = ASCENDING) const override { return host().sort(dim, mode); }
    octave_value sort(Array<octave_idx_type> &at, octave_idx_type dim = 0, sortmode mode = ASCENDING) const override { return host().sort(at, dim, mode); }
    sortmode issorted(sortmode mode = UNSORTED) const override { return host().issorted(mode); }
    Array<octave_idx_type> sort_rows_idx(sortmode mode = ASCENDING) const override { return host().sort_rows_idx(mode); }
    sortmode is_sorted_rows(sortmode mode = UNSORTED) const override { return host().is_sorted_rows(mode); }
    MatrixType matrix_type() const override { return host().matrix_type(); }
    MatrixType matrix_type(const MatrixType &kind) const override { return host().matrix_type(kind); }
    octave_idx_type nnz() const override { return host().nnz(); }
    bool is_true() const override { return host().is_true(); }
    octave::idx_vector index_vector(bool whole = false) const override { return host().index_vector(whole); }
    short short_value(bool r = false, bool f = false) const override { return host().short_value(r, f); }
    unsigned short ushort_value(bool r = false, bool f = false) const override { return host().ushort_value(r, f); }
    int int_value(bool r = false, bool f = false) const override { return host().int_value(r, f); }
    unsigned uint_value(bool r = false, bool f = false) const override { return host().uint_value(r, f); }
    int nint_value(bool f = false) const override { return host().nint_value(f); }
    long long_value(bool r = false, bool f = false) const override { return host().long_value(r, f); }
    unsigned long ulong_value(bool r = false, bool f = false) const override { return host().ulong_value(r, f); }
    int64_t int64_value(bool r = false, bool f = false) const override { return host().int64_value(r, f); }
    uint64_t uint64_value(bool r = false, bool f = false) const override { return host().uint64_value(r, f); }
    double double_value(bool f = false) const override { return host().double_value(f); }
    float float_value(bool f = false) const override { return host().float_value(f); }
    Complex complex_value(bool f = false) const override { return host().complex_value(f); }
    FloatComplex float_complex_value(bool f = false) const override { return host().float_complex_value(f); }
    bool bool_value(bool f = false) const override { return host().bool_value(f); }
    Matrix matrix_value(bool f = false) const override { return host().matrix_value(f); }
    FloatMatrix float_matrix_value(bool f = false) const override { return host().float_matrix_value(f); }
    ComplexMatrix complex_matrix_value(bool f = false) const override { return host().complex_matrix_value(f); }
    FloatComplexMatrix float_complex_matrix_value(bool f = false) const override { return host().float_complex_matrix_value(f); }
    NDArray array_value(bool f = false) const override { return host().array_value(f); }
    FloatNDArray float_array_value(bool f = false) const override { return host().float_array_value(f); }
    ComplexNDArray complex_array_value(bool f = false) const override { return host().complex_array_value(f); }
    FloatComplexNDArray float_complex_array_value(bool f = false) const override { return host().float_complex_array_value(f); }
    boolMatrix bool_matrix_value(bool f = false) const override { return host().bool_matrix_value(f); }
    boolNDArray bool_array_value(bool f = false) const override { return host().bool_array_value(f); }
    charMatrix char_matrix_value(bool f = false) const override { return host().char_matrix_value(f); }
    charNDArray char_array_value(bool f = false) const override { return host().char_array_value(f); }
    SparseMatrix sparse_matrix_value(bool f = false) const override { return host().sparse_matrix_value(f); }
    SparseComplexMatrix sparse_complex_matrix_value(bool f = false) const override { return host().sparse_complex_matrix_value(f); }
    SparseBoolMatrix sparse_bool_matrix_value(bool f = false) const override { return host().sparse_bool_matrix_value(f); }
    int8NDArray int8_array_value() const override { return host().int8_array_value(); }
    int16NDArray int16_array_value() const override { return host().int16_array_value(); }
    int32NDArray int32_array_value() const override { return host().int32_array_value(); }
    int64NDArray int64_array_value() const override { return host().int64_array_value(); }
    uint8NDArray uint8_array_value() const override { return host().uint8_array_value(); }
    uint16NDArray uint16_array_value() const override { return host().uint16_array_value(); }
    uint32NDArray uint32_array_value() const override { return host().uint32_array_value(); }
    uint64NDArray uint64_array_value() const override { return host().uint64_array_value(); }
    octave_value convert_to_str_internal(bool pad, bool force, char quote) const override { return host().convert_to_str_internal(pad, force, quote); }
    bool print_as_scalar() const override { return host().print_as_scalar(); }
    void print(std::ostream &out, bool syntax = false) override { host().print(out, syntax); }
    void print_raw(std::ostream &out, bool syntax = false) const override { host().print_raw(out, syntax); }
    bool print_name_tag(std::ostream &out, const std::string &name) const override { return host().print_name_tag(out, name); }
    void print_with_name(std::ostream &out, const std::string &name, bool = true) override { host().print_with_name(out, name); }
    void short_disp(std::ostream &out) const override { host().short_disp(out); }
    int write(octave::stream &out, int block, oct_data_conv::data_type type, int skip, octave::mach_info::float_format format) const override
    {
        return host().write(out, block, type, skip, format);
    }
    bool save_ascii(std::ostream &out) override { return host().save_ascii(out); }
    bool save_binary(std::ostream &out, bool floats) override { return host().save_binary(out, floats); }
    bool save_hdf5(octave_hdf5_id at, const char *name, bool floats) override { return host().save_hdf5(at, name, floats); }
    mxArray *as_mxArray(bool interleaved) const override { return host().as_mxArray(interleaved); }

private:
    held mat;
    tsl_op op;
    static int id;
};
