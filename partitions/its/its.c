/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/* The ITS service: takes requests apart and answers them from the store. A request whose
 * vectors have other sizes than the client library gives them is the client's programmer error.
 */
#include <stdbool.h>
#include <string.h>

#include "its_protocol.h"
#include "its_store.h"
#include "psa/service.h"
#include "psa_manifest/its.h"

/* A value on its way: the data of SET and GET. */
static uint8_t value[ITS_OBJECT_SIZE];

psa_status_t its_init(void);

/* The uid, from input vector 0. */
static struct its_name name_of(const psa_msg_t *msg)
{
    struct its_name name = {msg->client_id, 0};

    (void)psa_read(msg->handle, 0, &name.uid, sizeof name.uid);
    return name;
}

static bool has_vectors(const psa_msg_t *msg, size_t in_1, size_t in_2, size_t out_0)
{
    return msg->in_size[0] == sizeof(psa_storage_uid_t) && msg->in_size[1] == in_1 &&
           msg->in_size[2] == in_2 && msg->in_size[3] == 0 && msg->out_size[0] == out_0 &&
           msg->out_size[1] == 0;
}

static psa_status_t set(const psa_msg_t *msg)
{
    psa_storage_create_flags_t flags;
    struct its_name name;
    size_t size = msg->in_size[1];

    if (!has_vectors(msg, size, sizeof flags, 0))
        return PSA_ERROR_PROGRAMMER_ERROR;
    name = name_of(msg);
    (void)psa_read(msg->handle, 2, &flags, sizeof flags);
    if (size != 0)
        (void)psa_read(msg->handle, 1, value, sizeof value);
    return its_store_set(name, value, size, flags);
}

static psa_status_t get(const psa_msg_t *msg)
{
    uint32_t offset;
    size_t size = msg->out_size[0] < sizeof value ? msg->out_size[0] : sizeof value;
    struct its_name name;
    psa_status_t status;

    if (!has_vectors(msg, sizeof offset, 0, msg->out_size[0]))
        return PSA_ERROR_PROGRAMMER_ERROR;
    name = name_of(msg);
    (void)psa_read(msg->handle, 1, &offset, sizeof offset);
    status = its_store_get(name, offset, value, &size);
    if (status == PSA_SUCCESS && size != 0)
        psa_write(msg->handle, 0, value, size);
    return status;
}

static psa_status_t get_info(const psa_msg_t *msg)
{
    struct psa_storage_info_t info;
    psa_status_t status;

    if (!has_vectors(msg, 0, 0, sizeof info))
        return PSA_ERROR_PROGRAMMER_ERROR;
    memset(&info, 0, sizeof info); /* padding goes to the client, too */
    status = its_store_get_info(name_of(msg), &info);
    if (status == PSA_SUCCESS)
        psa_write(msg->handle, 0, &info, sizeof info);
    return status;
}

static psa_status_t take_away(const psa_msg_t *msg)
{
    if (!has_vectors(msg, 0, 0, 0))
        return PSA_ERROR_PROGRAMMER_ERROR;
    return its_store_remove(name_of(msg));
}

psa_status_t tfm_internal_trusted_storage_service_sfn(const psa_msg_t *msg)
{
    switch (msg->type) {
    case ITS_SET:
        return set(msg);
    case ITS_GET:
        return get(msg);
    case ITS_GET_INFO:
        return get_info(msg);
    case ITS_REMOVE:
        return take_away(msg);
    default:
        return PSA_ERROR_NOT_SUPPORTED;
    }
}

/* A flash that cannot be read makes requests fail, not the start of the system. */
psa_status_t its_init(void)
{
    (void)its_store_mount();
    return PSA_SUCCESS;
}
