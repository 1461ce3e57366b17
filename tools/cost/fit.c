/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/*
 * measured = factor x model, by least squares of the relative residuals, so that a long
 * operation does not outweigh a short one. Wait states are not fitted beside it: a fetch is
 * made for each instruction, and the operations of an SPM have so nearly the same cycles per
 * instruction that factor and wait states cannot be told apart; how nearly is printed.
 */

#include "fit.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compile.h"
#include "counted.h"

#define MEASUREMENTS_MAX 500
#define LINE_MAX_LENGTH  256

struct measurement {
    char operation[LINE_MAX_LENGTH];
    double measured;
    double model;
    double cycles_per_instruction;
};

struct fit {
    const char *profile;
    const char *path;
    unsigned line;
    struct measurement measurement[MEASUREMENTS_MAX];
    size_t count;
};

static bool complain(const struct fit *fit, const char *what, const char *about)
{
    fprintf(stderr, "%s:%u: %s '%s'\n", fit->path, fit->line, what, about);
    return false;
}

/* What the model says of a counted operation. */
static bool find_model(const struct fit *fit, struct measurement *measurement)
{
    for (size_t i = 0; i < counted_rows(); i++) {
        struct counted_row row = counted_row(i);
        struct spm_sim_cost cost;

        if (strcmp(row.profile, fit->profile) != 0 ||
            strcmp(row.name, measurement->operation) != 0)
            continue;
        if (!counted_measure(i, NULL, NULL, &cost))
            return false;
        counted_leave_out(&row, &cost_timings[0], &cost);
        measurement->model = (double)cost.cycles;
        measurement->cycles_per_instruction = (double)cost.cycles / (double)cost.instructions;
        return true;
    }
    return complain(fit,
                    "no operation that was counted on this profile (spm_cost compare "
                    "lists them):",
                    measurement->operation);
}

static bool is_known_already(const struct fit *fit, const char *operation)
{
    for (size_t i = 0; i < fit->count; i++)
        if (strcmp(fit->measurement[i].operation, operation) == 0)
            return true;
    return false;
}

/* `operation,cycles` */
static bool read_measurement(struct fit *fit, char *line)
{
    struct measurement *measurement = &fit->measurement[fit->count];
    char *comma = strrchr(line, ',');
    char *end;

    if (comma == NULL)
        return complain(fit, "a line must be 'operation,cycles', not", line);
    *comma = '\0';
    errno = 0;
    measurement->measured = strtod(comma + 1, &end);
    if (end == comma + 1 || *end != '\0' || errno != 0 || !(measurement->measured > 0) ||
        measurement->measured > 1e12)
        return complain(fit, "the cycles must be a number above 0, not", comma + 1);
    snprintf(measurement->operation, sizeof measurement->operation, "%s", line);
    if (is_known_already(fit, line))
        return complain(fit, "once is enough for", line);
    if (!find_model(fit, measurement))
        return false;
    fit->count++;
    return true;
}

static bool read_lines(struct fit *fit, FILE *file)
{
    char line[LINE_MAX_LENGTH];

    while (fgets(line, sizeof line, file) != NULL) {
        fit->line++;
        if (strchr(line, '\n') == NULL && !feof(file))
            return complain(fit, "the line is too long:", line);
        line[strcspn(line, "\r\n")] = '\0';
        if (line[0] == '\0' || line[0] == '#' || strcmp(line, "operation,cycles") == 0)
            continue;
        if (fit->count == MEASUREMENTS_MAX)
            return complain(fit, "more than 500 measurements at", line);
        if (!read_measurement(fit, line))
            return false;
    }
    if (fit->count > 0)
        return true;
    fprintf(stderr, "%s: no measurement; lines 'operation,cycles' are expected\n", fit->path);
    return false;
}

/* Minimises the sum of (1 - factor model / measured) squared. */
static double factor_of(const struct fit *fit)
{
    double sum = 0;
    double squares = 0;

    for (size_t i = 0; i < fit->count; i++) {
        double ratio = fit->measurement[i].model / fit->measurement[i].measured;

        sum += ratio;
        squares += ratio * ratio;
    }
    return sum / squares;
}

static void print_residuals(const struct fit *fit, double factor)
{
    printf("%-44s %10s %10s %10s %9s\n", "operation", "measured", "model", "fitted",
           "residual");
    for (size_t i = 0; i < fit->count; i++) {
        const struct measurement *measurement = &fit->measurement[i];
        double fitted = factor * measurement->model;

        printf("%-44s %10.0f %10.0f %10.0f %+7.1f %%\n", measurement->operation,
               measurement->measured, measurement->model, fitted,
               100 * (fitted - measurement->measured) / measurement->measured);
    }
}

static void print_what_is_not_identified(const struct fit *fit)
{
    double least = fit->measurement[0].cycles_per_instruction;
    double most = least;

    for (size_t i = 1; i < fit->count; i++) {
        double now = fit->measurement[i].cycles_per_instruction;

        least = now < least ? now : least;
        most = now > most ? now : most;
    }
    printf("\nNot identified: wait states apart from the factor; these operations have %.2f to "
           "%.2f cycles an instruction.\n",
           least, most);
}

static int report(const struct fit *fit)
{
    double factor = factor_of(fit);
    double permille = 1000 * factor;

    if (permille < 1 || permille > 1e6) {
        fprintf(stderr,
                "%s: the factor %g is none that a board has (0.001 to 1000); are these "
                "cycles?\n",
                fit->path, factor);
        return 1;
    }
    print_residuals(fit, factor);
    print_what_is_not_identified(fit);
    printf("Fitted: one factor, from %zu measurement%s of %s. The machine takes it as\n\n"
           "SPM_SIM_BOARD_PERMILLE=%.0f\n",
           fit->count, fit->count == 1 ? "" : "s", fit->profile, permille);
    return 0;
}

int fit_command(int argc, char **argv)
{
    static struct fit fit;
    FILE *file;
    bool read;

    if (argc != 2)
        return COMPILE_USAGE;
    fit = (struct fit){.profile = argv[0], .path = argv[1]};
    if (cost_profile_find(fit.profile) == NULL) {
        fprintf(stderr, "spm_cost: the profile '%s' is unknown; spm_cost list names them\n",
                fit.profile);
        return 1;
    }
    file = fopen(fit.path, "r");
    if (file == NULL) {
        fprintf(stderr, "%s: %s\n", fit.path, strerror(errno));
        return 1;
    }
    read = read_lines(&fit, file);
    fclose(file);
    return read ? report(&fit) : 1;
}
