/* The lines of the table that are of products by residues: for each type from which sizes they pay, and, where they do, for
 * each operation with a variant for them from which order on that pays. */
#include <stdio.h>

#include "cli/cli.h"
#include "cli/tune/tune.h"

static void residue_key(tsl_type type, const char *operation, char key[TUNE_KEY])
{
    snprintf(key, TUNE_KEY, "emulated %s%s%c", operation, *operation ? " " : "", tsl_type_letter(type));
}

static void save_line(tune_job *job, const tune_residues *r, const char *key, bool done, const char *entry)
{
    job->seen++;
    if (done)
        tune_save(job, key, entry);
    else if (!tune_over(r))
        job->status = CLI_FAILED;
    job->found += done && !job->status;
}

/* The operations of a type whose products pay with sides from `side` on */
static void residues_of_operations(tune_job *job, const tune_residues *r, tsl_type type, int64_t side)
{
    char entry[TUNE_ENTRY], key[TUNE_KEY];
    bool there[TUNE_WIDE];
    for (int i = 0; i < TUNE_WIDE; i++) {
        residue_key(type, tune_wide_name(i), key);
        there[i] = !tune_missing(job, key);
        job->kept += there[i], job->total += !there[i];
    }
    for (int i = 0; i < TUNE_WIDE && !job->status && !tune_over(r); i++) {
        residue_key(type, tune_wide_name(i), key);
        if (!there[i])
            save_line(job, r, key, tune_wide(r, i, type, side, entry), entry);
    }
}

void tune_residues_of(tune_job *job, const cli_plan *plan)
{
    char entry[TUNE_ENTRY], key[TUNE_KEY];
    const tune_residues r = {plan->devices, &job->file, plan->n, plan->sizes, job->end, job->stop};
    for (int t = 0; t < plan->types && job->products && !job->status; t++) {
        tsl_type type = plan->type[t];
        residue_key(type, "", key);
        if (tune_missing(job, key) && !tune_over(&r))
            save_line(job, &r, key, tune_products(job->ctx, &r, type, entry), entry);
        int64_t side = tune_number(&job->file, key);
        if (side && !job->status)
            residues_of_operations(job, &r, type, side);
    }
}

void tune_count_residues(tune_job *job, const cli_plan *plan)
{
    char key[TUNE_KEY];
    for (int t = 0; t < plan->types && job->products; t++) {
        residue_key(plan->type[t], "", key);
        bool there = !tune_missing(job, key);
        job->kept += there, job->total += !there;
    }
}
