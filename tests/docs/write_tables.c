/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/*
 * write_tables rules|portability OUTPUT ROOT TEST...
 *
 * Writes the table of rules.def or portability.def as Markdown. For each row it looks through
 * the test sources for the first test that names it: the test's name is the first argument in
 * small letters of a macro that states the rule (NS_BREAKS(RULE, name, ...)), or that of the
 * function around. A row that no test names is an error.
 */
#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- the tables ----------------------------------------------------------------------------
 */

enum effect { NONE, REFUSED, STATUS, IGNORED, PANIC };

static const char *const ns_effect[] = {
    [NONE] = "cannot",
    [REFUSED] = "`PSA_ERROR_CONNECTION_REFUSED`",
    [STATUS] = "`PSA_ERROR_PROGRAMMER_ERROR`",
    [IGNORED] = "no effect",
    [PANIC] = "the run ends",
};

static const char *const sp_effect[] = {
    [NONE] = "panic",    [REFUSED] = "panic", [STATUS] = "panic",
    [IGNORED] = "panic", [PANIC] = "cannot",
};

struct rule {
    const char *id;
    const char *api;
    enum effect effect;
    const char *text;
    const char *section;
};

static const struct rule rules[] = {
#define SPM_SIM_RULE_ROW(id, api, effect, text, section) {#id, api, effect, text, section},
#include "spm_sim/rules.def"
#undef SPM_SIM_RULE_ROW
};

struct note {
    const char *id;
    const char *text;
    const char *tfm;
};

static const struct note notes[] = {
#define SPM_SIM_PORTABILITY_ROW(id, text, tfm) {#id, text, tfm},
#include "spm_sim/portability.def"
#undef SPM_SIM_PORTABILITY_ROW
};

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* --- test sources --------------------------------------------------------------------------
 */

struct source {
    const char *name; /* relative to the root */
    char *text;
};

static _Noreturn void stop(const char *what, const char *which)
{
    fprintf(stderr, "write_tables: %s: %s\n", which, what);
    exit(1);
}

static char *read_file(const char *path)
{
    FILE *file = fopen(path, "r");
    char *text;
    long size;

    if (file == NULL || fseek(file, 0, SEEK_END) != 0 || (size = ftell(file)) < 0)
        stop("cannot be read", path);
    rewind(file);
    text = malloc((size_t)size + 1);
    if (text == NULL || fread(text, 1, (size_t)size, file) != (size_t)size)
        stop("cannot be read", path);
    text[size] = '\0';
    fclose(file);
    return text;
}

static bool in_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* The next place where the word stands in the text, or NULL. */
static const char *find_word(const char *text, const char *from, const char *word)
{
    size_t length = strlen(word);
    const char *at = from;

    while ((at = strstr(at, word)) != NULL) {
        if ((at == text || !in_word(at[-1])) && !in_word(at[length]))
            return at;
        at += length;
    }
    return NULL;
}

/* The line that `at` stands in starts with capitals: a macro that defines a test. */
static bool defines_test(const char *text, const char *at)
{
    while (at > text && at[-1] != '\n')
        at--;
    return isupper((unsigned char)*at);
}

/* The word of small letters that comes first after `at`, among arguments. */
static size_t next_small_word(const char *at, const char **word)
{
    while (*at != '\0' && *at != ';' && *at != '}') {
        const char *start = at;

        while (in_word(*at))
            at++;
        if (at > start && islower((unsigned char)*start)) {
            *word = start;
            return (size_t)(at - start);
        }
        if (at == start)
            at++;
    }
    return 0;
}

/* The function that `at` stands in: the last line before that starts one. */
static size_t function_around(const char *text, const char *at, const char **word)
{
    for (; at > text; at--) {
        const char *open;

        if (at[-1] != '\n' || strncmp(at, "static ", 7) != 0)
            continue;
        open = at + strcspn(at, "(=;\n");
        if (*open != '(')
            continue;
        *word = open;
        while (in_word((*word)[-1]))
            (*word)--;
        return (size_t)(open - *word);
    }
    return 0;
}

static bool find_in(const struct source *source, const char *id, const char *prefix,
                    const char **word, size_t *length)
{
    char prefixed[128];
    const char *at = find_word(source->text, source->text, id);

    snprintf(prefixed, sizeof prefixed, "%s%s", prefix, id);
    if (at != NULL && defines_test(source->text, at)) {
        *length = next_small_word(at + strlen(id), word);
        return *length > 0;
    }
    if (at == NULL)
        at = find_word(source->text, source->text, prefixed);
    if (at == NULL)
        return false;
    if (at > source->text && at[-1] == '[') /* a row of a table: [id] = {name, ...} */
        *length = next_small_word(strchr(at, ']'), word);
    else
        *length = function_around(source->text, at, word);
    return true;
}

