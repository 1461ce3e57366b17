/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

#include "model.h"

#include "price.h"

#define COUNT_LEAST (-9999)
#define COUNT_MOST  9999

/* Names in the order of the library's enums; the lists end with NULL. */
static const char *const step_names[COST_STEP_COUNT + 1] = {
#define COST_STEP(name, when) #name,
#include "steps.def"
#undef COST_STEP
};

static const char *const class_keys[COST_CLASS_COUNT + 1] = {
#define COST_CLASS(name, key, instructions, what) #key,
#include "classes.def"
#undef COST_CLASS
};

static const char *const exception_keys[COST_EXC_COUNT + 1] = {
#define COST_EXCEPTION(name, key, what) #key,
#include "exceptions.def"
#undef COST_EXCEPTION
};

static const char *const behaviour_keys[] = {
#define COST_BEHAVIOUR(name, what) #name,
#include "behaviours.def"
#undef COST_BEHAVIOUR
    NULL};

/* Of a part of a step; without the first, of the counts of a copy. */
static const char *const part_keys[] = {"from", "composed",
#define COST_CLASS(name, key, instructions, what) #key,
#include "classes.def"
#undef COST_CLASS
                                        NULL};

const char *model_step_name(enum cost_step step)
{
    return step_names[step];
}

const char *model_class_key(enum cost_class class)
{
    return class_keys[class];
}

const char *model_exception_key(enum cost_exception exception)
{
    return exception_keys[exception];
}

const char *model_name(const struct model *model)
{
    return model->kind == MODEL_PROFILE ? model->profile.name : model->timing.name;
}

static struct cost_counts read_counts(struct source *source, const yaml_node_t *mapping)
{
    struct cost_counts counts = {.provenance = COST_MEASURED};
    const yaml_node_t *composed = source_value(source, mapping, "composed");

    if (composed != NULL) {
        counts.provenance = COST_COMPOSED;
        source_text(source, composed, "the reason after 'composed'");
    }
    for (size_t i = 0; i < COST_CLASS_COUNT; i++) {
        const yaml_node_t *count = source_value(source, mapping, class_keys[i]);

        if (count != NULL)
            counts.count[i] = (int16_t)source_number(source, count, class_keys[i], COUNT_LEAST,
                                                     COUNT_MOST, 0);
    }
    return counts;
}

static void add_counts(struct source *source, const yaml_node_t *at, struct cost_counts *sum,
                       const struct cost_counts *counts)
{
    for (size_t i = 0; i < COST_CLASS_COUNT; i++) {
        int count = sum->count[i] + counts->count[i];

        if (count < COUNT_LEAST || count > COUNT_MOST)
            source_mistake(source, at, "the parts have %d of %s together; allowed are %d to %d",
                           count, class_keys[i], COUNT_LEAST, COUNT_MOST);
        else
            sum->count[i] = (int16_t)count;
    }
    if (counts->provenance == COST_COMPOSED)
        sum->provenance = COST_COMPOSED;
}

static void read_part(struct source *source, const yaml_node_t *node, struct cost_counts *sum)
{
    const yaml_node_t *from;
    struct cost_counts counts;

    if (!source_is_mapping(source, node, "a part of a step", part_keys))
        return;
    from = source_required(source, node, "from");
    if (from != NULL)
        source_text(source, from, "'from'");
    counts = read_counts(source, node);
    add_counts(source, node, sum, &counts);
}

static struct cost_counts read_step(struct source *source, const yaml_node_t *node)
{
    struct cost_counts sum = {.provenance = COST_MEASURED};

    if (source_is(node, "unpriced"))
        return (struct cost_counts){.provenance = COST_UNPRICED};
    if (source_is(node, "nothing"))
        return sum;
    if (node->type != YAML_SEQUENCE_NODE || source_length(node) == 0) {
        source_mistake(source, node, "a step must be a list of parts, 'nothing' or 'unpriced'");
        return sum;
    }
    for (size_t i = 0; i < source_length(node); i++)
        read_part(source, source_item(source, node, i), &sum);
    return sum;
}

static void read_steps(struct model *model, const yaml_node_t *root)
{
    struct source *source = &model->source;
    const yaml_node_t *steps = source_required(source, root, "steps");

    if (steps == NULL || !source_is_mapping(source, steps, "steps", step_names))
        return;
    for (size_t i = 0; i < COST_STEP_COUNT; i++) {
        const yaml_node_t *step = source_value(source, steps, step_names[i]);

        if (step == NULL)
            source_mistake(
                source, steps,
                "step %s is missing; a step without figures is 'nothing' or 'unpriced'",
                step_names[i]);
        else
            model->profile.step[i] = read_step(source, step);
    }
}

