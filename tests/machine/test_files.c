/* Matrices in files: what is written is read again, every type in every format; what NumPy writes is understood; files that are
 * truncated, wrong or nonsense are refused in one line, whatever bytes they hold. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/file/array.h"
#include "npz.h"
#include "tap.h"

static char dir[] = "/tmp/tesela-files-XXXXXX";
static char path[64], said[64];

static const char *in_dir(const char *name)
{
    snprintf(path, sizeof path, "%s/%s", dir, name);
    return path;
}

static void spill(const char *name, const void *bytes, size_t count)
{
    FILE *f = fopen(in_dir(name), "wb");
    if (f) {
        fwrite(bytes, 1, count, f);
        fclose(f);
    }
}

/* Lines that were said on stderr while f ran. */
static int lines_said(int (*f)(const char *), const char *word, int *status)
{
    int keep = dup(2), lines = 0, c;
    fflush(stderr);
    FILE *to = freopen(said, "w+", stderr);
    *status = f(word);
    fflush(stderr);
    rewind(to);
    while ((c = getc(to)) != EOF)
        lines += c == '\n';
    dup2(keep, 2);
    close(keep);
    clearerr(stderr);
    return lines;
}

static cli_text text = {0, -1, NULL};

static int read_it(const char *word)
{
    cli_array a;
    int status = cli_read(word, TSL_D, &text, &a);
    cli_array_free(&a);
    return status;
}

static bool refused(const char *word)
{
    int status, lines = lines_said(read_it, word, &status);
    if (status != CLI_FAILED || lines != 1)
        printf("# %s: status %d, %d lines\n", word, status, lines);
    return status == CLI_FAILED && lines == 1;
}

static bool same(const cli_array *a, const cli_array *b)
{
    return a->type == b->type && a->m == b->m && a->n == b->n && a->vector == b->vector &&
           !memcmp(a->data, b->data, (size_t)a->m * (size_t)a->n * tsl_type_size(a->type));
}

static void fill(cli_array *a)
{
    size_t parts = (size_t)a->m * (size_t)a->n * (a->type == TSL_C || a->type == TSL_Z ? 2 : 1);
    for (size_t i = 0; i < parts; i++)
        if (a->type == TSL_S || a->type == TSL_C)
            ((float *)a->data)[i] = (float)((double)i / 3 - 7);
        else
            ((double *)a->data)[i] = (double)i / 3 - 7;
}

static void there_and_back(tsl_type type, const char *end, int64_t m, int64_t n, bool vector)
{
    cli_array a, b = {0};
    char word[96];
    if (cli_array_make(&a, "a", type, m, n))
        return ok(false, "memory");
    fill(&a);
    a.vector = vector;
    snprintf(word, sizeof word, "%s/x.%s", dir, end);
    bool good = !cli_write(word, CLI_BY_NAME, &CLI_TEXT, &a);
    if (!strcmp(end, "raw"))
        snprintf(word, sizeof word, "%s/x.raw@%lldx%lld", dir, (long long)m, (long long)n);
    good = good && !cli_read(word, type, &CLI_TEXT, &b) && !cli_array_convert(&b, word, cli_wider(type, b.type)); /* text is read as double */
    if (!strcmp(end, "mtx") || !strcmp(end, "csv")) {
        good = good && !cli_array_convert(&a, word, b.type);
        for (size_t i = 0; good && (type == TSL_S || type == TSL_C) && i < (size_t)(m * n); i++)
            good = (float)((double *)b.data)[i] == (float)((double *)a.data)[i];
        if (type == TSL_S || type == TSL_C)
            memcpy(b.data, a.data, (size_t)m * (size_t)n * tsl_type_size(a.type));
    }
    ok(good && same(&a, &b), "%c %lld x %lld%s by .%s", tsl_type_letter(type), (long long)m, (long long)n, vector ? ", a vector" : "", end);
    cli_array_free(&a);
    cli_array_free(&b);
}

