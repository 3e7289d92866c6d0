#include "cli/records.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"

enum { PAGE = 4096 }; /* divides every system's */

static const char CLOSING[] = "\n]\n";

static int file = -1;
static const char *file_name;
static const char *separator;
static bool seekable;
static off_t tail; /* of a file: where the next record begins, and the bracket stands */

/* In a file the bracket stands behind every record, and the next one is written over it. In a pipe it can only be the last
 * thing: who stops the program gets it written by `stopped`, once the record under way is out. */
static volatile sig_atomic_t writing, asked;

static void stopped(int signal_number)
{
    asked = signal_number;
    if (writing)
        return;
    if (!seekable && file >= 0 && write(file, CLOSING, sizeof CLOSING - 1) < 0)
        _exit(CLI_FAILED);
    signal(signal_number, SIG_DFL);
    raise(signal_number);
}

static bool shut(void)
{
    bool done = file == STDOUT_FILENO || file < 0 || !close(file);
    file = -1;
    return done;
}

static bool refused(void)
{
    cli_fail("bench: --json %s: it cannot be written: %s", file_name, strerror(errno));
    shut();
    return false;
}

static bool write_all(const char *text, size_t length)
{
    for (size_t done = 0; done < length;) {
        ssize_t n = seekable ? pwrite(file, text + done, length - done, tail + (off_t)done) : write(file, text + done, length - done);
        if (n < 0 && errno != EINTR)
            return false;
        done += n > 0 ? (size_t)n : 0;
    }
    return true;
}

/* A full disk may have taken part of a record: the file becomes what it was before it, where that can be. */
static void take_back(void)
{
    int why = errno;
    if (seekable && tail > 0 && !ftruncate(file, tail))
        write_all(CLOSING, sizeof CLOSING - 1);
    errno = why;
}

/* The text with the bracket behind it, in one go. A program that is killed may have its write cut where a page of the file
 * ends: no record lies across such an end, unless it is longer than a page, so the bracket is all that can be missing. */
static bool put(const char *before, const char *text)
{
    char *whole = NULL;
    size_t size, length = strlen(before) + strlen(text), room = (size_t)(PAGE - tail % PAGE);
    int blank = seekable && length > room && length <= PAGE ? (int)room : 0;
    FILE *memory = open_memstream(&whole, &size);
    bool made = memory && fprintf(memory, "%*s%s%s%s", blank, "", before, text, seekable ? CLOSING : "") >= 0;
    if (memory && fclose(memory))
        made = false;
    writing = 1;
    bool done = made && write_all(whole, size);
    if (done)
        tail += (off_t)length + blank;
    else
        take_back();
    writing = 0;
    free(whole);
    if (asked)
        stopped(asked);
    return done || refused();
}

bool cli_records_open(const char *name)
{
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
    file_name = name;
    separator = "\n";
    file = strcmp(name, "-") ? open(name, O_WRONLY | O_CREAT | O_TRUNC, 0666) : STDOUT_FILENO;
    if (file < 0)
        return refused();
    seekable = file != STDOUT_FILENO && lseek(file, 0, SEEK_CUR) >= 0;
    tail = 0;
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
    if (file < 0)
        return true;
    writing = 1; /* the end is near: it is not interrupted */
    if ((!seekable && !write_all(CLOSING, sizeof CLOSING - 1)) || !shut())
        return refused();
    writing = 0;
    if (asked)
        raise(asked);
    return true;
}
