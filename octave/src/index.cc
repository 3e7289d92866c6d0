// A(..), A(..) = b and A(..) = []. Blocks of neighbouring rows and columns are read and written on the device; of other subscripts the
// smallest block that has them all is fetched, and Octave does the rest.
#include "matrix.h"

#include <algorithm>

using octave::idx_vector;

// A subscript: which rows, or which columns.
struct span {
    idx_vector at;
    octave_idx_type first = 0, end = 0; // the block that has them all
    bool whole = false;                 // and nothing else, in its order
};

static bool within(span *s, const octave_value &subscript, octave_idx_type size)
{
    s->at = subscript.index_vector();
    if (s->at.extent(size) > size)
        return false;
    s->whole = s->at.is_cont_range(size, s->first, s->end);
    octave_idx_type n = s->at.length(size);
    for (octave_idx_type i = 0; i < n && !s->whole; i++) {
        s->first = i ? std::min(s->first, s->at(i)) : s->at(i);
        s->end = i ? std::max(s->end, s->at(i) + 1) : s->at(i) + 1;
    }
    return true;
}

// The rows and columns that subscripts mean. False: they are not of two dimensions, or outside; Octave has the answer, or the error.
static bool block(span *i, span *j, const octave_value_list &idx, tsl_view v)
try {
    octave_idx_type m = tsl_rows(v), n = tsl_cols(v);
    if (idx.length() == 2)
        return within(i, idx(0), m) && within(j, idx(1), n);
    if (idx.length() != 1 || !m || !n || idx(0).is_magic_colon() || idx(0).islogical())
        return false;
    if (idx(0).numel() == 1) { // one element, counted down the columns
        octave_idx_type k = idx(0).index_vector()(0);
        return within(i, octave_value(k % m + 1), m) && within(j, octave_value(k / m + 1), n);
    }
    // Elements of a vector as it lies; a matrix of subscripts would give its own shape.
    if ((m != 1 && n != 1) || idx(0).ndims() != 2 || (idx(0).rows() != 1 && idx(0).columns() != 1))
        return false;
    octave_value first(1.0);
    return m == 1 ? within(i, first, 1) && within(j, idx(0), n) : within(i, idx(0), m) && within(j, first, 1);
} catch (const octave::index_exception &) { // no subscripts at all
    return false;
}

// The same subscripts within the block.
static octave_value inside(const span &s, octave_idx_type size)
{
    NDArray at(dim_vector(1, s.at.length(size)));
    for (octave_idx_type k = 0; k < at.numel(); k++)
        at(k) = static_cast<double>(s.at(k) - s.first + 1);
    return at;
}

octave_value octave_tesela::do_index_op(const octave_value_list &idx, bool resize_ok)
{
    tsl_view v = view();
    span i, j;
    if (idx.length() == 0)
        return octave_value(clone());
    if (idx.length() == 1 && idx(0).is_magic_colon())
        return result(column(v));
    if (!block(&i, &j, idx, v))
        return back(host().index_op(idx, resize_ok));
    tsl_view part = tsl_sub(v, i.first, j.first, i.end - i.first, j.end - j.first);
    if (i.whole && j.whole)
        return result(copied(part));
    return back(get(part).index_op(ovl(inside(i, tsl_rows(v)), inside(j, tsl_cols(v)))));
}

octave_value octave_tesela::reshape(const dim_vector &dv) const
{
    if (dv.ndims() != 2 || dv.numel() != numel())
        return back(host().reshape(dv));
    held x = column(view());
    return result(copied(held::wrapped(type(), dv(0), dv(1), tsl_matrix_data(x.whole().mat), dv(0)).whole()));
}

octave_value octave_tesela::resize(const dim_vector &dv, bool) const
{
    if (dv.ndims() != 2)
        return back(host().resize(dv, true));
    tsl_view v = view();
    int64_t m = std::min<int64_t>(dv(0), tsl_rows(v)), n = std::min<int64_t>(dv(1), tsl_cols(v));
    held A = held::made(type(), dv(0), dv(1));
    check(tsl_scale(nullptr, 0, A.whole()));
    check(tsl_copy(nullptr, tsl_sub(v, 0, 0, m, n), tsl_sub(A.whole(), 0, 0, m, n)));
    return result(A);
}

octave_value octave_tesela::fast_elem_extract(octave_idx_type k) const
{
    tsl_view v = view();
    return k < 0 || k >= numel() ? octave_value() : get(tsl_sub(v, k % tsl_rows(v), k / tsl_rows(v), 1, 1));
}

octave_value octave_tesela::subsref(const std::string &type, const std::list<octave_value_list> &idx)
{
    if (type[0] != '(') // Octave's error
        return host().subsref(type, idx);
    return do_index_op(idx.front()).next_subsref(type, idx);
}

// Octave calls this for the value of one variable alone; another has a clone. So it is changed in place, unless a clone shares the storage.
octave_value octave_tesela::subsasgn(const std::string &type, const std::list<octave_value_list> &idx, const octave_value &rhs)
{
    span i, j;
    bool number = fits(rhs) && !rhs.isnull(), one = rhs.numel() == 1;
    bool kept = number && (rhs.isreal() || iscomplex()) && (!rhs.is_single_type() || is_single_type()); // the type of the elements
    if (kept && type == "(" && block(&i, &j, idx.front(), view()) && i.whole && j.whole) {
        octave_idx_type m = i.end - i.first, n = j.end - j.first;
        if (one || (rhs.rows() == m && rhs.columns() == n)) {
            bool alone = !mat.shared() && op == TSL_NOTRANS;
            octave_value changed = alone ? octave_value(this, true) : octave_value(new octave_tesela(copied(view()), TSL_NOTRANS));
            tsl_view part = tsl_sub(of(changed)->view(), i.first, j.first, m, n);
            const octave_tesela *other = of(rhs);
            if (other && other->type() == this->type() && !one)
                check(tsl_copy(nullptr, other->view(), part));
            else
                fill(part, one ? rhs.full_value().index_op(ovl(Matrix(m, n, 1.0))) : rhs.full_value());
            return changed;
        }
    }
    octave_value full = host();
    full.assign(octave_value::op_asn_eq, type, idx, of(rhs) ? of(rhs)->host() : number && rhs.isinteger() ? rhs.as_double() : rhs);
    return back(full);
}
