/* Results against naive references in double precision, for small sizes: the textbook's formulas on dense copies of the
 * operands as seen. */
#include "bench/residual/dense.h"

double bench_reference_of_product(const bench_problem *p, tsl_scalar *expected)
{
    dense C = seen(&p->a[2], TSL_NOTRANS);
    double scale = multiply(p->c.alpha, seen(&p->a[0], op_of(p, 0)), seen(&p->a[1], op_of(p, 1)), p->c.beta, C);
    return deliver(C, expected, scale);
}

double bench_deviation(const bench_problem *p)
{
    if (!p->routine->reference)
        return 0;
    const bench_array *a = &p->a[p->count - 1];
    dense E = dense_new(a->is.rows, a->is.cols);
    double scale = p->routine->reference(p, E.v), worst = 0;
    for (int64_t j = 0; j < E.cols; j++)
        for (int64_t i = 0; i < E.rows; i++) {
            bool unit = i == j && a->is.diag == TSL_UNIT; /* not written */
            double error = referenced(a, i, j) && !unit ? cabs(stored(a, a->work, i, j) - *at(E, i, j)) : 0;
            worst = isnan(error) ? INFINITY : fmax(worst, error);
        }
    free(E.v);
    return worst == 0 ? 0 : worst / (tsl_type_eps(p->c.type) * scale);
}

const char *bench_trespass(const bench_problem *p)
{
    static const char *const names[BENCH_OPERANDS] = {"the first operand", "the second operand", "the third operand", "the fourth operand", "the fifth operand"};
    for (int o = 0; o < p->count; o++) {
        const bench_array *a = &p->a[o];
        size_t size = tsl_type_size(a->type);
        for (int64_t j = 0; j < a->width; j++) {
            int64_t from = 0, to = 0, col = j - a->col0; /* the written rows of this column, and which of its problem's it is */
            if (a->is.problems && col >= 0)
                col %= a->is.cols;
            if (bench_writes(p, o) && col >= 0) {
                bench_column(a->is.part, a->is.rows, col, &from, &to);
                from += a->row0, to += a->row0;
            }
            const char *was = (const char *)a->first + (size_t)(j * a->ld) * size;
            const char *now = (const char *)a->work + (size_t)(j * a->ld) * size;
            size_t rest = (size_t)to * size;
            if (memcmp(was, now, (size_t)from * size) || memcmp(was + rest, now + rest, (size_t)(a->ld - to) * size))
                return names[o];
            size_t diagonal = (size_t)(a->row0 + col) * size;
            if (a->is.diag == TSL_UNIT && col >= 0 && col < a->is.rows && memcmp(was + diagonal, now + diagonal, size))
                return names[o];
        }
    }
    return NULL;
}
