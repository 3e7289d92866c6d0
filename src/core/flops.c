/* The work of the operations, by the formulas of ops.def. */
#include "core/op.h"
#include "core/values.h"

int64_t tsl_size_called(char letter, int64_t m, int64_t n, int64_t k)
{
    switch (letter) {
    case 'm': return m;
    case 'n': return n;
    case 'k': return k;
    case 'd': return tsl_min(m, n);
    case 'x': return tsl_max(m, n);
    default: return letter - '0';
    }
}

static double number(const char **s)
{
    double value = 0;
    for (; **s >= '0' && **s <= '9'; ++*s) value = 10 * value + (**s - '0');
    return value;
}

/* A sum of terms; a term is a sign, a number or a fraction, and sizes that are multiplied with it: 2mnd-mdd+2/3ddd. */
double tsl_flops_of(const char *formula, tsl_type type, int64_t m, int64_t n, int64_t k)
{
    double sum = 0;
    for (const char *s = formula; *s;) {
        double term = *s == '-' ? -1 : 1;
        if (*s == '-' || *s == '+') ++s;
        if (*s >= '0' && *s <= '9') term *= number(&s);
        if (*s == '/') ++s, term /= number(&s);
        while (*s && *s != '+' && *s != '-') term *= (double)tsl_size_called(*s++, m, n, k);
        sum += term;
    }
    return tsl_is_complex(type) ? 4 * sum : sum;
}