static void read_behaviour(struct model *model, const yaml_node_t *root)
{
    struct source *source = &model->source;
    const yaml_node_t *node = source_required(source, root, "behaviour");
    const yaml_node_t *value;

    if (node == NULL || !source_is_mapping(source, node, "behaviour", behaviour_keys))
        return;
#define COST_BEHAVIOUR(name, what)                \
    value = source_required(source, node, #name); \
    model->profile.behaviour.name = value != NULL && source_boolean(source, value, #name);
#include "behaviours.def"
#undef COST_BEHAVIOUR
}

static struct cost_counts read_copy_counts(struct source *source, const yaml_node_t *mapping,
                                           const char *key)
{
    const yaml_node_t *node = source_required(source, mapping, key);

    if (node == NULL || !source_is_mapping(source, node, key, &part_keys[1]))
        return (struct cost_counts){.provenance = COST_UNPRICED};
    return read_counts(source, node);
}

/* The logarithm of a power of two from 1 to 128. */
static uint8_t read_block_size(struct source *source, const yaml_node_t *block)
{
    const yaml_node_t *node = source_required(source, block, "bytes");
    long bytes = node == NULL ? 1 : source_number(source, node, "bytes", 1, 128, 1);
    uint8_t log2_bytes = 0;

    while ((1L << log2_bytes) < bytes)
        log2_bytes++;
    if (1L << log2_bytes != bytes)
        source_mistake(source, node, "bytes must be a power of two");
    return log2_bytes;
}

static void read_blocks(struct source *source, const yaml_node_t *path_node,
                        struct cost_copy_path *path)
{
    static const char *const keys[] = {"bytes", "first", "next", NULL};
    const yaml_node_t *blocks = source_required(source, path_node, "blocks");
    unsigned larger = 8;

    if (blocks == NULL || !source_is_list(source, blocks, "blocks"))
        return;
    if (source_length(blocks) > COST_COPY_BLOCKS_MAX) {
        source_mistake(source, blocks, "%zu sizes of blocks; at most %d are allowed",
                       source_length(blocks), COST_COPY_BLOCKS_MAX);
        return;
    }
    for (size_t i = 0; i < source_length(blocks); i++) {
        const yaml_node_t *node = source_item(source, blocks, i);
        struct cost_copy_block *block = &path->block[i];

        if (!source_is_mapping(source, node, "a block", keys))
            continue;
        block->log2_bytes = read_block_size(source, node);
        block->first = read_copy_counts(source, node, "first");
        block->next = read_copy_counts(source, node, "next");
        if (block->log2_bytes >= larger)
            source_mistake(source, node, "blocks must become smaller from one to the next");
        larger = block->log2_bytes;
    }
    path->blocks = (uint8_t)source_length(blocks);
}

/* The tail has a place for each number of bytes that the blocks can leave over. */
static void read_tail(struct source *source, const yaml_node_t *path_node,
                      struct cost_copy_path *path)
{
    const yaml_node_t *tail = source_required(source, path_node, "tail");
    size_t most = 0;

    if (tail == NULL || !source_is_list(source, tail, "tail"))
        return;
    if (path->blocks > 0)
        most = ((size_t)1 << path->block[path->blocks - 1].log2_bytes) - 1;
    if (most >= COST_COPY_TAIL_MAX || source_length(tail) != most) {
        source_mistake(
            source, tail,
            "a tail of %zu; the smallest block must be at most %d bytes, and the tail "
            "must have a place for each number of bytes below it, from 1 on",
            source_length(tail), COST_COPY_TAIL_MAX);
        return;
    }
    for (size_t i = 0; i < most; i++) {
        const yaml_node_t *node = source_item(source, tail, i);

        if (source_is_mapping(source, node, "a tail", &part_keys[1]))
            path->tail[i + 1] = read_counts(source, node);
    }
}

static bool read_unaligned(struct source *source, const yaml_node_t *path, const char *key)
{
    const yaml_node_t *node = source_value(source, path, key);

    if (node != NULL && !source_is(node, "unaligned"))
        source_mistake(source, node, "%s can only be 'unaligned'; leave it out otherwise", key);
    return node != NULL;
}

static void read_copy_path(struct source *source, const yaml_node_t *node, bool first,
                           struct cost_copy_path *path)
{
    static const char *const keys[] = {"source", "destination", "least_bytes", "base",
                                       "blocks", "tail",        NULL};
    const yaml_node_t *least;

    if (!source_is_mapping(source, node, "a way to copy", keys))
        return;
    path->source_unaligned = read_unaligned(source, node, "source");
    path->destination_unaligned = read_unaligned(source, node, "destination");
    least = source_value(source, node, "least_bytes");
    if (least != NULL)
        path->least_bytes = (uint8_t)source_number(source, least, "least_bytes", 1, 255, 1);
    if (first && (path->source_unaligned || path->destination_unaligned || least != NULL))
        source_mistake(source, node,
                       "the first way to copy must fit every copy: it has no "
                       "source, destination or least_bytes");
    path->base = read_copy_counts(source, node, "base");
    read_blocks(source, node, path);
    read_tail(source, node, path);
}

static void read_copy(struct model *model, const yaml_node_t *root)
{
    struct source *source = &model->source;
    const yaml_node_t *paths = source_required(source, root, "copy");

    if (paths == NULL || !source_is_list(source, paths, "copy"))
        return;
    if (source_length(paths) == 0 || source_length(paths) > COST_COPY_PATHS_MAX) {
        source_mistake(source, paths, "%zu ways to copy; 1 to %d are allowed",
                       source_length(paths), COST_COPY_PATHS_MAX);
        return;
    }
    for (size_t i = 0; i < source_length(paths); i++)
        read_copy_path(source, source_item(source, paths, i), i == 0, &model->copy[i]);
    model->profile.copy = model->copy;
    model->profile.copy_paths = source_length(paths);
}

static const char *read_text(struct source *source, const yaml_node_t *mapping, const char *key)
{
    const yaml_node_t *node = source_required(source, mapping, key);

    return node == NULL ? NULL : source_text(source, node, key);
}

/* Which images it is for. */
static void read_system(struct model *model, const yaml_node_t *root)
{
    struct source *source = &model->source;
    const yaml_node_t *back_end = source_required(source, root, "back_end");
    const yaml_node_t *level = source_required(source, root, "isolation_level");
    const yaml_node_t *release = source_required(source, root, "release");

    if (back_end != NULL && source_is(back_end, "sfn"))
        model->profile.back_end = COST_BACK_END_SFN;
    else if (back_end != NULL && !source_is(back_end, "ipc"))
        source_mistake(source, back_end, "back_end must be ipc or sfn");
    if (level != NULL)
        model->profile.isolation_level =
            (uint8_t)source_number(source, level, "isolation_level", 1, 3, 1);
    if (release != NULL)
        model->profile.release =
            (uint16_t)source_number(source, release, "release", 2000, 9999, 2000);
}

static void read_profile(struct model *model, const yaml_node_t *root)
{
    static const char *const keys[] = {
        "profile", "what",      "source", "back_end", "isolation_level",
        "release", "behaviour", "steps",  "copy",     NULL};

    model->kind = MODEL_PROFILE;
    if (!source_is_mapping(&model->source, root, "a profile", keys))
        return;
    model->profile.name = read_text(&model->source, root, "profile");
    model->profile.what = read_text(&model->source, root, "what");
    model->profile.source = read_text(&model->source, root, "source");
    read_system(model, root);
    read_behaviour(model, root);
    read_steps(model, root);
    read_copy(model, root);
}

static struct cost_cycles read_cycles(struct source *source, const yaml_node_t *node,
                                      const char **text)
{
    static const char *const keys[] = {"min", "usual", "max", "source", NULL};
    long cycles[3] = {0, 0, 0};

    if (!source_is_mapping(source, node, "a row of cycles", keys))
        return (struct cost_cycles){0, 0, 0};
    for (size_t i = 0; i < 3; i++) {
        const yaml_node_t *value = source_required(source, node, keys[i]);

        if (value != NULL)
            cycles[i] = source_number(source, value, keys[i], 0, 9999, 0);
    }
    if (cycles[0] > cycles[1] || cycles[1] > cycles[2])
        source_mistake(source, node, "min %ld, usual %ld, max %ld; they must not fall",
                       cycles[0], cycles[1], cycles[2]);
    *text = read_text(source, node, "source");
    return (struct cost_cycles){(uint16_t)cycles[0], (uint16_t)cycles[1], (uint16_t)cycles[2]};
}

static void read_rows(struct source *source, const yaml_node_t *root, const char *key,
                      source_keys names, struct cost_cycles *rows, const char **texts)
{
    const yaml_node_t *table = source_required(source, root, key);

    if (table == NULL || !source_is_mapping(source, table, key, names))
        return;
    for (size_t i = 0; names[i] != NULL; i++) {
        const yaml_node_t *row = source_required(source, table, names[i]);

        if (row != NULL)
            rows[i] = read_cycles(source, row, &texts[i]);
    }
}

static void read_timing(struct model *model, const yaml_node_t *root)
{
    static const char *const keys[] = {"timing", "what", "classes", "exceptions", NULL};

    model->kind = MODEL_TIMING;
    if (!source_is_mapping(&model->source, root, "a timing", keys))
        return;
    model->timing.name = read_text(&model->source, root, "timing");
    model->timing.what = read_text(&model->source, root, "what");
    read_rows(&model->source, root, "classes", class_keys, model->timing.by_class,
              model->class_source);
    read_rows(&model->source, root, "exceptions", exception_keys, model->timing.by_exception,
              model->exception_source);
}

void model_read(struct model *model)
{
    const yaml_node_t *root = source_root(&model->source);

    if (root == NULL)
        return;
    if (root->type == YAML_MAPPING_NODE &&
        source_value(&model->source, root, "profile") != NULL)
        read_profile(model, root);
    else if (root->type == YAML_MAPPING_NODE &&
             source_value(&model->source, root, "timing") != NULL)
        read_timing(model, root);
    else
        source_mistake(&model->source, root,
                       "neither a profile nor a timing; a mapping with 'profile: NAME' or "
                       "'timing: NAME' is expected");
}

static const yaml_node_t *step_node(struct model *model, enum cost_step step)
{
    const yaml_node_t *steps =
        source_value(&model->source, source_root(&model->source), "steps");

    return source_value(&model->source, steps, step_names[step]);
}

size_t model_parts(struct model *model, enum cost_step step)
{
    const yaml_node_t *node = step_node(model, step);

    return node->type == YAML_SEQUENCE_NODE ? source_length(node) : 0;
}

struct model_part model_part(struct model *model, enum cost_step step, size_t index)
{
    struct source *source = &model->source;
    const yaml_node_t *node = source_item(source, step_node(model, step), index);
    const yaml_node_t *composed = source_value(source, node, "composed");

    return (struct model_part){
        .from = source_text(source, source_value(source, node, "from"), "'from'"),
        .composed = composed == NULL
                        ? NULL
                        : source_text(source, composed, "the reason after 'composed'"),
        .counts = read_counts(source, node)};
}

static void check_price(struct model *model, const struct cost_counts *counts,
                        const struct cost_timing *timing, const yaml_node_t *at,
                        const char *what)
{
    struct cost_sum sum = cost_sum_of(counts, timing);

    if (!cost_sum_is_price(&sum))
        source_mistake(
            &model->source, at,
            "%s comes to %lld instructions and %lld, %lld, %lld cycles on %s; none may "
            "be below zero",
            what, (long long)sum.instructions, (long long)sum.cycles_min, (long long)sum.cycles,
            (long long)sum.cycles_max, timing->name);
}

void model_check_prices(struct model *model, const struct cost_timing *timing)
{
    const yaml_node_t *copy = source_value(&model->source, source_root(&model->source), "copy");

    for (size_t i = 0; i < COST_STEP_COUNT; i++)
        check_price(model, &model->profile.step[i], timing, step_node(model, (enum cost_step)i),
                    step_names[i]);
    for (size_t i = 0; i < model->profile.copy_paths; i++) {
        const struct cost_copy_path *path = &model->copy[i];
        const yaml_node_t *at = source_item(&model->source, copy, i);

        check_price(model, &path->base, timing, at, "base");
        for (size_t j = 0; j < path->blocks; j++) {
            check_price(model, &path->block[j].first, timing, at, "first");
            check_price(model, &path->block[j].next, timing, at, "next");
        }
        for (size_t j = 0; j < COST_COPY_TAIL_MAX; j++)
            check_price(model, &path->tail[j], timing, at, "tail");
    }
}
