/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

#include "spm/front.h"

/* Stamps until all are given anew. */
static uint32_t capacity(const struct spm_front *front)
{
    return 2 * front->items;
}

size_t spm_front_words(size_t items)
{
    return items + 2 * (2 * items + 1);
}

static void count(struct spm_front *front, uint32_t stamp, uint32_t change)
{
    for (; stamp <= capacity(front); stamp += stamp & -stamp)
        front->tree[stamp] += change;
}

static uint32_t used_up_to(const struct spm_front *front, uint32_t stamp)
{
    uint32_t used = 0;

    for (; stamp > 0; stamp -= stamp & -stamp)
        used += front->tree[stamp];
    return used;
}

static void give_stamp(struct spm_front *front, uint32_t item)
{
    front->stamp[item] = ++front->last;
    front->item[front->last] = item + 1;
    count(front, front->last, 1);
}

static void take_stamp(struct spm_front *front, uint32_t item)
{
    front->item[front->stamp[item]] = 0;
    count(front, front->stamp[item], (uint32_t)-1);
}

void spm_front_init(struct spm_front *front, uint32_t items, uint32_t *storage)
{
    *front = (struct spm_front){.items = items,
                                .stamp = storage,
                                .item = storage + items,
                                .tree = storage + 3 * (size_t)items + 1};
    for (uint32_t item = 0; item < items; item++)
        give_stamp(front, item);
}

/* In the same order, from 1 on. */
static void renumber(struct spm_front *front)
{
    uint32_t end = front->last;

    front->last = 0;
    for (uint32_t stamp = 1; stamp <= end; stamp++) {
        uint32_t item = front->item[stamp];

        if (item == 0)
            continue;
        take_stamp(front, item - 1);
        give_stamp(front, item - 1);
    }
}

uint32_t spm_front_move(struct spm_front *front, uint32_t item)
{
    uint32_t before = front->items - used_up_to(front, front->stamp[item]);

    if (before == 0)
        return 0;
    if (front->last == capacity(front))
        renumber(front);
    take_stamp(front, item);
    give_stamp(front, item);
    return before;
}
