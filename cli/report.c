/* The page is made by Python with matplotlib, which the program only starts: cli/report beside it, or where it was installed. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"

/* The folder with the page's maker, by where the program itself is; false: nowhere. */
static bool find(char *path, size_t size)
{
    static const char *const places[] = {"share/tesela/report", "../share/tesela/report"};
    char self[3072];
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    if (length <= 0)
        return false;
    self[length] = 0;
    *strrchr(self, '/') = 0;
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        snprintf(path, size, "%s/%s", self, places[i]);
        if (!access(path, R_OK))
            return true;
    }
    return false;
}

static int run(int argc, char **argv)
{
    char path[4096];
    if (!find(path, sizeof path))
        return cli_fail("report: its files (share/tesela/report) are not beside the program");
    char **words = calloc((size_t)argc + 3, sizeof *words);
    if (!words)
        return cli_fail("report: no memory");
    words[0] = "python3";
    words[1] = path;
    memcpy(words + 2, argv, (size_t)argc * sizeof *words);
    execvp(words[0], words);
    int status = cli_fail("report: python3: %s", strerror(errno));
    free(words);
    return status;
}

const cli_command cli_report = {
    "report",
    run,
    "a page of HTML from benchmark records and traces",
    "tesela report FILE.json... -o PAGE.html\n"
    "One page that opens offline: rate against size beside the rivals and the hardware's limit, ratios, tables, the machine; of a trace\n"
    "(TESELA_TRACE) a timeline of tasks and transfers per device. Files are of `tesela bench --json`, folders of them, traces, or\n"
    "of `tesela explain --clock --json`: efficiency against processes, told as simulated.\n"
    "Needs python3 with matplotlib.\n"
    "  -o PAGE.html     where the page goes; - is standard output; PICTURE.svg: the picture alone of what was simulated\n",
    NULL,
};
