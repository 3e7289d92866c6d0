#include "cli/cli.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Of a process, or thread, of several that run the same command; the first says for all what all would say. */
static __thread bool held;
static __thread char line[600];

static void say(const char *kind, const char *format, va_list args)
{
    cli_progress_end();
    int at = snprintf(line, sizeof line, "%s", kind);
    vsnprintf(line + at, sizeof line - (size_t)at, format, args);
    for (char *c = line; *c; c++) /* words of a file or of the user are shown, and stay on the line */
        if ((unsigned char)*c < ' ' || *c == 127)
            *c = '?';
    if (!held)
        fprintf(stderr, "tesela: %s\n", line);
}

/* Number of this process among all, or those of its machine, as mpirun tells it: Open MPI's, PMIx's, MPICH's and Slurm's. */
static int number(const char *const *names)
{
    for (; *names; names++)
        if (getenv(*names))
            return atoi(getenv(*names));
    return 0;
}

int cli_number_of_all(void)
{
    static const char *const rank[] = {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK", "SLURM_PROCID", NULL};
    return number(rank);
}

void cli_hold(bool others_speak) { held = others_speak; }

void cli_speak(void)
{
    if (held && *line)
        fprintf(stderr, "tesela: %s\n", line);
}

bool cli_first_here(void)
{
    static const char *const local[] = {"OMPI_COMM_WORLD_LOCAL_RANK", "MPI_LOCALRANKID", "SLURM_LOCALID", NULL};
    return number(local) == 0;
}

int cli_usage(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    say("", format, args);
    va_end(args);
    return CLI_USAGE;
}

int cli_usage_list(const char *list, const char *format, ...)
{
    enum { WIDTH = 100 };
    const char *item;
    size_t length;
    int column = 0;
    va_list args;
    va_start(args, format);
    say("", format, args);
    va_end(args);
    while (!held && cli_item(&list, &item, &length)) {
        if (*item == ' ')
            item++, length--;
        if (column + (int)length + 2 > WIDTH)
            column = 0, fputc('\n', stderr);
        column += fprintf(stderr, "%s%.*s%s", column ? " " : "  ", (int)length, item, list ? "," : "\n");
    }
    return CLI_USAGE;
}

int cli_fail(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    say("", format, args);
    va_end(args);
    return CLI_FAILED;
}

int cli_warn(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    say("warning: ", format, args);
    va_end(args);
    return CLI_DOUBTFUL;
}

/* The option that a word names, up to an '=' if it has one. */
static const cli_option *find(const cli_option *options, const char *word)
{
    size_t length = strcspn(word, "=");
    for (; options->name; options++)
        if (strlen(options->name) == length && !memcmp(options->name, word, length))
            return options;
    return NULL;
}

static int unknown(const char *command, const cli_option *options, const char *word)
{
    char names[512] = "";
    for (size_t at = 0; options->name && at < sizeof names - 1; options++)
        at += (size_t)snprintf(names + at, sizeof names - at, " %s", options->name);
    cli_usage("%s: no option '%s'; there are%s", command, word, names);
    return -1;
}

int cli_parse(const char *command, int argc, char **argv, const cli_option *options, const char **words, int max_words)
{
    int count = 0;
    for (int i = 0; i < argc; i++) {
        const char *word = argv[i];
        if (word[0] != '-' || !word[1]) {
            if (count == max_words) {
                cli_usage("%s: one word too many: '%s'", command, word);
                return -1;
            }
            words[count++] = word;
            continue;
        }
        const cli_option *option = find(options, word);
        const char *value = strchr(word, '=');
        if (!option)
            return unknown(command, options, word);
        if (option->given)
            *option->given = true;
        if (!option->value && value) {
            cli_usage("%s: %s takes no value", command, option->name);
            return -1;
        }
        if (!option->value)
            continue;
        if (!value && ++i == argc) {
            cli_usage("%s: %s needs a value", command, option->name);
            return -1;
        }
        *option->value = value ? value + 1 : argv[i];
    }
    return count;
}

bool cli_item(const char **rest, const char **item, size_t *length)
{
    if (!*rest)
        return false;
    *item = *rest;
    *length = strcspn(*rest, ",");
    *rest = (*rest)[*length] ? *rest + *length + 1 : NULL;
    return true;
}

bool cli_number(const char *text, size_t length, int64_t min, int64_t max, int64_t *value)
{
    char digits[24];
    if (length == 0 || length >= sizeof digits || strspn(text, "0123456789") < length)
        return false;
    memcpy(digits, text, length);
    digits[length] = 0;
    char *end;
    errno = 0;
    long long v = strtoll(digits, &end, 10);
    if (errno || *end || v < min || v > max)
        return false;
    *value = v;
    return true;
}

bool cli_seconds(const char *text, double *seconds)
{
    char *end;
    *seconds = strtod(text, &end);
    return *text && !*end && *seconds >= 0.1 && *seconds <= 600;
}