static bool write_test(FILE *out, const struct source *sources, size_t count, const char *id,
                       const char *prefix)
{
    for (size_t i = 0; i < count; i++) {
        const char *word = NULL;
        size_t length = 0;

        if (!find_in(&sources[i], id, prefix, &word, &length))
            continue;
        fprintf(out, "[%s](../%s)", strrchr(sources[i].name, '/') + 1, sources[i].name);
        if (length > 0)
            fprintf(out, " `%.*s`", (int)length, word);
        return true;
    }
    fprintf(stderr, "write_tables: no test names %s\n", id);
    return false;
}

/* --- writing -------------------------------------------------------------------------------
 */

static bool write_rules(FILE *out, const struct source *sources, size_t count)
{
    bool complete = true;

    fprintf(
        out,
        "# Rules\n\n"
        "<!-- Made from include/spm_sim/rules.def and the tests; do not edit. -->\n\n"
        "Every programmer error of FF-M that the simulator checks. What the NSPE gets holds "
        "with `ns_programmer_error` = `status`; with `panic` the run ends. *cannot*: that "
        "kind of caller cannot break the rule. A panic ends the run, with a record that "
        "names the rule.\n\n"
        "| rule | API | condition | the NSPE gets | a partition | section | test |\n"
        "|---|---|---|---|---|---|---|\n");
    for (size_t i = 0; i < COUNT(rules); i++) {
        const struct rule *rule = &rules[i];

        fprintf(out, "| `%s` | %s | %s | %s | %s | %s | ", rule->id, rule->api, rule->text,
                ns_effect[rule->effect], sp_effect[rule->effect], rule->section);
        complete &= write_test(out, sources, count, rule->id, "SPM_SIM_RULE_");
        fprintf(out, " |\n");
    }
    return complete;
}

static bool write_notes(FILE *out, const struct source *sources, size_t count)
{
    bool complete = true;

    fprintf(out,
            "# Portability notes\n\n"
            "<!-- Made from include/spm_sim/portability.def and the tests; do not edit. -->\n\n"
            "What FF-M allows and TF-M does not take, or does otherwise. The simulator does as "
            "FF-M says, and notes it: with `SPM_SIM_PORTABILITY=warn` (the default) a line on "
            "stderr, once for each note and each partition or NS thread; with `error` the run "
            "ends with `SPM_SIM_NOT_PORTABLE`; with `off` in silence. "
            "`spm_sim_portability_seen()` counts in each case. TF-M was measured at commit "
            "b23e66338.\n\n"
            "| note | what was done | what TF-M does | test |\n"
            "|---|---|---|---|\n");
    for (size_t i = 0; i < COUNT(notes); i++) {
        fprintf(out, "| `%s` | %s | %s | ", notes[i].id, notes[i].text, notes[i].tfm);
        complete &= write_test(out, sources, count, notes[i].id, "SPM_SIM_PORTABILITY_");
        fprintf(out, " |\n");
    }
    return complete;
}

int main(int argc, char **argv)
{
    struct source *sources;
    size_t count;
    FILE *out;
    bool complete;

    if (argc < 5 || (strcmp(argv[1], "rules") != 0 && strcmp(argv[1], "portability") != 0))
        stop("usage: write_tables rules|portability OUTPUT ROOT TEST...", "arguments");
    count = (size_t)argc - 4;
    sources = calloc(count, sizeof *sources);
    if (sources == NULL)
        stop("no memory is left", argv[1]);
    for (size_t i = 0; i < count; i++) {
        const char *path = argv[4 + i];

        if (strncmp(path, argv[3], strlen(argv[3])) != 0)
            stop("is not below the root", path);
        sources[i] = (struct source){path + strlen(argv[3]) + 1, read_file(path)};
    }
    out = fopen(argv[2], "w");
    if (out == NULL)
        stop("cannot be written", argv[2]);
    complete = strcmp(argv[1], "rules") == 0 ? write_rules(out, sources, count)
                                             : write_notes(out, sources, count);
    complete &= fclose(out) == 0;
    for (size_t i = 0; i < count; i++)
        free(sources[i].text);
    free(sources);
    return complete ? 0 : 1;
}
