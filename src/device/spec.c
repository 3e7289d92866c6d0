/* Device specifications: groups joined by '+', each BACKEND[:ARGUMENT][,mem=SIZE]. The grammar is told in tesela.h. */
#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device/device.h"

typedef struct parser {
    tsl_device_spec *out;
    int max, count;
    char *detail;
    size_t detail_size;
} parser;

__attribute__((format(printf, 3, 4))) static tsl_status refuse(parser *p, tsl_status st, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(p->detail, p->detail_size, format, args);
    va_end(args);
    return st;
}

/* A decimal number in lo..hi that ends at a character of `stop` or at the end of the text. */
static bool number(const char **s, long lo, long hi, const char *stop, long *value)
{
    if (!isdigit((unsigned char)**s)) return false;
    char *end;
    errno = 0;
    *value = strtol(*s, &end, 10);
    if (errno || *value < lo || *value > hi || (*end && !strchr(stop, *end))) return false;
    *s = end;
    return true;
}

/* ".5": the digits after the point of a number, which is a point in every locale. */
static bool fraction(char **s, double *value)
{
    double digits = 0, unit = 1;
    bool good = **s != '.' || isdigit((unsigned char)(*s)[1]);
    if (**s == '.')
        for (++*s; isdigit((unsigned char)**s) && unit < 1e15; ++*s, unit *= 10) digits = 10 * digits + (**s - '0');
    *value = digits / unit;
    return good;
}

/* 65536, 64K, 1.5M: whole bytes, rounded down */
static bool memory_size(const char *s, size_t *bytes)
{
    if (!isdigit((unsigned char)*s)) return false;
    char *end;
    double part;
    errno = 0;
    unsigned long long v = strtoull(s, &end, 10);
    bool whole = *end != '.';
    if (errno || !fraction(&end, &part)) return false;
    int shift = *end == 'K' ? 10 : *end == 'M' ? 20 : *end == 'G' ? 30 : *end == 'T' ? 40 : 0;
    if (end[shift ? 1 : 0] || (!shift && !whole) || v >= SIZE_MAX >> shift) return false;
    *bytes = ((size_t)v << shift) + (size_t)(part * (double)((size_t)1 << shift));
    return *bytes > 0;
}

static tsl_status add(parser *p, tsl_device_spec d, int copies)
{
    for (int c = 0; c < copies; ++c) {
        if (p->count == p->max) return refuse(p, TSL_ERR_SPEC, "more than %d devices", p->max);
        p->out[p->count++] = d;
    }
    return TSL_OK;
}

static tsl_status host_group(parser *p, const char *arg, size_t limit)
{
    tsl_device_spec d = {.be = &tsl_host_backend, .limit = limit};
    if (!arg) {
        d.shares_host = true;
        return add(p, d, 1);
    }
    long n;
    if (!number(&arg, 1, p->max, "", &n)) return refuse(p, TSL_ERR_SPEC, "host:%s: expected a count from 1 to %d", arg, p->max);
    d.is_virtual = true;
    return add(p, d, (int)n);
}

static tsl_status gpu_group(parser *p, const tsl_backend *be, const char *arg, size_t limit)
{
    int have = be->count();
    tsl_device_spec d = {.be = be, .limit = limit};
    if (have == 0) return refuse(p, TSL_ERR_NO_DEVICE, "%s: no such device here", be->name);
    tsl_status st = TSL_OK;
    if (!arg) {
        for (; d.ordinal < have && !st; ++d.ordinal) st = add(p, d, 1);
        return st;
    }
    long i, n = 1;
    const char *s = arg;
    if (!number(&s, 0, 1 << 20, "x", &i)) return refuse(p, TSL_ERR_SPEC, "%s:%s: expected a device number, as in %s:0 or %s:0x4", be->name, arg, be->name, be->name);
    if (*s == 'x') {
        ++s;
        if (!number(&s, 1, p->max, "", &n)) return refuse(p, TSL_ERR_SPEC, "%s:%s: expected a count from 1 to %d after x, as in %s:0x4", be->name, arg, p->max, be->name);
        d.is_virtual = true;
    }
    if (i >= have) return refuse(p, TSL_ERR_NO_DEVICE, "%s:%ld: there are %d, numbered from 0", be->name, i, have);
    d.ordinal = (int)i;
    return add(p, d, (int)n);
}

static tsl_status group(parser *p, char *text)
{
    size_t limit = SIZE_MAX;
    char *comma = strchr(text, ',');
    if (comma) {
        *comma++ = 0;
        if (strncmp(comma, "mem=", 4) || !memory_size(comma + 4, &limit))
            return refuse(p, TSL_ERR_SPEC, "'%s' after '%s': expected mem=SIZE, as in mem=64M or mem=1.5G", comma, text);
    }
    char *arg = strchr(text, ':');
    if (arg) *arg++ = 0;
    for (const tsl_backend *const *be = tsl_backends; *be; ++be)
        if (!strcmp(text, (*be)->name)) return *be == &tsl_host_backend ? host_group(p, arg, limit) : gpu_group(p, *be, arg, limit);
    if (!strcmp(text, "cuda")) return refuse(p, TSL_ERR_NO_DEVICE, "cuda: this library was built without CUDA");
    return refuse(p, TSL_ERR_SPEC, "'%s' is not a kind of device: host and cuda are", text);
}

/* Memories of virtual host devices and of GPUs: copies between them are neither backend's. */
static bool mixed(const parser *p)
{
    bool host = false, gpu = false;
    for (int d = 0; d < p->count; ++d)
        if (p->out[d].be != &tsl_host_backend) gpu = true;
        else host |= !p->out[d].shares_host;
    return host && gpu;
}

tsl_status tsl_parse_devices(const char *text, tsl_device_spec *out, int max, int *count, char *detail, size_t detail_size)
{
    parser p = {out, max, 0, detail, detail_size};
    *count = 0;
    if (!text) text = tsl_backends[0]->count() > 0 ? tsl_backends[0]->name : "host";
    char copy[256];
    if (strlen(text) >= sizeof copy) return refuse(&p, TSL_ERR_SPEC, "longer than %d characters", (int)sizeof copy - 1);
    strcpy(copy, text);
    tsl_status st = TSL_OK;
    for (char *s = copy, *next; s && !st; s = next) {
        next = strchr(s, '+');
        if (next) *next++ = 0;
        st = group(&p, s);
    }
    if (!st && mixed(&p)) st = refuse(&p, TSL_ERR_SPEC, "host:N does not go with GPUs; host does");
    if (!st) *count = p.count;
    return st;
}
