/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/*
 * gnuplot gets the script by a pipe and writes the picture to a file beside the one asked for,
 * which takes its name when all went well: an older picture is not lost to a failure.
 */

#include "gnuplot.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static bool fail(const char *program, const char *what, const char *file, int error)
{
    fprintf(stderr, "%s: --plot: %s '%s': %s\n", program, what, file, strerror(error));
    return false;
}

/* Starts gnuplot, its output in the file. @return the stream for its script, NULL: errno says
 * why */
static FILE *start_gnuplot(int output, pid_t *pid)
{
    char name[] = "gnuplot";
    char *arguments[] = {name, NULL};
    posix_spawn_file_actions_t actions;
    int ends[2];
    int error;

    if (pipe2(ends, O_CLOEXEC) != 0)
        return NULL;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[0], STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
    error = posix_spawnp(pid, name, &actions, NULL, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    close(ends[0]);
    if (error == 0)
        return fdopen(ends[1], "w");
    close(ends[1]);
    errno = error;
    return NULL;
}

static bool wait_for_gnuplot(pid_t pid)
{
    int status;

    while (waitpid(pid, &status, 0) < 0) {
        if (errno != EINTR)
            return false;
    }
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static bool draw(const char *program, int output, gnuplot_script *print, const void *arg)
{
    pid_t pid;
    FILE *script = start_gnuplot(output, &pid);

    if (script == NULL && errno == ENOENT)
        fprintf(stderr,
                "%s: --plot needs gnuplot, which is not installed (Debian: gnuplot-nox)\n",
                program);
    else if (script == NULL)
        (void)fail(program, "cannot start", "gnuplot", errno);
    if (script == NULL)
        return false;
    /* If gnuplot ends early, its status tells. */
    signal(SIGPIPE, SIG_IGN);
    print(script, arg);
    fclose(script);
    if (wait_for_gnuplot(pid))
        return true;
    fprintf(stderr, "%s: --plot: gnuplot failed\n", program);
    return false;
}

bool gnuplot_draw(const char *program, const char *file, gnuplot_script *print, const void *arg)
{
    char beside[4096];
    int output;
    bool done;

    if (snprintf(beside, sizeof beside, "%s.tmp", file) >= (int)sizeof beside)
        return fail(program, "cannot write", file, ENAMETOOLONG);
    output = open(beside, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (output < 0)
        return fail(program, "cannot write", file, errno);
    done = draw(program, output, print, arg);
    close(output);
    if (done && rename(beside, file) == 0)
        return true;
    if (done)
        (void)fail(program, "cannot write", file, errno);
    unlink(beside);
    return false;
}
