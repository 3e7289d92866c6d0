#include <errno.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/bench.h"
#include "cli/cli.h"

static const cli_command *const commands[] = {&cli_solve,     &cli_lstsq, &cli_factor, &cli_multiply, &cli_inverse, &cli_determinant,
                                              &cli_condition, &cli_eig,   &cli_svd,    &cli_rank,     &cli_cond,    &cli_demo,
                                              &cli_bench,     &cli_tune,  &cli_report, &cli_explain,  &cli_info};
enum { COMMANDS = sizeof commands / sizeof *commands };

static const cli_command *find(const char *name)
{
    for (int i = 0; i < COMMANDS; i++)
        if (!strcmp(commands[i]->name, name))
            return commands[i];
    return NULL;
}

static int no_command(const char *name)
{
    char names[256] = "";
    for (size_t i = 0, at = 0; i < COMMANDS && at < sizeof names; i++)
        at += (size_t)snprintf(names + at, sizeof names - at, "%s, ", commands[i]->name);
    return cli_usage("no command '%s'; there are %sand help", name, names);
}

static void overview(FILE *f)
{
    fprintf(f, "tesela %s: dense linear algebra on GPUs and hosts\n\n", tsl_version());
    for (int i = 0; i < COMMANDS; i++)
        fprintf(f, "  tesela %-11s %s\n", commands[i]->name, commands[i]->summary);
    fprintf(f, "  tesela %-11s %s\n  tesela %-11s %s\n", "help", "this text; `tesela help COMMAND` for a command's options",
            "--version", "the library's version; also -V");
    fprintf(f, "\nExit status: 0 done; 1 failed; 2 the words make no sense; 3 a result is written, and a warning says why it is not\n"
               "to be trusted.\n");
}

/* As many on a line as fit. */
static void list_routines(bool (*takes)(const bench_routine *r))
{
    int column = printf("\nRoutines:");
    const bench_routine *r;
    for (int i = 0; (r = bench_routine_at(i)); i++) {
        if (!takes(r))
            continue;
        if (column + 1 + (int)strlen(r->name) > 100)
            column = printf("\n         ") - 1;
        column += printf(" %s", r->name);
    }
    putchar('\n');
}

static int help(int argc, char **argv)
{
    if (argc == 0) {
        overview(stdout);
        return CLI_OK;
    }
    const cli_command *command = find(argv[0]);
    if (argc > 1)
        return cli_usage("help: one word too many: '%s'", argv[1]);
    if (!command)
        return no_command(argv[0]);
    printf("%s", command->help);
    if (command->takes)
        list_routines(command->takes);
    return CLI_OK;
}

/* Nothing that was said is lost in silence. */
static int all_written(int status)
{
    if (fflush(stdout) || ferror(stdout))
        status = cli_fail("not all of the output could be written: %s", strerror(errno));
    cli_trace_check();
    return status;
}

static int run(int argc, char **argv)
{
    if (argc < 2) {
        overview(stderr);
        return CLI_USAGE;
    }
    if (!strcmp(argv[1], "--version") || !strcmp(argv[1], "-V")) {
        printf("tesela %s\n", tsl_version());
        return CLI_OK;
    }
    if (!strcmp(argv[1], "help") || !strcmp(argv[1], "--help") || !strcmp(argv[1], "-h"))
        return help(argc - 2, argv + 2);
    const cli_command *command = find(argv[1]);
    if (!command)
        return no_command(argv[1]);
    for (int i = 2; i < argc; i++)
        if (!strcmp(argv[i], "--help") || !strcmp(argv[i], "-h"))
            return help(1, argv + 1);
    return command->run(argc - 2, argv + 2);
}

/* OpenBLAS, which the benchmark compares with, is loaded before the program begins. Where it does not know the processor it has
 * slow kernels by then, and the library says with what setting it has others: begin again with that. */
static void begin_again(char **argv)
{
    static const char name[] = "OPENBLAS_CORETYPE";
    char value[32];
    const char *said = getenv(name) ? NULL : strstr(tsl_libraries(), name);
    if (!said || sscanf(said + sizeof name, "%31[A-Za-z0-9]", value) != 1) return;
    if (!setenv(name, value, 1)) execv("/proc/self/exe", argv);
}

int main(int argc, char **argv)
{
    begin_again(argv);
    uselocale(newlocale(LC_ALL_MASK, "C", (locale_t)0)); /* whatever libraries set: a point is a point */
    return all_written(run(argc, argv));
}
