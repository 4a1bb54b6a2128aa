/* client_test.c - paths of the API, and its answers as errnos. */
#include "kube/client.h"

#include <errno.h>
#include <string.h>

#include "k8s/configmap.h"
#include "k8s/deployment.h"
#include "k8s/node.h"
#include "support/test.h"

TEST(paths_follow_group_scope_and_subresource)
{
    scoped(arena) struct arena *a = arena_new();

    CHECK_STR(client_path(a, &k8s_configmap_kind, NULL, NULL, NULL), "/api/v1/configmaps");
    CHECK_STR(client_path(a, &k8s_configmap_kind, "hpc", "x", NULL),
              "/api/v1/namespaces/hpc/configmaps/x");
    CHECK_STR(client_path(a, &k8s_deployment_kind, "hpc", "x", "scale"),
              "/apis/apps/v1/namespaces/hpc/deployments/x/scale");
    CHECK_STR(client_path(a, &k8s_node_kind, "ignored", "n0", NULL), "/api/v1/nodes/n0");
}

static void check_status(int status, const char *body, int code, const char *story)
{
    struct error err = { 0 };

    CHECK_INT(client_status_error(status, body, strlen(body), &err), code);
    CHECK_STR(error_text(&err), story);
}

TEST(statuses_become_errnos_with_the_words_of_the_server)
{
    check_status(404, "{\"reason\":\"NotFound\",\"message\":\"no such\"}", -ENOENT,
                 "no such (404 NotFound)");
    check_status(409, "{\"reason\":\"AlreadyExists\",\"message\":\"is there\"}", -EEXIST,
                 "is there (409 AlreadyExists)");
    check_status(409, "{\"reason\":\"Conflict\",\"message\":\"moved on\"}", -ESTALE,
                 "moved on (409 Conflict)");
    check_status(410, "{\"message\":\"too old\"}", -EKEYEXPIRED, "too old (410)");
    check_status(422, "{\"message\":\"spec.x: bad\"}", -EINVAL, "spec.x: bad (422)");
    check_status(429, "{}", -EAGAIN, "{} (429)");
    check_status(500, "", -EAGAIN, "no message (500)");
    check_status(503, "<html>\nbusy", -EAGAIN, "<html> (503)");
    check_status(504, "late", -ETIMEDOUT, "late (504)");
    check_status(403, "{\"message\":7}", -EACCES, "{\"message\":7} (403)");
    check_status(418, "", -EIO, "no message (418)");
}

TEST(a_good_answer_is_no_error)
{
    CHECK_INT(client_status_error(200, NULL, 0, NULL), 0);
    CHECK_INT(client_status_error(201, "x", 1, NULL), 0);
}
