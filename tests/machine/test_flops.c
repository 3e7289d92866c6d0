/* The counts of work in the operation table, against loops that count: what textbook algorithms do, one by one. */
#include <math.h>
#include <string.h>

#include "bench/bench.h"
#include "core/op.h"
#include "tap.h"

static double potrf(int64_t n)
{
    double work = 0;
    for (int64_t j = 0; j < n; j++) {
        work += 1 + (n - j - 1);                                  /* a root, and the column over it */
        for (int64_t i = j + 1; i < n; i++) work += 2 * (i - j); /* row i of what is left, up to its diagonal */
    }
    return work;
}

static double trtri(int64_t n) /* column by column: inv(l_jj), then l_ij := -inv(l_ii) times a sum of i - j products */
{
    double work = 0;
    for (int64_t j = 0; j < n; j++) {
        work += 1;
        for (int64_t i = j + 1; i < n; i++) work += 2 * (i - j) - 1 + 1;
    }
    return work;
}

static double lauum(int64_t n) /* L^H L: element i, j is a sum of n - i products */
{
    double work = 0;
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = j; i < n; i++) work += 2 * (n - i) - 1;
    return work;
}

static double getrf(int64_t m, int64_t n)
{
    double work = 0;
    for (int64_t j = 0; j < (m < n ? m : n); j++) work += (m - j - 1) + 2.0 * (m - j - 1) * (n - j - 1);
    return work;
}

static double geqrf(int64_t m, int64_t n) /* a reflector's product with a column, its own among them, and what that is subtracted by */
{
    double work = 0;
    for (int64_t j = 0; j < (m < n ? m : n); j++) work += 4.0 * (m - j) * (n - j);
    return work;
}

static double ormqr(int64_t m, int64_t n, int64_t k)
{
    double work = 0;
    for (int64_t j = 0; j < k; j++) work += 4.0 * (m - j) * n;
    return work;
}

static double syrk(int64_t n, int64_t k)
{
    double work = 0;
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = j; i < n; i++) work += 2 * k;
    return work;
}

static double sytrd(int64_t n) /* a product of what is left with a vector, and an update of half of it by two */
{
    double work = 0;
    for (int64_t m = n - 1; m > 0; m--) work += 2.0 * m * m + 2.0 * m * (m + 1);
    return work;
}

/* Up to terms of order n. */
static bool near(double a, double b, int64_t n) { return fabs(a - b) <= 2.0 * n; }

static void test_counted(void)
{
    for (int64_t n = 1; n < 60; n += 7) {
        check(near(tsl_flops("dpotrf", 0, n, 0), potrf(n), n), "potrf %d: %g, %g", (int)n, tsl_flops("dpotrf", 0, n, 0), potrf(n));
        check(near(tsl_flops("dtrtri", 0, n, 0), trtri(n), n), "trtri %d: %g, %g", (int)n, tsl_flops("dtrtri", 0, n, 0), trtri(n));
        check(near(tsl_flops("dlauum", 0, n, 0), lauum(n), n), "lauum %d: %g, %g", (int)n, tsl_flops("dlauum", 0, n, 0), lauum(n));
        check(tsl_flops("dsyrk", 0, n, 5) == syrk(n, 5), "syrk %d", (int)n);
        check(tsl_flops("dsyr2k", 0, n, 5) == 2 * syrk(n, 5), "syr2k %d", (int)n);
        for (int64_t m = 1; m < 60; m += 5)
            check(near(tsl_flops("dgetrf", m, n, 0), getrf(m, n), 1), "getrf %d %d: %g, %g", (int)m, (int)n, tsl_flops("dgetrf", m, n, 0), getrf(m, n));
        for (int64_t m = 1; m < 60; m += 5) {
            int64_t d = m < n ? m : n, x = m > n ? m : n;
            check(near(tsl_flops("dgeqrf", m, n, 0), geqrf(m, n), 1), "geqrf %d %d", (int)m, (int)n);
            check(near(tsl_flops("dormqr", x, 3, d), ormqr(x, 3, d), 1), "ormqr %d %d", (int)m, (int)n);
            check(near(tsl_flops("dgels", m, n, 3), geqrf(m, n) + ormqr(x, 3, d) + 3.0 * d * d, 1), "gels %d %d", (int)m, (int)n);
        }
        check(near(tsl_flops("dgesv", 0, n, 3), getrf(n, n) + 6.0 * n * n, n), "gesv %d", (int)n);
        check(near(tsl_flops("dpotri", 0, n, 0), trtri(n) + lauum(n), n), "potri %d", (int)n);
        check(fabs(tsl_flops("dsytrd", 0, n, 0) - sytrd(n)) <= 6.0 * n * n, "sytrd %d: %g, %g", (int)n, tsl_flops("dsytrd", 0, n, 0), sytrd(n));
        check(near(tsl_flops("dormtr", n, 3, 0), ormqr(n - 1, 3, n - 1), 1), "ormtr %d", (int)n);
        check(near(tsl_flops("dorgtr", 0, n, 0), tsl_flops("dorgqr", n - 1, n - 1, n - 1), 1), "orgtr %d", (int)n);
        check(near(tsl_flops("dposv", 0, n, 3), potrf(n) + 6.0 * n * n, n), "posv %d", (int)n);
    }
    checked("as many as loops count");
}

