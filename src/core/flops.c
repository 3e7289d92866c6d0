/* The work of the operations, by the formulas of ops.def. */
#include "core/op.h"
#include "core/values.h"

int64_t tsl_packed_length(int64_t n)
{
    if (n <= 0) return 0;
    if (n >= (int64_t)1 << 32) return INT64_MAX;
    return n % 2 ? (n + 1) / 2 * n : n / 2 * (n + 1);
}

static int64_t letter_of(char letter, int64_t m, int64_t n, int64_t k)
{
    switch (letter) {
    case 'm': return m;
    case 'n': return n;
    case 'k': return k;
    case 'd': return tsl_min(m, n);
    case 'x': return tsl_max(m, n);
    default: return tsl_packed_length(n); /* p */
    }
}

static double number(const char **s)
{
    double value = 0;
    for (; **s >= '0' && **s <= '9'; ++*s) value = 10 * value + (**s - '0');
    return value;
}

/* Terms are a sign, a number and a size: n-1, 2k+1. */
int64_t tsl_size_called(const char *sum, int64_t m, int64_t n, int64_t k)
{
    int64_t value = 0, term;
    for (const char *s = sum; *s;) {
        bool minus = *s == '-';
        if (*s == '-' || *s == '+') ++s;
        term = *s >= '0' && *s <= '9' ? (int64_t)number(&s) : 1;
        if (*s && *s != '+' && *s != '-' && __builtin_mul_overflow(term, letter_of(*s++, m, n, k), &term)) return INT64_MAX;
        if (minus ? __builtin_sub_overflow(value, term, &value) : __builtin_add_overflow(value, term, &value)) return INT64_MAX;
    }
    return tsl_max(0, value);
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
        while (*s && *s != '+' && *s != '-') term *= (double)letter_of(*s++, m, n, k);
        sum += term;
    }
    return tsl_is_complex(type) ? 4 * sum : sum;
}
