/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/*
 * The order of a list in which whatever is found moves to the front.
 *
 * Kept for its price alone: who asks how many items stand before one gets the number in
 * O(log n), without walking. Each item has a stamp that grows with every move, and a Fenwick
 * tree counts the stamps in use; when the stamps run out, all are given anew.
 */
#ifndef SPM_FRONT_H
#define SPM_FRONT_H

#include <stddef.h>
#include <stdint.h>

struct spm_front {
    uint32_t items;
    uint32_t last;   /* the greatest stamp given */
    uint32_t *stamp; /* of an item, from 1 */
    uint32_t *item;  /* of a stamp, plus 1; 0: none */
    uint32_t *tree;
};

/* Words of zeroed storage that so many items need. */
size_t spm_front_words(size_t items);

/* The item that was added last is at the front. */
void spm_front_init(struct spm_front *front, uint32_t items, uint32_t *storage);

/* How many stand before `item`; it moves to the front. */
uint32_t spm_front_move(struct spm_front *front, uint32_t item);

#endif /* SPM_FRONT_H */