static void test_names(void)
{
    check(tsl_flops("sgemm", 3, 5, 7) == 210 && tsl_flops("zgemm", 3, 5, 7) == 840 && tsl_flops("DGEMM", 3, 5, 7) == 210, "gemm");
    check(tsl_flops("ztrsm", 3, 5, 7) == 180 && tsl_flops("dsymm", 3, 5, 7) == 90, "a side is the left one");
    check(tsl_flops("dcopy", 0, 9, 0) == 0 && tsl_flops("zgerc", 3, 5, 0) == 120 && tsl_flops("dlansy", 9, 3, 9) == 9, "other names");
    check(tsl_flops("scnrm2", 0, 9, 0) == 72 && tsl_flops("idamax", 0, 9, 0) == 9 && tsl_flops("drotg", 0, 0, 0) == 10, "odd names");
    check(isnan(tsl_flops("dherk", 1, 1, 1)) && isnan(tsl_flops("dscale", 1, 1, 1)) && isnan(tsl_flops("gemm", 1, 1, 1)) &&
              isnan(tsl_flops("", 1, 1, 1)) && isnan(tsl_flops(NULL, 1, 1, 1)) && isnan(tsl_flops("dgemm", -1, 1, 1)),
          "no such call");
    checked("names");
}

/* A row of the table that has a typed call has sizes of all its operands. One operand is the result, and the first has the
 * call's type. */
static void test_table(void)
{
    for (int op = 0; op < TSL_OP_COUNT; op++) {
        const tsl_op_info *o = &tsl_ops[op];
        int sized = 0, results = 0;
        for (int i = 0; i < o->operands; i++) {
            const tsl_operand_info *v = &o->operand[i];
            check(strspn(v->rows, "0123456789+-mnkdxp") == strlen(v->rows) && strspn(v->cols, "0123456789+-mnkdxp") == strlen(v->cols), "%s: %s is %s x %s",
                  o->name, v->name, v->rows, v->cols);
            check(!*v->rows == !*v->cols, "%s: %s has one size", o->name, v->name);
            sized += *v->rows != 0;
            results += (v->traits & TSL_IS_RESULT) != 0;
        }
        check(*o->types ? sized == o->operands : sized == 0 || sized == o->operands, "%s: %d sizes", o->name, sized);
        check(strspn(o->types, "sdcz") == strlen(o->types), "%s: %s", o->name, o->types);
        check(strspn(o->flops, "0123456789/+-mnkdx") == strlen(o->flops), "%s: %s", o->name, o->flops);
        check(o->operands > 0 && o->operands <= TSL_MAX_OPERANDS && results == 1, "%s: %d operands, %d results", o->name, o->operands, results);
        check(o->operand[0].element == TSL_OF_TYPE || o->operand[0].element == TSL_OF_ANY, "%s: its first operand", o->name);
    }
    check(tsl_size_called("n-1", 5, 7, 3) == 6 && tsl_size_called("n-1", 5, 0, 3) == 0 && tsl_size_called("2k+1", 5, 7, 3) == 7 &&
              tsl_size_called("p", 5, 7, 3) == 28 && tsl_size_called("2k+1", 5, 7, INT64_MAX) == INT64_MAX && tsl_size_called("d", 5, 7, 3) == 5,
          "sizes as sums");
    checked("the table's columns");
}

/* Whatever the benchmark rates in flops has a count, of every type, from either side. */
static void test_rated(void)
{
    const bench_routine *r;
    for (int i = 0; (r = bench_routine_at(i)); i++)
        for (int t = TSL_S; t <= TSL_Z && !r->by_bytes; t++) {
            bench_case left = {.type = (tsl_type)t, .m = 9, .n = 5, .k = 3, .flag = {[BENCH_SIDE] = 'L'}}, right = left;
            right.flag[BENCH_SIDE] = 'R', right.m = left.n, right.n = left.m;
            double count = bench_flops(r, &left);
            check(count > 0 && (!*bench_letters(r, (tsl_type)t, BENCH_SIDE, BENCH_TYPED) || count == bench_flops(r, &right)), "%c%s: %g",
                  tsl_type_letter((tsl_type)t), r->name, count);
            left.type = t == TSL_C ? TSL_S : t == TSL_Z ? TSL_D : left.type;
            check(count == (t < TSL_C ? 1 : 4) * bench_flops(r, &left), "%s: complex ones count four", r->name);
        }
    checked("the benchmark's counts");
}

int main(void)
{
    test_counted();
    test_rated();
    test_names();
    test_table();
    return tap_done();
}
