#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "cli/cli.h"
#include "cli/file/array.h"

int cli_array_make(cli_array *a, const char *name, tsl_type type, int64_t m, int64_t n)
{
    size_t bytes;
    *a = (cli_array){.type = type, .m = m, .n = n};
    if (cli_bytes_of(m, n, tsl_type_size(type), &bytes))
        a->data = calloc(bytes ? bytes : 1, 1);
    return a->data ? CLI_OK : cli_fail("%s: no memory for %lld x %lld elements", name, (long long)m, (long long)n);
}

void cli_array_free(cli_array *a)
{
    if (a->map)
        munmap(a->map, a->map_bytes);
    else
        free(a->data);
    *a = (cli_array){0};
}

static bool is_complex(tsl_type t) { return t == TSL_C || t == TSL_Z; }
static bool is_double(tsl_type t) { return t == TSL_D || t == TSL_Z; }

tsl_type cli_wider(tsl_type a, tsl_type b)
{
    bool wide = is_double(a) || is_double(b);
    return is_complex(a) || is_complex(b) ? (wide ? TSL_Z : TSL_C) : wide ? TSL_D : TSL_S;
}

/* Real or imaginary part number i. */
static double part(const void *data, bool wide, size_t i) { return wide ? ((const double *)data)[i] : (double)((const float *)data)[i]; }

static void set_part(void *data, bool wide, size_t i, double v)
{
    if (wide)
        ((double *)data)[i] = v;
    else
        ((float *)data)[i] = (float)v;
}

/* From double to single precision in place: element i is read before anything is written behind its place. */
static void narrow(cli_array *a, tsl_type type)
{
    size_t parts = (size_t)a->m * (size_t)a->n * (is_complex(type) ? 2 : 1);
    for (size_t i = 0; i < parts; i++) {
        double wide;
        memcpy(&wide, (char *)a->data + i * sizeof wide, sizeof wide);
        float v = (float)wide;
        memcpy((char *)a->data + i * sizeof v, &v, sizeof v);
    }
    a->type = type;
}

int cli_array_convert(cli_array *a, const char *name, tsl_type type)
{
    if (a->type == type)
        return CLI_OK;
    if (is_complex(a->type) && !is_complex(type))
        return cli_fail("%s: complex elements cannot become real ones", name);
    if (is_complex(a->type) == is_complex(type) && is_double(a->type)) {
        narrow(a, type);
        return CLI_OK;
    }
    cli_array to;
    if (cli_array_make(&to, name, type, a->m, a->n))
        return CLI_FAILED;
    size_t count = (size_t)a->m * (size_t)a->n, from_parts = is_complex(a->type) ? 2 : 1, to_parts = is_complex(type) ? 2 : 1;
    for (size_t i = 0; i < count; i++)
        for (size_t p = 0; p < from_parts; p++)
            set_part(to.data, is_double(type), i * to_parts + p, part(a->data, is_double(a->type), i * from_parts + p));
    to.vector = a->vector;
    to.csv = a->csv;
    cli_array_free(a);
    *a = to;
    return CLI_OK;
}

int cli_array_copy(cli_array *a, const char *name, const cli_array *of)
{
    if (cli_array_make(a, name, of->type, of->m, of->n))
        return CLI_FAILED;
    memcpy(a->data, of->data, (size_t)of->m * (size_t)of->n * tsl_type_size(of->type));
    a->vector = of->vector;
    return CLI_OK;
}

void cli_array_get(const cli_array *a, int64_t at, double v[2])
{
    size_t parts = is_complex(a->type) ? 2 : 1;
    v[0] = part(a->data, is_double(a->type), (size_t)at * parts);
    v[1] = parts == 2 ? part(a->data, is_double(a->type), (size_t)at * parts + 1) : 0;
}

void cli_array_set(cli_array *a, int64_t at, const double v[2])
{
    size_t parts = is_complex(a->type) ? 2 : 1;
    for (size_t p = 0; p < parts; p++)
        set_part(a->data, is_double(a->type), (size_t)at * parts + p, v[p]);
}

double cli_array_magnitude(const cli_array *a, int64_t at)
{
    double v[2];
    cli_array_get(a, at, v);
    return is_complex(a->type) ? hypot(v[0], v[1]) : fabs(v[0]);
}

void cli_array_mirror(cli_array *a, char uplo)
{
    for (int64_t j = 0; j < a->n; j++)
        for (int64_t i = j + 1; i < a->m; i++) {
            double v[2];
            int64_t lower = i + j * a->m, upper = j + i * a->m;
            cli_array_get(a, uplo == 'L' ? lower : upper, v);
            v[1] = -v[1];
            cli_array_set(a, uplo == 'L' ? upper : lower, v);
        }
}

int64_t cli_array_strange(const cli_array *a)
{
    int64_t count = 0;
    bool wide = is_double(a->type);
    size_t elements = (size_t)a->m * (size_t)a->n, parts = is_complex(a->type) ? 2 : 1;
    for (size_t i = 0; i < elements && a->type != TSL_INDEX; i++)
        count += !isfinite(part(a->data, wide, i * parts)) || !isfinite(part(a->data, wide, i * parts + parts - 1));
    return count;
}

int cli_array_transpose(cli_array *a, const char *name)
{
    enum { BLOCK = 64 };
    cli_array to;
    if (a->m <= 1 || a->n <= 1)
        return CLI_OK;
    if (cli_array_make(&to, name, a->type, a->m, a->n))
        return CLI_FAILED;
    size_t size = tsl_type_size(a->type), m = (size_t)a->m, n = (size_t)a->n;
    for (size_t jj = 0; jj < n; jj += BLOCK)
        for (size_t ii = 0; ii < m; ii += BLOCK)
            for (size_t j = jj; j < n && j < jj + BLOCK; j++)
                for (size_t i = ii; i < m && i < ii + BLOCK; i++)
                    memcpy((char *)to.data + (i + j * m) * size, (const char *)a->data + (j + i * n) * size, size);
    to.vector = a->vector;
    to.csv = a->csv;
    cli_array_free(a);
    *a = to;
    return CLI_OK;
}
