#include "cli/records.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"

static const char CLOSING[] = "\n]\n";

static FILE *file;
static const char *file_name;
static const char *separator;
static bool seekable;

/* In a file the bracket stands behind every record, and the next one is written over it. In a pipe it can only be the last thing:
 * who stops the program gets it written by `stopped`, once the record under way is out. */
static volatile sig_atomic_t writing, asked;

static void stopped(int signal_number)
{
    asked = signal_number;
    if (writing)
        return;
    if (!seekable && write(fileno(file), CLOSING, sizeof CLOSING - 1) < 0)
        _exit(CLI_FAILED);
    signal(signal_number, SIG_DFL);
    raise(signal_number);
}

static bool refused(void)
{
    cli_fail("bench: --json %s: it cannot be written: %s", file_name, strerror(errno));
    if (file && file != stdout)
        fclose(file);
    file = NULL;
    return false;
}

/* What the text is, with the bracket behind it; then the place goes back before the bracket. */
static bool put(const char *before, const char *text)
{
    writing = 1;
    bool done = fputs(before, file) >= 0 && fputs(text, file) >= 0;
    if (seekable)
        done = done && fputs(CLOSING, file) >= 0 && !fflush(file) && !fseek(file, -(long)(sizeof CLOSING - 1), SEEK_CUR);
    else
        done = done && !fflush(file);
    writing = 0;
    if (asked)
        stopped(asked);
    return done || refused();
}

bool cli_records_open(const char *name)
{
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
    file_name = name;
    separator = "\n";
    file = strcmp(name, "-") ? fopen(name, "w") : stdout;
    if (!file)
        return refused();
    seekable = file != stdout && ftell(file) >= 0;
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        if (signal(signals[i], stopped) == SIG_IGN)
            signal(signals[i], SIG_IGN); /* nohup */
    return put("[", "");
}

bool cli_records_add(bench_session *s, const bench_record *r)
{
    char *text = NULL;
    size_t size;
    FILE *memory = open_memstream(&text, &size);
    if (memory)
        bench_json(memory, s, r);
    bool done = memory && !fclose(memory) ? put(separator, text) : refused();
    separator = ",\n";
    free(text);
    return done;
}

bool cli_records_close(void)
{
    if (!file)
        return true;
    writing = 1; /* the end is near: it is not interrupted */
    bool done = fputs(CLOSING, file) >= 0 && !fflush(file);
    if (!done)
        return refused();
    if (file != stdout && fclose(file))
        return file = NULL, refused();
    file = NULL;
    writing = 0;
    if (asked)
        raise(asked);
    return true;
}
