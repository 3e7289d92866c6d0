#define _GNU_SOURCE /* sched_getaffinity */
#include "bench/measure/machine.h"

#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "commit.h"

/* The value of the first line of /proc/cpuinfo with this key; false: none. */
static bool cpuinfo(const char *key, char *out, size_t size)
{
    char line[256];
    bool found = false;
    FILE *f = fopen("/proc/cpuinfo", "r");
    while (f && !found && fgets(line, sizeof line, f)) {
        const char *colon = strchr(line, ':');
        if (strncmp(line, key, strlen(key)) || !colon)
            continue;
        snprintf(out, size, "%s", colon + 1 + strspn(colon + 1, " \t"));
        out[strcspn(out, "\n")] = 0;
        found = true;
    }
    if (f)
        fclose(f);
    return found;
}

/* By its name where the system tells it; ARM's has numbers instead. */
static void name_cpu(char *out, size_t size)
{
    struct utsname u;
    char maker[32], part[32];
    if (cpuinfo("model name", out, size))
        return;
    bool numbered = cpuinfo("CPU implementer", maker, sizeof maker) && cpuinfo("CPU part", part, sizeof part);
    const char *kind = uname(&u) ? "unknown" : u.machine;
    if (numbered)
        snprintf(out, size, "%s implementer %s part %s", kind, maker, part);
    else
        snprintf(out, size, "%s", kind);
}

static int count_cores(void)
{
    cpu_set_t mine;
    if (!sched_getaffinity(0, sizeof mine, &mine))
        return CPU_COUNT(&mine);
    return (int)sysconf(_SC_NPROCESSORS_ONLN);
}

void bench_machine_look(tsl_context *ctx, bench_machine *m)
{
    tsl_device_info d;
    int gpus = 0;
    *m = (bench_machine){.cores = count_cores(), .commit = TESELA_COMMIT};
    name_cpu(m->cpu, sizeof m->cpu);
    for (int i = 0; i < tsl_device_count(ctx); i++)
        if (!tsl_device_query(ctx, i, &d) && !strcmp(d.backend, "cuda"))
            snprintf(m->gpu, sizeof m->gpu, "%d x %s", ++gpus, d.name);
    size_t at = 0;
    for (const char *text = tsl_libraries(); *text && at + 3 < sizeof m->libraries; text++) {
        if (*text != '\n')
            m->libraries[at++] = *text;
        else if (text[1])
            m->libraries[at++] = ';', m->libraries[at++] = ' ';
    }
}

void bench_date(char out[32])
{
    struct tm t;
    time_t now = time(NULL);
    gmtime_r(&now, &t);
    strftime(out, 32, "%Y-%m-%dT%H:%M:%SZ", &t);
}
