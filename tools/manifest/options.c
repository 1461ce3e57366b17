/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

#include "options.h"

#include <getopt.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "lexical.h"

#ifndef SPM_SIM_VERSION
#define SPM_SIM_VERSION "unknown"
#endif

static const char HELP[] =
    "Usage: spm_manifest --image NAME --output DIR [OPTION...] MANIFEST... | --list LIST...\n"
    "       spm_manifest --check | --map | --dot | --list-partitions [OPTION...] MANIFEST...\n"
    "\n"
    "Compiles FF-M 1.0 and 1.1 partition manifests (JSON or YAML) and TF-M manifest lists\n"
    "into psa_manifest/ headers and the image as C data. Nothing is written after a mistake.\n"
    "\n"
    "What to do:\n"
    "  --image NAME           name of the image, a C identifier; writes NAME.c\n"
    "  --output DIR           directory to write into, made if absent\n"
    "  --check                only check, write nothing\n"
    "  --map                  print partitions, services, interrupts, regions and who may\n"
    "                         call whom\n"
    "  --dot                  print the same as a graph for Graphviz\n"
    "  --list-partitions      print a line for each: PARTITION MANIFEST ENTRY\n"
    "  --help, --version      print this, or the version\n"
    "\n"
    "The system:\n"
    "  --list LIST            a manifest list; may be repeated, and mixed with manifests\n"
    "  --isolation-level N    1 (default), 2 or 3\n"
    "  --backend NAME         ipc (default) or sfn\n"
    "  --config NAME=VALUE    a value for 'conditional' of a list, or for a size; may be\n"
    "                         repeated, the last one counts\n"
    "\n"
    "Exit status: 0 done, 1 mistakes in the input or an output that cannot be written,\n"
    "2 wrong usage.\n";

enum {
    OPTION_IMAGE = 256,
    OPTION_OUTPUT,
    OPTION_ISOLATION_LEVEL,
    OPTION_BACKEND,
    OPTION_CONFIG,
    OPTION_LIST,
    OPTION_CHECK,
    OPTION_MAP,
    OPTION_DOT,
    OPTION_LIST_PARTITIONS,
    OPTION_HELP,
    OPTION_VERSION
};

static const struct option LONG_OPTIONS[] = {
    {"image", required_argument, NULL, OPTION_IMAGE},
    {"output", required_argument, NULL, OPTION_OUTPUT},
    {"isolation-level", required_argument, NULL, OPTION_ISOLATION_LEVEL},
    {"backend", required_argument, NULL, OPTION_BACKEND},
    {"config", required_argument, NULL, OPTION_CONFIG},
    {"list", required_argument, NULL, OPTION_LIST},
    {"check", no_argument, NULL, OPTION_CHECK},
    {"map", no_argument, NULL, OPTION_MAP},
    {"dot", no_argument, NULL, OPTION_DOT},
    {"list-partitions", no_argument, NULL, OPTION_LIST_PARTITIONS},
    {"help", no_argument, NULL, OPTION_HELP},
    {"version", no_argument, NULL, OPTION_VERSION},
    {NULL, 0, NULL, 0},
};

/* The arrays that are filled have room for every argument. */
struct parser {
    struct options *options;
    struct arena *arena;
    struct config *configs;
    bool mode_given;
};

static bool wrong(const char *format, ...) __attribute__((format(printf, 1, 2)));

static bool wrong(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fputs("spm_manifest: ", stderr);
    vfprintf(stderr, format, arguments);
    fputs("\nTry 'spm_manifest --help'.\n", stderr);
    va_end(arguments);
    return false;
}

static void add_input(struct options *options, const char *path, bool is_list)
{
    options->inputs[options->input_count++] = (struct input){path, is_list};
}

static bool set_mode(struct parser *parser, enum mode mode)
{
    if (parser->mode_given && parser->options->mode != mode) {
        return wrong("only one of --check, --map, --dot and --list-partitions is allowed");
    }
    parser->mode_given = true;
    parser->options->mode = mode;
    return true;
}

static bool set_image(struct options *options, const char *name)
{
    if (!is_identifier(name, strlen(name)) || is_keyword(name, strlen(name))) {
        return wrong("--image '%s' is no C identifier", name);
    }
    options->image = name;
    return true;
}

