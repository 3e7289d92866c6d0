// Functions of square matrices, and conditions.
#include "library.h"

held function(tsl_view a, const std::string &name)
{
    int64_t info = 0;
    held A = copied(a);
    check(name == "expm" ? tsl_expm(nullptr, A.whole(), &info) : name == "sqrtm" ? tsl_sqrtm(nullptr, A.whole(), &info) : tsl_logm(nullptr, A.whole(), &info));
    return info ? held() : A;
}

double condition(tsl_view a)
{
    double norm = 0, rcond = 0;
    int64_t n = tsl_rows(a), info = 0;
    held A = copied(a), p = held::made(TSL_INDEX, n, 1);
    check(tsl_norm(nullptr, TSL_NORM_ONE, TSL_TRIANGULAR, A.whole(), &norm));
    check(tsl_getrf(nullptr, A.whole(), p.whole(), &info));
    if (!info) check(tsl_gecon(nullptr, TSL_NORM_ONE, A.whole(), norm, &rcond));
    return rcond;
}
