/* Members of JSON objects: numbers that are not finite are null, which JSON has for them. */
#ifndef BENCH_JSON_H
#define BENCH_JSON_H

#include <math.h>
#include <stdio.h>

static inline void json_string(FILE *f, const char *text)
{
    putc('"', f);
    for (; *text; text++)
        if (*text == '"' || *text == '\\')
            fprintf(f, "\\%c", *text);
        else if ((unsigned char)*text < 0x20)
            fprintf(f, "\\u%04x", (unsigned)*text);
        else
            putc(*text, f);
    putc('"', f);
}

/* With a comma before it. */
static inline void json_precise(FILE *f, const char *key, int digits, double v)
{
    fprintf(f, ", \"%s\": ", key);
    if (isfinite(v))
        fprintf(f, "%.*g", digits, v);
    else
        fputs("null", f);
}

static inline void json_number(FILE *f, const char *key, double v) { json_precise(f, key, 6, v); }

static inline void json_text(FILE *f, const char *key, const char *text)
{
    fprintf(f, ", \"%s\": ", key);
    json_string(f, text);
}

#endif
