/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

#include "ns_app.h"

#define DATA 5

static int data = DATA;
static int bss;

bool ns_app_is_fresh(void)
{
    static bool asked; /* one of a function, too */
    bool fresh = data == DATA && bss == 0 && !asked;

    asked = true;
    return fresh;
}

void ns_app_spoil(void)
{
    data++;
    bss++;
}
