// Sylvester's equation.
#include "library.h"

held sylvester(tsl_view a, tsl_view b, tsl_view c)
{
    tsl_type type = tsl_matrix_type(c.mat), real = type == TSL_S || type == TSL_C ? TSL_S : TSL_D;
    int64_t info = 0;
    held A = copied(a), B = copied(b), X = copied(c), s = held::made(real, 1, 1);
    check(tsl_sylvester(nullptr, A.whole(), B.whole(), X.whole(), s.whole(), &info));
    if (info) return held();
    double scale = get(s.whole()).double_value();
    return scale == 1 ? X : scaled(X.whole(), 1 / scale);
}