static size_t npy(char *to, const char *header, const void *data, size_t bytes)
{
    size_t length = strlen(header);
    memcpy(to, "\x93NUMPY\x01\x00", 8);
    to[8] = (char)(length & 255);
    to[9] = (char)(length >> 8);
    memcpy(to + 10, header, length);
    memcpy(to + 10 + length, data, bytes);
    return 10 + length + bytes;
}

/* By rows, of integers, of no dimension: as NumPy writes them. */
static void as_numpy(void)
{
    char bytes[512];
    cli_array a;
    const double by_rows[] = {1, 2, 3, 4, 5, 6};
    spill("r.npy", bytes, npy(bytes, "{'descr': '<f8', 'fortran_order': False, 'shape': (2, 3), }\n", by_rows, sizeof by_rows));
    bool good = !cli_read(in_dir("r.npy"), TSL_D, &CLI_TEXT, &a);
    ok(good && a.m == 2 && a.n == 3 && ((double *)a.data)[1] == 4 && ((double *)a.data)[2] == 2, "by rows");
    cli_array_free(&a);
    const int32_t whole[] = {-1, 2};
    spill("i.npy", bytes, npy(bytes, "{'descr': '<i4', 'fortran_order': False, 'shape': (2,), }\n", whole, sizeof whole));
    good = !cli_read(in_dir("i.npy"), TSL_D, &CLI_TEXT, &a);
    ok(good && a.vector && a.type == TSL_D && ((double *)a.data)[0] == -1 && ((double *)a.data)[1] == 2, "integers become doubles");
    cli_array_free(&a);
    spill("0.npy", bytes, npy(bytes, "{'shape': (), 'fortran_order': False, 'descr': '<f8'}", by_rows, 8));
    good = !cli_read(in_dir("0.npy"), TSL_D, &CLI_TEXT, &a);
    ok(good && a.m == 1 && a.n == 1 && ((double *)a.data)[0] == 1, "one element");
    cli_array_free(&a);
}

