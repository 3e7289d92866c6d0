/* NumPy's format: a magic word, a version, the length of a Python dictionary that says type, order and shape, the dictionary, elements. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/file/array.h"

enum { HEADER_MOST = 1 << 16 };

/* The text after 'key': in a dictionary; NULL if it is not there. */
static const char *value_of(const char *header, const char *key)
{
    char quoted[32];
    snprintf(quoted, sizeof quoted, "'%s'", key);
    const char *at = strstr(header, quoted);
    if (!at)
        return NULL;
    at += strlen(quoted);
    at += strspn(at, " ");
    if (*at++ != ':')
        return NULL;
    return at + strspn(at, " ");
}

/* (m,) (m, n) or (): sizes and their number, -1 if it is none of these */
static int shape_of(const char *at, int64_t size[2])
{
    int count = 0;
    if (!at || *at++ != '(')
        return -1;
    for (;;) {
        at += strspn(at, " ");
        if (*at == ')')
            return count;
        size_t digits = strspn(at, "0123456789");
        if (count == 2 || !cli_number(at, digits, 0, INT64_MAX, &size[count]))
            return -1;
        count++;
        at += digits;
        at += *at == 'L';
        at += strspn(at, " ");
        if (*at == ',')
            at++;
        else if (*at != ')')
            return -1;
    }
}

/* Elements of a file: of a type of ours, or integers, which become doubles. */
static const struct {
    const char *name;
    tsl_type type;
    size_t bytes; /* of an integer, else 0 */
    bool sign;
} types[] = {{"<f4", TSL_S, 0, 0}, {"<f8", TSL_D, 0, 0}, {"<c8", TSL_C, 0, 0}, {"<c16", TSL_Z, 0, 0}, {"<i8", TSL_D, 8, 1}, {"<i4", TSL_D, 4, 1},
             {"<i2", TSL_D, 2, 1}, {"|i1", TSL_D, 1, 1}, {"<u8", TSL_D, 8, 0}, {"<u4", TSL_D, 4, 0}, {"<u2", TSL_D, 2, 0}, {"|u1", TSL_D, 1, 0},
             {"|b1", TSL_D, 1, 0}};
enum { TYPES = sizeof types / sizeof *types };

static double integer(const unsigned char *at, size_t bytes, bool sign)
{
    uint64_t bits = 0;
    for (size_t b = 0; b < bytes; b++)
        bits |= (uint64_t)at[b] << 8 * b;
    if (sign && bytes < 8 && bits >> (8 * bytes - 1))
        bits |= ~(uint64_t)0 << 8 * bytes;
    return sign ? (double)(int64_t)bits : (double)bits;
}

static int read_integers(cli_source *s, cli_array *a, size_t bytes, bool sign)
{
    size_t all;
    void *block;
    if (!cli_bytes_of(a->m, a->n, bytes, &all))
        return cli_fail("%s: %" PRId64 " x %" PRId64 " elements are too many", s->name, a->m, a->n);
    if (cli_source_block(s, all, &block))
        return CLI_FAILED;
    bool vector = a->vector;
    int status = cli_array_make(a, s->name, TSL_D, a->m, a->n);
    a->vector = vector;
    for (size_t i = 0; !status && i < all / bytes; i++)
        ((double *)a->data)[i] = integer((unsigned char *)block + i * bytes, bytes, sign);
    free(block);
    return status;
}

static int read_elements(cli_source *s, cli_array *a)
{
    size_t bytes;
    bool mapped;
    if (!cli_bytes_of(a->m, a->n, tsl_type_size(a->type), &bytes))
        return cli_fail("%s: %" PRId64 " x %" PRId64 " elements are too many", s->name, a->m, a->n);
    if (cli_map(s, a, &mapped))
        return CLI_FAILED;
    return mapped ? CLI_OK : cli_source_block(s, bytes, &a->data);
}

static int read_header(cli_source *s, char *header)
{
    unsigned char begin[8], length[4] = {0};
    if (cli_source_bytes(s, begin, sizeof begin))
        return CLI_FAILED;
    if (memcmp(begin, "\x93NUMPY", 6) || begin[6] < 1 || begin[6] > 3)
        return cli_fail("%s: not a .npy file of version 1, 2 or 3", s->name);
    if (cli_source_bytes(s, length, begin[6] == 1 ? 2 : 4))
        return CLI_FAILED;
    size_t bytes = (size_t)integer(length, 4, false);
    if (bytes >= HEADER_MOST)
        return cli_fail("%s: its .npy header of %zu bytes is too long", s->name, bytes);
    header[bytes] = 0;
    return cli_source_bytes(s, header, bytes);
}

int cli_read_npy(cli_source *s, cli_array *a)
{
    static char header[HEADER_MOST];
    if (read_header(s, header))
        return CLI_FAILED;
    const char *descr = value_of(header, "descr"), *order = value_of(header, "fortran_order");
    int64_t size[2] = {1, 1};
    int sizes = shape_of(value_of(header, "shape"), size), t = 0;
    if (!descr || *descr++ != '\'' || !order || sizes < 0)
        return cli_fail("%s: its .npy header is not of a matrix or vector of numbers", s->name);
    size_t length = strcspn(descr, "'");
    while (t < TYPES && (strlen(types[t].name) != length || memcmp(types[t].name, descr, length)))
        t++;
    if (t == TYPES)
        return cli_fail("%s: elements of type '%.*s'; there are <f4, <f8, <c8, <c16 and integers", s->name, (int)(length < 16 ? length : 16), descr);
    *a = (cli_array){.type = types[t].type, .m = size[0], .n = size[1], .vector = sizes < 2};
    if (types[t].bytes ? read_integers(s, a, types[t].bytes, types[t].sign) : read_elements(s, a))
        return CLI_FAILED;
    return strncmp(order, "False", 5) ? CLI_OK : cli_array_transpose(a, s->name);
}

bool cli_put_npy(FILE *f, const cli_array *a)
{
    static const char *const names[] = {[TSL_S] = "<f4", [TSL_D] = "<f8", [TSL_C] = "<c8", [TSL_Z] = "<c16", [TSL_INDEX] = "<i8"};
    char shape[64], header[160];
    snprintf(shape, sizeof shape, a->vector ? "(%lld,)" : "(%lld, %lld)", (long long)a->m, (long long)a->n);
    int length = snprintf(header, sizeof header, "{'descr': '%s', 'fortran_order': True, 'shape': %s, }", names[a->type], shape);
    int padded = (10 + length + 1 + 63) / 64 * 64 - 10; /* elements begin at a multiple of 64 bytes */
    fwrite("\x93NUMPY\x01\x00", 1, 8, f);
    putc(padded & 255, f);
    putc(padded >> 8, f);
    fprintf(f, "%s%*s\n", header, padded - length - 1, "");
    size_t count = (size_t)a->m * (size_t)a->n;
    return fwrite(a->data, tsl_type_size(a->type), count, f) == count;
}
