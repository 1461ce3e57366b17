/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/* What the secure client does: the request's type. */
#ifndef ITS_USER_H
#define ITS_USER_H

enum its_user_request {
    ITS_USER_CASES,         /* its_cases(), with the assertions of the running test */
    ITS_USER_SET,           /* in: uid, data; sets it without flags */
    ITS_USER_GET,           /* in: uid; out: data */
    ITS_USER_REMOVE,        /* in: uid */
    ITS_USER_WRONG_VECTORS, /* asks for a removal without a uid */
    ITS_USER_PANIC
};

#endif /* ITS_USER_H */
