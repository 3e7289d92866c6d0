// Matrices of the library, and what is computed with them. Operands are views; Octave's arrays go in and out by put, fill and get.
#pragma once

#include <complex>
#include <memory>
#include <string>
#include <utility>

#include <octave/oct.h>
#include <tesela.h>

void check(tsl_status st);

// A matrix of the library, freed with the last one that holds it, whether a function ends by its result or by an error.
class held {
public:
    static held made(tsl_type type, int64_t m, int64_t n);
    static held wrapped(tsl_type type, int64_t m, int64_t n, const void *data, int64_t ld); // the caller's array
    tsl_view whole() const { return tsl_whole(mat.get()); }
    tsl_type type() const { return tsl_matrix_type(mat.get()); }
    explicit operator bool() const { return mat != nullptr; }
    bool shared() const { return mat.use_count() > 1; }

private:
    std::shared_ptr<tsl_matrix> mat;
};

tsl_type type_of(const octave_value &x);                        // the type that holds an array of numbers
bool fits(const octave_value &x);                               // numbers, in two dimensions
held put(const octave_value &x, tsl_type type);                 // the elements of an array of numbers on the device, as this type
octave_value get(tsl_view v);                                   // and back, in the type they have
void fill(tsl_view v, const octave_value &x);                   // the elements of an array on the device
held copied(tsl_view v);                                        // a copy as it is seen
held column(tsl_view v);                                        // all elements, column after column

held sum(tsl_view a, double beta, tsl_view b);                  // A + beta B
held scaled(tsl_view a, std::complex<double> alpha);            // alpha A
held shifted(tsl_view a, std::complex<double> alpha);           // A + alpha, to every element
held product(tsl_view a, tsl_view b);                           // A B
held solution(tsl_view a, tsl_view b);                          // A \ B; nothing if A has not full rank
held cholesky(tsl_view a, int64_t *info);                       // R with R' R = A; nothing if info says that there is none
held factored(tsl_view a);                                      // L and U in one matrix, without L's diagonal
struct lu_factors { held L, U; ColumnVector rows; };
lu_factors triangles(tsl_view a, bool back);                    // A(rows,:) = L U; with L's rows back where A has them, A = L U
std::pair<held, held> orthogonal(tsl_view a, bool economy);     // Q and R; Q square, or with min(m,n) columns
// Eigenvalues, ascending, and vectors if wanted: of a Hermitian A, or of A x = l B x; nothing if A or B is not Hermitian, B not positive definite
std::pair<held, held> eigenpairs(tsl_view a, const tsl_view *b, bool vectors);
std::pair<held, held> general_pairs(tsl_view a, bool vectors);            // of any square matrix, as the library has them; nothing if an element is not finite
std::pair<held, held> schur_form(tsl_view a, const std::string &order);   // U and S; order "a", "d" or any other: none; nothing as above
std::pair<held, held> hessenberg_form(tsl_view a);                        // P and H, of an order above 2
struct singular_factors { held s, U, V; };
singular_factors singular(tsl_view a, bool vectors, bool economy); // values and, if wanted, vectors; nothing if an element is not finite
held sylvester(tsl_view a, tsl_view b, tsl_view c);              // X with A X + X B = C; nothing if there is none, or no Schur form
held function(tsl_view a, const std::string &name);             // expm, sqrtm, logm; nothing if there is none of its elements
double condition(tsl_view a);                                   // about 1 / (|A| |inv(A)|), in the norm one
held inverse(tsl_view a);                                       // nothing if A is singular
