/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/* An NS application with variables, part of the image by psa_add_ns_app(). */
#ifndef NS_APP_H
#define NS_APP_H

#include <stdbool.h>

bool ns_app_is_fresh(void);
void ns_app_spoil(void);

#endif /* NS_APP_H */
