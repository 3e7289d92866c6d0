/* Drivers of a host library that come to NaN and say nothing; the rest is OpenBLAS's. */
#include <math.h>

typedef const int *in;
typedef double *out;

static void answer(in lwork, out work, out values, int *info)
{
    *info = 0;
    if (lwork && *lwork == -1) *work = 4096;
    else *values = NAN;
}

void dsyevd_(const char *jobz, const char *uplo, in n, out a, in lda, out w, out work, in lwork, int *iwork, in liwork, int *info)
{
    (void)jobz, (void)uplo, (void)n, (void)a, (void)lda, (void)iwork, (void)liwork;
    answer(lwork, work, w, info);
}

void dgesdd_(const char *jobz, in m, in n, out a, in lda, out s, out u, in ldu, out vt, in ldvt, out work, in lwork, int *iwork, int *info)
{
    (void)jobz, (void)m, (void)n, (void)a, (void)lda, (void)u, (void)ldu, (void)vt, (void)ldvt, (void)iwork;
    answer(lwork, work, s, info);
}

void dgeev_(const char *jobvl, const char *jobvr, in n, out a, in lda, out wr, out wi, out vl, in ldvl, out vr, in ldvr, out work, in lwork, int *info)
{
    (void)jobvl, (void)jobvr, (void)n, (void)a, (void)lda, (void)wr, (void)vl, (void)ldvl, (void)vr, (void)ldvr;
    answer(lwork, work, wi, info);
}

void dsterf_(in n, out d, out e, int *info)
{
    (void)n, (void)e;
    answer(0, 0, d, info);
}

void dstedc_(const char *compz, in n, out d, out e, out z, in ldz, out work, in lwork, int *iwork, in liwork, int *info)
{
    (void)compz, (void)n, (void)d, (void)e, (void)ldz, (void)iwork, (void)liwork;
    answer(lwork, work, z, info);
}

void dsteqr_(const char *compz, in n, out d, out e, out z, in ldz, out work, int *info)
{
    (void)compz, (void)n, (void)e, (void)z, (void)ldz, (void)work;
    answer(0, 0, d, info);
}

void dbdsqr_(const char *uplo, in n, in ncvt, in nru, in ncc, out d, out e, out vt, in ldvt, out u, in ldu, out c, in ldc, out work, int *info)
{
    (void)uplo, (void)n, (void)ncvt, (void)nru, (void)ncc, (void)e, (void)vt, (void)ldvt, (void)u, (void)ldu, (void)c, (void)ldc, (void)work;
    answer(0, 0, d, info);
}