static bool set_isolation_level(struct options *options, const char *level)
{
    if (strlen(level) != 1 || level[0] < '1' || level[0] > '3') {
        return wrong("--isolation-level '%s'; allowed are 1, 2 and 3", level);
    }
    options->settings.isolation_level = (unsigned)(level[0] - '0');
    return true;
}

static bool set_backend(struct options *options, const char *name)
{
    bool sfn = strcmp(name, "sfn") == 0;
    if (!sfn && strcmp(name, "ipc") != 0) {
        return wrong("--backend '%s'; allowed are ipc and sfn", name);
    }
    options->settings.backend = sfn ? BACKEND_SFN : BACKEND_IPC;
    return true;
}

static bool add_config(struct parser *parser, const char *definition)
{
    const char *equals = strchr(definition, '=');
    if (equals == NULL || !is_identifier(definition, (size_t)(equals - definition))) {
        return wrong("--config '%s'; allowed is NAME=VALUE", definition);
    }
    const char *name = arena_copy(parser->arena, definition, (size_t)(equals - definition));
    struct settings *settings = &parser->options->settings;
    parser->configs[settings->config_count++] = (struct config){name, equals + 1};
    return true;
}

static bool handle(struct parser *parser, int option, const char *argument)
{
    struct options *options = parser->options;
    switch (option) {
    case OPTION_IMAGE:
        return set_image(options, argument);
    case OPTION_OUTPUT:
        options->output = argument;
        return true;
    case OPTION_ISOLATION_LEVEL:
        return set_isolation_level(options, argument);
    case OPTION_BACKEND:
        return set_backend(options, argument);
    case OPTION_CONFIG:
        return add_config(parser, argument);
    case OPTION_LIST:
        add_input(options, argument, true);
        return true;
    case OPTION_CHECK:
        return set_mode(parser, MODE_CHECK);
    case OPTION_MAP:
        return set_mode(parser, MODE_MAP);
    case OPTION_DOT:
        return set_mode(parser, MODE_DOT);
    default:
        return set_mode(parser, MODE_LIST_PARTITIONS);
    }
}

static bool check_whole(const struct options *options)
{
    if (options->input_count == 0) {
        return wrong("no manifest; give partition manifests, or manifest lists with --list");
    }
    if (options->mode == MODE_EMIT && (options->image == NULL || options->output == NULL)) {
        return wrong(
            "--image NAME and --output DIR are needed, or one of --check, --map, --dot "
            "and --list-partitions");
    }
    if (options->mode == MODE_EMIT && options->output[0] == '\0') {
        return wrong("--output is empty; allowed is the name of a directory");
    }
    if (options->settings.backend == BACKEND_SFN && options->settings.isolation_level > 1) {
        return wrong("--backend sfn with --isolation-level %u; allowed is level 1",
                     options->settings.isolation_level);
    }
    return true;
}

static enum options_result bad_option(int option, char **argv)
{
    const char *argument = argv[optind - 1];
    if (option == ':') {
        wrong("option '%s' needs a value", argument);
    } else {
        wrong("unknown, ambiguous or malformed option '%s'", argument);
    }
    return OPTIONS_WRONG;
}

enum options_result options_parse(struct options *options, struct arena *arena, int argc,
                                  char **argv)
{
    struct parser parser = {.options = options, .arena = arena};
    *options = (struct options){.settings = {.isolation_level = 1}};
    options->inputs = arena_alloc(arena, (size_t)argc * sizeof(*options->inputs));
    parser.configs = arena_alloc(arena, (size_t)argc * sizeof(*parser.configs));
    options->settings.configs = parser.configs;
    opterr = 0;
    /* '-': arguments that are no options come in their place, as option 1; ':': tell apart what
     * is unknown and what lacks its value. */
    for (int option; (option = getopt_long(argc, argv, "-:", LONG_OPTIONS, NULL)) != -1;) {
        if (option == OPTION_HELP) {
            fputs(HELP, stdout);
            return OPTIONS_DONE;
        }
        if (option == OPTION_VERSION) {
            puts("spm_manifest " SPM_SIM_VERSION);
            return OPTIONS_DONE;
        }
        if (option == '?' || option == ':') {
            return bad_option(option, argv);
        }
        if (option == 1) {
            add_input(options, optarg, false);
        } else if (!handle(&parser, option, optarg)) {
            return OPTIONS_WRONG;
        }
    }
    while (optind < argc) {
        add_input(options, argv[optind++], false);
    }
    return check_whole(options) ? OPTIONS_RUN : OPTIONS_WRONG;
}
