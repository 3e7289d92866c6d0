#include <ctype.h>
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/file/array.h"

static bool sizes_of(const char *at, int64_t *m, int64_t *n)
{
    const char *x = at ? strchr(at, 'x') : NULL;
    return x && cli_number(at + 1, (size_t)(x - at - 1), 0, INT64_MAX, m) && cli_number(x + 1, strlen(x + 1), 0, INT64_MAX, n);
}

/* Where the last ".npz" that a colon follows ends. */
static const char *archive_in(const char *word)
{
    const char *last = NULL;
    for (const char *at = word; (at = strstr(at, ".npz:")); at++)
        last = at + 4;
    return last;
}

bool cli_word_of(const char *word, cli_word *w)
{
    bool whole = !access(word, F_OK); /* a file of that very name */
    const char *at = strrchr(word, '@'), *colon = archive_in(word);
    size_t length = strlen(word);
    *w = (cli_word){.member = NULL};
    w->raw = !whole && sizes_of(at, &w->m, &w->n);
    if (w->raw) {
        length = (size_t)(at - word);
    } else if (!whole && colon) {
        w->member = colon + 1;
        length = (size_t)(colon - word);
    }
    if (length >= sizeof w->file)
        return false;
    memcpy(w->file, word, length);
    w->file[length] = 0;
    return true;
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

/* Which of the others it is, its first byte says: what is text and not MatrixMarket can only be CSV. */
static int read_known(cli_source *s, const char *member, const cli_text *text, cli_array *a)
{
    int first = getc(s->f);
    if (first == EOF)
        return ferror(s->f) ? cli_fail("%s: %s", s->name, strerror(errno)) : cli_fail("%s: empty", s->name);
    int second = first == 'P' ? getc(s->f) : 0;
    if (second == 'K')
        return cli_read_npz(s, member, a);
    if (member)
        return cli_fail("%s: not an .npz file", s->name);
    if (second)
        return cli_fail("%s: neither numbers nor an .npz file", s->name);
    ungetc(first, s->f);
    if (first == '%')
        return cli_read_mtx(s, a);
    if (first == 0x93)
        return cli_read_npy(s, a);
    if (first == 0xef || isspace(first) || (first >= ' ' && first < 127))
        return cli_read_csv(s, text, a);
    return cli_fail("%s: neither .npy, .npz, MatrixMarket nor CSV; raw elements are named as NAME@MxN", s->name);
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

int cli_read(const char *word, tsl_type raw, const cli_text *text, cli_array *a)
{
    cli_word w;
    *a = (cli_array){0};
    if (!cli_word_of(word, &w))
        return cli_fail("%s: too long a name", word);
    bool pipe = !strcmp(w.file, "-");
    cli_source s = {pipe ? "standard input" : w.file, pipe ? stdin : fopen(w.file, "rb"), -1};
    if (!s.f)
        return cli_fail("%s: %s", w.file, strerror(errno));
    int status = about(&s);
    if (!status)
        status = w.raw ? read_raw(&s, raw, w.m, w.n, a) : read_known(&s, w.member, text, a);
    if (!pipe)
        fclose(s.f);
    if (status)
        cli_array_free(a);
    return status;
}
