/* Matrices in files: what is written is read again, every type in every format; what NumPy writes is understood. */
#include <math.h>

#include "matrix_files.h"

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

int main(void)
{
    if (!folder_made())
        return 1;
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
    return folder_done();
}
