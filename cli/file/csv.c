/* Numbers in lines of text: a row a line, fields apart by a delimiter; lines that begin with # are comments. A complex number
 * is a+bj, in brackets or not, as NumPy writes it. */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/file/array.h"

typedef struct csv_reader {
    cli_source *s;
    char *line;
    size_t room;
    int64_t number; /* of the line */
    char delimiter; /* ' ': any blanks; 0: not known yet */
    bool is_complex;
    double *value; /* by rows */
    size_t have, most; /* parts there are, and that there is room for */
    int64_t rows, cols;
} csv_reader;

static int wrong(const csv_reader *r, const char *what)
{
    return cli_fail("%s: line %" PRId64 ": %s", r->s->name, r->number, what);
}

/* The next line that has something on it; *end: there is none. */
static int next_line(csv_reader *r, bool *end)
{
    for (;;) {
        errno = 0;
        ssize_t length = getline(&r->line, &r->room, r->s->f);
        *end = length < 0;
        if (*end)
            return ferror(r->s->f) || errno == ENOMEM ? wrong(r, strerror(errno)) : CLI_OK;
        if (r->number++ == 0 && length >= 3 && !memcmp(r->line, "\xef\xbb\xbf", 3)) /* the mark of UTF-8 */
            memmove(r->line, r->line + 3, (size_t)length - 2);
        else if (strlen(r->line) != (size_t)length)
            return wrong(r, "not text");
        const char *at = r->line + strspn(r->line, " \t\r\n");
        if (*at && *at != '#')
            return CLI_OK;
    }
}

/* What the first line has of these, in this order, is between its fields: a comma may be within numbers elsewhere. */
static char guess(const char *line)
{
    return strchr(line, ';') ? ';' : strchr(line, '\t') ? '\t' : strchr(line, ',') ? ',' : ' ';
}

static char *past_blanks(char *at, char delimiter)
{
    while (isspace((unsigned char)*at) && (*at != delimiter || delimiter == ' '))
        at++;
    return at;
}

/* A field from *at on, without blanks and quotes around it, ends with a null byte; *at: where the next one begins, NULL: there
 * is none. */
static char *field(char **at, char delimiter)
{
    const char stop[] = {delimiter, delimiter == ' ' ? '\t' : 0, '\r', '\n', 0}; /* but for blanks the delimiter alone */
    char *begin = past_blanks(*at, delimiter), *end = begin + strcspn(begin, stop);
    char *quote = *begin == '"' ? strchr(begin + 1, '"') : NULL, *next = past_blanks(quote ? quote + 1 : end, delimiter);
    if (quote && (!*next || *next == delimiter || delimiter == ' ')) { /* else it is no field in quotes, and no number */
        begin++;
        end = quote;
    } else {
        next = past_blanks(end, delimiter);
    }
    *at = !*next ? NULL : next + (delimiter != ' ');
    while (end > begin && isspace((unsigned char)end[-1]))
        end--;
    *end = 0;
    return begin;
}

/* All of a text as a real or complex number: 1, 1+2j, (1+2j), 2j; i for j, and +-2j, are other programs' ways. */
static bool number(char *text, double v[2], bool *is_complex)
{
    size_t length = strlen(text);
    char *end;
    if (text[0] == '(' && length > 2 && text[length - 1] == ')') {
        text[length - 1] = 0;
        text += 1 + strspn(text + 1, " ");
    }
    v[0] = strtod(text, &end); /* too large a number is Inf; nan and inf are numbers here */
    v[1] = 0;
    if (end == text)
        return false;
    if (!*end)
        return true;
    *is_complex = true;
    if ((*end == 'j' || *end == 'i') && !end[1]) {
        v[1] = v[0];
        v[0] = 0;
        return true;
    }
    if (*end != '+' && *end != '-')
        return false;
    text = end + (end[0] == '+' && end[1] == '-');
    v[1] = strtod(text, &end);
    return end != text && (*end == 'j' || *end == 'i') && !end[1];
}

static bool room(csv_reader *r, size_t more)
{
    while (r->have + more > r->most) {
        size_t most = r->most ? 2 * r->most : 1024;
        double *value = most <= SIZE_MAX / sizeof *value ? realloc(r->value, most * sizeof *value) : NULL;
        if (!value)
            return false;
        r->value = value;
        r->most = most;
    }
    return true;
}

