/* Seconds of a message between the first two processes of mpirun, and of each byte of it: the least of many round trips of two
 * sizes. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static double trip(int rank, char *data, int bytes)
{
    double least = 1;
    for (int i = 0; i < 2000; i++) {
        double begin = MPI_Wtime();
        if (rank == 0) MPI_Send(data, bytes, MPI_CHAR, 1, 0, MPI_COMM_WORLD);
        if (rank < 2) MPI_Recv(data, bytes, MPI_CHAR, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (rank == 1) MPI_Send(data, bytes, MPI_CHAR, 0, 0, MPI_COMM_WORLD);
        double half = (MPI_Wtime() - begin) / 2;
        if (half < least) least = half;
    }
    return least;
}

int main(int argc, char **argv)
{
    enum { LARGE = 1 << 18 };
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    char *data = calloc(LARGE, 1);
    double small = trip(rank, data, 8), large = trip(rank, data, LARGE);
    if (rank == 0) printf("message %.4g\nbyte %.4g\n", small, (large - small) / LARGE);
    free(data);
    return MPI_Finalize();
}
