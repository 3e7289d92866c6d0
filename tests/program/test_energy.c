/* Counters of energy in a folder and in a library of our own: sums, wrap-around, what is not readable; joules of one call. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bench/energy/energy.h"
#include "context.h"

static char folder[] = "/tmp/tesela-energy-XXXXXX";
static char line[BENCH_LINE];

/* folder/zone/file := text; NULL: no such file */
static void put(const char *zone, const char *file, const char *text)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, zone);
    mkdir(path, 0777);
    snprintf(path, sizeof path, "%s/%s/%s", folder, zone, file);
    FILE *f = text ? fopen(path, "w") : NULL;
    if (f) {
        fputs(text, f);
        fclose(f);
    } else {
        unlink(path);
    }
}

static void count(const char *zone, uint64_t microjoules)
{
    char text[32];
    snprintf(text, sizeof text, "%" PRIu64 "\n", microjoules);
    put(zone, "energy_uj", text);
}

static void zone(const char *entry, const char *name, const char *range, uint64_t microjoules)
{
    char text[64];
    snprintf(text, sizeof text, "%s\n", name);
    put(entry, "name", text);
    put(entry, "max_energy_range_uj", range);
    count(entry, microjoules);
}

static void sweep(void)
{
    static const char *const zones[] = {"intel-rapl", "intel-rapl:0", "intel-rapl:0:0", "intel-rapl:0:1", "intel-rapl:1", "intel-rapl:2", "intel-rapl-mmio:0"};
    char path[256];
    for (size_t i = 0; i < sizeof zones / sizeof *zones; i++) {
        put(zones[i], "name", NULL);
        put(zones[i], "max_energy_range_uj", NULL);
        put(zones[i], "energy_uj", NULL);
        snprintf(path, sizeof path, "%s/%s", folder, zones[i]);
        rmdir(path);
    }
}

/* Two packages, the first with cores, which are part of it, and memory, which is not; and what counts all again. */
static void machine(void)
{
    sweep();
    put("intel-rapl", "enabled", NULL);
    zone("intel-rapl:0", "package-0", "262143328850\n", 1000000);
    zone("intel-rapl:0:0", "core", "262143328850\n", 7);
    zone("intel-rapl:0:1", "dram", "65712999613\n", 65712999000);
    zone("intel-rapl:1", "package-1", "262143328850\n", 262143328000);
    zone("intel-rapl:2", "psys", "262143328850\n", 5);
    zone("intel-rapl-mmio:0", "package-0", "262143328850\n", 5);
}

static void test_rapl(void)
{
    bench_rapl r;
    double joules = NAN;
    machine();
    ok(bench_rapl_open(&r, folder, 100, line) && r.zones == 3, "RAPL: two packages and memory count, cores, psys and mmio do not");
    ok(bench_rapl_read(&r, 101, &joules, line) && joules == 0, "RAPL: nothing has been used");
    count("intel-rapl:0", 6000000);      /* 5 J */
    count("intel-rapl:0:0", 9000000);    /* not to be counted */
    count("intel-rapl:0:1", 2000000);    /* 613 uJ up to the end, then 2 J */
    count("intel-rapl:1", 262143328850); /* to its end: 850 uJ */
    bool read = bench_rapl_read(&r, 102, &joules, line);
    ok(read && fabs(joules - 7.001463) < 1e-12, "RAPL: packages and memory, one of which went around: %.9g J", joules);
    count("intel-rapl:1", 3000000);
    read = bench_rapl_read(&r, 103, &joules, line);
    ok(read && fabs(joules - 10.001463) < 1e-12, "RAPL: around from its last value: %.9g J", joules);
    ok(!bench_rapl_read(&r, 103 + 66, &joules, line) && strstr(line, "twice"), "RAPL: a counter that may have gone around twice: %s", line);
    ok(bench_rapl_open(&r, folder, 0, line) && bench_rapl_read(&r, 65, &joules, line), "RAPL: within that time it is read");
    put("intel-rapl:1", "energy_uj", NULL);
    ok(!bench_rapl_read(&r, 1, &joules, line) && strstr(line, "intel-rapl:1"), "RAPL: one that is gone: %s", line);
    ok(!bench_rapl_open(&r, folder, 0, line) && strstr(line, "intel-rapl:1"), "RAPL: one of two that is not there: %s", line);
    put("intel-rapl:1", "energy_uj", "12x\n");
    ok(!bench_rapl_open(&r, folder, 0, line) && strstr(line, "no number"), "RAPL: no number: %s", line);
    put("intel-rapl:1", "energy_uj", "");
    ok(!bench_rapl_open(&r, folder, 0, line), "RAPL: an empty file: %s", line);
    sweep();
    ok(!bench_rapl_open(&r, folder, 0, line) && strstr(line, "no package"), "RAPL: an empty folder: %s", line);
    ok(!bench_rapl_open(&r, "/nowhere", 0, line) && strstr(line, "/nowhere"), "RAPL: no folder: %s", line);
}

