{{/* Every workload: its definition in processes.yaml merged with the values of the operator. */}}
{{- define "shortlist.workloads" -}}
{{- $workloads := dict -}}
{{- range $name, $process := .Files.Get "processes.yaml" | fromYaml -}}
{{- $values := mergeOverwrite (deepCopy $.Values.workloads.default) (deepCopy (index $.Values.workloads $name | default dict)) -}}
{{- $_ := set $workloads $name (merge $values $process) -}}
{{- end -}}
{{- toYaml $workloads -}}
{{- end -}}

{{/* What selects the pods of a workload; it must never change. */}}
{{- define "shortlist.selector" -}}
app.kubernetes.io/name: shortlist
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .name }}
{{- end -}}

{{- define "shortlist.labels" -}}
{{ include "shortlist.selector" . }}
app.kubernetes.io/part-of: shortlist
app.kubernetes.io/version: {{ .root.Values.image.tag | default .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version }}
{{- end -}}

{{- define "shortlist.serviceAccount" -}}
{{ .Values.serviceAccount.name | default .Release.Name }}
{{- end -}}

{{/*
The most database connections: of all workloads, each with two pods more during a rolling update, one that starts and one that ends, and of
jobs and commands. A chart that exceeds what the server takes would leave some of them without a connection, so it is refused.
*/}}
{{- define "shortlist.checkConnections" -}}
{{- $sum := 16 -}}
{{- range $name, $workload := include "shortlist.workloads" . | fromYaml -}}
{{- if has "DATABASE_URL" $workload.secrets -}}
{{- $pods := max $workload.replicas (ternary $workload.autoscaling.maxReplicas 0 $workload.autoscaling.enabled) -}}
{{- $sum = add $sum (mul (add $pods 2) $workload.databasePool) -}}
{{- end -}}
{{- end -}}
{{- if gt $sum (int .Values.databaseConnections) -}}
{{- fail (printf "workloads and jobs can open %d connections to the database, and databaseConnections is %d: lower databasePool or replicas, or raise the limit of the server and this value" $sum (int .Values.databaseConnections)) -}}
{{- end -}}
{{- end -}}

{{- define "shortlist.image" -}}
{{- $name := print .root.Values.image.prefix .image -}}
{{- with get .root.Values.image.digests .image -}}
{{ $name }}@{{ . }}
{{- else -}}
{{ $name }}:{{ .root.Values.image.tag | default .root.Chart.AppVersion }}
{{- end -}}
{{- end -}}

{{/* Least privilege: no root, no capabilities, no writable path but /tmp. */}}
{{- define "shortlist.podSecurity" -}}
runAsNonRoot: true
runAsUser: 1000
runAsGroup: 1000
seccompProfile: { type: RuntimeDefault }
{{- end -}}

{{- define "shortlist.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: { drop: [ALL] }
{{- end -}}

{{/* Each variable names its key of the Secret, so that Kubernetes reports a missing key by name. */}}
{{- define "shortlist.secretVariables" -}}
{{- range .keys }}
- name: {{ . }}
  valueFrom: { secretKeyRef: { name: {{ $.secret }}, key: {{ . }}{{ if $.optional }}, optional: true{{ end }} } }
{{- end -}}
{{- end -}}
