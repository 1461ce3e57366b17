/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/*
 * measured = factor x (model + fetch wait states x words fetched + data wait states x words
 * loaded), by least squares of the relative residuals, so that a long operation does not
 * outweigh a short one; nothing per operation. What an operation fetches and loads is found by
 * running it on boards with wait states.
 *
 * The operations of an SPM have nearly the same fetches and loads a cycle, so wait states are
 * taken only if the measurements leave no doubt about the whole number; else the factor stands
 * for all.
 */

#include "fit.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compile.h"
#include "counted.h"

#define MEASUREMENTS_MAX 500
#define LINE_MAX_LENGTH  256

/* What is found: in the order of a measurement's terms. */
enum term { CYCLES, FETCHES, LOADS, TERM_COUNT };

struct measurement {
    char operation[LINE_MAX_LENGTH];
    size_t row;
    double measured;
    double term[TERM_COUNT]; /* cycles of the model without wait states, words per operation */
    double waiting;          /* cycles of the model with the wait states of the board */
};

struct fit {
    const char *profile;
    const char *path;
    const char *output; /* NULL: none */
    unsigned line;
    struct measurement measurement[MEASUREMENTS_MAX];
    size_t count;
    struct cost_board board; /* with what the user knows of it; then, what was found, too */
    bool known[TERM_COUNT];  /* FETCHES, LOADS: its wait states are given */
};

static bool complain(const struct fit *fit, const char *what, const char *about)
{
    fprintf(stderr, "%s:%u: %s '%s'\n", fit->path, fit->line, what, about);
    return false;
}

/* The prices of a board, whatever the environment says of one. */
struct pricing {
    const struct cost_profile *profile;
    struct cost_board board;
    enum cost_step glue; /* no part of the operation: without a price */
};

static void set_prices(struct cost_meter *meter, void *argument)
{
    static struct cost_meter priced;
    const struct pricing *pricing = argument;

    cost_meter_init_on_board(&priced, pricing->profile, &cost_timings[0], &pricing->board);
    if (pricing->glue < COST_STEP_COUNT)
        priced.step[pricing->glue] = (struct cost_price){.instructions = 0};
    memcpy(meter->step, priced.step, sizeof meter->step);
    memcpy(meter->exception, priced.exception, sizeof meter->exception);
    memcpy(meter->copy, priced.copy, sizeof meter->copy);
}

static bool cycles_on(const struct fit *fit, size_t row, const struct cost_board *board,
                      double *cycles)
{
    struct pricing pricing = {cost_profile_find(fit->profile), *board, counted_row(row).glue};
    struct spm_sim_cost cost;

    if (!counted_measure(row, set_prices, &pricing, &cost))
        return false;
    *cycles = (double)(cost.cycles - cost.spent);
    return true;
}

/* The machine rounds at each step, so words are counted at about the wait states in question.
 */
static bool find_terms(const struct fit *fit, struct measurement *measurement,
                       const struct cost_board *about)
{
    const struct cost_board plain = {.permille = 0};
    const struct cost_board fetching = {.fetch_wait_states = about->fetch_wait_states};
    const struct cost_board loading = {.data_wait_states = about->data_wait_states};
    double *term = measurement->term;

    if (!cycles_on(fit, measurement->row, &plain, &term[CYCLES]) ||
        !cycles_on(fit, measurement->row, &fetching, &term[FETCHES]) ||
        !cycles_on(fit, measurement->row, &loading, &term[LOADS]))
        return false;
    term[FETCHES] = (term[FETCHES] - term[CYCLES]) / about->fetch_wait_states;
    term[LOADS] = (term[LOADS] - term[CYCLES]) / about->data_wait_states;
    return true;
}

/* Of all measurements. False, with a text on stderr: the run came to a bad end. */
static bool find_all_terms(struct fit *fit, const struct cost_board *about)
{
    for (size_t i = 0; i < fit->count; i++)
        if (!find_terms(fit, &fit->measurement[i], about))
            return false;
    return true;
}

static bool let_wait(struct fit *fit)
{
    struct cost_board board = fit->board;

    board.permille = 0;
    for (size_t i = 0; i < fit->count; i++)
        if (!cycles_on(fit, fit->measurement[i].row, &board, &fit->measurement[i].waiting))
            return false;
    return true;
}