/* Of [1, -2.5] in every format, highest byte first; and of halves all 65536. */
static void other_bytes(void)
{
    static const struct {
        const char *descr;
        size_t count;
        char bytes[33];
        double first, second;
    } rows[] = {
        {">f8", 16, "\x3f\xf0\0\0\0\0\0\0\xc0\x04\0\0\0\0\0\0", 1, -2.5}, {">f4", 8, "\x3f\x80\0\0\xc0\x20\0\0", 1, -2.5},
        {">c8", 16, "\x3f\x80\0\0\0\0\0\0\xc0\x20\0\0\0\0\0\0", 1, -2.5}, {">f2", 4, "\x3c\0\xc1\0", 1, -2.5}, {"<f2", 4, "\0\x3c\0\xc1", 1, -2.5},
        {">i8", 16, "\0\0\0\0\0\0\0\1\xff\xff\xff\xff\xff\xff\xff\xfd", 1, -3}, {">i4", 8, "\0\0\0\1\xff\xff\xff\xfd", 1, -3},
        {">u2", 4, "\0\1\xff\xfd", 1, 65533}, {"|b1", 2, "\1\0", 1, 0},
        {">c16", 32, "\x3f\xf0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\xc0\x04\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 1, -2.5}};
    char header[128];
    static char bytes[1 << 18];
    cli_array a;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        snprintf(header, sizeof header, "{'descr': '%s', 'fortran_order': False, 'shape': (2,), }\n", rows[i].descr);
        spill("o.npy", bytes, npy(bytes, header, rows[i].bytes, rows[i].count));
        bool good = !cli_read(in_dir("o.npy"), TSL_D, &CLI_TEXT, &a) && !cli_array_convert(&a, "a", TSL_Z);
        ok(good && ((double *)a.data)[0] == rows[i].first && ((double *)a.data)[2] == rows[i].second && ((double *)a.data)[3] == 0, "%s", rows[i].descr);
        cli_array_free(&a);
    }
    uint16_t halves[65536];
    for (int i = 0; i < 65536; i++)
        halves[i] = (uint16_t)i;
    spill("h.npy", bytes, npy(bytes, "{'descr': '<f2', 'fortran_order': True, 'shape': (256, 256), }\n", halves, sizeof halves));
    bool good = !cli_read(in_dir("h.npy"), TSL_D, &CLI_TEXT, &a) && a.type == TSL_S;
    const float *v = a.data;
    for (int i = 0; good && i < 65536; i++) {
        int e = i >> 10 & 31, f = i & 1023;
        double want = (i >> 15 ? -1 : 1) * (e ? 1 + f / 1024.0 : f / 1024.0) * pow(2, (e ? e : 1) - 15);
        good = e < 31 ? v[i] == (float)want && !signbit(v[i]) == !(i >> 15) : f ? isnan(v[i]) : isinf(v[i]) && (v[i] < 0) == i >> 15;
    }
    ok(good, "all numbers of half precision");
    cli_array_free(&a);
}

static void archives(void)
{
    char word[96];
    cli_array a;
    spill("s.npz", stored_npz, sizeof stored_npz - 1);
    spill("p.npz", packed_npz, sizeof packed_npz - 1);
    spill("w.npz", wide_npz, sizeof wide_npz - 1);
    snprintf(word, sizeof word, "%s/s.npz:A", dir);
    bool good = !cli_read(word, TSL_D, &CLI_TEXT, &a);
    const double *v = a.data;
    ok(good && a.m == 2 && a.n == 2 && v[0] == 1 && v[1] == 3 && v[2] == 2 && v[3] == 4, "an array of an archive");
    cli_array_free(&a);
    snprintf(word, sizeof word, "%s/s.npz:x.npy", dir);
    good = !cli_read(word, TSL_D, &CLI_TEXT, &a);
    ok(good && a.vector && a.m == 2 && ((double *)a.data)[0] == -5 && ((double *)a.data)[1] == 7, "another, by the file's name");
    cli_array_free(&a);
    good = !cli_read(in_dir("w.npz"), TSL_D, &CLI_TEXT, &a);
    ok(good && a.m == 2 && ((double *)a.data)[1] == 7, "the only one, of a large archive");
    cli_array_free(&a);
    good = !cli_read(in_dir("p.npz"), TSL_D, &CLI_TEXT, &a) && a.m == 60 && a.n == 8;
    for (int64_t i = 0; good && i < 480; i++)
        good = ((double *)a.data)[i / 8 + i % 8 * 60] == (double)((i * i / 7 + i % 5) % 23);
    ok(good, "one that is packed");
    cli_array_free(&a);
    good = refused(in_dir("s.npz"));
    snprintf(word, sizeof word, "%s/s.npz:B", dir);
    good = refused(word) && good;
    spill("n.npz", "1,2\n", 4);
    snprintf(word, sizeof word, "%s/n.npz:B", dir);
    ok(refused(word) && good, "several without a name, none of a name, and no archive are refused");
    char damaged[sizeof packed_npz];
    memcpy(damaged, packed_npz, sizeof damaged);
    damaged[300] ^= 4;
    spill("d.npz", damaged, sizeof damaged - 1);
    good = refused(in_dir("d.npz"));
    memcpy(damaged, wide_npz, sizeof wide_npz);
    damaged[100] ^= 4;
    spill("d.npz", damaged, sizeof wide_npz - 1);
    ok(refused(in_dir("d.npz")) && good, "damaged ones are refused");
}

static void as_text(void)
{
    static const struct {
        const char *text;
        cli_text how;
        int64_t m, n; /* 0: it is refused */
        double sum, imaginary; /* of row number times column number times element */
    } rows[] = {
        {"1,2\n3,4\n", {0, -1, NULL}, 2, 2, 27, 0},
        {"\xef\xbb\xbf" "1;2.5\r\n-3;4\r\n", {0, -1, NULL}, 2, 2, 16, 0},
        {"# made by savetxt\n1.0e+00 2.0e+00\n  3.0e+00\t4\n\n", {0, -1, NULL}, 2, 2, 27, 0},
        {"\"a, b\",c\n1,\" 2\"\n", {0, -1, NULL}, 1, 2, 5, 0},
        {"2001,2002\n1,2\n", {0, 1, NULL}, 1, 2, 5, 0},
        {"one\n\n1 2\n", {0, 2, NULL}, 1, 2, 5, 0},
        {"1|2\n", {'|', -1, NULL}, 1, 2, 5, 0},
        {"1,2\t3,4\n", {0, -1, NULL}, 0, 0, 0, 0}, /* a comma is no decimal point */
        {" (1.5+2.0j) , (0-1j)\n3,4\n", {0, -1, NULL}, 2, 2, 23.5, 0},
        {"1+-2j\n2i\n", {0, -1, NULL}, 2, 1, 1, 2},
        {"inf\n", {0, -1, NULL}, 1, 1, INFINITY, 0},
        {"7", {0, -1, NULL}, 1, 1, 7, 0},
        {"1,2\n3\n", {0, -1, NULL}, 0, 0, 0, 0}, {"1,,2\n", {0, -1, NULL}, 0, 0, 0, 0}, {"1,2,\n", {0, -1, NULL}, 0, 0, 0, 0},
        {"1,x\n", {0, -1, NULL}, 0, 0, 0, 0},     {"a,b\n", {0, -1, NULL}, 0, 0, 0, 0},  {"a,b\nc,d\n", {0, -1, NULL}, 0, 0, 0, 0},
        {"1+2\n", {0, -1, NULL}, 0, 0, 0, 0},     {"1+2jj\n", {0, -1, NULL}, 0, 0, 0, 0}, {"(1+2j\n", {0, -1, NULL}, 0, 0, 0, 0},
        {"\"1\"2,3\n", {0, -1, NULL}, 0, 0, 0, 0}, {"1,2\n", {0, 5, NULL}, 0, 0, 0, 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        cli_array a = {0};
        double re = 0, im = 0;
        spill("x.txt", rows[i].text, strlen(rows[i].text));
        text = rows[i].how;
        bool good = rows[i].m ? !cli_read(in_dir("x.txt"), TSL_D, &text, &a) && a.m == rows[i].m && a.n == rows[i].n : refused(in_dir("x.txt"));
        int parts = a.type == TSL_Z ? 2 : 1;
        for (int64_t k = 0; good && k < a.m * a.n; k++) {
            double weight = (double)((k % a.m + 1) * (k / a.m + 1)), *v = (double *)a.data + k * parts;
            re += weight * v[0];
            im += parts == 2 ? weight * v[1] : 0;
        }
        ok(good && re == rows[i].sum && im == rows[i].imaginary, "CSV number %zu", i);
        cli_array_free(&a);
    }
    text = CLI_TEXT;
    spill("nul.csv", "1,2\0\n", 6);
    ok(refused(in_dir("nul.csv")), "what is not text");
}

static void as_market(void)
{
    cli_array a;
    const char *text = "%%MatrixMarket matrix coordinate real symmetric\n% a comment\n\n3 3 3\n1 1 2\n3 1 -1e1\n2 2 nan\n";
    spill("s.mtx", text, strlen(text));
    bool good = !cli_read(in_dir("s.mtx"), TSL_D, &CLI_TEXT, &a);
    const double *v = a.data;
    ok(good && v[0] == 2 && v[2] == -10 && v[6] == -10 && isnan(v[4]) && v[8] == 0, "coordinates of a symmetric matrix");
    cli_array_free(&a);
    text = "%%MatrixMarket matrix array complex hermitian\n2 2\n1 0\n3 4\n5 0\n";
    spill("h.mtx", text, strlen(text));
    good = !cli_read(in_dir("h.mtx"), TSL_D, &CLI_TEXT, &a);
    v = a.data;
    ok(good && a.type == TSL_Z && v[2] == 3 && v[3] == 4 && v[4] == 3 && v[5] == -4, "a Hermitian array");
    cli_array_free(&a);
}

static void bad_files(void)
{
    static const char *const texts[] = {"", "%", "%%MatrixMarket\n", "%%MatrixMarket matrix array real general\n", "hello\n", "\xff\xfe\x00\x01",
        "%%MatrixMarket matrix array real general\n2 2\n1\n2\n3\n", "%%MatrixMarket matrix array real general\n2 2\n1\nx\n3\n4\n",
        "%%MatrixMarket matrix array real general\n-1 2\n", "%%MatrixMarket matrix array real general\n99999999999999999999 2\n",
        "%%MatrixMarket matrix array real general\n4000000000 4000000000\n1\n", "%%MatrixMarket matrix coordinate real general\n2 2 1\n3 1 1\n",
        "%%MatrixMarket matrix coordinate real general\n2 2 1\n0 1 1\n", "%%MatrixMarket matrix array real symmetric\n2 3\n1\n",
        "%%MatrixMarket matrix array complex general\n1 1\n1\n", "%%MatrixMarket matrix array real general\n1 1\n1 2\n",
        "%%MatrixMarket matrix array pattern general\n1 1\n", "%%MatrixMarket matrix array real general\n1 1 \xff\n1\n", "\x93", "\x93NUMPY", "\x93NUMPZ\x01"};
    bool good = true;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        spill("bad", texts[i], strlen(texts[i]));
        good = refused(in_dir("bad")) && good;
    }
    ok(good, "bad text is refused in one line");
    static const char *const headers[] = {
        "", "{}",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (2, 3, 4), }",
        "{'descr': '>f16', 'fortran_order': False, 'shape': (2,), }",
        "{'descr': '|f8', 'fortran_order': False, 'shape': (1,), }",
        "{'descr': '<f2', 'fortran_order': False, 'shape': (5,), }",
        "{'descr': '|O', 'fortran_order': False, 'shape': (2,), }",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (99999999999, 99999999999), }",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (-2,), }",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (3, 3), }",
        "{'descr': '<f8', 'shape': (2,), }",
        "{'descr': '<f8', 'fortran_order': True, 'shape': (1152921504606846976, 16), }",
        "{'descr': [('x', '<f8')], 'fortran_order': True, 'shape': (1,), }",
    };
    char bytes[512];
    good = true;
    for (size_t i = 0; i < sizeof headers / sizeof *headers; i++) {
        spill("bad.npy", bytes, npy(bytes, headers[i], "12345678", 8));
        good = refused(in_dir("bad.npy")) && good;
    }
    ok(good, "bad headers are refused in one line");
    char word[96];
    snprintf(word, sizeof word, "%s/bad.npy@3x3", dir);
    good = refused(word);
    good = refused(dir) && refused("/no/such/file") && good;
    ok(good, "wrong sizes of raw elements, a folder, no file");
}

