/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

#include "flat.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "price.h"

#define FLAT_MAX ((size_t)1024 * 1024)
#define MAGIC    "spm_sim profile 1"

static const char *const step_names[COST_STEP_COUNT] = {
#define COST_STEP(name, when) #name,
#include "steps.def"
#undef COST_STEP
};

#define BEHAVIOURS (sizeof(struct cost_behaviour) / sizeof(bool))

/* FNV-1a, to notice what was changed or cut. */
static uint32_t checksum_of(const char *text, size_t length)
{
    uint32_t sum = UINT32_C(2166136261);

    for (size_t i = 0; i < length; i++)
        sum = (sum ^ (unsigned char)text[i]) * UINT32_C(16777619);
    return sum;
}

/* --- writing --------------------------------------------------------------------------------
 */

static void write_counts(FILE *file, const struct cost_counts *counts)
{
    fprintf(file, " %u", counts->provenance);
    for (size_t i = 0; i < COST_CLASS_COUNT; i++)
        fprintf(file, " %" PRId16, counts->count[i]);
    fputc('\n', file);
}

/* One line, whatever the text has. */
static void write_text(FILE *file, const char *key, const char *text)
{
    fprintf(file, "%s ", key);
    for (; *text != '\0'; text++)
        fputc((unsigned char)*text < ' ' ? ' ' : *text, file);
    fputc('\n', file);
}

static void write_way(FILE *file, const struct cost_copy_path *path)
{
    fprintf(file, "way %d %d %u %u\nbase", path->source_unaligned, path->destination_unaligned,
            path->least_bytes, path->blocks);
    write_counts(file, &path->base);
    for (size_t i = 0; i < COST_COPY_BLOCKS_MAX; i++) {
        fprintf(file, "block %u\nfirst", path->block[i].log2_bytes);
        write_counts(file, &path->block[i].first);
        fputs("next", file);
        write_counts(file, &path->block[i].next);
    }
    for (size_t i = 0; i < COST_COPY_TAIL_MAX; i++) {
        fputs("tail", file);
        write_counts(file, &path->tail[i]);
    }
}

static void write_body(FILE *file, const struct cost_profile *profile)
{
    fprintf(file, MAGIC " %d %d %zu\n", COST_CLASS_COUNT, COST_STEP_COUNT, BEHAVIOURS);
    write_text(file, "name", profile->name);
    write_text(file, "what", profile->what);
    write_text(file, "source", profile->source);
    fprintf(file, "image %d %u %u\n", (int)profile->back_end, profile->isolation_level,
            profile->release);
#define COST_BEHAVIOUR(name, what) fprintf(file, "behaviour %d\n", profile->behaviour.name);
#include "behaviours.def"
#undef COST_BEHAVIOUR
    for (size_t i = 0; i < COST_STEP_COUNT; i++) {
        fprintf(file, "step %s", step_names[i]);
        write_counts(file, &profile->step[i]);
    }
    fprintf(file, "copies %zu\n", profile->copy_paths);
    for (size_t i = 0; i < profile->copy_paths; i++)
        write_way(file, &profile->copy[i]);
}

bool cost_flat_write(FILE *file, const struct cost_profile *profile)
{
    char *text = NULL;
    size_t length = 0;
    FILE *memory = open_memstream(&text, &length);
    bool written = memory != NULL;

    if (memory == NULL)
        return false;
    write_body(memory, profile);
    written = fclose(memory) == 0;
    if (written)
        written = fwrite(text, 1, length, file) == length &&
                  fprintf(file, "end %" PRIu32 "\n", checksum_of(text, length)) > 0;
    free(text);
    return written;
}

/* --- reading --------------------------------------------------------------------------------
 */

/* Takes one line after the other; at the first that is not as expected it stays. */
struct reader {
    char *at;
    unsigned line;
    bool good;
};

