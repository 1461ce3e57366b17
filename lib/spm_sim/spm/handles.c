/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

#include "spm/handles.h"

/* Where a handle stands, or would. */
struct place {
    const struct spm_service *service;
    uint64_t order;
};

static struct place place_of(const struct spm_connection *connection)
{
    return (struct place){connection->service, connection->order};
}

static bool is_before(const struct spm_connection *connection, struct place place)
{
    if (connection->service != place.service)
        return connection->service < place.service;
    return connection->order < place.order;
}

static uint32_t size_of(const struct spm_connection *tree)
{
    return tree == NULL ? 0 : tree->below + 1;
}

static void count(struct spm_connection *tree)
{
    tree->below = size_of(tree->left) + size_of(tree->right);
}

/* Places are distinct, and so are their products modulo 2^32. */
static bool goes_above(const struct spm *spm, const struct spm_connection *a,
                       const struct spm_connection *b)
{
    const uint32_t mixer = UINT32_C(2654435769);

    return (uint32_t)(a - spm->connections) * mixer > (uint32_t)(b - spm->connections) * mixer;
}

/* Parts `tree` into those before the place and the others. */
static void split(struct spm_connection *tree, struct place place,
                  struct spm_connection **before, struct spm_connection **others)
{
    if (tree == NULL) {
        *before = *others = NULL;
        return;
    }
    if (is_before(tree, place)) {
        *before = tree;
        split(tree->right, place, &tree->right, others);
    } else {
        *others = tree;
        split(tree->left, place, before, &tree->left);
    }
    count(tree);
}

/* All of `first` stand before all of `second`. */
static struct spm_connection *merge(const struct spm *spm, struct spm_connection *first,
                                    struct spm_connection *second)
{
    if (first == NULL || second == NULL)
        return first == NULL ? second : first;
    if (goes_above(spm, first, second)) {
        first->right = merge(spm, first->right, second);
        count(first);
        return first;
    }
    second->left = merge(spm, first, second->left);
    count(second);
    return second;
}

void spm_handles_add(struct spm *spm, struct spm_connection *connection)
{
    struct spm_connection *before;
    struct spm_connection *others;

    if (!spm->handles_listed)
        return;
    connection->order = ++spm->connection_order;
    connection->left = connection->right = NULL;
    connection->below = 0;
    split(spm->handles, place_of(connection), &before, &others);
    spm->handles = merge(spm, merge(spm, before, connection), others);
}

void spm_handles_remove(struct spm *spm, struct spm_connection *connection)
{
    struct spm_connection **link = &spm->handles;

    if (connection->order == 0)
        return;
    while (*link != connection) {
        (*link)->below--;
        link = is_before(connection, place_of(*link)) ? &(*link)->left : &(*link)->right;
    }
    *link = merge(spm, connection->left, connection->right);
    connection->order = 0;
}

static uint64_t listed_before(const struct spm *spm, struct place place)
{
    const struct spm_connection *tree = spm->handles;
    uint64_t before = 0;

    while (tree != NULL) {
        if (is_before(tree, place)) {
            before += size_of(tree->left) + 1;
            tree = tree->right;
        } else {
            tree = tree->left;
        }
    }
    return before;
}

uint64_t spm_handles_of_services_before(const struct spm *spm,
                                        const struct spm_service *service)
{
    return listed_before(spm, (struct place){service, 0});
}

uint64_t spm_handles_before(const struct spm *spm, const struct spm_connection *connection)
{
    return listed_before(spm, place_of(connection)) -
           spm_handles_of_services_before(spm, connection->service);
}
