/* Libraries found at run time: the first that has all the symbols, and what the log says of those that do not. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "device/library.h"
#include "tap.h"

#define MISSING "libtesela-no-such.so"

typedef struct table {
    double (*sine)(double), (*cosine)(double);
} table;

static const tsl_symbol both[] = {{offsetof(table, sine), "sin"}, {offsetof(table, cosine), "cos"}, {0, NULL}};
static const tsl_symbol more[] = {{offsetof(table, sine), "sin"}, {offsetof(table, cosine), "no_such_sine"}, {0, NULL}};

/* Loads, and gets what went to stderr meanwhile. */
static bool load(const char *const *names, const tsl_symbol *symbols, table *t, char *said, size_t size)
{
    FILE *f = tmpfile();
    int own = dup(STDERR_FILENO);
    dup2(fileno(f), STDERR_FILENO);
    bool there = tsl_library_load("the sine", names, symbols, t);
    dup2(own, STDERR_FILENO);
    close(own);
    rewind(f);
    said[fread(said, 1, size - 1, f)] = 0;
    fclose(f);
    return there;
}

int main(void)
{
    char said[2048];
    table t = {NULL, NULL};
    setenv("TESELA_LOG", "info", 1);
    ok(load((const char *[]){MISSING, "libc.so.6", "libm.so.6", NULL}, both, &t, said, sizeof said), "the third has them");
    ok(t.sine && t.sine(0) == 0 && t.cosine && t.cosine(0) == 1, "they can be called");
    ok(strstr(said, MISSING ":") && strstr(said, "libc.so.6 has no sin\n"), "why the first two are not taken");
    ok(strstr(said, "the sine is libm.so.6\n") != NULL, "which is");
    ok(!load((const char *[]){"libm.so.6", NULL}, more, &t, said, sizeof said), "no library has all");
    ok(strstr(said, "libm.so.6 has no no_such_sine\n") && !strstr(said, "the sine is"), "which symbol is missing");
    ok(!load((const char *[]){MISSING, NULL}, both, &t, said, sizeof said) && strstr(said, MISSING ":"), "no library at all");
    return tap_done();
}
