/* TESELA_TRACE=file.json: Chrome trace events (also read by Perfetto) of all contexts of the process, in one file. Events are
 * gathered and written in one go over the closing bracket of the file, with a new one behind: so the file is a whole JSON array
 * after each write. A signal that ends the process can cut a write where a page of the file ends, and nowhere else. No event
 * lies across such an end, so the bracket is all that can be missing, and the format of traces lets it be absent. */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

#include "core/log.h"
#include "tesela.h"

enum { GATHERED = 1 << 15, PAGE = 4096, EVENT = 512, NAME = 4096 }; /* PAGE divides every system's */

static const double OFTEN = 0.1; /* seconds between writes, at most, while events come */
static const char CLOSING[] = "\n]\n";

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* of all that follows */
static atomic_bool on;
static int file = -1;
static bool stream; /* a pipe: nothing can be written over, the bracket comes at the end */
static bool forked; /* the file is the parent's */
static char name[NAME], gathered[GATHERED + sizeof CLOSING];
static size_t used;
static off_t tail; /* where the next write begins */
static double written;
static const char *separator;
static int devices;
static tsl_status outcome = TSL_OK;
static char reason[TSL_DETAIL];

double tsl_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

bool tsl_trace_on(void) { return atomic_load_explicit(&on, memory_order_relaxed); }

