#include "bench/routine/batch/batch.h"

#include <string.h>

static int64_t *info(const bench_problem *p, int64_t problem)
{
    return (int64_t *)HOST(0) + problem * stride(p, 0, BENCH_HOST);
}

/* Of large batches a sample: as many problems as have so many elements, and the last. */
enum { SAMPLE = 1 << 20 };
double bench_batch_residual(const bench_problem *p)
{
    bench_problem one = bench_first(p);
    const bench_array *A = &p->a[p->count - 1];
    int64_t step = 1 + A->ld * A->width / SAMPLE, next, expected = p->routine->infos ? p->routine->infos(&p->c) : 0;
    double worst = 0;
    for (int64_t i = 0; i < count(p) && p->routine->has_infos; i++)
        if (*info(p, i) != expected)
            return INFINITY;
    for (int64_t i = 0; i < count(p); i = next) {
        double ratio = one.routine->residual(&one);
        if (!(ratio <= worst))
            worst = isnan(ratio) ? INFINITY : ratio;
        next = i + step < count(p) || i == count(p) - 1 ? i + step : count(p) - 1;
        bench_further(&one, next - i);
    }
    return worst;
}

bool bench_batch_openblas(bench_problem *p)
{
    bench_problem one = bench_first(p);
    bench_linked call = one.routine->openblas[p->c.type];
    int64_t expected = p->routine->infos ? p->routine->infos(&p->c) : 0;
    bool done = true;
    for (int64_t i = 0; i < count(p); i++) {
        bool right = call(&one);
        if (p->routine->has_infos)
            *info(p, i) = right ? expected : expected + 1;
        done &= right;
        bench_further(&one, 1);
    }
    return done;
}

static size_t lines(size_t bytes) { return (bytes + 255) / 256 * 256; }

static size_t sum_of(bench_parts own, int parts)
{
    size_t sum = 0;
    for (int i = 0; i < parts; i++)
        sum += lines(own.bytes[i]);
    return sum;
}

bool bench_parts_size(bench_cuda *s, bench_parts own, size_t library, size_t host)
{
    s->device_bytes = lines(library) + sum_of(own, BENCH_PARTS);
    s->host_bytes = host;
    return true;
}

size_t bench_parts_library(const bench_cuda *s, bench_parts own) { return s->device_bytes - sum_of(own, BENCH_PARTS); }
void *bench_part(const bench_cuda *s, bench_parts own, int part)
{
    return (char *)s->device + bench_parts_library(s, own) + sum_of(own, part);
}

bool bench_batch_copy(bench_problem *p, tsl_type t, int64_t rows, int64_t cols, void *from, int64_t ldfrom, void *to,
                      int64_t ldto)
{
    tsl_matrix *a = NULL, *b = NULL;
    bool done = !tsl_matrix_wrap(p->ctx, t, rows, cols, from, ldfrom, &a) &&
                !tsl_matrix_wrap(p->ctx, t, rows, cols, to, ldto, &b) &&
                !tsl_copy(p->ctx, tsl_whole(a), tsl_whole(b)) && !tsl_wait(p->ctx);
    tsl_matrix_free(a);
    tsl_matrix_free(b);
    return done;
}

/* 64-bit words from one place to another */
static bool move(bench_problem *p, void *from, void *to, size_t bytes)
{
    int64_t words = (int64_t)(bytes / sizeof(int64_t));
    return words == 0 || bench_batch_copy(p, TSL_INDEX, words, 1, from, words, to, words);
}

bool bench_batch_widen(bench_problem *p, int operand, const void *narrow)
{
    bench_array *a = &p->a[operand];
    size_t bytes = bench_narrow_bytes(p, operand);
    int *on_host = malloc(bytes);
    bool done = on_host && move(p, (void *)(uintptr_t)narrow, on_host, bytes) && !bench_fetch(p, operand) && !tsl_wait(p->ctx);
    for (int64_t i = 0; i < count(p) && done; i++)
        for (int64_t j = 0; j < a->is.rows; j++)
            ((int64_t *)HOST(operand))[i * a->ld + j] = on_host[i * a->is.rows + j];
    free(on_host);
    return done && !tsl_copy(p->ctx, tsl_whole(a->result), tsl_whole(a->device)) && !tsl_wait(p->ctx);
}

bool bench_batch_narrow(bench_problem *p, int operand, void *narrow)
{
    const bench_array *a = &p->a[operand];
    size_t bytes = bench_narrow_bytes(p, operand);
    int *on_host = calloc(1, bytes);
    for (int64_t i = 0; i < count(p) && on_host; i++)
        for (int64_t j = 0; j < a->is.rows; j++)
            on_host[i * a->is.rows + j] = (int)((const int64_t *)a->first)[a->row0 + j + (a->col0 + i) * a->ld];
    bool done = on_host && move(p, on_host, narrow, bytes);
    free(on_host);
    return done;
}

bool bench_batch_point_at(bench_problem *p, void *first, size_t each, void *list)
{
    char **on_host = malloc(bench_list_bytes(p));
    for (int64_t i = 0; i < count(p) && on_host; i++)
        on_host[i] = (char *)first + (size_t)i * each;
    bool done = on_host && move(p, on_host, list, bench_list_bytes(p));
    free(on_host);
    return done;
}

bool bench_batch_point(bench_problem *p, int operand, int64_t column, void *list)
{
    size_t size = tsl_type_size(p->a[operand].type);
    char *first = (char *)DEVICE(operand) + (size_t)(column * DEVICE_LD(operand)) * size;
    return bench_batch_point_at(p, first, (size_t)stride(p, operand, BENCH_DEVICE) * size, list);
}
