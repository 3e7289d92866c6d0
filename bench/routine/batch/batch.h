/* What batches are described with. A row names the routine that does one problem: operands, counts of work and residuals are
 * that one's, and so is OpenBLAS's call, in a loop. Infos, where there are some, are the first operand. */
#ifndef BENCH_BATCH_H
#define BENCH_BATCH_H

#include "bench/routine.h"

static inline int64_t count(const bench_problem *p) { return p->a[0].is.problems; }

/* From one problem's to the next one's: a batch is one matrix, its problems side by side. */
static inline int64_t stride(const bench_problem *p, int operand, bench_place place)
{
    return bench_ld(p, operand, place) * p->a[operand].is.cols;
}

#define STRIDED(i) DATA(i), LD(i), stride(p, i, p->place)
#define ON_DEVICE(i) DEVICE(i), (int)DEVICE_LD(i), stride(p, i, BENCH_DEVICE)

/* batch.c: the worst problem's residual; OpenBLAS's call on each */
double bench_batch_residual(const bench_problem *p);
bool bench_batch_openblas(bench_problem *p);

/* Rows. ALONE has nothing in OpenBLAS, MANY is OpenBLAS's loop too, BATCH is bound by memory. */
#define NAMED(one) .name = #one "_batch", .batch_of = #one, .residual = bench_batch_residual
#define LOOP .openblas = {bench_batch_openblas, bench_batch_openblas, bench_batch_openblas, bench_batch_openblas}
#define ALONE(one) NAMED(one), .alpha = 1
#define MANY(one) ALONE(one), LOOP
#define BATCH(one) MANY(one), .by_bytes = true, .typed = TYPES(one)
#define INFOS .has_infos = true, .writes_all = true
#define UPLO .flags = FLAGS([BENCH_UPLO] = "LU")
#define REAL_TYPES(name) {[TSL_S] = s_##name, [TSL_D] = d_##name}

/* cuBLAS and cuSOLVER leave infos and pivots of 32 bits, and results packed. Their workspace: what the library asks for, then
 * parts of the routine's own, whole lines each. */
enum { BENCH_PARTS = 6 };
typedef struct bench_parts {
    size_t bytes[BENCH_PARTS];
} bench_parts;
bool bench_parts_size(bench_cuda *s, bench_parts own, size_t library, size_t host);
size_t bench_parts_library(const bench_cuda *s, bench_parts own); /* bytes that are the library's */
void *bench_part(const bench_cuda *s, bench_parts own, int part);

/* Between host and device, or on it: a matrix of so many rows and columns */
bool bench_batch_copy(bench_problem *p, tsl_type t, int64_t rows, int64_t cols, void *from, int64_t ldfrom, void *to,
                      int64_t ldto);
/* An operand of indices becomes what narrow ones in device memory say, and the other way */
bool bench_batch_widen(bench_problem *p, int operand, const void *narrow);
bool bench_batch_narrow(bench_problem *p, int operand, void *narrow);
static inline size_t bench_narrow_bytes(const bench_problem *p, int operand)
{
    return (size_t)(count(p) * p->a[operand].is.rows + 1) * sizeof(int); /* half a word is one */
}

/* Lists of pointers to the problems: of an operand, from a column of it on; of packed blocks */
bool bench_batch_point(bench_problem *p, int operand, int64_t column, void *list);
bool bench_batch_point_at(bench_problem *p, void *first, size_t each, void *list);
static inline size_t bench_list_bytes(const bench_problem *p) { return (size_t)count(p) * sizeof(void *); }

#endif
