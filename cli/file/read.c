#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/file/array.h"

bool cli_sizes_of(const char *word, size_t *name, int64_t *m, int64_t *n)
{
    const char *at = strrchr(word, '@'), *x = at ? strchr(at, 'x') : NULL;
    *name = at ? (size_t)(at - word) : 0;
    return x && cli_number(at + 1, (size_t)(x - at - 1), 0, INT64_MAX, m) && cli_number(x + 1, strlen(x + 1), 0, INT64_MAX, n);
}

static int read_raw(cli_source *s, tsl_type type, int64_t m, int64_t n, cli_array *a)
{
    size_t bytes;
    bool mapped;
    *a = (cli_array){.type = type, .m = m, .n = n};
    if (!cli_bytes_of(m, n, tsl_type_size(type), &bytes))
        return cli_fail("%s: %lld x %lld elements are too many", s->name, (long long)m, (long long)n);
    if (s->left >= 0 && (size_t)s->left != bytes)
        return cli_fail("%s: has %lld bytes; %lld x %lld elements of type %c are %zu", s->name, (long long)s->left, (long long)m, (long long)n,
                        tsl_type_letter(type), bytes);
    if (cli_map(s, a, &mapped))
        return CLI_FAILED;
    int status = mapped ? CLI_OK : cli_source_block(s, bytes, &a->data);
    if (!status && s->left < 0 && getc(s->f) != EOF)
        status = cli_fail("%s: has more than %zu bytes, which %lld x %lld elements of type %c are", s->name, bytes, (long long)m, (long long)n,
                          tsl_type_letter(type));
    return status;
}

/* Which of the others it is, its first byte says. */
static int read_known(cli_source *s, cli_array *a)
{
    int first = getc(s->f);
    if (first == EOF)
        return ferror(s->f) ? cli_fail("%s: %s", s->name, strerror(errno)) : cli_fail("%s: empty", s->name);
    ungetc(first, s->f);
    if (first == '%')
        return cli_read_mtx(s, a);
    return first == 0x93 ? cli_read_npy(s, a) : cli_fail("%s: neither .npy nor MatrixMarket; raw elements are named as NAME@MxN", s->name);
}

/* Regular files know their length. */
static int about(cli_source *s)
{
    struct stat file;
    if (fstat(fileno(s->f), &file))
        return cli_fail("%s: %s", s->name, strerror(errno));
    if (S_ISDIR(file.st_mode))
        return cli_fail("%s: is a folder", s->name);
    if (S_ISREG(file.st_mode) && s->f != stdin)
        s->left = file.st_size;
    return CLI_OK;
}

int cli_read(const char *word, tsl_type raw, cli_array *a)
{
    char name[4096];
    int64_t m, n;
    size_t length;
    *a = (cli_array){0};
    bool sizes = access(word, F_OK) && cli_sizes_of(word, &length, &m, &n);
    if (snprintf(name, sizeof name, "%.*s", sizes ? (int)length : (int)sizeof name, word) >= (int)sizeof name)
        return cli_fail("%s: too long a name", word);
    bool pipe = !strcmp(name, "-");
    cli_source s = {pipe ? "standard input" : name, pipe ? stdin : fopen(name, "rb"), -1};
    if (!s.f)
        return cli_fail("%s: %s", name, strerror(errno));
    int status = about(&s);
    if (!status)
        status = sizes ? read_raw(&s, raw, m, n, a) : read_known(&s, a);
    if (!pipe)
        fclose(s.f);
    if (status)
        cli_array_free(a);
    return status;
}
