/* Files of matrices that are truncated, wrong or nonsense are refused in one line, whatever bytes they hold. */
#include <time.h>

#include "matrix_files.h"

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
    if (!folder_made())
        return 1;
    bad_files();
    changed_bytes();
    return folder_done();
}
