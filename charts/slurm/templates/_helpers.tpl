{{/* Names, labels, images and the parts that the resources share. */}}

{{- define "slurm.fullname" -}}
{{- if .Values.fullnameOverride }}
{{- .Values.fullnameOverride | trunc 63 | trimSuffix "-" }}
{{- else }}
{{- $name := default .Chart.Name .Values.nameOverride }}
{{- $full := ternary .Release.Name (printf "%s-%s" .Release.Name $name) (contains $name .Release.Name) }}
{{- $full | trunc 63 | trimSuffix "-" }}
{{- end }}
{{- end }}

{{- define "slurm.namespace" -}}
{{ default .Release.Namespace .Values.namespaceOverride }}
{{- end }}

{{- define "slurm.labels" -}}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" | trunc 63 }}
app.kubernetes.io/part-of: slurm
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end }}

{{/* metadata of an object. (list root name user-metadata) */}}
{{- define "slurm.metadata" -}}
{{- $root := index . 0 }}
{{- $user := default dict (index . 2) }}
name: {{ index . 1 }}
namespace: {{ include "slurm.namespace" $root }}
labels: {{- merge (dict) (default dict $user.labels) (include "slurm.labels" $root | fromYaml) | toYaml | nindent 2 }}
{{- with $user.annotations }}
annotations: {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{/* An image: a plain string, or repository with digest (which wins) or tag. (list image path) */}}
{{- define "slurm.image" -}}
{{- $image := index . 0 }}
{{- $path := index . 1 }}
{{- if kindIs "string" $image }}
{{- $image }}
{{- else if $image.digest }}
{{- printf "%s@%s" $image.repository $image.digest }}
{{- else }}
{{- printf "%s:%s" $image.repository (required (printf "%s.image: give a tag or a digest" $path) $image.tag | toString) }}
{{- end }}
{{- end }}

{{/* A container as the resources take it. (list root container path) */}}
{{- define "slurm.container" -}}
{{- $root := index . 0 }}
{{- $own := index . 1 }}
{{- $fixed := dict "image" (include "slurm.image" (list $own.image (index . 2))) }}
{{- $_ := set $fixed "imagePullPolicy" (default $root.Values.imagePullPolicy $own.imagePullPolicy) }}
{{- merge $fixed (omit $own "image") | toYaml }}
{{- end }}

{{/* A pod template. (list root metadata pod-spec) */}}
{{- define "slurm.template" -}}
{{- $root := index . 0 }}
{{- $user := default dict (index . 1) }}
{{- $spec := deepCopy (default dict (index . 2)) }}
{{- with $root.Values.imagePullSecrets }}
{{- $_ := set $spec "imagePullSecrets" (concat (default list $spec.imagePullSecrets) .) }}
{{- end }}
{{- if and $root.Values.priorityClass.enabled (not $spec.priorityClassName) }}
{{- $_ := set $spec "priorityClassName" (include "slurm.priorityClass" $root) }}
{{- end }}
metadata:
  labels: {{- merge (dict) (default dict $user.labels) (include "slurm.labels" $root | fromYaml) | toYaml | nindent 4 }}
  {{- with $user.annotations }}
  annotations: {{- toYaml . | nindent 4 }}
  {{- end }}
spec: {{- toYaml $spec | nindent 2 }}
{{- end }}

{{- define "slurm.priorityClass" -}}
{{ default "slurm-priority-critical" .Values.priorityClass.name }}
{{- end }}

{{/* One value as Slurm writes it: lists with commas, booleans as YES and NO, whole numbers whole. */}}
{{- define "slurm.value" -}}
{{- if kindIs "slice" . }}
{{- $parts := list }}
{{- range . }}{{ $parts = append $parts (include "slurm.value" .) }}{{ end }}
{{- join "," $parts }}
{{- else if kindIs "bool" . }}
{{- ternary "YES" "NO" . }}
{{- else if and (kindIs "float64" .) (eq (floor .) .) }}
{{- int64 . }}
{{- else }}
{{- . }}
{{- end }}
{{- end }}