/* What follows the word `key` in the next line; "" if that is another. */
static char *take_line(struct reader *reader, const char *key)
{
    char *line = reader->at;
    char *end = strchr(line, '\n');
    size_t length = strlen(key);

    if (!reader->good)
        return line + strlen(line);
    reader->line++;
    if (end == NULL || strncmp(line, key, length) != 0 || line[length] != ' ') {
        reader->good = false;
        return line + strlen(line);
    }
    *end = '\0';
    reader->at = end + 1;
    return line + length + 1;
}

static long take_number(struct reader *reader, char **text, long least, long most)
{
    char *end;
    long number;

    if (!reader->good)
        return least;
    errno = 0;
    number = strtol(*text, &end, 10);
    if (end == *text || errno != 0 || number < least || number > most) {
        reader->good = false;
        return least;
    }
    *text = end;
    return number;
}

static struct cost_counts take_counts(struct reader *reader, char *text)
{
    struct cost_counts counts;

    counts.provenance =
        (uint8_t)take_number(reader, &text, (long)COST_UNPRICED, (long)COST_COMPOSED);
    for (size_t i = 0; i < COST_CLASS_COUNT; i++)
        counts.count[i] = (int16_t)take_number(reader, &text, INT16_MIN, INT16_MAX);
    reader->good = reader->good && *text == '\0';
    return counts;
}

static void take_way(struct reader *reader, struct cost_copy_path *path)
{
    char *text = take_line(reader, "way");

    path->source_unaligned = take_number(reader, &text, 0, 1) == 1;
    path->destination_unaligned = take_number(reader, &text, 0, 1) == 1;
    path->least_bytes = (uint8_t)take_number(reader, &text, 0, UINT8_MAX);
    path->blocks = (uint8_t)take_number(reader, &text, 0, COST_COPY_BLOCKS_MAX);
    path->base = take_counts(reader, take_line(reader, "base"));
    for (size_t i = 0; i < COST_COPY_BLOCKS_MAX; i++) {
        text = take_line(reader, "block");
        path->block[i].log2_bytes = (uint8_t)take_number(reader, &text, 0, 7);
        path->block[i].first = take_counts(reader, take_line(reader, "first"));
        path->block[i].next = take_counts(reader, take_line(reader, "next"));
    }
    for (size_t i = 0; i < COST_COPY_TAIL_MAX; i++)
        path->tail[i] = take_counts(reader, take_line(reader, "tail"));
    /* What the smallest block leaves over must have a place in the tail. */
    if (path->blocks > 0 &&
        (1u << path->block[path->blocks - 1].log2_bytes) > COST_COPY_TAIL_MAX)
        reader->good = false;
}

static void take_steps(struct reader *reader, struct cost_profile *profile)
{
    for (size_t i = 0; i < COST_STEP_COUNT; i++) {
        char *text = take_line(reader, "step");
        size_t length = strlen(step_names[i]);

        if (!reader->good || strncmp(text, step_names[i], length) != 0 || text[length] != ' ') {
            reader->good = false;
            return;
        }
        profile->step[i] = take_counts(reader, text + length);
    }
}

static void take_profile(struct reader *reader, struct cost_flat *flat)
{
    struct cost_profile *profile = &flat->profile;
    char *text = take_line(reader, MAGIC);

    (void)take_number(reader, &text, COST_CLASS_COUNT, COST_CLASS_COUNT);
    (void)take_number(reader, &text, COST_STEP_COUNT, COST_STEP_COUNT);
    (void)take_number(reader, &text, (long)BEHAVIOURS, (long)BEHAVIOURS);
    profile->name = take_line(reader, "name");
    profile->what = take_line(reader, "what");
    profile->source = take_line(reader, "source");
    text = take_line(reader, "image");
    profile->back_end = (enum cost_back_end)take_number(reader, &text, (long)COST_BACK_END_IPC,
                                                        (long)COST_BACK_END_SFN);
    profile->isolation_level = (uint8_t)take_number(reader, &text, 1, 3);
    profile->release = (uint16_t)take_number(reader, &text, 0, UINT16_MAX);
#define COST_BEHAVIOUR(name, what)         \
    text = take_line(reader, "behaviour"); \
    profile->behaviour.name = take_number(reader, &text, 0, 1) == 1;
#include "behaviours.def"
#undef COST_BEHAVIOUR
    take_steps(reader, profile);
    text = take_line(reader, "copies");
    profile->copy = flat->copy;
    profile->copy_paths = (size_t)take_number(reader, &text, 1, COST_COPY_PATHS_MAX);
    for (size_t i = 0; reader->good && i < profile->copy_paths; i++)
        take_way(reader, &flat->copy[i]);
}

