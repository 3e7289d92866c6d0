/* The two halves of tesela eig. */
#ifndef CLI_EIG_H
#define CLI_EIG_H

#include "cli/compute/job.h"

/* eig_general.c: of any square matrix, all eigenvalues; from the files that are open on */
int cli_eig_general(cli_job *job);

#endif