static void test_nvml(void)
{
    char pci[3][BENCH_PCI] = {"0000:01:00.0", "0000:02:00.0", "0000:03:00.0"};
    bench_nvml v;
    double joules = NAN, more = NAN;
    bool open = bench_nvml_open(&v, NVML_STAND_IN, pci, 2, line), read = open && bench_nvml_read(&v, &joules, line) && bench_nvml_read(&v, &more, line);
    ok(read && joules == 1.25 && more == 2.5, "NVML: two GPUs: %g, then %g J", joules, more);
    if (open)
        bench_nvml_close(&v);
    ok(!bench_nvml_open(&v, NVML_STAND_IN, pci + 2, 1, line) && strstr(line, "Not Supported"), "NVML: a GPU without a counter: %s", line);
    memcpy(pci[0], "0000:09", 7);
    ok(!bench_nvml_open(&v, NVML_STAND_IN, pci, 1, line) && strstr(line, "Not Found"), "NVML: a GPU it does not know: %s", line);
    ok(!bench_nvml_open(&v, "libno-nvml.so.1", pci, 1, line) && strstr(line, "not here"), "NVML: no library: %s", line);
    ok(!bench_nvml_open(&v, "libm.so.6", pci, 1, line) && strstr(line, "no counter"), "NVML: another library: %s", line);
}

/* A round takes 2 J to restore and 3 for each of its calls. */
typedef struct consumer {
    uint64_t used, call;
    int calls, left; /* rounds until it fails; negative: never */
} consumer;

static bool restore(void *user)
{
    consumer *c = user;
    count("intel-rapl:0", c->used += 2000000);
    usleep(1000);
    return true;
}

static bool work(void *user)
{
    consumer *c = user;
    restore(user);
    count("intel-rapl:0", c->used += (uint64_t)c->calls * c->call);
    return c->left < 0 || c->left-- > 0;
}

static void test_meter(void)
{
    bench_meter m;
    char text[3 * BENCH_LINE];
    double joules[BENCH_PARTS];
    tsl_context *ctx = context_on("host");
    zone("intel-rapl:0", "package-0", "262143328850\n", 0);
    setenv("TESELA_POWERCAP", folder, 1);
    bench_meter_open(&m, ctx);
    ok(m.readable[BENCH_CPU] && !m.readable[BENCH_GPU] && !m.gpus, "a meter of the processors alone");
    consumer c = {.call = 3000000, .calls = 4, .left = -1};
    bench_work w = {&c, c.calls, restore, work};
    bool done = bench_energy(&m, &w, 0.05, joules);
    ok(done && fabs(joules[BENCH_CPU] - 3) < 1e-9 && isnan(joules[BENCH_GPU]), "a call without its restoring: %g J", joules[BENCH_CPU]);
    bench_energy_text(&m, joules, text, sizeof text);
    ok(!strcmp(text, "CPU 3 J") && bench_energy_of(&m, joules) == joules[BENCH_CPU], "as text: %s", text);
    c.call = 0;
    ok(bench_energy(&m, &w, 0.05, joules) && isnan(joules[BENCH_CPU]), "a call that takes nothing to be seen has no number");
    bench_energy_text(&m, joules, text, sizeof text);
    ok(strstr(text, "too little") != NULL, "as text: %s", text);
    c.left = 3;
    ok(!bench_energy(&m, &w, 0.05, joules), "a call that fails has none either");
    c.left = -1;
    put("intel-rapl:0", "energy_uj", NULL);
    bench_meter_read(&m, joules);
    ok(!m.readable[BENCH_CPU] && isnan(joules[BENCH_CPU]) && bench_energy(&m, &w, 0.05, joules) && isnan(joules[BENCH_CPU]), "a counter that is gone");
    bench_energy_text(&m, joules, text, sizeof text);
    ok(strstr(text, "CPU not readable here (") != NULL, "as text: %s", text);
    bench_meter_close(&m);
    tsl_context_destroy(ctx);
}

int main(void)
{
    if (!mkdtemp(folder))
        return 1;
    test_rapl();
    test_nvml();
    test_meter();
    sweep();
    rmdir(folder);
    return tap_done();
}
