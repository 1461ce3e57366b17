/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

#include "spm_paths.h"

#define DESCRIPTOR_SIZE 8u /* of psa_invec and psa_outvec on the board */

/* One actor of an operation, as the steps see it. */
struct caller {
    bool ns;
    uint64_t partitions_before; /* of a partition: in the list of all */
};

static const struct caller ns_client = {.ns = true, .partitions_before = 0};
static const struct caller first_partition = {.ns = false, .partitions_before = 0};
static const struct caller second_partition = {.ns = false, .partitions_before = 1};

/* The round of an API: into the SPM, out of it, and PendSV if it is pending. */

static void enter(struct cost_meter *meter, const struct caller *caller, enum cost_api api)
{
    cost_step(meter, caller->ns ? cost_ns_enter(api) : COST_SP_ENTER);
    cost_exception(meter, COST_EXC_SVC);
    cost_step(meter, caller->ns ? COST_ABI_ENTER_NS : COST_ABI_ENTER_SP);
    cost_step(meter, cost_body(api, caller->ns));
}

static void leave(struct cost_meter *meter, const struct caller *caller)
{
    cost_step(meter, caller->ns ? COST_ABI_LEAVE_NS : COST_ABI_LEAVE_SP);
}

static void pendsv(struct cost_meter *meter, bool switches)
{
    cost_exception(meter, COST_EXC_TAIL_CHAIN);
    cost_step(meter, COST_PENDSV_SAVE);
    cost_step(meter, COST_PENDSV_CHOOSE);
    if (switches)
        cost_switch(meter);
    else
        cost_step(meter, COST_PENDSV_STAY);
    cost_step(meter, COST_PENDSV_RESTORE);
}

static void back_to_thread(struct cost_meter *meter)
{
    cost_exception(meter, COST_EXC_RETURN);
}

static void runs_again(struct cost_meter *meter, const struct caller *caller, enum cost_api api)
{
    cost_step(meter, caller->ns ? cost_ns_leave(api) : COST_SP_LEAVE);
}

/* A service API that neither blocks nor wakes. */
static void return_at_once(struct cost_meter *meter, const struct caller *caller)
{
    leave(meter, caller);
    back_to_thread(meter);
    cost_step(meter, COST_SP_LEAVE);
}

/* The client's side. */

static void memory_check(struct cost_meter *meter, const struct caller *caller, bool empty)
{
    if (empty)
        cost_step(meter, COST_MEMORY_CHECK_EMPTY);
    else
        cost_step(meter, caller->ns ? COST_MEMORY_CHECK_NS : COST_MEMORY_CHECK_SP);
}

static void parameters(struct cost_meter *meter, const struct caller *client)
{
    if (!client->ns)
        return;
    cost_step(meter, COST_PARAMETERS_NS);
}

static void lookup_service(struct cost_meter *meter, const struct caller *client,
                           const struct path *path)
{
    cost_step(meter, COST_LOOKUP_SERVICE);
    cost_steps(meter, COST_LOOKUP_SERVICE_PARTITION_EACH, path->partitions_before);
    cost_step(meter, client->ns ? COST_AUTHORISE_NS : COST_AUTHORISE_SP);
}

static void lookup_handle(struct cost_meter *meter, const struct path *path)
{
    cost_step(meter, COST_LOOKUP_HANDLE);
    cost_steps(meter, COST_LOOKUP_HANDLE_PARTITION_EACH, path->partitions_before);
    cost_steps(meter, COST_LOOKUP_HANDLE_EACH, path->handles_before);
}

static void check_vectors(struct cost_meter *meter, const struct caller *client, size_t count,
                          size_t empty, enum cost_step none, enum cost_step first,
                          enum cost_step each)
{
    if (count == 0)
        cost_step(meter, none);
    for (size_t i = 0; i < count; i++) {
        cost_step(meter, i == 0 ? first : each);
        memory_check(meter, client, i >= count - empty);
    }
}

