{{/* Names, labels and images that several templates share. */}}

{{- define "operator.name" -}}
{{ default .Chart.Name .Values.nameOverride | trunc 63 | trimSuffix "-" }}
{{- end }}

{{- define "operator.fullname" -}}
{{- if .Values.fullnameOverride }}
{{- .Values.fullnameOverride | trunc 63 | trimSuffix "-" }}
{{- else }}
{{- $name := default .Chart.Name .Values.nameOverride }}
{{- $full := ternary .Release.Name (printf "%s-%s" .Release.Name $name) (contains $name .Release.Name) }}
{{- $full | trunc 63 | trimSuffix "-" }}
{{- end }}
{{- end }}

{{- define "operator.namespace" -}}
{{ default .Release.Namespace .Values.namespaceOverride }}
{{- end }}

{{- define "operator.account" -}}
{{- $own := .Values.operator.serviceAccount }}
{{- default (ternary (include "operator.fullname" .) "default" $own.create) $own.name }}
{{- end }}

{{- define "webhook.name" -}}
{{ include "operator.name" . }}-webhook
{{- end }}

{{- define "webhook.account" -}}
{{- $own := .Values.webhook.serviceAccount }}
{{- default (ternary (include "webhook.name" .) "default" $own.create) $own.name }}
{{- end }}

{{/* What a selector may use: it cannot change in the life of a Deployment. */}}
{{- define "operator.selector" -}}
app.kubernetes.io/name: {{ include "operator.name" . }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "webhook.selector" -}}
app.kubernetes.io/name: {{ include "webhook.name" . }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "chart.labels" -}}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" | trunc 63 }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end }}

{{/* An image: a plain string, or repository with digest (which wins) or tag. (list image version) */}}
{{- define "image.of" -}}
{{- $image := index . 0 }}
{{- if kindIs "string" $image }}
{{- $image }}
{{- else if $image.digest }}
{{- printf "%s@%s" $image.repository $image.digest }}
{{- else }}
{{- printf "%s:%s" $image.repository (default (index . 1) $image.tag) }}
{{- end }}
{{- end }}

{{/* A port as an argument: ":PORT", or "0" for none. (list port path secure) */}}
{{- define "metrics.address" -}}
{{- $port := index . 0 | toString }}
{{- if not (and (regexMatch "^(0|[1-9][0-9]{0,4})$" $port) (le (atoi $port) 65535)) }}
{{- fail (printf "%s: %s is not a port (0 to 65535)" (index . 1) $port) }}
{{- end }}
{{- if and (eq $port "0") (index . 2) }}
{{- fail (printf "%s is 0, so there are no metrics to secure: set metricsSecure to false" (index . 1)) }}
{{- end }}
{{- ternary "0" (printf ":%s" $port) (eq $port "0") }}
{{- end }}

{{/* Where pods go and under which rules. (list root component) */}}
{{- define "pod.common" -}}
{{- $root := index . 0 }}
{{- $own := index . 1 }}
{{- with $root.Values.imagePullSecrets }}
imagePullSecrets: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with $root.Values.priorityClassName }}
priorityClassName: {{ . }}
{{- end }}
{{- range $key := list "nodeSelector" "affinity" "tolerations" "topologySpreadConstraints" }}
{{- with index $own $key }}
{{ $key }}: {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}
{{- with $own.podSecurityContext }}
securityContext: {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{/* The namespaces that a webhook looks at. (list root more-to-leave-out) */}}
{{- define "webhook.namespaces" -}}
{{- $root := index . 0 }}
matchExpressions:
{{- with $root.Values.webhook.namespaces }}
  - key: kubernetes.io/metadata.name
    operator: In
    values:
    {{- range splitList "," . }}
    {{- with trim . }}
      - {{ . }}
    {{- end }}
    {{- end }}
{{- end }}
  - key: kubernetes.io/metadata.name
    operator: NotIn
    values: {{- toYaml (concat (list "kube-system" "kube-public" "kube-node-lease") (index . 1)) | nindent 6 }}
{{- end }}