static bool find_row(const struct fit *fit, struct measurement *measurement)
{
    for (size_t i = 0; i < counted_rows(); i++) {
        struct counted_row row = counted_row(i);

        if (strcmp(row.profile, fit->profile) != 0 ||
            strcmp(row.name, measurement->operation) != 0)
            continue;
        measurement->row = i;
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
    if (!find_row(fit, measurement))
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

/* --- least squares ---------------------------------------------------------------------------
 */

/* The terms that are looked for, and what was found: coefficients and their covariance. */
struct solution {
    enum term terms[TERM_COUNT];
    size_t count;
    double value[TERM_COUNT];
    double covariance[TERM_COUNT][TERM_COUNT];
};

/* A measurement's terms as shares of what was measured; CYCLES with the waits of the board. */
static double share(const struct measurement *measurement, enum term term)
{
    return (term == CYCLES ? measurement->waiting : measurement->term[term]) /
           measurement->measured;
}

/* Gauss-Jordan with the largest pivot. False: the matrix has no inverse, for these figures. */
static bool invert(double matrix[TERM_COUNT][TERM_COUNT],
                   double inverse[TERM_COUNT][TERM_COUNT], size_t size)
{
    for (size_t i = 0; i < size; i++)
        for (size_t j = 0; j < size; j++)
            inverse[i][j] = i == j;
    for (size_t column = 0; column < size; column++) {
        size_t pivot = column;

        for (size_t i = column + 1; i < size; i++)
            if (matrix[i][column] * matrix[i][column] >
                matrix[pivot][column] * matrix[pivot][column])
                pivot = i;
        if (matrix[pivot][column] * matrix[pivot][column] < 1e-20)
            return false;
        for (size_t j = 0; j < size; j++) {
            double a = matrix[pivot][j];
            double b = inverse[pivot][j];

            matrix[pivot][j] = matrix[column][j];
            inverse[pivot][j] = inverse[column][j];
            matrix[column][j] = a;
            inverse[column][j] = b;
        }
        for (size_t i = 0; i < size; i++) {
            double factor = matrix[i][column] / matrix[column][column];

            if (i == column)
                continue;
            for (size_t j = 0; j < size; j++) {
                matrix[i][j] -= factor * matrix[column][j];
                inverse[i][j] -= factor * inverse[column][j];
            }
        }
    }
    for (size_t i = 0; i < size; i++)
        for (size_t j = 0; j < size; j++)
            inverse[i][j] /= matrix[i][i];
    return true;
}

static double residual_of(const struct fit *fit, const struct solution *solution, size_t index)
{
    double residual = 1;

    for (size_t i = 0; i < solution->count; i++)
        residual -= solution->value[i] * share(&fit->measurement[index], solution->terms[i]);
    return residual;
}

/* Measurements are not held to be better than half a per cent, however well they fit. */
#define LEAST_VARIANCE (0.005 * 0.005)

static double variance_of(const struct fit *fit, const struct solution *solution)
{
    double sum = 0;
    double variance;

    for (size_t i = 0; i < fit->count; i++)
        sum += residual_of(fit, solution, i) * residual_of(fit, solution, i);
    variance = fit->count > solution->count ? sum / (double)(fit->count - solution->count) : 0;
    return variance > LEAST_VARIANCE ? variance : LEAST_VARIANCE;
}

static bool solve(const struct fit *fit, struct solution *solution)
{
    double matrix[TERM_COUNT][TERM_COUNT] = {{0}};
    double right[TERM_COUNT] = {0};
    double inverse[TERM_COUNT][TERM_COUNT];
    double variance;

    for (size_t m = 0; m < fit->count; m++) {
        for (size_t i = 0; i < solution->count; i++) {
            double of_i = share(&fit->measurement[m], solution->terms[i]);

            right[i] += of_i;
            for (size_t j = 0; j < solution->count; j++)
                matrix[i][j] += of_i * share(&fit->measurement[m], solution->terms[j]);
        }
    }
    if (!invert(matrix, inverse, solution->count))
        return false;
    for (size_t i = 0; i < solution->count; i++) {
        solution->value[i] = 0;
        for (size_t j = 0; j < solution->count; j++)
            solution->value[i] += inverse[i][j] * right[j];
    }
    variance = variance_of(fit, solution);
    for (size_t i = 0; i < solution->count; i++)
        for (size_t j = 0; j < solution->count; j++)
            solution->covariance[i][j] = variance * inverse[i][j];
    return true;
}

static double factor_of(const struct fit *fit)
{
    struct solution solution = {.terms = {CYCLES}, .count = 1};

    return solve(fit, &solution) ? solution.value[0] : 0;
}

/* --- wait states -----------------------------------------------------------------------------
 */

static const char *term_name(enum term term)
{
    return term == FETCHES ? "fetch_wait_states" : "data_wait_states";
}

/* Wait states are a coefficient over the factor; so is their variance, to the first order. */
static double waits_of(const struct solution *solution, size_t index)
{
    return solution->value[index] / solution->value[0];
}

static double waits_variance(const struct solution *solution, size_t index)
{
    double waits = waits_of(solution, index);
    double factor = solution->value[0];

    return (solution->covariance[index][index] - 2 * waits * solution->covariance[0][index] +
            waits * waits * solution->covariance[0][0]) /
           (factor * factor);
}

/* Two standard deviations are less than half a wait state. */
#define MOST_VARIANCE (0.25 * 0.25)

static bool is_certain(const struct solution *solution)
{
    for (size_t i = 1; i < solution->count; i++)
        if (!(waits_variance(solution, i) < MOST_VARIANCE))
            return false;
    return true;
}

static bool is_possible(const struct solution *solution)
{
    if (!(solution->value[0] > 0))
        return false;
    for (size_t i = 1; i < solution->count; i++)
        if (!(waits_of(solution, i) > -0.5 && waits_of(solution, i) < 255))
            return false;
    return true;
}

/* With a standard deviation. */
static void print_estimates(const struct solution *solution)
{
    for (size_t i = 1; i < solution->count; i++)
        printf("%s%s %.2f +- %.2f", i == 1 ? "" : ", ", term_name(solution->terms[i]),
               waits_of(solution, i), sqrt(waits_variance(solution, i)));
    printf("\n");
}

static void take_waits(struct fit *fit, const struct solution *solution)
{
    for (size_t i = 1; i < solution->count; i++) {
        double waits = waits_of(solution, i);
        uint32_t whole = waits < 0 ? 0 : (uint32_t)(waits + 0.5);

        if (solution->terms[i] == FETCHES)
            fit->board.fetch_wait_states = whole;
        else
            fit->board.data_wait_states = whole;
    }
}

/* What is still to be found; the solution of it if there is one and it is possible. */
enum outcome { SOLVED, TOO_FEW, ALIKE, IMPOSSIBLE, RUN_FAILED };

static enum outcome estimate(struct fit *fit, struct solution *solution)
{
    struct cost_board about = {.fetch_wait_states = 4, .data_wait_states = 4};

    if (fit->count <= solution->count)
        return TOO_FEW;
    for (int round = 0; round < 3; round++) {
        if (!find_all_terms(fit, &about))
            return RUN_FAILED;
        if (!solve(fit, solution))
            return ALIKE;
        if (!is_possible(solution))
            return IMPOSSIBLE;
        for (size_t i = 1; i < solution->count; i++) {
            double waits = waits_of(solution, i);
            uint32_t whole = waits < 1 ? 1 : (uint32_t)(waits + 0.5);

            if (solution->terms[i] == FETCHES)
                about.fetch_wait_states = whole;
            else
                about.data_wait_states = whole;
        }
    }
    return SOLVED;
}

/* Finds the wait states that are not known, or says why it does not. */
static bool find_waits(struct fit *fit)
{
    struct solution solution = {.terms = {CYCLES}, .count = 1};
    enum outcome outcome;

    for (int term = FETCHES; term < TERM_COUNT; term++)
        if (!fit->known[term])
            solution.terms[solution.count++] = (enum term)term;
    if (solution.count == 1)
        return true;
    outcome = estimate(fit, &solution);
    if (outcome == TOO_FEW) {
        printf("Not identified: wait states; the factor and they need %zu measurements or "
               "more, and there are %zu.\n",
               solution.count + 1, fit->count);
    } else if (outcome == ALIKE) {
        printf("Not identified: wait states; these operations fetch and load alike.\n");
    } else if (outcome == IMPOSSIBLE) {
        printf("Not identified: wait states; what fits best is impossible: ");
        print_estimates(&solution);
    } else if (outcome == SOLVED && !is_certain(&solution)) {
        printf("Not identified: wait states; these operations fetch and load too nearly alike "
               "for how exact they are;\nframework_version and calls with much data differ "
               "most. In doubt by half a wait state or more:\n");
        print_estimates(&solution);
    } else if (outcome == SOLVED) {
        take_waits(fit, &solution);
        printf("Identified: ");
        print_estimates(&solution);
    }
    return outcome != RUN_FAILED;
}

/* --- the result ------------------------------------------------------------------------------
 */

static bool print_residuals(const struct fit *fit)
{
    printf("\n%-44s %10s %10s %10s %9s\n", "operation", "measured", "model", "fitted",
           "residual");
    for (size_t i = 0; i < fit->count; i++) {
        const struct measurement *measurement = &fit->measurement[i];
        double fitted;

        if (!cycles_on(fit, measurement->row, &fit->board, &fitted))
            return false;
        printf("%-44s %10.0f %10.0f %10.0f %+7.1f %%\n", measurement->operation,
               measurement->measured, measurement->term[CYCLES], fitted,
               100 * (fitted - measurement->measured) / measurement->measured);
    }
    return true;
}

static void print_board(FILE *file, const struct cost_board *board)
{
    fprintf(file, "SPM_SIM_BOARD_PERMILLE=%" PRIu32 "\n", board->permille);
    if (board->fetch_wait_states > 0)
        fprintf(file, "SPM_SIM_BOARD_FETCH_WAIT_STATES=%" PRIu32 "\n",
                board->fetch_wait_states);
    if (board->data_wait_states > 0)
        fprintf(file, "SPM_SIM_BOARD_DATA_WAIT_STATES=%" PRIu32 "\n", board->data_wait_states);
}

static bool write_board(const struct fit *fit)
{
    FILE *file = fit->output == NULL ? NULL : fopen(fit->output, "w");
    bool written = file != NULL;

    if (fit->output == NULL)
        return true;
    if (written) {
        fprintf(file, "# A board, by spm_cost fit %s: options of the simulator\n",
                fit->profile);
        print_board(file, &fit->board);
        written = ferror(file) == 0;
        written = fclose(file) == 0 && written;
    }
    if (!written)
        fprintf(stderr, "spm_cost: cannot write '%s': %s\n", fit->output, strerror(errno));
    return written;
}

static int report(struct fit *fit)
{
    static const struct cost_board one = {.fetch_wait_states = 1, .data_wait_states = 1};
    double permille;

    if (!find_all_terms(fit, &one) || !let_wait(fit) || !find_waits(fit) || !let_wait(fit))
        return 1;
    permille = 1000 * factor_of(fit);
    if (!(permille >= 1 && permille <= 1e6)) {
        fprintf(stderr,
                "%s: the factor %g is none that a board has (0.001 to 1000); are these "
                "cycles?\n",
                fit->path, permille / 1000);
        return 1;
    }
    fit->board.permille = (uint32_t)(permille + 0.5);
    if (!print_residuals(fit))
        return 1;
    printf("\nFitted: from %zu measurement%s of %s, nothing for any one operation. The machine "
           "takes it as\n\n",
           fit->count, fit->count == 1 ? "" : "s", fit->profile);
    print_board(stdout, &fit->board);
    return write_board(fit) ? 0 : 1;
}

/* --- the command line ------------------------------------------------------------------------
 */

static bool read_waits(struct fit *fit, enum term term, const char *text)
{
    char *end;
    unsigned long waits = strtoul(text, &end, 10);

    if (text[0] < '0' || text[0] > '9' || *end != '\0' || waits > 255) {
        fprintf(stderr, "spm_cost: '%s' is no number of wait states from 0 to 255\n", text);
        return false;
    }
    fit->known[term] = true;
    if (term == FETCHES)
        fit->board.fetch_wait_states = (uint32_t)waits;
    else
        fit->board.data_wait_states = (uint32_t)waits;
    return true;
}

static bool read_options(struct fit *fit, int argc, char **argv)
{
    if (argc < 2 || argc % 2 != 0)
        return false;
    fit->profile = argv[0];
    fit->path = argv[1];
    for (int i = 2; i < argc; i += 2) {
        if (strcmp(argv[i], "--output") == 0) {
            fit->output = argv[i + 1];
            continue;
        }
        if (strcmp(argv[i], "--fetch-wait-states") == 0) {
            if (!read_waits(fit, FETCHES, argv[i + 1]))
                return false;
        } else if (strcmp(argv[i], "--data-wait-states") != 0 ||
                   !read_waits(fit, LOADS, argv[i + 1])) {
            return false;
        }
    }
    return true;
}

int fit_command(int argc, char **argv)
{
    static struct fit fit;
    FILE *file;
    bool read;

    fit = (struct fit){.count = 0};
    if (!read_options(&fit, argc, argv))
        return COMPILE_USAGE;
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