static void vectors(struct cost_meter *meter, const struct caller *client,
                    const struct path *path)
{
    cost_step(meter, COST_VEC_ARRAY_CHECK);
    memory_check(meter, client, path->in_len == 0);
    memory_check(meter, client, path->out_len == 0);
    cost_step(meter, COST_VEC_ARRAY_COPY);
    cost_copy(meter, DESCRIPTOR_SIZE * path->in_len, 0);
    cost_copy(meter, DESCRIPTOR_SIZE * path->out_len, 0);
    check_vectors(meter, client, path->in_len, path->in_empty, COST_VEC_CHECK_IN_NONE,
                  COST_VEC_CHECK_IN_FIRST, COST_VEC_CHECK_IN_EACH);
    check_vectors(meter, client, path->out_len, 0, COST_VEC_CHECK_OUT_NONE,
                  COST_VEC_CHECK_OUT_FIRST, COST_VEC_CHECK_OUT_EACH);
}

static void message(struct cost_meter *meter, const struct caller *client,
                    const struct path *path)
{
    cost_step(meter, cost_msg_prepare(path->api));
    cost_step(meter, COST_MSG_ALLOC);
    cost_step(meter, COST_MSG_INIT);
    cost_step(meter, client->ns ? COST_CLIENT_ID_NS : COST_CLIENT_ID_SP);
    cost_step(meter, cost_vec_fill_in(path->in_len));
    cost_step(meter, cost_vec_fill_out(path->out_len));
    if (path->api == COST_API_CONNECT || path->api == COST_API_CCC) {
        cost_step(meter, COST_RHANDLE_NONE);
    } else {
        cost_step(meter, COST_RHANDLE_GET);
        cost_steps(meter, COST_RHANDLE_GET_EACH, path->handles_before);
    }
    cost_step(meter, COST_QUEUE_INSERT);
    cost_step(meter, COST_SIGNAL_ASSERT);
}

/* Everything of a client API up to waking the service. */
static void request(struct cost_meter *meter, const struct caller *client,
                    const struct path *path)
{
    enter(meter, client, path->api);
    if (path->api == COST_API_CALL || path->api == COST_API_CCC)
        parameters(meter, client);
    if (path->api == COST_API_CALL || path->api == COST_API_CLOSE)
        lookup_handle(meter, path);
    else
        lookup_service(meter, client, path);
    if (path->api == COST_API_CONNECT || path->api == COST_API_CCC)
        cost_step(meter, COST_VERSION_CHECK);
    if (path->api == COST_API_CALL || path->api == COST_API_CCC)
        vectors(meter, client, path);
    message(meter, client, path);
}

static void client_blocks(struct cost_meter *meter, const struct caller *client,
                          const struct path *path, uint64_t threads_passed)
{
    cost_step(meter, COST_BLOCK_CLIENT);
    cost_steps(meter, COST_THREAD_PASSED_EACH, threads_passed);
    if (path->api == COST_API_CLOSE) {
        cost_step(meter, COST_CONNECTION_FREE);
        cost_steps(meter, COST_CONNECTION_FREE_EACH, path->handles_before);
    }
    leave(meter, client);
    pendsv(meter, true);
    back_to_thread(meter);
}

/* The service's side. */

static void caller_lookup(struct cost_meter *meter, const struct caller *service)
{
    cost_step(meter, COST_CALLER_LOOKUP);
    cost_steps(meter, COST_CALLER_LOOKUP_EACH, service->partitions_before);
}

static void wait_ready(struct cost_meter *meter, const struct caller *service)
{
    enter(meter, service, COST_API_WAIT);
    caller_lookup(meter, service);
    cost_step(meter, COST_WAIT_READY);
    return_at_once(meter, service);
}

static void wait_blocks(struct cost_meter *meter, const struct caller *service,
                        uint64_t threads_passed)
{
    enter(meter, service, COST_API_WAIT);
    caller_lookup(meter, service);
    cost_step(meter, COST_BLOCK_WAIT);
    cost_steps(meter, COST_THREAD_PASSED_EACH, threads_passed);
    leave(meter, service);
    pendsv(meter, true);
    back_to_thread(meter);
}