{{/* Key=value items of a map; only null is left out. (list map separator) */}}
{{- define "slurm.items" -}}
{{- $items := list }}
{{- range $key, $value := index . 0 }}
{{- if not (kindIs "invalid" $value) }}
{{- $items = append $items (printf "%s=%s" $key (include "slurm.value" $value)) }}
{{- end }}
{{- end }}
{{- join (index . 1) $items }}
{{- end }}

{{/* A text, or else the items of a map. (list text map separator) */}}
{{- define "slurm.conf" -}}
{{- if index . 0 }}
{{- index . 0 | trim }}
{{- else }}
{{- include "slurm.items" (list (default dict (index . 1)) (index . 2)) }}
{{- end }}
{{- end }}

{{/* A reference to a key of a Secret or ConfigMap. (list root user-ref suffix key) */}}
{{- define "slurm.ref" -}}
{{- $user := default dict (index . 1) }}
name: {{ default (printf "%s-%s" (include "slurm.fullname" (index . 0)) (index . 2)) $user.name }}
key: {{ default (index . 3) $user.key }}
{{- end }}

{{/* Settings over defaults: maps key by key, lists and values as a whole, 0 and false included. */}}
{{- define "slurm.over" -}}
{{- mustMergeOverwrite (deepCopy (index . 1)) (deepCopy (default dict (index . 0))) | toYaml }}
{{- end }}

{{/* The enabled ones of a map of sets, each over the defaults: a YAML map. (list map defaults) */}}
{{- define "slurm.sets" -}}
{{- $sets := dict }}
{{- $defaults := index . 1 }}
{{- range $name, $own := index . 0 }}
{{- $set := include "slurm.over" (list $own $defaults) | fromYaml }}
{{- if $set.enabled }}
{{- $_ := set $sets $name $set }}
{{- end }}
{{- end }}
{{- toYaml $sets }}
{{- end }}

{{- define "slurm.nodesets" -}}
{{ include "slurm.sets" (list .Values.nodesets .Values.nodesetDefaults) }}
{{- end }}

{{- define "slurm.loginsets" -}}
{{ include "slurm.sets" (list .Values.loginsets .Values.loginsetDefaults) }}
{{- end }}

{{/* Lines of slurm.conf: the user's, then the partitions. */}}
{{- define "slurm.controllerConf" -}}
{{- $lines := list }}
{{- with include "slurm.conf" (list .Values.controller.extraConf .Values.controller.extraConfMap "\n") }}
{{- $lines = append $lines . }}
{{- end }}
{{- $nodesets := include "slurm.nodesets" . | fromYaml }}
{{- range $name, $partition := .Values.partitions }}
{{- if not $partition.nodesets }}
{{- fail (printf "partitions.%s.nodesets is empty: name node sets, or ALL" $name) }}
{{- end }}
{{- if $partition.enabled }}
{{- range $partition.nodesets }}
{{- if not (or (eq . "ALL") (hasKey $nodesets .)) }}
{{- fail (printf "partitions.%s.nodesets: there is no enabled node set '%s' in nodesets" $name .) }}
{{- end }}
{{- end }}
{{- $nodes := $partition.nodesets | uniq | sortAlpha | join "," }}
{{- $options := include "slurm.conf" (list $partition.config $partition.configMap " ") }}
{{- $lines = append $lines (printf "PartitionName=%s Nodes=%s %s" $name $nodes $options | trim) }}
{{- end }}
{{- end }}
{{- join "\n" $lines }}
{{- end }}

{{/* ConfigMaps with scripts: our own, then the user's. (list root map refs suffix) */}}
{{- define "slurm.scriptRefs" -}}
{{- $refs := list }}
{{- if index . 1 }}
{{- $refs = append $refs (dict "name" (printf "%s-%s" (include "slurm.fullname" (index . 0)) (index . 3))) }}
{{- end }}
{{- concat $refs (default list (index . 2)) | toYaml }}
{{- end }}