const char *tsl_rank(void)
{
    static const char *const variables[] = {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK", "MV2_COMM_WORLD_RANK", "SLURM_PROCID"};
    for (size_t i = 0; i < sizeof variables / sizeof *variables; ++i) {
        const char *value = getenv(variables[i]);
        if (value && *value && strspn(value, "0123456789") == strlen(value)) return value;
    }
    return NULL;
}

/* %r becomes the rank and %p the process id. Where there are ranks and the name has neither, the rank goes before its
 * extension: no two processes write one file. */
static bool own_name(const char *pattern)
{
    const char *r = tsl_rank(), *slash = strrchr(pattern, '/'), *dot = strrchr(slash ? slash : pattern, '.');
    bool own = !r || strstr(pattern, "%r") || strstr(pattern, "%p") || !strncmp(pattern, "/dev/", 5);
    size_t at = 0;
    if (!dot || dot == pattern || dot[-1] == '/') dot = pattern + strlen(pattern);
    for (const char *p = pattern;; ++p) {
        char word[32] = {*p, 0};
        if (p == dot && !own) snprintf(word, sizeof word, ".%s%c", r, *p);
        if (*p == '%' && p[1] == 'r') snprintf(word, sizeof word, "%s", r ? r : "0"), ++p;
        else if (*p == '%' && p[1] == 'p') snprintf(word, sizeof word, "%ld", (long)getpid()), ++p;
        if (at + strlen(word) >= sizeof name) return false;
        strcpy(name + at, word);
        at += strlen(word);
        if (!*p) return true;
    }
}

static void give_up(const char *why)
{
    tsl_print(reason, sizeof reason, "the trace %.160s cannot be written: %s", name, why);
    tsl_log(TSL_LOG_ERROR, "%s", reason);
    outcome = TSL_ERR_FILE;
    atomic_store(&on, false);
    if (file >= 0) close(file);
    file = -1;
}

/* A full disk may have taken part of a write: the file becomes what it was before it, where that can be. */
static void take_back(void)
{
    int why = errno;
    if (!stream && tail > 0 && !ftruncate(file, tail) && pwrite(file, CLOSING, sizeof CLOSING - 1, tail) < 0)
        tsl_log(TSL_LOG_ERROR, "the trace %.160s is not whole: %s", name, strerror(errno));
    errno = why;
}

static void write_out(bool last)
{
    if (file < 0) return;
    size_t length = used;
    if (!stream || last) memcpy(gathered + used, CLOSING, sizeof CLOSING - 1), length += sizeof CLOSING - 1;
    for (size_t done = 0; done < length;) {
        ssize_t n = stream ? write(file, gathered + done, length - done)
                           : pwrite(file, gathered + done, length - done, tail + (off_t)done);
        if (n < 0 && errno != EINTR) {
            take_back();
            give_up(strerror(errno));
            return;
        }
        done += n > 0 ? (size_t)n : 0;
    }
    tail += (off_t)used;
    used = 0;
    written = tsl_now();
}

void tsl_trace_open(void)
{
    pthread_mutex_lock(&lock);
    const char *pattern = getenv("TESELA_TRACE");
    if (file < 0 && !outcome && !forked && pattern && *pattern) {
        bool named = own_name(pattern);
        file = named ? open(name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666) : -1;
        if (file < 0) give_up(named ? strerror(errno) : "the name is too long");
        else {
            stream = lseek(file, 0, SEEK_CUR) < 0;
            gathered[0] = '[';
            used = 1;
            separator = "\n";
            atomic_store(&on, true);
            write_out(false);
        }
    }
    pthread_mutex_unlock(&lock);
}

tsl_status tsl_trace_flush(void)
{
    pthread_mutex_lock(&lock);
    write_out(false);
    tsl_status st = outcome;
    if (st) strcpy(tsl_last_line(), reason);
    pthread_mutex_unlock(&lock);
    return st;
}

/* What was gathered is the parent's to write. */
void tsl_trace_fork(tsl_fork_step step)
{
    if (step == TSL_FORK_BEFORE) {
        pthread_mutex_lock(&lock);
        return;
    }
    if (step == TSL_FORK_CHILD) {
        forked = true;
        atomic_store(&on, false);
        if (file >= 0) close(file);
        file = -1;
    }
    pthread_mutex_unlock(&lock);
}

__attribute__((destructor)) static void at_exit(void)
{
    pthread_mutex_lock(&lock);
    write_out(true);
    atomic_store(&on, false);
    if (file >= 0) close(file);
    file = -1;
    pthread_mutex_unlock(&lock);
}

/* One event, whole, on one page of the file. */
static void add(const char *event)
{
    size_t length = strlen(event), before = strlen(separator), room = PAGE - (size_t)(tail + (off_t)used) % PAGE;
    size_t blank = before + length > room ? room : 0;
    if (file >= 0 && used + blank + before + length > GATHERED) write_out(false);
    if (file < 0) return;
    memset(gathered + used, ' ', blank);
    used += blank;
    memcpy(gathered + used, separator, before);
    memcpy(gathered + used + before, event, length);
    used += before + length;
    separator = ",\n";
    if (tsl_now() - written > OFTEN) write_out(false);
}

/* Names a row: "process_name" a device, "thread_name" a lane of it. */
static void add_name(const char *what, int device, int track, const char *text)
{
    char event[EVENT], quoted[EVENT / 2];
    size_t at = 0;
    for (; *text && at + 3 < sizeof quoted; ++text) {
        if (strchr("\"\\", *text)) quoted[at++] = '\\';
        quoted[at++] = (unsigned char)*text < ' ' ? ' ' : *text;
    }
    quoted[at] = 0;
    tsl_print(event, sizeof event, "{\"name\":\"%s\",\"ph\":\"M\",\"pid\":%d,\"tid\":%d,\"args\":{\"name\":\"%s\"}}", what, device, track, quoted);
    add(event);
}

int tsl_trace_device(const char *text)
{
    char label[EVENT / 2];
    const char *r = tsl_rank();
    pthread_mutex_lock(&lock);
    int device = devices++;
    tsl_print(label, sizeof label, "%s%s%s%s", r ? "rank " : "", r ? r : "", r ? ": " : "", text);
    if (tsl_trace_on()) add_name("process_name", device, 0, label);
    pthread_mutex_unlock(&lock);
    return device;
}

void tsl_trace_lane(int device, int track, const char *text)
{
    if (!tsl_trace_on()) return;
    pthread_mutex_lock(&lock);
    add_name("thread_name", device, track, text);
    pthread_mutex_unlock(&lock);
}

void tsl_trace_event(const char *what, const char *category, int device, int track, double from, double to)
{
    char event[EVENT];
    tsl_print(event, sizeof event, "{\"name\":\"%s\",\"cat\":\"%s\",\"ph\":\"X\",\"pid\":%d,\"tid\":%d,\"ts\":%.3f,\"dur\":%.3f}", what, category,
              device, track, from * 1e6, (to - from) * 1e6);
    pthread_mutex_lock(&lock);
    add(event);
    pthread_mutex_unlock(&lock);
}