static void get(struct cost_meter *meter, const struct caller *service)
{
    enter(meter, service, COST_API_GET);
    cost_step(meter, COST_GET_SIGNAL_CHECK);
    cost_step(meter, COST_GET_MSG_CHECK);
    cost_step(meter, COST_MEMORY_CHECK_SP);
    caller_lookup(meter, service);
    cost_step(meter, COST_GET_SERVICE_LOOKUP);
    cost_step(meter, COST_QUEUE_REMOVE);
    cost_step(meter, COST_MSG_COPY);
    cost_step(meter, COST_SIGNAL_CLEAR);
    return_at_once(meter, service);
}

static void message_api(struct cost_meter *meter, const struct caller *service,
                        enum cost_api api, bool ccc)
{
    enter(meter, service, api);
    cost_step(meter, COST_MSG_LOOKUP);
    cost_steps(meter, COST_MSG_IS_CCC, ccc ? 1 : 0);
}

static void read(struct cost_meter *meter, const struct caller *service, bool ccc,
                 uint64_t bytes)
{
    cost_step(meter, COST_GLUE_READ);
    message_api(meter, service, COST_API_READ, ccc);
    cost_step(meter, COST_READ_CHECK);
    cost_step(meter, COST_MEMORY_CHECK_SP);
    cost_step(meter, COST_READ_COPY);
    cost_copy(meter, bytes, 0);
    return_at_once(meter, service);
}

static void write(struct cost_meter *meter, const struct caller *service, bool ccc,
                  uint64_t bytes)
{
    cost_step(meter, COST_GLUE_WRITE);
    message_api(meter, service, COST_API_WRITE, ccc);
    cost_step(meter, COST_WRITE_CHECK);
    cost_step(meter, COST_MEMORY_CHECK_SP);
    cost_step(meter, COST_WRITE_COPY);
    cost_copy(meter, bytes, 0);
    return_at_once(meter, service);
}

static void skip(struct cost_meter *meter, const struct caller *service, bool ccc)
{
    cost_step(meter, COST_GLUE_CALL);
    message_api(meter, service, COST_API_SKIP, ccc);
    cost_step(meter, COST_SKIP_UPDATE);
    return_at_once(meter, service);
}

static void set_rhandle(struct cost_meter *meter, const struct caller *service)
{
    cost_step(meter, COST_GLUE_CALL);
    message_api(meter, service, COST_API_SET_RHANDLE, false);
    return_at_once(meter, service);
}

static void work(struct cost_meter *meter, const struct caller *service,
                 const struct path *path)
{
    bool ccc = path->api == COST_API_CCC;

    for (size_t i = 0; i < path->skips; i++)
        skip(meter, service, ccc);
    for (size_t i = 0; i < 4 && path->reads[i] > 0; i++)
        read(meter, service, ccc, path->reads[i]);
    for (size_t i = 0; i < 4 && path->writes[i] > 0; i++)
        write(meter, service, ccc, path->writes[i]);
    if (path->rhandle)
        set_rhandle(meter, service);
    if (path->nested != NULL) {
        cost_step(meter, COST_GLUE_CALL);
        path_of_higher_partition(meter, path->nested, true);
        cost_step(meter, COST_SP_LEAVE);
    }
}

static void reply_kind(struct cost_meter *meter, const struct path *path)
{
    switch (path->api) {
    case COST_API_CONNECT:
        cost_step(meter, path->refused ? COST_REPLY_REFUSE : COST_REPLY_ACCEPT);
        if (path->refused)
            return;
        cost_step(meter, COST_CONNECTION_ALLOC);
        cost_step(meter, path->rhandle ? COST_REPLY_RHANDLE_SET : COST_REPLY_RHANDLE_NONE);
        return;
    case COST_API_CLOSE:
        cost_step(meter, COST_REPLY_DISCONNECT);
        return;
    default:
        cost_step(meter, path->api == COST_API_CCC ? COST_REPLY_CCC : COST_REPLY_CALL);
        cost_step(meter, COST_OUTVEC_LENGTHS);
        for (size_t i = 0; i < path->out_len; i++)
            cost_step(meter, i == 0 ? COST_OUTVEC_LENGTH_FIRST : COST_OUTVEC_LENGTH_EACH);
        return;
    }
}