/* From now on every number has an imaginary part; those before it have none. */
static bool become_complex(csv_reader *r)
{
    if (!room(r, r->have))
        return false;
    for (size_t i = r->have; i-- > 0;) {
        r->value[2 * i] = r->value[i];
        r->value[2 * i + 1] = 0;
    }
    r->have *= 2;
    return r->is_complex = true;
}

static int add(csv_reader *r, const double v[2], bool is_complex)
{
    if ((is_complex && !r->is_complex && !become_complex(r)) || !room(r, 2))
        return wrong(r, "no memory for what has come so far");
    r->value[r->have++] = v[0];
    if (r->is_complex)
        r->value[r->have++] = v[1];
    return CLI_OK;
}

static int read_row(csv_reader *r)
{
    int64_t count = 0;
    for (char *at = r->line; at; count++) {
        char what[128], *text = field(&at, r->delimiter);
        double v[2];
        bool is_complex = false;
        snprintf(what, sizeof what, *text ? "field %" PRId64 " is not a number: %.40s" : "field %" PRId64 " is empty%.40s", count + 1, text);
        if (!number(text, v, &is_complex))
            return wrong(r, what);
        if (add(r, v, is_complex))
            return CLI_FAILED;
    }
    if (r->rows++ == 0)
        r->cols = count;
    if (count != r->cols) {
        char what[96];
        snprintf(what, sizeof what, "%" PRId64 " fields, and %" PRId64 " in the lines before it", count, r->cols);
        return wrong(r, what);
    }
    return CLI_OK;
}

/* Names of columns, none of which is a number: such a line could not be anything else. */
static int is_header(csv_reader *r, bool *header)
{
    char *copy = strdup(r->line), *at = copy;
    *header = copy;
    while (copy && at && *header) {
        double v[2];
        bool is_complex;
        char *text = field(&at, r->delimiter);
        *header = *text && !number(text, v, &is_complex);
    }
    free(copy);
    return copy ? CLI_OK : wrong(r, "no memory");
}

static int read_lines(csv_reader *r, int64_t skip)
{
    bool end = false, header = false;
    for (int64_t i = 0; i < skip && !end; i++) /* whatever they are, comments and empty ones too */
        if ((end = getline(&r->line, &r->room, r->s->f) < 0) == false)
            r->number++;
    int status = next_line(r, &end);
    if (!status && !end && !r->delimiter)
        r->delimiter = guess(r->line);
    if (!status && !end && skip < 0)
        status = is_header(r, &header);
    if (header)
        status = next_line(r, &end);
    while (!status && !end)
        if (!(status = read_row(r)))
            status = next_line(r, &end);
    return !status && !r->rows ? cli_fail("%s: has no line of numbers", r->s->name) : status;
}

int cli_read_csv(cli_source *s, const cli_text *text, cli_array *a)
{
    csv_reader r = {.s = s, .delimiter = text->delimiter};
    int status = read_lines(&r, text->skip);
    free(r.line);
    *a = (cli_array){.type = r.is_complex ? TSL_Z : TSL_D, .m = r.rows, .n = r.cols, .csv = true, .data = r.value};
    return status ? status : cli_array_transpose(a, s->name);
}

static void put_element(FILE *f, const cli_array *a, size_t at)
{
    const float *s = a->data;
    const double *d = a->data;
    switch (a->type) {
    case TSL_S: fprintf(f, "%.9g", (double)s[at]); break;
    case TSL_D: fprintf(f, "%.17g", d[at]); break;
    case TSL_C: fprintf(f, "(%.9g%+.9gj)", (double)s[2 * at], (double)s[2 * at + 1]); break;
    case TSL_Z: fprintf(f, "(%.17g%+.17gj)", d[2 * at], d[2 * at + 1]); break;
    default: fprintf(f, "%lld", (long long)((int64_t *)a->data)[at]);
    }
}

bool cli_put_csv(FILE *f, const cli_text *text, const cli_array *a)
{
    char delimiter = text->delimiter ? text->delimiter : ',';
    if (text->header)
        fprintf(f, "%s\n", text->header);
    for (int64_t i = 0; i < a->m && !ferror(f); i++)
        for (int64_t j = 0; j < a->n; j++) {
            put_element(f, a, (size_t)(i + j * a->m));
            putc(j + 1 < a->n ? delimiter : '\n', f);
        }
    return !ferror(f);
}