static bool is_price(const struct cost_counts *counts, const struct cost_timing *timing)
{
    struct cost_sum sum = cost_sum_of(counts, timing);

    return cost_sum_is_price(&sum);
}

static bool has_prices(const struct cost_flat *flat, const struct cost_timing *timing)
{
    bool good = true;

    for (size_t i = 0; i < COST_STEP_COUNT; i++)
        good = good && is_price(&flat->profile.step[i], timing);
    for (size_t i = 0; i < flat->profile.copy_paths; i++) {
        const struct cost_copy_path *path = &flat->copy[i];

        good = good && is_price(&path->base, timing);
        for (size_t j = 0; j < COST_COPY_BLOCKS_MAX; j++)
            good = good && is_price(&path->block[j].first, timing) &&
                   is_price(&path->block[j].next, timing);
        for (size_t j = 0; j < COST_COPY_TAIL_MAX; j++)
            good = good && is_price(&path->tail[j], timing);
    }
    return good;
}

/* True if the last line has the checksum of all before it; that line is taken off. */
static bool checksum_agrees(char *text)
{
    char *last = NULL;
    char *end;
    unsigned long sum;

    for (char *at = text; (at = strstr(at, "\nend ")) != NULL; at++)
        last = at + 1;
    if (last == NULL)
        return false;
    errno = 0;
    sum = strtoul(last + strlen("end "), &end, 10);
    if (errno != 0 || strcmp(end, "\n") != 0 || sum != checksum_of(text, (size_t)(last - text)))
        return false;
    *last = '\0';
    return true;
}

static struct cost_flat *read_file(const char *path, char *why, size_t size)
{
    struct cost_flat *flat = calloc(1, sizeof *flat + FLAT_MAX + 1);
    FILE *file = fopen(path, "rb");
    size_t length = 0;

    if (file != NULL && flat != NULL)
        length = fread(flat->text, 1, FLAT_MAX, file);
    if (file == NULL)
        snprintf(why, size, "the profile '%s': %s", path, strerror(errno));
    else if (flat == NULL || ferror(file) != 0 || length == 0)
        snprintf(why, size, "the profile '%s' cannot be read", path);
    if (file != NULL)
        fclose(file);
    if (length > 0)
        return flat;
    free(flat);
    return NULL;
}

struct cost_flat *cost_flat_load(const char *path, const struct cost_timing *timing, char *why,
                                 size_t size)
{
    struct cost_flat *flat = read_file(path, why, size);
    struct reader reader;

    if (flat == NULL)
        return NULL;
    reader = (struct reader){flat->text, 0, true};
    if (!checksum_agrees(flat->text)) {
        snprintf(why, size,
                 "the profile '%s' is not whole, or is none; make it by spm_cost compile "
                 "--flat",
                 path);
        free(flat);
        return NULL;
    }
    take_profile(&reader, flat);
    if (reader.good && *reader.at == '\0' && has_prices(flat, timing))
        return flat;
    snprintf(why, size,
             "the profile '%s', line %u, is not for this version of spm_sim; make it again by "
             "spm_cost compile --flat",
             path, reader.line);
    free(flat);
    return NULL;
}
