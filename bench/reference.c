/* Naive references in double precision, for small sizes: the textbook's formulas on dense copies of the operands as seen. */
#include "bench/dense.h"

double bench_reference_gemm(const bench_problem *p, tsl_scalar *expected)
{
    dense C = seen(&p->a[2], TSL_NOTRANS);
    double scale = multiply(p->c.alpha, seen(&p->a[0], op_of(p, 0)), seen(&p->a[1], op_of(p, 1)), p->c.beta, C);
    return deliver(C, expected, scale);
}

/* Of the whole product only the triangle is looked at. */
double bench_reference_gemmt(const bench_problem *p, tsl_scalar *expected) { return bench_reference_gemm(p, expected); }

/* With two factors the second product is the first one's (conjugate) transpose. */
static double update(const bench_problem *p, tsl_op mirror, tsl_scalar *expected)
{
    const bench_case *c = &p->c;
    const bench_array *A = &p->a[0], *B = &p->a[p->count - 2];
    tsl_op opA = op_of(p, 0), opB = op_of(p, p->count - 2);
    dense C = seen(&p->a[p->count - 1], TSL_NOTRANS);
    bool touched = (c->alpha != 0 && c->k > 0) || c->beta != 1; /* if not, even the diagonal's imaginary part stays */
    for (int64_t j = 0; j < c->n && mirror == TSL_HERM && touched; j++)
        *at(C, j, j) = creal(*at(C, j, j));
    double scale = multiply(c->alpha, seen(A, opA), seen(B, (tsl_op)(opB ^ mirror)), c->beta, C);
    if (p->count == 3)
        scale += multiply(mirror == TSL_HERM ? conj(c->alpha) : c->alpha, seen(B, opB), seen(A, (tsl_op)(opA ^ mirror)), 1, C);
    return deliver(C, expected, scale);
}

double bench_reference_syrk(const bench_problem *p, tsl_scalar *expected) { return update(p, TSL_TRANS, expected); }
double bench_reference_herk(const bench_problem *p, tsl_scalar *expected) { return update(p, TSL_HERM, expected); }
double bench_reference_syr2k(const bench_problem *p, tsl_scalar *expected) { return update(p, TSL_TRANS, expected); }
double bench_reference_her2k(const bench_problem *p, tsl_scalar *expected) { return update(p, TSL_HERM, expected); }

/* C := alpha A B + beta C, or from the right alpha B A + beta C */
static double sided(const bench_problem *p, dense A, dense B, tsl_scalar beta, dense C, tsl_scalar *expected)
{
    bool left = p->c.flag[BENCH_SIDE] == 'L';
    double scale = multiply(p->c.alpha, left ? A : B, left ? B : A, beta, C);
    return deliver(C, expected, scale);
}

/* op(H), where the first operand is a triangle of H */
static dense mirrored(const bench_problem *p, tsl_op mirror)
{
    const bench_array *a = &p->a[0];
    tsl_op op = op_of(p, 0);
    dense H = seen(a, op), other = seen(a, (tsl_op)(op ^ mirror));
    for (int64_t j = 0; j < H.cols; j++)
        for (int64_t i = 0; i < H.rows; i++)
            *at(H, i, j) = i != j ? *at(H, i, j) + *at(other, i, j) : mirror == TSL_HERM ? creal(*at(H, i, i)) : *at(H, i, i);
    free(other.v);
    return H;
}

static double symmetric(const bench_problem *p, tsl_op mirror, tsl_scalar *expected)
{
    return sided(p, mirrored(p, mirror), seen(&p->a[1], op_of(p, 1)), p->c.beta, seen(&p->a[2], TSL_NOTRANS), expected);
}

double bench_reference_symm(const bench_problem *p, tsl_scalar *expected) { return symmetric(p, TSL_TRANS, expected); }
double bench_reference_hemm(const bench_problem *p, tsl_scalar *expected) { return symmetric(p, TSL_HERM, expected); }

double bench_reference_trmm(const bench_problem *p, tsl_scalar *expected)
{
    return sided(p, seen(&p->a[0], op_of(p, 0)), seen(&p->a[1], TSL_NOTRANS), 0, dense_new(p->c.m, p->c.n), expected);
}

/* X op(A) = alpha B is op(A)^T X^T = alpha B^T. */
double bench_reference_trsm(const bench_problem *p, tsl_scalar *expected)
{
    const bench_case *c = &p->c;
    tsl_op turn = c->flag[BENCH_SIDE] == 'L' ? TSL_NOTRANS : TSL_TRANS;
    tsl_op op = (tsl_op)(op_of(p, 0) ^ turn);
    dense T = seen(&p->a[0], op), B = seen(&p->a[1], turn), X = dense_new(c->m, c->n);
    for (int64_t i = 0; i < B.rows * B.cols; i++)
        B.v[i] *= c->alpha;
    if (c->alpha != 0)
        substitute(T, (p->a[0].is.part == TSL_LOWER) == !(op & TSL_TRANS), B);
    for (int64_t j = 0; j < c->n; j++)
        for (int64_t i = 0; i < c->m; i++)
            *at(X, i, j) = turn ? *at(B, j, i) : *at(B, i, j);
    double scale = (double)(T.rows + 1) * largest(X);
    free(T.v);
    free(B.v);
    return deliver(X, expected, scale);
}

/* L row by row from l_ij = (a_ij - sum_k<j l_ik conj(l_jk)) / l_jj; the upper factor is L^H. */
double bench_reference_potrf(const bench_problem *p, tsl_scalar *expected)
{
    bool lower = p->c.flag[BENCH_UPLO] == 'L';
    int64_t n = p->c.n;
    dense A = seen(&p->a[0], lower ? TSL_NOTRANS : TSL_HERM), F = dense_new(n, n);
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j <= i; j++) {
            tsl_scalar sum = *at(A, i, j);
            for (int64_t l = 0; l < j; l++)
                sum -= *at(A, i, l) * conj(*at(A, j, l));
            tsl_scalar value = i == j ? sqrt(creal(sum)) : sum / *at(A, j, j);
            *at(A, i, j) = value;
            *(lower ? at(F, i, j) : at(F, j, i)) = lower ? value : conj(value);
        }
    double scale = (double)(n + 1) * largest(F);
    free(A.v);
    return deliver(F, expected, scale);
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
    static const char *const names[] = {"first operand", "second operand", "third operand"};
    for (int o = 0; o < p->count; o++) {
        const bench_array *a = &p->a[o];
        size_t size = tsl_type_size(a->type);
        for (int64_t j = 0; j < a->width; j++) {
            int64_t from = 0, to = 0; /* the written rows of this column */
            if (bench_writes(p, o) && j >= a->col0) {
                bench_column(a->is.part, a->is.rows, j - a->col0, &from, &to);
                from += a->row0, to += a->row0;
            }
            const char *was = (const char *)a->first + (size_t)(j * a->ld) * size;
            const char *now = (const char *)a->work + (size_t)(j * a->ld) * size;
            size_t rest = (size_t)to * size;
            if (memcmp(was, now, (size_t)from * size) || memcmp(was + rest, now + rest, (size_t)(a->ld - to) * size))
                return names[o];
            size_t diagonal = (size_t)(a->row0 + j - a->col0) * size;
            if (a->is.diag == TSL_UNIT && j >= a->col0 && memcmp(was + diagonal, now + diagonal, size))
                return names[o];
        }
    }
    return NULL;
}
