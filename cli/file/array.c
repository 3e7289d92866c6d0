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

int cli_array_convert(cli_array *a, const char *name, tsl_type type)
{
    if (a->type == type)
        return CLI_OK;
    if (is_complex(a->type) && !is_complex(type))
        return cli_fail("%s: complex elements cannot become real ones", name);
    cli_array to;
    if (cli_array_make(&to, name, type, a->m, a->n))
        return CLI_FAILED;
    size_t count = (size_t)a->m * (size_t)a->n, from_parts = is_complex(a->type) ? 2 : 1, to_parts = is_complex(type) ? 2 : 1;
    for (size_t i = 0; i < count; i++)
        for (size_t p = 0; p < from_parts; p++)
            set_part(to.data, is_double(type), i * to_parts + p, part(a->data, is_double(a->type), i * from_parts + p));
    to.vector = a->vector;
    cli_array_free(a);
    *a = to;
    return CLI_OK;
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
    cli_array_free(a);
    *a = to;
    return CLI_OK;
}