static unsigned state;
static unsigned any(unsigned below)
{
    state = state * 1103515245u + 12345u;
    return (state >> 8) % below;
}

/* A byte changed, to any or to one that means something in such files; one more; one less; or the end cut off. */
static size_t change(char *bytes, size_t count, size_t most)
{
    static const char telling[] = "0123456789-+.eE% \n\t'(),{}:<>|cfdinaI\377";
    size_t at = any((unsigned)count + 1);
    char byte = any(2) ? telling[any(sizeof telling - 1)] : (char)any(256);
    switch (any(8)) {
    case 0:
        return at;
    case 1:
        memmove(bytes + at, bytes + at + 1, at < count ? count - at - 1 : 0);
        return at < count ? count - 1 : count;
    case 2:
        if (count == most)
            return count;
        memmove(bytes + at + 1, bytes + at, count - at);
        bytes[at] = byte;
        return count + 1;
    default:
        if (at < count)
            bytes[at] = byte;
        return count;
    }
}

/* Files with some of their bytes changed: read, or refused in one line. TESELA_TEST_SECONDS says how long, TESELA_TEST_SEED=hex
 * from where on. */
static void changed_bytes(void)
{
    static const char *const texts[] = {"%%MatrixMarket matrix coordinate complex hermitian\n% c\n3 3 2\n2 1 1.5 -2\n3 3 1e300 0\n",
        "%%MatrixMarket matrix array real symmetric\n2 2\n1\n2e-3\n+4\n", "%%MatrixMarket matrix coordinate pattern general\n2 3 2\n1 1\n2 3\n",
        "%%MatrixMarket matrix coordinate integer skew-symmetric\n3 3 1\n3 1 -7\n", "a;b\n1;2\n3;4\n", "# c\n(1+2j),\"3\"\n4,-5e1j\n"};
    static const char *const headers[] = {
        "{'descr': '<c16', 'fortran_order': False, 'shape': (2, 1), }\n", "{'descr': '<f8', 'fortran_order': True, 'shape': (4,), }\n",
        "{'descr': '>f4', 'fortran_order': False, 'shape': (2, 4), }\n", "{'descr': '<f2', 'fortran_order': False, 'shape': (16, 1), }\n"};
    static const struct {
        const char *bytes;
        size_t count;
    } archive[] = {{stored_npz, sizeof stored_npz - 1}, {packed_npz, sizeof packed_npz - 1}, {wide_npz, sizeof wide_npz - 1}};
    const char *seconds = getenv("TESELA_TEST_SECONDS"), *seed = getenv("TESELA_TEST_SEED");
    const double v[] = {1, 2, 3, 4};
    char bytes[1024], word[96];
    time_t end = time(NULL) + (seconds ? atol(seconds) : 0);
    long round = 0;
    bool good = true;
    unsigned begun = 0;
    int status = 0, lines = 0;
    for (state = seed ? (unsigned)strtoul(seed, NULL, 16) : 1; good && (round < 4000 || time(NULL) < end); round++) {
        begun = state;
        unsigned kind = any(3), which = any(3);
        size_t count = kind == 0 ? (size_t)snprintf(bytes, sizeof bytes, "%s", texts[any(6)]) : npy(bytes, headers[any(4)], v, sizeof v);
        if (kind == 2)
            memcpy(bytes, archive[which].bytes, count = archive[which].count);
        for (unsigned i = any(6) + 1; i > 0; i--)
            count = change(bytes, count, sizeof bytes);
        spill("fuzz.npz", bytes, count);
        snprintf(word, sizeof word, kind == 2 && which == 0 ? "%s/fuzz.npz:A" : "%s/fuzz.npz", dir);
        lines = lines_said(read_it, word, &status);
        good = status == CLI_OK ? lines == 0 : status == CLI_FAILED && lines == 1;
    }
    if (!good)
        printf("# TESELA_TEST_SEED=%x: status %d, %d lines\n", begun, status, lines);
    FILE *f = good ? NULL : fopen(said, "r");
    for (char line[256]; f && fgets(line, sizeof line, f);)
        printf("# %s", line);
    if (f)
        fclose(f);
    ok(good, "changed bytes, %ld files: read, or refused in one line", round);
}

int main(void)
{
    if (!mkdtemp(dir))
        return 1;
    snprintf(said, sizeof said, "%s/said", dir);
    static const char *const ends[] = {"npy", "mtx", "raw", "csv"};
    for (int t = TSL_S; t <= TSL_Z; t++)
        for (int e = 0; e < 4; e++) {
            there_and_back((tsl_type)t, ends[e], 5, 3, false);
            if (e < 3) /* CSV cannot say how many columns there are of no rows */
                there_and_back((tsl_type)t, ends[e], 0, 3, false);
            there_and_back((tsl_type)t, ends[e], 300, 200, false); /* mapped, where it is not text */
        }
    there_and_back(TSL_D, "npy", 7, 1, true);
    as_numpy();
    other_bytes();
    archives();
    as_market();
    as_text();
    bad_files();
    changed_bytes();
    char command[96];
    snprintf(command, sizeof command, "rm -rf %s", dir);
    return system(command) ? 1 : tap_done();
}
