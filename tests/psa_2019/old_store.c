/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/* Source code as of February 2019: it knows psa_client.h and psa_service.h alone. */
#include "old_store.h"

#include <string.h>

#include "old_my_sp_client.h"
#include "psa_client.h"
#include "psa_manifest/old_store.h"
#include "psa_service.h"

#define KEPT 1 /* a status of our own: no reply yet */

static uint8_t asset[OLD_STORE_SIZE];
static struct old_store_tally tally;
static psa_status_t next_connect = PSA_SUCCESS;
static psa_handle_t later = PSA_NULL_HANDLE;
static int inuse;

static psa_status_t read_asset(const psa_msg_t *msg, const struct old_store_request *request)
{
    if (request->uuid != OLD_STORE_UUID || request->offset > sizeof asset ||
        msg->out_size[0] > sizeof asset - request->offset)
        return -1;
    psa_write(msg->handle, 0, asset + request->offset, msg->out_size[0]);
    return PSA_SUCCESS;
}

static psa_status_t write_asset(const psa_msg_t *msg, const struct old_store_request *request)
{
    if (request->uuid != OLD_STORE_UUID || request->offset > sizeof asset ||
        msg->in_size[1] > sizeof asset - request->offset)
        return -1;
    (void)psa_read(msg->handle, 1, asset + request->offset, msg->in_size[1]);
    return PSA_SUCCESS;
}

static psa_status_t report_tally(const psa_msg_t *msg)
{
    struct old_store_tally report = tally;

    report.client_id = msg->client_id;
    psa_write(msg->handle, 0, &report, sizeof report);
    return PSA_SUCCESS;
}

static psa_status_t ask_my_sp(const psa_msg_t *msg)
{
    struct old_store_asked asked;

    memset(&asked, 0, sizeof asked);
    asked.connection = old_my_sp_by_connection(&asked.connection_sum);
    asked.ccc = old_my_sp_by_ccc(&asked.ccc_sum);
    psa_write(msg->handle, 0, &asked, sizeof asked);
    return PSA_SUCCESS;
}

static psa_status_t old_store_call(psa_msg_t *msg)
{
    struct old_store_request request = {OLD_STORE_NOTHING, 0, 0, 0};

    if (msg->in_size[0] == sizeof request)
        (void)psa_read(msg->handle, 0, &request, sizeof request);
    switch (request.verb) {
    case OLD_STORE_NOTHING:
        return PSA_SUCCESS;
    case OLD_STORE_READ:
        return read_asset(msg, &request);
    case OLD_STORE_WRITE:
        return write_asset(msg, &request);
    case OLD_STORE_LATER:
        later = msg->handle;
        return KEPT;
    case OLD_STORE_REPLY:
        return request.status;
    case OLD_STORE_NEXT_CONNECT:
        next_connect = request.status;
        return PSA_SUCCESS;
    case OLD_STORE_TALLY:
        return report_tally(msg);
    case OLD_STORE_ASK_MY_SP:
        return ask_my_sp(msg);
    case OLD_STORE_GET_AGAIN:
        return psa_get(OLD_STORE_SERVICE_SIGNAL, msg);
    case OLD_STORE_TIE:
        psa_set_rhandle(msg->handle, &tally);
        return PSA_SUCCESS;
    default:
        return -2;
    }
}

static void serve(psa_msg_t *msg)
{
    psa_status_t r;

    inuse = 1;
    r = old_store_call(msg);
    if (later == PSA_NULL_HANDLE) {
        psa_reply(msg->handle, r);
        inuse = 0;
    }
}

static void expect_rhandle(const psa_msg_t *msg, const void *rhandle)
{
    if (msg->rhandle != rhandle)
        tally.wrong_rhandles++;
}

static void take_message(void)
{
    psa_msg_t msg;

    if (psa_get(OLD_STORE_SERVICE_SIGNAL, &msg) == PSA_ERR_NOMSG)
        return;
    switch (msg.type) {
    case PSA_IPC_CONNECT:
        tally.connects++;
        expect_rhandle(&msg, NULL);
        psa_set_rhandle(msg.handle, &tally);
        psa_reply(msg.handle, next_connect);
        next_connect = PSA_SUCCESS;
        break;
    case PSA_IPC_CALL:
        tally.calls++;
        expect_rhandle(&msg, &tally);
        if (inuse)
            psa_reply(msg.handle, PSA_CONNECTION_BUSY);
        else
            serve(&msg);
        break;
    case PSA_IPC_CCC:
        tally.cccs++;
        expect_rhandle(&msg, NULL);
        if (inuse)
            psa_reply(msg.handle, PSA_CONNECTION_REFUSED);
        else
            serve(&msg);
        break;
    case PSA_IPC_DISCONNECT:
        tally.disconnects++;
        expect_rhandle(&msg, &tally);
        psa_reply(msg.handle, PSA_SUCCESS);
        break;
    default:
        tally.others++;
        psa_reply(msg.handle, PSA_SUCCESS);
        break;
    }
}

static void finish_later(void)
{
    if (later != PSA_NULL_HANDLE)
        psa_reply(later, PSA_SUCCESS);
    later = PSA_NULL_HANDLE;
    inuse = 0;
}

void old_store_main(void);

void old_store_main(void)
{
    while (1) {
        psa_signal_t signals = psa_wait(PSA_WAIT_ANY, PSA_BLOCK);

        if (signals & OLD_STORE_TIMER_SIGNAL) {
            finish_later();
            psa_eoi(OLD_STORE_TIMER_SIGNAL);
        }
        if (signals & PSA_DOORBELL) {
            psa_clear();
            finish_later();
        }
        if (signals & OLD_STORE_SERVICE_SIGNAL)
            take_message();
    }
}
