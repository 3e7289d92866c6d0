/* A program that knows BLAS and LAPACK only: dgemm_ is Tesela's, dsyev_ the host library's. */
#include <math.h>
#include <stddef.h>

void dgemm_(const char *, const char *, const int *, const int *, const int *, const double *, const double *, const int *, const double *,
            const int *, const double *, double *, const int *);
void dsyev_(const char *, const char *, const int *, double *, const int *, double *, double *, const int *, int *, size_t, size_t);

int main(void)
{
    const double one = 1, zero = 0, a[4] = {2, 1, 1, 2};
    double c[4], w[2], work[32];
    const int n = 2, lwork = 32;
    int info = 1;
    dgemm_("N", "T", &n, &n, &n, &one, a, &n, a, &n, &zero, c, &n);
    dsyev_("N", "L", &n, c, &n, w, work, &lwork, &info, 1, 1);
    return !(info == 0 && fabs(w[0] - 1) < 1e-12 && fabs(w[1] - 9) < 1e-12);
}