/* `preempted`: the client outranks the service and runs on at once. */
static void reply(struct cost_meter *meter, const struct caller *service,
                  const struct path *path, bool preempted, uint64_t threads_passed)
{
    if (path->refused)
        cost_step(meter, COST_GLUE_REFUSE);
    message_api(meter, service, COST_API_REPLY, false);
    reply_kind(meter, path);
    cost_step(meter, COST_WAKE_CLIENT);
    cost_step(meter, preempted ? COST_WAKE_OUTRANKS : COST_WAKE_OUTRANKED);
    cost_steps(meter, COST_THREAD_PASSED_EACH, threads_passed);
    cost_step(meter, COST_MSG_FREE);
    leave(meter, service);
    pendsv(meter, preempted);
    back_to_thread(meter);
    cost_step(meter, COST_SP_LEAVE);
}

static enum cost_step dispatch(enum cost_api api)
{
    switch (api) {
    case COST_API_CONNECT:
        return COST_DISPATCH_CONNECT;
    case COST_API_CLOSE:
        return COST_DISPATCH_DISCONNECT;
    case COST_API_CCC:
        return COST_DISPATCH_CCC;
    default:
        return COST_DISPATCH_CALL;
    }
}

static void serve(struct cost_meter *meter, const struct caller *service,
                  const struct path *path)
{
    for (size_t i = 0; i < path->polls; i++) {
        cost_step(meter, COST_GLUE_CALL);
        wait_ready(meter, service);
    }
    get(meter, service);
    cost_step(meter, dispatch(path->api));
    work(meter, service, path);
}

/* The operations. */

static void at_once(struct cost_meter *meter, const struct caller *client,
                    const struct path *path)
{
    enter(meter, client, path->api);
    if (path->api == COST_API_VERSION)
        lookup_service(meter, client, path);
    leave(meter, client);
    back_to_thread(meter);
    runs_again(meter, client, path->api);
}

static bool returns_at_once(const struct path *path)
{
    return path->api == COST_API_FRAMEWORK_VERSION || path->api == COST_API_VERSION;
}

/* The service waits, and outranks the client. */
static void to_higher_service(struct cost_meter *meter, const struct caller *client,
                              const struct path *path, uint64_t passed_by_wait)
{
    const struct caller service = {.ns = false, .partitions_before = path->partitions_before};

    request(meter, client, path);
    cost_step(meter, COST_WAKE_PARTITION);
    cost_step(meter, COST_WAKE_OUTRANKS);
    client_blocks(meter, client, path, path->partitions_before);
    cost_step(meter, COST_SP_LEAVE);
    serve(meter, &service, path);
    reply(meter, &service, path, false, path->partitions_before);
    if (path->nested == NULL) {
        wait_blocks(meter, &service, passed_by_wait);
    } else {
        /* The second partition has still to come round to its wait. */
        wait_blocks(meter, &service, passed_by_wait - 1);
        wait_blocks(meter, &second_partition, passed_by_wait);
    }
    runs_again(meter, client, path->api);
}

void path_of_ns_client(struct cost_meter *meter, const struct path *path)
{
    if (returns_at_once(path))
        at_once(meter, &ns_client, path);
    else
        to_higher_service(meter, &ns_client, path, 2);
}

void path_of_lower_partition(struct cost_meter *meter, const struct path *path)
{
    if (returns_at_once(path))
        at_once(meter, &second_partition, path);
    else
        to_higher_service(meter, &second_partition, path, 1);
}

void path_of_higher_partition(struct cost_meter *meter, const struct path *path, bool waiting)
{
    request(meter, &first_partition, path);
    cost_step(meter, waiting ? COST_WAKE_PARTITION : COST_WAKE_PARTITION_NOT_WAITING);
    if (waiting)
        cost_step(meter, COST_WAKE_OUTRANKED);
    client_blocks(meter, &first_partition, path, 1);
    cost_step(meter, COST_SP_LEAVE);
    if (!waiting)
        wait_ready(meter, &second_partition);
    serve(meter, &second_partition, path);
    reply(meter, &second_partition, path, true, 0);
}
