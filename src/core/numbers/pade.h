/* Diagonal Pade approximants of the exponential, and up to which sizes of a matrix they are good (Al-Mohy and Higham 2009). */
#ifndef TSL_PADE_H
#define TSL_PADE_H

enum { TSL_PADE_DEGREES = 5 };
static const int tsl_pade_degree[TSL_PADE_DEGREES] = {3, 5, 7, 9, 13};
/* |A| up to which the backward error of the degree is a roundoff, of double and of single precision */
static const double tsl_pade_bound_double[TSL_PADE_DEGREES] = {1.495585217958292e-2, 2.539398330063230e-1, 9.504178996162932e-1,
                                                               2.097847961257068, 4.25};
static const double tsl_pade_bound_single[TSL_PADE_DEGREES] = {4.258730016922831e-1, 1.880152677804762, 3.925724783138660};
/* One over the first coefficient of that error's series */
static const double tsl_pade_error_inverse[TSL_PADE_DEGREES] = {100800., 10059033600., 4487938430976000.,
                                                                5914384781877411840000., 113250775606021113483283660800000000.};
static const double tsl_pade[TSL_PADE_DEGREES][14] = {
    {120, 60, 12, 1},
    {30240, 15120, 3360, 420, 30, 1},
    {17297280, 8648640, 1995840, 277200, 25200, 1512, 56, 1},
    {17643225600., 8821612800., 2075673600, 302702400, 30270240, 2162160, 110880, 3960, 90, 1},
    {64764752532480000., 32382376266240000., 7771770303897600., 1187353796428800., 129060195264000., 10559470521600.,
     670442572800., 33522128640., 1323241920, 40840800, 960960, 16380, 182, 1},
};

#endif
