/* The end of a process of a grid for which the library has initialised MPI. Usage: test_exit fails|good|fork
 *   fails: one process leaves with an error while the others wait for it: all end, and soon
 *   good:  all return from main, the grid and its matrices as they are: MPI is finalised
 *   fork:  a child ends like any program, and the grid goes on
 *   finalized: the program has finalised MPI: calls on the grid are refused, each with the reason, and all can be freed */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tesela_mpi.h"

enum { N = 60, NB = 8, LEAVES = 3 };

static void told(tsl_context *x, const char *call, tsl_status st)
{
    printf("%s: %s, %s\n", call, tsl_status_name(st), strstr(tsl_error(x), "MPI has been finalized") ? "finalized" : tsl_error(x));
}

static int after_the_end(tsl_context *x, tsl_grid *g, tsl_matrix *A)
{
    double norm, all[N * N];
    tsl_matrix *B = NULL;
    tsl_grid *other = NULL;
    tsl_layout l = tsl_layout_matrix(g, NB);
    MPI_Finalize();
    told(x, "laset", tsl_laset(x, 0, 1, tsl_whole(A)));
    told(x, "norm", tsl_norm(x, TSL_NORM_ONE, TSL_TRIANGULAR, tsl_whole(A), &norm));
    told(x, "gemm", tsl_gemm(x, 1, tsl_whole(A), tsl_whole(A), 0, tsl_whole(A)));
    told(x, "gather", tsl_gather(x, tsl_whole(A), 0, all, N));
    told(x, "create_on", tsl_matrix_create_on(x, &l, TSL_D, N, N, &B));
    told(NULL, "grid_create", tsl_grid_create(MPI_COMM_WORLD, 0, 0, &other));
    tsl_matrix_free(A);
    tsl_grid_free(g);
    tsl_context_destroy(x);
    printf("ended\n");
    return 0;
}

int main(int argc, char **argv)
{
    const char *how = argc > 1 ? argv[1] : "good";
    tsl_grid *g = NULL;
    tsl_context *x = NULL;
    tsl_matrix *A = NULL;
    tsl_config cfg = tsl_config_default();
    double norm = 0;
    int rank = 0;
    cfg.devices = "host";
    alarm(60); /* a hang is a failure */
    if (tsl_grid_create(MPI_COMM_WORLD, 0, 0, &g) || tsl_context_create(&cfg, &x)) return 1;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    tsl_layout l = tsl_layout_matrix(g, NB);
    if (tsl_matrix_create_on(x, &l, TSL_D, N, N, &A) || tsl_scale(x, 0, tsl_whole(A))) return 1;
    if (!strcmp(how, "fails") && rank == 0) {
        printf("leaves with %d\n", LEAVES);
        exit(LEAVES);
    }
    if (!strcmp(how, "fork")) {
        int status = -1;
        pid_t child = fork();
        if (child == 0) exit(EXIT_SUCCESS);
        if (waitpid(child, &status, 0) != child || !WIFEXITED(status) || WEXITSTATUS(status)) return 1;
    }
    if (!strcmp(how, "finalized")) return after_the_end(x, g, A);
    if (tsl_norm(x, TSL_NORM_ONE, TSL_TRIANGULAR, tsl_whole(A), &norm)) return 2;
    printf("norm %g\n", norm);
    return 0;
}
