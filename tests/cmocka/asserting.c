/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/* A partition whose service asserts what the client sends: that it is 42. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "psa/service.h"
#include "psa_manifest/asserting.h"

void asserting_main(void)
{
    while (1) {
        psa_msg_t msg;
        uint32_t value = 0;

        (void)psa_wait(ASSERTING_SERVICE_SIGNAL, PSA_BLOCK);
        if (psa_get(ASSERTING_SERVICE_SIGNAL, &msg) != PSA_SUCCESS)
            continue;
        assert_int_equal(PSA_IPC_CCC, msg.type);
        (void)psa_read(msg.handle, 0, &value, sizeof value);
        assert_int_equal(42, value);
        psa_reply(msg.handle, mock_type(psa_status_t));
    }
}
