#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/file/array.h"

static const char *const words[] = {[CLI_NPY] = "npy", [CLI_MTX] = "mtx", [CLI_RAW] = "raw", [CLI_CSV] = "csv"};
enum { FORMATS = sizeof words / sizeof *words };

bool cli_format_of(const char *word, cli_format *format)
{
    for (int i = 0; i < FORMATS; i++)
        if (!strcmp(word, words[i])) {
            *format = (cli_format)i;
            return true;
        }
    return false;
}

/* By the end of a name; a pipe's is MatrixMarket, which a person can read. */
bool cli_format_by_name(const char *name, cli_format *format)
{
    const char *dot = strrchr(name, '.');
    *format = CLI_MTX;
    return !strcmp(name, "-") || (dot && (cli_format_of(dot + 1, format) || (!strcmp(dot, ".bin") && cli_format_of("raw", format)) ||
                                          (!strcmp(dot, ".tsv") && cli_format_of("csv", format))));
}

static bool same_file(const char *a, const char *b)
{
    struct stat one, other;
    return !strcmp(a, b) || (!stat(a, &one) && !stat(b, &other) && one.st_dev == other.st_dev && one.st_ino == other.st_ino);
}

/* Where a name's last word begins; the folder it is in. */
static const char *last_word(const char *name, char *folder, size_t size)
{
    const char *slash = strrchr(name, '/');
    snprintf(folder, size, "%.*s", slash ? (int)(slash - name) + 1 : 1, slash ? name : ".");
    return slash ? slash + 1 : name;
}

bool cli_same_place(const char *a, const char *b)
{
    char folder[4096], other[4096];
    if (!strcmp(a, "-") || !strcmp(b, "-"))
        return !strcmp(a, b);
    return same_file(a, b) || (!strcmp(last_word(a, folder, sizeof folder), last_word(b, other, sizeof other)) && same_file(folder, other));
}

int cli_may_name(const char *name, cli_format format)
{
    if (format != CLI_BY_NAME || cli_format_by_name(name, &format))
        return CLI_OK;
    return cli_usage("%s: its name does not end in .npy, .mtx, .csv, .tsv, .raw or .bin; say --format", name);
}

static bool is_stdout(const char *name, struct stat *out)
{
    struct stat there;
    return !fstat(STDOUT_FILENO, out) && !stat(name, &there) && out->st_dev == there.st_dev && out->st_ino == there.st_ino;
}

bool cli_is_output(const char *name)
{
    struct stat out;
    return !strcmp(name, "-") || (is_stdout(name, &out) && !S_ISCHR(out.st_mode));
}

/* What can be seen before anything is computed: that a file is not to be had there. */
static int may_make(const char *name)
{
    char folder[4096];
    struct stat there;
    if (!strcmp(name, "-"))
        return CLI_OK;
    if (!stat(name, &there) && S_ISDIR(there.st_mode))
        return cli_fail("%s: is a folder", name);
    last_word(name, folder, sizeof folder);
    bool made = !lstat(name, &there) && !S_ISREG(there.st_mode); /* a device or a link is written through */
    return access(made ? name : folder, W_OK) && (!made || errno != ENOENT) ? cli_fail("%s: %s", name, strerror(errno)) : CLI_OK;
}

int cli_may_write(const char *name, const char *const *inputs, int count)
{
    for (int i = 0; i < count; i++) {
        cli_word w;
        struct stat out;
        if (!cli_word_of(inputs[i], &w))
            continue; /* no file has such a name */
        const char *input = strcmp(w.file, "-") ? w.file : "/dev/stdin";
        if (strcmp(name, "-") ? same_file(name, input) : is_stdout(input, &out) && S_ISREG(out.st_mode))
            return cli_usage("%s is an input; it is not written over", strcmp(name, "-") ? name : w.file);
    }
    return may_make(name);
}

/* The file being written, under a name of its own until it is whole. A signal that ends the process takes it away. */
static char unfinished[4096];
static const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGPIPE};
enum { SIGNALS = sizeof signals / sizeof *signals };

static void give_up(int number)
{
    unlink(unfinished);
    signal(number, SIG_DFL);
    raise(number);
}

static bool put(FILE *f, cli_format format, const cli_text *text, const cli_array *a)
{
    size_t count = (size_t)a->m * (size_t)a->n;
    if (format == CLI_NPY)
        return cli_put_npy(f, a);
    if (format == CLI_CSV)
        return cli_put_csv(f, text, a);
    return format == CLI_MTX ? cli_put_mtx(f, a) : fwrite(a->data, tsl_type_size(a->type), count, f) == count;
}

static int write_file(const char *name, cli_format format, const cli_text *text, const cli_array *a)
{
    if (snprintf(unfinished, sizeof unfinished, "%s.XXXXXX", name) >= (int)sizeof unfinished)
        return cli_fail("%s: too long a name", name);
    void (*before[SIGNALS])(int);
    for (int i = 0; i < SIGNALS; i++)
        if ((before[i] = signal(signals[i], give_up)) == SIG_IGN)
            signal(signals[i], SIG_IGN); /* nohup */
    int fd = mkstemp(unfinished);
    FILE *f = fd < 0 ? NULL : fdopen(fd, "wb");
    mode_t mask = umask(0);
    umask(mask);
    bool good = f && put(f, format, text, a) && !fflush(f) && !fchmod(fd, 0666 & ~mask);
    int why = errno;
    if (f && fclose(f) && good) {
        good = false;
        why = errno;
    }
    if (good && rename(unfinished, name)) {
        good = false;
        why = errno;
    }
    if (!good && fd >= 0)
        unlink(unfinished);
    for (int i = 0; i < SIGNALS; i++)
        signal(signals[i], before[i]);
    return good ? CLI_OK : cli_fail("%s: %s", name, strerror(why));
}

/* A device, a pipe or a link stays what it is. */
static int write_through(const char *name, cli_format format, const cli_text *text, const cli_array *a)
{
    FILE *f = fopen(name, "wb");
    bool good = f && put(f, format, text, a);
    int why = errno;
    if (f && fclose(f)) {
        why = good ? errno : why;
        good = false;
    }
    return good ? CLI_OK : cli_fail("%s: %s", name, strerror(why));
}

int cli_write(const char *name, cli_format format, const cli_text *text, const cli_array *a)
{
    cli_text how = *text;
    const char *dot = strrchr(name, '.');
    if (cli_may_name(name, format))
        return CLI_USAGE;
    if (format == CLI_BY_NAME)
        cli_format_by_name(name, &format);
    if (!how.delimiter && dot && !strcmp(dot, ".tsv"))
        how.delimiter = '\t';
    if (format == CLI_CSV && (!a->m || !a->n))
        return cli_fail("%s: CSV has no way to say %lld x %lld; another format has", name, (long long)a->m, (long long)a->n);
    struct stat there;
    if (strcmp(name, "-") && !lstat(name, &there) && !S_ISREG(there.st_mode))
        return write_through(name, format, &how, a);
    if (strcmp(name, "-"))
        return write_file(name, format, &how, a);
    return put(stdout, format, &how, a) && !fflush(stdout) ? CLI_OK : cli_fail("standard output: %s", strerror(errno));
}
