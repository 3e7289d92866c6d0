// What the functions of the package call: __tesela__ (WORD, ...).
#include "matrix.h"

#include <octave/interpreter.h>

typedef octave_value_list values;

static const octave_tesela &matrix(const values &args, int at)
{
    const octave_tesela *A = args.length() > at ? octave_tesela::of(args(at)) : nullptr;
    if (!A)
        error("tesela: not a matrix on the device");
    return *A;
}

static octave_value norm(const octave_tesela &A, const std::string &kind)
{
    double x = 0;
    check(tsl_norm(nullptr, kind == "fro" ? TSL_NORM_FRO : kind == "1" ? TSL_NORM_ONE : TSL_NORM_INF, TSL_SYMMETRIC, A.view(), &x));
    return A.is_single_type() ? octave_value(static_cast<float>(x)) : octave_value(x);
}

static double bytes_used()
{
    tsl_device_info info;
    check(tsl_device_query(nullptr, 0, &info));
    return static_cast<double>(info.used);
}

static values answer(const std::string &word, const values &args)
{
    if (word == "put")
        return ovl(octave_tesela::of(args(1)) ? args(1) : octave_tesela::result(put(args(1), type_of(args(1)))));
    if (word == "get")
        return ovl(matrix(args, 1).host());
    if (word == "none") // an array of no elements, of their class
        return ovl(matrix(args, 1).is_single_type() ? octave_value(FloatMatrix()) : octave_value(Matrix()));
    if (word == "used")
        return ovl(bytes_used());
    tsl_view a = matrix(args, 1).view();
    if (word == "chol") { // and info
        int64_t info = 0;
        held R = cholesky(a, &info);
        return ovl(info ? octave_value(Matrix()) : octave_tesela::result(R), static_cast<double>(info));
    }
    if (word == "factored")
        return ovl(octave_tesela::result(factored(a)));
    if (word == "lu") { // with L's rows in their order or back in A's, and the permutation
        lu_factors f = triangles(a, args(2).bool_value());
        return ovl(octave_tesela::result(f.L), octave_tesela::result(f.U), f.rows);
    }
    if (word == "qr") {
        std::pair<held, held> f = orthogonal(a, args(2).bool_value());
        return ovl(octave_tesela::result(f.first), octave_tesela::result(f.second));
    }
    if (word == "inv") { // or []
        held B = inverse(a);
        return ovl(B ? octave_tesela::result(B) : octave_value(Matrix()));
    }
    if (word == "eig") { // values and, if wanted, vectors, of A or of A and B; or []
        bool two = octave_tesela::of(args(2));
        tsl_view b = two ? matrix(args, 2).view() : tsl_view{};
        std::pair<held, held> f = eigenpairs(a, two ? &b : nullptr, args(3).bool_value());
        return ovl(f.first ? octave_tesela::result(f.first) : octave_value(Matrix()), f.second ? octave_tesela::result(f.second) : octave_value(Matrix()));
    }
    auto both = [](const std::pair<held, held> &f) {
        auto shown = [](const held &h) { return h ? octave_tesela::result(h) : octave_value(Matrix()); };
        return ovl(shown(f.first), shown(f.second));
    };
    if (word == "general") // real and imaginary parts in columns, and vectors as LAPACK packs them; or []
        return both(general_pairs(a, args(2).bool_value()));
    if (word == "schur")
        return both(schur_form(a, args(2).string_value()));
    if (word == "hess")
        return both(hessenberg_form(a));
    if (word == "svd") { // values and, if wanted, vectors; or []
        singular_factors f = singular(a, args(2).bool_value(), args(3).bool_value());
        auto shown = [](const held &h) { return h ? octave_tesela::result(h) : octave_value(Matrix()); };
        return ovl(shown(f.s), shown(f.U), shown(f.V));
    }
    if (word == "sylvester") { // or []
        held X = sylvester(a, matrix(args, 2).view(), matrix(args, 3).view());
        return ovl(X ? octave_tesela::result(X) : octave_value(Matrix()));
    }
    if (word == "expm" || word == "sqrtm" || word == "logm") { // or []
        held F = function(a, word);
        return ovl(F ? octave_tesela::result(F) : octave_value(Matrix()));
    }
    if (word == "rcond")
        return ovl(condition(a));
    if (word == "norm")
        return ovl(norm(matrix(args, 1), args(2).string_value()));
    error("tesela: no word '%s'", word.c_str());
}

DEFMETHOD_DLD(__tesela__, interp, args, , "What the matrices of the package tesela are made of.")
{
    if (octave_tesela::static_type_id() < 0) { // for good: objects need the code of their type
        interp.mlock();
        octave_tesela::install(interp.get_type_info());
    }
    if (args.length() == 0)
        print_usage();
    return answer(args(0).string_value(), args);
}
