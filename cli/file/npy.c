/* NumPy's format: a magic word, a version, the length of a Python dictionary that says type, order and shape, the dictionary,
 * elements. */
#include <inttypes.h>
#include <math.h>
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

/* Elements of a file: of a type of ours, or numbers that become such. */
static const struct {
    char kind; /* f: IEEE's formats, c: two of them, i, u: integers, b: truth values */
    size_t bytes;
    tsl_type type;
} types[] = {{'f', 2, TSL_S}, {'f', 4, TSL_S}, {'f', 8, TSL_D}, {'c', 8, TSL_C}, {'c', 16, TSL_Z}, {'i', 8, TSL_D}, {'i', 4, TSL_D},
             {'i', 2, TSL_D}, {'i', 1, TSL_D}, {'u', 8, TSL_D}, {'u', 4, TSL_D}, {'u', 2, TSL_D}, {'u', 1, TSL_D}, {'b', 1, TSL_D}};
enum { TYPES = sizeof types / sizeof *types };

/* '<f8', '>c16', '|u1': order of bytes, kind, bytes; the row of the table, -1 if there is none */
static int type_of(const char *text, size_t length, bool *big)
{
    int64_t bytes;
    *big = *text == '>';
    if (length < 3 || !strchr("<>|", *text) || !cli_number(text + 2, length - 2, 1, 99, &bytes) || (*text == '|' && bytes > 1))
        return -1;
    for (int t = 0; t < TYPES; t++)
        if (types[t].kind == text[1] && types[t].bytes == (size_t)bytes)
            return t;
    return -1;
}

static void turn(unsigned char *at, size_t bytes)
{
    for (size_t i = 0; i < bytes / 2; i++) {
        unsigned char other = at[bytes - 1 - i];
        at[bytes - 1 - i] = at[i];
        at[i] = other;
    }
}

static uint64_t bits_of(const unsigned char *at, size_t bytes)
{
    uint64_t bits = 0;
    for (size_t b = 0; b < bytes; b++)
        bits |= (uint64_t)at[b] << 8 * b;
    return bits;
}

static double integer(uint64_t bits, size_t bytes, bool sign)
{
    if (sign && bytes < 8 && bits >> (8 * bytes - 1))
        bits |= ~(uint64_t)0 << 8 * bytes;
    return sign ? (double)(int64_t)bits : (double)bits;
}

/* A sign, 5 bits of exponent, 10 of the fraction. */
static float half(unsigned bits)
{
    int exponent = bits >> 10 & 31;
    float fraction = (float)(bits & 1023), v;
    if (exponent == 31)
        v = fraction > 0 ? NAN : INFINITY;
    else
        v = exponent ? ldexpf(1024 + fraction, exponent - 25) : ldexpf(fraction, -24);
    return bits >> 15 ? -v : v;
}

/* Numbers that become others: halves and integers. */
static int convert(cli_source *s, cli_array *a, const unsigned char *block, int t)
{
    bool vector = a->vector;
    size_t bytes = types[t].bytes;
    int status = cli_array_make(a, s->name, types[t].type, a->m, a->n);
    a->vector = vector;
    for (size_t i = 0, count = (size_t)a->m * (size_t)a->n; !status && i < count; i++) {
        uint64_t bits = bits_of(block + i * bytes, bytes);
        if (types[t].kind == 'f')
            ((float *)a->data)[i] = half((unsigned)bits);
        else
            ((double *)a->data)[i] = integer(bits, bytes, types[t].kind == 'i');
    }
    return status;
}

static int read_elements(cli_source *s, cli_array *a, int t, bool big)
{
    size_t all, part = types[t].kind == 'c' ? types[t].bytes / 2 : types[t].bytes;
    bool ours = types[t].bytes == tsl_type_size(types[t].type) && (types[t].kind == 'f' || types[t].kind == 'c'), mapped = false;
    void *block;
    if (!cli_bytes_of(a->m, a->n, types[t].bytes, &all))
        return cli_fail("%s: %" PRId64 " x %" PRId64 " elements are too many", s->name, a->m, a->n);
    if (ours && !big && cli_map(s, a, &mapped))
        return CLI_FAILED;
    if (mapped)
        return CLI_OK;
    if (cli_source_block(s, all, &block))
        return CLI_FAILED;
    for (size_t i = 0; big && i < all / part; i++)
        turn((unsigned char *)block + i * part, part);
    if (ours) {
        a->data = block;
        return CLI_OK;
    }
    int status = convert(s, a, block, t);
    free(block);
    return status;
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
    size_t bytes = (size_t)bits_of(length, 4);
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
    int sizes = shape_of(value_of(header, "shape"), size);
    if (!descr || *descr++ != '\'' || !order || sizes < 0)
        return cli_fail("%s: its .npy header is not of a matrix or vector of numbers", s->name);
    bool big;
    size_t length = strcspn(descr, "'");
    int t = type_of(descr, length, &big);
    if (t < 0)
        return cli_fail("%s: elements of type '%.*s'; there are f2, f4, f8, c8, c16 and integers, in either order of bytes", s->name,
                        (int)(length < 16 ? length : 16), descr);
    *a = (cli_array){.type = types[t].type, .m = size[0], .n = size[1], .vector = sizes < 2};
    if (read_elements(s, a, t, big))
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
