{{/* Which job has which GPU: workers with GPUs share a directory with dcgm-exporter. */}}

{{/* "yes" for a node set with GPUs while this is on. (list root nodeset) */}}
{{- define "slurm.hasDcgm" -}}
{{- if (index . 0).Values.vendor.nvidia.dcgm.enabled }}
{{- range $where := list (index . 1).slurmd.resources (index . 1).podSpec.resources }}
{{- range $kind := list "limits" "requests" }}
{{- if hasKey (default dict (get (default dict $where) $kind)) "nvidia.com/gpu" }}yes{{ end }}
{{- end }}
{{- end }}
{{- end }}
{{- end }}

{{- define "slurm.withDcgmMount" -}}
{{- $mount := dict "name" "dcgm-job-mapping" "mountPath" (index . 0).Values.vendor.nvidia.dcgm.jobMappingDir }}
{{- $own := index . 1 }}
{{- merge (dict "volumeMounts" (append (default list $own.volumeMounts) $mount)) (omit $own "volumeMounts") | toYaml }}
{{- end }}

{{- define "slurm.withDcgmVolume" -}}
{{- $path := dict "path" (index . 0).Values.vendor.nvidia.dcgm.jobMappingDir "type" "DirectoryOrCreate" }}
{{- $own := index . 1 }}
{{- $volume := dict "name" "dcgm-job-mapping" "hostPath" $path }}
{{- merge (dict "volumes" (append (default list $own.volumes) $volume)) (omit $own "volumes") | toYaml }}
{{- end }}
