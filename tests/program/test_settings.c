/* Settings of the environment that cannot be followed are told, once and on stderr; device specifications by the word that is
 * wrong. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tap.h"
#include "tesela.h"

/* What this program says when run again with these settings, as one string. */
static char *run(const char *program, const char *settings)
{
    static char said[8192];
    char command[4096];
    snprintf(command, sizeof command, "env -u TESELA_LOG -u TESELA_TUNE -u TESELA_TRACE -u OMPI_COMM_WORLD_RANK %s '%s' contexts 2>&1",
             settings, program);
    FILE *f = popen(command, "r");
    size_t n = f ? fread(said, 1, sizeof said - 1, f) : 0;
    said[n] = 0;
    if (!f || pclose(f)) strcpy(said, "it failed");
    return said;
}

static const char *first_line(const char *text)
{
    static char line[512];
    snprintf(line, sizeof line, "%.*s", (int)strcspn(text, "\n"), text);
    return line;
}

static int count(const char *text, const char *word)
{
    int n = 0;
    for (const char *p = text; (p = strstr(p, word)); p++) n++;
    return n;
}

/* Several contexts, one after the other and at once. */
static int contexts(void)
{
    tsl_config cfg = tsl_config_default();
    tsl_context *x[3] = {NULL};
    int failed = 0;
    cfg.devices = "host";
    for (int i = 0; i < 3; i++) failed |= tsl_context_create(&cfg, &x[i]) != TSL_OK;
    if (!failed) printf("tuning: %s\n", tsl_tuning(x[0]));
    for (int i = 0; i < 3; i++) tsl_context_destroy(x[i]);
    failed |= tsl_context_create(&cfg, &x[0]) != TSL_OK;
    tsl_context_destroy(x[0]);
    return failed;
}

static void test_settings(const char *self)
{
    const char *none = "TESELA_TUNE=/nowhere/at.all";
    char *said = run(self, "TESELA_TUNE=none");
    ok(count(said, "tesela ") == 0 && count(said, "tuning: ") == 1, "nothing to tell");
    said = run(self, none);
    ok(count(said, "tesela warn: ") == 1 && count(said, "/nowhere/at.all ignored") == 2, "a table that is not there: %s", first_line(said));
    said = run(self, "TESELA_LOG=none TESELA_TUNE=/nowhere/at.all");
    ok(count(said, "tesela warn: ") == 0 && count(said, "tuning: ") == 1 && count(said, "/nowhere/at.all ignored") == 1, "in silence, if that is asked for");
    said = run(self, "TESELA_TUNE=none TESELA_LOG=bogus");
    ok(count(said, "tesela warn: ") == 1 && count(said, "TESELA_LOG=bogus ignored") == 1 && strstr(said, "debug"), "no level: %s", first_line(said));
    said = run(self, "TESELA_TUNE=none TESELA_DEADLINE=soon");
    ok(count(said, "tesela warn: ") == 1 && count(said, "TESELA_DEADLINE=soon ignored") == 1, "no number of seconds: %s", first_line(said));
    said = run(self, "TESELA_TUNE=none TESELA_DEADLINE=2.5");
    ok(count(said, "tesela ") == 0, "a number of them");
    said = run(self, "TESELA_TUNE=/nowhere/at.all OMPI_COMM_WORLD_RANK=3");
    ok(count(said, "tesela warn: ") == 0, "of several processes the first tells it");
}

static void test_specs(void)
{
    static const char *const wrong[][3] = { /* a specification, the word that is wrong, what would be right */
        {"host+gpu:0", "'gpu'", "cuda"},  {"host:0", "host:0", "1 to"},        {"host:4,mem=12Q", "'mem=12Q'", "mem=64M"},
        {"host:2,ram=4M", "'ram=4M'", "mem="}, {"host:2+host:3y", "host:3y", "1 to"}, {"host,", "after 'host'", "mem="},
        {"host++host", "''", "host and cuda"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        tsl_config cfg = tsl_config_default();
        tsl_context *x = NULL;
        cfg.devices = wrong[i][0];
        tsl_status st = tsl_context_create(&cfg, &x);
        const char *line = tsl_error(NULL);
        ok(st == TSL_ERR_SPEC && strstr(line, wrong[i][1]) && strstr(line, wrong[i][2]) && !strchr(line, '\n'), "%s: %s", wrong[i][0], line);
        tsl_context_destroy(x);
    }
}

int main(int argc, char **argv)
{
    alarm(100);
    if (argc > 1) return contexts();
    test_settings(argv[0]);
    test_specs();
    return tap_done();
}
