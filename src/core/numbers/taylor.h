/* Taylor polynomials of the exponential in fewer products than their degrees: of 8, 12 and 18 by products of polynomials in few
 * powers, after Bader, Blanes and Casas (2019). Columns are coefficients of I, A, A^2, A^3, A^6. */
#ifndef TSL_TAYLOR_H
#define TSL_TAYLOR_H

enum { TSL_TAYLOR_DEGREES = 4, TSL_TAYLOR_POWERS = 5 };
static const int tsl_taylor_degree[TSL_TAYLOR_DEGREES] = {4, 8, 12, 18};
/* |A| up to which the backward error of the degree is a roundoff, of double and of single precision */
static const double tsl_taylor_bound_double[TSL_TAYLOR_DEGREES] = {3.397168839976962e-4, 4.991228871115323e-2,
                                                                   2.996158913811580e-1, 1.090863719290036};
static const double tsl_taylor_bound_single[TSL_TAYLOR_DEGREES] = {5.116619363445086e-2, 5.800524627688768e-1,
                                                                   1.461661507209034, 3.010066362817634};

/* T4 = [0] + A^2 [1] */
static const double tsl_taylor4[2][TSL_TAYLOR_POWERS] = {{1, 1}, {1. / 2, 1. / 6, 1. / 24}};
/* Q = A^2 [0], T8 = [1] + ([2] + Q) ([3] + q Q) */
static const double tsl_taylor8[4][TSL_TAYLOR_POWERS] = {
    {0, 0.10836465678522780852, 0.027091164196306952131},
    {1, 1, 0.13549236135285063166},
    {0, 0, 2. / 3},
    {0.54676145797072405251, 0.16112557339541759283, 0.014090917158378207731}};
static const double tsl_taylor8_q = 0.033792797010870504141;
/* Q = [2] + [3]^2, T12 = [0] + ([1] + Q) Q */
static const double tsl_taylor12[4][TSL_TAYLOR_POWERS] = {
    {0, 0.46932117595431469071, -0.20099424927044302003, -0.04623946134063365495},
    {5.3159789575986144317, 1.1992679041713716908, 0.01179296240992624371, 0.011088445285190924976},
    {0.18188869982170765134, 0.055027984399284298049, 0.093515907705364473734, 0.0061070052889837800147},
    {0, -0.13181061013830184016, -0.020278555405892590793, -0.0067595184686308635978}};
/* Q = [3] + [0] [4], T18 = [1] + ([2] + Q) Q */
static const double tsl_taylor18[5][TSL_TAYLOR_POWERS] = {
    {0, -0.10036558103014462765, -0.0080292464824115702118, -0.00089213849804573002353},
    {0, 0.39784974949964507615, 1.3678377846041171992, 0.49828962252538267756, -0.00063789819459472330924},
    {-10.967639605296206259, 1.6801581387890619718, 0.05717798464788655127, -0.0069821012248805208429,
     0.000033497501708607053831},
    {-0.090431683239081056197, -0.067640451907138190756, 0.067596130177045964608, 0.029555257042931552743,
     -0.000013918025751606070112},
    {0, 0, -0.092336461936711852254, -0.016936493900208170431, -0.000014008679818203614914}};

#endif
