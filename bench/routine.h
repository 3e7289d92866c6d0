/* What the files below bench/routine/ are written with. Each describes a family of routines, whole: operands, counts of work, the library's calls,
 * residuals, references, rivals, and the table of all that which `tesela bench` and the tests read.
 *
 *     #ifdef T               the calls of one type, FN(name) by name
 *     #else
 *     #include "bench/routine.h"
 *     #define BENCH_FAMILY "bench/routine/thing/thing.c"
 *     #include "bench/each_type.h"
 *                            what all types share
 *     static const bench_routine routines[] = {{.name = "name", .typed = TYPES(name), ...}, ...};
 *     const bench_family bench_thing = FAMILY(routines);      and families.def says BENCH_ROUTINES(thing)
 *     #endif
 */
#ifndef BENCH_ROUTINE_H
#define BENCH_ROUTINE_H

#include <cblas.h>
#include <lapacke.h>

#include "bench/rival/cuda_words.h"
#include "bench/residual/dense.h"
#include "bench/residual/residual.h"
#include "bench/rival/rival.h"
#include "bench/problem/shapes.h"

/* The table. A flag's letters for all types; a call of every type, or of those that are complex */
#define FLAGS(...) {{__VA_ARGS__}, {__VA_ARGS__}}
#define TYPES(name) {s_##name, d_##name, c_##name, z_##name}
#define COMPLEX_TYPES(name) {[TSL_C] = c_##name, [TSL_Z] = z_##name}
#define FAMILY(table) {table, sizeof table / sizeof *table}

/* Operands of the library's calls, of OpenBLAS's, of CUDA's. */
#define DATA(i) bench_data(p, i, p->place)
#define LD(i) bench_ld(p, i, p->place)
#define HOST(i) bench_data(p, i, BENCH_HOST)
#define HOST_LD(i) (int)bench_ld(p, i, BENCH_HOST)
#define DEVICE(i) bench_data(p, i, BENCH_DEVICE)
#define DEVICE_LD(i) bench_ld(p, i, BENCH_DEVICE)
#define FLAG(f) p->c.flag[BENCH_##f]

/* A factor as it is seen in the calls on views, the operand that is written, and the side. */
static inline tsl_view in(const bench_problem *p, int operand) { return bench_view(p, operand, bench_trans(&p->c, operand)); }
static inline tsl_view out(const bench_problem *p) { return bench_view(p, p->count - 1, 'N'); }
static inline tsl_side side(const bench_problem *p) { return FLAG(SIDE) == 'L' ? TSL_LEFT : TSL_RIGHT; }

/* Words of CBLAS. */
static inline CBLAS_UPLO blas_uplo(const bench_problem *p) { return FLAG(UPLO) == 'L' ? CblasLower : CblasUpper; }
static inline CBLAS_SIDE blas_side(const bench_problem *p) { return FLAG(SIDE) == 'L' ? CblasLeft : CblasRight; }
static inline CBLAS_DIAG blas_diag(const bench_problem *p) { return FLAG(DIAG) == 'U' ? CblasUnit : CblasNonUnit; }
static inline CBLAS_TRANSPOSE blas_op(char letter)
{
    return letter == 'N' ? CblasNoTrans : letter == 'T' ? CblasTrans : CblasConjTrans;
}

/* cuBLAS's names, a real and a complex one; cuSOLVER's, the same for both. And their words. */
#define CUBLAS(sy, he) {{"cublas?" #sy "_v2_64"}, {"cublas?" #he "_v2_64"}}
#define CUSOLVER(...) {{__VA_ARGS__}, {__VA_ARGS__}}
static inline int cuda_uplo(const bench_problem *p) { return FLAG(UPLO) == 'L' ? CUDA_LOWER : CUDA_UPPER; }
static inline int cuda_side(const bench_problem *p) { return FLAG(SIDE) == 'L' ? CUDA_LEFT : CUDA_RIGHT; }
static inline int cuda_diag(const bench_problem *p) { return FLAG(DIAG) == 'U' ? CUDA_UNIT : CUDA_NON_UNIT; }
static inline int cuda_op(char letter) { return letter == 'N' ? CUDA_NO_TRANS : letter == 'T' ? CUDA_TRANS : CUDA_CONJ_TRANS; }
static inline int cuda_type(const bench_problem *p)
{
    static const int types[4] = {CUDA_FLOAT, CUDA_DOUBLE, CUDA_COMPLEX_FLOAT, CUDA_COMPLEX_DOUBLE};
    return types[p->c.type];
}

/* ScaLAPACK's names, and an operand as it takes one: four arguments of a call. */
#define SCALAPACK(sy, he) {"p!" #sy "_", "p!" #he "_"}
typedef struct part {
    void *p;
    int one, desc[9];
} part;
#define PART(o) o.p, &o.one, &o.one, o.desc
static inline part part_of(const bench_blacs *s, const bench_problem *p, int operand)
{
    const bench_array *a = &p->a[operand];
    return (part){tsl_matrix_data(a->device), 1,
                  {1, s->context, (int)a->ld, (int)a->width, s->nb, s->nb, 0, 0, (int)tsl_matrix_ld(a->device)}};
}

#endif
