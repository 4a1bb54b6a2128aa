/* validate_parts.c - checks that several kinds share. */
#include "slinky/validate_parts.h"

#include <string.h>

#include "base/str.h"
#include "k8s/container.h"
#include "k8s/pod_spec.h"
#include "k8s/service.h"

const struct slinky_secret_key *jwt_key_of(const struct slinky_secret_key *key,
                                           const struct slinky_secret_key *older)
{
    return key ?: older;
}

void check_secret_key(struct problems *p, const char *path, const struct slinky_secret_key *key,
                      const char *what)
{
    if (key && (str_empty(key->name) || str_empty(key->key)))
        refuse(p, path, NULL, "give both the name of the Secret and the key in it that hold %s",
               what);
}

void check_jwks(struct problems *p, const struct slinky_config_map_key *jwks)
{
    if (jwks && (str_empty(jwks->name) || str_empty(jwks->key)))
        refuse(p, "spec.jwksKeyRef", NULL,
               "give both the name of the ConfigMap and the key in it, or leave jwksKeyRef out");
}

void check_daemon_keys(struct problems *p, const char *daemon, const struct daemon_keys *keys)
{
    const struct slinky_secret_key *jwt = jwt_key_of(keys->jwt, keys->jwt_older);

    if (!keys->slurm)
        refuse(p, "spec.slurmKeyRef", NULL,
               "%s needs the auth/slurm key; name its Secret here, or set external: true for a %s "
               "outside Kubernetes",
               daemon, daemon);
    if (!jwt)
        refuse(p, "spec.jwtKeyRef", NULL,
               "%s needs the auth/jwt key; name its Secret here, or set external: true for a %s "
               "outside Kubernetes",
               daemon, daemon);
    check_secret_key(p, "spec.slurmKeyRef", keys->slurm, "the auth/slurm key");
    check_secret_key(p, keys->jwt ? "spec.jwtKeyRef" : "spec.jwtHs256KeyRef", jwt,
                     "the auth/jwt key");
}

/* An empty key and an absent one mean the same, as in the objects of older releases. */
void check_jwt_unchanged(struct problems *p, const struct slinky_secret_key *old,
                         const struct slinky_secret_key *now, const char *way_out)
{
    static const struct slinky_secret_key none = { .name = "", .key = "" };

    old = old ?: &none;
    now = now ?: &none;
    if (!str_eq(old->name ?: "", now->name ?: "") || !str_eq(old->key ?: "", now->key ?: ""))
        refuse(p, "spec.jwtKeyRef",
               shown_str(p, fmt(p->arena, "%s/%s", now->name ?: "", now->key ?: "")),
               "the auth/jwt key reference cannot change from %s/%s; %s", old->name ?: "",
               old->key ?: "", way_out);
}

void warn_of_older_jwt(struct problems *p, const struct slinky_secret_key *key,
                       const struct slinky_secret_key *older)
{
    if (!older)
        return;
    if (!key)
        warn_of(p, "spec.jwtHs256KeyRef", NULL,
                "this field is deprecated; use jwtKeyRef, which means the same");
    else if (!str_eq(key->name, older->name) || !str_eq(key->key, older->key))
        warn_of(p, "spec.jwtHs256KeyRef", NULL, "not used, as jwtKeyRef is set; remove it");
}

void check_external(struct problems *p, const struct slinky_external_config *config,
                    const char *daemon, int usual_port)
{
    int64_t port = config ? int_or(config->port, 0) : 0;

    if (!config) {
        refuse(p, "spec.externalConfig", NULL,
               "an external %s must be found; give externalConfig.host and .port", daemon);
        return;
    }
    if (str_empty(config->host))
        refuse(p, "spec.externalConfig.host", shown_str(p, config->host),
               "an external %s must be found; give its host name or IP address", daemon);
    if (port < 1 || port > UINT16_MAX)
        refuse(p, "spec.externalConfig.port", shown_int(p, port),
               "a port lies between 1 and 65535; %s usually has %d", daemon, usual_port);
}

void check_count(struct problems *p, const char *path, struct maybe_int count, const char *message)
{
    if (int_or(count, 0) < 0)
        refuse(p, path, shown_int(p, count.value), "%s", message);
}

void check_port(struct problems *p, const char *path, struct maybe_int port, const char *message)
{
    if (int_or(port, 0) < 0 || int_or(port, 0) > UINT16_MAX)
        refuse(p, path, shown_int(p, port.value), "%s", message);
}

void check_reads_as(struct problems *p, const char *path, const struct json *given,
                    const struct type *type)
{
    struct error err = { 0 };
    void *object = arena_alloc(p->arena, type->size);

    if (!given || given->type == JSON_NULL)
        return;
    if (table_read_json(p->arena, type, given, object, &err) < 0)
        refuse(p, path, NULL, "%s", error_text(&err));
}

static bool has_node_ports(const struct json *spec)
{
    const char *type = json_str_or(json_get(spec, "type"), "ClusterIP");

    return str_eq(type, "NodePort") || str_eq(type, "LoadBalancer");
}

void check_service(struct problems *p, const struct slinky_service *service)
{
    const struct json *ips = service ? json_get(service->spec, "externalIPs") : NULL;

    if (!service)
        return;
    check_reads_as(p, "spec.service.spec", service->spec, &k8s_service_spec_type);
    check_port(p, "spec.service.port", service->port,
               "a port lies between 1 and 65535; leave it out (or 0) for the daemon's usual one");
    check_port(p, "spec.service.nodePort", service->node_port,
               "a node port lies between 1 and 65535; leave it out (or 0) to have one chosen");
    if (ips && ips->type != JSON_NULL)
        warn_of(
            p, "spec.service.spec.externalIPs", NULL,
            "external addresses are not set on this Service; use type LoadBalancer or NodePort");
    if (int_or(service->node_port, 0) > 0 && !has_node_ports(service->spec))
        warn_of(p, "spec.service.nodePort", shown_int(p, service->node_port.value),
                "only a Service of type NodePort or LoadBalancer has one; set service.spec.type");
}

void check_container(struct problems *p, const char *path, const struct json *container)
{
    check_reads_as(p, path, container, &k8s_container_type);
}

void check_template(struct problems *p, const struct slinky_pod_template *pods)
{
    if (pods)
        check_reads_as(p, "spec.template.spec", pods->spec, &k8s_pod_spec_type);
}

/* RFC 1035: what a Service may be called. */
static bool is_service_name(const char *name)
{
    size_t len = strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789-");

    return name[len] == '\0' && name[0] >= 'a' && name[0] <= 'z' && name[len - 1] != '-';
}

void check_name(struct problems *p, const struct k8s_meta *meta, size_t longest, const char *why)
{
    if (str_empty(meta->name))
        return;
    if (strlen(meta->name) > longest)
        refuse(p, "metadata.name", shown_str(p, meta->name),
               "%s; choose a name of at most %zu characters", why, longest);
    if (!is_service_name(meta->name))
        refuse(p, "metadata.name", shown_str(p, meta->name),
               "a Service is named after it; use lower case letters, digits and dashes, beginning "
               "with a letter");
}
