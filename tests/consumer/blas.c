/* A program that knows BLAS and LAPACK only: dgemm_ is Tesela's, dsyev_ the host library's. BLAS64: with integers of 64 bits;
 * there need not be a host library with such to link with. */
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#ifdef BLAS64
typedef int64_t integer;
#else
typedef int integer;
void dsyev_(const char *, const char *, const integer *, double *, const integer *, double *, double *, const integer *, integer *, size_t, size_t);
#endif
void dgemm_(const char *, const char *, const integer *, const integer *, const integer *, const double *, const double *, const integer *,
            const double *, const integer *, const double *, double *, const integer *);

int main(void)
{
    const double one = 1, zero = 0, a[4] = {2, 1, 1, 2};
    double c[4];
    const integer n = 2;
    dgemm_("N", "T", &n, &n, &n, &one, a, &n, a, &n, &zero, c, &n);
    int good = c[0] == 5 && c[1] == 4 && c[2] == 4 && c[3] == 5;
#ifndef BLAS64
    const integer lwork = 32;
    integer info = 1;
    double w[2], work[32];
    dsyev_("N", "L", &n, c, &n, w, work, &lwork, &info, 1, 1);
    good = good && info == 0 && fabs(w[0] - 1) < 1e-12 && fabs(w[1] - 9) < 1e-12;
#endif
    if (!good)
        puts("wrong");
    return !good;
}
